//===- PredictionDump.cpp - --dump=prediction -----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Prediction/Report.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static void printEstimate(raw_ostream &OS, StringRef Key, const Estimate &E) {
  OS << Key << ": {value: " << decimalOrNull(E.Value)
     << ", status: " << toString(E.Status);
  if (!E.isKnown())
    OS << ", low: " << decimalOrNull(E.Low)
       << ", high: " << decimalOrNull(E.High);
  OS << "}\n";
}

void ptxpredict::printPredictions(const Report &R, raw_ostream &OS) {
  for (const KernelReport &K : R.Kernels)
    for (const Prediction &P : K.Predictions) {
      OS << "---\nkernel: " << quoteYAML(K.Characteristics->Name)
         << "\ndevice: " << P.Device << "\nmodel: " << P.Model;
      if (!P.Sweep.empty())
        OS << "\nsweep:";
      for (const SweepValue &V : P.Sweep)
        OS << "\n  " << quoteYAML(V.Name) << ": " << quoteYAML(V.Value);
      OS << "\ncore_mhz: " << decimalOrNull(P.CoreMHz)
         << "\nmem_mhz: " << decimalOrNull(P.MemMHz) << "\noccupancy:\n";
      printEstimate(OS, "  registers", P.Registers);
      OS << "  blocks_per_sm: " << P.Occ.BlocksPerSM
         << "\n  warps_per_sm: " << P.Occ.WarpsPerSM
         << "\n  fraction: " << decimalOrNull(P.Occ.Fraction)
         << "\n  limiter: " << toString(P.Occ.Limiter) << '\n';
      if (!P.OccEnds.empty())
        OS << "  ends:\n";
      for (const OccupancyEnd &End : P.OccEnds)
        OS << "  - {registers: " << End.Registers
           << ", blocks_per_sm: " << End.Occ.BlocksPerSM
           << ", warps_per_sm: " << End.Occ.WarpsPerSM
           << ", fraction: " << decimalOrNull(End.Occ.Fraction)
           << ", limiter: " << toString(End.Occ.Limiter) << "}\n";
      if (P.Cycles)
        printEstimate(OS, "cycles", *P.Cycles);
      if (P.TimeUs)
        printEstimate(OS, "time_us", *P.TimeUs);
      if (P.Scaled)
        OS << "scaled_us: " << decimalOrNull(P.Scaled->TimeUs) << '\n';
      if (P.PowerW)
        printEstimate(OS, "power_w", *P.PowerW);
      if (P.EnergyJ)
        printEstimate(OS, "energy_j", *P.EnergyJ);
      if (P.Limiter != TimeLimiter::None)
        OS << "limiter: " << toString(P.Limiter) << '\n';
      if (!P.Terms.empty())
        OS << "terms:\n";
      for (const Term &T : P.Terms)
        OS << "  " << T.Name << ": " << decimalOrNull(T.Value) << '\n';
      if (P.Warp) {
        OS << "warp:\n  ";
        printEstimate(OS, "cycles", P.Warp->Cycles);
        OS << "  loads_in_flight: " << decimalOrNull(P.Warp->LoadsInFlight)
           << '\n';
      }
      OS << "ok: " << (P.Applies.Ok ? "true" : "false") << '\n';
      if (!P.Applies.Notes.empty())
        OS << "notes:\n";
      for (const std::string &Note : P.Applies.Notes)
        OS << "  - " << quoteYAML(Note) << '\n';
    }
}
