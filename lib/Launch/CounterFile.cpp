//===- CounterFile.cpp - Counters of launches that were measured ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/CounterFile.h"
#include "CounterForms.h"
#include "ptxpredict/Support/CSVFile.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace ptxpredict;

/// Notes about unknown metrics with what may have been meant; the rest are
/// counted. A full report of Nsight Compute has hundreds.
static constexpr unsigned MaxUnknownShown = 8;
/// Nsight Compute's shares exceed the whole a little where passes differ.
static constexpr double MaxShare = 1.5;

namespace {

/// One column of the file.
struct Column {
  StringRef Title;
  const CounterName *Name = nullptr; ///< null: no counter
  std::optional<double> Scale;       ///< nothing after a wrong unit
};

} // namespace

static SMLoc startOf(StringRef Text) {
  return SMLoc::getFromPointer(Text.data());
}

/// A text of the file as messages have it: where a quote is missing, a cell may
/// be the rest of the file.
static StringRef shown(StringRef Text) {
  constexpr size_t Longest = 120;
  return Text.take_front(Longest);
}

/// "(16, 64, 256)" or "16x64x256"
static std::optional<Dim3> parseShape(StringRef Text) {
  std::string Plain;
  for (char C : Text)
    if (!StringRef("() ").contains(C))
      Plain += C == 'x' ? ',' : C;
  return parseDim3(Plain);
}

namespace {

class CounterReader {
public:
  CounterReader(DiagnosticEngine &Diags, std::optional<uint64_t> LaunchIndex,
                std::vector<KernelCounters> &Result)
      : Diags(Diags), Rows(Diags.text(), Diags), LaunchIndex(LaunchIndex),
        Result(Result) {}

  void read();

private:
  /// Takes the next row that is none of a profiler's own lines. False at the
  /// end of what can be read.
  bool takeRow();
  bool readHeading();
  void readNeeded();
  void readUnits();
  void readLaunch();
  void readMetric();
  void readMean();
  /// Makes the row's launch the one that numbers are added to.
  void begin(uint64_t Launches);
  size_t groupOfRow();
  void readShape(CounterRole Of, LaunchShape Which, std::optional<Dim3> &Shape,
                 SMLoc &Place);
  void add(const CounterName &Name, std::optional<double> Scale,
           StringRef Cell);
  void noteUnknown(StringRef Name);
  void finish();

  StringRef cell(CounterRole R) const {
    const int C = Of[size_t(R)];
    return C < 0 ? StringRef() : Row[unsigned(C)];
  }
  SMLoc place(CounterRole R) const {
    return Of[size_t(R)] < 0 ? SMLoc() : Rows.placeOf(cell(R));
  }
  void error(StringRef Cell, const Twine &Message) {
    Diags.error(Rows.placeOf(Cell), Message);
  }

  DiagnosticEngine &Diags;
  CSVRows Rows;
  std::optional<uint64_t> LaunchIndex;
  std::vector<KernelCounters> &Result;

  CSVRows::Row Row;
  StringRef Line; ///< from the beginning of the row
  CounterForm Form = CounterForm::Plain;
  std::vector<Column> Columns;
  std::array<int, NumCounterRoles> Of{}; ///< the column of each role; -1: none
  SMLoc Heading;
  bool IsBroken = false;

  llvm::StringMap<size_t> Groups;
  llvm::StringMap<uint64_t> LaunchesOf; ///< by kernel
  std::string LastKey;
  size_t LastGroup = 0;

  // The launch that numbers are added to.
  size_t Group = 0;
  bool IsAsked = false;
  uint64_t Number = 0; ///< of the launch in the file, from 1
  std::string LaunchKey;
  struct Seen {
    uint64_t Number = 0;
    const CounterName *Name = nullptr;
    double Value = 0;
    StringRef Cell;
  };
  std::array<Seen, NumCounters> Now;

  llvm::StringSet<> Unknown;
};

} // namespace

bool CounterReader::takeRow() {
  while (!Rows.atEnd()) {
    Line = Rows.rest();
    if (Line.starts_with("==")) {
      Rows.skipLine();
      continue;
    }
    if (!Rows.take(Row))
      return false;
    if (Row.size() != 1 || !Row[0].empty() || Line.front() == '"')
      return true;
  }
  return false;
}

void CounterReader::noteUnknown(StringRef Name) {
  if (Name.empty() || !Unknown.insert(Name).second ||
      Unknown.size() > MaxUnknownShown)
    return;
  std::vector<StringRef> Known;
  Name = shown(Name);
  for (const CounterName &N : counterNames())
    Known.push_back(N.Name);
  Diags.note(Rows.placeOf(Name),
             "the metric '" + Name + "' is not used" + didYouMean(Name, Known));
}

void CounterReader::readNeeded() {
  std::vector<StringRef> Titles;
  Titles.reserve(Columns.size());
  for (const Column &C : Columns)
    Titles.push_back(shown(C.Title));
  for (const CounterColumn &R : counterColumns())
    if (R.Form == Form && R.IsNeeded && Of[size_t(R.Is)] < 0) {
      IsBroken = true;
      Diags.error(Heading, "the heading lacks the column '" + R.Title + "'" +
                               didYouMean(R.Title, Titles));
    }
  if (Form == CounterForm::Nvprof && Of[size_t(CounterRole::Metric)] < 0) {
    IsBroken = true;
    Diags.error(Heading,
                "the heading lacks the column 'Metric Name' or 'Event Name'");
  }
}

/// Finds what the row's cells head.
bool CounterReader::readHeading() {
  Heading = startOf(Line);
  Form = counterFormOf(Row);
  Columns.clear();
  Of.fill(-1);
  IsBroken = false;
  const bool HasMetrics =
      Form == CounterForm::NcuWide || Form == CounterForm::Plain;
  llvm::StringSet<> Titles;
  for (StringRef Title : Row) {
    Column &C = Columns.emplace_back();
    C.Title = Title;
    if (!Title.empty() && !Titles.insert(Title).second) {
      IsBroken = true;
      error(Title, "there are two columns '" + shown(Title) + "'");
      continue;
    }
    const CounterColumn *R =
        llvm::find_if(counterColumns(), [&](const CounterColumn &N) {
          return N.Form == Form && N.Title == Title;
        });
    const int Index = int(Columns.size()) - 1;
    if (R != counterColumns().end())
      Of[size_t(R->Is)] = Index;
    else if (Form == CounterForm::Nvprof &&
             (Title == "Metric Name" || Title == "Event Name"))
      Of[size_t(CounterRole::Metric)] = Index;
    else if (HasMetrics && !(C.Name = findCounterName(Title)))
      noteUnknown(Title);
    if (C.Name)
      C.Scale = counterScale(*C.Name, "");
  }
  readNeeded();
  if (!IsBroken && HasMetrics &&
      llvm::none_of(Columns, [](const Column &C) { return C.Name; })) {
    IsBroken = true;
    Diags.error(Heading,
                "no column of this heading is a counter; --dump=counters "
                "lists their names");
  }
  if (LaunchIndex && Form == CounterForm::Nvprof) {
    IsBroken = true;
    Diags.error(Heading,
                "nvprof's numbers are means over all launches; --launch-index "
                "needs those of one launch, as 'ncu --csv' writes them");
  }
  return !IsBroken;
}

void CounterReader::readUnits() {
  for (auto [C, Word] : llvm::zip(Columns, Row)) {
    if (!C.Name)
      continue;
    C.Scale = counterScale(*C.Name, Word);
    if (!C.Scale)
      error(Word, "'" + C.Title + "' cannot be in '" + shown(Word) +
                      "', only in " + counterWords(*C.Name));
  }
}

void CounterReader::readShape(CounterRole R, LaunchShape Which,
                              std::optional<Dim3> &Shape, SMLoc &Place) {
  if (cell(R).empty())
    return;
  Place = place(R);
  Shape = parseShape(cell(R));
  if (!Shape)
    return Diags.error(Place, "'" + shown(cell(R)) + "' is no " +
                                  toString(Which) +
                                  ": that is 1 to 3 positive numbers, such as "
                                  "(16, 64, 1)");
  if (std::string Why = whyNoShape(Which, *Shape); !Why.empty())
    Diags.error(Place, toString(Which) + ": " + Why);
}

size_t CounterReader::groupOfRow() {
  std::string Key;
  for (CounterRole R :
       {CounterRole::Kernel, CounterRole::Device, CounterRole::Capability,
        CounterRole::Grid, CounterRole::Block}) {
    Key += cell(R);
    Key += '\0';
  }
  if (Key == LastKey && !Result.empty())
    return LastGroup;
  auto [It, IsNew] = Groups.try_emplace(Key, Result.size());
  LastKey = std::move(Key);
  LastGroup = It->second;
  if (!IsNew)
    return LastGroup;
  KernelCounters &K = Result.emplace_back();
  K.Kernel = cell(CounterRole::Kernel).str();
  K.KernelPlace = K.Kernel.empty() ? startOf(Line) : place(CounterRole::Kernel);
  if (K.Kernel.empty() && Of[size_t(CounterRole::Kernel)] >= 0)
    Diags.error(place(CounterRole::Kernel), "this row names no kernel");
  K.Device = cell(CounterRole::Device).str();
  K.DevicePlace = place(CounterRole::Device);
  K.Capability = cell(CounterRole::Capability).str();
  K.CapabilityPlace = place(CounterRole::Capability);
  readShape(CounterRole::Grid, LaunchShape::Grid, K.Grid, K.GridPlace);
  readShape(CounterRole::Block, LaunchShape::Block, K.Block, K.BlockPlace);
  return LastGroup;
}

void CounterReader::begin(uint64_t Launches) {
  Group = groupOfRow();
  ++Number;
  uint64_t &Index = LaunchesOf[cell(CounterRole::Kernel)];
  IsAsked = !LaunchIndex || *LaunchIndex == Index;
  ++Index;
  if (IsAsked)
    Result[Group].Launches += Launches;
}

void CounterReader::add(const CounterName &Name, std::optional<double> Scale,
                        StringRef Cell) {
  StringRef Text = Cell.trim(' ');
  if (Text.empty() || Text == "n/a")
    return;
  if (Text.consume_back("%")) {
    Text = Text.rtrim(' ');
    Scale = counterScale(Name, "%");
    if (!Scale)
      return error(Cell, "'" + Name.Name + "' cannot be in '%', only in " +
                             counterWords(Name));
  }
  const std::optional<double> Number = parseCounterNumber(Text);
  if (!Number)
    return error(Cell,
                 "'" + shown(Text) + "' is no number for '" + Name.Name + "'");
  if (!std::isfinite(*Number) || *Number < 0)
    return error(Cell, "'" + Name.Name + "' must be a finite number from 0");
  if (!Scale)
    return; // its unit is wrong, which was said
  const double Value = *Number * *Scale;
  if (infoOf(Name.Of).Unit == CounterUnit::Share && Value > MaxShare)
    return error(Cell, "'" + Name.Name + "' cannot be " + shortNumber(Value) +
                           " times the whole");
  if (!std::isfinite(Value))
    return error(Cell, "'" + Name.Name + "' must be a finite number from 0");

  Seen &Before = Now[size_t(Name.Of)];
  if (Before.Number == this->Number) {
    // Sections repeat metrics; another name of the counter is no second value.
    if (Before.Name == &Name && Before.Value != Value)
      error(Cell,
            "a second value for '" + Name.Name +
                "' of this launch; the first is in line " +
                Twine(Diags.lineAndColumn(Rows.placeOf(Before.Cell)).first));
    return;
  }
  Before = {this->Number, &Name, Value, Cell};
  if (!IsAsked)
    return;
  CounterValue &Sum = Result[Group].add(Name.Of);
  if (Sum.Launches == 0) {
    Sum.Name = &Name;
    Sum.Place = Rows.placeOf(Cell);
  }
  Sum.Value += Value;
  ++Sum.Launches;
}

/// A row of numbers.
void CounterReader::readLaunch() {
  begin(1);
  for (auto [C, Cell] : llvm::zip(Columns, Row))
    if (C.Name)
      add(*C.Name, C.Scale, Cell);
}

/// A row of one metric of one launch.
void CounterReader::readMetric() {
  const StringRef Metric = cell(CounterRole::Metric);
  if (Metric.empty())
    return; // advice
  std::string Key =
      (cell(CounterRole::Process) + "," + cell(CounterRole::Launch)).str();
  if (Key != LaunchKey || Number == 0 || groupOfRow() != Group) {
    LaunchKey = std::move(Key);
    begin(1);
  }
  const CounterName *Name = findCounterName(Metric);
  if (!Name)
    return noteUnknown(Metric);
  const StringRef Word = cell(CounterRole::Unit);
  const std::optional<double> Scale = counterScale(*Name, Word);
  if (!Scale)
    error(Word, "'" + Metric + "' cannot be in '" + shown(Word) +
                    "', only in " + counterWords(*Name));
  add(*Name, Scale, cell(CounterRole::Value));
}

/// A row of one metric's mean over the launches.
void CounterReader::readMean() {
  const StringRef Metric = cell(CounterRole::Metric),
                  Text = cell(CounterRole::Launches);
  const size_t Of = groupOfRow();
  uint64_t Launches = 0;
  if (Text.getAsInteger(10, Launches) || Launches == 0)
    error(Text, "'" + shown(Text) + "' is no number of launches");
  // Rows of another kernel may stand between those of one.
  KernelCounters &K = Result[Of];
  Group = Of;
  Number = Of + 1;
  IsAsked = true;
  K.Launches = std::max(K.Launches, Launches);
  const CounterName *Name = findCounterName(Metric);
  if (!Name)
    return noteUnknown(Metric);
  const CounterValue *Before = K[Name->Of];
  if (!Before)
    return add(*Name, counterScale(*Name, ""), cell(CounterRole::Value));
  if (Before->Name != Name)
    return;
  // Once more, to see whether it is the same.
  Now[size_t(Name->Of)] = {Number, Name, Before->Value,
                           StringRef(Before->Place.getPointer(), 0)};
  add(*Name, counterScale(*Name, ""), cell(CounterRole::Value));
}

void CounterReader::finish() {
  llvm::erase_if(Result,
                 [](const KernelCounters &K) { return K.Launches == 0; });
  for (KernelCounters &K : Result) {
    for (CounterValue &V : K.Values) {
      V.Value /= double(V.Launches);
      if (Form == CounterForm::Nvprof)
        V.Launches = K.Launches;
      else if (V.Launches != K.Launches)
        Diags.error(V.Place, "'" + V.Name->Name + "' is there of only " +
                                 Twine(V.Launches) + " of " +
                                 Twine(K.Launches) + " launches" +
                                 (K.Kernel.empty() ? "" : " of ") +
                                 shown(K.Kernel));
    }
  }
  if (Unknown.size() > MaxUnknownShown)
    Diags.note(SMLoc(), Twine(Unknown.size() - MaxUnknownShown) +
                            " more metrics are "
                            "not used");
  if (Diags.hasErrors())
    return;
  if (Number == 0)
    Diags.error(SMLoc(), "the file has no launch of a kernel");
  else if (Result.empty())
    Diags.error(SMLoc(), "--launch-index=" + Twine(*LaunchIndex) +
                             ": no kernel has so many launches in this file; "
                             "the first is 0");
  else if (llvm::all_of(Result, [](const KernelCounters &K) {
             return K.Values.empty();
           }))
    Diags.error(SMLoc(), "no metric of the file is a counter");
}

void CounterReader::read() {
  if (!takeRow()) {
    if (!Diags.hasErrors())
      Diags.error(SMLoc(), "the file is empty");
    return;
  }
  if (!readHeading())
    return;
  bool IsFirst = true;
  while (takeRow()) {
    const bool MayBeUnits = std::exchange(IsFirst, false);
    if (Form == CounterForm::Nvprof && Row.size() > 2 && Row[0] == "Device" &&
        Row[1] == "Kernel") {
      if (!readHeading())
        return;
      continue;
    }
    if (Row.size() != Columns.size()) {
      Diags.error(startOf(Line), "this row has " + Twine(Row.size()) +
                                     " cells, the heading " +
                                     Twine(Columns.size()));
      continue;
    }
    switch (Form) {
    case CounterForm::NcuWide:
      if (MayBeUnits && cell(CounterRole::Kernel).empty() &&
          cell(CounterRole::Launch).empty()) {
        readUnits();
        break;
      }
      [[fallthrough]];
    case CounterForm::Plain:
      readLaunch();
      break;
    case CounterForm::NcuLong:
      readMetric();
      break;
    case CounterForm::Nvprof:
      readMean();
      break;
    }
  }
  finish();
}

bool ptxpredict::readCounters(DiagnosticEngine &Diags,
                              std::optional<uint64_t> LaunchIndex,
                              std::vector<KernelCounters> &Result) {
  CounterReader(Diags, LaunchIndex, Result).read();
  return Diags.hasErrors();
}

StringRef ptxpredict::profiledDeviceName(StringRef Written) {
  StringRef Name = Written;
  if (!Name.consume_back(")"))
    return Written;
  return Name.rtrim("0123456789").drop_back().rtrim();
}
