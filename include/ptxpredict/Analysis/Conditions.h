//===- Conditions.h - How often a predicate holds in a warp -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_CONDITIONS_H
#define PTXPREDICT_ANALYSIS_CONDITIONS_H

#include "ptxpredict/Analysis/LinearForms.h"
#include "ptxpredict/Support/Estimate.h"

namespace ptxpredict {

/// A predicate, seen over all warps of the launch.
struct Condition {
  enum class Basis : uint8_t {
    Decided,  ///< by the launch and constants
    Index,    ///< an index against an unknown value: taken to hold
    Uniform,  ///< unknown, the same in all lanes: one half
    Divergent ///< unknown, may differ between lanes: both sides run
  };
  Basis Why = Basis::Decided;
  double AnyTrue = 0;  ///< share of warps in which a lane sees true
  double AnyFalse = 0; ///< share of warps in which a lane sees false

  Condition inverted() const { return {Why, AnyFalse, AnyTrue}; }
  Status status() const {
    return Why == Basis::Decided ? Status::Known : Status::Assumed;
  }
};

/// Evaluates predicates of a graph, each once.
///
/// A comparison of what only the thread index decides is evaluated for every
/// lane of the block. A comparison of an index with an unknown value, such as
/// `i < n`, is taken to hold (docs/Predict.md, "Defaults").
class Conditions {
public:
  Conditions(const InstructionGraph &G, const LinearForms &Forms);

  /// The guard of \p I, as it is written (`@!p` inverted).
  Condition guard(const Instruction &I) const;

  const LinearForms &forms() const { return Forms; }

private:
  Condition evaluate(const Value *V, unsigned Depth) const;
  Condition compare(const Instruction &Setp) const;

  const LinearForms &Forms;
  mutable std::vector<std::optional<Condition>> Cache; ///< by value id
};

/// The comparison operators of `setp` and their integer semantics.
enum class Comparison : uint8_t { EQ, NE, LT, LE, GT, GE };
/// The operator that \p Modifiers (".lt.s32", ".hi.u32") name, if it is one of
/// the integer ones.
std::optional<Comparison> comparisonOf(StringRef Modifiers);
Comparison inverted(Comparison C);
Comparison swapped(Comparison C); ///< a OP b as b OP' a
/// \p A OP \p B, at the width and signedness of \p T.
bool compareIntegers(Comparison C, ScalarType T, int64_t A, int64_t B);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_CONDITIONS_H
