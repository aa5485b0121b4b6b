//===- ScenarioReader.h - Scenario files, read --------------------*- C++ -*-=//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_PLAN_SCENARIOREADER_H
#define PTXPREDICT_LIB_SCENARIO_PLAN_SCENARIOREADER_H

#include "ptxpredict/Scenario/Plan/ScenarioFile.h"
#include "ptxpredict/Support/YAMLFields.h"
#include "llvm/ADT/StringMap.h"
#include <deque>

namespace ptxpredict {

/// What operations may name, by index.
struct ScenarioNames {
  llvm::StringMap<unsigned> Kernels, Labels, Variables;
};

/// The operations of one process. What they name may stand further below, so
/// that names are found when all is read.
class OperationReader {
public:
  /// \p Process: until findOwnNames(), then the one of that index.
  OperationReader(YAMLNodes &Nodes, class ScenarioReader &Whole,
                  ScenarioProcess &Process, size_t Index)
      : Nodes(Nodes), Whole(Whole), Process(&Process), Index(Index) {}

  void readList(llvm::yaml::Node &N, StringRef What,
                std::vector<Operation> &Into);
  /// Finds events and streams, when the whole process is read.
  void findOwnNames();
  /// Finds kernels, labels and variables, when the whole file is read.
  void findNames(const ScenarioNames &Known);

private:
  void readOne(llvm::yaml::Node &N, Operation &Op);
  void readValue(llvm::yaml::Node &N, Operation &Op);
  void readFields(llvm::yaml::Node &N, Operation &Op);
  void addTimeFields(YAMLFields &Fields, Operation &Op);
  void addPlaceFields(YAMLFields &Fields, Operation &Op);
  void addPeerFields(YAMLFields &Fields, Operation &Op);
  void addBodyFields(YAMLFields &Fields, Operation &Op);
  void readWith(llvm::yaml::Node &N, Operation &Op);
  void setStream(const YAMLText &Name, Operation &Op);
  /// The index of \p Name in \p All, which \p Known has too; it is added there
  /// unless there are \p Most (reported).
  unsigned indexOf(const YAMLText &Name, std::vector<std::string> &All,
                   llvm::StringMap<unsigned> &Known, unsigned Most,
                   StringRef What);
  void forEach(std::vector<Operation> &List,
               llvm::function_ref<void(Operation &)> Do);
  YAMLFields::ReadFunction formula(FormulaNumber &Into);
  /// Keeps a name for \ref findNames.
  YAMLFields::ReadFunction later(unsigned Operation);

  YAMLNodes &Nodes;
  ScenarioReader &Whole;
  ScenarioProcess *Process;
  size_t Index;
  /// By the operation's number: the kernel, label, event or stream that it
  /// names.
  std::map<unsigned, YAMLText> Named, NamedStreams;
  std::map<unsigned, std::map<std::string, std::pair<SMLoc, FormulaNumber>>>
      Withs;
  llvm::StringMap<unsigned> Streams{}, Events{};
  std::string Counter; ///< of the loop whose body comes
  unsigned Depth = 0;
};

class ScenarioReader {
public:
  ScenarioReader(DiagnosticEngine &Diags, Scenario &Result)
      : Diags(Diags), Nodes(Diags), Result(Result) {}

  void read();

  /// A formula; its names are found when all is read.
  FormulaNumber readFormula(llvm::yaml::Node &N, const Twine &What);
  FormulaNumber addFormula(const YAMLText &Text);
  /// A name that may be used in formulas and printed. False if it may not
  /// (reported).
  bool checkIdentifier(const YAMLText &Name, const Twine &What);
  /// Of a new operation.
  unsigned nextNumber() { return Result.NumOperations++; }
  unsigned phase(const YAMLText &Name);
  Scenario &scenario() { return Result; }
  DiagnosticEngine &diags() { return Diags; }

  YAMLNodes &nodes() { return Nodes; }

  // Parts of a scenario that other files have, too.
  /// Formulas may name rank and the like, and attributes.
  bool HasProcesses = true;
  void readVariables(llvm::yaml::Node &N);
  void readKernel(const YAMLText &Name, llvm::yaml::Node &N);
  /// Finds what formulas name, when all is read.
  void findNames();

  /// The counters of the loops around the present operation.
  std::vector<std::string> Counters;

private:
  void readRoot(llvm::yaml::Node &Root);
  void readArguments(llvm::yaml::Node &N, ScenarioKernel &K);
  void readExtents(llvm::yaml::Node &N, StringRef What,
                   SmallVectorImpl<FormulaNumber> &Into);
  void readInputs(llvm::yaml::Node &N, ScenarioKernel &K);
  void checkKernel(const YAMLFields &Fields, ScenarioKernel &K);
  void readProcess(llvm::yaml::Node &N);
  void findNames(ScenarioFormula &F, ArrayRef<std::string> Scope,
                 size_t NumVariables, const ScenarioNames &Known);

  DiagnosticEngine &Diags;
  YAMLNodes Nodes;
  Scenario &Result;
  std::deque<OperationReader> Readers;
  llvm::StringMap<unsigned> Phases, Labels;
  /// By formula: the counters that it sees.
  std::vector<std::vector<std::string>> Scopes;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_PLAN_SCENARIOREADER_H
