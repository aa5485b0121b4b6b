//===- CodecOperands.cpp - Operands of machine instructions ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Codec.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

template <bool Encodes>
bool Codec<Encodes>::isThere(const OperandRow &O) const {
  switch (O.Condition) {
  case OperandRow::IfX:
    return E.bit(XBit);
  case OperandRow::IfEX:
    return E.bit(EXBit);
  case OperandRow::IfThird:
    return E.bit(HighBit) && !E.bit(SignExtendedBit);
  case OperandRow::IfDeferred:
    return E.bit(HighBit);
  case OperandRow::IfHinted: // by the operand, which is the last one
    return Encodes ? NextOperand < I.Operands.size() : E.bit(HintBit);
  default: // there, and perhaps not shown
    return true;
  }
}

template <bool Encodes>
void Codec<Encodes>::sign(MachineOperand &O, const OperandRow &Row,
                          SignBits At) {
  if (Row.MayBeAbsolute)
    transfer(At.Absolute, 1, O.Absolute);
  if (!Row.MayBeNegated)
    return;
  bool Is = O.Negated || O.Inverted;
  transfer(At.Negation, 1, Is);
  if constexpr (!Encodes) {
    const bool Inverts =
        Row.IsAlwaysInverted || (Row.IsInverted && E.bit(XBit));
    (Inverts ? O.Inverted : O.Negated) = Is;
  }
}

/// Two floats, or one that stands for both.
template <bool Encodes>
void Codec<Encodes>::addPair(MachineOperand &O, const OperandRow &Row) {
  bool IsOne = O.Part == MachineOperand::AsFloat;
  transfer(Row.Kind == OperandRow::First                          ? 82
           : Row.Kind == OperandRow::Third || Row.SharesThirdSlot ? 85
                                                                  : 88,
           1, IsOne);
  O.Part = IsOne ? MachineOperand::AsFloat : MachineOperand::Pair;
}

/// One of the parts of a register from \p First on, which two bits number from
/// 1 on; 0 is all of it.
template <bool Encodes>
void Codec<Encodes>::selectPart(MachineOperand &O, unsigned Lowest,
                                MachineOperand::PartTy First) {
  unsigned Part = O.Part == MachineOperand::Whole ? 0 : O.Part - First + 1;
  transfer(Lowest, 2, Part);
  O.Part = Part == 0 ? MachineOperand::Whole
                     : MachineOperand::PartTy(First + Part - 1);
}

template <bool Encodes>
MachineOperand &Codec<Encodes>::addRegister(const OperandRow &Row,
                                            unsigned Place, unsigned Slot) {
  MachineOperand &O = operand(OperandKind::Register);
  transfer(Place, 8, O.Number);
  if constexpr (!Encodes)
    O.Reused = I.Control.ReuseMask >> Slot & 1;
  if (Row.IsPair)
    addPair(O, Row);
  if (Row.IsSign)
    O.Part = MachineOperand::Sign;
  if (Row.IsPart) { // 8 bits, unless the bits of its type say otherwise
    const unsigned TypeBits = Row.ImmediateType == 'f' ? 3 : 2;
    selectPart(O, 60,
               E.bits(84, TypeBits) == 0 ? MachineOperand::Byte1
                                         : MachineOperand::Upper);
  }
  if (Row.IsEitherHalf) {
    bool IsUpper = O.Part == MachineOperand::Upper;
    transfer(Row.Kind == OperandRow::First ? 83 : 84, 1, IsUpper);
    O.Part = IsUpper ? MachineOperand::Upper : MachineOperand::Whole;
  }
  sign(O, Row, signBits(Place));
  return O;
}

template <bool Encodes>
MachineOperand &Codec<Encodes>::addUniform(unsigned Lowest) {
  MachineOperand &O = operand(OperandKind::Uniform);
  transferUniform(Lowest, O.Number);
  return O;
}

template <bool Encodes>
MachineOperand &Codec<Encodes>::addPredicate(unsigned Lowest, bool IsUniform,
                                             bool MayBeNegated) {
  MachineOperand &O = operand(IsUniform ? OperandKind::UniformPredicate
                                        : OperandKind::Predicate);
  transfer(Lowest, 3, O.Number);
  if (MayBeNegated)
    transfer(Lowest + 3, 1, O.Inverted);
  return O;
}

template <bool Encodes>
void Codec<Encodes>::addImmediate(char Type) {
  constexpr unsigned Width = 32;
  auto Add = [&](OperandKind Kind, unsigned Lowest, unsigned Bits) {
    transfer(Lowest, Bits, operand(Kind).Value);
  };
  switch (Type) {
  case 'u':
    return Add(OperandKind::Hexadecimal, SecondAt, Width);
  case 'f':
    return Add(OperandKind::Float, SecondAt, Width);
  case 'd':
    return Add(OperandKind::Double, SecondAt, Width);
  case 'h': {
    const auto Kind =
        I.has("BF16_V2") ? OperandKind::BFloat : OperandKind::Half;
    Add(Kind, SecondAt + Width / 2, Width / 2);
    return Add(Kind, SecondAt, Width / 2);
  }
  default:
    transferSigned(SecondAt, Width, operand(OperandKind::Integer).Value);
  }
}

/// The source that the form says is no register; it lies at bit 32. Nothing if
/// it is an immediate.
template <bool Encodes>
MachineOperand *Codec<Encodes>::addOther(const OperandRow &Row) {
  MachineOperand *O = nullptr;
  switch (F) {
  case Form::ThirdImmediate:
  case Form::SecondImmediate:
    addImmediate(Row.ImmediateType);
    return nullptr;
  case Form::ThirdConstant:
  case Form::SecondConstant:
    O = &addConstant();
    break;
  default:
    O = &addUniform(SecondAt);
  }
  if (Row.IsPair)
    addPair(*O, Row);
  sign(*O, Row, signBits(SecondAt));
  return O;
}

template <bool Encodes>
void Codec<Encodes>::addUniformSource(const OperandRow &Row) {
  const bool IsThird = Row.Kind == OperandRow::Third;
  const bool IsOther =
      IsThird ? F == Form::ThirdImmediate
              : F == Form::SecondImmediate || (Row.Kind == OperandRow::Either &&
                                               F == Form::ThirdImmediate);
  if (Row.Kind != OperandRow::First && IsOther)
    return addImmediate(Row.ImmediateType);
  unsigned Place = Row.Kind == OperandRow::First                     ? FirstAt
                   : IsThird || (Row.IsHigh && F == Form::Registers) ? ThirdAt
                                                                     : SecondAt;
  if (Row.Kind == OperandRow::Second && thirdIsOther())
    Place = ThirdAt;
  sign(addUniform(Place), Row, signBits(Place));
}

template <bool Encodes>
void Codec<Encodes>::addSource(const OperandRow &Row) {
  constexpr unsigned FirstSlot = 0, SecondSlot = 1, ThirdSlot = 2;
  if (Row.IsUniform)
    return addUniformSource(Row);
  if (Row.Kind == OperandRow::First) {
    addRegister(Row, FirstAt, FirstSlot);
    return;
  }
  const bool IsOther = Row.Kind == OperandRow::Third ? thirdIsOther()
                       : Row.Kind == OperandRow::Second
                           ? !thirdIsOther() && F != Form::Registers
                           : F != Form::Registers;
  if (IsOther)
    addOther(Row);
  else if (Row.Kind == OperandRow::Second)
    addRegister(Row, thirdIsOther() ? ThirdAt : SecondAt, SecondSlot);
  else if (Row.Kind == OperandRow::Third || Row.IsHigh)
    addRegister(Row, ThirdAt, ThirdSlot);
  else
    addRegister(Row, SecondAt, Row.SharesThirdSlot ? ThirdSlot : SecondSlot);
}

template <bool Encodes>
void Codec<Encodes>::addShuffle() {
  OperandRow Plain;
  if (F == Form::Registers || F == Form::ThirdImmediate)
    addRegister(Plain, SecondAt, 1);
  else
    transfer(53, 5, operand(OperandKind::Integer).Value);
  if (F == Form::Registers || F == Form::SecondImmediate)
    addRegister(Plain, ThirdAt, 2);
  else
    transfer(40, 13, operand(OperandKind::Integer).Value);
}

/// A source whose halves can be chosen; its signs lie elsewhere if it is the
/// third one.
template <bool Encodes>
void Codec<Encodes>::addHalf(const OperandRow &Row) {
  auto Select = [&](MachineOperand &O, unsigned Lowest) {
    auto Part = unsigned(O.Part);
    transfer(Lowest, 2, Part);
    O.Part = MachineOperand::PartTy(Part);
  };
  const bool IsFirst = Row.Kind == OperandRow::First;
  const bool IsLast = Row.Kind == OperandRow::Third;
  if (!IsFirst && F != Form::Registers &&
      (Row.Kind == OperandRow::Either || IsLast == thirdIsOther())) {
    if (MachineOperand *O = addOther(Row))
      Select(*O, 60);
    return;
  }
  const bool IsThird =
      IsLast || (Row.Kind == OperandRow::Second && thirdIsOther());
  const unsigned Place = IsFirst ? FirstAt : IsThird ? ThirdAt : SecondAt;
  const unsigned Slot = IsFirst ? 0 : IsLast || Row.SharesThirdSlot ? 2 : 1;
  MachineOperand &O = operand(OperandKind::Register);
  transfer(Place, 8, O.Number);
  if constexpr (!Encodes)
    O.Reused = I.Control.ReuseMask >> Slot & 1;
  Select(O, Place == FirstAt    ? 74
            : Place == SecondAt ? 60
            : Row.SelectsBelow  ? 76
                                : 81);
  sign(O, Row, Place == ThirdAt ? SignBits{84, 83} : signBits(Place));
}

template <bool Encodes>
void Codec<Encodes>::addOperand(const OperandRow &Row) {
  const size_t At = Encodes ? NextOperand : I.Operands.size();
  switch (Row.Kind) {
  case OperandRow::Register:
    if (Row.IsUniform) {
      addUniform(Row.Lowest);
    } else {
      constexpr unsigned NoSlot = 3;
      const unsigned Slot = Row.Lowest == FirstAt    ? 0
                            : Row.Lowest == SecondAt ? 1
                            : Row.Lowest == ThirdAt  ? 2
                                                     : NoSlot;
      MachineOperand &O = operand(OperandKind::Register);
      transfer(Row.Lowest, 8, O.Number);
      if (!Encodes && Slot != NoSlot)
        O.Reused = I.Control.ReuseMask >> Slot & 1;
    }
    break;
  case OperandRow::First:
  case OperandRow::Second:
  case OperandRow::Third:
  case OperandRow::Either:
    if (Row.IsHalf)
      addHalf(Row);
    else
      addSource(Row);
    break;
  case OperandRow::Predicate:
    addPredicate(Row.Lowest, Row.IsUniform, Row.MayBeNegated);
    break;
  case OperandRow::Immediate: {
    MachineOperand &O =
        operand(Row.Width > 32 && !Row.IsSigned ? OperandKind::Hexadecimal
                                                : OperandKind::Integer);
    if (Row.IsSigned)
      transferSigned(Row.Lowest, Row.Width, O.Value);
    else
      transfer(Row.Lowest, Row.Width, O.Value);
    break;
  }
  case OperandRow::Address:
    addAddress(Row);
    break;
  case OperandRow::UniformAddress:
    addUniformAddress(Row);
    break;
  case OperandRow::CopyToShared:
  case OperandRow::CopyFromGlobal:
    addCopyAddress(Row.Kind == OperandRow::CopyToShared);
    break;
  case OperandRow::Constant:
    addConstant();
    break;
  case OperandRow::IndexedConstant:
    addIndexedConstant();
    break;
  case OperandRow::UniformConstant:
    addUniformConstant(Row.Lowest);
    break;
  case OperandRow::ReturnTarget:
    transfer(FirstAt, 8, operand(OperandKind::Register).Number);
    addTarget(Row.Kind);
    break;
  case OperandRow::Label:
  case OperandRow::SyncTarget:
  case OperandRow::AfterTarget:
  case OperandRow::RelativeTarget:
    addTarget(Row.Kind);
    break;
  default:
    addNamed(Row);
    break;
  }
  if (Encodes && At >= I.Operands.size())
    return;
  if constexpr (!Encodes)
    for (size_t New = At; New != I.Operands.size(); ++New)
      I.Operands[New].Row = uint8_t(&Row - I.Operation->Operands.begin());
  MachineOperand &O = I.Operands[At];
  switch (Row.Condition) {
  case OperandRow::NotTrue:
    O.IsHidden = O.Number == PredicateTrue && !O.Inverted;
    break;
  case OperandRow::NotZero:
    O.IsHidden = O.Number == MachineOperand::RegisterZero;
    break;
  case OperandRow::IfCounted:
    O.IsHidden = O.Value == 0;
    break;
  case OperandRow::IfPartial:
    O.IsHidden = O.Value == 15; // all four
    break;
  case OperandRow::IfDiverging: {
    bool Is = !O.IsHidden;
    transfer(UniformBit, 1, Is);
    O.IsHidden = !Is;
    break;
  }
  default:
    break;
  }
}

template void Codec<false>::addOperand(const OperandRow &);
template void Codec<true>::addOperand(const OperandRow &);
template MachineOperand &Codec<false>::addRegister(const OperandRow &, unsigned,
                                                   unsigned);
template MachineOperand &Codec<true>::addRegister(const OperandRow &, unsigned,
                                                  unsigned);
template MachineOperand &Codec<false>::addUniform(unsigned);
template MachineOperand &Codec<true>::addUniform(unsigned);
template MachineOperand &Codec<false>::addPredicate(unsigned, bool, bool);
template MachineOperand &Codec<true>::addPredicate(unsigned, bool, bool);
template MachineOperand *Codec<false>::addOther(const OperandRow &);
template MachineOperand *Codec<true>::addOther(const OperandRow &);
template void Codec<false>::addShuffle();
template void Codec<true>::addShuffle();
template bool Codec<false>::isThere(const OperandRow &) const;
template bool Codec<true>::isThere(const OperandRow &) const;
template void Codec<false>::selectPart(MachineOperand &, unsigned,
                                       MachineOperand::PartTy);
template void Codec<true>::selectPart(MachineOperand &, unsigned,
                                      MachineOperand::PartTy);
