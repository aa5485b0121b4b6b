//===- SymbolicForms.h - Formulas where numbers are missing -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_SYMBOLICFORMS_H
#define PTXPREDICT_LIB_CHARACTERISTICS_SYMBOLICFORMS_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "ptxpredict/Characteristics/KernelCharacteristics.h"

namespace ptxpredict {

/// Whether \p K has a loop or an access for which a formula could stand.
bool wantsSymbolicForms(const KernelCharacteristics &K);

/// Gives loops whose count is not known, and accesses without a lane stride, a
/// formula if there is one. \p V is of the kernel; a function that it calls in
/// several places gets what holds in all of them. Time is linear in the code
/// that \p V covers.
void addSymbolicForms(KernelCharacteristics &K, const SymbolicValues &V);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_SYMBOLICFORMS_H
