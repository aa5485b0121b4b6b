//===- IntegerOperation.h - Instructions on integers and bits ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_INTEGEROPERATION_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_INTEGEROPERATION_H

#include "InstructionView.h"

namespace ptxpredict {

/// What an instruction on integers, bits or predicates computes (PTX ISA 9.7.1
/// and 9.7.2, 9.7.6 to 9.7.9). Its sources are known.
class IntegerOperation {
public:
  using Ref = const Expression *;
  /// \p CarryFlag is the carry flag, which the instruction may read and write;
  /// null where it is not known.
  IntegerOperation(const InstructionView &I, Ref &CarryFlag)
      : View(I), E(I.expressions()), Carry(CarryFlag) {}

  /// The result in type \p T; null for an instruction that is not one of these.
  Ref compute(ScalarType T);
  /// Compares the first two sources.
  Ref compare(StringRef Name, ScalarType T) const;
  /// cvt between integers, as wide as the register that it writes.
  Ref convert(ScalarType To, ScalarType From) const;

private:
  Ref source(unsigned N) const { return View.source(N, Width); }
  /// Of twice the width.
  Ref wideSource(unsigned N) const {
    return E.resize(source(N), 2 * Width, Signed);
  }
  Ref number(uint64_t V) const { return E.constant(32, V); }
  bool has(StringRef Modifier) const { return View.has(Modifier); }

  Ref arithmetic();
  Ref addition();
  Ref withCarry();
  Ref multiplication();
  Ref multiplication24() const;
  Ref saturated(Ref Wide, unsigned To, bool ToSigned) const;
  Ref dotProduct(bool Pairs) const;
  Ref logic() const;
  Ref shiftPair() const;
  Ref bitFind() const;
  Ref maskOfBits() const;
  Ref extension() const;
  Ref permutation() const;

  const InstructionView &View;
  Expressions &E;
  Ref &Carry;
  unsigned Width = 32;
  bool Signed = false;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_INTEGEROPERATION_H
