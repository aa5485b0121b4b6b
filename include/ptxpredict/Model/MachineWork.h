//===- MachineWork.h - Machine instructions of a warp, by pipe --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_MACHINEWORK_H
#define PTXPREDICT_MODEL_MACHINEWORK_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include <array>

namespace ptxpredict {

/// What a machine instruction issues to.
enum class MachinePipe : uint8_t {
#define MACHINE_PIPE(NAME, TEXT, MEANING) NAME,
#include "ptxpredict/Model/MachinePipes.def"
};
constexpr unsigned NumMachinePipes = unsigned(MachinePipe::Other) + 1;

/// The name of MachinePipes.def.
StringRef toString(MachinePipe P);

/// Whether instructions of \p P move data to or from memory; constants count as
/// operands.
bool accessesMemory(MachinePipe P);

/// Warp instructions that one generation's compiler makes of a kernel, as
/// executed by a warp, in the mean over the launch's warps.
struct MachineWork {
  std::array<double, NumMachinePipes> ByPipe{};
  /// Multiplications and additions of all matrix instructions of a warp.
  double TensorMACs = 0;

  double of(MachinePipe P) const { return ByPipe[unsigned(P)]; }
  double &of(MachinePipe P) { return ByPipe[unsigned(P)]; }
  /// All of them: what the warp issues.
  double instructions() const;
};

/// What \p K is for compute capability \p CC (86 for 8.6). \p Which: of every
/// count. Slow paths of divisions and the like count as never taken.
MachineWork machineWork(const KernelCharacteristics &K, unsigned CC,
                        double Estimate::*Which = &Estimate::Value);

/// The same of a warp of the heaviest blocks, which \p K must have.
MachineWork heaviestWork(const KernelCharacteristics &K, unsigned CC,
                         double Estimate::*Which = &Estimate::Value);

/// One machine instruction for each of PTX, whatever the compiler makes of it;
/// parameters are operands.
MachineWork ptxWork(const KernelCharacteristics &K,
                    double Estimate::*Which = &Estimate::Value);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_MACHINEWORK_H
