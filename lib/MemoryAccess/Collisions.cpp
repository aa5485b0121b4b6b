//===- Collisions.cpp - Lanes that choose the same place ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/MemoryAccess/Collisions.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

using namespace ptxpredict;

namespace {
/// By the number of lanes.
struct Row {
  double Of[WarpSize + 1] = {};
};
} // namespace

static constexpr double SectorBytes = 32;

/// The product of two polynomials, as far as there are lanes.
static constexpr Row times(const Row &A, const Row &B) {
  Row Product;
  for (unsigned N = 0; N <= WarpSize; ++N)
    for (unsigned K = 0; K <= N; ++K)
      Product.Of[N] += A.Of[N - K] * B.Of[K];
  return Product;
}

/// The means of all numbers of lanes. Of sequences of N places, those with no
/// place more than Most times: the coefficient of x^N in
/// (sum of x^k/k! up to Most)^Places, times N!.
static constexpr Row findFullest(uint64_t Places) {
  Row Mean;
  for (unsigned Most = 0; Most != WarpSize; ++Most) {
    Row Base, Ways;
    Base.Of[0] = Ways.Of[0] = 1;
    for (unsigned K = 1; K <= Most; ++K)
      Base.Of[K] = Base.Of[K - 1] / K / double(Places);
    for (uint64_t Left = Places; Left != 0; Left /= 2) {
      if (Left % 2)
        Ways = times(Ways, Base);
      if (Left > 1)
        Base = times(Base, Base);
    }
    double Factorial = 1;
    for (unsigned N = 0; N <= WarpSize; ++N) {
      if (N > Most)
        Mean.Of[N] += std::max(0.0, 1 - Ways.Of[N] * Factorial);
      Factorial *= N + 1;
    }
  }
  return Mean;
}

/// The same for what is common, found by the compiler.
template <uint64_t Places>
static constexpr Row Fullest = findFullest(Places);

double ptxpredict::meanFullest(unsigned Lanes, uint64_t Places) {
  Lanes = std::min(Lanes, WarpSize);
  if (Lanes <= 1 || Places <= 1)
    return Lanes;
  // Two lanes at most meet where there are this many.
  constexpr uint64_t Many = 1 << 14;
  if (Places >= Many)
    return 1 + Lanes * (Lanes - 1) / 2.0 / double(Places);
  if (Places > WarpSize)
    return findFullest(Places).Of[Lanes];
  // Banks of shared memory as wide as an access, and pieces of a sector.
  switch (Places) {
  case 4:
    return Fullest<4>.Of[Lanes];
  case 8:
    return Fullest<8>.Of[Lanes];
  case 16:
    return Fullest<16>.Of[Lanes];
  case 32:
    return Fullest<32>.Of[Lanes];
  default:
    break;
  }
  // Kept: whoever comes first computes it, and perhaps another the same.
  static std::array<std::array<std::atomic<double>, WarpSize + 1>, WarpSize + 1>
      Known;
  auto &Here = Known[Places];
  if (Here[Lanes].load(std::memory_order_relaxed) == 0) {
    const Row Mean = findFullest(Places);
    for (unsigned N = 1; N <= WarpSize; ++N)
      Here[N].store(Mean.Of[N], std::memory_order_relaxed);
  }
  return Here[Lanes].load(std::memory_order_relaxed);
}

double ptxpredict::placesOfFullest(double Fullest) {
  // Means of 1, 2, 4 … places.
  constexpr unsigned Powers = 15;
  static const auto Means = [] {
    std::array<double, Powers> M;
    for (unsigned N = 0; N != Powers; ++N)
      M[N] = meanFullest(WarpSize, uint64_t(1) << N);
    return M;
  }();
  if (Fullest <= 1)
    return std::numeric_limits<double>::infinity();
  if (Fullest <= Means.back())
    return WarpSize * (WarpSize - 1) / 2.0 / (Fullest - 1);
  if (Fullest >= Means.front())
    return 1;
  unsigned N = 0;
  while (Means[N + 1] > Fullest)
    ++N;
  return std::exp2(N + std::log((Means[N] - 1) / (Fullest - 1)) /
                           std::log((Means[N] - 1) / (Means[N + 1] - 1)));
}

double ptxpredict::meanLeft(unsigned Lanes, double Places, unsigned Gone) {
  if (Places <= 1)
    return Lanes > Gone ? Lanes - Gone : 0;
  // A place has K of the lanes, by a binomial distribution.
  const double Share = 1 / Places;
  double Chance = std::pow(1 - Share, Lanes), Mean = 0;
  for (unsigned K = 0; K < Lanes; ++K) {
    Chance *= (Lanes - K) / (K + 1.0) * Share / (1 - Share);
    Mean += Chance * (K + 1 > Gone ? K + 1 - Gone : 0);
  }
  return Places * Mean;
}

double ptxpredict::meanSectorPasses(unsigned Lanes, double Places,
                                    unsigned Bytes) {
  const double Words = std::max(1.0, std::floor(SectorBytes / Bytes));
  const double Sectors = std::max(1.0, Places / Words);
  const auto Here = uint64_t(std::clamp(Places, 1.0, Words));
  if (Sectors <= 1)
    return meanFullest(Lanes, Here);
  // A sector has K of the lanes, by a binomial distribution.
  const double Share = 1 / Sectors;
  double Chance = std::pow(1 - Share, Lanes), Mean = 0;
  for (unsigned K = 0; K < Lanes; ++K) {
    Chance *= (Lanes - K) / (K + 1.0) * Share / (1 - Share);
    Mean += Chance * meanFullest(K + 1, Here);
  }
  return Sectors * Mean;
}

double ptxpredict::meanMost(double Throws, double Places) {
  if (!(Places > 1))
    return Throws;
  const double Mean = Throws / Places;
  const double Beyond = std::log(Places);
  return std::min(Throws, Mean + std::sqrt(2 * Mean * Beyond));
}
