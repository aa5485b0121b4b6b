//===- ExpressionsEvaluate.cpp - The values of expressions ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExpressionsImpl.h"
#include "ptxpredict/Analysis/Symbolic/ExpressionEvaluation.h"
#include "llvm/ADT/bit.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Kind = Expression::KindTy;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static uint64_t permuted(uint64_t A, uint64_t B, uint64_t Control) {
  uint64_t Pair = B << 32 | A, Result = 0;
  for (unsigned I = 0; I != 4; ++I, Control >>= 4) {
    uint64_t Byte = Pair >> ((Control & 7) * 8) & 0xff;
    if (Control & 8)
      Byte = Byte & 0x80 ? 0xff : 0;
    Result |= Byte << (I * 8);
  }
  return Result;
}

/// PTX ISA 9.7.1, bfe: position and length are bytes, the sign bit is that of
/// the field or, where it ends above, of the number.
static uint64_t extracted(uint64_t A, uint64_t Position, uint64_t Length,
                          unsigned Width, bool Signed) {
  unsigned P = unsigned(Position & 0xff), L = unsigned(Length & 0xff);
  if (L == 0)
    return 0;
  uint64_t Field = (P < Width ? A >> P : 0) & maskOf(std::min(L, 64u));
  if (!Signed || !(A >> std::min(P + L - 1, Width - 1) & 1))
    return Field;
  unsigned Taken = std::min(L, P < Width ? Width - P : 0u);
  return Field | ~maskOf(Taken);
}

static uint64_t inserted(uint64_t A, uint64_t Into, uint64_t Position,
                         uint64_t Length, unsigned Width) {
  unsigned P = unsigned(Position & 0xff), L = unsigned(Length & 0xff);
  if (P >= Width)
    return Into;
  uint64_t Mask = maskOf(std::min(L, Width)) << P;
  return (Into & ~Mask) | (A << P & Mask);
}

static uint64_t powerOf(uint64_t Base, uint64_t Exponent) {
  uint64_t Result = 1;
  for (; Exponent; Exponent >>= 1, Base *= Base)
    if (Exponent & 1)
      Result *= Base;
  return Result;
}

static uint64_t reversed(uint64_t V, unsigned Width) {
  uint64_t R = 0;
  for (unsigned I = 0; I != Width; ++I)
    R |= (V >> I & 1) << (Width - 1 - I);
  return R;
}

/// Calls \p Do with a function of an operand number's value that computes \p E.
/// Results may have more bits than the width.
// One flat switch: the meaning of every kind of expression, a case each.
template <class FnT>
static void withOperation(const Expression &E, FnT Do) {
  unsigned Width = E.Width;
  unsigned From = E.Operands.empty() ? Width : E.Operands[0]->Width;
  auto Signed = [From](uint64_t V) { return signedOf(V, From); };
  switch (E.Kind) {
  case Kind::Constant:
    return Do([&](auto) { return E.Addend; });
  case Kind::Symbol:
    return Do([&](auto) { return uint64_t(0); });
  case Kind::Sum:
    return Do([&](auto V) {
      uint64_t S = E.Addend;
      for (unsigned I = 0; I != E.Operands.size(); ++I)
        S += E.Coefficients[I] * V(I);
      return S;
    });
  case Kind::Product:
    return Do([&](auto V) {
      uint64_t P = V(0);
      for (unsigned I = 1; I != E.Operands.size(); ++I)
        P *= V(I);
      return P;
    });
  case Kind::Power:
    return Do([](auto V) { return powerOf(V(0), V(1)); });
  case Kind::And:
    return Do([](auto V) { return V(0) & V(1); });
  case Kind::Or:
    return Do([](auto V) { return V(0) | V(1); });
  case Kind::Xor:
    return Do([](auto V) { return V(0) ^ V(1); });
  case Kind::Not:
    return Do([](auto V) { return ~V(0); });
  case Kind::Shl:
    return Do([=](auto V) { return V(1) < Width ? V(0) << V(1) : 0; });
  case Kind::LShr:
    return Do([=](auto V) { return V(1) < Width ? V(0) >> V(1) : 0; });
  case Kind::AShr:
    return Do([=](auto V) {
      return uint64_t(Signed(V(0)) >> std::min<uint64_t>(V(1), Width - 1u));
    });
  case Kind::UDiv:
    return Do([](auto V) { return V(1) ? V(0) / V(1) : ~uint64_t(0); });
  case Kind::URem:
    return Do([](auto V) { return V(1) ? V(0) % V(1) : V(0); });
  case Kind::SDiv:
    return Do([=](auto V) {
      int64_t A = Signed(V(0)), B = Signed(V(1));
      return B == 0    ? ~uint64_t(0)
             : B == -1 ? 0 - uint64_t(A)
                       : uint64_t(A / B);
    });
  case Kind::SRem:
    return Do([=](auto V) {
      int64_t A = Signed(V(0)), B = Signed(V(1));
      return B == 0 ? uint64_t(A) : B == -1 ? 0 : uint64_t(A % B);
    });
  case Kind::UMulHi:
    return Do([](auto V) { return uint64_t(UInt128(V(0)) * V(1) >> 64); });
  case Kind::SMulHi:
    return Do([](auto V) {
      return uint64_t(Int128(int64_t(V(0))) * int64_t(V(1)) >> 64);
    });
  case Kind::UMin:
    return Do([](auto V) { return std::min<uint64_t>(V(0), V(1)); });
  case Kind::UMax:
    return Do([](auto V) { return std::max<uint64_t>(V(0), V(1)); });
  case Kind::SMin:
    return Do(
        [=](auto V) { return uint64_t(std::min(Signed(V(0)), Signed(V(1)))); });
  case Kind::SMax:
    return Do(
        [=](auto V) { return uint64_t(std::max(Signed(V(0)), Signed(V(1)))); });
  case Kind::Select:
    return Do([](auto V) { return V(0) ? V(1) : V(2); });
  case Kind::Equal:
    return Do([](auto V) { return uint64_t(V(0) == V(1)); });
  case Kind::ULess:
    return Do([](auto V) { return uint64_t(V(0) < V(1)); });
  case Kind::SLess:
    return Do([=](auto V) { return uint64_t(Signed(V(0)) < Signed(V(1))); });
  case Kind::ZExt:
  case Kind::Trunc:
    return Do([](auto V) { return V(0); });
  case Kind::SExt:
    return Do([=](auto V) { return uint64_t(Signed(V(0))); });
  case Kind::PopCount:
    return Do([](auto V) { return uint64_t(llvm::popcount(uint64_t(V(0)))); });
  case Kind::LeadingZeros:
    return Do([=](auto V) {
      return uint64_t(llvm::countl_zero(uint64_t(V(0)))) - (64 - From);
    });
  case Kind::HighestBit:
    return Do([](auto V) {
      return V(0) ? uint64_t(63 - llvm::countl_zero(uint64_t(V(0))))
                  : ~uint64_t(0);
    });
  case Kind::BitReverse:
    return Do([=](auto V) { return reversed(V(0), Width); });
  case Kind::Permute:
    return Do([](auto V) { return permuted(V(0), V(1), V(2)); });
  case Kind::UExtract:
  case Kind::SExtract:
    return Do([&, Width](auto V) {
      return extracted(V(0), V(1), V(2), Width, E.Kind == Kind::SExtract);
    });
  case Kind::Insert:
    return Do([=](auto V) { return inserted(V(0), V(1), V(2), V(3), Width); });
  case Kind::Load:
    return Do([&E](auto V) { return readAt(E.read(), V(0)); });
  }
}

uint64_t expressions::apply(const Expression &E, ArrayRef<uint64_t> Values) {
  uint64_t Result = 0;
  withOperation(E, [&](auto Op) {
    Result = Op([&](unsigned I) -> uint64_t { return Values[I]; });
  });
  return Result & maskOf(E.Width);
}

void expressions::applyToLanes(const Expression &E,
                               ArrayRef<LaneOperand> Operands, uint64_t *Out) {
  uint64_t Mask = maskOf(E.Width);
  if (E.Kind == Kind::Sum) { // by far the most
    uint64_t Same = E.Addend;
    for (unsigned I = 0; I != Operands.size(); ++I)
      if (Operands[I].Stride == 0)
        Same += E.Coefficients[I] * *Operands[I].Values;
    std::fill_n(Out, WarpSize, Same);
    for (unsigned I = 0; I != Operands.size(); ++I)
      if (Operands[I].Stride != 0)
        for (unsigned L = 0; L != WarpSize; ++L)
          Out[L] += E.Coefficients[I] * Operands[I].Values[L];
    if (~Mask != 0)
      for (unsigned L = 0; L != WarpSize; ++L)
        Out[L] &= Mask;
    return;
  }
  withOperation(E, [&](auto Op) {
    for (unsigned L = 0; L != WarpSize; ++L)
      Out[L] = Mask & Op([&](unsigned I) -> uint64_t {
                 return Operands[I].Values[size_t(L) * Operands[I].Stride];
               });
  });
}

//===----------------------------------------------------------------------===//
// Compiled expressions
//===----------------------------------------------------------------------===//

CompiledExpressions::CompiledExpressions(ArrayRef<const Expression *> Roots) {
  constexpr size_t Few = 16;
  llvm::SmallDenseMap<const Expression *, unsigned, 2 * Few> Numbers;
  SmallVector<std::pair<const Expression *, unsigned>, 2 * Few> Stack;
  Steps.reserve(Few);
  Operands.reserve(2 * Few);
  unsigned NextPlace = 0;
  for (const Expression *Root : Roots) {
    if (!Numbers.count(Root))
      Stack.emplace_back(Root, 0);
    while (!Stack.empty()) {
      auto [E, Next] = Stack.back();
      if (Next != E->Operands.size()) {
        ++Stack.back().second;
        if (!Numbers.count(E->Operands[Next]))
          Stack.emplace_back(E->Operands[Next], 0);
        continue;
      }
      Stack.pop_back();
      if (!Numbers.try_emplace(E, unsigned(Steps.size())).second)
        continue;
      Step S{E, unsigned(Operands.size()), NextPlace, E->isUniform(), true};
      NextPlace += S.IsScalar ? 1 : WarpSize;
      for (const Expression *O : E->Operands)
        Operands.push_back(Numbers.lookup(O));
      Steps.push_back(S);
    }
    RootSteps.push_back(Numbers.lookup(Root));
  }
  Values.resize(NextPlace);
}

/// Of an index or extent that is the same in all lanes.
static uint64_t scalarIndex(Symbol::KindTy K, const Assignment &A) {
  switch (K) {
  case Symbol::KindTy::BlockX:
    return A.BlockIndex.X;
  case Symbol::KindTy::BlockY:
    return A.BlockIndex.Y;
  case Symbol::KindTy::BlockZ:
    return A.BlockIndex.Z;
  case Symbol::KindTy::Warp:
    return A.Warp;
  case Symbol::KindTy::BlockExtentX:
    return A.Block.X;
  case Symbol::KindTy::BlockExtentY:
    return A.Block.Y;
  case Symbol::KindTy::BlockExtentZ:
    return A.Block.Z;
  case Symbol::KindTy::GridExtentX:
    return A.Grid.X;
  case Symbol::KindTy::GridExtentY:
    return A.Grid.Y;
  case Symbol::KindTy::GridExtentZ:
    return A.Grid.Z;
  default:
    return 0;
  }
}

/// Writes %tid's dimension \p K, or the lane, of \p Count lanes.
static void setThreads(Symbol::KindTy K, const Assignment &A, unsigned Count,
                       uint64_t *Out) {
  uint64_t First = A.Warp * WarpSize;
  Dim3 At{First % A.Block.X, First / A.Block.X % A.Block.Y,
          First / A.Block.X / A.Block.Y};
  for (unsigned L = 0; L != Count; ++L) {
    Out[L] = K == Symbol::KindTy::ThreadX   ? At.X
             : K == Symbol::KindTy::ThreadY ? At.Y
             : K == Symbol::KindTy::ThreadZ ? At.Z
                                            : L;
    if (++At.X == A.Block.X) {
      At.X = 0;
      if (++At.Y == A.Block.Y)
        At.Y = 0, ++At.Z;
    }
  }
}

/// Whether it has another value than before.
bool CompiledExpressions::setSymbol(const Step &S, const Assignment &A,
                                    bool IsNewWarp) {
  using K = Symbol::KindTy;
  uint64_t *Out = &Values[S.Place];
  unsigned Count = S.IsScalar ? 1 : WarpSize;
  uint64_t Mask = maskOf(S.E->Width);
  auto Set = [&](uint64_t V) {
    V &= Mask;
    bool IsNew = *Out != V;
    if (IsNew)
      std::fill_n(Out, Count, V);
    return IsNew;
  };
  K Which = S.E->Sym->Kind;
  if (Which <= K::ThreadZ || Which == K::Lane) {
    if (IsNewWarp)
      setThreads(Which, A, Count, Out);
    return IsNewWarp;
  }
  if (Which <= K::GridExtentZ)
    return Set(scalarIndex(Which, A));
  const Symbol *Of = S.E->Sym->Quantity;
  auto Lanes = A.LaneValues.find(Of);
  // Where lanes have the same, those that are elsewhere may have another one.
  if (Lanes == A.LaneValues.end() || S.IsScalar) {
    // What was there may have differed from lane to lane.
    uint64_t V = A.Values.lookup(Of);
    bool IsNew = Set(V);
    for (unsigned L = 1; L != Count; ++L)
      IsNew |= std::exchange(Out[L], V & Mask) != (V & Mask);
    return IsNew;
  }
  bool IsNew = false;
  for (unsigned L = 0; L != Count; ++L) {
    uint64_t V = Lanes->second[L] & Mask;
    IsNew |= std::exchange(Out[L], V) != V;
  }
  return IsNew;
}

/// The same of what is no symbol.
bool CompiledExpressions::compute(const Step &S) {
  ArrayRef<unsigned> Numbers =
      ArrayRef(Operands).slice(S.FirstOperand, S.E->Operands.size());
  uint64_t *Out = &Values[S.Place];
  if (S.IsScalar) {
    SmallVector<uint64_t, 8> Scalars;
    for (unsigned N : Numbers)
      Scalars.push_back(Values[Steps[N].Place]);
    uint64_t V = apply(*S.E, Scalars);
    return std::exchange(*Out, V) != V;
  }
  SmallVector<LaneOperand, 8> In;
  for (unsigned N : Numbers)
    In.push_back({&Values[Steps[N].Place], Steps[N].IsScalar ? 0u : 1u});
  LaneArray New;
  applyToLanes(*S.E, In, New.data());
  bool IsNew = !std::equal(New.begin(), New.end(), Out);
  if (IsNew)
    std::copy(New.begin(), New.end(), Out);
  return IsNew;
}

void CompiledExpressions::run(const Assignment &A) {
  bool IsNewWarp = !HasRun || A.Warp != Warp || !(A.Block == Block);
  for (Step &S : Steps) {
    if (S.E->isSymbol()) {
      S.Changed = setSymbol(S, A, IsNewWarp) || !HasRun;
      continue;
    }
    ArrayRef<unsigned> Numbers =
        ArrayRef(Operands).slice(S.FirstOperand, S.E->Operands.size());
    bool IsOpen = !HasRun || llvm::any_of(Numbers, [&](unsigned N) {
      return Steps[N].Changed;
    });
    S.Changed = (IsOpen && compute(S)) || !HasRun;
  }
  HasRun = true;
  Warp = A.Warp;
  Block = A.Block;
}

LaneArray ptxpredict::evaluate(const Expression &E, const Assignment &A) {
  CompiledExpressions C(&E);
  C.run(A);
  LaneArray Result;
  for (unsigned L = 0; L != WarpSize; ++L)
    Result[L] = C.lane(0, L);
  return Result;
}
