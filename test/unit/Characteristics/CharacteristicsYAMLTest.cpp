//===- CharacteristicsYAMLTest.cpp - Characteristics as YAML --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Characteristics/CharacteristicsYAML.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ptxpredict;

namespace {

std::string printed(const KernelCharacteristics &K) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(K, OS);
  return Text;
}

KernelCharacteristics example() {
  KernelCharacteristics K;
  K.Name = "_Z4copyPf";
  K.Demangled = "copy(float*)";
  K.Code = {"ptx", "9.0", "sm_90a", {{"wgmma", 90}, {"redux", 80}}};
  K.Bounds.MaxThreads = {16, 16, 1};
  K.Bounds.MinBlocksPerSM = 2;
  K.Bounds.MaxRegisters = 64;
  RegisterDemand &Demand = K.Resources.Demand;
  Demand.Packed = 13, Demand.Hoisted = 17;
  Demand.apply(K.Bounds);
  K.Line = 12;
  K.Launch.Grid = {1024, 1, 1};
  K.Launch.Block = {32, 8, 1};
  K.Resources.Registers = Estimate(24, Status::Estimated, 20, 32);
  K.Resources.ParamBytes = 28;
  K.Resources.Compiled = {{90, 24}, {80, 26}};
  K.Resources.Refusals = {{"sm_120", "too old"}};
  K.Instructions = Estimate::known(10.5);
  K.ByClass[unsigned(OpClass::Load)] = Estimate::known(1);
  K.BlockBarriers = Estimate::known(0);
  K.Blocks.push_back(
      {"$L__BB0_2", "", 40, Estimate(64, Status::Assumed, 0, INFINITY)});
  LoopCharacteristics &L = K.Loops.emplace_back();
  L.Header = "$L__BB0_2";
  L.Line = 40;
  L.TripCount = Estimate(64, Status::Assumed, 0, 1e9);
  L.TripCountSymbolic = "n/16";
  L.Executions = Estimate::known(64);
  L.Recurrence = RecurrenceCharacteristics();
  L.Recurrence->Instructions.push_back({{44, "k.cu:6:3", {}}, "add.s32"});
  BranchCharacteristics &Branch = K.Branches.emplace_back();
  Branch.Block = "$L__BB0_2";
  Branch.BlockLine = 40;
  Branch.Line = 45;
  Branch.Source = "k.cu:6:1";
  Branch.Executions = Estimate::known(64);
  Branch.Divergent = Estimate::known(0.25);
  Branch.Taken = Estimate::known(1.0 / 3);
  BarrierCharacteristics &Barrier = K.Barriers.emplace_back();
  Barrier.Place = {50, "k.cu:6:9", {}};
  Barrier.Opcode = "bar.sync";
  Barrier.Executions = Estimate::known(2);
  Barrier.IsRedundant = true;
  BarrierMissCharacteristics &Miss = Barrier.Miss.emplace();
  Miss.Miss = BarrierMiss::Lanes;
  Miss.PartedByLine = 45;
  Miss.PartedBySource = "k.cu:6:1";
  Miss.Reason = OpenReason::Launch;
  Miss.NeedsGrid = true;
  Miss.Block = {3, 0, 0};
  Miss.Threads = 32, Miss.Reaching = 20;
  MemoryCharacteristics M;
  M.Place = {52, "k.cu:7:12", {"k.cu:30:3"}};
  M.Opcode = "ld.global.f32";
  M.BytesPerLane = 4;
  M.LaneStrideBytes = -4;
  M.Requests = Estimate::known(1);
  M.ActiveLanes = Estimate::known(32);
  M.Sectors = Estimate::known(4);
  M.Lines = Estimate::known(1);
  M.Transactions[unsigned(AccessRule::CC20)] = Estimate::known(1);
  M.Lanes = 1 << 20, M.UniqueBytes = ~uint64_t(0);
  K.Memory.push_back(M);
  K.Footprint = {Estimate::known(4), Estimate::known(8), Estimate::known(8),
                 Estimate::known(0)};
  DependenceCharacteristics &D = K.Dependence;
  D.ILP = Estimate::known(1.5);
  D.DEP = Estimate::known(2);
  D.MSTR = D.MemoryParallelism = Estimate::known(1);
  D.RoundTrips = Estimate::known(2);
  D.PathInstructions = Estimate(9, Status::Estimated, 0, 10);
  PathCharacteristics &Wait = D.Path.emplace_back();
  Wait.Line = 52;
  Wait.What = SchedClass::Global;
  Wait.Share = 0.5;
  FunctionDependence &F = D.Summary.Functions.emplace_back();
  F.NumRegisters = 6;
  F.Registers = {3, 5}; // the others are not named
  IssuedInstruction Load, Await;
  Load.Line = 52;
  Load.Result = SchedClass::Global;
  Load.IsLongLoad = true;
  Load.NumWrites = Load.NumReads = 1;
  Await.Line = 53;
  Await.Copies = IssuedInstruction::Copy::Wait;
  Await.Argument = 0;
  Await.IsGuarded = true;
  Await.FirstRegister = 2;
  F.Instructions = {Load, Await};
  IssuedBlock &B = F.Blocks.emplace_back();
  B.EndInstruction = 2;
  B.Runs = 64;
  B.Both = 0.25;
  B.IsBranch = true;
  B.Edges = {{0, 0.5}, {IssuedBlock::Leave, 0.25}};
  B.PackedOrder = {1, 0};
  F.Loops = {{0, 1, 64, "mbarrier full"}};
  K.MeasuredOn = "4 of 8 blocks";
  K.TotalInstructions = 11;
  K.ModelledInstructions = 10;
  K.UnknownOpcodes["foo.bar"] = 1;
  K.Premises = {"pointers are distinct"};
  K.Assumptions.push_back(
      {AssumptionKind::Device, "", "v100", false, 0, "--device=NAME"});
  K.Assumptions.push_back(
      {AssumptionKind::Grid, "", "1024x1x1", false, 0, "--grid=X[,Y[,Z]]"});
  K.Assumptions.push_back({AssumptionKind::TripCount, "$L__BB0_2", "64", true,
                           40, "--trip-count=L__BB0_2=N"});
  return K;
}

TEST(CharacteristicsYAML, Prints) {
  const char *Want = R"yaml(---
schema: ptx-predict/characteristics
version: 1
name: "_Z4copyPf"
demangled: "copy(float*)"
line: 12
code:
  frontend: ptx
  isa_version: "9.0"
  target: "sm_90a"
  features:
    - {name: "wgmma", since: 9.0}
    - {name: "redux", since: 8.0}
bounds:
  max_threads: [16, 16, 1]
  min_blocks_per_sm: 2
  max_registers: 64
launch:
  grid: [1024, 1, 1]
  block: [32, 8, 1]
  cluster: [1, 1, 1]
  dynamic_shared_bytes: 0
profile: "4 of 8 blocks"
resources:
  registers: {value: 24, status: estimated, low: 20, high: 32}
  static_shared_bytes: 0
  local_bytes: 0
  barriers: 0
  param_bytes: 28
  register_demand:
    packed: 13
    hoisted: 17
    calls_unseen: false
  compiled:
    - {compute_capability: 9.0, registers: 24}
    - {compute_capability: 8.0, registers: 26}
  not_compiled:
    - {target: "sm_120", why: "too old"}
characteristics:
  instructions: {value: 10.5, status: known}
  by_class:
    load: {value: 1, status: known}
  block_barriers: {value: 0, status: known}
  blocks:
    - label: "$L__BB0_2"
      line: 40
      frequency: {value: 64, status: assumed, low: 0, high: null}
  loops:
    - header: "$L__BB0_2"
      line: 40
      depth: 1
      trip_count: {value: 64, status: assumed, low: 0, high: 1000000000}
      trip_count_symbolic: "n/16"
      executions: {value: 64, status: known}
      recurrence:
        iterations: 1
        instructions:
          - line: 44
            source: "k.cu:6:3"
            opcode: add.s32
  branches:
    - line: 45
      block: "$L__BB0_2"
      block_line: 40
      source: "k.cu:6:1"
      executions: {value: 64, status: known}
      taken_fraction: {value: 0.3333333333333333, status: known}
      divergent_fraction: {value: 0.25, status: known}
  barriers:
    - line: 50
      source: "k.cu:6:9"
      opcode: bar.sync
      executions: {value: 2, status: known}
      missed:
        how: lanes
        parted_by_line: 45
        parted_by: "k.cu:6:1"
        why: "launch"
        needs_grid: true
        block: [3, 0, 0]
        threads: 32
        reaching: 20
      redundant: true
  memory:
    - line: 52
      source: "k.cu:7:12"
      inlined_at:
        - "k.cu:30:3"
      opcode: ld.global.f32
      space: global
      access: load
      bytes_per_lane: 4
      lane_stride_bytes: -4
      requests: {value: 1, status: known}
      active_lanes: {value: 32, status: known}
      sectors_per_request: {value: 4, status: known}
      lines_per_request: {value: 1, status: known}
      transactions_per_request:
        cc20: {value: 1, status: known}
      lanes: 1048576
      unique_bytes: 18446744073709551615
  footprint:
    block_bytes: {value: 4, status: known}
    grid_bytes: {value: 8, status: known}
    grid_read_bytes: {value: 8, status: known}
    grid_written_bytes: {value: 0, status: known}
  dependence:
    ilp: {value: 1.5, status: known}
    dep: {value: 2, status: known}
    mstr: {value: 1, status: known}
    memory_parallelism: {value: 1, status: known}
    round_trips: {value: 2, status: known}
    shared_round_trips: {value: 0, status: known}
    path_instructions: {value: 9, status: estimated, low: 0, high: 10}
    path:
      - line: 52
        latency: global
        share: 0.5
    summary:
      functions:
        - entries: 1
          loops:
            - {first: 0, end: 1, runs: 64, waits_for: "mbarrier full"}
          blocks:
            - runs: 64
              both: 0.25
              is_branch: true
              edges:
                - {to: 0, share: 0.5}
                - {share: 0.25}
              instructions:
                - {line: 52, result: global, writes: [0], reads: [1], long_load: true}
                - {line: 53, result: other, copies: wait, argument: 0, guarded: true}
              packed_order: [1, 0]
  coverage:
    modelled: 10
    total: 11
    unknown_opcodes:
      "foo.bar": 1
premises:
  - "pointers are distinct"
assumptions:
  - what: "grid"
    value: "1024x1x1"
    option: "--grid=X[,Y[,Z]]"
  - what: "trip count of $L__BB0_2"
    value: 64
    line: 40
    option: "--trip-count=L__BB0_2=N"
)yaml";
  EXPECT_EQ(printed(example()), Want);
}

/// What is read of \p Text; nothing but messages if it is wrong.
struct ReadBack {
  DiagnosticEngine Diags;
  std::vector<KernelCharacteristics> Kernels;
  bool Failed;

  explicit ReadBack(StringRef Text)
      : Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "k.yaml")),
        Failed(readCharacteristics(Diags, Kernels)) {}
};

TEST(CharacteristicsYAML, ReadsWhatItPrints) {
  KernelCharacteristics Empty;
  Empty.Launch.Grid = {(uint64_t(1) << 31) - 1, 1, 1}; // the largest
  std::string Text = printed(example()) + printed(Empty);
  ReadBack R(Text);
  ASSERT_FALSE(R.Failed);
  ASSERT_EQ(R.Kernels.size(), 2u);
  EXPECT_EQ(printed(R.Kernels[0]) + printed(R.Kernels[1]), Text);
  const KernelCharacteristics &K = R.Kernels[0];
  EXPECT_EQ(K.Resources.Demand.MaxThreads, 256u);
  EXPECT_EQ(K.Resources.Demand.MinBlocksPerSM, 2u);
  EXPECT_EQ(K.Branches[0].Taken->Value, 1.0 / 3);
  EXPECT_EQ(K.Blocks[0].Frequency.High, INFINITY);
  EXPECT_EQ(K.Blocks[0].Frequency.Status, Status::Assumed);
  EXPECT_EQ(K.Assumptions[0].Kind, AssumptionKind::Grid);
  EXPECT_EQ(K.Assumptions[1].Kind, AssumptionKind::TripCount);
  EXPECT_TRUE(K.Assumptions[1].IsNumber);
}

TEST(CharacteristicsYAML, KeepsTextsWhateverTheyHold) {
  KernelCharacteristics K = example();
  K.Name = "a\"b\\c: - {\u00e4";
  K.Blocks[0].Label = "#x";
  K.Memory[0].Opcode = "a: b";
  K.Premises = {"null", "- x", "%"};
  K.UnknownOpcodes["? '\""] = 3;
  ReadBack R(printed(K) + printed(K)); // several kernels, one stream
  ASSERT_FALSE(R.Failed);
  ASSERT_EQ(R.Kernels.size(), 2u);
  EXPECT_EQ(R.Kernels[1].Name, K.Name);
  EXPECT_EQ(R.Kernels[1].Memory[0].Opcode, K.Memory[0].Opcode);
  EXPECT_EQ(R.Kernels[1].Premises, K.Premises);
  EXPECT_EQ(R.Kernels[1].UnknownOpcodes, K.UnknownOpcodes);
}

TEST(CharacteristicsYAML, RefusesWhatCannotBeShown) {
  for (StringRef Name : {"a\nb", "a\x01", "a\u2028", "a\u202a\u202c"}) {
    KernelCharacteristics K = example();
    K.Name = Name;
    ReadBack R(printed(K));
    EXPECT_TRUE(R.Failed) << printed(K);
  }
  // What debug data call a source may be anything.
  KernelCharacteristics K = example();
  K.Blocks[0].Label = "x";
  ASSERT_FALSE(K.Memory.empty());
  K.Memory[0].Place.Source = "a\nb\u202e\u202c";
  ReadBack R(printed(K));
  ASSERT_FALSE(R.Failed);
  EXPECT_EQ(R.Kernels[0].Memory[0].Place.Source, "a\nb\u202e\u202c");
}

TEST(CharacteristicsYAML, RefusesWhatIsCutOff) {
  // Wherever a text ends but at the end of a line of the last list.
  std::string Text = printed(example());
  size_t Last = Text.find("assumptions:") + StringRef("assumptions:\n").size();
  for (size_t Size = 0; Size < Last; Size += 7)
    EXPECT_TRUE(ReadBack(StringRef(Text).take_front(Size)).Failed) << Size;
}

TEST(CharacteristicsYAML, KnowsItsFiles) {
  EXPECT_TRUE(isCharacteristicsFile("k.yaml", ""));
  EXPECT_TRUE(isCharacteristicsFile("K.YML", ""));
  EXPECT_TRUE(isCharacteristicsFile(
      "-", "# mine\n---\nschema: 'ptx-predict/characteristics'\n"));
  EXPECT_FALSE(isCharacteristicsFile("k.ptx", ".version 9.0\n"));
  EXPECT_FALSE(isCharacteristicsFile("-", "schema: ptx-predict/profile\n"));
  EXPECT_FALSE(isCharacteristicsFile("-", ""));
}

} // namespace
