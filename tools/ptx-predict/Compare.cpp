//===- Compare.cpp - ptx-predict --compare --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Compare.h"
#include "CommandLine.h"
#include "OutputFile.h"
#include "ptxpredict/Driver/Inputs/EmbeddedCode.h"
#include "ptxpredict/Report/Diff/RouteComparison.h"
#include "ptxpredict/Support/InputFile.h"
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
                 " is not LLVM IR, nor source that clang compiles");
    }
  C.Diagnostics = IR.Found.Diagnostics;
  printDiagnostics(IR.D.diagnostics());
  if (!IR.D.hasErrors()) { // else they say the same
    llvm::append_range(C.Diagnostics, PTX.Found.Diagnostics);
    printDiagnostics(PTX.D.diagnostics());
  }

  return write(C, JSON, Output, Failed);
}

/// Kernels of machine code by name; a kernel may be there for several
/// architectures.
using MachineKernels = std::map<StringRef, std::vector<const KernelReport *>>;

static MachineKernels findMachineKernels(const Report &Found) {
  MachineKernels ByName;
  for (const KernelReport &K : Found.Kernels)
    if (Found.Inputs[K.Input].Frontend == FrontendKind::SASS)
      ByName[K.Characteristics->Name].push_back(&K);
  return ByName;
}

static bool holdsMachineCode(StringRef Path) {
  const std::unique_ptr<llvm::MemoryBuffer> File =
      readFoundFile(Path, MaxInputBytes);
  return File && isMachineCode(File->getBuffer());
}

/// Compares the kernels of PTX with those of the same names in \p Machine,
/// whose inputs stand in \p C from \p FirstInput on. False if one has none.
static bool addPairs(const Report &PTX, const MachineKernels &Machine,
                     unsigned FirstInput, RouteComparison &C) {
  bool HasAll = true;
  for (const KernelReport &K : PTX.Kernels) {
    if (PTX.Inputs[K.Input].Frontend != FrontendKind::PTX)
      continue;
    auto It = Machine.find(K.Characteristics->Name);
    if (It == Machine.end()) {
      HasAll = false;
      usageError("--compare=ptx,sass: no machine code has a kernel '" +
                 K.Characteristics->Name + "' of " + PTX.Inputs[K.Input].Path);
      continue;
    }
    for (const KernelReport *Of : It->second) {
      C.Kernels.push_back(
          compareRoutes(*K.Characteristics, *Of->Characteristics));
      C.Kernels.back().Input = K.Input;
      C.Kernels.back().SecondInput = FirstInput + Of->Input;
    }
  }
  return HasAll;
}

int tool::comparePTXWithSASS(const DriverOptions &Options,
                             ArrayRef<std::string> Inputs, bool JSON,
                             StringRef Output) {
  Route Given(Options);
  if (!Given.run(Inputs)) {
    printDiagnostics(Given.D.diagnostics());
    return NotDone;
  }
  RouteComparison C;
  C.First = "ptx";
  C.Second = "sass";
  C.Inputs = Given.Found.Inputs;
  C.Diagnostics = Given.Found.Diagnostics;
  printDiagnostics(Given.D.diagnostics());
  bool Failed = Given.D.hasErrors(), HasPTX = false;
  for (const InputReport &In : C.Inputs) {
    HasPTX |= In.Frontend == FrontendKind::PTX;
    if (In.Frontend != FrontendKind::PTX && In.Frontend != FrontendKind::SASS) {
      Failed = true;
      usageError("--compare: " + In.Path +
                 " is neither PTX nor machine code alone");
    }
  }
  if (!HasPTX && !Failed) {
    Failed = true;
    usageError("--compare=ptx,sass: no input is PTX; give the PTX, too, that "
               "the machine code was made of");
  }
  if (Failed)
    return write(C, JSON, Output, Failed);
  if (MachineKernels Machine = findMachineKernels(Given.Found);
      !Machine.empty()) {
    Failed = !addPairs(Given.Found, Machine, 0, C);
    return write(C, JSON, Output, Failed);
  }
  // The files hold both, or an assembler makes it.
  DriverOptions Other = Options;
  Other.Read.LowerToPTX = Other.Read.LowerToSASS = true;
  Route Lowered(std::move(Other));
  std::vector<std::string> Lowerable;
  llvm::copy_if(Inputs, std::back_inserter(Lowerable), [&](StringRef Path) {
    return Options.Via || holdsMachineCode(Path);
  });
  const bool HasRun = Lowerable.empty() || Lowered.run(Lowerable);
  printDiagnostics(Lowered.D.diagnostics());
  if (!HasRun)
    return NotDone;
  const auto FirstInput = unsigned(C.Inputs.size());
  llvm::append_range(C.Inputs, Lowered.Found.Inputs);
  llvm::append_range(C.Diagnostics, Lowered.Found.Diagnostics);
  Failed = Lowered.D.hasErrors();
  const MachineKernels Machine = findMachineKernels(Lowered.Found);
  if (Machine.empty() && !Failed) {
    Failed = true;
    usageError("--compare=ptx,sass: no kernel of the inputs is machine code; "
               "give the cubin, too, that was made of the PTX, or "
               "--via=ptxas, which makes it");
  }
  if (!Failed)
    Failed = !addPairs(Given.Found, Machine, FirstInput, C);
  return write(C, JSON, Output, Failed);
}
