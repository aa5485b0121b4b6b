//===- ManualPage.cpp - Help as pages for man -----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Help.h"
#include "OptionTable.h"
#include "Subcommands.h"
#include "ptxpredict/Version.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

/// \p Text as troff prints it literally.
static std::string escaped(StringRef Text) {
  std::string Result;
  for (char C : Text) {
    if (C == '-')
      Result += "\\-";
    else if (C == '\\')
      Result += "\\e";
    else if (C == '\'')
      Result += "\\(aq";
    else if (C == '|')
      Result += "|\\:"; // a line may end here
    else if (C == '.' && Result.empty())
      Result += "\\&.";
    else
      Result += C;
  }
  return Result;
}

/// "ptx-predict-lint"
static std::string pageName(StringRef Program) {
  std::string Name = Program.str();
  for (char &C : Name)
    if (C == ' ')
      C = '-';
  return Name;
}

static void addItem(std::string &Page, StringRef Term, StringRef Meaning) {
  Page += ".TP\n\\fB" + escaped(Term) + "\\fR\n" + escaped(Meaning) + "\n";
}

std::string tool::manualPage(StringRef Program, StringRef Overview) {
  const StringRef Own = subcommandOf(Program);
  StringRef Summary = "predict the run time of GPU kernels from their code";
  for (const Subcommand &S : subcommands())
    if (S.Name == Own)
      Summary = S.Summary;
  std::string Page = ".TH \"" + pageName(Program) +
                     "\" 1 \"\" \"ptx-predict " PTXPREDICT_VERSION "\" \"\"\n";
  Page += ".ad l\n.nh\n"; // names of options are longer than lines
  Page += ".SH NAME\n" + escaped(pageName(Program)) + " \\- " +
          escaped(Summary) + "\n";
  Page += ".SH SYNOPSIS\n.B " + escaped(Program) + "\n[options] " +
          escaped(positionalForm()) + "\n";
  if (Own.empty())
    Page += ".br\n.B ptx\\-predict\nSUBCOMMAND [options] ...\n";
  Page += ".SH DESCRIPTION\n" + escaped(Overview) + "\n";
  if (Own.empty()) {
    Page += ".SH SUBCOMMANDS\n";
    for (const Subcommand &S : subcommands())
      addItem(Page, S.Name, S.Summary);
  }
  Page += ".SH OPTIONS\n";
  for (const OptionGroup &G : optionGroups()) {
    Page += ".SS " + escaped(G.Title) + "\n";
    for (const OptionRow &Row : G.Rows)
      addItem(Page, Row.form(), Row.Meaning);
  }
  Page += ".SH EXIT STATUS\n";
  addItem(Page, "0", "Done.");
  addItem(Page, "1",
          "Done, and something was found that the user asked about.");
  addItem(Page, "2", "Not done: wrong usage or input.");
  Page += ".SH SEE ALSO\n";
  if (!Own.empty())
    Page += ".BR ptx\\-predict (1)\n";
  else
    for (const Subcommand &S : subcommands())
      if (S.Name != "help")
        Page += ".BR " + escaped(pageName(S.Program)) + " (1)\n";
  return Page;
}
