//===- ScalingReader.h - Scaling files, read ----------------------*- C++ -*-=//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_SCALING_SCALINGREADER_H
#define PTXPREDICT_LIB_SCENARIO_SCALING_SCALINGREADER_H

#include "Scenario/Plan/ScenarioReader.h"
#include "ptxpredict/Scenario/Scaling/ScalingFile.h"

namespace ptxpredict {

/// Reads one file. Formulas, variables and kernels are those of scenarios, so
/// that a scenario holds them.
class ScalingReader {
public:
  ScalingReader(DiagnosticEngine &Diags, ScalingFile &Result)
      : Diags(Diags), Result(Result), Names(Diags, Result.Names),
        Nodes(Names.nodes()) {}

  void read();

private:
  void readRoot(llvm::yaml::Node &Root);
  void readHead(YAMLFields &Fields);
  void readAxis(llvm::yaml::Node &N, StringRef Key, ScalingAxis &Into);
  void readValues(llvm::yaml::Node &N, StringRef Key, ScalingAxis &Into);
  void addValue(llvm::yaml::Node &N, StringRef Key, ScalingAxis &Into);
  void checkAxis(StringRef Key, ScalingAxis &A);
  void readMachine(llvm::yaml::Node &N);
  void readPower(llvm::yaml::Node &N, StringRef Key, ScalingValue &Into);
  void readApplication(llvm::yaml::Node &N);
  void readKernels(llvm::yaml::Node &N);
  void readMemory(llvm::yaml::Node &N);
  void readScenario(llvm::yaml::Node &N);
  void checkForm(const YAMLFields &Fields);
  void checkNumbers();
  void checkNumber(ScalingNumber Given, ScalingNumber Needed);
  void checkNames();
  /// Its key is there, perhaps with a wrong value.
  bool isGiven(ScalingNumber N) const { return Places[size_t(N)].isValid(); }
  bool dependsOnP(FormulaNumber F, ArrayRef<bool> Slots) const;
  void findKernels();

  DiagnosticEngine &Diags;
  ScalingFile &Result;
  ScenarioReader Names;
  YAMLNodes &Nodes;
  std::array<SMLoc, NumScalingNumbers> Places; ///< of keys that are given
  std::vector<std::pair<YAMLText, FormulaNumber>> Launched;
  bool HasKernelKey = false;
  SMLoc RootPlace, MachinePlace;
  // Of the axis that is read.
  std::vector<SMLoc> ValuePlaces;
  struct AxisBound {
    StringRef Key;
    double Value;
    SMLoc Place;
  };
  SmallVector<AxisBound, 2> BoundPlaces;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_SCALING_SCALINGREADER_H
