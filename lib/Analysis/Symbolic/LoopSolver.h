//===- LoopSolver.h - Phis of loops -----------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_LOOPSOLVER_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_LOOPSOLVER_H

#include "ClosedForms.h"
#include "PhiMerger.h"

namespace ptxpredict {

/// Finds what phis of loops hold. A phi at a loop's header is a symbol of its
/// own until the loop ends; then its next value is an expression of such
/// symbols, and a closed form of the recurrence replaces the symbol, in the end
/// everywhere.
class LoopSolver {
public:
  using Ref = const Expression *;
  LoopSolver(PartialValues &V, PhiMerger &Merger, PhiVariation &Variations);

  /// Gives the phis at a loop's header their symbols.
  void open(const Block &Header);
  /// Remembers what has symbols of phis, which closed forms may replace.
  void noteValues(const Instruction &I);
  /// Ends \p B, and the loops whose last block it is.
  void endBlock(const Block &B);
  /// Puts closed forms in place of the symbols of phis.
  void resolve();

private:
  struct Loop {
    /// Phis with their symbols.
    SmallVector<std::pair<const Instruction *, Ref>, 8> Phis;
    llvm::DenseMap<Ref, Ref> Closed; ///< by symbol
    /// Of its own, and inner loops, that have not ended.
    unsigned NumOpenBlocks = 0;
    uint8_t BranchesVary = 0; ///< of all conditions in it
    Ref closed(Ref S) const {
      auto It = Closed.find(S);
      return It == Closed.end() ? S : It->second;
    }
  };

  Ref placeholder(const Value &Phi, std::optional<uint64_t> Max);
  Ref inputOf(const Instruction &Phi, const GateTree &T, bool FromLatches);
  void noteBranch(const Block &B);
  SmallVector<PhiRecurrence, 8> recurrencesOf(unsigned Number);
  Ref closedForm(const PhiRecurrence &R, ClosedForms &Forms);
  Ref movedTogether(const PhiRecurrence &R) const;
  void solve(unsigned Number);
  uint8_t exitVariation(unsigned Number);
  std::optional<uint64_t> exitCount(unsigned Number) const;
  void close(unsigned Number);

  PartialValues &Values;
  const ControlFlow &CF;
  Expressions &E;
  PhiMerger &Phis;
  PhiVariation &Variation;
  std::vector<Loop> Loops;          ///< by cycle
  std::vector<unsigned> Unresolved; ///< ids of values with symbols of phis
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_LOOPSOLVER_H
