//===- ScalingSolver.h - Sizes and clocks of an efficiency ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Figure 4.4 of S. Song's dissertation with a bracketing of ours, and the
// categories of figure 4.12 with rules of ours (docs/models/ClusterEnergy.md).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_SCALING_SCALINGSOLVER_H
#define PTXPREDICT_SCENARIO_SCALING_SCALINGSOLVER_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <optional>

namespace ptxpredict {

/// An efficiency that changes by less over a range does not depend on it.
constexpr double InsensitiveBelow = 1e-2;

/// What became of a search.
enum class ScalingStatus : uint8_t {
  Found,
  None,        ///< every size of the range has less
  Every,       ///< every size of the range has more
  Insensitive, ///< the efficiency hardly changes over the range
  NoAnswer     ///< no size of the range has an efficiency at all
};
StringRef toString(ScalingStatus S); ///< "found", "none", …

/// The sizes that are looked at, above 0.
struct SizeRange {
  double From = 1, To = 1;
  bool IsWhole = false;
  unsigned Steps =
      48; ///< parts, equal in log n, whose ends are looked at first
};

/// N = F(p, theta) (4.22).
struct SizeSolution {
  ScalingStatus Status = ScalingStatus::NoAnswer;
  double N = -1; ///< -1 unless Found
  double Efficiency = 0;
  double Lowest = 0, Highest = 0; ///< efficiencies of the ends of all parts
  bool isInsensitive() const { return Highest - Lowest < InsensitiveBelow; }
  /// The largest size with an answer, where that is not To: of memory.
  std::optional<double> Largest;
};

/// The efficiency of a size; nothing where it has none, as beyond the memory.
using EfficiencyOfSize = llvm::function_ref<std::optional<double>(double)>;

/// The smallest size in \p Range at which \p Of comes to \p Theta: the first
/// part of the range that it comes to it within, then bisection and secants in
/// log n, to 1e-14 of n. Of whole sizes it is the first one beyond, if \p Of
/// goes one way within the part.
SizeSolution solveSize(EfficiencyOfSize Of, const SizeRange &Range,
                       double Theta);

/// f = F(p, theta) (4.23) among the clocks that there are.
struct ClockSolution {
  ScalingStatus Status = ScalingStatus::None;
  size_t Best = 0;              ///< index: the highest efficiency (4.25)
  std::optional<size_t> Lowest; ///< the first clock that has theta
  bool IsInsensitive = false;
};
/// \p Efficiencies by clock, from the lowest; not empty.
ClockSolution solveClock(ArrayRef<double> Efficiencies,
                         std::optional<double> Theta);

/// Figure 4.12.
enum class ScalingCategory : uint8_t {
  ComputeOnly = 1,
  ComputeAndCommunication,
  CommunicationBound,
  NotByN
};
/// "compute bound, hardly any overhead"
StringRef describe(ScalingCategory C);

/// What the rule looks at.
struct CategoryFacts {
  double LowestEfficiency = 1; ///< of all n and p that are looked at
  /// Highest less lowest over the range of n, at the largest p.
  double ChangeOverN = 0;
  /// Of T_p at the smallest n and the largest p, where overheads weigh most.
  double ComputeSeconds = 0, MemorySeconds = 0, NetworkSeconds = 0;
};
/// 1 if EE is at least 0.99 everywhere; else 4 if it is insensitive to n; else
/// 3 if most of the time goes by in messages; else 2.
ScalingCategory categoryOf(const CategoryFacts &F);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_SCALING_SCALINGSOLVER_H
