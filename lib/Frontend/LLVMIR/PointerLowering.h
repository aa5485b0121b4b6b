//===- PointerLowering.h - Bases and offsets of addresses -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_LLVMIR_POINTERLOWERING_H
#define PTXPREDICT_LIB_FRONTEND_LLVMIR_POINTERLOWERING_H

#include "ptxpredict/Graph/Instruction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"

namespace ptxpredict::llvmir {

class FunctionLowering;

/// A constant that was written to a register.
struct TakenConstant {
  Operand Register;
  const llvm::BasicBlock *In = nullptr; ///< where it holds; null: everywhere
};

/// Lowers pointers: addresses of variables and stack slots, and the sums that
/// lead from them, which are folded into accesses where PTX has a form for it.
class PointerLowering {
public:
  explicit PointerLowering(FunctionLowering &L) : F(L) {}

  struct Parts {
    Operand Base;
    int64_t Offset = 0; ///< bytes
  };
  Parts split(const llvm::Value *P);
  /// `[Base + Offset]` for a pointer, what it adds to a base folded into it.
  Operand address(const llvm::Value *Pointer);
  /// What a pointer that is a constant is read from.
  Operand constant(const llvm::Constant *C);
  void convertSpace(const Operand &To, const Operand &From, unsigned FromSpace,
                    unsigned ToSpace);

  /// Whether all that \p I's users make of it are accesses at a constant
  /// distance.
  static bool isOnlyAddress(const llvm::Instruction &I);
  /// Whether a cast changes the name of a space alone.
  static bool isSameAddress(const llvm::CastInst &I);
  /// Whether \p Index is a number of 32 bits that \p In widens as it scales it.
  static bool widens(const llvm::Value *Index, const llvm::Instruction &In);

  /// Makes the variable of the function's stack slots, and takes its addresses.
  void findLocals();
  /// Takes addresses of variables in the entry that loops or several blocks
  /// need.
  void takeAddresses();
  /// Forgets products, which hold in a block.
  void startBlock() { Products.clear(); }
  void lowerGEP(const llvm::GetElementPtrInst &I);
  void lowerAlloca(const llvm::AllocaInst &I);

private:
  Operand stackGeneric();
  Operand variableAddress(const llvm::Constant *C,
                          const llvm::GlobalVariable *V);
  std::optional<Operand> computedConstant(const llvm::Constant *C);
  Operand scaled(const llvm::Value *Index, int64_t Scale,
                 const llvm::Instruction &In);
  /// An index times its stride, in 64 bits.
  Operand termOf(const llvm::Value *Index, int64_t Stride,
                 const llvm::Instruction &In);

  FunctionLowering &F;
  llvm::DenseMap<const llvm::Constant *, TakenConstant> Addresses;
  /// Bytes from the start of the stack.
  llvm::MapVector<const llvm::AllocaInst *, uint64_t> Slots;
  Operand StackLocal;
  std::optional<Operand> StackGeneric;
  /// What the accesses still add to a sum, in bytes.
  llvm::DenseMap<const llvm::Value *, int64_t> Offsets;
  /// Products of an index in this block, which several addresses share.
  llvm::DenseMap<std::pair<const llvm::Value *, int64_t>, Operand> Products;
};

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_LIB_FRONTEND_LLVMIR_POINTERLOWERING_H
