//===- LiftOperands.cpp - Operands of machine instructions ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftOperands.h"
#include "OperationTable.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

static const OperandRow &rowOf(const MachineInstruction &I,
                               const MachineOperand &O) {
  return I.Operation->Operands[O.Row];
}

/// Calls \p Do with each source until it returns true.
template <typename FnT>
static void forEachSource(const MachineInstruction &I, FnT Do) {
  constexpr unsigned DestinationAt = 16;
  constexpr auto BitOf = [](OperandRow::KindTy K) { return uint64_t(1) << K; };
  constexpr uint64_t Sources =
      BitOf(OperandRow::First) | BitOf(OperandRow::Second) |
      BitOf(OperandRow::Third) | BitOf(OperandRow::Either) |
      BitOf(OperandRow::Upper) | BitOf(OperandRow::Rows) |
      BitOf(OperandRow::Columns);
  int Last = -1;
  for (const MachineOperand &O : I.Operands) {
    const OperandRow &Row = rowOf(I, O);
    const bool IsSource =
        (Sources >> Row.Kind & 1) ||
        (Row.Kind == OperandRow::Register && Row.Lowest != DestinationAt) ||
        (Row.Kind == OperandRow::Immediate && Row.Lowest >= 24 &&
         Row.Width >= 32);
    // Of two halves that are written out, the first one stands for both.
    if (!IsSource || int(O.Row) == Last)
      continue;
    Last = O.Row;
    if (Do(O))
      return;
  }
}

const MachineOperand *sass::sourceOf(const MachineInstruction &I, unsigned N) {
  const MachineOperand *Found = nullptr;
  forEachSource(I, [&](const MachineOperand &O) {
    if (N-- == 0)
      Found = &O;
    return Found != nullptr;
  });
  return Found;
}

void sass::listSources(const MachineInstruction &I,
                       SmallVectorImpl<const MachineOperand *> &All) {
  All.clear();
  forEachSource(I, [&](const MachineOperand &O) {
    All.push_back(&O);
    return false;
  });
}

const MachineOperand *sass::predicateOf(const MachineInstruction &I,
                                        unsigned Lowest) {
  for (const MachineOperand &O : I.Operands) {
    const OperandRow &Row = rowOf(I, O);
    if (Row.Kind == OperandRow::Predicate && Row.Lowest == Lowest)
      return &O;
  }
  return nullptr;
}

const MachineOperand *sass::resultOf(const MachineInstruction &I) {
  constexpr unsigned DestinationAt = 16;
  for (const MachineOperand &O : I.Operands) {
    const OperandRow &Row = rowOf(I, O);
    if (Row.Kind == OperandRow::Register && Row.Lowest == DestinationAt)
      return &O;
  }
  return nullptr;
}

std::optional<unsigned> sass::shiftOf(const MachineInstruction &I) {
  constexpr unsigned ShiftAt = 75;
  for (const MachineOperand &O : I.Operands)
    if (rowOf(I, O).Kind == OperandRow::Immediate &&
        rowOf(I, O).Lowest == ShiftAt)
      return unsigned(O.Value);
  return std::nullopt;
}

std::optional<unsigned> sass::tableOf(const MachineInstruction &I) {
  constexpr unsigned TableAt = 72;
  for (const MachineOperand &O : I.Operands)
    if (rowOf(I, O).Kind == OperandRow::Immediate &&
        rowOf(I, O).Lowest == TableAt)
      return unsigned(O.Value);
  return std::nullopt;
}

StringRef sass::firstFloatType(const MachineInstruction &I) {
  for (StringRef Word : I.Modifiers)
    if (Word == "F16" || Word == "F32" || Word == "F64" || Word == "BF16")
      return Word;
  return {};
}

StringRef sass::roundingOf(const MachineInstruction &I) {
  static constexpr StringRef Texts[][4] = {
      {".rn", ".rn.ftz", ".rn.sat", ".rn.ftz.sat"},
      {".rm", ".rm.ftz", ".rm.sat", ".rm.ftz.sat"},
      {".rp", ".rp.ftz", ".rp.sat", ".rp.ftz.sat"},
      {".rz", ".rz.ftz", ".rz.sat", ".rz.ftz.sat"}};
  const unsigned Direction = I.has("RM")   ? 1
                             : I.has("RP") ? 2
                             : I.has("RZ") ? 3
                                           : 0;
  return Texts[Direction][(I.has("FTZ") ? 1 : 0) + (I.has("SAT") ? 2 : 0)];
}

StringRef sass::comparisonOf(const MachineInstruction &I) {
  for (StringRef W : I.Modifiers) {
    const StringRef Name = llvm::StringSwitch<StringRef>(W)
                               .Case("LT", "lt")
                               .Case("EQ", "eq")
                               .Case("LE", "le")
                               .Case("GT", "gt")
                               .Case("NE", "ne")
                               .Case("GE", "ge")
                               .Case("NUM", "num")
                               .Case("NAN", "nan")
                               .Case("LTU", "ltu")
                               .Case("EQU", "equ")
                               .Case("LEU", "leu")
                               .Case("GTU", "gtu")
                               .Case("NEU", "neu")
                               .Case("GEU", "geu")
                               .Default("");
    if (!Name.empty())
      return Name;
  }
  return {};
}

StringRef sass::joinOf(const MachineInstruction &I) {
  return hasWord(I, "OR") ? "or" : hasWord(I, "XOR") ? "xor" : "and";
}

bool sass::isZeroRegister(const MachineInstruction &I) {
  constexpr unsigned Zero = 255;
  return llvm::any_of(I.Operands, [](const MachineOperand &O) {
    return O.Kind == OperandKind::Special && O.Number == Zero;
  });
}

std::optional<uint32_t> sass::constantOf(const MachineInstruction &I) {
  // A product of zero, and two halves that are added.
  if (I.mnemonic() != "HFMA2")
    return std::nullopt;
  SmallVector<const MachineOperand *, 4> Sources;
  for (const MachineOperand &O : I.Operands)
    if (&O != resultOf(I))
      Sources.push_back(&O);
  if (Sources.size() != 4)
    return std::nullopt;
  auto IsZero = [](const MachineOperand &O) {
    return O.Kind == OperandKind::Register &&
           O.Number == MachineOperand::RegisterZero;
  };
  auto IsHalf = [](const MachineOperand &O) {
    return O.Kind == OperandKind::Half || O.Kind == OperandKind::BFloat;
  };
  if (!IsZero(*Sources[0]) || !IsZero(*Sources[1]) || !IsHalf(*Sources[2]) ||
      !IsHalf(*Sources[3]))
    return std::nullopt;
  // Zero is -0 + 0: what is added comes out as it is, but for zeros' signs.
  constexpr uint32_t SignBit = 0x8000;
  uint32_t Bits = 0;
  for (unsigned N : {0, 1}) {
    auto H = uint32_t(Sources[2 + N]->Value) & 0xffff;
    const bool IsNegative = Sources[0]->Negated != Sources[1]->Negated;
    if (H == SignBit && !IsNegative)
      H = 0;
    Bits |= H << (N == 0 ? 16 : 0);
  }
  return Bits;
}

bool sass::isTrue(const MachineOperand &P) {
  constexpr unsigned True = 7;
  return P.Number == True;
}

bool sass::isZero(const MachineOperand &O) {
  return (O.Kind == OperandKind::Register &&
          O.Number == MachineOperand::RegisterZero) ||
         (O.Kind == OperandKind::Uniform && O.Number == UniformZero) ||
         (O.Kind == OperandKind::Integer && O.Value == 0);
}
