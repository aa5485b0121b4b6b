//===- Dependence.h - Dependence edges between instructions -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_DEPENDENCE_H
#define PTXPREDICT_GRAPH_DEPENDENCE_H

#include "ptxpredict/Graph/InstructionGraph.h"

namespace ptxpredict {

enum class DependenceKind : uint8_t {
  Register, ///< reads what the other wrote
  Memory,   ///< must follow it: same space, at least one of them writes
  Barrier   ///< a barrier, fence or asynchronous wait stands between
};
StringRef toString(DependenceKind K);

struct Dependence {
  const Instruction *On = nullptr;
  DependenceKind Kind = DependenceKind::Register;
};

/// What each instruction must wait for. Register edges cross blocks (through
/// phis); memory and barrier edges stay within a block and are reduced: an
/// instruction depends on the last writer (a writer on the readers since), so
/// the number of edges is linear in the code.
class DependenceEdges {
public:
  explicit DependenceEdges(const InstructionGraph &G);
  ArrayRef<Dependence> of(const Instruction &I) const {
    return ArrayRef<Dependence>(Edges).slice(Start[I.Id],
                                             Start[I.Id + 1] - Start[I.Id]);
  }

private:
  std::vector<unsigned> Start; ///< by instruction id
  std::vector<Dependence> Edges;
};

} // namespace ptxpredict

#endif // PTXPREDICT_GRAPH_DEPENDENCE_H
