//===- WrittenArrays.h - What of global memory is written -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_WRITTENARRAYS_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_WRITTENARRAYS_H

#include "AddressBases.h"
#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "llvm/ADT/DenseSet.h"

namespace ptxpredict::counting {

/// Whether an effect concerns global memory, as far as is known.
bool isGlobal(AddressSpace Space, const Expression *Address);

/// The address of an effect; null if it is not modelled.
const Expression *addressOf(const SymbolicValues &V, const Instruction &I,
                            const MemoryEffect &E);

/// A load that reads what is in memory at some time, in no order that others
/// may rely on: what the kernel never writes is the same whenever that is.
bool isWeakLoad(const Instruction &I);

/// The arrays of global memory that a kernel writes, in its own code and in the
/// functions that it calls. Different pointer arguments are different buffers,
/// unless the launch gives one buffer for both.
class WrittenArrays {
public:
  WrittenArrays(const SymbolicValues &Kernel, const LaunchConfig &Launch);

  /// Something is written of which nobody knows where it lies, or code is
  /// called that was not looked into, other than the toolkit's own printing and
  /// checking.
  bool isAnything() const { return WritesAnywhere; }
  /// Whether a load through the pointer \p Base may see what the kernel wrote.
  bool has(const Symbol &Base) {
    return WritesAnywhere || Written.count(ArrayOf.of(Base));
  }

private:
  void add(const SymbolicValues &V);

  ArrayNames ArrayOf;
  llvm::DenseSet<const void *> Written;
  bool WritesAnywhere = false;
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_WRITTENARRAYS_H
