//===- RecurrenceTest.cpp - Chains that loops carry on --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Dependence/Recurrence.h"
#include "Analysis/Dependence/CycleRatio.h"
#include "PTXKernel.h"
#include <random>

using namespace ptxpredict;

namespace {

using EdgeMap = std::map<std::pair<unsigned, unsigned>, RatioEdge>;

/// All cycles that visit no node twice; the greatest ratio of them. Edges are
/// by target and source.
class AllCycles {
public:
  AllCycles(unsigned NumNodes, const EdgeMap &Edges)
      : Edges(Edges), IsOnWay(NumNodes) {
    for (First = 0; First != NumNodes; ++First)
      extend(First, 0, 0);
  }
  double Greatest = 0;
  unsigned Count = 0;

private:
  void extend(unsigned N, double Cycles, unsigned Iterations) {
    IsOnWay[N] = true;
    for (const auto &[Ends, E] : Edges) {
      unsigned To = Ends.first;
      if (E.From != N)
        continue;
      double C = Cycles + E.Cycles;
      unsigned I = Iterations + E.Iterations;
      if (To == First) {
        ++Count;
        Greatest = std::max(Greatest, C / I);
      } else if (To > First && !IsOnWay[To]) {
        extend(To, C, I);
      }
    }
    IsOnWay[N] = false;
  }

  const EdgeMap &Edges;
  std::vector<bool> IsOnWay;
  unsigned First = 0;
};

TEST(CycleRatioTest, EqualsAllCyclesOfRandomGraphs) {
  unsigned NumCyclic = 0, NumCycles = 0;
  CycleRatio Ratios;
  for (unsigned Seed = 0; Seed != 3000; ++Seed) {
    std::mt19937 Random(Seed);
    auto UpTo = [&](unsigned N) { return unsigned(Random() % N); };
    unsigned NumNodes = 1 + UpTo(8);
    unsigned MostCycles = UpTo(2) ? 6 : 600;
    EdgeMap Edges;
    for (unsigned K = UpTo(4 * NumNodes + 1); K-- != 0;) {
      unsigned From = UpTo(NumNodes), To = UpTo(NumNodes);
      Edges[{To, From}] = {double(UpTo(MostCycles)), From,
                           From < To ? UpTo(2) : 1 + UpTo(2)};
    }
    std::vector<RatioEdge> List;
    std::vector<IncomingEdges> Incoming(NumNodes);
    std::vector<unsigned> Ends;
    List.reserve(Edges.size());
    for (const auto &[To, E] : Edges) {
      IncomingEdges &In = Incoming[To.first];
      if (In.End == 0)
        In.First = unsigned(List.size());
      List.push_back(E);
      In.End = unsigned(List.size());
    }
    for (unsigned N = 0; N != NumNodes; ++N)
      Ends.push_back(N);
    AllCycles All(NumNodes, Edges);
    RatioCycle C = Ratios.findLongest(Incoming, List, Ends);
    ASSERT_EQ(C.Nodes.empty(), All.Count == 0) << "seed " << Seed;
    ASSERT_NEAR(C.ratio(), All.Greatest, 1e-9) << "seed " << Seed;
    double Cycles = 0;
    unsigned Iterations = 0;
    for (size_t N = 0; N != C.Nodes.size(); ++N) {
      auto E = Edges.find({C.Nodes[(N + 1) % C.Nodes.size()], C.Nodes[N]});
      ASSERT_NE(E, Edges.end()) << "seed " << Seed;
      Cycles += E->second.Cycles;
      Iterations += E->second.Iterations;
    }
    ASSERT_EQ(C.Cycles, Cycles);
    ASSERT_EQ(C.Iterations, Iterations);
    NumCyclic += !C.Nodes.empty();
    NumCycles += All.Count;
  }
  EXPECT_GT(NumCyclic, 1500u);
  EXPECT_GT(NumCycles, 10000u);
}

LatencyTable recurrenceTable() {
  LatencyTable T;
  T.Cycles.fill(10000);
  for (auto [Name, Cycles] : {std::pair(SchedClass::Int, 4.0),
                              {SchedClass::Move, 3.0},
                              {SchedClass::FP32FMA, 6.0},
                              {SchedClass::FP32, 6.0},
                              {SchedClass::Compare, 5.0},
                              {SchedClass::Global, 100.0},
                              {SchedClass::BranchTaken, 12.0},
                              {SchedClass::BranchNotTaken, 10.0}})
    T.of(Name) = Cycles;
  return T;
}

struct Found {
  double PerIteration = 0;
  std::string Instructions;
  bool operator==(const Found &O) const {
    return PerIteration == O.PerIteration && Instructions == O.Instructions;
  }
};
std::ostream &operator<<(std::ostream &OS, const Found &F) {
  return OS << F.PerIteration << ": " << F.Instructions;
}

Found describe(const Recurrence &R) {
  Found F{R.perIteration(), ""};
  for (const Instruction *I : R.Instructions)
    F.Instructions += (F.Instructions.empty() ? "" : " ") + I->Mnemonic.str();
  return F;
}

struct FoundInLoop {
  Found Data, Any;
  unsigned DataIterations = 0;
};

/// Of the loop with that header.
FoundInLoop find(StringRef Body, StringRef Header = "L") {
  PTXKernel K(Body);
  ControlFlow CF(K.graph());
  std::vector<LoopRecurrences> All =
      findRecurrences(K.graph(), CF, recurrenceTable());
  for (size_t N = 0; N != All.size(); ++N)
    if (CF.cycles()[N].Header->Label == Header)
      return {describe(All[N].Data), describe(All[N].Any),
              All[N].Data.Iterations};
  ADD_FAILURE() << "no loop " << Header.str();
  return {};
}

constexpr StringRef Counter = "add.u32 %r1, %r1, 1;\n"
                              "setp.lt.u32 %p0, %r1, 100;\n"
                              "@%p0 bra L;\n";

TEST(RecurrenceTest, TheCounterAndItsBranch) {
  FoundInLoop R = find("mov.u32 %r1, 0;\nL:\n" + Counter.str());
  EXPECT_EQ(R.Data, (Found{4, "add.u32"}));
  EXPECT_EQ(R.Any, (Found{21, "add.u32 setp.lt.u32 bra"}));
}

TEST(RecurrenceTest, SumsAreLongerThanTheCounter) {
  FoundInLoop R = find("mov.u32 %r1, 0;\nmov.f32 %f1, 0f00000000;\nL:\n"
                       "fma.rn.f32 %f2, %f1, %f1, %f3;\n"
                       "mul.f32 %f4, %f2, %f3;\n"
                       "add.f32 %f1, %f2, %f4;\n"
                       "add.f32 %f5, %f1, %f1;\n" + // carries nothing on
                       Counter.str());
  EXPECT_EQ(R.Data, (Found{18, "fma.rn.f32 mul.f32 add.f32"}));
  EXPECT_EQ(R.Any.PerIteration, 21);
}

TEST(RecurrenceTest, APointerThatIsFollowed) {
  FoundInLoop R = find("ld.param.u64 %rd1, [p];\nL:\n"
                       "ld.global.u64 %rd1, [%rd1];\n"
                       "setp.ne.u64 %p0, %rd1, 0;\n"
                       "@%p0 bra L;\n");
  EXPECT_EQ(R.Data, (Found{100, "ld.global.u64"}));
  EXPECT_EQ(R.Any, (Found{117, "ld.global.u64 setp.ne.u64 bra"}));
}

TEST(RecurrenceTest, EverySecondIteration) {
  FoundInLoop R = find("mov.u32 %r1, 0;\nmov.f32 %f1, 0f00000000;\n"
                       "mov.f32 %f2, %f1;\nL:\n"
                       "sqrt.approx.f32 %f3, %f1;\n"
                       "mov.f32 %f1, %f2;\n"
                       "mov.f32 %f2, %f3;\n" +
                       Counter.str());
  EXPECT_EQ(R.DataIterations, 2u);
  EXPECT_EQ(R.Data, (Found{10006.0 / 2, "sqrt.approx.f32 mov.f32 mov.f32"}));
}

TEST(RecurrenceTest, GuardedWritesCarryTheOldValueToo) {
  FoundInLoop R = find("mov.u32 %r1, 0;\nmov.f32 %f1, 0f00000000;\nL:\n"
                       "@%p1 add.f32 %f1, %f1, %f2;\n"
                       "@!%p1 mul.f32 %f1, %f1, %f3;\n" +
                       Counter.str());
  EXPECT_EQ(R.Data, (Found{12, "add.f32 mul.f32"}));
}

TEST(RecurrenceTest, InnerLoopsCountOnce) {
  // The sum comes from the body, where the inner loop's test is last,
  StringRef Head = "mov.u32 %r1, 0;\nmov.f32 %f1, 0f00000000;\nL:\n"
                   "mov.u32 %r2, 0;\n";
  FoundInLoop R = find(Head.str() +
                       "M:\nadd.f32 %f1, %f1, %f2;\n"
                       "add.u32 %r2, %r2, 1;\n"
                       "setp.lt.u32 %p1, %r2, 9;\n@%p1 bra M;\n"
                       "mul.f32 %f1, %f1, %f3;\n" +
                       Counter.str());
  EXPECT_EQ(R.Data, (Found{12, "add.f32 mul.f32"}));
  // and from the phi of its header, where it is first.
  R = find(Head.str() +
           "M:\nsetp.lt.u32 %p1, %r2, 9;\n@!%p1 bra E;\n"
           "add.f32 %f1, %f1, %f2;\nadd.u32 %r2, %r2, 1;\nbra M;\n"
           "E: mul.f32 %f1, %f1, %f3;\n" +
           Counter.str());
  EXPECT_EQ(R.Data, (Found{12, "add.f32 mul.f32"}));
}

TEST(RecurrenceTest, TheInnerLoopHasItsOwn) {
  std::string Body = "mov.u32 %r1, 0;\nmov.f32 %f1, 0f00000000;\nL:\n"
                     "mov.u32 %r2, 0;\n"
                     "M:\nadd.f32 %f1, %f1, %f2;\n"
                     "add.u32 %r2, %r2, 1;\n"
                     "setp.lt.u32 %p1, %r2, %r1;\n@%p1 bra M;\n" +
                     Counter.str();
  EXPECT_EQ(find(Body, "M").Data, (Found{6, "add.f32"}));
  EXPECT_EQ(find(Body, "M").Any, (Found{21, "add.u32 setp.lt.u32 bra"}));
  // The outer counter limits the inner loop, whose branch comes before.
  EXPECT_EQ(find(Body).Data, (Found{6, "add.f32"}));
}

TEST(RecurrenceTest, LoopsThatAreLeftFromTheTop) {
  FoundInLoop R = find("mov.u32 %r1, 0;\nL:\n"
                       "setp.ge.u32 %p0, %r1, 100;\n"
                       "@%p0 bra E;\nadd.u32 %r1, %r1, 1;\nbra L;\nE:\n");
  EXPECT_EQ(R.Data, (Found{4, "add.u32"}));
  EXPECT_EQ(R.Any, (Found{15, "setp.ge.u32 bra"}));
}

} // namespace
