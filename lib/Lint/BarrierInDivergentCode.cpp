//===- BarrierInDivergentCode.cpp - Barriers that threads miss ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "llvm/ADT/MapVector.h"

using namespace ptxpredict;

/// "the condition at k.cu:7:12"
static std::string condition(const BarrierMissCharacteristics &M) {
  return "the condition at " + (M.PartedBySource.empty()
                                    ? "line " + std::to_string(M.PartedByLine)
                                    : M.PartedBySource);
}

static std::string describe(const BarrierMissCharacteristics &M) {
  const std::string Threads = std::to_string(M.Threads),
                    Reaching = std::to_string(M.Reaching),
                    Block = std::to_string(M.Block[0]) + "," +
                            std::to_string(M.Block[1]) + "," +
                            std::to_string(M.Block[2]);
  switch (M.Miss) {
  case BarrierMiss::Perhaps:
    return "perhaps not all threads of a block reach this barrier: " +
           condition(M) + " parts them by " +
           (M.Reason == OpenReason::Parameter ? "a parameter without a value"
            : M.Reason == OpenReason::Launch  ? "a grid that was not given"
                                              : "data");
  case BarrierMiss::Fewer:
    return Reaching + " of the " + Threads + " threads of block (" + Block +
           ") reach this barrier, the others do not or less often";
  case BarrierMiss::Lanes:
    return Reaching + " of the " + Threads + " threads of a warp in block (" +
           Block + ") reach this barrier, the others go elsewhere";
  case BarrierMiss::TooFew:
    return "this barrier waits for " + Threads + " threads of block (" + Block +
           "), of which at most " + Reaching + " reach it";
  }
  return {};
}

void ptxpredict::checkBarrierInDivergentCode(const Rule &R, LintContext &C) {
  const KernelCharacteristics &K = C.kernel();
  // One condition may part threads for many barriers behind it: the first one
  // stands for all.
  llvm::MapVector<std::pair<unsigned, BarrierMiss>,
                  std::vector<const BarrierCharacteristics *>>
      ByCondition;
  for (const BarrierCharacteristics &B : K.Barriers)
    if (B.Miss) {
      unsigned By = B.Miss->PartedByLine ? B.Miss->PartedByLine : B.Place.Line;
      ByCondition[{By, B.Miss->Miss}].push_back(&B);
    }
  for (const auto &[Condition, Barriers] : ByCondition) {
    const BarrierCharacteristics &B = *Barriers.front();
    const BarrierMissCharacteristics &M = *B.Miss;
    const bool IsCertain = M.Miss != BarrierMiss::Perhaps;
    Finding F = C.start(R, B.Place);
    // Values that nobody knows, or another grid, may let all threads come.
    if (!IsCertain || M.NeedsGrid)
      F.Level = Severity::Warning;
    F.Message = describe(M);
    if (IsCertain && M.PartedByLine)
      F.Message += ": " + condition(M) + " parts them";
    if (size_t Others = Barriers.size() - 1)
      F.Message += "; so it does for " + std::to_string(Others) +
                   (Others == 1 ? " barrier" : " barriers") + " behind it";
    F.add("how", toString(M.Miss));
    if (IsCertain) {
      F.add("threads", double(M.Threads));
      F.add("reaching", double(M.Reaching));
    }
    F.Help = "let all threads of the block come to the barrier: put it outside "
             "of the condition, and let threads without work skip the work, "
             "not the barrier";
    C.report(std::move(F));
  }
}
