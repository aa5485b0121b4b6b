//===- CalibrationTest.cpp - The table of microbenchmarks -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Device/Calibration.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

struct Row {
  StringRef Rule, Name, Unit, Field, Parameter;
};
constexpr Row Rows[] = {
#define MICROBENCHMARK(RULE, NAME, UNIT, FIELD, PARAMETER, MEANING)            \
  {#RULE, NAME, UNIT, FIELD, PARAMETER},
#include "ptxpredict/Device/Microbenchmarks.def"
};
constexpr StringRef Parameters[] = {
#define BOTTLENECK_PARAMETER(MEMBER, KEY, UNIT, LOWEST, HIGHEST, DEFAULT,      \
                             SIGMA, MEANING)                                   \
  KEY,
#include "ptxpredict/Device/BottleneckParameters.def"
};

TEST(MicrobenchmarksTest, RowsNameWhatThereIs) {
  for (const Row &R : Rows) {
    SCOPED_TRACE(R.Name.str());
    EXPECT_EQ(R.Rule == "None", R.Field.empty() && R.Parameter.empty());
    if (R.Rule == "Share" || R.Rule == "Memory") {
      EXPECT_FALSE(R.Field.empty() || R.Parameter.empty());
    }
    if (!R.Parameter.empty()) {
      EXPECT_TRUE(llvm::is_contained(Parameters, R.Parameter));
    }
    if (R.Field.empty())
      continue;
    auto Found = llvm::find_if(deviceFields(), [&](const DeviceField &F) {
      return (F.Section + "." + F.Key).str() == R.Field;
    });
    ASSERT_NE(Found, deviceFields().end());
    EXPECT_EQ(Found->Unit, R.Unit);
  }
}

TEST(MicrobenchmarksTest, RowsOfAResultAgreeInItsUnit) {
  for (const Row &R : Rows)
    for (const Row &Other : Rows) {
      if (R.Name == Other.Name) {
        EXPECT_EQ(R.Unit, Other.Unit);
      }
    }
}

} // namespace
