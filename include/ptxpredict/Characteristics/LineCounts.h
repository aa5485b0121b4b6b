//===- LineCounts.h - What each line of the code executes ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CHARACTERISTICS_LINECOUNTS_H
#define PTXPREDICT_CHARACTERISTICS_LINECOUNTS_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Graph/InstructionGraph.h"

namespace ptxpredict {

/// Instructions of one line of the input that stand in one place of the source.
struct LineCount {
  unsigned Line = 0;       ///< in the input
  double Executed = 0;     ///< instructions per warp, in the mean
  std::string File;        ///< of the source, as debug data name it
  unsigned SourceLine = 0; ///< 0 without one
};

/// What the lines of \p Kernel and of the functions that it calls execute, by
/// the frequencies of \p K's blocks, in the order of the code. The bodies must
/// be there, and \p K be the kernel's.
std::vector<LineCount> countLines(const InstructionGraph &Kernel,
                                  const KernelCharacteristics &K);

} // namespace ptxpredict

#endif // PTXPREDICT_CHARACTERISTICS_LINECOUNTS_H
