//===- ViaPtxasTest.cpp - Tests of what --via=ptxas is made of ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Driver/Toolchain/ViaPtxas.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

TEST(ViaPtxas, KeepsTheSuffixWhereItMayStand) {
  EXPECT_EQ(architectureFor("sm_90a", 90, 90), "sm_90a");
  EXPECT_EQ(architectureFor("sm_90a", 90, 100), "sm_100");
  EXPECT_EQ(architectureFor("sm_80", 80, 90), "sm_90");
  EXPECT_EQ(architectureFor("sm_100f", 100, 103), "sm_103f");
  EXPECT_EQ(architectureFor("sm_100f", 100, 120), "sm_120");
  EXPECT_EQ(architectureFor("", 0, 90), "sm_90");
}

} // namespace
