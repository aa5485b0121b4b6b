//===- Emulate.cpp - ptx-predict emulate FILE... --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Pipeline/Emulate.h"
#include "CapturedRun.h"
#include "CodeOptions.h"
#include "LaunchOptions.h"
#include "OutputFile.h"
#include "ProgressLine.h"
#include "Subcommands.h"
#include "UnfinishedFile.h"
#include "ptxpredict/Support/NumberFormat.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cmath>
#include <csignal>
#include <ctime>

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict emulate FILE...`; registered while it lives.
struct EmulateCommand {
  StringList Inputs{cl::Positional, cl::desc("<file>..."), cl::cat(category())};
  StringList Kernels{"kernel", cl::value_desc("glob"), cl::cat(category()),
                     cl::desc("Kernels to run, by mangled or demangled name "
                              "(default: those that the launch file starts; "
                              "repeatable)")};
  LaunchOptions Launch;
  CodeOptions Code;
  StringOpt Blocks{"blocks", cl::value_desc("first:n,random:m"),
                   cl::cat(category()),
                   cl::desc("Runs the first n blocks of the grid and m others "
                            "(default: all)")};
  StringOpt Resident{"resident", cl::value_desc("blocks"), cl::cat(category()),
                     cl::desc("Blocks that run at a time; running ones may "
                              "take over the places of others (default: all "
                              "of the grid)")};
  StringOpt MaxInstructions{"max-instructions", cl::value_desc("number"),
                            cl::cat(category()),
                            cl::desc("Instructions that a warp may execute "
                                     "(default: 256Mi)")};
  cl::opt<bool> Check{"check", cl::cat(category()),
                      cl::desc("Finds races and wrong accesses")};
  StringList Buffers{"dump-buffer", cl::value_desc("name=file"),
                     cl::cat(category()),
                     cl::desc("Writes what a buffer holds after the run "
                              "(repeatable)")};
  StringOpt Profile{"profile-out", cl::value_desc("file.json"),
                    cl::cat(category()),
                    cl::desc("Writes what was counted, for --profile")};
  StringOpt Jobs{"j", cl::Prefix, cl::value_desc("number"), cl::cat(category()),
                 cl::desc("Threads that run blocks (default: one per core)")};
  StringOpt Format{"format", cl::init("text"), cl::value_desc("text|json"),
                   cl::cat(category()), cl::desc("Form of the report")};
  StringOpt Output{"o", cl::init("-"), cl::value_desc("file"),
                   cl::cat(category()),
                   cl::desc("Where the report goes (default: -, standard "
                            "output)")};
  cl::opt<bool> Quiet{"quiet", cl::cat(category()),
                      cl::desc("One line per kernel")};
  cl::opt<bool> Verbose{
      "verbose", cl::cat(category()),
      cl::desc("Prints everything in place of one screen per kernel")};
};

struct BufferFile {
  std::string Name, Path;
};

std::atomic<bool> Interrupted{false};
std::atomic<int64_t> InterruptedAt{0}; ///< milliseconds
static_assert(std::atomic<bool>::is_always_lock_free &&
                  std::atomic<int64_t>::is_always_lock_free,
              "a signal handler sets them");

void handleInterrupt(int Signal) {
  timespec Time = {};
  (void)::clock_gettime(CLOCK_MONOTONIC, &Time);
  int64_t Now = int64_t(Time.tv_sec) * 1000 + Time.tv_nsec / 1000000;
  if (!Interrupted.exchange(true)) {
    InterruptedAt = Now;
    return;
  }
  // A wrapper such as timeout sends one signal to the process and to its group.
  constexpr int64_t SameSignal = 300;
  if (Now - InterruptedAt < SameSignal)
    return;
  tool::removeUnfinished();
  (void)::signal(Signal, SIG_DFL);
  (void)::raise(Signal);
}

/// The first Ctrl-C ends the run with what was counted so far, a second one
/// the program. Who started it to ignore Ctrl-C is obeyed.
void endRunOnInterrupt() {
  struct sigaction Action = {};
  if (::sigaction(SIGINT, nullptr, &Action) == 0 &&
      Action.sa_handler == SIG_IGN)
    return;
  Action = {};
  Action.sa_handler = handleInterrupt;
  (void)::sigaction(SIGINT, &Action, nullptr);
}

} // namespace

static bool readSample(const StringOpt &O, BlockSample &Result) {
  if (O.getNumOccurrences() == 0)
    return false;
  SmallVector<StringRef, 2> Parts;
  StringRef(O).split(Parts, ',');
  for (StringRef Part : Parts) {
    auto [Which, Number] = Part.split(':');
    std::optional<int64_t> N = parseInteger(Number);
    bool Known = Which == "first" || Which == "random";
    if (!Known || !N || *N <= 0)
      return valueError(O.ArgStr,
                        "first:N, random:M or both with a comma between, N and "
                        "M positive whole numbers",
                        O.getValue());
    (Which == "first" ? Result.First : Result.Random) = uint64_t(*N);
  }
  return false;
}

static bool readBufferFiles(const StringList &Texts,
                            std::vector<BufferFile> &Result) {
  for (StringRef Text : Texts) {
    auto [Name, Path] = Text.split('=');
    if (Name.empty() || Path.empty())
      return valueError(Texts.ArgStr, "NAME=FILE", Text);
    Result.push_back({Name.str(), Path.str()});
  }
  return false;
}

/// Checks the values and moves them over. True on error (reported).
static bool convert(EmulateCommand &C, DriverOptions &Driver,
                    EmulationOptions &Run, std::vector<BufferFile> &Files,
                    std::string &ProfilePath) {
  std::optional<unsigned> Jobs;
  if (C.Launch.read(Driver) || readPositive(C.Jobs, Jobs) ||
      readNames(C.Kernels, "a glob", Driver.KernelGlobs) ||
      readPath(C.Profile, ProfilePath) || readSample(C.Blocks, Run.Blocks) ||
      readBufferFiles(C.Buffers, Files))
    return true;
  if (C.Resident.getNumOccurrences() != 0) {
    std::optional<int64_t> N = parseInteger(C.Resident);
    if (!N || *N <= 0)
      return valueError(C.Resident.ArgStr, "a positive whole number of blocks",
                        C.Resident);
    Run.Resident = uint64_t(*N);
  }
  if (C.MaxInstructions.getNumOccurrences() != 0) {
    std::optional<int64_t> N = parseInteger(C.MaxInstructions);
    if (!N || *N <= 0)
      return valueError(C.MaxInstructions.ArgStr,
                        "a positive whole number such as 100M",
                        C.MaxInstructions);
    Run.MaxInstructions = uint64_t(*N);
  }
  Run.Check = C.Check;
  Run.Interrupt = &Interrupted;
  Driver.Jobs = Jobs.value_or(0);
  auto Wrong = [](const Twine &Message) { return usageError(Message) != Done; };
  if (C.Quiet && C.Verbose)
    return Wrong("--quiet and --verbose exclude each other");
  if (C.Output.empty())
    return valueError("o", "a file, or - for standard output", C.Output);
  if (C.Inputs.empty())
    return Wrong("no input file; try --help");
  if (llvm::is_contained(C.Inputs, ""))
    return Wrong("the name of an input file is empty");
  return C.Code.read(C.Inputs, Driver.Read);
}

/// What kernels print goes to a terminal like what reports say of them, but it
/// has its own lines.
static constexpr StringRef PrintedAsIs = "\n\t";

/// What the kernels printed, in front of their reports.
static void writeText(const EmulationReport &R, const EmulateCommand &C,
                      bool WithPrinted, raw_ostream &OS) {
  bool Colors = useColors(C.Output);
  OS.enable_colors(Colors);
  for (const EmulatedKernel &K : R.Kernels) {
    if (&K != &R.Kernels.front() && !C.Quiet)
      OS << '\n' << std::string(100, '-') << "\n\n";
    if (WithPrinted)
      OS << printable(K.Printed, PrintedAsIs);
    if (WithPrinted && !K.Printed.empty() && K.Printed.back() != '\n')
      OS << '\n';
    printEmulationText(R, K, OS,
                       C.Quiet     ? Verbosity::Quiet
                       : C.Verbose ? Verbosity::Verbose
                                   : Verbosity::Normal,
                       Colors);
  }
}

/// Time is for whoever asks, and in no result.
static void printRates(const EmulationReport &R) {
  for (const EmulatedKernel &K : R.Kernels) {
    double Rate = double(K.threadInstructions()) / std::max(K.Seconds, 1e-9);
    errors() << "ptx-predict: note: " << K.Characteristics->Demangled << ": "
             << K.threadInstructions() << " thread instructions in "
             << formatNumber("%.3f s, ", K.Seconds)
             << formatNumber("%.1f million a second\n", Rate / 1e6);
  }
}

static int exitCode(const Driver &D, const EmulationReport &R) {
  if (Interrupted) // perhaps between two kernels
    return NotDone;
  bool Wrong = false;
  for (const EmulatedKernel &K : R.Kernels) {
    if (K.Fault)
      return NotDone;
    Wrong |= !K.Problems.empty();
    for (const BufferReport &B : K.Buffers)
      Wrong |= B.NumMismatches != 0;
  }
  return D.hasErrors() ? NotDone : Wrong ? Found : Done;
}

int tool::runEmulate(ArrayRef<const char *> Arguments) {
  EmulateCommand C;
  if (std::optional<int> Code = parseArguments(
          Arguments,
          "Runs kernels of PTX files on the CPU, over the buffers of a launch "
          "file: checks what they compute and counts what they do."))
    return *Code;
  DriverOptions Options;
  EmulateOptions Emulate;
  std::vector<BufferFile> Files;
  std::string ProfilePath;
  enum : unsigned { FormatText, FormatJSON };
  unsigned Format = FormatText;
  if (convert(C, Options, Emulate.Run, Files, ProfilePath) ||
      readChoice("format", C.Format, {"text", "json"}, Format))
    return NotDone;

  Driver D(std::move(Options));
  if (!D.prepare()) {
    printDiagnostics(D.diagnostics());
    return NotDone;
  }
  (void)D.readAll(C.Inputs);

  bool WriteFailed = false;
  for (const BufferFile &F : Files)
    Emulate.Buffers.push_back(F.Name);
  Emulate.OnBuffer = [&](StringRef Name, ArrayRef<uint8_t> Contents) {
    for (const BufferFile &F : Files)
      if (F.Name == Name)
        WriteFailed |= writeResult(F.Path, llvm::toStringRef(Contents));
  };
  ProgressLine Progress(C.Quiet);
  Emulate.OnProgress = [&](StringRef Kernel, uint64_t Done, uint64_t All) {
    Progress.update(Kernel, Done, All, "blocks");
  };
  if (!CapturedRun::current()) // signals are the process's
    endRunOnInterrupt();
  EmulationReport R = D.emulate(Emulate);
  Progress.clear();

  if (Format == FormatText && C.Output == "-") {
    WriteFailed |= writeResult("-", [&](raw_ostream &OS) {
      writeText(R, C, /*WithPrinted=*/true, OS);
      return std::error_code();
    });
  } else {
    raw_ostream &Printed = C.Output == "-" ? errors() : output();
    for (const EmulatedKernel &K : R.Kernels)
      Printed << printable(K.Printed, PrintedAsIs);
    WriteFailed |= flushStandardOutput();
    if (Format == FormatJSON)
      WriteFailed |= writeResult(C.Output, [&](raw_ostream &OS) {
        printEmulationJSON(R, OS);
        return std::error_code();
      });
    else if (!R.Kernels.empty())
      WriteFailed |= writeResult(C.Output, [&](raw_ostream &OS) {
        writeText(R, C, /*WithPrinted=*/false, OS);
        return std::error_code();
      });
  }
  // Where nothing was counted a former profile stays.
  if (!ProfilePath.empty() &&
      llvm::any_of(R.Kernels, [](auto &K) { return K.Profile.Warps != 0; }))
    WriteFailed |= writeResult(ProfilePath, [&](raw_ostream &OS) {
      printProfileJSON(R, OS);
      return std::error_code();
    });
  printDiagnostics(D.diagnostics());
  printDiagnostics(D.findings());
  if (Interrupted)
    usageError("interrupted; the report has what was counted until then");
  if (C.Verbose)
    printRates(R);
  return WriteFailed ? NotDone : exitCode(D, R);
}
