//===- Command.cpp - The whole command, with code, launch file and options ===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// An input has three parts: a subcommand and options, one a line; code; a
// launch file, which may be missing. Nothing else is read or written: options
// that name files or programs are not passed on.
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "Subcommands.h"
#include "Targets.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

namespace {

using Run = int (*)(ArrayRef<const char *>);

/// Forgets the options of a subcommand. LLVM keeps pointers to them, and they
/// are gone once it has returned.
class ForgottenOptions {
public:
  ForgottenOptions() {
    for (const auto &Entry : llvm::cl::getRegisteredOptions())
      Before.push_back(Entry.first.str());
  }
  ~ForgottenOptions() {
    auto &Known = llvm::cl::getRegisteredOptions();
    std::vector<std::string> Gone;
    for (const auto &Entry : Known)
      if (!llvm::is_contained(Before, Entry.first))
        Gone.push_back(Entry.first.str());
    for (StringRef Name : Gone)
      Known.erase(Name);
    llvm::cl::SubCommand::getTopLevel().PositionalOpts.clear();
  }

private:
  std::vector<std::string> Before;
};

} // namespace

/// Null for what is no subcommand; its name is taken off \p Options.
static Run subcommandOf(SmallVectorImpl<StringRef> &Options) {
  StringRef First = Options.empty() ? "" : Options.front();
  Run Found = llvm::StringSwitch<Run>(First)
                  .Case("predict", tool::runPredict)
                  .Case("lint", tool::runLint)
                  .Case("advise", tool::runAdvise)
                  .Case("rank", tool::runRank)
                  .Case("diff", tool::runDiff)
                  .Case("occupancy", tool::runOccupancy)
                  .Default(nullptr);
  if (Found)
    Options.erase(Options.begin());
  return Found;
}

/// Whether an option reads and writes nothing.
static bool isHarmless(StringRef Option) {
  if (!Option.consume_front("--"))
    return false;
  constexpr StringRef Harmless[] = {
      "active-sms", "arg",         "block",        "branch-probability",
      "by",         "clocks",      "cluster",      "core-mhz",
      "device",     "dump",        "dynamic-smem", "fail-on",
      "format",     "grid",        "kernel",       "max-regression",
      "mem-mhz",    "min-gain",    "model",        "mwp-case",
      "noise",      "power-limit", "published",    "quiet",
      "registers",  "rules",       "severity",     "shared",
      "sort",       "sweep",       "top",          "trip-count",
      "verbose",    "work"};
  return llvm::is_contained(Harmless, Option.split('=').first);
}

/// A sweep may ask for hours.
static bool isCheap(StringRef Option) {
  StringRef Value = Option.split('=').second;
  return !Option.starts_with("--sweep=") ||
         (!Value.contains(':') && Value.count(',') < 8);
}

namespace {

/// What a subcommand is called with. Files are those of memory.
struct Call {
  fuzz::MemoryFile Code, Launch, Output{""};
  std::vector<std::string> Arguments;

  Call(ArrayRef<StringRef> Parts, Run Subcommand, ArrayRef<StringRef> Options)
      : Code(Parts[1]), Launch(Parts.size() > 2 ? Parts[2] : "") {
    Arguments = {"ptx-predict", Code.path(), "-o=" + Output.path()};
    if (Subcommand == tool::runDiff)
      Arguments.push_back(Code.path());
    if (Subcommand == tool::runDiff || Subcommand == tool::runLint)
      Arguments.insert(Arguments.end(), {"--no-config", "--no-cache"});
    if (Subcommand != tool::runOccupancy)
      Arguments.insert(
          Arguments.end(),
          {"-j1", "--work-limit=" + std::to_string(fuzz::FewSteps)});
    if (Parts.size() > 2)
      Arguments.push_back("--launch=" + Launch.path());
    for (StringRef Option : Options)
      if (isHarmless(Option) && isCheap(Option) && !Option.contains('\0'))
        Arguments.push_back(Option.str());
  }
  bool has(StringRef Start) const {
    return llvm::any_of(Arguments,
                        [&](StringRef A) { return A.starts_with(Start); });
  }
};

} // namespace

bool fuzz::runCommand(StringRef Text) {
  SmallVector<StringRef, 3> Parts = splitParts(Text);
  SmallVector<StringRef, 16> Options;
  Parts[0].split(Options, '\n', /*MaxSplit=*/15, /*KeepEmpty=*/false);
  Run Subcommand = subcommandOf(Options);
  if (!Subcommand || Parts.size() < 2 || llvm::any_of(Parts, isCompressed))
    return false;

  Call C(Parts, Subcommand, Options);
  std::vector<const char *> Arguments;
  Arguments.reserve(C.Arguments.size());
  for (const std::string &Argument : C.Arguments)
    Arguments.push_back(Argument.c_str());
  int Code = -1;
  {
    ForgottenOptions Forgotten;
    Code = Subcommand(Arguments);
  }
  llvm::errs().clear_error(); // of a closed standard error
  check(Code >= tool::Done && Code <= tool::NotDone,
        "exit code " + Twine(Code));
  std::string Report = C.Output.text();
  if (C.has("--format=json") && !C.has("--dump") && !Report.empty()) {
    Expected<llvm::json::Value> Value = llvm::json::parse(Report);
    if (!Value)
      check(false, "the report is no JSON: " + toString(Value.takeError()));
  }
  return Code != tool::NotDone;
}
