//===- RouteComparison.cpp - One kernel read in two ways ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Diff/RouteComparison.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <map>
#include <tuple>

using namespace ptxpredict;

std::optional<bool> RoutePair::agrees() const {
  if (!IR || !PTX || !IR->isKnown() || !PTX->isKnown())
    return std::nullopt;
  // Sums of the same numbers in another order.
  double Most = std::max(std::fabs(IR->Value), std::fabs(PTX->Value));
  return std::fabs(IR->Value - PTX->Value) <= 1e-9 * Most;
}

std::optional<bool> ComparedAccess::agrees() const {
  std::optional<bool> Result;
  for (const RoutePair *P : {&Requests, &Sectors, &Lines, &Wavefronts})
    if (std::optional<bool> Same = P->agrees())
      Result = Result.value_or(true) && *Same;
  return Result;
}

namespace {

using Accesses = std::vector<const MemoryCharacteristics *>;

/// Those of both ways at one place, in the order of the code.
struct PlacedAccesses {
  Accesses IR, PTX;
};

using AccessKey = std::tuple<std::string, unsigned, unsigned>;

/// Groups in the order in which their first members were seen.
template <typename KeyT, typename GroupT>
class Groups {
public:
  GroupT &operator[](const KeyT &Key) {
    auto [It, New] = Numbers.try_emplace(Key, All.size());
    if (New)
      All.emplace_back();
    return All[It->second];
  }
  std::vector<GroupT> All;

private:
  std::map<KeyT, size_t> Numbers;
};

} // namespace

static AccessKey keyOf(const MemoryCharacteristics &M) {
  return {M.Place.Source + "\n" + llvm::join(M.Place.InlinedAt, "\n"),
          unsigned(M.Space), unsigned(M.Access)};
}

/// Adds \p PerRequest for all of \p M's requests to \p Sum.
static void add(std::optional<Estimate> &Sum,
                const std::optional<Estimate> &PerRequest,
                const MemoryCharacteristics &M) {
  if (PerRequest)
    Sum = Sum.value_or(Estimate::known(0)) + *PerRequest * M.Requests;
}

/// The row of accesses that stand for each other. One way may have none.
static ComparedAccess
compareAccesses(ArrayRef<const MemoryCharacteristics *> IR,
                ArrayRef<const MemoryCharacteristics *> PTX) {
  const MemoryCharacteristics &First = IR.empty() ? *PTX[0] : *IR[0];
  ComparedAccess Row;
  Row.Source = First.Place.Source;
  Row.InlinedAt = First.Place.InlinedAt;
  Row.Space = First.Space;
  Row.Access = First.Access;
  Row.IRInstructions = unsigned(IR.size());
  Row.PTXInstructions = unsigned(PTX.size());
  for (auto [All, Of] :
       {std::pair(IR, &RoutePair::IR), std::pair(PTX, &RoutePair::PTX)})
    for (const MemoryCharacteristics *M : All) {
      add(Row.Requests.*Of, Estimate::known(1), *M);
      add(Row.Sectors.*Of, M->Sectors, *M);
      add(Row.Lines.*Of, M->Lines, *M);
      add(Row.Wavefronts.*Of, M->Wavefronts, *M);
    }
  return Row;
}

static void compareMemory(const KernelCharacteristics &IR,
                          const KernelCharacteristics &PTX,
                          std::vector<ComparedAccess> &Rows) {
  Groups<AccessKey, PlacedAccesses> ByPlace;
  for (const MemoryCharacteristics &M : IR.Memory)
    ByPlace[keyOf(M)].IR.push_back(&M);
  for (const MemoryCharacteristics &M : PTX.Memory)
    ByPlace[keyOf(M)].PTX.push_back(&M);
  for (const PlacedAccesses &G : ByPlace.All) {
    // Of the same number each stands for the one at its place in the order; a
    // way that splits accesses, or joins them, is compared by the sums.
    if (G.IR.size() != G.PTX.size()) {
      Rows.push_back(compareAccesses(G.IR, G.PTX));
      continue;
    }
    for (size_t I = 0; I != G.IR.size(); ++I)
      Rows.push_back(compareAccesses(G.IR[I], G.PTX[I]));
  }
}

static void compareLoops(const KernelCharacteristics &IR,
                         const KernelCharacteristics &PTX,
                         std::vector<ComparedLoop> &Rows) {
  // By depth and the order of the source; the ways order the code differently.
  auto InOrder = [](const KernelCharacteristics &K) {
    std::vector<const LoopCharacteristics *> Loops;
    Loops.reserve(K.Loops.size());
    for (const LoopCharacteristics &L : K.Loops)
      Loops.push_back(&L);
    llvm::stable_sort(
        Loops, [](const auto *A, const auto *B) { return A->Line < B->Line; });
    return Loops;
  };
  std::map<unsigned, std::vector<const LoopCharacteristics *>> Left;
  for (const LoopCharacteristics *L : InOrder(PTX))
    Left[L->Depth].push_back(L);
  std::map<unsigned, size_t> Taken;
  for (const LoopCharacteristics *At : InOrder(IR)) {
    const LoopCharacteristics &L = *At;
    ComparedLoop &Row = Rows.emplace_back();
    Row.IRHeader = L.Header;
    Row.Depth = L.Depth;
    Row.TripCount.IR = L.TripCount;
    size_t &Next = Taken[L.Depth];
    if (Next == Left[L.Depth].size())
      continue;
    const LoopCharacteristics &Other = *Left[L.Depth][Next++];
    Row.PTXHeader = Other.Header;
    Row.TripCount.PTX = Other.TripCount;
  }
  for (const auto &[Depth, Loops] : Left)
    for (const LoopCharacteristics *L :
         ArrayRef(Loops).drop_front(Taken[Depth])) {
      ComparedLoop &Row = Rows.emplace_back();
      Row.PTXHeader = L->Header;
      Row.Depth = L->Depth;
      Row.TripCount.PTX = L->TripCount;
    }
}

ComparedKernel ptxpredict::compareRoutes(const KernelCharacteristics &IR,
                                         const KernelCharacteristics &PTX) {
  ComparedKernel K;
  K.Name = IR.Name;
  K.Demangled = IR.Demangled;
  K.Instructions = {IR.Instructions, PTX.Instructions};
  for (unsigned C = 0; C != NumOpClasses; ++C)
    if (IR.ByClass[C] || PTX.ByClass[C])
      K.ByClass[C] = {IR.byClass(OpClass(C)), PTX.byClass(OpClass(C))};
  compareLoops(IR, PTX, K.Loops);
  compareMemory(IR, PTX, K.Memory);
  return K;
}
