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
    A.Values[S.Parameter] = UpTo(64);
    A.Values[S.UniformData] = UpTo(64);
    for (uint64_t &V : A.LaneValues[S.Data])
      V = UpTo(64);
    LaneArray Holds = evaluate(*P, A), Must = evaluate(*C.Must, A),
              May = evaluate(*C.May, A);
    for (unsigned L = 0; L != WarpSize; ++L) {
      EXPECT_LE(Must[L], Holds[L]) << P->str();
      EXPECT_LE(Holds[L], May[L]) << P->str();
    }
  }
}

TEST(ConditionsTest, SecondPredicateOfAPairIsTheInverse) {
  PTXKernel K("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1|%p2, %r1, 32;\n"
              "@%p2 bra END;\nBODY: add.s32 %r1, %r1, 1;\nEND:");
  K.analyze();
  EXPECT_EQ(K.frequency("BODY").Value, 0.5);
}

} // namespace
