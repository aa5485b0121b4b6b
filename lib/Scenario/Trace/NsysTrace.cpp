//===- NsysTrace.cpp - What GPUs did in a real run ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Trace/NsysTrace.h"
#include "Scenario/Trace/TraceNumbers.h"
#include "ptxpredict/Support/CSVFile.h"
#include "ptxpredict/Support/NameLists.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

namespace {

enum TraceColumn : unsigned {
  StartColumn,
  DurationColumn,
  GridXColumn,
  GridYColumn,
  GridZColumn,
  BlockXColumn,
  BlockYColumn,
  BlockZColumn,
  DynamicSharedColumn,
  BytesColumn,
  ThroughputColumn,
  SourceColumn,
  DestinationColumn,
  DeviceColumn,
  ContextColumn,
  StreamColumn,
  NameColumn,
  RegistersColumn,
  NumTraceColumns
};

} // namespace

static constexpr StringRef TraceColumnNames[NumTraceColumns] = {
    "Start",    "Duration", "GrdX",    "GrdY",  "GrdZ",       "BlkX",
    "BlkY",     "BlkZ",     "DymSMem", "Bytes", "Throughput", "SrcMemKd",
    "DstMemKd", "Device",   "Ctx",     "Strm",  "Name",       "Reg/Trd"};

/// Beyond it nothing is added to a time: 146 years.
static constexpr int64_t MaxTraceNs = int64_t(1) << 62;

StringRef ptxpredict::toString(TraceKind Kind) {
  static constexpr StringRef Names[] = {"kernel", "h2d", "d2h",  "d2d",
                                        "p2p",    "h2h", "fill", "other"};
  return Names[size_t(Kind)];
}

int64_t NsysTrace::firstNs() const {
  return Operations.empty() ? 0 : Operations.front().StartNs;
}

int64_t NsysTrace::lastNs() const {
  int64_t Last = firstNs();
  for (const TraceOperation &O : Operations)
    Last = std::max(Last, O.endNs());
  return Last;
}

static std::optional<unsigned> findTraceColumn(StringRef Name) {
  if (Name == "Thru")
    return ThroughputColumn;
  const auto *At = llvm::find(TraceColumnNames, Name);
  if (At == std::end(TraceColumnNames))
    return std::nullopt;
  return unsigned(At - std::begin(TraceColumnNames));
}

/// Whether \p Line, all of it, looks like the heading of the report.
static bool isTraceHeading(StringRef Line) {
  SmallVector<StringRef, 32> Cells;
  Line.split(Cells, ',', /*MaxSplit=*/64);
  bool HasStart = false;
  unsigned Known = 0;
  for (StringRef Cell : Cells)
    if (auto C = findTraceColumn(splitHeading(Cell).first)) {
      HasStart |= *C == StartColumn;
      ++Known;
    }
  return HasStart && Known > 2;
}

static StringRef firstLine(StringRef Text) {
  return Text.take_until([](char C) { return C == '\n' || C == '\r'; });
}

bool ptxpredict::hasNsysTrace(StringRef Text) {
  while (!Text.empty()) {
    if (isTraceHeading(firstLine(Text)))
      return true;
    Text = Text.split('\n').second;
  }
  return false;
}

/// Whether \p Line is what nsys prints before or between tables.
static bool isBetweenTables(StringRef Line) {
  Line = Line.ltrim();
  return Line.starts_with("Processing [") || Line.starts_with("** ") ||
         Line.starts_with("NOTICE:") || Line.starts_with("SKIPPED:");
}

static TraceMemory memoryOf(StringRef Text) {
  if (Text == "Pageable")
    return TraceMemory::Pageable;
  if (Text == "Pinned")
    return TraceMemory::Pinned;
  if (Text.starts_with("Device") || Text == "Array")
    return TraceMemory::Device;
  if (Text.starts_with("Managed"))
    return TraceMemory::Managed;
  return TraceMemory::Unknown;
}

/// Names are those of nsys of all years: "[CUDA memcpy HtoD]", "[CUDA memcpy
/// Host-to-Device]", "[CUDA Unified Memory memcpy HtoD]", "[CUDA memcpy Unified
/// Host-to-Device]", "[CUDA memset]".
static TraceKind kindOf(StringRef Name) {
  if (!Name.consume_front("[CUDA ") || !Name.consume_back("]"))
    return TraceKind::Kernel;
  if (Name == "memset")
    return TraceKind::Fill;
  StringRef Way = Name.rsplit(' ').second;
  std::string Short; // "HtoD"
  if (auto [From, To] = Way.split("-to-"); !From.empty() && !To.empty())
    Short = (From.take_front() + "to" + To.take_front()).str();
  else
    Short = Way.str();
  if (Short.size() != 4 || StringRef(Short).substr(1, 2) != "to")
    return TraceKind::Other;
  // An array lies in device memory.
  const char From = Short[0] == 'A' ? 'D' : Short[0];
  const char To = Short[3] == 'A' ? 'D' : Short[3];
  if (From == 'H' && To == 'D')
    return TraceKind::HostToDevice;
  if (From == 'D' && To == 'H')
    return TraceKind::DeviceToHost;
  if (From == 'D' && To == 'D')
    return TraceKind::WithinDevice;
  if (From == 'P' && To == 'P')
    return TraceKind::PeerToPeer;
  if (From == 'H' && To == 'H')
    return TraceKind::HostToHost;
  return TraceKind::Other;
}

/// The roundest whole number, in binary, from \p Least to \p Most; where there
/// is none, what lies between them.
static double wholeBytes(double Least, double Most) {
  for (int Power = 62; Power >= 0; --Power) {
    const double Step = std::ldexp(1.0, Power);
    const double Number = std::ceil(std::max(Least, 0.0) / Step) * Step;
    if (Number <= Most)
      return Number;
  }
  return std::max(Least / 2 + Most / 2, 0.0);
}

namespace {

class NsysTraceReader {
public:
  NsysTraceReader(DiagnosticEngine &Diags, NsysTrace &Result)
      : Diags(Diags), Rows(Diags.text(), Diags), Result(Result) {}

  void read();

private:
  bool findHeading();
  void readHeading();
  void readRow();
  void readTimes(TraceOperation &O);
  void readShape(TraceOperation &O);
  void readBytes(TraceOperation &O);
  uint32_t nameOf(StringRef Text);
  uint32_t deviceOf(StringRef Text);

  /// The cell of a column, without blanks; empty where there is none.
  StringRef cell(TraceColumn C) const {
    return At[C] < 0 ? StringRef() : Cells[size_t(At[C])].trim();
  }
  bool has(TraceColumn C) const { return At[C] >= 0; }
  void error(TraceColumn C, const Twine &Message) {
    Diags.error(Rows.placeOf(Cells[size_t(At[C])]), Message);
  }
  /// A whole number; 0 of an empty cell, and on error (reported).
  uint32_t number(TraceColumn C, StringRef What);
  /// A number in the column's unit; nothing of an empty cell, and on error
  /// (reported).
  std::optional<DecimalCell> quantity(TraceColumn C, StringRef What);
  void sortOperations();
  void undoRounding();
  void sortDevices();

  DiagnosticEngine &Diags;
  CSVRows Rows;
  NsysTrace &Result;
  CSVRows::Row Cells;
  SMLoc RowPlace;
  size_t NumColumns = 0;
  std::array<int, NumTraceColumns> At{};      ///< -1: there is none
  std::array<double, NumTraceColumns> Unit{}; ///< ns, B or B/s
  /// What starts and durations are rounded to, in ns.
  double StartStep = HUGE_VAL, DurationStep = HUGE_VAL;
  llvm::StringMap<uint32_t> Names, Devices;
  std::vector<bool> WarnedOf; ///< by name
};

} // namespace

bool NsysTraceReader::findHeading() {
  while (!Rows.atEnd()) {
    StringRef Rest = Rows.rest();
    if (isTraceHeading(firstLine(Rest)))
      return true;
    Rows.skipLine();
  }
  Diags.error(SMLoc::getFromPointer(Diags.text().data()),
              "no line has the columns Start, Duration and Name: 'nsys stats "
              "--report cuda_gpu_trace --format csv FILE.nsys-rep' writes a "
              "trace");
  return false;
}

void NsysTraceReader::readHeading() {
  if (!Rows.take(Cells))
    return;
  NumColumns = Cells.size();
  At.fill(-1);
  Unit.fill(1);
  for (size_t N = 0; N != Cells.size(); ++N) {
    auto [Name, UnitName] = splitHeading(Cells[N]);
    std::optional<unsigned> C = findTraceColumn(Name);
    if (!C)
      continue;
    SMLoc Place = Rows.placeOf(Cells[N]);
    if (At[*C] >= 0)
      Diags.error(Place, "there are two columns '" + Name + "'");
    At[*C] = int(N);
    std::optional<double> U;
    if (*C == StartColumn || *C == DurationColumn)
      U = nanosecondsOf(UnitName.empty() ? "ns" : UnitName);
    else if (*C == DynamicSharedColumn || *C == BytesColumn)
      U = bytesOf(UnitName.empty() ? "B" : UnitName);
    else if (*C == ThroughputColumn) {
      // "MBps", "MB/s"; without a unit in MB, as 2021.1 says of its column.
      (void)(UnitName.consume_back("/s") || UnitName.consume_back("ps"));
      U = bytesOf(UnitName.empty() ? "MB" : UnitName);
    } else
      continue;
    if (!U)
      Diags.error(Place, "the unit '" + UnitName + "' of column '" + Name +
                             "' is not known");
    else
      Unit[*C] = *U;
  }
  for (TraceColumn C : {StartColumn, DurationColumn, NameColumn})
    if (At[C] < 0)
      Diags.error(Rows.placeOf(Cells.front()),
                  "the heading has no column '" + TraceColumnNames[C] + "'");
}

uint32_t NsysTraceReader::number(TraceColumn C, StringRef What) {
  StringRef Text = cell(C);
  uint32_t Value = 0;
  if (!Text.empty() && Text.getAsInteger(10, Value))
    error(C, What + " must be a whole number");
  return Value;
}

std::optional<DecimalCell> NsysTraceReader::quantity(TraceColumn C,
                                                     StringRef What) {
  StringRef Text = cell(C);
  if (Text.empty())
    return std::nullopt;
  std::optional<DecimalCell> D = readDecimalCell(Text);
  if (D && D->Value >= 0 && D->Value <= double(MaxTraceNs))
    return D;
  error(C, What + " must be a number that is not negative");
  return std::nullopt;
}

void NsysTraceReader::readTimes(TraceOperation &O) {
  auto Read = [&](TraceColumn C, StringRef What, double &Step) -> int64_t {
    StringRef Text = cell(C);
    if (Text.empty()) {
      error(C, "this row has no " + What);
      return 0;
    }
    std::optional<DecimalCell> D = readDecimalCell(Text);
    std::optional<int64_t> Ns =
        D ? wholeUnits(*D, Unit[C], MaxTraceNs / 2) : std::nullopt;
    if (!Ns) {
      error(C, What + " must be a number of at most 73 years");
      return 0;
    }
    Step = std::min(Step, Unit[C] * D->Step);
    return *Ns;
  };
  O.StartNs = Read(StartColumn, "start", StartStep);
  O.DurationNs = Read(DurationColumn, "duration", DurationStep);
  if (O.DurationNs < 0)
    error(DurationColumn, "a duration must not be negative");
}

void NsysTraceReader::readShape(TraceOperation &O) {
  for (unsigned D = 0; D != 3; ++D) {
    O.Grid[D] = number(TraceColumn(GridXColumn + D), "a grid's extent");
    O.Block[D] = number(TraceColumn(BlockXColumn + D), "a block's extent");
  }
  O.Registers = number(RegistersColumn, "a number of registers");
  if (auto D = quantity(DynamicSharedColumn, "dynamic shared memory")) {
    const double Bytes = D->Value * Unit[DynamicSharedColumn];
    const double Off = D->Step * Unit[DynamicSharedColumn] / 2;
    O.DynamicShared = wholeBytes(Bytes - Off, Bytes + Off);
  }
}

void NsysTraceReader::readBytes(TraceOperation &O) {
  auto Bytes = quantity(BytesColumn, "a number of bytes");
  auto Rate = quantity(ThroughputColumn, "a throughput");
  if (!Bytes)
    return;
  const double Printed = Bytes->Value * Unit[BytesColumn];
  const double Off = Bytes->Step * Unit[BytesColumn] / 2;
  double Least = Printed - Off, Most = Printed + Off;
  constexpr int64_t NsPerSecond = 1000000000;
  if (Rate && O.DurationNs > 0 && O.DurationNs <= NsPerSecond && Off >= 1) {
    const int64_t PerSecond = NsPerSecond / O.DurationNs; // as nsys has it
    const auto PerByte = double(PerSecond);
    const double Exact = Rate->Value * Unit[ThroughputColumn] / PerByte;
    const double ExactOff = Rate->Step * Unit[ThroughputColumn] / PerByte / 2;
    const double Low = std::max(Least, Exact - ExactOff);
    const double High = std::min(Most, Exact + ExactOff);
    if (Low <= High) { // else it is of another kind
      Least = Low;
      Most = High;
    }
  }
  O.Bytes = wholeBytes(Least, Most);
}

uint32_t NsysTraceReader::nameOf(StringRef Text) {
  auto [It, New] = Names.try_emplace(Text, uint32_t(Result.Names.size()));
  if (New)
    Result.Names.push_back(Text.str());
  return It->second;
}

uint32_t NsysTraceReader::deviceOf(StringRef Text) {
  auto [It, New] = Devices.try_emplace(Text, uint32_t(Result.Devices.size()));
  if (New) {
    TraceDevice D;
    D.Text = Text.str();
    StringRef Number = Text;
    if (Number.consume_back(")") &&
        Number.rsplit('(').second.getAsInteger(10, D.Number))
      D.Number = 0;
    Result.Devices.push_back(std::move(D));
  }
  return It->second;
}

void NsysTraceReader::readRow() {
  TraceOperation O;
  StringRef Name = cell(NameColumn);
  if (Name.empty())
    error(NameColumn, "this row has no name");
  O.Name = nameOf(Name);
  O.Place = Rows.placeOf(Cells[size_t(At[NameColumn])]);
  O.Kind = kindOf(Name);
  WarnedOf.resize(Result.Names.size());
  if (O.Kind == TraceKind::Other && !WarnedOf[O.Name]) {
    WarnedOf[O.Name] = true;
    Diags.warning(Rows.placeOf(Cells[size_t(At[NameColumn])]),
                  "nothing is known of '" + Name +
                      "': it takes its time and uses nothing");
  }
  readTimes(O);
  if (O.Kind == TraceKind::Kernel)
    readShape(O);
  else
    readBytes(O);
  O.Source = memoryOf(cell(SourceColumn));
  O.Destination = memoryOf(cell(DestinationColumn));
  O.Device = deviceOf(cell(DeviceColumn));
  O.Context = number(ContextColumn, "a context");
  O.Stream = number(StreamColumn, "a stream");
  Result.Operations.push_back(O);
}

void NsysTraceReader::sortOperations() {
  llvm::stable_sort(Result.Operations, [](const TraceOperation &A,
                                          const TraceOperation &B) {
    return std::pair(A.StartNs, A.endNs()) < std::pair(B.StartNs, B.endNs());
  });
}

void NsysTraceReader::undoRounding() {
  // nsys counts in nanoseconds: what is printed finer is not rounded.
  auto RoundedBy = [](double Step) { return Step > 1 ? Step : 0; };
  const double Rounded = RoundedBy(StartStep) + RoundedBy(DurationStep);
  if (Rounded == 0)
    return;
  const auto Slack = int64_t(std::min(std::ceil(Rounded), 1e18));
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, int64_t> LastEnd;
  for (TraceOperation &O : Result.Operations) {
    auto [It, New] = LastEnd.try_emplace(
        {uint64_t(O.Context) << 32 | O.Stream, O.Device}, O.endNs());
    if (!New && O.StartNs < It->second && It->second - O.StartNs <= Slack)
      O.StartNs = It->second;
    It->second = std::max(It->second, O.endNs());
  }
  sortOperations();
}

void NsysTraceReader::sortDevices() {
  const size_t Count = Result.Devices.size();
  std::vector<uint32_t> Order(Count), Place(Count);
  for (size_t N = 0; N != Count; ++N)
    Order[N] = uint32_t(N);
  llvm::sort(Order, [&](uint32_t A, uint32_t B) {
    const TraceDevice &DA = Result.Devices[A], &DB = Result.Devices[B];
    return std::tie(DA.Number, DA.Text) < std::tie(DB.Number, DB.Text);
  });
  std::vector<TraceDevice> Sorted;
  Sorted.reserve(Count);
  for (size_t N = 0; N != Count; ++N) {
    Sorted.push_back(std::move(Result.Devices[Order[N]]));
    Place[Order[N]] = uint32_t(N);
  }
  Result.Devices = std::move(Sorted);
  for (TraceOperation &O : Result.Operations)
    O.Device = Place[O.Device];
}

void NsysTraceReader::read() {
  if (!findHeading())
    return;
  const StringRef Heading = Rows.rest();
  readHeading();
  if (Diags.hasErrors())
    return;
  while (!Rows.atEnd() && Diags.numErrors() < DiagnosticEngine::MaxErrors) {
    const StringRef Line = Rows.rest();
    if (Line.front() == '\n' || Line.front() == '\r') {
      Rows.skipLine();
      continue;
    }
    if (isBetweenTables(Line.take_front(64)))
      break;
    if (!Rows.take(Cells))
      return;
    if (Cells.size() == NumColumns)
      readRow();
    else
      Diags.error(SMLoc::getFromPointer(Line.data()),
                  "this row has " + Twine(Cells.size()) +
                      " cells, the heading " + Twine(NumColumns));
  }
  if (Diags.hasErrors())
    return;
  if (Result.Operations.empty())
    Diags.error(SMLoc::getFromPointer(Heading.data()),
                "the trace has no operation");
  sortOperations();
  undoRounding();
  sortDevices();
}

bool ptxpredict::readNsysTrace(DiagnosticEngine &Diags, NsysTrace &Result) {
  NsysTraceReader(Diags, Result).read();
  return Diags.hasErrors();
}
