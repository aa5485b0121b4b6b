//===- Help.h - What the command says of itself -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_HELP_H
#define PTXPREDICT_TOOLS_HELP_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace ptxpredict::tool {

/// In which form a subcommand tells what it is, in place of running.
enum class HelpForm : unsigned char {
  None,       ///< it runs
  Text,       ///< --help
  Manual,     ///< --help=man: a page for man
  JSON,       ///< --help=json: for programs that offer the options
  Completion, ///< what the last of some words may become
};

/// From now on the next subcommand answers in \p Form; \p Words, which outlive
/// it, are those of a completion, the subcommand's name aside.
void askForHelp(HelpForm Form, ArrayRef<StringRef> Words = {});
/// What was asked for.
HelpForm askedHelp();

/// What the subcommand \p Program, "ptx-predict lint", says of itself in
/// \p Form; its options must be registered. \p Overview is a sentence or more.
std::string helpText(HelpForm Form, StringRef Program, StringRef Overview);

/// What `ptx-predict` alone says.
std::string shortUsage();

/// `--version`
std::string versionText();

/// The name of the subcommand \p Program is; empty for predictions.
StringRef subcommandOf(StringRef Program);

// Each form, for helpText().
std::string manualPage(StringRef Program, StringRef Overview);
std::string optionsJSON(StringRef Subcommand, StringRef Overview);
std::string completions(StringRef Subcommand, ArrayRef<StringRef> Words);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_HELP_H
