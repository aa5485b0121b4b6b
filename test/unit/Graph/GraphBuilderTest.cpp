//===- GraphBuilderTest.cpp - Register code to SSA ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TestGraphs.h"
#include "gtest/gtest.h"
#include <random>

using namespace ptxpredict;

TEST(GraphBuilderTest, StraightLineVersions) {
  TestGraph T;
  T.op("mov", "w:x").op("add", "w:x r:x r:x").exit();
  auto G = T.finish();
  EXPECT_EQ(verify(*G), "");
  EXPECT_EQ(text(*G), "function k() line 0\n"
                      "block 0: line 1\n"
                      "  #0 x.0 = mov  ; other line 1\n"
                      "  #1 x.1 = add x.0, x.0  ; other line 2\n"
                      "  #2 exit  ; other line 3\n");
}

TEST(GraphBuilderTest, LoopGetsAPhi) {
  TestGraph T;
  T.op("mov", "w:i").label("loop").op("add", "w:i r:i").op("setp", "w:p r:i");
  T.branch("loop", "p").exit();
  auto G = T.finish();
  EXPECT_EQ(verify(*G), "");
  ASSERT_EQ(G->Blocks.size(), 3u);
  const Instruction &Phi = *G->Blocks[1]->Instructions.front();
  ASSERT_TRUE(Phi.isPhi());
  EXPECT_EQ(Phi.Uses[0]->Def->Mnemonic, "mov");
  EXPECT_EQ(Phi.Uses[1]->Def->Mnemonic, "add");
}

TEST(GraphBuilderTest, GuardedWriteBecomesASelect) {
  TestGraph T;
  T.op("mov", "w:x").op("setp", "w:p").op("mov", "w:x", "!p");
  T.op("use", "r:x").exit();
  auto G = T.finish();
  EXPECT_EQ(verify(*G), "");
  const Value *Read = G->Blocks[0]->Instructions[4]->Uses[0];
  ASSERT_TRUE(Read->Def->isSelect());
  EXPECT_TRUE(Read->Def->GuardNegated);
  EXPECT_EQ(Read->Def->Uses[1]->Def->Line, 3u); // the new value
  EXPECT_EQ(Read->Def->Uses[2]->Def->Line, 1u); // the old one
}

TEST(GraphBuilderTest, ReadWriteOperandReadsTheOldAndWritesTheNew) {
  TestGraph T;
  T.op("mov", "w:d").op("wgmma", "m:d").op("use", "r:d").exit();
  auto G = T.finish();
  EXPECT_EQ(verify(*G), "");
  const Instruction &Mma = *G->Blocks[0]->Instructions[1];
  EXPECT_EQ(Mma.Operands[0].In->Version, 0u);
  EXPECT_EQ(Mma.Operands[0].Val->Version, 1u);
  EXPECT_EQ(G->Blocks[0]->Instructions[2]->Uses[0]->Version, 1u);
}

TEST(GraphBuilderTest, ADroppedBodyTakesNoMemory) {
  TestGraph T;
  T.op("mov", "w:x").op("add", "w:y r:x r:x").exit();
  auto G = T.finish();
  EXPECT_GT(G->Registers.capacity(), 0u);
  EXPECT_GT(G->Values.capacity(), 0u);
  G->dropBody();
  EXPECT_EQ(G->Registers.capacity(), 0u);
  EXPECT_EQ(G->Values.capacity(), 0u);
  EXPECT_EQ(G->Blocks.capacity(), 0u);
}

TEST(GraphBuilderTest, ReadWithoutWriteIsUndefined) {
  TestGraph T;
  T.op("use", "r:x").label("a").op("use", "r:x").exit();
  auto G = T.finish();
  EXPECT_EQ(verify(*G), "");
  const Value *V = G->Blocks[0]->Instructions[0]->Uses[0];
  EXPECT_EQ(V->Def, nullptr);
  EXPECT_FALSE(V->IsArgument);
  EXPECT_EQ(V, G->Blocks[1]->Instructions[0]->Uses[0]); // one, not two
}

TEST(GraphBuilderTest, DeadRegisterGetsNoPhi) {
  TestGraph T;
  T.op("setp", "w:p").branch("else", "p").op("mov", "w:x").branch("end");
  T.label("else").op("mov", "w:x").label("end").exit();
  auto G = T.finish();
  EXPECT_EQ(verify(*G), "");
  for (const Block &B : *G)
    EXPECT_TRUE(B.phis().empty());
}

TEST(GraphBuilderTest, GuardedExitMayLeaveOrGoOn) {
  TestGraph T;
  T.op("setp", "w:p").exit("p").op("use", "").exit();
  auto G = T.finish();
  EXPECT_EQ(verify(*G), "");
  ASSERT_EQ(G->Blocks.size(), 3u);
  ASSERT_EQ(G->Blocks[0]->Successors.size(), 2u);
  EXPECT_TRUE(G->Blocks[0]->Successors[0]->Instructions.empty());
  EXPECT_EQ(G->Blocks[0]->Successors[1], G->Blocks[1]);
}

TEST(GraphBuilderTest, BranchToTheEntryGetsAnEntryOfItsOwn) {
  TestGraph T;
  T.label("top").op("add", "w:i r:i").op("setp", "w:p r:i");
  T.branch("top", "p").exit();
  auto G = T.finish();
  EXPECT_EQ(verify(*G), "");
  EXPECT_TRUE(G->front().Predecessors.empty());
  EXPECT_EQ(G->Blocks[1]->Label, "top");
}

TEST(GraphBuilderTest, UnreachableCodeIsLeftOutAndCounted) {
  TestGraph T;
  T.branch("end").op("dead", "w:x").op("dead", "r:x").label("end").exit();
  auto G = T.finish();
  EXPECT_EQ(verify(*G), "");
  EXPECT_EQ(G->NumDroppedInstructions, 2u);
  EXPECT_EQ(G->Blocks.size(), 2u);
}

TEST(GraphBuilderTest, EmptyFunction) {
  TestGraph T;
  auto G = T.finish();
  EXPECT_EQ(verify(*G), "");
  EXPECT_EQ(G->Blocks.size(), 1u);
}

/// The oracle: what a register holds when instructions run one by one. The
/// graph's values, followed along the same path, must come from the same
/// writers.
TEST(GraphBuilderTest, RandomPathsReadWhatTheRegistersHold) {
  std::mt19937 Random(7);
  for (int Trial = 0; Trial != 200; ++Trial) {
    TestGraph T;
    unsigned NumBlocks = 2 + Random() % 7;
    constexpr StringRef Registers[] = {"a", "b", "c"};
    std::vector<std::string> Labels;
    for (unsigned B = 0; B != NumBlocks; ++B)
      Labels.push_back("L" + std::to_string(B));
    T.op("setp", "w:p");
    for (unsigned B = 0; B != NumBlocks; ++B) {
      T.label(Labels[B]);
      for (unsigned I = 0, E = Random() % 4; I != E; ++I) {
        std::string Text = "w:" + Registers[Random() % 3].str() +
                           " r:" + Registers[Random() % 3].str();
        T.op("op", Text, Random() % 4 == 0 ? "p" : "");
      }
      if (Random() % 3 != 0)
        T.branch(Labels[Random() % NumBlocks], Random() % 2 ? "p" : "");
    }
    T.exit();
    auto G = T.finish();
    ASSERT_EQ(verify(*G), "") << text(*G);

    // Walk: Writer[r] is the instruction that wrote r last on this path (a
    // guard that does not hold leaves the former one); Holder[v] the writer
    // whose result SSA value v carries.
    std::map<StringRef, const Instruction *> Writer;
    std::map<const Value *, const Instruction *> Holder;
    const Block *Prev = nullptr, *B = G->Blocks[0];
    const bool Taken = Random() % 2; // p is written once
    for (int Step = 0; Step != 40 && B; ++Step) {
      std::vector<std::pair<const Value *, const Instruction *>> Phis;
      for (const Instruction *I : B->Instructions) {
        if (I->isPhi()) {
          size_t P =
              llvm::find(B->Predecessors, Prev) - B->Predecessors.begin();
          Phis.emplace_back(I->Defs[0], Holder[I->Uses[P]]);
          continue;
        }
        for (auto &[V, W] : Phis)
          Holder[V] = W;
        Phis.clear();
        if (I->isSelect()) {
          Holder[I->Defs[0]] = Holder[I->Uses[Taken ? 1 : 2]];
          continue;
        }
        // What is not executed reads nothing.
        if (!I->HasGuard || Taken) {
          for (const Value *U : I->Uses)
            ASSERT_EQ(Holder[U], Writer[U->Name]) << text(*G);
        }
        for (const Value *D : I->Defs) {
          Holder[D] = I;
          if (!I->HasGuard || Taken)
            Writer[D->Name] = I;
        }
      }
      for (auto &[V, W] : Phis)
        Holder[V] = W;
      Prev = B;
      B = B->Successors.empty()
              ? nullptr
              : B->Successors[Random() % B->Successors.size()];
    }
  }
}
