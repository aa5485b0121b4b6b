//===- MWPCWPModelTest.cpp - Predictions of mwp-cwp -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A made-up device with round numbers, and inputs worked out by hand.
//===----------------------------------------------------------------------===//
#include "TestDevices.h"
#include "ptxpredict/Model/MWPCWP.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace ptxpredict;
using testing::HasSubstr;

namespace {

/// 10 SMs at 1 GHz, 32 B of device memory a cycle and SM, 64 B of L2.
Device roundDevice() {
  Device D;
  D.Name = "toy";
  D.AccessRule = "sector";
  set(D.NumSMs, 10);
  set(D.WarpSize, 32);
  set(D.Schedulers, 4);
  set(D.FP32Lanes, 64); // half a cycle a warp instruction
  set(D.IntLanes, 64);
  set(D.FP64Lanes, 4); // 8 cycles
  set(D.LoadStoreLanes, 32);
  set(D.DRAMLatency, 500);
  set(D.L2Latency, 200);
  set(D.BoostMHz, 1000);
  set(D.MemoryMHz, 1000);
  set(D.DRAMBandwidth, 320);
  set(D.L2BytesPerSMCycle, 64);
  return D;
}

MemoryCharacteristics accessTo(AddressSpace Space, double Requests) {
  MemoryCharacteristics M;
  M.Space = Space;
  M.BytesPerLane = 4;
  M.Requests = Estimate::known(Requests);
  M.ActiveLanes = Estimate::known(32);
  return M;
}
MemoryCharacteristics global(double Requests, double Sectors) {
  MemoryCharacteristics M = accessTo(AddressSpace::Global, Requests);
  M.Sectors = Estimate::known(Sectors);
  return M;
}

/// 100 instructions a warp, three of them accesses to global memory, one of
/// these uncoalesced; 80 blocks of 8 warps.
KernelCharacteristics balancedKernel() {
  KernelCharacteristics K;
  K.Launch.Grid = {80, 1, 1};
  K.Launch.Block = {256, 1, 1};
  K.Instructions = Estimate::known(100);
  K.ByWork[unsigned(SchedClass::Global)] = Estimate::known(3);
  K.ByWork[unsigned(SchedClass::Param)] = Estimate::known(1);
  K.ByWork[unsigned(SchedClass::Int)] = Estimate::known(10);
  K.ByWork[unsigned(SchedClass::FP32)] = Estimate::known(86);
  K.BlockBarriers = Estimate::known(2);
  K.Resources.Registers = Estimate::known(32);
  K.Memory = {global(2, 4), global(1, 32)};
  K.Dependence.MemoryParallelism = Estimate::known(1);
  return K;
}

/// What predict() needs, kept alive.
struct Case {
  Device D = roundDevice();
  KernelCharacteristics K = balancedKernel();
  Occupancy Occ{4, 32, 0.5, OccupancyLimiter::Registers, ""};
  double CoreMHz = 1000, MemMHz = 1000;
  unsigned SMs = 10;
  ModelOptions Options;

  KernelOnDevice place() const { return {K, D, K.Resources.Registers, Occ}; }
  DevicePoint point() const { return {CoreMHz, MemMHz, SMs}; }
  std::unique_ptr<PreparedModel> prepare() const {
    return mwpcwpModel().prepare(place(), Options);
  }
  Prediction predict() const { return prepare()->predict(point()); }
};

double term(const Prediction &P, StringRef Name) {
  std::optional<double> V = P.term(Name);
  EXPECT_TRUE(V) << Name.str();
  return V.value_or(-1);
}

std::string notes(const Applicability &A) {
  std::string Text;
  for (const std::string &N : A.Notes)
    Text += N + "\n";
  return Text;
}

TEST(Models, AreFoundByName) {
  for (StringRef Name : modelNames()) {
    ASSERT_TRUE(findModel(Name)) << Name.str();
    EXPECT_EQ(findModel(Name)->name(), Name);
  }
  EXPECT_THAT(modelNames(), testing::Contains(StringRef("mwp-cwp")));
  EXPECT_FALSE(findModel("mwp"));
}

TEST(MWPCWPModel, DerivesInputs) {
  Prediction P = Case().predict();
  const std::pair<const char *, double> Inputs[] = {
      {"Mem_LD", 500},
      {"Departure_del_uncoal", 1}, // 32 B at 32 B/cycle
      {"Departure_del_coal", 2},   // 128 B at 64 B/cycle
      {"Uncoal_per_mw", 32},
      {"Comp_insts", 97},
      {"Coal_Mem_insts", 2},
      {"Uncoal_Mem_insts", 1},
      {"Synch_insts", 2},
      {"Load_bytes_per_warp", 128},
      {"Issue_cycles", 0.5},
      {"M_Factor", 1.03}, // 100 x 0.5 and 3 x 0.5 for the load/store lanes
      {"N_pw", 32},
      {"Freq", 1},
      {"Mem_Bandwidth", 320},
      {"Active_SMs", 10},
      {"Active_blocks_per_SM", 4},
      {"Blocks", 80},
      {"Threads_per_block", 256}};
  for (const auto &[Name, Value] : Inputs)
    EXPECT_DOUBLE_EQ(term(P, Name), Value) << Name;

  // (12)-(16) by hand: 531, 502, 511.667, 12, 42.64; (6) 250 GB/s-warps.
  EXPECT_DOUBLE_EQ(term(P, "N"), 32);
  EXPECT_DOUBLE_EQ(term(P, "Rep"), 2);
  EXPECT_DOUBLE_EQ(term(P, "Mem_L_Uncoal"), 531);
  EXPECT_DOUBLE_EQ(term(P, "Mem_L_Coal"), 502);
  EXPECT_DOUBLE_EQ(term(P, "Mem_cycles"), 1535);
  EXPECT_DOUBLE_EQ(term(P, "Departure_delay"), 12);
  EXPECT_DOUBLE_EQ(term(P, "Comp_cycles"), 51.5);
  EXPECT_NEAR(term(P, "MWP_peak_BW"), 127.917, 1e-3);
  EXPECT_DOUBLE_EQ(term(P, "MWP"), 32);
  // 30.8 computation periods fit into a wait: case 3.
  EXPECT_NEAR(term(P, "CWP"), 30.806, 1e-3);
  EXPECT_EQ(term(P, "Case"), 3);
  EXPECT_NEAR(term(P, "Exec_cycles_app"), (1535 / 3.0 + 51.5 * 32) * 2, 1e-9);
  EXPECT_DOUBLE_EQ(term(P, "Synch_cost"), 12 * 7 * 2 * 4 * 2);

  ASSERT_TRUE(P.Cycles && P.TimeUs);
  EXPECT_EQ(P.Cycles->Value, term(P, "Exec_cycles_with_synch"));
  EXPECT_DOUBLE_EQ(P.TimeUs->Value, P.Cycles->Value / 1000);
  EXPECT_EQ(P.Cycles->Status, Status::Estimated); // never known
  EXPECT_EQ(P.Limiter, TimeLimiter::Compute);
  EXPECT_TRUE(P.Applies.Ok);
  EXPECT_THAT(notes(P.Applies),
              HasSubstr("parameters derived from the device's latency, "
                        "bandwidth and pipes: Mem_LD, Departure_del_coal, "
                        "Departure_del_uncoal, Issue_cycles"));
}

TEST(MWPCWPModel, HasEveryTermOnceInOrder) {
  std::vector<StringRef> Names;
  for (const Term &T : Case().predict().Terms)
    Names.push_back(T.Name);
  EXPECT_THAT(Names,
              testing::ElementsAre(
                  "Mem_LD", "Departure_del_uncoal", "Departure_del_coal",
                  "Uncoal_per_mw", "Comp_insts", "Coal_Mem_insts",
                  "Uncoal_Mem_insts", "Synch_insts", "Load_bytes_per_warp",
                  "Issue_cycles", "M_Factor", "N_pw", "Freq", "Mem_Bandwidth",
                  "Active_SMs", "Active_blocks_per_SM", "Blocks",
                  "Threads_per_block", "N", "Rep", "Mem_L_Uncoal", "Mem_L_Coal",
                  "Mem_L", "Departure_delay", "MWP_Without_BW_full",
                  "BW_per_warp", "MWP_peak_BW", "MWP", "Comp_cycles",
                  "Mem_cycles", "CWP_full", "CWP", "Case", "NpWB", "Synch_cost",
                  "Exec_cycles_app", "Exec_cycles_with_synch", "CPI"));
}

TEST(MWPCWPModel, ClocksMoveWhatTheyDrive) {
  Case S;
  S.CoreMHz = 2000;
  Prediction Fast = S.predict();
  EXPECT_DOUBLE_EQ(term(Fast, "Mem_LD"), 200 + 300 * 2);
  EXPECT_DOUBLE_EQ(term(Fast, "Departure_del_coal"), 2);
  EXPECT_DOUBLE_EQ(term(Fast, "Departure_del_uncoal"), 2);
  EXPECT_DOUBLE_EQ(term(Fast, "Freq"), 2);
  S.CoreMHz = 1000;
  S.MemMHz = 500;
  EXPECT_DOUBLE_EQ(term(S.predict(), "Mem_Bandwidth"), 160);
}

TEST(MWPCWPModel, TakesPublishedParameters) {
  Case S;
  auto &File = S.D.ModelParameters["mwp-cwp"];
  File["mem_ld"] = {420, "thesis, table 5", "cycles"};
  File["departure_del_coal"] = {4, "thesis, table 5", "cycles"};
  File["departure_del_uncoal"] = {10, "thesis, table 5", "cycles"};
  File["issue_cycles"] = {4, "thesis", "cycles"};
  File["mem_bandwidth"] = {76.8, "thesis, table 2", "GB/s"};
  Prediction P = S.predict();
  EXPECT_EQ(term(P, "Mem_LD"), 420);
  EXPECT_EQ(term(P, "Departure_del_coal"), 4);
  EXPECT_EQ(term(P, "Departure_del_uncoal"), 10);
  EXPECT_EQ(term(P, "Issue_cycles"), 4);
  EXPECT_EQ(term(P, "Mem_Bandwidth"), 76.8);
  // 87 instructions in 4 cycles; integers in half a cycle on this device, and
  // accesses in one.
  EXPECT_DOUBLE_EQ(term(P, "M_Factor"), (87 * 4 + 10 * 0.5 + 3 * 1) / 400.0);
  EXPECT_EQ(notes(P.Applies).find("derived"), std::string::npos);
}

TEST(MWPCWPModel, PublishedHasOnlyPublishedFactors) {
  Case S;
  S.K.ByWork[unsigned(SchedClass::FP32)] = Estimate::known(76);
  S.K.ByWork[unsigned(SchedClass::FP64)] = Estimate::known(10);
  // 90 x 0.5, 10 x 8, 3 x 0.5 more.
  EXPECT_DOUBLE_EQ(term(S.predict(), "M_Factor"), (45 + 80 + 1.5) / 50);
  S.Options.Published = true;
  EXPECT_EQ(term(S.predict(), "M_Factor"), 1);

  S.K.Memory.push_back(accessTo(AddressSpace::Shared, 10));
  S.K.Memory.back().Wavefronts = Estimate::known(32);
  S.K.ByWork[unsigned(SchedClass::IntMultiply)] = Estimate::known(5);
  S.K.ByWork[unsigned(SchedClass::IntDivide)] = Estimate::known(2);
  S.K.ByWork[unsigned(SchedClass::IntRemainder)] = Estimate::known(1);
  S.K.ByWork[unsigned(SchedClass::FP32Divide)] = Estimate::known(4);
  S.K.Instructions = Estimate::known(112);
  EXPECT_EQ(term(S.predict(), "M_Factor"), 1);
  auto &File = S.D.ModelParameters["mwp-cwp"];
  File["m_factor_int_mul"] = {4, "thesis, table 6", ""};
  File["m_factor_int_div"] = {30, "thesis, table 6", ""};
  File["m_factor_int_mod"] = {35, "thesis, table 6", ""};
  File["m_factor_fp_div"] = {4, "thesis, table 6", ""};
  EXPECT_DOUBLE_EQ(term(S.predict(), "M_Factor"),
                   (100 + 5 * 4 + 2 * 30 + 35 + 4 * 4) / 112.0);
  // Ours has them, too, besides everything else.
  S.Options.Published = false;
  EXPECT_DOUBLE_EQ(term(S.predict(), "M_Factor"),
                   (90 * 0.5 + 80 + 3 + 10 * 32 - 10 * 0.5 - 3 * 0.5 +
                    0.5 * (5 * 4 + 2 * 30 + 35 + 4 * 4)) /
                       56);
}

TEST(MWPCWPModel, SaysWhatHasNoPrice) {
  Case S;
  S.K.ByWork[unsigned(SchedClass::IntDivide)] = Estimate::known(2);
  S.K.ByWork[unsigned(SchedClass::FP64Divide)] = Estimate::known(2);
  EXPECT_THAT(notes(S.predict().Applies),
              HasSubstr("sequences of instructions are priced as one each: "
                        "int-divide, fp64-divide\n"));
  S.D.ModelParameters["mwp-cwp"]["m_factor_int_div"] = {30, "x", ""};
  EXPECT_THAT(notes(S.predict().Applies), HasSubstr("one each: fp64-divide\n"));
}

TEST(MWPCWPModel, LoadsInFlightRaiseMWP) {
  Case S;
  S.K.Memory = {global(50, 4)};
  S.K.Dependence.MemoryParallelism = Estimate(2.5, Status::Estimated, 1, 50);
  S.Occ = {1, 8, 0.125, OccupancyLimiter::SharedMemory, ""};
  for (bool Published : {false, true}) {
    S.Options.Published = Published;
    Prediction P = S.predict();
    EXPECT_EQ(term(P, "N_pw"), 20);
    EXPECT_EQ(term(P, "MWP"), 20);
    EXPECT_EQ(term(P, "N"), 8);
    EXPECT_EQ(term(P, "Case"), 1);
    EXPECT_EQ(P.Limiter, TimeLimiter::Occupancy);
    for (double AtOnce : {1, 50}) {
      S.K.Dependence.MemoryParallelism = Estimate::known(AtOnce);
      double Cycles = S.predict().Cycles->Value;
      EXPECT_GE(Cycles, P.Cycles->Low * (1 - 1e-9));
      EXPECT_LE(Cycles, P.Cycles->High * (1 + 1e-9));
    }
    S.K.Dependence.MemoryParallelism = Estimate(2.5, Status::Estimated, 1, 50);
  }
}

TEST(MWPCWPModel, CoalescedIsNoMoreThanTheLeast) {
  Case S;
  auto Uncoalesced = [&](const char *Rule, unsigned Bytes, double Lanes,
                         double Transactions) {
    S.D.AccessRule = Rule;
    MemoryCharacteristics M = accessTo(AddressSpace::Global, 1);
    M.BytesPerLane = Bytes;
    M.ActiveLanes = Estimate::known(Lanes);
    if (S.D.AccessRule == "sector")
      M.Sectors = Estimate::known(Transactions);
    else
      M.Transactions[unsigned(*parseAccessRule(Rule))] =
          Estimate::known(Transactions);
    S.K.Memory = {M};
    return MWPCWPSetup(S.place(), S.Options).inputs(S.point()).UncoalMemInsts !=
           0;
  };
  EXPECT_FALSE(Uncoalesced("sector", 4, 32, 4));
  EXPECT_FALSE(Uncoalesced("sector", 4, 32, 1)); // all lanes at one address
  EXPECT_TRUE(Uncoalesced("sector", 4, 32, 5));
  EXPECT_FALSE(Uncoalesced("sector", 16, 32, 16));
  EXPECT_FALSE(Uncoalesced("sector", 4, 20.5, 3));
  EXPECT_TRUE(Uncoalesced("sector", 1, 32, 2));
  EXPECT_FALSE(Uncoalesced("cc10", 4, 32, 2));
  EXPECT_TRUE(Uncoalesced("cc10", 4, 32, 32));
  EXPECT_TRUE(Uncoalesced("cc12", 4, 32, 3));
  EXPECT_FALSE(Uncoalesced("cc20", 4, 32, 1));
  EXPECT_TRUE(Uncoalesced("cc20", 4, 32, 2));
}

TEST(MWPCWPModel, WhatIsNoMemoryInstruction) {
  Case S;
  S.K.Memory = {accessTo(AddressSpace::Shared, 5),
                accessTo(AddressSpace::Global, 5)};
  S.K.Memory[1].Access = AccessKind::Prefetch;
  Prediction P = S.predict();
  EXPECT_EQ(term(P, "Comp_insts"), 100);
  EXPECT_EQ(term(P, "Case"), 0);
  EXPECT_EQ(term(P, "CWP"), 1);
  EXPECT_DOUBLE_EQ(term(P, "CPI"), 0.5 * term(P, "M_Factor"));
  EXPECT_EQ(P.Limiter, TimeLimiter::Compute);
  EXPECT_EQ(P.Cycles->Value, term(P, "Comp_cycles") * 32 * 2);
}

TEST(MWPCWPModel, Limiters) {
  {
    Case S; // every lane a sector of its own, nothing to compute
    S.K.Memory = {global(50, 32)};
    EXPECT_EQ(S.predict().Limiter, TimeLimiter::MemoryBandwidth);
  }
  {
    Case S; // bandwidth runs out before the warps do
    S.K.Memory = {global(50, 4)};
    *S.D.DRAMBandwidth.Value = 30;
    Prediction P = S.predict();
    EXPECT_EQ(term(P, "MWP"), term(P, "MWP_peak_BW"));
    EXPECT_EQ(P.Limiter, TimeLimiter::MemoryBandwidth);
  }
  {
    Case S; // the published delay, not the bandwidth, holds requests apart
    S.K.Memory = {global(50, 32)};
    S.D.ModelParameters["mwp-cwp"]["departure_del_uncoal"] = {40, "x", ""};
    EXPECT_EQ(S.predict().Limiter, TimeLimiter::MemoryLatency);
  }
  Case S; // few warps, all waiting
  S.K.Memory = {global(50, 4)};
  S.Occ = {1, 8, 0.125, OccupancyLimiter::SharedMemory, ""};
  EXPECT_EQ(term(S.predict(), "Case"), 1);
  EXPECT_EQ(S.predict().Limiter, TimeLimiter::Occupancy);
  S.Occ.Fraction = 1;
  EXPECT_EQ(S.predict().Limiter, TimeLimiter::MemoryLatency);
  S.K.Launch.Grid.X = 5;
  S.Occ.BlocksPerSM = 4;
  Prediction P = S.predict();
  EXPECT_EQ(P.Limiter, TimeLimiter::Launch);
  EXPECT_EQ(term(P, "Active_SMs"), 5);
  EXPECT_EQ(term(P, "Active_blocks_per_SM"), 1);
  EXPECT_THAT(notes(P.Applies), HasSubstr("5 of 10 SMs get a block"));

  Case Banks;
  Banks.K.Memory = {accessTo(AddressSpace::Shared, 10)};
  Banks.K.Memory[0].Wavefronts = Estimate::known(32);
  P = Banks.predict();
  EXPECT_EQ(P.Limiter, TimeLimiter::SharedMemory);
  EXPECT_DOUBLE_EQ(term(P, "M_Factor"), (90 * 0.5 + 10 * 32) / 50);
}

TEST(MWPCWPModel, BlockThatDoesNotFit) {
  Case S;
  S.Occ = {0, 0, 0, OccupancyLimiter::Threads,
           "2048 threads, 1024 are allowed"};
  Prediction P = S.predict();
  EXPECT_FALSE(P.Applies.Ok);
  EXPECT_THAT(notes(P.Applies), HasSubstr("1024 are allowed"));
  EXPECT_FALSE(P.Cycles || P.TimeUs);
  EXPECT_EQ(P.Limiter, TimeLimiter::None);
  EXPECT_TRUE(P.Terms.empty());
}

TEST(MWPCWPModel, BoundsAndStatusFollowTheInputs) {
  Case S;
  S.K.Memory[1].Requests = Estimate(1, Status::Unknown, 0, 10);
  S.K.Instructions = Estimate(100, Status::Estimated, 90, 200);
  S.K.ByWork[unsigned(SchedClass::FP32)] =
      Estimate(86, Status::Estimated, 76, 186);
  Prediction P = S.predict();
  EXPECT_EQ(P.Cycles->Status, Status::Unknown);
  EXPECT_LT(P.Cycles->Low, P.Cycles->Value);
  EXPECT_GT(P.Cycles->High, P.Cycles->Value);
  MWPCWPInputs High =
      MWPCWPSetup(S.place(), S.Options, &Estimate::High).inputs(S.point());
  EXPECT_EQ(High.UncoalMemInsts, 10);
  EXPECT_EQ(P.Cycles->High, evaluateMWPCWP(High).ExecCyclesWithSynch);

  Case A;
  A.K.Assumptions.push_back(
      {AssumptionKind::Grid, "", "80", true, 0, "--grid=X[,Y[,Z]]"});
  EXPECT_EQ(A.predict().Cycles->Status, Status::Assumed);
}

TEST(MWPCWPModel, HasNoBoundWhereTheCountsHaveNone) {
  constexpr double Infinity = std::numeric_limits<double>::infinity();
  for (bool Published : {false, true}) {
    Case S;
    S.Options.Published = Published;
    S.K.Memory[1].Requests = Estimate(10, Status::Assumed, 0, Infinity);
    S.K.Instructions = Estimate(100, Status::Assumed, 20, Infinity);
    S.K.ByWork[unsigned(SchedClass::FP32)] =
        Estimate(86, Status::Assumed, 6, Infinity);
    Prediction P = S.predict();
    EXPECT_TRUE(std::isfinite(P.Cycles->Value));
    EXPECT_EQ(P.Cycles->High, Infinity);
    EXPECT_EQ(P.TimeUs->High, Infinity);
    EXPECT_LE(P.Cycles->Low, P.Cycles->Value);
  }
}

TEST(MWPCWPModel, SaysWhereItContradictsItself) {
  Case S; // the literal case rule on a kernel that computes
  S.K.Instructions = Estimate::known(10000);
  S.K.ByWork[unsigned(SchedClass::FP32)] = Estimate::known(9986);
  EXPECT_EQ(notes(S.predict().Applies).find("CPI"), std::string::npos);
  S.Options.Case = MWPCase::Literal;
  Prediction P = S.predict();
  EXPECT_EQ(term(P, "Case"), 2);
  EXPECT_LT(term(P, "CPI"), 0.5);
  EXPECT_THAT(notes(P.Applies), HasSubstr("is below Issue_cycles 0.5"));
}

} // namespace
