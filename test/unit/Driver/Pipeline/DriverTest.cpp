//===- DriverTest.cpp - From input files to predictions -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Analysis/Dependence/CriticalPath.h"
#include "ptxpredict/Characteristics/CharacteristicsYAML.h"
#include "ptxpredict/Support/TextSpool.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;

namespace {

constexpr const char *Saxpy = PTXPREDICT_SOURCE_DIR "/docs/examples/saxpy.ptx";
constexpr const char *Matmul =
    PTXPREDICT_SOURCE_DIR "/docs/examples/matmul.ptx";

std::string firstError(const Driver &D) {
  for (const DiagnosticEngine *E : D.diagnostics())
    for (const Diagnostic &Message : E->diagnostics())
      if (Message.Level == Severity::Error)
        return Message.Message;
  return "";
}

TEST(Driver, PredictsByDeviceThenModel) {
  DriverOptions O;
  O.Devices = {"v100", "h100-sxm", "v100"};
  O.Models = {"all"};
  Driver D(O);
  ASSERT_TRUE(D.prepare());
  ASSERT_TRUE(D.read(Saxpy));
  ASSERT_TRUE(D.read(Matmul));
  Report R = D.run();
  EXPECT_FALSE(D.hasErrors());
  ASSERT_EQ(R.Inputs.size(), 2u);
  ASSERT_EQ(R.Kernels.size(), 2u);
  EXPECT_EQ(R.Kernels[1].Input, 1u);
  EXPECT_EQ(R.Kernels[1].Characteristics->Name, "matmul");
  size_t NumModels = modelNames().size();
  ASSERT_EQ(R.Kernels[0].Predictions.size(), 2 * NumModels);
  EXPECT_EQ(R.Kernels[0].Predictions[0].Device, "v100");
  EXPECT_EQ(R.Kernels[0].Predictions[NumModels].Device, "h100-sxm");
  for (const KernelReport &K : R.Kernels)
    for (const Prediction &P : K.Predictions) {
      EXPECT_TRUE(P.Applies.Ok);
      ASSERT_TRUE(P.TimeUs);
      // Time and cycles are of one clock.
      EXPECT_DOUBLE_EQ(P.TimeUs->Value * P.CoreMHz, P.Cycles->Value);
      EXPECT_NE(P.TimeUs->Status, Status::Known);
    }
}

TEST(Driver, AnswersForTheOthersWhenOneInputIsBad) {
  Driver D{DriverOptions()};
  ASSERT_TRUE(D.prepare());
  EXPECT_FALSE(D.read("/absent.ptx"));
  EXPECT_TRUE(D.read(Saxpy));
  Report R = D.run();
  EXPECT_TRUE(D.hasErrors());
  ASSERT_EQ(R.Kernels.size(), 1u);
  EXPECT_EQ(R.Kernels[0].Input, 0u); // of those that were read
  ASSERT_EQ(R.Diagnostics.size(), 1u);
  EXPECT_EQ(R.Diagnostics[0].Path, "/absent.ptx");
}

TEST(Driver, NamesWhatIsWrongBeforeReading) {
  auto Error = [](auto Change) {
    DriverOptions O;
    Change(O);
    Driver D(O);
    EXPECT_FALSE(D.prepare());
    EXPECT_TRUE(D.hasErrors());
    return firstError(D);
  };
  EXPECT_EQ(Error([](DriverOptions &O) { O.Models = {"mwp"}; }).substr(0, 32),
            "--model: there is no model 'mwp'");
  EXPECT_NE(Error([](DriverOptions &O) {
              O.Devices = {"v100x"};
            }).find("did you mean 'v100'"),
            std::string::npos);
  EXPECT_NE(Error([](DriverOptions &O) {
              O.LaunchFilePath = "/absent";
            }).find("cannot read"),
            std::string::npos);
}

TEST(Driver, ExactRegistersAreKnownOnEveryDevice) {
  DriverOptions O;
  O.Registers = 77;
  O.Devices = {"v100", "b200"};
  Driver D(O);
  ASSERT_TRUE(D.prepare());
  ASSERT_TRUE(D.read(Saxpy));
  Report R = D.run();
  EXPECT_EQ(R.Kernels[0].Characteristics->Resources.Registers.Value, 77);
  EXPECT_TRUE(R.Kernels[0].Characteristics->Resources.Registers.isKnown());
  for (const Prediction &P : R.Kernels[0].Predictions) {
    EXPECT_EQ(P.Registers.Value, 77);
    EXPECT_TRUE(P.Registers.isKnown());
  }
}

TEST(Driver, FasterClocksTakeLessTime) {
  double Last = INFINITY;
  for (double MHz : {500.0, 1000.0, 1500.0}) {
    DriverOptions O;
    O.CoreMHz = MHz;
    O.Devices = {"v100"};
    Driver D(O);
    ASSERT_TRUE(D.prepare());
    ASSERT_TRUE(D.read(Matmul));
    Report R = D.run();
    double Time = R.Kernels[0].Predictions[0].TimeUs->Value;
    EXPECT_LT(Time, Last);
    Last = Time;
  }
}

/// What a run with two threads reports of several files, from whole kernels or
/// with a sink, that may spill its texts.
std::string reportOf(ArrayRef<std::string> Files, const ReportForm &Form,
                     std::optional<size_t> MemoryBytes) {
  DriverOptions O;
  O.Jobs = MemoryBytes ? 2 : 1;
  O.Devices = {"v100", "h100-sxm"};
  Driver D(O);
  EXPECT_TRUE(D.prepare());
  for (const std::string &File : Files)
    EXPECT_TRUE(D.read(File));
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (!MemoryBytes) {
    Report R = D.run();
    EXPECT_FALSE(R.Kernels.empty());
    Form.printAll(R, OS);
    return Text;
  }
  TextSpool Texts(*MemoryBytes);
  Report R =
      D.run([&](const Report &Head, size_t Number, const KernelReport &K) {
        std::string Kernel;
        llvm::raw_string_ostream KernelOS(Kernel);
        Form.printKernel(Head, K, KernelOS);
        Texts.add(Number, Kernel);
      });
  EXPECT_TRUE(R.Kernels.empty());
  Form.print(
      R, Texts.size(),
      [&](size_t N, raw_ostream &To) { EXPECT_FALSE(Texts.print(N, To)); }, OS);
  return Text;
}

TEST(Driver, ReportsTheSameKernelByKernel) {
  std::vector<std::string> Files;
  for (const char *Name : {"atomics.nvcc.sm_80", "atomics.clang.sm_75",
                           "bulk_tensor.nvcc.sm_100a"})
    Files.push_back(
        std::string(PTXPREDICT_SOURCE_DIR "/test/Inputs/kernels/ptx/") + Name +
        ".ptx");
  Files.emplace_back(Saxpy);
  std::unique_ptr<ReportForm> Forms[] = {
      jsonForm(), textForm(Verbosity::Quiet, false),
      textForm(Verbosity::Normal, false), textForm(Verbosity::Verbose, false),
      htmlForm(ModelOptions())};
  for (const auto &Form : Forms) {
    std::string Whole = reportOf(Files, *Form, std::nullopt);
    EXPECT_GT(Whole.size(), 1000U);
    for (size_t MemoryBytes : {size_t(100), TextSpool::DefaultMemoryBytes})
      EXPECT_EQ(reportOf(Files, *Form, MemoryBytes), Whole);
  }
}

TEST(Driver, ChecksLabelsOfKernelsThatASinkTook) {
  for (StringRef Label : {"$L__BB0_2", "$L__none"}) {
    DriverOptions O;
    O.Launch.TripCounts[Label.str()] = 3;
    Driver D(O);
    ASSERT_TRUE(D.prepare());
    ASSERT_TRUE(D.read(Matmul));
    unsigned Seen = 0;
    std::string Loops;
    (void)D.run([&](const Report &, size_t, const KernelReport &K) {
      ++Seen;
      for (const LoopCharacteristics &L : K.Characteristics->Loops)
        Loops += L.Header + " ";
    });
    EXPECT_EQ(Seen, 1U);
    EXPECT_EQ(D.hasUsageErrors(), Loops.find(Label.str()) == std::string::npos)
        << Loops;
    EXPECT_EQ(D.hasUsageErrors(), Label == "$L__none");
  }
}

TEST(Driver, PredictsTheSameFromCharacteristicsRead) {
  Driver D{DriverOptions()};
  ASSERT_TRUE(D.prepare());
  for (const char *Name : {"matmul", "reduce", "saxpy"})
    ASSERT_TRUE(
        D.read((PTXPREDICT_SOURCE_DIR "/docs/examples/" + Twine(Name) + ".ptx")
                   .str()));
  Report R = D.run();
  ASSERT_EQ(R.Kernels.size(), 3u);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  for (const KernelReport &K : R.Kernels)
    print(*K.Characteristics, OS);
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBuffer(Text, "k.yaml"));
  std::vector<KernelCharacteristics> Kernels;
  ASSERT_FALSE(readCharacteristics(Diags, Kernels));
  ASSERT_EQ(Kernels.size(), 3u);
  const Device *H100 = llvm::cantFail(D.findDevice("h100-sxm"));
  LatencyTable Latencies = LatencyTable::unit();
  Latencies.of(SchedClass::Global) = 600;
  Latencies.of(SchedClass::Shared) = 30;
  for (size_t N = 0; N != 3; ++N) {
    const KernelCharacteristics &Want = *R.Kernels[N].Characteristics;
    // Bit by bit, whatever is asked of it.
    CriticalPath A = findCriticalPath(Want.Dependence.Summary, Latencies);
    CriticalPath B = findCriticalPath(Kernels[N].Dependence.Summary, Latencies);
    EXPECT_GT(A.Cycles, 600);
    EXPECT_EQ(A.Cycles, B.Cycles);
    EXPECT_EQ(A.RoundTrips, B.RoundTrips);
    EXPECT_EQ(A.LoadsInFlight, B.LoadsInFlight);
    EXPECT_EQ(A.IsExact, B.IsExact);
    for (StringRef Name : modelNames()) {
      const Model &M = *findModel(Name);
      DevicePoint Slow = DevicePoint::of(*H100);
      Slow.CoreMHz = 777;
      auto Prepared = M.prepare({Want, *H100}, {});
      auto FromFile = M.prepare({Kernels[N], *H100}, {});
      Prediction P = Prepared->predict(Slow), Q = FromFile->predict(Slow);
      ASSERT_TRUE(P.TimeUs && Q.TimeUs);
      EXPECT_EQ(P.TimeUs->Value, Q.TimeUs->Value);
      EXPECT_EQ(P.TimeUs->High, Q.TimeUs->High);
    }
  }
}

} // namespace
