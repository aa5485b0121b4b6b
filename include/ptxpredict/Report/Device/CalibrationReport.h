//===- CalibrationReport.h - What a calibration changes ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_DEVICE_CALIBRATIONREPORT_H
#define PTXPREDICT_REPORT_DEVICE_CALIBRATIONREPORT_H

#include "ptxpredict/Device/Calibration.h"

namespace ptxpredict {

/// A table of the numbers: old, new, the change, and what decides it; for
/// \p Verbose the results that decide nothing, too.
void printCalibrationText(const Calibration &C, raw_ostream &OS, bool Verbose);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_DEVICE_CALIBRATIONREPORT_H
