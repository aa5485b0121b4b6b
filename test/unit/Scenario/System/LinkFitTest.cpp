//===- LinkFitTest.cpp - Tests of what transfers decide -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/System/LinkFit.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using ::testing::HasSubstr;

namespace {

constexpr TransferWay H2D = TransferWay::HostToDevice,
                      D2H = TransferWay::DeviceToHost;

struct Result {
  std::string Name;
  double Us;
};

std::string resultsFile(ArrayRef<Result> Results) {
  std::string Text = "schema: ptx-predict/microbenchmarks\nversion: 1\n"
                     "device: GTX 970\ndate: 2017-01-31\ndriver: thesis\n"
                     "compute_capability: 5.2\nresults:\n";
  for (const Result &R : Results)
    Text += "- {name: " + R.Name +
            ", unit: us, value: " + shortestDecimal(R.Us) + "}\n";
  return Text;
}

struct Fitted {
  std::vector<LinkFit> Fits;
  std::string Messages;
  bool Failed = false;

  const LinkFit *find(TransferWay Way, HostMemory Memory) const {
    const auto At = llvm::find_if(Fits, [&](const LinkFit &F) {
      return F.Way == Way && F.Memory == Memory;
    });
    return At == Fits.end() ? nullptr : &*At;
  }
};

Fitted fitted(ArrayRef<Result> Results, StringRef Of = "gajger-pcie3-x16") {
  static LinkRegistry Registry;
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(
      resultsFile(Results), "results.yaml"));
  MicrobenchmarkResults Read;
  EXPECT_FALSE(parseMicrobenchmarks(Diags, Read));
  Fitted F;
  F.Failed =
      fitTransfers(Diags, Read, *llvm::cantFail(Registry.find(Of)), F.Fits);
  EXPECT_EQ(F.Failed, Diags.hasErrors());
  llvm::raw_string_ostream OS(F.Messages);
  Diags.print(OS, /*Colors=*/false);
  return F;
}

/// Gajger, Table 5.1: the mean time of a thousand copies, in ms.
constexpr struct {
  unsigned Bytes;
  double H2D, D2H;
} SmallTransfers[] = {
    {0, 0.0005354, 0.0005030},   {4, 0.0042464, 0.0054774},
    {8, 0.0038608, 0.0050707},   {16, 0.0039446, 0.0051018},
    {32, 0.0038378, 0.0051005},  {64, 0.0039648, 0.0051171},
    {128, 0.0039302, 0.0050918}, {256, 0.0039766, 0.0051203},
    {512, 0.0039882, 0.0051757},
};

/// Gajger, Table 6.2; the startups as the means of Table 5.1 are (E03, E04).
constexpr struct {
  StringRef Link;
  TransferWay Way;
  double StartupUs, Efficiency, GBs;
} Calibrated[] = {{"gajger-pcie3-x16", H2D, 3.9686750000000005, 0.689, 15.8},
                  {"gajger-pcie3-x16", D2H, 5.1569125, 0.653, 15.8},
                  {"gajger-pcie2-x4", H2D, 7.3276, 0.8435, 2},
                  {"gajger-pcie2-x4", D2H, 11.67905, 0.8421, 2}};

constexpr unsigned LargeMiB[] = {1, 2, 16, 256};

/// Times of large transfers by (5.5).
void addLarge(std::vector<Result> &To, TransferWay Way, double StartupUs,
              double Efficiency, double GBs) {
  for (unsigned MiB : LargeMiB)
    To.push_back(
        {("transfer." + toString(Way) + ".pageable." + Twine(MiB) + "MiB")
             .str(),
         StartupUs + MiB * 1048576.0 / (GBs * Efficiency * 1e3)});
}

TEST(LinkFit, FindsTheStartupsOfTable51) {
  std::vector<Result> Results;
  for (const auto &R : SmallTransfers)
    for (TransferWay Way : {H2D, D2H})
      Results.push_back(
          {("transfer." + toString(Way) + ".pageable." + Twine(R.Bytes) + "B")
               .str(),
           (Way == H2D ? R.H2D : R.D2H) * 1e3});
  const Fitted F = fitted(Results);
  ASSERT_FALSE(F.Failed) << F.Messages;
  ASSERT_EQ(F.Fits.size(), 2u);
  const LinkFit &In = *F.find(H2D, HostMemory::Pageable),
                &Out = *F.find(D2H, HostMemory::Pageable);
  EXPECT_NEAR(*In.StartupUs, 3.9686750000000005, 1e-14);
  EXPECT_NEAR(*Out.StartupUs, 5.1569125, 1e-14);
  EXPECT_EQ(In.StartupUs.Source, "mean of 8 transfers of 4 to 512 bytes, GTX "
                                 "970, 2017-01-31, driver thesis");
  EXPECT_FALSE(In.Efficiency || Out.Efficiency);
  ASSERT_EQ(In.Rows.size(), std::size(SmallTransfers));
  EXPECT_EQ(In.Rows[0].Decides, FitPart::Nothing); // 0 bytes
  EXPECT_EQ(In.Rows[1].Name, "4B");
  EXPECT_EQ(In.Rows[1].Decides, FitPart::Startup);
}

TEST(LinkFit, FindsTheNumbersOfTable62) {
  for (const auto &C : Calibrated) {
    SCOPED_TRACE(C.Link.str() + " " + toString(C.Way).str());
    std::vector<Result> Results = {
        {("transfer." + toString(C.Way) + ".pageable.64B").str(), C.StartupUs}};
    addLarge(Results, C.Way, C.StartupUs, C.Efficiency, C.GBs);
    const Fitted F = fitted(Results, C.Link);
    ASSERT_FALSE(F.Failed) << F.Messages;
    ASSERT_EQ(F.Fits.size(), 1u);
    const LinkFit &Fit = F.Fits.front();
    EXPECT_EQ(*Fit.StartupUs, C.StartupUs);
    EXPECT_NEAR(*Fit.Efficiency, C.Efficiency, 1e-12);
    for (const FitRow &R : llvm::drop_begin(Fit.Rows)) {
      EXPECT_EQ(R.Decides, FitPart::Efficiency);
      EXPECT_NEAR(R.residual(), 0, 1e-12) << R.Name;
    }
  }
}

/// Two times that no efficiency fits: the one of least squares, by hand.
TEST(LinkFit, IsLeastOffAsShares) {
  const double Bytes = 1 << 20;
  const std::vector<Result> Results = {{"transfer.p2p.1MiB", 100},
                                       {"transfer.p2p.pinned.2MiB", 400}};
  const Fitted F = fitted(Results, "nvlink3-x12");
  ASSERT_FALSE(F.Failed) << F.Messages;
  const LinkFit &Fit = F.Fits.front();
  EXPECT_EQ(Fit.name(), "p2p");
  // x minimizes (x n / 100 - 1)^2 + (2 x n / 400 - 1)^2, n of 1 MiB.
  const double A = Bytes / 100, B = 2 * Bytes / 400,
               Slope = (A + B) / (A * A + B * B);
  EXPECT_NEAR(*Fit.Efficiency, 1 / (Slope * 300e3), 1e-12);
  EXPECT_NEAR(Fit.Rows[0].residual(), Slope * A - 1, 1e-12);
  EXPECT_NEAR(Fit.Rows[1].residual(), Slope * B - 1, 1e-12);
  EXPECT_NEAR(Fit.meanError(), (0.2 + 0.4) / 2, 1e-12);
}

/// Without small transfers the link's own startup is in the times.
TEST(LinkFit, TakesTheLinksStartupWhereNoneIsMeasured) {
  std::vector<Result> Results;
  addLarge(Results, D2H, 5.1569, 0.5, 15.8);
  const Fitted F = fitted(Results);
  ASSERT_FALSE(F.Failed) << F.Messages;
  EXPECT_FALSE(F.Fits.front().StartupUs);
  EXPECT_NEAR(*F.Fits.front().Efficiency, 0.5, 1e-12);
  EXPECT_THAT(F.Fits.front().Efficiency.Source,
              HasSubstr("with a startup of 5.157 us"));
}

TEST(LinkFit, WritesALinkThatReadsBack) {
  LinkRegistry Registry;
  const Link &Base = *llvm::cantFail(Registry.find("gajger-pcie3-x16"));
  std::vector<Result> Results = {{"transfer.h2d.pinned.4B", 2},
                                 {"transfer.h2d.pinned.8B", 2.5},
                                 {"transfer.h2d.pinned.8B", 3}};
  const Fitted F = fitted(Results);
  ASSERT_FALSE(F.Failed) << F.Messages;
  const Link New = fittedLink(Base, F.Fits);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printLink(New, OS);
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "l.yaml"));
  const std::unique_ptr<Link> Again = parseLink(Diags);
  ASSERT_TRUE(Again) << Text;
  const auto &Of = Again->Transfers[size_t(H2D)];
  EXPECT_EQ(*Of[size_t(HostMemory::Pinned)].StartupUs, 2.5);
  EXPECT_FALSE(Of[size_t(HostMemory::Pinned)].Efficiency);
  EXPECT_EQ(*Of[size_t(HostMemory::Pageable)].StartupUs, 3.9687); // as it was
}

TEST(LinkFit, DividesAStartupAmongLinks) {
  Fitted F = fitted({{"transfer.p2p.4B", 5}, {"transfer.p2p.1MiB", 20}},
                    "nvlink3-x12");
  ASSERT_FALSE(F.Failed) << F.Messages;
  const double Efficiency = *F.Fits.front().Efficiency;
  divideStartups(F.Fits, 1);
  EXPECT_EQ(*F.Fits.front().StartupUs, 5);
  divideStartups(F.Fits, 2);
  EXPECT_EQ(*F.Fits.front().StartupUs, 2.5);
  EXPECT_THAT(F.Fits.front().StartupUs.Source, HasSubstr(", over 2 links"));
  EXPECT_EQ(*F.Fits.front().Efficiency, Efficiency);
  EXPECT_NEAR(F.Fits.front().Rows[1].residual(), 0, 1e-12);
}

TEST(LinkFit, TakesNoiseAboveAllForAll) {
  const Link &L = *[] {
    static LinkRegistry Registry;
    return llvm::cantFail(Registry.find("gajger-pcie2-x4")); // 2 GB/s
  }();
  EXPECT_EQ(llvm::cantFail(efficiencyOf(1 / 2.05e3, L)), 1);
  EXPECT_NEAR(llvm::cantFail(efficiencyOf(1 / 1e3, L)), 0.5, 1e-12);
  EXPECT_THAT(llvm::toString(efficiencyOf(1 / 2.5e3, L).takeError()),
              HasSubstr("that would be 1.25 of the 2 GB/s of "
                        "gajger-pcie2-x4"));
  EXPECT_THAT(llvm::toString(efficiencyOf(0, L).takeError()),
              HasSubstr("no efficiency follows"));
}

TEST(LinkFit, ReportsWhatIsNoTransferAndWhatNoLinkDoes) {
  const Fitted Names = fitted({{"transfer.h2d.paged.4B", 1},
                               {"transfer.h2d.4B", 1},
                               {"transfer.up.pinned.4B", 1},
                               {"transfer.h2d.pinned.4b", 1},
                               {"transfer.h2d.pinned.-4B", 1},
                               {"transfer.p2p.pinned.4.B", 1},
                               {"transfer.d2h.pinned.99999999999GiB", 1},
                               {"transfer.d2h.pinned.4B", 2e9}});
  EXPECT_TRUE(Names.Failed);
  for (unsigned Line = 8; Line != 15; ++Line)
    EXPECT_THAT(Names.Messages,
                HasSubstr("results.yaml:" + std::to_string(Line) + ":"));
  EXPECT_THAT(Names.Messages,
              HasSubstr("'transfer.h2d.paged.4B' is of no transfer: results "
                        "are named transfer.h2d.pageable.4B"));
  EXPECT_THAT(Names.Messages, HasSubstr("a transfer takes at most 1000000000 "
                                        "us, not 2000000000"));

  const Fitted Fast = fitted({{"transfer.h2d.pinned.1MiB", 10},
                              {"transfer.d2h.pinned.4B", 50},
                              {"transfer.d2h.pinned.2MiB", 40}});
  EXPECT_TRUE(Fast.Failed);
  EXPECT_THAT(Fast.Messages, HasSubstr("h2d pinned: that would be "));
  EXPECT_THAT(Fast.Messages,
              HasSubstr("d2h pinned: more bytes take no longer"));

  const Fitted None = fitted({{"transfer.h2d.pinned.4KiB", 1}});
  EXPECT_TRUE(None.Failed);
  EXPECT_THAT(None.Messages, HasSubstr("no result decides a number of a link"));
}

TEST(LinkFit, NamesSizes) {
  EXPECT_EQ(sizeText(0), "0B");
  EXPECT_EQ(sizeText(512), "512B");
  EXPECT_EQ(sizeText(1000), "1000B");
  EXPECT_EQ(sizeText(65536), "64KiB");
  EXPECT_EQ(sizeText(1536), "1536B");
  EXPECT_EQ(sizeText(3 << 20), "3MiB");
  EXPECT_EQ(sizeText(8e9), "7812500KiB");
  EXPECT_EQ(sizeText(8589934592.), "8GiB");
}

} // namespace
