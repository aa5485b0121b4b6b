//===- MachineGraph.cpp - Machine registers in SSA form -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MachineGraph.h"
#include "Codec.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value *MachineGraph::read(const Instruction &I, unsigned Number) {
  for (Value *V : I.Uses)
    if (V->Register == Number)
      return V;
  return nullptr;
}

Value *MachineGraph::written(const Instruction &I, unsigned Number) {
  for (Value *V : I.Defs)
    if (V->Register == Number)
      return V;
  return nullptr;
}

Value *MachineGraph::seenBy(const Instruction &I, Value *V) {
  while (I.HasGuard && V && V->Def && V->Def->isSelect() &&
         V->Def->Uses[0] == I.Guard && V->Def->GuardNegated == I.GuardNegated)
    V = V->Def->Uses[1];
  return V;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

MachineGraph::MachineGraph(TextCode &Code, uint64_t Entry,
                           const LocalFunctions &Others)
    : Code(Code), Entry(Entry), Others(Others), B(G) {}

void MachineGraph::findLeaders() {
  IsLeader.assign(Code.bytes() / InstructionBytes + 1, false);
  IsLeader[Entry / InstructionBytes] = true;
  for (const unsigned At : Code.control().set_bits()) {
    const MachineInstruction &I = Code.at(uint64_t(At) * InstructionBytes);
    if (const std::optional<uint64_t> To = jumpTarget(I); To && Code.isIn(*To))
      IsLeader[*To / InstructionBytes] = true;
    if (endsBlock(I) || I.mnemonic() == "CALL")
      IsLeader[At + 1] = true;
  }
  for (const CubinJump &J : Code.function().Jumps)
    for (const uint64_t To : J.Targets)
      if (Code.isIn(To))
        IsLeader[To / InstructionBytes] = true;
}

Block *MachineGraph::blockAt(const Region &R, uint64_t Address) {
  Block *&Known = Blocks[{&R, Address}];
  if (!Known) {
    Known = B.block("", &Keys.emplace_back());
    Addresses[Known] = {Address, R.Number};
  }
  return Known;
}

/// Whether a subroutine is for denormal numbers, infinities and the like, by
/// its name.
static bool isForRareNumbers(StringRef Name) {
  return Name.contains("slowpath") || Name.contains("mediumpath") ||
         Name.ends_with("_f64_full");
}

bool MachineGraph::isUnlikely(const Block &Of) const {
  const auto At = addressOf(Of);
  if (At && Regions[At->second].IsUnlikely)
    return true;
  // What does nothing but to call it.
  return Of.Successors.size() == 1 && Of.Successors[0] != &Of &&
         Of.terminator() && machineOf(*Of.terminator()) &&
         machineOf(*Of.terminator())->mnemonic() == "CALL" &&
         isUnlikely(*Of.Successors[0]);
}

/// The clone that a call goes to; null if it is none of a subroutine, or that
/// is a function of its own.
const MachineGraph::Region *MachineGraph::callOf(const Region &R,
                                                 uint64_t Address) {
  const std::optional<uint64_t> To = Code.subroutineAt(Address);
  if (!To || Others.at(*To))
    return nullptr;
  Regions.push_back({&R, *To, Address + InstructionBytes,
                     unsigned(Regions.size()),
                     R.IsUnlikely || isForRareNumbers(Code.nameOf(*To))});
  return &Regions.back();
}

void MachineGraph::addJump(const Region &R, uint64_t To) {
  Place P;
  P.Address = To;
  Places.push_back(P);
  Operand O;
  O.Kind = Operand::KindTy::Target;
  O.Role = OperandRole::Label;
  O.Dest = blockAt(R, To);
  InstructionInfo Info;
  Info.IsBranch = true;
  Info.Line = unsigned(Places.size());
  Info.Operands = O;
  B.append(Info);
}

void MachineGraph::add(const Region &R, uint64_t Address) {
  const MachineInstruction &I = Code.at(Address);
  Place P;
  P.Machine = &I;
  P.Bits = Code.bitsAt(Address);
  P.Address = Address;
  const bool IsControl = Code.isControl(Address);
  P.IsFallThrough = (IsControl && isNeverTaken(I)) ||
                    (I.Guard == PredicateTrue && I.GuardIsNegated); // @!PT
  InstructionInfo Info;
  Info.Line = unsigned(Places.size() + 1);
  SmallVector<Operand, 12> Operands;
  auto AddRegister = [&](unsigned Number, OperandRole Role) {
    Operand O;
    O.Kind = Operand::KindTy::Register;
    O.Role = Role;
    O.RegisterIndex = Number;
    O.Type = machine::isPredicate(Number) ? ScalarType::Pred : ScalarType::B32;
    Operands.push_back(O);
  };
  const StringRef Name = I.mnemonic();
  // Who calls a function of its own knows where it goes on.
  const bool EndsFunction =
      IsControl && Name == "RET" && !R.Caller && Entry != 0;
  if (EndsFunction)
    for (const unsigned Number : Others.at(Entry)->Interface.Results)
      AddRegister(Number, OperandRole::Read);
  else
    forEachRegister(I, architecture(), [&](unsigned Number, bool IsWritten) {
      AddRegister(Number, IsWritten ? OperandRole::Write : OperandRole::Read);
    });
  Info.Guard = guardOf(I);
  Info.GuardNegated = Info.Guard && I.GuardIsNegated;
  const MachineOperand *Condition = IsControl ? conditionOf(I) : nullptr;
  if (Condition && !Info.Guard) {
    if (Condition->Number == PredicateTrue) { // never
      P.IsFallThrough = true;
    } else {
      Info.Guard = machine::numberOf(Condition->Kind == OperandKind::Predicate
                                         ? RegisterFile::Predicate
                                         : RegisterFile::UniformPredicate,
                                     Condition->Number);
      Info.GuardNegated = Condition->Inverted;
    }
  }
  std::optional<Block *> To;
  if (IsControl && !P.IsFallThrough) {
    if (const Region *Called = callOf(R, Address))
      To = blockAt(*Called, Called->Entry);
    else if ((Name == "BRA" || Name == "CALL") && jumpTarget(I) &&
             Code.isIn(*jumpTarget(I)) &&
             (Name == "BRA" || !Code.returns(*jumpTarget(I))))
      To = blockAt(R, *jumpTarget(I));
    else if (Name == "RET" && R.Caller)
      To = blockAt(*R.Caller, R.ReturnsTo);
    else if (const CubinJump *J =
                 Name.starts_with("BRX") ? Code.jumpAt(Address) : nullptr) {
      SmallVector<Operand, 8> All;
      for (const uint64_t Target : J->Targets) {
        Operand O;
        O.Kind = Operand::KindTy::Target;
        O.Role = OperandRole::Label;
        O.Dest = blockAt(R, Target);
        All.push_back(O);
      }
      Operand O;
      O.Kind = Operand::KindTy::List;
      O.Role = OperandRole::Label;
      O.Bits = 0;
      O.Elements = B.keep(All);
      Operands.push_back(O);
      Info.IsBranch = true;
    } else
      Info.IsExit = endsBlock(I);
  }
  if (IsControl && !To && Name == "CALL") {
    P.Callee = calleeAt(Address);
    if (P.Callee) {
      for (const unsigned Number : P.Callee->Interface.Arguments)
        AddRegister(Number, OperandRole::Read);
      for (const unsigned Number : P.Callee->Interface.Results)
        AddRegister(Number, OperandRole::Write);
    } else {
      forEachRegisterOfUnknownCall([&](unsigned Number, bool IsWritten) {
        AddRegister(Number, IsWritten ? OperandRole::Write : OperandRole::Read);
      });
    }
  }
  if (To) {
    Info.IsBranch = true;
    Operand O;
    O.Kind = Operand::KindTy::Target;
    O.Role = OperandRole::Label;
    O.Dest = *To;
    Operands.push_back(O);
  }
  Info.Operands = Operands;
  Places.push_back(P);
  B.append(Info);
}

/// The function of its own that is called at \p Address, if it is known what it
/// takes; else null.
const LocalFunction *MachineGraph::calleeAt(uint64_t Address) {
  const std::optional<uint64_t> To = Code.subroutineAt(Address);
  const LocalFunction *F = To ? Others.at(*To) : nullptr;
  return F && F->Interface.IsKnown ? F : nullptr;
}

void MachineGraph::addRegion(const Region &R) {
  const std::vector<uint64_t> All = Code.reachedFrom(R.Entry);
  bool IsOpen = false;
  uint64_t Last = 0;
  for (const uint64_t Address : All) {
    const bool IsNext = IsOpen && Address == Last + InstructionBytes;
    if (IsOpen && !IsNext)
      addJump(R, Last + InstructionBytes);
    if (IsLeader[Address / InstructionBytes] || !IsNext)
      B.startBlock(blockAt(R, Address), 0);
    add(R, Address);
    IsOpen = true;
    Last = Address;
  }
}

bool MachineGraph::build() {
  findLeaders();
  for (unsigned R = 0; R != machine::NumRegisters; ++R)
    B.addRegister(machine::nameOf(R),
                  machine::isPredicate(R) ? ScalarType::Pred : ScalarType::B32);
  Regions.push_back({nullptr, Entry, 0, 0, false});
  if (Entry != 0) {
    for (const unsigned R : Others.at(Entry)->Interface.ownArguments())
      B.markArgument(R);
    addJump(Regions.front(), Entry); // it need not be the first that is there
  }
  size_t Next = 0;
  while (Next != Regions.size()) // it grows
    addRegion(Regions[Next++]);
  // What a clone returns to may be behind the end of the code.
  return B.finish();
}

void MachineGraph::drop() {
  G.dropBody();
  Places = {};
  Blocks.clear();
  Addresses.shrink_and_clear();
}

//===----------------------------------------------------------------------===//
// The stack
//===----------------------------------------------------------------------===//

/// R1 behind \p V's definition, from what it is at the entry on.
std::optional<int64_t> MachineGraph::stackOffset(const Value *V) const {
  constexpr unsigned Enough = 256; // steps back to the entry
  int64_t Offset = 0;
  for (unsigned N = 0; V && N != Enough; ++N) {
    const Instruction *Def = V->Def;
    if (!Def)
      return Offset;
    if (Def->isPseudo()) { // one as well as the other
      V = Def->isPhi() ? Def->Uses.front() : Def->Uses[1];
      continue;
    }
    const MachineInstruction *I = machineOf(*Def);
    if (I && startsStack(*I))
      return Offset;
    const std::optional<int64_t> Step = I ? stackStep(*I) : std::nullopt;
    if (!Step)
      return std::nullopt;
    Offset += *Step;
    V = read(*Def, machine::StackPointer);
  }
  return std::nullopt;
}

uint64_t MachineGraph::frameBytes() const {
  int64_t Least = 0;
  for (const Value *V : G.Values)
    if (V->Register == machine::StackPointer)
      Least = std::min(Least, stackOffset(V).value_or(0));
  return uint64_t(-Least);
}
