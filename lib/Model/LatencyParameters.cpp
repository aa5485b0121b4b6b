//===- LatencyParameters.cpp - Latencies as a thesis's tables have them ---===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LatencyParameters.h"
#include "ptxpredict/Model/MemoryTraffic.h"
#include "ptxpredict/Model/WarpLatency.h"

using namespace ptxpredict;

LatencyTable ptxpredict::thesisLatencies(const Device &D, ModelParameters &P) {
  LatencyTable T = latenciesOf(D);
  T.Issue = P.given("ilp").value_or(T.Issue);
  auto Set = [&](StringRef Key, std::initializer_list<SchedClass> Classes) {
    if (const auto Cycles = P.given(Key))
      for (SchedClass C : Classes)
        T.of(C) = *Cycles;
  };
  Set("basic", {SchedClass::Int, SchedClass::Compare, SchedClass::Logic,
                SchedClass::Shift, SchedClass::Move, SchedClass::Param,
                SchedClass::Other, SchedClass::FP32, SchedClass::FP32FMA});
  Set("int_mad", {SchedClass::IntMultiply});
  Set("int_div", {SchedClass::IntDivide});
  Set("int_rem", {SchedClass::IntRemainder});
  Set("fp32_div", {SchedClass::FP32Divide});
  Set("shared",
      {SchedClass::Shared, SchedClass::SharedAtomic, SchedClass::CrossLane});
  Set("global",
      {SchedClass::Global, SchedClass::Local, SchedClass::Texture,
       SchedClass::GlobalAtomic, SchedClass::AsyncCopy, SchedClass::BulkCopy});
  const double Basic = T.of(SchedClass::Int);
  T.of(SchedClass::BranchTaken) = P.given("bra_taken").value_or(2 * Basic);
  T.of(SchedClass::BranchNotTaken) =
      P.given("bra_not_taken").value_or(5 * Basic / 3);
  return T;
}

void ptxpredict::useHitRates(const KernelOnDevice &On, ModelParameters &P,
                             double Estimate::*Which, LatencyTable &T) {
  const Device &D = On.Dev;
  const MemoryTraffic Traffic = findMemoryTraffic(On, Which);
  const double Far = T.of(SchedClass::Global);
  const double L2 =
      P.given("global_l2_hit").value_or(D.L2Latency.Value.value_or(Far));
  const double L1 =
      P.given("global_l1_hit").value_or(D.L1Latency.Value.value_or(L2));
  const double InL1 = Traffic.L1Sectors > 0 ? Traffic.L1HitRate : 0;
  const double InL2 = Traffic.L2ReadHitRate;
  T.of(SchedClass::Global) =
      InL1 * L1 + (1 - InL1) * (InL2 * L2 + (1 - InL2) * Far);
}
