//===- ScenarioFile.h - An application on a system --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_PLAN_SCENARIOFILE_H
#define PTXPREDICT_SCENARIO_PLAN_SCENARIOFILE_H

#include "ptxpredict/Scenario/Plan/Operation.h"
#include "ptxpredict/Support/Formula.h"

namespace ptxpredict {

/// What a name of a formula stands for.
using SlotNumber = uint16_t;
/// Slots that every scenario has; behind them are the counters of loops, by how
/// deep they are nested, then the variables, then attributes.
enum FixedSlot : SlotNumber {
  RankSlot, ///< number among the processes of its label, from 0
  SizeSlot, ///< how many there are of its label
  NodeSlot, ///< number of its node, from 0
  GPUSlot,  ///< number of its GPU in the node, from 0; 0 of one on a CPU
  FirstCounterSlot
};
constexpr unsigned MaxLoopDepth = 8;
constexpr SlotNumber FirstVariableSlot = FirstCounterSlot + MaxLoopDepth;

/// A formula whose names have slots.
struct ScenarioFormula {
  Formula Text;
  SmallVector<SlotNumber, 2> Slots; ///< of Text.names()
  /// It has other names than those of variables.
  bool IsOfProcess = false;
};

/// "; N is 4, rank is 1": what its names stand for; empty without any.
std::string describeNames(const ScenarioFormula &F, ArrayRef<double> Slots);

struct ScenarioVariable {
  std::string Name;
  SMLoc Place;
  FormulaNumber Value = NoFormula; ///< of variables before it
};

/// `cpu.X` or `gpu.X`: an attribute of a process's component.
struct ScenarioAttribute {
  bool IsOfGPU = false;
  std::string Name;
};

struct ScenarioKernel {
  enum class TimeBy : uint8_t { Code, Given, LittlesLaw };

  std::string Name;
  SMLoc Place;
  TimeBy By = TimeBy::Code;
  // Code:
  std::string File; ///< as written, relative to the scenario
  SMLoc FilePlace;
  std::string Glob = "*"; ///< of the kernel's name
  struct Argument {
    std::string Parameter;
    FormulaNumber Value = NoFormula;
    FormulaNumber BufferBytes = NoFormula; ///< of a pointer, in place of Value
  };
  std::vector<Argument> Arguments;
  std::vector<std::pair<std::string, FormulaNumber>> TripCounts;
  FormulaNumber DynamicShared = NoFormula, Registers = NoFormula;
  // Code, LittlesLaw:
  SmallVector<FormulaNumber, 3> Grid, Block;
  // Given:
  FormulaNumber TimeUs = NoFormula;
  /// By published name (LittlesLawTerms.def).
  std::vector<std::pair<std::string, FormulaNumber>> Inputs;
  FormulaNumber PowerW = NoFormula; ///< of all of them
};

/// Equal processes.
struct ScenarioProcess {
  std::string Label;
  SMLoc Place;
  FormulaNumber Count = NoFormula; ///< nothing: as many as there are places
  /// By index; the first one is the default stream.
  std::vector<std::string> Streams{""};
  std::vector<std::string> Events;
  std::vector<Operation> Operations;
};

/// A scenario as its YAML file says it.
struct Scenario {
  std::string Name, SystemName;
  SMLoc SystemPlace;
  std::vector<ScenarioVariable> Variables;   ///< from FirstVariableSlot on
  std::vector<ScenarioAttribute> Attributes; ///< behind them
  FormulaNumber Work = NoFormula;            ///< what a run does
  std::string WorkUnit = "unit";
  unsigned ConcurrentKernels = 0; ///< of every GPU; 0: as the system says
  std::optional<double> LaunchUs; ///< that a launch holds its process; likewise
  std::vector<ScenarioKernel> Kernels;
  std::vector<ScenarioProcess> Processes;
  std::vector<ScenarioFormula> Formulas;
  std::vector<std::string> Phases;
  unsigned NumOperations = 0; ///< in the file; each has its number

  size_t numSlots() const {
    return FirstVariableSlot + Variables.size() + Attributes.size();
  }
  SlotNumber firstAttributeSlot() const {
    return SlotNumber(FirstVariableSlot + Variables.size());
  }
  /// "rank", "N", "gpu.SMs"; "" of a counter.
  std::string slotName(SlotNumber S) const;
};

constexpr StringRef ScenarioSchemaName = "ptx-predict/scenario";
constexpr unsigned ScenarioSchemaVersion = 1;

/// Reads the engine's buffer as a scenario. True on error (all reported).
bool parseScenario(DiagnosticEngine &Diags, Scenario &Result);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_PLAN_SCENARIOFILE_H
