//===- RouteComparison.cpp - One kernel read in two ways ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Diff/RouteComparison.h"
#include "ptxpredict/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <map>
#include <tuple>

using namespace ptxpredict;

std::optional<bool> RoutePair::agrees() const {
  if (!First || !Second || !First->isKnown() || !Second->isKnown())
    return std::nullopt;
  // Sums of the same numbers in another order.
  double Most = std::max(std::fabs(First->Value), std::fabs(Second->Value));
  return std::fabs(First->Value - Second->Value) <= 1e-9 * Most;
}

unsigned RoutePair::factor() const {
  if (!First || !Second || !First->isKnown() || !Second->isKnown() ||
      !(Second->Value > 0))
    return 0;
  constexpr double Most = 1024;
  const double Ratio = First->Value / Second->Value;
  return Ratio > 1 && Ratio <= Most && Ratio == std::floor(Ratio)
             ? unsigned(Ratio)
             : 0;
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
  Accesses First, Second;
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

/// Whether sources are known by columns: line tables of machine code have none.
static bool hasColumns(const KernelCharacteristics &K) {
  return llvm::any_of(K.Memory, [](const MemoryCharacteristics &M) {
    return splitPlace(M.Place.Source).Column != 0;
  });
}

static AccessKey keyOf(const MemoryCharacteristics &M, bool WithColumns) {
  std::string Places;
  auto Add = [&](StringRef Place) {
    const PathPlace P = splitPlace(Place);
    Places += WithColumns || P.Line == 0
                  ? Place.str()
                  : P.Path.str() + ":" + std::to_string(P.Line);
    Places += '\n';
  };
  Add(M.Place.Source);
  llvm::for_each(M.Place.InlinedAt, Add);
  return {Places, unsigned(M.Space), unsigned(M.Access)};
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
compareAccesses(ArrayRef<const MemoryCharacteristics *> First,
                ArrayRef<const MemoryCharacteristics *> Second) {
  const MemoryCharacteristics &Any = First.empty() ? *Second[0] : *First[0];
  ComparedAccess Row;
  Row.Source = Any.Place.Source;
  Row.InlinedAt = Any.Place.InlinedAt;
  Row.Space = Any.Space;
  Row.Access = Any.Access;
  Row.FirstInstructions = unsigned(First.size());
  Row.SecondInstructions = unsigned(Second.size());
  for (auto [All, Of] : {std::pair(First, &RoutePair::First),
                         std::pair(Second, &RoutePair::Second)})
    for (const MemoryCharacteristics *M : All) {
      add(Row.Requests.*Of, Estimate::known(1), *M);
      add(Row.Sectors.*Of, M->Sectors, *M);
      add(Row.Lines.*Of, M->Lines, *M);
      add(Row.Wavefronts.*Of, M->Wavefronts, *M);
    }
  return Row;
}

static void compareMemory(const KernelCharacteristics &First,
                          const KernelCharacteristics &Second,
                          std::vector<ComparedAccess> &Rows) {
  Groups<AccessKey, PlacedAccesses> ByPlace;
  const bool WithColumns = hasColumns(First) == hasColumns(Second);
  for (const MemoryCharacteristics &M : First.Memory)
    ByPlace[keyOf(M, WithColumns)].First.push_back(&M);
  for (const MemoryCharacteristics &M : Second.Memory)
    ByPlace[keyOf(M, WithColumns)].Second.push_back(&M);
  for (const PlacedAccesses &G : ByPlace.All) {
    // Of the same number each stands for the one at its place in the order; a
    // way that splits accesses, or joins them, is compared by the sums.
    if (G.First.size() != G.Second.size()) {
      Rows.push_back(compareAccesses(G.First, G.Second));
      continue;
    }
    for (size_t I = 0; I != G.First.size(); ++I)
      Rows.push_back(compareAccesses(G.First[I], G.Second[I]));
  }
}

static void compareLoops(const KernelCharacteristics &First,
                         const KernelCharacteristics &Second,
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
  for (const LoopCharacteristics *L : InOrder(Second))
    Left[L->Depth].push_back(L);
  std::map<unsigned, size_t> Taken;
  for (const LoopCharacteristics *At : InOrder(First)) {
    const LoopCharacteristics &L = *At;
    ComparedLoop &Row = Rows.emplace_back();
    Row.FirstHeader = L.Header;
    Row.Depth = L.Depth;
    Row.TripCount.First = L.TripCount;
    size_t &Next = Taken[L.Depth];
    if (Next == Left[L.Depth].size())
      continue;
    const LoopCharacteristics &Other = *Left[L.Depth][Next++];
    Row.SecondHeader = Other.Header;
    Row.TripCount.Second = Other.TripCount;
  }
  for (const auto &[Depth, Loops] : Left)
    for (const LoopCharacteristics *L :
         ArrayRef(Loops).drop_front(Taken[Depth])) {
      ComparedLoop &Row = Rows.emplace_back();
      Row.SecondHeader = L->Header;
      Row.Depth = L->Depth;
      Row.TripCount.Second = L->TripCount;
    }
}

ComparedKernel ptxpredict::compareRoutes(const KernelCharacteristics &First,
                                         const KernelCharacteristics &Second) {
  ComparedKernel K;
  K.Name = First.Name;
  K.Demangled = First.Demangled;
  K.Instructions = {First.Instructions, Second.Instructions};
  for (unsigned C = 0; C != NumOpClasses; ++C)
    if (First.ByClass[C] || Second.ByClass[C])
      K.ByClass[C] = {First.byClass(OpClass(C)), Second.byClass(OpClass(C))};
  compareLoops(First, Second, K.Loops);
  compareMemory(First, Second, K.Memory);
  return K;
}
