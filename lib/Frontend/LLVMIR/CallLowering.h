//===- CallLowering.h - Calls of functions ----------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_LLVMIR_CALLLOWERING_H
#define PTXPREDICT_LIB_FRONTEND_LLVMIR_CALLLOWERING_H

#include "ptxpredict/Graph/Instruction.h"
#include "ptxpredict/Graph/Module.h"
#include "llvm/IR/InstrTypes.h"

namespace ptxpredict::llvmir {

class FunctionLowering;

/// Lowers calls of functions that are no intrinsics: arguments and results go
/// through variables of the parameter space.
class CallLowering {
public:
  explicit CallLowering(FunctionLowering &L) : F(L) {}
  void lower(const llvm::CallBase &I);

private:
  const Variable *callVariable(StringRef Name, llvm::Type *T, uint64_t Align);
  void copyTo(const Operand &To, const llvm::Value *Pointer, llvm::Type *T,
              llvm::Align Align);
  Operand storeArgument(const llvm::CallBase &I, unsigned N);
  Operand calleeOf(const llvm::CallBase &I);

  FunctionLowering &F;
  unsigned NumCalls = 0;
};

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_LIB_FRONTEND_LLVMIR_CALLLOWERING_H
