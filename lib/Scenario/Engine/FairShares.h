//===- FairShares.h - What each flow has of its links -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Max-min fairness by progressive filling (D. Bertsekas, R. Gallager: Data
// Networks, 2nd edition, section 6.5.2): all rates grow alike until a link is
// full; its flows keep theirs, and the others go on.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_ENGINE_FAIRSHARES_H
#define PTXPREDICT_LIB_SCENARIO_ENGINE_FAIRSHARES_H

#include "Scenario/Engine/EventHeap.h"
#include "ptxpredict/Scenario/Engine/TaskGraph.h"
#include <utility>
#include <vector>

namespace ptxpredict {

/// The flows that are under way. Times are in seconds, rates in bytes a second.
class FairShares {
public:
  explicit FairShares(const TaskGraph &Graph);

  /// The bytes of \p T begin to flow. Gives the flow's number, which another
  /// flow may have when this one has ended.
  uint32_t begin(TaskNumber T, double Now);
  /// Whether an event that settle() made still holds.
  bool isCurrent(uint32_t Flow, uint32_t Version) const {
    return Flows[Flow].Version == Version;
  }
  /// Ends a flow whose event holds, and those joined with it that end at the
  /// same time; appends their tasks to \p Ends.
  void end(uint32_t Flow, std::vector<TaskNumber> &Ends);

  /// Shares the links of flows that have begun or ended, and all links joined
  /// with them by flows, anew. Flows that are joined have one event, for the
  /// next of them to end: at that one all change again.
  void settle(double Now, EventHeap &Events) {
    if (!Touched.empty())
      shareTouched(Now, Events);
  }

private:
  static constexpr uint32_t None = UINT32_MAX;

  struct Flow {
    double Bytes; ///< that were left at Since
    double Since; ///< when Rate became what it is
    double Rate, NextRate, End;
    const LinkUse *Links;
    uint32_t NumLinks;
    TaskNumber Task;  ///< NoTask: it has ended
    uint32_t Version; ///< odd while there may be an event
    uint32_t NextDue; ///< another flow for which its event holds, or None
    uint32_t Round;   ///< in which it was last looked at

    ArrayRef<LinkUse> links() const { return {Links, NumLinks}; }
  };
  /// A flow on a link.
  struct Use {
    uint32_t Flow;
    double Weight;
  };
  struct Link {
    std::vector<Use> Uses;
    double Left = 0;   ///< that no flow has taken
    double Weight = 0; ///< of flows without a rate,
    uint32_t Open = 0; ///< and how many these are
    uint32_t Round = 0;
    bool IsTouched = false;
  };

  void touch(ArrayRef<LinkUse> Uses);
  void dropEnded(Link &L);
  void shareTouched(double Now, EventHeap &Events);
  void gather(LinkNumber First);
  void shareAlone(Flow &F, double Now);
  void shareOne(Link &L, double BytesPerSecond, double Now);
  void shareAll(double Now);
  void fix(const Link &Full, double Rate);
  void setRate(Flow &F, double Rate, double Now);
  void pushNextEnd(EventHeap &Events);

  const TaskGraph &Graph;
  std::vector<Link> Links;
  std::vector<Flow> Flows;
  /// Numbers of flows that have ended: links know them still, or no more.
  std::vector<uint32_t> Ended, Unused;
  std::vector<LinkNumber> Touched;
  uint32_t Round = 0;
  /// Flows that are joined, and their links.
  std::vector<uint32_t> Group;
  std::vector<LinkNumber> GroupLinks;
  /// Links, and the rate at which each would be full.
  std::vector<std::pair<double, LinkNumber>> Filling;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_ENGINE_FAIRSHARES_H
