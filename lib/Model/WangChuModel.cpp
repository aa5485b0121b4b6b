//===- WangChuModel.cpp - The model wang-chu ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EquationModel.h"
#include "ptxpredict/Model/WangChu.h"

using namespace ptxpredict;

namespace {

struct WangChuEquations {
  static constexpr StringRef Name = WangChuName;
  using Inputs = WangChuInputs;
  using Results = WangChuResult;
  using Setup = WangChuSetup;

  static WangChuResult evaluate(const WangChuInputs &In, const Setup &S) {
    return evaluateWangChu(In, S.Equations);
  }
  static double cycles(const WangChuInputs & /*In*/, const WangChuResult &R) {
    return R.TExec;
  }
  static TimeLimiter limiter(const KernelOnDevice &On, const Setup &S,
                             const WangChuInputs &In, const WangChuResult &R);
  static void addTerms(const WangChuInputs &In, const WangChuResult &R,
                       std::vector<Term> &Terms) {
#define WANGCHU_INPUT(MEMBER, NAME, UNIT, MEANING)                             \
  Terms.push_back({NAME, In.MEMBER});
#define WANGCHU_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)                  \
  Terms.push_back({NAME, R.MEMBER});
#include "ptxpredict/Model/WangChuTerms.def"
  }
  static ArrayRef<StringRef> termNames() {
    static constexpr StringRef Names[] = {
#define WANGCHU_INPUT(MEMBER, NAME, UNIT, MEANING) NAME,
#define WANGCHU_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING) NAME,
#include "ptxpredict/Model/WangChuTerms.def"
    };
    return Names;
  }
};

} // namespace

TimeLimiter WangChuEquations::limiter(const KernelOnDevice &On, const Setup &S,
                                      const WangChuInputs &In,
                                      const WangChuResult &R) {
  switch (int(R.Case)) {
  case 11:
  case 17: { // what serves the transactions longer
    const double DRAM = R.AglDel - In.L2Del * In.L2HitRate;
    return DRAM >= R.AglDel / 2 ? TimeLimiter::MemoryBandwidth
                                : TimeLimiter::L2Bandwidth;
  }
  case 13:
  case 15: // more warps would hide the latency
    if (In.ActiveWarps < On.Occ.WarpsPerSM)
      return TimeLimiter::Launch;
    return On.Occ.Fraction < 1 ? TimeLimiter::Occupancy
                               : TimeLimiter::MemoryLatency;
  default: {
    const double Shared = In.SharedWavefronts;
    return !S.Equations.HasPhases && Shared > In.InstCycle * In.CompInst
               ? TimeLimiter::SharedMemory
               : TimeLimiter::Compute;
  }
  }
}

const Model &ptxpredict::wangChuModel() {
  static const EquationModel<WangChuEquations> Instance;
  return Instance;
}
