//===- Codec.cpp - Bits of machine code and instructions ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// One description of the fields serves both directions: transfer() reads a
// field of the bits into an instruction, or writes it there.
//===----------------------------------------------------------------------===//
#include "OperationTable.h"
#include "ptxpredict/Frontend/SASS/MachineInstruction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <type_traits>

using namespace ptxpredict;
using namespace ptxpredict::sass;

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

constexpr static unsigned WordBits = 64;

static uint64_t maskOf(unsigned Width) {
  return Width >= WordBits ? ~uint64_t(0) : (uint64_t(1) << Width) - 1;
}

uint64_t Encoding::bits(unsigned Lowest, unsigned Width) const {
  uint64_t Value = 0;
  if (Lowest >= WordBits)
    Value = High >> (Lowest - WordBits);
  else if (Lowest == 0)
    Value = Low;
  else
    Value = Low >> Lowest | High << (WordBits - Lowest);
  return Value & maskOf(Width);
}

void Encoding::set(unsigned Lowest, unsigned Width, uint64_t Value) {
  const uint64_t Mask = maskOf(Width);
  Value &= Mask;
  if (Lowest >= WordBits) {
    const unsigned At = Lowest - WordBits;
    High = (High & ~(Mask << At)) | Value << At;
    return;
  }
  Low = (Low & ~(Mask << Lowest)) | Value << Lowest;
  if (Lowest != 0 && Lowest + Width > WordBits) {
    const unsigned Done = WordBits - Lowest;
    High = (High & ~(Mask >> Done)) | Value >> Done;
  }
}

StringRef MachineInstruction::mnemonic() const {
  return Operation ? Operation->Mnemonic : StringRef();
}

namespace {

/// Bits 9 to 11 of an instruction: which source is no register.
enum class Form : uint8_t {
  Registers = 1,
  ThirdImmediate = 2,
  ThirdConstant = 3,
  SecondImmediate = 4,
  SecondConstant = 5,
  SecondUniform = 6,
  ThirdUniform = 7
};

constexpr unsigned PredicateTrue = 7;
/// Where sources lie, and the predicate that .X and the like are.
constexpr unsigned FirstAt = 24, SecondAt = 32, ThirdAt = 64, XBit = 74,
                   EXBit = 72, HighBit = 80, SignExtendedBit = 73,
                   UniformBit = 91;

/// The bits that negate a source at a place and take its absolute value.
struct SignBits {
  unsigned Negation, Absolute;
};
SignBits signBits(unsigned Place) {
  return Place == FirstAt    ? SignBits{72, 73}
         : Place == SecondAt ? SignBits{63, 62}
                             : SignBits{75, 74};
}

/// From which architecture on there are more than 63 uniform registers, global
/// memory has descriptors, these are shown, and targets lie in two parts.
constexpr unsigned FirstWithMore = 100, FirstWithDescriptors = 80,
                   FirstWithShown = 90, FirstWithSplit = 90;

/// Reads the bits \p E into \p I, or writes them.
template <bool Encodes>
class Codec {
public:
  using Bits = std::conditional_t<Encodes, Encoding, const Encoding>;
  Codec(Bits &E, unsigned Architecture, uint64_t Address, MachineInstruction &I)
      : E(E), Architecture(Architecture), Address(Address), I(I),
        F(Form(I.Form)) {}

  void control(ControlCode &C);
  void guard();
  /// False if the instruction has not what the row needs.
  bool run(const OperationRow &Row);

private:
  Bits &E;
  unsigned Architecture;
  uint64_t Address;
  MachineInstruction &I;
  Form F;
  size_t NextOperand = 0, NextValue = 0;
  bool Fits = true;
  MachineOperand Missing; ///< in place of what an instruction lacks

  template <typename T>
  void transfer(unsigned Lowest, unsigned Width, T &V) {
    if constexpr (Encodes)
      E.set(Lowest, Width, uint64_t(V));
    else
      V = T(E.bits(Lowest, Width));
  }
  void transferSigned(unsigned Lowest, unsigned Width, int64_t &V) {
    if constexpr (Encodes)
      E.set(Lowest, Width, uint64_t(V));
    else
      V = llvm::SignExtend64(E.bits(Lowest, Width), Width);
  }
  void transferUniform(unsigned Lowest, unsigned &Number);

  MachineOperand &operand(OperandKind Kind);
  bool thirdIsOther() const {
    return F == Form::ThirdImmediate || F == Form::ThirdConstant ||
           F == Form::ThirdUniform;
  }
  bool isThere(const OperandRow &O) const;
  void sign(MachineOperand &O, const OperandRow &Row, SignBits At);
  MachineOperand &addRegister(const OperandRow &Row, unsigned Place,
                              unsigned Slot);
  MachineOperand &addUniform(unsigned Lowest);
  MachineOperand &addPredicate(unsigned Lowest, bool IsUniform,
                               bool MayBeNegated);
  void addImmediate(char Type);
  MachineOperand *addOther(const OperandRow &Row);
  void addUniformSource(const OperandRow &Row);
  void addSource(const OperandRow &Row);
  MachineOperand &addConstant();
  void addIndexedConstant();
  void addUniformConstant(unsigned Lowest);
  void addAddress(StringRef Name);
  void addUniformAddress(StringRef Name);
  void addCopyAddress(bool IsShared);
  MachineOperand &addTarget(StringRef Name);
  void addShuffle();
  void addHalf(const OperandRow &Row);
  void addLookup(bool IsUniform);
  void addUpper(const OperandRow &Row);
  void addNamed(const OperandRow &Row);
  void addOperand(const OperandRow &Row);
  void addModifier(const ModifierRow &M);
  void addMultiplyAlias();
};

} // namespace

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
// Operands
//===----------------------------------------------------------------------===//

template <bool Encodes>
MachineOperand &Codec<Encodes>::operand(OperandKind Kind) {
  if constexpr (Encodes) {
    if (NextOperand < I.Operands.size())
      return I.Operands[NextOperand++];
    Fits = false;
    return Missing;
  }
  MachineOperand &O = I.Operands.emplace_back();
  O.Kind = Kind;
  return O;
}

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
  default: // there, and perhaps not shown
    return true;
  }
}

/// Up to sm_90 their numbers have six bits.
template <bool Encodes>
void Codec<Encodes>::transferUniform(unsigned Lowest, unsigned &Number) {
  constexpr unsigned FewerZero = 63;
  if (Architecture >= FirstWithMore)
    return transfer(Lowest, 8, Number);
  unsigned Fewer = Number == UniformZero ? FewerZero : Number;
  transfer(Lowest, 6, Fewer);
  if constexpr (!Encodes)
    Number = Fewer == FewerZero ? UniformZero : Fewer;
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

template <bool Encodes>
MachineOperand &Codec<Encodes>::addRegister(const OperandRow &Row,
                                            unsigned Place, unsigned Slot) {
  MachineOperand &O = operand(OperandKind::Register);
  transfer(Place, 8, O.Number);
  if constexpr (!Encodes)
    O.Reused = I.Control.ReuseMask >> Slot & 1;
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
    const auto Kind = llvm::is_contained(I.Modifiers, "BF16_V2")
                          ? OperandKind::BFloat
                          : OperandKind::Half;
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
  sign(*O, Row, signBits(SecondAt));
  return O;
}

template <bool Encodes>
void Codec<Encodes>::addUniformSource(const OperandRow &Row) {
  const bool IsThird = Row.Kind == OperandRow::Third;
  const bool IsOther = IsThird ? F == Form::ThirdImmediate
                               : F == Form::SecondImmediate ||
                                     (Row.Kind == OperandRow::Special &&
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
    if (Index != UniformZero || O.Value == 0)
      O.Offset = Index;
}

/// A register, what it is multiplied by, a uniform register, an offset; or a
/// register of 64 bits and the descriptor of the memory.
template <bool Encodes>
void Codec<Encodes>::addAddress(StringRef Name) {
  constexpr unsigned WideBit = 90, CacheHintBit = 101;
  if (Name.starts_with("[U"))
    return addUniformAddress(Name);
  if (Name == "[cs]" || Name == "[cg]")
    return addCopyAddress(Name == "[cs]");
  const bool IsGlobal = Name.starts_with("[g"),
             IsAtomic = Name.starts_with("[ga"), IsLoad = Name.ends_with("l]");
  MachineOperand &O = operand(OperandKind::Memory);
  transfer(FirstAt, 8, O.Number);
  bool HasUniform = O.Offset || O.Descriptor;
  transfer(UniformBit, 1, HasUniform);
  if (!HasUniform && Name.starts_with("[gz"))
    transferSigned(SecondAt, 32, O.Value);
  else
    transferSigned(40, IsAtomic && Architecture >= FirstWithMore ? 23 : 24,
                   O.Value);
  if (Name == "[sl]" || Name == "[ss]") {
    unsigned Shift = O.Scale == 0 ? 0 : llvm::Log2_32(O.Scale) - 1;
    transfer(78, 2, Shift);
    O.Scale = Shift == 0 ? 0 : 2U << Shift;
  }
  if (!HasUniform)
    return;
  unsigned Number = O.Descriptor ? *O.Descriptor : O.Offset.value_or(0);
  transferUniform(IsLoad ? SecondAt : ThirdAt, Number);
  if (!IsGlobal) {
    O.Offset = Number;
    O.ShowsZeroOffset = true;
    return;
  }
  // Of atomics that bit says what they do.
  const unsigned LaterWideBit = Name == "[gafs]" ? WideBit : 76;
  bool IsWide = O.Width == MachineOperand::Bits64;
  transfer(!IsAtomic                       ? WideBit
           : Architecture >= FirstWithMore ? LaterWideBit
                                           : 70,
           1, IsWide);
  O.Width = IsWide ? MachineOperand::Bits64 : MachineOperand::Bits32;
  if (!IsWide || Architecture < FirstWithDescriptors) {
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

/// "[U24]", "[U24+]" with an offset.
template <bool Encodes>
void Codec<Encodes>::addUniformAddress(StringRef Name) {
  unsigned Place = 0;
  const bool HasOffset = Name.contains('+');
  (void)Name.drop_front(2).consumeInteger(10, Place);
  MachineOperand &O = operand(OperandKind::Memory);
  if (HasOffset)
    transferSigned(40, 24, O.Value);
  unsigned Number = O.Offset.value_or(UniformZero);
  transferUniform(Place, Number);
  O.Offset = Number;
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
MachineOperand &Codec<Encodes>::addTarget(StringRef Name) {
  MachineOperand &O = operand(OperandKind::Target);
  const int64_t Next = int64_t(Address) + int64_t(InstructionBytes);
  if (Name == "after") {
    int64_t Bytes = O.Value - Next;
    transferSigned(24, 40, Bytes);
    O.Value = Next + Bytes;
    return O;
  }
  const bool IsRelative = Name == "relative";
  int64_t Words = (O.Value - (IsRelative ? 0 : Next)) / 4;
  if (Name == "target") { // of BSSY
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

/// "halfa-|": a source whose halves can be chosen; its signs lie elsewhere if
/// it is the third one.
template <bool Encodes>
void Codec<Encodes>::addHalf(const OperandRow &Row) {
  StringRef Name = Row.Name;
  Name.consume_front("half");
  OperandRow Signed = Row;
  Signed.MayBeNegated = Name.contains('-');
  Signed.MayBeAbsolute = Name.contains('|');
  Signed.ImmediateType = 'h';
  const char Which = Name.front();
  const bool MayBeOther = Which != 'a';
  auto Select = [&](MachineOperand &O, unsigned Lowest) {
    auto Part = unsigned(O.Part);
    transfer(Lowest, 2, Part);
    O.Part = MachineOperand::PartTy(Part);
  };
  if (MayBeOther && F != Form::Registers &&
      (Which == 's' || Which == 't' || (Which == 'c') == thirdIsOther())) {
    if (MachineOperand *O = addOther(Signed))
      Select(*O, 60);
    return;
  }
  const bool IsThird = Which == 'c' || (Which == 'b' && thirdIsOther());
  const unsigned Place = Which == 'a' ? FirstAt : IsThird ? ThirdAt : SecondAt;
  const unsigned Slot = Which == 'a' ? 0 : Which == 'c' || Which == 't' ? 2 : 1;
  MachineOperand &O = operand(OperandKind::Register);
  transfer(Place, 8, O.Number);
  if constexpr (!Encodes)
    O.Reused = I.Control.ReuseMask >> Slot & 1;
  Select(O, Place == FirstAt ? 74 : Place == SecondAt ? 60 : 81);
  sign(O, Signed, Place == ThirdAt ? SignBits{84, 83} : signBits(Place));
}

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
  const bool IsSpecial = Row.Name == "upper";
  Plain.MayBeNegated = Plain.MayBeAbsolute = IsSpecial;
  Plain.ImmediateType = 'f';
  MachineOperand *O =
      F == Form::Registers ? &addRegister(Plain, SecondAt, 1) : addOther(Plain);
  if (!O || (IsSpecial && E.bits(72, 2) == 0))
    return;
  bool IsUpper = O->Part == MachineOperand::Upper;
  transfer(IsSpecial ? 60 : 88, 1, IsUpper);
  if (IsUpper)
    O->Part = MachineOperand::Upper;
}

template <bool Encodes>
void Codec<Encodes>::addNamed(const OperandRow &Row) {
  const StringRef Name = Row.Name;
  if (Name == "const") {
    addConstant();
  } else if (Name == "ldc") {
    addIndexedConstant();
  } else if (Name == "ldcu" || Name == "uldc") {
    addUniformConstant(Name == "ldcu" ? 37 : 38);
  } else if (Name == "label" || Name == "target" || Name == "after" ||
             Name == "relative") {
    addTarget(Name);
  } else if (Name == "return") {
    transfer(FirstAt, 8, operand(OperandKind::Register).Number);
    addTarget(Name);
  } else if (Name == "special") {
    transfer(72, 8, operand(OperandKind::Special).Number);
  } else if (Name == "pr" || Name == "upr") {
    operand(OperandKind::AllPredicates).Number = Name == "upr";
  } else if (Name == "shfl") {
    addShuffle();
  } else if (Name.starts_with("B")) {
    unsigned Lowest = 0;
    (void)Name.drop_front().getAsInteger(10, Lowest);
    transfer(Lowest, 4, operand(OperandKind::Barrier).Number);
  } else if (Name == "P68?" || Name == "Q68?") {
    addLookup(Name.front() == 'Q');
  } else if (Name.starts_with("half")) {
    addHalf(Row);
  } else if (Name == "sb") {
    transfer(44, 3, operand(OperandKind::Scoreboard).Number);
  } else if (Name == "gsb") {
    constexpr unsigned None = 7;
    MachineOperand &O = operand(OperandKind::WarpgroupBoard);
    transfer(84, 3, O.Number);
    O.IsHidden = O.Number == None;
  } else if (Name == "gsb0") {
    operand(OperandKind::WarpgroupBoard).Number = 0;
  } else if (Name == "gdesc24" || Name == "gdesc32") {
    MachineOperand &O = operand(OperandKind::MatrixDescriptor);
    transferUniform(Name == "gdesc32" ? SecondAt : FirstAt, O.Number);
    transfer(62, 1, O.Value);
  } else if (Name == "accumulates") { // whether what was there is added to
    MachineOperand &O = operand(OperandKind::UniformPredicate);
    unsigned Number = O.Number ^ PredicateTrue;
    transfer(87, 3, Number);
    O.Number = Number ^ PredicateTrue;
    transfer(90, 1, O.Inverted);
    O.IsHidden = O.Number == PredicateTrue && !O.Inverted;
  } else if (Name == "rows" || Name == "columns") {
    OperandRow Plain;
    const bool IsFirst = Name == "rows";
    addRegister(Plain, IsFirst ? FirstAt : SecondAt, IsFirst ? 0 : 1).Part =
        IsFirst ? MachineOperand::Rows : MachineOperand::Columns;
  } else if (Name == "diverging") {
    MachineOperand &O = addUniform(FirstAt);
    if (Architecture < FirstWithShown)
      transfer(30, 1, O.Inverted);
  } else {
    addUpper(Row);
  }
}

template <bool Encodes>
void Codec<Encodes>::addOperand(const OperandRow &Row) {
  const size_t At = Encodes ? NextOperand : I.Operands.size();
  switch (Row.Kind) {
  case OperandRow::Register:
    if (Row.IsUniform) {
      addUniform(Row.Lowest);
    } else {
      const unsigned Slot = Row.Lowest == FirstAt    ? 0
                            : Row.Lowest == SecondAt ? 1
                            : Row.Lowest == ThirdAt  ? 2
                                                     : WordBits;
      MachineOperand &O = operand(OperandKind::Register);
      transfer(Row.Lowest, 8, O.Number);
      if (!Encodes && Slot != WordBits)
        O.Reused = I.Control.ReuseMask >> Slot & 1;
    }
    break;
  case OperandRow::First:
  case OperandRow::Second:
  case OperandRow::Third:
  case OperandRow::Special:
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
    addAddress(Row.Name);
    break;
  case OperandRow::Other:
    addNamed(Row);
    break;
  }
  if (Encodes && At >= I.Operands.size())
    return;
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

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

/// IMAD has other names where it moves, adds or shifts.
template <bool Encodes>
void Codec<Encodes>::addMultiplyAlias() {
  constexpr unsigned Zero = MachineOperand::RegisterZero;
  constexpr uint32_t UpperHalf = 0x10000; // which has no other name
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
           llvm::isPowerOf2_32(Factor) && Factor != UpperHalf)
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

MachineInstruction sass::decode(Encoding E, unsigned Architecture,
                                uint64_t Address) {
  MachineInstruction I;
  I.Form = unsigned(E.bits(FormAt, FormBits));
  const Encoding Bits = E;
  Codec<false> C(Bits, Architecture, Address, I);
  C.control(I.Control);
  C.guard();
  I.Operation = findOperation(E, Architecture);
  if (!I.Operation)
    return I;
  I.GuardIsUniform = I.Operation->IsUniform;
  C.run(*I.Operation);
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
