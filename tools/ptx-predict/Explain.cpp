//===- Explain.cpp - ptx-predict explain [NAME...] ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Explain/Explain.h"
#include "CommandLine.h"
#include "OutputFile.h"
#include "Subcommands.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/NameLists.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

/// True if nothing has that name (reported).
static bool explainName(StringRef Name, bool Markdown, raw_ostream &OS) {
  std::vector<Explanation> All = explain(Name);
  if (All.empty()) {
    std::vector<StringRef> Known;
    for (const NamesOfKind &K : explainedNames())
      Known.insert(Known.end(), K.Names.begin(), K.Names.end());
    usageError(
        "'" + Name +
        "' is not a finding, a model, a limiter, a resource, a term of a "
        "model, a counter or a word of reports" +
        meantOrListed(Name, Known, "'ptx-predict explain'"));
    return true;
  }
  for (const Explanation &E : All) {
    if (OS.tell() != 0)
      OS << '\n';
    OS << (Markdown ? "# " : "") << E.Title << "\n\n"
       << (Markdown ? E.Text : withoutLinks(E.Text)) << "\nsee " << E.Page
       << '\n';
  }
  return false;
}

static void printNames(raw_ostream &OS) {
  for (const NamesOfKind &K : explainedNames()) {
    OS << K.Kind << "\n  ";
    printWrapped(OS, llvm::join(K.Names, " "), 2, 2);
  }
}

int tool::runExplain(ArrayRef<const char *> Arguments) {
  StringList Names(cl::Positional, cl::desc("[<name>...]"),
                   cl::cat(category()));
  StringOpt Format("format", cl::init("text"), cl::value_desc("text|markdown"),
                   cl::cat(category()), cl::desc("Form of the answer"));
  StringOpt Output("o", cl::init("-"), cl::value_desc("file"),
                   cl::cat(category()),
                   cl::desc("Where the answer goes (default: -, standard "
                            "output)"));
  if (std::optional<int> Code =
          parseArguments(Arguments, "Explains a finding, a model, a limiter, a "
                                    "resource, a term of a model or a word of "
                                    "reports, or lists all names."))
    return *Code;
  unsigned Form = 0;
  if (readChoice("format", Format, {"text", "markdown"}, Form) ||
      (Output.empty() &&
       valueError("o", "a file, or - for standard output", Output)))
    return NotDone;

  std::string Text;
  llvm::raw_string_ostream OS(Text);
  bool Failed = false; // the others are still answered
  for (StringRef Name : Names)
    Failed |= explainName(Name, Form == 1, OS);
  if (Names.empty())
    printNames(OS);
  if (!Text.empty() && writeResult(Output, Text))
    Failed = true;
  return Failed ? NotDone : Done;
}
