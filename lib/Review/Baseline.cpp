//===- Baseline.cpp - Findings that are there already ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Review/Baseline.h"
#include "ptxpredict/Support/JSONText.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
namespace json = llvm::json;

bool ptxpredict::readBaseline(DiagnosticEngine &Diags,
                              llvm::StringSet<> &Fingerprints) {
  constexpr StringRef HowToGoOn =
      "; 'ptx-predict lint --write-baseline=FILE' writes one";
  std::optional<json::Value> V = parseJSON(Diags);
  if (!V)
    return true;
  const json::Object *O = V->getAsObject();
  if (!O || O->getString("schema") != BaselineSchemaName) {
    Diags.error(SMLoc(), "not a baseline" + HowToGoOn);
    return true;
  }
  if (O->getInteger("version") != int64_t(BaselineSchemaVersion)) {
    Diags.error(SMLoc(),
                "a baseline of another version of the form" + HowToGoOn);
    return true;
  }
  const json::Array *All = O->getArray("findings");
  if (!All) {
    Diags.error(SMLoc(), "the baseline has no array 'findings'" + HowToGoOn);
    return true;
  }
  for (size_t I = 0; I != All->size(); ++I) {
    const json::Object *F = (*All)[I].getAsObject();
    std::optional<StringRef> Print =
        F ? F->getString("fingerprint") : std::nullopt;
    if (Print)
      Fingerprints.insert(*Print);
    else
      Diags.error(SMLoc(),
                  "finding " + Twine(I) + " has no text 'fingerprint'");
  }
  return Diags.hasErrors();
}

void ptxpredict::printBaseline(const LintResult &R, raw_ostream &OS) {
  std::vector<std::string> Lines;
  for (const LintFinding &F : R.Findings) {
    if (F.State == FindingState::Suppressed)
      continue;
    std::string Text;
    llvm::raw_string_ostream(Text) << json::Value(
        json::Object{{"fingerprint", F.Fingerprint},
                     {"id", F.Found.Id},
                     {"kernel", json::fixUTF8(F.Found.Kernel)},
                     {"path", json::fixUTF8(F.Found.Where.Path)}});
    Lines.push_back(printableJSON(Text));
  }
  llvm::sort(Lines);
  OS << "{\"schema\": \"" << BaselineSchemaName
     << "\", \"version\": " << BaselineSchemaVersion << ", \"findings\": [";
  StringRef Between = "\n";
  for (StringRef Line : Lines) {
    OS << Between << Line;
    Between = ",\n";
  }
  OS << "\n]}\n";
}
