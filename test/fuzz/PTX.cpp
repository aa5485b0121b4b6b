//===- PTX.cpp - PTX as an input of the fuzzer ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "ptxpredict/Graph/GraphBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static std::string printed(const ptx::AST &Tree) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(Tree, OS);
  return Text;
}

/// Debug information, which is read only when somebody asks for names.
static void readDebugInfo(const ptx::AST &Tree, DiagnosticEngine &Diags) {
  std::unique_ptr<Module> M = ptx::lowerLazily(Tree, Diags);
  for (const auto &G : M->Functions) {
    ArrayRef<SourceParameter> Known = M->sourceParameters(*G);
    fuzz::check(Known.empty() || Known.size() == G->Parameters.size(),
                "debug information has other parameters than the code");
    for (const SourceParameter &P : Known)
      for (StringRef Path : {"n", "p[1]", "shift.second", "stride[1][2]"}) {
        MemberPlace At;
        std::string Why;
        if (P.Layout && findMember(*P.Layout, Path, At, Why))
          fuzz::check(!Why.empty(), "no member, and no reason");
      }
  }
}

bool fuzz::runPTX(StringRef Text) {
  auto Diags = makeEngine(Text, "input");
  std::unique_ptr<ptx::AST> Tree = ptx::parse(*Diags);
  check(Tree != nullptr, "there is no syntax tree");
  if (Diags->hasErrors()) {
    std::string Messages;
    llvm::raw_string_ostream OS(Messages);
    Diags->print(OS, /*Colors=*/false);
    return false;
  }

  std::string Once = printed(*Tree);
  auto Again = makeEngine(Once, "printed");
  std::unique_ptr<ptx::AST> Second = ptx::parse(*Again);
  if (Again->hasErrors()) {
    const Diagnostic &D = Again->diagnostics().front();
    check(false,
          "what was printed is not read: " + D.Message + ": " + D.SourceLine);
  }
  std::string Twice = printed(*Second);
  check(Once == Twice, "print, parse, print is not the identity:\n" + Once +
                           "\n---\n" + Twice);

  std::unique_ptr<Module> M = ptx::lower(*Tree, *Diags);
  check((M != nullptr) != Diags->hasErrors(),
        "errors and a module, or neither");
  if (!M)
    return false;
  for (const auto &G : M->Functions) {
    std::string Violation = verify(*G);
    check(Violation.empty(), "a wrong graph: " + Violation);
  }
  readDebugInfo(*Tree, *Diags);
  std::string Dump;
  llvm::raw_string_ostream OS(Dump);
  M->print(OS);

  if (isCompressed(Text))
    return true;
  MemoryFile File(Text);
  DriverOptions Options;
  Options.WorkLimit = FewSteps;
  Driver D(std::move(Options));
  check(D.prepare(), "the driver's defaults are refused");
  if (!D.read(File.path()))
    return true; // an input that findFrontend takes for another language
  printAll(D.run());
  return true;
}
