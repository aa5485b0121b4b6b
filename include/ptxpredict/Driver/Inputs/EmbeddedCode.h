//===- EmbeddedCode.h - The code in fat binaries and libraries --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_INPUTS_EMBEDDEDCODE_H
#define PTXPREDICT_DRIVER_INPUTS_EMBEDDEDCODE_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace ptxpredict {

/// The code of a fat binary, or of a file that holds some.
struct EmbeddedCode {
  /// PTX and cubins, each named as the file is; empty if there is no code.
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> Modules;
  std::string Note; ///< what was taken, and what was left
  std::vector<std::string> Problems; ///< damage, with its place
};

/// Whether \p Text is machine code or may hold some: what findEmbeddedCode()
/// reads.
bool isMachineCode(StringRef Text);

/// What is asked for of a file that holds code for several architectures.
struct CodeChoice {
  /// The device's, such as 90; 0 if there is none, or several.
  unsigned ComputeCapability = 0;
  bool PrefersMachineCode = false; ///< else PTX
};

/// One module of each fat binary in \p File, which is called \p Path: of PTX
/// that for the newest architecture, but none newer than the device as long as
/// there is an older one; of machine code that which runs on the device, else
/// the nearest. A fat binary that has no code of the preferred kind gives what
/// it has. Machine code that lies in \p File as it is stays there.
EmbeddedCode findEmbeddedCode(StringRef File, StringRef Path,
                              const CodeChoice &Choice);

/// Whether machine code for \p Target ("sm_90a") runs on a device of that
/// compute capability: plain code within its major version from its minor one
/// on, code for one architecture on that alone, and code for a family within
/// it.
bool machineCodeRunsOn(StringRef Target, unsigned ComputeCapability);

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_INPUTS_EMBEDDEDCODE_H
