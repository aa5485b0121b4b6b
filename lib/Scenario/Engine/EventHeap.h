//===- EventHeap.h - What happens next --------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_ENGINE_EVENTHEAP_H
#define PTXPREDICT_LIB_SCENARIO_ENGINE_EVENTHEAP_H

#include "ptxpredict/Scenario/Engine/TaskGraph.h"
#include <algorithm>
#include <vector>

namespace ptxpredict {

/// Something about a task.
struct Event {
  double Time; ///< in seconds
  TaskNumber Task;
  /// 0: its seconds are over. Else its flow ends, if that still has this
  /// version: another rate makes another end.
  uint32_t Version;
};

/// Events by time, then by number of the task: whatever the order in which they
/// came, they leave in one.
class EventHeap {
public:
  bool empty() const { return Events.empty(); }
  const Event &top() const { return Events.front(); }
  void push(const Event &E) {
    Events.push_back(E);
    std::push_heap(Events.begin(), Events.end(), IsLater());
  }
  Event pop() {
    std::pop_heap(Events.begin(), Events.end(), IsLater());
    const Event E = Events.back();
    Events.pop_back();
    return E;
  }

private:
  struct IsLater {
    bool operator()(const Event &A, const Event &B) const {
      return A.Time != B.Time ? A.Time > B.Time : A.Task > B.Task;
    }
  };
  std::vector<Event> Events;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_ENGINE_EVENTHEAP_H
