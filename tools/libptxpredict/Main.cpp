//===- Main.cpp - The command in the C library ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HandOver.h"
#include "OutOfMemory.h"
#include "Subcommands.h"
#include "ptxpredict-c/ptxpredict.h"
#include "ptxpredict/Driver/Inputs/Frontend.h"

using namespace ptxpredict;

int ptxpredictMain(int Argc, char **Argv) {
  tool::endOnOutOfMemory();
  tool::rememberArguments(Argv);
  sendElsewhere(tool::handOver);
  return tool::runCommand({Argv, size_t(Argc)});
}
