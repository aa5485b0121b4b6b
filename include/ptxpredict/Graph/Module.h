//===- Module.h - All functions and variables of one input ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_MODULE_H
#define PTXPREDICT_GRAPH_MODULE_H

#include "ptxpredict/Graph/InstructionGraph.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"

namespace ptxpredict {

/// What one input file became. Names are views into the input's text, which
/// must live longer.
class Module {
public:
  StringRef Frontend;   ///< "ptx"
  StringRef ISAVersion; ///< "9.0"
  StringRef Target;     ///< "sm_90a"
  unsigned AddressBits = 64;
  std::vector<std::unique_ptr<InstructionGraph>> Functions; ///< with bodies
  std::vector<const Variable *> Variables;                  ///< of module scope
  llvm::BumpPtrAllocator Allocator;
  /// Opcodes that the instruction table does not have, with their number.
  llvm::StringMap<unsigned> UnknownOpcodes;

  Module() = default;
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  InstructionGraph *function(StringRef Name) const;
  /// 90 for "sm_90a", 0 without a target.
  unsigned targetCapability() const;

  void print(raw_ostream &OS) const;
  void printDOT(raw_ostream &OS) const;

  template <typename T>
  MutableArrayRef<T> copy(ArrayRef<T> Elements) {
    T *Place = Allocator.Allocate<T>(Elements.size());
    std::uninitialized_copy(Elements.begin(), Elements.end(), Place);
    return {Place, Elements.size()};
  }
};

} // namespace ptxpredict

#endif // PTXPREDICT_GRAPH_MODULE_H
