//===- JoinedAccesses.cpp - Narrow accesses that become one ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "JoinedAccesses.h"
#include "Alignments.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/DenseMap.h"

using namespace ptxpredict;
using ptx::Opcode;

namespace {

/// An access at a distance from what others are near to as well.
struct NearAccess {
  const Instruction *I = nullptr;
  const void *Base = nullptr; ///< a value or variable; null if there is none
  int64_t Offset = 0;
  unsigned Bytes = 0;
};

/// Side by side, in either order.
bool areNeighbours(const NearAccess &A, const NearAccess &B) {
  return A.Base && A.Base == B.Base &&
         (A.Offset + A.Bytes == B.Offset || B.Offset + B.Bytes == A.Offset);
}

class Joiner {
public:
  Joiner(const InstructionGraph &G,
         llvm::function_ref<void(ArrayRef<const Instruction *>)> Join)
      : G(G), Join(Join) {}

  void run() {
    for (const Block *B : G.Blocks) {
      for (const Instruction *I : B->Instructions)
        visit(*I);
      flush(Loads);
      flush(Stores);
    }
  }

private:
  void visit(const Instruction &I);
  NearAccess placeOf(const Instruction &I, const MemoryEffect &E) const;
  unsigned alignment(const NearAccess &P);
  void flush(std::vector<NearAccess> &Places);
  void joinNear(ArrayRef<NearAccess> Places);

  const InstructionGraph &G;
  llvm::function_ref<void(ArrayRef<const Instruction *>)> Join;
  Alignments Aligned;
  std::vector<NearAccess> Loads, Stores; ///< that may still be joined
};

NearAccess Joiner::placeOf(const Instruction &I, const MemoryEffect &E) const {
  NearAccess P;
  P.I = &I;
  P.Bytes = E.BytesPerLane;
  const Operand &A = I.Operands[E.AddressOperand];
  if (A.Elements.size() != 1)
    return P;
  P.Offset = A.integer();
  const Operand &Base = A.Elements[0];
  if (Base.Kind == Operand::KindTy::Variable)
    P.Base = Base.Var;
  if (Base.Kind != Operand::KindTy::Register)
    return P;
  // Sums with constants are offsets; a chain of them is short.
  const Value *V = Base.Val;
  for (unsigned Steps = 0; Steps != 8; ++Steps) {
    const Instruction *D = V->Def;
    if (!D || D->isPseudo() || D->Guard || D->Operands.size() != 3 ||
        Opcode(D->Opcode) != Opcode::Add ||
        D->Operands[1].Kind != Operand::KindTy::Register ||
        D->Operands[2].Kind != Operand::KindTy::Integer)
      break;
    P.Offset += D->Operands[2].integer();
    V = D->Operands[1].Val;
  }
  P.Base = V;
  return P;
}

unsigned Joiner::alignment(const NearAccess &P) {
  // What a variable's address is, the operand says, too.
  for (const MemoryEffect &E : P.I->Effects) {
    const Operand &Base = P.I->Operands[E.AddressOperand].Elements[0];
    if (Base.Kind == Operand::KindTy::Variable)
      return Alignments::of(*Base.Var);
  }
  return Aligned.of(*static_cast<const Value *>(P.Base));
}

void Joiner::visit(const Instruction &I) {
  if (I.isPseudo())
    return;
  if (I.IsBlockBarrier || I.IsMemoryBarrier || I.IsCall || I.IsAsyncWait) {
    flush(Loads);
    flush(Stores);
    return;
  }
  for (const MemoryEffect &E : I.Effects) {
    bool IsShared = E.Space == AddressSpace::Shared;
    if (!IsShared && E.Space != AddressSpace::Generic)
      continue;
    Opcode Op = Opcode(I.Opcode);
    bool IsLoad = Op == Opcode::Ld, IsPlain = IsLoad || Op == Opcode::St;
    bool MayJoin = IsShared && IsPlain && !I.Guard && E.BytesPerLane >= 4 &&
                   E.BytesPerLane <= 8 &&
                   !ptx::hasModifier(I.Modifiers, "volatile");
    // What the other kind has collected may not move over this.
    if (!IsPlain || !IsLoad)
      flush(Loads);
    if (!IsPlain || IsLoad)
      flush(Stores);
    NearAccess P = MayJoin ? placeOf(I, E) : NearAccess();
    // Stores keep their order: those that become one follow each other.
    if (!IsLoad && !Stores.empty() && !areNeighbours(Stores.back(), P))
      flush(Stores);
    if (P.Base)
      (IsLoad ? Loads : Stores).push_back(P);
  }
}

/// Joins what lies side by side among \p Places, which are near one base and
/// sorted by offset.
void Joiner::joinNear(ArrayRef<NearAccess> Places) {
  if (Places.size() < 2)
    return;
  int64_t Bits = alignment(Places.front());
  for (size_t N = 0; N < Places.size();) {
    size_t Taken = 1;
    for (int64_t Wide : {16, 8}) {
      const int64_t Start = Places[N].Offset;
      if (Start % Wide != 0 || (int64_t(1) << Bits) < Wide)
        continue;
      int64_t Bytes = 0;
      size_t Last = N;
      while (Last != Places.size() && Bytes < Wide &&
             Places[Last].Offset == Start + Bytes)
        Bytes += Places[Last++].Bytes;
      if (Bytes != Wide || Last - N < 2)
        continue;
      Taken = Last - N;
      break;
    }
    if (Taken > 1) {
      SmallVector<const Instruction *, 4> Members;
      for (const NearAccess &P : Places.slice(N, Taken))
        Members.push_back(P.I);
      llvm::sort(Members, [](const Instruction *A, const Instruction *B) {
        return A->Id < B->Id;
      });
      Join(Members);
    }
    N += Taken;
  }
}

void Joiner::flush(std::vector<NearAccess> &Places) {
  if (Places.size() > 1) {
    // By base in the order of the code, then by offset.
    llvm::DenseMap<const void *, unsigned> Order;
    for (const NearAccess &P : Places)
      Order.try_emplace(P.Base, unsigned(Order.size()));
    llvm::sort(Places, [&](const NearAccess &A, const NearAccess &B) {
      return std::tuple(Order.lookup(A.Base), A.Offset, A.I->Id) <
             std::tuple(Order.lookup(B.Base), B.Offset, B.I->Id);
    });
    for (size_t N = 0; N != Places.size();) {
      size_t End = N;
      while (End != Places.size() && Places[End].Base == Places[N].Base)
        ++End;
      joinNear(ArrayRef(Places).slice(N, End - N));
      N = End;
    }
  }
  Places.clear();
}

} // namespace

void ptxpredict::findJoinedAccesses(
    const InstructionGraph &G,
    llvm::function_ref<void(ArrayRef<const Instruction *>)> Join) {
  Joiner(G, Join).run();
}
