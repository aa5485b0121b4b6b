//===- Report.h - What a run found, as text and JSON ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_PREDICTION_REPORT_H
#define PTXPREDICT_REPORT_PREDICTION_REPORT_H

#include "ptxpredict/Characteristics/LineCounts.h"
#include "ptxpredict/Lint/Suggestions.h"
#include "ptxpredict/Support/Diagnostics.h"
#include "ptxpredict/Support/Finding.h"
#include "ptxpredict/Support/FrontendKind.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxpredict {

/// "schema" and "version" of the JSON that \ref printJSON writes. The version
/// rises when a key is renamed or taken away.
constexpr StringRef PredictionSchemaName = "ptx-predict/prediction";
constexpr unsigned PredictionSchemaVersion = 1;

struct InputReport {
  std::string Path;
  FrontendKind Frontend = FrontendKind::PTX;
  std::string ISAVersion; ///< "9.0"; empty if the input does not say
  std::string Target;     ///< "sm_90a"; empty if the input does not say
  std::string Hash = {};  ///< of the text; empty if it was not needed
  /// Of code: what numbers of lines count in. Lives as long as the driver.
  const DiagnosticEngine *Code = nullptr;
};

/// A file that debug data name. Lives as long as the driver.
struct SourceText {
  std::string Path; ///< as debug data name it
  StringRef Text;
};

struct KernelReport {
  unsigned Input = 0;      ///< index into Report::Inputs
  unsigned LaunchLine = 0; ///< of its launch in the launch file; 0 without one
  std::shared_ptr<const KernelCharacteristics> Characteristics; ///< never null
  std::vector<Prediction> Predictions; ///< by device, then by model
  std::vector<Finding> Findings;       ///< best first; empty unless asked for
  std::vector<DeviceSuggestions> Suggestions; ///< by device; likewise
  // Where code is to be shown.
  std::vector<LineCount> Lines;
  std::vector<SourceText> Sources; ///< those that could be read

  /// Defaults that the kernel's counts rest on, then those of predictions: the
  /// highest clock of each device whose board chooses one, to which the range
  /// of the time reaches.
  std::vector<Assumption> assumptions() const;
};

/// Everything a view shows, collected once.
struct Report {
  std::vector<InputReport> Inputs;
  std::vector<std::string> Premises;
  std::vector<KernelReport> Kernels;
  std::vector<Diagnostic> Diagnostics;
};

enum class Verbosity { Quiet, Normal, Verbose };

/// A report in parts, so that what it says of a kernel can be printed, and the
/// kernel's data dropped, long before all of it is known.
class ReportForm {
public:
  virtual ~ReportForm() = default;

  /// What it says of one kernel. Of \p Head only the inputs are used. Any
  /// number of threads may ask.
  virtual void printKernel(const Report &Head, const KernelReport &K,
                           raw_ostream &OS) const = 0;
  /// All of it. \p Kernel prints what printKernel() printed for the N-th of
  /// \p NumKernels; \p R need not have them.
  virtual void print(const Report &R, size_t NumKernels,
                     llvm::function_ref<void(size_t, raw_ostream &)> Kernel,
                     raw_ostream &OS) const = 0;
  /// All of a report that has its kernels.
  void printAll(const Report &R, raw_ostream &OS) const;
};
std::unique_ptr<ReportForm> textForm(Verbosity V, bool Colors);
std::unique_ptr<ReportForm> jsonForm();
/// A header, then a row for each file, kernel, device, model and point of a
/// sweep (docs/formats/Reports.md). \p Sweeps are the axes and \p Terms the
/// models' terms; each has a column. \p HasScaled: Prediction::Scaled, too.
std::unique_ptr<ReportForm> csvForm(std::vector<std::string> Sweeps,
                                    std::vector<StringRef> Terms,
                                    bool HasScaled = false);
/// One page that needs nothing else, of at most about 10 MB. \p Options are
/// those that the predictions were made with: curves are more of them. With
/// \p HasSweep it has sliders, and the one script that they need.
std::unique_ptr<ReportForm> htmlForm(const ModelOptions &Options,
                                     bool HasSweep = false);

/// One screen a kernel, with a comparing table for several predictions; or, for
/// Quiet, one line a prediction.
void printText(const Report &R, raw_ostream &OS, Verbosity V, bool Colors);

/// One JSON object, schema "ptx-predict/prediction"
/// (docs/schemas/prediction.schema.json).
void printJSON(const Report &R, raw_ostream &OS);

/// The predictions as YAML, one document a prediction: --dump=prediction.
void printPredictions(const Report &R, raw_ostream &OS);

/// What profilers would count of each kernel, and where each number comes from,
/// as a table a device: --dump=counters.
void printCounters(const Report &R, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_PREDICTION_REPORT_H
