//===- LongArithmetic.cpp - Sequences that one IR instruction becomes -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FunctionLowering.h"
#include "llvm/Support/DivisionByConstantInfo.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

//===----------------------------------------------------------------------===//
// Division by constants (H. S. Warren, Hacker's Delight, chapter 10)
//===----------------------------------------------------------------------===//

Operand FunctionLowering::signedQuotient(const Operand &A,
                                         const llvm::APInt &By) {
  ScalarType T = A.Type;
  std::string W = bits(T);
  unsigned Width = bitWidth(T);
  auto Shift = [&](StringRef Name, const Operand &From, unsigned N) {
    Operand To = temporary(T);
    emit((Name + W).str(), {To, From, integer(N, ScalarType::B32)});
    return To;
  };
  auto Two = [&](StringRef Name, const Operand &X, const Operand &Y) {
    Operand To = temporary(T);
    emit((Name + W).str(), {To, X, Y});
    return To;
  };
  if (By.abs().isPowerOf2()) {
    unsigned N = By.abs().logBase2();
    Operand Sign = N == 1 ? A : Shift("shr.s", A, Width - 1);
    Operand Bias = Shift("shr.u", Sign, Width - N);
    Operand Q = Shift("shr.s", Two("add.s", A, Bias), N);
    if (!By.isNegative())
      return Q;
    Operand To = temporary(T);
    emit("neg.s" + W, {To, Q});
    return To;
  }
  auto Magic = llvm::SignedDivisionByConstantInfo::get(By);
  Operand Q = Two("mul.hi.s", A, integer(Magic.Magic.getSExtValue(), T));
  if (By.isStrictlyPositive() && Magic.Magic.isNegative())
    Q = Two("add.s", Q, A);
  else if (By.isNegative() && Magic.Magic.isStrictlyPositive())
    Q = Two("sub.s", Q, A);
  Operand Sign = Shift("shr.u", Q, Width - 1);
  if (Magic.ShiftAmount != 0)
    Q = Shift("shr.s", Q, Magic.ShiftAmount);
  return Two("add.s", Q, Sign);
}

Operand FunctionLowering::unsignedQuotient(const Operand &A,
                                           const llvm::APInt &By) {
  ScalarType T = A.Type;
  std::string W = bits(T);
  auto Shift = [&](const Operand &From, unsigned N) {
    if (N == 0)
      return From;
    Operand To = temporary(T);
    emit("shr.u" + W, {To, From, integer(N, ScalarType::B32)});
    return To;
  };
  if (By.isPowerOf2())
    return Shift(A, By.logBase2());
  auto Magic = llvm::UnsignedDivisionByConstantInfo::get(By);
  Operand Q = temporary(T);
  emit("mul.hi.u" + W,
       {Q, Shift(A, Magic.PreShift), integer(Magic.Magic.getSExtValue(), T)});
  if (Magic.IsAdd) {
    Operand Rest = temporary(T), Sum = temporary(T);
    emit("sub.s" + W, {Rest, A, Q});
    emit("add.s" + W, {Sum, Shift(Rest, 1), Q});
    Q = Sum;
  }
  return Shift(Q, Magic.PostShift);
}

bool FunctionLowering::divideByConstant(const llvm::BinaryOperator &I,
                                        Operand A, const llvm::APInt &Number) {
  ScalarType T = A.Type;
  if (T == ScalarType::B16)
    return false; // the back end leaves these to the assembler
  llvm::APInt By = I.getOpcode() == llvm::Instruction::SDiv ||
                           I.getOpcode() == llvm::Instruction::SRem
                       ? Number.sextOrTrunc(bitWidth(T))
                       : Number.zextOrTrunc(bitWidth(T));
  if (By.isZero() || By.isOne() || By.isAllOnes() || By.isMinSignedValue())
    return false;
  bool Signed = I.getOpcode() == llvm::Instruction::SDiv ||
                I.getOpcode() == llvm::Instruction::SRem;
  A = inRegister(A);
  if (I.getOpcode() == llvm::Instruction::URem && By.isPowerOf2()) {
    emit("and.b" + bits(T),
         {defineOne(&I), A, integer((By - 1).getSExtValue(), T)});
    return true;
  }
  Operand Q = Signed ? signedQuotient(A, By) : unsignedQuotient(A, By);
  if (I.getOpcode() == llvm::Instruction::SDiv ||
      I.getOpcode() == llvm::Instruction::UDiv) {
    alias(&I, Q);
    return true;
  }
  Operand Product = temporary(T);
  if (By.isPowerOf2())
    emit("shl.b" + bits(T),
         {Product, Q, integer(By.logBase2(), ScalarType::B32)});
  else
    emit("mul.lo.s" + bits(T), {Product, Q, integer(By.getSExtValue(), T)});
  emit("sub.s" + bits(T), {defineOne(&I), A, Product});
  return true;
}

//===----------------------------------------------------------------------===//
// Integers of more than 64 bits
//===----------------------------------------------------------------------===//

void FunctionLowering::lowerLong(const llvm::BinaryOperator &I) {
  ArrayRef<Operand> A = components(I.getOperand(0)),
                    B = components(I.getOperand(1));
  std::string Name;
  switch (I.getOpcode()) {
  case llvm::Instruction::And:
    Name = "and.b64";
    break;
  case llvm::Instruction::Or:
    Name = "or.b64";
    break;
  case llvm::Instruction::Xor:
    Name = "xor.b64";
    break;
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
    break;
  default: {
    SmallVector<Operand, 4> All(A.begin(), A.end());
    llvm::append_range(All, B);
    return emitUnknown(I.getOpcodeName(), I, All);
  }
  }
  ArrayRef<Operand> To = define(&I);
  StringRef Base = I.getOpcode() == llvm::Instruction::Add ? "add" : "sub";
  for (size_t N = 0; N != To.size(); ++N) {
    if (Name.empty()) {
      StringRef Carry = N + 1 == To.size() ? ".s64" : ".cc.s64";
      emit((Base + (N == 0 ? "" : "c") + Carry).str(),
           {To[N], inRegister(A[N]), B[N]});
      continue;
    }
    emit(Name, {To[N], inRegister(A[N]), B[N]});
  }
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

SmallVector<Operand, 4> FunctionLowering::elements(const llvm::Value *V) {
  ArrayRef<Operand> Parts = components(V);
  unsigned Packed = elementsPerComponent(V->getType());
  SmallVector<Operand, 4> Out;
  if (Packed == 1) {
    Out.append(Parts.begin(), Parts.end());
    return Out;
  }
  for (const Operand &P : Parts) {
    if (P.Kind == Operand::KindTy::Integer) {
      unsigned Width = 32 / Packed;
      for (unsigned E = 0; E != Packed; ++E)
        Out.push_back(integer(int64_t(P.Bits >> (E * Width)) &
                                  ((int64_t(1) << Width) - 1),
                              ScalarType::B16));
    } else if (Packed == 2) {
      Operand Low = temporary(ScalarType::B16),
              High = temporary(ScalarType::B16);
      emit("mov.b32", {vector({Low, High}), P});
      Out.append({Low, High});
    } else {
      for (unsigned E = 0; E != 4; ++E) {
        Operand Byte = temporary(ScalarType::B32),
                Short = temporary(ScalarType::B16);
        // Byte E, and bytes of the zero behind it.
        emit("prmt.b32", {Byte, P, integer(0, ScalarType::B32),
                          integer(0x7770 + E, ScalarType::B32)});
        emit("cvt.u16.u32", {Short, Byte});
        Out.push_back(Short);
      }
    }
  }
  return Out;
}

void FunctionLowering::pack(const llvm::Value &V, ArrayRef<Operand> Elements) {
  unsigned Packed = elementsPerComponent(V.getType());
  if (Packed == 1)
    return alias(&V, Elements);
  for (auto [N, To] : llvm::enumerate(define(&V))) {
    ArrayRef<Operand> Of = Elements.slice(N * Packed, Packed);
    if (Packed == 2) {
      emit("mov.b32", {To, vector({inRegister(Of[0]), inRegister(Of[1])})});
      continue;
    }
    SmallVector<Operand, 4> Bytes;
    for (const Operand &E : Of) {
      Bytes.push_back(temporary(ScalarType::B32));
      emit("cvt.u32.u16", {Bytes.back(), inRegister(E)});
    }
    Operand Low = temporary(ScalarType::B32), High = temporary(ScalarType::B32);
    emit("prmt.b32",
         {Low, Bytes[0], Bytes[1], integer(0x3340, ScalarType::B32)});
    emit("prmt.b32",
         {High, Bytes[2], Bytes[3], integer(0x3340, ScalarType::B32)});
    emit("prmt.b32", {To, Low, High, integer(0x5410, ScalarType::B32)});
  }
}

void FunctionLowering::lowerVectorBinary(const llvm::BinaryOperator &I) {
  llvm::Type *T = I.getType();
  unsigned Packed = elementsPerComponent(T);
  bool IsLogic = I.isBitwiseLogicOp();
  bool PackedAdd = Packed == 2 && T->getScalarType()->isIntegerTy() &&
                   I.getOpcode() == llvm::Instruction::Add &&
                   capability() >= 90;
  if (T->isFPOrFPVectorTy() && Packed == 2)
    return lowerFloat(I);
  if (Packed > 1 && (IsLogic || PackedAdd)) {
    ArrayRef<Operand> A = components(I.getOperand(0)),
                      B = components(I.getOperand(1));
    for (auto [N, To] : llvm::enumerate(define(&I)))
      emit(PackedAdd                                 ? "add.s16x2"
           : I.getOpcode() == llvm::Instruction::And ? "and.b32"
           : I.getOpcode() == llvm::Instruction::Or  ? "or.b32"
                                                     : "xor.b32",
           {To, inRegister(A[N]), B[N]});
    return;
  }
  if (T->isFPOrFPVectorTy() && Packed == 1 &&
      I.getOpcode() != llvm::Instruction::FDiv &&
      I.getOpcode() != llvm::Instruction::FRem)
    return lowerFloat(I);
  SmallVector<Operand, 4> A = elements(I.getOperand(0)),
                          B = elements(I.getOperand(1)), To;
  for (size_t N = 0; N != A.size(); ++N) {
    To.push_back(temporary(A[N].Type));
    if (T->isFPOrFPVectorTy())
      emit((I.getOpcode() == llvm::Instruction::FDiv ? "div.rn" : "rem") +
               floatSuffix(T->getScalarType()),
           {To.back(), inRegister(A[N]), inRegister(B[N])});
    else
      lowerInteger(I.getOpcode(), I, To.back(), A[N], B[N]);
  }
  pack(I, To);
}

//===----------------------------------------------------------------------===//
// Formats that the device cannot compute in
//===----------------------------------------------------------------------===//

Operand FunctionLowering::asFloat(const Operand &O, llvm::Type *T) {
  Operand To = temporary(ScalarType::B32);
  if (T->getScalarType()->isHalfTy()) {
    emit("cvt.f32.f16", {To, inRegister(O)});
  } else if (capability() >= 80) {
    emit("cvt.f32.bf16", {To, inRegister(O)});
  } else {
    Operand Wide = temporary(ScalarType::B32);
    emit("cvt.u32.u16", {Wide, inRegister(O)});
    emit("shl.b32", {To, Wide, integer(16, ScalarType::B32)});
  }
  return To;
}

void FunctionLowering::lowerPromoted(const llvm::BinaryOperator &I) {
  llvm::Type *T = I.getType()->getScalarType();
  SmallVector<Operand, 4> A = elements(I.getOperand(0)),
                          B = elements(I.getOperand(1)), To;
  StringRef Name = I.getOpcode() == llvm::Instruction::FAdd   ? "add.rn.f32"
                   : I.getOpcode() == llvm::Instruction::FSub ? "sub.rn.f32"
                   : I.getOpcode() == llvm::Instruction::FMul ? "mul.rn.f32"
                                                              : "div.rn.f32";
  for (size_t N = 0; N != A.size(); ++N) {
    Operand Result = temporary(ScalarType::B32);
    emit(Name, {Result, asFloat(A[N], T), asFloat(B[N], T)});
    To.push_back(temporary(ScalarType::B16));
    emit(T->isHalfTy() ? "cvt.rn.f16.f32" : "cvt.rn.bf16.f32",
         {To.back(), Result});
  }
  pack(I, To);
}
