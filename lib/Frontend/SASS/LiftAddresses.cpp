//===- LiftAddresses.cpp - Addresses of memory ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;
using Kind = Operand::KindTy;

Operand FunctionLift::globalAddress(const MachineOperand &O) {
  const bool HasRegister = O.Number != MachineOperand::RegisterZero;
  const bool IsWide =
      O.Width == MachineOperand::Bits64 ||
      (O.Width == MachineOperand::Plain && has("E") && !O.Descriptor);
  Operand Base;
  bool HasBase = false;
  if (HasRegister) {
    MachineOperand R;
    R.Kind = OperandKind::Register;
    R.Number = O.Number;
    Base = IsWide ? wide(R)
                  : wideOf(Pairs->pair(Pairs->half(current(), R),
                                       RegisterHalf::number(0)));
    HasBase = true;
  }
  if (O.Offset && !O.Descriptor && *O.Offset != UniformZero) {
    MachineOperand U;
    U.Kind = OperandKind::Uniform;
    U.Number = *O.Offset;
    const Operand Other = wide(U);
    Base = HasBase ? compute("add.s64", Wide, {Other, Base}) : Other;
    HasBase = true;
  }
  if (!HasBase)
    Base = number(0, Wide);
  return address(Base, O.Value);
}

/// Of a copy that fills up with zeros: the lowest bits of its address say how
/// many bytes are read. What is added to it for that, or a sink; \p Address is
/// what it is added to.
Operand FunctionLift::partialCopy(const MachineOperand &O, unsigned Bytes,
                                  Operand &Address) {
  MachineOperand R;
  R.Kind = OperandKind::Register;
  R.Number = O.Number;
  PairNode *N = O.Number == MachineOperand::RegisterZero
                    ? nullptr
                    : Pairs->source(current(), R);
  PairNode *A = nullptr, *B = nullptr;
  if (N && N->Kind == PairNode::Sum && !N->C) {
    A = N->A, B = N->B;
  } else if (N && N->Kind == PairNode::Whole) {
    const MachineInstruction &Made = *M.machineOf(*N->Made);
    const MachineOperand *First = sourceOf(Made, 0),
                         *Second = sourceOf(Made, 1);
    if (Made.mnemonic() == "IADD" && First && Second && !First->Negated &&
        !Second->Negated) {
      A = Pairs->source(*N->Made, *First);
      B = Pairs->source(*N->Made, *Second);
    }
  }
  if (A && B) {
    for (auto [Part, Base] : {std::pair(A, B), std::pair(B, A)}) {
      if (Part->Kind != PairNode::ZeroExtended ||
          Part->Low.Kind != RegisterHalf::Register || !Part->Low.Val->Def)
        continue;
      const MachineInstruction *Made = M.machineOf(*Part->Low.Val->Def);
      const MachineOperand *Mask = Made ? sourceOf(*Made, 1) : nullptr;
      constexpr unsigned And = 0xc0;
      if (!Mask || !Made->mnemonic().ends_with("LOP3") ||
          tableOf(*Made) != And ||
          !Pairs->origin(Pairs->half(*Part->Low.Val->Def, *Mask)).is(Bytes - 1))
        continue;
      Address = address(wideOf(Base), O.Value);
      const Operand Low = temporary(Word);
      emit("cvt.u32.u64", {Low, wideOf(Part)});
      return Low;
    }
  }
  Address = globalAddress(O);
  return sink();
}

Operand FunctionLift::narrowAddress(const MachineOperand &O) {
  Operand Base = number(0);
  if (O.Number == machine::StackPointer && O.Scale <= 1 && !O.Offset)
    if (const std::optional<int64_t> At = offsetInCaller(O.Value)) {
      Base = registerOperand(CallerStack.value_or(machine::NumRegisters));
      Base.Type = ScalarType::B32;
      return address(Base, *At);
    }
  if (O.Number != MachineOperand::RegisterZero) {
    Base = registerOperand(O.Number);
    if (O.Scale > 1)
      Base = compute("shl.b32", Word, {Base, number(llvm::Log2_32(O.Scale))});
  }
  if (O.Offset && *O.Offset != UniformZero) {
    const Operand U = registerOperand(machine::FirstUniform + *O.Offset);
    Base = isNumber(Base) ? U : compute("add.s32", Word, {Base, U});
  }
  if (isNumber(Base)) // an address by itself
    return address(number(uint64_t(O.Value)), 0);
  return address(Base, O.Value);
}
