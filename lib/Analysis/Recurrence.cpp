//===- Recurrence.cpp - Chains that loops carry on ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Recurrence.h"
#include "CycleRatio.h"

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
  /// Twice an instruction's number, and one more for a phi behind its loop.
  using Key = unsigned;
  static constexpr unsigned NoNode = ~0u;
  static constexpr Key NextIteration = ~0u;
  struct Nest {
    unsigned First = 0;  ///< place among the cycles, outer ones first
    unsigned Number = 1; ///< of cycles inside, itself included; they follow
    unsigned Levels = 1;
  };

  bool isIn(unsigned Loop, const Block &B) const {
    int Inner = InnermostOf[B.Number];
    return Inner >= 0 && Nests[unsigned(Inner)].First - Nests[Loop].First <
                             Nests[Loop].Number;
  }
  unsigned node(Key K);
  void addSource(const Value &V, const Block &Reader, unsigned To,
                 unsigned Iterations);
  void addSources(unsigned Node);
  void addAllSources();
  void addBranches();
  Recurrence longest() const;

  const LatencyTable &Latencies;
  ArrayRef<Cycle> Cycles;
  std::vector<Nest> Nests;      ///< by cycle
  std::vector<int> InnermostOf; ///< by block: cycle, or -1
  std::vector<unsigned> Order;  ///< by block, reverse post-order
  std::vector<const Instruction *> ById;

  // Of the loop at work.
  unsigned L = 0;
  std::vector<unsigned> NodeOf; ///< by key; NoNode between loops
  std::vector<Key> Keys;        ///< by node
  unsigned NumDone = 0;         ///< nodes whose sources are there
  std::vector<RatioEdge> Edges;
};

LoopGraphs::LoopGraphs(const InstructionGraph &G, const ControlFlow &CF,
                       const LatencyTable &Latencies)
    : Latencies(Latencies), Cycles(CF.cycles()), Nests(Cycles.size()),
      InnermostOf(G.Blocks.size()), Order(G.Blocks.size()),
      ById(G.NumInstructions), NodeOf(2 * size_t(G.NumInstructions), NoNode) {
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
  for (auto [N, B] : llvm::enumerate(CF.reversePostOrder()))
    Order[B->Number] = unsigned(N);
  for (const Block *B : G.Blocks) {
    InnermostOf[B->Number] = CF.innermostCycle(B);
    for (const Instruction *I : B->Instructions)
      ById[I->Id] = I;
  }
}

unsigned LoopGraphs::node(Key K) {
  if (NodeOf[K] == NoNode) {
    NodeOf[K] = unsigned(Keys.size());
    Keys.push_back(K);
  }
  return NodeOf[K];
}

/// \p To needs \p V, which is read in \p Reader.
void LoopGraphs::addSource(const Value &V, const Block &Reader, unsigned To,
                           unsigned Iterations) {
  const Instruction *I = V.Def;
  if (!I || !isIn(L, *I->Parent))
    return;
  auto Own = unsigned(InnermostOf[I->Parent->Number]);
  bool IsBehind = I->isPhi() && Own != L && Cycles[Own].Header == I->Parent &&
                  !isIn(Own, Reader);
  double Latency = I->isPseudo() ? 0 : Latencies.of(latencyOf(*I));
  Edges.push_back({node(2 * I->Id + IsBehind), To, Latency, Iterations});
}

void LoopGraphs::addSources(unsigned Node) {
  Key K = Keys[Node];
  const Instruction &I = *ById[K / 2];
  if (!I.isPhi()) {
    for (const Value *V : I.Uses)
      addSource(*V, *I.Parent, Node, 0);
    return;
  }
  bool IsBehind = K % 2;
  bool IsCarried = I.Parent == Cycles[L].Header;
  for (auto [V, From] : llvm::zip_equal(I.Uses, I.Parent->Predecessors)) {
    bool IsBack = Order[From->Number] >= Order[I.Parent->Number];
    if (isIn(L, *From) && IsBack <= (IsCarried || IsBehind))
      addSource(*V, *From, Node, IsCarried);
  }
}

void LoopGraphs::addAllSources() {
  for (; NumDone != Keys.size(); ++NumDone)
    addSources(NumDone);
}

/// Adds the branches, what they need, and a node for their being done, which
/// the next iteration starts with.
void LoopGraphs::addBranches() {
  std::vector<unsigned> Branches;
  for (const Block *B : Cycles[L].Blocks)
    if (const Instruction *T = B->terminator(); T && !B->Successors.empty())
      Branches.push_back(node(2 * T->Id));
  addAllSources();
  std::vector<bool> IsRoot(Keys.size(), true);
  for (const RatioEdge &E : Edges)
    if (E.Iterations == 0)
      IsRoot[E.To] = false;
  auto Next = unsigned(Keys.size());
  Keys.push_back(NextIteration);
  for (unsigned N = 0; N != Next; ++N)
    if (IsRoot[N])
      Edges.push_back({Next, N, 0, 0});
  for (unsigned N : Branches) {
    const Instruction &T = *ById[Keys[N] / 2];
    bool Stays = !T.IsExit && isIn(L, *T.Parent->Successors.front());
    Edges.push_back(
        {N, Next, Latencies.of(Stays ? latencyOf(T) : Latency::BranchNotTaken),
         1});
  }
}

Recurrence LoopGraphs::longest() const {
  RatioCycle C = maxCycleRatio(unsigned(Keys.size()), Edges);
  Recurrence R;
  R.Cycles = C.Cycles;
  R.Iterations = C.Iterations;
  size_t First = 0; // behind a branch, or where the first instruction is
  for (unsigned N : C.Nodes) {
    if (Keys[N] == NextIteration)
      First = R.Instructions.size();
    else if (const Instruction *I = ById[Keys[N] / 2]; !I->isPseudo())
      R.Instructions.push_back(I);
  }
  if (llvm::none_of(C.Nodes,
                    [&](unsigned N) { return Keys[N] == NextIteration; }))
    First = size_t(
        llvm::min_element(R.Instructions,
                          [](const Instruction *A, const Instruction *B) {
                            return A->Id < B->Id;
                          }) -
        R.Instructions.begin());
  std::rotate(R.Instructions.begin(),
              R.Instructions.begin() + std::ptrdiff_t(First),
              R.Instructions.end());
  return R;
}

LoopRecurrences LoopGraphs::find(unsigned Loop) {
  L = Loop;
  LoopRecurrences R;
  for (const Instruction &Phi : Cycles[L].Header->phis())
    node(2 * Phi.Id);
  addAllSources();
  R.Data = longest();
  addBranches();
  R.Any = longest();
  for (Key K : Keys)
    if (K != NextIteration)
      NodeOf[K] = NoNode;
  Keys.clear();
  Edges.clear();
  NumDone = 0;
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
