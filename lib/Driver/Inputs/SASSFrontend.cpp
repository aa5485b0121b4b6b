//===- SASSFrontend.cpp - Machine code as an input ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SASSFrontend.h"
#include "ptxpredict/Frontend/SASS/Cubin.h"
#include "ptxpredict/Frontend/SASS/Lift.h"
#include "ptxpredict/Support/TimeReport.h"

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
    std::unique_ptr<Module> M = sass::lift(Diags);
    return M ? makeLoweredInput(std::move(M)) : nullptr;
  }
};

} // namespace

const Frontend &ptxpredict::sassFrontend() {
  static const SASSFrontend TheFrontend;
  return TheFrontend;
}
