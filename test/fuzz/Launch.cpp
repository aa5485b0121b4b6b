//===- Launch.cpp - Launch files as inputs of the fuzzer ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Driver/Pipeline/Emulate.h"
#include "ptxpredict/Support/KernelNames.h"

using namespace ptxpredict;

/// Code whose kernels take structures: with tensor maps in them, and with all
/// kinds of members. Both have debug information.
static constexpr struct {
  StringRef Kernel, Path;
} Structures[] = {
    {"addMatrices", "/test/Emulator/Inputs/tensor-maps.clang.ptx"},
    {"_ZN4demo7sumRowsILi2EEEvNS_6ParamsEj",
     "/test/Tools/ptx-predict/Inputs/debug-members-nvcc.ptx"},
};

static DriverOptions optionsFor(const fuzz::MemoryFile &File) {
  DriverOptions Options;
  Options.LaunchFilePath = File.path();
  Options.Models = {"all"};
  Options.WorkLimit = fuzz::FewSteps;
  return Options;
}

/// Runs a few instructions of the kernels that the file starts.
static void emulate(const fuzz::MemoryFile &File, ArrayRef<std::string> Paths) {
  EmulateOptions Options;
  Options.Run.Jobs = 1;
  Options.Run.MaxInstructions = 1000;
  Options.Run.MemoryBytes = 16 << 20;
  Options.Run.Blocks.First = 1;
  for (const std::string &Path : Paths) {
    Driver D(optionsFor(File));
    fuzz::check(D.prepare() && D.read(Path), "a file is read only once");
    EmulationReport R = D.emulate(Options);
    for (const EmulatedKernel &K : R.Kernels)
      fuzz::check(!K.Fault || !K.Fault->Place.Message.empty(),
                  "a fault without words");
  }
}

bool fuzz::runLaunch(StringRef Text) {
  if (isCompressed(Text))
    return false;
  auto Diags = makeEngine(Text, "input");
  LaunchFile Launches;
  bool Failed = parseLaunchFile(*Diags, Launches);
  check(Failed == Diags->hasErrors(), "an error without a message, or a "
                                      "message without an error");
  check(Failed || !Launches.Launches.empty(), "no launch and no error");
  if (Failed)
    return false;

  MemoryFile File(Text);
  Driver D(optionsFor(File));
  check(D.prepare(), "a launch file is read once but not twice");
  std::vector<std::string> Started; ///< code with a kernel of the file
  for (StringRef Name : {"matmul", "reduce", "saxpy"}) {
    std::string Path =
        (PTXPREDICT_SOURCE_DIR "/docs/examples/" + Name + ".ptx").str();
    if (Launches.find(KernelNames(Name).all()))
      Started.push_back(Path);
    else if (Name != "saxpy") // one that no launch is for is enough
      continue;
    check(D.read(Path) != nullptr, "no example " + Path);
  }
  for (const auto &S : Structures)
    if (Launches.find(KernelNames(S.Kernel).all())) {
      Started.push_back((PTXPREDICT_SOURCE_DIR + S.Path).str());
      check(D.read(Started.back()) != nullptr, "no input " + S.Path);
    }
  printAll(D.run());
  emulate(File, Started);
  return true;
}
