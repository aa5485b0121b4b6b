//===- PTXOperands.cpp - Operand signatures -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The signatures of PTXOpcodes.def are read by the compiler into three tables:
// rows point to alternatives, these to operands. A mistake in one does not
// compile.
//===----------------------------------------------------------------------===//
#include "PTXTable.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

namespace {

enum class TypeRule : uint8_t {
  None,
  Last,
  First,
  Memory,
  Wide,
  A,
  B,
  C,
  Fixed
};

struct OperandSpec {
  OperandRole Role = OperandRole::Read;
  uint16_t Forms = 0;
  TypeRule Rule = TypeRule::None;
  ScalarType Type = ScalarType::B32;
  bool Optional = false;
  bool Wider = false;
  bool Shares = false;
};

struct Alternative {
  const char *Guard = nullptr; ///< within the signature; null: none
  uint8_t GuardLength = 0;
  uint8_t NumRequired = 0;
  uint8_t NumOperands = 0; ///< optional ones included
  uint16_t FirstOperand = 0;
};

struct Letter {
  char Name;
  OperandRole Role;
  uint16_t Forms;
};

constexpr uint16_t Reg = FormRegister, Imm = FormImmediate, Vec = FormVector,
                   Sym = FormSymbol, Sink = FormSink, Pair = FormPair,
                   Not = FormPredicate;
constexpr Letter Letters[] = {
    {'w', OperandRole::Write, Reg},
    {'s', OperandRole::Write, Reg | Sink},
    {'W', OperandRole::Write, Reg | Vec},
    {'S', OperandRole::Write, Reg | Vec | Sink},
    {'P', OperandRole::Write, Reg | Pair | Sink},
    {'D', OperandRole::Write, Reg | Pair | Sink},
    {'V', OperandRole::Write, Reg | Vec | Pair | Sink},
    {'r', OperandRole::Read, Reg | Imm},
    {'R', OperandRole::Read, Reg | Imm | Vec},
    {'v', OperandRole::Read, Vec},
    {'u', OperandRole::Read, Reg | Imm | Vec},
    {'M', OperandRole::Write, Vec},
    {'Q', OperandRole::Write, Pair},
    {'i', OperandRole::Read, Imm},
    {'p', OperandRole::Read, Reg | Not | Imm},
    {'q', OperandRole::Read, Reg | Not | Imm | FormSpecial},
    {'e', OperandRole::Read, Reg | Not | Imm | Vec},
    {'n', OperandRole::Read, Reg | Imm | FormAddress},
    {'b', OperandRole::Write, Reg | FormAddress},
    {'k', OperandRole::Read, Reg | Imm | Vec | FormSpecial},
    {'m', OperandRole::Read, Reg | Not | Imm | Vec | Sym | FormSpecial},
    {'y', OperandRole::Read, Sym},
    {'x', OperandRole::ReadWrite, Vec},
    {'a', OperandRole::Address, FormAddress},
    {'o', OperandRole::Address, FormAddress | Reg | Imm},
    {'l', OperandRole::Label, Sym},
    {'c', OperandRole::Callee, Reg | Sym},
    {'A', OperandRole::Read, FormList | Sym}};

constexpr OperandInfo ReturnList = {OperandRole::Write, FormList};

/// Reads signatures; both sizes and contents of the tables come from it.
struct SignatureReader {
  const char *Cursor;
  bool Ok = true;

  constexpr void skipSpaces() {
    while (*Cursor == ' ')
      ++Cursor;
  }

  static constexpr bool isWordEnd(char C) {
    return C == ' ' || C == '\0' || C == '?' || C == '|';
  }

  constexpr bool takeWord(const char *Word) {
    unsigned I = 0;
    for (; Word[I]; ++I)
      if (Cursor[I] != Word[I])
        return false;
    if (!isWordEnd(Cursor[I]))
      return false;
    Cursor += I;
    return true;
  }

  constexpr void readType(OperandSpec &S) {
    if (takeWord("t"))
      S.Rule = TypeRule::Last;
    else if (takeWord("f"))
      S.Rule = TypeRule::First;
    else if (takeWord("m"))
      S.Rule = TypeRule::Memory;
    else if (takeWord("w"))
      S.Rule = TypeRule::Wide;
    else if (takeWord("a"))
      S.Rule = TypeRule::A;
    else if (takeWord("b"))
      S.Rule = TypeRule::B;
    else if (takeWord("c"))
      S.Rule = TypeRule::C;
#define SCALAR_TYPE(NAME, TEXT, BITS, KIND)                                    \
  else if (takeWord(TEXT)) {                                                   \
    S.Rule = TypeRule::Fixed;                                                  \
    S.Type = ScalarType::NAME;                                                 \
  }
#include "ptxpredict/ISA/Types.def"
    else
      Ok = false;
  }

  constexpr OperandSpec readOperand() {
    OperandSpec S;
    bool Known = false;
    for (const Letter &L : Letters)
      if (L.Name == *Cursor) {
        S.Role = L.Role;
        S.Forms = L.Forms;
        Known = true;
      }
    Ok &= Known;
    if (*Cursor == 'p' || *Cursor == 'P' || *Cursor == 'q') {
      S.Rule = TypeRule::Fixed;
      S.Type = ScalarType::Pred;
    }
    ++Cursor;
    if (*Cursor == ':' || *Cursor == '>' || *Cursor == '/') {
      S.Wider = *Cursor == '>';
      S.Shares = *Cursor == '/';
      ++Cursor;
      readType(S);
    }
    if (*Cursor == '?') {
      S.Optional = true;
      ++Cursor;
    }
    Ok &= isWordEnd(*Cursor);
    return S;
  }

  /// Reads one alternative; its operands go to \p Out if that is not null.
  constexpr Alternative readAlternative(OperandSpec *Out) {
    Alternative A;
    skipSpaces();
    if (*Cursor == '@') {
      A.Guard = ++Cursor;
      while (!isWordEnd(*Cursor))
        ++Cursor;
      A.GuardLength = uint8_t(Cursor - A.Guard);
      skipSpaces();
    }
    if (*Cursor == '-') {
      ++Cursor;
      skipSpaces();
    }
    while (Ok && *Cursor && *Cursor != '|') {
      OperandSpec S = readOperand();
      A.NumRequired += !S.Optional;
      if (Out)
        Out[A.NumOperands] = S;
      ++A.NumOperands;
      skipSpaces();
    }
    if (*Cursor == '|') {
      ++Cursor;
      Ok &= *Cursor == ' ';
    }
    return A;
  }
};

constexpr const char *Signatures[] = {
    "",
#define PTX_OPCODE(NAME, TEXT, CLASS, EFFECT, TRAIT, SIGNATURE) SIGNATURE,
#include "ptxpredict/ISA/PTXOpcodes.def"
};

struct TableSizes {
  unsigned Alternatives = 0;
  unsigned Operands = 0;
  bool Ok = true;
};

constexpr TableSizes countAll() {
  TableSizes N;
  for (unsigned R = 1; R < NumOpcodes; ++R) {
    SignatureReader Reader{Signatures[R]};
    N.Ok &= *Reader.Cursor != '\0';
    while (Reader.Ok && *Reader.Cursor) {
      N.Operands += Reader.readAlternative(nullptr).NumOperands;
      ++N.Alternatives;
    }
    N.Ok &= Reader.Ok;
  }
  return N;
}

constexpr TableSizes Sizes = countAll();
static_assert(Sizes.Ok, "PTXOpcodes.def: a signature cannot be read");

struct SignatureTable {
  uint16_t FirstAlternative[NumOpcodes + 1] = {};
  Alternative Alternatives[Sizes.Alternatives] = {};
  OperandSpec Operands[Sizes.Operands] = {};
};

constexpr SignatureTable makeSignatureTable() {
  SignatureTable T;
  unsigned A = 0, O = 0;
  for (unsigned R = 1; R < NumOpcodes; ++R) {
    T.FirstAlternative[R] = uint16_t(A);
    SignatureReader Reader{Signatures[R]};
    while (*Reader.Cursor) {
      T.Alternatives[A] = Reader.readAlternative(T.Operands + O);
      T.Alternatives[A].FirstOperand = uint16_t(O);
      O += T.Alternatives[A++].NumOperands;
    }
  }
  T.FirstAlternative[NumOpcodes] = uint16_t(A);
  return T;
}

constexpr SignatureTable Table = makeSignatureTable();

} // namespace

/// Whether \p Modifiers contain every part of \p Guard, `mod@mod`.
static bool holds(StringRef Guard, StringRef Modifiers) {
  while (!Guard.empty()) {
    auto [Name, Rest] = Guard.split('@');
    if (!hasModifier(Modifiers, Name))
      return false;
    Guard = Rest;
  }
  return true;
}

/// The alternatives that \p Modifiers leave of \p Op's: those of the first
/// guard that holds, otherwise those without a guard.
static void selectAlternatives(Opcode Op, StringRef Modifiers,
                               SmallVectorImpl<const Alternative *> &Out) {
  StringRef Chosen;
  for (unsigned A = Table.FirstAlternative[unsigned(Op)],
                E = Table.FirstAlternative[unsigned(Op) + 1];
       A != E; ++A) {
    const Alternative &Alt = Table.Alternatives[A];
    StringRef Guard(Alt.Guard, Alt.GuardLength);
    if (!Chosen.empty()) {
      if (Guard != Chosen)
        return;
    } else if (!Guard.empty()) {
      if (!holds(Guard, Modifiers))
        continue;
      Chosen = Guard;
      Out.clear();
    }
    Out.push_back(&Alt);
  }
}

static ScalarType widen(ScalarType T) {
  switch (T) {
  case ScalarType::U16:
    return ScalarType::U32;
  case ScalarType::S16:
    return ScalarType::S32;
  case ScalarType::U32:
    return ScalarType::U64;
  case ScalarType::S32:
    return ScalarType::S64;
  default:
    return T;
  }
}

/// The bits type as wide as \p T, a float.
static ScalarType bitsOf(ScalarType T) {
  switch (bitWidth(T)) {
  case 16:
    return ScalarType::B16;
  case 32:
    return ScalarType::B32;
  default:
    return ScalarType::B64;
  }
}

static OperandInfo resolve(const OperandSpec &S, StringRef Modifiers) {
  OperandInfo Info;
  Info.Role = S.Role;
  Info.Forms = S.Forms;
  Info.MayBeWider = S.Wider;
  Info.VectorShares = S.Shares;
  bool IsWide = false, IsVector = false;
  if (S.Rule == TypeRule::None)
    return Info;
  if (S.Rule == TypeRule::Fixed) {
    Info.Checked = true;
    Info.Type = S.Type;
    return Info;
  }
  SmallVector<ScalarType, 4> Types;
  while (!Modifiers.empty()) {
    StringRef Part = takeModifier(Modifiers);
    if (std::optional<Format> F = parseFormat(Part))
      Types.push_back(F->Holder);
    else if (Part == "wide")
      IsWide = true;
    else if (Part == "v2" || Part == "v4" || Part == "v8")
      IsVector = true;
  }
  // An instruction without a type modifier is not the table's to refuse.
  if (Types.empty())
    return Info;
  Info.Checked = true;
  Info.Type = Types.front();
  switch (S.Rule) {
  case TypeRule::Last:
    Info.Type = Types.back();
    break;
  case TypeRule::Memory:
    Info.Type = Types.back();
    if (IsVector && kindOf(Info.Type) == TypeKind::Float)
      Info.Type = bitsOf(Info.Type);
    break;
  case TypeRule::Wide:
    if (IsWide)
      Info.Type = widen(Types.front());
    break;
  case TypeRule::A:
    if (Types.size() > 1)
      Info.Type = Types[1];
    break;
  case TypeRule::B:
    if (Types.size() > 1)
      Info.Type = Types[Types.size() > 2 ? 2 : 1];
    break;
  case TypeRule::C:
    if (Types.size() > 2)
      Info.Type = Types.back();
    break;
  case TypeRule::First:
  case TypeRule::None:
  case TypeRule::Fixed:
    break;
  }
  return Info;
}

bool ptx::operands(Opcode Op, StringRef Modifiers, unsigned NumOperands,
                   SmallVectorImpl<OperandInfo> &Out, bool HasReturnList) {
  Out.clear();
  if (Op == Opcode::Unknown) {
    OperandInfo Any;
    Any.Forms = 0xffff;
    Out.assign(NumOperands, Any);
    if (NumOperands)
      Out.front().Role = OperandRole::Write;
    return true;
  }
  if (Op == Opcode::Call && HasReturnList && NumOperands) {
    Out.push_back(ReturnList);
    --NumOperands;
  }
  SmallVector<const Alternative *, 4> Alternatives;
  selectAlternatives(Op, Modifiers, Alternatives);
  for (const Alternative *A : Alternatives) {
    if (NumOperands < A->NumRequired || NumOperands > A->NumOperands)
      continue;
    unsigned NumOptional = NumOperands - A->NumRequired;
    for (unsigned I = 0; I != A->NumOperands; ++I) {
      const OperandSpec &S = Table.Operands[A->FirstOperand + I];
      if (S.Optional && NumOptional == 0)
        continue;
      NumOptional -= S.Optional;
      Out.push_back(resolve(S, Modifiers));
    }
    return true;
  }
  Out.clear();
  return false;
}

std::string ptx::operandCounts(Opcode Op, StringRef Modifiers) {
  SmallVector<const Alternative *, 4> Alternatives;
  selectAlternatives(Op, Modifiers, Alternatives);
  uint32_t Counts = 0;
  for (const Alternative *A : Alternatives)
    for (unsigned N = A->NumRequired; N <= A->NumOperands; ++N)
      Counts |= 1u << N;
  // A call's return list is one more.
  if (Op == Opcode::Call)
    Counts |= Counts << 1;
  std::string Text;
  for (unsigned N = 0; Counts; ++N, Counts >>= 1)
    if (Counts & 1) {
      if (!Text.empty())
        Text += Counts == 1 ? " or " : ", ";
      Text += std::to_string(N);
    }
  return Text;
}
