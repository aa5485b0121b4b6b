//===- OperationTable.cpp - The rows of the tables, taken apart -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OperationTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <array>
#include <deque>
#include <optional>

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {

struct FieldText {
  StringRef Name, Bits, Words;
};
constexpr FieldText FieldTexts[] = {
#define SASS_FIELD(NAME, BITS, WORDS) {#NAME, BITS, WORDS},
#include "ptxpredict/ISA/SASSFields.def"
#undef SASS_FIELD
};

struct OperationText {
  unsigned Operation;
  StringRef Forms;
  unsigned First, Last;
  StringRef Mnemonic, Operands, Modifiers;
};
constexpr OperationText OperationTexts[] = {
#define SASS_OPERATION(OPERATION, FORMS, FIRST, LAST, MNEMONIC, OPERANDS,      \
                       MODIFIERS)                                              \
  {OPERATION, FORMS, FIRST, LAST, MNEMONIC, OPERANDS, MODIFIERS},
#include "ptxpredict/ISA/SASSOperations.def"
#undef SASS_OPERATION
};

constexpr FactRow FactRows[] = {
#define SASS_FACT(MNEMONIC, FIRST, LAST, PIPE, TIMING, CLASS, WIDTH)           \
  {MNEMONIC,          FIRST,           LAST, Pipe::PIPE, Timing::TIMING,       \
   SchedClass::CLASS, WidthKind::WIDTH},
#include "ptxpredict/ISA/SASSFacts.def"
#undef SASS_FACT
};

/// Bits 0 to 8 of an instruction say its operation.
constexpr unsigned NumOperations = 512, OperationMask = NumOperations - 1,
                   FormShift = 9;

/// The table, and the rows of each operation by their numbers.
struct Table {
  std::vector<OperationRow> Rows;
  std::array<SmallVector<uint16_t, 2>, NumOperations> ByOperation;
  std::deque<std::vector<StringRef>> Words; ///< that rows refer to

  Table();
  ModifierRow modifier(StringRef Text);
};

} // namespace

static SmallVector<StringRef, 8> wordsOf(StringRef Text, char Separator) {
  SmallVector<StringRef, 8> Words;
  Text.split(Words, Separator, /*MaxSplit=*/-1, /*KeepEmpty=*/Separator == ',');
  return Words;
}

static unsigned numberIn(StringRef Text) {
  unsigned Number = 0;
  (void)Text.getAsInteger(10, Number);
  return Number;
}

static OperandRow::ConditionTy conditionOf(StringRef Text) {
  return llvm::StringSwitch<OperandRow::ConditionTy>(Text)
      .Case("7", OperandRow::NotTrue)
      .Case("Z", OperandRow::NotZero)
      .Case("X", OperandRow::IfX)
      .Case("EX", OperandRow::IfEX)
      .Case("C", OperandRow::IfThird)
      .Case("DIV", OperandRow::IfDiverging)
      .Case("N", OperandRow::IfCounted)
      .Case("DEPBAR", OperandRow::IfDeferred)
      .Case("F", OperandRow::IfPartial)
      .Case("H", OperandRow::IfHinted)
      .Default(OperandRow::Always);
}

/// Operands that have a name.
static std::optional<OperandRow> namedOperand(StringRef Name) {
  struct Named {
    StringRef Name;
    OperandRow::KindTy Kind;
    uint8_t Lowest;
  };
  static constexpr Named Names[] = {
      {"const", OperandRow::Constant, 0},
      {"ldc", OperandRow::IndexedConstant, 0},
      {"uldc", OperandRow::UniformConstant, 38},
      {"ldcu", OperandRow::UniformConstant, 37},
      {"label", OperandRow::Label, 0},
      {"target", OperandRow::SyncTarget, 0},
      {"after", OperandRow::AfterTarget, 0},
      {"relative", OperandRow::RelativeTarget, 0},
      {"return", OperandRow::ReturnTarget, 0},
      {"special", OperandRow::SpecialRegister, 0},
      {"pr", OperandRow::AllPredicates, 0},
      {"upr", OperandRow::AllPredicates, 0},
      {"shfl", OperandRow::ShuffleSources, 0},
      {"B16", OperandRow::ConvergenceBarrier, 16},
      {"B24", OperandRow::ConvergenceBarrier, 24},
      {"P68?", OperandRow::Lookup, 0},
      {"Q68?", OperandRow::Lookup, 0},
      {"sb", OperandRow::Scoreboard, 0},
      {"gsb", OperandRow::WarpgroupBoard, 0},
      {"gsb0", OperandRow::FirstWarpgroupBoard, 0},
      {"accumulates", OperandRow::Accumulates, 0},
      {"rows", OperandRow::Rows, 0},
      {"columns", OperandRow::Columns, 0},
      {"layout24", OperandRow::Layout, 24},
      {"layout32", OperandRow::Layout, 32},
      {"scales", OperandRow::Scales, 0},
      {"hint40", OperandRow::CacheHint, 40},
      {"diverging", OperandRow::Diverging, 0},
      {"upper", OperandRow::Upper, 0},
      {"packed", OperandRow::PackedUpper, 0},
      {"shifted", OperandRow::Shifted, 0},
      {"shape", OperandRow::TextureShape, 0},
      {"rpc", OperandRow::ReturnCounter, 0},
      {"query", OperandRow::TextureQuery, 0},
      {"byte", OperandRow::Byte, 0},
      {"ubyte", OperandRow::Byte, 0},
      {"metadata", OperandRow::Metadata, 40},
      {"scale52", OperandRow::Metadata, 52},
      {"boards", OperandRow::Scoreboards, 0},
      {"loaded", OperandRow::Loaded, 0},
  };
  const auto *Found =
      llvm::find_if(Names, [&](const Named &N) { return N.Name == Name; });
  if (Found == std::end(Names))
    return std::nullopt;
  OperandRow Row;
  Row.Kind = Found->Kind;
  Row.Lowest = Found->Lowest;
  Row.IsUniform = Name == "upr" || Name == "Q68?" || Name == "ubyte";
  return Row;
}

/// "gdesc24", "tmemA24", "tmem32+", "idesc40": what matrices are read with.
static std::optional<OperandRow> matrixOperand(StringRef Text) {
  OperandRow Row;
  if (Text.consume_front("gdesc"))
    Row.Kind = OperandRow::MatrixDescriptor;
  else if (Text.consume_front("tmem"))
    Row.Kind = OperandRow::TensorMemory;
  else if (Text.consume_front("idesc"))
    Row.Kind = OperandRow::InstructionDescriptor;
  else
    return std::nullopt;
  for (StringRef Letter : {"A", "B", "-"})
    if (Text.consume_front(Letter))
      Row.Holds = Letter.front();
  Row.HasOffset = Text.consume_back("+");
  Row.Lowest = uint8_t(numberIn(Text));
  return Row;
}

/// What stands in brackets: "gl", "U24+", "cs".
static OperandRow addressOf(StringRef Letters) {
  OperandRow Row;
  if (Letters == "cs" || Letters == "cg") {
    Row.Kind =
        Letters == "cs" ? OperandRow::CopyToShared : OperandRow::CopyFromGlobal;
    return Row;
  }
  if (Letters.starts_with("U") || Letters.starts_with("N")) {
    Row.Kind = OperandRow::UniformAddress;
    Row.IsNext = Letters.starts_with("N");
    Letters = Letters.drop_front();
    Row.HasOffset = Letters.consume_back("+");
    Row.Lowest = uint8_t(numberIn(Letters));
    return Row;
  }
  Row.Kind = OperandRow::Address;
  Row.IsGlobal = Letters.starts_with("g");
  Row.MayBeScaled = Letters == "sl" || Letters == "ss";
  Row.HasWideOffset = Letters.contains('z');
  Row.IsAtomic = Letters.contains('a');
  Row.AddsFloat = Letters.contains('f');
  Row.IsLoad = Letters.ends_with("l");
  Row.IsAlone = Letters.contains('r');
  Row.IsAlwaysWide = Letters.contains('w');
  Row.HasAlwaysBase = Letters.contains('u');
  Row.HasNoOffset = Letters.contains('n');
  Row.IsInUnitsOf32 = Letters.contains('3');
  return Row;
}

/// "a-|", "ubxi", "halfc-": a source that the form places.
static std::optional<OperandRow> sourceOf(StringRef Text) {
  OperandRow Row;
  Row.IsHalf = Text.consume_front("half");
  Row.IsUniform = Text.consume_front("u");
  if (Text.empty() || !StringRef("abcstS").contains(Text.front()))
    return std::nullopt;
  const char Which = Text.front();
  const StringRef Flags = Text.drop_front();
  if (Flags.find_first_not_of("-|x~2v^ywiufd") != StringRef::npos)
    return std::nullopt;
  Row.Kind = Which == 'a'   ? OperandRow::First
             : Which == 'b' ? OperandRow::Second
             : Which == 'c' ? OperandRow::Third
                            : OperandRow::Either;
  Row.IsHigh = Which == 'S';
  Row.SharesThirdSlot = Which == 't';
  Row.MayBeNegated = Flags.find_first_of("-x~") != StringRef::npos;
  Row.IsInverted = Flags.contains('x');
  Row.IsAlwaysInverted = Flags.contains('~');
  Row.MayBeAbsolute = Flags.contains('|');
  Row.IsPair = Flags.contains('2');
  Row.SelectsBelow = Flags.contains('v');
  Row.IsSign = Flags.contains('^');
  Row.IsPart = Flags.contains('y');
  Row.IsEitherHalf = Flags.contains('w');
  if (Row.IsHalf)
    Row.ImmediateType = 'h';
  else if (!Flags.empty() && StringRef("iufd").contains(Flags.back()))
    Row.ImmediateType = Flags.back();
  return Row;
}

/// "R16", "P87!", "i40.24s", and what the others read.
static OperandRow operandOf(StringRef Text) {
  OperandRow::ConditionTy Condition = OperandRow::Always;
  if (Text.consume_front("?")) {
    StringRef Name;
    std::tie(Name, Text) = Text.split(':');
    Condition = conditionOf(Name);
  }
  auto Find = [&]() -> OperandRow {
    if (std::optional<OperandRow> Named = namedOperand(Text))
      return *Named;
    if (std::optional<OperandRow> Matrix = matrixOperand(Text))
      return *Matrix;
    if (std::optional<OperandRow> Source = sourceOf(Text))
      return *Source;
    if (Text.consume_front("["))
      return addressOf(Text.drop_back());
    OperandRow Row;
    const char Kind = Text.front();
    StringRef Number = Text.drop_front();
    Row.IsUniform = Kind == 'U' || Kind == 'Q';
    if (Kind == 'P' || Kind == 'Q') {
      Row.Kind = OperandRow::Predicate;
      Row.MayBeNegated = Number.consume_back("!");
    } else if (Kind == 'i') {
      Row.Kind = OperandRow::Immediate;
      StringRef Width;
      std::tie(Number, Width) = Number.split('.');
      Row.IsSigned = Width.consume_back("s");
      Row.Width = uint8_t(numberIn(Width));
    }
    Row.Lowest = uint8_t(numberIn(Number));
    return Row;
  };
  OperandRow Row = Find();
  Row.Condition = Condition;
  return Row;
}

ModifierRow Table::modifier(StringRef Text) {
  ModifierRow Row;
  Row.Text = Text;
  if (Row.Text.consume_front("="))
    return Row;
  const auto *Field = llvm::find_if(
      FieldTexts, [&](const FieldText &F) { return F.Name == Text; });
  if (Field == std::end(FieldTexts)) {
    Row.Kind = ModifierRow::Rule;
    return Row;
  }
  Row.Kind = ModifierRow::Field;
  for (StringRef Part : wordsOf(Field->Bits, ' ')) {
    auto [Lowest, Width] = Part.split(':');
    Row.Parts.emplace_back(uint8_t(numberIn(Lowest)), uint8_t(numberIn(Width)));
  }
  const auto Split = wordsOf(Field->Words, ',');
  Row.Words = Words.emplace_back(Split.begin(), Split.end());
  return Row;
}

Table::Table() {
  for (const OperationText &T : OperationTexts) {
    OperationRow Row;
    Row.Operation = T.Operation;
    if (!T.Forms.empty()) {
      Row.Forms = 0;
      for (char Form : T.Forms)
        Row.Forms |= uint8_t(1U << (Form - '0'));
    }
    Row.First = T.First;
    Row.Last = T.Last;
    Row.Mnemonic = T.Mnemonic;
    for (StringRef Text : wordsOf(T.Operands, ' '))
      Row.Operands.push_back(operandOf(Text));
    // Where the guard is does not follow from the operands.
    std::optional<bool> IsUniform;
    for (StringRef Text : wordsOf(T.Modifiers, ' ')) {
      if (Text == "@P" || Text == "@UP")
        IsUniform = Text == "@UP";
      else if (Text == "@noreuse")
        Row.ReusesNothing = true;
      else if (Text.ends_with("=1"))
        Row.Required.push_back(uint8_t(numberIn(Text.drop_back(2))));
      else
        Row.Modifiers.push_back(modifier(Text));
    }
    Row.IsUniform =
        IsUniform.value_or(llvm::any_of(Row.Operands, [](const OperandRow &O) {
          return O.IsUniform &&
                 (O.Kind == OperandRow::Predicate ||
                  (O.Kind == OperandRow::Register && O.Lowest == 16));
        }));
    for (const FactRow &F : FactRows)
      if (F.Mnemonic == Row.Mnemonic && F.First <= Row.Last &&
          F.Last >= Row.First)
        Row.Facts.push_back(&F);
    ByOperation[T.Operation & OperationMask].push_back(uint16_t(Rows.size()));
    Rows.push_back(std::move(Row));
  }
}

/// Made when the first instruction is decoded.
static const Table &table() {
  static const Table TheTable;
  return TheTable;
}

ArrayRef<OperationRow> sass::operationRows() { return table().Rows; }

const OperationRow *sass::findOperation(Encoding E, unsigned Architecture) {
  const Table &T = table();
  const auto Form = unsigned(E.bits(FormShift, 3));
  for (uint16_t Number : T.ByOperation[E.bits(0, 9)]) {
    const OperationRow &Row = T.Rows[Number];
    if ((Row.Forms >> Form & 1) && Architecture >= Row.First &&
        Architecture <= Row.Last &&
        llvm::all_of(Row.Required, [&](uint8_t At) { return E.bit(At); }))
      return &Row;
  }
  return nullptr;
}

namespace {

struct RestText {
  unsigned Bits, First, Last;
  Encoding Rest;
};
constexpr RestText Rests[] = {
#define SASS_REST(BITS, FIRST, LAST, HIGH, LOW)                                \
  {BITS, FIRST, LAST, {LOW, HIGH}},
#include "ptxpredict/ISA/SASSRests.def"
#undef SASS_REST
};

} // namespace

Encoding sass::restOf(const OperationRow &Row, unsigned Form,
                      unsigned Architecture) {
  const unsigned Bits = Row.Operation | Form << FormShift;
  const auto *At = llvm::lower_bound(
      Rests, Bits, [](const RestText &R, unsigned B) { return R.Bits < B; });
  for (; At != std::end(Rests) && At->Bits == Bits; ++At)
    if (Architecture >= At->First && Architecture <= At->Last)
      return At->Rest;
  return {};
}
