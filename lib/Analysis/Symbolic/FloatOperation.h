//===- FloatOperation.h - Arithmetic on floats that are known ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_FLOATOPERATION_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_FLOATOPERATION_H

#include "InstructionView.h"
#include "llvm/ADT/APFloat.h"

namespace ptxpredict {

/// What an instruction on f32 or f64 computes from constants, so that what
/// given arguments steer is known (PTX ISA 9.7.3 and 9.7.9). Only what IEEE 754
/// defines to the last bit; a NaN is left open. Null stands for everything
/// else.
class FloatOperation {
public:
  using Ref = const Expression *;
  explicit FloatOperation(const InstructionView &I)
      : View(I), E(I.expressions()) {}

  Ref compute(ScalarType T) const;
  /// Compares the first two sources.
  Ref compare(StringRef Name, ScalarType T) const;
  /// cvt where one type is f32 or f64, and the other such or an integer.
  Ref convert(ScalarType To, ScalarType From) const;

private:
  using Numbers = SmallVector<llvm::APFloat, 3>;
  std::optional<Numbers> sources(ScalarType T, size_t Count) const;
  Ref fromInteger(ScalarType To, ScalarType From,
                  llvm::RoundingMode Rounding) const;
  Ref constant(const llvm::APFloat &X) const;

  const InstructionView &View;
  Expressions &E;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_FLOATOPERATION_H
