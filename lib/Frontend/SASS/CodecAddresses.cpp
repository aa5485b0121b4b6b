//===- CodecAddresses.cpp - Constants, addresses and targets --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Codec.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

/// c[bank][offset]
template <bool Encodes>
MachineOperand &Codec<Encodes>::addConstant() {
  MachineOperand &O = operand(OperandKind::Constant);
  transfer(54, 5, O.Number);
  transfer(38, 16, O.Value);
  return O;
}

/// With a register as index.
template <bool Encodes>
void Codec<Encodes>::addIndexedConstant() {
  MachineOperand &O = addConstant();
  unsigned Index = O.Offset.value_or(MachineOperand::RegisterZero);
  transfer(FirstAt, 8, Index);
  if constexpr (!Encodes)
    if (Index != MachineOperand::RegisterZero || O.Value == 0) {
      O.Offset = Index;
      O.Value = llvm::SignExtend64<16>(uint64_t(O.Value));
    }
}

/// With a uniform one; of LDCU the offset begins a bit lower.
template <bool Encodes>
void Codec<Encodes>::addUniformConstant(unsigned Lowest) {
  MachineOperand &O = operand(OperandKind::Constant);
  transfer(54, 5, O.Number);
  transfer(Lowest, 54 - Lowest, O.Value);
  O.IsUniformIndex = true;
  unsigned Index = O.Offset.value_or(UniformZero);
  transferUniform(FirstAt, Index);
  if constexpr (!Encodes)
    if (Index != UniformZero || O.Value == 0) {
      O.Offset = Index;
      O.Value = llvm::SignExtend64(uint64_t(O.Value), 54 - Lowest);
    }
}

/// A register, what it is multiplied by, a uniform register, an offset; or a
/// register of 64 bits and the descriptor of the memory.
template <bool Encodes>
void Codec<Encodes>::addAddress(const OperandRow &Row) {
  constexpr unsigned WideBit = 90, CacheHintBit = 101;
  constexpr int64_t Unit = 32;
  MachineOperand &O = operand(OperandKind::Memory);
  transfer(FirstAt, 8, O.Number);
  if (Row.IsAlwaysWide)
    O.Width = MachineOperand::Bits64;
  bool HasUniform = O.Offset || O.Descriptor || Row.HasAlwaysBase;
  if (Row.IsAlone)
    HasUniform = false;
  else if (!Row.HasAlwaysBase)
    transfer(UniformBit, 1, HasUniform);
  if (Row.HasNoOffset) {
  } else if (!HasUniform && Row.HasWideOffset) {
    transferSigned(SecondAt, 32, O.Value);
  } else if (Row.IsInUnitsOf32) {
    int64_t Units = O.Value / Unit;
    transferSigned(40, 17, Units);
    O.Value = Units * Unit;
  } else {
    transferSigned(40, Row.IsAtomic && Architecture >= FirstWithMore ? 23 : 24,
                   O.Value);
  }
  if (Row.MayBeScaled) {
    unsigned Shift = O.Scale == 0 ? 0 : llvm::Log2_32(O.Scale) - 1;
    transfer(78, 2, Shift);
    O.Scale = uint8_t(Shift == 0 ? 0 : 2U << Shift);
  }
  if (!HasUniform)
    return;
  unsigned Number = O.Descriptor ? *O.Descriptor : O.Offset.value_or(0);
  transferUniform(Row.IsLoad ? SecondAt : ThirdAt, Number);
  if (!Row.IsGlobal) {
    O.Offset = Number;
    O.ShowsZeroOffset = true;
    return;
  }
  bool IsWide = O.Width == MachineOperand::Bits64;
  bool IsDescribed = !Encodes || O.Descriptor;
  if (!Row.IsAlwaysWide) {
    constexpr unsigned FormerWideBit = 70, DescribedBit = 76;
    if (!Row.IsAtomic)
      transfer(WideBit, 1, IsWide);
    else if (Architecture < FirstWithMore)
      transfer(FormerWideBit, 1, IsWide);
    else if (Row.AddsFloat) // of others that bit says what they do
      transfer(WideBit, 1, IsWide);
    else
      transfer(DescribedBit, 1, IsDescribed);
    IsWide |= Row.IsAtomic && !Row.AddsFloat && Architecture >= FirstWithMore;
    // It is said twice, before sm_90 where there is a register.
    bool Again = IsWide && (Architecture >= FirstWithShown ||
                            O.Number != MachineOperand::RegisterZero);
    if (Row.IsAtomic && Architecture >= FirstWithDescriptors &&
        Architecture < FirstWithMore)
      transfer(FormerWideBit + 1, 1, Again);
  }
  O.Width = IsWide ? MachineOperand::Bits64 : MachineOperand::Bits32;
  if (!IsWide || !IsDescribed || Architecture < FirstWithDescriptors) {
    O.Offset = Number;
    return;
  }
  O.Descriptor = Number;
  if (Architecture < FirstWithShown) {
    bool HasHint = !O.HidesDescriptor;
    transfer(CacheHintBit, 1, HasHint);
    O.HidesDescriptor = !HasHint;
  }
}

template <bool Encodes>
void Codec<Encodes>::addUniformAddress(const OperandRow &Row) {
  MachineOperand &O = operand(OperandKind::Memory);
  if (Row.HasOffset)
    transferSigned(40, 24, O.Value);
  const unsigned Ahead = Row.IsNext ? 1 : 0;
  unsigned Number = O.Offset.value_or(UniformZero) - Ahead;
  transferUniform(Row.Lowest, Number);
  O.Offset = Number + Ahead;
  O.ShowsZeroOffset = true;
}

/// Of a copy from global to shared memory.
template <bool Encodes>
void Codec<Encodes>::addCopyAddress(bool IsShared) {
  MachineOperand &O = operand(OperandKind::Memory);
  transfer(IsShared ? 16 : FirstAt, 8, O.Number);
  if (IsShared)
    return transferSigned(44, 20, O.Value);
  transferSigned(32, 12, O.Value);
  O.Width = MachineOperand::Bits64;
  unsigned Number = O.Descriptor.value_or(0);
  transferUniform(ThirdAt, Number);
  O.Descriptor = Number;
  O.HidesDescriptor = Architecture < FirstWithShown;
}

/// Bytes from the next instruction on.
template <bool Encodes>
MachineOperand &Codec<Encodes>::addTarget(OperandRow::KindTy Kind) {
  MachineOperand &O = operand(OperandKind::Target);
  const int64_t Next = int64_t(Address) + int64_t(InstructionBytes);
  if (Kind == OperandRow::AfterTarget) {
    int64_t Bytes = O.Value - Next;
    transferSigned(24, 40, Bytes);
    O.Value = Next + Bytes;
    return O;
  }
  const bool IsRelative = Kind == OperandRow::RelativeTarget;
  int64_t Words = (O.Value - (IsRelative ? 0 : Next)) / 4;
  if (Kind == OperandRow::SyncTarget) {
    transferSigned(34, 30, Words);
  } else if (Architecture < FirstWithSplit) {
    transferSigned(34, 48, Words);
  } else {
    int64_t Upper = Words >> 8;
    auto Lower = uint64_t(Words) & 0xff;
    transferSigned(34, 48, Upper);
    transfer(16, 8, Lower);
    Words = int64_t(uint64_t(Upper) << 8 | Lower);
  }
  O.Value = Words * 4 + (IsRelative ? 0 : Next);
  if (IsRelative)
    O.Kind = OperandKind::RelativeAddress;
  return O;
}

template MachineOperand &Codec<false>::addConstant();
template void Codec<false>::addIndexedConstant();
template void Codec<false>::addUniformConstant(unsigned);
template void Codec<false>::addAddress(const OperandRow &);
template void Codec<false>::addUniformAddress(const OperandRow &);
template void Codec<false>::addCopyAddress(bool);
template MachineOperand &Codec<false>::addTarget(OperandRow::KindTy);
template MachineOperand &Codec<true>::addConstant();
template void Codec<true>::addIndexedConstant();
template void Codec<true>::addUniformConstant(unsigned);
template void Codec<true>::addAddress(const OperandRow &);
template void Codec<true>::addUniformAddress(const OperandRow &);
template void Codec<true>::addCopyAddress(bool);
template MachineOperand &Codec<true>::addTarget(OperandRow::KindTy);
