//===- NoUpperBound.h - Why nobody knows how long it may take ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_NOUPPERBOUND_H
#define PTXPREDICT_MODEL_NOUPPERBOUND_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"

namespace ptxpredict {

/// What leaves the counts of \p K without an upper bound, and with them every
/// time that is made of them: "nothing bounds the loop at line 7;
/// --trip-count=L__BB0_2=N does". Of several loops the outermost one that runs
/// most. Says so where the counts do not tell.
std::string whyNoUpperBound(const KernelCharacteristics &K);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_NOUPPERBOUND_H
