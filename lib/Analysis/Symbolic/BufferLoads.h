//===- BufferLoads.h - Loads whose results the launch tells -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_BUFFERLOADS_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_BUFFERLOADS_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "ptxpredict/Graph/InstructionGraph.h"

namespace ptxpredict {

/// A weak load from a buffer whose contents the launch gives and the kernel
/// never changes.
struct BufferLoad {
  const Parameter *Pointer = nullptr; ///< the parameter that it goes through
  const ArgumentValue *Given = nullptr;
  /// Code, launch and arguments decide the address, or other such loads do.
  bool IsDecided = false;
};

/// Those of a kernel and of the functions that it calls; of a function that is
/// called in several places only what is true of all of them.
class BufferLoads {
public:
  /// Null where the launch gives no contents or the kernel uses none. What the
  /// kernel writes and where it loads from is asked of its values without any
  /// contents, which are found for it; all arguments must outlive the result.
  static std::shared_ptr<const BufferLoads> find(const InstructionGraph &G,
                                                 const ControlFlow &CF,
                                                 const LaunchConfig &Launch,
                                                 unsigned CallBudget);

  /// Null for another instruction.
  const BufferLoad *of(const Instruction &I) const {
    auto It = Loads.find(&I);
    return It == Loads.end() ? nullptr : &It->second;
  }
  /// The names of the buffers from which a decided load reads, sorted.
  std::vector<StringRef> buffers() const;

private:
  class Finder;
  llvm::DenseMap<const Instruction *, BufferLoad> Loads;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_BUFFERLOADS_H
