//===- Options.cpp - What the user asks of the plugin ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Process.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::plugin;
namespace cl = llvm::cl;

namespace {

/// Made when the plugin is asked for its name, not when it is loaded: a program
/// of another LLVM must not see them.
struct CommandLine {
  cl::OptionCategory Category{"ptx-predict"};
  cl::list<std::string> Devices{
      "ptx-predict-device", cl::cat(Category), cl::CommaSeparated,
      cl::value_desc("name"),
      cl::desc("Predict for this device; may be given more than once")};
  cl::opt<std::string> LaunchFile{
      "ptx-predict-launch", cl::cat(Category), cl::value_desc("file"),
      cl::desc("Launches, arguments and trip counts of kernels (YAML)")};
  cl::list<std::string> Rules{
      "ptx-predict-rules", cl::cat(Category), cl::CommaSeparated,
      cl::value_desc("globs"),
      cl::desc("Rules that are reported; '-GLOB' takes some out")};
  cl::opt<std::string> MinGain{
      "ptx-predict-min-gain", cl::cat(Category), cl::value_desc("share"),
      cl::desc("Report what saves at least this share of the time")};
  cl::opt<std::string> Record{
      "ptx-predict-record", cl::cat(Category), cl::value_desc("folder"),
      cl::desc("Write the remarks of each kernel to a file in there")};
  cl::opt<bool> Crash{"ptx-predict-crash", cl::cat(Category), cl::Hidden,
                      cl::desc("Crash in the analysis, to test recovery")};
};

CommandLine *TheCommandLine = nullptr;

std::string either(const cl::opt<std::string> &Option, StringRef Variable) {
  if (Option.getNumOccurrences())
    return Option;
  return llvm::sys::Process::GetEnv(Variable).value_or("");
}

std::vector<std::string> either(const cl::list<std::string> &Option,
                                StringRef Variable) {
  if (!Option.empty())
    return {Option.begin(), Option.end()};
  std::vector<std::string> Values;
  std::string Text = llvm::sys::Process::GetEnv(Variable).value_or("");
  for (StringRef Value : llvm::split(Text, ','))
    if (!Value.trim().empty())
      Values.push_back(Value.trim().str());
  return Values;
}

} // namespace

void plugin::registerOptions() {
  if (!TheCommandLine)
    TheCommandLine = new CommandLine; // as long as LLVM's command line
}

plugin::Options plugin::readOptions() {
  const CommandLine &C = *TheCommandLine;
  Options O;
  O.Devices = either(C.Devices, "PTX_PREDICT_DEVICE");
  O.LaunchFile = either(C.LaunchFile, "PTX_PREDICT_LAUNCH");
  O.RecordFolder = either(C.Record, "PTX_PREDICT_RECORD");
  O.Crash = C.Crash;
  for (StringRef Glob : either(C.Rules, "PTX_PREDICT_RULES"))
    if (Error E = O.Rules.add(Glob))
      O.Problem = "-ptx-predict-rules: " + llvm::toString(std::move(E));
  std::string MinGain = either(C.MinGain, "PTX_PREDICT_MIN_GAIN");
  if (!MinGain.empty() && (StringRef(MinGain).getAsDouble(O.MinGain) ||
                           !(O.MinGain >= 0 && O.MinGain <= 1))) {
    O.Problem = "-ptx-predict-min-gain takes a share from 0 to 1, not '" +
                MinGain + "'";
    O.MinGain = 0;
  }
  return O;
}
