//===- TargetFeatures.h - What code asks of a device ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_DRIVER_PIPELINE_TARGETFEATURES_H
#define PTXPREDICT_LIB_DRIVER_PIPELINE_TARGETFEATURES_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"

namespace ptxpredict {

/// Why \p Code does not run on a device of that capability: the device is older
/// than its target (naming what it lacks of what the code uses), or the target
/// is for one architecture alone ("sm_90a"). Empty if it runs.
std::string targetNote(const CodeCharacteristics &Code,
                       unsigned DeviceCapability);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_DRIVER_PIPELINE_TARGETFEATURES_H
