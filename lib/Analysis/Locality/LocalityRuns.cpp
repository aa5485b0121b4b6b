//===- LocalityRuns.cpp - What requests in a row touch --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Straight code has no iterations whose working sets could say how far apart
// its touches of one sector lie. Windows of requests can: as P. J. Denning and
// S. C. Schwartz, "Properties of the working-set model", CACM 15(3), 1972.
//===----------------------------------------------------------------------===//
#include "LocalityRuns.h"
#include "LocalityImpl.h"
#include <algorithm>
#include <map>

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// More would cost too much.
static constexpr size_t MaxRequests = 1024;

/// Of one instance that has the records \p Of. Nothing where they may lie
/// anywhere or are too many; O(n log n) unions. With \p AreApart no two
/// requests touch the same: then those of one say all.
std::optional<std::vector<RequestRun>>
LocalityFinder::findRuns(ArrayRef<unsigned> Of, bool OfAllWarps,
                         unsigned Inside, Direction D, bool AreApart) {
  struct Request {
    const LocalityRecord *R;
    StridedRegions Boxes;
  };
  // Those of one access are one, in the order of the code.
  std::map<unsigned, SmallVector<Request, 1>> ByAccess;
  for (unsigned N : Of) {
    const LocalityRecord &R = Records.Records[N];
    if (D == Direction::Reads && !Records.Accesses[R.Access].Reads)
      continue;
    if (R.IsLoose)
      return std::nullopt;
    if (R.IsLikely)
      ByAccess[R.Access].push_back({&R, boxesOf(R, OfAllWarps, Inside)});
  }
  if (ByAccess.size() > MaxRequests)
    return std::nullopt;
  std::vector<ArrayRef<Request>> Requests;
  Requests.reserve(ByAccess.size());
  for (const auto &[Access, All] : ByAccess)
    Requests.emplace_back(All);

  auto Count = [&](size_t First, size_t End) {
    TouchedSet Set(Records, Arrays, Extents);
    for (ArrayRef<Request> All : ArrayRef(Requests).slice(First, End - First))
      for (const Request &X : All)
        Set.add(Arrays[X.R->Access], *X.R, X.Boxes);
    return Set.sectors(D, BudgetOfRuns).Value;
  };
  std::vector<RequestRun> Runs;
  const size_t Longest = AreApart ? 2 : Requests.size();
  for (size_t Length = 1; Length < Longest; Length *= 2) {
    RequestRun Run;
    double Before = 0, Full = 0;
    for (size_t First = 0; First < Requests.size(); First += Length) {
      const size_t End = std::min(First + Length, Requests.size());
      const double Here = Count(First, End);
      if (End == First + Length) {
        Run.Unique += Here;
        ++Full;
      }
      Run.Fresh += First == 0
                       ? Here
                       : std::max(0.0, Count(First - Length, End) - Before);
      Before = Here;
    }
    Run.Unique /= Full;
    Runs.push_back(Run);
    if (BudgetOfRuns == 0)
      return std::nullopt;
  }
  return Runs;
}

void MeanRuns::add(double Instances, double Unique,
                   const std::optional<std::vector<RequestRun>> &Runs) {
  IsLost |= !Runs;
  if (IsLost)
    return;
  Sums.resize(std::max(Sums.size(), Runs->size()), Whole);
  for (size_t N = 0; N != Sums.size(); ++N) {
    const RequestRun R =
        N < Runs->size() ? (*Runs)[N] : RequestRun{Unique, Unique};
    Sums[N].Unique += R.Unique * Instances;
    Sums[N].Fresh += R.Fresh * Instances;
  }
  Whole.Unique += Unique * Instances;
  Whole.Fresh += Unique * Instances;
  Number += Instances;
}

std::vector<RequestRun> MeanRuns::take() {
  if (IsLost)
    return {};
  for (RequestRun &R : Sums) {
    R.Unique /= Number;
    R.Fresh /= Number;
  }
  return std::move(Sums);
}
