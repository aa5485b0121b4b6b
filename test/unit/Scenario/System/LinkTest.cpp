//===- LinkTest.cpp - Tests of links and their files ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/System/Link.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

struct ParsedLink {
  std::unique_ptr<Link> L;
  std::string Printed; ///< messages
};

ParsedLink parsedLink(StringRef Text) {
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "l.yaml"));
  ParsedLink P;
  P.L = parseLink(Diags);
  EXPECT_EQ(P.L == nullptr, Diags.hasErrors());
  llvm::raw_string_ostream OS(P.Printed);
  Diags.print(OS, /*Colors=*/false);
  return P;
}

/// A file with a name and \p Rest.
std::string linkFile(StringRef Rest) {
  return ("schema: ptx-predict/link\nversion: 1\nname: mine\n" + Rest).str();
}

std::string printedLink(const Link &L) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printLink(L, OS);
  return Text;
}

bool isSameNumber(const Quantity &A, const Quantity &B) {
  return A.Value == B.Value && A.Source == B.Source;
}

void expectSameLink(const Link &A, const Link &B) {
  EXPECT_EQ(A.Name, B.Name);
  EXPECT_EQ(A.Description, B.Description);
  EXPECT_EQ(A.Source, B.Source);
  EXPECT_TRUE(isSameNumber(A.BandwidthGBs, B.BandwidthGBs));
  ASSERT_EQ(A.Lanes.has_value(), B.Lanes.has_value());
  if (A.Lanes) {
    EXPECT_TRUE(isSameNumber(A.Lanes->GTPerSecond, B.Lanes->GTPerSecond));
    EXPECT_EQ(A.Lanes->DataBits, B.Lanes->DataBits);
    EXPECT_EQ(A.Lanes->WireBits, B.Lanes->WireBits);
    EXPECT_EQ(A.Lanes->Lanes, B.Lanes->Lanes);
  }
  for (unsigned W = 0; W != NumTransferWays; ++W)
    for (unsigned M = 0; M != NumHostMemories; ++M) {
      const TransferNumbers &X = A.Transfers[W][M], &Y = B.Transfers[W][M];
      EXPECT_TRUE(isSameNumber(X.StartupUs, Y.StartupUs)) << W << M;
      EXPECT_TRUE(isSameNumber(X.Efficiency, Y.Efficiency)) << W << M;
    }
  EXPECT_TRUE(isSameNumber(A.IdleW, B.IdleW));
  EXPECT_TRUE(isSameNumber(A.ActiveW, B.ActiveW));
  EXPECT_TRUE(isSameNumber(A.MTBFHours, B.MTBFHours));
  ASSERT_EQ(A.Policies.size(), B.Policies.size());
  for (auto [P, Q] : llvm::zip(A.Policies, B.Policies)) {
    EXPECT_EQ(P.Name, Q.Name);
    EXPECT_EQ(P.FromBytes, Q.FromBytes);
    EXPECT_TRUE(isSameNumber(P.LatencyFactor, Q.LatencyFactor));
    EXPECT_TRUE(isSameNumber(P.EnergyFactor, Q.EnergyFactor));
  }
}

constexpr StringRef WholeLink =
    "description: all that there is\n"
    "transfers:\n"
    "  h2d:\n"
    "    pageable: {startup_us: 4, efficiency: 0.5, source: paged}\n"
    "    pinned: {startup_us: {value: 2, unit: us, source: pinned}}\n"
    "    source: from the host\n"
    "  d2h: {pinned: {efficiency: 0.75}}\n"
    "  p2p: {startup_us: 1, efficiency: 0.9}\n"
    "pcie: {gt_per_s: 8, encoding: 128/130, lanes: 4}\n"
    "bandwidth: {value: 32, unit: Gbit/s, source: rounded}\n"
    "idle_w: 1\n"
    "active_w: 2.5\n"
    "mtbf_hours: 1e6\n"
    "policies:\n"
    "- {name: put, from: 16Ki, latency_factor: 1.05, energy_factor: 0.94}\n"
    "- {name: put, from: 1Mi, energy_factor: {value: 0.9, source: own}}\n"
    "source: mine\n";

TEST(Link, IsReadWithSourcesFromAround) {
  const ParsedLink P = parsedLink(linkFile(WholeLink));
  ASSERT_TRUE(P.L) << P.Printed;
  const Link &L = *P.L;
  EXPECT_EQ(L.Name, "mine");
  EXPECT_EQ(L.Description, "all that there is");
  EXPECT_EQ(*L.BandwidthGBs, 4); // it goes before what the lanes give
  EXPECT_EQ(L.BandwidthGBs.Source, "rounded");
  ASSERT_TRUE(L.Lanes);
  EXPECT_EQ(*L.Lanes->GTPerSecond, 8);
  EXPECT_EQ(L.Lanes->GTPerSecond.Source, "mine");
  EXPECT_EQ(L.Lanes->DataBits, 128u);
  EXPECT_EQ(L.Lanes->WireBits, 130u);
  EXPECT_EQ(L.Lanes->Lanes, 4u);
  const auto &H2D = L.Transfers[size_t(TransferWay::HostToDevice)];
  EXPECT_EQ(*H2D[0].StartupUs, 4);
  EXPECT_EQ(H2D[0].Efficiency.Source, "paged");
  EXPECT_EQ(*H2D[1].StartupUs, 2);
  EXPECT_EQ(H2D[1].StartupUs.Source, "pinned");
  EXPECT_FALSE(H2D[1].Efficiency);
  EXPECT_EQ(L.Transfers[size_t(TransferWay::DeviceToHost)][1].Efficiency.Source,
            "mine");
  EXPECT_EQ(*L.Transfers[size_t(TransferWay::PeerToPeer)][0].Efficiency, 0.9);
  EXPECT_EQ(*L.IdleW, 1);
  EXPECT_EQ(*L.ActiveW, 2.5);
  EXPECT_EQ(*L.MTBFHours, 1e6);
  ASSERT_EQ(L.Policies.size(), 2u);
  EXPECT_EQ(L.Policies[0].FromBytes, 16384u);
  EXPECT_EQ(*L.Policies[0].LatencyFactor, 1.05);
  EXPECT_FALSE(L.Policies[1].LatencyFactor);
  EXPECT_EQ(L.Policies[1].EnergyFactor.Source, "own");
}

TEST(Link, ComputesItsBandwidthFromLanes) {
  const ParsedLink P = parsedLink(linkFile(
      "source: a\npcie: {gt_per_s: 64, encoding: 242/256, lanes: 16}\n"));
  ASSERT_TRUE(P.L) << P.Printed;
  EXPECT_DOUBLE_EQ(*P.L->BandwidthGBs, 64.0 * 16 * 242 / 256 / 8);
  EXPECT_EQ(P.L->BandwidthGBs.Source, "a");
}

TEST(Link, TakesTheNearestKindForWhatNoFileSays) {
  const ParsedLink P = parsedLink(linkFile(WholeLink));
  ASSERT_TRUE(P.L) << P.Printed;
  using Way = TransferWay;
  using Memory = HostMemory;
  const struct {
    Way W;
    Memory M;
    double StartupUs, Efficiency;
    bool StartupIsAssumed, EfficiencyIsAssumed;
  } Rows[] = {
      {Way::HostToDevice, Memory::Pageable, 4, 0.5, false, false},
      // Of the other memory.
      {Way::HostToDevice, Memory::Pinned, 2, 0.5, false, true},
      // Of the other way, and of the other memory.
      {Way::DeviceToHost, Memory::Pageable, 4, 0.75, true, true},
      {Way::DeviceToHost, Memory::Pinned, 2, 0.75, true, false},
      {Way::PeerToPeer, Memory::Pinned, 1, 0.9, false, false},
  };
  for (const auto &R : Rows) {
    SCOPED_TRACE((toString(R.W) + " " + toString(R.M)).str());
    const Link::Timing T = P.L->timing(R.W, R.M);
    EXPECT_DOUBLE_EQ(T.StartupSeconds, R.StartupUs / 1e6);
    EXPECT_DOUBLE_EQ(T.BytesPerSecond, 4e9 * R.Efficiency);
    EXPECT_EQ(T.StartupIsAssumed, R.StartupIsAssumed);
    EXPECT_EQ(T.EfficiencyIsAssumed, R.EfficiencyIsAssumed);
  }
}

TEST(Link, TransfersAtItsBandwidthIfNothingElseIsKnown) {
  const ParsedLink P =
      parsedLink(linkFile("bandwidth: {value: 10, source: a}\n"));
  ASSERT_TRUE(P.L) << P.Printed;
  for (TransferWay Way : {TransferWay::HostToDevice, TransferWay::DeviceToHost,
                          TransferWay::PeerToPeer}) {
    const Link::Timing T = P.L->timing(Way, HostMemory::Pinned);
    EXPECT_TRUE(T.StartupIsAssumed && T.EfficiencyIsAssumed);
    EXPECT_EQ(transferSeconds(T, 5e9), 0.5);
    EXPECT_EQ(transferSeconds(T, 0), 0);
  }
}

TEST(Link, TakesAPeersNumbersForCopiesWithTheHost) {
  const ParsedLink P =
      parsedLink(linkFile("bandwidth: 10\nsource: a\n"
                          "transfers: {p2p: {efficiency: 0.8}}\n"));
  ASSERT_TRUE(P.L) << P.Printed;
  const Link::Timing T =
      P.L->timing(TransferWay::DeviceToHost, HostMemory::Pageable);
  EXPECT_EQ(T.BytesPerSecond, 8e9);
  EXPECT_TRUE(T.EfficiencyIsAssumed);
}

TEST(Link, ReportsAllThatIsWrongAtItsPlace) {
  const ParsedLink P =
      parsedLink(linkFile("bandwidth: {value: 8, unit: Mbit/s, source: a}\n"
                          "idle_w: -1\n"
                          "active_w: much\n"
                          "mtbf_hours: 0\n"
                          "speed: 3\n"
                          "transfers:\n"
                          "  h2d:\n"
                          "    pageable: {startup_us: -1, efficiency: 0}\n"
                          "    pined: {}\n"
                          "  p2p: {efficiency: 1.5}\n"
                          "  d2h: 3\n"
                          "pcie: {gt_per_s: 8, encoding: 8b/10b}\n"
                          "policies:\n"
                          "- {name: put put, from: 0.5}\n"
                          "- {name: put, from: 1k}\n"
                          "- {name: put, from: 1000}\n"));
  EXPECT_THAT(
      P.Printed,
      StartsWith(
          "l.yaml:4:29: error: 'bandwidth' is in GB/s, not Mbit/s\n"
          "bandwidth: {value: 8, unit: Mbit/s, source: a}\n"
          "                            ^\n"
          "l.yaml:5:9: error: 'idle_w' must be from 0 to 1000000000 W, not -1\n"
          "idle_w: -1\n"
          "        ^\n"
          "l.yaml:6:11: error: 'active_w' must be a number, not 'much'\n"
          "active_w: much\n"
          "          ^\n"
          "l.yaml:7:13: error: 'mtbf_hours' must be above 0 and at most "
          "1000000000000000 h, not 0\n"
          "mtbf_hours: 0\n"
          "            ^\n"
          "l.yaml:8:1: error: unknown key 'speed'; known are schema, "))
      << P.Printed;
  for (StringRef Message :
       {"l.yaml:11:28: error: 'startup_us' must be from 0 to 1000000000 us, "
        "not -1\n",
        "l.yaml:11:44: error: 'efficiency' must be above 0 and at most 1, not "
        "0\n",
        "l.yaml:12:5: error: unknown key 'pined'; did you mean 'pinned'?\n",
        "l.yaml:13:21: error: 'efficiency' must be above 0 and at most 1, not "
        "1.5\n",
        "l.yaml:14:8: error: d2h must be a mapping\n",
        "l.yaml:15:31: error: 'encoding' is written BITS OF DATA/BITS ON THE "
        "WIRE, such as 128/130, not '8b/10b'\n",
        "l.yaml:15:7: error: pcie lacks the key 'lanes'\n",
        "l.yaml:17:10: error: the name of a policy consists of at most 100 "
        "letters, digits, '-', '_' and '.', a letter or a digit first\n",
        "l.yaml:17:25: error: 'from' must be a whole number from 0 to "
        "1e+18 bytes, not 0.5\n",
        "l.yaml:19:10: error: a second policy 'put' of messages from that size "
        "on\n",
        "l.yaml:15:18: error: 'gt_per_s' has no source; write {value: …, "
        "source: \"…\"}, or source: once for the file\n"})
    EXPECT_THAT(P.Printed, HasSubstr(Message.str()));
}

TEST(Link, NeedsABandwidthAndAHead) {
  EXPECT_THAT(parsedLink("{}\n").Printed,
              HasSubstr("l.yaml:1:1: error: a link lacks the keys 'schema', "
                        "'version', 'name'\n"));
  EXPECT_THAT(parsedLink(linkFile("")).Printed,
              StartsWith("l.yaml:1:1: error: a link needs the key 'bandwidth' "
                         "or 'pcie'\n"));
  EXPECT_THAT(parsedLink("schema: ptx-predict/system\nversion: 2\nname: a b\n"
                         "bandwidth: {value: 1, source: s}\n")
                  .Printed,
              StartsWith("l.yaml:1:9: error: the schema is not "
                         "'ptx-predict/link'\n"
                         "schema: ptx-predict/system\n"
                         "        ^\n"
                         "l.yaml:2:10: error: this program reads version 1\n"
                         "version: 2\n"
                         "         ^\n"
                         "l.yaml:3:7: error: the name of a link consists of"));
  EXPECT_THAT(parsedLink("").Printed,
              StartsWith("l.yaml:1:1: error: the file is empty\n"));
  EXPECT_THAT(parsedLink("- 1\n").Printed,
              StartsWith("l.yaml:1:1: error: a link must be a mapping\n"));
}

TEST(Link, PrintsWhatReadsBackTheSame) {
  const ParsedLink P = parsedLink(linkFile(WholeLink));
  ASSERT_TRUE(P.L) << P.Printed;
  const std::string Text = printedLink(*P.L);
  const ParsedLink Again = parsedLink(Text);
  ASSERT_TRUE(Again.L) << Again.Printed << Text;
  expectSameLink(*P.L, *Again.L);
  EXPECT_EQ(printedLink(*Again.L), Text);
}

TEST(LinkRegistry, CarriesLinksWithSources) {
  LinkRegistry Registry;
  const std::vector<std::string> Names = Registry.names();
  EXPECT_TRUE(llvm::is_sorted(Names));
  for (StringRef Name :
       {"pcie1-x1", "pcie6-x16", "nvlink1", "nvlink1-x4", "nvlink5-x18",
        "infiniband-sdr-4x", "infiniband-xdr-4x", "ethernet-1g",
        "ethernet-800g", "gajger-pcie3-x16", "pascol-infiniband"})
    EXPECT_TRUE(llvm::is_contained(Names, Name.str())) << Name.str();
  for (StringRef Name : Names) {
    SCOPED_TRACE(Name.str());
    Expected<const Link *> L = Registry.find(Name);
    ASSERT_TRUE(bool(L)) << llvm::toString(L.takeError());
    EXPECT_EQ((*L)->Name, Name);
    EXPECT_FALSE((*L)->Description.empty());
    EXPECT_FALSE((*L)->BandwidthGBs.Source.empty());
    const ParsedLink Again = parsedLink(printedLink(**L));
    ASSERT_TRUE(Again.L) << Again.Printed;
    expectSameLink(**L, *Again.L);
    EXPECT_EQ(Registry.find(Name).get(), *L); // parsed once
  }
}

TEST(LinkRegistry, CarriesPublishedRates) {
  LinkRegistry Registry;
  const struct {
    StringRef Name;
    double GBs;
  } Facts[] = {{"pcie4-x16", 31.50769230769231},
               {"pcie5-x16", 63.01538461538462},
               {"pcie6-x16", 121},
               {"nvlink1-x4", 80},
               {"nvlink2-x6", 150},
               {"nvlink3-x12", 300},
               {"nvlink3-bridge", 56.25},
               {"nvlink4-x18", 450},
               {"nvlink5-x18", 900},
               {"infiniband-qdr-4x", 4},
               {"infiniband-fdr-4x", 14.0625 * 4 * 64 / 66 / 8},
               {"infiniband-hdr-4x", 25},
               {"infiniband-ndr-4x", 50},
               {"ethernet-1g", 0.125},
               {"ethernet-400g", 50},
               {"gajger-pcie3-x16", 15.8}};
  for (const auto &F : Facts)
    EXPECT_DOUBLE_EQ(*llvm::cantFail(Registry.find(F.Name))->BandwidthGBs,
                     F.GBs)
        << F.Name.str();
}

/// Song, Table 6.1.
TEST(LinkRegistry, CarriesThePoliciesOfPASCoL) {
  LinkRegistry Registry;
  const Link &L = *llvm::cantFail(Registry.find("pascol-infiniband"));
  const struct {
    StringRef Name;
    uint64_t KiB;
    double LatencyPercent, EnergyPercent;
  } Rows[] = {{"get", 32, 5, 6},
              {"put", 16, 5, 6},
              {"accumulate", 16, 3, 5},
              {"strided-put", 16, 2, 6}};
  ASSERT_EQ(L.Policies.size(), std::size(Rows));
  for (auto [P, R] : llvm::zip(L.Policies, Rows)) {
    EXPECT_EQ(P.Name, R.Name);
    EXPECT_EQ(P.FromBytes, R.KiB * 1024);
    EXPECT_DOUBLE_EQ(*P.LatencyFactor, 1 + R.LatencyPercent / 100);
    EXPECT_DOUBLE_EQ(*P.EnergyFactor, 1 - R.EnergyPercent / 100);
    EXPECT_EQ(P.LatencyFactor.Source, "Song, Table 6.1");
  }
}

TEST(LinkRegistry, NamesTheNearestLink) {
  LinkRegistry Registry;
  Expected<const Link *> L = Registry.find("pcie3x16");
  ASSERT_FALSE(bool(L));
  EXPECT_THAT(
      llvm::toString(L.takeError()),
      StartsWith("no link named 'pcie3x16'; did you mean 'pcie3-x16'? There "
                 "are ethernet-100g, "));
}

TEST(LinkRegistry, PutsAFilesLinkBeforeTheProgramsOfItsName) {
  LinkRegistry Registry;
  const Link *Carried = llvm::cantFail(Registry.find("pcie3-x16"));
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(
      "schema: ptx-predict/link\nversion: 1\nname: pcie3-x16\n"
      "bandwidth: {value: 12, source: mine}\n",
      "l.yaml"));
  EXPECT_FALSE(Registry.addFile(Diags));
  EXPECT_EQ(*llvm::cantFail(Registry.find("pcie3-x16"))->BandwidthGBs, 12);
  EXPECT_NEAR(*Carried->BandwidthGBs, 15.75, 0.01); // it lives on
  DiagnosticEngine Bad(llvm::MemoryBuffer::getMemBufferCopy("name: x\n", "l"));
  EXPECT_TRUE(Registry.addFile(Bad));
  EXPECT_TRUE(Bad.hasErrors());
  EXPECT_FALSE(llvm::is_contained(Registry.names(), "x"));
}

} // namespace
