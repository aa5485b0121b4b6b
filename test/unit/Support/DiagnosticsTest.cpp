//===- DiagnosticsTest.cpp - Tests of DiagnosticEngine --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

DiagnosticEngine engineFor(StringRef Text, StringRef Path = "k.ptx") {
  return DiagnosticEngine(llvm::MemoryBuffer::getMemBufferCopy(Text, Path));
}

SMLoc at(const DiagnosticEngine &Diags, size_t Offset) {
  return SMLoc::getFromPointer(Diags.text().data() + Offset);
}

std::string printed(const DiagnosticEngine &Diags, bool Colors = false) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS.enable_colors(true);
  Diags.print(OS, Colors);
  return Text;
}

TEST(Diagnostics, FindsLineAndColumn) {
  DiagnosticEngine Diags = engineFor("ab\n\ncd\n");
  using Place = std::pair<unsigned, unsigned>;
  EXPECT_EQ(Diags.lineAndColumn(at(Diags, 0)), Place(1, 1));
  EXPECT_EQ(Diags.lineAndColumn(at(Diags, 2)), Place(1, 3)); // the line's end
  EXPECT_EQ(Diags.lineAndColumn(at(Diags, 3)), Place(2, 1));
  EXPECT_EQ(Diags.lineAndColumn(at(Diags, 5)), Place(3, 2));
  EXPECT_EQ(Diags.lineAndColumn(at(Diags, 7)), Place(4, 1)); // the text's end
  EXPECT_EQ(Diags.lineAndColumn(SMLoc()), Place(0, 0));
}

TEST(Diagnostics, PrintsTheLineAndACaret) {
  DiagnosticEngine Diags = engineFor(".version 9.0\nadd.s32 %r1;\n");
  Diags.error(at(Diags, 21), "expected an operand");
  EXPECT_EQ(printed(Diags), "k.ptx:2:9: error: expected an operand\n"
                            "add.s32 %r1;\n"
                            "        ^\n");
  EXPECT_TRUE(Diags.hasErrors());
}

TEST(Diagnostics, PrintsWithoutAPlace) {
  DiagnosticEngine Diags = engineFor("text");
  Diags.warning(SMLoc(), "about the whole");
  EXPECT_EQ(printed(Diags), "k.ptx: warning: about the whole\n");
  EXPECT_FALSE(Diags.hasErrors());

  DiagnosticEngine Nothing;
  Nothing.error(SMLoc(), "no input at all");
  EXPECT_EQ(printed(Nothing), "error: no input at all\n");
}

TEST(Diagnostics, PutsTheCaretBehindTheLastLine) {
  DiagnosticEngine Diags = engineFor("ret;\n}");
  Diags.error(at(Diags, 6), "unexpected end");
  EXPECT_EQ(printed(Diags), "k.ptx:2:2: error: unexpected end\n}\n ^\n");
}

TEST(Diagnostics, LeavesOutWhatATerminalActsUpon) {
  DiagnosticEngine Diags = engineFor("\ta\x1b[31mb\r\nc");
  Diags.error(at(Diags, 1), "here");
  EXPECT_EQ(printed(Diags), "k.ptx:1:2: error: here\n a [31mb\n ^\n");
}

TEST(Diagnostics, ShowsAWindowOfALongLine) {
  std::string Text = std::string(1000, 'a') + "X" + std::string(1000, 'b');
  DiagnosticEngine Diags = engineFor(Text);
  Diags.error(at(Diags, 1000), "here");
  ASSERT_EQ(Diags.diagnostics().size(), 1u);
  const Diagnostic &D = Diags.diagnostics()[0];
  EXPECT_EQ(D.Column, 1001u);
  EXPECT_EQ(D.SourceLine.size(), 160u);
  EXPECT_EQ(D.SourceLine[D.CaretColumn], 'X');

  Diags.error(at(Diags, 2001), "at its end");
  EXPECT_LE(Diags.diagnostics()[1].SourceLine.size(), 160u);
  EXPECT_EQ(Diags.diagnostics()[1].CaretColumn,
            Diags.diagnostics()[1].SourceLine.size());
}

TEST(Diagnostics, KeepsTwentyErrorsAndCountsTheRest) {
  DiagnosticEngine Diags = engineFor("x");
  for (unsigned I = 0; I != 25; ++I) {
    Diags.error(at(Diags, 0), "error " + Twine(I));
    Diags.note(at(Diags, 0), "note " + Twine(I));
  }
  EXPECT_EQ(Diags.numErrors(), 25u);
  EXPECT_EQ(Diags.diagnostics().size(), 40u); // each with its note
  StringRef Text = Diags.diagnostics().back().Message;
  EXPECT_EQ(Text, "note 19");
  EXPECT_TRUE(StringRef(printed(Diags))
                  .ends_with("k.ptx: note: 5 more errors are not shown\n"));
}

TEST(Diagnostics, CountsASingleErrorMore) {
  DiagnosticEngine Diags = engineFor("x");
  for (unsigned I = 0; I != 21; ++I)
    Diags.error(at(Diags, 0), "error " + Twine(I));
  EXPECT_TRUE(StringRef(printed(Diags))
                  .ends_with("k.ptx: note: 1 more error is not shown\n"));
}

TEST(Diagnostics, TakesMessagesAboutOtherFiles) {
  DiagnosticEngine Source = engineFor("a\n  b\n", "k.cu");
  DiagnosticEngine Diags = engineFor("", "k.ptx");
  Diags.add(Source.make(Severity::Error, at(Source, 4), "wrong"));
  Diagnostic D;
  D.Level = Severity::Note;
  D.Path = "absent.cu";
  D.Line = 7;
  D.Column = 3;
  D.Message = "here";
  D.HasText = false; // the file could not be read
  Diags.add(D);
  EXPECT_FALSE(Source.hasErrors());
  EXPECT_TRUE(Diags.hasErrors());
  EXPECT_EQ(printed(Diags), "k.cu:2:3: error: wrong\n  b\n  ^\n"
                            "absent.cu:7:3: note: here\n");
}

TEST(Diagnostics, DropsTheNotesOfDroppedMessages) {
  DiagnosticEngine Diags = engineFor("");
  Diagnostic Error, Note;
  Error.Path = Note.Path = "k.ptx";
  Error.Message = "wrong";
  Note.Level = Severity::Note;
  Note.Message = "here";
  for (unsigned I = 0; I != DiagnosticEngine::MaxErrors + 2; ++I) {
    Diags.add(Error);
    Diags.add(Note);
  }
  EXPECT_EQ(Diags.diagnostics().size(), 2 * DiagnosticEngine::MaxErrors);
  EXPECT_EQ(Diags.numErrors(), DiagnosticEngine::MaxErrors + 2);
}

TEST(Diagnostics, ColoursOnlyWhenAsked) {
  DiagnosticEngine Diags = engineFor("x");
  Diags.error(at(Diags, 0), "e");
  EXPECT_EQ(printed(Diags).find('\x1b'), std::string::npos);
  EXPECT_NE(printed(Diags, /*Colors=*/true).find('\x1b'), std::string::npos);
}

TEST(Diagnostics, ForgetsTheLinesOfAFormerBuffer) {
  DiagnosticEngine Diags = engineFor("a\nb\nc");
  EXPECT_EQ(Diags.lineAndColumn(at(Diags, 4)).first, 3u);
  Diags.setBuffer(llvm::MemoryBuffer::getMemBufferCopy("abcde", "other"));
  EXPECT_EQ(Diags.lineAndColumn(at(Diags, 4)),
            (std::pair<unsigned, unsigned>(1, 5)));
  EXPECT_EQ(Diags.path(), "other");
}

} // namespace
