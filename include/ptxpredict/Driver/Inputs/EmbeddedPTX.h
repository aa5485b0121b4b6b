//===- EmbeddedPTX.h - The PTX in files of machine code ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_INPUTS_EMBEDDEDPTX_H
#define PTXPREDICT_DRIVER_INPUTS_EMBEDDEDPTX_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace ptxpredict {

/// The PTX of a fat binary, or of a file that holds some.
struct EmbeddedPTX {
  /// Each named as the file is; empty if there is no PTX.
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> Modules;
  std::string Note; ///< what was taken, and what was left
  std::vector<std::string> Problems; ///< damage, with its place
};

/// Whether \p Text is machine code or may hold some: what findEmbeddedPTX()
/// reads.
bool isMachineCode(StringRef Text);

/// Of each fat binary in \p File, which is called \p Path, the PTX for the
/// newest architecture, but none newer than \p ComputeCapability (90) as long as
/// there is an older one; 0 is no limit.
EmbeddedPTX findEmbeddedPTX(StringRef File, StringRef Path,
                            unsigned ComputeCapability);

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_INPUTS_EMBEDDEDPTX_H
