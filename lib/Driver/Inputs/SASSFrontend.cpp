//===- SASSFrontend.cpp - Machine code as an input ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SASSFrontend.h"
#include "ptxpredict/Frontend/SASS/Cubin.h"
#include "ptxpredict/Frontend/SASS/Lift.h"
#include "ptxpredict/Report/Objects/CodeListing.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

namespace {

class SASSFrontend : public Frontend {
public:
  StringRef name() const override { return toString(FrontendKind::SASS); }
  bool accepts(StringRef, StringRef Text) const override {
    return sass::isCubin(Text);
  }
  std::unique_ptr<ParsedInput> read(DiagnosticEngine &Diags,
                                    const ReadOptions &) const override {
    StageTimer Timer(Stage::Parse);
    Diags.setListing([&Diags] {
      std::string Text;
      llvm::raw_string_ostream OS(Text);
      ListingRequest All;
      All.Shows = [](StringRef) { return true; };
      (void)printCodeListing({Diags.path(), Diags.text()}, All, OS);
      return Text;
    });
    std::unique_ptr<Module> M = sass::lift(Diags);
    return M ? makeLoweredInput(std::move(M)) : nullptr;
  }
};

} // namespace

const Frontend &ptxpredict::sassFrontend() {
  static const SASSFrontend TheFrontend;
  return TheFrontend;
}
