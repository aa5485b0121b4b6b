//===- IntrinsicsFloat.h - Elements of a floating-point type ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_LLVMIR_INTRINSICSFLOAT_H
#define PTXPREDICT_LIB_FRONTEND_LLVMIR_INTRINSICSFLOAT_H

#include "Intrinsics.h"

namespace ptxpredict::llvmir {

/// Instructions on single elements of one floating-point type.
struct FloatElement {
  FloatElement(IntrinsicLowering &L, llvm::Type *T);

  /// \p Value as an immediate; of 16 bits its pattern.
  Operand number(double Value) const;
  /// `Name.f32 …`, with `.ftz` where the function asks for it.
  Operand op(const llvm::Twine &Name, ArrayRef<Operand> X);
  Operand compare(StringRef Relation, const Operand &A, const Operand &B);
  Operand select(const Operand &A, const Operand &B, const Operand &P);
  /// `cvt` to an integral number of the same type.
  Operand roundTo(StringRef Rounding, const Operand &X);
  /// As a float if it has 16 bits, and back.
  Operand widened(const Operand &X);
  Operand narrowed(const Operand &X);

  /// To the nearest integral number, halves away from zero: of float, double.
  Operand roundAway(const Operand &X);
  Operand roundAwayDouble(const Operand &X);
  /// X times two to the power of an integer of 32 bits.
  Operand scaleByPower(const Operand &X, const Operand &Power);
  /// To an integer of \p Width bits, the nearest one there is; NaN becomes 0.
  Operand toInteger(const Operand &X, unsigned Width, bool IsSigned);
  /// Whether X is of one of the classes of \p Mask (llvm::FPClassTest).
  Operand isClass(const Operand &X, unsigned Mask);

  IntrinsicLowering &L;
  FunctionLowering &F;
  llvm::Type *T;
  bool Is16;       ///< half or bfloat
  ScalarType Type; ///< of the register
  std::string Bits;
};

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_LIB_FRONTEND_LLVMIR_INTRINSICSFLOAT_H
