//===- AssembledDivision.h - Divisions in machine code ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// No machine divides integers. Of div and rem by what is no constant, 32 bits
// wide, ptxas makes
//
//   x = trunc(rcp(float(d)) * (1 - a little)), and x += mulhi(x, -d * x)
//   q = mulhi(x, n), r = n - q * d, and twice: if (r >= d) ++q, r -= d
//
// where q is at most two less than n / d. It is taken for n / d, and r for the
// rest: then nothing is corrected, and what comes out is the same. Where d is
// zero, a selection behind it takes something else.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_ASSEMBLEDDIVISION_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_ASSEMBLEDDIVISION_H

#include "InstructionView.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace ptxpredict {

/// The divisions of a function of machine code.
class AssembledDivision {
public:
  using Ref = const Expression *;
  explicit AssembledDivision(const PartialValues &Values) : Values(Values) {}

  /// The quotient that `mul.hi.u32` is near to, and the rest that `mad.lo`
  /// leaves of it; null if the instruction is neither. Its sources are known.
  Ref compute(const InstructionView &I);
  /// A comparison without signs of such a rest with its divisor; null if it is
  /// none.
  Ref compare(const InstructionView &I) const;

private:
  Ref quotient(const InstructionView &I);
  Ref remainder(const InstructionView &I);
  Ref divisorOf(const Operand &Reciprocal) const;

  struct Division {
    Ref Dividend, Divisor;
  };
  const PartialValues &Values;
  llvm::DenseMap<Ref, Division> Quotients;
  llvm::DenseSet<std::pair<Ref, Ref>> Remainders; ///< with their divisors
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_ASSEMBLEDDIVISION_H
