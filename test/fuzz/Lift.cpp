//===- Lift.cpp - Cubins that are lifted as inputs of the fuzzer ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/SASS/Lift.h"
#include "Targets.h"
#include "ptxpredict/Graph/GraphBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

bool fuzz::runLift(StringRef Text) {
  auto Diags = makeEngine(Text, "input");
  const std::unique_ptr<Module> M = sass::lift(*Diags);
  check((M != nullptr) != Diags->hasErrors(),
        "errors and a module, or neither");
  if (!M)
    return false;
  for (const auto &G : M->Functions) {
    if (!G->IsKernel)
      continue;
    const HeldBodies Held(*G);
    if (Held.failed())
      continue;
    const std::string Violation = verify(*G);
    check(Violation.empty(), "a wrong graph: " + Violation);
    std::string Dump;
    llvm::raw_string_ostream OS(Dump);
    G->print(OS);
  }
  MemoryFile File(Text);
  DriverOptions Options;
  Options.WorkLimit = FewSteps;
  Driver D(std::move(Options));
  check(D.prepare(), "the driver's defaults are refused");
  if (D.read(File.path()))
    printAll(D.run());
  return true;
}
