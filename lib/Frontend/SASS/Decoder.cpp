//===- Decoder.cpp - Machine instructions as operations and operands ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/SASS/Decoder.h"
#include "OperationTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

uint64_t Encoding::bits(unsigned Lowest, unsigned Width) const {
  constexpr unsigned Half = 64;
  uint64_t Value = 0;
  if (Lowest >= Half)
    Value = High >> (Lowest - Half);
  else if (Lowest == 0)
    Value = Low;
  else
    Value = Low >> Lowest | High << (Half - Lowest);
  return Width >= Half ? Value : Value & ((uint64_t(1) << Width) - 1);
}

ControlCode sass::controlOf(Encoding E) {
  constexpr unsigned NoBarrier = 7;
  auto Barrier = [&](unsigned Lowest) {
    const auto Number = unsigned(E.bits(Lowest, 3));
    return Number == NoBarrier ? std::nullopt : std::optional(Number);
  };
  ControlCode C;
  C.Stall = unsigned(E.bits(105, 4));
  C.Yields = !E.bit(109);
  C.WriteBarrier = Barrier(110);
  C.ReadBarrier = Barrier(113);
  C.WaitMask = unsigned(E.bits(116, 6));
  C.ReuseMask = unsigned(E.bits(122, 4));
  return C;
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

/// From which architecture on there are more than 63 uniform registers.
constexpr unsigned FirstWithMore = 100;

class Decoder {
public:
  Decoder(Encoding E, unsigned Architecture, uint64_t Address,
          MachineInstruction &I)
      : E(E), Architecture(Architecture), Address(Address), I(I),
        F(Form(E.bits(9, 3))) {}

  void decode(const OperationRow &Row);

private:
  Encoding E;
  unsigned Architecture;
  uint64_t Address;
  MachineInstruction &I;
  Form F;

  bool thirdIsOther() const {
    return F == Form::ThirdImmediate || F == Form::ThirdConstant ||
           F == Form::ThirdUniform;
  }
  bool holds(const OperandRow &O) const;
  MachineOperand &add(OperandKind Kind, unsigned Number, int64_t Value = 0) {
    MachineOperand &O = I.Operands.emplace_back();
    O.Kind = Kind;
    O.Number = Number;
    O.Value = Value;
    return O;
  }
  unsigned uniformAt(unsigned Lowest) const;
  void sign(MachineOperand &O, const OperandRow &Row, unsigned Place) const;
  void addRegister(const OperandRow &Row, unsigned Place, unsigned Slot);
  void addOther(const OperandRow &Row);
  void addImmediate(char Type);
  void addUniformSource(const OperandRow &Row);
  void addSource(const OperandRow &Row);
  void addPredicate(unsigned Lowest, bool IsUniform, bool MayBeNegated);
  void addConstant(bool MayBeIndexed);
  void addUniformConstant(unsigned Lowest);
  void addCopyAddress(bool IsShared);
  void addUniformAddress(StringRef Name);
  void addBarrier();
  void addAddress(StringRef Name);
  void addTarget(StringRef Name);
  void addShuffle();
  void addHalf(const OperandRow &Row);
  void addNamed(const OperandRow &Row);
  void addModifier(const ModifierRow &M);
  void addMultiplyAlias();
  void addWarpgroupShape();
};

} // namespace

bool Decoder::holds(const OperandRow &O) const {
  constexpr unsigned Result = 2;
  switch (O.Condition) {
  case OperandRow::Always:
    return true;
  case OperandRow::NotTrue:
    return E.bits(O.Lowest, 3) != PredicateTrue;
  case OperandRow::NotZero:
    return O.IsUniform ? uniformAt(O.Lowest) != UniformZero
                       : E.bits(O.Lowest, 8) != MachineOperand::RegisterZero;
  case OperandRow::IfCounted:
    return E.bits(42, 12) != 0;
  case OperandRow::IfX:
    return E.bit(XBit);
  case OperandRow::IfEX:
    return E.bit(EXBit);
  case OperandRow::IfThird:
    return E.bit(HighBit) && !E.bit(SignExtendedBit);
  case OperandRow::IfResult:
    return E.bits(78, 2) == Result;
  case OperandRow::IfDiverging:
    return E.bit(UniformBit);
  case OperandRow::IfDeferred:
    return E.bit(HighBit);
  }
  return true;
}

/// Before, their numbers have six bits.
unsigned Decoder::uniformAt(unsigned Lowest) const {
  constexpr unsigned FewerZero = 63;
  const auto Number = unsigned(E.bits(Lowest, 8));
  if (Architecture >= FirstWithMore)
    return Number;
  return (Number & FewerZero) == FewerZero ? UniformZero : Number & FewerZero;
}

void Decoder::sign(MachineOperand &O, const OperandRow &Row,
                   unsigned Place) const {
  const SignBits Bits = signBits(Place);
  O.Absolute = Row.MayBeAbsolute && E.bit(Bits.Absolute);
  if (!Row.MayBeNegated || !E.bit(Bits.Negation))
    return;
  const bool Inverts = Row.IsAlwaysInverted || (Row.IsInverted && E.bit(XBit));
  (Inverts ? O.Inverted : O.Negated) = true;
}

void Decoder::addRegister(const OperandRow &Row, unsigned Place,
                          unsigned Slot) {
  MachineOperand &O = add(OperandKind::Register, unsigned(E.bits(Place, 8)));
  O.Reused = E.bit(122 + Slot);
  sign(O, Row, Place);
}

void Decoder::addImmediate(char Type) {
  const auto Bits = uint32_t(E.bits(SecondAt, 32));
  switch (Type) {
  case 'u':
    add(OperandKind::Hexadecimal, 0, Bits);
    break;
  case 'f':
    add(OperandKind::Float, 0, Bits);
    break;
  case 'd':
    add(OperandKind::Double, 0, Bits);
    break;
  case 'h': {
    const auto Kind = llvm::is_contained(I.Modifiers, "BF16_V2")
                          ? OperandKind::BFloat
                          : OperandKind::Half;
    add(Kind, 0, Bits >> 16);
    add(Kind, 0, Bits & 0xffff);
    break;
  }
  default:
    add(OperandKind::Integer, 0, int32_t(Bits));
  }
}

/// The source that the form says is no register; it lies at bit 32.
void Decoder::addOther(const OperandRow &Row) {
  switch (F) {
  case Form::ThirdImmediate:
  case Form::SecondImmediate:
    return addImmediate(Row.ImmediateType);
  case Form::ThirdConstant:
  case Form::SecondConstant:
    addConstant(/*MayBeIndexed=*/false);
    break;
  default:
    add(OperandKind::Uniform, uniformAt(SecondAt));
  }
  sign(I.Operands.back(), Row, SecondAt);
}

void Decoder::addUniformSource(const OperandRow &Row) {
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
  sign(add(OperandKind::Uniform, uniformAt(Place)), Row, Place);
}

void Decoder::addSource(const OperandRow &Row) {
  constexpr unsigned FirstSlot = 0, SecondSlot = 1, ThirdSlot = 2;
  if (Row.IsUniform)
    return addUniformSource(Row);
  switch (Row.Kind) {
  case OperandRow::First:
    return addRegister(Row, FirstAt, FirstSlot);
  case OperandRow::Second:
    if (thirdIsOther())
      return addRegister(Row, ThirdAt, SecondSlot);
    return F == Form::Registers ? addRegister(Row, SecondAt, SecondSlot)
                                : addOther(Row);
  case OperandRow::Third:
    return thirdIsOther() ? addOther(Row)
                          : addRegister(Row, ThirdAt, ThirdSlot);
  default:
    if (F != Form::Registers)
      return addOther(Row);
    return Row.IsHigh
               ? addRegister(Row, ThirdAt, ThirdSlot)
               : addRegister(Row, SecondAt,
                             Row.SharesThirdSlot ? ThirdSlot : SecondSlot);
  }
}

void Decoder::addPredicate(unsigned Lowest, bool IsUniform, bool MayBeNegated) {
  MachineOperand &O =
      add(IsUniform ? OperandKind::UniformPredicate : OperandKind::Predicate,
          unsigned(E.bits(Lowest, 3)));
  O.Inverted = MayBeNegated && E.bit(Lowest + 3);
}

/// c[bank][offset]; of LDCU the offset begins a bit lower.
void Decoder::addConstant(bool MayBeIndexed) {
  MachineOperand &O = add(OperandKind::Constant, unsigned(E.bits(54, 5)),
                          int64_t(E.bits(38, 16)));
  if (!MayBeIndexed)
    return;
  const auto Index = unsigned(E.bits(FirstAt, 8));
  if (Index != MachineOperand::RegisterZero || O.Value == 0) {
    O.Offset = Index;
    O.Value = llvm::SignExtend64<16>(uint64_t(O.Value));
  }
}

/// The same with a uniform register as index.
void Decoder::addUniformConstant(unsigned Lowest) {
  MachineOperand &O = add(OperandKind::Constant, unsigned(E.bits(54, 5)),
                          int64_t(E.bits(Lowest, 54 - Lowest)));
  O.IsUniformIndex = true;
  const unsigned Index = uniformAt(FirstAt);
  if (Index != UniformZero || O.Value == 0)
    O.Offset = Index;
}

/// A register, what it is multiplied by, a uniform register, an offset; or a
/// register of 64 bits and the descriptor of the memory.
void Decoder::addAddress(StringRef Name) {
  constexpr unsigned FirstWithDescriptors = 80, FirstWithShown = 90,
                     WideBit = 90, CacheHintBit = 101;
  if (Name.starts_with("[U"))
    return addUniformAddress(Name);
  if (Name == "[cs]" || Name == "[cg]")
    return addCopyAddress(Name == "[cs]");
  const bool IsGlobal = Name.starts_with("[g");
  const bool IsLoad = Name.ends_with("l]");
  MachineOperand &O = add(OperandKind::Memory, unsigned(E.bits(FirstAt, 8)),
                          llvm::SignExtend64<24>(E.bits(40, 24)));
  if (Name == "[sl]" || Name == "[ss]") {
    constexpr unsigned Scales[] = {0, 4, 8, 16};
    O.Scale = Scales[E.bits(78, 2)];
  }
  if (!E.bit(UniformBit)) {
    if (Name.starts_with("[gz"))
      O.Value = llvm::SignExtend64<32>(E.bits(SecondAt, 32));
    return;
  }
  const unsigned Place = IsLoad ? SecondAt : ThirdAt;
  if (!IsGlobal) {
    O.Offset = uniformAt(Place);
    O.ShowsZeroOffset = true;
    return;
  }
  // Of atomics that bit says what they do.
  const bool IsAtomic = Name.starts_with("[ga");
  if (IsAtomic && Architecture >= FirstWithMore)
    O.Value = llvm::SignExtend64<23>(E.bits(40, 23));
  const unsigned LaterWideBit = Name == "[gafs]" ? WideBit : 76;
  const bool IsWide = E.bit(!IsAtomic                       ? WideBit
                            : Architecture >= FirstWithMore ? LaterWideBit
                                                            : 70);
  O.Width = IsWide ? MachineOperand::Bits64 : MachineOperand::Bits32;
  if (!IsWide || Architecture < FirstWithDescriptors)
    O.Offset = uniformAt(Place);
  else if (Architecture >= FirstWithShown || E.bit(CacheHintBit))
    O.Descriptor = uniformAt(Place);
}

/// "[U24]", "[U24+]" with an offset.
void Decoder::addUniformAddress(StringRef Name) {
  unsigned Place = 0;
  const bool HasOffset = Name.contains('+');
  (void)Name.drop_front(2).consumeInteger(10, Place);
  MachineOperand &O =
      add(OperandKind::Memory, MachineOperand::RegisterZero,
          HasOffset ? llvm::SignExtend64<24>(E.bits(40, 24)) : 0);
  O.Offset = uniformAt(Place);
  O.ShowsZeroOffset = true;
}

/// Of a copy from global to shared memory.
void Decoder::addCopyAddress(bool IsShared) {
  constexpr unsigned FirstWithShown = 90;
  if (IsShared) {
    add(OperandKind::Memory, unsigned(E.bits(16, 8)),
        llvm::SignExtend64<20>(E.bits(44, 20)));
    return;
  }
  MachineOperand &O = add(OperandKind::Memory, unsigned(E.bits(FirstAt, 8)),
                          llvm::SignExtend64<12>(E.bits(32, 12)));
  O.Width = MachineOperand::Bits64;
  if (Architecture >= FirstWithShown)
    O.Descriptor = uniformAt(ThirdAt);
}

/// Bytes from the next instruction on.
void Decoder::addTarget(StringRef Name) {
  constexpr unsigned FirstWithSplit = 90;
  int64_t Distance = 0;
  if (Name == "target") // of BSSY
    Distance = llvm::SignExtend64<30>(E.bits(34, 30)) * 4;
  else if (Architecture < FirstWithSplit)
    Distance = llvm::SignExtend64<48>(E.bits(34, 48)) * 4;
  else
    Distance = llvm::SignExtend64<56>(E.bits(34, 48) << 8 | E.bits(16, 8)) * 4;
  add(OperandKind::Target, 0,
      int64_t(Address) + int64_t(InstructionBytes) + Distance);
}

void Decoder::addShuffle() {
  OperandRow Plain;
  if (F == Form::Registers || F == Form::ThirdImmediate)
    addRegister(Plain, SecondAt, 1);
  else
    add(OperandKind::Integer, 0, int64_t(E.bits(53, 5)));
  if (F == Form::Registers || F == Form::SecondImmediate)
    addRegister(Plain, ThirdAt, 2);
  else
    add(OperandKind::Integer, 0, int64_t(E.bits(40, 13)));
}

/// "halfa-|": a source whose halves can be chosen; its signs lie elsewhere if
/// it is the third one.
void Decoder::addHalf(const OperandRow &Row) {
  StringRef Name = Row.Name;
  Name.consume_front("half");
  OperandRow Signed = Row;
  Signed.MayBeNegated = Name.contains('-');
  Signed.MayBeAbsolute = Name.contains('|');
  Signed.ImmediateType = 'h';
  const char Which = Name.front();
  const bool MayBeOther = Which != 'a';
  if (MayBeOther && F != Form::Registers &&
      (Which == 's' || Which == 't' || (Which == 'c') == thirdIsOther())) {
    addOther(Signed);
    if (I.Operands.back().Kind == OperandKind::Uniform ||
        I.Operands.back().Kind == OperandKind::Constant)
      I.Operands.back().Part = MachineOperand::PartTy(E.bits(60, 2));
    return;
  }
  const bool IsThird = Which == 'c' || (Which == 'b' && thirdIsOther());
  const unsigned Place = Which == 'a' ? FirstAt : IsThird ? ThirdAt : SecondAt;
  const unsigned Slot = Which == 'a' ? 0 : Which == 'c' || Which == 't' ? 2 : 1;
  const unsigned Select = Place == FirstAt ? 74 : Place == SecondAt ? 60 : 81;
  MachineOperand &O = add(OperandKind::Register, unsigned(E.bits(Place, 8)));
  O.Reused = E.bit(122 + Slot);
  O.Part = MachineOperand::PartTy(E.bits(Select, 2));
  const SignBits Bits = Place == ThirdAt ? SignBits{84, 83} : signBits(Place);
  O.Negated = Signed.MayBeNegated && E.bit(Bits.Negation);
  O.Absolute = Signed.MayBeAbsolute && E.bit(Bits.Absolute);
}

/// The number of a barrier of the block, and of the threads it waits for.
void Decoder::addBarrier() {
  if (F == Form::SecondImmediate || F == Form::SecondConstant) {
    add(OperandKind::Hexadecimal, 0, int64_t(E.bits(54, 4)));
  } else {
    add(OperandKind::Register, unsigned(E.bits(SecondAt, 8)));
  }
}

void Decoder::addNamed(const OperandRow &Row) {
  constexpr unsigned LookupOfPredicates = 72;
  const StringRef Name = Row.Name;
  if (Name == "const") {
    addConstant(/*MayBeIndexed=*/false);
  } else if (Name == "ldc") {
    addConstant(/*MayBeIndexed=*/true);
  } else if (Name == "label" || Name == "target") {
    addTarget(Name);
  } else if (Name == "return") {
    add(OperandKind::Register, unsigned(E.bits(FirstAt, 8)));
    addTarget(Name);
  } else if (Name == "special") {
    add(OperandKind::Special, unsigned(E.bits(72, 8)));
  } else if (Name == "pr" || Name == "upr") {
    add(OperandKind::AllPredicates, Name == "upr");
  } else if (Name == "shfl") {
    addShuffle();
  } else if (Name.starts_with("B")) {
    unsigned Lowest = 0;
    (void)Name.drop_front().getAsInteger(10, Lowest);
    add(OperandKind::Barrier, unsigned(E.bits(Lowest, 4)));
  } else if (Name == "P68?" || Name == "Q68?") {
    // PLOP3's last source, and its two tables.
    addPredicate(68, Name.front() == 'Q' || E.bit(67), /*MayBeNegated=*/true);
    add(OperandKind::Hexadecimal, 0,
        int64_t(E.bits(LookupOfPredicates, 5) << 3 | E.bits(64, 3)));
    add(OperandKind::Hexadecimal, 0, int64_t(E.bits(16, 8)));
  } else if (Name.starts_with("half")) {
    addHalf(Row);
  } else if (Name == "ldcu") {
    addUniformConstant(37);
  } else if (Name == "uldc") {
    addUniformConstant(38);
  } else if (Name == "bar") {
    addBarrier();
  } else if (Name == "sb") {
    add(OperandKind::Scoreboard, unsigned(E.bits(44, 3)));
  } else if (Name == "gsb") {
    constexpr unsigned None = 7;
    if (const auto Number = unsigned(E.bits(84, 3)); Number != None)
      add(OperandKind::WarpgroupBoard, Number);
  } else if (Name == "gsb0") {
    add(OperandKind::WarpgroupBoard, 0);
  } else if (Name == "gdesc24" || Name == "gdesc32") {
    const bool IsSecond = Name == "gdesc32";
    add(OperandKind::MatrixDescriptor, uniformAt(IsSecond ? SecondAt : FirstAt),
        E.bit(62));
  } else if (Name == "accumulates") { // whether what was there is added to
    constexpr unsigned All = 7;
    const auto Number = unsigned(E.bits(87, 3)) ^ All;
    if (Number != All || E.bit(90))
      add(OperandKind::UniformPredicate, Number).Inverted = E.bit(90);
  } else if (Name == "rows" || Name == "columns") {
    OperandRow Plain;
    const bool IsFirst = Name == "rows";
    addRegister(Plain, IsFirst ? FirstAt : SecondAt, IsFirst ? 0 : 1);
    I.Operands.back().Part =
        IsFirst ? MachineOperand::Rows : MachineOperand::Columns;
  } else if (Name == "diverging") {
    add(OperandKind::Uniform, uniformAt(FirstAt)).Inverted =
        Architecture < 90 && E.bit(30);
  } else if (Name == "upper" || Name == "packed") {
    // Of MUFU the upper half of a register, of F2FP likewise.
    OperandRow Plain;
    const bool IsSpecial = Name == "upper";
    Plain.MayBeNegated = Plain.MayBeAbsolute = IsSpecial;
    Plain.ImmediateType = 'f';
    if (F == Form::Registers)
      addRegister(Plain, SecondAt, 1);
    else
      addOther(Plain);
    if (IsSpecial ? E.bits(72, 2) != 0 && E.bit(60) : E.bit(88))
      I.Operands.back().Part = MachineOperand::Upper;
  } else if (Name == "after") {
    add(OperandKind::Target, 0,
        int64_t(Address) + int64_t(InstructionBytes) +
            llvm::SignExtend64<40>(E.bits(24, 40)));
  } else if (Name == "relative") {
    addTarget("label");
    MachineOperand &O = I.Operands.back();
    O.Kind = OperandKind::RelativeAddress;
    O.Value -= int64_t(Address) + int64_t(InstructionBytes);
  }
}

/// IMAD has other names where it moves, adds or shifts.
void Decoder::addMultiplyAlias() {
  constexpr unsigned Zero = MachineOperand::RegisterZero;
  constexpr uint32_t UpperHalf = 0x10000; // which has no other name
  if (E.bit(XBit))
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

/// "64x128x16": eight columns for each one of a field.
void Decoder::addWarpgroupShape() {
  static constexpr StringRef Shapes[] = {
      "64x8x16",   "64x16x16",  "64x24x16",  "64x32x16",  "64x40x16",
      "64x48x16",  "64x56x16",  "64x64x16",  "64x72x16",  "64x80x16",
      "64x88x16",  "64x96x16",  "64x104x16", "64x112x16", "64x120x16",
      "64x128x16", "64x136x16", "64x144x16", "64x152x16", "64x160x16",
      "64x168x16", "64x176x16", "64x184x16", "64x192x16", "64x200x16",
      "64x208x16", "64x216x16", "64x224x16", "64x232x16", "64x240x16",
      "64x248x16", "64x256x16"};
  const auto Number = size_t(E.bits(53, 5));
  I.Modifiers.push_back(Shapes[Number]);
}

void Decoder::addModifier(const ModifierRow &M) {
  if (M.Kind == ModifierRow::Word)
    return I.Modifiers.push_back(M.Text);
  if (M.Kind == ModifierRow::Rule) {
    if (M.Text == "IMAD")
      addMultiplyAlias();
    else if (M.Text == "WarpgroupShape")
      addWarpgroupShape();
    return;
  }
  unsigned Value = 0, Shift = 0;
  for (auto [Lowest, Width] : M.Parts) {
    Value |= unsigned(E.bits(Lowest, Width)) << Shift;
    Shift += Width;
  }
  static constexpr StringRef Unknown = "?";
  // A number of a field whose values are numbers.
  const StringRef Word = Value < M.Words.size() ? M.Words[Value] : Unknown;
  if (!Word.empty())
    I.Modifiers.push_back(Word);
}

void Decoder::decode(const OperationRow &Row) {
  for (const ModifierRow &M : Row.Modifiers)
    addModifier(M);
  for (const OperandRow &O : Row.Operands) {
    if (!holds(O))
      continue;
    switch (O.Kind) {
    case OperandRow::Register:
      if (O.IsUniform)
        add(OperandKind::Uniform, uniformAt(O.Lowest));
      else
        add(OperandKind::Register, unsigned(E.bits(O.Lowest, 8))).Reused =
            (O.Lowest == FirstAt && E.bit(122)) ||
            (O.Lowest == SecondAt && E.bit(123)) ||
            (O.Lowest == ThirdAt && E.bit(124));
      break;
    case OperandRow::First:
    case OperandRow::Second:
    case OperandRow::Third:
    case OperandRow::Special:
      addSource(O);
      break;
    case OperandRow::Predicate:
      addPredicate(O.Lowest, O.IsUniform, O.MayBeNegated);
      break;
    case OperandRow::Immediate: {
      const uint64_t Value = E.bits(O.Lowest, O.Width);
      add(O.Width > 32 && !O.IsSigned ? OperandKind::Hexadecimal
                                      : OperandKind::Integer,
          0, O.IsSigned ? llvm::SignExtend64(Value, O.Width) : int64_t(Value));
      break;
    }
    case OperandRow::Address:
      addAddress(O.Name);
      break;
    case OperandRow::Other:
      addNamed(O);
      break;
    }
  }
}

MachineInstruction sass::decode(Encoding E, unsigned Architecture,
                                uint64_t Address) {
  MachineInstruction I;
  I.Control = controlOf(E);
  I.Guard = unsigned(E.bits(12, 3));
  I.GuardIsNegated = E.bit(15);
  I.Operation = findOperation(E, Architecture);
  if (!I.Operation)
    return I;
  I.GuardIsUniform = I.Operation->IsUniform;
  Decoder(E, Architecture, Address, I).decode(*I.Operation);
  return I;
}
