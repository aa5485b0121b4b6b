//===- Launch.cpp - Launch files as inputs of the fuzzer ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"

using namespace ptxpredict;

void fuzz::runLaunch(StringRef Text) {
  if (isCompressed(Text))
    return;
  auto Diags = makeEngine(Text, "input");
  LaunchFile Launches;
  bool Failed = parseLaunchFile(*Diags, Launches);
  check(Failed == Diags->hasErrors(), "an error without a message, or a "
                                      "message without an error");
  check(Failed || !Launches.Launches.empty(), "no launch and no error");
  if (Failed)
    return;

  MemoryFile File(Text);
  DriverOptions Options;
  Options.LaunchFilePath = File.path();
  Options.Models = {"all"};
  Driver D(std::move(Options));
  check(D.prepare(), "a launch file is read once but not twice");
  for (StringRef Name : {"matmul", "reduce", "saxpy"}) {
    std::string Path =
        (PTXPREDICT_SOURCE_DIR "/docs/examples/" + Name + ".ptx").str();
    check(D.read(Path) != nullptr, "no example " + Path);
  }
  printAll(D.run());
}
