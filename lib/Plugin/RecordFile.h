//===- RecordFile.h - The remarks on one kernel in a file -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// With -fsave-optimization-record all compiler processes of a source write the
// same file where several architectures are compiled for, and the last one
// wins. These files are one a kernel and architecture.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_PLUGIN_RECORDFILE_H
#define PTXPREDICT_LIB_PLUGIN_RECORDFILE_H

#include "ptxpredict/Support/LLVM.h"

namespace llvm {
class DiagnosticInfoOptimizationBase;
} // namespace llvm

namespace ptxpredict::plugin {

/// `<source>-<kernel>-<processor>.opt.yaml`: of the source the name without
/// folder and suffix. A long name of a kernel is cut, and ends with its hash.
std::string recordName(StringRef Source, StringRef Kernel, StringRef Processor);

/// Writes the remarks as LLVM does (YAML) to \p Name in \p Folder, which is
/// made if it is not there.
Error writeRecord(
    StringRef Folder, StringRef Name,
    ArrayRef<const llvm::DiagnosticInfoOptimizationBase *> Remarks);

} // namespace ptxpredict::plugin

#endif // PTXPREDICT_LIB_PLUGIN_RECORDFILE_H
