//===- ExpressionsReplace.cpp - Replacement of symbols --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExpressionsImpl.h"

using namespace ptxpredict;
using Kind = Expression::KindTy;
using Ref = Expressions::Ref;

Ref Expressions::rebuild(Ref E, ArrayRef<Ref> O) {
  switch (E->Kind) {
  case Kind::Constant:
  case Kind::Symbol:
    return E;
  case Kind::Sum: {
    Terms T;
    T.Addend = E->Addend;
    for (size_t I = 0; I != O.size(); ++I)
      T.add(O[I], E->Coefficients[I]);
    return sum(E->Width, T);
  }
  case Kind::Product: {
    Ref P = O[0];
    for (Ref F : O.drop_front())
      P = mul(P, F);
    return P;
  }
  case Kind::Power:
    return power(O[0], O[1]);
  case Kind::And:
    return bitAnd(O[0], O[1]);
  case Kind::Or:
    return bitOr(O[0], O[1]);
  case Kind::Xor:
    return bitXor(O[0], O[1]);
  case Kind::Not:
    return bitNot(O[0]);
  case Kind::Shl:
    return shl(O[0], O[1]);
  case Kind::LShr:
    return lshr(O[0], O[1]);
  case Kind::AShr:
    return ashr(O[0], O[1]);
  case Kind::UDiv:
  case Kind::SDiv:
    return div(O[0], O[1], E->Kind == Kind::SDiv);
  case Kind::URem:
  case Kind::SRem:
    return rem(O[0], O[1], E->Kind == Kind::SRem);
  case Kind::UMulHi:
  case Kind::SMulHi:
    return mulHigh(O[0], O[1], E->Kind == Kind::SMulHi);
  case Kind::UMin:
  case Kind::SMin:
    return min(O[0], O[1], E->Kind == Kind::SMin);
  case Kind::UMax:
  case Kind::SMax:
    return max(O[0], O[1], E->Kind == Kind::SMax);
  case Kind::Select:
    return select(O[0], O[1], O[2]);
  case Kind::Equal:
    return equal(O[0], O[1]);
  case Kind::ULess:
  case Kind::SLess:
    return less(O[0], O[1], E->Kind == Kind::SLess);
  case Kind::ZExt:
    return zext(O[0], E->Width);
  case Kind::SExt:
    return sext(O[0], E->Width);
  case Kind::Trunc:
    return trunc(O[0], E->Width);
  case Kind::PopCount:
    return popCount(O[0]);
  case Kind::LeadingZeros:
    return leadingZeros(O[0]);
  case Kind::HighestBit:
    return highestBit(O[0]);
  case Kind::BitReverse:
    return bitReverse(O[0]);
  case Kind::Permute:
    return permute(O[0], O[1], O[2]);
  case Kind::UExtract:
  case Kind::SExtract:
    return extract(O[0], O[1], O[2], E->Kind == Kind::SExtract);
  case Kind::Insert:
    return insert(O[0], O[1], O[2], O[3]);
  case Kind::Load:
    return load(E->read(), O[0]);
  }
  return E;
}

Ref Expressions::substitute(Ref Root, llvm::function_ref<Ref(Ref)> With,
                            Memo &Known) {
  SmallVector<std::pair<Ref, size_t>, 32> Stack{{Root, 0}};
  // What none of whose symbols changes stays as it is.
  auto Stays = [&](Ref E) {
    return llvm::all_of(E->Symbols, [&](Ref S) {
      Ref To = Known.find(S);
      if (!To)
        Known.set(S, To = With(S));
      return To == S;
    });
  };
  while (!Stack.empty()) {
    auto [E, Next] = Stack.back();
    if (Next == 0 && (Known.find(E) || Stays(E))) {
      if (!Known.find(E))
        Known.set(E, E);
      Stack.pop_back();
      continue;
    }
    if (E->isSymbol()) { // Stays() has replaced it
      Stack.pop_back();
      continue;
    }
    if (Next != E->Operands.size()) {
      ++Stack.back().second;
      Stack.emplace_back(E->Operands[Next], 0);
      continue;
    }
    Stack.pop_back();
    SmallVector<Ref, 8> Operands;
    for (Ref O : E->Operands)
      Operands.push_back(Known.find(O));
    Known.set(E, rebuild(E, Operands));
  }
  return Known.find(Root);
}
