//===- IntrinsicsInteger.cpp - Bits, saturation, overflow -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Intrinsics.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

namespace {

/// An operation on elements of one integer type.
class IntegerElement {
public:
  IntegerElement(IntrinsicLowering &L, const llvm::IntrinsicInst &I);

  /// False for what is left out: predicates, and more than 64 bits.
  bool isKnown() const { return Width > 1 && Width <= 64; }
  Operand lower(llvm::Intrinsic::ID Op, ArrayRef<Operand> X);
  /// The result and whether it overflowed.
  std::pair<Operand, Operand> withOverflow(ArrayRef<Operand> X, bool IsSigned);

private:
  Operand op(ScalarType T, const llvm::Twine &Mnemonic,
             ArrayRef<Operand> Sources) {
    return L.op(T, Mnemonic, Sources);
  }
  Operand same(const llvm::Twine &Mnemonic, ArrayRef<Operand> Sources) {
    return op(Type, Mnemonic + Bits, Sources);
  }
  Operand number(int64_t N) const { return FunctionLowering::integer(N, Type); }
  static Operand amount(int64_t N) {
    return FunctionLowering::integer(N, ScalarType::B32);
  }
  Operand compare(const llvm::Twine &Mnemonic, const Operand &A,
                  const Operand &B) {
    return op(ScalarType::Pred, Mnemonic + Bits, {A, B});
  }
  Operand select(const Operand &A, const Operand &B, const Operand &P) {
    return op(Type, "selp.b" + Bits, {A, B, P});
  }
  Operand extended(const Operand &X, bool IsSigned) {
    return L.extended(X, Width, IsSigned);
  }
  /// In 32 bits with zeros above, for the instructions that have no other.
  Operand in32(const Operand &X);
  Operand from32(const Operand &X);

  Operand countZeros(const Operand &X);
  Operand countTrailing(const Operand &X);
  Operand swapBytes(const Operand &X);
  Operand reverse(const Operand &X);
  Operand funnel(bool IsLeft, ArrayRef<Operand> X);
  Operand funnel64(bool IsLeft, ArrayRef<Operand> X);
  Operand saturate(llvm::Intrinsic::ID Op, ArrayRef<Operand> X);
  Operand order(ArrayRef<Operand> X, bool IsSigned);

  IntrinsicLowering &L;
  const llvm::IntrinsicInst &I;
  unsigned Width;  ///< of the type
  ScalarType Type; ///< of the register
  std::string Bits;
};

} // namespace

IntegerElement::IntegerElement(IntrinsicLowering &L,
                               const llvm::IntrinsicInst &I)
    : L(L), I(I), Width(I.getArgOperand(0)->getType()->getScalarSizeInBits()),
      Type(Width <= 16   ? ScalarType::B16
           : Width <= 32 ? ScalarType::B32
                         : ScalarType::B64),
      Bits(std::to_string(bitWidth(Type))) {}

Operand IntegerElement::in32(const Operand &X) {
  Operand E = extended(X, false);
  return Type == ScalarType::B16 ? op(ScalarType::B32, "cvt.u32.u16", {E}) : E;
}

Operand IntegerElement::from32(const Operand &X) {
  return Type == ScalarType::B16   ? op(Type, "cvt.u16.u32", {X})
         : Type == ScalarType::B64 ? op(Type, "cvt.u64.u32", {X})
                                   : X;
}

Operand IntegerElement::countZeros(const Operand &X) {
  if (Type == ScalarType::B64)
    return from32(op(ScalarType::B32, "clz.b64", {X}));
  Operand E = in32(X);
  if (Width == 32)
    return op(ScalarType::B32, "clz.b32", {E});
  bool ZeroIsPoison = !L.isZero(1);
  if (ZeroIsPoison)
    E = op(ScalarType::B32, "shl.b32", {E, amount(32 - Width)});
  E = op(ScalarType::B32, "clz.b32", {E});
  if (!ZeroIsPoison)
    E = op(ScalarType::B32, "add.s32", {E, amount(int64_t(Width) - 32)});
  return from32(E);
}

/// The bits below the lowest one that is set: those of ~x & (x - 1), which are
/// all of them for 0.
Operand IntegerElement::countTrailing(const Operand &X) {
  Operand Below = same("add.s", {X, number(-1)});
  Operand Not = same("not.b", {X});
  Operand Mask = extended(same("and.b", {Not, Below}), false);
  if (Type == ScalarType::B64)
    return from32(op(ScalarType::B32, "popc.b64", {Mask}));
  return from32(op(ScalarType::B32, "popc.b32", {in32(Mask)}));
}

Operand IntegerElement::swapBytes(const Operand &X) {
  auto Permute = [&](const Operand &O, int64_t Selector) {
    return op(ScalarType::B32, "prmt.b32", {O, amount(0), amount(Selector)});
  };
  if (Width == 32)
    return Permute(X, 0x0123);
  if (Width != 64)
    return from32(Permute(in32(X), 0x7701));
  auto [Low, High] = L.split(X);
  Operand A = Permute(Low, 0x0123), B = Permute(High, 0x0123);
  return L.join(B, A);
}

Operand IntegerElement::reverse(const Operand &X) {
  if (Width == 32 || Width == 64)
    return same("brev.b", {X});
  Operand E = Width == 16 ? swapBytes(X) : extended(X, false);
  for (unsigned Shift = 4; Shift != 0; Shift /= 2) {
    int64_t Mask = (Shift == 4   ? 0x0f0f
                    : Shift == 2 ? 0x3333
                                 : 0x5555) &
                   ((1 << Width) - 1);
    Operand Low = same("and.b", {E, number(Mask)});
    Low = same("shl.b", {Low, amount(Shift)});
    Operand High = same("shr.u", {E, amount(Shift)});
    if (2 * Shift != Width) // else nothing is left above
      High = same("and.b", {High, number(Mask)});
    E = same("or.b", {High, Low});
  }
  return E;
}

Operand IntegerElement::funnel64(bool IsLeft, ArrayRef<Operand> X) {
  std::string Name = IsLeft ? "shf.l.wrap.b32" : "shf.r.wrap.b32";
  if (X[2].Kind == Operand::KindTy::Integer) {
    unsigned By = unsigned(X[2].Bits % 64);
    if (By == 0)
      return IsLeft ? X[0] : X[1];
    // The halves from the lowest one on; what is taken starts one further up
    // where it crosses a half.
    auto [D, C] = L.split(X[0]);
    auto [B, A] = L.sameOperand(X[0], X[1]) ? std::pair(D, C) : L.split(X[1]);
    SmallVector<Operand, 4> Halves = {B, A, D, C}; // of x:y, lowest first
    unsigned Start = IsLeft ? (By >= 32 ? 0 : 1) : (By >= 32 ? 1 : 0);
    if (By % 32 == 0)
      return L.join(Halves[1], Halves[2]);
    auto Take = [&](unsigned At) {
      return op(ScalarType::B32, Name,
                {Halves[At], Halves[At + 1], amount(By % 32)});
    };
    Operand Low = Take(Start), High = Take(Start + 1);
    return L.join(Low, High);
  }
  Operand By = X[2].Type == ScalarType::B64
                   ? op(ScalarType::B32, "cvt.u32.u64", {X[2]})
                   : X[2];
  Operand First = op(ScalarType::B32, "and.b32", {By, amount(63)});
  StringRef Forth = IsLeft ? "shl.b64" : "shr.u64",
            Back = IsLeft ? "shr.u64" : "shl.b64";
  Operand A = op(Type, Forth, {X[IsLeft ? 0 : 1], First});
  Operand Other = X[IsLeft ? 1 : 0];
  bool Rotates = L.sameOperand(X[0], X[1]);
  if (!Rotates)
    Other = op(Type, Back, {Other, amount(1)});
  Operand Rest = op(ScalarType::B32, Rotates ? "neg.s32" : "not.b32", {By});
  Rest = op(ScalarType::B32, "and.b32", {Rest, amount(63)});
  Operand B = op(Type, Back, {Other, Rest});
  return same("or.b", {IsLeft ? A : B, IsLeft ? B : A});
}

Operand IntegerElement::funnel(bool IsLeft, ArrayRef<Operand> X) {
  if (Width == 32)
    return op(Type, IsLeft ? "shf.l.wrap.b32" : "shf.r.wrap.b32",
              {X[1], X[0], X[2]});
  if (Width == 64)
    return funnel64(IsLeft, X);
  bool IsConstant = X[2].Kind == Operand::KindTy::Integer;
  int64_t Constant = int64_t(X[2].Bits % Width);
  if (Width == 8) { // both in one register
    Operand By = IsConstant ? amount(Constant)
                            : L.amountOf(same("and.b", {X[2], number(7)}));
    Operand Both = same("shl.b", {X[0], amount(8)});
    Both = same("or.b", {Both, extended(X[1], false)});
    if (!IsLeft)
      return same("shr.u", {Both, By});
    return same("shr.u", {same("shl.b", {Both, By}), amount(8)});
  }
  Operand By = amount(Constant), Rest = amount(~Constant & (Width - 1));
  if (!IsConstant) {
    Operand All = L.amountOf(X[2]);
    By = op(ScalarType::B32, "and.b32", {All, amount(Width - 1)});
    Rest = op(ScalarType::B32, "not.b32", {All});
    Rest = op(ScalarType::B32, "and.b32", {Rest, amount(Width - 1)});
  }
  if (IsLeft) {
    Operand Up = same("shl.b", {X[0], By});
    return same("or.b",
                {Up, same("shr.u", {same("shr.u", {X[1], amount(1)}), Rest})});
  }
  Operand Down = same("shr.u", {X[1], By});
  Operand Up = same("shl.b", {same("shl.b", {X[0], amount(1)}), Rest});
  return same("or.b", {Up, Down});
}

std::pair<Operand, Operand> IntegerElement::withOverflow(ArrayRef<Operand> X,
                                                         bool IsSigned) {
  StringRef Kind = IsSigned ? "s" : "u";
  Operand A = X[0], B = X[1];
  bool IsNarrow = Width < bitWidth(Type);
  if (IsNarrow) { // computed exactly, then compared with its narrow self
    A = extended(A, IsSigned);
    B = extended(B, IsSigned);
  }
  llvm::Instruction::BinaryOps Op =
      cast<llvm::BinaryOpIntrinsic>(&I)->getBinaryOp();
  StringRef Name = Op == llvm::Instruction::Add   ? "add.s"
                   : Op == llvm::Instruction::Sub ? "sub.s"
                                                  : "mul.lo.s";
  if (IsNarrow) {
    Operand R = same(Name, {A, B});
    if (Op == llvm::Instruction::Mul && !IsSigned)
      return {R, compare("setp.ne.b", same("shr.u", {R, amount(Width)}),
                         number(0))};
    return {R, compare("setp.ne.b", extended(R, IsSigned), R)};
  }
  if (Op == llvm::Instruction::Mul) {
    Operand High = same("mul.hi." + Kind, {A, B});
    Operand R = same(Name, {A, B});
    Operand Expected =
        IsSigned ? same("shr.s", {R, amount(Width - 1)}) : number(0);
    return {R, compare("setp.ne.b", High, Expected)};
  }
  bool IsAdd = Op == llvm::Instruction::Add;
  Operand R = same(Name, {A, B});
  if (!IsSigned)
    return {R, compare(IsAdd ? "setp.lt.u" : "setp.gt.u", R, A)};
  Operand Less = compare("setp.lt.s", R, A);
  Operand Sign = compare(IsAdd ? "setp.lt.s" : "setp.gt.s", B, number(0));
  return {R, op(ScalarType::Pred, "xor.pred", {Sign, Less})};
}

Operand IntegerElement::saturate(llvm::Intrinsic::ID Op, ArrayRef<Operand> X) {
  bool IsSigned = Op == llvm::Intrinsic::sadd_sat ||
                  Op == llvm::Intrinsic::ssub_sat ||
                  Op == llvm::Intrinsic::sshl_sat;
  Operand A = extended(X[0], IsSigned), B = extended(X[1], IsSigned);
  if (Op == llvm::Intrinsic::usub_sat)
    return same("sub.s", {same("max.u", {A, B}), B});
  if (Op == llvm::Intrinsic::sshl_sat || Op == llvm::Intrinsic::ushl_sat) {
    Operand By = L.amountOf(B);
    Operand R = same("shl.b", {A, By});
    Operand Back = same(IsSigned ? "shr.s" : "shr.u", {R, By});
    Operand Lost = compare("setp.ne.b", A, Back);
    if (!IsSigned)
      return select(number(-1), R, Lost);
    Operand Sign = same("shr.s", {A, amount(Width - 1)});
    return select(same("xor.b", {Sign, number(int64_t(~0ULL >> (65 - Width)))}),
                  R, Lost);
  }
  if (Width < bitWidth(Type)) { // exact, then clamped
    Operand R =
        same(Op == llvm::Intrinsic::ssub_sat ? "sub.s" : "add.s", {A, B});
    int64_t Half = int64_t(1) << (Width - 1);
    if (!IsSigned)
      return same("min.u", {R, number(2 * Half - 1)});
    return same("max.s", {same("min.s", {R, number(Half - 1)}), number(-Half)});
  }
  if (Op == llvm::Intrinsic::uadd_sat) {
    Operand Room = same("not.b", {B});
    return same("add.s", {same("min.u", {A, Room}), B});
  }
  bool IsAdd = Op == llvm::Intrinsic::sadd_sat;
  Operand R = same(IsAdd ? "add.s" : "sub.s", {A, B});
  Operand Less = compare("setp.lt.s", R, A);
  Operand Sign = compare(IsAdd ? "setp.lt.s" : "setp.gt.s", B, number(0));
  Operand Overflows = op(ScalarType::Pred, "xor.pred", {Sign, Less});
  Operand Limit = same("shr.s", {R, amount(Width - 1)});
  Limit = same("xor.b", {Limit, number(int64_t(1ULL << (Width - 1)))});
  return select(Limit, R, Overflows);
}

Operand IntegerElement::order(ArrayRef<Operand> X, bool IsSigned) {
  Operand A = extended(X[0], IsSigned), B = extended(X[1], IsSigned);
  StringRef Kind = IsSigned ? "s" : "u";
  Operand Less = compare("setp.lt." + Kind, A, B);
  Operand Greater = compare("setp.gt." + Kind, A, B);
  unsigned ResultBits = I.getType()->getScalarSizeInBits();
  ScalarType T = ResultBits <= 16   ? ScalarType::B16
                 : ResultBits <= 32 ? ScalarType::B32
                                    : ScalarType::B64;
  std::string Name = "selp.b" + std::to_string(bitWidth(T));
  auto N = [&](int64_t V) { return FunctionLowering::integer(V, T); };
  Operand R = op(T, Name, {N(1), N(0), Greater});
  return op(T, Name, {N(-1), R, Less});
}

Operand IntegerElement::lower(llvm::Intrinsic::ID Op, ArrayRef<Operand> X) {
  auto MinMax = [&](const llvm::Twine &Name, bool IsSigned) {
    Operand A = extended(X[0], IsSigned), B = extended(X[1], IsSigned);
    return same(Name, {A, B});
  };
  switch (Op) {
  case llvm::Intrinsic::abs:
    return same("abs.s", {extended(X[0], true)});
  case llvm::Intrinsic::smin:
    return MinMax("min.s", true);
  case llvm::Intrinsic::smax:
    return MinMax("max.s", true);
  case llvm::Intrinsic::umin:
    return MinMax("min.u", false);
  case llvm::Intrinsic::umax:
    return MinMax("max.u", false);
  case llvm::Intrinsic::ctpop:
    if (Type == ScalarType::B64)
      return from32(op(ScalarType::B32, "popc.b64", {X[0]}));
    return from32(op(ScalarType::B32, "popc.b32", {in32(X[0])}));
  case llvm::Intrinsic::ctlz:
    return countZeros(X[0]);
  case llvm::Intrinsic::cttz:
    return countTrailing(X[0]);
  case llvm::Intrinsic::bswap:
    return swapBytes(X[0]);
  case llvm::Intrinsic::bitreverse:
    return reverse(X[0]);
  case llvm::Intrinsic::fshl:
    return funnel(true, X);
  case llvm::Intrinsic::fshr:
    return funnel(false, X);
  case llvm::Intrinsic::scmp:
    return order(X, true);
  case llvm::Intrinsic::ucmp:
    return order(X, false);
  default:
    return saturate(Op, X);
  }
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// `min.s16x2` of both halves at once.
bool IntrinsicLowering::lowerPackedInteger() {
  StringRef Name = ID == llvm::Intrinsic::smin   ? "min.s16x2"
                   : ID == llvm::Intrinsic::smax ? "max.s16x2"
                   : ID == llvm::Intrinsic::umin ? "min.u16x2"
                   : ID == llvm::Intrinsic::umax ? "max.u16x2"
                                                 : "";
  llvm::Type *T = I.getType();
  if (!T->isVectorTy())
    return false;
  bool IsPair = FunctionLowering::elementsPerComponent(T) == 2;
  if (!Name.empty() && IsPair && F.capability() >= 90) {
    ArrayRef<Operand> A = argument(0), B = argument(1);
    SmallVector<Operand, 4> Out;
    for (size_t N = 0; N != A.size(); ++N)
      Out.push_back(op(ScalarType::B32, Name, {A[N], B[N]}));
    F.alias(&I, Out);
    return true;
  }
  if (ID != llvm::Intrinsic::bswap || !IsPair)
    return false;
  SmallVector<Operand, 4> Out;
  for (const Operand &A : argument(0))
    Out.push_back(op(ScalarType::B32, "prmt.b32",
                     {A, FunctionLowering::integer(0, ScalarType::B32),
                      FunctionLowering::integer(0x2301, ScalarType::B32)}));
  F.alias(&I, Out);
  return true;
}

bool IntrinsicLowering::lowerInteger() {
  unsigned Count; // of the operands that are elements
  bool HasOverflow = false, IsSigned = false;
  switch (ID) {
  case llvm::Intrinsic::abs:
  case llvm::Intrinsic::ctpop:
  case llvm::Intrinsic::ctlz:
  case llvm::Intrinsic::cttz:
  case llvm::Intrinsic::bswap:
  case llvm::Intrinsic::bitreverse:
    Count = 1;
    break;
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::umin:
  case llvm::Intrinsic::umax:
  case llvm::Intrinsic::scmp:
  case llvm::Intrinsic::ucmp:
  case llvm::Intrinsic::sadd_sat:
  case llvm::Intrinsic::uadd_sat:
  case llvm::Intrinsic::ssub_sat:
  case llvm::Intrinsic::usub_sat:
  case llvm::Intrinsic::sshl_sat:
  case llvm::Intrinsic::ushl_sat:
    Count = 2;
    break;
  case llvm::Intrinsic::fshl:
  case llvm::Intrinsic::fshr:
    Count = 3;
    break;
  case llvm::Intrinsic::sadd_with_overflow:
  case llvm::Intrinsic::ssub_with_overflow:
  case llvm::Intrinsic::smul_with_overflow:
    IsSigned = true;
    [[fallthrough]];
  case llvm::Intrinsic::uadd_with_overflow:
  case llvm::Intrinsic::usub_with_overflow:
  case llvm::Intrinsic::umul_with_overflow:
    Count = 2;
    HasOverflow = true;
    break;
  default:
    return false;
  }
  IntegerElement Element(*this, I);
  if (!Element.isKnown())
    return false;
  if (HasOverflow) {
    if (I.getArgOperand(0)->getType()->isVectorTy())
      return false;
    auto [Result, Overflow] = Element.withOverflow(
        {argument(0).front(), argument(1).front()}, IsSigned);
    F.alias(&I, {Result, Overflow});
    return true;
  }
  return lowerPackedInteger() || mapElements(Count, [&](ArrayRef<Operand> X) {
           return Element.lower(ID, X);
         });
}
