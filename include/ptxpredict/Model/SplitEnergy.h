//===- SplitEnergy.h - Time and energy of work that is split ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Appendix A of S. Hong's thesis (EnergyEfficiency.h) for any devices, with
// transfers (WorkSplit.h): (94)-(103), and (110)-(117) for two without.
// docs/models/WorkSplit.md.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_SPLITENERGY_H
#define PTXPREDICT_MODEL_SPLITENERGY_H

#include "ptxpredict/Model/EnergyEfficiency.h"
#include "ptxpredict/Model/WorkSplit.h"
#include "llvm/ADT/ArrayRef.h"
#include <limits>
#include <optional>

namespace ptxpredict {

/// A device and what it draws.
struct SplitParty {
  SplitDevice Work;
  /// While it has work, above the system's idle power, W; NaN: nobody knows.
  double DynamicW = std::numeric_limits<double>::quiet_NaN();

  bool canRun() const;
};

/// At most so many devices: the best of all their sets is looked for.
constexpr size_t MostSplitParties = 12;

/// Devices that share a kernel's work.
struct SplitSystem {
  std::vector<SplitParty> Parties;
  double IdleW = 0; ///< B, of all devices together
  /// Measured, of all of it while every party has work: what the parties draw
  /// by themselves adds up to more (thesis, A.4). Not below what one of them
  /// draws beside the others' idle power; several but not all draw no more.
  std::optional<double> JointW;

  /// The first party that can run the kernel, which others are compared with;
  /// nothing if none can.
  std::optional<size_t> base() const;
};

/// What a split takes. NaN where nobody knows it.
struct SplitPoint {
  std::vector<double> Shares; ///< by party, from 0 to 1; their sum is 1
  double Seconds = 0;         ///< (110), until the last party is done
  double PowerW = 0;          ///< (111), (114)
  double EnergyJ = 0;         ///< (94)
  /// (95), (96), (101), (112): against the system's base() alone.
  EnergyGain Gain;

  size_t numAtWork() const;
};

/// A party with a share draws its dynamic power until the last one is done, as
/// printed; one without draws none.
SplitPoint pointOfSplit(const SplitSystem &S, std::vector<double> Shares);

enum class SplitGoal : uint8_t { Time, Energy };
/// "time", "energy"
StringRef toString(SplitGoal G);

/// The split that takes the least time, or the least energy by pointOfSplit().
/// Of equal ones that with the fewest parties at work. Nothing if no party can
/// run the kernel; of energy, too, if the power of one that can is not known.
std::optional<SplitPoint> bestSplit(const SplitSystem &S, SplitGoal G);
/// The same of one party with all of the work.
std::optional<SplitPoint> bestAlone(const SplitSystem &S, SplitGoal G);

/// \p Points shares from 0 to 1, at least two, that base() gives away; the
/// others have it in the way that ends soonest. One point if there is nobody
/// else, none without a base.
std::vector<SplitPoint> sweepShares(const SplitSystem &S, unsigned Points = 11);

/// (115)-(117): whether E lies on one line over S. Points that nobody knows E
/// of are left out.
bool isLinear(ArrayRef<SplitPoint> Points);

/// Table 16 for two parties, the CPU's side first: one that is not fast takes
/// \p Factor times as long for its work, and one that takes high power
/// \p Factor times as much dynamic power. Transfers stay.
SplitSystem applySeries(const SplitSystem &Base, const SystemSeries &Series,
                        double Factor);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_SPLITENERGY_H
