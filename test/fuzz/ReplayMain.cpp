//===- ReplayMain.cpp - Runs a target on files, without libFuzzer ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PtxPredictReplay TARGET [--one-in=N] FILE-OR-FOLDER...
// Runs the target on every file, those below folders included, or on every
// N-th of those below the folder that comes next. An input that
// fails ends the process as it does under the fuzzer; its name stands before.
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace ptxpredict;

/// The files at and below \p Path, sorted; those of git are none.
static std::vector<std::string> filesOf(StringRef Path) {
  if (!llvm::sys::fs::is_directory(Path))
    return {Path.str()};
  std::vector<std::string> Files;
  std::error_code EC;
  for (llvm::sys::fs::recursive_directory_iterator I(Path, EC), End;
       I != End && !EC; I.increment(EC))
    if (llvm::sys::fs::is_regular_file(I->path()))
      Files.push_back(I->path());
  fuzz::check(!EC, Path + ": " + EC.message());
  std::sort(Files.begin(), Files.end());
  return Files;
}

int main(int argc, char **argv) {
  using Target = void (*)(StringRef);
  Target Run = argc < 2 ? nullptr
                        : llvm::StringSwitch<Target>(argv[1])
                              .Case("ptx", fuzz::runPTX)
                              .Case("launch", fuzz::runLaunch)
                              .Case("characteristics", fuzz::runCharacteristics)
                              .Case("device", fuzz::runDevice)
                              .Case("ptxas-log", fuzz::runPtxasLog)
                              .Case("emulate", fuzz::runEmulate)
                              .Default(nullptr);
  if (!Run || argc < 3) {
    llvm::errs() << "usage: " << argv[0]
                 << " ptx|launch|characteristics|device|ptxas-log|emulate "
                    "[--one-in=N] FILE-OR-FOLDER...\n";
    return 2;
  }
  unsigned Count = 0, OneIn = 1;
  for (int I = 2; I != argc; ++I) {
    StringRef Argument = argv[I];
    if (Argument.consume_front("--one-in=")) {
      fuzz::check(!Argument.getAsInteger(10, OneIn) && OneIn != 0,
                  "--one-in takes a number");
      continue;
    }
    std::vector<std::string> Files = filesOf(Argument);
    for (size_t N = 0; N < Files.size(); N += OneIn) {
      const std::string &Path = Files[N];
      llvm::errs() << Path << '\n';
      auto Buffer = llvm::MemoryBuffer::getFile(Path);
      fuzz::check(!!Buffer, Path + ": cannot be read");
      Run((*Buffer)->getBuffer());
      ++Count;
    }
    OneIn = 1;
  }
  fuzz::check(Count != 0, "there is no input");
  llvm::outs() << Count << " inputs\n";
  return 0;
}
