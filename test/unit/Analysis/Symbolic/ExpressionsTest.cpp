//===- ExpressionsTest.cpp - Integer expressions over a thread's place ----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Symbolic/Expressions.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

class ExpressionsTest : public testing::Test {
protected:
  using Ref = const Expression *;
  using K = Symbol::KindTy;

  explicit ExpressionsTest(Dim3 Block = {256, 1, 1}) {
    LaunchConfig L;
    L.Block = Block;
    L.Grid = {1000, 10, 1};
    E = std::make_unique<Expressions>(L);
    X = E->index(K::ThreadX);
    B = E->index(K::BlockX);
    N = parameter("n", 32);
  }

  Ref parameter(StringRef Name, unsigned Width, uint64_t Align = 1) {
    Symbol S;
    S.Kind = K::Parameter;
    S.Varies = VariesNowhere;
    S.Name = Name.str();
    S.Number = uint8_t(Name[0]);
    S.Align = Align;
    return E->symbol(Width, S);
  }
  Ref counter(unsigned Width, uint64_t Max = ~uint64_t(0)) {
    Symbol S;
    S.Kind = K::Counter;
    S.Varies = VariesNowhere;
    S.Name = "k";
    S.Context = this;
    S.Max = Max;
    return E->symbol(Width, S);
  }
  Ref number(uint64_t V, unsigned Width = 32) { return E->constant(Width, V); }

  std::unique_ptr<Expressions> E;
  Ref X = nullptr, B = nullptr, N = nullptr;
};

class TiledBlock : public ExpressionsTest {
protected:
  TiledBlock() : ExpressionsTest(Dim3{16, 16, 1}) {}
};

} // namespace

TEST_F(ExpressionsTest, EqualExpressionsAreOneObject) {
  Ref A = E->add(E->scale(B, 256), X), C = E->add(X, E->shl(B, 8));
  EXPECT_EQ(A, C);
  EXPECT_EQ(E->sub(A, X), E->scale(B, 256));
  EXPECT_TRUE(E->sub(A, C)->isConstant(0));
  // Modulo 2^32.
  EXPECT_TRUE(E->scale(E->scale(X, 1u << 31), 2)->isConstant(0));
  EXPECT_EQ(E->bitNot(E->bitNot(X)), X);
}

TEST_F(ExpressionsTest, ProductsAreMultipliedOut) {
  Ref Row = E->add(E->scale(B, 16), X);
  EXPECT_EQ(E->mul(Row, N), E->add(E->scale(E->mul(B, N), 16), E->mul(N, X)));
  EXPECT_EQ(E->mul(E->scale(N, 4), B), E->scale(E->mul(N, B), 4));
}

TEST_F(ExpressionsTest, IndicesHaveBounds) {
  EXPECT_EQ(X->Facts.UMax, 255u);
  EXPECT_EQ(X->Facts.Zeros, 0xffffff00u);
  EXPECT_TRUE(E->index(K::ThreadY)->isConstant(0));
  Ref I = E->add(E->scale(B, 256), X);
  EXPECT_EQ(I->Facts.UMax, 255999u);
  EXPECT_EQ(I->Facts.SMin, 0);
  EXPECT_EQ(E->sub(X, B)->Facts.SMin, -999);
  EXPECT_EQ(E->sub(X, B)->Facts.SMax, 255);
}

TEST_F(ExpressionsTest, ExtensionsOfWhatDoesNotWrapAreLookedThrough) {
  Ref I = E->sub(E->add(E->scale(B, 256), X), number(1));
  Ref Wide = E->sext(I, 64);
  EXPECT_EQ(Wide, E->sub(E->add(E->scale(E->zext(B, 64), 256), E->zext(X, 64)),
                         number(1, 64)));
  EXPECT_EQ(E->zext(I, 64)->Kind, Expression::KindTy::ZExt); // -1 is not
  // A parameter may be anything.
  EXPECT_EQ(E->sext(E->add(I, N), 64)->Kind, Expression::KindTy::SExt);
  // The way back always goes.
  EXPECT_EQ(E->trunc(E->sext(E->add(I, N), 64), 32), E->add(I, N));
  EXPECT_EQ(E->trunc(Wide, 32), I);
}

TEST_F(ExpressionsTest, BoundedCountersMakeExtensionsVanish) {
  Ref I = E->add(X, E->scale(counter(32), 256));
  EXPECT_EQ(E->sext(I, 64)->Kind, Expression::KindTy::SExt);
  Expressions::Memo Memo;
  Ref Bounded = counter(32, 999);
  Ref R = E->substitute(
      E->sext(I, 64), [&](Ref S) { return S == counter(32) ? Bounded : S; },
      Memo);
  EXPECT_EQ(R, E->add(E->zext(X, 64), E->scale(counter(64, 999), 256)));
}

TEST_F(ExpressionsTest, BitsThatCannotBothBeSetAdd) {
  EXPECT_EQ(E->bitOr(E->shl(B, 8), X), E->add(E->scale(B, 256), X));
  EXPECT_EQ(E->bitXor(E->scale(X, 4), number(3)),
            E->add(E->scale(X, 4), number(3)));
  EXPECT_EQ(E->bitOr(X, number(1))->Kind, Expression::KindTy::Or);
}

TEST_F(ExpressionsTest, ShiftsBackWhatHasZerosThere) {
  EXPECT_EQ(E->shl(E->lshr(E->scale(X, 16), 4), 4), E->scale(X, 16));
  Symbol S;
  S.Kind = Symbol::KindTy::Address;
  S.Align = 16;
  Ref Window = E->symbol(64, S);
  EXPECT_EQ(E->scale(E->lshr(Window, 4), 16), Window);
  EXPECT_EQ(E->scale(E->lshr(Window, 3), 8), Window);
  EXPECT_NE(E->scale(E->lshr(Window, 5), 32), Window);
  EXPECT_NE(E->scale(E->lshr(N, 4), 16), N);
}

TEST_F(ExpressionsTest, WhatIsExchangedComesBack) {
  Ref Both = E->bitXor(B, N);
  EXPECT_EQ(E->bitXor(Both, N), B);
  EXPECT_EQ(E->bitXor(B, Both), N);
  EXPECT_EQ(E->bitXor(Both, X)->Kind, Expression::KindTy::Xor);
}

TEST_F(ExpressionsTest, MasksTakeWhatMatters) {
  EXPECT_EQ(E->bitAnd(X, number(255)), X);
  EXPECT_TRUE(E->bitAnd(E->scale(B, 256), number(255))->isConstant(0));
  EXPECT_EQ(E->bitAnd(E->add(E->scale(B, 256), X), number(255)), X);
  EXPECT_EQ(E->bitAnd(E->add(E->scale(X, 4), number(3)), number(~3u)),
            E->scale(X, 4));
  EXPECT_EQ(E->bitAnd(E->bitAnd(N, number(0xff)), number(0x0f)),
            E->bitAnd(N, number(0x0f)));
}

TEST_F(ExpressionsTest, ShiftsDivideSums) {
  Ref I = E->add(E->scale(B, 256), X);
  EXPECT_EQ(E->lshr(I, 8), B);
  EXPECT_EQ(E->lshr(E->add(E->scale(X, 4), number(7)), 2),
            E->add(X, number(1)));
  EXPECT_EQ(E->div(E->add(E->scale(B, 12), number(5)), number(6), false),
            E->scale(B, 2));
  EXPECT_EQ(E->rem(E->add(E->scale(B, 12), number(17)), number(6), false),
            number(5));
  // Signed, below zero: rounded down.
  EXPECT_EQ(E->ashr(E->sub(E->scale(B, 8), number(3)), 2),
            E->sub(E->scale(B, 2), number(1)));
  // A sum that may wrap is left alone.
  EXPECT_EQ(E->lshr(E->add(E->scale(N, 4), X), 2)->Kind,
            Expression::KindTy::LShr);
}

TEST_F(ExpressionsTest, ShiftsOfUpperHalvesExtend) {
  // (n << 32) >> 32 is the lower half with its sign, whatever n's upper half.
  Ref Wide = E->add(E->zext(N, 64), E->shl(E->zext(B, 64), 40));
  Ref Low = E->sext(N, 64);
  EXPECT_EQ(E->ashr(E->shl(Wide, 32), 32), Low);
  EXPECT_EQ(E->ashr(E->shl(Wide, 32), 30), E->scale(Low, 4));
  EXPECT_EQ(E->ashr(E->shl(Wide, 32), 33), E->sext(E->ashr(N, 1), 64));
  // A shift by less leaves more than a half.
  EXPECT_EQ(E->ashr(E->shl(Wide, 31), 31), E->zext(N, 64));
}

TEST_F(ExpressionsTest, MultiplicationsDivideByConstants) {
  // umulhi(x, 0xaaaaaaab) >> 1 is x / 3.
  Ref Third = E->lshr(E->mulHigh(N, number(0xaaaaaaab), false), 1);
  EXPECT_EQ(Third, E->div(N, number(3), false));
  // 0xaaaaaaaa is not exact for all numbers.
  Ref Other = E->lshr(E->mulHigh(N, number(0xaaaaaaaa), false), 1);
  EXPECT_NE(Other, Third);
}

TEST_F(ExpressionsTest, ThreadsAreLanesOfWarps) {
  Ref Lane = E->index(K::Lane), Warp = E->index(K::Warp);
  EXPECT_EQ(E->bitAnd(X, number(31)), Lane);
  EXPECT_EQ(E->lshr(X, 5), Warp);
  EXPECT_TRUE(E->lshr(X, 5)->isUniform());
  EXPECT_EQ(E->bitAnd(E->lshr(X, 3), number(0x1ffffffc)), E->scale(Warp, 4));
  EXPECT_EQ(E->bitAnd(X, number(~31u)), E->scale(Warp, 32));
  EXPECT_FALSE(E->lshr(X, 4)->isUniform());
}

TEST_F(TiledBlock, ThreadsAreLanesOfWarps) {
  Ref Y = E->index(K::ThreadY);
  Ref Linear = E->add(E->scale(Y, 16), X);
  EXPECT_EQ(E->lshr(Linear, 5), E->index(K::Warp));
  EXPECT_EQ(E->bitAnd(Linear, number(31)), E->index(K::Lane));
  EXPECT_EQ(E->bitAnd(X, number(31)), X); // not the lane
  EXPECT_EQ(X->Varies, VariesInWarp);     // the same in all warps
  EXPECT_EQ(Y->Varies, VariesInWarp | VariesInBlock);
}

TEST_F(ExpressionsTest, ComparisonsAreDecidedByBounds) {
  EXPECT_TRUE(E->less(X, number(256), true)->isConstant(1));
  EXPECT_TRUE(E->less(X, number(0), true)->isConstant(0));
  EXPECT_TRUE(E->less(X, E->add(X, number(1)), true)->isConstant(1));
  EXPECT_TRUE(E->equal(E->add(N, number(1)), N)->isConstant(0));
  EXPECT_TRUE(E->equal(E->scale(X, 2), number(7))->isConstant(0));    // odd
  EXPECT_FALSE(E->less(N, E->add(N, number(1)), true)->isConstant()); // wraps
  EXPECT_EQ(E->less(E->zext(N, 64), number(5, 64), true),
            E->less(N, number(5), false));
}

TEST_F(ExpressionsTest, ChoicesBecomeMinimaAndConditions) {
  EXPECT_EQ(E->select(E->less(X, N, true), X, N), E->min(X, N, true));
  EXPECT_EQ(E->select(E->less(N, X, true), X, N), E->max(X, N, true));
  Ref C = E->less(X, N, true);
  EXPECT_EQ(E->equal(E->select(C, number(1), number(0)), number(0)),
            E->bitNot(C));
  EXPECT_EQ(E->select(E->bitNot(C), B, X), E->select(C, X, B));
  EXPECT_EQ(E->select(C, E->select(C, X, B), N), E->select(C, X, N));
  EXPECT_EQ(E->min(X, number(300), false), X);
}

TEST_F(ExpressionsTest, TablesOfThreeBits) {
  EXPECT_EQ(E->lookUp(X, N, B, 0x80), E->bitAnd(X, E->bitAnd(N, B)));
  EXPECT_EQ(E->lookUp(X, N, B, 0x96), E->bitXor(X, E->bitXor(N, B)));
  EXPECT_EQ(E->lookUp(X, N, B, 0xc0), E->bitAnd(X, N));
  // All tables against their definition.
  Ref P = parameter("p", 32), Q = parameter("q", 32);
  Assignment A;
  A.Values = {{N->Sym, 0xf0}, {P->Sym, 0xcc}, {Q->Sym, 0xaa}};
  for (unsigned Table = 0; Table != 256; ++Table)
    EXPECT_EQ(evaluate(*E->lookUp(N, P, Q, uint8_t(Table)), A)[0] & 0xff,
              Table);
}

TEST_F(ExpressionsTest, SwizzlesAreEvaluatedLaneByLane) {
  Ref Swizzled = E->scale(E->bitXor(X, E->lshr(X, 3)), 16);
  Assignment A;
  A.Block = {256, 1, 1};
  A.Warp = 3;
  LaneArray V = evaluate(*Swizzled, A);
  for (uint64_t L = 0; L != WarpSize; ++L) {
    uint64_t T = 3 * WarpSize + L;
    EXPECT_EQ(V[L], (T ^ (T >> 3)) * 16);
  }
}

TEST_F(ExpressionsTest, ScalarPartsAreComputedOnce) {
  Ref Place = E->add(E->mul(B, N), E->scale(X, 4));
  Ref Roots[] = {Place, E->mul(B, N)};
  CompiledExpressions C(Roots);
  EXPECT_FALSE(C.isScalar(0));
  EXPECT_TRUE(C.isScalar(1));
  Assignment A;
  A.Block = {256, 1, 1};
  A.BlockIndex = {7, 0, 0};
  A.Values = {{N->Sym, 100}};
  C.run(A);
  EXPECT_EQ(C.lane(1, 5), 700u);
  EXPECT_EQ(C.lane(0, 5), 720u);
}

TEST_F(ExpressionsTest, WhatDependsOnWhat) {
  Ref Place = E->add(E->mul(B, N), E->scale(X, 4));
  EXPECT_TRUE(Place->dependsOn(K::BlockX));
  EXPECT_TRUE(Place->dependsOn(N));
  EXPECT_FALSE(Place->dependsOn(K::ThreadY));
  EXPECT_EQ(Place->Varies, VariesInWarp | VariesInBlock | VariesInGrid);
  EXPECT_FALSE(Place->isDecided());
  EXPECT_TRUE(E->add(B, X)->isDecided());
  EXPECT_EQ(Place->opaque(), nullptr);
}

TEST_F(ExpressionsTest, WhatGrowsTooLargeIsOpaque) {
  Ref Sum = number(0);
  for (unsigned I = 0; I != 2 * Expressions::MaxTerms; ++I) {
    Symbol S;
    S.Kind = K::Parameter;
    S.Varies = VariesNowhere;
    S.Name = "p" + std::to_string(I);
    S.Number = 1000 + I;
    Sum = E->add(Sum, E->symbol(32, S));
  }
  ASSERT_NE(Sum->opaque(), nullptr);
  EXPECT_EQ(Sum->opaque()->Reason, Symbol::ReasonTy::TooLarge);
  EXPECT_EQ(Sum->Varies, VariesNowhere);
  // A chain whose tree doubles with each step is no larger than its steps.
  Ref Hash = N;
  for (unsigned I = 0; I != 60; ++I)
    Hash = E->bitXor(Hash, E->shl(Hash, 13));
  EXPECT_EQ(Hash->opaque(), nullptr);
  EXPECT_LE(Hash->Size, 4 * Expressions::MaxSize);
  for (unsigned I = 0; I != 1000; ++I)
    Hash = E->bitXor(E->lshr(Hash, 5), E->shl(Hash, 13));
  EXPECT_NE(Hash->opaque(), nullptr);
}

TEST_F(ExpressionsTest, Text) {
  EXPECT_EQ(E->add(E->add(E->scale(X, 4), E->scale(B, 1024)), N)->str(),
            "4*tid.x + 1024*ctaid.x + n");
  EXPECT_EQ(E->sub(X, number(1))->str(), "tid.x - 1");
  EXPECT_EQ(E->scale(E->bitXor(X, E->lshr(X, 3)), 16)->str(),
            "16*(tid.x ^ tid.x >> 3)");
  EXPECT_EQ(E->bitNot(E->less(X, N, true))->str(), "tid.x >= n");
  EXPECT_EQ(E->bitAnd(E->less(X, N, true), E->less(B, N, false))->str(),
            "tid.x < n && ctaid.x <u n");
  EXPECT_EQ(E->select(E->equal(X, number(0)), N, B)->str(),
            "tid.x == 0 ? n : ctaid.x");
  EXPECT_EQ(E->div(N, number(3), true)->str(), "sdiv(n, 3)");
}
