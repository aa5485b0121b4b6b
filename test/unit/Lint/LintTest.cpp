//===- LintTest.cpp - Which findings there are, and their gains -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Lint/Rule.h"
#include "ptxpredict/Lint/Suggestions.h"
#include "ptxpredict/Support/InputFile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using testing::Contains;
using testing::Not;

namespace {

const Device &toy() {
  static DiagnosticEngine Diags;
  static std::unique_ptr<Device> D = [] {
    EXPECT_FALSE(readInputFile(PTXPREDICT_TEST_INPUTS "/toy.yaml", Diags));
    return parseDevice(Diags);
  }();
  return *D;
}

MemoryCharacteristics makeLoad(unsigned Line, double Sectors) {
  MemoryCharacteristics M;
  M.Place.Line = Line;
  M.Opcode = "ld.global.f32";
  M.BytesPerLane = 4;
  M.Requests = Estimate::known(10);
  M.ActiveLanes = Estimate::known(32);
  M.Sectors = Estimate::known(Sectors);
  return M;
}

MemoryCharacteristics makeShared(unsigned Line, double Wavefronts) {
  MemoryCharacteristics M = makeLoad(Line, 0);
  M.Opcode = "ld.shared.f32";
  M.Space = AddressSpace::Shared;
  M.Sectors.reset();
  M.Wavefronts = Estimate::known(Wavefronts);
  return M;
}

/// Enough blocks to fill the device, and few registers.
KernelCharacteristics makeKernel() {
  KernelCharacteristics K;
  K.Name = "k";
  K.Line = 1;
  K.Launch.Grid = {4000, 1, 1};
  K.Launch.Block = {256, 1, 1};
  K.Resources.Registers = Estimate::known(16);
  K.Resources.RegistersAreGiven = true;
  K.Instructions = Estimate::known(100);
  K.Dependence.MSTR = K.Dependence.MemoryParallelism = Estimate::known(4);
  K.Dependence.ILP = K.Dependence.DEP = Estimate::known(4);
  return K;
}

struct Linted {
  std::vector<LintDevice> Devices;
  ModelOptions Options;
  std::vector<Finding> Found;

  explicit Linted(const KernelCharacteristics &K, ModelOptions O = {},
                  StringRef Model = "mwp-cwp")
      : Devices{{{K, toy()}, DevicePoint::of(toy()), {}}},
        Options(std::move(O)),
        Found(findDefects({K, "k.ptx", Devices, *findModel(Model), Options})) {}

  std::vector<std::string> ids() const {
    std::vector<std::string> Ids;
    Ids.reserve(Found.size());
    for (const Finding &F : Found)
      Ids.push_back(F.Id.str());
    return Ids;
  }
  const Finding *find(StringRef Id) const {
    for (const Finding &F : Found)
      if (F.Id == Id)
        return &F;
    return nullptr;
  }
};

double valueOf(const Finding &F, StringRef Name) {
  for (const FindingValue &V : F.Values)
    if (V.Name == Name)
      return V.Number;
  ADD_FAILURE() << "no value " << Name.str();
  return 0;
}

TEST(Lint, ComparesSectorsWithThoseNeeded) {
  KernelCharacteristics K = makeKernel();
  K.Memory = {makeLoad(7, 5.9)};
  EXPECT_THAT(Linted(K).ids(), Not(Contains("uncoalesced-access")));
  K.Memory = {makeLoad(7, 6)};
  EXPECT_THAT(Linted(K).ids(), Contains("uncoalesced-access"));
}

TEST(Lint, PricesAPlaceAsIfItsRequestsWereCoalesced) {
  KernelCharacteristics K = makeKernel(), Fixed = K;
  K.Memory = {makeLoad(7, 32), makeLoad(9, 4)};
  Fixed.Memory = {makeLoad(7, 4), makeLoad(9, 4)};
  Linted Before(K), After(Fixed);
  const Finding *F = Before.find("uncoalesced-access");
  ASSERT_TRUE(F);
  EXPECT_EQ(F->Where.Path, "k.ptx");
  EXPECT_EQ(F->Where.Line, 7u);
  EXPECT_EQ(F->Level, Severity::Warning);
  EXPECT_EQ(valueOf(*F, "sectors_per_request"), 32);
  EXPECT_EQ(valueOf(*F, "sectors_needed"), 4);
  double Now = valueOf(*Before.find("kernel-summary"), "time_us");
  double Then = valueOf(*After.find("kernel-summary"), "time_us");
  ASSERT_EQ(F->Gains.size(), 1u);
  EXPECT_EQ(F->Gains[0].Device, "toy");
  EXPECT_NEAR(F->Gains[0].Share, 1 - Then / Now, 1e-12);
  EXPECT_GT(F->Gains[0].Share, 0.5);
}

TEST(Lint, TakesOneLineOfTheSourceForOnePlace) {
  KernelCharacteristics K = makeKernel();
  K.Memory = {makeLoad(7, 32), makeLoad(8, 32), makeLoad(9, 32)};
  K.Memory[0].Place.Source = K.Memory[1].Place.Source = "a b/k.cu:3:5";
  K.Memory[2].Place.Source = "a b/k.cu:4:5";
  std::vector<unsigned> Lines;
  for (const Finding &F : Linted(K).Found)
    if (F.Id == "uncoalesced-access") {
      EXPECT_EQ(F.Where.Path, "a b/k.cu");
      EXPECT_EQ(F.Where.Column, 5u);
      Lines.push_back(F.Where.Line);
    }
  EXPECT_THAT(Lines, testing::UnorderedElementsAre(3, 4));
}

/// Two structures of four floats a lane, member by member.
KernelCharacteristics makeNarrow() {
  KernelCharacteristics K = makeKernel();
  for (unsigned Member = 0; Member != 8; ++Member) {
    MemoryCharacteristics M = makeLoad(7 + Member, 16);
    M.LaneStrideBytes = 16;
    M.WiderAccesses = 4;
    M.WiderBytes = 16;
    M.WiderRun = Member / 4;
    K.Memory.push_back(M);
  }
  return K;
}

TEST(Lint, PricesNarrowAccessesAsOneAtTheFirst) {
  KernelCharacteristics K = makeNarrow(), Fixed = makeKernel();
  for (unsigned Number = 0; Number != 2; ++Number) {
    Fixed.Memory.push_back(makeLoad(7, 16));
    Fixed.Memory.back().BytesPerLane = 16;
  }
  K.Memory[7].WiderRun = K.Memory[6].WiderRun = K.Memory[5].WiderRun =
      K.Memory[4].WiderRun = 0; // all near one base
  Fixed.Instructions = Estimate::known(100 - 6 * 10);
  Linted Before(K), After(Fixed);
  const Finding *F = Before.find("narrow-access");
  ASSERT_TRUE(F);
  EXPECT_EQ(F->Where.Line, 7u);
  EXPECT_EQ(valueOf(*F, "requests"), 80);
  EXPECT_EQ(valueOf(*F, "requests_needed"), 20);
  double Now = valueOf(*Before.find("kernel-summary"), "time_us");
  double Then = valueOf(*After.find("kernel-summary"), "time_us");
  ASSERT_EQ(F->Gains.size(), 1u);
  EXPECT_NEAR(F->Gains[0].Share, 1 - Then / Now, 1e-3);
  EXPECT_GT(F->Gains[0].Share, 0.1);
  EXPECT_THAT(After.ids(), Not(Contains("narrow-access")));
}

TEST(Lint, NamesOneDefectOfNarrowAccesses) {
  KernelCharacteristics K = makeNarrow();
  EXPECT_THAT(Linted(K).ids(), Not(Contains("uncoalesced-access")));
  unsigned Found = 0;
  for (const Finding &F : Linted(K).Found)
    Found += F.Id == "narrow-access";
  EXPECT_EQ(Found, 2u);
  // Lanes that leave out more than they have: that is the defect.
  for (MemoryCharacteristics &M : K.Memory) {
    M.LaneStrideBytes = 64;
    M.Sectors = Estimate::known(32);
  }
  EXPECT_THAT(Linted(K).ids(), Contains("uncoalesced-access"));
  EXPECT_THAT(Linted(K).ids(), Not(Contains("narrow-access")));
}

TEST(Lint, DoesNotAccuseAddressesThatNobodyKnows) {
  KernelCharacteristics K = makeKernel();
  K.Memory = {makeLoad(7, 32)};
  K.Memory[0].Sectors = Estimate(32, Status::Unknown, 1, 32);
  Linted L(K);
  ASSERT_TRUE(L.find("uncoalesced-access"));
  EXPECT_EQ(L.find("uncoalesced-access")->Level, Severity::Note);
}

/// A branch over one block of \p Instructions.
KernelCharacteristics makeBranch(unsigned Instructions, Estimate Divergent) {
  KernelCharacteristics K = makeKernel();
  FunctionDependence &F = K.Dependence.Summary.Functions.emplace_back();
  F.Instructions.resize(2 + Instructions);
  F.Blocks.resize(3);
  for (unsigned I = 0; I != F.Instructions.size(); ++I) {
    F.Instructions[I].Line = 10 + I;
    F.Instructions[I].Result = SchedClass::FP32;
  }
  F.Instructions[0].Result = SchedClass::BranchTaken;
  unsigned Ends[] = {1, 1 + Instructions, 2 + Instructions};
  for (unsigned B = 0; B != 3; ++B) {
    F.Blocks[B].FirstInstruction = B ? Ends[B - 1] : 0;
    F.Blocks[B].EndInstruction = Ends[B];
    F.Blocks[B].Runs = 1;
  }
  F.Blocks[0].Edges = {{2, 0}, {1, 1 - Divergent.Value}};
  F.Blocks[0].Both = Divergent.Value;
  F.Blocks[0].IsBranch = true;
  F.Blocks[1].Edges = {{2, 1}};
  F.Blocks[2].Edges = {{IssuedBlock::Leave, 1}};
  K.Instructions = Estimate::known(2 + Instructions);
  K.ByClass[unsigned(OpClass::Fp32)] = Estimate::known(1 + Instructions);
  K.ByWork[unsigned(SchedClass::FP32)] = Estimate::known(1 + Instructions);
  BranchCharacteristics &B = K.Branches.emplace_back();
  B.Line = 10;
  B.Executions = Estimate::known(1);
  B.Divergent = Divergent;
  return K;
}

TEST(Lint, PricesHalfOfWhatSplitWarpsExecute) {
  Linted L(makeBranch(98, Estimate::known(1)));
  const Finding *F = L.find("divergent-branch");
  ASSERT_TRUE(F);
  EXPECT_EQ(F->Level, Severity::Warning);
  EXPECT_EQ(F->Where.Line, 10u);
  EXPECT_DOUBLE_EQ(valueOf(*F, "instructions_spared"), 49);
  EXPECT_NEAR(*F->bestGain(), 0.49, 1e-9);
}

TEST(Lint, LeavesBranchesThatCostLittle) {
  EXPECT_THAT(Linted(makeBranch(98, Estimate::known(0.02))).ids(),
              Not(Contains("divergent-branch")));
  EXPECT_THAT(Linted(makeBranch(98, Estimate::known(0))).ids(),
              Not(Contains("divergent-branch")));
}

TEST(Lint, DoesNotAccuseConditionsThatNobodyKnows) {
  Linted L(makeBranch(98, Estimate(1, Status::Assumed, 0, 1)));
  ASSERT_TRUE(L.find("divergent-branch"));
  EXPECT_EQ(L.find("divergent-branch")->Level, Severity::Note);
}

TEST(Lint, PricesConflictsUnlessTheModelIsAsPublished) {
  KernelCharacteristics K = makeKernel();
  K.Memory = {makeShared(7, 32)};
  ModelOptions Published;
  Published.Published = true;
  const Linted With(K), Without(K, Published);
  ASSERT_TRUE(With.find("bank-conflict"));
  EXPECT_EQ(With.find("bank-conflict")->Gains.size(), 1u);
  ASSERT_TRUE(Without.find("bank-conflict"));
  EXPECT_TRUE(Without.find("bank-conflict")->Gains.empty());
  K.Memory = {makeShared(7, 1)};
  EXPECT_THAT(Linted(K).ids(), Not(Contains("bank-conflict")));
}

TEST(Lint, LeavesOutWhatNobodyKnowsAndCostsLittle) {
  KernelCharacteristics K = makeKernel();
  K.Memory = {makeLoad(7, 32), makeLoad(8, 32)};
  for (MemoryCharacteristics &M : K.Memory)
    M.Sectors = Estimate(32, Status::Unknown, 4, 32);
  K.Memory[1].Requests = Estimate::known(0.001);
  std::vector<std::pair<unsigned, Severity>> Found;
  for (const Finding &F : Linted(K).Found)
    if (F.Id == "uncoalesced-access")
      Found.emplace_back(F.Where.Line, F.Level);
  EXPECT_THAT(Found, testing::ElementsAre(testing::Pair(7, Severity::Note)));
}

TEST(Lint, DoesNotBlameAddressesForLanesThatTakeNoPart) {
  // Every other lane, side by side as all of them would be.
  KernelCharacteristics K = makeKernel();
  K.Memory = {makeLoad(7, 4.8), makeShared(8, 2)};
  for (MemoryCharacteristics &M : K.Memory)
    M.ActiveLanes = Estimate::known(16);
  K.Memory[1].BytesPerLane = 8;
  Linted Scattered(K);
  EXPECT_THAT(Scattered.ids(), Contains("uncoalesced-access"));
  EXPECT_THAT(Scattered.ids(), Contains("bank-conflict"));
  K.Memory[0].LaneStrideBytes = 4;
  K.Memory[1].LaneStrideBytes = 0; // all read one place
  Linted Together(K);
  EXPECT_THAT(Together.ids(), Not(Contains("uncoalesced-access")));
  EXPECT_THAT(Together.ids(), Not(Contains("bank-conflict")));
}

TEST(Lint, LetsALaneReadItsShareInWidestPieces) {
  KernelCharacteristics K = makeKernel();
  K.Memory = {makeLoad(7, 32), makeLoad(8, 32)};
  for (MemoryCharacteristics &M : K.Memory) {
    M.Place.Source = "k.cu:3:5";
    M.BytesPerLane = 16;
    M.LaneStrideBytes = 32;
  }
  Linted Both(K);
  ASSERT_TRUE(Both.find("uncoalesced-access"));
  EXPECT_EQ(Both.find("uncoalesced-access")->Level, Severity::Note);
  K.Memory.pop_back(); // half of each share is left out
  Linted Half(K);
  ASSERT_TRUE(Half.find("uncoalesced-access"));
  EXPECT_EQ(Half.find("uncoalesced-access")->Level, Severity::Warning);
}

TEST(Lint, TakesBeginningsOfRowsThatNobodyKnowsForGood) {
  KernelCharacteristics K = makeKernel();
  K.Memory = {makeLoad(7, 1.97)};
  K.Memory[0].BytesPerLane = 1;
  K.Memory[0].LaneStrideBytes = 1;
  // Without a device nothing is priced.
  auto LevelOf = [&] {
    std::vector<Finding> Found =
        findDefects({K, "k.ptx", {}, *findModel("mwp-cwp"), {}});
    auto It = llvm::find_if(
        Found, [](const Finding &F) { return F.Id == "uncoalesced-access"; });
    return It == Found.end() ? Severity::Error : It->Level;
  };
  EXPECT_EQ(LevelOf(), Severity::Warning);
  K.Memory[0].Sectors = Estimate(1.97, Status::Assumed, 1, 2);
  EXPECT_EQ(LevelOf(), Severity::Note);
}

TEST(Lint, MakesNotesOfWarningsThatSaveLittle) {
  KernelCharacteristics K = makeKernel();
  K.Instructions = Estimate::known(1e6);
  K.Memory = {makeShared(7, 2)};
  K.Memory[0].Requests = Estimate::known(1);
  Linted L(K);
  ASSERT_TRUE(L.find("bank-conflict"));
  EXPECT_EQ(L.find("bank-conflict")->Level, Severity::Note);
}

TEST(Lint, PricesTheWorstPlacesOneByOneAndSmallOnesTogether) {
  KernelCharacteristics K = makeKernel();
  K.Instructions = Estimate::known(30000);
  for (unsigned I = 0; I != 40; ++I) {
    K.Memory.push_back(makeLoad(100 + I, 32));
    K.Memory.back().Requests = Estimate::known(I < 20 ? 1000 : 0.001);
  }
  // Light ones that may be no defects at all: nobody is told of them.
  for (unsigned I = 0; I != 30; ++I) {
    K.Memory.push_back(makeLoad(200 + I, 32));
    K.Memory.back().Requests = Estimate::known(0.001);
    K.Memory.back().Sectors = Estimate(32, Status::Unknown, 4, 32);
  }
  size_t Priced = 0, Warnings = 0, All = 0;
  for (const Finding &F : Linted(K).Found) {
    if (F.Id != "uncoalesced-access")
      continue;
    ++All;
    Priced += !F.Gains.empty();
    if (F.Level != Severity::Warning)
      continue;
    // Each is worth less than a word: the heaviest stands for all.
    ++Warnings;
    EXPECT_EQ(F.Where.Line, 100u);
    EXPECT_EQ(valueOf(F, "places"), 40);
    EXPECT_GT(*F.bestGain(), LeastGain);
    EXPECT_THAT(F.Message, testing::HasSubstr("together with 39 other places"));
  }
  EXPECT_EQ(All, 40u);
  EXPECT_EQ(Priced, LintContext::MostPriced);
  EXPECT_EQ(Warnings, 1u);
}

TEST(Lint, LeavesSmallPlacesAloneBesideOnesThatAreWarningsThemselves) {
  KernelCharacteristics K = makeKernel();
  K.Memory = {makeLoad(7, 32), makeLoad(8, 32), makeLoad(9, 32)};
  K.Memory[1].Requests = K.Memory[2].Requests = Estimate::known(0.001);
  std::vector<std::pair<unsigned, Severity>> Found;
  for (const Finding &F : Linted(K).Found)
    if (F.Id == "uncoalesced-access")
      Found.emplace_back(F.Where.Line, F.Level);
  EXPECT_THAT(Found,
              testing::UnorderedElementsAre(testing::Pair(7, Severity::Warning),
                                            testing::Pair(8, Severity::Note),
                                            testing::Pair(9, Severity::Note)));
}

TEST(Lint, SortsByGainThenSeverity) {
  std::vector<Finding> F(4);
  F[0].Gains = {{"toy", 0.03}};
  F[1].Level = Severity::Warning;
  F[2].Gains = {{"toy", 0.1}, {"other", 0.5}};
  F[3].Gains = {{"toy", 0.2}};
  F[0].Kernel = "a", F[1].Kernel = "b", F[2].Kernel = "c", F[3].Kernel = "d";
  sortFindings(F);
  std::string Order;
  for (const Finding &Each : F)
    Order += Each.Kernel;
  EXPECT_EQ(Order, "cdba");
}

TEST(Lint, SeesTooFewBlocksAndAnEmptyLastWave) {
  KernelCharacteristics K = makeKernel();
  K.Launch.Grid = {4, 1, 1}; // of 10 SMs
  Linted Few(K);
  ASSERT_TRUE(Few.find("tail-effect"));
  EXPECT_DOUBLE_EQ(valueOf(*Few.find("tail-effect"), "idle_share"), 0.6);
  EXPECT_NEAR(*Few.find("tail-effect")->bestGain(), 0.6, 1e-9);
  K.Launch.Grid = {44, 1, 1}; // 40 blocks reside
  Linted Tail(K);
  ASSERT_TRUE(Tail.find("tail-effect"));
  EXPECT_DOUBLE_EQ(valueOf(*Tail.find("tail-effect"), "waves"), 1.1);
  EXPECT_TRUE(Tail.find("tail-effect")->Gains.empty());
  // A model that knows of waves: one of more work takes less than two, of which
  // the start of the launch is no part.
  Linted Waves(K, {}, "bottleneck");
  ASSERT_TRUE(Waves.find("tail-effect"));
  EXPECT_GT(Waves.find("tail-effect")->bestGain().value_or(0), 0.1);
  // The default grid says nothing of the code.
  K.Assumptions.push_back({AssumptionKind::Grid, "", "44,1,1", false, 0, ""});
  EXPECT_THAT(Linted(K).ids(), Not(Contains("tail-effect")));
  K.Assumptions.clear();
  K.Launch.Grid = {60, 1, 1}; // a half-full wave
  EXPECT_THAT(Linted(K).ids(), Not(Contains("tail-effect")));
}

TEST(Lint, SaysWhatLimitsOccupancyAndTheNextStep) {
  KernelCharacteristics K = makeKernel();
  K.Memory = {makeLoad(7, 4)};
  K.Resources.StaticSharedBytes = 40 << 10; // one block of 64 KiB
  K.Dependence.MemoryParallelism = Estimate::known(1);
  Linted L(K);
  const Finding *F = L.find("low-occupancy");
  ASSERT_TRUE(F);
  EXPECT_EQ(valueOf(*F, "blocks_per_sm"), 1);
  EXPECT_EQ(valueOf(*F, "next_blocks_per_sm"), 2);
  EXPECT_EQ(valueOf(*F, "next_shared_bytes"), 32 << 10);
  EXPECT_THAT(F->Message, testing::HasSubstr("8192 B of shared memory less"));
}

TEST(Lint, CountsLanesAndRequestsThatMeet) {
  KernelCharacteristics K = makeKernel();
  MemoryCharacteristics Atomic = makeLoad(7, 4);
  Atomic.Opcode = "red.global.add.u32";
  Atomic.Access = AccessKind::Atomic;
  Atomic.Addresses = Estimate::known(32);
  Atomic.HottestRequests = Estimate::known(1023);
  K.Memory = {Atomic};
  EXPECT_THAT(Linted(K).ids(), Not(Contains("contended-atomic")));
  K.Memory[0].HottestRequests = Estimate::known(1024);
  EXPECT_THAT(Linted(K).ids(), Contains("contended-atomic"));
  K.Memory[0].HottestRequests.reset();
  K.Memory[0].Addresses = Estimate::known(16);
  Linted Two(K);
  ASSERT_TRUE(Two.find("contended-atomic"));
  EXPECT_EQ(valueOf(*Two.find("contended-atomic"), "lanes_per_address"), 2);
  // One atomic of each block is less traffic than one of each warp.
  EXPECT_GT(Two.find("contended-atomic")->bestGain().value_or(0), 0.1);
  K.Memory[0].Addresses = Estimate(1, Status::Unknown, 1, 32);
  EXPECT_THAT(Linted(K).ids(), Not(Contains("contended-atomic")));
}

TEST(Lint, ReportsSpillsThatACompilerTellsOf) {
  KernelCharacteristics K = makeKernel();
  K.Resources.SpillBytes = Estimate::known(0);
  EXPECT_THAT(Linted(K).ids(), Not(Contains("register-spill")));
  K.Resources.SpillBytes = Estimate::known(64);
  Linted L(K);
  ASSERT_TRUE(L.find("register-spill"));
  EXPECT_EQ(valueOf(*L.find("register-spill"), "spill_bytes"), 64);
}

TEST(Lint, FindsClocksAndSMsThatAreOfNoUse) {
  // Nothing but arithmetic: the memory clock changes no time.
  KernelCharacteristics K = makeKernel();
  Linted Compute(K);
  ASSERT_TRUE(Compute.find("excess-bandwidth"));
  EXPECT_LE(valueOf(*Compute.find("excess-bandwidth"), "enough_mem_mhz"), 900);
  EXPECT_GE(valueOf(*Compute.find("excess-bandwidth"), "enough_mem_mhz"), 500);
  EXPECT_THAT(Compute.ids(), Not(Contains("excess-cores")));
  // Almost nothing but memory.
  K.Memory = {makeLoad(7, 32)};
  K.Memory[0].Requests = Estimate::known(90);
  Linted Memory(K);
  EXPECT_THAT(Memory.ids(), Not(Contains("excess-bandwidth")));
  ASSERT_TRUE(Memory.find("excess-cores"));
  EXPECT_LE(valueOf(*Memory.find("excess-cores"), "enough_core_mhz"), 900);
}

TEST(Lint, AnswersForKernelsOfNothingAndBlocksThatDoNotFit) {
  KernelCharacteristics K;
  K.Name = "empty";
  EXPECT_THAT(Linted(K).ids(), Contains("kernel-summary"));
  K.Launch.Block = {100000, 1, 1};
  Linted L(K);
  EXPECT_THAT(L.ids(), testing::ElementsAre("kernel-summary"));
  EXPECT_THAT(L.Found[0].Message, testing::HasSubstr("no prediction"));
  EXPECT_TRUE(suggestSettings(L.Devices, {}).empty());
}

} // namespace
