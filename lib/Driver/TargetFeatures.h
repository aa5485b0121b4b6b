//===- TargetFeatures.h - What code asks of a device ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_DRIVER_TARGETFEATURES_H
#define PTXPREDICT_LIB_DRIVER_TARGETFEATURES_H

#include "ptxpredict/Graph/Module.h"

namespace ptxpredict {

/// Why code for \p M's target does not run on a device of that capability: the
/// device is older (naming what it lacks of what \p Kernel uses), or the target
/// is for one architecture alone ("sm_90a"). Empty if it runs.
std::string targetNote(const Module &M, const InstructionGraph &Kernel,
                       unsigned DeviceCapability);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_DRIVER_TARGETFEATURES_H
