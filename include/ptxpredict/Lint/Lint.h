//===- Lint.h - Findings of a kernel on devices -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LINT_LINT_H
#define PTXPREDICT_LINT_LINT_H

#include "ptxpredict/Model/Model.h"
#include "ptxpredict/Support/Finding.h"

namespace ptxpredict {

/// A kernel on a device that it is judged on, at the clocks and SMs in
/// question.
struct LintDevice {
  KernelOnDevice Place;
  DevicePoint Point;
  std::string Refusal; ///< why it does not start the launch; empty if it does
};

/// What is asked. Refers to everything in it; all devices have the kernel.
struct LintRequest {
  const KernelCharacteristics &Kernel;
  StringRef Path; ///< of the input
  ArrayRef<LintDevice> Devices;
  const Model &TheModel; ///< that prices defects
  const ModelOptions &Options;
  bool WithEnergy = true; ///< rules that save energy and no time are run, too
  /// Of fewer SMs that do: which ones (preferredSMs), and the energy if the
  /// others were off.
  bool WithPlacement = false, WithGated = false;
};

/// What all rules find in the kernel, best first. Cost is linear in the
/// kernel's size: of one rule only the places with most to save are priced one
/// by one (LintContext::priceAll).
std::vector<Finding> findDefects(const LintRequest &R);

} // namespace ptxpredict

#endif // PTXPREDICT_LINT_LINT_H
