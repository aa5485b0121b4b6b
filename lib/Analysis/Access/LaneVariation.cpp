//===- LaneVariation.cpp - How far a value differs in a warp --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LaneVariation.h"
#include "AccessCosts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Kind = Expression::KindTy;
using Ref = const Expression *;

/// Whether there is a condition to take lanes by: an open one, and no lane's
/// own data in it.
bool LaneVariation::isTakenTogether(Ref X) {
  return X->isUniform() ||
         (decidednessOf(*X, Of) == Decidedness::Open &&
          llvm::none_of(X->Symbols, [](Ref S) {
            return S->isSymbol(Symbol::KindTy::Opaque) && !S->isUniform();
          }));
}

/// Of whichever of them.
std::optional<uint64_t> LaneVariation::most(ArrayRef<Ref> All) {
  uint64_t Most = 0;
  for (Ref X : All) {
    std::optional<uint64_t> One = bound(X);
    if (!One)
      return std::nullopt;
    Most = std::max(Most, *One);
  }
  return Most;
}

bool LaneVariation::areAllEqual(ArrayRef<Ref> All) {
  return llvm::all_of(All, [&](Ref X) { return bound(X) == 0; });
}

/// \p Far in steps of \p Unit; one step is taken for none.
static uint64_t roundedTo(uint64_t Far, uint64_t Unit) {
  return Far <= Unit ? 0 : Far / Unit + 1;
}

std::optional<uint64_t> LaneVariation::ofQuotient(Ref X) {
  std::optional<uint64_t> Far = bound(X->Operands[0]);
  Ref By = X->Operands[1];
  if (!Far || !By->isUniform())
    return std::nullopt;
  if (*Far == 0)
    return 0;
  if (!By->isConstant() || By->Addend == 0)
    return std::nullopt;
  const bool IsShift = X->Kind == Kind::LShr || X->Kind == Kind::AShr;
  if (X->Kind == Kind::SDiv) {
    const int64_t Signed = llvm::SignExtend64(By->Addend, By->Width);
    return roundedTo(*Far, Signed < 0 ? 0 - uint64_t(Signed) : By->Addend);
  }
  if (!IsShift)
    return roundedTo(*Far, By->Addend);
  return By->Addend < 63 ? roundedTo(*Far, uint64_t(1) << By->Addend) : 0;
}

/// Rounded down to a multiple of a power of two.
std::optional<uint64_t> LaneVariation::ofMask(Ref X) {
  if (areAllEqual(X->Operands))
    return 0;
  if (X->Operands.size() != 2 || !X->Operands[1]->isConstant())
    return std::nullopt;
  uint64_t Rest =
      ~X->Operands[1]->Addend & llvm::maskTrailingOnes<uint64_t>(X->Width);
  std::optional<uint64_t> Far = bound(X->Operands[0]);
  if (!Far || !llvm::isMask_64(Rest))
    return std::nullopt;
  return llvm::SaturatingMultiply(roundedTo(*Far, Rest + 1), Rest + 1);
}

std::optional<uint64_t> LaneVariation::find(Ref X) {
  if (X->isUniform())
    return 0;
  switch (X->Kind) {
  case Kind::Symbol:
    if (X->isSymbol(Symbol::KindTy::ExitCount))
      return 0;
    return isThread(*X->Sym) ? std::optional<uint64_t>(WarpSize - 1)
                             : std::nullopt;
  case Kind::Sum: {
    uint64_t Far = 0;
    for (auto [O, C] : llvm::zip(X->Operands, X->Coefficients)) {
      std::optional<uint64_t> One = bound(O);
      if (!One)
        return std::nullopt;
      auto By = uint64_t(std::abs(llvm::SignExtend64(C, X->Width)));
      Far = llvm::SaturatingMultiplyAdd(*One, By, Far);
    }
    return Far;
  }
  case Kind::ZExt:
  case Kind::SExt:
  case Kind::Trunc:
    if (X->Operands[0]->Width == 1)
      return isTakenTogether(X->Operands[0]) ? std::optional<uint64_t>(0)
                                             : std::nullopt;
    return bound(X->Operands[0]);
  case Kind::UMin:
  case Kind::UMax:
  case Kind::SMin:
  case Kind::SMax:
    return most(X->Operands);
  case Kind::Select:
    return isTakenTogether(X->Operands[0]) ? most(X->Operands.drop_front())
                                           : std::nullopt;
  case Kind::UDiv:
  case Kind::SDiv:
  case Kind::LShr:
  case Kind::AShr:
    return ofQuotient(X);
  case Kind::And:
    return ofMask(X);
  default:
    return X->Width != 1 && areAllEqual(X->Operands)
               ? std::optional<uint64_t>(0)
               : std::nullopt;
  }
}

std::optional<uint64_t> LaneVariation::bound(Ref X) {
  if (auto It = Known.find(X); It != Known.end())
    return It->second;
  std::optional<uint64_t> Far = find(X);
  Known.try_emplace(X, Far);
  return Far;
}
