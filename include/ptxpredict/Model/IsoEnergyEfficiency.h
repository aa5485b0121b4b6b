//===- IsoEnergyEfficiency.h - Energy of parallel programs ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Song, "Power, performance and energy models and systems for emergent
// architectures", PhD dissertation, Virginia Tech, 2013, chapter 4, whose
// equations the numbers in parentheses are (docs/models/ClusterEnergy.md).
// Times are in s, powers in W, energies in J; what is of all processors is
// their sum, so that T_p are seconds times processors.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_ISOENERGYEFFICIENCY_H
#define PTXPREDICT_MODEL_ISOENERGYEFFICIENCY_H

namespace ptxpredict {

/// The machine vector (4.2) at one clock.
struct EnergyMachine {
  double InstructionSeconds = 0; ///< t_c: CPI_on / f
  double AccessSeconds = 0;      ///< t_m
  double MessageSeconds = 0;     ///< t_msg
  double ByteSeconds = 0;        ///< t_Byte
  double IdleW = 0;    ///< P_idle: of a processor and all that belongs to it
  double ComputeW = 0; ///< dP_c: running less idle
  double MemoryW = 0;  ///< dP_m
  double IOW = 0;      ///< dP_IO
  double NetworkW = 0; ///< of (4.10), which (4.11) leaves out
};

/// The application vector (4.3) at one size and number of processors.
struct EnergyApplication {
  double Alpha = 1;             ///< real over theoretical time
  double Instructions = 0;      ///< W_c: of the sequential program
  double Accesses = 0;          ///< W_m
  double ExtraInstructions = 0; ///< W_co: more of them, of all processors
  double ExtraAccesses = 0;     ///< W_mo: may be negative
  double Messages = 0;          ///< M
  double Bytes = 0;             ///< B
  double IOSeconds = 0;         ///< T_IO: of all processors
};

/// Work by what it takes: time, and energy above idle.
struct EnergyWork {
  double Seconds = 0, Joules = 0;
};
/// W_c t_c + W_m t_m + T_IO (4.4), and what goes with them in (4.8).
EnergyWork sequentialWork(const EnergyMachine &M, const EnergyApplication &A);
/// W_co t_c + W_mo t_m of (4.15).
EnergyWork extraWork(const EnergyMachine &M, const EnergyApplication &A);

/// A program on one and on p processors.
struct IsoEnergyEfficiency {
  double SequentialSeconds = 0; ///< T_1 (4.12)
  double OverheadSeconds = 0;   ///< T_o (4.15)
  double NetworkSeconds = 0;    ///< sum of T_net_i, a part of T_o
  double SequentialJ = 0;       ///< E_1 (4.12)
  double OverheadJ = 0;         ///< E_o (4.15)

  double parallelSeconds() const { ///< T_p (4.14)
    return SequentialSeconds + OverheadSeconds;
  }
  double parallelJ() const { return SequentialJ + OverheadJ; } ///< E_p (4.14)
  double factor() const { return OverheadJ / SequentialJ; }    ///< EEF (4.18)
  double efficiency() const { return 1 / (1 + factor()); }     ///< EE (4.21)
  /// T_1 / T_p: what (2.9) keeps.
  double timeEfficiency() const {
    return SequentialSeconds / parallelSeconds();
  }
};

/// (4.12), (4.15), (4.18), (4.21) of work however it is known: \p IdleW is
/// P_idle, \p NetworkW the power above idle of (4.10).
IsoEnergyEfficiency isoEnergyEfficiency(double Alpha, double IdleW,
                                        const EnergyWork &Sequential,
                                        const EnergyWork &Extra,
                                        double NetworkSeconds,
                                        double NetworkW = 0);
/// The same of the two vectors.
IsoEnergyEfficiency isoEnergyEfficiency(const EnergyMachine &M,
                                        const EnergyApplication &A,
                                        double NetworkSeconds);

/// (4.25): E_1 at the lowest clock over E_p at another one. May exceed 1.
double clockEfficiency(double LowestSequentialJ, double ParallelJ);
/// (4.19): measured over theoretical time.
double overlapFactor(double MeasuredSeconds, double TheoreticalSeconds);
/// (4.20): A C Vdd^2 f + I_leak Vdd, of F, V, Hz and A.
double circuitPower(double Activity, double Capacitance, double Volts,
                    double Hz, double LeakageA);
/// P_fixed + c f^gamma; without a fixed part the power law that the
/// dissertation takes from (4.20), where f is in GHz.
double clockPower(double FixedW, double Factor, double Gamma, double GHz);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_ISOENERGYEFFICIENCY_H
