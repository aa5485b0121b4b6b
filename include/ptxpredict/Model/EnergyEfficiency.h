//===- EnergyEfficiency.h - Speed-up against energy -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Hong, "Modeling performance and power for energy-efficient GPGPU
// computing", PhD thesis, Georgia Tech, 2012, appendix A, whose equations the
// numbers in parentheses are (docs/models/EnergyEfficiency.md). Times, powers
// and energies are in any one unit: only quotients matter.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_ENERGYEFFICIENCY_H
#define PTXPREDICT_MODEL_ENERGYEFFICIENCY_H

#include "ptxpredict/Support/LLVM.h"
#include <vector>

namespace ptxpredict {

/// A new setting against the one that it is compared with.
struct EnergyGain {
  double Speedup = 1;        ///< S, (95): above 1 is faster
  double Efficiency = 1;     ///< E, (96): above 1 takes less energy
  double EnergyFraction = 1; ///< alpha_ov, (101): new energy over old
};

/// (97)-(103): new time and power as fractions of the old ones, both above 0.
EnergyGain energyGain(double TimeFraction, double PowerFraction);

/// One kind of processor and how a kernel runs on it.
struct ProcessorSide {
  double Cores = 1;      ///< C
  double Throughput = 1; ///< zeta, work of a core in a cycle
  double Clock = 1;      ///< F
  double SlowDown = 1;   ///< phi of the kernel: larger is slower
  double Power = 1;      ///< lambda of the kernel: weight of C * F^3

  double time(double Data) const; ///< (104), of so much data
  double dynamicPower() const;    ///< (107) without the idle power
};

/// A processor with its share of the work.
struct LoadedSide {
  const ProcessorSide &Processor;
  double Data;
  double Idle; ///< power

  double time() const { return Processor.time(Data); }
  double power() const { return Processor.dynamicPower() + Idle; } ///< (107)
};

/// (105), (108), (109): \p New against \p Old.
EnergyGain compareSides(const LoadedSide &Old, const LoadedSide &New);

/// A CPU and a GPU that share one kernel's data.
struct CPUGPUSystem {
  ProcessorSide CPU, GPU;
  double Idle = 0; ///< B, of the whole system, with both
};

/// (110)-(114): the GPU takes \p GPUShare of the data, from 0 to 1, against the
/// CPU alone. A side without data adds no dynamic power; one that has some adds
/// it until the other is done, too, as printed.
EnergyGain partitionGain(const CPUGPUSystem &S, double GPUShare);

struct PartitionPoint {
  double GPUShare = 0;
  EnergyGain Gain;
};
/// \p Points shares from 0 to 1, at least two; the thesis has 11.
std::vector<PartitionPoint> sweepPartition(const CPUGPUSystem &S,
                                           unsigned Points = 11);

struct ClockPoint {
  double Clock = 0;
  EnergyGain Gain;
};
/// \p Side at each of \p Clocks against itself at its own clock, with \p Idle
/// power in both.
std::vector<ClockPoint> sweepClock(const ProcessorSide &Side, double Idle,
                                   ArrayRef<double> Clocks);

/// Table 16: which of a CPU and a GPU is fast and which takes much power, for
/// the 16 series of figure 156. The table repeats series 1 to 8 in
/// place of 9 to 16; figure 156 shows a fast CPU there.
struct SystemSeries {
  unsigned Number = 0; ///< from 1
  bool FastCPU = false, FastGPU = false;
  bool HighPowerCPU = false, HighPowerGPU = false;
};
ArrayRef<SystemSeries> systemSeries();

/// Numbers behind the words of Table 16, which the thesis does not print.
struct SeriesLevels {
  double Fast = 1, Slow = 2; ///< SlowDown
  double Low = 1, High = 2;  ///< Power
};
/// \p Base with the slow-down and power that \p Series and \p Levels say.
CPUGPUSystem applySeries(const CPUGPUSystem &Base, const SystemSeries &Series,
                         const SeriesLevels &Levels);

/// (115)-(117): whether E lies on one line over S: no second difference of
/// points with distinct S, sorted by it, exceeds \p Tolerance times the largest
/// slope. Fewer than three points are linear.
bool isLinear(ArrayRef<EnergyGain> Sorted, double Tolerance = 1e-9);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_ENERGYEFFICIENCY_H
