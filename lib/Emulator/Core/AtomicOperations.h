//===- AtomicOperations.h - Operations on a place in memory -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CORE_ATOMICOPERATIONS_H
#define PTXPREDICT_LIB_EMULATOR_CORE_ATOMICOPERATIONS_H

#include "ptxpredict/Support/LLVM.h"
#include <cstdint>
#include <optional>

namespace ptxpredict::emulator {

/// What an instruction does to places in memory.
struct ReductionForm {
  uint32_t Detail = 0;
  unsigned Bytes = 0; ///< of an element: 2, 4 or 8
};

/// The form that modifiers such as "add.f32" name.
std::optional<ReductionForm> findReduction(StringRef Modifiers);

/// Updates the element at \p Place. Elements of shared memory belong to one
/// thread of the host.
void reduceInto(uint8_t *Place, const ReductionForm &Form, uint64_t Value,
                bool IsShared);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CORE_ATOMICOPERATIONS_H
