//===- RandomProgram.h - What processes do by chance ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_RANDOMPROGRAM_H
#define PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_RANDOMPROGRAM_H

#include "RandomScenario.h"

namespace ptxpredict {

using RandomList = std::vector<RandomOperation>;

/// What is around an operation.
struct RandomSurroundings {
  unsigned Label = 0;
  unsigned Depth = 0;                ///< of loops
  std::vector<std::string> Counters; ///< of these; empty without a name
};

/// Writes what all labels do, step by step. A step is of one label, or of two
/// that send each other messages; in a step all is sent before anything is
/// waited for. So the first process that waits always waits for one that goes
/// on.
class ProgramMaker {
public:
  ProgramMaker(RandomNumbers &R, const RandomScenarioOptions &O,
               RandomScenario &S)
      : R(R), O(O), S(S) {}
  void make();

private:
  void makeVariables();
  void makeKernels();
  void makeProcesses();

  static RandomFormula number(double Value);
  static void add(RandomFormula &F, double Factor, const std::string &Name,
                  std::function<double(const RandomNames &)> Of);
  RandomFormula amount(const RandomSurroundings &At, double Low, double High,
                       bool IsWhole, bool IsSame = false);
  RandomFormula seconds(const RandomSurroundings &At) {
    return amount(At, 1000, 20'000, /*IsWhole=*/false);
  }
  RandomFormula bytes(const RandomSurroundings &At) {
    return amount(At, 1'000'000, 40'000'000, /*IsWhole=*/true);
  }
  RandomFormula small(const RandomSurroundings &At, unsigned Most);
  static RandomFormula rank(int Offset, unsigned Size);

  static RandomOperation operation(OperationKind K) {
    RandomOperation Op;
    Op.Kind = K;
    return Op;
  }
  void setStream(const RandomSurroundings &At, RandomOperation &Op,
                 unsigned Chance);
  void setGPU(const RandomSurroundings &At, RandomOperation &Op);
  void addLocal(const RandomSurroundings &At, RandomList &Ops);
  void addHost(const RandomSurroundings &At, RandomList &Ops);
  void addCopy(const RandomSurroundings &At, RandomList &Ops);
  void addLaunch(const RandomSurroundings &At, RandomList &Ops);
  void addOrder(const RandomSurroundings &At, RandomList &Ops);
  void addSome(const RandomSurroundings &At, RandomList &Ops, unsigned Most);
  void addShift(const RandomSurroundings &At, RandomList &Ops);
  void addStar(unsigned From, unsigned To, bool IsOut);
  void addCollective(const RandomSurroundings &At, RandomList &Ops);
  void addDelay(const RandomSurroundings &At, RandomList &Ops, unsigned Stream);
  void addLoop(const RandomSurroundings &At, RandomList &Ops, bool HasMessages);
  void addChoice(const RandomSurroundings &At, RandomList &Ops);
  void addStep();
  static RandomOperation message(OperationKind K, unsigned Label,
                                 RandomFormula Peer);
  void numberAll(RandomList &Ops);

  unsigned size(unsigned Label) const { return S.Processes[Label].Count; }

  RandomNumbers &R;
  const RandomScenarioOptions &O;
  RandomScenario &S;
  unsigned FewestGPUs = ~0U; ///< of a node
  unsigned NumPhases = 0;
};

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_RANDOMPROGRAM_H
