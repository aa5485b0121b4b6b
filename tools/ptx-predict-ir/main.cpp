//===- main.cpp - The command ptx-predict with LLVM IR --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// ptx-predict becomes this program as soon as an input needs it.
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "Subcommands.h"
#include "ptxpredict/IRDriver/IRFrontend.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/Support/Compiler.h" // __has_feature
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace ptxpredict;

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
/// What AddressSanitizer does unless ASAN_OPTIONS says otherwise: LLVM's
/// archives are not instrumented, so that what its allocators poison here would
/// never be unpoisoned there.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_stack_use_after_return=1";
}
#endif

/// What LLVM does not survive ends the run like a wrong input.
static void reportFatal(void *, const char *Reason, bool) {
  llvm::errs() << "ptx-predict: error: LLVM cannot go on with this input: "
               << printable(Reason) << '\n';
  llvm::errs().flush();
  _exit(tool::NotDone);
}

int main(int Argc, char **Argv) {
  llvm::install_fatal_error_handler(reportFatal);
  registerIRFrontend();
  return tool::runCommand({Argv, size_t(Argc)});
}
