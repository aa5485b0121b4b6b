//===- CallContexts.h - A kernel and all that it calls ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Private to lib/Analysis.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_CALLCONTEXTS_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_CALLCONTEXTS_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"

namespace ptxpredict {

/// Calls \p Visit with \p V and with what it knows of the functions that are
/// called from there, once for each way that a call leads to them.
template <typename FnT>
void forEachContext(const SymbolicValues &V, FnT Visit) {
  std::vector<const SymbolicValues *> Work{&V};
  while (!Work.empty()) {
    const SymbolicValues &Next = *Work.back();
    Work.pop_back();
    Visit(Next);
    Next.graph().forEachInstruction([&](const Instruction &I) {
      if (const SymbolicValues *Callee = I.IsCall ? Next.callee(I) : nullptr)
        Work.push_back(Callee);
    });
  }
}

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_CALLCONTEXTS_H
