//===- MeasuredTrace.cpp - Power as it was measured -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Trace/MeasuredTrace.h"
#include "ptxpredict/Support/CSVFile.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <functional>

using namespace ptxpredict;

static constexpr unsigned MostGPUs = 256;
static constexpr size_t MostLabels = size_t(1) << 16;

static constexpr StringRef PowerPackColumns[] = {"time_s", "cpu_W",   "mem_W",
                                                 "disk_W", "board_W", "label"};
/// In the order in which they are preferred.
static constexpr StringRef SMIPowers[] = {"power.draw", "power.draw.instant",
                                          "power.draw.average"};
static constexpr StringRef SMIDevices[] = {
    "index", "uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id", "serial"};

std::optional<double> MeasuredSpan::watts() const {
  if (Seconds > 0)
    return Joules / Seconds;
  return std::nullopt;
}

std::optional<double> MeasuredSpan::componentWatts(size_t Component) const {
  if (Seconds > 0 && Component < ComponentJoules.size())
    return ComponentJoules[Component] / Seconds;
  return std::nullopt;
}

const MeasuredSpan *MeasuredTrace::find(StringRef Label) const {
  auto At = llvm::find_if(
      Spans, [&](const MeasuredSpan &S) { return S.Label == Label; });
  return At == Spans.end() ? nullptr : &*At;
}

/// Milliseconds since 1970 of "2024/01/02 10:20:30.123", or with '-' and 'T',
/// in a calendar without summer time. Nothing if it is no such time.
static std::optional<int64_t> readTimestamp(StringRef Text) {
  auto Take = [&](size_t Digits, StringRef Behind) -> std::optional<int64_t> {
    int64_t Value = 0;
    StringRef Number = Text.take_front(Digits);
    if (Number.size() != Digits ||
        Number.find_first_not_of("0123456789") != StringRef::npos ||
        Number.getAsInteger(10, Value))
      return std::nullopt;
    Text = Text.drop_front(Digits);
    if (!Behind.empty()) {
      if (Text.empty() || !Behind.contains(Text.front()))
        return std::nullopt;
      Text = Text.drop_front();
    }
    return Value;
  };
  auto Year = Take(4, "/-"), Month = Year ? Take(2, "/-") : Year,
       Day = Month ? Take(2, " T") : Month, Hour = Day ? Take(2, ":") : Day,
       Minute = Hour ? Take(2, ":") : Hour,
       Second = Minute ? Take(2, "") : Minute;
  if (!Second || *Month < 1 || *Month > 12 || *Day < 1 || *Day > 31 ||
      *Hour > 23 || *Minute > 59 || *Second > 60)
    return std::nullopt;
  int64_t Milliseconds = 0;
  if (Text.consume_front(".")) {
    if (Text.empty() || Text.size() > 9 ||
        Text.find_first_not_of("0123456789") != StringRef::npos)
      return std::nullopt;
    StringRef Shown = Text.take_front(3);
    (void)Shown.getAsInteger(10, Milliseconds);
    for (size_t N = Shown.size(); N < 3; ++N)
      Milliseconds *= 10;
  } else if (!Text.empty()) {
    return std::nullopt;
  }
  // Days of the civil calendar, with years that begin in March.
  const int64_t Y = *Month <= 2 ? *Year - 1 : *Year;
  const int64_t Era = Y / 400, YearOfEra = Y % 400;
  const int64_t DayOfYear = (153 * ((*Month + 9) % 12) + 2) / 5 + *Day - 1;
  const int64_t Days = Era * 146097 + YearOfEra * 365 + YearOfEra / 4 -
                       YearOfEra / 100 + DayOfYear - 719468;
  return (((Days * 24 + *Hour) * 60 + *Minute) * 60 + *Second) * 1000 +
         Milliseconds;
}

namespace {

class MeasuredTraceReader {
public:
  MeasuredTraceReader(DiagnosticEngine &Diags, MeasuredTrace &Result)
      : Diags(Diags), Result(Result) {}

  void read();

private:
  /// Samples that follow each other: of all components, or of one GPU.
  struct Track {
    size_t FirstComponent = 0;
    bool HasSample = false;
    size_t NumSamples = 0;
    double Time = 0;           ///< of the last sample, s
    size_t Label = 0;          ///< of the last sample: index into the spans
    std::vector<double> Watts; ///< of the last sample
    double Seconds = 0;        ///< of all
    llvm::DenseMap<size_t, double> LabelSeconds;
  };

  std::optional<unsigned> findColumn(ArrayRef<StringRef> Names) const;
  void readPowerPack(unsigned TimeColumn);
  void readSMI(unsigned TimeColumn);
  void add(Track &T, double Time, ArrayRef<double> Watts, SMLoc TimePlace,
           size_t Row);
  std::optional<size_t> labelOf(size_t Row);
  Track *trackOf(size_t Row, std::optional<unsigned> Device);
  void finish(SMLoc Heading);
  SMLoc columnPlace(size_t Column) const;
  StringRef cell(size_t Row, unsigned Column) const {
    return File.cell(Row, Column).trim();
  }

  DiagnosticEngine &Diags;
  MeasuredTrace &Result;
  CSVFile File;
  std::vector<StringRef> Names; ///< of the columns, without unit
  std::optional<unsigned> LabelColumn;
  bool LacksDevice = false;             ///< a log that does not say which GPU
  llvm::StringMap<size_t> Labels;       ///< indices of spans
  llvm::StringMap<size_t> TrackNumbers; ///< by what the column of GPUs says
  std::vector<Track> Tracks;
};

} // namespace

std::optional<unsigned>
MeasuredTraceReader::findColumn(ArrayRef<StringRef> Wanted) const {
  for (StringRef W : Wanted)
    if (auto At = llvm::find(Names, W); At != Names.end())
      return unsigned(At - Names.begin());
  return std::nullopt;
}

SMLoc MeasuredTraceReader::columnPlace(size_t Column) const {
  // A name with doubled quotes does not lie in the buffer.
  StringRef Name = File.columns()[Column], Text = Diags.text();
  const bool IsThere = std::less_equal<>()(Text.begin(), Name.begin()) &&
                       std::less_equal<>()(Name.end(), Text.end());
  return SMLoc::getFromPointer(IsThere ? Name.data() : Text.data());
}

std::optional<size_t> MeasuredTraceReader::labelOf(size_t Row) {
  if (!LabelColumn)
    return 0;
  StringRef Label = cell(Row, *LabelColumn);
  auto [It, New] = Labels.try_emplace(Label, Result.Spans.size());
  if (!New)
    return It->second;
  if (Result.Spans.size() > MostLabels) {
    Diags.error(File.place(Row, *LabelColumn),
                "more than " + Twine(MostLabels) + " labels");
    Labels.erase(It);
    return std::nullopt;
  }
  Result.Spans.emplace_back().Label = Label.str();
  return It->second;
}

void MeasuredTraceReader::add(Track &T, double Time, ArrayRef<double> Watts,
                              SMLoc TimePlace, size_t Row) {
  std::optional<size_t> Label = labelOf(Row);
  if (!Label)
    return;
  if (T.HasSample && !(Time > T.Time)) {
    Diags.error(TimePlace,
                Time == T.Time && LacksDevice
                    ? "two samples at the same time: with several GPUs add "
                      "'index' to --query-gpu"
                    : "times must rise from sample to sample");
    return;
  }
  if (T.HasSample) {
    const double Seconds = Time - T.Time;
    T.Seconds += Seconds;
    if (T.Label != 0)
      T.LabelSeconds[T.Label] += Seconds;
    for (size_t C = 0; C != Watts.size(); ++C) {
      const double Joules = Seconds * (T.Watts[C] + Watts[C]) / 2;
      auto AddTo = [&](MeasuredSpan &S) {
        const size_t At = T.FirstComponent + C;
        if (S.ComponentJoules.size() <= At)
          S.ComponentJoules.resize(At + 1);
        S.ComponentJoules[At] += Joules;
        S.Joules += Joules;
      };
      AddTo(Result.Spans.front());
      if (T.Label != 0)
        AddTo(Result.Spans[T.Label]);
    }
  }
  T.HasSample = true;
  ++T.NumSamples;
  T.Time = Time;
  T.Label = *Label;
  T.Watts.assign(Watts.begin(), Watts.end());
}

void MeasuredTraceReader::readPowerPack(unsigned TimeColumn) {
  std::vector<unsigned> Powers;
  Tracks.emplace_back();
  for (unsigned C = 0; C != Names.size(); ++C) {
    StringRef Name = Names[C];
    if (Name.consume_back("_W") && !Name.empty()) {
      Powers.push_back(C);
      Result.Components.push_back(Name.str());
    } else if (!llvm::is_contained(PowerPackColumns, Names[C])) {
      Diags.error(columnPlace(C),
                  "there is no column '" + Names[C] + "' in a power trace" +
                      meantOrListed(Names[C], PowerPackColumns));
    }
  }
  if (Powers.empty())
    Diags.error(columnPlace(0),
                "no column has a power: at least one of cpu_W, mem_W, disk_W "
                "and board_W is needed");
  if (Diags.hasErrors())
    return;
  std::vector<double> Watts(Powers.size());
  for (size_t Row = 0;
       Row != File.size() && Diags.numErrors() < DiagnosticEngine::MaxErrors;
       ++Row) {
    bool IsWhole = true;
    auto Read = [&](unsigned C, StringRef What, bool MayBeNegative) {
      std::optional<double> V = parseNumber(cell(Row, C));
      if (V && (MayBeNegative || *V >= 0))
        return *V;
      Diags.error(File.place(Row, C),
                  What + (MayBeNegative
                              ? " must be a number"
                              : " must be a number that is not negative"));
      IsWhole = false;
      return 0.0;
    };
    const double Time = Read(TimeColumn, "a time", true);
    for (size_t P = 0; P != Powers.size(); ++P)
      Watts[P] = Read(Powers[P], "a power", false);
    ++Result.NumSamples;
    if (IsWhole)
      add(Tracks.front(), Time, Watts, File.place(Row, TimeColumn), Row);
  }
}

MeasuredTraceReader::Track *
MeasuredTraceReader::trackOf(size_t Row, std::optional<unsigned> Device) {
  StringRef Name = Device ? cell(Row, *Device) : StringRef();
  auto [It, New] = TrackNumbers.try_emplace(Name, Tracks.size());
  if (!New)
    return &Tracks[It->second];
  if (Tracks.size() == MostGPUs) {
    Diags.error(File.place(Row, *Device),
                "more than " + Twine(MostGPUs) + " GPUs");
    TrackNumbers.erase(It);
    return nullptr;
  }
  Tracks.emplace_back().FirstComponent = Result.Components.size();
  const bool IsNumber = llvm::all_of(Name, llvm::isDigit); // also of none
  Result.Components.push_back((IsNumber ? "gpu" + Name : Name).str());
  return &Tracks.back();
}

void MeasuredTraceReader::readSMI(unsigned TimeColumn) {
  std::optional<unsigned> Power = findColumn(SMIPowers);
  if (!Power)
    return Diags.error(columnPlace(0),
                       "no column has a power: add power.draw to --query-gpu");
  std::optional<unsigned> Device = findColumn(SMIDevices);
  LacksDevice = !Device;
  std::optional<int64_t> Origin;
  for (size_t Row = 0;
       Row != File.size() && Diags.numErrors() < DiagnosticEngine::MaxErrors;
       ++Row) {
    StringRef When = cell(Row, TimeColumn), Text = cell(Row, *Power);
    // A log that was continued has the heading again.
    if (When == Names[TimeColumn])
      continue;
    ++Result.NumSamples;
    std::optional<int64_t> Ms = readTimestamp(When);
    if (!Ms)
      Diags.error(File.place(Row, TimeColumn),
                  "a timestamp is YYYY/MM/DD HH:MM:SS.mmm");
    if (Text.starts_with("[") || Text == "N/A") {
      ++Result.NumLeftOut;
      continue;
    }
    (void)Text.consume_back("W");
    std::optional<double> Watts = parseNumber(Text.rtrim());
    if (!Watts || *Watts < 0) {
      Diags.error(File.place(Row, *Power),
                  "a power must be a number of watts that is not negative, or "
                  "[N/A]");
      continue;
    }
    Track *T = Ms ? trackOf(Row, Device) : nullptr;
    if (!T)
      continue;
    if (!Origin)
      Origin = Ms;
    add(*T, double(*Ms - *Origin) / 1000, *Watts, File.place(Row, TimeColumn),
        Row);
  }
}

void MeasuredTraceReader::finish(SMLoc Heading) {
  if (Diags.hasErrors())
    return;
  size_t Most = 0;
  for (const Track &T : Tracks) {
    Most = std::max(Most, T.NumSamples);
    MeasuredSpan &Whole = Result.Spans.front();
    Whole.Seconds = std::max(Whole.Seconds, T.Seconds);
    for (auto [Label, Seconds] : T.LabelSeconds)
      Result.Spans[Label].Seconds =
          std::max(Result.Spans[Label].Seconds, Seconds);
  }
  if (Most < 2)
    Diags.error(Heading, Result.NumLeftOut != 0
                             ? "no two samples have a power: the driver does "
                               "not measure it"
                             : "an energy needs at least two samples");
}

void MeasuredTraceReader::read() {
  if (File.read(Diags))
    return;
  const SMLoc Heading = columnPlace(0);
  llvm::StringSet<> Known;
  Names.reserve(File.columns().size());
  for (size_t N = 0; N != File.columns().size(); ++N) {
    StringRef Name = File.columns()[N].trim();
    Names.push_back(Name.take_front(Name.find(" [")));
    if (!Known.insert(Names.back()).second)
      Diags.error(columnPlace(N), "there are two columns '" + Names[N] + "'");
  }
  if (Diags.hasErrors())
    return;
  LabelColumn = findColumn({"label"});
  Result.Spans.emplace_back();
  Labels.try_emplace("", 0);
  if (auto C = findColumn({"time_s"}))
    readPowerPack(*C);
  else if (auto Stamp = findColumn({"timestamp"}))
    readSMI(*Stamp);
  else
    Diags.error(Heading,
                "the heading has neither time_s, as PowerPack's has, nor "
                "timestamp, as a log of 'nvidia-smi "
                "--query-gpu=timestamp,power.draw --format=csv' has");
  finish(Heading);
}

bool ptxpredict::readMeasuredTrace(DiagnosticEngine &Diags,
                                   MeasuredTrace &Result) {
  MeasuredTraceReader(Diags, Result).read();
  return Diags.hasErrors();
}

static std::optional<double> relativeError(std::optional<double> Predicted,
                                           std::optional<double> Measured) {
  if (Predicted && Measured && *Measured > 0)
    return *Predicted / *Measured - 1;
  return std::nullopt;
}

std::optional<double> MeasuredAgainst::secondsError() const {
  return relativeError(PredictedSeconds, MeasuredSeconds);
}

std::optional<double> MeasuredAgainst::joulesError() const {
  return relativeError(PredictedJoules, MeasuredJoules);
}

std::optional<double> MeasuredAgainst::wattsError() const {
  auto Watts = [](std::optional<double> Joules,
                  std::optional<double> Seconds) -> std::optional<double> {
    if (Joules && Seconds && *Seconds > 0)
      return *Joules / *Seconds;
    return std::nullopt;
  };
  return relativeError(Watts(PredictedJoules, PredictedSeconds),
                       Watts(MeasuredJoules, MeasuredSeconds));
}

std::vector<MeasuredAgainst>
ptxpredict::compareWithMeasured(ArrayRef<PredictedLabel> Predicted,
                                const MeasuredTrace &Measured) {
  std::vector<MeasuredAgainst> Result;
  Result.reserve(Predicted.size() + Measured.Spans.size());
  llvm::StringMap<const MeasuredSpan *> Spans;
  for (const MeasuredSpan &S : Measured.Spans)
    Spans.try_emplace(S.Label, &S);
  auto AddMeasured = [](MeasuredAgainst &M, const MeasuredSpan &S) {
    M.MeasuredSeconds = S.Seconds;
    M.MeasuredJoules = S.Joules;
  };
  llvm::StringMap<bool> IsPredicted;
  for (const PredictedLabel &P : Predicted) {
    MeasuredAgainst &M = Result.emplace_back();
    M.Label = P.Label;
    M.PredictedSeconds = P.Seconds;
    M.PredictedJoules = P.Joules;
    IsPredicted[P.Label] = true;
    if (auto It = Spans.find(P.Label); It != Spans.end())
      AddMeasured(M, *It->second);
  }
  for (const MeasuredSpan &S : Measured.Spans)
    if (!IsPredicted.count(S.Label)) {
      MeasuredAgainst &M = Result.emplace_back();
      M.Label = S.Label;
      AddMeasured(M, S);
    }
  return Result;
}
