//===- SymbolicValuesPrint.cpp - Values as text ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static void printVariation(uint8_t Varies, raw_ostream &OS) {
  if (!Varies)
    return;
  OS << "  ; varies in";
  StringRef Comma = " ";
  for (auto [Bit, Name] :
       {std::pair(VariesInWarp, "warp"), std::pair(VariesInBlock, "block"),
        std::pair(VariesInGrid, "grid")})
    if (Varies & Bit) {
      OS << Comma << Name;
      Comma = ", ";
    }
}

void SymbolicValues::print(raw_ostream &OS) const {
  OS << (G.IsKernel ? "kernel " : "function ")
     << (Prefix.empty() ? G.Name : StringRef(Prefix).drop_back()) << ": grid "
     << toString(Launch.Grid) << (Launch.GridIsAssumed ? " (assumed)" : "")
     << ", block " << toString(Launch.Block)
     << (Launch.BlockIsAssumed ? " (assumed)" : "") << '\n';
  for (const Block *B : G.Blocks) {
    B->printAsOperand(OS);
    OS << ':';
    if (int C = CF.innermostCycle(B); C >= 0)
      OS << " in " << counter(unsigned(C))->Sym->Name;
    OS << '\n';
    for (const Instruction *I : B->Instructions) {
      for (const Value *D : I->Defs) {
        Ref X = of(D);
        // Numbers that an expression says nothing about.
        if (!X || (X->isSymbol(Symbol::KindTy::Opaque) &&
                   X->Sym->Reason == Symbol::ReasonTy::Float))
          continue;
        OS << "  " << D->Name << '.' << D->Version << " = ";
        X->print(OS);
        printVariation(X->Varies, OS);
        OS << '\n';
      }
      for (const MemoryEffect &M : I->Effects)
        if (M.Space != AddressSpace::Param)
          if (Ref X = of(*I, I->Operands[M.AddressOperand])) {
            OS << "  line " << I->Line << ": " << I->Mnemonic << " at ";
            X->print(OS);
            OS << '\n';
          }
      if (I->Guard && !I->isPseudo()) {
        OS << "  line " << I->Line << ": " << I->Mnemonic << " if ";
        guard(*I)->print(OS);
        OS << '\n';
      }
    }
  }
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions)
      if (const SymbolicValues *V = callee(*I))
        V->print(OS);
}
