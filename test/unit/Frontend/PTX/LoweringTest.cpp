//===- LoweringTest.cpp - Tests of PTX to instruction graphs --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ParsedText.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Graph/GraphBuilder.h"
#include "gtest/gtest.h"

namespace ptxpredict {
namespace {

using ptx::inKernel;
using ptx::inModule;
using Kind = Operand::KindTy;

/// A lowered text; every graph is verified.
struct Lowered {
  ptx::ParsedText Parsed;
  std::unique_ptr<Module> M;

  explicit Lowered(const Twine &Text) : Parsed(Text) {
    EXPECT_EQ(Parsed.messages(), "");
    M = ptx::lower(*Parsed.Tree, *Parsed.Diags);
    EXPECT_TRUE(M);
    for (const auto &F : M->Functions)
      EXPECT_EQ(verify(*F), "");
  }
  const Instruction &at(unsigned N) const {
    const Instruction *Found = nullptr;
    M->Functions.back()->forEachInstruction([&](const Instruction &I) {
      if (N-- == 0)
        Found = &I;
    });
    EXPECT_TRUE(Found);
    return *Found;
  }
};

TEST(PTXLowering, ModuleAndHead) {
  Lowered L(
      inModule(".weak .entry k(.param .u32 n, .param .u64 .ptr .global "
               ".align 16 p, .param .align 16 .b8 s[20]) .maxntid 8, 4 "
               ".minnctapersm 2 .maxnreg 40 .reqnctapercluster 2 { ret; }"));
  EXPECT_EQ(L.M->ISAVersion, "8.7");
  EXPECT_EQ(L.M->Target, "sm_90a");
  const InstructionGraph &G = *L.M->Functions[0];
  EXPECT_TRUE(G.IsKernel);
  EXPECT_EQ(G.Link, Linkage::Weak);
  ASSERT_EQ(G.Parameters.size(), 3u);
  EXPECT_EQ(G.Parameters[1].Offset, 8u);
  EXPECT_EQ(G.Parameters[1].PointerSpace, AddressSpace::Global);
  EXPECT_EQ(G.Parameters[1].PointerAlign, 16u);
  EXPECT_EQ(G.Parameters[2].Offset, 16u);
  EXPECT_EQ(G.Parameters[2].Bytes, 20u);
  EXPECT_EQ(G.Bounds.MaxThreads, (KernelBounds::Extent{8, 4, 1}));
  EXPECT_EQ(G.Bounds.RequiredCluster, (KernelBounds::Extent{2, 1, 1}));
  EXPECT_EQ(G.Bounds.MinBlocksPerSM, 2u);
  EXPECT_EQ(G.Bounds.MaxRegisters, 40u);
}

TEST(PTXLowering, VariablesAndInitializers) {
  Lowered L(inModule(".global .u16 a[2][3] = {{1, 2}, {0x304}};\n"
                     ".global .u64 b[] = {a+2, generic(a), 7};\n"
                     ".global .u8 c = 0xFF00(a);\n"
                     ".global .f32 d[2] = {1.0, 0f40000000};\n"
                     ".extern .shared .align 16 .b8 e[];\n"
                     ".global .u16 f[2][2] = {1, 2, 3, 4};"));
  ASSERT_EQ(L.M->Variables.size(), 6u);
  const Variable &A = *L.M->Variables[0], &B = *L.M->Variables[1],
                 &C = *L.M->Variables[2], &D = *L.M->Variables[3],
                 &E = *L.M->Variables[4], &F = *L.M->Variables[5];
  EXPECT_EQ(A.Bytes, 12u);
  EXPECT_EQ(A.Initializer.vec(),
            (std::vector<uint8_t>{1, 0, 2, 0, 0, 0, 4, 3}));
  EXPECT_EQ(B.Bytes, 24u);
  ASSERT_EQ(B.Addresses.size(), 2u);
  EXPECT_EQ(B.Addresses[0].Symbol, "a");
  EXPECT_EQ(B.Addresses[0].Addend, 2);
  EXPECT_TRUE(B.Addresses[1].Generic);
  EXPECT_EQ(B.Addresses[1].Offset, 8u);
  EXPECT_EQ(B.Initializer[16], 7u);
  ASSERT_EQ(C.Addresses.size(), 1u);
  EXPECT_EQ(C.Addresses[0].Mask, 0xFF00u);
  EXPECT_EQ(D.Initializer.vec(),
            (std::vector<uint8_t>{0, 0, 0x80, 0x3F, 0, 0, 0, 0x40}));
  EXPECT_EQ(E.Bytes, 0u);
  EXPECT_EQ(E.Align, 16u);
  EXPECT_EQ(E.Link, Linkage::Extern);
  EXPECT_EQ(F.Initializer.vec(),
            (std::vector<uint8_t>{1, 0, 2, 0, 3, 0, 4, 0}));
}

TEST(PTXLowering, OperandKinds) {
  Lowered L(inKernel("mov.u32 %r1, %tid.x;\nadd.s32 %r2, %r1, -3;\n"
                     "add.f32 %f1, %f2, 0d3FF0000000000000;\n"
                     "ld.param.u64 %rd1, [p+4];\n"
                     "ld.global.v2.f32 {%f3, _}, [%rd1+-8];\n"
                     "setp.lt.s32 %p1|%p2, %r1, %r2;\n"
                     "selp.b32 %r3, %r1, %r2, %p1;\nret;"));
  EXPECT_EQ(L.at(0).Operands[1].Kind, Kind::Special);
  EXPECT_EQ(L.at(0).Operands[1].Name, "%tid.x");
  EXPECT_EQ(L.at(1).Operands[2].integer(), -3);
  EXPECT_EQ(L.at(2).Operands[2].Kind, Kind::Float32);
  EXPECT_EQ(L.at(2).Operands[2].Bits, 0x3F800000u);
  const Operand &Param = L.at(3).Operands[1];
  EXPECT_EQ(Param.Kind, Kind::Address);
  EXPECT_EQ(Param.Elements[0].Kind, Kind::Parameter);
  EXPECT_EQ(Param.Elements[0].Param->Name, "p");
  EXPECT_EQ(Param.integer(), 4);
  EXPECT_EQ(L.at(4).Operands[0].Elements[1].Kind, Kind::Sink);
  EXPECT_EQ(L.at(4).Operands[1].integer(), -8);
  EXPECT_EQ(L.at(4).Defs.size(), 1u);
  EXPECT_EQ(L.at(5).Defs.size(), 2u);
  EXPECT_EQ(L.at(6).Uses.size(), 3u);
}

TEST(PTXLowering, SymbolsWithOffsets) {
  Lowered L(
      inModule(".global .u32 t[4];\n.entry k {\n.reg .b64 d; .reg .b32 r;\n"
               "mov.u64 d, t+8;\nmov.u64 d, t[3];\nld.global.u32 r, "
               "t[1];\nmov.u64 d, t;\nret;\n}"));
  EXPECT_EQ(L.at(0).Operands[1].Kind, Kind::Address);
  EXPECT_EQ(L.at(0).Operands[1].Role, OperandRole::Read);
  EXPECT_EQ(L.at(0).Operands[1].integer(), 8);
  EXPECT_EQ(L.at(1).Operands[1].integer(), 12);
  EXPECT_EQ(L.at(2).Operands[1].Role, OperandRole::Address);
  EXPECT_EQ(L.at(2).Operands[1].integer(), 4);
  EXPECT_EQ(L.at(3).Operands[1].Kind, Kind::Variable);
}

TEST(PTXLowering, GuardsAndBranches) {
  Lowered L(inKernel("@!%p1 bra END;\n@%p2 mov.u32 %r1, 1;\nEND:\nret;"));
  const InstructionGraph &G = *L.M->Functions[0];
  ASSERT_EQ(G.Blocks.size(), 3u);
  EXPECT_TRUE(L.at(0).GuardNegated);
  EXPECT_EQ(L.at(0).Guard->Name, "%p1");
  EXPECT_EQ(G.Blocks[0]->Successors[0]->Label, "END");
}

TEST(PTXLowering, IndexedBranchHasItsTargets) {
  Lowered L(inKernel("T: .branchtargets A, B, A;\nbrx.idx %r1, T;\nA: ret;\n"
                     "B: ret;"));
  EXPECT_EQ(L.at(0).Operands[1].Kind, Kind::List);
  EXPECT_EQ(L.at(0).Operands[1].Elements.size(), 3u);
  EXPECT_EQ(L.M->Functions[0]->Blocks[0]->Successors.size(), 3u);
}

TEST(PTXLowering, ScopesGiveDistinctRegistersAndLabels) {
  Lowered L(inKernel("mov.u32 %r1, 1;\n{ .reg .b32 %r1; mov.u32 %r1, 2; L: bra "
                     "L; }\nL: st.global.u32 [%rd1], %r1;\nret;"));
  const InstructionGraph &G = *L.M->Functions[0];
  EXPECT_EQ(G.Registers.size(), 3u); // %rd1 and two %r1
  EXPECT_EQ(G.Blocks[1]->Successors[0], G.Blocks[1]);
}

TEST(PTXLowering, CallsKnowTheirCallee) {
  Lowered L(inModule(
      ".extern .func e;\n"
      ".func (.reg .b32 r) f (.reg .b32 a) { mov.b32 r, a; ret; }\n"
      ".entry k {\n.reg .b32 x; .param .b32 q;\ncall (x), f, (3);\ncall e;\n"
      "st.param.b32 [q], x;\nret;\n}"));
  const Operand *Call = L.at(0).Operands.data();
  EXPECT_EQ(Call[0].Elements[0].Role, OperandRole::Write);
  EXPECT_EQ(Call[1].Kind, Kind::Function);
  EXPECT_EQ(Call[1].Callee, L.M->function("f"));
  EXPECT_EQ(Call[2].Elements[0].integer(), 3);
  EXPECT_EQ(L.at(1).Operands[0].Callee, nullptr);
  EXPECT_EQ(L.at(1).Operands[0].Name, "e");
  const Operand &Base = L.at(2).Operands[0].Elements[0];
  ASSERT_EQ(Base.Kind, Kind::Variable);
  EXPECT_EQ(Base.Var->Space, AddressSpace::Param);
  const InstructionGraph *F = L.M->function("f");
  ASSERT_EQ(F->FormalRegisters.size(), 2u);
  EXPECT_TRUE(F->FormalRegisters[0].IsReturn);
  EXPECT_EQ(F->Registers[F->FormalRegisters[1].Register].Name, "a");
  EXPECT_TRUE(L.M->function("f")->Values[0]->IsArgument);
}

TEST(PTXLowering, VectorRegistersAreSplit) {
  Lowered L(inKernel(".reg .v4 .f32 v;\nld.global.v4.f32 v, [%rd1];\n"
                     "add.f32 %f1, v.x, v.w;\nret;"));
  EXPECT_EQ(L.at(0).Defs.size(), 4u);
  EXPECT_EQ(L.at(1).Uses[0], L.at(0).Defs[0]);
  EXPECT_EQ(L.at(1).Uses[1], L.at(0).Defs[3]);
}

TEST(PTXLowering, SourceLocationsWithInlining) {
  Lowered L(inModule(
      ".entry k {\n.loc 1 10 3\n.loc 2 5 7, function_name $L1, inlined_at 1 10 "
      "3\nexit;\n}\n.file 1 \"/src/a.cu\"\n.file 2 \"/src/b.h\"\n"
      ".section .debug_str {\n$L0:\n.b8 120,0\n$L1:\n.b8 102,111,111,0\n}"));
  const SourceLocation *S = L.at(0).Source;
  ASSERT_TRUE(S && S->InlinedAt);
  EXPECT_EQ(S->File, "/src/b.h");
  EXPECT_EQ(S->Line, 5u);
  EXPECT_EQ(S->Function, "foo");
  EXPECT_EQ(S->InlinedAt->File, "/src/a.cu");
  EXPECT_EQ(S->InlinedAt->Line, 10u);
  EXPECT_EQ(S->InlinedAt->InlinedAt, nullptr);
}

TEST(PTXLowering, UnknownOpcodesAreMarked) {
  Lowered L(inKernel("frob.x %r1, %r2;\nret;"));
  EXPECT_EQ(L.at(0).Mnemonic, "frob.x");
  EXPECT_TRUE(L.at(0).IsUnknown);
  EXPECT_FALSE(L.at(1).IsUnknown);
}

TEST(PTXLowering, HugeInitializersAreRefused) {
  ptx::ParsedText P(inModule(".global .u8 x[2][4000000000] = {{1}, {2}};"));
  EXPECT_EQ(P.messages(), "");
  EXPECT_FALSE(ptx::lower(*P.Tree, *P.Diags));
  EXPECT_EQ(P.Diags->numErrors(), 1u);
}

} // namespace
} // namespace ptxpredict
