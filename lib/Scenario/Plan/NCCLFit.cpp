//===- NCCLFit.cpp - A link's numbers from times of collectives -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Plan/Collectives.h"
#include "ptxpredict/Scenario/Plan/NCCLTests.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

/// Startups and bytes over the link of a ring.
static CollectiveCost ringCost(OperationKind Kind, uint64_t Ranks,
                               double Bytes) {
  if (Kind == OperationKind::Send)
    return {1, Bytes};
  return collectiveCost(Kind, CollectiveAlgorithm::Ring, Ranks, Bytes);
}

namespace {

/// One time of a row.
struct RingTime {
  const NCCLRow *Of;
  bool IsInPlace;
  double Us;
  CollectiveCost Cost;
};

/// Startup in us and us a byte.
struct FittedLine {
  double StartupUs = 0, UsPerByte = 0;
};

} // namespace

/// With which the sum of ((startup * startups + slope * bytes) / time - 1)^2 is
/// the least. A negative startup is none.
static FittedLine leastSquares(ArrayRef<RingTime> All) {
  double SS = 0, SB = 0, BB = 0, S1 = 0, B1 = 0;
  for (const RingTime &M : All) {
    const double S = M.Cost.Startups / M.Us, B = M.Cost.Bytes / M.Us;
    SS += S * S;
    SB += S * B;
    BB += B * B;
    S1 += S;
    B1 += B;
  }
  const double Determinant = SS * BB - SB * SB;
  FittedLine L;
  if (Determinant > 1e-9 * SS * BB) {
    L.StartupUs = (S1 * BB - B1 * SB) / Determinant;
    L.UsPerByte = (B1 * SS - S1 * SB) / Determinant;
  }
  if (!(L.StartupUs >= 0))
    L = {0, B1 / BB};
  return L;
}

/// The bandwidths of nccl-tests have the ranks in them. True if they are others
/// (reported).
static bool contradictsRanks(DiagnosticEngine &Diags, const NCCLTests &Tests,
                             uint64_t Ranks) {
  const double Wanted = ringCost(Tests.Kind, Ranks, 1).Bytes;
  for (const NCCLRow &R : llvm::reverse(Tests.Rows)) {
    constexpr double Least = 1, Tolerance = 0.02; // GB/s, with two digits
    if (R.AlgorithmGBs < Least)
      continue;
    const double Factor = R.BusGBs / R.AlgorithmGBs;
    if (std::fabs(Factor / Wanted - 1) <= Tolerance)
      return false;
    Diags.error(R.Place, "busbw over algbw is " + shortNumber(Factor) +
                             "; it would be " + shortNumber(Wanted) + " of " +
                             Tests.Program + " over " + Twine(Ranks) +
                             " ranks: --ranks=N says how many there were");
    return true;
  }
  return false;
}

static bool hasTwoSizes(ArrayRef<NCCLRow> Rows) {
  return llvm::any_of(
      Rows, [&](const NCCLRow &R) { return R.Bytes != Rows.front().Bytes; });
}

bool ptxpredict::fitNCCLTests(DiagnosticEngine &Diags, const NCCLTests &Tests,
                              std::optional<uint64_t> Ranks, const Link &Of,
                              LinkFit &Result) {
  const uint64_t Size = Ranks.value_or(Tests.Ranks);
  const SMLoc First = Tests.Rows.front().Place;
  if (Size < 2) {
    Diags.error(First,
                Size == 0 ? "the file does not say how many ranks there were: "
                            "--ranks=N does"
                          : "one rank sends nothing: --ranks=N says how many "
                            "there were (without MPI, nccl-tests call each one "
                            "rank 0)");
    return true;
  }
  if (contradictsRanks(Diags, Tests, Size))
    return true;
  if (!hasTwoSizes(Tests.Rows)) {
    Diags.error(First, "one size does not tell startup and efficiency apart: "
                       "measure several, from some bytes to 1 GiB");
    return true;
  }
  std::vector<RingTime> All;
  for (const NCCLRow &R : Tests.Rows)
    for (const bool IsInPlace : {false, true})
      if (const std::optional<double> &Us = IsInPlace ? R.InPlaceUs : R.ApartUs)
        All.push_back(
            {&R, IsInPlace, *Us, ringCost(Tests.Kind, Size, R.Bytes)});
  llvm::stable_sort(All, [](const RingTime &A, const RingTime &B) {
    return A.Of->Bytes < B.Of->Bytes;
  });
  const FittedLine L = leastSquares(All);
  Expected<double> Share = efficiencyOf(L.UsPerByte, Of);
  if (!Share) {
    Diags.error(All.back().Of->Place, llvm::toString(Share.takeError()));
    return true;
  }
  const std::string Source =
      "least squares of the residuals of " + plural(All.size(), "time") +
      " of " + Tests.Program + " over " + std::to_string(Size) +
      " ranks as a ring, nccl-tests, " + Diags.path().str();
  Result.Way = TransferWay::PeerToPeer;
  Result.StartupUs = {L.StartupUs, Source, ""};
  Result.Efficiency = {*Share, Source, ""};
  Link::Timing T;
  T.StartupSeconds = L.StartupUs / 1e6;
  T.BytesPerSecond = *Of.BandwidthGBs * 1e9 * *Share;
  for (const RingTime &M : All)
    Result.Rows.push_back(
        {sizeText(M.Of->Bytes) + (M.IsInPlace ? " in place" : ""), M.Of->Bytes,
         M.Us,
         (M.Cost.Startups * T.StartupSeconds +
          M.Cost.Bytes / T.BytesPerSecond) *
             1e6,
         FitPart::Both});
  return false;
}
