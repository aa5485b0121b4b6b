//===- KernelCases.h - Kernels with their launches --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MEASURE_KERNELCASES_H
#define PTXPREDICT_MEASURE_KERNELCASES_H

#include "Measurement.h"
#include "ptxpredict/Driver/Inputs/Frontend.h"
#include "ptxpredict/Launch/LaunchFile.h"
#include <memory>

namespace ptxpredict::measure {

/// A launch file and its PTX, read.
struct KernelFiles {
  std::string Stem;     ///< "saxpy"
  std::string Code;     ///< path of the PTX
  std::string Launches; ///< folder of the launch file
  DiagnosticEngine CodeMessages, LaunchMessages;
  std::unique_ptr<ParsedInput> Input;
  LaunchFile File;
};

/// One kernel and how it is started.
struct KernelCase {
  std::shared_ptr<KernelFiles> Files;
  const InstructionGraph *Kernel = nullptr;
  const LaunchFileEntry *Entry = nullptr;
  unsigned Number = 1; ///< of the entry among those of the kernel
  LaunchConfig Config;

  std::string name() const { return Kernel->Name.str(); }
  /// "saxpy", and of a further entry "saxpy.2".
  std::string label() const {
    return Number == 1 ? name() : name() + "." + std::to_string(Number);
  }
  std::string step() const { return "kernel." + Files->Stem + "." + label(); }
};

/// The columns of kernels.csv.
llvm::ArrayRef<const char *> kernelColumns();
/// A cell of a row of kernels.csv; empty if there is none.
StringRef kernelCell(const Record &Row, StringRef Column);

/// The launch files of a folder or of its folder `launch`, each with the PTX of
/// its name beside it or in the folder `ptx`, else in the folder \p Others; of
/// NAME.sm_90.ptx and the like the newest that runs on that capability. Every
/// entry is a case for each kernel that it matches. Returns true on error,
/// printed.
bool findKernels(StringRef Folder, StringRef Others, unsigned Capability,
                 std::vector<KernelCase> &Cases);

/// Runs it, compares its results, and takes its times.
Error runKernel(Measurement &S, const KernelCase &Case);

} // namespace ptxpredict::measure

#endif // PTXPREDICT_MEASURE_KERNELCASES_H
