//===- PointerSpaces.h - Where generic pointers point to --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_POINTERSPACES_H
#define PTXPREDICT_GRAPH_POINTERSPACES_H

#include "ptxpredict/Graph/InstructionGraph.h"

namespace ptxpredict {

/// The state space that each pointer of one function points into, whatever
/// path control took: through merges, selects, arithmetic, and arrays of
/// pointers in local memory, of which any element may be any pointer that the
/// function stored there. A pointer that a kernel was given points to global
/// memory, as buffers do. Cost is linear in the code.
class PointerSpaces {
public:
  explicit PointerSpaces(const InstructionGraph &G);

  /// Where \p Address, an operand of an access with a generic address, points
  /// to; Generic where that is open, or not one space.
  AddressSpace of(const Operand &Address) const;

private:
  struct Builder;
  /// By value, a set of bits: one for each space that it may point into, and
  /// one for "anywhere".
  std::vector<uint8_t> Spaces;
};

} // namespace ptxpredict

#endif // PTXPREDICT_GRAPH_POINTERSPACES_H
