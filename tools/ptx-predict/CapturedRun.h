//===- CapturedRun.h - The command inside of another program ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_CAPTUREDRUN_H
#define PTXPREDICT_TOOLS_CAPTUREDRUN_H

#include "ptxpredict/Support/Diagnostics.h"
#include "ptxpredict/Support/RunContext.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>
#include <set>
#include <tuple>

namespace ptxpredict::tool {

struct Subcommand;

/// A message as it is, and as the command prints it.
struct ShownMessage {
  Diagnostic Of;
  std::string Text;
};

/// What makes two messages the same.
using MessageKey =
    std::tuple<Severity, std::string, unsigned, unsigned, std::string>;

/// One run of the command by its arguments, with texts in place of its streams.
/// Any number of threads may have one each. It reads no standard input, handles
/// no signal and does not end the process.
class CapturedRun : public RunContext {
public:
  /// \p S: null for predictions. Returns the exit code.
  int run(const Subcommand *S, ArrayRef<std::string> Arguments);

  std::string Output; ///< what goes to standard output
  std::vector<ShownMessage> Messages;
  std::set<MessageKey> Printed; ///< of printDiagnostics()
  std::vector<std::string> CompilerArguments;
  std::function<void(uint64_t Done, uint64_t All)> Progress; ///< may be empty
  bool NeedsIR = false; ///< an input is ptx-predict-ir's to read

  /// The calling thread's; null in the command itself.
  static CapturedRun *current() {
    return static_cast<CapturedRun *>(RunContext::current());
  }

  /// Any thread of the run may tell.
  void add(const Diagnostic &D, std::string Text);

  raw_ostream &outputStream() { return OutputStream; }
  raw_ostream &errorStream() { return ErrorStream; }

  /// To be called where an exception that left run() is caught. If that came
  /// while options were read, their registry holds what is gone, and no run of
  /// the process can read any more.
  void abandon();

  /// The registry of options, which a process has once, is this run's until
  /// then. Takes from it what the run added.
  void releaseOptions();

private:
  std::string Errors; ///< what is printed without being a Diagnostic
  llvm::raw_string_ostream OutputStream{Output}, ErrorStream{Errors};
  std::unique_lock<std::mutex> Options;
  std::mutex Mutex;

  void addErrors(int Code);
};

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_CAPTUREDRUN_H
