//===- ScenarioFromTrace.cpp - A scenario that replays a trace ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Trace/ScenarioFromTrace.h"
#include "Scenario/Trace/TraceKernels.h"
#include "Scenario/Trace/TraceNumbers.h"
#include "Scenario/Trace/TraceReplay.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace ptxpredict;

/// The variable that is the time of a launch.
static constexpr StringRef LaunchTime = "us";
/// What a scenario may ask for: the most resident grids that any GPU has
/// (CUDA C++ Programming Guide, table of technical specifications).
static constexpr unsigned MostConcurrent = 128;
/// Runs of more lines than that are not looked for.
static constexpr size_t MostRepeatedLines = 32;

/// \p Text as the rest of a comment: printable ASCII on one line, cut where it
/// is very long.
static std::string commentText(StringRef Text) {
  constexpr size_t MostCharacters = 300;
  std::string Result;
  for (char C : printable(Text.take_front(MostCharacters)))
    if (llvm::isPrint(C))
      Result += C;
    else
      Result += "\\x" + llvm::toHex(StringRef(&C, 1), /*LowerCase=*/true);
  return Text.size() > MostCharacters ? Result + "..." : Result;
}

/// A glob that only \p Name matches.
static std::string asGlob(StringRef Name) {
  std::string Result;
  for (char C : Name) {
    if (StringRef("*?[]{}\\").contains(C))
      Result += '\\';
    Result += C;
  }
  return Result;
}

static std::string extents(const std::array<uint32_t, 3> &E) {
  return "[" + std::to_string(E[0]) + ", " + std::to_string(E[1]) + ", " +
         std::to_string(E[2]) + "]";
}

namespace {

/// Lines of a list of operations, in which runs are written as `repeat`.
class OperationLines {
public:
  void add(StringRef Line) {
    auto [It, New] = Numbers.try_emplace(Line, uint32_t(Texts.size()));
    if (New)
      Texts.push_back(It->first());
    Lines.push_back(It->second);
  }
  /// Each line behind \p Indent.
  void print(raw_ostream &OS, StringRef Indent) const;

private:
  /// How many lines from \p Begin on are what stands \p Period before.
  size_t sameAsBefore(size_t Begin, size_t Period) const {
    size_t N = Begin;
    while (N != Lines.size() && Lines[N] == Lines[N - Period])
      ++N;
    return N - Begin;
  }

  llvm::StringMap<uint32_t> Numbers;
  std::vector<StringRef> Texts;
  std::vector<uint32_t> Lines;
};

class ScenarioWriter {
public:
  ScenarioWriter(const NsysTrace &Trace, const TraceScenarioOptions &Options)
      : Trace(Trace), Options(Options), Kernels(collectKernels(Trace, Options)),
        OS(Result.Text) {}

  TraceScenario write();

private:
  void planDevices();
  void writeHead();
  void writeKernels();
  void writeKernel(const TraceKernel &K);
  void writeDevice(size_t Device);
  std::string line(const DeviceReplay &R, const ReplayStep &S,
                   size_t Device) const;

  const NsysTrace &Trace;
  const TraceScenarioOptions &Options;
  const TraceKernels Kernels;
  std::vector<DeviceReplay> Replays;
  TraceScenario Result;
  llvm::raw_string_ostream OS;
};

} // namespace

void OperationLines::print(raw_ostream &OS, StringRef Indent) const {
  for (size_t At = 0; At != Lines.size();) {
    size_t Period = 0, Covered = 0;
    for (size_t P = 1; P <= MostRepeatedLines && At + 2 * P <= Lines.size();
         ++P) {
      const size_t Same = sameAsBefore(At + P, P) / P * P;
      // The repetition itself takes some lines as well.
      if (Same > 2 && Same > Covered) {
        Covered = Same;
        Period = P;
      }
    }
    if (Period == 0) {
      OS << Indent << "- " << Texts[Lines[At]] << '\n';
      ++At;
      continue;
    }
    OS << Indent << "- repeat:\n"
       << Indent << "    times: " << Covered / Period + 1 << '\n'
       << Indent << "    do:\n";
    for (size_t N = 0; N != Period; ++N)
      OS << Indent << "    - " << Texts[Lines[At + N]] << '\n';
    At += Covered + Period;
  }
}

void ScenarioWriter::planDevices() {
  std::vector<std::vector<uint32_t>> OfDevice(Trace.Devices.size());
  for (size_t N = 0; N != Trace.Operations.size(); ++N)
    OfDevice[Trace.Operations[N].Device].push_back(uint32_t(N));
  Replays.reserve(OfDevice.size());
  for (const std::vector<uint32_t> &Indices : OfDevice) {
    const DeviceReplay &R =
        Replays.emplace_back(planReplay(Trace, Indices, Trace.firstNs()));
    Result.ConcurrentKernels = std::max(
        Result.ConcurrentKernels, std::min(R.MostKernels, MostConcurrent));
    Result.ConcurrentCopies = std::max(Result.ConcurrentCopies, R.MostCopies);
    Result.NumOverlappedPageable += R.NumOverlappedPageable;
  }
}

void ScenarioWriter::writeHead() {
  OS << "# From a trace of " << plural(Result.NumOperations, "operation")
     << " on " << plural(Trace.Devices.size(), "GPU") << " that took "
     << secondsText(Trace.lastNs() - Trace.firstNs()) << " s.\n";
  if (Result.ConcurrentCopies > 1)
    OS << "# Up to " << Result.ConcurrentCopies
       << " copies in one direction ran at once: give the GPUs as many "
          "copy_engines.\n";
  if (Result.NumOverlappedPageable != 0)
    OS << "# Pageable copies that overlapped other operations, and are written "
          "as asynchronous ones: "
       << Result.NumOverlappedPageable << ".\n";
  OS << "schema: ptx-predict/scenario\nversion: 1\nname: "
     << quoteYAML(printable(Options.Name)) << '\n';
  if (!Options.System.empty())
    OS << "system: " << quoteYAML(Options.System) << '\n';
  OS << "concurrent_kernels: " << Result.ConcurrentKernels << '\n';
  OS << "launch_us: 0 # the trace's gaps have it\n";
}

void ScenarioWriter::writeKernel(const TraceKernel &K) {
  const TraceOperation &O = *K.First;
  OS << "  # " << commentText(Trace.Names[O.Name]) << "\n  # ";
  if (O.Grid[0] != 0)
    OS << "grid " << extents(O.Grid) << ", block " << extents(O.Block) << ", ";
  OS << "launches: " << K.Launches << ", of " << microsecondsText(K.ShortestNs)
     << " to " << microsecondsText(K.LongestNs) << " us\n  " << K.Identifier
     << ": {";
  if (K.Code) {
    OS << "file: " << quoteYAML(K.Code->File)
       << ", kernel: " << quoteYAML(asGlob(K.Code->Kernel))
       << ", grid: " << extents(O.Grid) << ", block: " << extents(O.Block)
       << ", dynamic_smem: " << shortestDecimal(O.DynamicShared);
  } else if (!K.ByMean) {
    OS << "time_us: " << LaunchTime;
  } else if (K.ShortestNs == K.LongestNs) {
    OS << "time_us: " << microsecondsText(K.ShortestNs);
  } else {
    OS << "time_us: " << shortestDecimal(K.meanNs() / 1000);
  }
  OS << "}\n";
}

void ScenarioWriter::writeKernels() {
  if (Kernels.Kernels.empty())
    return;
  if (llvm::any_of(Kernels.Kernels,
                   [](const TraceKernel &K) { return !K.Code && !K.ByMean; }))
    OS << "variables:\n  " << LaunchTime
       << ": 0 # the time of a launch that says its own\n";
  OS << "kernels:\n";
  for (const TraceKernel &K : Kernels.Kernels)
    writeKernel(K);
}

std::string ScenarioWriter::line(const DeviceReplay &R, const ReplayStep &S,
                                 size_t Device) const {
  const TraceOperation &O = Trace.Operations[S.Operation];
  const std::string Stream = S.Blocks ? "" : ", stream: " + R.Streams[S.Stream];
  if (O.Kind == TraceKind::Kernel) {
    const TraceKernel &K = Kernels.Kernels[Kernels.Of[S.Operation]];
    std::string Line = "launch: {kernel: " + K.Identifier + Stream;
    if (!K.Code && !K.ByMean)
      Line += (", with: {" + LaunchTime + ": " +
               microsecondsText(O.DurationNs) + "}")
                  .str();
    return Line + "}";
  }
  const std::string Seconds = "seconds: " + secondsText(O.DurationNs);
  // They take nothing of the GPU.
  if (O.Kind == TraceKind::HostToHost || O.Kind == TraceKind::Other)
    return "delay: {" + Seconds + Stream + "}";
  std::string Line =
      toString(O.Kind).str() + ": {bytes: " + shortestDecimal(O.Bytes);
  if (O.Kind == TraceKind::PeerToPeer) {
    const size_t NumGPUs = std::max<size_t>(2, Trace.Devices.size());
    Line += ", to: " + std::to_string((Device + 1) % NumGPUs);
  }
  return Line + ", " + Seconds + Stream + "}";
}

void ScenarioWriter::writeDevice(size_t Device) {
  const DeviceReplay &R = Replays[Device];
  StringRef Indent = "  ";
  if (Replays.size() != 1) {
    Indent = "      ";
    OS << "  - if:\n      when: rank == " << Device << " # "
       << commentText(Trace.Devices[Device].Text) << "\n      then:\n";
  }
  // An event's name is used again when nobody waits for it any more.
  std::set<unsigned> FreeEvents;
  unsigned NumEvents = 0;
  struct OpenEvent {
    unsigned Number = 0;
    uint32_t Waiters = 0;
  };
  llvm::DenseMap<uint32_t, OpenEvent> Open; // by step
  OperationLines Lines;
  for (size_t N = 0; N != R.Steps.size(); ++N) {
    const ReplayStep &S = R.Steps[N];
    if (S.WaitsFor != ReplayStep::None) {
      auto It = Open.find(S.WaitsFor);
      Lines.add("wait: {event: e" + std::to_string(It->second.Number) +
                ", stream: " + R.Streams[S.Stream] + "}");
      if (--It->second.Waiters == 0) {
        FreeEvents.insert(It->second.Number);
        Open.erase(It);
      }
    }
    if (S.GapNs > 0)
      Lines.add("delay: {seconds: " + secondsText(S.GapNs) +
                ", stream: " + R.Streams[S.GapStream] + "}");
    Lines.add(line(R, S, Device));
    if (S.NumWaiters == 0)
      continue;
    if (FreeEvents.empty())
      FreeEvents.insert(++NumEvents);
    const unsigned Event = *FreeEvents.begin();
    FreeEvents.erase(FreeEvents.begin());
    Open[uint32_t(N)] = {Event, S.NumWaiters};
    Lines.add("event: {name: e" + std::to_string(Event) +
              ", stream: " + R.Streams[S.Stream] + "}");
  }
  Lines.print(OS, Indent);
}

TraceScenario ScenarioWriter::write() {
  Result.Seconds = Trace.seconds();
  Result.NumOperations = Trace.Operations.size();
  Result.NumKernels = Kernels.Kernels.size();
  for (const TraceKernel &K : Kernels.Kernels) {
    Result.NumKernelsByCode += K.Code != nullptr;
    Result.NumKernelsByMean += !K.Code && K.ByMean;
  }
  Result.NotMatched = Kernels.NotMatched;
  planDevices();
  writeHead();
  writeKernels();
  OS << "processes:\n- label: worker\n  count: " << Replays.size()
     << "\n  operations:\n";
  for (size_t N = 0; N != Replays.size(); ++N)
    writeDevice(N);
  OS.flush();
  return std::move(Result);
}

TraceScenario
ptxpredict::scenarioFromTrace(const NsysTrace &Trace,
                              const TraceScenarioOptions &Options) {
  return ScenarioWriter(Trace, Options).write();
}
