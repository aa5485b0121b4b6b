//===- PTXFrontend.cpp - PTX as an input of the driver --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PTXFrontend.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "ptxpredict/Support/TimeReport.h"

using namespace ptxpredict;

namespace {

class PTXInput : public ParsedInput {
public:
  PTXInput(StringRef Text, std::unique_ptr<ptx::AST> Tree,
           std::unique_ptr<Module> M)
      : Text(Text), Tree(std::move(Tree)), M(std::move(M)) {}
  const Module &module() const override { return *M; }
  void print(raw_ostream &OS) const override { ptx::print(*Tree, OS); }
  std::optional<StringRef> ptx(DiagnosticEngine &) const override {
    return Text;
  }

private:
  StringRef Text; ///< of the engine
  std::unique_ptr<ptx::AST> Tree;
  std::unique_ptr<Module> M;
};

class PTXFrontend : public Frontend {
public:
  StringRef name() const override { return "ptx"; }
  bool accepts(StringRef, StringRef) const override { return true; }
  std::unique_ptr<ParsedInput> read(DiagnosticEngine &Diags,
                                    const ReadOptions &) const override {
    StageTimer Timer(Stage::Parse);
    std::unique_ptr<ptx::AST> Tree = ptx::parse(Diags);
    if (Diags.hasErrors())
      return nullptr;
    std::unique_ptr<Module> M = ptx::lowerLazily(*Tree, Diags);
    if (!M || Diags.hasErrors())
      return nullptr;
    return std::make_unique<PTXInput>(Diags.text(), std::move(Tree),
                                      std::move(M));
  }
};

} // namespace

const Frontend &ptxpredict::ptxFrontend() {
  static const PTXFrontend TheFrontend;
  return TheFrontend;
}
