//===- ProgramBuilderReasons.cpp - What leaves symbols open ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ProgramBuilder.h"
#include "llvm/ADT/SetVector.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// Whether a symbol stands for what other values make in no simple way.
static bool isDerived(const Symbol &S) {
  switch (S.Reason) {
  case Symbol::ReasonTy::CrossLane:
  case Symbol::ReasonTy::Loop:
  case Symbol::ReasonTy::Merge:
  case Symbol::ReasonTy::TooLarge:
  case Symbol::ReasonTy::Other:
    return true;
  default:
    return false;
  }
}

/// The values that \p S is made from directly, and their context.
ArrayRef<const Value *>
ProgramBuilder::valuesBehind(const Symbol &S, const CallContext *&Owner) const {
  if (!S.From)
    return {};
  // What is too large has no context, but comes from some instruction.
  const InstructionGraph *G = S.From->Parent->Parent;
  Owner = ByValues.lookup(S.Context);
  if (!Owner || &Owner->V->graph() != G)
    Owner = ByGraph.lookup(G);
  if (!Owner)
    return {};
  return S.Reason == Symbol::ReasonTy::TooLarge
             ? ArrayRef<Value *>(S.From->Defs)
             : ArrayRef<Value *>(S.From->Uses);
}

/// What was loaded, or the like, that \p S is made from; null if there is no
/// such thing, or if it is far away.
const Symbol *ProgramBuilder::dataBehind(const Symbol &S) {
  if (auto It = DataBehind.find(&S); It != DataBehind.end())
    return It->second;
  constexpr unsigned Enough = 256; // for cost linear in the code
  llvm::SmallSetVector<const Symbol *, 16> Seen;
  Seen.insert(&S);
  const Symbol *Found = nullptr;
  bool IsWhole = true;
  for (unsigned N = 0; N != Seen.size() && !Found; ++N) {
    const Symbol &Here = *Seen[N];
    auto Look = [&](const Expression *X) {
      if (!X)
        return;
      for (const Expression *E : X->Symbols) {
        const Symbol &Other = *E->Sym;
        if (Other.Kind != Symbol::KindTy::Opaque ||
            Other.Reason == Symbol::ReasonTy::Undefined || Found)
          continue;
        if (!isDerived(Other))
          Found = &Other;
        else if (auto It = DataBehind.find(&Other); It != DataBehind.end())
          Found = It->second;
        else if (Seen.size() < Enough)
          Seen.insert(&Other);
        else
          IsWhole = false;
      }
    };
    const CallContext *Owner = nullptr;
    for (const Value *V : valuesBehind(Here, Owner))
      if (V->Id < Owner->V->graph().Values.size())
        Look(Owner->V->of(V));
      else // a local variable, whose values nobody kept
        IsWhole = false;
  }
  if (!Found && IsWhole)
    for (const Symbol *Other : Seen)
      DataBehind[Other] = nullptr;
  return DataBehind[&S] = Found;
}

/// What leaves a symbol open.
OpenReason ProgramBuilder::reasonOf(const Symbol &S) {
  switch (S.Kind) {
  case Symbol::KindTy::Parameter:
    return OpenReason::Parameter;
  case Symbol::KindTy::Address:
    return OpenReason::Address;
  case Symbol::KindTy::ExitCount: { // of a loop that was looked at before
    const CallContext *Owner = ByValues.lookup(S.Context);
    const Symbol *Open =
        Owner ? Owner->Regions[SymbolicValues::loopOf(S)].Open : nullptr;
    return !Open || Open->Kind == Symbol::KindTy::ExitCount ? OpenReason::Loop
                                                            : reasonOf(*Open);
  }
  default:
    if (const Symbol *Data = isDerived(S) ? dataBehind(S) : nullptr)
      return ptxpredict::reasonOf(Data->Reason);
    return ptxpredict::reasonOf(S.Reason);
  }
}
