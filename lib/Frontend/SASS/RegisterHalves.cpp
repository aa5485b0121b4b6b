//===- RegisterHalves.cpp - What halves of pairs are copies of
//-------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftOperands.h"
#include "OperationTable.h"
#include "RegisterPairs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {

/// What an operation has to do with pairs, by its name.
struct PairFacts {
  enum : uint8_t {
    Never,
    Always,
    IfWide,
    IfDouble,
    IfToDouble,
    IfSized
  } MakesPair = Never;
  enum : uint8_t {
    None,
    Move,
    Product,
    ToUniform,
    Load,
    Clock,
    PackedHalves,
    Logic
  } Copies = None;
};

} // namespace

static PairFacts pairFactsOf(StringRef Name) {
  PairFacts F;
  F.MakesPair = llvm::StringSwitch<decltype(F.MakesPair)>(Name)
                    .Cases({"DADD", "DMUL", "DFMA"}, PairFacts::Always)
                    .Cases({"IMAD", "UIMAD"}, PairFacts::IfWide)
                    .Cases({"I2F", "FRND"}, PairFacts::IfDouble)
                    .Case("F2F", PairFacts::IfToDouble)
                    .Cases({"F2I", "IADD", "MOV", "UMOV", "SEL", "USEL",
                            "UIADD3", "IMNMX", "UIMNMX"},
                           PairFacts::IfSized)
                    .Default(PairFacts::Never);
  F.Copies = llvm::StringSwitch<decltype(F.Copies)>(Name)
                 .Cases({"MOV", "UMOV"}, PairFacts::Move)
                 .Cases({"IMAD", "UIMAD"}, PairFacts::Product)
                 .Case("R2UR", PairFacts::ToUniform)
                 .Cases({"LDC", "ULDC", "LDCU"}, PairFacts::Load)
                 .Case("CS2R", PairFacts::Clock)
                 .Case("HFMA2", PairFacts::PackedHalves)
                 .Case("LOP3", PairFacts::Logic)
                 .Default(PairFacts::None);
  return F;
}

/// Of every instruction it is asked, so that names are looked at once.
static PairFacts pairFactsOf(const MachineInstruction &I) {
  static const std::vector<PairFacts> ByRow = [] {
    std::vector<PairFacts> All;
    for (const OperationRow &Row : operationRows())
      All.push_back(pairFactsOf(Row.Mnemonic));
    return All;
  }();
  return I.Operation ? ByRow[size_t(I.Operation - operationRows().data())]
                     : PairFacts{PairFacts::Never, PairFacts::None};
}

bool sass::makesPair(const MachineInstruction &I) {
  switch (pairFactsOf(I).MakesPair) {
  case PairFacts::Never:
    return false;
  case PairFacts::Always:
    return true;
  case PairFacts::IfWide:
    return I.has("WIDE");
  case PairFacts::IfDouble:
    return I.has("F64");
  case PairFacts::IfToDouble:
    return I.Modifiers.size() >= 2 && firstFloatType(I) == "F64";
  case PairFacts::IfSized:
    return I.has("64") || I.has("U64") || I.has("S64");
  }
  llvm_unreachable("all are handled");
}

//===----------------------------------------------------------------------===//
// Halves
//===----------------------------------------------------------------------===//

RegisterHalf RegisterPairs::half(const Instruction &I, const MachineOperand &O,
                                 unsigned Ahead) {
  switch (O.Kind) {
  case OperandKind::Register:
  case OperandKind::Uniform: {
    const bool IsUniform = O.Kind == OperandKind::Uniform;
    if (O.Number == (IsUniform ? UniformZero : MachineOperand::RegisterZero))
      return RegisterHalf::number(0);
    Value *V = MachineGraph::read(
        I, machine::numberOf(IsUniform ? RegisterFile::Uniform
                                       : RegisterFile::General,
                             O.Number + Ahead));
    return V ? RegisterHalf::of(MachineGraph::seenBy(I, V))
             : RegisterHalf::number(0);
  }
  case OperandKind::Constant:
    if (O.Offset)
      return RegisterHalf::number(0);
    return RegisterHalf::constant(O.Number, uint32_t(O.Value) + 4 * Ahead);
  default:
    return RegisterHalf::number(Ahead == 0 ? uint32_t(O.Value)
                                           : uint32_t(uint64_t(O.Value) >> 32));
  }
}

const MachineInstruction *
RegisterPairs::definition(const RegisterHalf &H) const {
  return H.Kind == RegisterHalf::Register && H.Val->Def
             ? M.machineOf(*H.Val->Def)
             : nullptr;
}

/// Whether a product is zero, so that what is added comes out.
static bool addsToZero(const MachineInstruction &I) {
  if (hasWord(I, "WIDE") || hasWord(I, "HI") || hasWord(I, "X"))
    return false;
  auto IsZero = [](const MachineOperand *O) {
    return O &&
           ((O->Kind == OperandKind::Register &&
             O->Number == MachineOperand::RegisterZero) ||
            (O->Kind == OperandKind::Uniform && O->Number == UniformZero) ||
            (O->Kind == OperandKind::Integer && O->Value == 0));
  };
  return IsZero(sourceOf(I, 0)) || IsZero(sourceOf(I, 1));
}

/// The word of a bank that a load without an index writes to \p V.
static std::optional<RegisterHalf> loadedWord(const MachineInstruction &I,
                                              const Value &V) {
  for (StringRef Narrow : {"U8", "S8", "U16", "S16"})
    if (hasWord(I, Narrow))
      return std::nullopt;
  const MachineOperand *To = resultOf(I);
  for (const MachineOperand &O : I.Operands) {
    if (O.Kind != OperandKind::Constant || !To)
      continue;
    const unsigned Zero =
        O.IsUniformIndex ? UniformZero : MachineOperand::RegisterZero;
    if (O.Offset && *O.Offset != Zero)
      continue;
    const unsigned First =
        To->Number +
        (To->Kind == OperandKind::Uniform ? machine::FirstUniform : 0);
    return RegisterHalf::constant(O.Number,
                                  uint32_t(O.Value) + 4 * (V.Register - First));
  }
  return std::nullopt;
}

/// Whether \p I is the exclusive or of two sources.
static bool isExclusiveOr(const MachineInstruction &I) {
  if (pairFactsOf(I).Copies != PairFacts::Logic || tableOf(I) != ExclusiveOr)
    return false;
  const MachineOperand *Third = sourceOf(I, 2);
  return Third && isZero(*Third);
}

/// What the exclusive or \p I leaves of a source that is one itself, and has
/// the other source in it: so the assembler exchanges two registers.
std::optional<RegisterHalf>
RegisterPairs::exchanged(const Instruction &Made, const MachineInstruction &I,
                         unsigned Swaps) {
  const RegisterHalf Sources[] = {half(Made, *sourceOf(I, 0)),
                                  half(Made, *sourceOf(I, 1))};
  for (unsigned N : {0, 1}) {
    const RegisterHalf Inner = origin(Sources[N], 0);
    const MachineInstruction *Of = definition(Inner);
    if (!Of || !isExclusiveOr(*Of))
      continue;
    const Instruction &Before = *Inner.Val->Def;
    const RegisterHalf Other = origin(Sources[1 - N], Swaps - 1);
    const RegisterHalf A = origin(half(Before, *sourceOf(*Of, 0)), Swaps - 1);
    const RegisterHalf B = origin(half(Before, *sourceOf(*Of, 1)), Swaps - 1);
    if (A == Other)
      return B;
    if (B == Other)
      return A;
  }
  return std::nullopt;
}

RegisterHalf RegisterPairs::origin(RegisterHalf H, unsigned Swaps) {
  constexpr unsigned Enough = 64;
  for (unsigned N = 0; N != Enough; ++N) {
    const MachineInstruction *I = definition(H);
    if (!I)
      return H;
    const Instruction &Made = *H.Val->Def;
    const MachineOperand *From = nullptr;
    switch (pairFactsOf(*I).Copies) {
    case PairFacts::None:
      return H;
    case PairFacts::Move:
      if (!makesPair(*I))
        From = sourceOf(*I, 0);
      break;
    case PairFacts::Product:
      if (addsToZero(*I))
        From = sourceOf(*I, 2);
      break;
    case PairFacts::ToUniform:
      if (!hasWord(*I, "OR"))
        From = sourceOf(*I, 0);
      break;
    case PairFacts::Load: {
      const std::optional<RegisterHalf> Word = loadedWord(*I, *H.Val);
      return Word ? *Word : H;
    }
    case PairFacts::Clock:
      return isZeroRegister(*I) ? RegisterHalf::number(0) : H;
    case PairFacts::PackedHalves:
      if (const std::optional<uint32_t> C = constantOf(*I))
        return RegisterHalf::number(*C);
      return H;
    case PairFacts::Logic: {
      const std::optional<RegisterHalf> Old = Swaps != 0 && isExclusiveOr(*I)
                                                  ? exchanged(Made, *I, Swaps)
                                                  : std::nullopt;
      if (!Old)
        return H;
      H = *Old;
      continue;
    }
    }
    if (!From || From->Negated || From->Inverted || From->Absolute)
      return H;
    if (From->Kind == OperandKind::Constant && From->Offset)
      return H;
    H = half(Made, *From);
  }
  return H;
}
