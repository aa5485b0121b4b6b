//===- LoadedValues.cpp - What loads widen --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FunctionLowering.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

const llvm::Instruction *
FunctionLowering::extensionOf(const llvm::LoadInst &I) {
  if (!I.hasOneUse() || !I.getType()->isIntegerTy() || I.isAtomic() ||
      I.getType()->isIntegerTy(1))
    return nullptr;
  auto *Cast = dyn_cast<llvm::CastInst>(I.user_back());
  if (!Cast || Cast->getParent() != I.getParent() ||
      !(isa<llvm::SExtInst>(Cast) || isa<llvm::ZExtInst>(Cast)) ||
      Cast->getType()->getIntegerBitWidth() > 64)
    return nullptr;
  return Cast;
}

bool FunctionLowering::isLoadedIndex(const llvm::CastInst &I) {
  if (!isa<llvm::LoadInst>(I.getOperand(0)) || !isLoadsOwn(I) ||
      !I.getType()->isIntegerTy(64))
    return false;
  const llvm::DataLayout &DL = I.getDataLayout();
  return llvm::all_of(I.uses(), [&](const llvm::Use &U) {
    auto *GEP = dyn_cast<llvm::GetElementPtrInst>(U.getUser());
    if (!GEP || GEP->getParent() != I.getParent() || U.getOperandNo() == 0)
      return false;
    auto It = llvm::gep_type_begin(GEP);
    std::advance(It, U.getOperandNo() - 1);
    uint64_t Stride = It.getSequentialElementStride(DL).getFixedValue();
    return Stride > 1 && llvm::isInt<31>(int64_t(Stride));
  });
}

bool FunctionLowering::isLoadsOwn(const llvm::CastInst &I) {
  if (auto *Element = dyn_cast<llvm::ExtractElementInst>(I.getOperand(0)))
    return extensionOf(*Element) == &I;
  auto *Load = dyn_cast<llvm::LoadInst>(I.getOperand(0));
  return Load && extensionOf(*Load) == &I;
}
