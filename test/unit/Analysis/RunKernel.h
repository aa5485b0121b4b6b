//===- RunKernel.h - Counts of a kernel against its run ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_ANALYSIS_RUNKERNEL_H
#define PTXPREDICT_TEST_UNIT_ANALYSIS_RUNKERNEL_H

#include "Analysis/Profile/KnownCounts.h"
#include "PTXKernel.h"
#include "ptxpredict/Analysis/Locality/Locality.h"
#include "ptxpredict/Emulator/Core/Emulator.h"
#include "ptxpredict/Launch/BufferContents.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace ptxpredict {

/// Where the kernel's buffer lies, in %rd0, and the thread's number in %r0.
constexpr StringRef RunHead =
    "ld.param.u64 %rd0, [p];\nld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
    "mov.u32 %r4, %tid.x;\n"
    "mad.lo.u32 %r0, %r2, %r3, %r4;\n";

/// Counts with a buffer behind `p`, of those contents if they are given.
inline void analyze(PTXKernel &K, uint64_t Budget = StaticProfileBudget,
                    std::shared_ptr<const BufferContents> Contents = nullptr) {
  ArgumentValue Buffer;
  Buffer.Contents = std::move(Contents);
  Buffer.Kind = ArgumentValue::KindTy::Buffer;
  Buffer.Buffer = "p";
  Buffer.BufferAlign = 256;
  K.Launch.Args[0] = Buffer;
  K.analyze(Budget);
}

/// What a known footprint is, and an open one lies within.
inline void compareFootprint(const PTXKernel &K, const KernelProfile &Ran,
                             KnownCounts &To) {
  Locality L = findLocality(*K.Counts.Records, K.Launch);
  std::tuple<const char *, Estimate, double> All[] = {
      {"block bytes", L.Block.Bytes, Ran.BlockBytes},
      {"grid bytes", L.Grid.Bytes, double(Ran.GridBytes)},
      {"grid bytes read", L.Grid.ReadBytes, double(Ran.GridReadBytes)},
      {"grid bytes written", L.Grid.WrittenBytes, double(Ran.GridWrittenBytes)},
  };
  for (const auto &[What, Said, Counted] : All) {
    double Near = 1e-9 * std::max(1.0, Counted);
    bool IsRight = Said.isKnown() ? std::abs(Said.Value - Counted) <= Near
                                  : Said.Low - Near <= Counted &&
                                        Counted <= Said.High + Near;
    ++(Said.isKnown() ? To.Known : To.Open);
    if (!IsRight)
      To.Differences.push_back(llvm::formatv(
          "{0}: {1} ran, {2} is {3} from {4} to {5}", What, Counted, Said.Value,
          toString(Said.Status), Said.Low, Said.High));
  }
}

/// So many bytes of random numbers below a million.
inline BufferSpec randomBuffer(uint64_t BufferBytes) {
  BufferSpec Spec;
  Spec.Type = "u32";
  Spec.Count = BufferBytes / 4;
  Spec.Fill.Kind = BufferFill::KindTy::Random;
  Spec.Fill.Low = 0;
  Spec.Fill.High = 1000000;
  return Spec;
}

/// Runs the kernel on such data; nothing if it cannot start.
inline std::optional<EmulationResult>
runOnData(const PTXKernel &K, const BufferSpec &Spec, bool Check = false) {
  EmulationOptions Options;
  Options.Jobs = 1;
  Options.Check = Check;
  Emulation Run(K.graph(), K.Launch, Options);
  EXPECT_FALSE(bool(Run.addBuffer("p", Spec, "")));
  Expected<EmulationResult> R = Run.run();
  EXPECT_TRUE(bool(R));
  if (!R)
    return std::nullopt;
  return std::move(*R);
}

/// Runs the kernel on such data and compares; nothing if it does not run to its
/// end.
inline std::optional<KnownCounts> compareWithRun(PTXKernel &K,
                                                 const BufferSpec &Spec) {
  std::optional<EmulationResult> R = runOnData(K, Spec);
  if (!R || R->Fault)
    return std::nullopt;
  KnownCounts Compared(K.Counts, R->Profile);
  compareFootprint(K, R->Profile, Compared);
  return Compared;
}

/// The same on random data.
inline std::optional<KnownCounts> compareWithRun(PTXKernel &K,
                                                 uint64_t BufferBytes) {
  return compareWithRun(K, randomBuffer(BufferBytes));
}

/// Whether a run has threads that miss a barrier; nothing if something else
/// ends it.
inline std::optional<bool> missesBarrier(const PTXKernel &K,
                                         uint64_t BufferBytes) {
  std::optional<EmulationResult> R =
      runOnData(K, randomBuffer(BufferBytes), /*Check=*/true);
  if (!R)
    return std::nullopt;
  bool IsReported = llvm::any_of(R->Problems, [](const EmulationProblem &P) {
    return P.Kind == "divergent-barrier";
  });
  if (IsReported || !R->Fault)
    return IsReported;
  if (R->Fault->Where && R->Fault->Where->IsBlockBarrier)
    return true;
  return std::nullopt;
}

/// Whether code and launch decide that threads miss a barrier.
inline bool saysMissed(const PTXKernel &K) {
  return llvm::any_of(K.Counts.Barriers, [](const BarrierReach &B) {
    return B.Miss != BarrierMiss::Perhaps;
  });
}

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_ANALYSIS_RUNKERNEL_H
