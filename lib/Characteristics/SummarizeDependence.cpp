//===- SummarizeDependence.cpp - How a kernel's instructions depend -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SummarizeDependence.h"
#include "ptxpredict/Analysis/Dependence/BlockDependence.h"
#include "ptxpredict/Analysis/Dependence/CriticalPath.h"
#include "ptxpredict/Analysis/Dependence/Recurrence.h"
#include "ptxpredict/Characteristics/SourcePlaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

using namespace ptxpredict;

namespace {

/// Shares from counts.
class SharesOfCounts : public ControlShares {
public:
  explicit SharesOfCounts(const CountSource &Counts) : Counts(Counts) {}

  double runs(const Block &B) const override {
    return Counts.frequency(B).Value;
  }
  double taken(const Instruction &Branch) const override {
    return of(Branch, &BranchCharacteristics::Taken);
  }
  double split(const Instruction &Branch) const override {
    return of(Branch, &BranchCharacteristics::Divergent);
  }

  bool isSkipped(const Instruction &I) const override {
    constexpr unsigned WarpLanes = 32;
    const Estimate Active = Counts.active(I, WarpLanes);
    return Active.isKnown() && Active.Value == 0 &&
           Counts.executions(I).Value > 0;
  }

private:
  double of(const Instruction &Branch,
            std::optional<Estimate> BranchCharacteristics::*Share) const {
    BranchCharacteristics B;
    Counts.apply(Branch, B);
    return B.*Share ? (B.*Share)->Value : 0;
  }
  const CountSource &Counts;
};

} // namespace

/// \p Value, estimated unless it is exact, and no better known than \p From.
static Estimate estimate(double Value, bool IsExact, const Estimate &From,
                         double Low, double High) {
  Status How =
      weakest(From.Status, IsExact ? Status::Known : Status::Estimated);
  if (How == Status::Known)
    return Estimate::known(Value);
  return {Value, How, std::min(Low, Value), std::max(High, Value)};
}

namespace {

/// Where instructions stand in the source, each place written out once.
class SourceTable {
public:
  SourceTable(ArrayRef<const InstructionGraph *> Functions,
              std::vector<std::string> &Out) {
    llvm::DenseMap<const SourceLocation *, uint32_t> ByLocation;
    llvm::StringMap<uint32_t> ByText;
    for (const InstructionGraph *G : Functions) {
      SourcePlaces Places;
      for (const Block *B : G->Blocks)
        for (const Instruction *I : B->Instructions) {
          const SourceLocation *L = I->isPseudo() ? nullptr : Places.locate(*I);
          if (!L)
            continue;
          uint32_t &Index = ByLocation[L];
          if (Index == 0) {
            auto [Known, IsNew] =
                ByText.try_emplace(sourceText(*L), uint32_t(ByText.size() + 1));
            if (IsNew)
              Out.push_back(Known->first().str());
            Index = Known->second;
          }
          ByInstruction[I] = Index;
        }
    }
  }
  uint32_t of(const Instruction &I) const { return ByInstruction.lookup(&I); }

private:
  llvm::DenseMap<const Instruction *, uint32_t> ByInstruction;
};

} // namespace

std::vector<PathCharacteristics>
ptxpredict::longestWaits(const DependenceSummary &S, ArrayRef<PathWait> Waits) {
  // What is less than a hundredth of all waiting is nobody's concern.
  constexpr size_t Most = 8;
  constexpr double Least = 0.01;
  double Sum = 0;
  for (const PathWait &W : Waits)
    Sum += W.Cycles;
  std::vector<PathCharacteristics> Longest;
  for (const PathWait &W : Waits.take_front(Most)) {
    if (W.Cycles < Least * Sum)
      break;
    const IssuedInstruction &I =
        S.Functions[W.Function].Instructions[W.Instruction];
    Longest.push_back({I.Line, I.Source ? S.Sources[I.Source - 1] : "",
                       I.Result, W.Cycles / Sum});
  }
  return Longest;
}

WarpPath ptxpredict::summarizePath(ArrayRef<const InstructionGraph *> Functions,
                                   const CountSource &Counts,
                                   const LocalAccesses &InRegisters) {
  std::vector<std::string> Sources;
  SourceTable Places(Functions, Sources);
  const SharesOfCounts Shares(Counts);
  auto SourceOf = [&](const Instruction &I) { return Places.of(I); };
  auto Summarize = [&](SummaryOf Which) {
    return summarizeDependence(Functions, Shares, SourceOf, Which, InRegisters);
  };
  WarpPath P{Summarize(SummaryOf::Code), Summarize(SummaryOf::Machine)};
  P.Summary.Sources = std::move(Sources);
  P.Machine.Sources = P.Summary.Sources;
  return P;
}

DependenceCharacteristics ptxpredict::summarizeDependence(
    ArrayRef<const InstructionGraph *> Functions, const CountSource &Counts,
    const LocalAccesses &InRegisters, const KernelCharacteristics &K) {
  DependenceCharacteristics D;
  static_cast<WarpPath &>(D) = summarizePath(Functions, Counts, InRegisters);
  // Every latency one, and no limit to what issues in a cycle.
  LatencyTable Chain = LatencyTable::unit();
  Chain.Issue = 0;
  CriticalPath P = findCriticalPath(D.Summary, Chain, /*WithWaits=*/true);
  const Estimate &From = K.Instructions;
  auto Of = [&](double Value, double High) {
    return estimate(Value, P.IsExact, From, 0, High);
  };
  double Loads = P.LongLoads > 0 && From.Value > 0
                     ? P.LongLoads * (From.High / From.Value)
                     : 0; // not none times without a bound
  // Counts that are assumed need not agree with each other.
  D.PathInstructions = Of(std::min(P.Cycles, From.Value), From.High);
  D.RoundTrips = Of(P.RoundTrips, std::max(Loads, P.LongLoads));
  D.SharedRoundTrips = Of(P.SharedRoundTrips, From.High);
  D.MemoryParallelism =
      estimate(P.memoryParallelism(), P.IsExact, From, 1, Loads);
  DependenceSums Sums;
  for (const InstructionGraph *G : Functions) {
    std::vector<BlockDependence> Blocks = findBlockDependence(*G, InRegisters);
    for (const Block *B : G->Blocks)
      Sums.add(Blocks[B->Number], Counts.frequency(*B).Value);
  }
  // They are means over blocks: of counts that are known, they are, too.
  D.ILP = estimate(Sums.ilp(), true, From, 1, From.High);
  D.MSTR = estimate(Sums.mstr(), true, From, 1, Loads);
  D.DEP = estimate(Sums.dep(), true, From, 1, From.High);
  D.Path = longestWaits(D.Summary, P.Waits);
  return D;
}

std::vector<std::optional<RecurrenceCharacteristics>>
ptxpredict::summarizeRecurrences(const InstructionGraph &G,
                                 const ControlFlow &CF) {
  std::vector<std::optional<RecurrenceCharacteristics>> Out(CF.cycles().size());
  if (Out.empty())
    return Out;
  // A chain through memory is longer than any other one of the kernel.
  LatencyTable Order = LatencyTable::unit();
  for (SchedClass L : {SchedClass::Global, SchedClass::Local,
                       SchedClass::Texture, SchedClass::GlobalAtomic})
    Order.of(L) = G.NumInstructions + 1.0;
  std::vector<LoopRecurrences> Found = findRecurrences(G, CF, Order);
  for (size_t L = 0; L != Out.size(); ++L) {
    const Recurrence &R = Found[L].Any;
    if (R.Iterations == 0)
      continue;
    RecurrenceCharacteristics &C = Out[L].emplace();
    C.Iterations = R.Iterations;
    for (const Instruction *I : R.Instructions)
      C.Instructions.push_back({SourcePlaces().next(*I), I->Mnemonic.str()});
  }
  return Out;
}
