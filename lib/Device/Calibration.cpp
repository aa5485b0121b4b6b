//===- Calibration.cpp - A device's numbers from measurements -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Device/Calibration.h"
#include "ClockFit.h"
#include "MicrobenchmarkRows.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;

static constexpr StringRef ModelName = "bottleneck";
static constexpr StringRef ModelSection = "models.bottleneck";
static constexpr StringRef TwoClockModel = "wang-chu";
static constexpr StringRef ModelsPrefix = "models.";

namespace {

/// What the table of the model's parameters says of one.
struct ParameterRow {
  StringRef Key, Unit;
  double Lowest, Highest, Default;
};

class Calibrator {
public:
  Calibrator(DiagnosticEngine &Diags, const MicrobenchmarkResults &Results,
             const Device &Base, Calibration &Into)
      : Diags(Diags), Results(Results), Base(Base), Into(Into) {}

  void run();

private:
  DiagnosticEngine &Diags;
  const MicrobenchmarkResults &Results;
  const Device &Base;
  Calibration &Into;

  const MicrobenchmarkResult *find(StringRef Name) const;
  void apply(const MicrobenchmarkRow &Row, const MicrobenchmarkResult &R);
  void setShare(const MicrobenchmarkRow &Row, const MicrobenchmarkResult &R,
                double Scale);
  void setDispatch(const MicrobenchmarkResult &R);
  double latencyAtBoost(const MicrobenchmarkResult &R) const;
  std::string sourceOf(const MicrobenchmarkResult &R) const;

  const DeviceField &fieldOf(StringRef Name) const;
  /// The field's value as it will be.
  std::optional<double> fieldValue(const DeviceField &F) const;
  void setField(const DeviceField &F, double Value,
                const MicrobenchmarkResult &R);
  void setParameter(StringRef Key, double Value, const MicrobenchmarkResult &R);
  void setTwoClocks();
};

} // namespace

static ArrayRef<ParameterRow> parameterRows() {
  static constexpr ParameterRow Rows[] = {
#define BOTTLENECK_PARAMETER(MEMBER, KEY, UNIT, LOWEST, HIGHEST, DEFAULT,      \
                             SIGMA, MEANING)                                   \
  {KEY, UNIT, LOWEST, HIGHEST, DEFAULT},
#include "ptxpredict/Device/BottleneckParameters.def"
  };
  return Rows;
}

const DeviceField &Calibrator::fieldOf(StringRef Name) const {
  const std::pair<StringRef, StringRef> Parts = Name.split('.');
  const DeviceField *Found =
      llvm::find_if(deviceFields(), [&](const DeviceField &F) {
        return F.Section == Parts.first && F.Key == Parts.second;
      });
  assert(Found != deviceFields().end() && "a row of no field");
  return *Found;
}

/// Of several, the one whose clock is nearest to the boost clock.
const MicrobenchmarkResult *Calibrator::find(StringRef Name) const {
  const MicrobenchmarkResult *Best = nullptr;
  // Clocks of which nobody says anything are the device's.
  auto Off = [](std::optional<double> MHz, double Own) {
    return std::fabs(std::log(MHz.value_or(Own) / Own));
  };
  auto Distance = [&](const MicrobenchmarkResult &R) {
    return Off(R.CoreMHz, *Base.BoostMHz) + Off(R.MemMHz, *Base.MemoryMHz);
  };
  for (const MicrobenchmarkResult &R : Results.Results)
    if (R.Name == Name && (!Best || Distance(R) < Distance(*Best)))
      Best = &R;
  return Best;
}

std::string Calibrator::sourceOf(const MicrobenchmarkResult &R) const {
  std::string Text = "microbenchmark " + R.Name + ", " + Results.Date +
                     ", driver " + Results.Driver;
  if (R.CoreMHz)
    Text += ", core at " + shortNumber(*R.CoreMHz) + " MHz";
  return Text;
}

std::optional<double> Calibrator::fieldValue(const DeviceField &F) const {
  for (const CalibratedNumber &N : Into.Numbers)
    if (N.Section == F.Section && N.Key == F.Key)
      return N.New;
  return (Base.*F.Member).Value;
}

/// As many digits as a measurement has, at most.
static double rounded(double Value) {
  return parseNumber(shortNumber(Value)).value_or(Value);
}

void Calibrator::setField(const DeviceField &F, double Value,
                          const MicrobenchmarkResult &R) {
  Value = rounded(Value);
  for (CalibratedNumber &N : Into.Numbers)
    if (N.Section == F.Section && N.Key == F.Key) {
      N.New = Value;
      N.Source = sourceOf(R);
      return;
    }
  Into.Numbers.push_back({F.Section.str(), F.Key, F.Unit,
                          (Base.*F.Member).Value, false, Value, sourceOf(R)});
}

void Calibrator::setParameter(StringRef Key, double Value,
                              const MicrobenchmarkResult &R) {
  const ParameterRow *Row = llvm::find_if(
      parameterRows(), [&](const ParameterRow &P) { return P.Key == Key; });
  assert(Row != parameterRows().end() && "a row of no parameter");
  // An efficiency is measured with some noise.
  if (Row->Highest == 1 && Value > 1 && Value <= 1.05)
    Value = 1;
  if (Value < Row->Lowest || Value > Row->Highest) {
    Diags.error(R.Place, "'" + R.Name + "' would make " + Key + " " +
                             shortNumber(Value) + "; it is from " +
                             shortNumber(Row->Lowest) + " to " +
                             shortNumber(Row->Highest));
    return;
  }
  const Quantity *Old = Base.modelParameter(ModelName, Key);
  Into.Numbers.push_back({ModelSection.str(), Row->Key, Row->Unit,
                          Old ? Old->Value : Row->Default, !Old, rounded(Value),
                          sourceOf(R)});
}

/// The power of two that a measured rate nearly reaches, if there is one:
/// hardware has that many lanes.
static double nearestLanes(double Rate) {
  const double Power = std::exp2(std::round(std::log2(Rate)));
  return Rate >= 0.9 * Power && Rate <= 1.02 * Power ? Power : Rate;
}

double Calibrator::latencyAtBoost(const MicrobenchmarkResult &R) const {
  const MicrobenchmarkResult *L2 = find("latency.l2");
  if (!L2 || !R.CoreMHz || L2->Value >= R.Value)
    return R.Value;
  return L2->Value + (R.Value - L2->Value) * *Base.BoostMHz / *R.CoreMHz;
}

void Calibrator::setShare(const MicrobenchmarkRow &Row,
                          const MicrobenchmarkResult &R, double Scale) {
  const DeviceField &F = fieldOf(Row.Field);
  const double Measured = R.Value * Scale;
  std::optional<double> Nominal = fieldValue(F);
  if (!Nominal || Measured > *Nominal) {
    setField(F, Measured, R);
    Nominal = Measured;
  }
  setParameter(Row.Parameter, Measured / *Nominal, R);
}

/// Of rates at two core clocks, the one that agrees better: a cycle of the
/// core, or time.
void Calibrator::setDispatch(const MicrobenchmarkResult &R) {
  const MicrobenchmarkResult *Other = nullptr;
  for (const MicrobenchmarkResult &O : Results.Results)
    if (O.Name == R.Name && O.CoreMHz && R.CoreMHz &&
        std::fabs(std::log(*O.CoreMHz / *R.CoreMHz)) > std::log(1.1))
      Other = &O;
  if (Other) {
    const double PerCycle = std::fabs(std::log(Other->Value / R.Value));
    const double PerUs = std::fabs(
        std::log(Other->Value * *Other->CoreMHz / (R.Value * *R.CoreMHz)));
    if (PerUs < PerCycle)
      return setParameter("blocks_per_us", R.Value * *R.CoreMHz, R);
  }
  setParameter("blocks_per_cycle", R.Value, R);
}

void Calibrator::apply(const MicrobenchmarkRow &Row,
                       const MicrobenchmarkResult &R) {
  switch (Row.Rule) {
  case CalibrationRule::None:
    return;
  case CalibrationRule::Share:
    return setShare(Row, R, 1);
  case CalibrationRule::Memory:
    return setShare(Row, R, R.MemMHz ? *Base.MemoryMHz / *R.MemMHz : 1);
  case CalibrationRule::Dispatch:
    return setDispatch(R);
  case CalibrationRule::Latency:
    return setField(fieldOf(Row.Field), latencyAtBoost(R), R);
  case CalibrationRule::Lanes:
    return setField(fieldOf(Row.Field), nearestLanes(R.Value), R);
  case CalibrationRule::Matrix: // measured with mma
    return setField(
        fieldOf(Base.TensorWarpF16 ? "pipes.tensor_mma_f16" : Row.Field),
        nearestLanes(R.Value), R);
  case CalibrationRule::Lane:
    return setParameter(Row.Parameter, R.Value / *Base.WarpSize, R);
  case CalibrationRule::Value:
    if (!Row.Field.empty())
      setField(fieldOf(Row.Field), R.Value, R);
    if (!Row.Parameter.empty())
      setParameter(Row.Parameter, R.Value, R);
  }
}

/// Results at several clocks tell what of memory's latency and service time
/// keeps its cycles.
void Calibrator::setTwoClocks() {
  auto Set = [&](StringRef Name, StringRef What, const ClockFit &Fit,
                 ArrayRef<std::tuple<StringRef, StringRef, double>> Numbers) {
    const std::string Source =
        ("microbenchmark " + Name + " at " + Twine(Fit.NumResults) + " " +
         What + ", " + Results.Date + ", driver " + Results.Driver +
         "; least squares, R2 " + shortNumber(Fit.RSquared) +
         ", off by at most " + shortNumber(Fit.LargestResidual) + " cycles")
            .str();
    for (const auto &[Key, Unit, Value] : Numbers) {
      const Quantity *Old = Base.modelParameter(TwoClockModel, Key);
      Into.Numbers.push_back({(ModelsPrefix + TwoClockModel).str(), Key, Unit,
                              Old ? Old->Value : std::nullopt, false,
                              rounded(Value), Source});
    }
  };
  constexpr StringRef Latency = "latency.dram", Stream = "dram.copy";
  if (const auto Fit = fitClocks(Results, Latency))
    Set(Latency, "pairs of clocks", *Fit,
        {{"dm_lat_slope", "cycles", Fit->Slope},
         {"dm_lat_offset", "cycles", Fit->Offset}});
  if (const auto Fit = fitService(Results, Stream, *Base.NumSMs)) {
    const double At = *Base.MemoryMHz;
    Set(Stream, "memory clocks", *Fit,
        {{"dm_del", "cycles", Fit->Slope / At + Fit->Offset},
         {"dm_del_slope", "cycles", Fit->Slope / At},
         {"dm_del_clock", "MHz", At}});
  }
}

void Calibrator::run() {
  if (Base.ComputeCapability != Results.ComputeCapability)
    Diags.error(Results.CapabilityPlace,
                "these are results of compute capability " +
                    Twine(Results.ComputeCapability / 10) + "." +
                    Twine(Results.ComputeCapability % 10) + "; " + Base.Name +
                    " has " + Twine(Base.ComputeCapability / 10) + "." +
                    Twine(Base.ComputeCapability % 10));
  if (Diags.hasErrors())
    return;
  for (const MicrobenchmarkRow &Row : microbenchmarkRows())
    if (const MicrobenchmarkResult *R = find(Row.Name))
      apply(Row, *R);
  setTwoClocks();
  for (const MicrobenchmarkResult &R : Results.Results)
    if (llvm::none_of(microbenchmarkRows(),
                      [&](const MicrobenchmarkRow &Row) {
                        return Row.Name == R.Name &&
                               Row.Rule != CalibrationRule::None;
                      }) &&
        !llvm::is_contained(Into.Unused, R.Name))
      Into.Unused.push_back(R.Name);
  // As they stand in a device file.
  auto Order = [](const CalibratedNumber &N) {
    ArrayRef<DeviceField> Fields = deviceFields();
    return llvm::find_if(Fields,
                         [&](const DeviceField &F) {
                           return F.Section == N.Section && F.Key == N.Key;
                         }) -
           Fields.begin();
  };
  llvm::stable_sort(Into.Numbers, [&](const auto &A, const auto &B) {
    return Order(A) < Order(B);
  });
}

bool ptxpredict::calibrate(DiagnosticEngine &Diags,
                           const MicrobenchmarkResults &Results,
                           const Device &Base, Calibration &Result) {
  Result.Base = &Base;
  Calibrator(Diags, Results, Base, Result).run();
  return Diags.hasErrors();
}

void ptxpredict::printDevice(const Calibration &C, StringRef Name,
                             raw_ostream &OS) {
  OS << "name: " << Name << '\n';
  if (!C.Base->Description.empty())
    OS << "description: " << quoteYAML(C.Base->Description) << '\n';
  OS << "inherits: " << C.Base->Name << '\n';
  StringRef Section;
  for (const CalibratedNumber &N : C.Numbers) {
    StringRef Model = N.Section;
    const bool IsOfModel = Model.consume_front(ModelsPrefix);
    StringRef Indent = IsOfModel ? "    " : "  ";
    if (N.Section != Section) {
      if (!IsOfModel)
        OS << N.Section << ":\n";
      else
        OS << (Section.starts_with(ModelsPrefix) ? "" : "models:\n") << "  "
           << Model << ":\n";
      Section = N.Section;
    }
    OS << Indent << N.Key << ": {value: " << shortestDecimal(N.New);
    if (!N.Unit.empty())
      OS << ", unit: " << quoteYAML(N.Unit);
    OS << ", source: " << quoteYAML(N.Source) << "}\n";
  }
}
