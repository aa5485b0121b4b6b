//===- IntrinsicCalls.cpp - Functions that call one intrinsic -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "IntrinsicCalls.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

std::string IntrinsicCall::name() const {
  std::string Out = llvm::Intrinsic::getBaseName(ID).str();
  llvm::raw_string_ostream OS(Out);
  for (llvm::Type *T : Types)
    OS << ' ' << *T;
  for (int64_t N : Immediates)
    OS << ", " << N;
  return Out;
}

/// "v4f32", "p3", "i16" …
static llvm::Type *parseType(llvm::LLVMContext &C, StringRef Text) {
  unsigned N = 0;
  if (Text.consume_front("v")) {
    Text.consumeInteger(10, N);
    return llvm::FixedVectorType::get(parseType(C, Text), N);
  }
  if (Text == "bf16")
    return llvm::Type::getBFloatTy(C);
  char Kind = Text.front();
  Text.drop_front().getAsInteger(10, N);
  if (Kind == 'p')
    return llvm::PointerType::get(C, N);
  if (Kind == 'i')
    return llvm::IntegerType::get(C, N);
  return N == 16   ? llvm::Type::getHalfTy(C)
         : N == 32 ? llvm::Type::getFloatTy(C)
                   : llvm::Type::getDoubleTy(C);
}

static bool isImmediate(const llvm::AttributeList &A, unsigned N) {
  return A.hasParamAttr(N, llvm::Attribute::ImmArg);
}

std::vector<IntrinsicCall> llvmir::callsOf(llvm::LLVMContext &Context,
                                           llvm::Intrinsic::ID ID,
                                           StringRef Types,
                                           StringRef Immediates) {
  std::vector<IntrinsicCall> Out;
  for (StringRef Alternative : llvm::split(Types, '|')) {
    IntrinsicCall Call{ID, {}, {}};
    if (!Alternative.empty())
      for (StringRef T : llvm::split(Alternative, ' '))
        Call.Types.push_back(parseType(Context, T));
    llvm::FunctionType *FT = llvm::Intrinsic::getType(Context, ID, Call.Types);
    llvm::AttributeList A = llvm::Intrinsic::getAttributes(Context, ID, FT);
    std::vector<std::vector<int64_t>> Choices;
    for (unsigned N = 0; N != FT->getNumParams(); ++N) {
      if (!isImmediate(A, N))
        continue;
      std::vector<int64_t> &Each = Choices.emplace_back();
      if (!Immediates.empty()) {
        for (StringRef Number : llvm::split(Immediates, ','))
          Number.getAsInteger(10, Each.emplace_back());
      } else if (A.hasParamAttr(N, llvm::Attribute::Range)) {
        llvm::ConstantRange R =
            A.getParamAttr(N, llvm::Attribute::Range).getRange();
        int64_t First = R.getLower().getSExtValue(),
                Last = R.getUpper().getSExtValue() - 1;
        for (int64_t Value = First; Value <= std::min(Last, First + 3); ++Value)
          Each.push_back(Value);
        if (Last > First + 3)
          Each.push_back(Last);
      } else {
        Each = {0, 1};
      }
    }
    for (const std::vector<int64_t> &Each : Choices)
      Call.Immediates.push_back(Each.front());
    Out.push_back(Call);
    for (size_t N = 0; N != Choices.size(); ++N)
      for (size_t C = 1; C < Choices[N].size(); ++C) {
        Out.push_back(Call);
        Out.back().Immediates[N] = Choices[N][C];
      }
    // All flags at once.
    if (Choices.size() > 1) {
      for (size_t N = 0; N != Choices.size(); ++N)
        if (Choices[N].size() > 1)
          Call.Immediates[N] = Choices[N][1];
      Out.push_back(Call);
    }
  }
  return Out;
}

llvm::Function *llvmir::addCaller(llvm::Module &M, const IntrinsicCall &Call,
                                  const llvm::Twine &Name) {
  llvm::Function *Callee =
      llvm::Intrinsic::getOrInsertDeclaration(&M, Call.ID, Call.Types);
  llvm::FunctionType *FT = Callee->getFunctionType();
  llvm::AttributeList A = Callee->getAttributes();
  std::vector<llvm::Type *> Parameters;
  for (unsigned N = 0; N != FT->getNumParams(); ++N) {
    llvm::Type *T = FT->getParamType(N);
    if (T->isMetadataTy() || T->isTokenTy())
      return nullptr;
    if (!isImmediate(A, N))
      Parameters.push_back(T);
  }
  auto *F = llvm::Function::Create(
      llvm::FunctionType::get(FT->getReturnType(), Parameters, false),
      llvm::GlobalValue::ExternalLinkage, Name, &M);
  llvm::IRBuilder<> B(llvm::BasicBlock::Create(M.getContext(), "", F));
  std::vector<llvm::Value *> Arguments;
  unsigned NextArgument = 0, NextImmediate = 0;
  for (unsigned N = 0; N != FT->getNumParams(); ++N) {
    llvm::Type *T = FT->getParamType(N);
    if (!isImmediate(A, N)) {
      Arguments.push_back(F->getArg(NextArgument++));
      continue;
    }
    int64_t Value = Call.Immediates[NextImmediate++];
    Arguments.push_back(
        T->isIntegerTy()
            ? llvm::ConstantInt::getSigned(T, Value)
            : static_cast<llvm::Constant *>(llvm::Constant::getNullValue(T)));
  }
  llvm::CallInst *Result = B.CreateCall(Callee, Arguments);
  if (FT->getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Result);
  if (!llvm::verifyFunction(*F))
    return F;
  F->eraseFromParent();
  return nullptr;
}
