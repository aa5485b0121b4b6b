//===- BlockDependence.cpp - Parallelism within blocks --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Dependence/BlockDependence.h"
#include "ptxpredict/Codegen/SchedClass.h"

using namespace ptxpredict;

static double ratio(double Of, double To) { return To > 0 ? Of / To : 1; }

double BlockDependence::ilp() const { return ratio(Instructions, Height); }
double BlockDependence::mstr() const { return ratio(LongLoads, LoadGroups); }
double BlockDependence::dep() const {
  return ratio(double(Distance), ReadValues);
}

void DependenceSums::add(const BlockDependence &B, double Executions) {
  Instructions += Executions * B.Instructions;
  Heights += Executions * B.Height;
  Loads += Executions * B.LongLoads;
  Groups += Executions * B.LoadGroups;
  Values += Executions * B.ReadValues;
  Distances += Executions * double(B.Distance);
}
double DependenceSums::ilp() const { return ratio(Instructions, Heights); }
double DependenceSums::mstr() const { return ratio(Loads, Groups); }
double DependenceSums::dep() const { return ratio(Distances, Values); }

namespace {

/// Heights and groups of loads, block by block.
class BlockWalk {
public:
  BlockWalk(const InstructionGraph &G, const LocalAccesses &InRegisters)
      : InRegisters(InRegisters), OfValue(G.Values.size()) {}
  void walk(const Block &B, BlockDependence &Out);

private:
  struct ValueState {
    uint32_t Height = 0; ///< of the chain that ends in it
    uint32_t Block = ~0u;
    uint32_t Group = 0; ///< of the load that brings it; 0 if none does
  };
  const LocalAccesses &InRegisters;
  std::vector<ValueState> OfValue;
  uint32_t Group = 0; ///< of the newest load, over all blocks
};

bool touchesOrderedMemory(const Instruction &I) {
  return llvm::any_of(I.Effects, [](const MemoryEffect &E) {
    return E.Space != AddressSpace::Const &&
           E.Space != AddressSpace::Register &&
           E.Access != AccessKind::Prefetch;
  });
}

void BlockWalk::walk(const Block &B, BlockDependence &Out) {
  uint32_t Barrier = 0;                   ///< height of the last one
  uint32_t Accesses = 0;                  ///< of what was accessed since
  bool IsOpen = false, HasCopies = false; // the newest group
  for (const Instruction *I : B.Instructions) {
    if (I->isPhi())
      continue;
    uint32_t Height = 0;
    uint32_t Brought = 0; // by the newest group
    for (const Value *V : I->Uses) {
      const ValueState &S = OfValue[V->Id];
      if (S.Block != B.Number)
        continue;
      Height = std::max(Height, S.Height);
      Brought = std::max(Brought, S.Group);
    }
    if (I->isSelect()) {
      for (const Value *V : I->Defs)
        OfValue[V->Id] = {Height, B.Number, Brought};
      continue;
    }
    if (IsOpen && (Brought == Group || (HasCopies && I->IsAsyncWait)))
      IsOpen = false;

    bool IsBarrier =
        I->IsBlockBarrier || I->IsMemoryBarrier || I->IsAsyncWait || I->IsCall;
    bool IsAccess = !IsBarrier && touchesOrderedMemory(*I);
    if (IsBarrier)
      Height = std::max({Height, Barrier, Accesses});
    else if (IsAccess)
      Height = std::max(Height, Barrier);
    ++Height;
    if (IsBarrier) {
      Barrier = Height;
      Accesses = 0;
    } else if (IsAccess) {
      Accesses = std::max(Accesses, Height);
    }

    uint32_t Brings = 0;
    if (isLongLoad(*I) && !InRegisters.count(I)) {
      if (!IsOpen) {
        IsOpen = true;
        HasCopies = false;
        ++Group;
        ++Out.LoadGroups;
      }
      ++Out.LongLoads;
      HasCopies |= I->Defs.empty();
      Brings = Group;
    }
    for (const Value *V : I->Defs)
      OfValue[V->Id] = {Height, B.Number, Brings};
    ++Out.Instructions;
    Out.Height = std::max(Out.Height, Height);
  }
}

/// The way from each value to the first instruction that reads it.
class FirstReads {
public:
  explicit FirstReads(const InstructionGraph &G);
  void add(std::vector<BlockDependence> &Out) const;

private:
  static constexpr uint32_t None = ~0u;
  bool sweep();
  bool relaxOperands(const Instruction &Phi);
  uint32_t from(const Instruction &Def) const {
    return Position[Def.Id] + !Def.isPseudo();
  }
  uint32_t find(const Value &V, uint32_t From) const;

  const InstructionGraph &G;
  /// By instruction: how many execute before it in program order.
  std::vector<uint32_t> Position;
  std::vector<uint32_t> End; ///< by block: position behind its last one
  /// By value, None without a reader. Counted from what writes it; if that does
  /// not execute, from what comes before.
  std::vector<uint32_t> Way;
  std::vector<uint32_t> PhiWay; ///< the same through phis alone
};

FirstReads::FirstReads(const InstructionGraph &G)
    : G(G), Position(G.NumInstructions), End(G.Blocks.size()),
      Way(G.Values.size(), None), PhiWay(G.Values.size(), None) {
  uint32_t Next = 0;
  for (const Block *B : G.Blocks) {
    for (const Instruction *I : B->Instructions) {
      Position[I->Id] = Next;
      Next += !I->isPseudo();
    }
    End[B->Number] = Next;
  }
  if (sweep())
    sweep(); // for values that a back edge carries
}

/// True if a value's way became known only after it was looked at.
bool FirstReads::sweep() {
  bool IsLate = false;
  for (const Block *B : llvm::reverse(G.Blocks))
    for (const Instruction *I : llvm::reverse(B->Instructions)) {
      for (const Value *V : I->Defs)
        Way[V->Id] = find(*V, from(*I));
      if (I->isPhi())
        IsLate |= relaxOperands(*I);
    }
  return IsLate;
}

bool FirstReads::relaxOperands(const Instruction &Phi) {
  uint32_t On = Way[Phi.Defs.front()->Id];
  if (On == None)
    return false;
  bool IsLate = false;
  for (auto [V, From] : llvm::zip_equal(Phi.Uses, Phi.Parent->Predecessors)) {
    if (!V->Def || End[From->Number] < from(*V->Def))
      continue;
    uint32_t NewWay = End[From->Number] - from(*V->Def) + On;
    if (NewWay >= PhiWay[V->Id])
      continue;
    PhiWay[V->Id] = NewWay;
    IsLate |= V->Def->Parent->Number >= Phi.Parent->Number;
  }
  return IsLate;
}

uint32_t FirstReads::find(const Value &V, uint32_t From) const {
  uint32_t Least = PhiWay[V.Id];
  for (const Instruction *U : V.Users) {
    if (U->isPhi() || Position[U->Id] < From)
      continue;
    uint32_t On = U->isSelect() ? Way[U->Defs.front()->Id] : 1;
    if (On != None)
      Least = std::min(Least, Position[U->Id] - From + On);
  }
  return Least;
}

void FirstReads::add(std::vector<BlockDependence> &Out) const {
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions)
      for (const Value *V : I->Defs)
        if (!I->isPseudo() && Way[V->Id] != None) {
          ++Out[B->Number].ReadValues;
          Out[B->Number].Distance += Way[V->Id];
        }
}

} // namespace

std::vector<BlockDependence>
ptxpredict::findBlockDependence(const InstructionGraph &G,
                                const LocalAccesses &InRegisters) {
  std::vector<BlockDependence> Out(G.Blocks.size());
  BlockWalk Walk(G, InRegisters);
  for (const Block *B : G.Blocks)
    Walk.walk(*B, Out[B->Number]);
  FirstReads(G).add(Out);
  return Out;
}
