//===- CriticalPathRandomTest.cpp - Random paths against simulated warps --===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Code that all warps go through alike: what the analysis says must be equal to
// what a simulated warp takes, at any latencies.
//===----------------------------------------------------------------------===//
#include "AccuracyFile.h"
#include "InOrderWarp.h"
#include "RunKernel.h"
#include "ptxpredict/Analysis/Dependence/CriticalPath.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>

using namespace ptxpredict;
using llvm::formatv;

namespace {

/// Arithmetic, loads, copies and barriers, with guards, and a loop around some
/// of it. Registers are few, so that they are written again and again.
class RandomPath {
public:
  RandomPath(unsigned Seed, bool HasLoop) : Random(Seed) {
    Text = RunHead.str() + ".shared .align 16 .b8 tile[1024];\n"
                           "mov.u32 %r20, tile;\nmov.u32 %r21, 0;\n"
                           "setp.lt.u32 %p0, %r4, 32;\n";
    for (unsigned R = 10; R != 16; ++R)
      Text += formatv("mov.u32 %r{0}, {0};\n", R);
    code(upTo(20));
    if (HasLoop) {
      Text += "L:\n";
      code(1 + upTo(15));
      // Left at its end, or before it.
      bool FromTheMiddle = upTo(3) == 0;
      Text += "add.u32 %r21, %r21, 1;\n";
      Text += formatv("setp.lt.u32 %p3, %r21, {0};\n", 1 + upTo(60));
      if (FromTheMiddle) {
        Text += "@!%p3 bra E;\n";
        code(upTo(8));
        Text += "bra L;\nE:\n";
      } else {
        Text += "@%p3 bra L;\n";
      }
      code(upTo(10));
    }
  }
  std::string Text;

  /// Latencies up to some hundred cycles; some alike.
  LatencyTable latencies() {
    LatencyTable T;
    T.Issue = upTo(5);
    for (double &C : T.Cycles)
      C = upTo(3) == 0 ? upTo(400) : upTo(12);
    return T;
  }

private:
  unsigned upTo(unsigned N) { return unsigned(Random() % N); }
  unsigned reg() { return 10 + upTo(6); }

  void code(unsigned Number) {
    for (; Number != 0; --Number) {
      std::string Guard;
      if (upTo(6) == 0)
        Guard = formatv("@{0}%p{1} ", upTo(2) ? "!" : "", upTo(2));
      unsigned Which = upTo(16);
      if (Which != 2)
        Text += Guard;
      unsigned Place = 4 * upTo(64);
      switch (Which) {
      case 0:
      case 1:
        Text += formatv("ld.global.u32 %r{0}, [%rd0+{1}];\n", reg(), Place);
        break;
      case 2: // through an index
        Text += formatv("and.b32 %r{0}, %r{0}, 255;\n"
                        "mad.wide.u32 %rd1, %r{0}, 4, %rd0;\n"
                        "{1}ld.global.u32 %r{0}, [%rd1];\n",
                        reg(), Guard);
        break;
      case 3:
        Text += formatv("ld.shared.u32 %r{0}, [%r20+{1}];\n", reg(), Place);
        break;
      case 4:
        Text += formatv("st.shared.u32 [%r20+{0}], %r{1};\n", Place, reg());
        break;
      case 5:
        Text += formatv("atom.shared.add.u32 %r{0}, [%r20+{1}], %r{2};\n",
                        reg(), Place, reg());
        break;
      case 6:
        Text += formatv("cp.async.ca.shared.global [%r20+{0}], [%rd0+{1}], "
                        "4;\n",
                        Place, 4 * upTo(64));
        break;
      case 7:
        Text += "cp.async.commit_group;\n";
        break;
      case 8:
        Text += upTo(3) ? formatv("cp.async.wait_group {0};\n", upTo(3)).str()
                        : "cp.async.wait_all;\n";
        break;
      case 9:
        Text += formatv("setp.lt.u32 %p{0}, %r{1}, %r{2};\n", upTo(2), reg(),
                        reg());
        break;
      case 10:
        Text += "membar.cta;\n";
        break;
      case 11:
        Text +=
            formatv("mul.lo.u32 %r{0}, %r{1}, %r{2};\n", reg(), reg(), reg());
        break;
      case 12: { // several registers at once
        unsigned First = 10 + upTo(3);
        Text +=
            formatv("ld.global.v4.u32 {{%r{0}, %r{1}, %r{2}, %r{3}}, "
                    "[%rd0+{4}];\n",
                    First + 2, First, First + 3, First + 1, Place / 16 * 16);
        break;
      }
      default:
        Text += formatv("add.u32 %r{0}, %r{1}, %r{2};\n", reg(), reg(), reg());
      }
    }
  }

  std::mt19937 Random;
};

void compare(unsigned Seed, bool HasLoop) {
  RandomPath Source(Seed, HasLoop);
  PTXKernel K(Source.Text, {64, 1, 1}, {{1, 0}});
  K.Launch.Grid = {2, 1, 1};
  SCOPED_TRACE(formatv("seed {0}\n{1}", Seed, Source.Text).str());
  ArgumentValue Buffer;
  Buffer.Kind = ArgumentValue::KindTy::Buffer;
  Buffer.Buffer = "p";
  Buffer.BufferAlign = 256;
  K.Launch.Args[0] = Buffer;

  LatencyTable Tables[] = {Source.latencies(), Source.latencies(),
                           deviceLikeTable()};
  InOrderWarps Warps[] = {InOrderWarps(Tables[0]), InOrderWarps(Tables[1]),
                          InOrderWarps(Tables[2])};
  ObserverList All;
  for (InOrderWarps &W : Warps)
    All.Observers.push_back(&W);
  EmulationOptions Options;
  Options.Observer = &All;
  Emulation Run(K.graph(), K.Launch, Options);
  BufferSpec Spec;
  Spec.Type = "u32";
  Spec.Count = 256;
  ASSERT_FALSE(bool(Run.addBuffer("p", Spec, "")));
  Expected<EmulationResult> R = Run.run();
  ASSERT_TRUE(R && !R->Fault);

  KernelCharacteristics C = analyzeKernel(K.graph(), K.Launch, {});
  for (unsigned N = 0; N != std::size(Tables); ++N) {
    WarpTime Simulated = Warps[N].mean();
    CriticalPath Found = findCriticalPath(C.Dependence.Summary, Tables[N]);
    EXPECT_TRUE(Found.IsExact);
    auto Equal = [](double A, double B) {
      return std::abs(A - B) <= 1e-9 * std::max(1.0, B);
    };
    EXPECT_PRED2(Equal, Found.Cycles, Simulated.Cycles) << "table " << N;
    EXPECT_PRED2(Equal, Found.Instructions, Simulated.Instructions);
    EXPECT_PRED2(Equal, Found.LongLoads, Simulated.LongLoads);
    EXPECT_PRED2(Equal, Found.RoundTrips, Simulated.RoundTrips);
    EXPECT_PRED2(Equal, Found.SharedLoads, Simulated.SharedLoads);
    EXPECT_PRED2(Equal, Found.SharedRoundTrips, Simulated.SharedRoundTrips);
  }
}

TEST(CriticalPathRandomTest, StraightLines) {
  for (unsigned Seed = 0; Seed != 150 && !testing::Test::HasFailure(); ++Seed)
    compare(Seed, /*HasLoop=*/false);
}

TEST(CriticalPathRandomTest, SingleLoops) {
  for (unsigned Seed = 0; Seed != 300 && !testing::Test::HasFailure(); ++Seed)
    compare(Seed, /*HasLoop=*/true);
}

} // namespace
