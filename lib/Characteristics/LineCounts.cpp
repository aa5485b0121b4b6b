//===- LineCounts.cpp - What each line of the code executes ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Characteristics/LineCounts.h"
#include "ptxpredict/Characteristics/SourcePlaces.h"
#include "ptxpredict/Graph/Module.h"

using namespace ptxpredict;

std::vector<LineCount> ptxpredict::countLines(const InstructionGraph &Kernel,
                                              const KernelCharacteristics &K) {
  std::vector<LineCount> Lines;
  // The blocks of a function follow each other as they do in its graph.
  auto Next = K.Blocks.begin();
  while (Next != K.Blocks.end()) {
    const InstructionGraph *G = Next->Function.empty()
                                    ? &Kernel
                                    : Kernel.Parent->function(Next->Function);
    if (!G || size_t(K.Blocks.end() - Next) < G->Blocks.size() ||
        G->Blocks.empty())
      break;
    SourcePlaces Places;
    for (const Block *B : G->Blocks) {
      double Frequency = (Next++)->Frequency.Value;
      for (const Instruction *I : B->Instructions) {
        if (I->isPseudo())
          continue;
        const SourceLocation *At = Places.locate(*I);
        StringRef File = At ? At->File : StringRef();
        unsigned SourceLine = At ? At->Line : 0;
        if (Lines.empty() || Lines.back().Line != I->Line ||
            Lines.back().SourceLine != SourceLine || Lines.back().File != File)
          Lines.push_back({I->Line, 0, File.str(), SourceLine});
        Lines.back().Executed += Frequency;
      }
    }
  }
  return Lines;
}
