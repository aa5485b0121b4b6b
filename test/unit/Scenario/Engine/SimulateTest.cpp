//===- SimulateTest.cpp - Graphs worked out by hand -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Engine/TaskGraph.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <utility>

using namespace ptxpredict;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// Tasks that each wait for the one before.
void addChain(TaskGraph &G, ArrayRef<TaskNumber> Chain) {
  for (size_t I = 1; I < Chain.size(); ++I)
    G.addDependence(Chain[I - 1], Chain[I]);
}

TEST(Simulate, NothingTakesNoTime) {
  const Timeline T = simulate(TaskGraph());
  EXPECT_EQ(T.total(), 0);
  EXPECT_THAT(T.End, IsEmpty());
  EXPECT_THAT(T.Stuck, IsEmpty());
}

TEST(Simulate, AChainAddsUp) {
  // The application of Gajger's thesis: two copies in, a kernel, a copy out.
  TaskGraph G;
  const TaskNumber In = G.addTask(0.14697903805386084);
  const TaskNumber In2 = G.addTask(0.14697903805386084);
  const TaskNumber Kernel = G.addTask(0.1466549187195336);
  const TaskNumber Out = G.addTask(0.15508298658577355);
  addChain(G, {In, In2, Kernel, Out});
  const Timeline T = simulate(G);
  EXPECT_EQ(T.total(), 0.5956959814130288);
  EXPECT_EQ(T.Start[Kernel], T.End[In2]);
  EXPECT_THAT(T.Cause, ElementsAre(NoTask, In, In2, Kernel));
}

TEST(Simulate, ATaskWaitsForAllBeforeIt) {
  TaskGraph G;
  const TaskNumber Join = G.addTask(1);
  const TaskNumber Short = G.addTask(2);
  const TaskNumber Long = G.addTask(5);
  G.addDependence(Long, Join); // up and down in the numbers
  G.addDependence(Short, Join);
  const Timeline T = simulate(G);
  EXPECT_THAT(T.Ready, ElementsAre(5, 0, 0));
  EXPECT_THAT(T.Start, ElementsAre(5, 0, 0));
  EXPECT_THAT(T.End, ElementsAre(6, 2, 5));
  EXPECT_THAT(T.Cause, ElementsAre(Long, NoTask, NoTask));
}

TEST(Simulate, AServerServesInTheOrderOfArrival) {
  TaskGraph G;
  const ServerNumber S = G.addServer();
  const TaskNumber Holder = G.addTask(10, {S});
  const TaskNumber Later = G.addTask(1, {S});
  const TaskNumber Sooner = G.addTask(1, {S});
  addChain(G, {G.addTask(3), Later});
  addChain(G, {G.addTask(2), Sooner});
  const Timeline T = simulate(G);
  EXPECT_EQ(T.Ready[Sooner], 2);
  EXPECT_EQ(T.Start[Sooner], 10);
  EXPECT_EQ(T.Start[Later], 11);
  EXPECT_EQ(T.Cause[Sooner], Holder);
  EXPECT_EQ(T.Cause[Later], Sooner);
}

TEST(Simulate, WhoArrivesAtOneTimeIsServedByNumber) {
  TaskGraph G;
  const ServerNumber S = G.addServer();
  const TaskNumber First = G.addTask(1);
  std::vector<TaskNumber> Tasks;
  for (unsigned I = 0; I != 4; ++I)
    Tasks.push_back(G.addTask(1, {S}));
  for (TaskNumber T : {3, 1, 4, 2})
    G.addDependence(First, T);
  const Timeline T = simulate(G);
  EXPECT_THAT(T.Start, ElementsAre(0, 1, 2, 3, 4));
}

TEST(Simulate, AServerHasPlaces) {
  TaskGraph G;
  const ServerNumber S = G.addServer(2);
  for (double Seconds : {4, 1, 2, 3, 1})
    G.addTask(Seconds, {S});
  const Timeline T = simulate(G);
  EXPECT_THAT(T.Start, ElementsAre(0, 0, 1, 3, 4));
  EXPECT_THAT(T.Cause, ElementsAre(NoTask, NoTask, 1, 2, 0));
}

TEST(Simulate, APlaceIsKeptWhileOthersAreWaitedFor) {
  TaskGraph G;
  const ServerNumber A = G.addServer();
  const ServerNumber B = G.addServer();
  const TaskNumber Holder = G.addTask(5, {B});
  const TaskNumber Both = G.addTask(2, {A, B}); // has A at once
  const TaskNumber OnlyA = G.addTask(1, {A});
  const TaskNumber Reversed = G.addTask(1, {B, A});
  const Timeline T = simulate(G);
  EXPECT_EQ(T.Start[Both], 5);
  EXPECT_EQ(T.Cause[Both], Holder);
  EXPECT_EQ(T.Start[OnlyA], 7);
  EXPECT_EQ(T.Start[Reversed], 8);
  EXPECT_EQ(T.Cause[Reversed], OnlyA);
}

TEST(Simulate, AFlowHoldsItsServersToTheEnd) {
  TaskGraph G;
  const ServerNumber S = G.addServer();
  const LinkNumber L = G.addLink(10);
  G.addTask(1, {S}, 20, {{L, 1}});
  G.addTask(0, {S}, 5, {{L, 1}});
  const Timeline T = simulate(G);
  EXPECT_THAT(T.Start, ElementsAre(0, 3));
  EXPECT_THAT(T.End, ElementsAre(3, 3.5));
}

TEST(Simulate, FlowsShareALinkFairly) {
  TaskGraph G;
  const LinkNumber L = G.addLink(10);
  G.addTask(0, {}, 100, {{L, 1}});
  G.addTask(0, {}, 50, {{L, 1}});
  // 5 a second each; from 10 on the first has all.
  EXPECT_THAT(simulate(G).End, ElementsAre(15, 10));
}

TEST(Simulate, AFlowCanWeighMore) {
  TaskGraph G;
  const LinkNumber L = G.addLink(30);
  G.addTask(0, {}, 125, {{L, 2}});
  G.addTask(0, {}, 50, {{L, 1}});
  // 10 a second each, which is 20 and 10 of the link; then 15.
  EXPECT_THAT(simulate(G).End, ElementsAre(10, 5));
}

TEST(Simulate, WhatOneFlowCannotUseOthersGet) {
  TaskGraph G;
  const LinkNumber Wide = G.addLink(10);
  const LinkNumber Narrow = G.addLink(4);
  G.addTask(0, {}, 20, {{Wide, 1}, {Narrow, 1}});
  G.addTask(0, {}, 41, {{Wide, 1}});
  G.addTask(0, {}, 8, {{Narrow, 1}});
  // Rates of 2, 8, 2; from 4 on, with 12 and 9 left, of 4 and 6; from 5.5 on,
  // with 6 left, still 4, as Narrow has no more.
  EXPECT_THAT(simulate(G).End, ElementsAre(7, 5.5, 4));
}

TEST(Simulate, AFlowBeginsAfterItsSeconds) {
  TaskGraph G;
  const LinkNumber L = G.addLink(10);
  G.addTask(0, {}, 100, {{L, 1}});
  G.addTask(3, {}, 20, {{L, 1}});
  // Alone until 3, 5 a second until 7.
  const Timeline T = simulate(G);
  EXPECT_THAT(T.Start, ElementsAre(0, 0));
  EXPECT_THAT(T.End, ElementsAre(12, 7));
}

TEST(Simulate, AFlowAloneIsRoundedOnce) {
  for (unsigned K = 1; K != 50; ++K) {
    const double Seconds = 0.1 * K;
    const double Bytes = 1e9 / K;
    const double Rate = 15.7e9 / 3;
    const double Weight = 1 + 0.1 * K;
    TaskGraph G;
    const LinkNumber L = G.addLink(Rate);
    const LinkNumber Wider = G.addLink(Rate * 7);
    const LinkNumber Other = G.addLink(Rate);
    const TaskNumber First = G.addTask(0.7);
    const TaskNumber Alone =
        G.addTask(Seconds, {}, Bytes, {{Wider, 1}, {L, Weight}});
    addChain(G, {First, Alone});
    for (unsigned I = 0; I != 5; ++I) // elsewhere others come and go
      G.addTask(0.7 + 0.03 * I, {}, Bytes, {{Other, 1}});
    EXPECT_EQ(simulate(G).End[Alone], 0.7 + Seconds + Bytes * Weight / Rate);
  }
}

TEST(Simulate, AFlowWhoseRateStaysKeepsItsEnd) {
  TaskGraph G;
  const LinkNumber Narrow = G.addLink(3);
  const LinkNumber Wide = G.addLink(1000);
  G.addTask(0, {}, 10, {{Narrow, 1}, {Wide, 1}});
  for (unsigned I = 0; I != 5; ++I)
    G.addTask(0.1 + 0.3 * I, {}, 100.0 * (1 + I), {{Wide, 1}});
  EXPECT_EQ(simulate(G).End[0], 10.0 / 3);
}

TEST(Simulate, FlowsThatBeginTogetherEndTogether) {
  for (unsigned Num = 2; Num != 50; ++Num) {
    TaskGraph G;
    const LinkNumber L = G.addLink(7);
    const ServerNumber S = G.addServer();
    for (unsigned I = 0; I != Num; ++I)
      G.addTask(0.3, {}, 0.1 * Num, {{L, 1}});
    // What waits for the last flow comes first, as its number is lower.
    addChain(G, {Num - 1, G.addTask(1, {S})});
    addChain(G, {0, G.addTask(1, {S})});
    const TaskNumber Join = G.addTask(0);
    for (unsigned I = 0; I != Num; ++I)
      G.addDependence(I, Join);
    const Timeline T = simulate(G);
    EXPECT_DOUBLE_EQ(T.End[0], 0.3 + Num * (0.1 * Num) / 7);
    for (unsigned I = 1; I != Num; ++I)
      EXPECT_EQ(T.End[I], T.End[0]);
    EXPECT_EQ(T.Start[Num], T.End[0]);
    EXPECT_EQ(T.Start[Num + 1], T.End[Num]);
    EXPECT_EQ(T.Cause[Join], Num - 1); // of several, the highest number
  }
}

/// Four chunks on each of two GPUs: 10 ms in, 8 ms of kernel, 5 ms out, with a
/// copy engine for each direction. In one stream all wait for the one before.
TaskGraph twoGPUs(bool OneStream, bool OneLink) {
  TaskGraph G;
  auto AddLinks = [&] {
    const LinkNumber In = G.addLink(1000);
    return std::pair(In, G.addLink(1000));
  };
  auto Links = AddLinks();
  for (unsigned GPU = 0; GPU != 2; ++GPU) {
    const ServerNumber In = G.addServer();
    const ServerNumber Kernel = G.addServer();
    const ServerNumber Out = G.addServer();
    std::vector<TaskNumber> Stream;
    for (unsigned Chunk = 0; Chunk != 4; ++Chunk) {
      if (!OneStream)
        Stream.clear();
      Stream.push_back(G.addTask(0, {In}, 10, {{Links.first, 1}}));
      Stream.push_back(G.addTask(0.008, {Kernel}));
      Stream.push_back(G.addTask(0, {Out}, 5, {{Links.second, 1}}));
      addChain(G, ArrayRef(Stream).take_back(OneStream ? 4 : 3));
    }
    if (!OneLink)
      Links = AddLinks();
  }
  return G;
}

TEST(Simulate, CopiesHideBehindKernels) {
  EXPECT_DOUBLE_EQ(simulate(twoGPUs(true, false)).total(), 0.092);
  EXPECT_DOUBLE_EQ(simulate(twoGPUs(false, false)).total(), 0.053);
  EXPECT_DOUBLE_EQ(simulate(twoGPUs(false, true)).total(), 0.098);
}

TEST(Simulate, EventsDelayNoArrival) {
  TaskGraph G;
  const ServerNumber S = G.addServer();
  const TaskNumber Behind = G.addTask(1, {S});
  const TaskNumber Direct = G.addTask(1, {S});
  const TaskNumber First = G.addTask(1);
  addChain(G, {First, G.addTask(0), G.addTask(0), Behind});
  addChain(G, {First, Direct});
  const Timeline T = simulate(G);
  EXPECT_EQ(T.Start[Behind], 1);
  EXPECT_EQ(T.Start[Direct], 2);
}

TEST(Simulate, WhatTakesNoTimeAtAServerIsARoundOfItsOwn) {
  TaskGraph G;
  const ServerNumber S = G.addServer();
  const ServerNumber Other = G.addServer();
  const TaskNumber Behind = G.addTask(1, {S});
  const TaskNumber Direct = G.addTask(1, {S});
  const TaskNumber First = G.addTask(1);
  addChain(G, {First, G.addTask(0, {Other}), Behind});
  addChain(G, {First, Direct});
  const Timeline T = simulate(G);
  EXPECT_EQ(T.Ready[Behind], 1);
  EXPECT_EQ(T.Start[Direct], 1);
  EXPECT_EQ(T.Start[Behind], 2);
  EXPECT_EQ(T.Cause[Behind], Direct);
}

TEST(Simulate, APlaceGoesBackBeforeOthersArrive) {
  TaskGraph G;
  const ServerNumber S = G.addServer();
  const TaskNumber Arriving = G.addTask(1, {S});
  const TaskNumber Holder = G.addTask(2, {S});
  addChain(G, {G.addTask(2), Arriving});
  const Timeline T = simulate(G);
  EXPECT_EQ(T.End[Holder], 2);
  EXPECT_EQ(T.Start[Arriving], 2);
}

TEST(Simulate, OtherWorkGivesAnotherTime) {
  TaskGraph G;
  const LinkNumber L = G.addLink(10);
  const TaskNumber T = G.addTask(1, {}, 20, {{L, 1}});
  EXPECT_EQ(simulate(G).total(), 3);
  G.setWork(T, 0.5, 10);
  EXPECT_EQ(simulate(G).total(), 1.5);
  G.setWork(T, 0, 0);
  EXPECT_EQ(simulate(G).total(), 0);
}

TEST(Simulate, SaysWhatIsStuck) {
  TaskGraph G;
  const ServerNumber S = G.addServer();
  std::vector<TaskNumber> T;
  for (unsigned I = 0; I != 6; ++I)
    T.push_back(G.addTask(1, {S}));
  addChain(G, {T[1], T[2], T[3], T[1]}); // 1 waits for 3, 3 for 2, 2 for 1
  addChain(G, {T[5], T[4]});             // goes on
  addChain(G, {T[5], T[0]});
  addChain(G, {T[2], T[0]}); // behind the cycle
  const Timeline Result = simulate(G);
  EXPECT_THAT(Result.Stuck, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Result.Ready, ElementsAre(0, 0, 0, 0, 1, 0));
  EXPECT_THAT(Result.End, ElementsAre(0, 0, 0, 0, 2, 1));
  EXPECT_EQ(Result.Cause[0], NoTask);
  EXPECT_THAT(findCycle(G, Result.Stuck), ElementsAre(1, 3, 2));
}

TEST(Simulate, FindsACycleOfOne) {
  TaskGraph G;
  G.addTask(1);
  addChain(G, {G.addTask(1), G.addTask(1)});
  G.addDependence(1, 1);
  const Timeline Result = simulate(G);
  EXPECT_THAT(Result.Stuck, ElementsAre(1, 2));
  EXPECT_THAT(findCycle(G, Result.Stuck), ElementsAre(1));
}

TEST(Simulate, FindsNoCycleWhereNoneIs) {
  TaskGraph G;
  addChain(G, {G.addTask(1), G.addTask(1)});
  EXPECT_THAT(findCycle(G, {}), IsEmpty());
  EXPECT_THAT(findCycle(G, {0, 1}), IsEmpty());
}

TEST(Simulate, LongChainsNeedNoDeepStack) {
  for (double Seconds : {0.0, 1.0}) {
    constexpr TaskNumber Num = 1000000;
    TaskGraph G;
    G.addTask(Seconds);
    for (TaskNumber T = 1; T != Num; ++T) {
      G.addTask(Seconds);
      G.addDependence(T - 1, T);
    }
    EXPECT_EQ(simulate(G).total(), Seconds * Num);
    G.addDependence(Num - 1, 0);
    const Timeline T = simulate(G);
    EXPECT_EQ(T.Stuck.size(), Num);
    EXPECT_EQ(findCycle(G, T.Stuck).size(), Num);
  }
}

TEST(Simulate, ABarrierJoinsMany) {
  constexpr TaskNumber Num = 10000;
  TaskGraph G;
  const TaskNumber Barrier = G.addTask(0);
  for (TaskNumber I = 0; I != Num; ++I) {
    G.addDependence(G.addTask(1 + I % 7), Barrier);
    G.addDependence(Barrier, G.addTask(1));
  }
  const Timeline T = simulate(G);
  EXPECT_EQ(T.End[Barrier], 7);
  EXPECT_EQ(T.total(), 8);
}

} // namespace
