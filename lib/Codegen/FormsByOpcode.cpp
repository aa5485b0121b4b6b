//===- FormsByOpcode.cpp - Forms by opcode and types ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FormsByOpcode.h"
#include "ptxpredict/Codegen/MatrixProduct.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "ptxpredict/MemoryAccess/FragmentLayout.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using ptx::hasModifier;
using ptx::Opcode;
using Form = MachineForm;

namespace {

/// The modifiers of an instruction that forms depend on.
struct Traits {
  SmallVector<ScalarType, 4> Types; ///< as they are written
  bool Approx = false, Full = false, FTZ = false, Wide = false, High = false,
       Carry = false, Saturates = false, Integral = false, Packed = false;

  explicit Traits(StringRef Modifiers);
  ScalarType first() const {
    return Types.empty() ? ScalarType::B32 : Types.front();
  }
  ScalarType last() const {
    return Types.empty() ? ScalarType::B32 : Types.back();
  }
};

Traits::Traits(StringRef Modifiers) {
  while (!Modifiers.empty()) {
    StringRef M;
    std::tie(M, Modifiers) = Modifiers.drop_front().split('.');
    if (!Modifiers.empty())
      Modifiers = StringRef(Modifiers.data() - 1, Modifiers.size() + 1);
    if (M.empty())
      continue;
    if (auto T = parseScalarType(M)) {
      Types.push_back(*T);
      continue;
    }
    Approx |= M == "approx";
    Full |= M == "full";
    FTZ |= M == "ftz";
    Wide |= M == "wide";
    High |= M == "hi";
    Carry |= M == "cc";
    Saturates |= M == "sat";
    Integral |= M == "rni" || M == "rzi" || M == "rmi" || M == "rpi";
    Packed |= M == "f32x2";
  }
}

bool isFloat(ScalarType T) { return kindOf(T) == TypeKind::Float; }
bool isSigned(ScalarType T) { return kindOf(T) == TypeKind::Signed; }

bool isConstant(const Instruction &I, unsigned Operand) {
  return I.Operands.size() > Operand &&
         I.Operands[Operand].Kind == Operand::KindTy::Integer;
}

bool isPower(const Instruction &I, unsigned Operand) {
  return isConstant(I, Operand) &&
         llvm::isPowerOf2_64(I.Operands[Operand].Bits);
}

Form ofInteger(const Instruction &I, const Traits &T) {
  ScalarType Type = T.last();
  bool Is64 = bitWidth(Type) > 32;
  switch (Opcode(I.Opcode)) {
  case Opcode::Add:
  case Opcode::Sub:
    return T.Carry ? Form::Carry : Is64 ? Form::Add64 : Form::Add;
  case Opcode::Addc:
  case Opcode::Subc:
    return Form::Carry;
  case Opcode::Mul:
  case Opcode::Mad:
  case Opcode::Madc:
  case Opcode::Mul24:
  case Opcode::Mad24: {
    bool ByConstant = isConstant(I, 2) || isConstant(I, 1);
    if (T.Wide && bitWidth(Type) == 32)
      return ByConstant ? Form::MulWideConstant : Form::MulWide;
    if (T.High)
      return Is64 ? Form::MulHigh64 : Form::MulHigh;
    return Is64 ? Form::Mul64 : ByConstant ? Form::MulConstant : Form::Mul;
  }
  case Opcode::Div:
  case Opcode::Rem: {
    bool Divides = Opcode(I.Opcode) == Opcode::Div;
    if (isPower(I, 2))
      return Form::DivPower;
    if (Is64)
      return Form::Div64;
    if (isConstant(I, 2))
      return Form::DivConstant;
    return isSigned(Type) ? Divides ? Form::DivS : Form::RemS
           : Divides      ? Form::DivU
                          : Form::RemU;
  }
  case Opcode::Abs:
    return Form::Abs;
  case Opcode::Neg:
    return Is64 ? Form::Add64 : Form::Neg;
  case Opcode::Min:
  case Opcode::Max:
    return Is64 ? Form::MinMax64 : Form::MinMax;
  case Opcode::Sad:
    return Form::Sad;
  case Opcode::Dp4a:
  case Opcode::Dp2a:
    return Form::DotProduct;
  case Opcode::Vabsdiff4:
    return Form::ByteDifference;
  default:
    return Form::Video;
  }
}

Form ofLogic(const Instruction &I, const Traits &T) {
  bool Is64 = bitWidth(T.last()) > 32;
  switch (Opcode(I.Opcode)) {
  case Opcode::And:
  case Opcode::Or:
  case Opcode::Xor:
  case Opcode::Not:
  case Opcode::Cnot:
    if (T.last() == ScalarType::Pred)
      return Opcode(I.Opcode) == Opcode::Not ? Form::Folded
                                             : Form::PredicateLogic;
    return Is64 ? Form::Logic64 : Form::Logic;
  case Opcode::Lop3:
    return Form::Logic;
  case Opcode::Shl:
  case Opcode::Shr:
    return Is64 ? Form::Shift64 : Form::Shift;
  case Opcode::Shf:
    return Form::Funnel;
  case Opcode::Bfe:
    return Is64 ? Form::Shift64 : Form::BitField;
  case Opcode::Bfi:
    return Form::BitFieldInsert;
  case Opcode::Prmt:
    return Form::Permute;
  case Opcode::Popc:
  case Opcode::Clz:
  case Opcode::Bfind:
  case Opcode::Brev:
    return Is64 ? Form::BitCount64 : Form::BitCount;
  case Opcode::Vote:
  case Opcode::Activemask:
  case Opcode::Elect:
    return Form::Vote;
  case Opcode::Match:
    return Form::Match;
  case Opcode::Redux:
    return Form::ReduceLanes;
  default:
    return Form::Logic;
  }
}

Form ofCompare(const Traits &T) {
  ScalarType Type = T.last();
  if (isFloat(Type))
    return bitWidth(Type) == 64   ? Form::DoubleCompare
           : bitWidth(Type) == 32 ? Form::FloatCompare
                                  : Form::HalfCompare;
  return bitWidth(Type) > 32 ? Form::Compare64 : Form::Compare;
}

Form ofConversion(const Traits &T) {
  ScalarType To = T.first(), From = T.last();
  unsigned ToBits = bitWidth(To), FromBits = bitWidth(From);
  bool FromFloat = isFloat(From), ToFloat = isFloat(To);
  if ((FromFloat && FromBits == 64) || (ToFloat && ToBits == 64))
    return Form::DoubleConvert;
  if (FromFloat && ToFloat) {
    if (T.Integral)
      return Form::FloatRound;
    if (ToBits == FromBits)
      return To == From ? Form::FloatAdd : Form::FloatToHalf;
    return ToBits > FromBits ? Form::HalfToFloat : Form::FloatToHalf;
  }
  if (ToFloat)
    return FromBits == 64  ? Form::Convert64
           : FromBits < 32 ? Form::NarrowToFloat
                           : Form::IntToFloat;
  if (FromFloat)
    return ToBits == 64 ? Form::Convert64 : Form::FloatToInt;
  if (T.Saturates)
    return Form::Saturate;
  if (ToBits <= FromBits || (FromBits == 32 && !isSigned(From)))
    return ToBits < FromBits && ToBits == 8 ? Form::Extend : Form::Folded;
  return FromBits == 32 ? Form::SignExtend : Form::Extend;
}

Form ofFloat(const Instruction &I, const Traits &T) {
  switch (Opcode(I.Opcode)) {
  case Opcode::Mul:
    return Form::FloatMul;
  case Opcode::Fma:
  case Opcode::Mad:
    return Form::FloatFMA;
  case Opcode::Min:
  case Opcode::Max:
    return Form::FloatMinMax;
  case Opcode::Div:
    return T.Approx ? Form::FloatDivideApprox
           : T.Full ? Form::FloatDivideFull
                    : Form::FloatDivide;
  default:
    return Form::FloatAdd;
  }
}

Form ofDouble(const Instruction &I, const Traits &T) {
  switch (Opcode(I.Opcode)) {
  case Opcode::Mul:
    return Form::DoubleMul;
  case Opcode::Fma:
  case Opcode::Mad:
    return Form::DoubleFMA;
  case Opcode::Min:
  case Opcode::Max:
    return Form::DoubleMinMax;
  case Opcode::Div:
    return Form::DoubleDivide;
  case Opcode::Rcp:
    return T.Approx ? Form::DoubleApprox : Form::DoubleReciprocal;
  case Opcode::Sqrt:
    return Form::DoubleRoot;
  default:
    return Form::DoubleAdd;
  }
}

Form ofSpecial(const Instruction &I, const Traits &T) {
  if (bitWidth(T.last()) == 64)
    return Form::DoubleApprox;
  if (bitWidth(T.last()) == 16)
    return Form::HalfApprox;
  switch (Opcode(I.Opcode)) {
  case Opcode::Rcp:
    return !T.Approx ? Form::FloatReciprocal
           : T.FTZ   ? Form::ApproxFlushed
                     : Form::ApproxReciprocal;
  case Opcode::Sqrt:
    return !T.Approx ? Form::FloatRoot
           : T.FTZ   ? Form::RootFlushed
                     : Form::ApproxRoot;
  case Opcode::Rsqrt:
    return T.FTZ ? Form::ApproxFlushed : Form::ApproxRsqrt;
  case Opcode::Lg2:
    return T.FTZ ? Form::ApproxFlushed : Form::ApproxLog;
  case Opcode::Ex2:
    return T.FTZ ? Form::ExpFlushed : Form::ApproxExp;
  case Opcode::Tanh:
    return Form::ApproxTanh;
  default:
    return Form::ApproxSine;
  }
}

Form ofMatrix(const Instruction &I) {
  Opcode Op = Opcode(I.Opcode);
  if (Op != Opcode::Mma && Op != Opcode::MmaSp && Op != Opcode::MmaSpOrdered &&
      Op != Opcode::WmmaMma)
    return Form::MatrixGroup;
  auto Has = [&](StringRef M) { return hasModifier(I.Modifiers, M); };
  if (Has("f64"))
    return Form::MatrixDouble;
  if (Has("tf32"))
    return Form::MatrixTF32;
  if (Has("s8") || Has("u8") || Has("e4m3") || Has("e5m2"))
    return Form::MatrixByte;
  if (Has("s4") || Has("u4") || Has("b1") || Has("e2m1") || Has("e3m2") ||
      Has("e2m3"))
    return Form::MatrixSmall;
  return Form::MatrixHalf;
}

Form ofBarrier(const Instruction &I) {
  Opcode Op = Opcode(I.Opcode);
  if (Op == Opcode::BarrierCluster)
    return Form::ClusterBarrier;
  if (I.IsBlockBarrier)
    return Form::Barrier;
  if (Op == Opcode::BarWarp)
    return Form::WarpBarrier;
  return Form::Fence;
}

Form ofStore(const Instruction &I) {
  if (I.Effects.empty())
    return Form::Other;
  if (Opcode(I.Opcode) == Opcode::WmmaStore)
    return Form::StoreFragment;
  switch (I.Effects.front().Space) {
  case AddressSpace::Param:
    return Form::Folded;
  case AddressSpace::Shared:
    return Form::StoreShared;
  case AddressSpace::Local:
    return Form::StoreLocal;
  default:
    return Form::StoreGlobal;
  }
}

Form ofLoad(const Instruction &I) {
  Opcode Op = Opcode(I.Opcode);
  if (Op == Opcode::Ldmatrix)
    return Form::LoadMatrix;
  if (Op == Opcode::WmmaLoad)
    return Form::LoadFragment;
  return I.Defs.empty() ? Form::Prefetch : Form::LoadGlobal;
}

Form ofMove(const Instruction &I, const Traits &T) {
  switch (Opcode(I.Opcode)) {
  case Opcode::Selp:
    return bitWidth(T.last()) > 32 ? Form::Select64 : Form::Select;
  case Opcode::Shfl:
    return Form::Shuffle;
  case Opcode::Mapa:
  case Opcode::Getctarank:
    return Form::Permute;
  default:
    return Form::Move;
  }
}

} // namespace

InstructionForm ptxpredict::formByOpcode(const Instruction &I) {
  Traits T(I.Modifiers);
  InstructionForm F;
  switch (I.Class) {
  case OpClass::Int:
    F.Form = ofInteger(I, T);
    break;
  case OpClass::Logic:
    F.Form = ofLogic(I, T);
    break;
  case OpClass::Fp16:
    F.Form = Opcode(I.Opcode) == Opcode::Min || Opcode(I.Opcode) == Opcode::Max
                 ? Form::HalfMinMax
                 : Form::Half;
    break;
  case OpClass::Fp32:
    F.Form = ofFloat(I, T);
    break;
  case OpClass::Fp64:
    F.Form = ofDouble(I, T);
    break;
  case OpClass::Sfu:
    F.Form = ofSpecial(I, T);
    break;
  case OpClass::Tensor:
    F.Form = ofMatrix(I);
    // What a descriptor says of tcgen05 is in values (MatrixProducts.h).
    if (auto P = findMatrixProduct(I); P && P->MACs.isKnown())
      F.MACs = unsigned(P->MACs.Value);
    break;
  case OpClass::Convert:
    F.Form = ofConversion(T);
    break;
  case OpClass::Compare:
    F.Form = ofCompare(T);
    break;
  case OpClass::Move:
    F.Form = ofMove(I, T);
    break;
  case OpClass::Load:
    F.Form = ofLoad(I);
    break;
  case OpClass::Store:
    F.Form = ofStore(I);
    break;
  case OpClass::Atomic:
    F.Form = Form::Reduction;
    break;
  case OpClass::Async:
    F.Form = I.IsAsyncWait ? Form::Wait : Form::AsyncCopy;
    break;
  case OpClass::Texture:
    F.Form = Form::Texture;
    break;
  case OpClass::Control:
    F.Form = I.IsExit   ? Form::Exit
             : I.IsCall ? Form::Call
                        : Form::IndirectBranch;
    break;
  case OpClass::Barrier:
    F.Form = ofBarrier(I);
    break;
  case OpClass::Other:
    F.Form = Form::Other;
    break;
  }
  return F;
}
