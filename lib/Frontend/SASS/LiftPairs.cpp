//===- LiftPairs.cpp - Values of 64 bits in the graph ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;
using Kind = Operand::KindTy;

Operand FunctionLift::read(const RegisterHalf &H) {
  switch (H.Kind) {
  case RegisterHalf::Number:
    return number(H.Bits);
  case RegisterHalf::Bank:
    return word(H.Bank0, H.Bits, ScalarType::B32);
  case RegisterHalf::Register:
    break;
  }
  if (auto It = Names.find(H.Val); It != Names.end()) {
    Operand O;
    O.Kind = Kind::Register;
    O.Type = ScalarType::B32;
    O.RegisterIndex = It->second;
    return O;
  }
  if (!H.Val->Def && !H.Val->IsArgument)
    return number(0);
  return registerOperand(H.Val->Register);
}

void FunctionLift::emitPair(PairNode &N, const Instruction *At) {
  if (!N.IsNeeded || N.Kind == PairNode::Number || N.Kind == PairNode::Constant)
    return;
  if (N.Kind == PairNode::Whole) {
    // The instruction has written it.
    const Operand Low = registerOperand(N.Low.Val->Register),
                  High = registerOperand(N.High.Val->Register);
    emit("mov.b64", {vector({Low, High}), wideOf(&N)});
    return;
  }
  const Operand To = wideOf(&N);
  constexpr auto Wide = ScalarType::B64;
  auto Term = [&](PairNode *P, bool Negates) {
    Operand O = wideOf(P);
    if (!Negates)
      return O;
    return isNumber(O) ? number(0 - O.Bits, Wide)
                       : compute("neg.s64", Wide, {O});
  };
  auto Emit = [&](const Twine &Mnemonic, ArrayRef<Operand> Operands) {
    if (At && Pairs->sumOf(*At) == &N)
      emitMain(Mnemonic, Operands);
    else
      emit(Mnemonic, Operands);
  };
  switch (N.Kind) {
  case PairNode::Sum: {
    SmallVector<std::pair<Operand, bool>, 3> Terms;
    for (auto [P, Negates] :
         {std::pair(N.A, N.NegatesA), std::pair(N.B, N.NegatesB),
          std::pair(N.C, N.NegatesC)})
      if (P)
        Terms.emplace_back(wideOf(P), Negates);
    // One that is added comes first.
    llvm::stable_sort(Terms, [](const auto &X, const auto &Y) {
      return X.second < Y.second;
    });
    if (Terms.empty()) {
      Emit("mov.b64", {To, number(0, Wide)});
      break;
    }
    Operand Sum = Terms[0].first;
    if (Terms[0].second)
      Sum = Term(N.A ? N.A : N.B, true);
    if (Terms.size() == 1) {
      Emit("mov.b64", {To, Sum});
      break;
    }
    for (size_t T = 1; T != Terms.size(); ++T) {
      const bool IsLast = T + 1 == Terms.size();
      const StringRef Mnemonic = Terms[T].second ? "sub.s64" : "add.s64";
      if (IsLast)
        Emit(Mnemonic, {To, Sum, Terms[T].first});
      else
        Sum = compute(Mnemonic, Wide, {Sum, Terms[T].first});
    }
    break;
  }
  case PairNode::Scaled: {
    Operand A = wideOf(N.A);
    A = isNumber(A) ? number(A.Bits << N.Shift, Wide)
                    : compute("shl.b64", Wide, {A, number(N.Shift)});
    Emit(N.NegatesB ? "sub.s64" : "add.s64", {To, A, wideOf(N.B)});
    break;
  }
  case PairNode::ShiftLeft:
    emit("shl.b64", {To, wideOf(N.A), number(N.Shift)});
    break;
  case PairNode::ShiftRight:
    emit("shr.u64", {To, wideOf(N.A), number(N.Shift)});
    break;
  case PairNode::ShiftRightSigned:
    emit("shr.s64", {To, wideOf(N.A), number(N.Shift)});
    break;
  case PairNode::SignExtended:
    emit("cvt.s64.s32", {To, read(N.Low)});
    break;
  case PairNode::ZeroExtended:
    emit("cvt.u64.u32", {To, read(N.Low)});
    break;
  case PairNode::Phi:
    if (!N.Merged)
      N.Merged = temporary(Wide).RegisterIndex;
    {
      Operand From = To;
      From.RegisterIndex = *N.Merged;
      emit("mov.b64", {To, From});
    }
    break;
  case PairNode::Merge:
  case PairNode::Select: {
    Operand P;
    if (N.Kind == PairNode::Merge) {
      P = registerOperand(N.Made->Uses[0]->Register);
      if (N.Made->GuardNegated)
        P = inverted(P);
    } else {
      P = predicate(*predicateOf(*M.machineOf(*N.Made), 87));
    }
    emit("selp.b64", {To, wideOf(N.A), wideOf(N.B), P});
    break;
  }
  case PairNode::Logic:
    emit(N.Table == 0xc0   ? "and.b64"
         : N.Table == 0xfc ? "or.b64"
                           : "xor.b64",
         {To, wideOf(N.A), wideOf(N.B)});
    break;
  default:
    emit("mov.b64", {To, vector({read(N.Low), read(N.High)})});
    break;
  }
  if (N.Kind == PairNode::Sum || N.Kind == PairNode::Scaled)
    if (At && Pairs->sumOf(*At) == &N)
      emit("mov.b64", {vector({temporary(ScalarType::B32),
                               registerOperand(N.High.Val->Register)}),
                       To});
}

void FunctionLift::emitPairs(ArrayRef<PairNode *> Nodes,
                             const Instruction *At) {
  // What a guarded instruction leaves of both of its ways.
  auto IsMerged = [&](const RegisterHalf &H) {
    return At && H.Kind == RegisterHalf::Register && H.Val->Def &&
           H.Val->Def->isSelect() && H.Val->Def->Uses[1]->Def == At;
  };
  for (PairNode *N : Nodes) {
    ReadsMerged = IsMerged(N->Low) || IsMerged(N->High);
    emitPair(*N, At);
    ReadsMerged = false;
  }
}

/// Copies of values that are read beyond their register.
void FunctionLift::emitNames(const Instruction *I, const Block *Of) {
  auto Name = [&](const Value *V) {
    if (!Pairs->isNamed(V))
      return;
    const Operand To = temporary(ScalarType::B32);
    Names[V] = To.RegisterIndex;
    ReadsMerged = V->Def && V->Def->isSelect();
    emit("mov.b32", {To, registerOperand(V->Register)});
    ReadsMerged = false;
  };
  if (!I && !Of) {
    for (const Value *V : M.graph().Values)
      if (V->IsArgument)
        Name(V);
    return;
  }
  if (I) {
    for (const Value *V : I->Defs) {
      Name(V);
      for (const Instruction *User : V->Users)
        if (User->isSelect() && User->Uses[1] == V)
          Name(User->Defs[0]);
    }
    return;
  }
  for (const Instruction &Phi : Of->phis())
    Name(Phi.Defs[0]);
}

/// What the pairs that are merged in the successors are behind this block.
void FunctionLift::emitPhiCopies(const Block &Of) {
  llvm::SmallPtrSet<const Block *, 4> Seen;
  for (const Block *S : Of.Successors) {
    if (!Seen.insert(S).second)
      continue;
    for (PairNode *N : Pairs->startOf(*S)) {
      if (N->Kind != PairNode::Phi || !N->IsNeeded)
        continue;
      const auto *It = llvm::find(S->Predecessors, &Of);
      const size_t Edge = size_t(It - S->Predecessors.begin());
      if (Edge >= N->Incoming.size())
        continue;
      if (!N->Merged)
        N->Merged = temporary(ScalarType::B64).RegisterIndex;
      Operand To;
      To.Kind = Kind::Register;
      To.Type = ScalarType::B64;
      To.RegisterIndex = *N->Merged;
      emit("mov.b64", {To, wideOf(N->Incoming[Edge])});
    }
  }
}
