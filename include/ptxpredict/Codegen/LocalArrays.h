//===- LocalArrays.h - Local arrays that lie in registers -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// An assembler keeps local variables in registers where it can: always those
// that are only accessed at constant offsets, and others if few enough places
// come into question. Registers have no index, so that an access at a computed
// offset compares it with each such place and moves under predicates
// (docs/internals/MachineInstructions.md, "Local arrays").
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CODEGEN_LOCALARRAYS_H
#define PTXPREDICT_CODEGEN_LOCALARRAYS_H

#include "ptxpredict/Graph/CFG.h"
#include "llvm/ADT/DenseMap.h"

namespace ptxpredict {

/// What an access of a variable in registers becomes. At a constant offset that
/// is nothing.
struct LocalAccess {
  unsigned Candidates = 1; ///< places that come into question
  unsigned Moves = 0;      ///< of 4 bytes each, under predicates
  unsigned Compares = 0;   ///< of the address; those of others left out
};
/// Loads and stores that are none of memory.
using LocalAccesses = llvm::DenseMap<const Instruction *, LocalAccess>;

/// Which loads and stores of one graph's local variables are none of memory.
class LocalArrays {
public:
  /// \p CF is of \p G. Cost is linear in the code.
  LocalArrays(const InstructionGraph &G, const ControlFlow &CF);

  const LocalAccesses &inRegisters() const { return Accesses; }

  /// Of the variables with computed offsets that lie in registers; 0 without.
  uint64_t indexedBytes() const { return IndexedBytes; }
  /// The most places that come into question for an access of them.
  unsigned candidates() const { return Candidates; }

private:
  class Finder;
  LocalAccesses Accesses;
  uint64_t IndexedBytes = 0;
  unsigned Candidates = 0;
};

} // namespace ptxpredict

#endif // PTXPREDICT_CODEGEN_LOCALARRAYS_H
