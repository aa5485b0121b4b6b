//===- Printer.cpp - The syntax tree as PTX -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

using Kind = ptx::Operand::KindTy;

namespace {
class Printer {
public:
  explicit Printer(raw_ostream &OS) : OS(OS) {}
  void module(const AST &Module);
  void operand(const ptx::Operand &O);

private:
  void operands(ArrayRef<ptx::Operand> List);
  void indent() { OS.indent(2 * Level); }
  void node(const Node &N);
  void block(const ptx::Block &B);
  void function(const Function &F);
  void head(const ptx::Variable &V);
  void declarator(const ptx::Variable &V);
  void declaration(const Declaration &D);
  void parameters(ArrayRef<ptx::Variable *> List);
  void clause(const Clause &C);
  void instruction(const ptx::Instruction &I);
  void loc(const Loc &L);
  void section(const Section &S);
  void strings(ArrayRef<StringRef> List);
  void links(uint8_t Links);

  raw_ostream &OS;
  unsigned Level = 0;
};
} // namespace

void Printer::operands(ArrayRef<ptx::Operand> List) {
  for (const ptx::Operand &O : List) {
    if (&O != List.begin())
      OS << ", ";
    operand(O);
  }
}

// One flat switch: how each kind of operand is written.
void Printer::operand(const ptx::Operand &O) {
  switch (O.Kind) {
  case Kind::Name:
  case Kind::Integer:
  case Kind::Float:
  case Kind::String:
  case Kind::Directive:
    OS << O.text();
    break;
  case Kind::Sink:
    OS << '_';
    break;
  case Kind::Not:
    OS << '!';
    operand(O.child());
    break;
  case Kind::Pair:
    operand(O.child(0));
    OS << '|';
    operand(O.child(1));
    break;
  case Kind::Vector:
    OS << '{';
    operands(O.children());
    OS << '}';
    break;
  case Kind::List:
  case Kind::Paren:
    OS << '(';
    operands(O.children());
    OS << ')';
    break;
  case Kind::Address:
    OS << '[';
    operands(O.children());
    OS << ']';
    break;
  case Kind::Element:
    operand(O.child(0));
    OS << '[';
    operand(O.child(1));
    OS << ']';
    break;
  case Kind::Unary:
    OS << toString(O.Op);
    // `- -1` must not become `--1`.
    if (O.child().is(Kind::Unary))
      OS << ' ';
    operand(O.child());
    break;
  case Kind::Binary: {
    // A sum of many terms leans to the left; no recursion for its length.
    SmallVector<const ptx::Operand *, 8> Chain;
    const ptx::Operand *Left = &O;
    for (; Left->is(Kind::Binary); Left = &Left->child())
      Chain.push_back(Left);
    operand(*Left);
    for (; !Chain.empty(); Chain.pop_back()) {
      // `5 %3` would have a register.
      StringRef Op = toString(Chain.back()->Op);
      OS << (Op == "%" ? StringRef(" % ") : Op);
      operand(Chain.back()->child(1));
    }
    break;
  }
  case Kind::Select:
    operand(O.child(0));
    OS << " ? ";
    operand(O.child(1));
    OS << " : ";
    operand(O.child(2));
    break;
  case Kind::Cast:
    OS << "(." << toString(O.CastType) << ") ";
    operand(O.child());
    break;
  case Kind::Call:
    OS << O.text() << '(';
    operands(O.children());
    OS << ')';
    break;
  case Kind::Assign:
    OS << O.text() << " = ";
    operand(O.child());
    break;
  }
}

void Printer::strings(ArrayRef<StringRef> List) {
  for (const StringRef &S : List) {
    if (&S != List.begin())
      OS << ", ";
    OS << S;
  }
}

void Printer::links(uint8_t Links) {
  if (Links & LinkageVisible)
    OS << ".visible ";
  if (Links & LinkageExtern)
    OS << ".extern ";
  if (Links & LinkageWeak)
    OS << ".weak ";
  if (Links & LinkageCommon)
    OS << ".common ";
}

void Printer::clause(const Clause &C) {
  OS << C.Name;
  if (C.Parenthesised)
    OS << '(';
  else if (!C.Arguments.empty())
    OS << ' ';
  operands(C.Arguments);
  if (C.Parenthesised)
    OS << ')';
  if (C.Name == ".pragma")
    OS << ';';
}

static const char *spaceDirective(AddressSpace Space) {
  switch (Space) {
  case AddressSpace::Global:
    return " .global";
  case AddressSpace::Shared:
    return " .shared";
  case AddressSpace::Local:
    return " .local";
  case AddressSpace::Const:
    return " .const";
  case AddressSpace::Param:
    return " .param";
  default:
    return "";
  }
}

/// The specifiers, in the one order that ptxas takes.
void Printer::head(const ptx::Variable &V) {
  OS << V.SpaceText;
  for (const Clause &C : V.Attributes) {
    OS << ' ';
    clause(C);
  }
  if (V.Alignment != 0)
    OS << " .align " << V.Alignment;
  if (V.Vector != 1)
    OS << " .v" << unsigned(V.Vector);
  OS << " ." << toString(V.Type);
  if (V.IsPointer) {
    OS << " .ptr" << spaceDirective(V.PointeeSpace);
    if (V.PointeeAlignment != 0)
      OS << " .align " << V.PointeeAlignment;
  }
  OS << ' ';
}

void Printer::declarator(const ptx::Variable &V) {
  OS << V.Name;
  if (V.IsRange)
    OS << '<' << V.RangeCount << '>';
  for (const ptx::Operand &D : V.Dimensions) {
    OS << '[';
    if (!D.is(Kind::Sink))
      operand(D);
    OS << ']';
  }
  if (V.Initializer) {
    OS << " = ";
    operand(*V.Initializer);
  }
}

void Printer::declaration(const Declaration &D) {
  links(D.Links);
  head(*D.Variables.front());
  for (const ptx::Variable *V : D.Variables) {
    if (V != D.Variables.front())
      OS << ", ";
    declarator(*V);
  }
  OS << ";\n";
}

void Printer::parameters(ArrayRef<ptx::Variable *> List) {
  OS << '(';
  for (const ptx::Variable *V : List) {
    if (V != List.front())
      OS << ", ";
    head(*V);
    declarator(*V);
  }
  OS << ')';
}

void Printer::instruction(const ptx::Instruction &I) {
  if (I.Guard) {
    OS << '@';
    operand(*I.Guard);
    OS << ' ';
  }
  OS << I.Op->Text;
  if (!I.Operands.empty())
    OS << ' ';
  operands(I.Operands);
  OS << ";\n";
}

void Printer::loc(const Loc &L) {
  OS << ".loc " << L.FileIndex << ' ' << L.SourceLine << ' ' << L.Column;
  if (L.IsInlined) {
    OS << ", function_name ";
    operand(*L.FunctionName);
    OS << ", inlined_at " << L.InlinedFile << ' ' << L.InlinedLine << ' '
       << L.InlinedColumn;
  }
  OS << '\n';
}

void Printer::section(const Section &S) {
  OS << ".section " << S.Name << " {\n";
  for (const SectionItem &I : S.Items) {
    if (I.IsLabel)
      OS << I.Text << ":\n";
    else
      OS << "  ." << toString(I.Type) << ' ' << I.Text << '\n';
  }
  OS << "}\n";
}

void Printer::block(const ptx::Block &B) {
  OS << "{\n";
  ++Level;
  for (const Node *N : B.Statements)
    node(*N);
  --Level;
  indent();
  OS << "}\n";
}

void Printer::function(const Function &F) {
  links(F.Links);
  OS << (F.IsEntry ? ".entry " : ".func ");
  for (const Clause &C : F.Attributes) {
    clause(C);
    OS << ' ';
  }
  if (F.HasReturns) {
    parameters(F.Returns);
    OS << ' ';
  }
  OS << F.Name;
  if (F.HasParameters)
    parameters(F.Parameters);
  for (const Clause &C : F.Clauses) {
    OS << ' ';
    clause(C);
  }
  if (!F.Body) {
    OS << ";\n";
    return;
  }
  OS << ' ';
  block(*F.Body);
}

// One flat switch: how each kind of node is written.
void Printer::node(const Node &N) {
  if (const auto *L = dyn_cast<Label>(&N)) {
    OS << L->Name << ":\n";
    return;
  }
  indent();
  switch (N.Kind) {
  case Node::KindTy::Variable:
  case Node::KindTy::Label:
    break;
  case Node::KindTy::Function:
    return function(cast<Function>(N));
  case Node::KindTy::Alias: {
    const auto &A = cast<Alias>(N);
    OS << ".alias " << A.Name << ", " << A.Aliasee->text() << ";\n";
    break;
  }
  case Node::KindTy::Version:
    OS << ".version " << cast<Version>(N).Text << '\n';
    break;
  case Node::KindTy::Target:
    OS << ".target ";
    strings(cast<Target>(N).Options);
    OS << '\n';
    break;
  case Node::KindTy::AddressSize:
    OS << ".address_size " << cast<AddressSize>(N).Bits << '\n';
    break;
  case Node::KindTy::Pragma:
    OS << ".pragma ";
    strings(cast<Pragma>(N).Strings);
    OS << ";\n";
    break;
  case Node::KindTy::File: {
    const auto &F = cast<File>(N);
    OS << ".file " << F.Index << ' ' << F.Path;
    if (F.HasStamp)
      OS << ", " << F.Timestamp << ", " << F.Size;
    OS << '\n';
    break;
  }
  case Node::KindTy::Loc:
    return loc(cast<Loc>(N));
  case Node::KindTy::Section:
    return section(cast<Section>(N));
  case Node::KindTy::Declaration:
    return declaration(cast<Declaration>(N));
  case Node::KindTy::Block:
    return block(cast<ptx::Block>(N));
  case Node::KindTy::Instruction:
    return instruction(cast<ptx::Instruction>(N));
  case Node::KindTy::Targets: {
    const auto &T = cast<Targets>(N);
    OS << (T.IsCall ? ".calltargets " : ".branchtargets ");
    operands(T.Names);
    OS << ";\n";
    break;
  }
  case Node::KindTy::Prototype: {
    const auto &P = cast<Prototype>(N);
    OS << ".callprototype ";
    if (P.HasReturns) {
      parameters(P.Returns);
      OS << ' ';
    }
    OS << P.Name;
    if (P.HasParameters) {
      OS << ' ';
      parameters(P.Parameters);
    }
    for (const Clause &C : P.Clauses) {
      OS << ' ';
      clause(C);
    }
    OS << ";\n";
    break;
  }
  case Node::KindTy::Dwarf:
    OS << cast<Dwarf>(N).Text << '\n';
    break;
  }
}

void Printer::module(const AST &Module) {
  for (const Node *N : Module.Items)
    node(*N);
}

void ptx::print(const AST &Module, raw_ostream &OS) {
  Printer(OS).module(Module);
}

void ptx::print(const ptx::Operand &O, raw_ostream &OS) {
  Printer(OS).operand(O);
}
