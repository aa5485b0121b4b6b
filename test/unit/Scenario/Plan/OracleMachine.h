//===- OracleMachine.h - Time, places and links by SimGrid ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_ORACLEMACHINE_H
#define PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_ORACLEMACHINE_H

#include "PlainLayout.h"
#include <deque>
#include <memory>
#include <simgrid/s4u.hpp>

namespace ptxpredict {

namespace s4u = simgrid::s4u;

/// What actors wait for until another one opens it.
struct OracleLatch {
  bool IsOpen = false;
  std::vector<s4u::SemaphorePtr> Waiting;
};
using LatchPtr = std::shared_ptr<OracleLatch>;

struct OracleSpan {
  double Start = -1, End = -1;
};

struct OracleJob;
/// So many places, for those that come first.
struct OracleServer {
  unsigned Free = 1;
  std::deque<OracleJob *> Waiting;
};

/// What takes time and places.
struct OracleJob {
  unsigned Process = 0, Number = 0; ///< of what the process issued
  std::vector<OracleServer *> Servers;
  double Seconds = 0;
  uint64_t Bytes = 0; ///< that flow after the seconds
  s4u::Host *Source = nullptr;
  OracleSpan *Into = nullptr; ///< where its times are kept
  unsigned NumMissing = 0;
  s4u::SemaphorePtr Served;

  bool takesNothing() const {
    return Seconds == 0 && Bytes == 0 && Servers.empty();
  }
};

/// The system of one scenario: a zone of links of its own. What comes at one
/// time is served in the order of the processes, and of each in the order in
/// which it issued it.
class OracleMachine {
public:
  OracleMachine(const RandomScenario &S, s4u::NetZone &Around,
                const std::string &Name);

  /// SimGrid must know all flows before the first one.
  void addFlow(const PlainLoad &L, double Factor = 1);
  /// When all of them are known.
  void seal() { Zone->seal(); }

  /// Begins another actor.
  void start(std::function<void()> Do);
  /// Waits, takes time and lets others go on, for the actor that calls them.
  void run(OracleJob &J);
  void wait(const LatchPtr &L);
  void open(const LatchPtr &L);
  void acquire(const s4u::SemaphorePtr &S);
  void release(const s4u::SemaphorePtr &S);

  OracleServer *coresOf(const PlainPlace &CPU);
  OracleServer *kernelsOf(const PlainPlace &GPU);
  OracleServer *copiesOf(const PlainPlace &GPU, bool IsOut);
  /// What so many bytes take on their way, and of it.
  void addLoad(OracleJob &J, const PlainLoad &L, double Bytes,
               double Factor = 1);

  PlainLayout Layout;

private:
  using Flow = std::vector<std::pair<PlainWay, unsigned>>;

  static std::optional<Flow> flowOf(const PlainLoad &L, double Factor);
  void serve();
  void leave(OracleServer &S);

  const RandomScenario &S;
  std::string Name;
  s4u::NetZone *Zone;
  s4u::Host *Sink; ///< where all actors are, and all flows go to
  std::map<PlainWay, const s4u::Link *> Links;
  std::map<Flow, s4u::Host *> Sources;
  std::map<std::pair<PlainPlace, unsigned>, OracleServer> Parts;
  std::map<PlainWay, OracleServer> Ways;
  /// Those that arrive at this time, until nothing else happens at it.
  std::vector<OracleJob *> Arriving;
  s4u::SemaphorePtr HasArrivals;
  bool IsServing = false;
  size_t Activity = 0; ///< grows whenever an actor goes on
};

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_ORACLEMACHINE_H
