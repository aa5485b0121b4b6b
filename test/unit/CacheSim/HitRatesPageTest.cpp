//===- HitRatesPageTest.cpp - Estimated hit rates against simulated ones --===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTXPREDICT_UPDATE_PAGES=1 writes docs/measurements/HitRates.md.
//===----------------------------------------------------------------------===//
#include "HitRateComparison.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::cachesim;
using llvm::formatv;

namespace {

const std::string PagePath =
    PTXPREDICT_SOURCE_DIR "/docs/measurements/HitRates.md";
constexpr uint64_t CacheSizes[] = {1024, 4096, 16384, 65536}; ///< bytes
constexpr double LaunchSizes[] = {1, 0.61, 0.27};

struct Row {
  std::string File, Kernel;
  bool IsAffine = true; ///< the launch alone decides requests and sectors
  std::vector<Comparison> All;
};

/// The mean of the absolute errors of some comparisons.
class MeanError {
public:
  void add(double Error) {
    Sum += std::fabs(Error);
    ++Number;
  }
  double value() const { return Number ? Sum / Number : 0; }
  unsigned number() const { return Number; }

private:
  double Sum = 0;
  unsigned Number = 0;
};

/// Of the comparisons for which \p Is holds.
template <typename Predicate>
MeanError meanError(ArrayRef<Row> Rows, Predicate Is, bool OfModel = false) {
  MeanError Mean;
  for (const Row &R : Rows)
    for (const Comparison &C : R.All)
      if (Is(R, C))
        Mean.add(OfModel ? C.modelError() : C.error());
  return Mean;
}

/// What the bar is for.
bool isOneByOne(const Comparison &C) {
  return C.Set == Setting::Grid || C.Set == Setting::Block;
}

std::string number(double X) {
  std::string Text = formatv("{0:f1}", X);
  return Text == "-0.0" ? "0.0" : Text;
}

std::string sizeTable(ArrayRef<Row> Rows) {
  std::string Text = "| kernels | requests |";
  for (uint64_t Bytes : CacheSizes)
    Text += formatv(" {0} KiB |", Bytes / 1024);
  Text += " all | with the run's levels | within bounds |\n| --- | --- |";
  for (size_t N = 0; N != std::size(CacheSizes) + 3; ++N)
    Text += " --: |";
  Text += '\n';
  for (bool IsAffine : {true, false})
    for (Setting S : Settings) {
      auto Is = [&](const Row &R, const Comparison &C) {
        return R.IsAffine == IsAffine && C.Set == S;
      };
      Text +=
          formatv("| {0} | {1} |", IsAffine ? "affine" : "others", nameOf(S));
      for (uint64_t Bytes : CacheSizes)
        Text += formatv(
            " {0} |",
            number(meanError(Rows, [&](const Row &R, const Comparison &C) {
                     return Is(R, C) && C.Bytes == Bytes;
                   }).value()));
      unsigned Within = 0;
      for (const Row &R : Rows)
        for (const Comparison &C : R.All)
          Within += Is(R, C) && C.isWithinBounds();
      MeanError All = meanError(Rows, Is);
      Text += formatv(" {0} | {1} | {2} of {3} |\n", number(All.value()),
                      number(meanError(Rows, Is, true).value()), Within,
                      All.number());
    }
  return Text;
}

std::string kernelTable(ArrayRef<Row> Rows) {
  std::string Text =
      "| file | kernel | affine | grid | block | loads | side by side | worst "
      "of grid "
      "and block | with the run's levels |\n"
      "| --- | --- | --- | --: | --: | --: | --: | --- | --: |\n";
  for (const Row &R : Rows) {
    Text += formatv("| `{0}` | `{1}` | {2} |", R.File, R.Kernel,
                    R.IsAffine ? "yes" : "");
    for (Setting S : Settings)
      Text += formatv(
          " {0} |", number(meanError(R, [&](const Row &, const Comparison &C) {
                             return C.Set == S;
                           }).value()));
    const Comparison *Worst = nullptr;
    for (const Comparison &C : R.All)
      if (isOneByOne(C) &&
          (!Worst || std::fabs(C.error()) > std::fabs(Worst->error()) + 1e-9))
        Worst = &C;
    if (Worst && std::fabs(Worst->error()) >= 0.05)
      Text += formatv(" {0} KiB, {1}, size {2}: {3} instead of {4} | {5} |\n",
                      Worst->Bytes / 1024, nameOf(Worst->Set),
                      Worst->LaunchSize, number(Worst->Estimated.Value),
                      number(Worst->Simulated), number(Worst->FromRun));
    else
      Text += "  |  |\n";
  }
  return Text;
}

std::string pageOf(ArrayRef<Row> Rows) {
  auto NumAffine =
      llvm::count_if(Rows, [](const Row &R) { return R.IsAffine; });
  double Mean = meanError(Rows, [](const Row &R, const Comparison &C) {
                  return R.IsAffine && isOneByOne(C);
                }).value();
  unsigned NumAffineTen = 0;
  for (const Row &R : Rows)
    for (const Comparison &C : R.All)
      NumAffineTen += R.IsAffine && isOneByOne(C) && std::fabs(C.error()) > 10;
  std::string Text = formatv(
      R"(# Hit rates

The share of requested sectors that a cache holds: the estimate of `HitRates`, which needs no run and comes from what the levels of the execution nest touch, against
caches that are simulated over the requests of the [emulator](../commands/Emulate.md). The kernels are those of [AccuracyKernels](AccuracyKernels.md), each at its launch and at
two smaller sizes, as in [KnownCounts](KnownCounts.md). The caches hold sectors of 32 bytes, are fully associative, evict what was touched longest ago
and allocate on every miss; loads, stores and atomics to global memory go through them. They are small because these launches are: the grids touch one to some
hundred KiB and the blocks some KiB, so that each size separates them.

*Grid* is one cache for the launch, whose blocks run one after the other, and their warps in turn, each until it ends or waits at a barrier. *Block* is the
same, emptied before each block. *Loads* is like grid, but stores bypass the cache. *Side by side*: one cache for {0} resident blocks, all of whose warps take turns, request by request: the
order of a GPU, but no GPU has caches so small. *Affine* kernels are those in which the launch alone decides all requests and the sectors of each.
Errors are mean absolute differences of hit rates in percentage points. *With the run's levels* is the error of the model if it is
given what the levels touch in the run; the rest of the error comes from the analysis of the levels. A test compares, writes this page and fails if it
would change, or if the mean error of the affine kernels, grid and block, is above 5 points.

{2} of {1} kernels are affine; their error in grid and block is {3} points in the mean, and above 10 points in {4} of the comparisons.

)",
      ResidentBlocks, Rows.size(), NumAffine, formatv("{0:f2}", Mean).str(),
      NumAffineTen);
  Text += sizeTable(Rows);
  Text += R"(
## What the errors come from

- Levels are means. If some warps or blocks fit a cache and others do not, the estimate treats all alike: it has a step where the truth has a slope.
  In `transposeNaive` full warps do not fit 4 KiB; those at the edge do, and so does the mean.
- Between a level that fits and the next that does not, reuse is taken to be as far away as the outer level is large: the cache must hold all of
  it. Warps that read each other's sectors in turn (`matmulTiled`), and loops that read what earlier loops left (`softmaxRows`, `layerNorm`), lie in between.
- In straight code beside loops, in that of whole kernels, and where data decide addresses, reuse is assumed to be near or far with equal probability;
  so it is in all straight code with the run's levels, which have no runs of requests.
- If loaded data decide addresses, requests are assumed to touch sectors of their own, as far as the bounds of indices leave room for that.
- The first blocks stand for all others. Blocks that do unequal work are taken to be alike, and drift apart side by side.
- Side by side, a small cache depends on which request of which warp comes first.

## By kernel

)";
  return Text + kernelTable(Rows);
}

} // namespace

TEST(HitRatesPageTest, KernelsOfTestAccuracy) {
  std::vector<Row> Rows;
  for (const std::string &Name : AccuracyFile::all()) {
    AccuracyFile F(Name);
    for (const LaunchFileEntry &E : F.launches()) {
      HeldBodies Bodies(F.kernel(E));
      Row &R = Rows.emplace_back();
      R.File = Name;
      R.Kernel = E.Kernel;
      for (double Size : LaunchSizes) {
        SCOPED_TRACE(formatv("{0}: {1}, size {2}", Name, E.Kernel, Size).str());
        HitRateComparison C(F, E, Size, CacheSizes);
        R.IsAffine &= C.IsAffine;
        llvm::append_range(R.All, C.All);
      }
    }
  }
  MeanError Affine = meanError(Rows, [](const Row &R, const Comparison &C) {
    return R.IsAffine && isOneByOne(C);
  });
  EXPECT_GT(Affine.number(), 500u);
  EXPECT_LE(Affine.value(), 5);

  // Rounded, so that all compilers agree on what is equal.
  auto PlaceOf = [](const Row &R) {
    double Mean = meanError(R, [](const Row &, const Comparison &C) {
                    return isOneByOne(C);
                  }).value();
    return std::make_tuple(-std::round(1e6 * Mean), R.File, R.Kernel);
  };
  llvm::sort(Rows, [&](const Row &A, const Row &B) {
    return PlaceOf(A) < PlaceOf(B);
  });
  checkPage(PagePath, pageOf(Rows));
}
