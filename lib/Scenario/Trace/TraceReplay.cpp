//===- TraceReplay.cpp - What each operation of a trace waits for ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Scenario/Trace/TraceReplay.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <queue>
#include <set>

using namespace ptxpredict;

namespace {

/// The smallest first.
template <typename T>
using Smallest = std::priority_queue<T, std::vector<T>, std::greater<T>>;

/// How many operations run at once, asked in the order of their starts.
class Concurrency {
public:
  void add(const TraceOperation &O) {
    while (!Ends.empty() && Ends.top() <= O.StartNs)
      Ends.pop();
    Ends.push(O.endNs());
    Most = std::max(Most, unsigned(Ends.size()));
  }
  unsigned most() const { return Most; }

private:
  Smallest<int64_t> Ends;
  unsigned Most = 0;
};

/// A stream of the trace, as one or several that do not overlap themselves.
struct TraceStream {
  std::vector<uint32_t> Parts;                 ///< indices of streams
  Smallest<std::pair<int64_t, uint32_t>> Busy; ///< end, and which part
  std::set<uint32_t> Free;                     ///< parts
};

class ReplayPlanner {
public:
  ReplayPlanner(const NsysTrace &Trace, ArrayRef<uint32_t> Indices,
                int64_t OriginNs)
      : Trace(Trace), Indices(Indices), OriginNs(OriginNs) {}

  DeviceReplay plan();

private:
  const TraceOperation &operation(size_t Step) const {
    return Trace.Operations[Indices[Step]];
  }
  void findBlocking();
  void setStream(size_t Step);
  void setWait(size_t Step);
  void countConcurrent();

  const NsysTrace &Trace;
  ArrayRef<uint32_t> Indices;
  const int64_t OriginNs;
  DeviceReplay Result;
  llvm::DenseMap<uint64_t, TraceStream> Streams; ///< by context and stream
  bool HasContexts = false;                      ///< more than one
  std::vector<uint32_t> ByEnd;
  size_t NumEnded = 0; ///< of ByEnd: before the step at hand started
  /// The step before the one at hand in each stream.
  std::vector<uint32_t> LastOf;
};

} // namespace

static bool isPageableCopy(const TraceOperation &O) {
  return (O.Kind == TraceKind::HostToDevice &&
          O.Source == TraceMemory::Pageable) ||
         (O.Kind == TraceKind::DeviceToHost &&
          O.Destination == TraceMemory::Pageable);
}

void ReplayPlanner::findBlocking() {
  int64_t LastEnd = INT64_MIN;
  for (size_t N = 0; N != Indices.size(); ++N) {
    const TraceOperation &O = operation(N);
    if (isPageableCopy(O)) {
      const bool Alone =
          LastEnd <= O.StartNs &&
          (N + 1 == Indices.size() || operation(N + 1).StartNs >= O.endNs());
      Result.Steps[N].Blocks = Alone;
      Result.NumOverlappedPageable += !Alone;
    }
    LastEnd = std::max(LastEnd, O.endNs());
  }
}

void ReplayPlanner::setStream(size_t Step) {
  const TraceOperation &O = operation(Step);
  TraceStream &S = Streams[uint64_t(O.Context) << 32 | O.Stream];
  while (!S.Busy.empty() && S.Busy.top().first <= O.StartNs) {
    S.Free.insert(S.Busy.top().second);
    S.Busy.pop();
  }
  if (S.Free.empty()) {
    S.Free.insert(uint32_t(S.Parts.size()));
    std::string Name = HasContexts ? "c" + std::to_string(O.Context) + "_" : "";
    Name += "s" + std::to_string(O.Stream);
    if (!S.Parts.empty())
      Name += "_" + std::to_string(S.Parts.size() + 1);
    S.Parts.push_back(uint32_t(Result.Streams.size()));
    Result.Streams.push_back(std::move(Name));
    LastOf.push_back(ReplayStep::None);
  }
  const uint32_t Part = *S.Free.begin();
  S.Free.erase(S.Free.begin());
  S.Busy.emplace(O.endNs(), Part);
  Result.Steps[Step].Stream = S.Parts[Part];
}

void ReplayPlanner::setWait(size_t Step) {
  const TraceOperation &O = operation(Step);
  ReplayStep &S = Result.Steps[Step];
  while (NumEnded != ByEnd.size() && ByEnd[NumEnded] < Step &&
         operation(ByEnd[NumEnded]).endNs() <= O.StartNs)
    ++NumEnded;
  const uint32_t Before = LastOf[S.Stream];
  LastOf[S.Stream] = uint32_t(Step);
  S.GapStream = S.Stream;
  if (NumEnded == 0) {
    S.GapNs = O.StartNs - OriginNs;
    return;
  }
  uint32_t Cause = ByEnd[NumEnded - 1];
  // Of those that ended at the same time the one before it in its stream.
  if (Before != ReplayStep::None &&
      operation(Before).endNs() == operation(Cause).endNs())
    Cause = Before;
  S.GapNs = O.StartNs - operation(Cause).endNs();
  ReplayStep &C = Result.Steps[Cause];
  if (S.Blocks) {
    if (!C.Blocks)
      S.GapStream = C.Stream;
  } else if (!C.Blocks && Cause != Before) {
    S.WaitsFor = Cause;
    ++C.NumWaiters;
  }
}

void ReplayPlanner::countConcurrent() {
  Concurrency Kernels, Copies[3];
  for (uint32_t I : Indices) {
    const TraceOperation &O = Trace.Operations[I];
    switch (O.Kind) {
    case TraceKind::Kernel:
    case TraceKind::Fill:
    case TraceKind::WithinDevice:
      Kernels.add(O);
      break;
    case TraceKind::HostToDevice:
      Copies[0].add(O);
      break;
    case TraceKind::DeviceToHost:
      Copies[1].add(O);
      break;
    case TraceKind::PeerToPeer:
      Copies[2].add(O);
      break;
    case TraceKind::HostToHost:
    case TraceKind::Other:
      break;
    }
  }
  Result.MostKernels = Kernels.most();
  for (const Concurrency &C : Copies)
    Result.MostCopies = std::max(Result.MostCopies, C.most());
}

DeviceReplay ReplayPlanner::plan() {
  Result.Steps.resize(Indices.size());
  ByEnd.resize(Indices.size());
  for (size_t N = 0; N != Indices.size(); ++N) {
    Result.Steps[N].Operation = Indices[N];
    HasContexts |= operation(N).Context != operation(0).Context;
    ByEnd[N] = uint32_t(N);
  }
  llvm::stable_sort(ByEnd, [&](uint32_t A, uint32_t B) {
    return operation(A).endNs() < operation(B).endNs();
  });
  findBlocking();
  for (size_t N = 0; N != Indices.size(); ++N) {
    setStream(N);
    setWait(N);
  }
  countConcurrent();
  return std::move(Result);
}

DeviceReplay ptxpredict::planReplay(const NsysTrace &Trace,
                                    ArrayRef<uint32_t> Indices,
                                    int64_t OriginNs) {
  return ReplayPlanner(Trace, Indices, OriginNs).plan();
}
