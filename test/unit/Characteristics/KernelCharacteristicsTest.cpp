//===- KernelCharacteristicsTest.cpp - Characteristics as YAML ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
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
  RegisterDemand &Demand = K.Resources.Demand;
  Demand.Packed = 13, Demand.Hoisted = 17;
  Demand.MaxThreads = 256, Demand.MinBlocksPerSM = 2;
  Demand.MaxRegisters = 64;
  K.Line = 12;
  K.Launch.Grid = {1024, 1, 1};
  K.Launch.Block = {32, 8, 1};
  K.Resources.Registers = Count(24, Status::Estimated, 20, 32);
  K.Resources.ParamBytes = 28;
  K.Instructions = Count::known(10.5);
  K.ByClass[unsigned(OpClass::Load)] = Count::known(1);
  K.BlockBarriers = Count::known(0);
  K.Blocks.push_back(
      {"$L__BB0_2", "", 40, Count(64, Status::Assumed, 0, INFINITY)});
  MemoryCharacteristics M;
  M.Place = {52, "k.cu:7:12", {"k.cu:30:3"}};
  M.Opcode = "ld.global.f32";
  M.BytesPerLane = 4;
  M.LaneStrideBytes = -4;
  M.Requests = Count::known(1);
  M.ActiveLanes = Count::known(32);
  M.Sectors = Count::known(4);
  M.Lines = Count::known(1);
  M.Transactions[unsigned(AccessRule::CC20)] = Count::known(1);
  K.Memory.push_back(M);
  K.TotalInstructions = 11;
  K.ModelledInstructions = 10;
  K.UnknownOpcodes["foo.bar"] = 1;
  K.Assumptions.push_back({"grid", "1024x1x1", false, 0, "--grid=X[,Y[,Z]]"});
  K.Assumptions.push_back(
      {"trip count of $L__BB0_2", "64", true, 40, "--trip-count=L__BB0_2=N"});
  return K;
}

TEST(KernelCharacteristics, PrintsYAML) {
  const char *Want = R"yaml(---
name: "_Z4copyPf"
demangled: "copy(float*)"
line: 12
launch:
  grid: [1024, 1, 1]
  block: [32, 8, 1]
  cluster: [1, 1, 1]
  dynamic_shared_bytes: 0
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
    max_threads: 256
    min_blocks_per_sm: 2
    max_registers: 64
characteristics:
  instructions: {value: 10.5, status: known}
  by_class:
    load: {value: 1, status: known}
  block_barriers: {value: 0, status: known}
  blocks:
    - label: "$L__BB0_2"
      line: 40
      frequency: {value: 64, status: assumed, low: 0, high: null}
  loops: []
  branches: []
  memory:
    - line: 52
      source: "k.cu:7:12"
      inlined_at: ["k.cu:30:3"]
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
  coverage:
    modelled: 10
    total: 11
    unknown_opcodes:
      "foo.bar": 1
premises: []
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

TEST(KernelCharacteristics, IsValidYAMLWhateverTheNames) {
  KernelCharacteristics K = example();
  K.Name = "a\"b\\c\n\x01: - {";
  K.Blocks[0].Label = "#x";
  llvm::SourceMgr SM;
  std::string Text = printed(K) + printed(K); // several kernels, one stream
  llvm::yaml::Stream Stream(Text, SM);
  EXPECT_TRUE(Stream.validate());
}

} // namespace
