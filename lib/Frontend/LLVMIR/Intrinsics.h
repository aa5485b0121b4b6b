//===- Intrinsics.h - One call of an intrinsic ------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_LLVMIR_INTRINSICS_H
#define PTXPREDICT_LIB_FRONTEND_LLVMIR_INTRINSICS_H

#include "FunctionLowering.h"
#include "IntrinsicPatterns.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IntrinsicInst.h"

namespace ptxpredict::llvmir {

struct FloatElement;
struct FloatInstruction;

/// Writes the instructions of one call of an intrinsic.
class IntrinsicLowering {
public:
  IntrinsicLowering(FunctionLowering &F, const llvm::IntrinsicInst &I)
      : F(F), I(I), ID(I.getIntrinsicID()) {}

  void lower();

  // What the operations on elements share.

  /// The register that `Mnemonic Register, Sources;` writes, a new one.
  Operand op(ScalarType T, const llvm::Twine &Mnemonic,
             ArrayRef<Operand> Sources);
  /// \p X with the bits of its register above \p Width those of its sign, or
  /// zero.
  Operand extended(const Operand &X, unsigned Width, bool IsSigned);
  /// \p X as the amount of a shift, which has 32 bits.
  Operand amountOf(const Operand &X);
  /// The lower and upper half of 64 bits.
  std::pair<Operand, Operand> split(const Operand &X);
  Operand join(const Operand &Low, const Operand &High);
  /// Whether both are the same register or number.
  static bool sameOperand(const Operand &A, const Operand &B);
  /// Whether the immediate argument \p N is zero.
  bool isZero(unsigned N) const { return immediate(N) == 0; }
  FunctionLowering &function() { return F; }

private:
  // The functions that return a bool tell whether the intrinsic is one of
  // theirs; if not, they wrote nothing.

  // Intrinsics.cpp
  bool lowerNothing();
  bool lowerMachine();
  bool lowerNVVM();
  bool lowerByteConversion(StringRef Name);
  bool lowerCancelQuery(StringRef Name);
  /// Calls \p Lower with the elements at one place of the first \p Count
  /// arguments, for each place, and makes what it returns the result.
  bool mapElements(unsigned Count,
                   llvm::function_ref<Operand(ArrayRef<Operand>)> Lower);
  // IntrinsicsPattern.cpp
  void lowerPattern(const IntrinsicMatch &M);
  std::string expandMnemonic(const IntrinsicMatch &M) const;
  static StringRef floatName(llvm::Type *T);
  std::string loadedName() const;
  Operand operand(StringRef Text, const IntrinsicMatch &M);
  void operands(StringRef Text, const IntrinsicMatch &M,
                SmallVectorImpl<Operand> &Out);
  // IntrinsicsTexture.cpp
  bool lowerTexture(StringRef Name);
  // IntrinsicsMatrix.cpp
  bool lowerMatrix(StringRef Name);
  // IntrinsicsBulk.cpp
  bool lowerBulkCopy(StringRef Name);
  // IntrinsicsTcgen05.cpp
  bool lowerTcgen05(StringRef Name);
  // IntrinsicsInteger.cpp
  bool lowerPackedInteger();
  bool lowerInteger();
  // IntrinsicsFloat.cpp, IntrinsicsFloatParts.cpp
  /// The same as \ref mapElements, but with what has 16 bits as floats.
  bool mapWidened(FloatElement &E, unsigned Count,
                  llvm::function_ref<Operand(ArrayRef<Operand>)> Lower);
  bool lowerFloat();
  bool lowerFloatInstruction(FloatElement &E, const FloatInstruction &Op);
  bool lowerRounding(FloatElement &E, StringRef Rounding);
  bool lowerCopySign(FloatElement &E);
  bool lowerFloatConversion();
  // IntrinsicsVector.cpp
  bool lowerReduction();
  // IntrinsicsMemory.cpp
  bool lowerMemory();
  bool lowerMasked();
  void lowerCopy(const llvm::MemTransferInst &Copy, uint64_t Bytes);
  void lowerSet(const llvm::MemSetInst &Set, uint64_t Bytes);

  /// The components of argument \p N.
  ArrayRef<Operand> argument(unsigned N) {
    return F.components(I.getArgOperand(N));
  }
  /// The value of the immediate argument \p N; 0 for what is none.
  int64_t immediate(unsigned N) const;
  /// The components of the arguments from \p Begin until \p End, in one vector.
  Operand arguments(unsigned Begin, unsigned End);
  /// `[…]` of a base and what else the brackets hold.
  Operand addressOf(ArrayRef<Operand> Parts);
  /// `.global` …; nothing for a generic pointer.
  StringRef space(unsigned Argument) const;

  FunctionLowering &F;
  const llvm::IntrinsicInst &I;
  llvm::Intrinsic::ID ID;
};

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_LIB_FRONTEND_LLVMIR_INTRINSICS_H
