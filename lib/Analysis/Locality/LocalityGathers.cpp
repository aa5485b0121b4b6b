//===- LocalityGathers.cpp - Requests that lie anywhere -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Where data scatter lanes each has a region of its own, and no union of all of
// them is worth its time: so many independent places touch as much as chance
// says.
//===----------------------------------------------------------------------===//
#include "LocalityRecorder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// Scattered regions of an access that are written down: as many as one union
/// looks at.
static constexpr size_t MostScattered = 4096;

/// What lies anywhere reaches from end to end before half of it is seen; what
/// moves on from block to block does not.
static constexpr double SteadySpan = 0.9;

/// Adds requests that may lie anywhere in their array.
void LocalityRecorder::addLoose(LocalityRecord &&R, const CountedRequests &Q) {
  setLoose(R, Q);
  Out.Records.push_back(std::move(R));
}

/// What all lanes ask for and may touch, wherever that lies.
void LocalityRecorder::setLoose(LocalityRecord &R,
                                const CountedRequests &Q) const {
  const Access &M = Q.M;
  const ActiveLanes &F = Q.Batch.Lanes;
  R.IsLoose = true;
  R.NumLanes = llvm::popcount(Q.Batch.Lanes.Likely & M.Lanes);
  // In an array of known size data are taken to point anywhere.
  bool IsInside = (M.Kind == Access::KindTy::Scattered || M.Box ||
                   Out.Accesses[R.Access].ReadsData) &&
                  M.Space == AddressSpace::Global &&
                  Out.Accesses[R.Access].ArrayBytes;
  Status How = IsInside    ? Status::Assumed
               : M.Address ? M.Status
                           : Status::Unknown;
  R.Status = weakest(weakest(How, F.Status), Status::Assumed);
  auto BytesOf = [&](uint32_t Lanes) {
    return double(llvm::popcount(Lanes & M.Lanes)) * M.Bytes;
  };
  uint32_t Likely = F.Likely & M.Lanes;
  R.Bytes =
      Q.Batch.Multiple * F.Weight * R.LaneShare *
      (Q.Sums.Groups ? double(Q.Sums.Groups->countAddresses(Likely)) * M.Bytes
                     : BytesOf(Likely));
  const bool IsGuess = Q.Batch.IsPart || (M.Box && M.Box->isAssumed());
  R.LeastBytes = !IsGuess && !M.Box && F.must() & M.Lanes &&
                         M.Space == AddressSpace::Global
                     ? M.Bytes
                     : 0;
  R.MostBytes = IsGuess || M.Bytes == 0
                    ? std::numeric_limits<double>::infinity()
                    : Q.Batch.Multiple * BytesOf(F.May);
}

void LocalityRecorder::noteScattered(unsigned Access,
                                     ArrayRef<StridedRegion> Boxes) {
  Scattered.resize(Out.Accesses.size());
  Scatter &S = Scattered[Access];
  for (const StridedRegion &B : Boxes) {
    S.First = std::min(S.First, B.Start);
    S.End = std::max(S.End, B.Start + B.extent());
  }
  S.Number += Boxes.size();
  if (2 * S.Number < MostScattered)
    S.SpanOfHalf = S.End - S.First;
}

/// Takes the access to lie where it was seen; what bounded it before still
/// does.
static void setSeenSpan(RecordedAccess &A, uint64_t Bytes) {
  if (!A.IsSpanSeen) {
    A.IsSpanSeen = true;
    A.MostSpanBytes = A.SpanBytes == 0    ? A.ArrayBytes
                      : A.ArrayBytes == 0 ? A.SpanBytes
                                          : std::min(A.SpanBytes, A.ArrayBytes);
  }
  A.SpanBytes = Bytes;
}

/// Later requests of the access need not be told apart.
bool LocalityRecorder::leadsAnywhere(unsigned Access) const {
  if (Access >= Scattered.size())
    return false;
  const Scatter &S = Scattered[Access];
  return S.Rest >= 0 ||
         (S.Number >= MostScattered &&
          double(S.SpanOfHalf) >= SteadySpan * double(S.End - S.First));
}

/// Lanes of one warp that stand for those of many: where they go others go.
void LocalityRecorder::noteData(const CountedRequests &Q) {
  const Access &M = Q.M;
  const auto Access = unsigned(M.Record);
  StridedRegions Places;
  for (unsigned L = 0; L != WarpSize; ++L)
    if ((Q.Batch.Lanes.May & M.Lanes) >> L & 1) {
      StridedRegion &B = Places.emplace_back();
      B.Start = llvm::SignExtend64(Q.Batch.Evaluated->lane(M.Root, L),
                                   M.Address->Width);
      B.Length = M.Bytes;
    }
  noteScattered(Access, Places);
  const Scatter &S = Scattered[Access];
  RecordedAccess &A = Out.Accesses[Access];
  A.IsGather = true;
  if (A.SpanBytes < uint64_t(S.End - S.First))
    setSeenSpan(A, uint64_t(S.End - S.First));
}

/// Those that were told apart so far lie anywhere, too.
void LocalityRecorder::forgetRegions(unsigned Access) {
  RecordedAccess &A = Out.Accesses[Access];
  for (LocalityRecord &R : Out.Records) {
    if (R.Access != Access || R.IsLoose)
      continue;
    NumRegions -= R.Lanes.size();
    R.IsLoose = true;
    R.IsGuess = false;
    R.Status = weakest(R.Status, Status::Assumed);
    R.Bytes = R.IsLikely ? R.Requests * R.Addresses * A.Bytes : 0;
    R.MostBytes =
        R.IsLikely ? R.Bytes : std::numeric_limits<double>::infinity();
    R.Lanes.clear();
    R.Shifts.clear();
  }
}

/// Adds requests to those of the access that come after all that were told
/// apart.
void LocalityRecorder::addAnywhere(const CountedRequests &Q) {
  const auto Access = unsigned(Q.M.Record);
  Scatter &S = Scattered[Access];
  if (S.Rest < 0) {
    forgetRegions(Access);
    RecordedAccess &A = Out.Accesses[Access];
    A.IsGather = A.IsAnywhere = true;
    setSeenSpan(A, uint64_t(S.End - S.First));
    if (A.ArrayBytes == 0) {
      A.ArrayBytes = A.SpanBytes;
      A.IsArraySeen = true;
    }
    S.Rest = int(Out.Records.size());
    LocalityRecord &R = Out.Records.emplace_back();
    R.Access = Access;
    R.Node = -1;
    R.Status = Status::Assumed;
    R.IsLikely = false;
    const Dim3 &At = Frames.front().Node.FirstBlock;
    R.FirstBlock = At.X + Launch.Grid.X * (At.Y + Launch.Grid.Y * At.Z);
  }
  LocalityRecord One;
  One.Access = Access;
  One.LaneShare = Q.Batch.Lanes.meanShare();
  setLoose(One, Q);
  LocalityRecord &R = Out.Records[size_t(S.Rest)];
  const double Requests = Q.Batch.Multiple * Q.Batch.Lanes.Weight;
  R.IsLoose = true;
  R.Status = weakest(R.Status, One.Status);
  R.IsLikely |= Requests > 0;
  R.Requests += Requests;
  R.Requested += Q.Sectors;
  R.Bytes += One.Bytes;
  R.MostBytes += One.MostBytes;
  if (R.Requests > 0 && Q.M.Bytes > 0)
    R.Addresses = R.Bytes / Q.M.Bytes / R.Requests;
}
