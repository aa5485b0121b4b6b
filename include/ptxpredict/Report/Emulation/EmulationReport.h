//===- EmulationReport.h - What a run on the CPU found ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_EMULATION_EMULATIONREPORT_H
#define PTXPREDICT_REPORT_EMULATION_EMULATIONREPORT_H

#include "ptxpredict/Launch/Profile.h"
#include "ptxpredict/Report/Prediction/Report.h"

namespace ptxpredict {

/// "schema" and "version" of what \ref printEmulationJSON writes.
constexpr StringRef EmulationSchemaName = "ptx-predict/emulation";
constexpr unsigned EmulationSchemaVersion = 1;

/// Something wrong at an instruction.
struct EmulationFinding {
  std::string Id;                  ///< "race", "fault"
  Diagnostic Place;                ///< in the source, else in the input
  unsigned InputLine = 0;          ///< 0 if it is about the launch
  std::optional<Diagnostic> Other; ///< the other access
  unsigned OtherInputLine = 0;
};

struct BufferReport {
  std::string Name, Type;
  uint64_t Count = 0; ///< elements
  bool IsChecked = false;
  uint64_t NumMismatches = 0;
  uint64_t Index = 0;    ///< of the first wrong element
  std::string Got, Want; ///< there
};

/// One kernel's run.
struct EmulatedKernel {
  unsigned Input = 0; ///< index into EmulationReport::Inputs
  KernelProfile Profile;
  /// With the run's counts, unless nothing was counted (Profile.Warps is 0).
  std::shared_ptr<const KernelCharacteristics> Characteristics; ///< never null
  std::string Printed;                                          ///< by printf
  std::vector<EmulationFinding> Problems;
  std::optional<EmulationFinding> Fault; ///< what ended it
  bool Interrupted = false;
  bool IsChecked = false;      ///< --check looked for problems
  bool RacesAreChecked = true; ///< and for those between warps, too
  std::vector<BufferReport> Buffers;
  double Seconds = 0; ///< in no report: they do not depend on time

  /// The ids of the problems that --check looked for and did not find.
  std::vector<StringRef> cleanChecks() const;

  uint64_t threadInstructions() const {
    uint64_t Sum = 0;
    for (const InstructionProfile &I : Profile.Instructions)
      Sum += I.IsUncounted ? 0 : I.Lanes;
    return Sum;
  }
};

struct EmulationReport {
  std::vector<InputReport> Inputs;
  std::vector<EmulatedKernel> Kernels;
  std::vector<Diagnostic> Diagnostics;
};

/// One screen; or, for Quiet, one line.
void printEmulationText(const EmulationReport &R, const EmulatedKernel &K,
                        raw_ostream &OS, Verbosity V, bool Colors);

/// One JSON object, schema "ptx-predict/emulation"
/// (docs/schemas/emulation.schema.json).
void printEmulationJSON(const EmulationReport &R, raw_ostream &OS);

/// One JSON object, schema "ptx-predict/profile" (docs/formats/Profile.md), of
/// the kernels of which something was counted.
void printProfileJSON(const EmulationReport &R, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_EMULATION_EMULATIONREPORT_H
