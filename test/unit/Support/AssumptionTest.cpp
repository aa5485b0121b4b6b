//===- AssumptionTest.cpp - What assumptions are called -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/Assumption.h"
#include "gtest/gtest.h"

using namespace ptxpredict;

namespace {

/// The kind and detail that a file's text stands for.
Assumption readBack(const Assumption &A) {
  Assumption Read;
  Read.setWhat(A.what());
  return Read;
}

TEST(Assumption, EveryKindIsReadBackFromItsWords) {
  enum class DetailTy { All, Behind };
  struct {
    AssumptionKind Kind;
    DetailTy Detail;
  } Kinds[] = {
#define ASSUMPTION_KIND(MEMBER, WORDS, DETAIL)                                 \
  {AssumptionKind::MEMBER, DetailTy::DETAIL},
#include "ptxpredict/Support/AssumptionKinds.def"
  };
  for (auto [Kind, Detail] : Kinds) {
    Assumption A;
    A.Kind = Kind;
    if (Detail == DetailTy::Behind)
      A.Detail = "12";
    EXPECT_EQ(readBack(A).Kind, Kind) << A.what();
    EXPECT_EQ(readBack(A).Detail, A.Detail) << A.what();
  }
}

TEST(Assumption, SaysItsLineOnce) {
  Assumption A;
  A.Line = 7;
  A.Kind = AssumptionKind::TripCount;
  A.Detail = "$L__BB0_2";
  EXPECT_EQ(A.whatAndWhere(), A.what() + " (line 7)");
  A.Kind = AssumptionKind::TripCountOfLine;
  A.Detail = "7";
  EXPECT_EQ(A.whatAndWhere(), A.what());
  A.Kind = AssumptionKind::Grid;
  A.Line = 0;
  EXPECT_EQ(A.whatAndWhere(), A.what());
}

} // namespace
