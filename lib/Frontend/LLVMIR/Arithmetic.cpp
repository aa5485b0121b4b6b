//===- Arithmetic.cpp - Sums, products, logic, comparison, selection ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FunctionLowering.h"
#include "llvm/IR/PatternMatch.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;
using namespace llvm::PatternMatch;

using Opcode = llvm::Instruction::BinaryOps;

bool FunctionLowering::flushesDenormals() const {
  return F.getDenormalMode(llvm::APFloat::IEEEsingle()).Output ==
         llvm::DenormalMode::PreserveSign;
}

/// ".f32", ".ftz.f32", ".f64", ".f16", ".bf16" or ".f16x2".
std::string FunctionLowering::floatSuffix(llvm::Type *T) const {
  llvm::Type *E = T->getScalarType();
  bool Packed = elementsPerComponent(T) == 2;
  if (E->isHalfTy())
    return (flushesDenormals() ? ".ftz.f16" : ".f16") +
           std::string(Packed ? "x2" : "");
  if (E->isBFloatTy())
    return Packed ? ".bf16x2" : ".bf16";
  if (E->isDoubleTy())
    return ".f64";
  return flushesDenormals() ? ".ftz.f32" : ".f32";
}

//===----------------------------------------------------------------------===//
// What is taken over by a user
//===----------------------------------------------------------------------===//

static bool contracts(const llvm::Instruction &I) {
  return I.hasAllowContract();
}

/// The product that an addition or subtraction of floats becomes one
/// instruction with; null without one.
static const llvm::BinaryOperator *fusedProduct(const llvm::Instruction &I) {
  if ((I.getOpcode() != llvm::Instruction::FAdd &&
       I.getOpcode() != llvm::Instruction::FSub) ||
      !contracts(I))
    return nullptr;
  for (const llvm::Value *O : I.operand_values())
    if (auto *M = dyn_cast<llvm::BinaryOperator>(O);
        M && M->getOpcode() == llvm::Instruction::FMul && contracts(*M) &&
        M->getParent() == I.getParent())
      return M;
  return nullptr;
}

/// The product that an addition of integers becomes one instruction with.
static const llvm::BinaryOperator *addedProduct(const llvm::Instruction &I) {
  if (I.getOpcode() != llvm::Instruction::Add || I.getType()->isVectorTy())
    return nullptr;
  for (const llvm::Value *O : I.operand_values())
    if (auto *M = dyn_cast<llvm::BinaryOperator>(O);
        M && M->getOpcode() == llvm::Instruction::Mul && M->hasOneUse() &&
        M->getParent() == I.getParent() && !FunctionLowering::isWide(*M))
      return M;
  return nullptr;
}

/// Of a product or shift of 64 bits whose operands have 32: the one that is
/// widened.
static const llvm::CastInst *widened(const llvm::Value *V,
                                     const llvm::Instruction &In) {
  auto *C = dyn_cast<llvm::CastInst>(V);
  if (!C || !(isa<llvm::SExtInst>(C) || isa<llvm::ZExtInst>(C)) ||
      C->getParent() != In.getParent() || FunctionLowering::isLoadsOwn(*C))
    return nullptr;
  unsigned From = C->getSrcTy()->getScalarSizeInBits(),
           To = C->getDestTy()->getScalarSizeInBits();
  return (From == 32 && To == 64) || (From == 16 && To == 32) ? C : nullptr;
}

bool FunctionLowering::isWide(const llvm::BinaryOperator &I) {
  if (!I.getType()->isIntegerTy(64) && !I.getType()->isIntegerTy(32))
    return false;
  const llvm::CastInst *A = widened(I.getOperand(0), I);
  if (!A)
    return false;
  unsigned Half = I.getType()->getIntegerBitWidth() / 2;
  auto *N = dyn_cast<llvm::ConstantInt>(I.getOperand(1));
  if (I.getOpcode() == llvm::Instruction::Shl)
    return N && N->getZExtValue() < Half - 1;
  if (I.getOpcode() != llvm::Instruction::Mul)
    return false;
  if (N)
    return isa<llvm::SExtInst>(A) ? N->getValue().isSignedIntN(Half)
                                  : N->getValue().isIntN(Half);
  const llvm::CastInst *B = widened(I.getOperand(1), I);
  return B && A->getOpcode() == B->getOpcode();
}

/// The shift that `and` with a mask of low bits reads a field through.
static const llvm::BinaryOperator *shiftedField(const llvm::Instruction &I) {
  if (I.getOpcode() != llvm::Instruction::And ||
      !(I.getType()->isIntegerTy(32) || I.getType()->isIntegerTy(64)))
    return nullptr;
  auto *Mask = dyn_cast<llvm::ConstantInt>(I.getOperand(1));
  auto *Shift = dyn_cast<llvm::BinaryOperator>(I.getOperand(0));
  if (!Mask || !Mask->getValue().isMask() || !Shift ||
      Shift->getOpcode() != llvm::Instruction::LShr ||
      Shift->getParent() != I.getParent() ||
      !isa<llvm::ConstantInt>(Shift->getOperand(1)))
    return nullptr;
  return Shift;
}

/// The shift that, shifted back, leaves low bits with their sign.
static const llvm::BinaryOperator *shiftedSign(const llvm::Instruction &I) {
  if (I.getOpcode() != llvm::Instruction::AShr ||
      !(I.getType()->isIntegerTy(32) || I.getType()->isIntegerTy(64)))
    return nullptr;
  auto *Back = dyn_cast<llvm::ConstantInt>(I.getOperand(1));
  auto *Shift = dyn_cast<llvm::BinaryOperator>(I.getOperand(0));
  if (!Back || !Shift || Shift->getOpcode() != llvm::Instruction::Shl ||
      Shift->getParent() != I.getParent() || Shift->getOperand(1) != Back)
    return nullptr;
  const uint64_t Kept =
      I.getType()->getIntegerBitWidth() - Back->getLimitedValue();
  return Kept == 8 || Kept == 16 || Kept == 32 ? Shift : nullptr;
}

bool FunctionLowering::isFolded(const llvm::Instruction &I) const {
  if (I.use_empty())
    return false;
  auto AllUsers = [&](auto Takes) {
    return llvm::all_of(I.users(), [&](const llvm::User *U) {
      return Takes(*cast<llvm::Instruction>(U));
    });
  };
  switch (I.getOpcode()) {
  case llvm::Instruction::FMul:
    return AllUsers(
        [&](const llvm::Instruction &U) { return fusedProduct(U) == &I; });
  case llvm::Instruction::Mul:
    return AllUsers(
        [&](const llvm::Instruction &U) { return addedProduct(U) == &I; });
  case llvm::Instruction::Shl:
    return AllUsers(
        [&](const llvm::Instruction &U) { return shiftedSign(U) == &I; });
  case llvm::Instruction::LShr:
    return I.hasOneUse() && AllUsers([&](const llvm::Instruction &U) {
             return shiftedField(U) == &I;
           });
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
    if (isLoadsOwn(cast<llvm::CastInst>(I)))
      return true; // the load has written it
    return AllUsers([&](const llvm::Instruction &U) {
      if (auto *GEP = dyn_cast<llvm::GetElementPtrInst>(&U))
        return scalesIndex(*GEP, I);
      auto *Product = dyn_cast<llvm::BinaryOperator>(&U);
      return Product && Product->getOperand(0) != nullptr && isWide(*Product) &&
             (Product->getOpcode() == llvm::Instruction::Mul ||
              Product->getOperand(0) == &I);
    });
  case llvm::Instruction::GetElementPtr: {
    auto &GEP = cast<llvm::GetElementPtrInst>(I);
    return GEP.hasAllConstantIndices() && PointerLowering::isOnlyAddress(I);
  }
  default:
    return false;
  }
}

bool FunctionLowering::scalesIndex(const llvm::GetElementPtrInst &GEP,
                                   const llvm::Instruction &Index) const {
  if (!PointerLowering::widens(&Index, GEP) ||
      GEP.getPointerOperand() == &Index)
    return false;
  for (auto It = llvm::gep_type_begin(GEP), End = llvm::gep_type_end(GEP);
       It != End; ++It)
    if (It.getOperand() == &Index &&
        (It.isStruct() ||
         It.getSequentialElementStride(layout()).getFixedValue() == 1))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

Operand FunctionLowering::extended(const llvm::Value *V, bool Signed) {
  Operand O = use(V);
  llvm::Type *T = V->getType();
  unsigned Width = T->getScalarSizeInBits(), Register = bitWidth(O.Type);
  if (O.Kind != Operand::KindTy::Register || Width >= Register || Width == 1)
    return O;
  if (auto *Load = dyn_cast<llvm::LoadInst>(V); Load && !Signed)
    return O;
  Operand To = temporary(O.Type);
  if (!Signed)
    emit("and.b" + bits(O.Type),
         {To, O, integer((int64_t(1) << Width) - 1, O.Type)});
  else if (Width == 8)
    emit("cvt.s16.s8", {To, O});
  else {
    Operand Up = temporary(O.Type);
    int64_t By = Register - Width;
    emit("shl.b" + bits(O.Type), {Up, O, integer(By, ScalarType::B32)});
    emit("shr.s" + bits(O.Type), {To, Up, integer(By, ScalarType::B32)});
  }
  return To;
}

/// A shift's amount, which has 32 bits.
Operand FunctionLowering::shiftAmount(const llvm::Value *V) {
  Operand O = extended(V, false);
  if (O.Kind != Operand::KindTy::Register || O.Type == ScalarType::B32) {
    O.Type = O.Kind == Operand::KindTy::Register ? O.Type : ScalarType::B32;
    return O;
  }
  Operand To = temporary(ScalarType::B32);
  emit(O.Type == ScalarType::B64 ? "cvt.u32.u64" : "cvt.u32.u16", {To, O});
  return To;
}

void FunctionLowering::lowerPredicates(const llvm::BinaryOperator &I) {
  Operand A = use(I.getOperand(0)), B = use(I.getOperand(1)),
          To = defineOne(&I);
  if (match(&I, m_Not(m_Value())))
    return emit("not.pred", {To, inRegister(A)});
  switch (I.getOpcode()) {
  case llvm::Instruction::And:
  case llvm::Instruction::Mul:
    return emit("and.pred", {To, inRegister(A), inRegister(B)});
  case llvm::Instruction::Or:
    return emit("or.pred", {To, inRegister(A), inRegister(B)});
  default:
    return emit("xor.pred", {To, inRegister(A), inRegister(B)});
  }
}

void FunctionLowering::lowerInteger(Opcode Op, const llvm::BinaryOperator &I,
                                    const Operand &To, Operand A, Operand B) {
  std::string W = bits(To.Type);
  auto Simple = [&](const Twine &Name) {
    emit(Name.str(), {To, inRegister(A), B});
  };
  switch (Op) {
  case llvm::Instruction::Add:
    return Simple("add.s" + W);
  case llvm::Instruction::Sub:
    if (A.Kind == Operand::KindTy::Integer && A.Bits == 0)
      return emit("neg.s" + W, {To, inRegister(B)});
    return Simple("sub.s" + W);
  case llvm::Instruction::Mul:
    return Simple("mul.lo.s" + W);
  case llvm::Instruction::UDiv:
    return Simple("div.u" + W);
  case llvm::Instruction::SDiv:
    return Simple("div.s" + W);
  case llvm::Instruction::URem:
    return Simple("rem.u" + W);
  case llvm::Instruction::SRem:
    return Simple("rem.s" + W);
  case llvm::Instruction::And:
    return Simple("and.b" + W);
  case llvm::Instruction::Or:
    return Simple("or.b" + W);
  case llvm::Instruction::Xor:
    if (B.Kind == Operand::KindTy::Integer && B.integer() == -1)
      return emit("not.b" + W, {To, inRegister(A)});
    return Simple("xor.b" + W);
  case llvm::Instruction::Shl:
    return Simple("shl.b" + W);
  case llvm::Instruction::LShr:
    return Simple("shr.u" + W);
  case llvm::Instruction::AShr:
    return Simple("shr.s" + W);
  default:
    return emitUnknown(I.getOpcodeName(), I, {A, B});
  }
}

void FunctionLowering::lowerWideProduct(const llvm::BinaryOperator &I) {
  const llvm::CastInst *A = widened(I.getOperand(0), I);
  std::string Name = "mul.wide.";
  Name += isa<llvm::SExtInst>(A) ? "s" : "u";
  Name += std::to_string(A->getSrcTy()->getIntegerBitWidth());
  ScalarType T = registerType(A->getSrcTy());
  Operand Factor;
  if (auto *N = dyn_cast<llvm::ConstantInt>(I.getOperand(1)))
    Factor = integer(I.getOpcode() == llvm::Instruction::Shl
                         ? int64_t(1) << N->getZExtValue()
                         : N->getSExtValue(),
                     T);
  else
    Factor =
        inRegister(use(cast<llvm::CastInst>(I.getOperand(1))->getOperand(0)));
  emit(Name, {defineOne(&I), inRegister(use(A->getOperand(0))), Factor});
}

void FunctionLowering::lowerBinary(const llvm::BinaryOperator &I) {
  if (I.getType()->isVectorTy())
    return lowerVectorBinary(I);
  if (I.getType()->isFloatingPointTy())
    return lowerFloat(I);
  if (I.getType()->isIntegerTy(1))
    return lowerPredicates(I);
  if (I.getType()->getIntegerBitWidth() > 64)
    return lowerLong(I);
  if (isWide(I))
    return lowerWideProduct(I);
  std::string W = bits(registerType(I.getType()));
  if (const llvm::BinaryOperator *M = addedProduct(I)) {
    const llvm::Value *Other =
        I.getOperand(0) == M ? I.getOperand(1) : I.getOperand(0);
    return emit("mad.lo.s" + W,
                {defineOne(&I), inRegister(use(M->getOperand(0))),
                 use(M->getOperand(1)), use(Other)});
  }
  if (const llvm::BinaryOperator *Shift = shiftedField(I)) {
    auto *Mask = cast<llvm::ConstantInt>(I.getOperand(1));
    auto *By = cast<llvm::ConstantInt>(Shift->getOperand(1));
    return emit("bfe.u" + W,
                {defineOne(&I), inRegister(use(Shift->getOperand(0))),
                 integer(int64_t(By->getZExtValue()), ScalarType::B32),
                 integer(Mask->getValue().countr_one(), ScalarType::B32)});
  }
  if (const llvm::BinaryOperator *Shift = shiftedSign(I)) {
    const uint64_t Kept =
        I.getType()->getIntegerBitWidth() -
        cast<llvm::ConstantInt>(I.getOperand(1))->getZExtValue();
    return emit("cvt.s" + W + ".s" + std::to_string(Kept),
                {defineOne(&I), inRegister(use(Shift->getOperand(0)))});
  }
  Opcode Op = I.getOpcode();
  const llvm::Value *L = I.getOperand(0), *R = I.getOperand(1);
  switch (Op) {
  case llvm::Instruction::Shl:
    return lowerInteger(Op, I, defineOne(&I), use(L), shiftAmount(R));
  case llvm::Instruction::LShr:
    return lowerInteger(Op, I, defineOne(&I), extended(L, false),
                        shiftAmount(R));
  case llvm::Instruction::AShr:
    return lowerInteger(Op, I, defineOne(&I), extended(L, true),
                        shiftAmount(R));
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem: {
    bool Signed =
        Op == llvm::Instruction::SDiv || Op == llvm::Instruction::SRem;
    Operand A = extended(L, Signed);
    if (auto *N = dyn_cast<llvm::ConstantInt>(R);
        N && divideByConstant(I, A, N->getValue()))
      return;
    return lowerInteger(Op, I, defineOne(&I), A, extended(R, Signed));
  }
  default:
    return lowerInteger(Op, I, defineOne(&I), use(L), use(R));
  }
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

void FunctionLowering::lowerFused(const llvm::Instruction &I,
                                  const llvm::BinaryOperator &Product) {
  bool Subtracts = I.getOpcode() == llvm::Instruction::FSub;
  bool ProductFirst = I.getOperand(0) == &Product;
  const llvm::Value *Other = I.getOperand(ProductFirst ? 1 : 0);
  ArrayRef<Operand> A = components(Product.getOperand(0)),
                    B = components(Product.getOperand(1)),
                    C = components(Other), To = define(&I);
  std::string Type = floatSuffix(I.getType());
  for (size_t N = 0; N != To.size(); ++N) {
    Operand X = inRegister(A[N]), Z = C[N];
    if (Subtracts) { // a*b - c, or c - a*b
      Operand Negated = temporary(To[N].Type);
      emit("neg" + Type, {Negated, inRegister(ProductFirst ? Z : X)});
      (ProductFirst ? Z : X) = Negated;
    }
    emit("fma.rn" + Type, {To[N], X, B[N], Z});
  }
}

/// Whether the device has the type's arithmetic.
bool FunctionLowering::hasArithmetic(llvm::Type *T) const {
  llvm::Type *E = T->getScalarType();
  return E->isHalfTy() ? capability() >= 53
                       : !E->isBFloatTy() || capability() >= 90;
}

void FunctionLowering::lowerFloat(const llvm::BinaryOperator &I) {
  llvm::Type *T = I.getType();
  bool IsHalf =
      T->getScalarType()->isHalfTy() || T->getScalarType()->isBFloatTy();
  if (!hasArithmetic(T))
    return lowerPromoted(I);
  if (const llvm::BinaryOperator *Product = fusedProduct(I))
    return lowerFused(I, *Product);
  std::string Type = floatSuffix(T);
  // What ptxas may still join is written without a rounding.
  std::string Round = contracts(I) && !IsHalf ? "" : ".rn";
  std::string Name;
  switch (I.getOpcode()) {
  case llvm::Instruction::FAdd:
    Name = "add" + Round;
    break;
  case llvm::Instruction::FSub:
    Name = "sub" + Round;
    break;
  case llvm::Instruction::FMul:
    Name = "mul" + Round;
    break;
  case llvm::Instruction::FDiv:
    return IsHalf ? lowerPromoted(I) : lowerDivision(I);
  default:
    return IsHalf ? lowerPromoted(I) : lowerRemainder(I);
  }
  ArrayRef<Operand> A = components(I.getOperand(0)),
                    B = components(I.getOperand(1)), To = define(&I);
  for (size_t N = 0; N != To.size(); ++N)
    emit(Name + Type, {To[N], inRegister(A[N]), B[N]});
}

void FunctionLowering::lowerDivision(const llvm::BinaryOperator &I) {
  bool IsDouble = I.getType()->isDoubleTy();
  std::string Type = floatSuffix(I.getType());
  Operand A = use(I.getOperand(0)), B = inRegister(use(I.getOperand(1)));
  bool Approximate = !IsDouble && I.hasApproxFunc();
  if (match(I.getOperand(0), m_FPOne()))
    return emit((Approximate ? "rcp.approx" : "rcp.rn") + Type,
                {defineOne(&I), B});
  emit((Approximate ? "div.approx" : "div.rn") + Type,
       {defineOne(&I), inRegister(A), B});
}

/// x - trunc(x / y) * y, which is what the back end makes of it.
void FunctionLowering::lowerRemainder(const llvm::BinaryOperator &I) {
  std::string Type = floatSuffix(I.getType());
  std::string Plain = I.getType()->isDoubleTy() ? "f64" : "f32";
  ScalarType T = registerType(I.getType());
  Operand A = inRegister(use(I.getOperand(0))),
          B = inRegister(use(I.getOperand(1)));
  Operand Quotient = temporary(T), Whole = temporary(T), Minus = temporary(T);
  emit("div.rn" + Type, {Quotient, A, B});
  emit("cvt.rzi" +
           std::string(flushesDenormals() && Plain == "f32" ? ".ftz." : ".") +
           Plain + "." + Plain,
       {Whole, Quotient});
  emit("neg" + Type, {Minus, Whole});
  if (I.hasNoInfs())
    return emit("fma.rn" + Type, {defineOne(&I), Minus, B, A});
  Operand Rest = temporary(T), Infinite = temporary(ScalarType::Pred);
  emit("fma.rn" + Type, {Rest, Minus, B, A});
  emit("testp.infinite." + Plain, {Infinite, B});
  emit("selp." + Plain, {defineOne(&I), A, Rest, Infinite});
}

void FunctionLowering::lowerFNeg(const llvm::UnaryOperator &I) {
  ArrayRef<Operand> From = components(I.getOperand(0)), To = define(&I);
  bool ByBits =
      !hasArithmetic(I.getType()) &&
      !(I.getType()->getScalarType()->isBFloatTy() && capability() >= 80);
  for (size_t N = 0; N != To.size(); ++N) {
    if (!ByBits) {
      emit("neg" + floatSuffix(I.getType()), {To[N], inRegister(From[N])});
      continue;
    }
    bool Packed = To[N].Type == ScalarType::B32;
    emit(Packed ? "xor.b32" : "xor.b16",
         {To[N], inRegister(From[N]),
          integer(Packed ? int64_t(0x80008000) : 0x8000, To[N].Type)});
  }
}

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

static StringRef comparison(llvm::CmpInst::Predicate P) {
  using C = llvm::CmpInst;
  switch (P) {
  case C::ICMP_EQ:
  case C::FCMP_OEQ:
    return "eq";
  case C::ICMP_NE:
  case C::FCMP_ONE:
    return "ne";
  case C::ICMP_SGT:
  case C::ICMP_UGT:
  case C::FCMP_OGT:
    return "gt";
  case C::ICMP_SGE:
  case C::ICMP_UGE:
  case C::FCMP_OGE:
    return "ge";
  case C::ICMP_SLT:
  case C::ICMP_ULT:
  case C::FCMP_OLT:
    return "lt";
  case C::ICMP_SLE:
  case C::ICMP_ULE:
  case C::FCMP_OLE:
    return "le";
  case C::FCMP_UEQ:
    return "equ";
  case C::FCMP_UNE:
    return "neu";
  case C::FCMP_UGT:
    return "gtu";
  case C::FCMP_UGE:
    return "geu";
  case C::FCMP_ULT:
    return "ltu";
  case C::FCMP_ULE:
    return "leu";
  case C::FCMP_ORD:
    return "num";
  default:
    return "nan";
  }
}

void FunctionLowering::compare(llvm::CmpInst::Predicate P, llvm::Type *T,
                               const Operand &To, Operand A, Operand B) {
  if (P == llvm::CmpInst::FCMP_TRUE || P == llvm::CmpInst::FCMP_FALSE)
    return move(
        To, integer(P == llvm::CmpInst::FCMP_TRUE ? -1 : 0, ScalarType::Pred));
  if (T->isFloatingPointTy())
    return emit(("setp." + comparison(P) + floatSuffix(T)).str(),
                {To, inRegister(A), B});
  if (T->isIntegerTy(1)) { // equal, or not
    Operand Different =
        P == llvm::CmpInst::ICMP_EQ ? temporary(ScalarType::Pred) : To;
    emit("xor.pred", {Different, inRegister(A), inRegister(B)});
    if (P == llvm::CmpInst::ICMP_EQ)
      emit("not.pred", {To, Different});
    return;
  }
  StringRef Type = llvm::CmpInst::isSigned(P)     ? "s"
                   : llvm::CmpInst::isUnsigned(P) ? "u"
                                                  : "b";
  emit(("setp." + comparison(P) + "." + Type + bits(A.Type)).str(),
       {To, inRegister(A), B});
}

void FunctionLowering::lowerCompare(const llvm::CmpInst &I) {
  const llvm::Value *L = I.getOperand(0), *R = I.getOperand(1);
  llvm::Type *T = L->getType();
  if (T->isVectorTy()) {
    SmallVector<Operand, 4> A = elements(L), B = elements(R);
    for (auto [N, To] : llvm::enumerate(define(&I)))
      compare(I.getPredicate(), T->getScalarType(), To, A[N], B[N]);
    return;
  }
  if (T->isIntegerTy() && T->getIntegerBitWidth() > 64)
    return emitUnknown("icmp", I, {use(L), use(R)});
  if (T->isFloatingPointTy() && !hasArithmetic(T) &&
      !(T->isBFloatTy() && capability() >= 90))
    return compare(I.getPredicate(), llvm::Type::getFloatTy(I.getContext()),
                   defineOne(&I), asFloat(use(L), T), asFloat(use(R), T));
  if (T->isIntegerTy() && T->getIntegerBitWidth() < 32 && !T->isIntegerTy(1))
    return compare(I.getPredicate(), T, defineOne(&I),
                   extended(L, I.isSigned()), extended(R, I.isSigned()));
  compare(I.getPredicate(), T, defineOne(&I), use(L), use(R));
}

/// Chooses one component.
void FunctionLowering::select(const Operand &To, const Operand &Condition,
                              const Operand &A, const Operand &B,
                              bool IsFloat) {
  if (To.Type != ScalarType::Pred)
    return emit((IsFloat ? "selp.f" : "selp.b") + bits(To.Type),
                {To, A, B, Condition});
  bool AIsTrue = A.Kind == Operand::KindTy::Integer && A.Bits != 0;
  bool BIsFalse = B.Kind == Operand::KindTy::Integer && B.Bits == 0;
  if (BIsFalse)
    return emit("and.pred", {To, Condition, inRegister(A)});
  if (AIsTrue)
    return emit("or.pred", {To, Condition, inRegister(B)});
  Operand Not = temporary(ScalarType::Pred), X = temporary(ScalarType::Pred),
          Y = temporary(ScalarType::Pred);
  emit("and.pred", {X, Condition, inRegister(A)});
  emit("not.pred", {Not, Condition});
  emit("and.pred", {Y, Not, inRegister(B)});
  emit("or.pred", {To, X, Y});
}

void FunctionLowering::lowerSelect(const llvm::SelectInst &I) {
  bool IsFloat = I.getType()->isFloatTy() || I.getType()->isDoubleTy();
  if (I.getCondition()->getType()->isVectorTy()) {
    ArrayRef<Operand> Conditions = components(I.getCondition());
    SmallVector<Operand, 4> A = elements(I.getTrueValue()),
                            B = elements(I.getFalseValue()), To;
    for (size_t N = 0; N != Conditions.size(); ++N) {
      To.push_back(temporary(A[N].Type));
      select(To.back(), inRegister(Conditions[N]), A[N], B[N], IsFloat);
    }
    return pack(I, To);
  }
  Operand Condition = inRegister(use(I.getCondition()));
  ArrayRef<Operand> A = components(I.getTrueValue()),
                    B = components(I.getFalseValue()), To = define(&I);
  for (size_t N = 0; N != To.size(); ++N)
    select(To[N], Condition, A[N], B[N], IsFloat);
}
