//===- Compare.cpp - ptx-predict --compare --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Compare.h"
#include "CommandLine.h"
#include "OutputFile.h"
#include "ptxpredict/Report/Diff/RouteComparison.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// What one way finds.
struct Route {
  explicit Route(DriverOptions Options) : D(std::move(Options)) {}

  /// False if the run cannot go on.
  bool run(ArrayRef<std::string> Inputs) {
    if (!D.prepare())
      return false;
    (void)D.readAll(Inputs);
    Found = D.run();
    return !D.hasUsageErrors();
  }

  Driver D;
  Report Found;
};

} // namespace

static int write(const RouteComparison &C, bool JSON, StringRef Output,
                 bool Failed) {
  const bool Colors = useColors(Output);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS.enable_colors(Colors);
  JSON ? printComparisonJSON(C, OS) : printComparisonText(C, OS, Colors);
  const bool WriteFailed =
      (!Text.empty() || !Failed) && writeResult(Output, Text);
  return WriteFailed || Failed ? NotDone : Done;
}

int tool::compareIRWithPTX(const DriverOptions &Options,
                           ArrayRef<std::string> Inputs, bool JSON,
                           StringRef Output) {
  DriverOptions Other = Options;
  Other.Read.LowerToPTX = true;
  Other.Read.CompilerMessages = nullptr; // the same once more
  Route IR(Options), PTX(std::move(Other));
  for (Route *R : {&IR, &PTX})
    if (!R->run(Inputs)) {
      printDiagnostics(R->D.diagnostics());
      return NotDone;
    }

  RouteComparison C;
  C.Inputs = IR.Found.Inputs;
  std::map<std::pair<StringRef, StringRef>, const KernelReport *> ByName;
  for (const KernelReport &K : PTX.Found.Kernels)
    ByName[{PTX.Found.Inputs[K.Input].Path, K.Characteristics->Name}] = &K;
  for (const KernelReport &K : IR.Found.Kernels) {
    auto It = ByName.find({C.Inputs[K.Input].Path, K.Characteristics->Name});
    if (It == ByName.end())
      continue;
    C.Kernels.push_back(
        compareRoutes(*K.Characteristics, *It->second->Characteristics));
    C.Kernels.back().Input = K.Input;
  }
  bool Failed = IR.D.hasErrors() || PTX.D.hasErrors();
  for (const InputReport &In : C.Inputs)
    if (In.Frontend != FrontendKind::LLVMIR) {
      Failed = true;
      usageError("--compare: " + In.Path +
                 " is not LLVM IR, nor CUDA source that clang compiles");
    }
  C.Diagnostics = IR.Found.Diagnostics;
  printDiagnostics(IR.D.diagnostics());
  if (!IR.D.hasErrors()) { // else they say the same
    llvm::append_range(C.Diagnostics, PTX.Found.Diagnostics);
    printDiagnostics(PTX.D.diagnostics());
  }

  return write(C, JSON, Output, Failed);
}

int tool::comparePTXWithSASS(const DriverOptions &Options,
                             ArrayRef<std::string> Inputs, bool JSON,
                             StringRef Output) {
  Route Both(Options);
  if (!Both.run(Inputs)) {
    printDiagnostics(Both.D.diagnostics());
    return NotDone;
  }
  RouteComparison C;
  C.First = "ptx";
  C.Second = "sass";
  C.Inputs = Both.Found.Inputs;
  C.Diagnostics = Both.Found.Diagnostics;
  bool Failed = Both.D.hasErrors();
  for (const InputReport &In : C.Inputs)
    if (In.Frontend != FrontendKind::PTX && In.Frontend != FrontendKind::SASS) {
      Failed = true;
      usageError("--compare: " + In.Path +
                 " is neither PTX nor machine code alone");
    }
  std::map<StringRef, const KernelReport *> ByName;
  for (const KernelReport &K : Both.Found.Kernels)
    if (C.Inputs[K.Input].Frontend == FrontendKind::SASS)
      ByName.try_emplace(K.Characteristics->Name, &K);
  if (ByName.empty() && !Failed) {
    Failed = true;
    usageError("--compare=ptx,sass: no kernel of the inputs is machine code; "
               "give the cubin, too, that was made of the PTX");
  }
  for (const KernelReport &K : Both.Found.Kernels) {
    if (C.Inputs[K.Input].Frontend != FrontendKind::PTX)
      continue;
    auto It = ByName.find(K.Characteristics->Name);
    if (It == ByName.end()) {
      if (!ByName.empty()) {
        Failed = true;
        usageError("--compare=ptx,sass: no machine code has a kernel '" +
                   K.Characteristics->Name + "' of " + C.Inputs[K.Input].Path);
      }
      continue;
    }
    C.Kernels.push_back(
        compareRoutes(*K.Characteristics, *It->second->Characteristics));
    C.Kernels.back().Input = K.Input;
  }
  printDiagnostics(Both.D.diagnostics());
  return write(C, JSON, Output, Failed);
}
