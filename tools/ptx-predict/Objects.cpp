//===- Objects.cpp - ptx-predict objects FILE… ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "OutputFile.h"
#include "Subcommands.h"
#include "ptxpredict/Report/Objects/CodeListing.h"
#include "ptxpredict/Report/Objects/ObjectsReport.h"
#include "ptxpredict/Support/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::tool;

namespace {

/// The options of `ptx-predict objects FILE…`; registered while it lives.
struct ObjectsOptions {
  StringList Inputs{cl::Positional, cl::desc("<file>..."), cl::cat(category())};
  StringOpt Format{"format", cl::init("text"), cl::value_desc("text|json"),
                   cl::cat(category()), cl::desc("Form of the answer")};
  StringOpt Output{"o", cl::init("-"), cl::value_desc("file"),
                   cl::cat(category()),
                   cl::desc("Where the answer goes (default: -, standard "
                            "output)")};
  cl::opt<bool> Verbose{
      "verbose", cl::cat(category()),
      cl::desc("Also lists functions that are called by kernels")};
};

} // namespace

/// Lists the file that \p Diags gets, which lives as long as the result. True
/// on error (reported), of which what could be read is listed all the same.
static bool list(StringRef Path, DiagnosticEngine &Diags, ListedFile &Result) {
  Result.Path = Path.str();
  if (readInputFile(Path, Diags))
    return true;
  Diags.hideLines();
  const StringRef File = Diags.text();
  if (!sass::mayHoldCode(File)) {
    Diags.error(SMLoc(), whatHasNoCode(File, {}));
    return true;
  }
  Result.List = sass::listObjects(File);
  for (const std::string &Why : Result.List.Problems)
    Diags.error(SMLoc(), Why);
  if (Result.List.Entries.empty() && Result.List.Problems.empty())
    Diags.warning(SMLoc(), "there is no GPU code in this file");
  return Diags.hasErrors();
}

int tool::runObjects(ArrayRef<const char *> Arguments) {
  ObjectsOptions O;
  if (std::optional<int> Code = parseArguments(
          Arguments, "Lists the GPU code that files hold: architectures, "
                     "kernels and what a launch of them needs. 'ptx-predict "
                     "--dump=sass' shows their instructions."))
    return *Code;
  enum : unsigned { FormatText, FormatJSON };
  unsigned Form = FormatText;
  if (readChoice("format", O.Format, {"text", "json"}, Form))
    return NotDone;
  if (O.Output.empty()) {
    valueError("o", "a file, or - for standard output", O.Output);
    return NotDone;
  }
  if (O.Inputs.empty())
    return usageError("no input file; try --help");
  if (llvm::is_contained(O.Inputs, ""))
    return usageError("the name of an input file is empty");

  bool Failed = false;
  std::vector<DiagnosticEngine> Engines(O.Inputs.size());
  std::vector<ListedFile> Files;
  std::vector<Diagnostic> Messages;
  for (size_t N = 0; N != O.Inputs.size(); ++N) {
    Failed |= list(O.Inputs[N], Engines[N], Files.emplace_back());
    llvm::append_range(Messages, Engines[N].shown());
  }
  printDiagnostics(Messages);
  llvm::erase_if(Files, [](const ListedFile &F) {
    return F.List.Entries.empty() && F.List.Problems.empty();
  });
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (Form == FormatJSON)
    printObjectsJSON(Files, Messages, OS);
  else
    printObjectsText(Files, O.Verbose, OS);
  if ((Form == FormatJSON || !Files.empty()) && writeResult(O.Output, Text))
    Failed = true;
  return Failed ? NotDone : Done;
}
