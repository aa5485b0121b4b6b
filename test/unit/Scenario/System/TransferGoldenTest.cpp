//===- TransferGoldenTest.cpp - Transfers as Gajger prints them -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The rows of Gajger's tables, and what follows from his equations in double
// precision.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/System/Link.h"
#include "ptxpredict/Support/NumberFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

constexpr TransferWay ToDevice = TransferWay::HostToDevice,
                      ToHost = TransferWay::DeviceToHost;

/// Table 4.3: one direction, as printed, and exactly.
constexpr struct {
  StringRef Link;
  unsigned Lanes;
  StringRef Printed; ///< GB/s
  double GTPerSecond;
  unsigned DataBits, WireBits;
  double Exact; ///< GB/s, twelve digits
} PCIeRates[] = {
    {"pcie1-x1", 1, "0.25", 2.5, 8, 10, 0.25},
    {"pcie1-x4", 4, "1", 2.5, 8, 10, 1.0},
    {"pcie1-x8", 8, "2", 2.5, 8, 10, 2.0},
    {"pcie1-x16", 16, "4", 2.5, 8, 10, 4.0},
    {"pcie2-x1", 1, "0.5", 5, 8, 10, 0.5},
    {"pcie2-x4", 4, "2", 5, 8, 10, 2.0},
    {"pcie2-x8", 8, "4", 5, 8, 10, 4.0},
    {"pcie2-x16", 16, "8", 5, 8, 10, 8.0},
    {"pcie3-x1", 1, "0.985", 8, 128, 130, 0.984615384615},
    {"pcie3-x4", 4, "3.94", 8, 128, 130, 3.938461538462},
    {"pcie3-x8", 8, "7.9", 8, 128, 130, 7.876923076923},
    {"pcie3-x16", 16, "15.8", 8, 128, 130, 15.753846153846},
};

/// Table 5.1: the mean time of a thousand cudaMemcpy of so many bytes, in ms.
constexpr struct {
  double Bytes, ToDevice, ToHost;
} StartupTimes[] = {
    {0, 0.0005354, 0.0005030},   {4, 0.0042464, 0.0054774},
    {8, 0.0038608, 0.0050707},   {16, 0.0039446, 0.0051018},
    {32, 0.0038378, 0.0051005},  {64, 0.0039648, 0.0051171},
    {128, 0.0039302, 0.0050918}, {256, 0.0039766, 0.0051203},
    {512, 0.0039882, 0.0051757},
};

/// Seconds of transfers of 4 N bytes with the GTX 970, else the GTX TITAN X.
constexpr struct {
  bool IsGTX970;
  double N, H2DOne, H2DBoth, ToHost;
} DataSizes[] = {
    {true, 1, 3.969067437673385e-06, 7.93813487534677e-06,
     5.157287694574214e-06},
    {true, 1000, 4.336137673384652e-06, 8.672275346769303e-06,
     5.544594574214433e-06},
    {true, 10000, 7.643076733846522e-06, 1.5286153467693044e-05,
     9.033845742144339e-06},
    {true, 100000, 4.0712467338465214e-05, 8.142493467693043e-05,
     4.392635742144339e-05},
    {true, 1000000, 0.0003714063733846521, 0.0007428127467693042,
     0.0003928514742144339},
    {true, 10000000, 0.003678345433846521, 0.007356690867693042,
     0.0038821026421443387},
    {true, 100000000, 0.03674773603846521, 0.07349547207693043,
     0.038774614321443385},
    {true, 200000000, 0.07349150337693042, 0.14698300675386083,
     0.07754407174288677},
    {true, 300000000, 0.11023527071539563, 0.22047054143079126,
     0.11631352916433016},
    {true, 400000000, 0.14697903805386084, 0.2939580761077217,
     0.15508298658577355},
    {true, 500000000, 0.18372280539232605, 0.3674456107846521,
     0.19385244400721693},
    {true, 1000000000, 0.36744164208465213, 0.7348832841693043,
     0.3876997311144339},
    {true, 10000000000, 3.6743807025465216, 7.348761405093043,
     3.8769508990443384},
    {false, 1, 7.329971072910492e-06, 1.4659942145820984e-05,
     1.1681425014843842e-05},
    {false, 1000, 9.698672910491998e-06, 1.9397345820983995e-05,
     1.4054064843842774e-05},
    {false, 10000, 3.1038329104919976e-05, 6.207665820983995e-05,
     3.542919843842774e-05},
    {false, 100000, 0.0002444348910491998, 0.0004888697820983996,
     0.00024918053438427744},
    {false, 1000000, 0.0023784005104919973, 0.004756801020983995,
     0.0023866938938427737},
    {false, 10000000, 0.023718056704919974, 0.04743611340983995,
     0.023761827488427742},
    {false, 100000000, 0.23711461864919975, 0.4742292372983995,
     0.2375131634342774},
    {false, 200000000, 0.4742219096983995, 0.948443819396799,
     0.4750146478185548},
    {false, 300000000, 0.7113292007475993, 1.4226584014951986,
     0.7125161322028322},
    {false, 400000000, 0.948436491796799, 1.896872983593598,
     0.9500176165871096},
    {false, 500000000, 1.185543782845999, 2.371087565691998, 1.187519100971387},
    {false, 1000000000, 2.3710802380919977, 4.7421604761839955,
     2.375026522892774},
    {false, 10000000000, 23.710736432519976, 47.42147286503995,
     23.75016011747774},
};

class TransferGolden : public ::testing::Test {
protected:
  const Link &link(StringRef Name) {
    return *llvm::cantFail(Registry.find(Name));
  }
  double seconds(StringRef Name, TransferWay Way, double Bytes) {
    return transferSeconds(link(Name).timing(Way, HostMemory::Pageable), Bytes);
  }

private:
  LinkRegistry Registry;
};

void expectNear(double Got, double Wanted, double Relative = 1e-9) {
  EXPECT_NEAR(Got / Wanted, 1, Relative) << Got << " for " << Wanted;
}

TEST_F(TransferGolden, HasThePCIeRatesOfTable43) {
  for (const auto &R : PCIeRates) {
    SCOPED_TRACE(R.Link.str());
    const double OfLanes =
        laneGBs(R.GTPerSecond, R.DataBits, R.WireBits) * R.Lanes;
    expectNear(OfLanes, R.Exact, 1e-11);
    EXPECT_EQ(*link(R.Link).BandwidthGBs, OfLanes);
    // As many digits as are printed.
    const auto Digits = llvm::count_if(R.Printed, llvm::isDigit) -
                        (R.Printed.starts_with("0.") ? 1 : 0);
    const std::string Format = "%." + std::to_string(Digits) + "g";
    EXPECT_EQ(formatNumber(Format.c_str(), OfLanes), R.Printed);
  }
}

/// E16 to E19.
TEST_F(TransferGolden, HasTheWorkedTransfers) {
  constexpr double Bytes = 1.6e9;
  expectNear(seconds("gajger-pcie3-x16", ToDevice, Bytes), 0.14697903805386084);
  expectNear(seconds("gajger-pcie3-x16", ToHost, Bytes), 0.15508298658577355);
  expectNear(seconds("gajger-pcie2-x4", ToDevice, Bytes), 0.948436491796799);
  expectNear(seconds("gajger-pcie2-x4", ToHost, Bytes), 0.9500176165871096);
}

/// Table 6.2.
TEST_F(TransferGolden, HasTheCalibratedLinks) {
  constexpr struct {
    StringRef Link;
    TransferWay Way;
    double StartupMs, Efficiency, GBs, EffectiveGBs;
  } Rows[] = {{"gajger-pcie3-x16", ToDevice, 0.0039687, 0.689, 15.8, 10.8862},
              {"gajger-pcie3-x16", ToHost, 0.0051569, 0.653, 15.8, 10.3174},
              {"gajger-pcie2-x4", ToDevice, 0.0073276, 0.8435, 2, 1.687},
              {"gajger-pcie2-x4", ToHost, 0.01167905, 0.8421, 2, 1.6842}};
  for (const auto &R : Rows) {
    SCOPED_TRACE(R.Link.str());
    const Link &L = link(R.Link);
    const Link::Timing T = L.timing(R.Way, HostMemory::Pageable);
    EXPECT_FALSE(T.StartupIsAssumed || T.EfficiencyIsAssumed);
    expectNear(T.StartupSeconds, R.StartupMs / 1e3);
    expectNear(T.BytesPerSecond, R.EffectiveGBs * 1e9);
    EXPECT_EQ(*L.BandwidthGBs, R.GBs);
    EXPECT_EQ(*L.Transfers[size_t(R.Way)][0].Efficiency, R.Efficiency);
  }
}

/// E03 and E04: equations 5.6 and 5.7 have the means rounded.
TEST_F(TransferGolden, StartsUpAsSmallTransfersDo) {
  double Sums[2] = {0, 0};
  unsigned Num = 0;
  for (const auto &R : StartupTimes)
    if (R.Bytes >= 4 && R.Bytes <= 512) {
      Sums[0] += R.ToDevice;
      Sums[1] += R.ToHost;
      ++Num;
    }
  ASSERT_EQ(Num, 8u);
  expectNear(Sums[0] / Num, 0.0039686750000000005, 1e-15);
  expectNear(Sums[1] / Num, 0.0051569125, 1e-15);
  for (auto [Way, Mean] :
       {std::pair(ToDevice, Sums[0] / Num), {ToHost, Sums[1] / Num}})
    EXPECT_EQ(formatNumber("%.5g", Mean * 1e3),
              formatNumber("%.5g", seconds("gajger-pcie3-x16", Way, 0) * 1e6));
}

TEST_F(TransferGolden, HasTheSweepOfDataSizes) {
  for (const auto &R : DataSizes) {
    SCOPED_TRACE(R.N);
    const StringRef Name = R.IsGTX970 ? "gajger-pcie3-x16" : "gajger-pcie2-x4";
    const double One = seconds(Name, ToDevice, 4 * R.N);
    expectNear(One, R.H2DOne);
    expectNear(2 * One, R.H2DBoth);
    expectNear(seconds(Name, ToHost, 4 * R.N), R.ToHost);
  }
}

} // namespace
