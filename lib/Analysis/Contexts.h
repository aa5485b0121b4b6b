//===- Contexts.h - A kernel and all that it calls --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Private to lib/Analysis.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_CONTEXTS_H
#define PTXPREDICT_LIB_ANALYSIS_CONTEXTS_H

#include "ptxpredict/Analysis/Values.h"

namespace ptxpredict {

/// Calls \p Visit with \p V and with what it knows of the functions that are
/// called from there, once for each way that a call leads to them.
template <typename FnT>
void forEachContext(const Values &V, FnT Visit) {
  std::vector<const Values *> Work{&V};
  while (!Work.empty()) {
    const Values &Next = *Work.back();
    Work.pop_back();
    Visit(Next);
    Next.graph().forEachInstruction([&](const Instruction &I) {
      if (const Values *Callee = I.IsCall ? Next.callee(I) : nullptr)
        Work.push_back(Callee);
    });
  }
}

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_CONTEXTS_H
