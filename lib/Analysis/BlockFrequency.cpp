//===- BlockFrequency.cpp - How often blocks run --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/BlockFrequency.h"
#include "ptxpredict/Support/Text.h"
#include <cmath>

using namespace ptxpredict;

namespace {

class Frequencies {
public:
  Frequencies(const InstructionGraph &G, const ControlFlow &CF,
              const Conditions &Conds, ArrayRef<LoopTripCount> Loops,
              std::vector<Assumption> &Assumptions)
      : G(G), CF(CF), Conds(Conds), Loops(Loops), Assumptions(Assumptions),
        Result(G.Blocks.size()), Inflow(G.Blocks.size()),
        LoopEntry(Loops.size()), DominatesLoop(G.Blocks.size()) {
    for (const Cycle &C : CF.cycles())
      for (const Block *B = C.Header; B && !DominatesLoop[B->Number];
           B = CF.immediateDominator(B))
        DominatesLoop[B->Number] = true;
  }

  std::vector<Count> run();

private:
  void flowOut(const Block &B);
  void send(const Block &From, size_t Successor, double Share, Status How);
  Condition condition(const Block &B, const Instruction &Branch);
  /// \p Side, reached from \p B alone, leads to a loop.
  bool guardsLoop(const Block &Side, const Block &B) const {
    return DominatesLoop[Side.Number] && Side.Predecessors.size() == 1 &&
           Side.Predecessors[0] == &B;
  }
  /// The outermost cycle that holds \p B but not \p To; -1 if the edge leaves
  /// none.
  int outermostLeft(const Block &B, const Block &To) const;

  const InstructionGraph &G;
  const ControlFlow &CF;
  const Conditions &Conds;
  ArrayRef<LoopTripCount> Loops;
  std::vector<Assumption> &Assumptions;
  std::vector<Count> Result;       ///< by block number
  std::vector<Count> Inflow;       ///< from blocks that are done
  std::vector<Count> LoopEntry;    ///< what entered each cycle
  std::vector<bool> DominatesLoop; ///< by block number
};

int Frequencies::outermostLeft(const Block &B, const Block &To) const {
  int Left = -1;
  for (int C = CF.innermostCycle(&B); C >= 0;
       C = CF.cycles()[unsigned(C)].ParentIndex) {
    if (CF.cycles()[unsigned(C)].contains(&To))
      break;
    Left = C;
  }
  return Left;
}

void Frequencies::send(const Block &From, size_t Successor, double Share,
                       Status How) {
  const Block *To = From.Successors[Successor];
  // Of two conditions that hold for some warps nobody says how they meet.
  bool IsPart = Share > 0 && Share < 1;
  if (IsPart && How == Status::Known &&
      Result[From.Number].Value != std::floor(Result[From.Number].Value))
    How = Status::Estimated;
  Count Flow = Result[From.Number].scaled(Share).weakenedTo(How);
  if (How != Status::Known) // either side may be all or nothing
    Flow.Low = 0, Flow.High = Result[From.Number].High;
  Inflow[To->Number] += Flow;
}

/// The branch of \p B, as the launch or the code says; what is assumed is
/// noted.
Condition Frequencies::condition(const Block &B, const Instruction &Branch) {
  const auto &Given = Conds.forms().launch().BranchProbabilities;
  std::optional<double> P = lookUpByLabel(Given, B);
  std::string Line = std::to_string(Branch.Line);
  if (auto It = Given.find(Line); It != Given.end())
    P = It->second;
  if (P)
    return {Condition::Basis::Decided, *P, 1 - *P};
  Condition C = Conds.guard(Branch);
  if (C.Why == Condition::Basis::Decided)
    return C;
  Assumption A;
  A.Line = Branch.Line;
  A.What = "branch taken";
  if (C.Why == Condition::Basis::Uniform) {
    // Code in front of a loop asks whether there is anything to do.
    bool Taken = guardsLoop(*B.Successors[0], B),
         Falls = guardsLoop(*B.Successors[1], B);
    if (Taken != Falls) {
      C.AnyTrue = Taken, C.AnyFalse = Falls;
      A.What += Taken ? " into the loop" : " past the loop";
    }
  } else if (C.Why == Condition::Basis::Index) {
    A.What += C.AnyTrue < C.AnyFalse ? ", index out of bounds"
                                     : ", index within bounds";
  }
  A.Value = shortestDecimal(C.AnyTrue);
  A.Option = "--branch-probability=" + Line + "=P";
  Assumptions.push_back(std::move(A));
  return C;
}

void Frequencies::flowOut(const Block &B) {
  const Instruction *T = B.terminator();
  size_t N = B.Successors.size();
  if (N == 0)
    return;
  if (N == 1)
    return send(B, 0, 1, Status::Known);

  // Edges that leave a loop together carry what entered it; the counted exit
  // carries all of that, the others nothing.
  SmallVector<int, 2> Left;
  for (const Block *S : B.Successors)
    Left.push_back(outermostLeft(B, *S));
  bool Leaves = llvm::any_of(Left, [](int C) { return C >= 0; });
  if (Leaves) {
    unsigned NumLeaving =
        unsigned(llvm::count_if(Left, [](int C) { return C >= 0; }));
    for (size_t S = 0; S != N; ++S) {
      if (Left[S] < 0) {
        double Stay = N - NumLeaving;
        send(B, S, 1 / Stay, Stay == 1 ? Status::Known : Status::Assumed);
        continue;
      }
      unsigned C = unsigned(Left[S]);
      const Cycle &Loop = CF.cycles()[C];
      bool Only = Loop.ExitingBlocks.size() == 1;
      bool Counted = Loops[C].CountedExit == &B;
      bool None = !Loops[C].CountedExit;
      double Exits = double(Loop.ExitingBlocks.size()) * NumLeaving;
      double Share = Only      ? 1.0 / NumLeaving
                     : Counted ? 1
                     : None    ? 1 / Exits
                               : 0;
      Count Flow = LoopEntry[C].scaled(Share);
      if (!Only)
        Flow = Flow.weakenedTo(Status::Estimated);
      Inflow[B.Successors[S]->Number] += Flow;
    }
    return;
  }

  if (T && T->Guard && N == 2) {
    Condition C = condition(B, *T);
    send(B, 0, C.AnyTrue, C.status());
    send(B, 1, C.AnyFalse, C.status());
    return;
  }
  // A jump table: any of its targets alike.
  for (size_t S = 0; S != N; ++S)
    send(B, S, 1 / double(N), Status::Assumed);
}

std::vector<Count> Frequencies::run() {
  Inflow[G.Blocks.front()->Number] = Count::known(1);
  for (const Block *B : CF.reversePostOrder()) {
    Count F = Inflow[B->Number];
    int C = CF.innermostCycle(B);
    bool IsHeader = C >= 0 && CF.cycles()[unsigned(C)].Header == B;
    // Lanes that parted after the dominator meet again where all paths lead.
    const Block *D = CF.immediateDominator(B);
    if (D && !IsHeader && CF.innermostCycle(D) == C) {
      const Count &Above = Result[D->Number];
      if (CF.postDominates(B, D))
        F = Above;
      else if (F.Value > Above.Value)
        F = {Above.Value, F.How, std::min(F.Low, Above.High), Above.High};
    }
    // A header runs once for each entry and each jump back.
    if (IsHeader) {
      unsigned L = unsigned(C);
      LoopEntry[L] = F;
      Count Runs = Loops[L].TripCount;
      double Extra = Loops[L].Backedges + 1 - Runs.Value;
      Runs = {Runs.Value + Extra, Runs.How, Runs.Low + std::max(Extra, 0.0),
              Runs.High + std::max(Extra, 0.0)};
      F = F * Runs;
    }
    Result[B->Number] = F;
    flowOut(*B);
  }
  return std::move(Result);
}

} // namespace

std::vector<Count> ptxpredict::blockFrequencies(
    const InstructionGraph &G, const ControlFlow &CF, const Conditions &Conds,
    ArrayRef<LoopTripCount> Loops, std::vector<Assumption> &Assumptions) {
  return Frequencies(G, CF, Conds, Loops, Assumptions).run();
}
