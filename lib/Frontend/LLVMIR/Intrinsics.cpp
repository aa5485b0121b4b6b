//===- Intrinsics.cpp - Calls of intrinsics -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Intrinsics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

using Kind = Operand::KindTy;

//===----------------------------------------------------------------------===//
// What the operations on elements share
//===----------------------------------------------------------------------===//

Operand IntrinsicLowering::op(ScalarType T, const llvm::Twine &Mnemonic,
                              ArrayRef<Operand> Sources) {
  SmallVector<Operand, 4> Operands = {F.temporary(T)};
  llvm::append_range(Operands, Sources);
  llvm::SmallString<32> Text;
  F.emit(Mnemonic.toStringRef(Text), Operands);
  return Operands.front();
}

Operand IntrinsicLowering::extended(const Operand &X, unsigned Width,
                                    bool IsSigned) {
  unsigned Register = bitWidth(X.Type);
  if (Width >= Register)
    return X;
  if (X.Kind == Kind::Integer) {
    int64_t N = int64_t(X.Bits << (64 - Width));
    return FunctionLowering::integer(
        IsSigned ? N >> (64 - Width) : int64_t(uint64_t(N) >> (64 - Width)),
        X.Type);
  }
  std::string Bits = std::to_string(Register);
  if (!IsSigned)
    return op(
        X.Type, "and.b" + llvm::Twine(Bits),
        {X, FunctionLowering::integer((int64_t(1) << Width) - 1, X.Type)});
  if (Width == 8 && Register == 16)
    return op(X.Type, "cvt.s16.s8", {X});
  Operand By = FunctionLowering::integer(Register - Width, ScalarType::B32);
  Operand Up = op(X.Type, "shl.b" + llvm::Twine(Bits), {X, By});
  return op(X.Type, "shr.s" + llvm::Twine(Bits), {Up, By});
}

Operand IntrinsicLowering::amountOf(const Operand &X) {
  if (X.Kind == Kind::Integer)
    return FunctionLowering::integer(X.integer(), ScalarType::B32);
  if (X.Type == ScalarType::B32)
    return X;
  return op(ScalarType::B32,
            X.Type == ScalarType::B64 ? "cvt.u32.u64" : "cvt.u32.u16", {X});
}

std::pair<Operand, Operand> IntrinsicLowering::split(const Operand &X) {
  Operand Low = F.temporary(ScalarType::B32),
          High = F.temporary(ScalarType::B32);
  F.emit("mov.b64", {F.vector({Low, High}), X});
  return {Low, High};
}

Operand IntrinsicLowering::join(const Operand &Low, const Operand &High) {
  return op(ScalarType::B64, "mov.b64", {F.vector({Low, High})});
}

bool IntrinsicLowering::sameOperand(const Operand &A, const Operand &B) {
  if (A.Kind != B.Kind)
    return false;
  return A.Kind == Kind::Register ? A.RegisterIndex == B.RegisterIndex
                                  : A.Kind == Kind::Integer && A.Bits == B.Bits;
}

bool IntrinsicLowering::mapElements(
    unsigned Count, llvm::function_ref<Operand(ArrayRef<Operand>)> Lower) {
  if (!I.getType()->isVectorTy()) {
    SmallVector<Operand, 3> X;
    for (unsigned A = 0; A != Count; ++A)
      X.push_back(argument(A).front());
    F.alias(&I, Lower(X));
    return true;
  }
  unsigned Number = cast<llvm::FixedVectorType>(I.getType())->getNumElements();
  SmallVector<SmallVector<Operand, 4>, 3> Arguments;
  for (unsigned A = 0; A != Count; ++A) {
    const llvm::Value *V = I.getArgOperand(A);
    Arguments.push_back(V->getType()->isVectorTy()
                            ? F.elements(V)
                            : SmallVector<Operand, 4>(Number, F.use(V)));
  }
  SmallVector<Operand, 4> Out;
  for (unsigned N = 0; N != Number; ++N) {
    SmallVector<Operand, 3> X;
    for (const SmallVector<Operand, 4> &A : Arguments)
      X.push_back(A[N]);
    Out.push_back(Lower(X));
  }
  F.pack(I, Out);
  return true;
}

//===----------------------------------------------------------------------===//
// What is no instruction
//===----------------------------------------------------------------------===//

bool IntrinsicLowering::lowerNothing() {
  switch (ID) {
  case llvm::Intrinsic::assume:
  case llvm::Intrinsic::dbg_assign:
  case llvm::Intrinsic::dbg_declare:
  case llvm::Intrinsic::dbg_label:
  case llvm::Intrinsic::dbg_value:
  case llvm::Intrinsic::donothing:
  case llvm::Intrinsic::experimental_noalias_scope_decl:
  case llvm::Intrinsic::fake_use:
  case llvm::Intrinsic::invariant_end:
  case llvm::Intrinsic::lifetime_end:
  case llvm::Intrinsic::lifetime_start:
  case llvm::Intrinsic::prefetch: // the back end writes none
  case llvm::Intrinsic::pseudoprobe:
  case llvm::Intrinsic::sideeffect:
  case llvm::Intrinsic::vaend:
  case llvm::Intrinsic::var_annotation:
  case llvm::Intrinsic::nvvm_compiler_error:
  case llvm::Intrinsic::nvvm_compiler_warn:
    return true;
  case llvm::Intrinsic::annotation:
  case llvm::Intrinsic::arithmetic_fence:
  case llvm::Intrinsic::expect:
  case llvm::Intrinsic::expect_with_probability:
  case llvm::Intrinsic::launder_invariant_group:
  case llvm::Intrinsic::ptr_annotation:
  case llvm::Intrinsic::ssa_copy:
  case llvm::Intrinsic::strip_invariant_group:
  case llvm::Intrinsic::nvvm_internal_addrspace_wrap:
    F.alias(&I, argument(0));
    return true;
  case llvm::Intrinsic::nvvm_texsurf_handle: // metadata stands first
  case llvm::Intrinsic::nvvm_texsurf_handle_internal:
    F.alias(&I, argument(unsigned(I.arg_size()) - 1));
    return true;
  case llvm::Intrinsic::allow_runtime_check:
  case llvm::Intrinsic::allow_ubsan_check:
    F.alias(&I, FunctionLowering::integer(-1, ScalarType::Pred));
    return true;
  // Nobody knows: what was known has been folded.
  case llvm::Intrinsic::is_constant:
    F.alias(&I, FunctionLowering::integer(0, ScalarType::Pred));
    return true;
  case llvm::Intrinsic::frameaddress:
  case llvm::Intrinsic::invariant_start:
  case llvm::Intrinsic::returnaddress:
  case llvm::Intrinsic::nvvm_reflect:
    F.alias(&I, FunctionLowering::integer(0, F.registerType(I.getType())));
    return true;
  default:
    return false;
  }
}

/// Instructions of the machine that LLVM has a general name for.
bool IntrinsicLowering::lowerMachine() {
  auto Read = [&](StringRef Name) {
    F.emit("mov.u64", {F.defineOne(&I), FunctionLowering::special(Name)});
    return true;
  };
  switch (ID) {
  case llvm::Intrinsic::trap:
  case llvm::Intrinsic::ubsantrap:
    F.emit("trap", {});
    return true;
  case llvm::Intrinsic::debugtrap:
    F.emit("brkpt", {});
    return true;
  case llvm::Intrinsic::readcyclecounter:
    return Read("%clock64");
  case llvm::Intrinsic::readsteadycounter:
    return Read("%globaltimer");
  case llvm::Intrinsic::stacksave: {
    Operand Local = op(ScalarType::B64, "stacksave.u64", {});
    F.emit("cvta.local.u64", {F.defineOne(&I), Local});
    return true;
  }
  case llvm::Intrinsic::stackrestore: {
    Operand Local =
        op(ScalarType::B64, "cvta.to.local.u64", {argument(0).front()});
    F.emit("stackrestore.u64", {Local});
    return true;
  }
  case llvm::Intrinsic::ptrmask:
    F.emit(F.registerType(I.getType()) == ScalarType::B64 ? "and.b64"
                                                          : "and.b32",
           {F.defineOne(&I), argument(0).front(), argument(1).front()});
    return true;
  case llvm::Intrinsic::vacopy: {
    Operand List = op(ScalarType::B64, "ld" + space(1) + ".b64",
                      {F.address(I.getArgOperand(1))});
    F.emit(("st" + space(0) + ".b64").str(),
           {F.address(I.getArgOperand(0)), List});
    return true;
  }
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// llvm.nvvm
//===----------------------------------------------------------------------===//

/// Conversions of two numbers of 4 bits, whose byte no register holds.
bool IntrinsicLowering::lowerByteConversion(StringRef Name) {
  if (Name.consume_front("ff.to.e2m1x2.rn")) {
    Name.consume_back(".satfinite");
    Operand Byte = op(ScalarType::B8, "cvt.rn.satfinite" + Name + ".e2m1x2.f32",
                      {argument(0).front(), argument(1).front()});
    F.emit("cvt.u16.u8", {F.defineOne(&I), Byte});
    return true;
  }
  if (!Name.consume_front("e2m1x2.to.f16x2.rn"))
    return false;
  Operand Byte = op(ScalarType::B8, "cvt.u8.u16", {argument(0).front()});
  F.emit(("cvt.rn" + Name + ".f16x2.e2m1x2").str(), {F.defineOne(&I), Byte});
  return true;
}

/// The answers about a cluster that was asked for, which has 128 bits.
bool IntrinsicLowering::lowerCancelQuery(StringRef Name) {
  if (!Name.consume_front("clusterlaunchcontrol.query_cancel."))
    return false;
  Operand Answer = op(ScalarType::B128, "mov.b128", {F.vector(argument(0))});
  std::string Mnemonic = "clusterlaunchcontrol.query_cancel.";
  auto [What, Dimension] = Name.split('.');
  Mnemonic += Dimension.empty() ? What.str() + ".pred"
                                : (What + "::" + Dimension).str() + ".b32";
  F.emit(Mnemonic + ".b128", {F.defineOne(&I), Answer});
  return true;
}

bool IntrinsicLowering::lowerNVVM() {
  StringRef Name = llvm::Intrinsic::getBaseName(ID);
  if (!Name.consume_front("llvm.nvvm."))
    return false;
  if (IntrinsicMatch M = F.module().intrinsic(ID, Name)) {
    lowerPattern(M);
    return true;
  }
  return lowerTexture(Name) || lowerMatrix(Name) || lowerBulkCopy(Name) ||
         lowerTcgen05(Name) || lowerByteConversion(Name) ||
         lowerCancelQuery(Name);
}

void IntrinsicLowering::lower() {
  if (lowerNothing() || lowerMachine() || lowerNVVM() || lowerInteger() ||
      lowerFloat() || lowerReduction() || lowerMemory())
    return;
  SmallVector<Operand, 8> Operands;
  for (const llvm::Value *A : I.args())
    if (!A->getType()->isMetadataTy() && !A->getType()->isTokenTy())
      llvm::append_range(Operands, F.components(A));
  F.emitUnknown(llvm::Intrinsic::getBaseName(ID), I, Operands);
}

void FunctionLowering::lowerIntrinsic(const llvm::IntrinsicInst &I) {
  IntrinsicLowering(*this, I).lower();
}
