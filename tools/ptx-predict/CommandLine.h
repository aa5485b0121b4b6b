//===- CommandLine.h - Options that subcommands share -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Options are declared as variables of the function that runs a subcommand, so
// that a process knows those of one subcommand only. Their values are texts,
// checked here, so that every message has one form: it names the option and
// says what it takes.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TOOLS_COMMANDLINE_H
#define PTXPREDICT_TOOLS_COMMANDLINE_H

#include "ptxpredict/Launch/LaunchShape.h"
#include "ptxpredict/Support/Diagnostics.h"
#include "llvm/Support/CommandLine.h"

namespace ptxpredict {
struct AssemblerChoice;
class Device;
} // namespace ptxpredict

namespace ptxpredict::tool {

namespace cl = llvm::cl;

using StringOpt = cl::opt<std::string>;
using StringList = cl::list<std::string>;

/// Exit codes of every subcommand. Found is for what the user asked to be told
/// about.
enum ExitCode : int { Done = 0, Found = 1, NotDone = 2 };

/// The category that --help shows; everything else of LLVM's is taken away.
cl::OptionCategory &category();

/// Where results and messages go: the process's streams, or a CapturedRun's.
raw_ostream &output();
raw_ostream &errors();
/// Whether a person watches errors().
bool errorsAreWatched();

/// Whether an option stays registered whatever run is over.
bool isRegisteredForGood(const cl::Option &O);

/// Parses the arguments. An exit code if the run ends here: --help, --version,
/// or wrong usage (reported).
std::optional<int> parseArguments(ArrayRef<const char *> Arguments,
                                  StringRef Overview);

/// What followed `--` in what was parsed last. Only subcommands that have the
/// option --compiler take it.
ArrayRef<std::string> compilerArguments();

/// Prints `ptx-predict: error: TEXT` and returns NotDone.
int usageError(const Twine &Message);

/// Prints `ptx-predict: note: MESSAGE` or the like on standard error.
void printNote(const Twine &Message);
void printWarning(const Twine &Message);

/// Prints a note of the device that was found for what \p Asked called it, if
/// that is not its name: "--device=h100: h100-sxm is taken".
void noteTaken(const Twine &What, StringRef Asked, const Device &Found);

/// As \ref usageError, `--NAME takes TAKES; not 'VALUE'`. Returns true.
bool valueError(StringRef Option, const Twine &Takes, StringRef Value);

// Each reads one option's value; true on error (reported). An option that was
// not given leaves Result alone.
bool readPositive(const StringOpt &O, std::optional<double> &Result);
bool readPositive(const StringOpt &O, std::optional<unsigned> &Result);
bool readBytes(const StringOpt &O, std::optional<uint64_t> &Result);
bool readShape(const StringOpt &O, LaunchShape Which,
               std::optional<Dim3> &Result);
/// The file that an option names, which may not be empty.
bool readPath(const StringOpt &O, std::string &Result);
/// The values of a repeatable option, none of which may be empty.
bool readNames(const StringList &O, const Twine &Takes,
               std::vector<std::string> &Result);
/// That at most one of several ways to say the same thing was given.
bool readOneOf(ArrayRef<const StringOpt *> Options);
/// --arg's INDEX=VALUE and NAME=VALUE.
bool readArguments(const StringList &O, LaunchSpec &Result);
/// --via=auto or ptxas[=PATH].
bool readVia(const StringOpt &O, std::optional<AssemblerChoice> &Result);
/// A share such as 3% or 0.03, not negative.
bool readShare(const StringOpt &O, std::optional<double> &Result);
/// --fail-on's never, note, warning or error.
bool readFailOn(const StringOpt &O, std::optional<Severity> &Result);
/// The index of the value among \p Choices; a wrong one gets the nearest.
bool readChoice(StringRef Option, StringRef Value, ArrayRef<StringRef> Choices,
                unsigned &Result);

/// Whether results written to \p Path ("-" is standard output) have colours:
/// by --color, else on a terminal and without NO_COLOR.
bool useColors(StringRef Path);
/// The same for standard error.
bool useColorsForErrors();

/// Prints the messages of all engines to standard error; those without a path
/// are about the command line.
void printDiagnostics(ArrayRef<const DiagnosticEngine *> Engines);
void printDiagnostics(ArrayRef<Diagnostic> Messages);

} // namespace ptxpredict::tool

#endif // PTXPREDICT_TOOLS_COMMANDLINE_H
