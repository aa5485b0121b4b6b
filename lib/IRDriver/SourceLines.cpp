//===- SourceLines.cpp - Lines of source in a graph -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SourceLines.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;

/// The line in \p Name; 0 if the instruction is not from there.
static unsigned lineIn(const SourceLocation *S, StringRef Name) {
  if (!S)
    return 0;
  while (S->InlinedAt)
    S = S->InlinedAt;
  return llvm::sys::path::filename(S->File) == Name ? S->Line : 0;
}

/// The line in \p Name of the function's head; 0 without debug data.
static unsigned headLine(const llvm::Function *F, StringRef Name) {
  const llvm::DISubprogram *P = F ? F->getSubprogram() : nullptr;
  return P && llvm::sys::path::filename(P->getFilename()) == Name ? P->getLine()
                                                                  : 0;
}

void ptxpredict::useSourceLines(Module &M, StringRef Path,
                                const llvm::Module *IR) {
  StringRef Name = llvm::sys::path::filename(Path);
  for (const auto &G : M.Functions) {
    unsigned First = 0, Last = 0;
    for (Block *B : G->Blocks) {
      unsigned OfBlock = 0;
      for (Instruction *I : B->Instructions) {
        if (unsigned Line = lineIn(I->Source, Name)) {
          Last = Line;
          OfBlock = OfBlock ? OfBlock : Line;
          First = First ? std::min(First, Line) : Line;
        }
        I->Line = Last;
      }
      B->Line = OfBlock ? OfBlock : Last;
    }
    unsigned Head = headLine(IR ? IR->getFunction(G->Name) : nullptr, Name);
    G->Line = Head ? Head : First;
  }
}
