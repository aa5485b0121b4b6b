//===- main.cpp - The command ptx-predict ---------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HandOver.h"
#include "OutOfMemory.h"
#include "Subcommands.h"
#include "ptxpredict/Driver/Inputs/Frontend.h"
#include "llvm/Support/Compiler.h" // __has_feature

using namespace ptxpredict;

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
/// What AddressSanitizer does unless ASAN_OPTIONS says otherwise: LLVM's
/// archives are not instrumented, so that what its allocators poison here would
/// never be unpoisoned there.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_stack_use_after_return=1";
}
#endif

int main(int Argc, char **Argv) {
  tool::endOnOutOfMemory();
  tool::rememberArguments(Argv);
  sendElsewhere(tool::handOver);
  return tool::runCommand({Argv, size_t(Argc)});
}
