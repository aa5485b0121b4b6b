//===- TaskGraph.cpp - Tasks, and what they wait for ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Engine/TaskGraph.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cassert>

using namespace ptxpredict;

ServerNumber TaskGraph::addServer(unsigned Count) {
  assert(Count != 0 && "nothing would ever be served");
  Places.push_back(Count);
  return ServerNumber(Places.size() - 1);
}

LinkNumber TaskGraph::addLink(double BytesPerSecond) {
  assert(BytesPerSecond > 0 && "nothing would ever flow");
  Rates.push_back(BytesPerSecond);
  return LinkNumber(Rates.size() - 1);
}

TaskNumber TaskGraph::addTask(double Seconds, ArrayRef<ServerNumber> AtServers,
                              double Bytes, ArrayRef<LinkUse> OverLinks) {
  assert(Seconds >= 0 && Bytes >= 0 && "work is never negative");
  assert((Bytes == 0 || !OverLinks.empty()) && "bytes flow over links");
  assert(Tasks.size() < NoTask && Servers.size() < UINT32_MAX &&
         Links.size() < UINT32_MAX && "numbers have 32 bits");
  for (size_t I = 0; I < AtServers.size(); ++I)
    assert(!llvm::is_contained(AtServers.take_front(I), AtServers[I]) &&
           "it would wait for its own place");
  for (size_t I = 0; I < OverLinks.size(); ++I)
    assert(llvm::none_of(
               OverLinks.take_front(I),
               [&](const LinkUse &U) { return U.Link == OverLinks[I].Link; }) &&
           "that is a weight of 2");
  Tasks.push_back(
      {Seconds, Bytes, uint32_t(Servers.size()), uint32_t(Links.size())});
  Servers.insert(Servers.end(), AtServers.begin(), AtServers.end());
  Links.insert(Links.end(), OverLinks.begin(), OverLinks.end());
  return TaskNumber(Tasks.size() - 1);
}

void TaskGraph::addDependence(TaskNumber Before, TaskNumber After) {
  assert(Dependences.size() < UINT32_MAX && "numbers have 32 bits");
  Dependences.push_back({Before, After});
}

ArrayRef<ServerNumber> TaskGraph::servers(TaskNumber T) const {
  const size_t First = Tasks[T].FirstServer;
  const size_t Last =
      T + 1 == Tasks.size() ? Servers.size() : Tasks[T + 1].FirstServer;
  return ArrayRef(Servers).slice(First, Last - First);
}

ArrayRef<LinkUse> TaskGraph::links(TaskNumber T) const {
  const size_t First = Tasks[T].FirstLink;
  const size_t Last =
      T + 1 == Tasks.size() ? Links.size() : Tasks[T + 1].FirstLink;
  return ArrayRef(Links).slice(First, Last - First);
}

double Timeline::total() const {
  return End.empty() ? 0 : *std::max_element(End.begin(), End.end());
}

std::vector<TaskNumber> ptxpredict::findCycle(const TaskGraph &Graph,
                                              ArrayRef<TaskNumber> Stuck) {
  std::vector<bool> IsStuck(Graph.numTasks());
  for (TaskNumber T : Stuck)
    IsStuck[T] = true;
  // Each that is stuck waits for another one: whoever goes from one to the next
  // comes round.
  std::vector<TaskNumber> WaitsFor(Graph.numTasks(), NoTask);
  for (const TaskGraph::Dependence &D : Graph.dependences())
    if (IsStuck[D.Before] && IsStuck[D.After] && WaitsFor[D.After] == NoTask)
      WaitsFor[D.After] = D.Before;
  TaskNumber T = Stuck.empty() ? NoTask : Stuck.front();
  for (; T != NoTask && IsStuck[T]; T = WaitsFor[T])
    IsStuck[T] = false; // seen
  std::vector<TaskNumber> Cycle;
  if (T == NoTask)
    return Cycle;
  const TaskNumber Entry = T;
  do {
    Cycle.push_back(T);
    T = WaitsFor[T];
  } while (T != Entry);
  std::rotate(Cycle.begin(), std::min_element(Cycle.begin(), Cycle.end()),
              Cycle.end());
  return Cycle;
}
