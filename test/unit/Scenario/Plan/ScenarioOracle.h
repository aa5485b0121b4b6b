//===- ScenarioOracle.h - Random scenarios run by SimGrid -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// SimGrid (https://simgrid.org, here 3.32) keeps the time and shares the links.
// An actor does what a process does, one what is in a stream, one each message
// and collective operation; all as docs/commands/Scenario.md says it, without
// the project's own.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_SCENARIOORACLE_H
#define PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_SCENARIOORACLE_H

#include "OracleMachine.h"
#include <list>

namespace ptxpredict {

/// One scenario. All of them run at once, since SimGrid allows one engine a
/// process.
class ScenarioOracle {
public:
  ScenarioOracle(const RandomScenario &S, s4u::NetZone &Around,
                 const std::string &Name);

  /// Of each process and operation what takes time or a place, in the order in
  /// which it was issued. What processes do together belongs to the first.
  std::map<std::pair<unsigned, unsigned>, std::deque<OracleSpan>> Spans;
  /// How often each kind of operation was done.
  std::map<OperationKind, size_t> Counts;

private:
  struct Together {
    unsigned NumMissing = 0;
    OracleJob Work;
    LatchPtr Done = std::make_shared<OracleLatch>();
  };
  /// What stands in a stream.
  struct Item {
    std::vector<LatchPtr> Before;
    LatchPtr Done = std::make_shared<OracleLatch>();
    std::optional<OracleJob> Work;
    Together *With = nullptr;
    bool IsEnd = false;
  };
  struct Stream {
    std::deque<Item> Items;
    s4u::SemaphorePtr Filled; ///< null before the first
  };
  struct OnGPU {
    Stream Default;
    LatchPtr LastOfDefault;
    std::map<unsigned, LatchPtr> LastOfStream;
  };
  struct Process {
    unsigned Number = 0, Label = 0;
    PlainPlace At, CPU, GPU;
    RandomNames Names;
    unsigned NumIssued = 0, NumTogether = 0;
    std::map<PlainPlace, OnGPU> GPUs; ///< that it has used
    // By stream; the first one is none.
    std::deque<Stream> Streams;
    std::vector<LatchPtr> LastOfStream;
    std::vector<std::optional<PlainPlace>> StreamGPU; ///< of the last in it
    std::vector<std::vector<LatchPtr>> Events;
  };
  /// From one process to another with one tag.
  struct Messages {
    std::deque<LatchPtr> All;
    size_t NumSent = 0, NumReceived = 0;
    LatchPtr at(size_t N);
  };

  void addProcess(unsigned Label, unsigned Rank, const PlainPlace &At);
  void addFlows(const Process &P);
  OracleJob nextJob(Process &P) const;
  void keepTimes(OracleJob &J, const RandomOperation &Op, unsigned Process);

  void runProcess(Process &P);
  void runList(Process &P, const std::vector<RandomOperation> &List,
               unsigned Depth);
  void runOperation(Process &P, const RandomOperation &Op, unsigned Depth);
  void runHost(Process &P, const RandomOperation &Op);
  void runCopy(Process &P, const RandomOperation &Op);
  void runLaunch(Process &P, const RandomOperation &Op);
  void runOrder(Process &P, const RandomOperation &Op);

  // What is in streams.
  LatchPtr issue(Process &P, const PlainPlace &GPU, unsigned Stream, Item I);
  void runStream(Stream &Of);
  void waitForAll(Process &P);
  PlainPlace gpuOf(const Process &P, const RandomOperation &Op) const;

  // What processes do together.
  double policyFactor() const;
  void runMessage(Process &P, const RandomOperation &Op);
  void runTogether(Process &P, const RandomOperation &Op);
  Together makeTogether(Process &P, const RandomOperation &Op);
  void arrive(Together &T);

  const RandomScenario &S;
  OracleMachine On;
  std::deque<Process> Processes;
  std::vector<PlainLoad> Rings, AllToAlls;    ///< by label
  std::vector<unsigned> First;                ///< process, by label
  std::vector<std::list<Together>> Togethers; ///< by label
  std::map<std::tuple<unsigned, unsigned, unsigned>, Messages> Mail;
};

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_SCENARIOORACLE_H
