//===- Diagnostics.cpp - Located errors, warnings and notes ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Diagnostics.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <mutex>

using namespace ptxpredict;

StringRef ptxpredict::toString(Severity S) {
  switch (S) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  }
  llvm_unreachable("all severities are handled");
}

/// At most this many columns of the offending line are shown.
static constexpr size_t MaxColumns = 160;

struct DiagnosticEngine::Listing {
  std::function<std::string()> Make;
  std::once_flag IsMade;
  std::string Text;
};

DiagnosticEngine::DiagnosticEngine() = default;

DiagnosticEngine::DiagnosticEngine(std::unique_ptr<llvm::MemoryBuffer> B)
    : Buffer(std::move(B)) {}

DiagnosticEngine::DiagnosticEngine(DiagnosticEngine &&) noexcept = default;

DiagnosticEngine &
DiagnosticEngine::operator=(DiagnosticEngine &&) noexcept = default;

DiagnosticEngine::~DiagnosticEngine() = default;

void DiagnosticEngine::setListing(std::function<std::string()> Make) {
  Listed = std::make_unique<Listing>();
  Listed->Make = std::move(Make);
}

StringRef DiagnosticEngine::lines() const {
  if (!Listed)
    return text();
  std::call_once(Listed->IsMade, [this] { Listed->Text = Listed->Make(); });
  return Listed->Text;
}

void DiagnosticEngine::setBuffer(std::unique_ptr<llvm::MemoryBuffer> B) {
  Buffer = std::move(B);
  LineStarts.clear();
}

StringRef DiagnosticEngine::text() const {
  return Buffer ? Buffer->getBuffer() : StringRef();
}

StringRef DiagnosticEngine::path() const {
  return Buffer ? Buffer->getBufferIdentifier() : StringRef();
}

std::pair<unsigned, unsigned> DiagnosticEngine::lineAndColumn(SMLoc Loc) const {
  if (!Loc.isValid() || !Buffer)
    return {0, 0};
  StringRef Text = text();
  assert(Loc.getPointer() >= Text.begin() && Loc.getPointer() <= Text.end() &&
         "a location outside of the buffer");
  if (LineStarts.empty()) {
    LineStarts.push_back(0);
    for (size_t I = Text.find('\n'); I != StringRef::npos;
         I = Text.find('\n', I + 1))
      LineStarts.push_back(I + 1);
  }
  size_t Offset = Loc.getPointer() - Text.begin();
  auto It = std::upper_bound(LineStarts.begin(), LineStarts.end(), Offset);
  return {unsigned(It - LineStarts.begin()), unsigned(Offset - It[-1] + 1)};
}

void ptxpredict::showLine(StringRef Line, Diagnostic &D) {
  size_t Caret = std::min<size_t>(D.Column - 1, Line.size());
  // A window around the caret, so that a line of megabytes costs nothing.
  size_t From = Caret < MaxColumns ? 0 : Caret - MaxColumns / 2;
  StringRef Window = Line.substr(From, MaxColumns);
  D.CaretColumn = unsigned(std::min(Caret - From, Window.size()));
  // What a terminal would act upon is not repeated.
  D.SourceLine += printableLine(Window);
}

Diagnostic DiagnosticEngine::make(Severity Level, SMLoc Loc,
                                  const Twine &Message) const {
  Diagnostic D;
  D.Level = Level;
  D.Path = path().str();
  D.Message = Message.str();
  std::tie(D.Line, D.Column) = lineAndColumn(Loc);
  D.HasText = !LinesAreHidden;
  if (D.Line != 0 && D.HasText) {
    StringRef Text = text();
    size_t Start = LineStarts[D.Line - 1]; // filled by lineAndColumn
    size_t End = std::min(Text.find_first_of("\r\n", Start), Text.size());
    showLine(Text.slice(Start, End), D);
  }
  return D;
}

void DiagnosticEngine::add(Diagnostic D) {
  if (D.Level == Severity::Error)
    LastDropped = ++NumErrors > MaxErrors;
  if (!LastDropped)
    Messages.push_back(std::move(D));
}

void DiagnosticEngine::report(Severity Level, SMLoc Loc, const Twine &Message) {
  bool IsError = Level == Severity::Error;
  if (IsError ? NumErrors < MaxErrors : !LastDropped)
    return add(make(Level, Loc, Message));
  NumErrors += IsError; // what is dropped need not be made
  LastDropped = true;
}

void DiagnosticEngine::error(SMLoc Loc, const Twine &Message) {
  report(Severity::Error, Loc, Message);
}
void DiagnosticEngine::warning(SMLoc Loc, const Twine &Message) {
  report(Severity::Warning, Loc, Message);
}
void DiagnosticEngine::note(SMLoc Loc, const Twine &Message) {
  report(Severity::Note, Loc, Message);
}

void ptxpredict::print(const Diagnostic &D, raw_ostream &OS, bool Colors) {
  auto Paint = [&](raw_ostream::Colors C) {
    if (Colors)
      OS.changeColor(C, /*Bold=*/true);
  };
  auto Plain = [&] {
    if (Colors)
      OS.resetColor();
  };
  if (!D.Path.empty()) {
    OS << printable(D.Path) << ':';
    if (D.Line != 0)
      OS << D.Line << ':' << D.Column << ':';
    OS << ' ';
  }
  Paint(D.Level == Severity::Error     ? raw_ostream::RED
        : D.Level == Severity::Warning ? raw_ostream::MAGENTA
                                       : raw_ostream::CYAN);
  OS << toString(D.Level) << ": ";
  Plain();
  OS << printable(D.Message) << '\n';
  if (D.Line != 0 && D.HasText) {
    OS << D.SourceLine << '\n';
    OS.indent(D.CaretColumn);
    Paint(raw_ostream::GREEN);
    OS << "^\n";
    Plain();
  }
}

std::vector<Diagnostic> DiagnosticEngine::shown() const {
  std::vector<Diagnostic> All = Messages;
  if (NumErrors > MaxErrors) {
    Diagnostic Rest;
    Rest.Level = Severity::Note;
    Rest.Path = path();
    Rest.Message = std::to_string(NumErrors - MaxErrors) + " more " +
                   (NumErrors - MaxErrors == 1 ? "error is" : "errors are") +
                   " not shown";
    All.push_back(std::move(Rest));
  }
  return All;
}

void DiagnosticEngine::print(raw_ostream &OS, bool Colors) const {
  for (const Diagnostic &D : shown())
    ptxpredict::print(D, OS, Colors);
}
