//===- WaitingPower.h - What a board without kernels draws ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_WAITINGPOWER_H
#define PTXPREDICT_MODEL_WAITINGPOWER_H

#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Model/UnitPower.h"

namespace ptxpredict {

/// Scales what \p P draws without any access, besides idle power, so that it
/// sums up to the power that was measured of the waiting board \p D (`waiting`
/// of its file, W), if it was.
void holdAtWaiting(PowerParameters &P, const Device &D);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_WAITINGPOWER_H
