//===- OpenCLKernels.cpp - Kernels as clang compiles OpenCL C -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OpenCLKernels.h"
#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLForwardCompat.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace ptxpredict;

/// clang's name for the function with the body of a kernel.
static constexpr StringRef BodyPrefix = "__clang_ocl_kern_imp_";

/// The function whose call is all that \p Kernel does; null if it does more, or
/// if others call that function too.
static llvm::Function *bodyOf(const llvm::Function &Kernel) {
  const llvm::Module &M = *Kernel.getParent();
  llvm::Function *Body = M.getFunction((BodyPrefix + Kernel.getName()).str());
  if (!Body || Body->isDeclaration() || !Body->hasOneUse() ||
      Body->getFunctionType() != Kernel.getFunctionType())
    return nullptr;
  auto *Call = dyn_cast<llvm::CallInst>(Body->user_back());
  if (!Call || Call->getFunction() != &Kernel ||
      Call->getCalledFunction() != Body)
    return nullptr;
  // Without optimization it passes arguments on by way of its own memory.
  const bool DoesMore =
      llvm::any_of(llvm::instructions(Kernel), [&](const auto &I) {
        return &I != Call && !isa<llvm::AllocaInst>(I) &&
               !isa<llvm::StoreInst>(I) && !isa<llvm::LoadInst>(I) &&
               !isa<llvm::ReturnInst>(I);
      });
  return DoesMore ? nullptr : Body;
}

/// Puts the body that \p Kernel calls in its place.
static void takeBody(llvm::Function &Kernel, llvm::Function &Body) {
  const llvm::GlobalValue::LinkageTypes Linkage = Kernel.getLinkage();
  SmallVector<std::pair<unsigned, llvm::MDNode *>, 8> Metadata;
  Kernel.getAllMetadata(Metadata);
  Kernel.deleteBody(); // and its metadata
  Kernel.setLinkage(Linkage);
  for (auto [Kind, Node] : Metadata)
    Kernel.setMetadata(Kind, Node);
  Kernel.splice(Kernel.begin(), &Body);
  // To which the lines belong.
  Kernel.setSubprogram(Body.getSubprogram());
  for (auto [From, To] : llvm::zip(Body.args(), Kernel.args())) {
    From.replaceAllUsesWith(&To);
    To.takeName(&From);
  }
  Body.eraseFromParent();
}

/// "16,16,1" of `!reqd_work_group_size`; empty without it.
static std::string workGroupOf(const llvm::Function &Kernel) {
  const llvm::MDNode *Size = Kernel.getMetadata("reqd_work_group_size");
  if (!Size || Size->getNumOperands() != 3)
    return {};
  std::string Text;
  for (const llvm::MDOperand &O : Size->operands()) {
    const auto *Extent = llvm::mdconst::dyn_extract<llvm::ConstantInt>(O);
    if (!Extent)
      return {};
    Text += (Text.empty() ? "" : ",") +
            std::to_string(Extent->getValue().getLimitedValue());
  }
  return Text;
}

/// A float's function by way of the base 2, which the hardware approximates, as
/// CUDA's __expf, __logf and __log10f (CUDA C++ Programming Guide, "Intrinsic
/// Functions").
static llvm::Value *throughBase2(llvm::Intrinsic::ID Function, llvm::Value *X,
                                 llvm::IRBuilder<> &B) {
  auto Scaled = [&](llvm::Value *V, double By) {
    return B.CreateFMul(V, llvm::ConstantFP::get(V->getType(), By));
  };
  if (Function == llvm::Intrinsic::exp)
    return B.CreateUnaryIntrinsic(llvm::Intrinsic::exp2,
                                  Scaled(X, llvm::numbers::log2e));
  llvm::Value *Log2 =
      B.CreateIntrinsic(llvm::Intrinsic::nvvm_lg2_approx_f, {X});
  if (Function == llvm::Intrinsic::log2)
    return Log2;
  return Scaled(Log2, Function == llvm::Intrinsic::log
                          ? llvm::numbers::ln2
                          : llvm::numbers::ln2 / llvm::numbers::ln10);
}

/// Puts what the back end has instructions for in place of \p Call, an
/// exponential or logarithm.
static void lowerNative(llvm::IntrinsicInst &Call) {
  llvm::Type *T = Call.getType();
  if (!T->getScalarType()->isFloatTy() || isa<llvm::ScalableVectorType>(T))
    return; // libclc leaves none of these
  llvm::IRBuilder<> B(&Call);
  B.setFastMathFlags(Call.getFastMathFlags());
  const llvm::Intrinsic::ID Function = Call.getIntrinsicID();
  llvm::Value *X = Call.getArgOperand(0), *Result = nullptr;
  if (auto *Vector = dyn_cast<llvm::FixedVectorType>(T)) {
    Result = llvm::PoisonValue::get(T);
    for (unsigned N = 0; N != Vector->getNumElements(); ++N)
      Result = B.CreateInsertElement(
          Result, throughBase2(Function, B.CreateExtractElement(X, N), B), N);
  } else {
    Result = throughBase2(Function, X, B);
  }
  Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
}

static void lowerNatives(llvm::Module &M) {
  SmallVector<llvm::IntrinsicInst *, 8> Calls;
  for (llvm::Function &F : M)
    for (llvm::Instruction &I : llvm::instructions(F))
      if (auto *Call = dyn_cast<llvm::IntrinsicInst>(&I);
          Call &&
          llvm::is_contained({llvm::Intrinsic::exp, llvm::Intrinsic::log,
                              llvm::Intrinsic::log2, llvm::Intrinsic::log10},
                             Call->getIntrinsicID()))
        Calls.push_back(Call);
  for (llvm::IntrinsicInst *Call : Calls)
    lowerNative(*Call);
}

void ptxpredict::finishOpenCLKernels(llvm::Module &M) {
  SmallVector<llvm::Function *, 8> Kernels;
  for (llvm::Function &F : M)
    if (F.getCallingConv() == llvm::CallingConv::PTX_Kernel &&
        !F.isDeclaration())
      Kernels.push_back(&F);
  for (llvm::Function *F : Kernels) {
    if (llvm::Function *Body = bodyOf(*F))
      takeBody(*F, *Body);
    if (std::string Size = workGroupOf(*F); !Size.empty())
      F->addFnAttr("nvvm.reqntid", Size);
  }
  lowerNatives(M);
}
