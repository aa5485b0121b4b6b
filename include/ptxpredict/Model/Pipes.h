//===- Pipes.h - Which lanes of an SM do what -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_PIPES_H
#define PTXPREDICT_MODEL_PIPES_H

#include "ptxpredict/Codegen/SchedClass.h"
#include "ptxpredict/Device/Device.h"

namespace ptxpredict {

/// Core cycles in which an SM issues a warp instruction to \p Lanes lanes: not
/// less than its issue slot.
double issueCyclesOn(const Device &D, double Lanes);

/// The lanes that do the work; null where all of them do. Without a value where
/// the device's file does not say.
const Quantity *lanesFor(const Device &D, SchedClass Work);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_PIPES_H
