//===- MachineFormsPrint.cpp - Forms as text ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DumpRecords.h"
#include "ptxpredict/Analysis/Dump/AnalysisDumps.h"
#include "ptxpredict/Codegen/MachineCode.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

void ptxpredict::printForms(const SymbolicValues &V,
                            const StaticProfile &Counts,
                            const LaunchConfig &Launch, raw_ostream &OS) {
  printFunctions(V, Counts, Launch, OS, [&](const CountedFunction &F) {
    MachineCode Code(F.graph(), F.first().controlFlow());
    std::vector<unsigned> Meets(F.graph().Blocks.size());
    for (unsigned B : Code.convergence())
      ++Meets[B];
    for (const Block *B : F.graph().Blocks) {
      Estimate Runs = perWarp(F.Counts->Blocks[B->Number].Runs, Launch);
      {
        DumpRecord R(OS, "block");
        R.field("line", B->Line).field("runs", Runs);
        if (Meets[B->Number])
          R.field("meets", Meets[B->Number]);
      }
      for (const Instruction *I : B->Instructions) {
        if (I->isPseudo())
          continue;
        const InstructionForm &Of = Code.form(*I);
        DumpRecord R(OS, "form");
        R.field("line", I->Line).field("opcode", I->Mnemonic);
        R.field("is", toString(Of.Form));
        if (Of.IsUniform)
          R.field("uniform", "yes");
        if (Of.ExtraConstants)
          R.field("constants", Of.ExtraConstants);
        if (Of.Moves)
          R.field("moves", Of.Moves);
        if (Of.Compares)
          R.field("compares", Of.Compares);
        if (Of.Joined > 1)
          R.field("joined", Of.Joined);
        if (Of.MACs)
          R.field("macs", Of.MACs);
      }
    }
  });
}
