//===- WarpState.cpp - What a warp has in flight --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WarpState.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::path;

bool path::addPlace(WarpState &S, uint32_t Position) {
  constexpr size_t MaxPlaces = 64;
  if (S.Index.empty()) { // most warps stay together
    S.Index.push_back(Position);
    return true;
  }
  auto *It = llvm::lower_bound(S.Index, Position);
  if (It != S.Index.end() && *It == Position)
    return true;
  S.Index.insert(It, Position);
  if (S.Index.size() <= MaxPlaces)
    return true;
  S.Index.pop_back();
  return false;
}

void WarpState::advance(double To) {
  const double Later = To - Clock;
  Clock = To;
  if (Later == 0)
    return;
  auto Advance = [&](double &Cycles) {
    Cycles = std::max(0.0, Cycles - Later);
  };
  Advance(Busy);
  Advance(Open.Ready);
  Advance(Bulk.Ready);
  for (CopyGroup &G : Groups)
    Advance(G.Ready);
  SumReady = 0;
  Result *End = Results.begin();
  for (Result R : Results) {
    Advance(R.Ready);
    SumReady += R.Ready;
    if (R.Ready > 0 || R.FreshLong > 0 || R.FreshShared > 0)
      *End++ = R;
  }
  Results.truncate(size_t(End - Results.begin()));
}

bool path::isSame(const WarpState &A, const WarpState &B, double Slack) {
  constexpr double Rounding = 1e-7;
  auto IsNear = [Slack](double X, double Y) {
    return std::abs(X - Y) <= Rounding * (1 + std::abs(X)) + Slack;
  };
  auto SameGroup = [&](const CopyGroup &X, const CopyGroup &Y) {
    return IsNear(X.Ready, Y.Ready) && IsNear(X.Fresh, Y.Fresh);
  };
  // As far apart as the sums of results that are near each other can be, and
  // as rounding makes them.
  const double Apart = 2 * (Rounding * std::abs(A.SumReady) +
                            (Rounding + Slack) * double(A.Results.size()));
  return A.Results.size() == B.Results.size() &&
         std::abs(A.SumReady - B.SumReady) <= Apart && A.Index == B.Index &&
         IsNear(A.Busy, B.Busy) && SameGroup(A.Open, B.Open) &&
         SameGroup(A.Bulk, B.Bulk) &&
         std::equal(A.Groups.begin(), A.Groups.end(), B.Groups.begin(),
                    B.Groups.end(), SameGroup) &&
         std::equal(A.Results.begin(), A.Results.end(), B.Results.begin(),
                    [&](const Result &X, const Result &Y) {
                      return X.Register == Y.Register &&
                             IsNear(X.Ready, Y.Ready) &&
                             IsNear(X.FreshLong, Y.FreshLong) &&
                             IsNear(X.FreshShared, Y.FreshShared);
                    });
}

namespace {
/// The shares of two states in their mean.
struct Weights {
  double A, B;
  double of(double X, double Y) const { return A * X + B * Y; }
  CopyGroup of(const CopyGroup &X, const CopyGroup &Y) const {
    return {of(X.Ready, Y.Ready), of(X.Fresh, Y.Fresh),
            X.Ready >= Y.Ready ? X.Writer : Y.Writer};
  }
  Result of(const Result &X, const Result &Y) const {
    return {X.Register, X.Ready >= Y.Ready ? X.Writer : Y.Writer,
            of(X.Ready, Y.Ready), float(of(X.FreshLong, Y.FreshLong)),
            float(of(X.FreshShared, Y.FreshShared))};
  }
};
} // namespace

bool path::merge(WarpState &A, const WarpState &B) {
  bool Same = path::isSame(A, B);
  double Mass = A.Mass + B.Mass;
  Weights W{0.5, 0.5};
  if (Mass > 0)
    W = {A.Mass / Mass, B.Mass / Mass};
  A.Mass = Mass;
  A.Clock = W.of(A.Clock, B.Clock);
  if (Same)
    return true;
  A.Busy = W.of(A.Busy, B.Busy);
  A.Open = W.of(A.Open, B.Open);
  A.Bulk = W.of(A.Bulk, B.Bulk);
  // The newest groups correspond.
  SmallVector<CopyGroup, 0> Groups;
  for (size_t N = std::max(A.Groups.size(), B.Groups.size()); N != 0; --N) {
    auto Nth = [N](const WarpState &S) {
      return N <= S.Groups.size() ? S.Groups[S.Groups.size() - N] : CopyGroup();
    };
    Groups.push_back(W.of(Nth(A), Nth(B)));
  }
  A.Groups = std::move(Groups);
  SmallVector<Result, 0> Results;
  Results.reserve(std::max(A.Results.size(), B.Results.size()) + 8);
  double SumReady = 0;
  const Result *X = A.Results.begin(), *Y = B.Results.begin();
  while (X != A.Results.end() || Y != B.Results.end()) {
    bool HasX = X != A.Results.end() &&
                (Y == B.Results.end() || X->Register <= Y->Register);
    bool HasY = Y != B.Results.end() &&
                (X == A.Results.end() || Y->Register <= X->Register);
    Result Nothing;
    Nothing.Register = HasX ? X->Register : Y->Register;
    Results.push_back(W.of(HasX ? *X : Nothing, HasY ? *Y : Nothing));
    SumReady += Results.back().Ready;
    X += HasX;
    Y += HasY;
  }
  A.Results = std::move(Results);
  A.SumReady = SumReady;
  // Lanes wait wherever they do in either.
  for (uint32_t P : B.Index)
    addPlace(A, P);
  return false;
}
