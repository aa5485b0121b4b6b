//===- ValueBuilder.cpp - How values become expressions -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ValueBuilder.h"

using namespace ptxpredict;
using Ref = const Expression *;

static std::shared_ptr<Mem2Reg> slotsOf(const SymbolicValues &V,
                                        const CallSite *Site) {
  if (Site)
    return Site->Slots;
  return Mem2Reg::appliesTo(V.graph())
             ? std::make_shared<Mem2Reg>(V.graph(), V.controlFlow())
             : nullptr;
}

/// A kernel's arguments are the same in all lanes; those of a call are if the
/// caller knows it.
static bool areArgumentsUniform(const InstructionGraph &G,
                                const CallSite *Site) {
  if (!Site)
    return G.IsKernel;
  return llvm::all_of(Site->Arguments, [](ArrayRef<ParameterPiece> Pieces) {
    return llvm::all_of(Pieces, [](const ParameterPiece &P) {
      return P.E && P.E->isUniform();
    });
  });
}

ValueBuilder::ValueBuilder(SymbolicValues &Result, CallTree &AllCalls,
                           const CallSite *From)
    : Tree(AllCalls), Site(From),
      Values(Result, slotsOf(Result, From),
             From ? From->Caller.mayHaveLocals() : !Result.graph().IsKernel),
      Variation(Values, areArgumentsUniform(Result.graph(), From)),
      Calls(Values, AllCalls, From), Locals(Values, Calls),
      Instructions(Values, Calls, Locals), Phis(Values, Variation),
      Loops(Values, Phis, Variation) {}

/// What registers hold that nothing in the function writes before.
void ValueBuilder::findEntryValues() {
  for (const Value *V : Values.graph().Values) {
    if (V->Def)
      continue;
    Ref X = Calls.argument(*V);
    Values.set(V, X ? X
                    : Values.opaque(*V,
                                    V->IsArgument ? Symbol::ReasonTy::Argument
                                                  : Symbol::ReasonTy::Undefined,
                                    VariesEverywhere));
  }
}

void ValueBuilder::visit(const Block &B) {
  const ControlFlow &CF = Values.controlFlow();
  int C = CF.innermostCycle(&B);
  bool IsHeader = C >= 0 && CF.cycles()[unsigned(C)].Header == &B;
  Instructions.startBlock();
  std::optional<GateTree> Gates;
  auto Merge = [&](const Instruction &Phi) {
    if (!Gates)
      Gates = Phis.gates(B);
    Phis.merge(Phi, *Gates);
  };
  if (IsHeader)
    Loops.open(B);
  else if (Values.slots())
    for (const Instruction *Phi : Values.slots()->phis(&B))
      Merge(*Phi);
  for (const Instruction *I : B.Instructions) {
    if (!I->isPhi())
      Instructions.translate(*I);
    else if (!IsHeader)
      Merge(*I);
    if (C >= 0)
      Loops.noteValues(*I);
  }
  Loops.endBlock(B);
}

std::vector<LocalWrite> ValueBuilder::run() {
  Tree.Stack.push_back(&Values.graph());
  findEntryValues();
  for (const Block *B : Values.controlFlow().reversePostOrder())
    visit(*B);
  Loops.resolve();
  std::vector<LocalWrite> Writes;
  if (Site && Site->Caller.mayHaveLocals())
    Writes = Locals.writesOutside();
  Values.finish();
  Tree.Stack.pop_back();
  return Writes;
}
