//===- CFGTest.cpp - Dominators, cycles, uniformity -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/CFG.h"
#include "TestGraphs.h"
#include "gtest/gtest.h"
#include <atomic>
#include <set>
#include <thread>

using namespace ptxpredict;

namespace {
Block *find(const InstructionGraph &G, StringRef Label) {
  for (Block *B : G.Blocks)
    if (B->Label == Label)
      return B;
  return nullptr;
}
/// "L7"; lives as long as the tests, as labels must.
StringRef numbered(StringRef Name, unsigned N) {
  static std::set<std::string> Names;
  return *Names.insert((Name + Twine(N)).str()).first;
}
bool isTid(const Instruction &I) { return I.Mnemonic == "tid"; }
} // namespace

TEST(CFGTest, DiamondDominance) {
  TestGraph T;
  T.op("setp", "w:p").branch("else", "p");
  T.label("then").branch("end").label("else").label("end").exit();
  auto G = T.finish();
  ControlFlow CF(*G);
  const Block *Entry = G->Blocks[0], *Then = find(*G, "then"),
              *End = find(*G, "end");
  EXPECT_TRUE(CF.dominates(Entry, End));
  EXPECT_FALSE(CF.dominates(Then, End));
  EXPECT_TRUE(CF.postDominates(End, Then));
  EXPECT_FALSE(CF.postDominates(Then, Entry));
  EXPECT_EQ(CF.immediateDominator(End), Entry);
  EXPECT_EQ(CF.immediatePostDominator(Entry), End);
  EXPECT_EQ(CF.immediatePostDominator(End), nullptr);
}

TEST(CFGTest, NestedLoops) {
  TestGraph T;
  T.label("outer").op("setp", "w:p").label("inner").op("setp", "w:q");
  T.branch("inner", "q").branch("outer", "p").exit();
  auto G = T.finish();
  ControlFlow CF(*G);
  ASSERT_EQ(CF.cycles().size(), 2u);
  EXPECT_EQ(CF.cycles()[0].Header->Label, "outer");
  EXPECT_EQ(CF.cycles()[0].Depth, 1u);
  EXPECT_EQ(CF.cycles()[1].Header->Label, "inner");
  EXPECT_EQ(CF.cycles()[1].Depth, 2u);
  EXPECT_EQ(CF.cycles()[1].ParentIndex, 0);
  EXPECT_TRUE(CF.cycles()[1].Reducible);
  EXPECT_EQ(CF.innermostCycle(find(*G, "inner")), 1);
  EXPECT_EQ(CF.innermostCycle(G->Blocks.back()), -1);
  ASSERT_EQ(CF.cycles()[1].Latches.size(), 1u);
  EXPECT_EQ(CF.cycles()[1].ExitingBlocks.size(), 1u);
}

TEST(CFGTest, IrreducibleCycle) {
  TestGraph T;
  T.op("setp", "w:p").branch("b", "p").label("a").op("x", "").label("b");
  T.branch("a", "p").exit();
  auto G = T.finish();
  ControlFlow CF(*G);
  ASSERT_EQ(CF.cycles().size(), 1u);
  EXPECT_FALSE(CF.cycles()[0].Reducible);
}

TEST(CFGTest, ManyLoopsInOne) {
  // Rows of loops in a loop, some of which have rows of their own.
  TestGraph T;
  const unsigned Rows = 30, Loops = 30;
  T.op("setp", "w:p").label("all").op("x", "");
  for (unsigned R = 0; R != Rows; ++R) {
    const StringRef Row = numbered("row", R);
    T.label(Row).op("x", "");
    for (unsigned N = 0; N != Loops; ++N) {
      const StringRef Loop = numbered(numbered("row", R).str() + ".", N);
      T.label(Loop).op("x", "").branch(Loop, "p");
    }
    if (R % 3 != 0)
      T.op("x", "").branch(Row, "p");
  }
  T.op("x", "").branch("all", "p").exit();
  auto G = T.finish();
  ControlFlow CF(*G);
  ASSERT_EQ(CF.cycles().size(), 1 + Rows / 3 * 2 + Rows * Loops);
  size_t Blocks = 0;
  for (const Cycle &C : CF.cycles()) {
    const StringRef Name = C.Header->Label;
    EXPECT_TRUE(C.Reducible);
    if (Name == "all") {
      EXPECT_EQ(C.ParentIndex, -1);
      EXPECT_EQ(C.Depth, 1u);
      continue;
    }
    ASSERT_GE(C.ParentIndex, 0);
    const auto [Row, Loop] = Name.split('.');
    const bool IsInRow =
        !Loop.empty() &&
        CF.cycles()[size_t(C.ParentIndex)].Header->Label == Row;
    unsigned R = 0;
    ASSERT_FALSE(Row.drop_front(3).getAsInteger(10, R));
    // Without a way back a row is no loop.
    EXPECT_EQ(IsInRow, !Loop.empty() && R % 3 != 0) << Name.str();
    EXPECT_EQ(C.Depth, IsInRow ? 3u : 2u) << Name.str();
    Blocks += !Loop.empty();
    if (!Loop.empty()) {
      EXPECT_EQ(C.Blocks.size(), 1u);
    }
  }
  EXPECT_EQ(Blocks, size_t(Rows) * Loops);
}

/// Branches from each of so many blocks to any of them.
static std::unique_ptr<InstructionGraph> gotos(unsigned Num) {
  TestGraph T;
  T.op("tid", "w:t").op("setp", "w:p r:t");
  uint64_t Random = Num;
  for (unsigned N = 0; N != Num; ++N) {
    Random = Random * 6364136223846793005u + 1442695040888963407u;
    T.label(numbered("L", N)).op("x", "w:x r:x");
    T.branch(numbered("L", unsigned((Random >> 33) % Num)), "p");
  }
  T.exit();
  return T.finish();
}

TEST(CFGTest, TangledCyclesAreNotToldApart) {
  // As deep as they are in a small function they are told apart.
  auto Few = gotos(60);
  const ControlFlow OfFew(*Few);
  EXPECT_TRUE(
      llvm::any_of(OfFew.cycles(), [](const Cycle &C) { return C.Depth > 1; }));

  auto Many = gotos(600);
  const ControlFlow CF(*Many);
  std::vector<unsigned> In(Many->Blocks.size());
  ASSERT_FALSE(CF.cycles().empty());
  for (const Cycle &C : CF.cycles()) {
    EXPECT_FALSE(C.Reducible);
    EXPECT_EQ(C.Depth, 1u);
    EXPECT_EQ(C.ParentIndex, -1);
    EXPECT_TRUE(C.contains(C.Header));
    EXPECT_FALSE(C.Latches.empty());
    for (const Block *B : C.Blocks)
      ++In[B->Number];
    for (const Block *B : C.ExitingBlocks)
      EXPECT_TRUE(llvm::any_of(B->Successors,
                               [&](Block *S) { return !C.contains(S); }));
  }
  for (const Block *B : Many->Blocks) {
    EXPECT_EQ(In[B->Number], CF.innermostCycle(B) >= 0 ? 1u : 0u);
    // What leads into a cycle and out of it again is in it.
    if (CF.innermostCycle(B) < 0) {
      EXPECT_FALSE(llvm::is_contained(B->Successors, B));
    }
  }
  EXPECT_GT(CF.cycles().front().Blocks.size(), 300u);
  std::set<const Block *> Order(CF.reversePostOrder().begin(),
                                CF.reversePostOrder().end());
  EXPECT_EQ(Order.size(), Many->Blocks.size());
  EXPECT_EQ(CF.reversePostOrder().size(), Many->Blocks.size());

  const Uniformity U(*Many, CF, isTid);
  for (const Block *B : Many->Blocks)
    for (const Instruction *I : B->Instructions)
      if (I->Mnemonic == "tid" || I->Mnemonic == "setp") {
        EXPECT_TRUE(U.isDivergent(I->Defs[0]));
      }
}

TEST(CFGTest, ALoopStandsBeforeWhatFollowsIt) {
  // The exit comes first in the text and in the branch's successors.
  TestGraph T;
  T.op("setp", "w:p").branch("loop").label("after").exit();
  T.label("loop").branch("after", "p").label("latch").branch("loop");
  auto G = T.finish();
  ControlFlow CF(*G);
  ArrayRef<Block *> Order = CF.reversePostOrder();
  ASSERT_EQ(Order.size(), 4u);
  EXPECT_EQ(Order[1]->Label, "loop");
  EXPECT_EQ(Order[2]->Label, "latch");
  EXPECT_EQ(Order[3]->Label, "after");
}

TEST(CFGTest, ExitFromAnInnerLoopPastTheOuter) {
  TestGraph T;
  T.label("outer").op("setp", "w:p").label("inner").branch("out", "p");
  T.branch("inner", "p").label("tail").branch("outer", "p").label("out").exit();
  auto G = T.finish();
  ControlFlow CF(*G);
  ArrayRef<Block *> Order = CF.reversePostOrder();
  EXPECT_EQ(Order.back()->Label, "out");
  EXPECT_EQ(Order[Order.size() - 2]->Label, "tail");
}

TEST(CFGTest, ExitPastTheOuterLoopBehindAWayToItsEnd) {
  TestGraph T;
  T.label("outer").op("setp", "w:p").label("inner").branch("tail", "p");
  T.label("second").branch("out", "p").branch("inner");
  T.label("tail").branch("outer", "p").label("end").exit();
  T.label("out").exit();
  auto G = T.finish();
  ControlFlow CF(*G);
  std::vector<std::string> Order;
  for (const Block *B : CF.reversePostOrder())
    Order.push_back(B->Label.str());
  // Both loops' blocks come before what follows them; two have no label.
  EXPECT_EQ(Order, (std::vector<std::string>{"", "outer", "inner", "second", "",
                                             "tail", "out", "end"}));
}

TEST(CFGTest, JoinOfADivergentBranchIsDivergent) {
  TestGraph T;
  T.op("tid", "w:t").op("setp", "w:p r:t").op("mov", "w:u");
  T.branch("else", "p").op("mov", "w:x").branch("end");
  T.label("else").op("mov", "w:x").label("end").op("use", "r:x r:u").exit();
  auto G = T.finish();
  ControlFlow CF(*G);
  Uniformity U(*G, CF, isTid);
  const Instruction &Use = *find(*G, "end")->Instructions[1];
  EXPECT_TRUE(U.isDivergent(Use.Uses[0])); // the phi
  EXPECT_FALSE(U.isDivergent(Use.Uses[1]));
  EXPECT_TRUE(U.hasDivergentTerminator(G->Blocks[0]));
}

TEST(CFGTest, JoinOfAUniformBranchIsUniform) {
  TestGraph T;
  T.op("param", "w:t").op("setp", "w:p r:t");
  T.branch("else", "p").op("mov", "w:x").branch("end");
  T.label("else").op("mov", "w:x").label("end").op("use", "r:x").exit();
  auto G = T.finish();
  ControlFlow CF(*G);
  Uniformity U(*G, CF, isTid);
  EXPECT_FALSE(U.isDivergent(find(*G, "end")->Instructions[1]->Uses[0]));
  EXPECT_FALSE(U.hasDivergentTerminator(G->Blocks[0]));
}

TEST(CFGTest, ValueOfALoopThatLanesLeaveAtDifferentTimesIsDivergent) {
  TestGraph T;
  T.op("tid", "w:t").op("mov", "w:i");
  T.label("loop").op("add", "w:i r:i").op("setp", "w:p r:i r:t");
  T.branch("loop", "p").op("use", "r:i").exit();
  auto G = T.finish();
  ControlFlow CF(*G);
  Uniformity U(*G, CF, isTid);
  const Instruction &Use = *G->Blocks[2]->Instructions[0];
  ASSERT_EQ(Use.Mnemonic, "use");
  // The counter is uniform inside; its use outside is not.
  EXPECT_FALSE(U.isDivergent(Use.Uses[0]));
  EXPECT_TRUE(U.hasDivergentTerminator(G->Blocks[1]));
}

TEST(CFGTest, GuardedWriteUnderADivergentGuardIsDivergent) {
  TestGraph T;
  T.op("tid", "w:t").op("setp", "w:p r:t").op("mov", "w:x");
  T.op("mov", "w:x", "p").op("use", "r:x").exit();
  auto G = T.finish();
  ControlFlow CF(*G);
  Uniformity U(*G, CF, isTid);
  EXPECT_TRUE(U.isDivergent(G->Blocks[0]->Instructions[5]->Uses[0]));
}

TEST(CFGTest, DeeplyNestedBranchesAreLinear) {
  // if (t < 0) { if (t < 1) { … x = …; } } with uniform code in front of it.
  constexpr unsigned Depth = 20000;
  std::vector<std::string> Ends; // graphs refer to their labels
  for (unsigned N = 0; N != Depth; ++N)
    Ends.push_back("end" + std::to_string(N));
  TestGraph T;
  T.op("tid", "w:t").op("setp", "w:p r:t").op("mov", "w:u").op("mov", "w:x");
  for (const std::string &End : Ends)
    T.branch(End, "p").op("mov", "w:x");
  for (const std::string &End : llvm::reverse(Ends))
    T.label(End);
  T.op("use", "r:x r:u").exit();
  auto G = T.finish();
  ControlFlow CF(*G);
  Uniformity U(*G, CF, isTid);
  const Instruction &Use = *G->Blocks.back()->Instructions[1];
  ASSERT_EQ(Use.Mnemonic, "use");
  EXPECT_TRUE(U.isDivergent(Use.Uses[0])); // a phi of what lanes wrote or not
  EXPECT_FALSE(U.isDivergent(Use.Uses[1]));
  EXPECT_TRUE(U.hasDivergentTerminator(G->Blocks[0]));
}

// LLVM's cycles remember their exits in const functions.
TEST(CFGTest, ManyThreadsMayAskOneControlFlow) {
  TestGraph T;
  T.op("tid", "w:t").op("setp", "w:p r:t");
  std::vector<std::string> Heads;
  for (unsigned Loop = 0; Loop != 200; ++Loop)
    Heads.push_back("loop" + std::to_string(Loop));
  for (const std::string &Head : Heads)
    T.label(Head).op("mov", "w:x").branch("end", "p").branch(Head, "p");
  T.label("end").exit();
  auto G = T.finish();
  for (unsigned Time = 0; Time != 100; ++Time) {
    ControlFlow CF(*G); // no cycle was asked yet
    std::vector<std::thread> Threads;
    std::atomic<unsigned> Divergent{0}, Ready{0};
    for (unsigned N = 0; N != 2; ++N)
      Threads.emplace_back([&] {
        for (++Ready; Ready != 2;) // both at once
          std::this_thread::yield();
        Uniformity U(*G, CF, isTid);
        for (const Block *B : G->Blocks)
          Divergent += U.hasDivergentTerminator(B);
      });
    for (std::thread &Thread : Threads)
      Thread.join();
    EXPECT_EQ(Divergent, 2U * 400);
  }
}
