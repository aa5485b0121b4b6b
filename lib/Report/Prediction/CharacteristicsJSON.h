//===- CharacteristicsJSON.h - What a kernel does, as JSON ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_PREDICTION_CHARACTERISTICSJSON_H
#define PTXPREDICT_LIB_REPORT_PREDICTION_CHARACTERISTICSJSON_H

#include "ptxpredict/Report/Prediction/Report.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"

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

/// What a document says it is.
struct DocumentSchema {
  StringRef Name;
  unsigned Version;
};

/// A whole document of kernels, each as \p Kernel prints it.
void printReportJSON(const DocumentSchema &Schema, const Report &R,
                     size_t NumKernels,
                     llvm::function_ref<void(size_t, raw_ostream &)> Kernel,
                     raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_REPORT_PREDICTION_CHARACTERISTICSJSON_H
