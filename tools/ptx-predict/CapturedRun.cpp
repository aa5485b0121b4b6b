//===- CapturedRun.cpp - The command inside of another program ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CapturedRun.h"
#include "CommandLine.h"
#include "Subcommands.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {
/// LLVM's registry of options.
struct OptionRegistry {
  std::mutex Mutex;
  bool IsLost = false;
};
} // namespace

static OptionRegistry &registry() {
  static OptionRegistry TheRegistry;
  return TheRegistry;
}

int CapturedRun::run(const Subcommand *S, ArrayRef<std::string> Given) {
  const Scope Here(this);
  Output.clear();
  Errors.clear();
  Messages.clear();
  Printed.clear();
  NeedsIR = false;
  SmallVector<const char *, 32> Arguments{S ? S->Program : "ptx-predict"};
  for (const std::string &A : Given)
    Arguments.push_back(A.c_str());
  Options = std::unique_lock<std::mutex>(registry().Mutex);
  if (registry().IsLost) {
    Options.unlock();
    return usageError("memory was gone while options were read; this process "
                      "can read none any more");
  }
  // Those that are registered for good have values of the run before.
  cl::ResetAllOptionOccurrences();
  const int Code = S ? S->Run(Arguments) : runPredict(Arguments);
  releaseOptions();
  addErrors(Code);
  return Code;
}

void CapturedRun::releaseOptions() {
  if (!Options.owns_lock())
    return;
  SmallVector<cl::Option *, 64> Own;
  for (const auto &Entry : cl::getRegisteredOptions())
    if (llvm::is_contained(Entry.second->Categories, &category()) &&
        !isRegisteredForGood(*Entry.second))
      Own.push_back(Entry.second);
  llvm::append_range(Own, cl::SubCommand::getTopLevel().PositionalOpts);
  for (cl::Option *O : Own)
    O->removeArgument();
  Options.unlock();
}

void CapturedRun::abandon() {
  if (!Options.owns_lock())
    return;
  registry().IsLost = true;
  Options.unlock();
}

void CapturedRun::add(const Diagnostic &D, std::string Text) {
  const std::lock_guard<std::mutex> Lock(Mutex);
  Messages.push_back({D, std::move(Text)});
}

void CapturedRun::addErrors(int Code) {
  SmallVector<StringRef, 8> Lines;
  StringRef(Errors).split(Lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    Diagnostic D;
    D.Level =
        Code == NotDone && Messages.empty() ? Severity::Error : Severity::Note;
    const std::string Text = (Line + "\n").str();
    Line.consume_front("ptx-predict: ");
    for (Severity Level : {Severity::Error, Severity::Warning, Severity::Note})
      if (Line.consume_front((toString(Level) + ": ").str())) {
        D.Level = Level;
        break;
      }
    D.Message = Line.str();
    add(D, Text);
  }
}
