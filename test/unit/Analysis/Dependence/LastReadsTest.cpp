//===- LastReadsTest.cpp - Where registers are last read ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Dependence/CriticalPath.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// A function whose blocks follow one another but for its loops.
class Blocks {
public:
  explicit Blocks(uint32_t NumRegisters) { F.NumRegisters = NumRegisters; }

  void add(ArrayRef<uint32_t> Writes, ArrayRef<uint32_t> Reads,
           bool IsGuarded = false, SchedClass Class = SchedClass::Int) {
    IssuedInstruction &I = F.Instructions.emplace_back();
    I.Result = Class;
    I.IsLongLoad = Class == SchedClass::Global;
    I.IsGuarded = IsGuarded;
    I.FirstRegister = uint32_t(F.Registers.size());
    I.NumWrites = uint8_t(Writes.size());
    I.NumReads = uint8_t(Reads.size());
    llvm::append_range(F.Registers, Writes);
    llvm::append_range(F.Registers, Reads);
  }
  /// Ends a block that runs so often, and goes elsewhere, too, than behind it.
  void end(double Runs = 1, ArrayRef<IssuedBlock::Edge> Edges = {}) {
    IssuedBlock &B = F.Blocks.emplace_back();
    B.FirstInstruction = Begin;
    B.EndInstruction = Begin = uint32_t(F.Instructions.size());
    B.Runs = Runs;
    B.IsBranch = !Edges.empty();
    if (Edges.empty())
      B.Edges.push_back({uint32_t(F.Blocks.size()), 1});
    else
      B.Edges.assign(Edges.begin(), Edges.end());
  }
  void loop(uint32_t First, uint32_t End, double Runs = 1) {
    F.Loops.push_back({First, End, Runs, ""});
  }

  FunctionDependence F;

private:
  uint32_t Begin = 0;
};

} // namespace

TEST(LastReadsTest, AreBehindTheWritesOrAtTheEndOfALoop) {
  enum : uint32_t {
    Once,
    Outside,
    Inside,
    Counter,
    Never,
    Uninitialised,
    Kept
  };
  Blocks B(7);
  B.add({Once, Outside, Counter, Kept}, {});
  B.end();
  B.add({Never}, {Once, Uninitialised}); // 1: the outer loop
  B.end();
  B.add({Inside}, {Outside}); // 2: the inner one
  B.end();
  B.add({Counter}, {Inside, Counter});
  B.add({Uninitialised}, {});
  B.end();
  B.add({Kept}, {}, /*IsGuarded=*/true); // 4: the outer one again
  B.end();
  B.add({}, {});
  B.end();
  B.loop(1, 5);
  B.loop(2, 4);
  std::vector<uint32_t> Last = findLastReads(B.F);
  ASSERT_EQ(Last.size(), 7u);
  // What both loops read is from outside of them.
  EXPECT_EQ(Last[Once], 5u);
  EXPECT_EQ(Last[Outside], 5u);
  EXPECT_EQ(Last[Counter], 5u);
  EXPECT_EQ(Last[Kept], 5u);
  EXPECT_EQ(Last[Inside], 3u);
  EXPECT_EQ(Last[Never], 0u);
  // An iteration of the outer loop reads what the one before it has left.
  EXPECT_EQ(Last[Uninitialised], 5u);
}

TEST(LastReadsTest, AreOfNoUseWithoutLoops) {
  Blocks B(1);
  B.add({0}, {});
  B.end();
  EXPECT_TRUE(findLastReads(B.F).empty());
}

TEST(LastReadsTest, ChangeNoPath) {
  // Each iteration loads into registers of which the last one is never read,
  // and waits for one that the iteration before has loaded.
  Blocks B(4);
  B.add({0, 1}, {});
  B.end();
  B.add({2}, {1});
  B.add({1}, {0}, false, SchedClass::Global);
  B.add({3}, {}, false, SchedClass::Global);
  B.end(10, {{1, 0.9}, {2, 0.1}});
  B.add({}, {2});
  B.end(1, {{IssuedBlock::Leave, 1}});
  B.loop(1, 2, 10);
  LatencyTable T = LatencyTable::unit();
  T.of(SchedClass::Global) = 100;
  DependenceSummary S;
  S.Functions.push_back(B.F);
  const CriticalPath Without = findCriticalPath(S, T);
  S.Functions[0].LastReads = findLastReads(B.F);
  EXPECT_EQ(S.Functions[0].LastReads, (std::vector<uint32_t>{2, 2, 2, 0}));
  const CriticalPath With = findCriticalPath(S, T);
  EXPECT_TRUE(Without.IsExact);
  EXPECT_TRUE(With.IsExact);
  EXPECT_EQ(With.Cycles, Without.Cycles);
  EXPECT_EQ(With.RoundTrips, Without.RoundTrips);
  EXPECT_EQ(With.LoadsInFlight, Without.LoadsInFlight);
}
