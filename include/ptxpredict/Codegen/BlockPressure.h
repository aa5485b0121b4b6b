//===- BlockPressure.h - Registers that are live in a block -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CODEGEN_BLOCKPRESSURE_H
#define PTXPREDICT_CODEGEN_BLOCKPRESSURE_H

#include "ptxpredict/Codegen/MachineCode.h"

namespace ptxpredict {

/// The values that live behind each block, by number. Cost is linear in the
/// code and the blocks that values live through.
class LiveOut {
public:
  explicit LiveOut(const MachineCode &Code);
  /// As an analysis that is kept with the body.
  explicit LiveOut(const InstructionGraph &G)
      : LiveOut(G.analysis<MachineCode>()) {}
  ArrayRef<unsigned> of(unsigned Block) const {
    return ArrayRef(Values).slice(Begins[Block],
                                  Begins[Block + 1] - Begins[Block]);
  }

private:
  std::vector<unsigned> Values; ///< block by block
  std::vector<size_t> Begins;   ///< by block, and behind the last one
};

/// The largest number of 32-bit registers that are live in a block.
class BlockPressure {
public:
  /// With the operations in \p Order; if that is empty, as they are. \p Width:
  /// registers of each value, by id.
  unsigned of(ArrayRef<MachineOp> Ops, ArrayRef<unsigned> Order,
              ArrayRef<unsigned> LiveAtEnd, ArrayRef<uint8_t> Width);
  /// The same of each stretch of \p Order, by where it ends; behind the last
  /// one there may be more.
  SmallVector<unsigned, 4> ofStretches(ArrayRef<MachineOp> Ops,
                                       ArrayRef<unsigned> Order,
                                       ArrayRef<unsigned> LiveAtEnd,
                                       ArrayRef<uint8_t> Width,
                                       ArrayRef<unsigned> Ends);

private:
  std::vector<uint8_t> Live; ///< by value; all 0 between calls
  SmallVector<unsigned, 32> Touched;
};

} // namespace ptxpredict

#endif // PTXPREDICT_CODEGEN_BLOCKPRESSURE_H
