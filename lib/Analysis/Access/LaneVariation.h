//===- LaneVariation.h - How far a value differs in a warp ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_ACCESS_LANEVARIATION_H
#define PTXPREDICT_LIB_ANALYSIS_ACCESS_LANEVARIATION_H

#include "ptxpredict/Analysis/Symbolic/Conditions.h"

namespace ptxpredict::counting {

/// Bounds how far an open value differs between the lanes of a warp, if these
/// go the same way wherever no data of their own decide: they leave loops
/// together, and an index that is rounded to multiples, of at least as much as
/// it differs, comes to the same one. That is what is taken for lanes elsewhere
/// too, as a loop's count is one number; it is not certain.
class LaneVariation {
public:
  explicit LaneVariation(
      llvm::function_ref<Decidedness(const Symbol &)> DecidednessOf)
      : Of(DecidednessOf) {}

  /// Nothing where data of each lane are in it, or where it cannot be told.
  std::optional<uint64_t> bound(const Expression *X);
  /// Whether nothing but the launch, or data of each lane, decides \p X.
  bool isTakenTogether(const Expression *X);

private:
  std::optional<uint64_t> find(const Expression *X);
  std::optional<uint64_t> ofQuotient(const Expression *X);
  std::optional<uint64_t> ofMask(const Expression *X);
  std::optional<uint64_t> most(ArrayRef<const Expression *> Of);
  bool areAllEqual(ArrayRef<const Expression *> Of);

  llvm::function_ref<Decidedness(const Symbol &)> Of;
  llvm::SmallDenseMap<const Expression *, std::optional<uint64_t>, 8> Known;
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_ACCESS_LANEVARIATION_H
