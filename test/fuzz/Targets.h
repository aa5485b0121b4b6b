//===- Targets.h - What is done with an input of the fuzzer -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Each function takes any bytes. Wrong input is to be reported; an input that
// is accepted must also hold what is checked here, or the process aborts.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_FUZZ_TARGETS_H
#define PTXPREDICT_TEST_FUZZ_TARGETS_H

#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"

namespace ptxpredict::fuzz {

/// PTX: parsed, printed, parsed and printed again, which must give the same
/// text; graphs verified; every kernel analysed at the default launch, with the
/// reports as text and as JSON.
void runPTX(StringRef Text);

/// A launch file: parsed; kernels of docs/examples are predicted with it.
void runLaunch(StringRef Text);

/// A device file: parsed, printed, parsed and printed again, which must give
/// the same text; reports of the device, its occupancy, and a prediction.
void runDevice(StringRef Text);

/// Characteristics: read, printed, read and printed again, which must give the
/// same text; critical paths, and predictions from it alone.
void runCharacteristics(StringRef Text);

/// A log of `ptxas -v`: parsed; every record must be found again, and its
/// occupancy is computed.
void runPtxasLog(StringRef Text);

/// PTX: its kernels are run with a small launch and few instructions, with and
/// without the checks.
void runEmulate(StringRef Text);

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

private:
  int Descriptor;
};

/// The report as text of every verbosity and as JSON, which must be JSON.
void printAll(const Report &R);

/// Bytes of a gzip file? The limit of the fuzzer's memory is not for these.
bool isCompressed(StringRef Text);

} // namespace ptxpredict::fuzz

#endif // PTXPREDICT_TEST_FUZZ_TARGETS_H
