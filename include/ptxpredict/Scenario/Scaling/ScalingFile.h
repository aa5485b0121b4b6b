//===- ScalingFile.h - A program over sizes and processors ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_SCALING_SCALINGFILE_H
#define PTXPREDICT_SCENARIO_SCALING_SCALINGFILE_H

#include "ptxpredict/Scenario/Plan/ScenarioFile.h"
#include <array>

namespace ptxpredict {

/// A number of the machine or application vector.
enum class ScalingNumber : uint8_t {
#define SCALING_MACHINE(MEMBER, KEY, UNIT, LEAST, MEANING) MEMBER,
#define SCALING_LOGGP(MEMBER, KEY, UNIT, LEAST, MEANING) MEMBER,
#define SCALING_APPLICATION(MEMBER, KEY, UNIT, LEAST, MEANING) MEMBER,
#include "ptxpredict/Scenario/Scaling/ScalingNumbers.def"
};
constexpr size_t NumScalingNumbers = size_t(ScalingNumber::NetworkSeconds) + 1;
/// "t_c", "W_co"
StringRef toString(ScalingNumber N);
StringRef unitOf(ScalingNumber N);
StringRef meaningOf(ScalingNumber N);
/// Smaller values are wrong.
double leastOf(ScalingNumber N);

/// A formula, or of a power fixed + c f^gamma; nothing without either.
struct ScalingValue {
  FormulaNumber Value = NoFormula;
  FormulaNumber Fixed = NoFormula, Factor = NoFormula, Gamma = NoFormula;
  bool isGiven() const { return Value != NoFormula || Factor != NoFormula; }
};

/// What the energy of a program is by.
enum class ScalingForm : uint8_t {
  Vectors, ///< W_c and the others
  Kernels, ///< predicted kernels in their place
  Scenario ///< a scenario, run on so many nodes
};

/// How M and B become seconds.
enum class ScalingNetwork : uint8_t { Printed, Pairwise, LogGP };
StringRef toString(ScalingNetwork N); ///< "printed", "pairwise", "loggp"

/// One of n, p and f: the values that tables show, and for n the range that
/// solutions are looked for in.
struct ScalingAxis {
  std::string Name; ///< as tables call it: "n", "samples"
  SMLoc Place;
  std::vector<double> Values;
  double From = 0, To = 0;
  bool IsWhole = false;
};

/// Kernel \p Kernel of Names.Kernels, launched \p Times times by a processor.
struct ScalingKernel {
  unsigned Kernel = 0;
  FormulaNumber Times = NoFormula; ///< once without
};

/// Another value of a scenario's variable.
struct ScalingSetting {
  std::string Name;
  double Value = 0;
  SMLoc Place;
};

/// A scaling file as it is written.
struct ScalingFile {
  std::string Name;
  ScalingForm Form = ScalingForm::Vectors;
  /// n, p and f, then the file's own variables; the kernels; all formulas.
  Scenario Names;
  ScalingAxis N, P, F;
  std::array<ScalingValue, NumScalingNumbers> Numbers;
  FormulaNumber Gamma = NoFormula; ///< of powers that have none
  ScalingNetwork Network = ScalingNetwork::Printed;
  std::vector<ScalingKernel> Kernels;
  std::string DeviceName; ///< Kernels: of a processor
  SMLoc DevicePlace, ApplicationPlace;
  /// M(N): n is at most so large that MemoryBytes are at most MemoryLimit.
  FormulaNumber MemoryBytes = NoFormula, MemoryLimit = NoFormula;
  // Scenario:
  std::string ScenarioPath; ///< as written, relative to the file
  SMLoc ScenarioPlace, SizePlace;
  std::string SizeVariable; ///< of the scenario, that n is
  std::string SystemName;   ///< in place of the scenario's; empty without
  std::vector<ScalingSetting> Settings;

  const ScalingValue &operator[](ScalingNumber Number) const {
    return Numbers[size_t(Number)];
  }
};

/// Slots of n, p and f.
constexpr SlotNumber ScalingSlotN = FirstVariableSlot,
                     ScalingSlotP = FirstVariableSlot + 1,
                     ScalingSlotF = FirstVariableSlot + 2;
constexpr unsigned NumScalingSlots = 3;

constexpr StringRef ScalingSchemaName = "ptx-predict/scaling";
constexpr unsigned ScalingSchemaVersion = 1;
/// Values of an axis, and points of all axes together.
constexpr size_t MaxScalingValues = 10'000, MaxScalingPoints = 100'000;

/// Whether \p V may be a value of n, p (a whole number from 1) or f (above 0).
/// The reason, else nothing.
std::optional<StringRef> whyNoSize(const ScalingAxis &A, double V);

/// Reads the engine's buffer as a scaling file. True on error (all reported).
bool parseScaling(DiagnosticEngine &Diags, ScalingFile &Result);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_SCALING_SCALINGFILE_H
