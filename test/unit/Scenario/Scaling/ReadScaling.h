//===- ReadScaling.h - Scaling files that tests share -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_SCENARIO_SCALING_READSCALING_H
#define PTXPREDICT_TEST_UNIT_SCENARIO_SCALING_READSCALING_H

#include "ptxpredict/Scenario/Scaling/ScalingModel.h"
#include "ptxpredict/Scenario/Scaling/ScalingSolver.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace ptxpredict {

/// A file that can be asked.
struct ReadyScaling {
  ScalingFile File;
  DeviceRegistry Registry;
  SharedDevices Devices{Registry};
  DiagnosticEngine Diags, General;
  std::unique_ptr<ScalingModel> Model; ///< null if something is wrong

  ReadyScaling(std::unique_ptr<llvm::MemoryBuffer> Text,
               ScalingModelOptions Options)
      : Diags(std::move(Text)) {
    if (parseScaling(Diags, File))
      return;
    auto Made =
        std::make_unique<ScalingModel>(File, std::move(Options), Devices);
    if (!Made->prepare(Diags, General))
      Model = std::move(Made);
  }

  /// Nothing, and a failure, where there is no answer.
  ScalingPoint at(double N, double P, double F) const {
    ScalingError Why;
    std::optional<ScalingPoint> R = Model->evaluate(N, P, F, Why);
    EXPECT_TRUE(R) << Why.Text;
    return R.value_or(ScalingPoint());
  }
  std::string errorAt(double N, double P, double F) const {
    ScalingError Why;
    EXPECT_FALSE(Model->evaluate(N, P, F, Why));
    return Why.Text;
  }
  /// What was reported.
  std::string errors() const {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    for (const Diagnostic &D : Diags.diagnostics())
      OS << D.Line << ":" << D.Column << ": " << D.Message << "\n";
    return Text;
  }
};

inline std::unique_ptr<ReadyScaling>
readScaling(StringRef Text, ScalingModelOptions Options = {}) {
  return std::make_unique<ReadyScaling>(
      llvm::MemoryBuffer::getMemBufferCopy(Text, "s.yaml"), std::move(Options));
}

/// One of docs/examples/scaling.
inline std::unique_ptr<ReadyScaling>
readExample(StringRef Name, ScalingModelOptions Options = {}) {
  const std::string Path =
      (PTXPREDICT_SOURCE_DIR "/docs/examples/scaling/" + Name + ".yaml").str();
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  EXPECT_TRUE(bool(Buffer)) << Path;
  Options.Path = Path;
  auto R = std::make_unique<ReadyScaling>(
      Buffer ? std::move(*Buffer) : llvm::MemoryBuffer::getMemBuffer(""),
      std::move(Options));
  EXPECT_TRUE(R->Model) << R->errors();
  return R;
}

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_SCENARIO_SCALING_READSCALING_H
