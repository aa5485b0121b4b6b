//===- SongFit.h - The latencies and delays of song -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_VALIDATION_FIT_SONGFIT_H
#define PTXPREDICT_VALIDATION_FIT_SONGFIT_H

#include "ptxpredict/Model/Song.h"

namespace ptxpredict {

struct SongRow {
  SongInputs Inputs; ///< as they are without a fit
  double Cycles = 0; ///< measured
  unsigned Kernel = 0;
};

/// What is fitted, in cycles of the SM.
struct SongParameters {
  double LoadCycles = 0, StoreCycles = 0, InWarpDelay = 0, OutWarpDelay = 0;
};

struct SongFit {
  SongParameters Parameters;
  double MAPE = 0;
  /// The same of rows whose kernel is left out of the fit; NaN of one kernel.
  double LeftOutMAPE = 0;
};

/// Predicted cycles of a row with these parameters.
double songCycles(const SongRow &Row, const SongParameters &P);

/// The parameters near those of the first row with which the rows' cycles are
/// least off. At least one row. Deterministic.
SongFit fitSong(ArrayRef<SongRow> Rows);

} // namespace ptxpredict

#endif // PTXPREDICT_VALIDATION_FIT_SONGFIT_H
