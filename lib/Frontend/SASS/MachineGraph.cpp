//===- MachineGraph.cpp - Machine registers in SSA form -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MachineGraph.h"
#include "OperationTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <array>

using namespace ptxpredict;
using namespace ptxpredict::sass;

StringRef machine::nameOf(unsigned Number) {
  static const std::array<std::string, NumRegisters> Names = [] {
    std::array<std::string, NumRegisters> N;
    for (unsigned R = 0; R != NumRegisters; ++R)
      N[R] = R >= FirstUniformPredicate
                 ? "UP" + std::to_string(R - FirstUniformPredicate)
             : R >= FirstPredicate ? "P" + std::to_string(R - FirstPredicate)
             : R >= FirstUniform   ? "UR" + std::to_string(R - FirstUniform)
                                   : "R" + std::to_string(R);
    return N;
  }();
  return Names[Number];
}

//===----------------------------------------------------------------------===//
// What branches say
//===----------------------------------------------------------------------===//

std::optional<uint64_t> sass::jumpTarget(const MachineInstruction &I) {
  const StringRef Name = I.mnemonic();
  if (Name != "BRA" && Name != "CALL")
    return std::nullopt;
  for (const MachineOperand &O : I.Operands)
    if (O.Kind == OperandKind::Target)
      return uint64_t(O.Value);
  return std::nullopt;
}

bool sass::endsBlock(const MachineInstruction &I) {
  const StringRef Name = I.mnemonic();
  return Name == "BRA" || Name == "EXIT" || Name == "RET" || Name == "BRX" ||
         Name == "BRXU" || Name == "BPT";
}

const MachineOperand *sass::conditionOf(const MachineInstruction &I) {
  constexpr unsigned True = 7;
  const StringRef Name = I.mnemonic();
  if (Name != "BRA" && Name != "EXIT")
    return nullptr;
  for (const MachineOperand &O : I.Operands)
    if ((O.Kind == OperandKind::Predicate ||
         O.Kind == OperandKind::UniformPredicate) &&
        (O.Number != True || O.Inverted))
      return &O;
  return nullptr;
}

/// A branch that only lanes without others take: those that are together need
/// not, and compute the same.
static bool isNeverTaken(const MachineInstruction &I) {
  return I.mnemonic() == "BRA" && I.has("DIV");
}

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

MachineGraph::MachineGraph(const CubinImage &Image, const CubinFunction &F)
    : Image(Image), F(F), B(G) {}

void MachineGraph::decodeAll() {
  const StringRef Text = Image.codeOf(F);
  const size_t N = Text.size() / InstructionBytes;
  Code.reserve(N);
  Bits.reserve(N);
  for (size_t At = 0; At != N; ++At) {
    const char *Bytes = Text.data() + At * InstructionBytes;
    const Encoding E{llvm::support::endian::read64le(Bytes),
                     llvm::support::endian::read64le(Bytes + 8)};
    Bits.push_back(E);
    decodeInto(Code.emplace_back(), E, architecture(), At * InstructionBytes);
  }
  IsLeader.assign(N + 1, false);
  if (N != 0)
    IsLeader[0] = true;
  for (size_t At = 0; At != N; ++At) {
    const MachineInstruction &I = Code[At];
    if (const std::optional<uint64_t> To = jumpTarget(I); To && isIn(*To))
      IsLeader[*To / InstructionBytes] = true;
    if (endsBlock(I) || I.mnemonic() == "CALL")
      IsLeader[At + 1] = true;
  }
  for (const CubinJump &J : F.Jumps)
    for (const uint64_t To : J.Targets)
      if (isIn(To))
        IsLeader[To / InstructionBytes] = true;
}

const CubinJump *MachineGraph::jumpAt(uint64_t Address) const {
  auto It = llvm::find_if(
      F.Jumps, [&](const CubinJump &J) { return J.Address == Address; });
  return It != F.Jumps.end() && !It->Targets.empty() &&
                 llvm::all_of(It->Targets,
                              [&](uint64_t To) { return isIn(To); })
             ? &*It
             : nullptr;
}

Block *MachineGraph::blockAt(const Region &R, uint64_t Address) {
  Block *&Known = Blocks[{&R, Address}];
  if (!Known) {
    Known = B.block("", &Keys.emplace_back());
    Addresses[Known] = {Address, R.Number};
  }
  return Known;
}

/// Whether a call of \p Entry comes back; else it is a jump.
bool MachineGraph::returns(uint64_t Entry) {
  auto [It, IsNew] = Returns.try_emplace(Entry, false);
  if (!IsNew)
    return It->second;
  Region Of;
  Of.Caller = &Of; // whoever
  Of.Entry = Entry;
  return It->second = llvm::any_of(codeOf(Of), [&](uint64_t Address) {
           return at(Address).mnemonic() == "RET";
         });
}

/// The code of a subroutine: what its entry reaches, calls taken to return.
std::vector<uint64_t> MachineGraph::codeOf(const Region &R) {
  std::vector<uint64_t> All;
  if (!R.Caller) {
    for (size_t At = 0; At != Code.size(); ++At)
      All.push_back(At * InstructionBytes);
    return All;
  }
  std::vector<bool> Seen(Code.size());
  std::vector<uint64_t> Work{R.Entry};
  while (!Work.empty()) {
    uint64_t At = Work.back();
    Work.pop_back();
    for (; isIn(At) && !Seen[At / InstructionBytes]; At += InstructionBytes) {
      Seen[At / InstructionBytes] = true;
      All.push_back(At);
      const MachineInstruction &I = at(At);
      if (I.mnemonic() == "BRA" && !isNeverTaken(I))
        if (const std::optional<uint64_t> To = jumpTarget(I))
          Work.push_back(*To);
      constexpr unsigned True = 7;
      if (const CubinJump *J = jumpAt(At))
        llvm::append_range(Work, J->Targets);
      const std::optional<uint64_t> Called =
          I.mnemonic() == "CALL" ? jumpTarget(I) : std::nullopt;
      const bool Jumps = Called && isIn(*Called) && !returns(*Called);
      if (Jumps)
        Work.push_back(*Called);
      if ((endsBlock(I) || Jumps) && I.Guard == True && !conditionOf(I) &&
          !isNeverTaken(I))
        break;
    }
  }
  llvm::sort(All);
  return All;
}

/// Whether the subroutine of \p Text at \p Entry is for denormal numbers,
/// infinities and the like, by its name.
static bool isForRareNumbers(const CubinSection &Text, uint64_t Entry) {
  auto It = llvm::find_if(
      Text.Functions, [&](const CubinSymbol &S) { return S.Offset == Entry; });
  return It != Text.Functions.end() &&
         (It->Name.contains("slowpath") || It->Name.contains("mediumpath") ||
          It->Name.ends_with("_f64_full"));
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

/// The clone that a call goes to; null if it is none of a subroutine, or there
/// are too many already.
const MachineGraph::Region *MachineGraph::callOf(const Region &R,
                                                 uint64_t Address,
                                                 const MachineInstruction &I) {
  constexpr unsigned MaxDepth = 8;
  constexpr size_t MostCloned = 1 << 16;
  if (I.mnemonic() != "CALL")
    return nullptr;
  const CubinSection *Text = Image.section(".text." + F.Name);
  const std::optional<uint64_t> To = jumpTarget(I);
  if (!To || !isIn(*To) || *To == 0 || !isIn(Address + InstructionBytes) ||
      R.Depth == MaxDepth || NumCloned > MostCloned ||
      (Text && Text->relocationAt(Address)) || !returns(*To))
    return nullptr;
  for (const Region *Around = &R; Around; Around = Around->Caller)
    if (Around->Caller && Around->Entry == *To)
      return nullptr; // it calls itself
  Regions.push_back({&R, *To, Address + InstructionBytes, R.Depth + 1,
                     unsigned(Regions.size()),
                     R.IsUnlikely || (Text && isForRareNumbers(*Text, *To))});
  NumCloned += codeOf(Regions.back()).size();
  return &Regions.back();
}

void MachineGraph::addJump(const Region &R, uint64_t To) {
  Places.push_back({});
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
  constexpr unsigned True = 7;
  const MachineInstruction &I = at(Address);
  Place P;
  P.Machine = &I;
  P.Bits = Bits[Address / InstructionBytes];
  P.Address = Address;
  P.IsFallThrough = isNeverTaken(I);
  Places.push_back(P);
  InstructionInfo Info;
  Info.Line = unsigned(Places.size());
  SmallVector<Operand, 12> Operands;
  auto AddRegister = [&](unsigned Number, OperandRole Role) {
    Operand O;
    O.Kind = Operand::KindTy::Register;
    O.Role = Role;
    O.RegisterIndex = Number;
    O.Type = machine::isPredicate(Number) ? ScalarType::Pred : ScalarType::B32;
    Operands.push_back(O);
  };
  bool IsGuard = I.Guard != True; // the first that is read
  for (const RegisterUse &U : registersOf(I, architecture())) {
    if (std::exchange(IsGuard, false) || U.File == RegisterFile::Convergence)
      continue;
    for (unsigned N = 0; N != U.Number; ++N) {
      const unsigned Number = machine::numberOf(U.File, U.First + N);
      if (Number < machine::NumRegisters)
        AddRegister(Number,
                    U.IsWritten ? OperandRole::Write : OperandRole::Read);
    }
  }
  if (I.Guard != True) {
    Info.Guard =
        machine::numberOf(I.GuardIsUniform ? RegisterFile::UniformPredicate
                                           : RegisterFile::Predicate,
                          I.Guard);
    Info.GuardNegated = I.GuardIsNegated;
  } else if (I.Guard == True && I.GuardIsNegated) {
    P.IsFallThrough = true; // @!PT
    Places.back().IsFallThrough = true;
  }
  const MachineOperand *Condition = conditionOf(I);
  if (Condition && !Info.Guard) {
    if (Condition->Number == True) { // never
      Places.back().IsFallThrough = true;
    } else {
      Info.Guard = machine::numberOf(Condition->Kind == OperandKind::Predicate
                                         ? RegisterFile::Predicate
                                         : RegisterFile::UniformPredicate,
                                     Condition->Number);
      Info.GuardNegated = Condition->Inverted;
    }
  }
  std::optional<Block *> To;
  if (!Places.back().IsFallThrough) {
    const StringRef Name = I.mnemonic();
    if (const Region *Called = callOf(R, Address, I))
      To = blockAt(*Called, Called->Entry);
    else if ((Name == "BRA" || Name == "CALL") && jumpTarget(I) &&
             isIn(*jumpTarget(I)) &&
             (Name == "BRA" || !returns(*jumpTarget(I))))
      To = blockAt(R, *jumpTarget(I));
    else if (Name == "RET" && R.Caller)
      To = blockAt(*R.Caller, R.ReturnsTo);
    else if (const CubinJump *J =
                 Name.starts_with("BRX") ? jumpAt(Address) : nullptr) {
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
  if (!To && I.mnemonic() == "CALL") {
    // Of code elsewhere: what it may read of arguments, and its result.
    constexpr unsigned FirstArgument = 4, EndArguments = 16, EndResults = 6;
    for (unsigned N = FirstArgument; N != EndArguments; ++N)
      AddRegister(N, OperandRole::Read);
    for (unsigned N = FirstArgument; N != EndResults; ++N)
      AddRegister(N, OperandRole::Write);
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
  B.append(Info);
}

void MachineGraph::addRegion(const Region &R) {
  const std::vector<uint64_t> All = codeOf(R);
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
  decodeAll();
  for (unsigned R = 0; R != machine::NumRegisters; ++R)
    B.addRegister(machine::nameOf(R),
                  machine::isPredicate(R) ? ScalarType::Pred : ScalarType::B32);
  Regions.push_back({});
  size_t Next = 0;
  while (Next != Regions.size()) // it grows
    addRegion(Regions[Next++]);
  // What a clone returns to may be behind the end of the code.
  return B.finish();
}
