//===- Completion.cpp - What the last word of a command line may become ---===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The scripts for the shells ask `ptx-predict --complete WORD...`, where the
// last word is the one that the cursor is behind. Each line of the answer is a
// word and, behind a tab, what it means; a line of FilesLine asks the shell for
// files that begin with the rest of that line.
//===----------------------------------------------------------------------===//
#include "Help.h"
#include "OptionTable.h"
#include "Subcommands.h"
#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Driver/Pipeline/Sweep.h"
#include "ptxpredict/Lint/Rule.h"
#include "ptxpredict/Model/Model.h"
#include "ptxpredict/Report/Explain/Explain.h"
#include "ptxpredict/Scenario/System/System.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

/// No option or name begins so.
static constexpr StringRef FilesLine = ":files ";

namespace {
/// Collects what begins as the word.
class Candidates {
public:
  explicit Candidates(StringRef Begin) : Begin(Begin) {}

  /// \p Text, if it begins so.
  void add(const Twine &Text, StringRef Meaning = "") {
    std::string Word = Text.str();
    if (!StringRef(Word).starts_with(Begin))
      return;
    Lines += Before + Word;
    if (!Meaning.empty())
      Lines += "\t" + Meaning.str();
    Lines += '\n';
  }
  void addFiles() { Lines += (FilesLine + Begin + "\n").str(); }

  StringRef Begin;
  std::string Before; ///< "--device="
  std::string Lines;
};
} // namespace

static void addDevices(Candidates &To) {
  for (StringRef Name : embeddedDeviceNames())
    To.add(Name);
  if (!To.Lines.empty())
    return;
  for (const DeviceAlias &A : embeddedDeviceAliases())
    To.add(A.Alias, A.Name);
}

/// Files, too: those that begin as the word.
static void addSystems(Candidates &To) {
  for (StringRef Name : embeddedSystemNames())
    To.add(Name);
  To.addFiles();
}

static void addSubcommands(Candidates &To) {
  for (const Subcommand &S : subcommands())
    To.add(S.Name, S.Summary);
}

static void addExplained(Candidates &To) {
  for (const NamesOfKind &K : explainedNames())
    for (StringRef Name : K.Names)
      To.add(Name, K.Kind);
}

/// The values of an option that takes \p Form, "text|json" or "file.yaml".
static void addValues(Candidates &To, StringRef Option, StringRef Form) {
  if (Option == "--device") {
    To.add("all", "every device");
    return addDevices(To);
  }
  if (Option == "--model") {
    To.add("all", "every model");
    for (StringRef Name : modelNames())
      To.add(Name);
    return;
  }
  if (Option == "--link") {
    To.add("all", "every link");
    for (StringRef Name : LinkRegistry().names())
      To.add(Name);
    return;
  }
  if (Option == "--system")
    return addSystems(To);
  if (Option == "--rules") {
    for (const Rule &R : allRules())
      To.add(R.Id, R.FiresWhen);
    return;
  }
  if (Option == "--sweep") {
    for (StringRef Name : sweepNames())
      To.add(Name + "=");
    To.add("arg:", "a kernel parameter");
    return;
  }
  for (StringRef File : {"file", "log", "dir", "folder"})
    if (Form.starts_with(File))
      return To.addFiles();
  if (Form.contains('=') && !Form.contains('['))
    return;
  for (StringRef Choice : llvm::split(Form.split('[').first, '|'))
    if (!llvm::is_contained({"number", "path", "percent", "name", "glob",
                             "revision", "bytes", "watts", "steps", "share",
                             "glob,...", "x", "blocks"},
                            Choice))
      To.add(Choice);
}

/// The option \p Name, "--grid"; null without one.
static const OptionRow *findRow(ArrayRef<OptionGroup> Groups, StringRef Name) {
  for (const OptionGroup &G : Groups)
    for (const OptionRow &Row : G.Rows)
      if (Row.Name == Name)
        return &Row;
  return nullptr;
}

std::string tool::completions(StringRef Subcommand, ArrayRef<StringRef> Words) {
  const StringRef Word = Words.empty() ? "" : Words.back();
  const std::vector<OptionGroup> Groups = optionGroups();
  Candidates To(Word);
  if (Word.starts_with("-")) {
    auto [Name, Value] = Word.split('=');
    if (!Word.contains('=')) {
      for (const OptionGroup &G : Groups)
        for (const OptionRow &Row : G.Rows)
          To.add(Row.Name + (Row.Value.empty() || Row.ValueIsOptional ||
                                     Row.Name.size() == 2
                                 ? ""
                                 : "="),
                 Row.Meaning);
      return To.Lines;
    }
    To.Begin = Value;
    To.Before = (Name + "=").str();
    if (const OptionRow *Row = findRow(Groups, Name))
      addValues(To, Name, Row->Value);
    return To.Lines;
  }
  // A value may also be the next word.
  if (Words.size() > 1) {
    const StringRef Option = Words[Words.size() - 2];
    if (const OptionRow *Row = findRow(Groups, Option);
        Row && !Row->Value.empty() && !Row->ValueIsOptional) {
      addValues(To, Option, Row->Value);
      return To.Lines;
    }
  }
  if (Subcommand == "devices") {
    addDevices(To);
  } else if (Subcommand == "systems") {
    addSystems(To);
  } else if (Subcommand == "explain") {
    addExplained(To);
  } else if (Subcommand == "help") {
    addSubcommands(To);
  } else if (Subcommand != "transfer") { // which takes numbers
    if (Subcommand.empty() && Words.size() <= 1)
      addSubcommands(To);
    To.addFiles();
  }
  return To.Lines;
}
