//===- MWPCWPFitTest.cpp - Tests of Hong's calibration --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Fit/MWPCWPFit.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

const Device &device(StringRef Name) {
  static DeviceRegistry Registry;
  return *llvm::cantFail(Registry.find(Name));
}

std::vector<MixRow> rowsBy(const Device &D, const MWPCWPParameters &Truth) {
  std::vector<MixRow> Rows;
  for (StringRef Loop : {"mb1", "mb2", "mb3", "mb4", "mb5", "mb6", "mb7"})
    for (StringRef Access : {"", ".coalesced", ".uncoalesced"})
      if (const auto In = inputsOfMix(("cpi." + Loop + Access).str(), D, 1300))
        Rows.push_back({*In, mixCPI(*In, Truth)});
  return Rows;
}

TEST(MWPCWPFit, GivesItsParametersBack) {
  // Of table 5 and of boards of today, where an SM gets less of the bandwidth.
  const std::pair<StringRef, MWPCWPParameters> Truths[] = {
      {"gtx-280", {450, 4, 40}},
      {"8800-gt", {420, 4, 10}},
      {"a100-80gb", {560, 12, 3}},
      {"h100-sxm", {700, 9, 2}},
      {"v100", {430, 20, 5}}};
  for (const auto &[Name, Truth] : Truths) {
    const std::vector<MixRow> Rows = rowsBy(device(Name), Truth);
    ASSERT_EQ(Rows.size(), 13u);
    const auto F = fitMWPCWP(Rows);
    ASSERT_TRUE(F);
    EXPECT_NEAR(F->Parameters.MemLD / Truth.MemLD, 1, 0.01) << Name.str();
    EXPECT_NEAR(F->Parameters.DepartureDelCoal / Truth.DepartureDelCoal, 1,
                0.01)
        << Name.str();
    EXPECT_NEAR(F->Parameters.DepartureDelUncoal / Truth.DepartureDelUncoal, 1,
                0.01)
        << Name.str();
    EXPECT_LT(F->MAPE, 1e-4) << Name.str();
  }
}

TEST(MWPCWPFit, NeedsLoopsOfBothKinds) {
  std::vector<MixRow> Rows = rowsBy(device("gtx-280"), {450, 4, 40});
  std::vector<MixRow> Coalesced;
  for (const MixRow &R : Rows)
    if (R.Inputs.UncoalMemInsts == 0)
      Coalesced.push_back(R);
  EXPECT_FALSE(fitMWPCWP(Coalesced));
  EXPECT_FALSE(fitMWPCWP({}));
  EXPECT_FALSE(inputsOfMix("cpi.mb8.coalesced", device("v100"), 1000));
  EXPECT_FALSE(inputsOfMix("cpi.mb2", device("v100"), 1000));
  EXPECT_FALSE(inputsOfMix("latency.l2", device("v100"), 1000));
}

} // namespace
