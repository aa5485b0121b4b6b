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
#include "llvm/Support/raw_ostream.h"

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
  auto Shows = [&](StringRef Name) {
    const KernelNames Names(Name);
    return Globs.empty() || llvm::any_of(Globs, [&](const OwnedGlob &G) {
             return Names.matches(G);
           });
  };
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  bool Failed = false;
  for (const std::string &Path : Request.Inputs) {
    DiagnosticEngine Diags;
    if (!readInputFile(Path, Diags)) {
      Diags.hideLines();
      const ListingAnswer Answer =
          printCodeListing(Diags.text(), {Architecture, Shows}, OS);
      for (const std::string &Why : Answer.Problems)
        Diags.error(SMLoc(), Why);
      if (Answer.Unknown != 0)
        Diags.note(SMLoc(), Twine(Answer.Unknown) + " of " +
                                Twine(Answer.Instructions) +
                                " instructions are not known: .inst");
      if (Answer.Instructions == 0 && !Diags.hasErrors())
        Diags.error(SMLoc(), "there is no machine code to show in this file; "
                             "'ptx-predict objects' lists what is in it");
    }
    Failed |= Diags.hasErrors();
    printDiagnostics(&Diags);
  }
  if (!Text.empty() && writeResult(Request.Output, Text))
    Failed = true;
  return Failed ? NotDone : Done;
}
