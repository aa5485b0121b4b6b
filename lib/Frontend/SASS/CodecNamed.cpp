//===- CodecNamed.cpp - Operands that have a form of their own ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Codec.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

/// PLOP3's last source, and its two tables.
template <bool Encodes>
void Codec<Encodes>::addLookup(bool IsUniform) {
  MachineOperand &O = addPredicate(68, IsUniform, /*MayBeNegated=*/true);
  if (!IsUniform) {
    bool Is = O.Kind == OperandKind::UniformPredicate;
    transfer(67, 1, Is);
    O.Kind = Is ? OperandKind::UniformPredicate : OperandKind::Predicate;
  }
  MachineOperand &First = operand(OperandKind::Hexadecimal);
  auto Upper = uint64_t(First.Value) >> 3, Lower = uint64_t(First.Value) & 7;
  transfer(72, 5, Upper);
  transfer(64, 3, Lower);
  First.Value = int64_t(Upper << 3 | Lower);
  transfer(16, 8, operand(OperandKind::Hexadecimal).Value);
}

/// Of MUFU the upper half of a register, of F2FP likewise.
template <bool Encodes>
void Codec<Encodes>::addUpper(const OperandRow &Row) {
  OperandRow Plain;
  const bool IsSpecial = Row.Kind == OperandRow::Upper;
  Plain.MayBeNegated = Plain.MayBeAbsolute = IsSpecial;
  // Of reciprocals of doubles the upper half.
  constexpr unsigned Reciprocal64 = 6, Root64 = 7;
  const uint64_t Special = E.bits(74, 4);
  Plain.ImmediateType =
      IsSpecial && (Special == Reciprocal64 || Special == Root64) ? 'd' : 'f';
  MachineOperand *O =
      F == Form::Registers ? &addRegister(Plain, SecondAt, 1) : addOther(Plain);
  if (!O || (IsSpecial && E.bits(72, 2) == 0))
    return;
  constexpr unsigned FourBitBit = 82, UpperBit = 88, LowBit = 72;
  if (!IsSpecial && E.bit(FourBitBit)) { // one of four bytes
    unsigned Byte = O->Part == MachineOperand::Whole
                        ? 0
                        : O->Part - MachineOperand::Byte1 + 1;
    unsigned Upper = Byte >> 1, Lower = Byte & 1;
    transfer(UpperBit, 1, Upper);
    transfer(LowBit, 1, Lower);
    Byte = Upper << 1 | Lower;
    if (Byte != 0)
      O->Part = MachineOperand::PartTy(MachineOperand::Byte1 + Byte - 1);
    return;
  }
  bool IsUpper = O->Part == MachineOperand::Upper;
  transfer(IsSpecial ? 60 : UpperBit, 1, IsUpper);
  if (IsUpper)
    O->Part = MachineOperand::Upper;
}

/// Where a matrix lies, and whether it is in the tensor core already.
template <bool Encodes>
void Codec<Encodes>::addMatrix(const OperandRow &Row) {
  MachineOperand &O = operand(Row.Kind == OperandRow::MatrixDescriptor
                                  ? OperandKind::MatrixDescriptor
                              : Row.Kind == OperandRow::TensorMemory
                                  ? OperandKind::TensorMemory
                                  : OperandKind::InstructionDescriptor);
  transferUniform(Row.Lowest, O.Number);
  if (Row.HasOffset && Row.Lowest == FirstAt) {
    transferSigned(40, 24, O.Value);
  } else if (Row.HasOffset) { // in two pieces
    auto Lower = uint64_t(O.Value) & 0xffffff;
    int64_t Upper = O.Value >> 24;
    transfer(40, 24, Lower);
    transferSigned(72, 8, Upper);
    O.Value = int64_t(uint64_t(Upper) << 24 | Lower);
  }
  if (Row.Kind == OperandRow::MatrixDescriptor && Row.Holds == 0) {
    transfer(62, 1, O.SecondTransposed);
    transfer(63, 1, O.SecondNegated);
    if (Row.Lowest == FirstAt) { // both matrices
      transfer(61, 1, O.FirstTransposed);
      transfer(72, 1, O.Negated);
    }
  }
  if (Row.Holds == 'A') {
    O.Part = MachineOperand::FirstMatrix;
    transfer(86, 1, O.IsHeld);
    transfer(84, 1, O.StaysHeld);
  } else if (Row.Holds == 'B') {
    O.Part = MachineOperand::SecondMatrix;
    transfer(82, 1, O.IsHeld);
    transfer(81, 1, O.StaysHeld);
    transfer(79, 2, O.Buffer);
  }
}

/// What is no source, no register, and no address.
template <bool Encodes>
void Codec<Encodes>::addNamed(const OperandRow &Row) {
  constexpr OperandRow Plain;
  switch (Row.Kind) {
  case OperandRow::SpecialRegister:
    transfer(72, 8, operand(OperandKind::Special).Number);
    break;
  case OperandRow::AllPredicates:
    operand(OperandKind::AllPredicates).Number = Row.IsUniform;
    break;
  case OperandRow::ShuffleSources:
    addShuffle();
    break;
  case OperandRow::ConvergenceBarrier:
    transfer(Row.Lowest, 4, operand(OperandKind::Barrier).Number);
    break;
  case OperandRow::Lookup:
    addLookup(Row.IsUniform);
    break;
  case OperandRow::ReturnCounter:
    operand(OperandKind::ReturnCounter).Number = 0;
    break;
  case OperandRow::Scoreboard:
    transfer(44, 3, operand(OperandKind::Scoreboard).Number);
    break;
  case OperandRow::WarpgroupBoard: {
    constexpr unsigned None = 7;
    MachineOperand &O = operand(OperandKind::WarpgroupBoard);
    transfer(84, 3, O.Number);
    O.IsHidden = O.Number == None;
    break;
  }
  case OperandRow::FirstWarpgroupBoard:
    operand(OperandKind::WarpgroupBoard).Number = 0;
    break;
  case OperandRow::MatrixDescriptor:
  case OperandRow::TensorMemory:
  case OperandRow::InstructionDescriptor:
    addMatrix(Row);
    break;
  case OperandRow::Accumulates: { // whether what was there is added to
    MachineOperand &O = operand(OperandKind::UniformPredicate);
    unsigned Number = O.Number ^ PredicateTrue;
    transfer(87, 3, Number);
    O.Number = Number ^ PredicateTrue;
    transfer(90, 1, O.Inverted);
    O.IsHidden = O.Number == PredicateTrue && !O.Inverted;
    break;
  }
  case OperandRow::Rows:
    addRegister(Plain, FirstAt, 0).Part = MachineOperand::Rows;
    break;
  case OperandRow::Columns:
    addRegister(Plain, SecondAt, 1).Part = MachineOperand::Columns;
    break;
  case OperandRow::Layout: {
    const bool IsFirst = Row.Lowest == FirstAt;
    MachineOperand &O = addRegister(Plain, Row.Lowest, IsFirst ? 0 : 1);
    bool InColumns = O.Part == MachineOperand::Columns;
    transfer(IsFirst ? 73 : 74, 1, InColumns);
    O.Part = InColumns ? MachineOperand::Columns : MachineOperand::Rows;
    break;
  }
  case OperandRow::CacheHint: {
    transferUniform(Row.Lowest, operand(OperandKind::CacheHint).Number);
    bool IsThere = true;
    transfer(HintBit, 1, IsThere);
    break;
  }
  case OperandRow::Scales: {
    MachineOperand &O = operand(OperandKind::Uniform);
    unsigned Lower = O.Number & 7, Upper = O.Number >> 3;
    transfer(60, 3, Lower);
    transfer(73, 5, Upper);
    O.Number = Upper << 3 | Lower;
    break;
  }
  case OperandRow::Diverging: {
    MachineOperand &O = addUniform(FirstAt);
    if (Architecture < FirstWithShown)
      transfer(30, 1, O.Inverted);
    break;
  }
  case OperandRow::Shifted:
    selectPart(addRegister(Plain, ThirdAt, 2), 72, MachineOperand::Shifted8);
    break;
  case OperandRow::Byte:
    selectPart(Row.IsUniform ? addUniform(FirstAt)
                             : addRegister(Plain, FirstAt, 0),
               76, MachineOperand::Byte1);
    break;
  case OperandRow::Metadata: {
    MachineOperand &O = operand(OperandKind::Register);
    transfer(Row.Lowest, 8, O.Number);
    transfer(Row.Lowest == 40 ? 50 : 51, 1, O.Reused);
    break;
  }
  case OperandRow::Loaded: {
    constexpr unsigned LowerBits = 7;
    constexpr int64_t All = 0xff;
    MachineOperand &O = operand(OperandKind::Hexadecimal);
    unsigned Lower = unsigned(O.Value) & ((1U << LowerBits) - 1),
             Upper = unsigned(O.Value) >> LowerBits & 1;
    transfer(57, LowerBits, Lower);
    transfer(72, 1, Upper);
    O.Value = Upper << LowerBits | Lower;
    O.IsHidden = O.Value == All;
    break;
  }
  case OperandRow::Scoreboards:
    transfer(32, 6, operand(OperandKind::Scoreboards).Value);
    break;
  case OperandRow::TextureShape:
  case OperandRow::TextureQuery:
    transfer(61, 3,
             operand(Row.Kind == OperandRow::TextureShape
                         ? OperandKind::TextureShape
                         : OperandKind::TextureQuery)
                 .Number);
    break;
  default:
    addUpper(Row);
    break;
  }
}

template void Codec<false>::addNamed(const OperandRow &);
template void Codec<true>::addNamed(const OperandRow &);
