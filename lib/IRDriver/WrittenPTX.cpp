//===- WrittenPTX.cpp - PTX that a compiler wrote for an input ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WrittenPTX.h"
#include "SourceLines.h"
#include "ptxpredict/Frontend/LLVMIR/LLVMIR.h"
#include "ptxpredict/Frontend/PTX/Lower.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace ptxpredict;

namespace {

class WrittenPTX : public ParsedInput {
public:
  const Module &module() const override { return *M; }
  void print(raw_ostream &OS) const override { OS << Own.text(); }
  std::optional<StringRef> ptx(DiagnosticEngine &) const override {
    return Own.text();
  }

  DiagnosticEngine Own; ///< holds the text
  std::unique_ptr<Module> M;
};

} // namespace

std::unique_ptr<ParsedInput>
ptxpredict::readWrittenPTX(StringRef Text, bool IsCompiled,
                           const llvm::Module *From, DiagnosticEngine &Diags) {
  auto In = std::make_unique<WrittenPTX>();
  In->Own.setBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(Text, "the PTX of " + Diags.path()));
  if (std::unique_ptr<ptx::AST> Tree = ptx::parse(In->Own);
      Tree && !In->Own.hasErrors())
    In->M = ptx::lower(*Tree, In->Own);
  for (const Diagnostic &D : In->Own.diagnostics())
    Diags.add(D);
  if (!In->M || In->Own.hasErrors())
    return nullptr;
  if (From)
    llvmir::copySourceNames(*From, *In->M);
  if (IsCompiled)
    useSourceLines(*In->M, Diags.path(), From);
  return In;
}
