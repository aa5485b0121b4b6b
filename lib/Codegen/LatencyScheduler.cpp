//===- LatencyScheduler.cpp - A block's code in a scheduler's order -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/LatencyScheduler.h"
#include "ptxpredict/Codegen/Assembler.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/DenseMap.h"
#include <array>

using namespace ptxpredict;
using ptx::Opcode;

namespace {

/// `x + constant`, where x is \p Phi's value: a step of a counter or pointer.
bool isStepOf(const Value *V, const Value *Phi, const Block *Loop) {
  const Instruction *I = V->Def;
  if (!I || I->isPseudo() || I->Parent != Loop || I->Guard ||
      I->Operands.size() != 3)
    return false;
  Opcode Op = Opcode(I->Opcode);
  return (Op == Opcode::Add || Op == Opcode::Sub) &&
         I->Operands[1].Kind == Operand::KindTy::Register &&
         I->Operands[1].Val == Phi &&
         I->Operands[2].Kind == Operand::KindTy::Integer;
}

/// What \p Phi becomes in the next round of the one-block loop \p Loop.
const Value *nextOf(const Instruction &Phi, const Block *Loop) {
  for (size_t P = 0; P != Phi.Uses.size(); ++P)
    if (Loop->Predecessors[P] == Loop)
      return Phi.Uses[P];
  return nullptr;
}

/// The loop ends by a comparison of a counter with what does not change in it.
bool isCounted(const Block *Loop) {
  const Instruction *Branch = Loop->terminator();
  const Instruction *Test =
      Branch && Branch->Guard ? Branch->Guard->Def : nullptr;
  if (!Test || Test->isPseudo() || Test->Parent != Loop ||
      Opcode(Test->Opcode) != Opcode::Setp || Test->Operands.size() != 3)
    return false;
  auto IsInvariant = [&](const Operand &O) {
    return O.Kind == Operand::KindTy::Integer ||
           (O.Kind == Operand::KindTy::Register &&
            (!O.Val->Def || O.Val->Def->Parent != Loop));
  };
  auto IsCounter = [&](const Operand &O) {
    if (O.Kind != Operand::KindTy::Register)
      return false;
    for (const Instruction &Phi : Loop->phis()) {
      const Value *Next = nextOf(Phi, Loop);
      if (Next && isStepOf(Next, Phi.Defs[0], Loop) &&
          (O.Val == Next || O.Val == Phi.Defs[0]))
        return true;
    }
    return false;
  };
  const Operand &A = Test->Operands[1], &B = Test->Operands[2];
  return (IsCounter(A) && IsInvariant(B)) || (IsCounter(B) && IsInvariant(A));
}

/// The order by keys below \p End, a stable counting sort; empty if the keys
/// rise.
std::vector<unsigned> orderOf(ArrayRef<unsigned> Key, size_t End) {
  if (llvm::is_sorted(Key))
    return {};
  std::vector<unsigned> Place(End + 1);
  for (unsigned K : Key)
    ++Place[K + 1];
  for (size_t P = 1; P < Place.size(); ++P)
    Place[P] += Place[P - 1];
  std::vector<unsigned> Order(Key.size());
  for (unsigned K = 0; K != Key.size(); ++K)
    Order[Place[Key[K]]++] = K;
  return Order;
}

bool isUnrolled(const MachineBlock &B) {
  auto IsBarrier = [](const MachineOp &Op) {
    return Op.Kind == MachineOp::KindTy::Barrier;
  };
  return llvm::is_contained(B.Source->Successors, B.Source) &&
         B.Ops.size() <= assembler::MaxUnrolledOps &&
         llvm::none_of(B.Ops, IsBarrier) && isCounted(B.Source);
}

/// What the values of a loop's body are called in its copies.
class CopiedNames {
public:
  /// New values are added to \p Width.
  CopiedNames(const MachineBlock &B, std::vector<uint8_t> &Width);

  void startCopy(bool Last);
  /// It steps a counter or pointer: the last copy's step stands for all.
  bool isLeftOut(const MachineOp &Op) const {
    return !IsLast && Op.Defs.size() == 1 && StepOf.count(Op.Defs[0]);
  }
  unsigned use(unsigned Id) const;
  unsigned define(unsigned Id);

private:
  std::vector<uint8_t> &Width;
  // What the phis become from one copy to the next.
  llvm::DenseMap<unsigned, unsigned> Next;   ///< by the phi's id
  llvm::DenseMap<unsigned, unsigned> StepOf; ///< by the step's id: its phi
  // By the name in the body: in the copy before, and in this one.
  llvm::DenseMap<unsigned, unsigned> Before, Now;
  unsigned NumCopies = 0; ///< started
  bool IsFirst = true, IsLast = false;
};

} // namespace

CopiedNames::CopiedNames(const MachineBlock &B, std::vector<uint8_t> &Width)
    : Width(Width) {
  const Block *Loop = B.Source;
  const auto Latch =
      size_t(llvm::find(Loop->Predecessors, Loop) - Loop->Predecessors.begin());
  for (const MachinePhi &Phi : B.Phis)
    if (Phi.Uses[Latch] != MachinePhi::NoValue)
      Next[Phi.Def] = Phi.Uses[Latch];
  for (const Instruction &Phi : Loop->phis()) {
    const Value *N = nextOf(Phi, Loop);
    if (N && Next.count(Phi.Defs[0]->Id) && isStepOf(N, Phi.Defs[0], Loop))
      StepOf[N->Id] = Phi.Defs[0]->Id;
  }
}

void CopiedNames::startCopy(bool Last) {
  IsFirst = NumCopies++ == 0;
  IsLast = Last;
  Before.swap(Now);
  Now.clear();
}

unsigned CopiedNames::use(unsigned Id) const {
  if (auto It = Now.find(Id); It != Now.end())
    return It->second;
  if (auto It = StepOf.find(Id); It != StepOf.end())
    return It->second;
  auto Phi = Next.find(Id);
  if (IsFirst || Phi == Next.end() || StepOf.count(Phi->second))
    return Id;
  auto It = Before.find(Phi->second);
  return It != Before.end() ? It->second : Phi->second;
}

unsigned CopiedNames::define(unsigned Id) {
  unsigned Name = Id;
  if (!IsLast) {
    Name = unsigned(Width.size());
    Width.push_back(Width[Id]);
  }
  Now[Id] = Name;
  return Name;
}

std::vector<MachineOp> ptxpredict::unrollOnPaper(const MachineBlock &B,
                                                 std::vector<uint8_t> &Width) {
  if (!isUnrolled(B))
    return {};
  CopiedNames Names(B, Width);
  std::vector<MachineOp> Out;
  Out.reserve(B.Ops.size() * assembler::NumUnrolledCopies);
  for (unsigned Copy = 0; Copy != assembler::NumUnrolledCopies; ++Copy) {
    Names.startCopy(Copy + 1 == assembler::NumUnrolledCopies);
    for (const MachineOp &Op : B.Ops) {
      if (Names.isLeftOut(Op))
        continue;
      MachineOp &C = Out.emplace_back(Op);
      for (unsigned &U : C.Uses)
        U = Names.use(U);
      for (unsigned &D : C.Defs)
        D = Names.define(D);
    }
  }
  return Out;
}

void Scheduler::Slots::reset(size_t NumValues) {
  Slots.resize(std::max(Slots.size(), NumValues));
  ++Round;
}

std::vector<unsigned>
Scheduler::hoistLoads(ArrayRef<MachineOp> Ops, ArrayRef<uint8_t> Width,
                      llvm::function_ref<bool(const MachineOp &)> IsSlow) {
  auto IsMoved = [&](const MachineOp &Op) {
    return Op.Kind == MachineOp::KindTy::Load ||
           (IsSlow && Op.Kind == MachineOp::KindTy::Pure && IsSlow(Op));
  };
  if (llvm::none_of(Ops, IsMoved))
    return {};
  // Which operations a load's address is computed by.
  std::vector<bool> InSlice(Ops.size());
  Slots &Wanted = OfValues;
  Wanted.reset(Width.size());
  for (size_t K = Ops.size(); K-- != 0;) {
    const MachineOp &Op = Ops[K];
    InSlice[K] =
        IsMoved(Op) ||
        (Op.Kind == MachineOp::KindTy::Pure &&
         llvm::any_of(Op.Defs, [&](unsigned D) { return Wanted.has(D); }));
    if (InSlice[K])
      for (unsigned U : Op.Uses)
        Wanted.set(U, 0);
  }

  // Keys are places, shifted by the window so that none is negative.
  std::vector<unsigned> Key(Ops.size());
  Slots &DefKey = OfValues;
  DefKey.reset(Width.size());
  constexpr unsigned NumSpaces = unsigned(AddressSpace::Texture) + 1;
  std::array<unsigned, NumSpaces> StoreKey{};
  unsigned BarrierKey = 0, AnyStoreKey = 0;
  for (unsigned K = 0; K != Ops.size(); ++K) {
    const MachineOp &Op = Ops[K];
    unsigned Own = InSlice[K] ? K : K + assembler::HoistWindow;
    for (unsigned U : Op.Uses)
      if (DefKey.has(U))
        Own = std::max(Own, DefKey.at(U));
    if (Op.Kind == MachineOp::KindTy::Load) {
      Own = std::max(Own, BarrierKey);
      if (Op.Space == AddressSpace::Generic)
        Own = std::max(Own, AnyStoreKey);
      else if (Op.Space != AddressSpace::Const)
        Own = std::max({Own, StoreKey[unsigned(Op.Space)],
                        StoreKey[unsigned(AddressSpace::Generic)]});
    } else if (Op.Kind == MachineOp::KindTy::Store) {
      AnyStoreKey = StoreKey[unsigned(Op.Space)] = Own;
    } else if (Op.Kind == MachineOp::KindTy::Barrier) {
      BarrierKey = Own;
    }
    Key[K] = Own;
    for (unsigned D : Op.Defs)
      DefKey.set(D, Own);
  }
  return orderOf(Key, Ops.size() + assembler::HoistWindow);
}

std::vector<unsigned> Scheduler::sinkToUses(ArrayRef<MachineOp> Ops,
                                            ArrayRef<unsigned> LiveAtEnd,
                                            ArrayRef<uint8_t> Width) {
  constexpr unsigned Never = Slots::None;
  // From the end: the place of each value's first use, and what is read later.
  Slots &FirstUse = OfValues;
  FirstUse.reset(Width.size());
  for (unsigned V : LiveAtEnd)
    FirstUse.set(V, Never);
  constexpr unsigned NumSpaces = unsigned(AddressSpace::Texture) + 1;
  std::array<unsigned, NumSpaces> NextStore;
  NextStore.fill(Never);
  unsigned NextBarrier = Never, NextAnyStore = Never;
  std::vector<unsigned> Key(Ops.size());
  for (unsigned K = unsigned(Ops.size()); K-- != 0;) {
    const MachineOp &Op = Ops[K];
    Key[K] = K;
    bool IsLoad = Op.Kind == MachineOp::KindTy::Load;
    if ((IsLoad || Op.Kind == MachineOp::KindTy::Pure) && !Op.Defs.empty()) {
      unsigned To = Never, Freed = 0, Held = 0;
      for (unsigned D : Op.Defs) {
        To = std::min(To, FirstUse.at(D));
        Freed += Width[D];
      }
      for (unsigned U : Op.Uses)
        if (!FirstUse.has(U))
          Held += Width[U];
      if (IsLoad && Op.Space != AddressSpace::Const) {
        To = std::min(To, NextBarrier);
        To = std::min(
            To, Op.Space == AddressSpace::Generic
                    ? NextAnyStore
                    : std::min(NextStore[unsigned(Op.Space)],
                               NextStore[unsigned(AddressSpace::Generic)]));
      }
      if (To != Never && Held <= Freed)
        Key[K] = std::max(K, To);
    }
    if (Op.Kind == MachineOp::KindTy::Store)
      NextAnyStore = NextStore[unsigned(Op.Space)] = K;
    else if (Op.Kind == MachineOp::KindTy::Barrier)
      NextBarrier = K;
    for (unsigned D : Op.Defs)
      FirstUse.erase(D);
    for (unsigned U : Op.Uses)
      FirstUse.set(U, std::min(FirstUse.at(U), Key[K]));
  }
  return orderOf(Key, Ops.size());
}
