//===- SplitReport.h - How kernels' work is split ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_SPLIT_SPLITREPORT_H
#define PTXPREDICT_REPORT_SPLIT_SPLITREPORT_H

#include "ptxpredict/Model/KernelSplit.h"
#include "ptxpredict/Report/Prediction/Report.h"

namespace ptxpredict {

constexpr StringRef SplitSchemaName = "ptx-predict/split";
constexpr unsigned SplitSchemaVersion = 1;

/// One kernel, and what its split takes.
struct SplitKernel {
  std::string Path, Name, Demangled; ///< empty where all sides are measured
  unsigned LaunchLine = 0; ///< of its launch in the launch file; 0 without one
  KernelSplit Split;
};

/// What `ptx-predict split` says.
struct SplitReport {
  SplitQuestion Question;
  StringRef HostMemory;             ///< static text: "pageable"
  std::vector<std::string> Assumed; ///< of links, whatever the kernel
  std::vector<SplitKernel> Kernels;
  std::vector<std::string> Premises;
  std::vector<Diagnostic> Diagnostics;

  bool hasLinks() const;
};

/// For each kernel what is gained over the best device alone, each device's
/// share, and time, power and energy by shares.
void printSplitText(const SplitReport &R, raw_ostream &OS, Verbosity V,
                    bool Colors);
/// A row for each kernel and split: the best, the best of one device, and
/// every share.
void printSplitCSV(const SplitReport &R, raw_ostream &OS);
/// Schema "ptx-predict/split" (docs/schemas/split.schema.json).
void printSplitJSON(const SplitReport &R, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_SPLIT_SPLITREPORT_H
