//===- ExpressionsBits.cpp - Logic, shifts and fields of bits -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExpressionsImpl.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Kind = Expression::KindTy;
using Ref = Expressions::Ref;

//===----------------------------------------------------------------------===//
// The thread's index, taken apart into warp and lane
//===----------------------------------------------------------------------===//

namespace {
/// A sum as `Thread + Rest` where Thread is 32 * warp + lane.
struct ThreadSplit {
  bool Found = false;
  SmallVector<size_t, 3> Parts; ///< of the sum
};
} // namespace

/// The index symbol that \p E is, extended or not.
static std::optional<Symbol::KindTy> threadIndex(Ref E) {
  if (E->Kind == Kind::ZExt)
    E = E->Operands[0];
  if (E->isSymbol() && E->Sym->Kind <= Symbol::KindTy::ThreadZ)
    return E->Sym->Kind;
  return std::nullopt;
}

/// Thread is tid.x if rows are warps, else the linear index. \p Others says
/// what the rest of the sum must be.
static ThreadSplit splitThread(const Expression &E, const Dim3 &Block,
                               bool RowsAreWarps, bool OthersAreMultiples) {
  ThreadSplit S;
  if (E.Kind != Kind::Sum)
    return S;
  uint64_t Low = WarpSize - 1;
  if (OthersAreMultiples && (E.Addend & Low))
    return S;
  const uint64_t Strides[] = {1, Block.X, Block.X * Block.Y};
  const uint64_t Extents[] = {Block.X, Block.Y, Block.Z};
  unsigned Needed = 0, Have = 0;
  for (unsigned D = 0; D != 3; ++D)
    if (Extents[D] > 1 && (D == 0 || !RowsAreWarps))
      Needed |= 1u << D;
  for (size_t I = 0; I != E.Operands.size(); ++I) {
    std::optional<Symbol::KindTy> K = threadIndex(E.Operands[I]);
    unsigned D = K ? unsigned(*K) : 0;
    if (K && (Needed >> D & 1) && !(Have >> D & 1) &&
        E.Coefficients[I] == Strides[D]) {
      Have |= 1u << D;
      S.Parts.push_back(I);
    } else if (OthersAreMultiples &&
               trailingZeros(*E.Operands[I]) +
                       unsigned(llvm::countr_zero(E.Coefficients[I])) <
                   5) {
      return S;
    }
  }
  S.Found = Have == Needed && Needed != 0;
  return S;
}

/// The lane is tid.x modulo 32.
bool Expressions::areRowsWarps() const {
  return Block.X % WarpSize == 0 || IsRow;
}

/// \p A with the thread's lane taken away, if nothing below bit 5 but the lane
/// is in it: bits from 5 on stay what they were.
Ref Expressions::withoutLane(Ref A) {
  bool Alone = threadIndex(A) == Symbol::KindTy::ThreadX;
  bool RowsAreWarps = areRowsWarps();
  if (BlockIsAssumed && !RowsAreWarps) // its strides are no numbers
    return A;
  ThreadSplit S;
  if (!Alone || !RowsAreWarps) {
    S = splitThread(*A, Block, RowsAreWarps, /*OthersAreMultiples=*/true);
    if (!S.Found)
      return A;
  }
  Ref Warp = index(Symbol::KindTy::Warp);
  if (Block.X % WarpSize == 0 && !IsRow)
    Warp = rem(Warp, lshr(index(Symbol::KindTy::BlockExtentX), 5), false);
  Terms T;
  T.add(zext(scale(Warp, WarpSize), A->Width), 1);
  if (!S.Found)
    return sum(A->Width, T);
  T.Addend += A->Addend;
  for (size_t I = 0; I != A->Operands.size(); ++I)
    if (!llvm::is_contained(S.Parts, I))
      T.add(A->Operands[I], A->Coefficients[I]);
  return sum(A->Width, T);
}

/// \p A with the lane in place of the thread's index: its low five bits stay
/// what they were.
Ref Expressions::withoutWarp(Ref A) {
  bool RowsAreWarps = areRowsWarps();
  if (BlockIsAssumed && !RowsAreWarps) // its strides are no numbers
    return A;
  Ref Lane = zext(index(Symbol::KindTy::Lane), A->Width);
  if (threadIndex(A) == Symbol::KindTy::ThreadX && RowsAreWarps)
    return Lane;
  if (A->Kind != Kind::Sum)
    return A;
  Terms T;
  T.Addend = A->Addend;
  ThreadSplit S =
      splitThread(*A, Block, RowsAreWarps, /*OthersAreMultiples=*/false);
  if (S.Found)
    T.add(Lane, 1);
  for (size_t I = 0; I != A->Operands.size(); ++I) {
    if (S.Found && llvm::is_contained(S.Parts, I))
      continue;
    bool IsX =
        RowsAreWarps && threadIndex(A->Operands[I]) == Symbol::KindTy::ThreadX;
    T.add(IsX ? Lane : A->Operands[I], A->Coefficients[I]);
  }
  return sum(A->Width, T);
}

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

/// Operands in a fixed order, a constant last.
static void order(Ref &A, Ref &B) {
  if (A->isConstant() || (!B->isConstant() && A->Id > B->Id))
    std::swap(A, B);
}

/// No bit may be set in both.
static bool areDisjoint(Ref A, Ref B) {
  return ((A->Facts.Zeros | B->Facts.Zeros) & maskOf(A->Width)) ==
         maskOf(A->Width);
}

/// Its contrary, as nodes look: a comparison and its Not.
static bool areContrary(Ref A, Ref B) {
  return (A->Kind == Kind::Not && A->Operands[0] == B) ||
         (B->Kind == Kind::Not && B->Operands[0] == A);
}

/// Coefficients matter in the low bits only; the smallest are taken.
Ref Expressions::reduceCoefficients(Ref A, unsigned Bits) {
  if (A->Kind != Kind::Sum)
    return A;
  auto Reduced = [&](uint64_t C) {
    uint64_t Low = C & maskOf(Bits);
    return Low > uint64_t(1) << (Bits - 1) ? Low - (uint64_t(1) << Bits) : Low;
  };
  Terms T;
  T.Addend = Reduced(A->Addend);
  for (size_t I = 0; I != A->Operands.size(); ++I) {
    // Higher bits of a term do not count, either.
    Ref Term = A->Operands[I];
    if (Term->Kind == Kind::And && Term->Operands[1]->isConstant() &&
        (~Term->Operands[1]->Addend & maskOf(Bits)) == 0)
      Term = Term->Operands[0];
    T.add(Term, Reduced(A->Coefficients[I]));
  }
  return sum(A->Width, T);
}

/// A sum without terms of counters and block indices that are multiples of
/// 2^Bits, all lanes' own: the places of a pipeline's buffers.
Ref Expressions::withoutStages(Ref A, unsigned Bits) {
  if (A->Kind != Kind::Sum)
    return A;
  auto IsStage = [&](Ref O, uint64_t By) {
    return O->isUniform() &&
           (O->dependsOn(Symbol::KindTy::Counter) ||
            O->dependsOn(Symbol::KindTy::BlockX) ||
            O->dependsOn(Symbol::KindTy::BlockY) ||
            O->dependsOn(Symbol::KindTy::BlockZ)) &&
           unsigned(llvm::countr_one(O->Facts.Zeros) + llvm::countr_zero(By)) >=
               Bits;
  };
  Terms Rest;
  Rest.Addend = A->Addend;
  for (auto [O, By] : llvm::zip(A->Operands, A->Coefficients))
    if (!IsStage(O, By))
      Rest.add(O, By);
  return Rest.List.size() == A->Operands.size() ? A : sum(A->Width, Rest);
}

Ref Expressions::bitAnd(Ref A, Ref B) {
  order(A, B);
  unsigned Width = A->Width;
  if (A == B)
    return A;
  if (Width == 1 && areContrary(A, B))
    return boolean(false);
  if (!B->isConstant()) {
    if (areDisjoint(A, B))
      return constant(Width, 0);
    return make(Kind::And, Width, {A, B});
  }
  uint64_t M = B->Addend, All = maskOf(Width);
  if (A->isConstant())
    return constant(Width, M & A->Addend);
  if ((M & ~A->Facts.Zeros) == 0)
    return constant(Width, 0);
  // The bits that go are known.
  uint64_t Goes = All & ~M;
  if ((Goes & ~A->Facts.Zeros & ~A->Facts.Ones) == 0)
    return sub(A, constant(Width, Goes & A->Facts.Ones));
  if (A->Kind == Kind::And && A->Operands[1]->isConstant())
    return bitAnd(A->Operands[0], constant(Width, M & A->Operands[1]->Addend));
  if (A->Kind == Kind::ZExt) {
    Ref In = A->Operands[0];
    return zext(bitAnd(In, constant(In->Width, M)), Width);
  }
  if (A->Kind == Kind::LShr && A->Operands[1]->isConstant() &&
      A->Operands[1]->Addend < Width) {
    const uint64_t Bits = A->Operands[1]->Addend + unsigned(llvm::bit_width(M));
    if (Ref In = withoutStages(A->Operands[0], unsigned(Bits));
        Bits < Width && In != A->Operands[0])
      return bitAnd(lshr(In, A->Operands[1]), B);
  }
  // Bits below 5 of an index are the lane's, those above the warp's.
  if (A->Kind == Kind::LShr && A->Operands[1]->isConstant() &&
      A->Operands[1]->Addend < 5 &&
      (M << A->Operands[1]->Addend & (WarpSize - 1)) == 0) {
    Ref In = withoutLane(A->Operands[0]);
    if (In != A->Operands[0])
      return bitAnd(lshr(In, A->Operands[1]), B);
  }
  if ((M & (WarpSize - 1)) == 0)
    if (Ref In = withoutLane(A); In != A)
      return bitAnd(In, B);
  if (llvm::isMask_64(M)) {
    unsigned Bits = unsigned(llvm::popcount(M));
    if (Bits <= 5)
      if (Ref In = withoutWarp(A); In != A)
        return bitAnd(In, B);
    if (Ref In = reduceCoefficients(A, Bits); In != A)
      return bitAnd(In, B);
  }
  return make(Kind::And, Width, {A, B});
}

Ref Expressions::bitOr(Ref A, Ref B) {
  order(A, B);
  unsigned Width = A->Width;
  if (A == B)
    return A;
  if (Width == 1) {
    if (B->isConstant())
      return B->Addend ? B : A;
    if (areContrary(A, B))
      return boolean(true);
    return make(Kind::Or, Width, {A, B});
  }
  if (areDisjoint(A, B))
    return add(A, B);
  if (B->isConstant()) {
    uint64_t M = B->Addend;
    if ((M & ~A->Facts.Ones) == 0)
      return A;
    if (M == maskOf(Width))
      return B;
    if (A->Kind == Kind::Or && A->Operands[1]->isConstant())
      return bitOr(A->Operands[0], constant(Width, M | A->Operands[1]->Addend));
    // All but the low bits of a complement, ~x | ~31: ~(x & 31).
    const uint64_t All = maskOf(Width);
    if (A->Kind == Kind::Sum && A->Operands.size() == 1 && A->Addend == All &&
        A->Coefficients[0] == All && llvm::isMask_64(~M & All))
      return bitNot(bitAnd(A->Operands[0], constant(Width, ~M & All)));
  }
  return make(Kind::Or, Width, {A, B});
}

Ref Expressions::bitXor(Ref A, Ref B) {
  order(A, B);
  unsigned Width = A->Width;
  if (A == B)
    return constant(Width, 0);
  if (Width == 1) {
    if (B->isConstant())
      return B->Addend ? bitNot(A) : A;
    if (A->Kind == Kind::Not)
      return bitNot(bitXor(A->Operands[0], B));
    if (B->Kind == Kind::Not)
      return bitNot(bitXor(A, B->Operands[0]));
    return make(Kind::Xor, Width, {A, B});
  }
  // What is changed twice by the same is as it was: two are exchanged so.
  for (auto [X, Y] : {std::pair(A, B), std::pair(B, A)})
    if (X->Kind == Kind::Xor && llvm::is_contained(X->Operands, Y))
      return X->Operands[X->Operands[0] == Y ? 1 : 0];
  if (areDisjoint(A, B))
    return add(A, B);
  // What changes low bits alone leaves the rest of a sum as it is.
  for (auto [X, Y] : {std::pair(A, B), std::pair(B, A)}) {
    const auto Bits = unsigned(llvm::bit_width(Y->Facts.UMax));
    if (Ref Low = withoutStages(X, Bits); Bits < Width && Low != X)
      return add(sub(X, Low), bitXor(Low, Y));
  }
  if (B->isConstant()) {
    uint64_t M = B->Addend;
    if (M == maskOf(Width))
      return bitNot(A);
    if ((M & ~A->Facts.Ones) == 0)
      return sub(A, B);
    if (A->Kind == Kind::Xor && A->Operands[1]->isConstant())
      return bitXor(A->Operands[0],
                    constant(Width, M ^ A->Operands[1]->Addend));
  }
  return make(Kind::Xor, Width, {A, B});
}

Ref Expressions::bitNot(Ref A) {
  if (A->Width != 1)
    return sub(constant(A->Width, ~uint64_t(0)), A);
  if (A->isConstant())
    return boolean(!A->Addend);
  return A->Kind == Kind::Not ? A->Operands[0] : make(Kind::Not, 1, A);
}

/// A function of two bits: bit B*2+C of \p Table.
Ref Expressions::logic2(Ref B, Ref C, uint8_t Table) {
  unsigned Width = B->Width;
  switch (Table & 15) {
  case 0:
    return constant(Width, 0);
  case 1:
    return bitNot(bitOr(B, C));
  case 2:
    return bitAnd(bitNot(B), C);
  case 3:
    return bitNot(B);
  case 4:
    return bitAnd(B, bitNot(C));
  case 5:
    return bitNot(C);
  case 6:
    return bitXor(B, C);
  case 7:
    return bitNot(bitAnd(B, C));
  case 8:
    return bitAnd(B, C);
  case 9:
    return bitNot(bitXor(B, C));
  case 10:
    return C;
  case 11:
    return bitOr(bitNot(B), C);
  case 12:
    return B;
  case 13:
    return bitOr(B, bitNot(C));
  case 14:
    return bitOr(B, C);
  default:
    return constant(Width, ~uint64_t(0));
  }
}

Ref Expressions::lookUp(Ref A, Ref B, Ref C, uint8_t Table) {
  // Each of the three as the one that chooses between two functions of the
  // others; one with equal, contrary or constant functions is simplest.
  struct Way {
    Ref Chooser, X, Y;
    uint8_t High, Low;
  };
  auto Bit = [Table](unsigned I) { return unsigned(Table >> I & 1); };
  auto Pack = [&](unsigned I3, unsigned I2, unsigned I1, unsigned I0) {
    return uint8_t(Bit(I3) << 3 | Bit(I2) << 2 | Bit(I1) << 1 | Bit(I0));
  };
  const Way Ways[] = {{A, B, C, Pack(7, 6, 5, 4), Pack(3, 2, 1, 0)},
                      {B, A, C, Pack(7, 6, 3, 2), Pack(5, 4, 1, 0)},
                      {C, A, B, Pack(7, 5, 3, 1), Pack(6, 4, 2, 0)}};
  for (const Way &W : Ways)
    if (W.High == W.Low)
      return logic2(W.X, W.Y, W.High);
  for (const Way &W : Ways)
    if ((W.High ^ W.Low) == 15)
      return bitXor(W.Chooser, logic2(W.X, W.Y, W.Low));
  for (const Way &W : Ways) {
    if (W.Low == 0)
      return bitAnd(W.Chooser, logic2(W.X, W.Y, W.High));
    if (W.High == 0)
      return bitAnd(bitNot(W.Chooser), logic2(W.X, W.Y, W.Low));
    if (W.High == 15)
      return bitOr(W.Chooser, logic2(W.X, W.Y, W.Low));
    if (W.Low == 15)
      return bitOr(bitNot(W.Chooser), logic2(W.X, W.Y, W.High));
  }
  const Way &W = Ways[0];
  return bitOr(bitAnd(W.Chooser, logic2(W.X, W.Y, W.High)),
               bitAnd(bitNot(W.Chooser), logic2(W.X, W.Y, W.Low)));
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

Ref Expressions::shl(Ref A, Ref By) {
  if (!By->isConstant())
    return A->isConstant(0) ? A : make(Kind::Shl, A->Width, {A, By});
  uint64_t N = By->Addend;
  return N < A->Width ? scale(A, uint64_t(1) << N) : constant(A->Width, 0);
}

/// `x * M >> Shift` as a division of x, where x is an extended number that is
/// smaller than the precision of the multiplier allows. Granlund, Montgomery,
/// Division by invariant integers using multiplication, PLDI 1994, theorem 4.2:
/// right if 0 <= M * d - 2^Shift <= 2^(Shift - bits of x).
Ref Expressions::magicDivision(Ref A, unsigned Shift) {
  if (A->Kind != Kind::Sum || A->Width != 64 || Shift < 16 || Shift > 63)
    return nullptr;
  // All of a sum is multiplied, term by term.
  uint64_t M = A->Addend;
  for (uint64_t C : A->Coefficients)
    M = std::gcd(M, C);
  if (llvm::isPowerOf2_64(M))
    return nullptr;
  Terms Divided;
  Divided.Addend = A->Addend / M;
  for (auto [O, C] : llvm::zip(A->Operands, A->Coefficients))
    Divided.add(O, C / M);
  Ref X = sum(64, Divided);
  UInt128 Product = UInt128(X->Facts.UMax) * M;
  if (Product >> 64)
    return nullptr;
  uint64_t Power = uint64_t(1) << Shift;
  uint64_t D = Power / M + 1;
  unsigned Bits = 64 - unsigned(llvm::countl_zero(X->Facts.UMax));
  UInt128 Excess = UInt128(M) * D - Power;
  if (Bits > Shift || Excess > (UInt128(1) << (Shift - Bits)))
    return nullptr;
  return div(X, constant(64, D), false);
}

Ref Expressions::lshr(Ref A, Ref By) {
  unsigned Width = A->Width;
  if (!By->isConstant())
    return A->isConstant(0) ? A : make(Kind::LShr, Width, {A, By});
  uint64_t N = By->Addend;
  if (N >= Width || A->Facts.UMax >> N == 0)
    return constant(Width, 0);
  if (N == 0)
    return A;
  if (A->isConstant())
    return constant(Width, A->Addend >> N);
  if (A->Kind == Kind::LShr && A->Operands[1]->isConstant())
    return lshr(A->Operands[0], N + A->Operands[1]->Addend);
  if (A->Kind == Kind::ZExt)
    return zext(lshr(A->Operands[0], N), Width);
  if (A->Kind == Kind::And && A->Operands[1]->isConstant())
    return bitAnd(lshr(A->Operands[0], N),
                  constant(Width, A->Operands[1]->Addend >> N));
  if (A->Kind == Kind::Trunc && A->Operands[0]->Facts.UMax <= maskOf(Width))
    return trunc(lshr(A->Operands[0], N), Width);
  if (N >= 5)
    if (Ref In = withoutLane(A); In != A)
      return lshr(In, N);
  if (Ref Quotient = magicDivision(A, unsigned(N)))
    return Quotient;
  if (Ref Quotient = divideSum(A, uint64_t(1) << N, false))
    return Quotient;
  return make(Kind::LShr, Width, {A, By});
}

/// The upper 32 bits of a sum of 64 whose lower ones are zero: what a shift has
/// moved there. Null otherwise.
Ref Expressions::upperHalf(Ref A) {
  constexpr unsigned Half = 32;
  if (A->Kind != Kind::Sum || A->Width != 2 * Half)
    return nullptr;
  uint64_t Lower = A->Addend;
  for (uint64_t C : A->Coefficients)
    Lower |= C;
  if (Lower & maskOf(Half))
    return nullptr;
  Terms T;
  T.Addend = A->Addend >> Half;
  for (auto [O, C] : llvm::zip(A->Operands, A->Coefficients))
    T.add(trunc(O, Half), C >> Half);
  return sum(Half, T);
}

Ref Expressions::ashr(Ref A, Ref By) {
  if (A->Facts.SMin >= 0)
    return lshr(A, By);
  unsigned Width = A->Width;
  if (!By->isConstant())
    return make(Kind::AShr, Width, {A, By});
  uint64_t N = std::min<uint64_t>(By->Addend, Width - 1u);
  if (N == 0)
    return A;
  if (A->isConstant())
    return constant(Width, uint64_t(signedOf(A->Addend, Width) >> N));
  if (A->Kind == Kind::AShr && A->Operands[1]->isConstant())
    return ashr(A->Operands[0], N + A->Operands[1]->Addend);
  if (A->Kind == Kind::SExt && N < A->Operands[0]->Width)
    return sext(ashr(A->Operands[0], N), Width);
  if (N < 63)
    if (Ref Quotient = divideSum(A, uint64_t(1) << N, true))
      return Quotient;
  if (Ref Low = upperHalf(A)) {
    Ref Extended = sext(Low, Width);
    return N <= Width / 2 ? shl(Extended, Width / 2 - N)
                          : ashr(Extended, N - Width / 2);
  }
  return make(Kind::AShr, Width, {A, constant(32, N)});
}

//===----------------------------------------------------------------------===//
// Fields of bits
//===----------------------------------------------------------------------===//

Ref Expressions::popCount(Ref A) { return make(Kind::PopCount, 32, A); }
Ref Expressions::leadingZeros(Ref A) { return make(Kind::LeadingZeros, 32, A); }
Ref Expressions::highestBit(Ref A) { return make(Kind::HighestBit, 32, A); }
Ref Expressions::bitReverse(Ref A) {
  return make(Kind::BitReverse, A->Width, A);
}

Ref Expressions::permute(Ref A, Ref B, Ref Control) {
  if (!Control->isConstant() || (Control->Addend & 0x8888))
    return make(Kind::Permute, 32, {A, B, Control});
  // Bytes that stay together are taken together.
  Ref Result = constant(32, 0);
  for (unsigned I = 0; I != 4;) {
    unsigned From = Control->Addend >> (4 * I) & 7, Count = 1;
    while (I + Count != 4 && (From + Count) % 4 != 0 &&
           (Control->Addend >> (4 * (I + Count)) & 7) == From + Count)
      ++Count;
    Ref Part = lshr(From < 4 ? A : B, 8 * (From % 4));
    Part = bitAnd(Part, constant(32, maskOf(8 * Count)));
    Result = bitOr(Result, shl(Part, 8 * I));
    I += Count;
  }
  return Result;
}

Ref Expressions::extract(Ref A, Ref Position, Ref Length, bool Signed) {
  unsigned Width = A->Width;
  if (!Position->isConstant() || !Length->isConstant())
    return make(Signed ? Kind::SExtract : Kind::UExtract, Width,
                {A, Position, Length});
  uint64_t P = Position->Addend & 0xff, L = Length->Addend & 0xff;
  if (L == 0)
    return constant(Width, 0);
  if (!Signed)
    return bitAnd(lshr(A, P),
                  constant(Width, maskOf(unsigned(std::min<uint64_t>(L, 64)))));
  if (P >= Width) // the sign everywhere
    return ashr(A, Width - 1);
  L = std::min<uint64_t>(L, Width - P);
  return ashr(shl(A, Width - P - L), Width - L);
}

Ref Expressions::insert(Ref A, Ref Into, Ref Position, Ref Length) {
  unsigned Width = A->Width;
  if (!Position->isConstant() || !Length->isConstant())
    return make(Kind::Insert, Width, {A, Into, Position, Length});
  uint64_t P = Position->Addend & 0xff, L = Length->Addend & 0xff;
  if (P >= Width)
    return Into;
  uint64_t Mask =
      (maskOf(unsigned(std::min<uint64_t>(L, Width))) << P) & maskOf(Width);
  return bitOr(bitAnd(Into, constant(Width, ~Mask)),
               bitAnd(shl(A, P), constant(Width, Mask)));
}
