//===- IntrinsicsVector.cpp - Reductions of vectors -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Intrinsics.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

namespace {

/// How two elements become one.
struct Reduction {
  StringRef Name;       ///< up to the type
  char Kind;            ///< `s`, `u` or `b` of integers; `f` of floats
  bool InOrder = false; ///< from a first value on, unless reassociated
};

} // namespace

static std::optional<Reduction> reductionOf(llvm::Intrinsic::ID ID) {
  switch (ID) {
  case llvm::Intrinsic::vector_reduce_add:
    return Reduction{"add", 's'};
  case llvm::Intrinsic::vector_reduce_mul:
    return Reduction{"mul.lo", 's'};
  case llvm::Intrinsic::vector_reduce_and:
    return Reduction{"and", 'b'};
  case llvm::Intrinsic::vector_reduce_or:
    return Reduction{"or", 'b'};
  case llvm::Intrinsic::vector_reduce_xor:
    return Reduction{"xor", 'b'};
  case llvm::Intrinsic::vector_reduce_smax:
    return Reduction{"max", 's'};
  case llvm::Intrinsic::vector_reduce_smin:
    return Reduction{"min", 's'};
  case llvm::Intrinsic::vector_reduce_umax:
    return Reduction{"max", 'u'};
  case llvm::Intrinsic::vector_reduce_umin:
    return Reduction{"min", 'u'};
  case llvm::Intrinsic::vector_reduce_fmax:
    return Reduction{"max", 'f'};
  case llvm::Intrinsic::vector_reduce_fmin:
    return Reduction{"min", 'f'};
  case llvm::Intrinsic::vector_reduce_fmaximum:
    return Reduction{"max.NaN", 'f'};
  case llvm::Intrinsic::vector_reduce_fminimum:
    return Reduction{"min.NaN", 'f'};
  case llvm::Intrinsic::vector_reduce_fadd:
    return Reduction{"add.rn", 'f', true};
  case llvm::Intrinsic::vector_reduce_fmul:
    return Reduction{"mul.rn", 'f', true};
  default:
    return std::nullopt;
  }
}

bool IntrinsicLowering::lowerReduction() {
  std::optional<Reduction> R = reductionOf(ID);
  if (!R)
    return false;
  const llvm::Value *V = I.getArgOperand(I.arg_size() - 1);
  llvm::Type *Element = V->getType()->getScalarType();
  unsigned Width = Element->getScalarSizeInBits();
  if (Width == 1 || Width > 64 || (R->Kind == 'f' && !F.hasArithmetic(Element)))
    return false;
  SmallVector<Operand, 4> Elements = F.elements(V);
  ScalarType T = F.registerType(Element);
  std::string Bits = std::to_string(bitWidth(T));
  auto Join = [&](const Operand &A, const Operand &B) {
    if (R->Kind != 'f')
      return op(T, R->Name + "." + llvm::Twine(R->Kind) + Bits, {A, B});
    // `.NaN` stands behind `.ftz`.
    StringRef Name = R->Name.split(".NaN").first;
    std::string Type = F.floatSuffix(Element);
    if (R->Name.ends_with(".NaN"))
      Type.insert(Type.rfind('.'), ".NaN");
    return op(T, Name + Type, {A, B});
  };
  if (R->Kind == 's' || R->Kind == 'u')
    for (Operand &E : Elements)
      if (R->Name == "max" || R->Name == "min")
        E = extended(E, Width, R->Kind == 's');
  if (R->InOrder && !I.hasAllowReassoc()) {
    Operand Sum = argument(0).front();
    for (const Operand &E : Elements)
      Sum = Join(Sum, E);
    F.alias(&I, Sum);
    return true;
  }
  // The upper half onto the lower one, or neighbours if they are compared,
  // until one is left.
  bool Neighbours = R->Kind == 'f' && !R->InOrder;
  while (Elements.size() > 1) {
    size_t Half = (Elements.size() + 1) / 2, Pairs = Elements.size() / 2;
    for (size_t N = 0; N != Pairs; ++N)
      Elements[N] = Neighbours ? Join(Elements[2 * N], Elements[2 * N + 1])
                               : Join(Elements[N], Elements[N + Half]);
    if (Neighbours && Half != Pairs)
      Elements[Pairs] = Elements.back();
    Elements.truncate(Half);
  }
  F.alias(&I,
          R->InOrder ? Join(argument(0).front(), Elements[0]) : Elements[0]);
  return true;
}
