//===- Model.h - The interface of every performance model -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_MODEL_H
#define PTXPREDICT_MODEL_MODEL_H

#include "ptxpredict/Model/Bottleneck.h"
#include "ptxpredict/Model/BottleneckParts.h"
#include "ptxpredict/Model/CacheHits.h"
#include "ptxpredict/Model/Temperature.h"
#include "ptxpredict/Model/TimeLimiter.h"
#include "ptxpredict/Model/WarpLatency.h"
#include <memory>

namespace ptxpredict {

enum class KernelKind : uint8_t;
struct PowerRegression;

/// Which reading of MWP-CWP's case rule holds (hong-wang erratum E03).
enum class MWPCase { Physical, Literal };

struct ModelOptions {
  bool Published = false; ///< without our additions to a published model
  MWPCase Case = MWPCase::Physical;
  BottleneckParts Without; ///< what bottleneck does not have
  /// In place of that of the device's file, for models that have one.
  std::optional<double> Lambda;
  /// Without, bounds of times are of no use: a third of the work.
  bool WithBounds = true;
  /// What the power of its device is by, in place of the units'; null without.
  std::shared_ptr<const PowerRegression> PowerModel;
};

/// An input or intermediate of a model by its published name; one that is not
/// finite is printed as null.
struct Term {
  StringRef Name;
  double Value;
};

/// How a kernel uses something that its work takes turns at.
struct ResourceUse {
  BottleneckResource Resource;
  double Demand; ///< of a warp in the mean, in the resource's unit
  double Rate;   ///< the same unit in a core cycle
  double Cycles; ///< of the core clock, for the whole launch if it were alone
  double Share;  ///< of the time, from 0 to 1
};

/// A part of the chip and the power that it takes while the kernel runs.
struct UnitPower {
  StringRef Name;        ///< static text: "FP", "REG", … docs/models/Power.md
  double Watts = 0;      ///< of all SMs together
  double AccessRate = 0; ///< from 0 to 1; NaN of a part that is just on
};

/// Power by a regression (LearnedPower.h).
struct LearnedWatts {
  StringRef Regression; ///< static text: "mlr"
  /// What a linear one is the sum of.
  struct Part {
    StringRef Name; ///< static text: "CONSTANT", an event or a clock
    double Watts = 0;
    double Value = 0; ///< of the input: per core cycle, or MHz; NaN of none
  };
  std::vector<Part> Parts;
};

/// A value that a sweep gave to something: "block", "16x16".
struct SweepValue {
  std::string Name, Value;
};

struct Applicability {
  bool Ok = true;
  std::vector<std::string> Notes;
  /// How many of the first notes the first screen leaves out: of what it says
  /// in other words.
  unsigned NumUsual = 0;
};

/// What a board that chooses its clock does with a kernel.
struct ClockBounds {
  double BoostMHz = 0;
  /// Of what is foreseen, for bounds of power, and up to what the board offers.
  double LowMHz = 0, HighMHz = 0;
  double PowerLimitW = 0; ///< 0: none is known
  bool isLimited(double MHz) const { return MHz < BoostMHz; }
  bool reachesAboveBoost() const { return HighMHz > BoostMHz; }
};

/// A time that was measured, times the predicted ratio of two times.
struct ScaledTime {
  double TimeUs = 0;
  double MeasuredUs = 0;
  double CoreMHz = 0, MemMHz = 0; ///< at which it was measured
};
/// "83 us measured at core 1380 MHz, memory 877 MHz".
std::string describeMeasured(const ScaledTime &S);

/// What a model says. Absent results do not apply to the model.
struct Prediction {
  const ptxpredict::Device *On = nullptr; ///< outlives what is printed of it
  DevicePoint Point;
  std::string Device;
  std::string Model;
  double CoreMHz = 0;
  double MemMHz = 0;
  /// Where the board chooses the clock: the bounds of CoreMHz, to which those
  /// of the time belong, and above what power it lowers it.
  std::optional<ClockBounds> Clock;
  Estimate Registers; ///< as used for the occupancy
  Occupancy Occ;
  /// Where the ends of the registers' range let other blocks reside.
  SmallVector<OccupancyEnd, 2> OccEnds;
  std::optional<Estimate> Cycles;
  std::optional<Estimate> TimeUs;
  std::optional<Estimate> PowerW;   ///< of the board, in the mean while it runs
  std::optional<Estimate> EnergyJ;  ///< power over the time of the kernel
  std::optional<ScaledTime> Scaled; ///< where a time was measured
  /// That PowerW is the sum of, unless it is learned.
  std::vector<UnitPower> PowerUnits;
  std::optional<LearnedWatts> Learned; ///< where PowerW is by a regression
  std::optional<Thermal> Warming;      ///< if the kernel runs over and over
  std::string NoUpperBound; ///< why the time has none; empty if it has
  TimeLimiter Limiter = TimeLimiter::None;
  /// Of bottleneck, with all its parts: what measured errors are by.
  std::optional<KernelKind> Kind;
  /// Where the time goes, of a model that says so.
  std::vector<ResourceUse> Resources;
  std::vector<Term> Terms;
  Applicability Applies;

  /// A warp by itself, whatever the model; absent where nobody asked.
  std::optional<WarpLatency> Warp;
  /// Likewise; absent without a given launch, too.
  std::optional<CacheHits> Caches;

  /// The point of a sweep that this is of; empty without one.
  std::vector<SweepValue> Sweep;
  /// Where a sweep changed the launch: what it was changed to.
  std::optional<LaunchConfig> Launch;

  // What the driver knows of the launch, whatever the model.
  std::string Refusal; ///< why it cannot start; empty if it can
  std::vector<std::string> LaunchNotes; ///< in Applies.Notes too

  /// The value of a term, nothing if there is no such term.
  std::optional<double> term(StringRef Name) const;
};

/// What a model says of one point, in numbers alone: those of the Prediction
/// at that point.
struct PointPrediction {
  Estimate Cycles; ///< of the core clock
  Estimate TimeUs;
  TimeLimiter Limiter = TimeLimiter::None;
};

/// A model made ready for a kernel on a device: what depends on neither clocks
/// nor SMs is computed once. Refers to both, which must outlive it. Any number
/// of threads may ask it.
class PreparedModel {
public:
  PreparedModel(StringRef Name, KernelOnDevice On, const ModelOptions &Options)
      : Name(Name), On(std::move(On)), Options(Options) {}
  virtual ~PreparedModel() = default;

  const KernelOnDevice &place() const { return On; }
  /// The model's clock is what the board's power allows; published models have
  /// the clock that they are given.
  virtual bool hasSustainedClock() const { return false; }

  /// For sweeps: allocates nothing and takes well under a microsecond. Nothing
  /// where predict() has no answer.
  virtual std::optional<PointPrediction> at(const DevicePoint &P) const = 0;

  /// Whether the model can answer at \p P, and with what reservations.
  /// \p Refusal: why the device does not start the launch; empty if it does.
  Applicability check(const DevicePoint &P, StringRef Refusal = {}) const;
  /// The same with everything else that a report shows. Fills all but what is
  /// said of the launch.
  Prediction predict(const DevicePoint &P, StringRef Refusal = {}) const;

protected:
  StringRef Name; ///< static text
  KernelOnDevice On;
  ModelOptions Options;

  /// A block fits, and the device has as many SMs, and these as many warps, as
  /// \p P asks for.
  bool isPossible(const DevicePoint &P) const {
    return !(On.Dev.IsCPU && !servesCPUs()) && On.Occ.BlocksPerSM != 0 &&
           P.ActiveSMs <= *On.Dev.NumSMs &&
           P.WarpsPerSM <= On.Dev.MaxWarpsPerSM.Value.value_or(0);
  }
  /// The model is one of CPUs, too.
  virtual bool servesCPUs() const { return false; }
  /// Says in \p A that some SMs get no block, and that instructions of unknown
  /// opcode \p DoWhat, where it is so.
  void noteLaunch(const DevicePoint &P, StringRef DoWhat,
                  Applicability &A) const;
  /// The model's own part of check(), where isPossible().
  virtual Applicability reservations(const DevicePoint &P) const = 0;
  /// The model's own part of predict(): results, terms and notes on them.
  virtual void answer(const DevicePoint &P, Prediction &Result) const = 0;
};

/// One analytical model. Stateless.
class Model {
public:
  virtual ~Model() = default;
  virtual StringRef name() const = 0;
  /// Of every term that a prediction can have, in their order.
  virtual ArrayRef<StringRef> termNames() const = 0;
  virtual std::unique_ptr<PreparedModel>
  prepare(KernelOnDevice On, const ModelOptions &Options) const = 0;
};

/// Names of all models in the order of reports.
ArrayRef<StringRef> modelNames();
/// The model of that name, null if there is none.
const Model *findModel(StringRef Name);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_MODEL_H
