//===- Printer.cpp - The graph as text and as DOT -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/Dependence.h"
#include "ptxpredict/Graph/Module.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

static void print(const Value *V, raw_ostream &OS) {
  OS << V->Name << '.' << V->Version;
  if (!V->Def && !V->IsArgument)
    OS << "(undefined)";
}

static void print(const Operand &O, raw_ostream &OS) {
  using Kind = Operand::KindTy;
  if (O.Negated)
    OS << (O.Kind == Kind::Register && O.Type != ScalarType::Pred ? '-' : '!');
  switch (O.Kind) {
  case Kind::Sink:
    OS << '_';
    return;
  case Kind::Register:
    print(O.Val, OS);
    return;
  case Kind::Integer:
    OS << O.integer();
    return;
  case Kind::Float32:
    OS << llvm::format("0f%08X", unsigned(O.Bits));
    return;
  case Kind::Float64:
    OS << llvm::format("0d%016llX", (unsigned long long)O.Bits);
    return;
  case Kind::Variable:
    OS << O.Var->Name;
    return;
  case Kind::Parameter:
    OS << O.Param->Name;
    return;
  case Kind::Function:
  case Kind::Special:
  case Kind::Symbol:
    OS << O.Name;
    return;
  case Kind::Target:
    O.Dest->printAsOperand(OS);
    return;
  case Kind::Address:
  case Kind::Vector:
  case Kind::List: {
    StringRef Brackets = O.Kind == Kind::Address  ? "[]"
                         : O.Kind == Kind::Vector ? "{}"
                                                  : "()";
    OS << Brackets[0];
    bool First = true;
    for (const Operand &E : O.Elements) {
      if (!First)
        OS << ", ";
      print(E, OS);
      if (First && O.Kind == Kind::Address && O.Bits != 0)
        OS << (O.integer() < 0 ? "" : "+") << O.integer();
      First = false;
    }
    OS << Brackets[1];
    return;
  }
  }
}

void Block::printAsOperand(raw_ostream &OS, bool) const {
  if (Label.empty())
    OS << "block " << Number;
  else
    OS << Label;
}

void Instruction::print(raw_ostream &OS) const {
  OS << '#' << Id << ' ';
  for (size_t D = 0; D != Defs.size(); ++D) {
    OS << (D ? ", " : "");
    ::print(Defs[D], OS);
  }
  if (!Defs.empty())
    OS << " = ";
  if (isPhi()) {
    OS << "phi";
    for (size_t P = 0; P != Uses.size(); ++P) {
      OS << (P ? ", [" : " [");
      ::print(Uses[P], OS);
      OS << ", ";
      Parent->Predecessors[P]->printAsOperand(OS);
      OS << ']';
    }
    return;
  }
  if (isSelect()) {
    OS << "select " << (GuardNegated ? "!" : "");
    for (size_t U = 0; U != 3; ++U) {
      OS << (U ? ", " : "");
      ::print(Uses[U], OS);
    }
    return;
  }
  if (Guard) {
    OS << '@' << (GuardNegated ? "!" : "");
    ::print(Guard, OS);
    OS << ' ';
  }
  OS << Mnemonic;
  bool First = true;
  for (const Operand &O : Operands) {
    // What is written stands on the left already.
    if (O.Role == OperandRole::Write &&
        (O.Kind == Operand::KindTy::Register ||
         O.Kind == Operand::KindTy::Vector || O.Kind == Operand::KindTy::Sink))
      continue;
    OS << (First ? " " : ", ");
    First = false;
    if (O.Role == OperandRole::ReadWrite && O.In)
      ::print(O.In, OS);
    else
      ::print(O, OS);
  }
}

static void printHeader(const InstructionGraph &G, raw_ostream &OS) {
  OS << (G.IsKernel ? "kernel " : "function ") << G.Name << '(';
  llvm::ListSeparator LS;
  for (const Parameter &P : G.Parameters) {
    OS << LS << toString(P.Type) << ' ' << P.Name;
    if (!P.SourceName.empty())
      OS << '=' << P.SourceName;
  }
  SmallVector<StringRef, 4> Returned;
  for (const FormalRegister &F : G.FormalRegisters) {
    const VirtualRegister &R = G.Registers[F.Register];
    if (F.IsReturn)
      Returned.push_back(R.Name);
    else
      OS << LS << toString(R.Type) << ' ' << R.Name;
  }
  OS << ')';
  if (!Returned.empty())
    OS << " -> " << llvm::join(Returned, ", ");
  OS << " line " << G.Line << '\n';
}

void InstructionGraph::print(raw_ostream &OS) const {
  printHeader(*this, OS);
  DependenceEdges Edges(*this);
  for (const Block *B : Blocks) {
    B->printAsOperand(OS);
    OS << ": line " << B->Line;
    for (size_t S = 0; S != B->Successors.size(); ++S) {
      OS << (S ? ", " : " -> ");
      B->Successors[S]->printAsOperand(OS);
    }
    OS << '\n';
    for (const Instruction *I : B->Instructions) {
      OS << "  ";
      I->print(OS);
      if (!I->isPseudo()) {
        OS << "  ; " << toString(I->Class) << " line " << I->Line;
        if (I->IsUnknown)
          OS << " unknown opcode";
        for (const Dependence &D : Edges.of(*I))
          if (D.Kind != DependenceKind::Register)
            OS << ", " << toString(D.Kind) << " #" << D.On->Id;
      }
      OS << '\n';
    }
  }
  if (NumDroppedInstructions != 0)
    OS << "; unreachable instructions left out: " << NumDroppedInstructions
       << '\n';
}

/// Prints \p Text between quotation marks, each of its lines left-justified.
static void printDOTString(raw_ostream &OS, StringRef Text) {
  OS << '"';
  for (char C : Text)
    if (C == '\n')
      OS << "\\l";
    else if (C == '"' || C == '\\')
      OS << '\\' << C;
    else
      OS << C;
  OS << '"';
}

void InstructionGraph::printDOT(raw_ostream &OS) const {
  OS << "digraph ";
  printDOTString(OS, Name);
  OS << " {\n";
  OS << "  node [shape=box, fontname=monospace];\n";
  for (const Block *B : Blocks) {
    std::string Text;
    llvm::raw_string_ostream TS(Text);
    B->printAsOperand(TS);
    TS << ":\n";
    for (const Instruction *I : B->Instructions) {
      I->print(TS);
      TS << '\n';
    }
    OS << "  b" << B->Number << " [label=";
    printDOTString(OS, Text);
    OS << "];\n";
    for (size_t S = 0; S != B->Successors.size(); ++S) {
      OS << "  b" << B->Number << " -> b" << B->Successors[S]->Number;
      if (B->Successors.size() == 2)
        OS << " [label=\"" << (S == 0 ? "taken" : "falls") << "\"]";
      OS << ";\n";
    }
  }
  OS << "}\n";
}

void Module::print(raw_ostream &OS) const {
  OS << "module " << toString(Frontend) << ' ' << ISAVersion << ' ' << Target
     << '\n';
  for (const Variable *V : Variables)
    OS << "variable " << toString(V->Space) << ' ' << toString(V->Type) << ' '
       << V->Name << " bytes " << V->Bytes << " align " << V->Align << '\n';
  for (const auto &F : Functions) {
    HeldBodies Held(*F);
    OS << '\n';
    if (!Held.failed())
      F->print(OS);
  }
}

void Module::printDOT(raw_ostream &OS) const {
  for (const auto &F : Functions) {
    HeldBodies Held(*F);
    if (!Held.failed())
      F->printDOT(OS);
  }
}
