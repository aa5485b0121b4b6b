//===- ExpressionEvaluation.h - The values of expressions -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_SYMBOLIC_EXPRESSIONEVALUATION_H
#define PTXPREDICT_ANALYSIS_SYMBOLIC_EXPRESSIONEVALUATION_H

#include "ptxpredict/Analysis/Symbolic/Expression.h"
#include "ptxpredict/Launch/LaunchConfig.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <vector>

namespace ptxpredict {

/// What symbols stand for in one warp.
struct Assignment {
  Dim3 Block, Grid;         ///< of the launch, assumed or given
  uint64_t Warp = 0;        ///< number within the block
  Dim3 BlockIndex{0, 0, 0}; ///< %ctaid
  /// Counters, exit counts, parameters, addresses and opaque values, by
  /// Symbol::Quantity; those without an entry are 0.
  llvm::DenseMap<const Symbol *, uint64_t> Values;
  /// The same where a symbol differs from lane to lane.
  llvm::DenseMap<const Symbol *, std::array<uint64_t, WarpSize>> LaneValues;
};

using LaneArray = std::array<uint64_t, WarpSize>;

/// The value in each lane of the warp, zero-extended; of no meaning in lanes
/// beyond the block's end.
LaneArray evaluate(const Expression &E, const Assignment &A);

/// Expressions made ready to be evaluated often: what is the same in all lanes
/// is computed once, and what the last assignment gave stays where nothing that
/// it depends on has changed since. Indices and extents are the assignment's
/// own, whatever its Values say.
class CompiledExpressions {
public:
  explicit CompiledExpressions(ArrayRef<const Expression *> Roots);

  void run(const Assignment &A);
  /// Of the root with that index, after run().
  uint64_t lane(unsigned Root, unsigned Lane) const {
    const Step &S = Steps[RootSteps[Root]];
    return Values[S.IsScalar ? S.Place : S.Place + Lane];
  }
  bool isScalar(unsigned Root) const { return Steps[RootSteps[Root]].IsScalar; }

private:
  struct Step {
    const Expression *E;
    unsigned FirstOperand; ///< in Operands: numbers of steps
    unsigned Place;        ///< in Values
    bool IsScalar;
    bool Changed; ///< in the last run
  };
  bool setSymbol(const Step &S, const Assignment &A, bool IsNewWarp);
  bool compute(const Step &S);

  std::vector<Step> Steps; ///< operands first
  std::vector<unsigned> Operands, RootSteps;
  std::vector<uint64_t> Values;
  bool HasRun = false;
  Dim3 Block; ///< of the last run, as the next
  uint64_t Warp = 0;
};

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_SYMBOLIC_EXPRESSIONEVALUATION_H
