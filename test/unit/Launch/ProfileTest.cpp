//===- ProfileTest.cpp - Profiles written and read back -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/Profile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

static std::string write(const KernelProfile &P) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::json::OStream J(OS);
  J.object([&] {
    J.attribute("schema", ProfileSchemaName);
    J.attribute("version", ProfileSchemaVersion);
    J.attributeArray(
        "inputs", [&] { J.object([&] { J.attribute("hash", P.InputHash); }); });
    J.attributeArray("kernels", [&] {
      J.object([&] {
        J.attribute("name", P.Name);
        J.attribute("input", 0);
        J.attributeObject("launch", [&] {
          for (auto [Key, D] :
               {std::pair("grid", P.Grid), std::pair("block", P.Block),
                std::pair("cluster", P.Cluster)})
            J.attributeArray(Key, [&, Extents = D] {
              J.value(Extents.X);
              J.value(Extents.Y);
              J.value(Extents.Z);
            });
          J.attribute("dynamic_shared_bytes", P.DynamicSharedBytes);
        });
        J.attributeObject("run", [&] { writeRun(J, P); });
        J.attributeObject("counts", [&] { writeCounts(J, P); });
      });
    });
  });
  return Text;
}

TEST(Profile, IsReadBackAsItWasWritten) {
  KernelProfile P;
  P.Name = "_Z1kIfEvPT_";
  P.InputHash = "00ff";
  P.Grid = {7, 5, 3};
  P.Block = {32, 2, 1};
  P.DynamicSharedBytes = 48;
  ArgumentValue Integer, Float;
  Integer.Integer = -5;
  Integer.Float = -5;
  Float.Kind = ArgumentValue::KindTy::Float;
  Float.Float = 0.1;
  P.Args = {{0, Integer}, {3, Float}};
  P.Blocks = 40;
  P.BlocksInGrid = 105;
  P.Warps = 80;
  P.Threads = 2560;
  P.BlockBytes = 12.75;
  P.GridBytes = uint64_t(1) << 40;
  P.GridReadBytes = 3;
  P.GridWrittenBytes = 4;
  InstructionProfile I;
  I.Function = P.Name;
  I.Id = 5;
  I.Line = 17;
  I.Opcode = "ld.global.v4.f32";
  I.Executions = 9007199254740993; // no double
  I.Lanes = 11;
  I.Memory = MemoryProfile();
  *I.Memory = {10, 320, 40, 10, 6, {12, 13, 14}, 2, 640};
  P.Instructions.push_back(I);
  I.Memory.reset();
  I.Id = 6;
  I.Opcode = "bra";
  I.Taken = 21;
  I.Jumps = 22;
  I.Divergent = 23;
  P.Instructions.push_back(I);
  I = {};
  I.Function = "other";
  I.Line = 1;
  I.Opcode = "ret";
  P.Instructions.push_back(I);
  P.CodeBlocks = {{P.Name, 3, 9007199254740993, std::nullopt},
                  {P.Name, 4, 12, 5},
                  {"other", 0, 7, 0},
                  {"without instructions", 0, 8, std::nullopt}};

  DiagnosticEngine Diags(
      llvm::MemoryBuffer::getMemBufferCopy(write(P), "p.json"));
  std::vector<KernelProfile> Read;
  ASSERT_FALSE(readProfile(Diags, Read));
  ASSERT_EQ(Read.size(), 1u);
  const KernelProfile &Q = Read.front();
  EXPECT_EQ(Q.Name, P.Name);
  EXPECT_EQ(Q.InputHash, "00ff");
  EXPECT_EQ(Q.Grid, P.Grid);
  EXPECT_EQ(Q.Block, P.Block);
  EXPECT_EQ(Q.Cluster, Dim3());
  EXPECT_EQ(Q.DynamicSharedBytes, 48u);
  EXPECT_EQ(Q.Args.at(0).Integer, -5);
  EXPECT_EQ(Q.Args.at(3).Float, 0.1);
  EXPECT_EQ(Q.Blocks, 40u);
  EXPECT_TRUE(Q.isPartial());
  EXPECT_EQ(Q.Warps, 80u);
  EXPECT_EQ(Q.Threads, 2560u);
  EXPECT_EQ(Q.BlockBytes, 12.75);
  EXPECT_EQ(Q.GridBytes, P.GridBytes);
  EXPECT_EQ(Q.GridReadBytes, 3u);
  EXPECT_EQ(Q.GridWrittenBytes, 4u);
  ASSERT_EQ(Q.Instructions.size(), 3u);
  const InstructionProfile &Load = Q.Instructions[0];
  EXPECT_EQ(Load.Function, P.Name);
  EXPECT_EQ(Load.Id, 5u);
  EXPECT_EQ(Load.Line, 17u);
  EXPECT_EQ(Load.Opcode, "ld.global.v4.f32");
  EXPECT_EQ(Load.Executions, 9007199254740993u);
  EXPECT_EQ(Load.Lanes, 11u);
  ASSERT_TRUE(Load.Memory);
  EXPECT_EQ(Load.Memory->Requests, 10u);
  EXPECT_EQ(Load.Memory->Lanes, 320u);
  EXPECT_EQ(Load.Memory->Sectors, 40u);
  EXPECT_EQ(Load.Memory->Lines, 10u);
  EXPECT_EQ(Load.Memory->Wavefronts, 6u);
  EXPECT_EQ(Load.Memory->Transactions, (std::array<uint64_t, 3>{12, 13, 14}));
  EXPECT_EQ(Load.Memory->SharedRequests, 2u);
  EXPECT_EQ(Load.Memory->UniqueBytes, 640u);
  const InstructionProfile &Branch = Q.Instructions[1];
  EXPECT_FALSE(Branch.Memory);
  EXPECT_EQ(Branch.Taken, 21u);
  EXPECT_EQ(Branch.Jumps, 22u);
  EXPECT_EQ(Branch.Divergent, 23u);
  EXPECT_EQ(Q.Instructions[2].Function, "other");
  ASSERT_EQ(Q.CodeBlocks.size(), P.CodeBlocks.size());
  for (auto [Got, Written] : llvm::zip(Q.CodeBlocks, P.CodeBlocks)) {
    EXPECT_EQ(Got.Function, Written.Function);
    EXPECT_EQ(Got.Id, Written.Id);
    EXPECT_EQ(Got.Runs, Written.Runs);
    EXPECT_EQ(Got.Entries, Written.Entries);
  }
}
