//===- Diagnostics.h - Located errors, warnings and notes -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_DIAGNOSTICS_H
#define PTXPREDICT_SUPPORT_DIAGNOSTICS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ptxpredict {

enum class Severity { Error, Warning, Note };

/// "error", "warning" or "note".
StringRef toString(Severity S);

/// One message. Line and Column count from 1; 0 means that it has no place.
struct Diagnostic {
  Severity Level = Severity::Error;
  std::string Path;
  unsigned Line = 0;
  unsigned Column = 0;
  std::string Message;
  std::string SourceLine;   ///< the text of the line, cut to a window
  unsigned CaretColumn = 0; ///< 0-based column of the caret within SourceLine
  bool HasText = true;      ///< SourceLine could be read
};

/// Prints the message, the line (at most 160 columns of it) and a caret.
void print(const Diagnostic &D, raw_ostream &OS, bool Colors);

/// Fills the text of \p Line and where the caret stands for \p D's column.
void showLine(StringRef Line, Diagnostic &D);

/// Collects the messages about one input and prints them in the form
/// `FILE:LINE:COLUMN: error: TEXT`, the line (at most 160 columns of it) and a
/// caret. It owns the input's buffer, so that a location is a pointer into it.
///
/// At most \ref MaxErrors errors are kept; the rest are counted. A warning or a
/// note that follows a dropped error is dropped with it. Not thread-safe: one
/// engine per input, printed by whoever orders the inputs.
class DiagnosticEngine {
public:
  static constexpr unsigned MaxErrors = 20;

  DiagnosticEngine();
  explicit DiagnosticEngine(std::unique_ptr<llvm::MemoryBuffer> Buffer);
  DiagnosticEngine(DiagnosticEngine &&) noexcept;
  DiagnosticEngine &operator=(DiagnosticEngine &&) noexcept;
  ~DiagnosticEngine();

  /// Takes the input that locations point into, replacing any former one.
  void setBuffer(std::unique_ptr<llvm::MemoryBuffer> Buffer);
  /// From now on messages show no line of the input: nobody asked for it.
  void hideLines() { LinesAreHidden = true; }
  /// The input is no text, and numbers of lines count in what \p Make returns.
  /// It is called once, if anybody asks.
  void setListing(std::function<std::string()> Make);
  /// The input's text; empty without one.
  StringRef text() const;
  /// What numbers of lines count in: the listing, or the text. Any number of
  /// threads may ask.
  StringRef lines() const;
  /// The input's name as it is printed; empty without one.
  StringRef path() const;

  /// A message at \p Loc, which points into the buffer (its end included). An
  /// invalid location gives a message without line.
  void report(Severity Level, SMLoc Loc, const Twine &Message);
  void error(SMLoc Loc, const Twine &Message);
  void warning(SMLoc Loc, const Twine &Message);
  void note(SMLoc Loc, const Twine &Message);
  /// Adds a message, perhaps about another file.
  void add(Diagnostic D);
  /// The message that \ref report would add.
  Diagnostic make(Severity Level, SMLoc Loc, const Twine &Message) const;

  bool hasErrors() const { return NumErrors != 0; }
  unsigned numErrors() const { return NumErrors; }
  ArrayRef<Diagnostic> diagnostics() const { return Messages; }
  /// The same, and the number of the errors that were dropped: what is printed.
  std::vector<Diagnostic> shown() const;

  /// Line and column of \p Loc, both from 1; {0, 0} for an invalid one.
  std::pair<unsigned, unsigned> lineAndColumn(SMLoc Loc) const;

  void print(raw_ostream &OS, bool Colors) const;

private:
  struct Listing;
  std::unique_ptr<llvm::MemoryBuffer> Buffer;
  std::unique_ptr<Listing> Listed;        ///< null for a text
  mutable std::vector<size_t> LineStarts; ///< built at the first message
  std::vector<Diagnostic> Messages;
  unsigned NumErrors = 0;
  bool LastDropped = false;
  bool LinesAreHidden = false;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_DIAGNOSTICS_H
