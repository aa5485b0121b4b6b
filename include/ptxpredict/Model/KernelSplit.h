//===- KernelSplit.h - A kernel's work on several devices -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// From a kernel's predictions to a SplitSystem and what follows from it.
// docs/models/WorkSplit.md.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_KERNELSPLIT_H
#define PTXPREDICT_MODEL_KERNELSPLIT_H

#include "ptxpredict/Model/Model.h"
#include "ptxpredict/Model/SplitEnergy.h"

namespace ptxpredict {

/// What bytes go over from the host's memory to a device, and back.
struct SplitLink {
  struct Way {
    double StartupSeconds = 0, SecondsPerByte = 0;
    double seconds(double Bytes) const { // nothing to move takes no time
      return Bytes > 0 ? StartupSeconds + Bytes * SecondsPerByte : 0;
    }
  };
  std::string Name; ///< "pcie4-x16"; empty: the data lie in the device's memory
  Way In, Out;
};

/// What a launch moves over a link. Of the work's share a device moves that
/// share of In and Out, and all of WholeIn and WholeOut: what every block
/// reads, or writes.
struct SplitBytes {
  enum class FromTy : uint8_t { Nothing, Footprint, Buffers, Given };
  FromTy From = FromTy::Nothing;
  double In = 0, Out = 0, WholeIn = 0, WholeOut = 0;
  Status How = Status::Known;
};
/// "footprint", "buffers", "given"; empty for Nothing
StringRef toString(SplitBytes::FromTy From);

/// What the launch reads goes in, what it writes comes out. How much of it the
/// first half of the blocks touch says what is whole. Where the launch says how
/// large all buffers are, these are copied, in proportion to what is touched of
/// them; whole, where that is not decided by the launch. Nothing of a launch
/// that is assumed.
SplitBytes splitBytesOf(const KernelCharacteristics &K);

/// Measured on one device alone, with all of the work.
struct MeasuredSide {
  double TimeUs = 0; ///< above 0
  std::optional<double> PowerW, IdleW;
};

/// A device that may take part.
struct SplitSide {
  std::string Name;           ///< as reports call it
  const Device *On = nullptr; ///< null: measured alone is known of it
  SplitLink Link;
  std::optional<MeasuredSide> Measured; ///< in place of predictions
  std::optional<double> IdleW, ActiveW; ///< in place of the device's
};

/// What is asked of every kernel.
struct SplitQuestion {
  std::vector<SplitSide> Sides; ///< at most MostSplitParties
  SplitGoal Goal = SplitGoal::Time;
  unsigned Points = 11;
  double Times = 1; ///< launches that one transfer serves
  std::optional<double> JointW;
  std::optional<double> SeriesFactor; ///< of two sides alone
  std::optional<SplitBytes> Bytes;    ///< in place of the launch's
};

/// Where the power of a side at work comes from.
enum class SplitPower : uint8_t { Nothing, Measured, Model, Given, Limit };
/// "measured", "model", "given", "limit"; empty for Nothing
StringRef toString(SplitPower P);

/// A kernel on one of the sides.
struct KernelSide {
  StringRef Model;                ///< static text; empty of a measured side
  std::optional<Estimate> TimeUs; ///< of one launch with all of the work
  std::optional<double> PowerW, IdleW;
  SplitPower PowerFrom = SplitPower::Nothing;
  std::string Why;                ///< why there is no time; empty if there is
  double ByPerformance = 0;       ///< share without transfers, from 0 to 1
  std::optional<uint64_t> Blocks; ///< its share of the launch's, whole
};

/// Table 16: what a sweep is if one side were slower or took more power.
struct SeriesSplit {
  SystemSeries Series;
  std::vector<SplitPoint> Points;
  bool IsLinear = false;
};

/// What one kernel takes, split.
struct KernelSplit {
  SplitBytes Bytes;
  std::vector<KernelSide> Sides; ///< as SplitQuestion has them
  SplitSystem System;
  std::optional<SplitPoint> Best;  ///< by the goal
  std::optional<SplitPoint> Alone; ///< the best of one side
  std::vector<SplitPoint> Points;  ///< sweepShares()
  bool IsLinear = false;           ///< of Points
  std::vector<SeriesSplit> Series;
  std::vector<std::string> Assumed; ///< "idle power of xeon-e5645: 0 W"
  std::string Why; ///< why there is no answer; empty if there is one

  /// Shares of the time and of the energy that Best saves over Alone; negative
  /// where it takes more, NaN where no energy is known.
  double timeSaved() const;
  double energySaved() const;
};

/// \p K may be null where all sides are measured. \p Predictions are by side,
/// null without one.
KernelSplit splitKernel(const SplitQuestion &Q, const KernelCharacteristics *K,
                        ArrayRef<const Prediction *> Predictions);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_KERNELSPLIT_H
