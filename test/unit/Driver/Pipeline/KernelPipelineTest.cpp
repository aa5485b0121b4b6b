//===- KernelPipelineTest.cpp - From one kernel to predictions ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Pipeline/KernelPipeline.h"
#include "ptxpredict/Driver/Pipeline/CodeFile.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Support/TimeReport.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// Two kernels that call one function.
constexpr const char *TwoKernels = R"(
.version 8.0
.target sm_80
.address_size 64
.func (.reg .f32 r) twice(.reg .f32 a)
{
  add.f32 r, a, a;
  ret;
}
.visible .entry once(.param .u64 x)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<4>;
  .reg .f32 %f<3>;
  ld.param.u64 %rd1, [x];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.s32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  call (%f2), twice, (%f1);
  st.global.f32 [%rd3], %f2;
  ret;
}
.visible .entry again(.param .u64 x)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<4>;
  .reg .f32 %f<4>;
  ld.param.u64 %rd1, [x];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.s32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  call (%f2), twice, (%f1);
  call (%f3), twice, (%f2);
  st.global.f32 [%rd3], %f3;
  ret;
}
)";
constexpr unsigned NumFunctions = 3, NumKernels = 2, NumDevices = 2;
/// A count as it is, and at least and at most.
constexpr unsigned NumBounds = 3;

DriverOptions options() {
  DriverOptions O;
  O.Devices = {"v100", "h100-sxm"};
  O.Models = {"all"};
  O.Launch.Grid = Dim3{4096, 1, 1};
  O.Launch.Block = Dim3{256, 1, 1};
  return O;
}

/// Runs TwoKernels. The number of predictions.
size_t run(DriverOptions O) {
  Driver D(std::move(O));
  EXPECT_TRUE(D.prepare());
  std::vector<DriverInput> Inputs;
  Inputs.push_back(
      {"two.ptx", llvm::MemoryBuffer::getMemBuffer(TwoKernels, "two.ptx")});
  EXPECT_EQ(D.readAll(std::move(Inputs)).size(), 1u);
  Report R = D.run();
  EXPECT_FALSE(D.hasErrors());
  size_t Num = 0;
  for (const KernelReport &K : R.Kernels)
    Num += K.Predictions.size();
  return Num;
}

/// That what is expensive was done once.
void expectOnce(const TimeReport &R) {
  EXPECT_EQ(R.calls(Stage::Parse), 1u);
  EXPECT_EQ(R.calls(Stage::Lower), NumFunctions);
  EXPECT_EQ(R.calls(Stage::ControlFlow), NumFunctions);
  EXPECT_EQ(R.calls(Stage::MachineCode), NumFunctions);
  EXPECT_EQ(R.calls(Stage::Registers), NumFunctions);
}

TEST(KernelPipeline, FindsWhatIsExpensiveOnce) {
  TimeReport R;
  DriverOptions O = options();
  O.FindDefects = O.SuggestSettings = true;
  EXPECT_EQ(run(O), NumKernels * NumDevices * modelNames().size());
  expectOnce(R);
  EXPECT_EQ(R.calls(Stage::Characteristics), NumKernels);
  EXPECT_EQ(R.calls(Stage::Lint), NumKernels);
  EXPECT_EQ(R.calls(Stage::Occupancy), NumKernels * NumDevices);
  EXPECT_EQ(R.calls(Stage::HitRates), NumKernels * NumDevices);
  EXPECT_EQ(R.calls(Stage::Traffic), NumBounds * NumKernels * NumDevices);
}

TEST(KernelPipeline, ClocksOfASweepFindNothingAgain) {
  TimeReport R;
  DriverOptions O = options();
  O.Sweeps.push_back(llvm::cantFail(parseSweep("core-mhz=900:1300:100")));
  EXPECT_EQ(run(O), 5 * NumKernels * NumDevices * modelNames().size());
  expectOnce(R);
  EXPECT_EQ(R.calls(Stage::Characteristics), NumKernels);
  EXPECT_EQ(R.calls(Stage::Occupancy), NumKernels * NumDevices);
  EXPECT_EQ(R.calls(Stage::HitRates), NumKernels * NumDevices);
  EXPECT_EQ(R.calls(Stage::Traffic), NumBounds * NumKernels * NumDevices);
}

TEST(KernelPipeline, LaunchesOfASweepShareTheCode) {
  TimeReport R;
  DriverOptions O = options();
  O.Launch.Grid.reset();
  O.Launch.Block.reset();
  O.Sweeps.push_back(llvm::cantFail(parseSweep("block=64,128,256")));
  O.Sweeps.push_back(llvm::cantFail(parseSweep("grid=1024")));
  EXPECT_EQ(run(O), 3 * NumKernels * NumDevices * modelNames().size());
  expectOnce(R);
  EXPECT_EQ(R.calls(Stage::Characteristics), 3 * NumKernels);
  EXPECT_EQ(R.calls(Stage::Occupancy), 3 * NumKernels * NumDevices);
  EXPECT_EQ(R.calls(Stage::HitRates), 3 * NumKernels * NumDevices);
  EXPECT_EQ(R.calls(Stage::Traffic), 3 * NumBounds * NumKernels * NumDevices);
}

TEST(KernelPipeline, ADatasetsPointSaysWhatTheDriverSays) {
  DriverOptions O = options();
  O.Models.clear();
  constexpr const char *Saxpy =
      PTXPREDICT_SOURCE_DIR "/docs/examples/saxpy.ptx";
  Driver D(O);
  ASSERT_TRUE(D.prepare());
  ASSERT_TRUE(D.read(Saxpy));
  const Report R = D.run();
  ASSERT_EQ(R.Kernels.size(), 1u);

  DeviceRegistry Registry;
  SharedDevices Devices(Registry);
  CodeFile Code(Saxpy, Devices);
  std::vector<LabelWarning> Warnings;
  const auto K = llvm::cantFail(Code.analyze("saxpy", O.Launch, {}, Warnings));
  for (const Prediction &P : R.Kernels[0].Predictions) {
    ReadyKernel Ready(KernelOnDevice(*K, *P.On), {findModel(P.Model)},
                      ModelOptions());
    const Prediction Other = Ready.predict(0, P.Point);
    EXPECT_EQ(Other.TimeUs->Value, P.TimeUs->Value);
    EXPECT_EQ(Other.PowerW->Value, P.PowerW->Value);
  }
}

} // namespace
