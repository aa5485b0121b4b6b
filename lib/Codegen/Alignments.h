//===- Alignments.h - Trailing zero bits of values --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CODEGEN_ALIGNMENTS_H
#define PTXPREDICT_LIB_CODEGEN_ALIGNMENTS_H

#include "ptxpredict/Graph/InstructionGraph.h"
#include "llvm/ADT/DenseMap.h"

namespace ptxpredict {

/// How many trailing bits of addresses are always zero, at most Enough: by what
/// they are made from, as an assembler sees it that knows no launch.
class Alignments {
public:
  /// Trailing zero bits that are enough for any access.
  static constexpr unsigned Enough = 4;

  unsigned of(const Value &V) {
    Budget = MaxValues;
    return find(V);
  }
  /// Of a variable's address. Static arrays of shared memory lie where the
  /// assembler puts them: one that is made of whole widest accesses lies well
  /// for these, whatever it asks for.
  static unsigned of(const Variable &V);

private:
  /// Values that are looked at for one answer.
  static constexpr unsigned MaxValues = 64;
  unsigned find(const Value &V);
  unsigned find(const Operand &O);
  unsigned find(const Instruction &I);

  unsigned Budget = 0;
  /// Of values that no loop under way leads to.
  llvm::DenseMap<const Value *, unsigned> Known;
  SmallVector<const Value *, 4> Phis; ///< being looked at
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CODEGEN_ALIGNMENTS_H
