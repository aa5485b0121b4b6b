//===- Points.cpp - The rows of a dataset, as what is to be predicted -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Dataset/Points.h"
#include "ptxpredict/Launch/LaunchShape.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include <cmath>
#include <map>

using namespace ptxpredict;

/// What a text such as "A=1;B=2", "-a=1 -b 2" or "16x64x1" says of \p Key.
static std::optional<StringRef> valueIn(StringRef Text, StringRef Key) {
  constexpr StringRef Separators = " \t;,";
  SmallVector<StringRef, 3> Extents;
  Text.split(Extents, 'x');
  if (Key.size() == 1 && Key[0] >= 'x' && Key[0] <= 'z' &&
      Extents.size() <= 3 && llvm::all_of(Extents, [](StringRef E) {
        return !E.empty() && llvm::all_of(E, llvm::isDigit);
      })) {
    size_t At = size_t(Key[0] - 'x');
    return At < Extents.size() ? Extents[At] : StringRef("1");
  }
  for (size_t At = Text.find(Key); At != StringRef::npos;
       At = Text.find(Key, At + 1)) {
    auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
    StringRef After = Text.substr(At + Key.size());
    if (After.empty() || (At != 0 && IsWord(Text[At - 1])) ||
        !StringRef("= \t").contains(After.front()))
      continue;
    After = After.ltrim("= \t");
    return After.substr(0, After.find_first_of(Separators));
  }
  return std::nullopt;
}

std::optional<StringRef> RowNames::text(StringRef Name) const {
  for (const auto &[Key, Value] : Defined)
    if (Key == Name)
      return StringRef(Value);
  if (std::optional<unsigned> Column = Table.column(Name))
    return Table.cell(Row, *Column);
  for (size_t Dot = Name.find('.'); Dot != StringRef::npos;
       Dot = Name.find('.', Dot + 1))
    if (std::optional<unsigned> Column = Table.column(Name.take_front(Dot)))
      return valueIn(Table.cell(Row, *Column), Name.drop_front(Dot + 1));
  return std::nullopt;
}

std::optional<double> RowNames::number(StringRef Name) const {
  std::optional<StringRef> Text = text(Name);
  return Text ? parseNumber(Text->trim()) : std::nullopt;
}

void RowNames::define(StringRef Name, double Value) {
  Defined.emplace_back(Name.str(), shortestDecimal(Value));
}

namespace {

class PointReader {
public:
  PointReader(const Dataset &D, const CSVFile &Table, DiagnosticEngine &Diags,
              DatasetPoints &Result)
      : D(D), Table(Table), Diags(Diags), Result(Result) {}

  void read(ArrayRef<std::string> Only);

private:
  bool readMeasurement(const RowNames &Names, MeasuredPoint &P);
  void findDefaults();
  void sample();
  void readPoint(MeasuredPoint &P);
  void readConditions(MeasuredPoint &P, const RowNames &Names);
  /// False if a formula has no value (reported).
  bool readArguments(MeasuredPoint &P, const RowNames &Names);
  bool readBuffers(MeasuredPoint &P, const RowNames &Names);
  void readShares(MeasuredPoint &P, const RowNames &Names);
  void readCompiled(MeasuredPoint &P, const RowNames &Names);
  void readKernelsOwn(MeasuredPoint &P, const RowNames &Names);
  void checkPositive(size_t Row, const std::optional<double> &V, StringRef What,
                     const std::optional<Formula> &F) {
    if (V && !(*V > 0))
      error(Row, What, *F, "must be above 0");
  }
  bool holds(const DatasetCondition &C, const RowNames &Names);
  bool holds(ArrayRef<DatasetCondition> Conditions, size_t Row) {
    RowNames Names(Table, Row);
    return llvm::all_of(
        Conditions, [&](const DatasetCondition &C) { return holds(C, Names); });
  }
  /// The condition's column or formula in a row; empty where it has no value.
  std::string valueOf(const DatasetCondition &C, const RowNames &Names);

  void error(size_t Row, StringRef What, const Formula &F, const Twine &Why) {
    unsigned Column = 0;
    for (const Formula::Name &N : F.names())
      if (std::optional<unsigned> C = Table.column(N.Text)) {
        Column = *C;
        break;
      }
    Diags.error(Table.place(Row, Column), What + ": " + Why);
  }
  /// The formula's value; nothing on error (reported).
  std::optional<double> value(const Formula &F, StringRef What, size_t Row,
                              const RowNames &Names);
  /// The same, but nothing where a name has no value, too.
  std::optional<double> optionalValue(const std::optional<Formula> &F,
                                      StringRef What, size_t Row,
                                      const RowNames &Names);
  std::optional<uint64_t> whole(const Formula &F, StringRef What,
                                uint64_t Least, size_t Row,
                                const RowNames &Names);
  std::optional<Dim3> shape(ArrayRef<Formula> Formulas, LaunchShape Which,
                            size_t Row, const RowNames &Names);

  const Dataset &D;
  const CSVFile &Table;
  DiagnosticEngine &Diags;
  DatasetPoints &Result;
};

} // namespace

std::optional<double> PointReader::value(const Formula &F, StringRef What,
                                         size_t Row, const RowNames &Names) {
  std::string Why;
  std::optional<double> V =
      F.evaluate([&](StringRef Name) { return Names.number(Name); }, Why);
  if (!V)
    error(Row, What, F, Why);
  return V;
}

std::optional<double>
PointReader::optionalValue(const std::optional<Formula> &F, StringRef What,
                           size_t Row, const RowNames &Names) {
  if (!F)
    return std::nullopt;
  for (const Formula::Name &N : F->names())
    if (std::optional<StringRef> Text = Names.text(N.Text);
        !Text || Text->trim().empty() || Text->trim().equals_insensitive("nan"))
      return std::nullopt;
  return value(*F, What, Row, Names);
}

std::optional<uint64_t> PointReader::whole(const Formula &F, StringRef What,
                                           uint64_t Least, size_t Row,
                                           const RowNames &Names) {
  std::optional<double> V = value(F, What, Row, Names);
  if (!V)
    return std::nullopt;
  double Rounded = std::round(*V);
  if (std::fabs(Rounded - *V) <= 1e-9 * std::fabs(*V) &&
      Rounded >= double(Least) && Rounded < 0x1p62)
    return uint64_t(Rounded);
  error(Row, What, F,
        "'" + F.text() + "' is " + shortestDecimal(*V) +
            ", not a whole number from " + Twine(Least));
  return std::nullopt;
}

/// A shape that some device takes.
std::optional<Dim3> PointReader::shape(ArrayRef<Formula> Formulas,
                                       LaunchShape Which, size_t Row,
                                       const RowNames &Names) {
  const StringRef What = toString(Which);
  SmallVector<uint64_t, 3> Values;
  for (const Formula &F : Formulas) {
    std::optional<uint64_t> V = whole(F, What, 1, Row, Names);
    if (!V)
      return std::nullopt;
    Values.push_back(*V);
  }
  if (Values.empty())
    return std::nullopt;
  std::optional<Dim3> Shape = makeDim3(Values);
  if (!Shape)
    error(Row, What, Formulas.front(), "is too large");
  else if (std::string Why = whyNoShape(Which, *Shape); !Why.empty())
    error(Row, What, Formulas.front(), Why);
  return Shape;
}

std::string PointReader::valueOf(const DatasetCondition &C,
                                 const RowNames &Names) {
  if (std::optional<StringRef> Text = Names.text(C.Column.Text))
    return Text->str();
  std::string Why;
  if (std::optional<double> V =
          C.Compute ? C.Compute->evaluate(
                          [&](StringRef N) { return Names.number(N); }, Why)
                    : std::nullopt)
    return shortestDecimal(*V);
  return {};
}

/// As text, or as number where both are numbers.
static bool isSame(StringRef A, StringRef B) {
  if (A == B)
    return true;
  std::optional<double> X = parseNumber(A.trim());
  std::optional<double> Y = X ? parseNumber(B.trim()) : std::nullopt;
  return Y && *X == *Y;
}

bool PointReader::holds(const DatasetCondition &C, const RowNames &Names) {
  using Kind = DatasetCondition::Kind;
  std::string Value = valueOf(C, Names);
  auto IsOneOf = [&] {
    return llvm::any_of(C.Values,
                        [&](StringRef V) { return isSame(Value, V); });
  };
  if (C.Test == Kind::AnyOf)
    return IsOneOf();
  if (C.Test == Kind::NotEqual)
    return !IsOneOf();
  std::optional<double> V = parseNumber(StringRef(Value).trim());
  if (!V)
    return false;
  switch (C.Test) {
  case Kind::Less:
    return *V < C.Limit;
  case Kind::LessEqual:
    return *V <= C.Limit;
  case Kind::Greater:
    return *V > C.Limit;
  case Kind::GreaterEqual:
    return *V >= C.Limit;
  default: // findDefaults() compares rows
    return true;
  }
}

bool PointReader::readMeasurement(const RowNames &Names, MeasuredPoint &P) {
  std::optional<double> Time = value(*D.TimeUs, "time_us", P.Row, Names);
  if (!Time)
    return false;
  if (!(*Time > 0)) {
    error(P.Row, "time_us", *D.TimeUs, "a time must be above 0");
    return false;
  }
  P.TimeUs = *Time;
  return true;
}

/// Each condition takes from the rows of a device and kernel that are still
/// there.
void PointReader::findDefaults() {
  if (D.Default.empty())
    return;
  std::map<std::pair<StringRef, StringRef>, std::vector<MeasuredPoint *>>
      Groups;
  for (MeasuredPoint &P : Result.Points) {
    P.IsDefault = false;
    Groups[{P.Device, P.Kernel->Name}].push_back(&P);
  }
  for (auto &[Key, Group] : Groups) {
    for (const DatasetCondition &C : D.Default) {
      if (C.Test != DatasetCondition::Kind::Most &&
          C.Test != DatasetCondition::Kind::Least) {
        llvm::erase_if(Group, [&](const MeasuredPoint *P) {
          return !holds(C, RowNames(Table, P->Row));
        });
        continue;
      }
      double Sign = C.Test == DatasetCondition::Kind::Most ? 1 : -1;
      auto Of = [&](const MeasuredPoint *P) {
        std::string Text = valueOf(C, RowNames(Table, P->Row));
        return Sign *
               parseNumber(StringRef(Text).trim()).value_or(-Sign * HUGE_VAL);
      };
      double Best = -HUGE_VAL;
      for (const MeasuredPoint *P : Group)
        Best = std::max(Best, Of(P));
      llvm::erase_if(Group,
                     [&](const MeasuredPoint *P) { return Of(P) < Best; });
    }
    for (MeasuredPoint *P : Group)
      P->IsDefault = true;
  }
}

/// Rows whose code's names hash lowest: which these are depends on neither the
/// order of the file nor on rows of other sets.
void PointReader::sample() {
  if (!D.SampleRows)
    return;
  std::map<StringRef, std::vector<std::pair<std::string, size_t>>> Sets;
  for (auto [Number, P] : llvm::enumerate(Result.Points)) {
    RowNames Names(Table, P.Row);
    std::vector<std::string> Cells;
    for (const Template::Part &Part : P.Kernel->Code.Parts)
      if (Part.IsName)
        Cells.push_back(Names.text(Part.Text).value_or("").str());
    llvm::SHA256 Hash;
    Hash.update(std::to_string(D.SampleSeed) + ":" + llvm::join(Cells, ","));
    Sets[P.Set].emplace_back(llvm::toHex(Hash.final(), /*LowerCase=*/true),
                             Number);
  }
  std::vector<bool> Drawn(Result.Points.size());
  for (auto &[Set, Rows] : Sets) {
    llvm::sort(Rows);
    for (const auto &[Digest, Number] :
         ArrayRef(Rows).take_front(*D.SampleRows))
      Drawn[Number] = true;
  }
  size_t Number = 0;
  llvm::erase_if(Result.Points,
                 [&](const MeasuredPoint &) { return !Drawn[Number++]; });
  Result.NotDrawn = Drawn.size() - Result.Points.size();
}

/// What was measured at which clocks.
void PointReader::readConditions(MeasuredPoint &P, const RowNames &Names) {
  P.CoreMHz = optionalValue(D.CoreMHz, "core_mhz", P.Row, Names);
  P.MemMHz = optionalValue(D.MemMHz, "mem_mhz", P.Row, Names);
  P.PowerLimitW = optionalValue(D.PowerLimitW, "power_limit_w", P.Row, Names);
  P.PowerW = optionalValue(D.PowerW, "power_w", P.Row, Names);
  checkPositive(P.Row, P.CoreMHz, "core_mhz", D.CoreMHz);
  checkPositive(P.Row, P.MemMHz, "mem_mhz", D.MemMHz);
  checkPositive(P.Row, P.PowerLimitW, "power_limit_w", D.PowerLimitW);
  checkPositive(P.Row, P.PowerW, "power_w", D.PowerW);
  for (unsigned N = 0; N != NumMeasuredCounts; ++N)
    P.Counters[N] = optionalValue(D.Counters[N], "counters", P.Row, Names);
  for (const auto &[Which, F] : D.MoreCounters)
    if (std::optional<double> N = optionalValue(F, "counters", P.Row, Names))
      P.MoreCounters.emplace_back(Which, *N);
  for (unsigned N = 0; N != NumPowerEvents; ++N) {
    P.Events[N] = optionalValue(D.Events[N], "events", P.Row, Names);
    if (P.Events[N] && *P.Events[N] < 0)
      error(P.Row, infoOf(PowerEvent(N)).Name, *D.Events[N],
            "must not be negative");
  }
}

bool PointReader::readArguments(MeasuredPoint &P, const RowNames &Names) {
  for (const auto &[Key, F] : P.Kernel->Args) {
    std::optional<double> V = value(F, Key.Text, P.Row, Names);
    if (!V)
      return false;
    ArgumentValue A;
    A.Float = *V;
    if (std::trunc(*V) == *V && std::fabs(*V) < 0x1p63)
      A.Integer = int64_t(*V);
    else
      A.Kind = ArgumentValue::KindTy::Float;
    P.Launch.Args.push_back({Key.Text, std::move(A), Key.Loc});
  }
  return true;
}

bool PointReader::readBuffers(MeasuredPoint &P, const RowNames &Names) {
  for (const auto &[Key, F] : P.Kernel->Buffers) {
    PointedBuffer B;
    if (parsePointerPlace(Key.Text, B)) // reported where it was read
      return false;
    std::optional<uint64_t> Bytes = whole(F, Key.Text, 1, P.Row, Names);
    if (!Bytes)
      return false;
    B.Bytes = *Bytes;
    B.Place = Key.Loc;
    P.Launch.Buffers.push_back(std::move(B));
  }
  return true;
}

/// How often loops and branches run.
void PointReader::readShares(MeasuredPoint &P, const RowNames &Names) {
  const DatasetKernel &K = *P.Kernel;
  auto ReadPlaces = [&](const auto &Places, double Most, auto &Into) {
    for (const auto &[Key, F] : Places) {
      std::optional<double> V = value(F, Key.Text, P.Row, Names);
      if (V && (*V < 0 || *V > Most))
        error(P.Row, Key.Text, F,
              "'" + F.text() + "' is " + shortestDecimal(*V) +
                  ", which is no " +
                  (Most == 1 ? "probability" : "trip count"));
      StringRef Label = Key.Text;
      Label.consume_front("$"); // the same place without it
      Into[Label.str()] = V.value_or(0);
    }
  };
  ReadPlaces(K.TripCounts, HUGE_VAL, P.Launch.TripCounts);
  ReadPlaces(K.BranchProbabilities, 1, P.Launch.BranchProbabilities);
}

void PointReader::readCompiled(MeasuredPoint &P, const RowNames &Names) {
  const DatasetKernel &K = *P.Kernel;
  if (std::optional<double> R =
          optionalValue(K.Registers, "registers", P.Row, Names);
      R && *R >= 1 && *R < 0x1p16)
    P.Compiled.Registers = unsigned(std::lround(*R));
  auto ReadBytes = [&](const std::optional<Formula> &F, StringRef Key,
                       std::optional<double> &Into) {
    Into = optionalValue(F, Key, P.Row, Names);
    if (Into && *Into < 0)
      error(P.Row, Key, *F, "must not be negative");
  };
  ReadBytes(K.SpillBytes, "spill_bytes", P.Compiled.SpillBytes);
  ReadBytes(K.SpillLoadBytes, "spill_load_bytes", P.Compiled.SpillLoadBytes);
}

/// What an entry says of its own rows, in place of the dataset.
void PointReader::readKernelsOwn(MeasuredPoint &P, const RowNames &Names) {
  const DatasetKernel &K = *P.Kernel;
  if (std::optional<double> W =
          optionalValue(K.WarpsPerSM, "warps_per_sm", P.Row, Names)) {
    P.WarpsPerSM = *W;
    checkPositive(P.Row, W, "warps_per_sm", K.WarpsPerSM);
  }
  if (std::optional<double> MHz =
          optionalValue(K.CoreMHz, "core_mhz", P.Row, Names)) {
    P.CoreMHz = MHz;
    checkPositive(P.Row, MHz, "core_mhz", K.CoreMHz);
  }
}

void PointReader::readPoint(MeasuredPoint &P) {
  const DatasetKernel &K = *P.Kernel;
  const size_t Row = P.Row;
  RowNames Names(Table, Row);
  readConditions(P, Names);
  for (const auto &[Name, F] : K.Define) {
    std::optional<double> V = value(F, Name.Text, Row, Names);
    if (!V)
      return;
    Names.define(Name.Text, *V);
  }
  const auto Fill = [&Names](const Template &T) {
    std::string Text;
    for (const Template::Part &Part : T.Parts)
      Text +=
          Part.IsName ? Names.text(Part.Text).value_or("").str() : Part.Text;
    return Text;
  };
  P.Code = Fill(K.Code);
  P.LaunchFile = Fill(K.LaunchFile);
  if (K.Entry)
    P.LaunchEntry =
        whole(*K.Entry, "entry", 1, Row, Names).value_or(P.LaunchEntry);
  P.Launch.Grid = shape(K.Grid, LaunchShape::Grid, Row, Names);
  P.Launch.Block = shape(K.Block, LaunchShape::Block, Row, Names);
  P.Launch.Cluster = shape(K.Cluster, LaunchShape::Cluster, Row, Names);
  if (K.DynamicShared)
    P.Launch.DynamicSharedBytes =
        whole(*K.DynamicShared, "dynamic_shared", 0, Row, Names);
  if (!readArguments(P, Names) || !readBuffers(P, Names))
    return;
  readShares(P, Names);
  readCompiled(P, Names);
  readKernelsOwn(P, Names);
}

void PointReader::read(ArrayRef<std::string> Only) {
  for (size_t Row = 0; Row != Table.size(); ++Row) {
    if (Diags.numErrors() >= DiagnosticEngine::MaxErrors)
      return;
    RowNames Names(Table, Row);
    if (!holds(D.Where, Row)) {
      ++Result.LeftOut;
      continue;
    }
    MeasuredPoint P;
    P.Row = Row;
    P.Device = D.AlwaysDevice;
    if (P.Device.empty()) {
      StringRef Cell = Names.text(D.DeviceColumn.Text).value_or("");
      const auto *Found =
          llvm::find_if(ArrayRef(D.Devices), [&](const auto &Entry) {
            return Entry.first.Text == Cell;
          });
      if (Found == ArrayRef(D.Devices).end()) {
        ++Result.NoDevice;
        continue;
      }
      P.Device = Found->second.Text;
    }
    const auto *Kernel =
        llvm::find_if(ArrayRef(D.Kernels), [&](const DatasetKernel &K) {
          return holds(K.Where, Row);
        });
    if (Kernel == ArrayRef(D.Kernels).end()) {
      ++Result.NoKernel;
      continue;
    }
    P.Kernel = Kernel;
    if (!Only.empty() && !llvm::is_contained(Only, Kernel->Name)) {
      ++Result.NotAsked;
      continue;
    }
    if (!readMeasurement(Names, P))
      continue;
    if (P.TimeUs < D.LeastUs) {
      ++Result.LaunchBound;
      continue;
    }
    std::vector<std::string> Cells;
    Cells.reserve(D.Set.size());
    for (const YAMLText &Column : D.Set)
      Cells.push_back(Names.text(Column.Text).value_or("").str());
    P.Set = llvm::join(Cells, ", ");
    Result.Points.push_back(std::move(P));
  }
  if (Diags.hasErrors())
    return;
  findDefaults();
  sample();
  for (MeasuredPoint &P : Result.Points) {
    readPoint(P);
    if (Diags.numErrors() >= DiagnosticEngine::MaxErrors)
      return;
  }
}

bool ptxpredict::readPoints(const Dataset &D, const CSVFile &Table,
                            ArrayRef<std::string> Only, DiagnosticEngine &Diags,
                            DatasetPoints &Result) {
  PointReader(D, Table, Diags, Result).read(Only);
  return Diags.hasErrors();
}
