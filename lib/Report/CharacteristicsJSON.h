//===- CharacteristicsJSON.h - What a kernel does, as JSON -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_CHARACTERISTICSJSON_H
#define PTXPREDICT_LIB_REPORT_CHARACTERISTICSJSON_H

#include "JSONWriter.h"
#include "ptxpredict/Report/Report.h"

namespace ptxpredict {

// Keys that documents of predictions and of runs share, in the object that is
// open.

/// `inputs`
void writeInputs(JSONWriter &J, ArrayRef<InputReport> Inputs);
/// `launch`
void writeLaunch(JSONWriter &J, const LaunchConfig &L);
/// `characteristics`; with sums over the whole run if it is \p OfRun.
void writeCharacteristics(JSONWriter &J, const KernelCharacteristics &K,
                          bool OfRun);

/// `waits`
void writeWaits(JSONWriter &J, ArrayRef<PathCharacteristics> Waits);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_REPORT_CHARACTERISTICSJSON_H
