//===- SASSFrontend.h - Machine code as an input ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_DRIVER_INPUTS_SASSFRONTEND_H
#define PTXPREDICT_LIB_DRIVER_INPUTS_SASSFRONTEND_H

#include "ptxpredict/Driver/Inputs/Frontend.h"

namespace ptxpredict {

/// Reads cubins.
const Frontend &sassFrontend();

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_DRIVER_INPUTS_SASSFRONTEND_H
