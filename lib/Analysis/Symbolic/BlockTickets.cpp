//===- BlockTickets.cpp - Numbers that blocks draw ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BlockTickets.h"
#include "BufferLoads.h"
#include "WrittenArrays.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "ptxpredict/Launch/BufferContents.h"
#include <algorithm>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;
using Ref = const Expression *;

/// An atomic operation that counts, outside of loops.
static bool mayBeTicket(const Instruction &I, const ControlFlow &CF) {
  return !I.isPseudo() && Opcode(I.Opcode) == Opcode::Atom &&
         I.Defs.size() == 1 && I.Effects.size() == 1 &&
         I.Operands.size() == 3 &&
         (ptx::hasModifier(I.Modifiers, "add") ||
          ptx::hasModifier(I.Modifiers, "inc")) &&
         !I.Defs[0]->Users.empty() && CF.innermostCycle(I.Parent) < 0;
}

namespace {

/// Bytes of an array.
struct ArrayPlace {
  const Symbol *Base = nullptr; ///< null: anywhere
  std::optional<uint64_t> Offset;
  unsigned Bytes = 0;
  /// An address in shared memory as a number: in machine code all are.
  bool IsNumber = false;

  bool isInSameAs(const ArrayPlace &O) const {
    return IsNumber ? O.IsNumber
                    : Base && Base->Var && O.Base && O.Base->Var == Base->Var;
  }
  bool mayMeet(const ArrayPlace &O) const {
    return !Offset || !O.Offset || !Bytes || !O.Bytes ||
           (*Offset < *O.Offset + O.Bytes && *O.Offset < *Offset + Bytes);
  }
  bool isSame(const ArrayPlace &O) const {
    return Offset && O.Offset && *Offset == *O.Offset && Bytes == O.Bytes;
  }
};

} // namespace

class BlockTickets::Finder {
public:
  Finder(const SymbolicValues &Values, const LaunchConfig &Launch)
      : V(Values), CF(Values.controlFlow()), Launch(Launch),
        ArrayOf(Values.graph(), Launch) {}

  std::shared_ptr<const BlockTickets> run();

private:
  struct Write {
    const Instruction *I;
    ArrayPlace At;
    bool IsAtomic;
  };
  ArrayPlace placeOf(const Instruction &I, const MemoryEffect &E) const;
  bool mayMeet(const Write &W, const ArrayPlace &At) const;
  bool collect();
  bool isOfOneThread(const Instruction &I) const;
  bool isBehind(const Instruction &Later, const Instruction &I) const;
  std::optional<BlockTicket> ticketOf(const Instruction &I);
  void handOver(const Write &Store);
  bool comesFromTickets(Ref X) const;
  uint64_t startOf(const ArrayPlace &At);

  const SymbolicValues &V;
  const ControlFlow &CF;
  const LaunchConfig &Launch;
  ArrayNames ArrayOf;
  std::vector<Write> Global, Shared;
  std::vector<std::pair<const Instruction *, ArrayPlace>> SharedLoads;
  bool WritesAnywhereShared = false;
  bool HasNumbers = false, HasNames = false; ///< as addresses of shared memory
  bool StartIsGiven = false;                 ///< of the last ticket
  std::shared_ptr<BlockTickets> Found = std::make_shared<BlockTickets>();
};

ArrayPlace BlockTickets::Finder::placeOf(const Instruction &I,
                                         const MemoryEffect &E) const {
  Ref Address = addressOf(V, I, E);
  ArrayPlace P;
  P.Base = Address ? findBase(*Address) : nullptr;
  P.Bytes = E.BytesPerLane;
  if (!P.Base) {
    P.IsNumber = Address && I.Machine && E.Space == AddressSpace::Shared;
    if (P.IsNumber && Address->isConstant())
      P.Offset = Address->Addend;
    return P;
  }
  Ref Start =
      *llvm::find_if(Address->Symbols, [&](Ref S) { return S->Sym == P.Base; });
  Ref Offset = V.expressions().sub(Address, Start);
  if (Offset->isConstant())
    P.Offset = Offset->Addend;
  return P;
}

/// Lists what the kernel writes; false if nobody knows where all of that lies.
bool BlockTickets::Finder::collect() {
  bool IsKnown = true;
  V.graph().forEachInstruction([&](const Instruction &I) {
    IsKnown &= !I.IsCall && !I.IsUnknown;
    for (const MemoryEffect &E : I.Effects) {
      const bool IsShared = E.Space == AddressSpace::Shared;
      if (IsShared && !E.Writes) {
        SharedLoads.emplace_back(&I, placeOf(I, E));
        HasNames |= SharedLoads.back().second.Base != nullptr;
        continue;
      }
      if (!E.Writes || (!IsShared && !isGlobal(E.Space, addressOf(V, I, E))))
        continue;
      const Write W = {&I, placeOf(I, E), E.Access == AccessKind::Atomic};
      if (IsShared) {
        WritesAnywhereShared |= !W.At.Base && !W.At.IsNumber;
        HasNumbers |= W.At.IsNumber;
        HasNames |= W.At.Base != nullptr;
      }
      IsKnown &= W.At.Base || IsShared;
      (IsShared ? Shared : Global).push_back(W);
    }
  });
  return IsKnown;
}

/// Whether only the thread's place in its block decides \p X.
static bool isOfThread(Ref X) {
  return llvm::all_of(X->Symbols, [](Ref S) {
    const Symbol::KindTy K = S->Sym->Kind;
    return K <= Symbol::KindTy::ThreadZ || K == Symbol::KindTy::Lane ||
           K == Symbol::KindTy::Warp;
  });
}

/// Whether \p W may write to \p At, which is in the same memory.
bool BlockTickets::Finder::mayMeet(const Write &W, const ArrayPlace &At) const {
  if (!W.At.IsNumber || W.At.Offset)
    return W.At.mayMeet(At);
  Ref Address = addressOf(V, *W.I, W.I->Effects.front());
  if (!isOfThread(Address))
    return true;
  CompiledExpressions Ready(Address);
  Assignment A;
  A.Block = Launch.Block;
  A.Grid = Launch.Grid;
  ArrayPlace Place = W.At;
  for (uint64_t T = 0; T != Launch.threadsPerBlock(); ++T) {
    if (T % WarpSize == 0) {
      A.Warp = T / WarpSize;
      Ready.run(A);
    }
    Place.Offset = Ready.lane(0, unsigned(T % WarpSize));
    if (Place.mayMeet(At))
      return true;
  }
  return false;
}

/// Whether exactly one thread of every block executes it, once.
bool BlockTickets::Finder::isOfOneThread(const Instruction &I) const {
  if (CF.innermostCycle(I.Parent) >= 0)
    return false;
  SmallVector<Ref, 4> Conditions;
  if (I.Guard)
    Conditions.push_back(V.guard(I));
  const Block *B = I.Parent;
  while (const Block *From = CF.immediateDominator(B)) {
    if (!CF.postDominates(B, From)) {
      const Instruction *T = From->terminator();
      if (!T || !T->Guard || From->Successors.size() != 2 ||
          From->Successors[0] == From->Successors[1] ||
          B->Predecessors.size() != 1 || CF.innermostCycle(From) >= 0)
        return false;
      Ref Taken = V.guard(*T);
      const bool IsTarget = From->Successors[0] == B;
      Conditions.push_back(!Taken || IsTarget ? Taken
                                              : V.expressions().bitNot(Taken));
    }
    B = From;
  }
  for (Ref C : Conditions)
    if (!C || !isOfThread(C))
      return false;
  CompiledExpressions Ready(Conditions);
  Assignment A;
  A.Block = Launch.Block;
  A.Grid = Launch.Grid;
  uint64_t Number = 0;
  for (uint64_t T = 0; T != Launch.threadsPerBlock(); ++T) {
    if (T % WarpSize == 0) {
      A.Warp = T / WarpSize;
      Ready.run(A);
    }
    bool Runs = true;
    for (unsigned C = 0; C != Conditions.size(); ++C)
      Runs &= Ready.lane(C, unsigned(T % WarpSize)) != 0;
    Number += Runs;
  }
  return Number == 1;
}

/// Whether \p Later runs after the one thread had the chance to execute \p I.
bool BlockTickets::Finder::isBehind(const Instruction &Later,
                                    const Instruction &I) const {
  if (Later.Parent == I.Parent)
    return Later.Id > I.Id;
  const Block *From = I.Guard ? I.Parent : CF.immediateDominator(I.Parent);
  return From && Later.Parent != From && CF.dominates(From, Later.Parent);
}

/// What the counter holds when the kernel starts; 0 where nobody says.
uint64_t BlockTickets::Finder::startOf(const ArrayPlace &At) {
  uint64_t First = 0;
  const ArrayRef<Parameter> Parameters = V.graph().Parameters;
  Launch.forEachPointer(
      Parameters, [&](unsigned Index, uint64_t Offset, const ArgumentValue &A) {
        const Parameter &P = Parameters[Index];
        if (!A.Contents || At.Base->Context != &P ||
            At.Base->Number != P.Offset + Offset ||
            !A.Contents->holds(*At.Offset, At.Bytes))
          return;
        First = A.Contents->read(*At.Offset, At.Bytes);
        StartIsGiven = true;
      });
  return First;
}

std::optional<BlockTicket>
BlockTickets::Finder::ticketOf(const Instruction &I) {
  const auto Self =
      llvm::find_if(Global, [&](const Write &W) { return W.I == &I; });
  Ref By = V.of(I, I.Operands[2], bitWidth(I.Defs[0]->Type));
  if (Self == Global.end() || !Self->At.Offset || !By || !By->isConstant() ||
      !isOfOneThread(I))
    return std::nullopt;
  const ArrayPlace &At = Self->At;
  const void *Array = ArrayOf.of(*At.Base);
  // Who resets the counter does it when all have drawn.
  for (const Write &W : Global)
    if (W.I != &I && ArrayOf.of(*W.At.Base) == Array && W.At.mayMeet(At) &&
        (W.IsAtomic || !isBehind(*W.I, I)))
      return std::nullopt;
  BlockTicket T;
  StartIsGiven = false;
  T.First = startOf(At);
  if (ptx::hasModifier(I.Modifiers, "add"))
    T.Step = By->Addend;
  else if (By->Addend < T.First + Launch.blocks() - 1)
    return std::nullopt; // it starts again
  return T.Step == 0 ? std::nullopt : std::optional(T);
}

/// Whether what is not decided in \p X is a ticket, and there is one.
bool BlockTickets::Finder::comesFromTickets(Ref X) const {
  bool HasTicket = false;
  for (Ref S : X->Symbols) {
    const Symbol &Sym = *S->Sym;
    if (Sym.From && Found->Tickets.count(Sym.From))
      HasTicket = true;
    else if (S->Varies & (VariesInWarp | VariesInBlock))
      return false;
  }
  return HasTicket;
}

/// Finds the loads that read what one thread stored for its block.
void BlockTickets::Finder::handOver(const Write &Store) {
  const Instruction &I = *Store.I;
  if (Store.IsAtomic || I.Class != OpClass::Store || I.Operands.size() != 2 ||
      I.Operands[1].Kind != Operand::KindTy::Register || !Store.At.Offset ||
      !Store.At.isInSameAs(Store.At))
    return;
  Ref Stored = V.of(I, I.Operands[1], 8 * Store.At.Bytes);
  if (!Stored || !comesFromTickets(Stored) || !isOfOneThread(I))
    return;
  for (const Write &W : Shared)
    if (W.I != &I && Store.At.isInSameAs(W.At) && mayMeet(W, Store.At))
      return;
  for (const auto &[Load, At] : SharedLoads)
    if (Store.At.isInSameAs(At) && At.isSame(Store.At) &&
        Load->Defs.size() == 1 && isBehind(*Load, I)) {
      Found->Loads[Load] = &I;
      Found->Stores[&I] = true;
    }
}

std::shared_ptr<const BlockTickets> BlockTickets::Finder::run() {
  if (!collect())
    return nullptr;
  V.graph().forEachInstruction([&](const Instruction &I) {
    if (!mayBeTicket(I, CF))
      return;
    if (std::optional<BlockTicket> T = ticketOf(I)) {
      Found->Tickets[&I] = *T;
      Found->Places.push_back({I.Line, StartIsGiven});
    }
  });
  if (Found->Tickets.empty())
    return nullptr;
  if (!WritesAnywhereShared && !(HasNumbers && HasNames))
    for (const Write &W : Shared)
      handOver(W);
  return Found;
}

std::shared_ptr<const BlockTickets>
BlockTickets::find(const InstructionGraph &G, const ControlFlow &CF,
                   const LaunchConfig &Launch, unsigned CallBudget,
                   const std::shared_ptr<const BufferLoads> &Contents) {
  if (!G.IsKernel || Launch.GridIsAssumed || Launch.BlockIsAssumed)
    return nullptr;
  bool MayHave = false, HasCalls = false;
  G.forEachInstruction([&](const Instruction &I) {
    MayHave |= mayBeTicket(I, CF);
    HasCalls |= I.IsCall;
  });
  if (!MayHave || HasCalls)
    return nullptr;
  Expressions E(Launch);
  const SymbolicValues Values(G, CF, Launch, E, CallBudget, Contents);
  return Finder(Values, Launch).run();
}
