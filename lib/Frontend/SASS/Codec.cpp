//===- Codec.cpp - Bits of machine code and instructions ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Codec.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

constexpr static unsigned HalfBits = 64;

static uint64_t maskOf(unsigned Width) {
  return Width >= HalfBits ? ~uint64_t(0) : (uint64_t(1) << Width) - 1;
}

uint64_t Encoding::bits(unsigned Lowest, unsigned Width) const {
  uint64_t Value = 0;
  if (Lowest >= HalfBits)
    Value = High >> (Lowest - HalfBits);
  else if (Lowest == 0)
    Value = Low;
  else
    Value = Low >> Lowest | High << (HalfBits - Lowest);
  return Value & maskOf(Width);
}

void Encoding::set(unsigned Lowest, unsigned Width, uint64_t Value) {
  const uint64_t Mask = maskOf(Width);
  Value &= Mask;
  if (Lowest >= HalfBits) {
    const unsigned At = Lowest - HalfBits;
    High = (High & ~(Mask << At)) | Value << At;
    return;
  }
  Low = (Low & ~(Mask << Lowest)) | Value << Lowest;
  if (Lowest != 0 && Lowest + Width > HalfBits) {
    const unsigned Done = HalfBits - Lowest;
    High = (High & ~(Mask >> Done)) | Value >> Done;
  }
}

StringRef MachineInstruction::mnemonic() const {
  return Operation ? Operation->Mnemonic : StringRef();
}

//===----------------------------------------------------------------------===//
// What all instructions have
//===----------------------------------------------------------------------===//

template <bool Encodes>
void Codec<Encodes>::control(ControlCode &C) {
  constexpr unsigned NoBarrier = 7;
  auto Barrier = [&](unsigned Lowest, std::optional<unsigned> &B) {
    unsigned Number = B.value_or(NoBarrier);
    transfer(Lowest, 3, Number);
    if (!Encodes && Number != NoBarrier)
      B = Number;
  };
  transfer(105, 4, C.Stall);
  bool Stays = !C.Yields;
  transfer(109, 1, Stays);
  C.Yields = !Stays;
  Barrier(110, C.WriteBarrier);
  Barrier(113, C.ReadBarrier);
  transfer(116, 6, C.WaitMask);
  transfer(122, 4, C.ReuseMask);
}

template <bool Encodes>
void Codec<Encodes>::guard() {
  transfer(12, 3, I.Guard);
  transfer(15, 1, I.GuardIsNegated);
}

ControlCode sass::controlOf(Encoding E) {
  MachineInstruction I;
  const Encoding Bits = E;
  Codec<false>(Bits, FirstArchitecture, 0, I).control(I.Control);
  return I.Control;
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

/// IMAD has other names where it moves, adds or shifts.
template <bool Encodes>
void Codec<Encodes>::addMultiplyAlias() {
  constexpr unsigned Zero = MachineOperand::RegisterZero;
  constexpr uint32_t UpperHalf = 0x10000, // which have no other name
      Negative = 0x80000000;
  if (Encodes || E.bit(XBit))
    return;
  const bool FirstIsZero = E.bits(FirstAt, 8) == Zero;
  const bool ThirdIsZero = !thirdIsOther() && E.bits(ThirdAt, 8) == Zero;
  const bool SecondIsZero =
      (F == Form::Registers && E.bits(SecondAt, 8) == Zero) ||
      ((F == Form::ThirdImmediate || F == Form::ThirdConstant) &&
       E.bits(ThirdAt, 8) == Zero);
  const auto Factor = uint32_t(E.bits(SecondAt, 32));
  if (FirstIsZero && SecondIsZero)
    I.Modifiers.push_back("MOV");
  else if (F == Form::SecondImmediate && Factor == 1 && !ThirdIsZero)
    I.Modifiers.push_back("IADD");
  else if (F == Form::SecondImmediate && ThirdIsZero &&
           llvm::isPowerOf2_32(Factor) && Factor != UpperHalf &&
           Factor != Negative)
    I.Modifiers.push_back("SHL");
}

template <bool Encodes>
void Codec<Encodes>::addModifier(const ModifierRow &M) {
  if (M.Kind == ModifierRow::Word) {
    if (!Encodes)
      I.Modifiers.push_back(M.Text);
    return;
  }
  if (M.Kind == ModifierRow::Rule)
    return addMultiplyAlias();
  if (Encodes && NextValue >= I.Values.size()) {
    Fits = false;
    return;
  }
  unsigned Value = Encodes ? I.Values[NextValue++] : 0, Shift = 0;
  for (auto [Lowest, Width] : M.Parts) {
    unsigned Part = Value >> Shift;
    transfer(Lowest, Width, Part);
    if (!Encodes)
      Value |= Part << Shift;
    Shift += Width;
  }
  if (Encodes)
    return;
  I.Values.push_back(uint8_t(Value));
  static constexpr StringRef Unknown = "?";
  const StringRef Word = Value < M.Words.size() ? M.Words[Value] : Unknown;
  if (!Word.empty())
    I.Modifiers.push_back(Word);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

template <bool Encodes>
bool Codec<Encodes>::run(const OperationRow &Row) {
  for (const ModifierRow &M : Row.Modifiers)
    addModifier(M);
  for (const OperandRow &O : Row.Operands)
    if (isThere(O))
      addOperand(O);
  return Fits;
}

constexpr static unsigned FormAt = 9, FormBits = 3;

void sass::decodeInto(MachineInstruction &I, Encoding E, unsigned Architecture,
                      uint64_t Address) {
  I.Form = unsigned(E.bits(FormAt, FormBits));
  const Encoding Bits = E;
  Codec<false> C(Bits, Architecture, Address, I);
  C.control(I.Control);
  C.guard();
  I.Operation = findOperation(E, Architecture);
  if (!I.Operation)
    return;
  I.GuardIsUniform = I.Operation->IsUniform;
  C.run(*I.Operation);
  if (I.Operation->ReusesNothing)
    for (MachineOperand &O : I.Operands)
      O.Reused = false;
}

MachineInstruction sass::decode(Encoding E, unsigned Architecture,
                                uint64_t Address) {
  MachineInstruction I;
  decodeInto(I, E, Architecture, Address);
  return I;
}

std::optional<Encoding> sass::encode(const MachineInstruction &Instruction,
                                     unsigned Architecture, uint64_t Address) {
  if (!Instruction.Operation)
    return std::nullopt;
  MachineInstruction I = Instruction;
  const OperationRow &Row = *I.Operation;
  Encoding E = restOf(Row, I.Form, Architecture);
  E.set(0, FormAt, Row.Operation);
  E.set(FormAt, FormBits, I.Form);
  for (uint8_t At : Row.Required)
    E.set(At, 1, 1);
  Codec<true> C(E, Architecture, Address, I);
  C.control(I.Control);
  C.guard();
  if (!C.run(Row))
    return std::nullopt;
  return E;
}
