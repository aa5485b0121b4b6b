//===- AddressBases.h - What an address is counted from ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_ADDRESSBASES_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_ADDRESSBASES_H

#include "ptxpredict/Analysis/Symbolic/Expression.h"
#include "ptxpredict/ISA/ISA.h"
#include "ptxpredict/Launch/LaunchConfig.h"
#include "llvm/ADT/StringMap.h"

namespace ptxpredict {

class InstructionGraph;

namespace counting {

/// The one place that an address is counted from; null if it has none or
/// several. What is narrower is an index, and so is a parameter that nothing
/// shows to be a pointer where another one is.
const Symbol *findBase(const Expression &Address);

/// What a generic address is in, if its expression says so.
AddressSpace resolveSpace(const Expression &Address);

/// What tells arrays apart: a variable, or the symbol of a pointer.
class ArrayNames {
public:
  ArrayNames(const InstructionGraph &Kernel, const LaunchConfig &Launch)
      : Kernel(Kernel), Launch(Launch) {}

  /// One buffer may be given for several parameters.
  const void *of(const Symbol &Base);

private:
  const InstructionGraph &Kernel;
  const LaunchConfig &Launch;
  llvm::StringMap<const void *> Buffers;
};

} // namespace counting
} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_ADDRESSBASES_H
