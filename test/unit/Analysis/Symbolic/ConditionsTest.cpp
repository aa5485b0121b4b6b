//===- ConditionsTest.cpp - Where a predicate holds, as far as is known ---===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Symbolic/Conditions.h"
#include "PTXKernel.h"
#include <random>

using namespace ptxpredict;
using Basis = Condition::BasisTy;
using Ref = const Expression *;

namespace {

struct Symbols {
  Symbols() : E(launch()) {
    Symbol N;
    N.Kind = Symbol::KindTy::Parameter;
    N.Varies = VariesNowhere;
    N.Name = "n";
    Parameter = E.symbol(32, N);
    Symbol L;
    L.Reason = Symbol::ReasonTy::Load;
    L.Name = "data";
    Data = E.symbol(32, L);
    L.Number = 1;
    L.Varies = VariesNowhere;
    UniformData = E.symbol(32, L);
    Tid = E.index(Symbol::KindTy::ThreadX);
  }
  static LaunchConfig launch() {
    LaunchConfig L;
    L.Block = {64, 1, 1};
    return L;
  }
  static Decidedness decidednessOf(const Symbol &S) {
    return S.Kind == Symbol::KindTy::ThreadX ? Decidedness::Decided
                                             : Decidedness::Open;
  }
  Condition of(Ref P) { return bounds(E, P, decidednessOf); }
  Ref num(uint64_t V) { return E.constant(32, V); }

  Expressions E;
  Ref Parameter, Data, UniformData, Tid;
};

TEST(ConditionsTest, OfIndicesAlone) {
  Symbols S;
  Ref P = S.E.less(S.Tid, S.num(5), false);
  Condition C = S.of(P);
  EXPECT_TRUE(C.isDecided());
  EXPECT_EQ(C.Must, P);
  EXPECT_EQ(C.May, P);
}

TEST(ConditionsTest, AnIndexAgainstAnUnknownBoundHolds) {
  Symbols S;
  Ref Within = S.E.less(S.Tid, S.Parameter, false);
  EXPECT_EQ(S.of(Within).Basis, Basis::Index);
  EXPECT_TRUE(S.of(Within).Likely->isConstant(1));
  EXPECT_TRUE(S.of(S.E.bitNot(Within)).Likely->isConstant(0));
  EXPECT_TRUE(S.of(S.E.equal(S.Tid, S.Parameter)).Likely->isConstant(0));
}

TEST(ConditionsTest, OfLoadedData) {
  Symbols S;
  Condition Divergent = S.of(S.E.less(S.Data, S.num(5), false));
  EXPECT_EQ(Divergent.Basis, Basis::Divergent);
  EXPECT_TRUE(Divergent.Must->isConstant(0));
  EXPECT_TRUE(Divergent.May->isConstant(1));
  EXPECT_EQ(Divergent.Open->Name, "data");
  EXPECT_EQ(S.of(S.E.less(S.UniformData, S.num(5), false)).Basis,
            Basis::Uniform);
}

TEST(ConditionsTest, WhatIsDecidedBoundsTheRest) {
  Symbols S;
  Ref Decided = S.E.less(S.Tid, S.num(5), false),
      Open = S.E.less(S.Data, S.num(5), false);
  Condition And = S.of(S.E.bitAnd(Decided, Open));
  EXPECT_TRUE(And.Must->isConstant(0));
  EXPECT_EQ(And.May, Decided);
  Condition Or = S.of(S.E.bitOr(Decided, Open));
  EXPECT_EQ(Or.Must, Decided);
  EXPECT_TRUE(Or.May->isConstant(1));
}

TEST(ConditionsTest, NoPredicate) {
  Symbols S;
  EXPECT_EQ(S.of(nullptr).Basis, Basis::Divergent);
}

TEST(ConditionsTest, BoundsHoldWhateverTheDataIs) {
  Symbols S;
  std::mt19937 Random(1);
  auto UpTo = [&](unsigned N) { return unsigned(Random() % N); };
  for (unsigned Round = 0; Round != 500; ++Round) {
    std::vector<Ref> Terms;
    for (unsigned N = 0; N != 4; ++N) {
      Ref Sides[] = {S.Tid, S.Data, S.Parameter, S.UniformData};
      Terms.push_back(S.E.less(Sides[UpTo(4)], S.num(UpTo(64)), UpTo(2)));
    }
    for (unsigned N = 0; N != 6; ++N) {
      Ref X = Terms[UpTo(unsigned(Terms.size()))],
          Y = Terms[UpTo(unsigned(Terms.size()))],
          Z = Terms[UpTo(unsigned(Terms.size()))];
      Ref Made[] = {S.E.bitAnd(X, Y), S.E.bitOr(X, Y), S.E.bitNot(X),
                    S.E.bitXor(X, Y), S.E.select(X, Y, Z)};
      Terms.push_back(Made[UpTo(5)]);
    }
    Ref P = Terms.back();
    Condition C = S.of(P);
    for (Ref Bound : {C.Must, C.May})
      EXPECT_EQ(decidednessOf(*Bound, Symbols::decidednessOf),
                Decidedness::Decided);
    Assignment A;
    A.Block = {64, 1, 1};
    A.Warp = UpTo(2);
    A.Values[S.Parameter->Sym->Quantity] = UpTo(64);
    A.Values[S.UniformData->Sym->Quantity] = UpTo(64);
    for (uint64_t &V : A.LaneValues[S.Data->Sym->Quantity])
      V = UpTo(64);
    LaneArray Holds = evaluate(*P, A), Must = evaluate(*C.Must, A),
              May = evaluate(*C.May, A);
    for (unsigned L = 0; L != WarpSize; ++L) {
      EXPECT_LE(Must[L], Holds[L]) << P->str();
      EXPECT_LE(Holds[L], May[L]) << P->str();
    }
  }
}

TEST(ConditionsTest, ABaseOnBothSidesCancels) {
  Symbols S;
  Expressions &E = S.E;
  auto Off = [&](int By) { return E.add(S.Data, S.num(uint32_t(By))); };
  // Whether v + 3 wraps is open, whether v + tid is v + 5 is not.
  Condition Wraps = S.of(E.less(Off(-3), E.add(Off(3), S.Tid), true));
  EXPECT_EQ(Wraps.Basis, Basis::Bounded);
  EXPECT_EQ(Wraps.Open->Name, "data");
  EXPECT_TRUE(Wraps.Must->isConstant(0));
  EXPECT_TRUE(Wraps.May->isConstant(1));
  EXPECT_TRUE(Wraps.Likely->isConstant(1));
  Condition Equal = S.of(E.equal(E.add(S.Data, S.Tid), Off(5)));
  EXPECT_TRUE(Equal.isDecided());
  EXPECT_EQ(Equal.Must, E.equal(S.Tid, S.num(5)));
  // What was loaded as 16 bits cannot wrap.
  Ref Small = E.bitAnd(S.Data, S.num(0xffff));
  Ref Within = E.less(E.add(Small, S.Tid), E.add(Small, S.num(20)), true);
  EXPECT_TRUE(S.of(Within).isDecided());
  EXPECT_EQ(S.of(Within).Must, E.less(S.Tid, S.num(20), true));
  // Inside of extrema, and of a clamp whose bounds are decided.
  Ref Largest = E.max(E.add(Off(4), S.Tid), Off(2), true);
  Condition Inside = S.of(E.less(E.sub(Largest, S.Data), S.num(9), false));
  EXPECT_EQ(Inside.Basis, Basis::Bounded);
  EXPECT_EQ(Inside.Likely, E.less(E.add(S.Tid, S.num(4)), S.num(9), false));
  Ref Size =
      E.sub(E.min(Off(4), S.num(99), true), E.max(Off(-3), S.num(0), true));
  Condition Clamped = S.of(E.less(S.Tid, Size, true));
  EXPECT_EQ(Clamped.Basis, Basis::Bounded);
  EXPECT_EQ(Clamped.Likely, E.less(S.Tid, S.num(7), true));
  // A compiler's maximum, of a loop that runs at least once, is no clamp.
  Ref Count = E.add(S.Data, E.max(E.sub(S.num(0xffffffff), S.Data),
                                  S.num(uint32_t(-2)), true));
  EXPECT_EQ(S.of(E.less(S.Tid, E.add(Count, S.num(2)), true)).Basis,
            Basis::Divergent);
}

TEST(ConditionsTest, SharedBasesHoldWhateverTheDataIs) {
  Symbols S;
  Expressions &E = S.E;
  std::mt19937 Random(7);
  auto UpTo = [&](unsigned N) { return unsigned(Random() % N); };
  unsigned NumDecided = 0, NumBounded = 0;
  for (unsigned Round = 0; Round != 4000; ++Round) {
    Ref Bases[] = {S.Data, S.UniformData, E.bitAnd(S.Data, S.num(0xfff)),
                   E.sub(S.UniformData, S.Data)};
    Ref Base = Bases[UpTo(4)];
    auto Side = [&](auto &Self, unsigned Depth) -> Ref {
      const unsigned Ahead = UpTo(16), Behind = UpTo(16);
      Ref X = E.add(UpTo(8) ? Base : S.num(UpTo(9)), S.num(Ahead - Behind));
      if (UpTo(2))
        X = E.add(X, E.scale(S.Tid, UpTo(4) - UpTo(3)));
      if (Depth == 0 || UpTo(2))
        return X;
      Ref Y = Self(Self, Depth - 1);
      switch (UpTo(3)) {
      case 0:
        return E.min(X, Y, UpTo(2));
      case 1:
        return E.max(X, Y, UpTo(2));
      default:
        return E.select(E.less(S.Tid, S.num(UpTo(64)), false), X, Y);
      }
    };
    Ref A = Side(Side, 2), B = Side(Side, 2);
    if (UpTo(3) == 0) {
      const bool Signed = UpTo(2);
      A = Signed ? E.sext(A, 64) : E.zext(A, 64);
      B = Signed ? E.sext(B, 64) : E.zext(B, 64);
    }
    Ref P = UpTo(4) ? E.less(A, B, UpTo(2)) : E.equal(A, B);
    Condition C = S.of(P);
    NumDecided += C.isDecided() && !P->isConstant();
    NumBounded += C.Basis == Basis::Bounded;
    // At the ends of the range, too.
    for (uint32_t Near : {0u, 0x7fffffffu, 0x80000000u, 0xffffffffu, 77777u}) {
      Assignment At;
      At.Block = {64, 1, 1};
      At.Warp = UpTo(2);
      At.Values[S.Parameter->Sym->Quantity] = UpTo(64);
      At.Values[S.UniformData->Sym->Quantity] = uint32_t(Near + UpTo(40) - 20);
      for (uint64_t &V : At.LaneValues[S.Data->Sym->Quantity])
        V = uint32_t(Near + UpTo(40) - 20);
      LaneArray Holds = evaluate(*P, At), Must = evaluate(*C.Must, At),
                May = evaluate(*C.May, At);
      for (unsigned L = 0; L != WarpSize; ++L) {
        EXPECT_LE(Must[L], Holds[L]) << P->str();
        EXPECT_LE(Holds[L], May[L]) << P->str();
      }
    }
  }
  EXPECT_GT(NumDecided, 100u);
  EXPECT_GT(NumBounded, 100u);
}

TEST(ConditionsTest, SecondPredicateOfAPairIsTheInverse) {
  PTXKernel K("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1|%p2, %r1, 32;\n"
              "@%p2 bra END;\nBODY: add.s32 %r1, %r1, 1;\nEND:");
  K.analyze();
  EXPECT_EQ(K.frequency("BODY").Value, 0.5);
}

} // namespace
