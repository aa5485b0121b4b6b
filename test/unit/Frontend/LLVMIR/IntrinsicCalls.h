//===- IntrinsicCalls.h - Functions that call one intrinsic -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_FRONTEND_LLVMIR_INTRINSICCALLS_H
#define PTXPREDICT_TEST_UNIT_FRONTEND_LLVMIR_INTRINSICCALLS_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace ptxpredict::llvmir {

/// How an intrinsic is called: with which overloaded types and which
/// immediates.
struct IntrinsicCall {
  llvm::Intrinsic::ID ID;
  std::vector<llvm::Type *> Types;
  std::vector<int64_t> Immediates;

  /// "llvm.nvvm.flo.u i32, 0".
  std::string name() const;
};

/// The calls of \p ID. \p Types: alternatives of overloaded types, "i32 p0|i64
/// p0"; \p Immediates: what each immediate is in turn, by commas, instead of
/// the ends of its range. Not all combinations: each immediate differs from the
/// first choice once.
std::vector<IntrinsicCall> callsOf(llvm::LLVMContext &Context,
                                   llvm::Intrinsic::ID ID, StringRef Types,
                                   StringRef Immediates);

/// Adds a function that passes its arguments to the call and returns what it
/// returns. Null if the IR would not be valid.
llvm::Function *addCaller(llvm::Module &M, const IntrinsicCall &Call,
                          const llvm::Twine &Name);

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_TEST_UNIT_FRONTEND_LLVMIR_INTRINSICCALLS_H
