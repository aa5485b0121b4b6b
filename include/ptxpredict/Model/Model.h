//===- Model.h - The interface of every performance model -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_MODEL_H
#define PTXPREDICT_MODEL_MODEL_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Device/Occupancy.h"

namespace ptxpredict {

/// Which reading of MWP-CWP's case rule holds (hong-wang erratum E03).
enum class MWPCase { Physical, Literal };

struct ModelOptions {
  bool Published = false; ///< without our additions to a published model
  MWPCase Case = MWPCase::Physical;
};

/// A kernel on a device at chosen clocks.
struct ModelInput {
  const KernelCharacteristics &Kernel;
  const Device &Dev;
  Occupancy Occ;
  double CoreMHz = 0;
  double MemMHz = 0;
  unsigned ActiveSMs = 0; ///< at most the device's; SMs that may get blocks
  ModelOptions Options;
};

/// An input or intermediate of a model by its published name; one that is not
/// finite is printed as null.
struct Term {
  StringRef Name;
  double Value;
};

struct Applicability {
  bool Ok = true;
  std::vector<std::string> Notes;
};

/// What a model says. Absent results do not apply to the model.
struct Prediction {
  std::string Device;
  std::string Model;
  double CoreMHz = 0;
  double MemMHz = 0;
  Count Registers; ///< as used for the occupancy
  Occupancy Occ;
  std::optional<Count> Cycles;
  std::optional<Count> TimeUs;
  std::string Limiter; ///< one of docs/Reports.md; empty if not ok
  std::vector<Term> Terms;
  Applicability Applies;

  // What the driver knows of the launch, whatever the model.
  std::string Refusal; ///< why it cannot start; empty if it can
  std::vector<std::string> LaunchNotes; ///< in Applies.Notes too

  /// The value of a term, nothing if there is no such term.
  std::optional<double> term(StringRef Name) const;
};

/// One analytical model. Stateless.
class Model {
public:
  virtual ~Model() = default;
  virtual StringRef name() const = 0;
  /// Whether the model can answer for this input, and with what reservations.
  virtual Applicability check(const ModelInput &In) const = 0;
  /// Answers where check() is ok. Fills everything but Registers, Occ and
  /// what is said of the launch.
  virtual Prediction predict(const ModelInput &In) const = 0;
};

/// Names of all models in the order of reports.
ArrayRef<StringRef> modelNames();
/// The model of that name, null if there is none.
const Model *findModel(StringRef Name);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_MODEL_H
