//===- CompiledKernel.h - What a compiler said of a kernel ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DRIVER_PIPELINE_COMPILEDKERNEL_H
#define PTXPREDICT_DRIVER_PIPELINE_COMPILEDKERNEL_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Driver/Toolchain/PtxasInfo.h"
#include "ptxpredict/Graph/InstructionGraph.h"

namespace ptxpredict {

/// What a compiler, or somebody who asked one, said of a kernel. It stands
/// beside the analysis of the code, and before it where both answer.
struct CompiledKernel {
  /// For the code's target, else for another one; absent if no log has the
  /// kernel.
  std::optional<PtxasFunctionInfo> Code;
  std::vector<CompiledRegisters> ByArchitecture;
  std::vector<CompileRefusal> Refusals;
  // For every device.
  std::optional<unsigned> Registers;
  std::optional<double> SpillBytes, SpillLoadBytes;

  CompiledKernel() = default;
  /// What \p Log has of the kernel \p Name, whose code is for \p Target.
  CompiledKernel(const PtxasInfo &Log, StringRef Name, StringRef Target);
  /// What machine code says of itself; \p G is lifted from it.
  explicit CompiledKernel(const InstructionGraph &G);

  /// Puts it into \p K, which is being made. \p Representative: the device for
  /// which registers are estimated where the compiler's are for another target.
  void complete(KernelCharacteristics &K, const Device &Representative) const;
};

} // namespace ptxpredict

#endif // PTXPREDICT_DRIVER_PIPELINE_COMPILEDKERNEL_H
