//===- BSP.cpp - The model bsp --------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/BSP.h"
#include "DeviceRequests.h"
#include "EquationModel.h"
#include "ptxpredict/Model/MachineWork.h"
#include "ptxpredict/Model/MemoryTraffic.h"
#include "ptxpredict/Model/Pipes.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

BSPResult ptxpredict::evaluateBSP(const BSPInputs &In) {
  BSPResult R;
  R.GlobalCycles = In.GlobalAccesses * In.GlobalLatency +
                   In.L1Accesses * In.L1Latency + In.L2Accesses * In.L2Latency;
  R.SharedCycles = In.SharedAccesses * In.SharedLatency;
  R.TimeUs = In.Threads * (In.Computation + R.GlobalCycles + R.SharedCycles) /
             (In.ClockMHz * In.Cores * In.Lambda);
  R.Limiter = std::max({std::pair(In.Computation, TimeLimiter::Compute),
                        std::pair(R.GlobalCycles, TimeLimiter::MemoryLatency),
                        std::pair(R.SharedCycles, TimeLimiter::SharedMemory)},
                       llvm::less_first())
                  .second;
  return R;
}

/// Cycles of a core for an instruction of \p P: more than one where the SM has
/// fewer lanes for it than cores.
static double cyclesOfCore(const Device &D, MachinePipe P) {
  auto By = [&](SchedClass Work) {
    const Quantity *Lanes = lanesFor(D, Work);
    return Lanes && *Lanes ? std::max(1.0, *D.FP32Lanes / **Lanes) : 1;
  };
  switch (P) {
  case MachinePipe::IntMultiply:
  case MachinePipe::Int:
    return By(SchedClass::Int);
  case MachinePipe::FP16:
  case MachinePipe::FP16Swizzled:
    return By(SchedClass::FP16);
  case MachinePipe::FP64:
  case MachinePipe::FP64Convert:
    return By(SchedClass::FP64);
  case MachinePipe::Convert:
    return By(SchedClass::Convert);
  case MachinePipe::SFU:
    return By(SchedClass::SFU);
  default:
    return 1;
  }
}

static double computation(const MachineWork &Work, const Device &D) {
  double Cycles = 0;
  for (unsigned I = 0; I != NumMachinePipes; ++I)
    if (const auto P = MachinePipe(I); !accessesMemory(P))
      Cycles += Work.of(P) * cyclesOfCore(D, P);
  return Cycles;
}

namespace {

/// The inputs of a kernel on a device, and the rest of them for each point.
class BSPSetup {
public:
  /// Takes \p Which of every count.
  BSPSetup(const KernelOnDevice &On, const ModelOptions &Options,
           double Estimate::*Which = &Estimate::Value);

  BSPInputs inputs(const DevicePoint &At) const {
    BSPInputs In = Fixed;
    In.ClockMHz = At.CoreMHz;
    In.Cores = CoresOfSM * At.ActiveSMs;
    return In;
  }

  SmallVector<StringRef, 4> Derived;
  std::string Missing;

private:
  BSPInputs Fixed; ///< without what the point decides
  double CoresOfSM = 0;

  void setAccesses(const KernelOnDevice &On, double Estimate::*Which);
};

} // namespace

void BSPSetup::setAccesses(const KernelOnDevice &On, double Estimate::*Which) {
  const KernelCharacteristics &K = On.Kernel;
  const AccessRule Rule =
      parseAccessRule(On.Dev.AccessRule).value_or(AccessRule::Sector);
  // A request of a warp is an access of each of its threads.
  const double Accesses = sumDeviceRequests(K, Rule, Which).count();
  const MemoryTraffic T = findMemoryTraffic(On, Which);
  const double InL1 = T.L1Sectors * T.L1HitRate;
  const double InL2 = T.l2Sectors() * T.L2HitRate;
  // Without end, nothing is known of where.
  if (const double Asked = InL1 + T.l2Sectors();
      Asked > 0 && std::isfinite(Asked)) {
    Fixed.L1Accesses = Accesses * InL1 / Asked;
    Fixed.L2Accesses = Accesses * InL2 / Asked;
  }
  Fixed.GlobalAccesses = Accesses - Fixed.L1Accesses - Fixed.L2Accesses;
  for (const MemoryCharacteristics &M : K.Memory)
    if (M.Space == AddressSpace::Shared)
      Fixed.SharedAccesses += M.Requests.*Which;
}

BSPSetup::BSPSetup(const KernelOnDevice &On, const ModelOptions &Options,
                   double Estimate::*Which) {
  const KernelCharacteristics &K = On.Kernel;
  const Device &D = On.Dev;
  if (D.IsCPU)
    return;
  Fixed.Threads =
      double(K.Launch.blocks()) * double(K.Launch.threadsPerBlock());
  Fixed.Computation =
      computation(machineWork(K, D.ComputeCapability, Which), D);
  setAccesses(On, Which);
  CoresOfSM = *D.FP32Lanes;
  ModelParameters P(BSPName, D);
  Fixed.Lambda = P.lambda(Options.Lambda);
  Fixed.GlobalLatency = P.get("g_gm", D.DRAMLatency.Value);
  Fixed.L2Latency =
      P.get("g_l2", D.L2Latency.Value.value_or(Fixed.GlobalLatency));
  Fixed.L1Latency = P.get("g_l1", D.L1Latency.Value.value_or(Fixed.L2Latency));
  Fixed.SharedLatency =
      P.get("g_sm", D.SharedLatency.Value.value_or(Fixed.L1Latency));
  Derived = P.Derived;
  Missing = P.Missing;
}

namespace {

struct BSPEquations {
  static constexpr StringRef Name = BSPName;
  using Inputs = BSPInputs;
  using Results = BSPResult;
  using Setup = BSPSetup;

  static BSPResult evaluate(const BSPInputs &In, const Setup & /*S*/) {
    return evaluateBSP(In);
  }
  static double cycles(const BSPInputs &In, const BSPResult &R) {
    return R.TimeUs * In.ClockMHz;
  }
  static TimeLimiter limiter(const KernelOnDevice & /*On*/, const Setup & /*S*/,
                             const BSPInputs & /*In*/, const BSPResult &R) {
    return R.Limiter;
  }
  static void addTerms(const BSPInputs &In, const BSPResult &R,
                       std::vector<Term> &Terms) {
#define BSP_INPUT(MEMBER, NAME, UNIT, MEANING)                                 \
  Terms.push_back({NAME, In.MEMBER});
#define BSP_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)                      \
  Terms.push_back({NAME, R.MEMBER});
#include "ptxpredict/Model/BSPTerms.def"
  }
  static ArrayRef<StringRef> termNames() {
    static constexpr StringRef Names[] = {
#define BSP_INPUT(MEMBER, NAME, UNIT, MEANING) NAME,
#define BSP_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING) NAME,
#include "ptxpredict/Model/BSPTerms.def"
    };
    return Names;
  }
};

} // namespace

const Model &ptxpredict::bspModel() {
  static const EquationModel<BSPEquations> Instance;
  return Instance;
}
