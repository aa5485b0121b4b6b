//===- ConfidenceTest.cpp - Kinds of kernels, and what is said of them ----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Confidence.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

const std::string Tests = PTXPREDICT_SOURCE_DIR "/test/";

/// What is said of a kernel on an H100, by \p Model.
std::optional<Confidence> confidence(DriverOptions O, StringRef Code,
                                     StringRef Kernel) {
  O.KernelGlobs = {Kernel.str()};
  if (O.Devices.empty())
    O.Devices = {"h100-sxm"};
  Driver D(std::move(O));
  EXPECT_TRUE(D.prepare());
  EXPECT_TRUE(D.read(Tests + Code.str()));
  const Report R = D.run();
  EXPECT_EQ(R.Kernels.size(), 1u) << Kernel.str();
  if (R.Kernels.empty())
    return std::nullopt;
  const KernelReport &K = R.Kernels.front();
  return confidenceOf(*K.Characteristics, K.Predictions.front());
}

/// At the first launch that a launch file has for it.
std::optional<Confidence> launched(StringRef Folder, StringRef Name,
                                   StringRef Kernel) {
  DriverOptions O;
  O.LaunchFilePath = (Tests + Folder + "/launch/" + Name + ".yaml").str();
  return confidence(std::move(O), (Folder + "/ptx/" + Name + ".ptx").str(),
                    Kernel);
}

struct Case {
  StringRef Folder, Name, Kernel;
  KernelKind Kind;
};

class KernelKinds : public testing::TestWithParam<Case> {};

TEST_P(KernelKinds, AreToldByWhatKernelsDo) {
  const Case &C = GetParam();
  const auto Said = launched(C.Folder, C.Name, C.Kernel);
  ASSERT_TRUE(Said);
  EXPECT_EQ(toString(Said->Kind).str(), toString(C.Kind).str());
}

INSTANTIATE_TEST_SUITE_P(
    Measured, KernelKinds,
    testing::Values(
        Case{"measured", "pipeline_wgmma", "wgmmaRing128x2", KernelKind::Wgmma},
        Case{"measured", "attention_mma", "attention64x64", KernelKind::MmaExp},
        Case{"measured", "pipeline_mma", "mma128x2", KernelKind::Mma},
        Case{"measured", "lookback", "chainedScan", KernelKind::Waiting},
        Case{"measured", "contention", "appendThread", KernelKind::Atomics},
        Case{"measured", "bound", "boundFma", KernelKind::Compute},
        Case{"measured", "columns", "columnStores", KernelKind::Cached},
        Case{"measured", "stream", "streamRead", KernelKind::Streaming},
        Case{"measured", "gather", "chaseLanes", KernelKind::Gather},
        Case{"accuracy", "matmul_tiled", "*", KernelKind::SharedFMA},
        Case{"accuracy", "matmul_wmma", "*", KernelKind::Mma},
        Case{"accuracy", "reduce", "reduce3", KernelKind::Shared},
        Case{"accuracy", "transpose", "transposePadded", KernelKind::Shared},
        Case{"accuracy", "saxpy", "*", KernelKind::Streaming}));

MemoryCharacteristics access(AddressSpace Space, double Requests) {
  MemoryCharacteristics M;
  M.Space = Space;
  M.Requests = Estimate::known(Requests);
  return M;
}

TEST(Confidence, ATenthOfTheAccessesMakesAKind) {
  KernelCharacteristics K;
  K.Memory = {access(AddressSpace::Global, 90), access(AddressSpace::Local, 9)};
  EXPECT_EQ(kindOf(K, TimeLimiter::MemoryBandwidth), KernelKind::Streaming);
  K.Memory.back().Requests = Estimate::known(10);
  EXPECT_EQ(kindOf(K, TimeLimiter::MemoryBandwidth), KernelKind::Local);
  K.Memory.back().Space = AddressSpace::Global;
  K.Memory.back().Access = AccessKind::Atomic;
  EXPECT_EQ(kindOf(K, TimeLimiter::MemoryBandwidth), KernelKind::Atomics);
}

TEST(Confidence, GathersHaveNothingButAWideRange) {
  MemoryCharacteristics M = access(AddressSpace::Global, 1);
  M.Sectors = Estimate(32, Status::Unknown, 1, 32);
  EXPECT_TRUE(isGather(M));
  M.Sectors->Low = 20; // of warps that were not looked at
  EXPECT_FALSE(isGather(M));
  M.Sectors = Estimate::known(32);
  EXPECT_FALSE(isGather(M));
}

TEST(Confidence, KindsHaveNamesAndWords) {
  for (unsigned I = 0; I != NumKernelKinds; ++I) {
    EXPECT_FALSE(toString(KernelKind(I)).empty());
    EXPECT_FALSE(meaningOf(KernelKind(I)).empty());
  }
}

TEST(Confidence, ErrorsAreOrdered) {
  unsigned Judged = 0;
  for (unsigned I = 0; I != NumKernelKinds; ++I) {
    const KindErrors *E = errorsOf(KernelKind(I));
    if (!E)
      continue;
    ++Judged;
    EXPECT_EQ(E->Kind, KernelKind(I));
    EXPECT_GE(E->Rows, E->Kernels);
    EXPECT_GT(E->Median, 0);
    EXPECT_GE(E->FourOfFive, E->Median);
    EXPECT_LE(E->InRange, 1);
  }
  EXPECT_GT(Judged, NumKernelKinds / 2);
}

/// A row of the page's table.
std::string rowOf(const KindErrors &E) {
  auto Percent = [](double Share) { return llvm::format("%.1f", 100 * Share); };
  std::string Row;
  llvm::raw_string_ostream(Row)
      << "| `" << toString(E.Kind) << "` | "
      << (E.Of == MeasuredKernels::Own ? "own" : "public") << " | " << E.Rows
      << " | " << E.Kernels << " | " << Percent(E.Median) << " % | "
      << Percent(E.FourOfFive) << " % | " << Percent(E.InRange) << " % |";
  return Row;
}

TEST(Confidence, ErrorsAreThoseOfThePage) {
  auto Page = llvm::MemoryBuffer::getFile(PTXPREDICT_SOURCE_DIR
                                          "/docs/measurements/Accuracy.md");
  ASSERT_TRUE(Page);
  StringRef Section = (*Page)->getBuffer();
  Section = Section.split("\n### By what a report tells\n").second;
  Section = Section.take_front(Section.find("\n## "));
  size_t Rows = 0;
  for (unsigned I = 0; I != NumKernelKinds; ++I)
    if (const KindErrors *E = errorsOf(KernelKind(I))) {
      ++Rows;
      EXPECT_TRUE(Section.contains(rowOf(*E))) << rowOf(*E);
    }
  EXPECT_EQ(Section.count("\n| `"), Rows);
}

TEST(Confidence, AGivenLaunchLowersNothing) {
  const auto C = launched("accuracy", "saxpy", "*");
  ASSERT_TRUE(C);
  EXPECT_THAT(C->LoweredBy, IsEmpty());
  EXPECT_NE(C->Errors, nullptr);
}

TEST(Confidence, AssumptionsLowerIt) {
  DriverOptions O;
  const auto C = confidence(std::move(O), "../docs/examples/matmul.ptx", "*");
  ASSERT_TRUE(C);
  EXPECT_THAT(C->LoweredBy,
              ElementsAre("no upper bound", "assumed launch",
                          "assumed trip counts", "assumed addresses"));
}

TEST(Confidence, DevicesWithoutRowsLowerIt) {
  DriverOptions O;
  O.Devices = {"l4"};
  const auto C = confidence(std::move(O), "accuracy/ptx/saxpy.ptx", "*");
  ASSERT_TRUE(C);
  EXPECT_THAT(C->LoweredBy, Contains("nothing measured on l4"));
  EXPECT_TRUE(isMeasured("v100"));
  EXPECT_FALSE(isMeasured("l4"));
}

TEST(Confidence, IsOfTheWholeModelAlone) {
  DriverOptions Other;
  Other.Models = {"mwp-cwp"};
  EXPECT_FALSE(confidence(std::move(Other), "accuracy/ptx/saxpy.ptx", "*"));
  DriverOptions Without;
  Without.Model.Without = BottleneckPart::Waves;
  EXPECT_FALSE(confidence(std::move(Without), "accuracy/ptx/saxpy.ptx", "*"));
}

TEST(Confidence, TextSaysWhatWasMeasured) {
  const KindErrors Own = {
      KernelKind::Atomics, MeasuredKernels::Own, 37, 9, 0.189, 0.312, 0.9};
  EXPECT_EQ((Confidence{KernelKind::Atomics, &Own, {}}.text()),
            "kernels like this (many atomics): half of 37 rows of 9 kernels of "
            "ours within 19 %, four of five within 31 %");
  EXPECT_EQ((Confidence{KernelKind::Tcgen05,
                        nullptr,
                        {"a", "assumed b", "assumed c", "d", "assumed e"}}
                 .text()),
            "kernels like this (tcgen05 products): none was measured; less "
            "sure: a, assumed b, c, d, assumed e");
}

} // namespace
