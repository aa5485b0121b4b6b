//===- Recurrence.cpp - Chains that loops carry on ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Dependence/Recurrence.h"
#include "CycleRatio.h"
#include <optional>

using namespace ptxpredict;

namespace {

/// The dependences of one loop after the other, as far as they matter for
/// recurrences: what the header's phis get from the iteration before, and what
/// the branches need, and so on backwards.
///
/// Values from an inner loop come from its header's phis or from its body. Back
/// edges of inner loops are left out, so that a body counts once; a phi that is
/// read behind its loop stands, in a node of its own, for what it brings in and
/// what its loop makes of it.
class LoopGraphs {
public:
  LoopGraphs(const InstructionGraph &G, const ControlFlow &CF,
             const LatencyTable &Latencies);
  LoopRecurrences find(unsigned Loop);
  /// How many loops lie around one another in \p Loop, itself included.
  unsigned levels(unsigned Loop) const { return Nests[Loop].Levels; }

private:
  static constexpr unsigned NoNode = ~0u;
  /// The node for all branches being done, which the next iteration starts
  /// with.
  static constexpr unsigned NextIteration = 0;
  struct Nest {
    unsigned First = 0;  ///< place among the cycles, outer ones first
    unsigned Number = 1; ///< of cycles inside, itself included; they follow
    unsigned Levels = 1;
  };
  struct Node {
    const Instruction *I = nullptr;
    bool IsBehind = false; ///< a phi behind its loop
    double Latency = 0;
  };

  bool isIn(unsigned Loop, const Block &B) const {
    int Inner = InnermostOf[B.Number];
    return Inner >= 0 && Nests[unsigned(Inner)].First - Nests[Loop].First <
                             Nests[Loop].Number;
  }
  unsigned &nodeOf(const Node &N) { return NodeOf[2 * N.I->Id + N.IsBehind]; }
  unsigned node(const Instruction &I, bool IsBehind = false);
  void addSource(const Value &V, const Block &Reader, unsigned Iterations);
  void addSources(const Node &N);
  void addAllSources();
  void addBranches();
  Recurrence longest(ArrayRef<unsigned> Ends);

  const LatencyTable &Latencies;
  ArrayRef<Cycle> Cycles;
  std::vector<Nest> Nests;      ///< by cycle
  std::vector<int> InnermostOf; ///< by block: cycle, or -1
  std::vector<unsigned> Order;  ///< by block, reverse post-order
  CycleRatio Ratios;

  // Of the loop at work.
  unsigned L = 0;
  /// By instruction, and for a phi behind its loop; NoNode between loops.
  std::vector<unsigned> NodeOf;
  std::vector<Node> Nodes;
  std::vector<IncomingEdges> Incoming; ///< of nodes whose sources are there
  std::vector<RatioEdge> Edges;
  std::vector<unsigned> Branches;
};

LoopGraphs::LoopGraphs(const InstructionGraph &G, const ControlFlow &CF,
                       const LatencyTable &Latencies)
    : Latencies(Latencies), Cycles(CF.cycles()), Nests(Cycles.size()),
      InnermostOf(G.Blocks.size()), Order(G.Blocks.size()),
      NodeOf(2 * size_t(G.NumInstructions), NoNode) {
  for (unsigned N = unsigned(Cycles.size()); N-- != 0;)
    if (Cycles[N].ParentIndex >= 0) {
      Nest &Parent = Nests[unsigned(Cycles[N].ParentIndex)];
      Parent.Number += Nests[N].Number;
      Parent.Levels = std::max(Parent.Levels, Nests[N].Levels + 1);
    }
  unsigned Free = 0; // of outermost ones
  std::vector<unsigned> FreeIn(Cycles.size());
  for (unsigned N = 0; N != Cycles.size(); ++N) {
    int Parent = Cycles[N].ParentIndex;
    unsigned &Next = Parent >= 0 ? FreeIn[unsigned(Parent)] : Free;
    Nests[N].First = Next;
    Next += Nests[N].Number;
    FreeIn[N] = Nests[N].First + 1;
  }
  constexpr size_t Usual = 128; // nodes of a loop
  Nodes.reserve(Usual);
  Incoming.reserve(Usual);
  Edges.reserve(2 * Usual);
  for (auto [N, B] : llvm::enumerate(CF.reversePostOrder())) {
    Order[B->Number] = unsigned(N);
    InnermostOf[B->Number] = CF.innermostCycle(B);
  }
}

unsigned LoopGraphs::node(const Instruction &I, bool IsBehind) {
  Node N{&I, IsBehind, 0};
  unsigned &Known = nodeOf(N);
  if (Known == NoNode) {
    if (!I.isPseudo())
      N.Latency = Latencies.of(schedClassOf(I));
    Known = unsigned(Nodes.size());
    Nodes.push_back(N);
  }
  return Known;
}

/// The next node needs \p V, which is read in \p Reader.
void LoopGraphs::addSource(const Value &V, const Block &Reader,
                           unsigned Iterations) {
  const Instruction *I = V.Def;
  if (!I || !isIn(L, *I->Parent))
    return;
  auto Own = unsigned(InnermostOf[I->Parent->Number]);
  bool IsBehind = I->isPhi() && Own != L && Cycles[Own].Header == I->Parent &&
                  !isIn(Own, Reader);
  unsigned From = node(*I, IsBehind);
  Edges.push_back({Nodes[From].Latency, From, Iterations});
}

void LoopGraphs::addSources(const Node &N) {
  const Instruction &I = *N.I;
  if (!I.isPhi()) {
    for (const Value *V : I.Uses)
      addSource(*V, *I.Parent, 0);
    return;
  }
  bool IsCarried = I.Parent == Cycles[L].Header;
  for (auto [V, From] : llvm::zip_equal(I.Uses, I.Parent->Predecessors)) {
    bool IsBack = Order[From->Number] >= Order[I.Parent->Number];
    if (isIn(L, *From) && IsBack <= (IsCarried || N.IsBehind))
      addSource(*V, *From, IsCarried);
  }
}

void LoopGraphs::addAllSources() {
  while (Incoming.size() != Nodes.size()) {
    auto First = unsigned(Edges.size());
    addSources(Node(Nodes[Incoming.size()]));
    // What needs nothing of this iteration issues when it starts.
    if (llvm::none_of(ArrayRef(Edges).drop_front(First),
                      [](const RatioEdge &E) { return E.Iterations == 0; }))
      Edges.push_back({0, NextIteration, 0});
    Incoming.push_back({First, unsigned(Edges.size())});
  }
}

/// Adds the branches and what they need.
void LoopGraphs::addBranches() {
  Branches.clear();
  for (const Block *B : Cycles[L].Blocks)
    if (const Instruction *T = B->terminator(); T && !B->Successors.empty())
      Branches.push_back(node(*T));
  addAllSources();
  Incoming[NextIteration].First = unsigned(Edges.size());
  for (unsigned N : Branches) {
    const Instruction &T = *Nodes[N].I;
    bool Stays = !T.IsExit && isIn(L, *T.Parent->Successors.front());
    Edges.push_back(
        {Stays ? Nodes[N].Latency : Latencies.of(SchedClass::BranchNotTaken), N,
         1});
  }
  Incoming[NextIteration].End = unsigned(Edges.size());
}

Recurrence LoopGraphs::longest(ArrayRef<unsigned> Ends) {
  RatioCycle C = Ratios.findLongest(Incoming, Edges, Ends);
  Recurrence R;
  R.Cycles = C.Cycles;
  R.Iterations = C.Iterations;
  std::optional<size_t> First; // behind the branches
  for (unsigned N : C.Nodes) {
    if (N == NextIteration)
      First = R.Instructions.size();
    else if (!Nodes[N].I->isPseudo())
      R.Instructions.push_back(Nodes[N].I);
  }
  auto ById = [](const Instruction *A, const Instruction *B) {
    return A->Id < B->Id;
  };
  auto Begin = R.Instructions.begin();
  std::rotate(Begin,
              First ? Begin + std::ptrdiff_t(*First)
                    : llvm::min_element(R.Instructions, ById),
              R.Instructions.end());
  return R;
}

LoopRecurrences LoopGraphs::find(unsigned Loop) {
  L = Loop;
  LoopRecurrences R;
  Nodes.emplace_back(); // NextIteration, which nothing leads to at first
  Incoming.emplace_back();
  SmallVector<unsigned, 16> Carried;
  for (const Instruction &Phi : Cycles[L].Header->phis())
    Carried.push_back(node(Phi));
  addAllSources();
  R.Data = longest(Carried);
  addBranches();
  R.Any = longest(NextIteration);
  if (R.Any.perIteration() <= R.Data.perIteration())
    R.Any = R.Data;
  for (const Node &N : ArrayRef(Nodes).drop_front())
    nodeOf(N) = NoNode;
  Nodes.clear();
  Incoming.clear();
  Edges.clear();
  return R;
}

} // namespace

std::vector<LoopRecurrences>
ptxpredict::findRecurrences(const InstructionGraph &G, const ControlFlow &CF,
                            const LatencyTable &Latencies) {
  std::vector<LoopRecurrences> Out(CF.cycles().size());
  if (Out.empty())
    return Out;
  LoopGraphs Graphs(G, CF, Latencies);
  for (unsigned N = 0; N != Out.size(); ++N)
    if (CF.cycles()[N].Reducible && Graphs.levels(N) <= MaxRecurrenceLevels)
      Out[N] = Graphs.find(N);
  return Out;
}
