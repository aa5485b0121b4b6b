//===- PlanBuilder.h - Processes run through, task by task --------*- C++ -*-=//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_PLAN_PLANBUILDER_H
#define PTXPREDICT_LIB_SCENARIO_PLAN_PLANBUILDER_H

#include "ptxpredict/Scenario/Plan/Collectives.h"
#include "ptxpredict/Scenario/Plan/Plan.h"
#include <unordered_map>

namespace ptxpredict {

class PlanBuilder {
public:
  PlanBuilder(const Scenario &S, SystemLayout &Layout, KernelTimes &Kernels,
              const PlanRequest &Request)
      : S(S), Layout(Layout), Kernels(Kernels), Request(Request) {}

  Plan build();

private:
  /// The task that a stream ended with. Numbers of tasks are no order: a
  /// collective operation has the one of its first process.
  struct Issued {
    TaskNumber Task = NoTask;
    uint32_t Order = 0; ///< of what the process issued
  };
  /// What a process has issued on one GPU, by stream; the default one first.
  struct GPUState {
    ComponentPlace Place;
    SmallVector<Issued, 4> Last;
  };
  /// A stream that is not the default one, on whichever GPUs.
  struct StreamState {
    TaskNumber Last = NoTask;
    std::optional<ComponentPlace> GPU; ///< of the last of it
  };
  /// The process that is run through.
  struct State {
    uint32_t Number = 0;
    const ScenarioProcess *Of = nullptr;
    uint16_t Phase = 0;
    uint32_t Order = 0;
    TaskNumber Host = NoTask;
    SmallVector<GPUState, 1> GPUs;
    SmallVector<StreamState, 4> Streams;
    SmallVector<TaskNumber, 4> Events;
  };
  /// A message or its receipt, of one pair of processes and tag.
  struct Message {
    uint64_t Key[2];
    uint32_t Order;
    TaskNumber Task;
    const Operation *Op;
  };
  struct Collective {
    const Operation *Op = nullptr;
    TaskNumber Task = NoTask;
    uint32_t Arrived = 0;
    double Bytes = 0;
  };
  struct Cached {
    double Value = 0;
    bool IsKnown = false;
  };
  /// Of a kernel that is the same for all processes on a component.
  struct KernelUse {
    uint32_t Number = 0; ///< from 1, as in PlannedTask; 0: not known yet
    double Seconds = 0;
  };
  struct TransferCost {
    double Startup = 0;
    SmallVector<LinkUse, 4> Links;
    SmallVector<ServerNumber, 4> Servers;
    double SecondsPerByte = 0; ///< of the slowest
    bool IsFlow = false;
  };

  // PlanBuilder.cpp: processes and their operations.
  bool placeProcesses();
  void runProcess(uint32_t Number);
  void run(ArrayRef<Operation> List);
  void run(const Operation &Op);
  void runHost(const Operation &Op);
  void runMemory(const Operation &Op);
  void runRepeat(const Operation &Op);
  void runOrder(const Operation &Op);
  double value(FormulaNumber N, StringRef What, bool MayBeNegative = false);
  std::optional<uint64_t> whole(FormulaNumber N, StringRef What,
                                uint64_t Default);
  void error(SMLoc Place, const Twine &Text);
  TaskNumber addTask(const Operation &Op, double Seconds,
                     ArrayRef<ServerNumber> Servers = {}, double Bytes = 0,
                     ArrayRef<LinkUse> Links = {});
  TaskNumber join(const Operation &Op, ArrayRef<TaskNumber> All);
  void after(TaskNumber Task, TaskNumber Before) {
    if (Before != NoTask)
      Result.Graph.addDependence(Before, Task);
  }
  void assume(std::string Text);

  // PlanCopies.cpp: copies and kernels.
  GPUState *gpuOf(const Operation &Op);
  /// The last tasks that what comes next in a stream waits for.
  TaskNumber lastOf(const Operation &Op, const GPUState &G, unsigned Stream);
  /// All that the process has issued.
  TaskNumber lastOfAll(const Operation &Op);
  void issue(GPUState &G, const Operation &Op, TaskNumber Task);
  void runCopy(const Operation &Op);
  void runWithin(const Operation &Op);
  void runLaunch(const Operation &Op);
  std::optional<KernelUse> kernelUse(const Operation &Op, const GPUState &G);
  TransferCost costOf(ArrayRef<RouteHop> Hops, TransferWay Way,
                      HostMemory Memory);
  double launchSeconds(const SystemComponent &C);

  // PlanMessages.cpp: messages and collective operations.
  void runMessage(const Operation &Op);
  void matchMessages();
  void runCollective(const Operation &Op);
  void addCollective(const Operation &Op, Collective &C, uint64_t Size);
  void checkCollectives();
  const CollectiveRoute &routeOf(unsigned Label, bool IsAllToAll);

  const Scenario &S;
  SystemLayout &Layout;
  KernelTimes &Kernels;
  const PlanRequest &Request;
  Plan Result;

  std::vector<double> Slots;
  std::vector<Cached> Constants; ///< by formula
  State Now;
  size_t NumSteps = 0;
  bool IsTooLong = false;
  std::vector<uint32_t> LabelStart, LabelSize; ///< processes by label
  /// Processes on a CPU that have its cores, by server; and memory taken.
  std::unordered_map<ServerNumber, uint32_t> OnCPU;
  std::unordered_map<ServerNumber, double> Taken;
  std::map<std::pair<unsigned, const SystemComponent *>, KernelUse> SameKernels;
  std::vector<Message> Sends, Receives;
  std::vector<std::vector<Collective>> Collectives; ///< by label
  std::vector<uint32_t> NextCollective;             ///< by process
  std::map<std::pair<unsigned, bool>, CollectiveRoute> Routes;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_PLAN_PLANBUILDER_H
