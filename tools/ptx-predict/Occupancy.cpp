//===- Occupancy.cpp - ptx-predict occupancy ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CodeOptions.h"
#include "OutputFile.h"
#include "Subcommands.h"
#include "ptxpredict/Driver/Pipeline/Driver.h"
#include "ptxpredict/Report/Occupancy/OccupancyReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict occupancy`; registered while it lives.
struct OccupancyOptions {
  StringList Inputs{cl::Positional, cl::desc("[<file>...]"),
                    cl::cat(category())};
  StringOpt Block{"block", cl::value_desc("x[,y[,z]]"), cl::cat(category()),
                  cl::desc("Threads of a block")};
  StringOpt Registers{"registers", cl::value_desc("number"),
                      cl::cat(category()),
                      cl::desc("Exact registers of a thread (default: the "
                               "kernel's, estimated; without a file 32)")};
  StringOpt Shared{"shared", cl::value_desc("bytes"), cl::cat(category()),
                   cl::desc("Shared memory of a block (default: the kernel's; "
                            "without a file 0)")};
  StringOpt DynamicShared{"dynamic-smem", cl::value_desc("bytes"),
                          cl::cat(category()),
                          cl::desc("Dynamic shared memory of a block (default: "
                                   "launch file, else 0)")};
  StringOpt Cluster{"cluster", cl::value_desc("x[,y[,z]]"), cl::cat(category()),
                    cl::desc("Blocks of a cluster (default: launch file, "
                             ".reqnctapercluster, else 1)")};
  StringList Devices{
      "device", cl::value_desc("name"), cl::cat(category()),
      cl::desc("Device, or 'all' (default: the representative of the input's "
               ".target, without a file h100-sxm; repeatable)")};
  StringList DeviceFiles{"device-file", cl::value_desc("file.yaml"),
                         cl::cat(category()),
                         cl::desc("Adds a device, for --device (repeatable)")};
  CodeOptions Code;
  StringList Kernels{"kernel", cl::value_desc("glob"), cl::cat(category()),
                     cl::desc("Kernels of the files, by mangled or demangled "
                              "name (default: all; repeatable)")};
  StringOpt Launch{"launch", cl::value_desc("file.yaml"), cl::cat(category()),
                   cl::desc("Launch file")};
  StringOpt PtxasInfo{"ptxas-info", cl::value_desc("log"), cl::cat(category()),
                      cl::desc("Output of 'ptxas -v', for exact registers")};
  StringOpt Via{"via", cl::value_desc("auto|ptxas[=path]"), cl::cat(category()),
                cl::desc("Asks your ptxas for exact registers (default path: "
                         "that on PATH or in $CUDA_HOME/bin); auto: only near "
                         "a step of the occupancy")};
  StringOpt Format{"format", cl::init("text"), cl::value_desc("text|json"),
                   cl::cat(category()), cl::desc("Form of the answer")};
  StringOpt Output{"o", cl::init("-"), cl::value_desc("file"),
                   cl::cat(category()),
                   cl::desc("Where the answer goes (default: -, standard "
                            "output)")};
  cl::opt<bool> Verbose{
      "verbose", cl::cat(category()),
      cl::desc(
          "Prints a screen for each kernel and device in place of a line")};
};

/// As many as leave an SM of 64 Ki registers and 2048 threads full.
constexpr unsigned DefaultRegisters = 32;

} // namespace

/// Checks the values and moves them over. True on error (reported).
static bool convert(OccupancyOptions &O, DriverOptions &Result,
                    std::optional<uint64_t> &Shared) {
  LaunchSpec &Launch = Result.Launch;
  if (readShape(O.Block, LaunchShape::Block, Launch.Block) ||
      readPositive(O.Registers, Result.Registers) ||
      readBytes(O.Shared, Shared) ||
      readBytes(O.DynamicShared, Launch.DynamicSharedBytes) ||
      readShape(O.Cluster, LaunchShape::Cluster, Launch.Cluster) ||
      readNames(O.Devices, "a name that 'ptx-predict devices' lists, or all",
                Result.Devices) ||
      readNames(O.DeviceFiles, "a file", Result.DeviceFiles) ||
      readNames(O.Kernels, "a glob", Result.KernelGlobs) ||
      readPath(O.Launch, Result.LaunchFilePath) ||
      readPath(O.PtxasInfo, Result.PtxasInfoPath) || readVia(O.Via, Result.Via))
    return true;
  if (readOneOf({&O.Registers, &O.PtxasInfo, &O.Via}) ||
      O.Code.read(O.Inputs, Result.Read))
    return true;
  auto Wrong = [](const Twine &Message) { return usageError(Message) != Done; };
  if (!O.Inputs.empty())
    return llvm::is_contained(O.Inputs, "")
               ? Wrong("the name of an input file is empty")
           : Shared ? Wrong("--shared is for a block without a file; "
                            "--dynamic-smem adds to what a kernel declares")
                    : false;
  auto OfFile = [&](const cl::Option &Option) {
    return Option.getNumOccurrences() != 0 &&
           Wrong("--" + Option.ArgStr + " needs a file with a kernel");
  };
  if (OfFile(O.Kernels) || OfFile(O.Launch) || OfFile(O.PtxasInfo) ||
      OfFile(O.Via) || OfFile(O.Code.Lower) || OfFile(O.Code.Compiler))
    return true;
  return !Launch.Block &&
         Wrong("neither a file nor --block is given; try --help");
}

/// One result a device, of the numbers that were given.
static std::vector<OccupancyResult>
ofNumbers(Driver &D, const DriverOptions &Options, uint64_t Shared) {
  OccupancyResult R;
  R.Block = *Options.Launch.Block;
  R.Cluster = Options.Launch.Cluster.value_or(Dim3());
  R.StaticSharedBytes = Shared;
  R.DynamicSharedBytes = Options.Launch.DynamicSharedBytes.value_or(0);
  std::vector<const Device *> Devices = D.devices();
  if (Devices.empty()) {
    Expected<const Device *> Default = D.findDevice(representativeDevice(0));
    Devices.push_back(llvm::cantFail(std::move(Default)));
    R.Assumptions.push_back({AssumptionKind::Device, "", Devices.front()->Name,
                             /*IsNumber=*/false, /*Line=*/0, "--device=NAME"});
  }
  R.Registers = Estimate::known(Options.Registers.value_or(DefaultRegisters));
  if (!Options.Registers) {
    R.Registers.Status = Status::Assumed;
    R.Assumptions.push_back({AssumptionKind::Registers, "",
                             std::to_string(DefaultRegisters),
                             /*IsNumber=*/true, /*Line=*/0, "--registers=N"});
  }
  std::vector<OccupancyResult> Results;
  for (const Device *Dev : Devices) {
    if (Dev->IsCPU)
      continue;
    Results.push_back(R);
    Results.back().D = Dev;
    Results.back().evaluate();
  }
  return Results;
}

/// What occupancy rests on, of all that a prediction does.
static bool matters(const Assumption &A) {
  return A.Kind == AssumptionKind::Device || A.Kind == AssumptionKind::Block;
}

/// One result for each kernel and device.
static std::vector<OccupancyResult> ofKernels(Driver &D, const Report &Report) {
  std::vector<OccupancyResult> Results;
  for (const KernelReport &K : Report.Kernels) {
    const KernelCharacteristics &C = *K.Characteristics;
    OccupancyResult R;
    R.Name = C.Name;
    R.Demangled = C.Demangled;
    R.Path = Report.Inputs[K.Input].Path;
    R.Line = C.Line;
    R.Block = C.Launch.Block;
    R.Cluster = C.Launch.Cluster;
    R.StaticSharedBytes = C.Resources.StaticSharedBytes;
    R.DynamicSharedBytes = C.Launch.DynamicSharedBytes;
    R.Barriers = C.Resources.Barriers;
    llvm::copy_if(C.Assumptions, std::back_inserter(R.Assumptions), matters);
    for (const Prediction &P : K.Predictions) {
      const Device *Dev = llvm::cantFail(D.findDevice(P.Device));
      if (Dev->IsCPU)
        continue;
      Results.push_back(R);
      Results.back().D = Dev;
      Results.back().Registers = P.Registers;
      Results.back().Refusal = P.Refusal;
      Results.back().Notes = P.LaunchNotes;
      Results.back().evaluate();
    }
  }
  return Results;
}

int tool::runOccupancy(ArrayRef<const char *> Arguments) {
  OccupancyOptions O;
  if (std::optional<int> Code = parseArguments(
          Arguments,
          "Computes how many blocks an SM holds, for a given block or for the "
          "kernels in PTX files, and what would change that."))
    return *Code;

  DriverOptions Options;
  std::optional<uint64_t> Shared;
  enum : unsigned { FormatText, FormatJSON };
  unsigned Form = FormatText;
  if (convert(O, Options, Shared) ||
      readChoice("format", O.Format, {"text", "json"}, Form))
    return NotDone;
  if (O.Output.empty()) {
    valueError("o", "a file, or - for standard output", O.Output);
    return NotDone;
  }

  Driver D(Options);
  if (!D.prepare()) {
    printDiagnostics(D.diagnostics());
    return NotDone;
  }
  for (const Device *Dev : D.devices())
    if (Dev->IsCPU && !llvm::is_contained(Options.Devices, "all") &&
        !Options.Devices.empty()) {
      usageError(Dev->Name + " is a CPU: only GPUs have an occupancy");
      return NotDone;
    }
  std::vector<OccupancyResult> Results;
  std::vector<Diagnostic> Diagnostics;
  if (O.Inputs.empty()) {
    Results = ofNumbers(D, Options, Shared.value_or(0));
  } else {
    (void)D.readAll(O.Inputs);
    Report R = D.run();
    if (D.hasUsageErrors()) {
      printDiagnostics(D.diagnostics());
      return NotDone;
    }
    Results = ofKernels(D, R);
    Diagnostics = std::move(R.Diagnostics);
  }

  std::string Text;
  llvm::raw_string_ostream OS(Text);
  bool Colors = useColors(O.Output);
  OS.enable_colors(Colors);
  if (Form == FormatJSON)
    printOccupancyJSON(Results, Diagnostics, OS);
  else
    printOccupancyText(Results, OS, O.Verbose, Colors);

  printDiagnostics(D.diagnostics());
  // Nothing at all to say leaves a former answer in its file.
  bool WriteFailed =
      (!Text.empty() || !D.hasErrors()) && writeResult(O.Output, Text);
  return WriteFailed || D.hasErrors() ? NotDone : Done;
}
