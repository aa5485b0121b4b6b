//===- ExpressionsImpl.h - What the parts of Expressions share --*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_EXPRESSIONSIMPL_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_EXPRESSIONSIMPL_H

#include "ptxpredict/Analysis/Symbolic/Expressions.h"
#include "llvm/Support/MathExtras.h"

namespace ptxpredict {

/// The parts of a sum that is being made.
struct Expressions::Terms {
  SmallVector<std::pair<const Expression *, uint64_t>, 8> List;
  uint64_t Addend = 0;

  void add(const Expression *E, uint64_t By);
};

namespace expressions {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

inline uint64_t maskOf(unsigned Width) {
  return llvm::maskTrailingOnes<uint64_t>(Width);
}
inline int64_t signedOf(uint64_t V, unsigned Width) {
  return llvm::SignExtend64(V, Width);
}

/// The value of \p E, no symbol, where its operands have \p Values.
uint64_t apply(const Expression &E, ArrayRef<uint64_t> Values);
/// The same for a number of lanes. An operand's values are where its pointer
/// says, Stride 0 or 1 apart.
struct LaneOperand {
  const uint64_t *Values;
  unsigned Stride;
};
void applyToLanes(const Expression &E, ArrayRef<LaneOperand> Operands,
                  uint64_t *Out);

/// What a load of that kind has at a place.
uint64_t readAt(const BufferRead &From, uint64_t Offset);

ValueFacts factsOf(const Expression &E);
/// Makes bits and bounds agree with each other.
void refine(ValueFacts &F, unsigned Width);

/// Whether a term's number is better taken with its sign: its signed range is
/// the smaller one.
bool isBetterSigned(const Expression &Term);

/// The values of a sum, or of a term alone, computed without wrapping from
/// terms as isBetterSigned() says and coefficients and addend with sign.
/// Nothing where they are too large to tell.
struct Interval {
  Int128 Low = 0, High = 0;

  /// What to add, a multiple of 2^Width, to be in the range of unsigned or
  /// signed numbers. Nothing if the values wrap.
  std::optional<Int128> offset(unsigned Width, bool Signed) const;
};
std::optional<Interval> intervalOf(const Expression &E);
/// Of the terms for which \p Only holds, without addend.
std::optional<Interval>
intervalOfTerms(const Expression &Sum,
                llvm::function_ref<bool(size_t Index)> Only);

/// How many low bits are zero.
inline unsigned trailingZeros(const Expression &E) {
  return std::min<unsigned>(unsigned(llvm::countr_one(E.Facts.Zeros)), E.Width);
}

} // namespace expressions
} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_EXPRESSIONSIMPL_H
