//===- CriticalPathsTest.cpp - Critical paths against simulated warps -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTXPREDICT_UPDATE_PAGES=1 writes docs/measurements/CriticalPaths.md.
//===----------------------------------------------------------------------===//
#include "AccuracyFile.h"
#include "InOrderWarp.h"
#include "ptxpredict/Analysis/Dependence/CriticalPath.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace ptxpredict;
using llvm::formatv;

namespace {

const std::string PagePath =
    PTXPREDICT_SOURCE_DIR "/docs/measurements/CriticalPaths.md";

/// Of a number in percent; 0 where both are nothing.
double errorOf(double Found, double Simulated) {
  if (std::fabs(Found - Simulated) <= 1e-9 * std::max(1.0, Simulated))
    return 0;
  return 100 * (Found - Simulated) / Simulated;
}

/// What is compared at one size of a kernel.
struct Comparison {
  WarpTime Simulated;
  bool IsOneWay = false; ///< all warps take as long
  double Cycles = 0, RoundTrips = 0, SharedRoundTrips = 0; ///< errors, percent
  double Chain = 0; ///< error of the cycles where each takes one, percent
  /// Error of the cycles with the counts that the code alone gives, if they are
  /// known, in percent.
  std::optional<double> Static;

  double worst() const {
    double Worst = 0;
    for (double E : {Cycles, RoundTrips, SharedRoundTrips, Chain})
      Worst = std::max(Worst, std::fabs(E));
    return Worst;
  }
};

struct Row {
  std::string File, Kernel;
  std::vector<Comparison> Sizes;

  double worst(double Comparison::*Error) const {
    double Worst = 0;
    for (const Comparison &C : Sizes)
      Worst = std::max(Worst, std::fabs(C.*Error));
    return Worst;
  }
  bool isEqual() const {
    return llvm::all_of(Sizes,
                        [](const Comparison &C) { return C.worst() == 0; });
  }
};

/// Every instruction takes one cycle, and any number issue at once.
LatencyTable chainTable() {
  LatencyTable T = LatencyTable::unit();
  T.Issue = 0;
  return T;
}

Comparison compare(const AccuracyFile &F, const LaunchFileEntry &E,
                   double Size) {
  LatencyTable DeviceTable = deviceLikeTable(), ChainTable = chainTable();
  InOrderWarps Unit(LatencyTable::unit()), Device(DeviceTable),
      Chain(ChainTable);
  ObserverList All;
  All.Observers = {&Unit, &Device, &Chain};
  EmulationResult R = F.run(E, Size, All);
  double Executions = 0;
  for (const InstructionProfile &I : R.Profile.Instructions)
    Executions += double(I.Executions);

  Comparison C;
  C.Simulated = Device.mean();
  C.IsOneWay = Device.allEqual();
  // The simulation saw all, and nothing waits where each takes one cycle.
  EXPECT_EQ(
      errorOf(Unit.mean().Instructions, Executions / double(R.Profile.Warps)),
      0);
  EXPECT_EQ(errorOf(Unit.mean().Cycles, Unit.mean().Instructions), 0);
  EXPECT_EQ(Unit.mean().RoundTrips, C.Simulated.RoundTrips);

  LaunchConfig Launch = F.config(E, Size);
  auto PathOf = [&](const KernelCharacteristics &K, const LatencyTable &T) {
    return findCriticalPath(K.Dependence.Summary, T);
  };
  KernelCharacteristics Counted =
      analyzeKernel(F.kernel(E), Launch, {}, &R.Profile);
  CriticalPath P = PathOf(Counted, DeviceTable);
  C.Cycles = errorOf(P.Cycles, C.Simulated.Cycles);
  C.RoundTrips = errorOf(P.RoundTrips, C.Simulated.RoundTrips);
  C.SharedRoundTrips =
      errorOf(P.SharedRoundTrips, C.Simulated.SharedRoundTrips);
  C.Chain = errorOf(PathOf(Counted, ChainTable).Cycles, Chain.mean().Cycles);
  KernelCharacteristics Static = analyzeKernel(F.kernel(E), Launch, {});
  if (Static.Instructions.isKnown())
    C.Static = errorOf(PathOf(Static, DeviceTable).Cycles, C.Simulated.Cycles);
  return C;
}

/// "0.1, -3.2, 0", or "0" if all are.
std::string errors(const Row &R, double Comparison::*Error) {
  if (R.worst(Error) == 0)
    return "0";
  std::string Text;
  for (const Comparison &C : R.Sizes) {
    std::string Number = formatv("{0:f1}", C.*Error);
    if (Number == "-0.0" || C.*Error == 0)
      Number = C.*Error == 0 ? "0" : "0.0";
    Text += (Text.empty() ? "" : ", ") + Number;
  }
  return Text;
}

std::string staticErrors(const Row &R) {
  if (llvm::any_of(R.Sizes, [](const Comparison &C) { return !C.Static; }))
    return "";
  Row Copy = R;
  for (Comparison &C : Copy.Sizes)
    C.Cycles = *C.Static;
  return errors(Copy, &Comparison::Cycles);
}

/// The worst first, else in the order of the files.
std::string pageOf(ArrayRef<Row> Rows) {
  std::vector<std::pair<double, const Row *>> Order;
  Order.reserve(Rows.size());
  for (const Row &R : Rows)
    Order.emplace_back(-R.worst(&Comparison::Cycles), &R);
  llvm::sort(Order);
  auto Equal = llvm::count_if(Rows, [](const Row &R) { return R.isEqual(); });
  auto Near = llvm::count_if(Rows, [](const Row &R) {
    return !R.isEqual() && R.worst(&Comparison::Cycles) <= 5;
  });
  std::string Text = formatv(R"(# Critical paths

How long a warp takes by itself: the result of `CriticalPath`, from the code and the frequencies of its edges, against a simulation of every
warp over what the [emulator](../commands/Emulate.md) executes. The kernels are those of [AccuracyKernels](AccuracyKernels.md), each at its launch and at two smaller sizes, as in
[KnownCounts](KnownCounts.md). Both follow the same machine ([Analysis](../internals/Analysis.md)): a warp issues in order, and an instruction waits for the registers that it reads.
The latencies have the magnitude of GPUs (500 cycles for global memory, 30 for shared memory, 4 for an addition), and are those of no particular one. Cycles and
round trips are means over the warps of the launch; errors are in percent, at the launch and at 0.61 and 0.27 of its size. *Chain* is the error of the cycles if every
instruction takes one cycle and any number issue at once. *From the code alone* is the error with counts that are known without a run; the other
columns have the counts of the run. A test compares, writes this page and fails if it would change.

{1} of {0} kernels are equal in everything (relative error under 1e-9). The cycles of {2} others are within 5 %.

| file | kernel | cycles | error | chain | from the code alone | round trips | error | shared round trips | error |
| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |
)",
                             Rows.size(), Equal, Near);
  for (const auto &[Worst, Of] : Order) {
    const Row &R = *Of;
    const WarpTime &T = R.Sizes.front().Simulated;
    Text +=
        formatv("| `{0}` | `{1}` | {2:f1} | {3} | {4} | {5} | {6:f2} | "
                "{7} | {8:f2} | {9} |\n",
                R.File, R.Kernel, T.Cycles, errors(R, &Comparison::Cycles),
                errors(R, &Comparison::Chain), staticErrors(R), T.RoundTrips,
                errors(R, &Comparison::RoundTrips), T.SharedRoundTrips,
                errors(R, &Comparison::SharedRoundTrips));
  }
  return Text;
}

TEST(CriticalPathsTest, KernelsOfTestAccuracy) {
  std::vector<Row> Rows;
  unsigned NumOneWay = 0;
  for (const std::string &Name : AccuracyFile::all()) {
    AccuracyFile F(Name);
    for (const LaunchFileEntry &E : F.launches()) {
      HeldBodies Bodies(F.kernel(E));
      Row &R = Rows.emplace_back();
      R.File = Name;
      R.Kernel = E.Kernel;
      for (double Size : {1.0, 0.61, 0.27}) {
        SCOPED_TRACE(formatv("{0}: {1}, size {2}", Name, E.Kernel, Size).str());
        R.Sizes.push_back(compare(F, E, Size));
        const Comparison &C = R.Sizes.back();
        NumOneWay += C.IsOneWay;
        if (C.IsOneWay && Name != "recursion") {
          EXPECT_EQ(C.Cycles, 0);
          EXPECT_EQ(C.Chain, 0);
        }
      }
    }
  }
  EXPECT_GE(NumOneWay, 15u);
  checkPage(PagePath, pageOf(Rows));
}

} // namespace
