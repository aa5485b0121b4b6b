//===- LowOccupancy.cpp - Too few warps to hide latency -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

namespace {

/// What more resident blocks would bring on one device.
struct MoreBlocks {
  const KernelThere *There = nullptr;
  unsigned Next = 0; ///< blocks after the smallest step that another one fits
  std::optional<BlockResources> Needs; ///< for that
  unsigned Best = 0;                   ///< blocks with the least time
  double Gain = 0;                     ///< with those
};

} // namespace

/// Nothing where more blocks would save little, or there are none.
static std::optional<MoreBlocks> askForMore(LintContext &C,
                                            const KernelThere &There) {
  const Occupancy &Now = There.Now.Occ;
  unsigned Warps = unsigned(C.kernel().Launch.warpsPerBlock());
  unsigned Most = unsigned(*There.dev().MaxWarpsPerSM) / std::max(1U, Warps);
  Most = std::min(Most, unsigned(*There.dev().MaxBlocksPerSM));
  // With fewer blocks in the grid there is nothing to fill an SM with.
  double OfGrid = double(C.kernel().Launch.blocks()) /
                  std::max(1.0, double(There.On.Point.ActiveSMs));
  if (Now.BlocksPerSM >= Most || OfGrid <= double(Now.BlocksPerSM))
    return std::nullopt;
  MoreBlocks M;
  M.There = &There;
  BlockResources Block =
      blockResources(C.kernel(), There.Ready->place().Registers);
  for (unsigned Blocks = Now.BlocksPerSM + 1; Blocks <= Most; ++Blocks) {
    std::optional<BlockResources> Needs =
        reduceToFit(There.dev(), Block, Blocks);
    if (!Needs)
      continue; // threads or the number of blocks forbid it
    if (!M.Next) {
      M.Next = Blocks;
      M.Needs = Needs;
    }
    std::optional<double> Gain = C.gainWithBlocks(There, Blocks);
    if (Gain && *Gain > M.Gain) {
      M.Gain = *Gain;
      M.Best = Blocks;
    }
  }
  return M.Gain >= LeastGain ? std::optional(M) : std::nullopt;
}

/// "8 registers fewer", "16384 B of shared memory less"
static std::string stepText(const BlockResources &Now,
                            const BlockResources &Then) {
  SmallVector<std::string, 3> Parts;
  if (Then.RegistersPerThread < Now.RegistersPerThread)
    Parts.push_back(
        std::to_string(Now.RegistersPerThread - Then.RegistersPerThread) +
        " registers of a thread");
  if (Then.SharedBytes < Now.SharedBytes)
    Parts.push_back(std::to_string(Now.SharedBytes - Then.SharedBytes) +
                    " B of shared memory");
  if (Then.Barriers < Now.Barriers)
    Parts.push_back(std::to_string(Now.Barriers - Then.Barriers) + " barriers");
  return llvm::join(Parts, " and ");
}

static StringRef helpFor(OccupancyLimiter L) {
  switch (L) {
  case OccupancyLimiter::Registers:
    return "use fewer registers: keep fewer values alive, or set "
           "__launch_bounds__ or -maxrregcount";
  case OccupancyLimiter::SharedMemory:
    return "use less shared memory for a block: a smaller tile, or the same "
           "memory for several purposes";
  case OccupancyLimiter::Threads:
    return "choose a block whose threads divide those of an SM";
  case OccupancyLimiter::Blocks:
    return "choose larger blocks: an SM holds only so many of them";
  case OccupancyLimiter::Barriers:
    return "use fewer named barriers in a block";
  }
  return "";
}

void ptxpredict::checkLowOccupancy(const Rule &R, LintContext &C) {
  std::vector<MoreBlocks> Devices;
  for (const KernelThere &There : C.devices())
    if (std::optional<MoreBlocks> M = askForMore(C, There))
      Devices.push_back(*M);
  if (Devices.empty())
    return;
  const MoreBlocks *Worst = &Devices.front();
  for (const MoreBlocks &M : Devices)
    if (M.Gain > Worst->Gain)
      Worst = &M;

  const Occupancy &Occ = Worst->There->Now.Occ;
  Finding F = C.start(R);
  F.Message = "occupancy" + onDevice(C, *Worst->There) + " is " +
              percent(Occ.Fraction) + ", " + std::to_string(Occ.WarpsPerSM) +
              " of " + shortNumber(*Worst->There->dev().MaxWarpsPerSM) +
              " warps, limited by " + toString(Occ.Limiter).str() +
              ", too little to hide latency";
  BlockResources Now =
      blockResources(C.kernel(), Worst->There->Ready->place().Registers);
  if (std::string Step = stepText(Now, *Worst->Needs); !Step.empty())
    F.Message += "; " + Step + " less would let " +
                 std::to_string(Worst->Next) + " blocks reside, not " +
                 std::to_string(Occ.BlocksPerSM);
  for (const MoreBlocks &M : Devices) {
    StringRef Name = M.There->name();
    F.add("occupancy", M.There->Now.Occ.Fraction, Name);
    F.add("limiter", toString(M.There->Now.Occ.Limiter), Name);
    F.add("blocks_per_sm", M.There->Now.Occ.BlocksPerSM, Name);
    F.add("next_blocks_per_sm", M.Next, Name);
    F.add("next_registers", M.Needs->RegistersPerThread, Name);
    F.add("next_shared_bytes", double(M.Needs->SharedBytes), Name);
    F.add("best_blocks_per_sm", M.Best, Name);
    F.Gains.push_back({Name.str(), M.Gain});
  }
  F.Help = helpFor(Occ.Limiter).str();
  C.report(std::move(F));
}
