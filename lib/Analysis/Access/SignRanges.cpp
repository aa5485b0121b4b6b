//===- SignRanges.cpp - Where conditions and addresses go straight --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SignRanges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using Kind = Expression::KindTy;

__extension__ using Wide = __int128;

static uint64_t *indexOf(Assignment &A, Symbol::KindTy K) {
  switch (K) {
  case Symbol::KindTy::BlockX:
    return &A.BlockIndex.X;
  case Symbol::KindTy::BlockY:
    return &A.BlockIndex.Y;
  case Symbol::KindTy::BlockZ:
    return &A.BlockIndex.Z;
  default:
    return nullptr;
  }
}

void ptxpredict::setValue(const Quantity &Q, Assignment &A, uint64_t V) {
  for (const Symbol *S : Q)
    if (uint64_t *Index = indexOf(A, S->Kind))
      *Index = V;
    else
      A.Values[S] = V;
}

uint64_t ptxpredict::valueOf(const Quantity &Q, const Assignment &A) {
  if (Q.empty())
    return 0;
  if (uint64_t *Index = indexOf(const_cast<Assignment &>(A), Q[0]->Kind))
    return *Index;
  return A.Values.lookup(Q[0]);
}

bool ptxpredict::dependsOn(const Expression &E, const Quantity &Q) {
  return !Q.empty() && llvm::any_of(E.Symbols, [&](const Expression *S) {
    return llvm::is_contained(Q, S->Sym->Quantity);
  });
}

namespace {
/// A quotient of its first operand, or the rest.
struct Quotient {
  uint64_t Unit = 0; ///< of the operand; 0: it is none
  bool IsRest = false;
};
} // namespace

static Quotient quotientOf(const Expression &E) {
  const bool HasNumber = E.Operands.size() == 2 &&
                         E.Operands[1]->isConstant() &&
                         E.Operands[0]->Width != 1;
  if (!HasNumber)
    return {};
  const uint64_t By = E.Operands[1]->Addend;
  switch (E.Kind) {
  case Kind::LShr:
  case Kind::AShr:
    return By < 63 ? Quotient{uint64_t(1) << By, false} : Quotient();
  case Kind::SDiv:
    return llvm::SignExtend64(By, E.Width) > 0 ? Quotient{By, false}
                                               : Quotient();
  case Kind::UDiv:
    return {By, false};
  case Kind::URem:
    return {By, true};
  case Kind::And:
    if (llvm::isMask_64(By) && By + 1 != 0)
      return {By + 1, true};
    return {By & (0 - By), false};
  default:
    return {};
  }
}

/// What decides between two operands, where that is one answer for a block.
static bool isChoice(const Expression &E) {
  constexpr uint8_t Within = VariesInWarp | VariesInBlock;
  switch (E.Kind) {
  case Kind::UMin:
  case Kind::UMax:
  case Kind::SMin:
  case Kind::SMax:
    return !(E.Varies & Within);
  case Kind::Select:
    return E.Width != 1 && !(E.Operands[0]->Varies & Within);
  default:
    return false;
  }
}

/// Whether a choice takes the first of both.
static bool takesFirst(const Expression &E, const Assignment &A) {
  if (E.Kind == Kind::Select)
    return evaluate(*E.Operands[0], A)[0] & 1;
  uint64_t X = evaluate(*E.Operands[0], A)[0],
           Y = evaluate(*E.Operands[1], A)[0];
  if (E.Kind == Kind::SMin || E.Kind == Kind::SMax) {
    X ^= uint64_t(1) << (E.Width - 1);
    Y ^= uint64_t(1) << (E.Width - 1);
  }
  return (X < Y) == (E.Kind == Kind::UMin || E.Kind == Kind::SMin);
}

static uint64_t steepness(int64_t V) {
  return V < 0 ? 0 - uint64_t(V) : uint64_t(V);
}

/// Where an expression is bent.
static Slope kinkedSlope(const Expression &E, const Quantity &Q,
                         const Assignment *Here) {
  if (Quotient S = quotientOf(E); S.Unit > 1) {
    Slope Inner = slopeOf(*E.Operands[0], Q, Here);
    // Pieces of one step are none.
    return {Inner.IsLinear && steepness(Inner.Value) < S.Unit, true, true,
            S.IsRest ? Inner.Value : 0};
  }
  if (!isChoice(E))
    return {false, true, true, 0};
  Slope A = slopeOf(*E.Operands[E.Operands.size() - 2], Q, Here),
        B = slopeOf(*E.Operands.back(), Q, Here);
  const bool First =
      Here ? takesFirst(E, *Here) : steepness(A.Value) > steepness(B.Value);
  return {A.IsLinear && B.IsLinear, true, true, First ? A.Value : B.Value};
}

/// Whether so many times \p E is a multiple of 128, the same for all threads of
/// a block: lanes keep their distances.
static bool isWholePeriod(const Expression &E, uint64_t Times) {
  return !(E.Varies & (VariesInWarp | VariesInBlock)) &&
         llvm::countr_one(E.Facts.Zeros) + llvm::countr_zero(Times) >= 7;
}

Slope ptxpredict::slopeOf(const Expression &E, const Quantity &Q,
                          const Assignment *Here, bool OnlyResidue) {
  if (E.isSymbol() && llvm::is_contained(Q, E.Sym->Quantity))
    return {true, false, false, 1};
  if (!dependsOn(E, Q))
    return {};
  if (E.Kind == Kind::Sum) {
    Slope Sum;
    for (auto [O, C] : llvm::zip(E.Operands, E.Coefficients)) {
      if (!dependsOn(*O, Q))
        continue;
      Slope Part = slopeOf(*O, Q, Here);
      if (OnlyResidue && Part.HasKinks && isWholePeriod(*O, C))
        continue;
      Sum.IsLinear &= Part.IsLinear;
      Sum.MayWrap |= Part.MayWrap;
      Sum.HasKinks |= Part.HasKinks;
      Sum.Value = int64_t(uint64_t(Sum.Value) +
                          uint64_t(Part.Value) *
                              uint64_t(llvm::SignExtend64(C, E.Width)));
    }
    return Sum;
  }
  if (E.Kind == Kind::ZExt || E.Kind == Kind::SExt || E.Kind == Kind::Trunc) {
    Slope Inner = slopeOf(*E.Operands[0], Q, Here);
    Inner.MayWrap = true;
    Inner.Value = llvm::SignExtend64(uint64_t(Inner.Value),
                                     std::min(E.Width, E.Operands[0]->Width));
    return Inner;
  }
  return kinkedSlope(E, Q, Here);
}

/// Block indices and counters of loops.
static bool moves(const Expression *S) {
  return S->isSymbol(Symbol::KindTy::BlockX) ||
         S->isSymbol(Symbol::KindTy::BlockY) ||
         S->isSymbol(Symbol::KindTy::BlockZ) ||
         S->isSymbol(Symbol::KindTy::Counter);
}

/// Visits each part that such symbols are in once; \p Visit returns those of
/// its operands to go on with.
static void forEachMoving(
    const Expression &E,
    llvm::function_ref<ArrayRef<const Expression *>(const Expression &)>
        Visit) {
  SmallVector<const Expression *, 8> Work{&E};
  llvm::SmallPtrSet<const Expression *, 8> Seen;
  while (!Work.empty()) {
    const Expression &X = *Work.pop_back_val();
    if (!X.isSymbol() && llvm::any_of(X.Symbols, moves) &&
        Seen.insert(&X).second)
      llvm::append_range(Work, Visit(X));
  }
}

SmallVector<const Expression *, 4> ptxpredict::bendsIn(const Expression &E) {
  SmallVector<const Expression *, 4> Found;
  forEachMoving(E, [&](const Expression &X) {
    if (X.Kind != Kind::Sum && X.Kind != Kind::Trunc)
      Found.push_back(&X);
    return ArrayRef(X.Operands);
  });
  return Found;
}

void ptxpredict::forEachKink(
    const Expression &E, Expressions &In,
    llvm::function_ref<void(const Expression &)> Kink,
    llvm::function_ref<void(const Expression &)> Choice) {
  forEachMoving(E, [&](const Expression &X) -> ArrayRef<const Expression *> {
    ArrayRef<const Expression *> Operands = X.Operands;
    if (X.Kind == Kind::Sum || X.Kind == Kind::ZExt || X.Kind == Kind::SExt ||
        X.Kind == Kind::Trunc)
      return Operands;
    if (quotientOf(X).Unit > 1) {
      Kink(X);
      return Operands.take_front();
    }
    if (!isChoice(X))
      return {};
    if (X.Kind == Kind::Select) {
      Choice(*X.Operands[0]);
      return Operands.drop_front();
    }
    const bool Signed = X.Kind == Kind::SMin || X.Kind == Kind::SMax;
    Choice(*In.less(X.Operands[0], X.Operands[1], Signed));
    return Operands;
  });
}

bool ptxpredict::isComparison(const Expression &E) {
  return (E.Kind == Kind::Equal || E.Kind == Kind::ULess ||
          E.Kind == Kind::SLess) &&
         E.Operands[0]->Width != 1;
}

void ptxpredict::forEachComparison(
    const Expression &E, llvm::function_ref<void(const Expression &)> Fn) {
  SmallVector<const Expression *, 8> Work{&E};
  llvm::SmallPtrSet<const Expression *, 8> Seen;
  while (!Work.empty()) {
    const Expression &X = *Work.pop_back_val();
    if (!Seen.insert(&X).second)
      continue;
    switch (X.Kind) {
    case Kind::Constant:
      break;
    case Kind::Equal:
      if (isComparison(X)) {
        Fn(X);
        break;
      }
      [[fallthrough]];
    case Kind::And:
    case Kind::Or:
    case Kind::Xor:
    case Kind::Not:
    case Kind::Select:
      llvm::append_range(Work, X.Operands);
      break;
    default:
      Fn(X);
    }
  }
}

bool ptxpredict::isMonotone(const Expression &Comparison, const Quantity &Q) {
  return llvm::all_of(Comparison.Operands, [&](const Expression *O) {
    return slopeOf(*O, Q).IsLinear;
  });
}

bool ptxpredict::keepsPiece(const Expression &Kink, const SideStretch &S,
                            uint32_t Lanes) {
  // Less than a unit of the operand cannot lead round to where it began.
  const Wide Rise = Wide(S.RightSlope) * Wide(S.Steps),
             Unit = Wide(quotientOf(Kink).Unit);
  if (Rise >= Unit || -Rise >= Unit)
    return false;
  for (unsigned L = 0; L != WarpSize; ++L)
    if (Lanes >> L & 1 && Wide(S.To.Left[L]) - Wide(S.From.Left[L]) !=
                              Wide(S.LeftSlope) * Wide(S.Steps))
      return false;
  return true;
}

bool ptxpredict::keepsSign(const Expression &Comparison, const SideStretch &S,
                           uint32_t Lanes) {
  const Expression &Left = *Comparison.Operands[0];
  const Wide LeftRise = Wide(S.LeftSlope) * Wide(S.Steps),
             RightRise = Wide(S.RightSlope) * Wide(S.Steps);
  // Whether a value rose without wrapping around.
  auto IsStraight = [&](uint64_t From, uint64_t To, Wide Rise, bool Signed) {
    Wide A = Signed ? Wide(llvm::SignExtend64(From, Left.Width)) : Wide(From);
    Wide B = Signed ? Wide(llvm::SignExtend64(To, Left.Width)) : Wide(To);
    return B - A == Rise;
  };
  auto Sign = [&](uint64_t X, uint64_t Y, bool Signed) {
    if (Signed) {
      X ^= uint64_t(1) << (Left.Width - 1); // as if without one
      Y ^= uint64_t(1) << (Left.Width - 1);
    }
    return X < Y ? -1 : X > Y;
  };
  auto Keeps = [&](unsigned L, bool Signed) {
    return Sign(S.From.Left[L], S.From.Right[L], Signed) ==
               Sign(S.To.Left[L], S.To.Right[L], Signed) &&
           IsStraight(S.From.Left[L], S.To.Left[L], LeftRise, Signed) &&
           IsStraight(S.From.Right[L], S.To.Right[L], RightRise, Signed);
  };
  bool Signed = Comparison.Kind == Kind::SLess;
  for (unsigned L = 0; L != WarpSize; ++L)
    if (Lanes >> L & 1 && !Keeps(L, Signed) &&
        !(Comparison.Kind == Kind::Equal && Keeps(L, true)))
      return false;
  return true;
}
