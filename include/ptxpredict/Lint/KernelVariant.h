//===- KernelVariant.h - A kernel without one of its defects ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LINT_KERNELVARIANT_H
#define PTXPREDICT_LINT_KERNELVARIANT_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"

namespace ptxpredict {

/// A copy of a kernel's characteristics whose counts may be changed, and are
/// put back by \ref reset: only what was touched, so that many variants of a
/// large kernel cost one copy. The dependence summary stays as it is; what it
/// amounts to may be changed.
class KernelVariant {
public:
  explicit KernelVariant(const KernelCharacteristics &K) : From(K), Now(K) {}

  const KernelCharacteristics &get() const { return Now; }

  /// The memory instruction of that number, to be changed.
  MemoryCharacteristics &memory(size_t Number);
  DependenceCharacteristics &dependence() { return Now.Dependence; }
  Dim3 &grid() { return Now.Launch.Grid; }

  /// Takes \p Num executions per warp of \p Kind away.
  void removeWork(SchedClass Kind, double Num);
  /// Takes \p Num barriers of the block away that a warp executes.
  void removeBarriers(double Num);
  /// Makes \p Num executions of \p Kind ones of \p Other.
  void replaceWork(SchedClass Kind, SchedClass Other, double Num);
  /// Multiplies all that a warp does.
  void scaleWork(double Factor);

  /// Back to the kernel as it is.
  void reset();

private:
  const KernelCharacteristics &From;
  KernelCharacteristics Now;
  std::vector<size_t> Touched; ///< of Now.Memory
};

/// The class of most instructions of that kind.
OpClass classOf(SchedClass Kind);

} // namespace ptxpredict

#endif // PTXPREDICT_LINT_KERNELVARIANT_H
