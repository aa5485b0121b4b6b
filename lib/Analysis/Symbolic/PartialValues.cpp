//===- PartialValues.cpp - Values of a function as they are found ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PartialValues.h"
#include "ptxpredict/ISA/PTXOpcode.h"

using namespace ptxpredict;
using Ref = const Expression *;

PartialValues::PartialValues(SymbolicValues &Result,
                             std::shared_ptr<Mem2Reg> Slots,
                             bool CallerHasLocals)
    : Out(Result), MayHaveLocals(Slots || CallerHasLocals),
      LeaveMemos(Result.CF.cycles().size()) {
  Out.Slots = std::move(Slots);
  Out.ByValue.resize(Out.G.Values.size() +
                     (Out.Slots ? Out.Slots->numValues() : 0));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

Ref PartialValues::leave(Ref Inside, unsigned Cycle) const {
  auto With = [&](Ref S) {
    auto It = ExitForms.find(S);
    return It == ExitForms.end() ? Out.symbolOutside(S, Cycle) : It->second;
  };
  return Out.E.substitute(Inside, With, LeaveMemos[Cycle]);
}

Ref PartialValues::read(const Value *V, const Block *B) const {
  return Out.readIn(V, B, [this](Ref X, unsigned C) { return leave(X, C); });
}

Ref PartialValues::guard(const Instruction &I) const {
  if (!I.Guard)
    return Out.E.boolean(true);
  Ref P = read(I.Guard, I.Parent);
  return I.GuardNegated ? Out.E.bitNot(P) : P;
}

Ref PartialValues::condition(const Block &B) const {
  const Instruction *T = B.terminator();
  if (!T || !T->Guard || B.Successors.size() != 2 ||
      ptx::Opcode(T->Opcode) != ptx::Opcode::Bra)
    return nullptr;
  return guard(*T);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void PartialValues::define(const Operand &O, Ref X, bool Signed) {
  if (O.Kind != Operand::KindTy::Register || !X)
    return;
  unsigned Width = bitWidth(O.Val->Type);
  if (Width > 64 || (Width == 1) != (X->Width == 1))
    return;
  set(O.Val, Out.E.resize(X, Width, Signed));
}

Symbol PartialValues::symbolFor(const Value &V, Symbol::ReasonTy Reason,
                                uint8_t Varies) const {
  Symbol S;
  S.Reason = Reason;
  S.Varies = Varies;
  S.Name = Out.Prefix;
  S.Name.append(V.Name.data(), V.Name.size());
  S.Name += '.';
  S.Name += std::to_string(V.Version);
  S.From = V.Def;
  S.Context = &Out;
  S.Cycle = V.Def ? Out.CF.innermostCycle(V.Def->Parent) : -1;
  S.Number = V.Id;
  return S;
}

Ref PartialValues::opaque(const Value &V, Symbol::ReasonTy Reason,
                          uint8_t Varies, ValueBounds Bounds) const {
  unsigned Width = bitWidth(V.Type);
  if (Width > 64)
    return nullptr;
  Symbol S = symbolFor(V, Reason, Varies);
  S.Min = Bounds.Min;
  S.Max = std::min(Bounds.Max, Out.G.Registers[V.Register].Max);
  return Out.E.symbol(Width, std::move(S));
}

void PartialValues::setOpaque(const Instruction &I, Symbol::ReasonTy Reason,
                              uint8_t Varies, ArrayRef<ValueBounds> Bounds) {
  for (auto [N, D] : llvm::enumerate(I.Defs))
    if (!get(D))
      set(D, opaque(*D, Reason, Varies,
                    Bounds.empty() ? ValueBounds() : Bounds[N]));
}

void PartialValues::leaveLoop(unsigned Cycle, uint8_t ExitVaries,
                              std::optional<uint64_t> ExitCount) {
  Out.ExitVaries[Cycle] = ExitVaries;
  Out.ExitCounts[Cycle] = ExitCount;
  LeaveMemos[Cycle].clear();
}

void PartialValues::substitute(ArrayRef<unsigned> Ids,
                               llvm::function_ref<Ref(Ref)> With) {
  Expressions::Memo Memo(Out.E.size());
  for (unsigned Id : Ids)
    Out.ByValue[Id] = Out.E.substitute(Out.ByValue[Id], With, Memo);
  SmallVector<SymbolicValues *, 8> Work;
  for (auto &Call : Out.Calls)
    if (Out.CF.innermostCycle(Call.first->Parent) >= 0)
      Work.push_back(Call.second.get());
  while (!Work.empty()) {
    SymbolicValues *V = Work.pop_back_val();
    for (Ref &X : V->ByValue)
      if (X)
        X = Out.E.substitute(X, With, Memo);
    for (auto &Call : V->Calls) // their arguments are from here
      Work.push_back(Call.second.get());
  }
}

//===----------------------------------------------------------------------===//
// Callees
//===----------------------------------------------------------------------===//

SymbolicValues &PartialValues::addCallee(const Instruction &Call) {
  const InstructionGraph &F = *Call.callee();
  std::string Prefix =
      Out.Prefix + F.Name.str() + "@" + std::to_string(Call.Line) + ".";
  std::unique_ptr<SymbolicValues> &Callee = Out.Calls[&Call];
  Callee.reset(new SymbolicValues(F, F.analysis<ControlFlow>(), Out.Launch,
                                  Out.E, std::move(Prefix)));
  Callee->Contents = Out.Contents;
  return *Callee;
}

void PartialValues::noteContexts(const Instruction &Call) {
  const SymbolicValues &Callee = *Out.Calls.find(&Call)->second;
  int Cycle = Out.CF.innermostCycle(Call.Parent);
  Out.CycleOfContext[&Callee] = Cycle;
  for (const auto &Inner : Callee.CycleOfContext)
    Out.CycleOfContext[Inner.first] = Cycle;
}
