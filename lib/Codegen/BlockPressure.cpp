//===- BlockPressure.cpp - Registers that are live in a block -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/BlockPressure.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace ptxpredict;

/// Liveness value by value (Boissinot et al., CGO 2008, "path exploration"):
/// from each use back to the definition, every block once.
LiveOut::LiveOut(const MachineCode &Code) {
  constexpr unsigned None = ~0U;
  size_t NumValues = Code.widths().size();
  std::vector<unsigned> DefBlock(NumValues, None);
  // Where each value is read before its block writes it, and at whose end.
  struct Use {
    unsigned Value, Block;
    bool AtEnd;
  };
  std::vector<Use> Uses;
  std::vector<unsigned> SeenIn(NumValues, None), DefinedIn(NumValues, None);
  for (unsigned B = 0; B != Code.blocks().size(); ++B) {
    const MachineBlock &Block = Code.blocks()[B];
    auto Define = [&](unsigned V) { DefBlock[V] = DefinedIn[V] = B; };
    for (const MachinePhi &Phi : Block.Phis) {
      Define(Phi.Def);
      for (size_t P = 0; P != Phi.Uses.size(); ++P)
        if (Phi.Uses[P] != MachinePhi::NoValue)
          Uses.push_back({Phi.Uses[P], Block.Source->Predecessors[P]->Number,
                          /*AtEnd=*/true});
    }
    for (const MachineOp &Op : Block.Ops) {
      for (unsigned U : Op.Uses)
        if (DefinedIn[U] != B && SeenIn[U] != B) {
          SeenIn[U] = B;
          Uses.push_back({U, B, /*AtEnd=*/false});
        }
      for (unsigned D : Op.Defs)
        Define(D);
    }
  }
  llvm::stable_sort(
      Uses, [](const Use &A, const Use &B) { return A.Value < B.Value; });

  std::vector<unsigned> EnteredBy(Code.blocks().size(), None),
      LeftBy(Code.blocks().size(), None);
  SmallVector<unsigned, 16> Work;
  std::vector<std::pair<unsigned, unsigned>> Found; // blocks and values
  for (const Use &U : Uses) {
    auto Enter = [&](unsigned B) {
      if (EnteredBy[B] != U.Value) {
        EnteredBy[B] = U.Value;
        Work.push_back(B);
      }
    };
    auto Leave = [&](unsigned B) {
      if (LeftBy[B] == U.Value)
        return;
      LeftBy[B] = U.Value;
      Found.emplace_back(B, U.Value);
      if (B != DefBlock[U.Value])
        Enter(B);
    };
    if (U.AtEnd)
      Leave(U.Block);
    else
      Enter(U.Block);
    while (!Work.empty())
      for (const Block *P :
           Code.blocks()[Work.pop_back_val()].Source->Predecessors)
        Leave(P->Number);
  }
  Begins.resize(Code.blocks().size() + 1);
  for (const auto &[B, V] : Found)
    ++Begins[B + 1];
  std::partial_sum(Begins.begin(), Begins.end(), Begins.begin());
  Values.resize(Found.size());
  std::vector<size_t> Next = Begins;
  for (const auto &[B, V] : Found)
    Values[Next[B]++] = V;
}

unsigned BlockPressure::of(ArrayRef<MachineOp> Ops, ArrayRef<unsigned> Order,
                           ArrayRef<unsigned> LiveAtEnd,
                           ArrayRef<uint8_t> Width) {
  return ofStretches(Ops, Order, LiveAtEnd, Width, unsigned(Ops.size()))[0];
}

SmallVector<unsigned, 4>
BlockPressure::ofStretches(ArrayRef<MachineOp> Ops, ArrayRef<unsigned> Order,
                           ArrayRef<unsigned> LiveAtEnd,
                           ArrayRef<uint8_t> Width, ArrayRef<unsigned> Ends) {
  if (Ends.empty())
    return {};
  Live.resize(std::max(Live.size(), Width.size()));
  unsigned Now = 0;
  auto Add = [&](unsigned V) {
    if (Live[V])
      return;
    Live[V] = 1;
    Touched.push_back(V);
    Now += Width[V];
  };
  for (unsigned V : LiveAtEnd)
    Add(V);
  SmallVector<unsigned, 4> Most(Ends.size());
  size_t Stretch = Ends.size() - 1;
  Most[Stretch] = Now;
  for (size_t K = Ops.size(); K-- != 0;) {
    const MachineOp &Op = Ops[Order.empty() ? K : Order[K]];
    if (Stretch != 0 && K < Ends[Stretch - 1])
      Most[--Stretch] = Now;
    unsigned &Max = Most[Stretch];
    for (unsigned D : Op.Defs)
      Add(D); // a result that nobody reads needs a register all the same
    Max = std::max(Max, Now + Op.Temporaries);
    for (unsigned D : Op.Defs) {
      Live[D] = 0;
      Now -= Width[D];
    }
    for (unsigned U : Op.Uses)
      Add(U);
    Max = std::max(Max, Now + Op.Temporaries);
  }
  for (unsigned V : Touched)
    Live[V] = 0;
  Touched.clear();
  return Most;
}
