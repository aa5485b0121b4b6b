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
/// Of a warp's critical path and of the time: what a chain must cost there.
static constexpr double LeastShareOfPath = 0.01, LeastGainOfChain = 0.01;
/// The fix is taken to be as many chains side by side.
static constexpr double Chains = 4;

namespace {

/// Where an instruction of the input stands in the summary, in its function.
struct InstructionAt {
  uint32_t Block;
  SchedClass Result;
};

/// Those with one key, by block, of one function.
using Copies = SmallVector<InstructionAt, 1>;

/// A loop's chain in terms of the summary.
struct LoopChain {
  const RecurrenceCharacteristics *Chain;
  SmallVector<SchedClass, 8> Results;
  /// Of one iteration, by kind.
  std::array<double, NumSchedClasses> PerIteration{};
  double Instructions = 0; ///< of the loop, per warp
  double Runs = 0;         ///< of the header, per warp
};

/// The instructions of chains in all functions.
class Instructions {
public:
  Instructions(const DependenceSummary &S, ArrayRef<LoopCharacteristics> Of);
  /// The function that has the instruction, and its copies there; null if
  /// there is none.
  const std::pair<uint32_t, Copies> *of(const SourcePlace &P) const {
    auto It = ByKey.find(Keys.of(P));
    return It == ByKey.end() || It->second.second.empty() ? nullptr
                                                          : &It->second;
  }

private:
  InstructionKeys Keys;
  llvm::DenseMap<InstructionKeys::Key, std::pair<uint32_t, Copies>> ByKey;
};

} // namespace

Instructions::Instructions(const DependenceSummary &S,
                           ArrayRef<LoopCharacteristics> Of)
    : Keys(S) {
  constexpr uint32_t Nowhere = ~0U;
  for (const LoopCharacteristics &L : Of)
    if (L.Recurrence)
      for (const InstructionPlace &I : L.Recurrence->Instructions)
        ByKey.try_emplace(Keys.of(I.Place), Nowhere, Copies());
  for (uint32_t N = 0; N != S.Functions.size(); ++N) {
    const FunctionDependence &F = S.Functions[N];
    for (uint32_t B = 0; B != F.Blocks.size(); ++B)
      for (uint32_t I = F.Blocks[B].FirstInstruction;
           I != F.Blocks[B].EndInstruction; ++I) {
        const IssuedInstruction &Inst = F.Instructions[I];
        auto It = ByKey.find(Keys.of(Inst));
        if (It == ByKey.end())
          continue;
        auto &[Function, Found] = It->second;
        if (Function == Nowhere)
          Function = N;
        if (Function == N)
          Found.push_back({B, Inst.Result});
      }
  }
}

/// The first of the copies in the loop; null if there is none.
static const InstructionAt *findIn(const IssuedLoop &L, const Copies &Of) {
  const auto *It =
      llvm::lower_bound(Of, L.First, [](const InstructionAt &A, uint32_t B) {
        return A.Block < B;
      });
  return It != Of.end() && It->Block < L.End ? It : nullptr;
}

/// The chain and the innermost loop that has all of it; nothing where the
/// summary does not have them.
static std::optional<LoopChain> findChain(const DependenceSummary &S,
                                          const Instructions &All,
                                          const RecurrenceCharacteristics &R) {
  LoopChain C;
  C.Chain = &R;
  uint32_t Function = 0;
  SmallVector<const Copies *, 8> Links;
  for (const InstructionPlace &I : R.Instructions) {
    const auto *At = All.of(I.Place);
    if (!At)
      return std::nullopt;
    Function = At->first;
    Links.push_back(&At->second);
  }
  const FunctionDependence &F = S.Functions[Function];
  const IssuedLoop *Loop = nullptr;
  for (const IssuedLoop &L : F.Loops)
    if ((!Loop || L.End - L.First <= Loop->End - Loop->First) &&
        llvm::all_of(Links, [&](const Copies *Of) { return findIn(L, *Of); }))
      Loop = &L;
  if (!Loop || Loop->Runs <= 0)
    return std::nullopt;
  double HeaderRuns = F.Blocks[Loop->First].Runs;
  if (HeaderRuns <= 0)
    return std::nullopt;
  C.Runs = HeaderRuns * F.Entries;
  for (const Copies *Of : Links)
    C.Results.push_back(findIn(*Loop, *Of)->Result);
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
  for (SchedClass L : C.Results)
    Cycles += std::max(T.of(L), T.Issue);
  return Cycles / C.Chain->Iterations;
}

/// Cycles in which an SM issues one iteration of all of its warps.
static double issueCycles(const LoopChain &C, const KernelThere &There) {
  double Cycles = 0;
  for (unsigned K = 0; K != NumSchedClasses; ++K)
    Cycles += C.PerIteration[K] * issueCyclesOf(SchedClass(K), There.dev());
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

static std::string helpFor(const LoopChain &C) {
  const bool Loads = llvm::is_contained(C.Results, SchedClass::Global);
  if (llvm::is_contained(C.Results, SchedClass::BranchTaken) ||
      llvm::is_contained(C.Results, SchedClass::BranchNotTaken))
    return std::string("whether the loop goes on is known late: ") +
           (Loads ? "load ahead and test several elements at once"
                  : "count what decides with less work, or unroll the loop") +
           ", or let more warps run";
  return Loads ? "each address comes from the load before: lay the data out so "
                 "that the next address can be computed, follow several chains "
                 "at once, or let more warps run"
               : "break the chain: use several accumulators and combine them "
                 "after the loop, or let more warps run";
}

void ptxpredict::checkSerialRecurrence(const Rule &R, LintContext &C) {
  const KernelCharacteristics &K = C.kernel();
  const DependenceSummary &S = K.Dependence.Summary;
  if (llvm::none_of(K.Loops, [](const auto &L) { return bool(L.Recurrence); }))
    return;
  const Instructions All(S, K.Loops);
  for (const LoopCharacteristics &L : K.Loops) {
    if (!L.Recurrence || L.Recurrence->Instructions.empty() ||
        !L.WaitsFor.empty())
      continue;
    std::optional<LoopChain> Chain = findChain(S, All, *L.Recurrence);
    if (!Chain || Chain->Instructions < LeastShareOfLoop * K.Instructions.Value)
      continue;
    const KernelThere *Worst = nullptr;
    double Most = LeastRatioToIssue;
    for (const KernelThere &There : C.devices()) {
      LatencyTable T = latenciesOf(There.dev());
      double Ratio = chainCycles(*Chain, T) / issueCycles(*Chain, There);
      if (Ratio > Most && There.Now.Limiter != TimeLimiter::MemoryBandwidth) {
        Most = Ratio;
        Worst = &There;
      }
    }
    if (!Worst)
      continue;
    LatencyTable T = latenciesOf(Worst->dev());
    const double PathShare = pathShareWithout(*Chain, S, T);
    if (PathShare > 1 - LeastShareOfPath)
      continue;
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
    F.Help = helpFor(*Chain);
    C.price(F, [&](KernelVariant &V) {
      DependenceCharacteristics &D = V.dependence();
      D.PathShare *= PathShare;
      D.ILP = D.ILP.scaled(Chains);
      D.DEP = D.DEP.scaled(Chains);
    });
    if (F.bestGain().value_or(LeastGainOfChain) >= LeastGainOfChain)
      C.report(std::move(F));
  }
}
