//===- BottleneckKernel.cpp - Our own model of a kernel on a device -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/BottleneckKernel.h"
#include "CountBounds.h"
#include <cmath>

using namespace ptxpredict;

using Resource = BottleneckResource;

BottleneckKernel::BottleneckKernel(const KernelOnDevice &On,
                                   BottleneckParts Without, bool WithBounds)
    : Set(BottleneckParameters::of(On.Dev)), Value(On, Set, Without),
      Low(WithBounds ? BottleneckSetup(On, Set, Without, &Estimate::Low)
                     : Value),
      High(WithBounds ? BottleneckSetup(On, Set, Without, &Estimate::High)
                      : Value),
      WithBounds(WithBounds),
      Status(weakest(statusOfCounts(On.Kernel),
                     On.Kernel.Resources.Registers.Status)),
      NumSMs(On.Dev.NumSMs.Value.value_or(0)), BlocksPerSM(On.Occ.BlocksPerSM),
      Occupied(On.Occ.Fraction) {
  if (WithBounds)
    for (const OccupancyEnd &End : On.OccEnds)
      AtRegisters.emplace_back(On.at(End), Set, Without, &Estimate::Value);
}

void BottleneckKernel::setParameters(const BottleneckParameters &To) {
  Set = To;
  for (BottleneckSetup *S : {&Value, &Low, &High})
    S->setParameters(To);
  for (BottleneckSetup &S : AtRegisters)
    S.setParameters(To);
}

SmallVector<double, 2>
BottleneckKernel::timesAtRegisters(const DevicePoint &P) const {
  SmallVector<double, 2> Times;
  for (const BottleneckSetup &S : AtRegisters)
    Times.push_back(evaluateBottleneck(S.inputs(P)).TimeUs);
  return Times;
}

TimeLimiter BottleneckKernel::longestAlone(const Evaluation &E) const {
  ByResource<double> Times = E.Result.Times;
  Times.of(Resource::Latency) -= E.Result.Rounds * E.Result.MeetingCycles;
  unsigned Most = 0;
  for (unsigned I = 1; I != NumBottleneckResources; ++I)
    if (Times[I] > Times[Most])
      Most = I;
  return limiterOf(Resource(Most), E);
}

/// Of the latency, why it is not hidden.
TimeLimiter BottleneckKernel::limiterOf(Resource R, const Evaluation &E) const {
  if (R != Resource::Latency)
    return ptxpredict::limiterOf(R);
  if (E.Inputs.ActiveSMs < NumSMs ||
      (E.Result.Rounds <= 1 && E.Result.BusyBlocks < BlocksPerSM))
    return TimeLimiter::Launch;
  const double Copies = E.Result.CopyWait;
  if (E.Inputs.MemoryPath + Copies <
      0.5 * (E.Inputs.Demand.of(Resource::Latency) + Copies))
    return TimeLimiter::Latency;
  return Occupied < 0.5 ? TimeLimiter::Occupancy : TimeLimiter::MemoryLatency;
}

BottleneckKernel::Evaluation
BottleneckKernel::evaluate(const DevicePoint &P) const {
  Evaluation E;
  E.Inputs = Value.inputs(P);
  E.Result = evaluateBottleneck(E.Inputs);
  // Known counts have no ends of their own.
  auto TimeOf = [&](const BottleneckSetup &S) {
    const BottleneckInputs In = S.inputs(P);
    return In == E.Inputs ? E.Result.TimeUs : evaluateBottleneck(In).TimeUs;
  };
  const double Least = WithBounds ? TimeOf(Low) : E.Result.TimeUs;
  const double Most = WithBounds ? TimeOf(High) : E.Result.TimeUs;
  Estimate Time = withinEnds(E.Result.TimeUs,
                             weakest(Status, Status::Estimated), Least, Most);
  for (const BottleneckSetup &S : AtRegisters) {
    const double There = TimeOf(S);
    Time = withinEnds(Time.Value, Time.Status, std::min(Time.Low, There),
                      std::max(Time.High, There));
  }
  // Bandwidth is known better than what a compiler makes of code, and waiting
  // less well.
  const BottleneckShares Shares(E.Result, E.Inputs);
  const double Factor =
      Set.ErrorFactor *
      std::pow(Set.DRAMErrorFactor / Set.ErrorFactor,
               Shares.of(Resource::DRAM)) *
      std::pow(Set.LatencyErrorFactor / Set.ErrorFactor,
               Shares.of(Resource::Latency) + Shares.of(Resource::Chain));
  Time.Low /= Factor;
  Time.High *= Factor;
  E.Answer.TimeUs = Time;
  E.Answer.Cycles = Time.scaled(P.CoreMHz);
  E.Answer.Limiter = limiterOf(Shares.largest(), E);
  return E;
}
