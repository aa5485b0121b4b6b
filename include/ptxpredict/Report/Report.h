//===- Report.h - What a run found, as text and JSON ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_REPORT_H
#define PTXPREDICT_REPORT_REPORT_H

#include "ptxpredict/Model/Model.h"
#include "ptxpredict/Support/Diagnostics.h"

namespace ptxpredict {

struct InputReport {
  std::string Path;
  std::string Frontend;
  std::string ISAVersion;
  std::string Target;
};

struct KernelReport {
  unsigned Input = 0; ///< index into Report::Inputs
  KernelCharacteristics Characteristics;
  std::vector<Prediction> Predictions; ///< by device, then by model
};

/// Everything a view shows, collected once.
struct Report {
  std::vector<InputReport> Inputs;
  std::vector<std::string> Premises;
  std::vector<KernelReport> Kernels;
  std::vector<Diagnostic> Diagnostics;
};

enum class Verbosity { Quiet, Normal, Verbose };

/// One screen a kernel, or for several devices a comparing table.
void printText(const Report &R, raw_ostream &OS, Verbosity V, bool Colors);

/// One JSON object, schema "ptx-predict/prediction" version 1
/// (docs/schemas/prediction.schema.json).
void printJSON(const Report &R, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_REPORT_H
