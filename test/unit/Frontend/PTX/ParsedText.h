//===- ParsedText.h - A snippet and its tree for tests ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_FRONTEND_PTX_PARSEDTEXT_H
#define PTXPREDICT_TEST_UNIT_FRONTEND_PTX_PARSEDTEXT_H

#include "ptxpredict/Frontend/PTX/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace ptxpredict::ptx {

/// A parsed text that keeps its buffer.
struct ParsedText {
  std::unique_ptr<DiagnosticEngine> Diags;
  std::unique_ptr<AST> Tree;

  explicit ParsedText(const Twine &Text)
      : Diags(std::make_unique<DiagnosticEngine>(
            llvm::MemoryBuffer::getMemBufferCopy(Text.str(), "t.ptx"))),
        Tree(parse(*Diags)) {}

  /// All messages as `LINE:COLUMN: TEXT`, one a line.
  std::string messages() const {
    std::string Out;
    for (const Diagnostic &D : Diags->diagnostics())
      Out += (Twine(D.Line) + ":" + Twine(D.Column) + ": " + toString(D.Level) +
              ": " + D.Message + "\n")
                 .str();
    return Out;
  }
  std::string printed() const {
    std::string Out;
    llvm::raw_string_ostream OS(Out);
    print(*Tree, OS);
    return Out;
  }
};

/// A module around \p Items.
inline std::string inModule(const Twine &Items) {
  return (".version 8.7\n.target sm_90a\n.address_size 64\n" + Items).str();
}

/// A kernel with registers of every kind around \p Body, which starts at line
/// 10.
inline std::string inKernel(const Twine &Body) {
  return inModule(".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
                  ".reg .pred %p<8>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n"
                  ".reg .f32 %f<8>; .reg .f64 %fd<8>; .reg .b16 %h<8>;\n" +
                  Body + "\n}\n");
}

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_TEST_UNIT_FRONTEND_PTX_PARSEDTEXT_H
