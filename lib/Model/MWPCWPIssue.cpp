//===- MWPCWPIssue.cpp - What instructions take of issue time -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MWPCWPIssue.h"
#include "ptxpredict/Model/Pipes.h"

using namespace ptxpredict;

double ptxpredict::baseIssueCycles(const Device &D) {
  return issueCyclesOn(D, *D.FP32Lanes);
}

/// The device file's parameter for the work; empty if there is none.
static StringRef factorKeyOf(SchedClass Work) {
  switch (Work) {
  case SchedClass::IntMultiply:
    return "m_factor_int_mul";
  case SchedClass::IntDivide:
    return "m_factor_int_div";
  case SchedClass::IntRemainder:
    return "m_factor_int_mod";
  case SchedClass::FP32Divide:
    return "m_factor_fp_div";
  default:
    return {};
  }
}

static const Quantity *factorOf(const Device &D, SchedClass Work) {
  StringRef Key = factorKeyOf(Work);
  const Quantity *Q = Key.empty() ? nullptr : D.modelParameter(MWPCWPName, Key);
  return Q && *Q ? Q : nullptr;
}

double ptxpredict::issueCyclesOf(const Device &D, SchedClass Work,
                                 const IssuePricing &Pricing) {
  if (const Quantity *Factor = factorOf(D, Work))
    return **Factor * Pricing.BaseCycles;
  const Quantity *Lanes = Pricing.Published ? nullptr : lanesFor(D, Work);
  return Lanes && *Lanes ? issueCyclesOn(D, **Lanes) : Pricing.BaseCycles;
}

/// Accesses to memory occupy the load/store lanes, those to shared memory once
/// for each wavefront. Returns what that adds to a slot for each.
static IssueTime sumAccesses(const KernelOnDevice &On,
                             const IssuePricing &Pricing) {
  const Device &D = On.Dev;
  double Access = D.LoadStoreLanes && !Pricing.Published
                      ? issueCyclesOn(D, *D.LoadStoreLanes)
                      : Pricing.BaseCycles;
  IssueTime T;
  for (const MemoryCharacteristics &M : On.Kernel.Memory) {
    double Num = M.Requests.*Pricing.Member;
    bool Shared = M.Space == AddressSpace::Shared;
    if (!M.BytesPerLane || !(Shared || isDeviceMemory(M.Space)))
      continue;
    // The second half of an asynchronous copy is no instruction of its own.
    bool Counted = !(Shared && M.Access == AccessKind::Async) ||
                   StringRef(M.Opcode).contains("mbarrier");
    if (Pricing.Published && !Counted)
      continue;
    double Passes = Shared && M.Wavefronts && !Pricing.Published
                        ? std::max(1.0, (*M.Wavefronts).*Pricing.Member)
                        : 1;
    double Cycles = Num * Access * Passes;
    T.Cycles += Cycles - (Counted ? Num * Pricing.BaseCycles : 0);
    if (Shared)
      T.Shared += Cycles;
  }
  return T;
}

IssueTime ptxpredict::sumIssueTime(const KernelOnDevice &On,
                                   const IssuePricing &Pricing) {
  const KernelCharacteristics &K = On.Kernel;
  IssueTime T = sumAccesses(On, Pricing);
  double Classified = 0;
  for (unsigned I = 0; I != NumSchedClasses; ++I) {
    if (!K.ByWork[I])
      continue;
    double Num = (*K.ByWork[I]).*Pricing.Member;
    T.Cycles += Num * issueCyclesOf(On.Dev, SchedClass(I), Pricing);
    Classified += Num;
  }
  T.Cycles += std::max(0.0, K.Instructions.*Pricing.Member - Classified) *
              Pricing.BaseCycles;
  return T;
}

std::vector<StringRef> ptxpredict::unpricedSequences(const KernelOnDevice &On) {
  std::vector<StringRef> Names;
  for (SchedClass Work : {SchedClass::IntDivide, SchedClass::IntRemainder,
                          SchedClass::FP32Divide, SchedClass::FP64Divide}) {
    const std::optional<Estimate> &Num = On.Kernel.ByWork[unsigned(Work)];
    if (Num && Num->Value > 0 && !factorOf(On.Dev, Work))
      Names.push_back(toString(Work));
  }
  return Names;
}
