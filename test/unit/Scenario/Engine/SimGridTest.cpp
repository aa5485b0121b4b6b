//===- SimGridTest.cpp - The engine against SimGrid -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// SimGrid (https://simgrid.org, here 3.32) keeps the time and shares the links.
// What waits for what and for which server is done here, as plainly as can be:
// an actor for each task. SimGrid starts slowly and allows one engine a
// process, so all graphs run at once, each on links of its own. Its flows have
// one weight on all links.
//===----------------------------------------------------------------------===//
#include "RandomGraph.h"
#include "gtest/gtest.h"
#include <deque>
#include <list>
#include <memory>
#include <simgrid/s4u.hpp>

using namespace ptxpredict;
namespace s4u = simgrid::s4u;

namespace {

/// Runs a graph's tasks as actors.
class Oracle {
public:
  Oracle(const TaskGraph &Graph, s4u::NetZone &Zone, s4u::Host &Sink,
         const std::string &Name);
  /// Of each task.
  std::vector<double> Start, End;

private:
  struct Server {
    unsigned Free;
    std::deque<TaskNumber> Waiting;
  };
  /// An event or a barrier: it ends when it is ready.
  bool takesNothing(TaskNumber T) const {
    return Graph.seconds(T) == 0 && Graph.bytes(T) == 0 &&
           Graph.servers(T).empty();
  }
  void run(TaskNumber T, s4u::Host *Source, s4u::Host *Sink);
  void wake(std::vector<TaskNumber> Ready);
  void leave(Server &S);

  const TaskGraph &Graph;
  std::vector<Server> Servers;
  std::vector<std::vector<TaskNumber>> After;
  std::vector<unsigned> NumBefore, NumMissing;
  std::vector<s4u::SemaphorePtr> IsReady, IsServed;
};

} // namespace

Oracle::Oracle(const TaskGraph &Graph, s4u::NetZone &Zone, s4u::Host &Sink,
               const std::string &Name)
    : Start(Graph.numTasks()), End(Graph.numTasks()), Graph(Graph),
      After(Graph.numTasks()), NumBefore(Graph.numTasks()),
      NumMissing(Graph.numTasks()) {
  for (ServerNumber S = 0; S != Graph.numServers(); ++S)
    Servers.push_back({Graph.places(S), {}});
  std::vector<const s4u::Link *> Links;
  for (LinkNumber L = 0; L != Graph.numLinks(); ++L)
    Links.push_back(Zone.create_link(Name + "-link-" + std::to_string(L),
                                     Graph.bytesPerSecond(L))
                        ->seal());
  for (const TaskGraph::Dependence &D : Graph.dependences()) {
    After[D.Before].push_back(D.After);
    ++NumBefore[D.After];
  }
  std::vector<TaskNumber> First;
  for (TaskNumber T = 0; T != Graph.numTasks(); ++T) {
    IsReady.push_back(s4u::Semaphore::create(0));
    IsServed.push_back(s4u::Semaphore::create(0));
    if (NumBefore[T] == 0)
      First.push_back(T);
    if (takesNothing(T))
      continue;
    s4u::Host *Source = &Sink;
    if (!Graph.links(T).empty()) {
      // In a star each host has its own way to the middle.
      const std::string Task = Name + "-task-" + std::to_string(T);
      Source = Zone.create_host(Task, 1e9)->seal();
      std::vector<s4u::LinkInRoute> Route;
      for (const LinkUse &U : Graph.links(T))
        Route.emplace_back(Links[U.Link]);
      Zone.add_route(Source->get_netpoint(), nullptr, nullptr, nullptr, Route,
                     /*symmetrical=*/false);
    }
    s4u::Actor::create(Name, &Sink,
                       [this, T, Source, &Sink] { run(T, Source, &Sink); });
  }
  s4u::Actor::create(Name, &Sink, [this, First] { wake(First); });
}

void Oracle::run(TaskNumber T, s4u::Host *Source, s4u::Host *Sink) {
  IsReady[T]->acquire();
  for (ServerNumber Number : Graph.servers(T)) {
    Server &S = Servers[Number];
    if (S.Free != 0) {
      --S.Free;
    } else {
      S.Waiting.push_back(T);
      ++NumMissing[T];
    }
  }
  if (NumMissing[T] != 0)
    IsServed[T]->acquire();
  Start[T] = s4u::Engine::get_clock();
  if (Graph.seconds(T) > 0)
    s4u::this_actor::sleep_for(Graph.seconds(T));
  if (Graph.bytes(T) > 0)
    s4u::Comm::sendto(Source, Sink, uint64_t(Graph.bytes(T)));
  End[T] = s4u::Engine::get_clock();
  for (ServerNumber S : Graph.servers(T))
    leave(Servers[S]);
  std::vector<TaskNumber> Ready;
  for (TaskNumber Next : After[T])
    if (--NumBefore[Next] == 0)
      Ready.push_back(Next);
  wake(Ready);
}

void Oracle::leave(Server &S) {
  if (S.Waiting.empty()) {
    ++S.Free;
    return;
  }
  const TaskNumber Next = S.Waiting.front();
  S.Waiting.pop_front();
  if (--NumMissing[Next] == 0)
    IsServed[Next]->release();
}

/// Goes on with tasks in the order of their numbers, and with those after
/// events and barriers at the same time.
void Oracle::wake(std::vector<TaskNumber> Ready) {
  std::vector<TaskNumber> Woken;
  for (size_t I = 0; I != Ready.size(); ++I) {
    const TaskNumber T = Ready[I];
    if (!takesNothing(T)) {
      Woken.push_back(T);
      continue;
    }
    Start[T] = End[T] = s4u::Engine::get_clock();
    for (TaskNumber Next : After[T])
      if (--NumBefore[Next] == 0)
        Ready.push_back(Next);
  }
  std::sort(Woken.begin(), Woken.end());
  for (TaskNumber T : Woken)
    IsReady[T]->release();
}

TEST(SimGrid, AgreesOnRandomGraphs) {
  std::string Name = "oracle", Quiet = "--log=root.thresh:critical";
  std::vector<char *> Args = {Name.data(), Quiet.data(), nullptr};
  int NumArgs = 2;
  s4u::Engine Engine(&NumArgs, Args.data());
  for (const char *Setting :
       {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0",
        "surf/precision:1e-12", "maxmin/precision:1e-12",
        "contexts/stack-size:64"})
    s4u::Engine::set_config(std::string(Setting));
  s4u::NetZone &Zone = *s4u::create_star_zone("all");
  s4u::Host &Sink = *Zone.create_host("sink", 1e9);
  Zone.add_route(nullptr, Sink.get_netpoint(), nullptr, nullptr, {},
                 /*symmetrical=*/false);

  RandomGraphOptions O;
  O.HasWeights = false;
  std::mt19937 Random(1);
  std::list<TaskGraph> Graphs;
  std::vector<std::unique_ptr<Oracle>> Oracles;
  for (unsigned N = 0; N != 500; ++N) {
    Graphs.push_back(randomGraph(Random, O));
    Oracles.push_back(
        std::make_unique<Oracle>(Graphs.back(), Zone, Sink, std::to_string(N)));
  }
  Zone.seal();
  Engine.run();

  unsigned NumGraph = 0;
  for (const TaskGraph &G : Graphs) {
    const Oracle &Right = *Oracles[NumGraph];
    const Timeline Ours = simulate(G);
    for (TaskNumber T = 0; T != G.numTasks(); ++T) {
      const std::string Where =
          "graph " + std::to_string(NumGraph) + ", task " + std::to_string(T);
      EXPECT_NEAR(Ours.Start[T], Right.Start[T], 1e-8 * Right.Start[T])
          << Where;
      EXPECT_NEAR(Ours.End[T], Right.End[T], 1e-8 * Right.End[T]) << Where;
    }
    ++NumGraph;
  }
}
