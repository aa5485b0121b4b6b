//===- predict.cpp - The fastest block size of a kernel -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// predict FILE.ptx DEVICE: predicts every kernel of FILE on DEVICE with blocks
// of 64 to 1024 threads and prints the times and the best one.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace ptxpredict;

static void printDiagnostics(const Driver &D) {
  for (const DiagnosticEngine *E : D.diagnostics())
    E->print(llvm::errs(), /*Colors=*/false);
}

int main(int Argc, char **Argv) {
  if (Argc != 3) {
    llvm::errs() << "usage: predict FILE.ptx DEVICE\n";
    return 2;
  }
  constexpr uint64_t Threads = 1 << 20; // the same work for every block size
  std::map<std::string, std::pair<double, uint64_t>> Best; // by kernel

  for (uint64_t BlockSize = 64; BlockSize <= 1024; BlockSize *= 2) {
    DriverOptions Options;
    Options.Devices = {Argv[2]};
    Options.Launch.Block = Dim3{BlockSize, 1, 1};
    Options.Launch.Grid = Dim3{Threads / BlockSize, 1, 1};

    Driver D(Options);
    if (!D.prepare() || !D.read(Argv[1])) {
      printDiagnostics(D);
      return 2;
    }
    Report R = D.run();
    printDiagnostics(D); // warnings, if there are any

    for (const KernelReport &K : R.Kernels)
      for (const Prediction &P : K.Predictions) {
        const std::string &Name = K.Characteristics->Demangled;
        llvm::outs() << Name << ": block " << BlockSize << ": ";
        if (!P.TimeUs) { // such as a block that the device does not take
          llvm::outs() << P.Applies.Notes.front() << '\n';
          continue;
        }
        llvm::outs() << llvm::format("%.1f us (%s), ", P.TimeUs->Value,
                                     toString(P.TimeUs->Status).data())
                     << toString(P.Limiter) << '\n';
        auto It = Best.try_emplace(Name, P.TimeUs->Value, BlockSize).first;
        It->second =
            std::min(It->second, std::pair(P.TimeUs->Value, BlockSize));
      }
  }
  for (const auto &[Name, Choice] : Best)
    llvm::outs() << Name << ": best with blocks of " << Choice.second << '\n';
}
