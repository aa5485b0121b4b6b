//===- MWPCWPFit.h - Hong's calibration of MWP-CWP --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// S. Hong, PhD thesis, Georgia Tech, 2012, section 2.5.1: the latency of a
// transaction and both departure delays are those with which the model gives
// the cycles an instruction of seven loops, coalesced and not (Table 3).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_VALIDATION_FIT_MWPCWPFIT_H
#define PTXPREDICT_VALIDATION_FIT_MWPCWPFIT_H

#include "ptxpredict/Device/Calibration.h"
#include "ptxpredict/Model/MWPCWP.h"

namespace ptxpredict {

/// A loop that was measured.
struct MixRow {
  MWPCWPInputs Inputs; ///< without what is fitted
  double CPI = 0;      ///< cycles of an SM for a warp's instruction
};

/// What is fitted, in cycles.
struct MWPCWPParameters {
  double MemLD = 0, DepartureDelCoal = 0, DepartureDelUncoal = 0;
};

struct MWPCWPFit {
  MWPCWPParameters Parameters;
  double MAPE = 0;
};

/// The loop of Table 3 that a result "cpi.mb2.coalesced" is of, as
/// test/accuracy/measure runs it on \p D at \p CoreMHz; nothing of another
/// name.
std::optional<MWPCWPInputs> inputsOfMix(StringRef Result, const Device &D,
                                        double CoreMHz);

/// The model's CPI (24) with these parameters.
double mixCPI(const MWPCWPInputs &In, const MWPCWPParameters &P);

/// The parameters with which the loops' CPI are least off, as shares. Nothing
/// without loops of both kinds. Deterministic.
std::optional<MWPCWPFit> fitMWPCWP(ArrayRef<MixRow> Rows);

/// Adds what \p Results' loops say of the model mwp-cwp to \p To, whose base is
/// the measured device.
void addMWPCWP(const MicrobenchmarkResults &Results, Calibration &To);

} // namespace ptxpredict

#endif // PTXPREDICT_VALIDATION_FIT_MWPCWPFIT_H
