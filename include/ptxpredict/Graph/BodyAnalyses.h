//===- BodyAnalyses.h - Analyses that are kept with a body ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// llvm::AnalysisManager would do this, but lies in LLVM's library of IR.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_BODYANALYSES_H
#define PTXPREDICT_GRAPH_BODYANALYSES_H

#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <mutex>

namespace ptxpredict {

class InstructionGraph;

/// Analyses of one body, each made when it is first asked for. Any number of
/// threads may ask.
class BodyAnalyses {
public:
  /// An analysis is a type that is made from its graph and does not change.
  template <typename AnalysisT>
  const AnalysisT &get(const InstructionGraph &G) {
    // An analysis may ask for another one of the same body.
    std::lock_guard<std::recursive_mutex> Lock(Mutex);
    for (const Entry &E : Known)
      if (E.Key == &Key<AnalysisT>)
        return *static_cast<const AnalysisT *>(E.Result.get());
    auto Made = std::make_shared<const AnalysisT>(G);
    Known.push_back({&Key<AnalysisT>, Made});
    return *Made;
  }

  /// The body is gone.
  void clear() { Known.clear(); }

private:
  /// Its address stands for the type.
  template <typename AnalysisT>
  static inline const char Key = 0;

  struct Entry {
    const void *Key;
    std::shared_ptr<const void> Result;
  };
  std::recursive_mutex Mutex;
  llvm::SmallVector<Entry, 2> Known;
};

} // namespace ptxpredict

#endif // PTXPREDICT_GRAPH_BODYANALYSES_H
