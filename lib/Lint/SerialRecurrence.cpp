//===- SerialRecurrence.cpp - Loops bound by a chain ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <array>

using namespace ptxpredict;

/// Of a warp's instructions: what a loop must have to matter.
static constexpr double LeastShareOfLoop = 0.1;
/// The chain's time over the issue time, from which on it bounds the loop.
static constexpr double LeastRatioToIssue = 1.25;
/// The fix is taken to be as many chains side by side.
static constexpr double Chains = 4;

namespace {

/// Where an instruction of the input stands in the summary.
struct InstructionAt {
  uint32_t Function, Block;
  Latency Result;
};

/// A loop's chain in terms of the summary.
struct LoopChain {
  const RecurrenceCharacteristics *Chain;
  SmallVector<Latency, 8> Results;
  /// Of one iteration, by kind.
  std::array<double, NumLatencies> PerIteration{};
  double Instructions = 0; ///< of the loop, per warp
  double Runs = 0;         ///< of the header, per warp
};

using InstructionsByLine = llvm::DenseMap<uint32_t, InstructionAt>;

} // namespace

static InstructionsByLine findInstructions(const DependenceSummary &S) {
  InstructionsByLine ByLine;
  for (uint32_t N = 0; N != S.Functions.size(); ++N) {
    const FunctionDependence &F = S.Functions[N];
    for (uint32_t B = 0; B != F.Blocks.size(); ++B)
      for (uint32_t I = F.Blocks[B].FirstInstruction;
           I != F.Blocks[B].EndInstruction; ++I)
        ByLine.try_emplace(F.Instructions[I].Line,
                           InstructionAt{N, B, F.Instructions[I].Result});
  }
  return ByLine;
}

/// The chain and the innermost loop that has all of it; nothing where the
/// summary does not have them.
static std::optional<LoopChain> findChain(const DependenceSummary &S,
                                          const InstructionsByLine &ByLine,
                                          const RecurrenceCharacteristics &R) {
  LoopChain C;
  C.Chain = &R;
  uint32_t First = ~0U, Last = 0, Function = 0;
  for (const InstructionPlace &I : R.Instructions) {
    auto It = ByLine.find(I.Place.Line);
    if (It == ByLine.end())
      return std::nullopt;
    Function = It->second.Function;
    First = std::min(First, It->second.Block);
    Last = std::max(Last, It->second.Block);
    C.Results.push_back(It->second.Result);
  }
  const FunctionDependence &F = S.Functions[Function];
  const IssuedLoop *Loop = nullptr;
  for (const IssuedLoop &L : F.Loops)
    if (L.First <= First && Last < L.End &&
        (!Loop || L.End - L.First <= Loop->End - Loop->First))
      Loop = &L;
  if (!Loop || Loop->Runs <= 0)
    return std::nullopt;
  double HeaderRuns = F.Blocks[Loop->First].Runs;
  if (HeaderRuns <= 0)
    return std::nullopt;
  C.Runs = HeaderRuns * F.Entries;
  for (uint32_t B = Loop->First; B != Loop->End; ++B)
    for (uint32_t I = F.Blocks[B].FirstInstruction;
         I != F.Blocks[B].EndInstruction; ++I) {
      C.PerIteration[unsigned(F.Instructions[I].Result)] +=
          F.Blocks[B].Runs / HeaderRuns;
      C.Instructions += F.Blocks[B].Runs * F.Entries;
    }
  return C;
}

/// Cycles that one iteration takes at least, since each needs the one before.
static double chainCycles(const LoopChain &C, const LatencyTable &T) {
  double Cycles = 0;
  for (Latency L : C.Results)
    Cycles += std::max(T.of(L), T.Issue);
  return Cycles / C.Chain->Iterations;
}

/// Cycles in which an SM issues one iteration of all of its warps.
static double issueCycles(const LoopChain &C, const KernelThere &There) {
  double Cycles = 0;
  for (unsigned K = 0; K != NumLatencies; ++K)
    Cycles += C.PerIteration[K] * issueCyclesOf(Latency(K), There.dev());
  return Cycles * There.warpsPerSM();
}

/// What of a warp's critical path would be left with so many chains side by
/// side.
static double pathShareWithout(const LoopChain &C, const DependenceSummary &S,
                               const LatencyTable &T) {
  const double Path = findCriticalPath(S, T).Cycles;
  const double PerRun = chainCycles(C, T);
  const double Left =
      std::max(PerRun / Chains, C.Instructions / C.Runs * T.Issue);
  const double Saved = C.Runs * std::max(0.0, PerRun - Left);
  return Path > 0 ? std::max(0.0, 1 - Saved / Path) : 1;
}

static std::string chainText(const RecurrenceCharacteristics &R) {
  constexpr size_t Most = 4;
  std::string Text;
  for (const InstructionPlace &I : ArrayRef(R.Instructions).take_front(Most))
    Text += (Text.empty() ? "" : " -> ") + I.Opcode;
  return R.Instructions.size() > Most ? Text + " -> ..." : Text;
}

void ptxpredict::checkSerialRecurrence(const Rule &R, LintContext &C) {
  const KernelCharacteristics &K = C.kernel();
  const DependenceSummary &S = K.Dependence.Summary;
  if (llvm::none_of(K.Loops, [](const auto &L) { return bool(L.Recurrence); }))
    return;
  InstructionsByLine ByLine = findInstructions(S);
  for (const LoopCharacteristics &L : K.Loops) {
    if (!L.Recurrence || L.Recurrence->Instructions.empty())
      continue;
    std::optional<LoopChain> Chain = findChain(S, ByLine, *L.Recurrence);
    if (!Chain || Chain->Instructions < LeastShareOfLoop * K.Instructions.Value)
      continue;
    const KernelThere *Worst = nullptr;
    double Most = LeastRatioToIssue;
    for (const KernelThere &There : C.devices()) {
      LatencyTable T = latenciesOf(There.dev());
      double Ratio = chainCycles(*Chain, T) / issueCycles(*Chain, There);
      if (Ratio > Most && There.Now.Limiter != "memory-bandwidth") {
        Most = Ratio;
        Worst = &There;
      }
    }
    if (!Worst)
      continue;
    LatencyTable T = latenciesOf(Worst->dev());
    double Cycles = chainCycles(*Chain, T);
    Finding F = C.start(R, L.Recurrence->Instructions.front().Place);
    F.Message = "each iteration of " +
                (L.Header.empty() ? "the loop at line " + std::to_string(L.Line)
                                  : L.Header) +
                " waits for the one before: " +
                std::to_string(L.Recurrence->Instructions.size()) +
                " instructions, " + chainText(*L.Recurrence) + ", take " +
                shortNumber(Cycles) + " cycles" + onDevice(C, *Worst) +
                ", in which all of its " + shortNumber(Worst->warpsPerSM()) +
                " warps need " + shortNumber(issueCycles(*Chain, *Worst)) +
                " to issue theirs";
    F.add("chain_instructions", double(L.Recurrence->Instructions.size()));
    F.add("iterations_of_chain", L.Recurrence->Iterations);
    for (const KernelThere &There : C.devices()) {
      LatencyTable Of = latenciesOf(There.dev());
      F.add("chain_cycles", chainCycles(*Chain, Of), There.name());
      F.add("issue_cycles", issueCycles(*Chain, There), There.name());
    }
    F.Help =
        llvm::is_contained(Chain->Results, Latency::Global)
            ? "each address comes from the load before: lay the data out so "
              "that the next address can be computed, follow several chains "
              "at once, or let more warps run"
            : "break the chain: use several accumulators and combine them "
              "after the loop, or let more warps run";
    const double PathShare = pathShareWithout(*Chain, S, T);
    C.price(F, [&](KernelVariant &V) {
      DependenceCharacteristics &D = V.dependence();
      D.PathShare *= PathShare;
      D.ILP = D.ILP.scaled(Chains);
      D.DEP = D.DEP.scaled(Chains);
    });
    C.report(std::move(F));
  }
}
