//===- MWPCWPTest.cpp - The equations and what feeds them -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/MWPCWP.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>
#include <random>

using namespace ptxpredict;

namespace {

using Row = std::map<std::string, std::string>;

/// The rows of a golden file by column name. No field has a quoted comma before
/// the columns that are read.
std::vector<Row> golden(StringRef Name) {
  auto Buffer = llvm::MemoryBuffer::getFile(
      Twine(PTXPREDICT_TEST_INPUTS "/golden/") + Name, /*IsText=*/true);
  std::vector<Row> Rows;
  if (!Buffer) {
    ADD_FAILURE() << Name.str() << ": " << Buffer.getError().message();
    return Rows;
  }
  SmallVector<StringRef, 64> Lines, Header;
  (*Buffer)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  Lines.front().split(Header, ',');
  for (StringRef Line : ArrayRef(Lines).drop_front()) {
    SmallVector<StringRef, 32> Fields;
    Line.trim().split(Fields, ',', int(Header.size()) - 1);
    Row &R = Rows.emplace_back();
    for (size_t I = 0; I != Fields.size(); ++I)
      R[Header[I].trim().str()] = Fields[I].str();
  }
  return Rows;
}

double number(const Row &R, const std::string &Column) {
  auto It = R.find(Column);
  if (It == R.end()) {
    ADD_FAILURE() << "no column " << Column;
    return NAN;
  }
  if (It->second == "inf")
    return INFINITY;
  double V;
  if (StringRef(It->second).getAsDouble(V))
    ADD_FAILURE() << Column << ": " << It->second;
  return V;
}

void expectClose(double Got, double Want, StringRef What) {
  if (std::isinf(Want))
    EXPECT_EQ(Got, Want) << What.str();
  else
    EXPECT_NEAR(Got, Want, 1e-6 * std::fabs(Want)) << What.str();
}

/// The parameters of the golden rows' devices: thesis tables 2 and 5, and those
/// of the ISCA 2009 paper's example (HKEX).
MWPCWPInputs device(const std::string &Name) {
  MWPCWPInputs In;
  In.IssueCycles = 4;
  In.MFactor = 1;
  In.DepartureDelCoal = 4;
  if (Name == "GTX280") {
    In.MemLD = 450;
    In.DepartureDelUncoal = 40;
    In.Freq = 1.3;
    In.MemBandwidth = 141.7;
    return In;
  }
  In.MemLD = 420;
  In.DepartureDelUncoal = 10;
  In.Freq = Name == "HKEX" ? 1.0 : 1.35;
  In.MemBandwidth = Name == "HKEX" ? 80.0 : 76.8;
  EXPECT_TRUE(Name == "HKEX" || Name == "FX5600") << Name;
  return In;
}

TEST(MWPCWP, DerivedVectors) {
  std::vector<Row> Rows = golden("hong_derived_mwpcwp.csv");
  EXPECT_EQ(Rows.size(), 36u);
  for (const Row &R : Rows) {
    SCOPED_TRACE(R.at("id") + " " + R.at("coal_latency") + " " +
                 R.at("case_policy"));
    MWPCWPInputs In = device(R.at("dev"));
    In.CompInsts = number(R, "comp");
    In.CoalMemInsts = number(R, "coal");
    In.UncoalMemInsts = number(R, "uncoal");
    In.UncoalPerMW = number(R, "uncoal_per_mw");
    In.SynchInsts = number(R, "sync");
    In.LoadBytesPerWarp = number(R, "bytes");
    In.ThreadsPerBlock = number(R, "tpb");
    In.Blocks = number(R, "blocks");
    In.ActiveBlocksPerSM = number(R, "abps");
    In.ActiveSMs = number(R, "sms");
    In.NPw = residentWarps(In.ActiveBlocksPerSM, In.ThreadsPerBlock);
    MWPCWPOptions Options;
    Options.LatencyOfISCA09 = R.at("coal_latency") == "isca09";
    Options.Case =
        R.at("case_policy") == "literal" ? MWPCase::Literal : MWPCase::Physical;
    MWPCWPResult Got = evaluateMWPCWP(In, Options);
    const std::pair<const char *, double> Columns[] = {
        {"N", Got.N},
        {"Mem_L", Got.MemL},
        {"Departure_delay", Got.DepartureDelay},
        {"MWP_Without_BW_full", Got.MWPWithoutBWFull},
        {"MWP_peak_BW", Got.MWPPeakBW},
        {"MWP", Got.MWP},
        {"Comp_cycles", Got.CompCycles},
        {"Mem_cycles", Got.MemCycles},
        {"CWP_full", Got.CWPFull},
        {"CWP", Got.CWP},
        {"Rep", Got.Rep},
        {"case", Got.Case},
        {"Exec_app", Got.ExecCyclesApp},
        {"Synch_cost", Got.SynchCost},
        {"Exec_total", Got.ExecCyclesWithSynch},
        {"CPI", Got.CPI},
        {"time_us", Got.ExecCyclesWithSynch / (In.Freq * 1e3)}};
    for (const auto &[Column, Value] : Columns)
      expectClose(Value, number(R, Column), Column);
  }
}

TEST(MWPCWP, ExampleOfISCA09) {
  MWPCWPInputs In = device("HKEX");
  std::map<std::string, double> Given;
  std::map<std::string, double> Want;
  for (const Row &R : golden("hong_isca09_example.csv"))
    (R.at("equation") == "input" ? Given : Want)[R.at("quantity")] =
        number(R, "exact_value");
  std::map<std::string, double *> Members;
#define MWPCWP_INPUT(MEMBER, NAME, UNIT, MEANING) Members[NAME] = &In.MEMBER;
#include "ptxpredict/Model/MWPCWPTerms.def"
  for (const auto &[Name, Value] : Given) {
    ASSERT_EQ(Members.count(Name), 1u) << Name;
    *Members[Name] = Value;
  }
  In.NPw = residentWarps(In.ActiveBlocksPerSM, In.ThreadsPerBlock);

  MWPCWPResult Got = evaluateMWPCWP(In);
  Want["Exec_cycles_with_synch"] = Want["Exec_total"];
  Want.erase("Exec_total");
#define MWPCWP_RESULT(MEMBER, NAME, UNIT, EQUATION, MEANING)                   \
  if (auto It = Want.find(NAME); It != Want.end()) {                           \
    expectClose(Got.MEMBER, It->second, NAME);                                 \
    Want.erase(It);                                                            \
  }
#include "ptxpredict/Model/MWPCWPTerms.def"
  EXPECT_THAT(Want, testing::IsEmpty());
}

// Hong and Kim, "An integrated GPU power and performance model", ISCA 2010,
// table 4: MWP 5.875 of SVM on a GTX 280 (latency 430, two transactions).
TEST(MWPCWP, PublishedMWPOfSVM) {
  MWPCWPInputs In = device("GTX280");
  In.MemLD = 430;
  In.UncoalMemInsts = 1;
  In.UncoalPerMW = 2;
  In.LoadBytesPerWarp = 128;
  In.ThreadsPerBlock = 256;
  In.Blocks = In.ActiveSMs = 30;
  In.ActiveBlocksPerSM = 1;
  In.NPw = 8;
  MWPCWPResult R = evaluateMWPCWP(In);
  EXPECT_DOUBLE_EQ(R.MemL, 470);
  EXPECT_DOUBLE_EQ(R.MWP, 5.875);
}

// Thesis, figure 28: four warps with pairs of independent loads.
TEST(MWPCWP, IndependentRequestsRaiseParallelWarps) {
  EXPECT_EQ(parallelWarps(4, 2, 1), 8);
  EXPECT_EQ(parallelWarps(4, 6, 0), 4);

  MWPCWPInputs In = device("FX5600");
  In.CompInsts = 100;
  In.CoalMemInsts = 4;
  In.UncoalPerMW = 1;
  In.LoadBytesPerWarp = 128;
  In.ThreadsPerBlock = 32;
  In.Blocks = 64;
  In.ActiveBlocksPerSM = 4;
  In.ActiveSMs = 16;
  In.NPw = 4;
  EXPECT_EQ(evaluateMWPCWP(In).MWP, 4);
  In.NPw = 8;
  MWPCWPResult R = evaluateMWPCWP(In);
  EXPECT_EQ(R.MWP, 8);
  EXPECT_EQ(R.N, 4);
}

// What the equations promise for any input: with the physical reading of the
// cases no warp instruction takes less than half its issue time (case 2 at its
// edge), and cases 1 and 3 never take less than all of it.
TEST(MWPCWP, PhysicalCasesRespectIssueTime) {
  std::mt19937 Random(7);
  auto Between = [&](double Low, double High) {
    return Low * std::pow(High / Low, double(Random()) / double(Random.max()));
  };
  unsigned Seen[4] = {};
  for (unsigned I = 0; I != 20000; ++I) {
    MWPCWPInputs In = device("GTX280");
    In.CompInsts = Between(1, 1e4);
    In.CoalMemInsts = std::floor(Between(0.5, 300));
    In.UncoalMemInsts = std::floor(Between(0.5, 300));
    In.UncoalPerMW = Between(2, 32);
    In.LoadBytesPerWarp = Between(32, 512);
    In.ThreadsPerBlock = 32 * std::ceil(Between(0.5, 16));
    In.Blocks = std::ceil(Between(30, 3000));
    In.ActiveBlocksPerSM = std::ceil(Between(0.5, 8));
    In.ActiveSMs = 30;
    In.MemBandwidth = Between(50, 1000);
    In.NPw = residentWarps(In.ActiveBlocksPerSM, In.ThreadsPerBlock);
    MWPCWPResult R = evaluateMWPCWP(In);
    ASSERT_LE(R.Case, 3);
    ++Seen[int(R.Case)];
    double Least = R.Case == 2 && R.MWP >= 1 ? In.IssueCycles / 2
                   : R.Case == 2             ? 0
                                             : In.IssueCycles;
    EXPECT_GE(R.CPI, Least * (1 - 1e-9)) << "case " << R.Case;
    EXPECT_LE(R.MWP, R.N);
    EXPECT_GE(R.CWP, 1);
  }
  EXPECT_GT(Seen[0], 0u);
  EXPECT_GT(Seen[1], 0u);
  EXPECT_GT(Seen[2], 0u);
  EXPECT_GT(Seen[3], 0u);
}

} // namespace
