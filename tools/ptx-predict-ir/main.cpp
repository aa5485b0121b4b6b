//===- main.cpp - The command ptx-predict with LLVM IR --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// ptx-predict becomes this program as soon as an input needs it.
//===----------------------------------------------------------------------===//
#include "OutOfMemory.h"
#include "Subcommands.h"
#include "ptxpredict/IRDriver/IRFrontend.h"
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
  registerIRFrontend();
  return tool::runCommand({Argv, size_t(Argc)});
}
