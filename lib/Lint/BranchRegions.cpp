//===- BranchRegions.cpp - What split warps execute twice -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BranchRegions.h"
#include "llvm/ADT/DenseSet.h"
#include <numeric>

using namespace ptxpredict;

static uint32_t endOf(const FunctionDependence &F, const IssuedBlock::Edge &E) {
  return E.To == IssuedBlock::Leave ? uint32_t(F.Blocks.size()) : E.To;
}

namespace {

/// Numbers the blocks from the end of a function backwards, in post-order.
struct BackwardOrder {
  std::vector<uint32_t> Order;  ///< the end last
  std::vector<uint32_t> Number; ///< by block; None: no way to the end
  static constexpr uint32_t None = ~0U;

  explicit BackwardOrder(const FunctionDependence &F) {
    const uint32_t End = uint32_t(F.Blocks.size());
    // Those before a block lie together: behind the first of each.
    std::vector<uint32_t> First(End + 2);
    auto ForEdges = [&](auto Visit) {
      for (uint32_t B = 0; B != End; ++B) {
        if (F.Blocks[B].Edges.empty())
          Visit(B, End);
        for (const IssuedBlock::Edge &E : F.Blocks[B].Edges)
          Visit(B, endOf(F, E));
      }
    };
    ForEdges([&](uint32_t, uint32_t To) { ++First[To + 1]; });
    std::partial_sum(First.begin(), First.end(), First.begin());
    std::vector<uint32_t> Before(First[End + 1]), Filled(First);
    ForEdges([&](uint32_t B, uint32_t To) { Before[Filled[To]++] = B; });
    Number.assign(End + 1, None);
    std::vector<bool> Seen(End + 1);
    Order.reserve(End + 1);
    std::vector<std::pair<uint32_t, uint32_t>> Stack{{End, First[End]}};
    Seen[End] = true;
    while (!Stack.empty()) {
      auto &[B, Next] = Stack.back();
      if (Next == First[B + 1]) {
        Number[B] = uint32_t(Order.size());
        Order.push_back(B);
        Stack.pop_back();
        continue;
      }
      uint32_t To = Before[Next++];
      if (!Seen[To]) {
        Seen[To] = true;
        Stack.emplace_back(To, First[To]);
      }
    }
  }
};

} // namespace

// K. Cooper, T. Harvey, K. Kennedy, "A simple, fast dominance algorithm", on
// the reversed graph.
BranchRegions::BranchRegions(const FunctionDependence &F) : F(F) {
  const uint32_t End = uint32_t(F.Blocks.size());
  BackwardOrder Backward(F);
  Meet.assign(End + 1, None);
  Meet[End] = End;
  auto Common = [&](uint32_t A, uint32_t B) {
    while (A != B) {
      while (Backward.Number[A] < Backward.Number[B])
        A = Meet[A];
      while (Backward.Number[B] < Backward.Number[A])
        B = Meet[B];
    }
    return A;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t I = Backward.Order.size(); I-- != 0;) {
      uint32_t B = Backward.Order[I];
      if (B == End)
        continue;
      uint32_t New = F.Blocks[B].Edges.empty() ? End : None;
      for (const IssuedBlock::Edge &E : F.Blocks[B].Edges) {
        uint32_t To = endOf(F, E);
        if (Meet[To] != None)
          New = New == None ? To : Common(New, To);
      }
      Changed |= New != Meet[B];
      Meet[B] = New;
    }
  }
}

std::vector<SparedBlock> BranchRegions::spared(uint32_t B,
                                               size_t &Budget) const {
  const IssuedBlock &Branch = F.Blocks[B];
  std::vector<SparedBlock> Spared;
  if (Branch.Edges.size() != 2 || Branch.Both <= 0 || Meet[B] == None)
    return Spared;
  const uint32_t End = uint32_t(F.Blocks.size());
  for (const IssuedBlock::Edge &E : Branch.Edges) {
    double Enters = E.Share + Branch.Both;
    double Share = Branch.Both / 2 / Enters;
    llvm::SmallDenseSet<uint32_t, 16> Seen;
    SmallVector<uint32_t, 16> Stack{endOf(F, E)};
    while (!Stack.empty()) {
      uint32_t Next = Stack.pop_back_val();
      if (Next == Meet[B] || Next == End || !Seen.insert(Next).second)
        continue;
      if (Budget == 0)
        return {};
      --Budget;
      Spared.push_back({Next, Share});
      for (const IssuedBlock::Edge &Out : F.Blocks[Next].Edges)
        Stack.push_back(endOf(F, Out));
    }
  }
  return Spared;
}
