//===- IR.cpp - LLVM IR and bitcode as inputs of the fuzzer ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/IRDriver/IRFrontend.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

bool fuzz::runIR(StringRef Text) {
  [[maybe_unused]] static const bool Registered = (registerIRFrontend(), true);
  if (!looksLikeIR("", Text))
    return false;
  MemoryFile File(Text);
  Driver D({});
  check(D.prepare(), "the driver's defaults are refused");
  const ParsedInput *In = D.read(File.path());
  if (!In) {
    check(D.hasErrors(), "no module, and no message");
    return false;
  }
  std::string Dump;
  llvm::raw_string_ostream OS(Dump);
  In->module().print(OS);
  printAll(D.run());
  return true;
}
