//===- BarrierDependence.cpp - What barriers keep in order ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Profile/BarrierDependence.h"
#include "Analysis/Access/ThreadAddresses.h"
#include "Analysis/Symbolic/AddressBases.h"
#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Graph/PTXInstruction.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;
using Ref = const Expression *;

/// Of all barriers together, for each instruction: what is looked at around
/// them, and pairs of accesses that are compared.
static constexpr size_t VisitsPerInstruction = 32, PairsPerInstruction = 16;

namespace {

/// What may be touched: equal ones are one object.
struct Touched {
  AddressSpace Space = AddressSpace::Generic; ///< global, shared or generic
  const void *Array = nullptr;                ///< null: any
  bool Reads = false, Writes = false;
  const Symbol *Base = nullptr;
  std::optional<ThreadAddresses> Places; ///< nothing: anywhere in the array
};

/// An instruction that matters here.
struct Item {
  enum class KindTy : uint8_t {
    Access,  ///< Number: of what it touches
    Barrier, ///< Number: of the barrier
    Other    ///< may touch or wait for anything
  } Kind;
  unsigned Number = 0;
};

/// What lies between a barrier and those next to it, on one side.
struct Side {
  bool HasOther = false;
  llvm::DenseSet<unsigned> Accesses; ///< numbers of what is touched

  bool isEmpty() const { return !HasOther && Accesses.empty(); }
};

class DependenceFinder {
public:
  DependenceFinder(const SymbolicValues &V, const LaunchConfig &L)
      : V(V), Names(V.graph(), L), Finder(V.expressions(), L) {}

  std::vector<BarrierDependence> run();

private:
  void addItems(const Instruction &I, std::vector<Item> &Items);
  void addAccess(const Instruction &I, const MemoryEffect &E,
                 std::vector<Item> &Items);
  bool isQuiet(const Instruction &Call);
  bool isForAll(const Instruction &I) const;
  bool isRedundant(const Block &B, size_t At);
  bool collect(ArrayRef<Item> Of, bool Backward, Side &S);
  bool collect(const Block &B, size_t At, bool Backward, Side &S);
  bool mayConflict(const Side &Before, const Side &After);
  bool mayConflict(unsigned A, unsigned B);

  const SymbolicValues &V;
  ArrayNames Names;
  ThreadAddressFinder Finder;
  std::vector<std::vector<Item>> Items; ///< by block number
  std::vector<Touched> All;
  llvm::DenseMap<std::pair<Ref, unsigned>, SmallVector<unsigned, 2>> ByAddress;
  llvm::DenseMap<std::pair<unsigned, unsigned>, bool> Known; ///< of mayConflict
  llvm::DenseMap<const InstructionGraph *, bool> QuietFunctions;
  std::vector<BarrierDependence> Barriers;
  size_t Visits = 0, Pairs = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// What instructions do
//===----------------------------------------------------------------------===//

/// A block-wide barrier without conditions.
bool DependenceFinder::isForAll(const Instruction &I) const {
  if (!I.IsBlockBarrier || I.HasGuard ||
      Opcode(I.Opcode) == Opcode::BarrierCluster ||
      ptx::hasModifier(I.Modifiers, "arrive"))
    return false;
  size_t Sources = llvm::count_if(I.Operands, [](const Operand &O) {
    return O.Role != OperandRole::Write;
  });
  return Sources <= (ptx::hasModifier(I.Modifiers, "red") ? 2 : 1);
}

/// It cannot tell or be told anything by other threads but through values in
/// registers.
static bool isQuiet(const Instruction &I) {
  return I.Effects.empty() && !I.IsUnknown && !I.IsBlockBarrier &&
         !I.IsMemoryBarrier && !I.IsAsyncWait && I.Class != OpClass::Async &&
         I.Class != OpClass::Texture;
}

/// The function that is called touches nothing but its own variables.
bool DependenceFinder::isQuiet(const Instruction &Call) {
  const InstructionGraph *G = Call.callee();
  if (!G)
    return false;
  auto [It, IsNew] = QuietFunctions.try_emplace(G, true);
  bool &Quiet = It->second;
  if (!IsNew)
    return Quiet;
  G->forEachInstruction([&](const Instruction &I) {
    auto IsOwn = [](const MemoryEffect &E) {
      return E.Space == AddressSpace::Param || E.Space == AddressSpace::Const ||
             E.Space == AddressSpace::Local;
    };
    Quiet &= !I.IsCall && (::isQuiet(I) || (!I.Effects.empty() &&
                                            llvm::all_of(I.Effects, IsOwn)));
  });
  return Quiet;
}

void DependenceFinder::addAccess(const Instruction &I, const MemoryEffect &E,
                                 std::vector<Item> &To) {
  if (E.Space == AddressSpace::Local || E.Space == AddressSpace::Param ||
      E.Space == AddressSpace::Const || E.Space == AddressSpace::Register ||
      E.Access == AccessKind::Prefetch)
    return;
  // Of what nobody writes.
  if (!E.Writes && ptx::hasModifier(I.Modifiers, "nc"))
    return;
  // Who waits for other threads through memory does so for what follows, too.
  if ((E.Access != AccessKind::Load && E.Access != AccessKind::Store) ||
      E.Space == AddressSpace::Texture ||
      ptx::hasAnyModifier(
          I.Modifiers, {"volatile", "relaxed", "acquire", "release", "mmio"})) {
    To.push_back({Item::KindTy::Other});
    return;
  }
  Ref Address = V.of(I, I.Operands[E.AddressOperand], 64);
  Touched T;
  T.Space = E.Space;
  T.Reads = E.Reads;
  T.Writes = E.Writes;
  if (Address && T.Space == AddressSpace::Generic)
    T.Space = resolveSpace(*Address);
  if (T.Space == AddressSpace::Local)
    return;
  // Equal addresses of equal size are looked at once.
  const unsigned Direction = unsigned(E.Space) * 4 + E.Reads * 2 + E.Writes;
  SmallVector<unsigned, 2> *Same = nullptr;
  if (Address) {
    Same = &ByAddress[{Address, Direction}];
    for (unsigned N : *Same)
      if (All[N].Places ? All[N].Places->Bytes == E.BytesPerLane
                        : !All[N].Array) {
        To.push_back({Item::KindTy::Access, N});
        return;
      }
    T.Base = findBase(*Address);
  }
  if (T.Base) {
    T.Array = Names.of(*T.Base);
    // Lanes of a matrix access name rows, not what each of them touches.
    bool IsOfLanes = Opcode(I.Opcode) == Opcode::Ld ||
                     Opcode(I.Opcode) == Opcode::Ldu ||
                     Opcode(I.Opcode) == Opcode::St;
    if (IsOfLanes)
      T.Places = Finder.find(Address, *T.Base, E.BytesPerLane);
    // All arrays of the launch's shared memory begin at the same place.
    static constexpr char Dynamic = 0;
    if (T.Base->Var && T.Base->Var->Space == AddressSpace::Shared &&
        T.Base->Var->Bytes == 0)
      T.Array = &Dynamic;
  }
  if (Same)
    Same->push_back(unsigned(All.size()));
  To.push_back({Item::KindTy::Access, unsigned(All.size())});
  All.push_back(T);
}

void DependenceFinder::addItems(const Instruction &I, std::vector<Item> &To) {
  if (I.isPseudo())
    return;
  if (isForAll(I)) {
    To.push_back({Item::KindTy::Barrier, unsigned(Barriers.size())});
    Barriers.push_back({&I, false});
    return;
  }
  if (I.IsCall) {
    if (!isQuiet(I))
      To.push_back({Item::KindTy::Other});
    return;
  }
  switch (Opcode(I.Opcode)) {
  case Opcode::BarWarp:
    return;
  case Opcode::Nanosleep:
    To.push_back({Item::KindTy::Other});
    return;
  default:
    break;
  }
  bool IsOther = I.IsUnknown || I.IsBlockBarrier || I.IsMemoryBarrier ||
                 I.IsAsyncWait || I.Class == OpClass::Async ||
                 I.Class == OpClass::Barrier || I.Class == OpClass::Texture ||
                 I.Mnemonic.starts_with("wgmma") ||
                 I.Mnemonic.starts_with("tcgen05") || ptx::readsClock(I);
  if (IsOther) {
    To.push_back({Item::KindTy::Other});
    return;
  }
  for (const MemoryEffect &E : I.Effects)
    addAccess(I, E, To);
}

//===----------------------------------------------------------------------===//
// What lies around a barrier
//===----------------------------------------------------------------------===//

/// Adds what comes before the next barrier; true if there is one.
bool DependenceFinder::collect(ArrayRef<Item> Of, bool Backward, Side &S) {
  for (size_t N = 0; N != Of.size() && Visits != 0; ++N, --Visits) {
    const Item &I = Backward ? Of[Of.size() - 1 - N] : Of[N];
    switch (I.Kind) {
    case Item::KindTy::Barrier:
      if (!Barriers[I.Number].IsRedundant)
        return true;
      break;
    case Item::KindTy::Other:
      S.HasOther = true;
      break;
    case Item::KindTy::Access:
      S.Accesses.insert(I.Number);
      break;
    }
  }
  return false;
}

/// False if that would take too long.
bool DependenceFinder::collect(const Block &B, size_t At, bool Backward,
                               Side &S) {
  ArrayRef<Item> Here(Items[B.Number]);
  if (collect(Backward ? Here.take_front(At) : Here.drop_front(At + 1),
              Backward, S))
    return true;
  if (Visits == 0)
    return false;
  llvm::DenseSet<const Block *> Seen;
  SmallVector<const Block *, 16> Work;
  auto Push = [&](const Block &From) {
    for (const Block *Next : Backward ? From.Predecessors : From.Successors)
      if (Seen.insert(Next).second)
        Work.push_back(Next);
  };
  Push(B);
  while (!Work.empty() && Visits != 0) {
    --Visits;
    const Block &Next = *Work.pop_back_val();
    if (!collect(Items[Next.Number], Backward, S))
      Push(Next);
  }
  return Visits != 0;
}

/// Whether two accesses may touch the same bytes from different threads.
bool DependenceFinder::mayConflict(unsigned A, unsigned B) {
  const Touched &X = All[A], &Y = All[B];
  if (!X.Writes && !Y.Writes)
    return false;
  if (X.Space != Y.Space && X.Space != AddressSpace::Generic &&
      Y.Space != AddressSpace::Generic)
    return false;
  if (!X.Array || !Y.Array)
    return true;
  if (X.Array != Y.Array)
    return false;
  bool IsOneBase = X.Base->Var ? X.Base->Var == Y.Base->Var
                               : X.Base->Context == Y.Base->Context &&
                                     X.Base->Number == Y.Base->Number;
  if (!X.Places || !Y.Places || !IsOneBase)
    return true;
  auto [It, IsNew] = Known.try_emplace(std::minmax(A, B), true);
  if (IsNew)
    It->second = Finder.mayMeet(*X.Places, *Y.Places);
  return It->second;
}

bool DependenceFinder::mayConflict(const Side &Before, const Side &After) {
  if (Before.isEmpty() || After.isEmpty())
    return false;
  if (Before.HasOther || After.HasOther)
    return true;
  for (unsigned A : Before.Accesses)
    for (unsigned B : After.Accesses) {
      if (Pairs == 0)
        return true;
      --Pairs;
      if (mayConflict(A, B))
        return true;
    }
  return false;
}

bool DependenceFinder::isRedundant(const Block &B, size_t At) {
  Side Before, After;
  return collect(B, At, /*Backward=*/false, After) &&
         (After.isEmpty() || collect(B, At, /*Backward=*/true, Before)) &&
         !mayConflict(Before, After);
}

std::vector<BarrierDependence> DependenceFinder::run() {
  const InstructionGraph &G = V.graph();
  Visits = VisitsPerInstruction * G.NumInstructions;
  Pairs = PairsPerInstruction * G.NumInstructions;
  Items.resize(G.Blocks.size());
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions)
      addItems(*I, Items[B->Number]);
  for (const Block *B : G.Blocks)
    for (size_t N = 0; N != Items[B->Number].size(); ++N) {
      const Item &I = Items[B->Number][N];
      if (I.Kind != Item::KindTy::Barrier)
        continue;
      BarrierDependence &D = Barriers[I.Number];
      // What a reduction gives is wanted by itself.
      bool GivesValue = llvm::any_of(
          D.Barrier->Defs, [](const Value *Of) { return !Of->Users.empty(); });
      if (GivesValue)
        continue;
      D.IsRedundant = true; // no other time that it runs is in the way either
      D.IsRedundant = isRedundant(*B, N);
    }
  return std::move(Barriers);
}

std::vector<BarrierDependence>
ptxpredict::findBarrierDependence(const SymbolicValues &V,
                                  const LaunchConfig &L) {
  return DependenceFinder(V, L).run();
}
