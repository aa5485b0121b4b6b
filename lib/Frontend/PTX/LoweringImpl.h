//===- LoweringImpl.h - Parts of the lowering -------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_PTX_LOWERINGIMPL_H
#define PTXPREDICT_LIB_FRONTEND_PTX_LOWERINGIMPL_H

#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Graph/GraphBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/StringSaver.h"

namespace ptxpredict::ptx {

/// The graph's counterparts, whose names the tree has too.
namespace graph {
using ptxpredict::Linkage;
using ptxpredict::Operand;
using ptxpredict::Variable;
} // namespace graph

graph::Linkage lowerLinkage(uint8_t Links);

/// Module-wide state: variables, files and function names of debug data.
class ModuleLowering {
public:
  ModuleLowering(const AST &Tree, Module &M, DiagnosticEngine &Diags)
      : Tree(Tree), M(M), Diags(Diags), Texts(M.Allocator) {}

  /// True on error (reported).
  bool lowerVariables();
  /// The graph's variable for \p V of module or body, which lies in \p Arena.
  /// Null on error.
  const graph::Variable *lowerVariable(const Variable &V, uint8_t Links,
                                       llvm::BumpPtrAllocator &Arena);
  const graph::Variable *variable(const Variable *V) const {
    return Variables.lookup(V);
  }
  StringRef file(uint32_t Index);
  /// The name that `function_name` gives, read from the debug strings.
  StringRef debugFunctionName(const Operand &Label);
  /// \p Text itself if it lies in the input, else a copy in the module.
  StringRef keepText(StringRef Text);
  ArrayRef<MemoryEffect> keep(ArrayRef<MemoryEffect> Effects) {
    return Effects.copy(M.Allocator);
  }
  /// Reports an error at \p Place of the input. True.
  bool error(const char *Place, const Twine &Message) {
    Diags.error(SMLoc::getFromPointer(Place), Message);
    return true;
  }

private:
  bool lowerInitializer(const Variable &V, graph::Variable &Out,
                        llvm::BumpPtrAllocator &Arena);
  void readDebugStrings();

  const AST &Tree;
  Module &M;
  DiagnosticEngine &Diags;
  llvm::UniqueStringSaver Texts;
  llvm::DenseMap<const Variable *, const graph::Variable *> Variables;
  bool HaveFiles = false, HaveStrings = false;
  llvm::DenseMap<uint64_t, StringRef> Files;
  /// Labels and sections to their place in DebugBytes.
  llvm::DenseMap<StringRef, size_t> DebugLabels;
  std::string DebugBytes;
};

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_LIB_FRONTEND_PTX_LOWERINGIMPL_H
