//===- FindingText.cpp - A finding as text --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FindingText.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/Paths.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

/// The message with its place, without any line.
static Diagnostic messageOf(const Finding &F) {
  Diagnostic D;
  D.Level = F.Level;
  D.Path = F.Where.Path;
  D.Line = F.Where.Line;
  D.Column = F.Where.Column;
  D.Message = F.messageWithId();
  D.HasText = false;
  return D;
}

void ptxpredict::printMessage(const Finding &F, raw_ostream &OS, bool Colors) {
  print(messageOf(F), OS, Colors);
}

void ptxpredict::printWithLines(
    const Finding &F, StringRef Input, raw_ostream &OS, bool Colors,
    llvm::function_ref<std::optional<StringRef>(StringRef Path, unsigned Line)>
        Lines) {
  // Puts the line of its place to a message; false if that cannot be read.
  auto AddLine = [&](Diagnostic &D) {
    std::optional<StringRef> Line = Lines(D.Path, D.Line);
    if (!Line || D.Column == 0)
      return false;
    // Of a line as a whole the place is its first word.
    if (D.Column == 1)
      D.Column =
          unsigned(std::min(Line->find_first_not_of(" \t"), Line->size())) + 1;
    showLine(*Line, D);
    D.HasText = true;
    return true;
  };
  Diagnostic D = messageOf(F);
  bool HasLine = AddLine(D);
  print(D, OS, Colors);
  for (StringRef Frame : F.Where.InlinedAt)
    if (isElsewhere(F.Where, Frame))
      OS << printable(Frame) << ": note: inlined here\n";
  if (HasLine || F.Where.Path == Input || F.Where.InputLine == 0)
    return;
  Diagnostic Code;
  Code.Level = Severity::Note;
  Code.Path = Input.str();
  Code.Line = F.Where.InputLine;
  Code.Column = 1;
  Code.Message = "compiled to";
  if (AddLine(Code))
    print(Code, OS, Colors);
}

void ptxpredict::printGainAndHelp(const Finding &F, raw_ostream &OS) {
  if (!F.Gains.empty())
    printItem(OS, "gain", gainText(F));
  if (!F.Help.empty())
    printItem(OS, "help", F.Help);
}

void ptxpredict::printItem(raw_ostream &OS, StringRef Name, StringRef Text) {
  OS << "  " << Name << "  ";
  printWrapped(OS, Text, unsigned(Name.size()) + 4, unsigned(Name.size()) + 4);
}

std::string ptxpredict::gainText(const Finding &F, StringRef Of) {
  SmallVector<std::string, 4> Gains;
  for (const FindingGain &G : F.Gains)
    Gains.push_back((percent(G.Share) + Twine(Of) + " on " + G.Device).str());
  return llvm::join(Gains, ", ");
}

bool ptxpredict::isElsewhere(const FindingLocation &Where, StringRef Frame) {
  const PathPlace P = splitPlace(Frame);
  return P.Path != Where.Path || P.Line != Where.Line ||
         (P.Column != 0 && P.Column != Where.Column);
}
