//===- FoldedCode.h - Code as far as registers are concerned ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Private to lib/Analysis: what a graph asks of the register file once the
// assembler has dropped copies and dead code and folded what machine
// instructions do in passing.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CODEGEN_FOLDEDCODE_H
#define PTXPREDICT_CODEGEN_FOLDEDCODE_H

#include "ptxpredict/Graph/InstructionGraph.h"

namespace ptxpredict {

/// One instruction that remains. Uses and Defs are ids of values that need a
/// register.
struct FoldedOp {
  enum class KindTy : uint8_t { Other, Pure, Load, Store, Barrier };
  const Instruction *Source = nullptr;
  KindTy Kind = KindTy::Other;
  /// Of a load or store; Const where nothing orders it.
  AddressSpace Space = AddressSpace::Const;
  uint8_t Temporaries = 0; ///< registers that only its expansion holds
  SmallVector<unsigned, 4> Uses;
  SmallVector<unsigned, 2> Defs;
};

struct FoldedPhi {
  unsigned Def = 0;
  SmallVector<unsigned, 2> Uses; ///< as the predecessors; NoValue if undefined
};

struct FoldedCode {
  static constexpr unsigned NoValue = ~0U;

  struct BlockCode {
    const Block *Source = nullptr;
    std::vector<FoldedPhi> Phis;
    std::vector<FoldedOp> Ops;
  };
  std::vector<BlockCode> Blocks; ///< by number
  /// 32-bit registers that a value takes, by id; 0 for what needs none: a
  /// predicate, a constant, a parameter, what a uniform register holds, and
  /// what is the same as another value.
  std::vector<uint8_t> Width;

  explicit FoldedCode(const InstructionGraph &G);
};

} // namespace ptxpredict

#endif // PTXPREDICT_CODEGEN_FOLDEDCODE_H
