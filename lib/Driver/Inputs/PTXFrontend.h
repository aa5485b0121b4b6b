//===- PTXFrontend.h - PTX as an input of the driver ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_DRIVER_INPUTS_PTXFRONTEND_H
#define PTXPREDICT_LIB_DRIVER_INPUTS_PTXFRONTEND_H

#include "ptxpredict/Driver/Inputs/Frontend.h"

namespace ptxpredict {

/// The front end of everything that no other one claims.
const Frontend &ptxFrontend();

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_DRIVER_INPUTS_PTXFRONTEND_H
