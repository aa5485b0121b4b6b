//===- TaskGraph.h - Tasks, and what they wait for --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_ENGINE_TASKGRAPH_H
#define PTXPREDICT_SCENARIO_ENGINE_TASKGRAPH_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace ptxpredict {

/// Numbers of tasks, servers and links count from 0 in the order in which they
/// were added.
using TaskNumber = uint32_t;
using ServerNumber = uint32_t;
using LinkNumber = uint32_t;
constexpr TaskNumber NoTask = UINT32_MAX;

/// A link that a flow goes over.
struct LinkUse {
  LinkNumber Link = 0;
  /// How much of the flow goes over it: 2 for twice its bytes. Above 0.
  double Weight = 1;
};

/// Tasks, what each waits for and what it takes. A task may start when all
/// before it have ended. It then queues at all of its servers at once, starts
/// when each of them has a place for it, and holds those places until it ends:
/// for its seconds, and after these until its bytes have flowed over all of its
/// links.
class TaskGraph {
public:
  /// A server with so many places, which serves in the order of arrival; of
  /// tasks that arrive at the same time, in the order of their numbers.
  ServerNumber addServer(unsigned Places = 1);
  /// A link that its flows share, fairly: no flow can have more but from one
  /// that has no more than it (max-min fairness).
  LinkNumber addLink(double BytesPerSecond);

  /// \p Seconds and \p Bytes are not negative; no server or link stands there
  /// twice. A task without links has no bytes.
  TaskNumber addTask(double Seconds, ArrayRef<ServerNumber> Servers = {},
                     double Bytes = 0, ArrayRef<LinkUse> Links = {});
  /// \p After starts when \p Before has ended. Of the two any may have been
  /// added first.
  void addDependence(TaskNumber Before, TaskNumber After);

  size_t numTasks() const { return Tasks.size(); }
  size_t numServers() const { return Places.size(); }
  size_t numLinks() const { return Rates.size(); }
  unsigned places(ServerNumber S) const { return Places[S]; }
  double bytesPerSecond(LinkNumber L) const { return Rates[L]; }
  double seconds(TaskNumber T) const { return Tasks[T].Seconds; }
  double bytes(TaskNumber T) const { return Tasks[T].Bytes; }
  /// Another duration of a task, for what would be if it were shorter.
  void setWork(TaskNumber T, double Seconds, double Bytes) {
    Tasks[T].Seconds = Seconds;
    Tasks[T].Bytes = Bytes;
  }
  ArrayRef<ServerNumber> servers(TaskNumber T) const;
  ArrayRef<LinkUse> links(TaskNumber T) const;

  struct Dependence {
    TaskNumber Before, After;
  };
  ArrayRef<Dependence> dependences() const { return Dependences; }

private:
  struct Task {
    double Seconds, Bytes;
    uint32_t FirstServer, FirstLink; ///< in Servers and Links
  };
  std::vector<Task> Tasks;
  std::vector<ServerNumber> Servers;
  std::vector<LinkUse> Links;
  std::vector<unsigned> Places;
  std::vector<double> Rates;
  std::vector<Dependence> Dependences;
};

/// When each task was what, in seconds from 0.
struct Timeline {
  std::vector<double> Ready; ///< all before it had ended
  std::vector<double> Start; ///< it had all of its servers
  std::vector<double> End;
  /// What had to end for it to start: the last of those before it, or the one
  /// whose place it took; NoTask at the beginning.
  std::vector<TaskNumber> Cause;
  /// Tasks that never could start, since they wait for each other; in the order
  /// of their numbers. Their times are 0.
  std::vector<TaskNumber> Stuck;

  double total() const; ///< the last end; 0 without tasks
};

/// Runs the tasks. Linear in tasks, dependences and uses, but for a logarithm,
/// and for each flow that starts or ends the flows that share links with it,
/// directly or through others. The same graph gives the same bits.
Timeline simulate(const TaskGraph &Graph);

/// One cycle of waits among \p Stuck: each waits for the next one's end, the
/// last for the first one's.
std::vector<TaskNumber> findCycle(const TaskGraph &Graph,
                                  ArrayRef<TaskNumber> Stuck);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_ENGINE_TASKGRAPH_H
