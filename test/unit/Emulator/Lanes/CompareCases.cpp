//===- CompareCases.cpp - Comparisons on APInt and APFloat ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA 9.3.1 (comparisons) and 9.7.6.
//===----------------------------------------------------------------------===//
#include "InstructionCases.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::APFloat;
using llvm::APInt;

namespace {
/// Which outcomes a comparison holds for.
struct Comparison {
  const char *Name;
  bool Less, Equal, Greater, Unordered;
};
} // namespace

static constexpr Comparison IntegerComparisons[] = {
    {"eq", false, true, false, false}, {"ne", true, false, true, false},
    {"lt", true, false, false, false}, {"le", true, true, false, false},
    {"gt", false, false, true, false}, {"ge", false, true, true, false}};
static constexpr Comparison UnsignedComparisons[] = {
    {"lo", true, false, false, false},
    {"ls", true, true, false, false},
    {"hi", false, false, true, false},
    {"hs", false, true, true, false}};
static constexpr Comparison UnorderedComparisons[] = {
    {"equ", false, true, false, true}, {"neu", true, false, true, true},
    {"ltu", true, false, false, true}, {"leu", true, true, false, true},
    {"gtu", false, false, true, true}, {"geu", false, true, true, true},
    {"num", true, true, true, false},  {"nan", false, false, false, true}};

static APFloat asFloat(const LaneInput &In, unsigned I, bool IsDouble,
                       bool Flush) {
  APFloat A(IsDouble ? APFloat::IEEEdouble() : APFloat::IEEEsingle(),
            number(In, I, IsDouble ? 64 : 32));
  return flushed(A, Flush);
}

static bool comparisonHolds(const Comparison &C, ScalarType T, bool Flush,
                            const LaneInput &In) {
  if (kindOf(T) == TypeKind::Float) {
    bool IsDouble = T == ScalarType::F64;
    switch (asFloat(In, 0, IsDouble, Flush)
                .compare(asFloat(In, 1, IsDouble, Flush))) {
    case APFloat::cmpLessThan:
      return C.Less;
    case APFloat::cmpEqual:
      return C.Equal;
    case APFloat::cmpGreaterThan:
      return C.Greater;
    case APFloat::cmpUnordered:
      return C.Unordered;
    }
  }
  APInt A = number(In, 0, bitWidth(T)), B = number(In, 1, bitWidth(T));
  if (A == B)
    return C.Equal;
  return (kindOf(T) == TypeKind::Signed ? A.slt(B) : A.ult(B)) ? C.Less
                                                               : C.Greater;
}

static constexpr const char *BoolOps[] = {"", ".and", ".or", ".xor"};

static bool combine(unsigned BoolOp, bool P, bool Q) {
  switch (BoolOp) {
  case 1:
    return P && Q;
  case 2:
    return P || Q;
  case 3:
    return P != Q;
  default:
    return P;
  }
}

/// setp, and the comparison's set, with and without what combines them.
static void addComparison(std::vector<InstructionCase> &Out,
                          const Comparison &C, ScalarType T, bool Flush) {
  for (unsigned B = 0; B != 4; ++B) {
    std::string Head =
        std::string(".") + C.Name + BoolOps[B] + (Flush ? ".ftz" : "");
    std::vector<ScalarType> Sources = {T, T};
    if (B)
      Sources.push_back(ScalarType::Pred);
    for (unsigned NumDests : {1, 2})
      Out.push_back({"setp" + Head + dotted(T),
                     std::vector<ScalarType>(NumDests, ScalarType::Pred),
                     Sources, [=](const LaneInput &In) {
                       bool P = comparisonHolds(C, T, Flush, In),
                            Q = In.Source[2];
                       return LaneOutput(combine(B, P, Q), combine(B, !P, Q));
                     }});
    for (ScalarType D : {ScalarType::U32, ScalarType::S32, ScalarType::F32})
      if (B == 0 || D == ScalarType::F32 || StringRef(C.Name) == "eq")
        Out.push_back(
            {"set" + Head + dotted(D) + dotted(T),
             {D},
             Sources,
             [=](const LaneInput &In) -> LaneOutput {
               if (!combine(B, comparisonHolds(C, T, Flush, In), In.Source[2]))
                 return uint64_t(0);
               return uint64_t(D == ScalarType::F32 ? 0x3f800000 : 0xffffffff);
             }});
  }
}

static void addSelections(std::vector<InstructionCase> &Out) {
  for (ScalarType T :
       {ScalarType::B16, ScalarType::B32, ScalarType::B64, ScalarType::U16,
        ScalarType::U32, ScalarType::U64, ScalarType::S16, ScalarType::S32,
        ScalarType::S64, ScalarType::F32, ScalarType::F64}) {
    Out.push_back({"selp" + dotted(T),
                   {T},
                   {T, T, ScalarType::Pred},
                   [](const LaneInput &In) {
                     return LaneOutput(In.Source[2] ? In.Source[0]
                                                    : In.Source[1]);
                   }});
    Out.push_back({"slct" + dotted(T) + ".s32",
                   {T},
                   {T, T, ScalarType::S32},
                   [](const LaneInput &In) {
                     return LaneOutput(number(In, 2, 32).isNegative()
                                           ? In.Source[1]
                                           : In.Source[0]);
                   }});
    for (bool Flush : {false, true})
      Out.push_back({(Flush ? "slct.ftz" : "slct") + dotted(T) + ".f32",
                     {T},
                     {T, T, ScalarType::F32},
                     [=](const LaneInput &In) {
                       APFloat C = asFloat(In, 2, false, Flush);
                       bool TakeA =
                           !C.isNaN() && (C.isZero() || !C.isNegative());
                       return LaneOutput(In.Source[TakeA ? 0 : 1]);
                     }});
  }
}

std::vector<InstructionCase> emulator::compareCases() {
  std::vector<InstructionCase> Out;
  for (ScalarType T : {ScalarType::B16, ScalarType::B32, ScalarType::B64,
                       ScalarType::U16, ScalarType::U32, ScalarType::U64,
                       ScalarType::S16, ScalarType::S32, ScalarType::S64})
    for (const Comparison &C : IntegerComparisons)
      if (kindOf(T) != TypeKind::Bits || C.Less == C.Greater)
        addComparison(Out, C, T, false);
  for (ScalarType T : {ScalarType::U16, ScalarType::U32, ScalarType::U64})
    for (const Comparison &C : UnsignedComparisons)
      addComparison(Out, C, T, false);
  auto AddFloat = [&](ScalarType T, bool Flush) {
    for (const Comparison &C : IntegerComparisons)
      addComparison(Out, C, T, Flush);
    for (const Comparison &C : UnorderedComparisons)
      addComparison(Out, C, T, Flush);
  };
  AddFloat(ScalarType::F32, false);
  AddFloat(ScalarType::F32, true);
  AddFloat(ScalarType::F64, false);
  addSelections(Out);
  return Out;
}
