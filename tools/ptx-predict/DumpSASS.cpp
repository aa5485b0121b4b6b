//===- DumpSASS.cpp - --dump=sass -----------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DumpSASS.h"
#include "CommandLine.h"
#include "OutputFile.h"
#include "ptxpredict/Report/Objects/CodeListing.h"
#include "ptxpredict/Support/InputFile.h"
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/OwnedGlob.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace ptxpredict;
using namespace ptxpredict::tool;

/// 90 of "sm_90" and "sm_90a"; 0 of anything else.
static unsigned architectureOf(StringRef Text) {
  unsigned Number = 0;
  if (!Text.consume_front("sm_") || Text.consumeInteger(10, Number) ||
      !(Text.empty() || Text == "a" || Text == "f"))
    return 0;
  return Number;
}

/// The functions whose names were asked about.
using AskedNames = std::set<std::string>;

/// What the answer lacks. \p Asked: the functions of which \p Globs choose.
static void addMessages(const ListingAnswer &Answer, const AskedNames &Asked,
                        ArrayRef<std::string> Globs, DiagnosticEngine &Diags) {
  for (const std::string &Why : Answer.Problems)
    Diags.error(SMLoc(), Why);
  if (Answer.Unknown != 0)
    Diags.note(SMLoc(), Twine(Answer.Unknown) + " of " +
                            Twine(Answer.Instructions) +
                            " instructions are not known: .inst");
  if (Answer.Kept != 0)
    Diags.note(SMLoc(), Twine(Answer.Kept) + " of " +
                            Twine(Answer.Instructions) +
                            " instructions have bits that are not understood; "
                            "--format=json has them");
  if (!Answer.Hidden.empty())
    Diags.note(SMLoc(), Answer.Hidden);
  if (Answer.Instructions != 0 || Diags.hasErrors())
    return;
  if (!Answer.WhyNothing.empty())
    return Diags.error(SMLoc(), Answer.WhyNothing);
  std::vector<KernelNames> Names(Asked.begin(), Asked.end());
  for (const std::string &Glob : Globs)
    Diags.error(SMLoc(), noKernelMatches(Glob, Names));
  if (Globs.empty())
    Diags.error(SMLoc(), "no function in it");
}

int tool::dumpSASS(const SASSRequest &Request) {
  const unsigned Architecture = architectureOf(Request.Architecture);
  if (!Request.Architecture.empty() && Architecture == 0) {
    valueError("arch", "an architecture such as sm_90", Request.Architecture);
    return NotDone;
  }
  std::vector<OwnedGlob> Globs;
  for (const std::string &Text : Request.Globs) {
    Expected<OwnedGlob> Glob = OwnedGlob::create(Text);
    if (!Glob)
      return usageError("--kernel: " + llvm::toString(Glob.takeError()));
    Globs.push_back(std::move(*Glob));
  }
  AskedNames Asked;
  auto Shows = [&](StringRef Name) {
    if (Globs.empty())
      return true;
    Asked.insert(Name.str());
    const KernelNames Names(Name);
    return llvm::any_of(Globs,
                        [&](const OwnedGlob &G) { return Names.matches(G); });
  };
  if (Request.Output.empty()) {
    valueError("o", "a file, or - for standard output", Request.Output);
    return NotDone;
  }
  StringRef Target = Request.Architecture; // where that says more
  if (Target.empty() || llvm::isDigit(Target.back()))
    Target = "";
  const ListingRequest Wanted = {Architecture, Target, Shows};
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  std::vector<DiagnosticEngine> Engines(Request.Inputs.size());
  std::vector<ListedCode> Files;
  std::vector<DiagnosticEngine *> OfFiles;
  for (auto [Path, Diags] : llvm::zip(Request.Inputs, Engines)) {
    if (readInputFile(Path, Diags))
      continue;
    Diags.hideLines();
    Files.push_back({Path, Diags.text()});
    OfFiles.push_back(&Diags);
  }
  auto Messages = [&](ArrayRef<ListingAnswer> Answers) {
    for (auto [Answer, Diags] : llvm::zip(Answers, OfFiles))
      addMessages(Answer, Asked, Request.Globs, *Diags);
    std::vector<Diagnostic> All;
    for (const DiagnosticEngine &Diags : Engines)
      llvm::append_range(All, Diags.shown());
    return All;
  };
  std::vector<Diagnostic> Shown;
  if (Request.AsJSON) {
    printCodeJSON(
        Files, Wanted,
        [&](ArrayRef<ListingAnswer> Answers) {
          return Shown = Messages(Answers);
        },
        OS);
  } else {
    std::vector<ListingAnswer> Answers;
    Answers.reserve(Files.size());
    for (const ListedCode &File : Files)
      Answers.push_back(printCodeListing(File, Wanted, OS));
    Shown = Messages(Answers);
  }
  printDiagnostics(Shown);
  bool Failed = llvm::any_of(
      Engines, [](const DiagnosticEngine &D) { return D.hasErrors(); });
  if (!Text.empty() && writeResult(Request.Output, Text))
    Failed = true;
  return Failed ? NotDone : Done;
}
