//===- PowerForm.cpp - What boards draw, by physical numbers --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Fit/PowerForm.h"
#include "ptxpredict/Model/WaitingPower.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;
using Kind = PowerNumber::Kind;

/// nm: the process that energies are given at.
static constexpr double PriorNode = 16;
/// pJ for a bit: from L2 to the pins of device memory and back, on any board.
/// As much as HBM2 itself takes.
static constexpr double WayToMemory = 4;
/// Bits of an access of device memory, of 128 bytes.
static constexpr double BitsOfAccess = 1024;

/// Energies are of an instruction of 32 lanes, a wavefront of shared memory or
/// 128 bytes: those of Horowitz for 45 nm times 16 / 45, and a fifth more for
/// the board's converters. Three operands from SRAM of 8 KiB are with FDS. A
/// special function and a double are some four and six times a float; shared
/// memory pays its crossbar, and L2 the way across the GPU, as much again as
/// the SRAM. TENSOR is by Dally's 110 pJ of a matrix instruction of 64
/// multiply-adds and a fifth for what is around it.
ArrayRef<PowerNumber> ptxpredict::powerNumbers() {
  static const PowerNumber All[] = {
      {Kind::Energy, PowerUnit::FP, 0.06, 0.8, 0.4},
      {Kind::Energy, PowerUnit::Int, 0.06, 0.8, 0.4},
      {Kind::Energy, PowerUnit::SFU, 0.25, 0.8, 0.4},
      {Kind::Energy, PowerUnit::FP64, 0.35, 0.8, 0.4},
      {Kind::Energy, PowerUnit::Tensor, 4.5, 0.8, 0.4},
      {Kind::Energy, PowerUnit::FDS, 0.3, 0.8, 0.4},
      {Kind::Energy, PowerUnit::Shared, 0.3, 0.8, 0.4},
      {Kind::Energy, PowerUnit::Texture, 1.8, 0.8, 0.4},
      {Kind::Energy, PowerUnit::L2, 1.8, 0.8, 0.4},
      {Kind::Memory, PowerUnit::Global, 1, 0.8, 0.4},
      {Kind::Leakage, PowerUnit::FP, 0.05, 0.8, 0.6},
      {Kind::Activation, PowerUnit::FP, 0.25, 0.8, 0.6},
      {Kind::MemoryClock, PowerUnit::FP, 0.25, 0.8, 0.6},
      {Kind::ConstSM, PowerUnit::FP, 0.05, 0.8, 0.6},
      {Kind::Knee, PowerUnit::FP, 0.65, 0.2, 0.3},
      {Kind::Slope, PowerUnit::FP, 1.3, 0.7, 0.6},
      {Kind::SteepKnee, PowerUnit::FP, 1.05, 0.01, 0.1},
      {Kind::SteepSlope, PowerUnit::FP, 0.01, 0.01, 1.5, 0.5},
      {Kind::Floor, PowerUnit::FP, 1, 0.01, 0.1, 1.05},
      {Kind::Node, PowerUnit::FP, 0.7, 0.4, 0.01},
  };
  return All;
}

PowerNumbers ptxpredict::powerPriors() {
  PowerNumbers Of;
  for (const PowerNumber &N : powerNumbers())
    Of.push_back(N.Prior);
  return Of;
}

/// A fact of the board that its file has for this form; 0 if it has not.
static double fact(const Device &D, StringRef Key) {
  const Quantity *Q = D.modelParameter(IPPName, Key);
  return Q && *Q ? **Q : 0;
}

PowerBoard::PowerBoard(const Device &D)
    : On(&D), File(powerParametersOf(D, &Has)) {}

bool PowerBoard::canBe(const Device &D) {
  ByPowerUnit<bool> Has{};
  const PowerParameters P = powerParametersOf(D, &Has);
  return D.TDPWatts && D.IdleWatts && *D.TDPWatts > *D.IdleWatts &&
         fact(D, "memory_energy") > 0 && fact(D, "node") > 0 &&
         fact(D, "process_clock") > 0 && D.Schedulers &&
         Has.of(PowerUnit::FDS) && Has.of(PowerUnit::L2) &&
         !Has.of(PowerUnit::ALU) && !P.LogBeta;
}

PowerParameters PowerBoard::parameters(ArrayRef<double> Numbers) const {
  ArrayRef<PowerNumber> All = powerNumbers();
  auto Of = [&](Kind K) {
    return Numbers[llvm::find_if(
                       All, [K](const PowerNumber &N) { return N.What == K; }) -
                   All.begin()];
  };
  const Device &D = *On;
  const double Boost = *D.BoostMHz / fact(D, "process_clock");
  // The file has clocks over that of the boost.
  PowerParameters P = File;
  P.VoltageKnee = Of(Kind::Knee) / Boost;
  P.VoltageSlope = Of(Kind::Slope) * Boost;
  P.VoltageSteepKnee = Of(Kind::SteepKnee) / Boost;
  P.VoltageSteepSlope = Of(Kind::SteepSlope) * Boost;
  P.VoltageFloor = Of(Kind::Floor);
  const double Volts = P.voltage(1, /*MemoryIsLow=*/false);
  const double Volts2 = Volts * Volts;
  const double OfNode =
      Volts2 * std::pow(fact(D, "node") / PriorNode, Of(Kind::Node));
  const double Headroom = *D.TDPWatts - *D.IdleWatts;
  // W: the bits of all GB/s.
  const double MemoryEnergy = fact(D, "memory_energy");
  const double Pins = MemoryEnergy * *D.DRAMBandwidth * 8e-3;
  // Issue slots of the GPU in a ns.
  const double Slots = *D.Schedulers * File.NumSMs * *D.BoostMHz * 1e-3;

  auto Draw = [&](PowerUnit U, double NanoJoules) {
    if (!Has.of(U))
      return;
    PowerParameters::Unit &Unit = P.Units.of(U);
    const double Watts = NanoJoules * Unit.Peak * Slots;
    Unit.MaxW = servesAllSMs(U) ? Watts : Watts / P.NumSMs;
  };
  for (auto [N, Value] : llvm::zip(All, Numbers))
    if (N.What == Kind::Energy)
      Draw(N.Of, Value * OfNode);
  Draw(PowerUnit::Global,
       Of(Kind::Memory) * (MemoryEnergy + WayToMemory) * BitsOfAccess * 1e-3);
  P.LeakageW = Of(Kind::Leakage) * Headroom * Volts2;
  P.ActivationW = Of(Kind::Activation) * Pins;
  P.MemoryClockW = Of(Kind::MemoryClock) * Pins;
  P.ConstSMW =
      Of(Kind::ConstSM) * Headroom * *D.BoostMHz * 1e-3 * Volts2 / P.NumSMs;
  holdAtWaiting(P, D);
  return P;
}
