//===- Validate.cpp - ptx-predict validate --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "OutputFile.h"
#include "PowerModelOption.h"
#include "ProgressLine.h"
#include "Subcommands.h"
#include "ptxpredict/Report/Accuracy/AccuracyReport.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/PrintableText.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict validate`; registered while it lives.
struct ValidationOptions {
  StringList Inputs{cl::Positional,
                    cl::desc("<dataset.yaml|profile.csv|code>..."),
                    cl::cat(category())};
  StringOpt Data{
      "data", cl::value_desc("folder"), cl::cat(category()),
      cl::desc("Folder of the CSV files that are not beside their dataset")};
  StringOpt Device{"device", cl::value_desc("name"), cl::cat(category()),
                   cl::desc("What a profile was measured on (default: as the "
                            "profile says)")};
  StringOpt Launch{"launch", cl::value_desc("file.yaml"), cl::cat(category()),
                   cl::desc("Launch file with what a profile does not say: "
                            "arguments, buffers, trip counts")};
  StringOpt Code{"code", cl::value_desc("folder"), cl::cat(category()),
                 cl::desc("Folder of the code that is not beside its dataset")};
  StringList Models{"model", cl::value_desc("name"), cl::cat(category()),
                    cl::desc("Model, or 'all' (default: all; repeatable)")};
  StringList DeviceFiles{"device-file", cl::value_desc("file.yaml"),
                         cl::cat(category()),
                         cl::desc("Device file, which replaces the device of "
                                  "the same name (repeatable)")};
  StringList Only{"only", cl::value_desc("name"), cl::cat(category()),
                  cl::desc("Kernels, by their names in the datasets (default: "
                           "all; repeatable)")};
  cl::opt<bool> List{"list", cl::cat(category()),
                     cl::desc("Only prints the files of code that are needed, "
                              "and whether they are there")};
  StringOpt Format{"format", cl::init("text"),
                   cl::value_desc("text|csv|json|markdown|html"),
                   cl::cat(category()), cl::desc("Form of the report")};
  StringOpt Worst{"worst", cl::value_desc("number"), cl::cat(category()),
                  cl::desc("Lists this many rows that each model predicts "
                           "worst (default: 20 with --verbose and as JSON)")};
  cl::opt<bool> Sets{"sets", cl::cat(category()),
                     cl::desc("Shows each configuration set")};
  StringOpt Jobs{"j", cl::Prefix, cl::value_desc("number"), cl::cat(category()),
                 cl::desc("Threads that analyse (default: one per core)")};
  StringOpt Output{"o", cl::init("-"), cl::value_desc("file"),
                   cl::cat(category()),
                   cl::desc("Where the report goes (default: -, standard "
                            "output)")};
  StringOpt CountersAt{
      "counters-at", cl::value_desc("core,memory"), cl::cat(category()),
      cl::desc("MHz: what the dataset counted of a kernel at these clocks "
               "stands in place of estimates in all of its rows")};
  PowerModelOption PowerModel;
  cl::opt<bool> Published{"published", cl::cat(category()),
                          cl::desc("Models as published, without additions")};
  StringList Without{
      "without", cl::value_desc("name"), cl::cat(category()),
      cl::desc("Part that model bottleneck leaves out: a "
               "resource, such as dram, or waves, cache-hits, ... "
               "(repeatable)")};
  cl::opt<bool> Ablation{"ablation", cl::cat(category()),
                         cl::desc("Shows how far off bottleneck is without "
                                  "each of its parts")};
  StringOpt Refit{"refit", cl::init("none"),
                  cl::value_desc("kernel|device|kernel-and-device|none"),
                  cl::cat(category()),
                  cl::desc("Predicts each kernel, each device, or each "
                           "kernel on each device with bottleneck's "
                           "parameters fitted to the others")};
  cl::opt<bool> Quiet{"quiet", cl::cat(category()),
                      cl::desc("One line per dataset and model")};
  cl::opt<bool> Verbose{"verbose", cl::cat(category()),
                        cl::desc("Each kernel on each device, counts, every "
                                 "term")};
};

enum ValidationFormat : unsigned {
  ValidationText,
  ValidationCSV,
  ValidationJSON,
  ValidationMarkdown,
  ValidationHTML
};
constexpr StringRef ValidationFormatNames[] = {"text", "csv", "json",
                                               "markdown", "html"};

/// By RefitBy.
const StringRef RefitNames[] = {
    toString(RefitBy::None), toString(RefitBy::Kernel),
    toString(RefitBy::Device), toString(RefitBy::KernelAndDevice)};

/// Rows that a verbose report lists of each model.
constexpr unsigned DefaultWorst = 20;

} // namespace

/// Datasets and, where there are some, profiles and their code, by the names of
/// the files. True on error (reported).
static bool sortInputs(const ValidationOptions &O, ValidateOptions &Result) {
  std::vector<std::string> Paths;
  if (readNames(O.Inputs, "a file", Paths) ||
      readPath(O.Launch, Result.LaunchFile))
    return true;
  if (Paths.empty())
    return usageError("no dataset; try --help") != Done;
  const bool HasDevice = O.Device.getNumOccurrences() != 0;
  if (HasDevice && O.Device.empty())
    return valueError("device", "a device's name", O.Device);
  Result.Device = O.Device;
  if (llvm::none_of(Paths, isProfilePath)) {
    Result.Datasets = std::move(Paths);
    if (HasDevice || !Result.LaunchFile.empty())
      return usageError("--device and --launch are of profiles, whose names "
                        "end with .csv") != Done;
    return false;
  }
  for (std::string &Path : Paths) {
    const StringRef Name = Path;
    if (isProfilePath(Name))
      Result.Profiles.push_back(std::move(Path));
    else if (Name.ends_with_insensitive(".yaml") ||
             Name.ends_with_insensitive(".yml"))
      Result.Datasets.push_back(std::move(Path));
    else
      Result.Code.push_back(std::move(Path));
  }
  return false;
}

/// Checks the values and moves them over. True on error (reported).
static bool convert(const ValidationOptions &O, ValidateOptions &Result,
                    AccuracyViewOptions &View) {
  std::optional<unsigned> Jobs, Worst;
  if (readPath(O.Data, Result.DataFolder) ||
      readPath(O.Code, Result.CodeFolder) || sortInputs(O, Result) ||
      readNames(O.Models, "a model's name, or all", Result.Models) ||
      readNames(O.DeviceFiles, "a file", Result.DeviceFiles) ||
      readNames(O.Only, "a kernel's name", Result.Only) ||
      readPositive(O.Jobs, Jobs) || readPositive(O.Worst, Worst))
    return true;
  auto Wrong = [](const Twine &Message) { return usageError(Message) != Done; };
  if (O.Quiet && O.Verbose)
    return Wrong("--quiet and --verbose exclude each other");
  if (O.Output.empty())
    return valueError("o", "a file, or - for standard output", O.Output);
  if (O.CountersAt.getNumOccurrences() != 0) {
    auto [Core, Memory] = StringRef(O.CountersAt).split(',');
    const std::optional<double> C = parseNumber(Core), M = parseNumber(Memory);
    if (!C || !M || *C <= 0 || *M <= 0)
      return valueError("counters-at", "CORE,MEMORY in MHz above 0",
                        O.CountersAt);
    Result.CountersAt = ClocksMHz{*C, *M};
  }
  std::vector<std::string> Without;
  unsigned Refit = 0;
  if (readNames(O.Without, "a part's name", Without) ||
      readChoice("refit", O.Refit, RefitNames, Refit))
    return true;
  for (StringRef Name : Without) {
    std::optional<BottleneckPart> Part = findBottleneckPart(Name);
    if (!Part)
      return Wrong("--without: bottleneck has no part '" + Name + "'" +
                   meantOrListed(Name, bottleneckPartNames()));
    Result.Model.Without.add(*Part);
  }
  Result.Refit = RefitBy(Refit);
  Result.Ablation = O.Ablation;
  Result.Jobs = Jobs.value_or(0);
  Result.Model.Published = O.Published;
  if (O.PowerModel.read(Result.Model))
    return true;
  View.Quiet = O.Quiet;
  View.Verbose = O.Verbose;
  View.Sets = O.Sets;
  View.Worst = Worst.value_or(O.Verbose ? DefaultWorst : 0);
  return false;
}

static void printNeeded(ArrayRef<NeededCode> Files, raw_ostream &OS) {
  for (const NeededCode &F : Files)
    OS << (F.Exists ? "there    " : "missing  ") << printable(F.Path) << "  "
       << F.Rows << (F.Rows == 1 ? " row" : " rows")
       << (F.Requires.empty() ? "" : "  " + F.Requires) << '\n';
}

int tool::runValidate(ArrayRef<const char *> Arguments) {
  ValidationOptions O;
  if (std::optional<int> Code = parseArguments(
          Arguments, "Predicts what was measured on GPUs, by every model, and "
                     "says how far off the predictions are."))
    return *Code;

  ValidateOptions Options;
  AccuracyViewOptions View;
  unsigned Format = ValidationText;
  if (convert(O, Options, View) ||
      readChoice("format", O.Format, ValidationFormatNames, Format))
    return NotDone;
  if (Format == ValidationJSON && O.Worst.getNumOccurrences() == 0)
    View.Worst = DefaultWorst;
  Options.KeepTerms = Format == ValidationCSV && View.Verbose;

  Validator V(std::move(Options));
  if (!V.prepare()) {
    printDiagnostics(V.diagnostics());
    return NotDone;
  }
  if (O.List) {
    printDiagnostics(V.diagnostics());
    std::vector<NeededCode> Files = V.neededCode();
    return writeResult(O.Output,
                       [&](raw_ostream &OS) {
                         printNeeded(Files, OS);
                         return std::error_code();
                       })
               ? NotDone
               : Done;
  }

  ProgressLine Progress(O.Quiet);
  ValidationReport R = V.run([&](size_t NumDone, size_t All) {
    Progress.update("validate", NumDone, All, "launches");
  });
  Progress.clear();
  printDiagnostics(V.diagnostics());

  std::vector<StringRef> Terms;
  for (const Model *M : V.models())
    for (StringRef Term : M->termNames())
      if (!llvm::is_contained(Terms, Term))
        Terms.push_back(Term);
  bool WriteFailed = writeResult(O.Output, [&](raw_ostream &OS) {
    switch (Format) {
    case ValidationCSV:
      printAccuracyCSV(R, View, Terms, OS);
      break;
    case ValidationJSON:
      printAccuracyJSON(R, View, OS);
      break;
    case ValidationMarkdown:
      printAccuracyMarkdown(R, View, OS);
      break;
    case ValidationHTML:
      printAccuracyHTML(R, View, OS);
      break;
    default:
      printAccuracyText(R, View, OS);
    }
    return std::error_code();
  });
  return WriteFailed || V.hasErrors() ? NotDone : Done;
}
