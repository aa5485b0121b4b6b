//===- KernelOnDevice.h - A kernel's registers and fit on an SM *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_KERNELONDEVICE_H
#define PTXPREDICT_MODEL_KERNELONDEVICE_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Device/Occupancy.h"
#include <memory>

namespace ptxpredict {

/// Registers of a thread when \p K is compiled for \p D: those that were given
/// or that a compiler said, else the estimate. Of an estimate no more than one
/// block of the launch can have: where the launch runs, the estimate is what is
/// wrong.
Estimate registersOn(const KernelCharacteristics &K, const Device &D);

/// What was cut off the estimate; empty if nothing.
std::string registersNote(const KernelCharacteristics &K, const Device &D);

/// What a block of \p K needs with that many registers a thread.
BlockResources blockResources(const KernelCharacteristics &K,
                              const Estimate &Registers);

/// What resides on an SM with the registers of one end of an estimate's range.
struct OccupancyEnd {
  unsigned Registers; ///< of a thread
  Occupancy Occ;
  /// Of the kernel with so many registers; of a prediction whose model says.
  std::optional<double> TimeUs = {};
};

class OnDeviceCache;
class PathCache;

/// A kernel as a device runs it, whatever the clocks. Refers to both, which
/// must outlive it and not change. What is found of it, such as its hit rates,
/// is found once: copies share it. Any number of threads may ask.
struct KernelOnDevice {
  const KernelCharacteristics &Kernel;
  const Device &Dev;
  Estimate Registers; ///< of a thread, as used for the occupancy
  Occupancy Occ;      ///< no blocks, and why, if a block does not fit
  /// The fewest and the most registers of an estimate, each only if another
  /// number of blocks resides with it. Empty where Occ was given.
  SmallVector<OccupancyEnd, 2> OccEnds;

  KernelOnDevice(const KernelCharacteristics &K, const Device &D);
  KernelOnDevice(const KernelCharacteristics &K, const Device &D,
                 const Estimate &Registers);
  KernelOnDevice(const KernelCharacteristics &K, const Device &D,
                 const Estimate &Registers, Occupancy Occ);

  /// A change of the kernel, or of what resides on an SM, that leaves the
  /// dependences as they are: both share their critical paths.
  KernelOnDevice variant(const KernelCharacteristics &Changed,
                         Occupancy Resident) const;

  /// The same with the registers of \p End as known ones. Shares the critical
  /// paths.
  KernelOnDevice at(const OccupancyEnd &End) const;

  OnDeviceCache &cache() const { return *Cache; }
  PathCache &paths() const { return *Paths; }

private:
  void findOccupancy();

  std::shared_ptr<OnDeviceCache> Cache;
  std::shared_ptr<PathCache> Paths;
};

/// What of a device may change from run to run.
struct DevicePoint {
  double CoreMHz = 0; ///< above 0
  double MemMHz = 0;  ///< above 0
  /// That may get blocks: at least one and at most the device's.
  unsigned ActiveSMs = 0;
  /// Of device memory, whatever MemMHz says; 0: the device's at MemMHz.
  double BandwidthGBs = 0;
  /// Warps that reside on an SM, in place of the occupancy's; not rounded to
  /// blocks. 0: those of the occupancy.
  double WarpsPerSM = 0;
  /// Where the board draws more at CoreMHz, it lowers that clock; in W. 0: the
  /// clock stays.
  double PowerLimitW = 0;
  /// Of the clocks above CoreMHz that the board may go to, the highest: the
  /// range of a time reaches to it. 0: there is none.
  double HighestMHz = 0;

  /// Boost clock, memory clock and all SMs of \p D.
  static DevicePoint of(const Device &D);

  /// The board of \p D chooses its core clock. It keeps to \p LimitW, or, where
  /// that is nothing, to its own limit of power.
  void leaveClock(const Device &D, std::optional<double> LimitW);
  /// The core clock stays what it is.
  void fixClock() { PowerLimitW = HighestMHz = 0; }
};

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_KERNELONDEVICE_H
