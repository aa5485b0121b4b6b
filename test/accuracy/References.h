//===- References.h - What the kernels must compute -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_ACCURACY_REFERENCES_H
#define PTXPREDICT_TEST_ACCURACY_REFERENCES_H

#include "Launches.h"

namespace ptxpredict::accuracy {

/// Buffers whose results depend on rounding, with the tolerance of \ref
/// compare. All others must be right bit by bit.
using Tolerances = std::map<std::string, double>;

/// Changes \p Memory from what \p L's buffers hold before the launch to what
/// they must hold after it, on the CPU. Buffers that the kernel does not write
/// stay as they are. False if there is no reference for the kernel.
bool computeReference(const Launch &L, Contents &Memory, Tolerances &Allowed);

} // namespace ptxpredict::accuracy

#endif // PTXPREDICT_TEST_ACCURACY_REFERENCES_H
