//===- Container.cpp - Files of machine code as inputs of the fuzzer ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Driver/Inputs/EmbeddedCode.h"
#include "ptxpredict/Report/Objects/CodeListing.h"
#include "ptxpredict/Report/Objects/ObjectsReport.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

bool fuzz::runContainer(StringRef Text) {
  if (!sass::mayHoldCode(Text))
    return false;
  std::vector<ListedFile> Files(1);
  Files[0] = {"input", sass::listObjects(Text)};
  bool Any = false;
  for (const sass::ListedEntry &E : Files[0].List.Entries) {
    check(E.Entry.Offset <= Text.size() &&
              E.Entry.Stored.size() <= Text.size() - E.Entry.Offset,
          "an entry ends behind the file");
    Any |= E.Code.has_value();
    if (!E.Code || E.Entry.Packed != sass::Compression::None)
      continue;
    for (const sass::CubinFunction &F : E.Code->Functions)
      check(F.CodeBytes == 0 ||
                (F.Offset <= E.Entry.Stored.size() &&
                 F.CodeBytes <= E.Entry.Stored.size() - F.Offset),
            "code ends behind its cubin");
  }
  std::string Shown;
  llvm::raw_string_ostream OS(Shown);
  printObjectsText(Files, /*All=*/true, OS);
  Shown.clear();
  printObjectsJSON(Files, {}, OS);
  Expected<llvm::json::Value> Value = llvm::json::parse(Shown);
  if (!Value)
    check(false, "the list is no JSON: " + toString(Value.takeError()));
  for (const bool PrefersMachineCode : {false, true})
    (void)findEmbeddedCode(Text, "input", {90, PrefersMachineCode});
  Shown.clear();
  const ListingAnswer Listed = printCodeListing(
      {"input", Text}, {0, "", [](StringRef) { return true; }}, OS);
  check(Listed.Unknown <= Listed.Instructions, "more is unknown than there is");
  return Any;
}
