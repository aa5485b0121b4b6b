//===- Compare.h - ptx-predict --compare=ir,ptx -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_COMPARE_H
#define PTXPREDICT_TOOLS_COMPARE_H

#include "ptxpredict/Driver/Pipeline/Driver.h"

namespace ptxpredict::tool {

/// Analyses every input as LLVM IR and as the PTX that LLVM's back end makes of
/// it, and writes to \p Output what differs. The process's exit code.
int compareIRWithPTX(const DriverOptions &Options, ArrayRef<std::string> Inputs,
                     bool JSON, StringRef Output);
/// The same with the kernels of PTX and those of the same names in machine code
/// among \p Inputs.
int comparePTXWithSASS(const DriverOptions &Options,
                       ArrayRef<std::string> Inputs, bool JSON,
                       StringRef Output);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_COMPARE_H
