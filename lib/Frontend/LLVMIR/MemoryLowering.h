//===- MemoryLowering.h - Loads, stores, atomics and fences -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_LLVMIR_MEMORYLOWERING_H
#define PTXPREDICT_LIB_FRONTEND_LLVMIR_MEMORYLOWERING_H

#include "ptxpredict/Graph/Instruction.h"
#include "llvm/IR/Instructions.h"

namespace ptxpredict::llvmir {

class FunctionLowering;

/// How the components of a value are loaded or stored.
struct ComponentAccess {
  llvm::Type *T; ///< the value's
  llvm::Align Align;
  std::string Mnemonic; ///< without vector and type: "ld.global"
  /// What extends a loaded component, if the load does it.
  const llvm::Instruction *Extension = nullptr;
};

/// Lowers what accesses memory.
class MemoryLowering {
public:
  explicit MemoryLowering(FunctionLowering &L) : F(L) {}

  /// Reads the components \p To from \p From and behind.
  void load(const Operand &From, ArrayRef<Operand> To,
            const ComponentAccess &A);
  void store(const Operand &To, ArrayRef<Operand> From,
             const ComponentAccess &A);

  void lowerLoad(const llvm::LoadInst &I);
  void lowerStore(const llvm::StoreInst &I);
  void lowerFence(const llvm::FenceInst &I);
  void lowerAtomicRMW(const llvm::AtomicRMWInst &I);
  void lowerCmpXchg(const llvm::AtomicCmpXchgInst &I);

private:
  void loadInParts(const Operand &From, const Operand &To, unsigned Bytes,
                   unsigned PartBytes, StringRef Mnemonic);
  void storeInParts(const Operand &To, const Operand &From, unsigned Bytes,
                    unsigned PartBytes, StringRef Mnemonic);

  FunctionLowering &F;
};

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_LIB_FRONTEND_LLVMIR_MEMORYLOWERING_H
