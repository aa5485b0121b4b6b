//===- CalibrateSong.h - calibrate --model=song DATASET.yaml ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_CALIBRATESONG_H
#define PTXPREDICT_TOOLS_CALIBRATESONG_H

#include "RowOptions.h"

namespace ptxpredict::tool {

/// Fits the two latencies and the two delays of song for each device, or the
/// one that is asked for, prints them, and writes the device file where one is
/// named. Returns Done or NotDone.
int calibrateSong(const RowRequest &R);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_CALIBRATESONG_H
