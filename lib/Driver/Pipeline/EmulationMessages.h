//===- EmulationMessages.h - Where a run went wrong -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_DRIVER_PIPELINE_EMULATIONMESSAGES_H
#define PTXPREDICT_LIB_DRIVER_PIPELINE_EMULATIONMESSAGES_H

#include "ptxpredict/Driver/Inputs/SourceTexts.h"
#include "ptxpredict/Emulator/Core/Emulator.h"
#include "ptxpredict/Report/Emulation/EmulationReport.h"

namespace ptxpredict {

/// Messages about instructions: at their line of the source if debug data say
/// which, with its text if that file can be read, and a note of the input's
/// line; else at the input's line.
class EmulationMessages {
public:
  /// \p Input holds the input's text.
  EmulationMessages(const DiagnosticEngine &Input, SourceTexts &Sources);

  /// Adds the messages of \p P, found in a run of \p Kernel, whose bodies must
  /// be there.
  EmulationFinding describe(const EmulationProblem &P,
                            const InstructionGraph &Kernel);
  /// All that was added, in an engine with the input's name.
  std::unique_ptr<DiagnosticEngine> take() { return std::move(Messages); }

private:
  Diagnostic atInput(Severity Level, const Instruction &I,
                     const Twine &Message) const;
  std::optional<Diagnostic> atSource(Severity Level, const Instruction &I,
                                     const Twine &Message);

  const DiagnosticEngine &Input;
  SourceTexts &Sources;
  std::unique_ptr<DiagnosticEngine> Messages;
};

/// Where the kernel's name stands in its input.
SMLoc placeOf(const InstructionGraph &Kernel, const DiagnosticEngine &Input);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_DRIVER_PIPELINE_EMULATIONMESSAGES_H
