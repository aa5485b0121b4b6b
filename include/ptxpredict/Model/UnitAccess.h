//===- UnitAccess.h - How often a warp accesses each unit -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_UNITACCESS_H
#define PTXPREDICT_MODEL_UNITACCESS_H

#include "ptxpredict/Model/Model.h"
#include "ptxpredict/Model/UnitPower.h"

namespace ptxpredict {

/// What decides how a device's accesses are counted.
struct UnitAccessRules {
  /// Units that the device tells apart. Work of another is done by the nearest
  /// one that it has: doubles and matrices by FP, approximations by FP, logic
  /// and moves by INT, local memory by GLOBAL; else it draws nothing.
  ByPowerUnit<bool> Has{};
  /// Memory is accessed once for each 128 bytes that a cache or device memory
  /// moves, not once for each instruction.
  bool ByTraffic = false;
  /// Machine instructions are counted, and traffic, as model bottleneck counts
  /// them; they tell logic from integer arithmetic as little as most pipes do.
  bool ByMachine = false;
  /// Shared memory is accessed once by an instruction, whatever its conflicts.
  bool Published = false;
};

/// Dynamic accesses of a warp by unit, in the mean over the launch's warps:
/// the sums of (41).
struct UnitAccess {
  ByPowerUnit<double> PerWarp{};
  /// (54): instructions on global and local memory over all others.
  double MemoryIntensity = 0;
};

/// \p Caches: hit rates, null where they are not known; nothing hits then.
/// Counts by the machine find their own.
/// \p Which: of every count.
UnitAccess countUnitAccess(const KernelOnDevice &On,
                           const UnitAccessRules &Rules,
                           const CacheHits *Caches,
                           double Estimate::*Which = &Estimate::Value);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_UNITACCESS_H
