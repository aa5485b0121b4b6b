//===- Conversions.cpp - Casts --------------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FunctionLowering.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

/// "f16", "bf16", "f32" or "f64".
static StringRef floatName(llvm::Type *T) {
  return T->isHalfTy()     ? "f16"
         : T->isBFloatTy() ? "bf16"
         : T->isDoubleTy() ? "f64"
                           : "f32";
}

namespace {

/// A cast of one element.
class ElementCast {
public:
  /// \p Scalar is what is cast, if it is one.
  ElementCast(FunctionLowering &F, const llvm::CastInst &I,
              const llvm::Value *Scalar)
      : F(F), I(I), Scalar(Scalar), Source(I.getSrcTy()->getScalarType()),
        Target(I.getDestTy()->getScalarType()) {}

  void lower(const Operand &From, const Operand &To);

private:
  void truncate(const Operand &From, const Operand &To);
  void extend(Operand From, const Operand &To, bool Signed);
  void narrowFloat(const Operand &From, const Operand &To);
  void widenFloat(const Operand &From, const Operand &To);
  void toInteger(Operand From, const Operand &To, bool Signed);
  void toFloat(Operand From, const Operand &To, bool Signed);
  /// 1 or, signed, -1 for a predicate that holds.
  void numberOf(const Operand &Predicate, const Operand &To, bool Signed);
  /// ".ftz" where floats that are read are flushed.
  StringRef flush() const {
    return F.flushesDenormals() && Source->isFloatTy() ? ".ftz" : "";
  }

  FunctionLowering &F;
  const llvm::CastInst &I;
  const llvm::Value *Scalar;
  llvm::Type *Source, *Target;
};

} // namespace

void ElementCast::lower(const Operand &From, const Operand &To) {
  using Op = llvm::Instruction;
  switch (I.getOpcode()) {
  case Op::Trunc:
    return truncate(From, To);
  case Op::ZExt:
  case Op::SExt:
    return extend(From, To, I.getOpcode() == Op::SExt);
  case Op::FPTrunc:
    return narrowFloat(From, To);
  case Op::FPExt:
    return widenFloat(From, To);
  case Op::FPToSI:
  case Op::FPToUI:
    return toInteger(From, To, I.getOpcode() == Op::FPToSI);
  case Op::SIToFP:
  case Op::UIToFP:
    return toFloat(From, To, I.getOpcode() == Op::SIToFP);
  default:
    return F.move(To, From);
  }
}

void ElementCast::truncate(const Operand &From, const Operand &To) {
  if (Target->isIntegerTy(1)) {
    Operand Bit = F.temporary(From.Type);
    F.emit("and.b" + bits(From.Type),
           {Bit, F.inRegister(From), F.integer(1, From.Type)});
    return F.emit("setp.ne.b" + bits(From.Type),
                  {To, Bit, F.integer(0, From.Type)});
  }
  if (From.Type == To.Type)
    return F.move(To, From);
  F.emit("cvt.u" + bits(To.Type) + ".u" + bits(From.Type),
         {To, F.inRegister(From)});
}

void ElementCast::numberOf(const Operand &Predicate, const Operand &To,
                           bool Signed) {
  F.emit("selp.b" + bits(To.Type),
         {To, F.integer(Signed ? -1 : 1, To.Type), F.integer(0, To.Type),
          F.inRegister(Predicate)});
}

void ElementCast::extend(Operand From, const Operand &To, bool Signed) {
  if (Source->isIntegerTy(1))
    return numberOf(From, To, Signed);
  if (Scalar)
    From = F.extended(Scalar, Signed);
  if (From.Type == To.Type)
    return F.move(To, From);
  std::string Letter = Signed ? "s" : "u";
  F.emit("cvt." + Letter + bits(To.Type) + "." + Letter + bits(From.Type),
         {To, F.inRegister(From)});
}

void ElementCast::narrowFloat(const Operand &From, const Operand &To) {
  StringRef Flush = Target->isBFloatTy() ? "" : flush();
  F.emit(("cvt.rn" + Flush + "." + floatName(Target) + "." + floatName(Source))
             .str(),
         {To, F.inRegister(From)});
}

void ElementCast::widenFloat(const Operand &From, const Operand &To) {
  if (Source->isBFloatTy() && Target->isFloatTy())
    return F.move(To, F.asFloat(From, Source));
  F.emit(("cvt" + flush() + "." + floatName(Target) + "." + floatName(Source))
             .str(),
         {To, F.inRegister(From)});
}

void ElementCast::toInteger(Operand From, const Operand &To, bool Signed) {
  if (Source->isBFloatTy() && F.capability() < 90) {
    From = F.asFloat(From, Source);
    Source = llvm::Type::getFloatTy(I.getContext());
  }
  Operand Wide = Target->isIntegerTy(1) ? F.temporary(ScalarType::B32) : To;
  F.emit(("cvt.rzi" + flush() + "." + (Signed ? "s" : "u") + bits(Wide.Type) +
          "." + floatName(Source))
             .str(),
         {Wide, F.inRegister(From)});
  if (Target->isIntegerTy(1))
    F.emit("setp.ne.b32", {To, Wide, F.integer(0, ScalarType::B32)});
}

void ElementCast::toFloat(Operand From, const Operand &To, bool Signed) {
  if (Source->isIntegerTy(1)) {
    Operand Number = F.temporary(ScalarType::B32);
    numberOf(From, Number, Signed);
    From = Number;
  } else if (Scalar) {
    From = F.extended(Scalar, Signed);
  }
  F.emit(("cvt.rn." + floatName(Target) + "." + (Signed ? "s" : "u") +
          bits(From.Type))
             .str(),
         {To, F.inRegister(From)});
}

/// A cast between registers of other sizes: by packing and unpacking.
void FunctionLowering::lowerBitCast(const llvm::CastInst &I) {
  ArrayRef<Operand> From = components(I.getOperand(0));
  SmallVector<ScalarType, 4> Types;
  componentTypes(I.getType(), Types);
  auto SameTypes = [&] {
    if (Types.size() != From.size())
      return false;
    for (auto [T, O] : llvm::zip(Types, From))
      if (bitWidth(T) != bitWidth(O.Type))
        return false;
    return true;
  };
  if (SameTypes())
    return alias(&I, From);
  auto Pack = [&](ScalarType To, ArrayRef<Operand> Parts) {
    SmallVector<Operand, 4> Registers;
    for (const Operand &P : Parts)
      Registers.push_back(inRegister(P));
    Operand R = temporary(To);
    emit("mov.b" + bits(To), {R, vector(Registers)});
    return R;
  };
  if (Types.empty() || From.empty())
    return;
  unsigned To = bitWidth(Types.front()), Of = bitWidth(From.front().Type);
  SmallVector<Operand, 4> Result;
  if (To > Of && To / Of <= 4 && From.size() == Types.size() * (To / Of)) {
    for (size_t N = 0; N != Types.size(); ++N)
      Result.push_back(Pack(Types[N], From.slice(N * (To / Of), To / Of)));
    return alias(&I, Result);
  }
  if (Of > To && Of / To <= 4 && Types.size() == From.size() * (Of / To)) {
    for (const Operand &F : From) {
      SmallVector<Operand, 4> Parts;
      for (unsigned E = 0; E != Of / To; ++E)
        Parts.push_back(temporary(Types.front()));
      emit("mov.b" + bits(F.Type), {vector(Parts), inRegister(F)});
      Result.append(Parts);
    }
    return alias(&I, Result);
  }
  emitUnknown("bitcast", I, From);
}

void FunctionLowering::lowerCast(const llvm::CastInst &I) {
  using Op = llvm::Instruction;
  const llvm::Value *V = I.getOperand(0);
  switch (I.getOpcode()) {
  case Op::BitCast:
    return lowerBitCast(I);
  case Op::AddrSpaceCast: {
    if (I.getType()->isVectorTy())
      break;
    unsigned From = I.getSrcTy()->getPointerAddressSpace(),
             To = I.getDestTy()->getPointerAddressSpace();
    if (PointerLowering::isSameAddress(I)) {
      PointerLowering::Parts P = Pointers.split(&I);
      if (P.Base.Kind == Operand::KindTy::Parameter)
        return alias(&I, P.Base);
      return emit("add.u64",
                  {defineOne(&I), P.Base, integer(P.Offset, ScalarType::B64)});
    }
    return Pointers.convertSpace(defineOne(&I), inRegister(use(V)), From, To);
  }
  case Op::PtrToInt:
  case Op::PtrToAddr:
  case Op::IntToPtr: {
    if (I.getType()->isVectorTy())
      break;
    Operand From = use(V);
    ScalarType To = registerType(I.getType());
    if (From.Type == To)
      return alias(&I, From);
    return emit("cvt.u" + bits(To) + ".u" + bits(From.Type),
                {defineOne(&I), inRegister(From)});
  }
  default:
    break;
  }
  bool IsLong = I.getSrcTy()->getScalarSizeInBits() > 64 ||
                I.getDestTy()->getScalarSizeInBits() > 64;
  if (IsLong)
    return lowerLongCast(I);
  if (!I.getType()->isVectorTy()) {
    Operand From = use(V);
    // What is only seen as narrower, or as half of the same register.
    if (I.getOpcode() == Op::Trunc && !I.getType()->isIntegerTy(1) &&
        From.Type == registerType(I.getType()))
      return alias(&I, From);
    if (isa<llvm::TruncInst>(I) || !I.getSrcTy()->isIntegerTy(8) ||
        I.getOpcode() != Op::ZExt ||
        registerType(I.getType()) != ScalarType::B16)
      return ElementCast(*this, I, V).lower(From, defineOne(&I));
    return alias(&I, extended(V, false));
  }
  SmallVector<Operand, 4> From = elements(V), To;
  llvm::Type *Element = I.getType()->getScalarType();
  for (const Operand &E : From) {
    To.push_back(temporary(registerType(Element)));
    ElementCast(*this, I, nullptr).lower(E, To.back());
  }
  pack(I, To);
}

/// To or from integers of more than 64 bits.
void FunctionLowering::lowerLongCast(const llvm::CastInst &I) {
  ArrayRef<Operand> From = components(I.getOperand(0));
  SmallVector<ScalarType, 4> Types;
  componentTypes(I.getType(), Types);
  using Op = llvm::Instruction;
  if (I.getOpcode() == Op::Trunc && Types.size() == 1) {
    if (Types[0] == ScalarType::B64)
      return alias(&I, From.front());
    if (Types[0] != ScalarType::Pred)
      return emit("cvt.u" + bits(Types[0]) + ".u64",
                  {defineOne(&I), inRegister(From.front())});
  }
  if (I.getOpcode() == Op::ZExt && From.front().Type == ScalarType::B64) {
    SmallVector<Operand, 4> Result(From.begin(), From.end());
    while (Result.size() < Types.size())
      Result.push_back(integer(0, ScalarType::B64));
    return alias(&I, Result);
  }
  if (I.getOpcode() == Op::SExt && From.front().Type == ScalarType::B64) {
    SmallVector<Operand, 4> Result(From.begin(), From.end());
    Operand Sign = temporary(ScalarType::B64);
    emit("shr.s64",
         {Sign, inRegister(From.back()), integer(63, ScalarType::B32)});
    while (Result.size() < Types.size())
      Result.push_back(Sign);
    return alias(&I, Result);
  }
  emitUnknown(I.getOpcodeName(), I, From);
}
