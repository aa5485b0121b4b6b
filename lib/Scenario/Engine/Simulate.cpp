//===- Simulate.cpp - Runs the tasks of a graph ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What happens at one time happens in rounds. In a round
// 1. all tasks that are due end, in the order of their numbers; a place goes to
//    who waits for it. Tasks that have no server and take no time, such as
//    events and barriers, end in the round in which they become ready;
// 2. all tasks that have become ready arrive at their servers, in the order of
//    their numbers, however long the ways of events and barriers were.
// A task that takes no time but has servers ends in the next round. So at one
// time those come first before which fewer of such tasks stand, in the longest
// row; of these the lower number. Rates of flows change after the last round.
//===----------------------------------------------------------------------===//
#include "Scenario/Engine/EventHeap.h"
#include "Scenario/Engine/FairShares.h"
#include "ptxpredict/Scenario/Engine/TaskGraph.h"
#include <algorithm>
#include <utility>

using namespace ptxpredict;

namespace {

class Simulation {
public:
  explicit Simulation(const TaskGraph &Graph);
  void run();
  Timeline takeTimeline();

private:
  static constexpr uint32_t Ended = UINT32_MAX;
  static constexpr uint32_t None = UINT32_MAX;

  /// All that is known of a task lies together: with many tasks the memory's
  /// latency is most of the time. The rest of the timeline follows from it.
  struct Progress {
    double End = 0;
    TaskNumber Cause = NoTask;
    /// How many before it have not ended; when all have, how many servers have
    /// no place for it; in the end the number of its flow, then Ended.
    uint32_t State = 0;
    uint32_t FirstAfter = 0; ///< in After
  };
  struct Server {
    uint32_t Free;        ///< places; none while a ticket waits
    uint32_t First, Last; ///< tickets
  };
  struct Ticket {
    TaskNumber Task;
    uint32_t Next;
  };

  bool hasFlow(TaskNumber T) const {
    return Graph.bytes(T) > 0 && !Graph.links(T).empty();
  }
  void orderDependences();
  void collectDue();
  void runRound();
  void becomeReady(TaskNumber T, TaskNumber Cause);
  void arrive(TaskNumber T);
  void start(TaskNumber T);
  void endSeconds(TaskNumber T, std::vector<TaskNumber> &Ends);
  void end(TaskNumber T);
  void wait(Server &S, TaskNumber T);
  void leave(Server &S, TaskNumber T);

  const TaskGraph &Graph;
  std::vector<Progress> Tasks; ///< and one behind the last
  std::vector<TaskNumber> After;
  std::vector<Server> Servers;
  std::vector<Ticket> Tickets;
  uint32_t UnusedTicket = None;
  FairShares Shares;
  EventHeap Events;
  double Now = 0;
  /// Tasks of this round, and those that end in the next one.
  std::vector<TaskNumber> Ending, Arriving, EndingNext;
};

} // namespace

/// They mostly are in order.
static void sortByNumber(std::vector<TaskNumber> &Tasks) {
  if (!std::is_sorted(Tasks.begin(), Tasks.end()))
    std::sort(Tasks.begin(), Tasks.end());
}

Simulation::Simulation(const TaskGraph &Graph) : Graph(Graph), Shares(Graph) {
  Servers.reserve(Graph.numServers());
  for (ServerNumber S = 0; S != Graph.numServers(); ++S)
    Servers.push_back({Graph.places(S), None, None});
  orderDependences();
}

/// Puts the tasks after each into After, by counting.
void Simulation::orderDependences() {
  Tasks.resize(Graph.numTasks() + 1);
  for (const TaskGraph::Dependence &D : Graph.dependences()) {
    ++Tasks[D.After].State;
    ++Tasks[D.Before].FirstAfter;
  }
  uint32_t Sum = 0;
  for (Progress &P : Tasks)
    P.FirstAfter = Sum += P.FirstAfter;
  // From behind, so that each ends up at its first.
  After.resize(Sum);
  for (size_t I = Sum; I-- != 0;) {
    const TaskGraph::Dependence &D = Graph.dependences()[I];
    After[--Tasks[D.Before].FirstAfter] = D.After;
  }
}

void Simulation::run() {
  const auto Num = TaskNumber(Graph.numTasks());
  for (TaskNumber T = 0; T != Num; ++T)
    if (Tasks[T].State == 0)
      becomeReady(T, NoTask);
  for (;;) {
    runRound();
    if (EndingNext.empty()) {
      if (Events.empty() || Events.top().Time != Now)
        Shares.settle(Now, Events);
      if (Events.empty())
        break;
      Now = Events.top().Time;
    }
    collectDue();
  }
}

Timeline Simulation::takeTimeline() {
  Timeline Result;
  const size_t Num = Graph.numTasks();
  Result.End.reserve(Num);
  Result.Cause.reserve(Num);
  for (TaskNumber T = 0; T != Num; ++T) {
    Result.End.push_back(Tasks[T].End);
    Result.Cause.push_back(Tasks[T].Cause);
    if (Tasks[T].State != Ended)
      Result.Stuck.push_back(T);
  }
  Tasks = {};
  // A task starts in the moment in which its cause ends.
  Result.Start.reserve(Num);
  for (TaskNumber Cause : Result.Cause)
    Result.Start.push_back(Cause == NoTask ? 0 : Result.End[Cause]);
  Result.Ready.resize(Num);
  for (const TaskGraph::Dependence &D : Graph.dependences())
    Result.Ready[D.After] =
        std::max(Result.Ready[D.After], Result.End[D.Before]);
  for (TaskNumber T : Result.Stuck)
    Result.Ready[T] = 0;
  return Result;
}

/// Finds what ends in the round that begins.
void Simulation::collectDue() {
  Ending.swap(EndingNext);
  while (!Events.empty() && Events.top().Time == Now) {
    const Event E = Events.pop();
    const uint32_t State = Tasks[E.Task].State;
    if (E.Version == 0) {
      endSeconds(E.Task, Ending);
    } else if (State != Ended && Shares.isCurrent(State, E.Version)) {
      Shares.end(State, Ending);
    }
  }
  sortByNumber(Ending);
}

void Simulation::runRound() {
  size_t NumEnded = 0;
  while (NumEnded != Ending.size()) // to which end() may append
    end(Ending[NumEnded++]);
  Ending.clear();
  sortByNumber(Arriving);
  for (TaskNumber T : Arriving)
    arrive(T);
  Arriving.clear();
}

void Simulation::becomeReady(TaskNumber T, TaskNumber Cause) {
  Tasks[T].Cause = Cause;
  if (!Graph.servers(T).empty())
    Arriving.push_back(T);
  else if (Graph.seconds(T) > 0 || hasFlow(T))
    start(T);
  else
    Ending.push_back(T);
}

/// Takes a ticket at all servers at once, so that no two tasks ever wait for
/// each other's places.
void Simulation::arrive(TaskNumber T) {
  uint32_t Missing = 0;
  for (ServerNumber Number : Graph.servers(T)) {
    Server &S = Servers[Number];
    if (S.Free != 0) {
      --S.Free;
    } else {
      wait(S, T);
      ++Missing;
    }
  }
  Tasks[T].State = Missing;
  if (Missing == 0)
    start(T);
}

void Simulation::start(TaskNumber T) {
  if (const double Seconds = Graph.seconds(T); Seconds > 0)
    Events.push({Now + Seconds, T, 0});
  else
    endSeconds(T, EndingNext);
}

/// \p T begins to flow, or joins those that end.
void Simulation::endSeconds(TaskNumber T, std::vector<TaskNumber> &Ends) {
  if (hasFlow(T))
    Tasks[T].State = Shares.begin(T, Now);
  else
    Ends.push_back(T);
}

void Simulation::end(TaskNumber T) {
  Tasks[T].End = Now;
  Tasks[T].State = Ended;
  for (ServerNumber S : Graph.servers(T))
    leave(Servers[S], T);
  const uint32_t Last = Tasks[T + 1].FirstAfter;
  for (uint32_t I = Tasks[T].FirstAfter; I != Last; ++I)
    if (--Tasks[After[I]].State == 0)
      becomeReady(After[I], T);
}

void Simulation::wait(Server &S, TaskNumber T) {
  uint32_t Number = UnusedTicket;
  if (Number == None) {
    Number = uint32_t(Tickets.size());
    Tickets.push_back({T, None});
  } else {
    UnusedTicket = Tickets[Number].Next;
    Tickets[Number] = {T, None};
  }
  (S.First == None ? S.First : Tickets[S.Last].Next) = Number;
  S.Last = Number;
}

/// \p T gives its place to who has waited longest.
void Simulation::leave(Server &S, TaskNumber T) {
  if (S.First == None) {
    ++S.Free;
    return;
  }
  const uint32_t Number = S.First;
  const TaskNumber Next = Tickets[Number].Task;
  S.First = std::exchange(Tickets[Number].Next, UnusedTicket);
  UnusedTicket = Number;
  if (--Tasks[Next].State != 0)
    return;
  Tasks[Next].Cause = T;
  start(Next);
}

Timeline ptxpredict::simulate(const TaskGraph &Graph) {
  Simulation S(Graph);
  S.run();
  return S.takeTimeline();
}
