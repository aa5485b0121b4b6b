//===- LocalityAccesses.cpp - Strides and atomics of accesses -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LocalityImpl.h"
#include "ptxpredict/MemoryAccess/Collisions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

namespace {
/// A stride that all records of an access have, as far as they have one.
struct CommonStride {
  std::optional<int64_t> Stride;
  bool Differs = false;

  void note(int64_t V) {
    Differs |= Stride && *Stride != V;
    Stride = V;
  }
  std::optional<int64_t> get() const { return Differs ? std::nullopt : Stride; }
};
} // namespace

/// What the records of an access have in common.
struct counting::AccessSummary {
  std::array<CommonStride, 3> Blocks;
  CommonStride Warps;
  // For atomics: the requests and the distinct addresses that they name, and
  // how many of them meet at one address.
  double Requests = 0, Addresses = 0;
  double Hottest = 0, Least = 0, Sum = 0;
  // The same of lanes, and the bytes that they go to.
  double Lanes = 0, MostLanes = 0, HottestLanes = 0, SumOfLanes = 0,
         SumOfBytes = 0;
  int64_t First = INT64_MAX, Last = INT64_MIN;
  /// Where they are, of several records, which may overlap.
  StridedRegions Places;
  unsigned NumPlaced = 0; ///< records
  bool HasPlaces = true;  ///< Places are all of them
  ptxpredict::Status Status = Status::Known;
  bool IsLoose = false; ///< some of it may lie anywhere

  std::array<std::optional<int64_t>, 3>
  blockStrides(const LocalityRecords &Records) const;
  void addLoose(const LocalityRecord &R);
  void addStrides(const LocalityRecord &R, const LocalityNode &Blocks);
  Estimate addresses(bool IsKnown) const;
  Estimate hottest(bool IsKnown) const;
  Estimate hottestLanes(bool IsKnown, const RecordedAccess &A) const;
  double spreadBytes() const {
    return Last > First ? std::min(SumOfBytes, double(Last) - double(First))
                        : 0;
  }
  Estimate spread(bool IsKnown, const RecordedAccess &A) const;
};

void AccessSummary::addLoose(const LocalityRecord &R) {
  for (CommonStride &S : Blocks)
    S.Differs = true;
  Warps.Differs = true;
  if (!R.IsLikely)
    return;
  Requests += R.Requests;
  Addresses += R.Requests * std::max(R.Addresses, 1.0); // one each, at least
  IsLoose = true;
  Sum += R.Requests;
  Lanes += R.Requests * R.NumLanes * R.LaneShare;
  MostLanes += R.Requests * R.NumLanes;
  SumOfLanes += R.Requests * R.NumLanes;
}

/// The bytes from block to block along the launch's dimensions; where the grid
/// is taken apart, if the digits of an index agree.
std::array<std::optional<int64_t>, 3>
AccessSummary::blockStrides(const LocalityRecords &Records) const {
  const uint64_t Extents[] = {Records.Grid.X, Records.Grid.Y, Records.Grid.Z};
  std::array<std::optional<int64_t>, 3> Found;
  std::array<bool, 3> Seen{};
  for (unsigned N = 0; N != 3; ++N) {
    if (Extents[N] == 1)
      continue;
    const GridDigits::Axis A =
        Records.Digits ? Records.Digits->Axes[N] : GridDigits::Axis{N};
    std::optional<int64_t> Stride = Blocks[N].get();
    std::optional<int64_t> &Of = Found[A.Dimension];
    if (!Seen[A.Dimension]) // the lowest digit, of unit 1
      Of = Stride;
    else if (!Of || !Stride || *Stride != *Of * int64_t(A.Unit))
      Of = std::nullopt;
    Seen[A.Dimension] = true;
  }
  return Found;
}

/// The bytes from warp to warp, if it is one stride: one dimension, consecutive
/// bytes, or the same for all.
static std::optional<int64_t> warpStride(const LocalityRecord &R) {
  if (R.Shifts.size() != 1)
    return std::nullopt;
  const StridedRegion &B = R.Shifts[0];
  const auto Number = int64_t(R.NumWarps);
  int64_t Stride = 0;
  if (B.Dimensions.empty() && B.Length == 1)
    Stride = 0;
  else if (B.Dimensions.empty() && B.Length == Number)
    Stride = 1;
  else if (B.Dimensions.size() == 1 && B.Length == 1 &&
           B.Dimensions[0].Count == Number)
    Stride = B.Dimensions[0].Stride;
  else
    return std::nullopt;
  return B.Start < 0 ? -Stride : Stride;
}

void AccessSummary::addStrides(const LocalityRecord &R,
                               const LocalityNode &Node) {
  const uint64_t Extent[] = {Node.Grid.X, Node.Grid.Y, Node.Grid.Z};
  for (unsigned N = 0; N != 3; ++N) {
    Blocks[N].Differs |= R.IsGuess;
    if (Extent[N] > 1)
      Blocks[N].note(R.Strides[N]);
  }
  if (R.NumWarps <= 1)
    return;
  if (std::optional<int64_t> Stride = warpStride(R))
    Warps.note(*Stride);
  else
    Warps.Differs = true;
}

/// Adds an atomic's requests that meet wherever the record goes: where nothing
/// moves it.
void LocalityFinder::addAtomics(AccessSummary &S, unsigned Number) const {
  const LocalityRecord &R = Records.Records[Number];
  const unsigned BytesPerLane = Records.Accesses[R.Access].Bytes;
  const Dim3 &Grid = blocksOf(R).Grid;
  const uint64_t Extent[] = {Grid.X, Grid.Y, Grid.Z};
  S.Requests += R.Requests;
  S.Addresses += R.Requests * R.Addresses;
  StridedRegions All = InBlock[Number];
  for (StridedRegion &B : All)
    for (unsigned N = 0; N != 3; ++N)
      B.repeat(R.Strides[N], Extent[N]);
  unsigned Steps = std::min(Budget, 2000u);
  std::optional<uint64_t> Bytes = sizeOfUnion(All, Steps);
  // In the mean over the addresses that are touched.
  double Mean = Bytes && *Bytes
                    ? R.Requests * R.Addresses * BytesPerLane / double(*Bytes)
                    : 1;
  double Most = R.Requests;
  S.Least = std::max(S.Least, std::max(Mean, 1.0));
  // All addresses are alike where no dimension overlaps another in part.
  bool IsEven = Bytes &&
                double(*Bytes) * Mean ==
                    R.Requests * R.Addresses * double(BytesPerLane) &&
                (Mean == Most || Mean == 1);
  S.Hottest = std::max(S.Hottest, Mean);
  S.Sum += IsEven ? Mean : Most;
  const double Together = R.Addresses > 0 ? R.NumLanes / R.Addresses : 1;
  S.Lanes += R.Requests * R.NumLanes * R.LaneShare;
  S.MostLanes += R.Requests * R.NumLanes;
  S.HottestLanes = std::max(S.HottestLanes, Mean * Together * R.LaneShare);
  S.SumOfLanes += IsEven ? Mean * Together : R.Requests * R.NumLanes;
  int64_t First = INT64_MAX, Last = INT64_MIN;
  for (StridedRegion &B : All) {
    B.normalize();
    First = std::min(First, B.Start);
    Last = std::max(Last, B.Start + B.extent());
  }
  S.SumOfBytes += Bytes ? double(*Bytes) : double(Last) - double(First);
  constexpr size_t MostPlaces = 256;
  S.HasPlaces &= Bytes && S.Places.size() + All.size() <= MostPlaces;
  if (S.HasPlaces)
    S.Places.append(All.begin(), All.end());
  ++S.NumPlaced;
  S.First = std::min(S.First, First);
  S.Last = std::max(S.Last, Last);
}

/// Distinct addresses in a request.
Estimate AccessSummary::addresses(bool IsKnown) const {
  double Mean = Addresses / Requests;
  return IsKnown ? Estimate::known(Mean)
                 : Estimate(Mean,
                            IsLoose ? Status::Unknown
                                    : weakest(Status, Status::Assumed),
                            1, double(WarpSize));
}

/// Requests that meet at the address with most of them.
Estimate AccessSummary::hottest(bool IsKnown) const {
  double Value = std::max(Hottest, 1.0);
  double Low = IsKnown ? std::max(Least, 1.0) : 1;
  double High = std::max(Sum, Value);
  return IsKnown && Low == High
             ? Estimate::known(Value)
             : Estimate(Value, weakest(Status, Status::Estimated), Low, High);
}

/// Lanes that meet at the address with most of them. Where data choose it they
/// are taken to choose among all places alike.
Estimate AccessSummary::hottestLanes(bool IsKnown,
                                     const RecordedAccess &A) const {
  if (A.Places > 0) {
    const double Most = meanMost(Lanes, A.Places);
    return {Most, Status::Assumed, 1, std::max(MostLanes, Most)};
  }
  // Records may meet, and the union of one may be too long to count.
  const double Spread = spreadBytes();
  const double Mean = Spread > 0 && !IsLoose ? Lanes * A.Bytes / Spread : 1;
  const double Value = std::max({HottestLanes, Mean, 1.0});
  const double High = std::max(SumOfLanes, Value);
  return IsKnown && Value == High
             ? Estimate::known(Value)
             : Estimate(Value, weakest(Status, Status::Estimated), 1, High);
}

/// Bytes that all requests are spread over.
Estimate AccessSummary::spread(bool IsKnown, const RecordedAccess &A) const {
  const double All = Lanes * A.Bytes, MostOfAll = MostLanes * A.Bytes;
  if (A.Places > 0)
    return {std::min(A.Places * A.Bytes, All), Status::Assumed, double(A.Bytes),
            std::max(MostOfAll, double(A.Bytes))};
  if (IsLoose)
    return {All, Status::Unknown, double(A.Bytes), MostOfAll};
  const double Spread = std::max(spreadBytes(), double(A.Bytes));
  return IsKnown && HasPlaces && Spread == SumOfBytes
             ? Estimate::known(Spread)
             : Estimate(Spread, weakest(Status, Status::Estimated),
                        double(A.Bytes), std::max(MostOfAll, Spread));
}

void LocalityFinder::findAccesses() {
  using Key = std::pair<const Instruction *, unsigned>;
  llvm::DenseMap<Key, AccessSummary> Found;
  for (unsigned N = 0; N != Records.Records.size(); ++N) {
    const LocalityRecord &R = Records.Records[N];
    const RecordedAccess &A = Records.Accesses[R.Access];
    AccessSummary &S = Found[{A.I, A.Effect}];
    S.Status = weakest(S.Status, R.Status);
    if (R.IsLoose) {
      S.addLoose(R);
      continue;
    }
    S.addStrides(R, blocksOf(R));
    if ((A.IsAtomic || A.IsPastL1) && R.IsLikely)
      addAtomics(S, N);
  }
  llvm::SmallDenseSet<Key> Done;
  for (const RecordedAccess &A : Records.Accesses) {
    auto It = Found.find({A.I, A.Effect});
    if (It == Found.end() || !Done.insert({A.I, A.Effect}).second)
      continue;
    AccessSummary &S = It->second;
    if (S.NumPlaced > 1 && S.HasPlaces) {
      unsigned Steps = std::min(Budget, 2000u);
      std::optional<uint64_t> Bytes = sizeOfUnion(S.Places, Steps);
      S.HasPlaces = Bytes.has_value();
      S.SumOfBytes = Bytes ? double(*Bytes) : S.SumOfBytes;
    }
    AccessLocality &To = Result.Accesses.emplace_back();
    To.I = A.I;
    To.Effect = A.Effect;
    To.BlockStrideBytes = S.blockStrides(Records);
    To.WarpStrideBytes = S.Warps.get();
    const bool IsKnown = S.Status == Status::Known && !IsSampled;
    if (A.IsPastL1 && S.Requests != 0 && !S.IsLoose)
      To.SpreadBytes = S.spread(IsKnown, A);
    if (!A.IsAtomic || S.Requests == 0)
      continue;
    To.Addresses = S.addresses(IsKnown);
    To.HottestRequests = S.hottest(IsKnown);
    To.HottestLanes = S.hottestLanes(IsKnown, A);
    To.SpreadBytes = S.spread(IsKnown, A);
  }
}
