//===- BufferLoads.h - Loads whose results the launch tells -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_BUFFERLOADS_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_BUFFERLOADS_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "ptxpredict/Graph/InstructionGraph.h"
#include "llvm/ADT/STLExtras.h"

namespace ptxpredict {

/// A weak load from a buffer whose contents the launch gives and the kernel
/// never changes, on which conditions, addresses or calls may depend.
struct BufferLoad {
  const Parameter *Pointer = nullptr; ///< the parameter that it goes through
  const ArgumentValue *Given = nullptr;
  /// Code, launch and arguments decide the value: the address, or other such
  /// loads do, or all elements are the same.
  bool IsDecided = false;
};

/// Those of a kernel and of the functions that it calls; of a function that is
/// called in several places only what is true of all of them.
class BufferLoads {
public:
  /// Null where the launch gives no contents or the kernel uses none. What the
  /// kernel writes and where it loads from is asked of its values, which are
  /// found for it: first without any contents, then with those that are known
  /// by then. All arguments must outlive the result.
  static std::shared_ptr<const BufferLoads> find(const InstructionGraph &G,
                                                 const ControlFlow &CF,
                                                 const LaunchConfig &Launch,
                                                 unsigned CallBudget);

  size_t numDecided() const {
    return size_t(llvm::count_if(
        Loads, [](const auto &L) { return L.second.IsDecided; }));
  }
  /// Null for another instruction.
  const BufferLoad *of(const Instruction &I) const {
    auto It = Loads.find(&I);
    return It == Loads.end() ? nullptr : &It->second;
  }

private:
  class Finder;
  llvm::DenseMap<const Instruction *, BufferLoad> Loads;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_BUFFERLOADS_H
