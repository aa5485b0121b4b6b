//===- Targets.h - What is done with an input of the fuzzer -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Each function takes any bytes and says whether they are accepted. Wrong input
// is to be reported; an input that is accepted must also hold what is checked
// here, or the process aborts.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_FUZZ_TARGETS_H
#define PTXPREDICT_TEST_FUZZ_TARGETS_H

#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"

namespace ptxpredict::fuzz {

/// PTX: parsed, printed, parsed and printed again, which must give the same
/// text; graphs verified; every kernel analysed at the default launch, with the
/// reports as text and as JSON.
bool runPTX(StringRef Text);

/// A launch file: parsed; kernels of docs/examples are predicted with it.
bool runLaunch(StringRef Text);

/// A device file: parsed, printed, parsed and printed again, which must give
/// the same text; reports of the device, its occupancy, and a prediction.
bool runDevice(StringRef Text);

/// Characteristics: read, printed, read and printed again, which must give the
/// same text; critical paths, and predictions from it alone.
bool runCharacteristics(StringRef Text);

/// A power regression: read, printed, read and printed again, which must give
/// the same text; a network's watts are between those of its outputs 0 and 1.
bool runPowerRegression(StringRef Text);

/// A log of `ptxas -v`: parsed; every record must be found again, and its
/// occupancy is computed.
bool runPtxasLog(StringRef Text);

/// PTX: its kernels are run with a small launch and few instructions, with and
/// without the checks.
bool runEmulate(StringRef Text);

/// A baseline of `lint`: its fingerprints are printed and read again.
bool runBaseline(StringRef Text);

/// A file of `lint`'s cache: found by its key; the record in it is written and
/// read again.
bool runCacheEntry(StringRef Text);

/// A subcommand with options, code and a launch file, as \ref splitParts parts
/// them, through the command's own functions.
bool runCommand(StringRef Text);

/// A file .ptx-predict.yaml: read, and its globs asked.
bool runConfiguration(StringRef Text);

/// A dataset and its table, as \ref splitParts parts them: read, and every row
/// made a point.
bool runDataset(StringRef Text);

/// A cubin, fat binary, object or archive: listed as text and as JSON, and its
/// PTX found; code lies within the file.
bool runContainer(StringRef Text);
bool runSASS(StringRef Text);
/// A cubin: its kernels are lifted to graphs that hold what \ref verify checks,
/// printed and predicted.
bool runLift(StringRef Text);

/// A gzip file: expanded; the content is compressed and expanded again.
bool runGzip(StringRef Text);

/// Results of microbenchmarks: read; the device that they are of is calibrated,
/// printed and read.
bool runMicrobenchmarks(StringRef Text);

/// A profile: read, printed, read and printed again, which must give the same
/// text; examples are predicted with it.
bool runProfile(StringRef Text);

/// A file of counters: read, printed in the plain form, read and printed again,
/// which must give the same text; its first launch by itself.
bool runCounters(StringRef Text);

/// What a profiler wrote, in any form: kernels with times that can be and
/// places, each found by its own name.
bool runMeasuredKernels(StringRef Text);

/// A system and a link, as \ref splitParts parts them: read, printed and read
/// again.
bool runSystem(StringRef Text);

/// A scenario and a system, as \ref splitParts parts them: read; the scenario
/// is planned and simulated unless its kernels need files.
bool runScenario(StringRef Text);
/// A scaling file, unless it needs others: points have energies that can be,
/// and solutions lie in their range.
bool runScaling(StringRef Text);

// Of targets that need libLLVM:

/// compile_commands.json: read; the call of every command is made, and nothing
/// called.
bool runCompileCommands(StringRef Text);

/// LLVM IR or bitcode: read, lowered, and every kernel predicted.
bool runIR(StringRef Text);

/// The parts of an input that stand for several files. A line `//---` is
/// between two of them. There is always a first one.
SmallVector<StringRef, 3> splitParts(StringRef Text);

/// DriverOptions::WorkLimit of predictions: the default's 200,000 steps take
/// seconds under the sanitizers, and reach nothing else.
constexpr uint64_t FewSteps = 10000;

/// Aborts with \p Message if \p Holds is false.
void check(bool Holds, const Twine &Message);

/// An engine with the text as its buffer.
std::unique_ptr<DiagnosticEngine> makeEngine(StringRef Text, StringRef Name);

/// A file in memory, for what is read through its path.
class MemoryFile {
public:
  explicit MemoryFile(StringRef Text);
  ~MemoryFile();
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  std::string path() const;
  /// What is in it now.
  std::string text() const;

private:
  int Descriptor;
};

/// The report as text of every verbosity and as JSON, which must be JSON (if it
/// is short).
void printAll(const Report &R);

/// Bytes of a gzip file? The limit of the fuzzer's memory is not for these.
bool isCompressed(StringRef Text);

} // namespace ptxpredict::fuzz

#endif // PTXPREDICT_TEST_FUZZ_TARGETS_H
