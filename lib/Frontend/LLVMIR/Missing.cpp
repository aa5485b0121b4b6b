//===- Missing.cpp - Parts that are not there yet -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FunctionLowering.h"
#include "Heads.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

void FunctionLowering::lowerInlineAsm(const llvm::CallBase &I) {
  emitUnknown("asm", I, {});
}
void FunctionLowering::lowerExtractElement(const llvm::ExtractElementInst &I) {
  emitUnknown("extractelement", I, {});
}
void FunctionLowering::lowerInsertElement(const llvm::InsertElementInst &I) {
  emitUnknown("insertelement", I, {});
}
void FunctionLowering::lowerShuffle(const llvm::ShuffleVectorInst &I) {
  emitUnknown("shufflevector", I, {});
}
void FunctionLowering::lowerExtractValue(const llvm::ExtractValueInst &I) {
  emitUnknown("extractvalue", I, {});
}
void FunctionLowering::lowerInsertValue(const llvm::InsertValueInst &I) {
  emitUnknown("insertvalue", I, {});
}
void ModuleLowering::lowerVariables() {}
void llvmir::lowerHead(ModuleLowering &Context, const llvm::Function &F,
                       InstructionGraph &G) {
  G.Name = Context.keep(F.getName());
  G.IsKernel = F.getCallingConv() == llvm::CallingConv::PTX_Kernel;
}
