//===- TailEffect.cpp - SMs without blocks --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

/// A last wave with fewer blocks than this share of a full one is mostly empty;
/// it matters if so much of the device's time in all waves is idle.
static constexpr double MostlyEmpty = 0.5, LeastIdle = 0.1;

namespace {

/// How the grid fills one device.
struct Waves {
  double Blocks = 0, SMs = 0, Num = 0; ///< Num: waves, with a fraction
  bool hasIdleSMs() const { return Blocks < SMs; }
  double lastWave() const { return Num - std::floor(Num); }
  double idle() const {
    return hasIdleSMs() ? 1 - Blocks / SMs : 1 - Num / std::ceil(Num);
  }
  bool matters() const {
    if (hasIdleSMs())
      return true;
    return Num > 1 && lastWave() > 0 && lastWave() < MostlyEmpty &&
           idle() >= LeastIdle;
  }
};

} // namespace

static Waves wavesOn(const KernelThere &There) {
  Waves W;
  W.Blocks = double(There.Ready->place().Kernel.Launch.blocks());
  W.SMs = There.On.Point.ActiveSMs;
  W.Num = W.Blocks / (W.SMs * There.Now.Occ.BlocksPerSM);
  return W;
}

void ptxpredict::checkTailEffect(const Rule &R, LintContext &C) {
  // A default says nothing of the code or of its launch.
  if (isGridAssumed(C.kernel()))
    return;
  const KernelThere *Worst = nullptr;
  for (const KernelThere &There : C.devices())
    if (Waves W = wavesOn(There);
        W.matters() && (!Worst || W.idle() > wavesOn(*Worst).idle()))
      Worst = &There;
  if (!Worst)
    return;
  Waves W = wavesOn(*Worst);
  Finding F = C.start(R);
  F.Message = "a grid of " + shortNumber(W.Blocks) +
              (W.Blocks == 1 ? " block" : " blocks");
  if (W.hasIdleSMs())
    F.Message += " leaves " + shortNumber(W.SMs - W.Blocks) + " of the " +
                 shortNumber(W.SMs) + " SMs" + onDevice(C, *Worst) +
                 " without work";
  else
    F.Message += " runs in " + shortNumber(std::ceil(W.Num)) + " waves" +
                 onDevice(C, *Worst) + ", of which the last has " +
                 shortNumber(std::round(W.lastWave() * W.Blocks / W.Num)) +
                 " of " + shortNumber(std::round(W.Blocks / W.Num)) +
                 " possible ones: " + percent(W.idle()) +
                 " of the device's time is idle";
  for (const KernelThere &There : C.devices()) {
    Waves On = wavesOn(There);
    F.add("waves", On.Num, There.name());
    F.add("idle_share", On.idle(), There.name());
    // The same work on all SMs, or in whole waves.
    const double Blocks =
        On.hasIdleSMs() ? On.SMs : std::floor(On.Num) / On.Num * On.Blocks;
    if (!(Blocks >= 1))
      continue;
    std::optional<double> Gain = C.gainOn(There, [&](KernelVariant &V) {
      V.grid() = {uint64_t(std::lround(Blocks)), 1, 1};
      V.scaleWork(On.Blocks / Blocks);
    });
    // A last wave is priced by no model that takes the waves as they are.
    if (Gain && (On.hasIdleSMs() || *Gain > 0))
      F.Gains.push_back({There.name().str(), *Gain});
  }
  F.add("blocks", W.Blocks);
  F.Help =
      W.hasIdleSMs()
          ? "start more and smaller pieces of work: fewer elements a "
            "thread, smaller blocks, or a second dimension of the grid"
          : "choose the grid so that the last wave is full: blocks of "
            "another size, or as many blocks as fit at once, each of which "
            "loops over the work";
  C.report(std::move(F));
}
