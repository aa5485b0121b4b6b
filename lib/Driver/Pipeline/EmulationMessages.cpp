//===- EmulationMessages.cpp - Where a run went wrong ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulationMessages.h"
#include "ptxpredict/Characteristics/SourcePlaces.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;

EmulationMessages::EmulationMessages(const DiagnosticEngine &Input,
                                     SourceTexts &Sources)
    : Input(Input), Sources(Sources),
      Messages(std::make_unique<DiagnosticEngine>(
          llvm::MemoryBuffer::getMemBuffer("", Input.path()))) {}

SMLoc ptxpredict::placeOf(const InstructionGraph &Kernel,
                          const DiagnosticEngine &Input) {
  StringRef Text = Input.text();
  const char *P = Kernel.Name.data();
  return P >= Text.begin() && P < Text.end() ? SMLoc::getFromPointer(P)
                                             : SMLoc();
}

/// The text of line \p Line, from 1; null data if there are fewer.
static StringRef lineOf(StringRef Text, unsigned Line) {
  size_t Start = 0;
  for (unsigned N = 1; N != Line; ++N) {
    size_t End = Text.find('\n', Start);
    if (End == StringRef::npos)
      return {};
    Start = End + 1;
  }
  return Text.slice(Start, Text.find('\n', Start));
}

Diagnostic EmulationMessages::atInput(Severity Level, const Instruction &I,
                                      const Twine &Message) const {
  StringRef Line = lineOf(Input.lines(), I.Line);
  if (!Line.data())
    return Input.make(Level, SMLoc(), Message);
  if (I.Machine) { // the listing is no part of the input
    Diagnostic D = Input.make(Level, SMLoc(), Message);
    D.Line = I.Line;
    D.Column =
        unsigned(std::min(Line.find(I.Machine->Mnemonic.split('.').first),
                          Line.find_first_not_of(' '))) +
        1;
    D.HasText = true;
    showLine(Line, D);
    return D;
  }
  // Where the mnemonic is not written as it is understood, the line's start.
  size_t Column = Line.find(I.Mnemonic);
  if (Column == StringRef::npos)
    Column = std::min(Line.find_first_not_of(" \t"), Line.size());
  return Input.make(Level, SMLoc::getFromPointer(Line.data() + Column),
                    Message);
}

std::optional<Diagnostic> EmulationMessages::atSource(Severity Level,
                                                      const Instruction &I,
                                                      const Twine &Message) {
  const SourceLocation *L = sourceOf(I);
  if (!L || L->Line == 0)
    return std::nullopt;
  Diagnostic D;
  D.Level = Level;
  D.Message = Message.str();
  D.Path = L->File.str();
  D.Line = L->Line;
  D.Column = std::max(L->Column, 1u);
  StringRef Text = Sources.find(L->File, Input.path(),
                                llvm::sys::path::parent_path(Input.path()));
  StringRef Line = lineOf(Text, L->Line);
  D.HasText = Line.data() != nullptr;
  if (D.HasText)
    showLine(Line.rtrim('\r'), D);
  return D;
}

EmulationFinding EmulationMessages::describe(const EmulationProblem &P,
                                             const InstructionGraph &Kernel) {
  EmulationFinding F;
  F.Id = P.Kind;
  std::string Id = " [" + P.Kind + "]";
  if (!P.Where) {
    F.Place =
        Input.make(Severity::Error, placeOf(Kernel, Input), P.Message + Id);
    Messages->add(F.Place);
    return F;
  }
  F.InputLine = P.Where->Line;
  std::optional<Diagnostic> Source =
      atSource(Severity::Error, *P.Where, P.Message + Id);
  F.Place =
      Source ? *Source : atInput(Severity::Error, *P.Where, P.Message + Id);
  Messages->add(F.Place);
  if (Source)
    Messages->add(
        atInput(Severity::Note, *P.Where, "at this instruction" + Id));
  if (!P.Other)
    return F;
  F.OtherInputLine = P.Other->Line;
  F.Other = atSource(Severity::Note, *P.Other,
                     P.OtherMessage + " (" + Input.path() + ":" +
                         Twine(P.Other->Line) + ")" + Id);
  if (!F.Other)
    F.Other = atInput(Severity::Note, *P.Other, P.OtherMessage + Id);
  Messages->add(*F.Other);
  return F;
}
