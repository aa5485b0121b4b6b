//===- Fragment.cpp - PTX statements among other code ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/PTX/Fragment.h"
#include "LoweringImpl.h"
#include "ptxpredict/Frontend/PTX/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

struct Fragment::Impl {
  DiagnosticEngine Diags; ///< about a module of one function around the text
  std::unique_ptr<AST> Tree;
  std::unique_ptr<ModuleLowering> Context;
  FunctionMap Functions;
  MnemonicMap Mnemonics;
  std::vector<const ptx::Variable *> Registers;
  const ptx::Block *Statements = nullptr;
};

Fragment::Fragment(std::unique_ptr<Impl> State) : State(std::move(State)) {}
Fragment::~Fragment() = default;

static void printVariable(const graph::Variable &V, raw_ostream &OS) {
  OS << ".extern ." << toString(V.Space) << " .align " << V.Align << " .b8 "
     << V.Name << '[';
  if (V.Bytes != 0)
    OS << V.Bytes;
  OS << "]; ";
}

static void printParameters(const InstructionGraph &Head, bool Returns,
                            raw_ostream &OS) {
  llvm::ListSeparator LS;
  OS << '(';
  for (const Parameter &P : Head.Parameters)
    if (P.IsReturn == Returns)
      OS << LS << ".param .align " << P.Align << " .b8 _[" << P.Bytes << ']';
  OS << ')';
}

/// What stands before the text, all in one line.
static void printAround(const FragmentNames &Names, raw_ostream &OS) {
  OS << ".version 9.0 .target sm_90 .address_size 64 ";
  for (const graph::Variable *V : Names.Variables)
    printVariable(*V, OS);
  for (const InstructionGraph *F : Names.Functions) {
    OS << ".extern .func ";
    printParameters(*F, /*Returns=*/true, OS);
    OS << ' ' << F->Name;
    printParameters(*F, /*Returns=*/false, OS);
    OS << "; ";
  }
  OS << ".func fragment() { ";
  for (const FragmentNames::Register &R : Names.Registers)
    OS << ".reg ." << toString(R.Type) << ' ' << R.Name << "; ";
  OS << "{\n";
}

static llvm::Error firstError(const DiagnosticEngine &Diags) {
  for (const Diagnostic &D : Diags.diagnostics())
    if (D.Level == Severity::Error)
      return llvm::createStringError(Twine(D.Line - 1) + ":" + Twine(D.Column) +
                                     ": " + D.Message);
  return llvm::createStringError("1:1: not PTX");
}

llvm::Expected<std::unique_ptr<Fragment>>
Fragment::parse(StringRef Text, const FragmentNames &Names, Module &M) {
  std::string Whole;
  llvm::raw_string_ostream OS(Whole);
  printAround(Names, OS);
  OS << Text << "\n} }\n";

  // The graph's strings point into it. The saver ends it with a NUL.
  StringRef Kept = llvm::StringSaver(M.Allocator).save(StringRef(Whole));
  auto State = std::make_unique<Impl>();
  State->Diags.setBuffer(llvm::MemoryBuffer::getMemBuffer(Kept));
  State->Tree = ptx::parse(State->Diags);
  if (State->Diags.hasErrors())
    return firstError(State->Diags);

  // A text that closes the braces around it may have made anything of them.
  const AST &Tree = *State->Tree;
  size_t NumItems = 4 + Names.Variables.size() + Names.Functions.size();
  size_t NumRegisters = Names.Registers.size();
  const auto *F = dyn_cast<ptx::Function>(Tree.Items.back());
  if (Tree.Items.size() != NumItems || !F || !F->Body ||
      F->Body->Statements.size() != NumRegisters + 1)
    return llvm::createStringError("1:1: its braces do not match");
  for (const Node *N : F->Body->Statements.take_front(NumRegisters))
    State->Registers.push_back(cast<Declaration>(N)->Variables.front());
  State->Statements = cast<ptx::Block>(F->Body->Statements.back());

  State->Context = std::make_unique<ModuleLowering>(Tree, M, State->Diags);
  for (size_t N = 0; N != Names.Variables.size(); ++N)
    State->Context->setVariable(
        *cast<Declaration>(Tree.Items[3 + N])->Variables.front(),
        Names.Variables[N]);
  for (const InstructionGraph *Head : Names.Functions)
    if (Head->Parent)
      State->Functions[Head->Name] = Head;
  return std::unique_ptr<Fragment>(new Fragment(std::move(State)));
}

bool Fragment::lower(GraphBuilder &B, ArrayRef<unsigned> Registers,
                     const FragmentLocation &At) {
  return FunctionLowering(*State->Context, B, State->Functions,
                          State->Mnemonics)
      .lowerAmongOthers(*State->Statements, State->Registers, Registers, At);
}
