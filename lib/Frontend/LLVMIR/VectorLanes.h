//===- VectorLanes.h - Where the elements of a vector are -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_LLVMIR_VECTORLANES_H
#define PTXPREDICT_LIB_FRONTEND_LLVMIR_VECTORLANES_H

#include "FunctionLowering.h"

namespace ptxpredict::llvmir {

/// Takes vectors apart into lanes and makes vectors of lanes.
class VectorLanes {
public:
  explicit VectorLanes(FunctionLowering &L) : L(L) {}

  /// An element: an operand of its own, or a part of a component.
  struct Lane {
    Operand Source;
    bool IsDefined = false;
    int Part = -1;      ///< which of the component's elements; -1: its own
    unsigned Width = 0; ///< bits, of a part
    /// Of a part: whose component it is. Registers may come to hold something
    /// else, values do not.
    const llvm::Value *Vector = nullptr;
    unsigned Component = 0;

    bool isConstant() const {
      return IsDefined && Part < 0 && Source.Kind == Operand::KindTy::Integer;
    }
    bool hasSourceOf(const Lane &Other) const {
      return Part >= 0 && Other.Part >= 0 && Vector == Other.Vector &&
             Component == Other.Component;
    }
  };

  void find(const llvm::Value *V, SmallVectorImpl<Lane> &Out);
  /// Replaces the lane that \p I, whose index is constant, inserts.
  void insert(const llvm::InsertElementInst &I, MutableArrayRef<Lane> Lanes);
  /// The element in an operand of its own.
  Operand scalar(const Lane &From);
  /// Writes a byte to \p Cast, which widens it to 32 bits.
  void widen(const Lane &From, const llvm::Instruction &Cast);
  /// Makes \p Lanes the value of \p I.
  void put(const llvm::Instruction &I, MutableArrayRef<Lane> Lanes);

  /// Lowers an extraction at an index that is not constant, for a vector in one
  /// register. False for other vectors.
  bool extractByRegister(const llvm::ExtractElementInst &I);
  /// Lowers an extraction (or insertion of \p Inserted) at such an index as the
  /// back end does, through local memory. False for elements that have no place
  /// of their own there.
  bool throughMemory(const llvm::Instruction &I, const llvm::Value *Vector,
                     const llvm::Value *Index, const llvm::Value *Inserted);

private:
  Lane element(const llvm::Value *V);
  /// Both halves of a component of 2 × 16 bits, taken apart once in a block.
  ArrayRef<Operand> halves(const Lane &From);
  /// One register with \p Lanes.
  Operand component(MutableArrayRef<Lane> Lanes);
  Operand bytes(ArrayRef<Lane> Lanes);
  Operand offset(const llvm::Value *Index, unsigned N, unsigned Bytes);

  FunctionLowering &L;
};

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_LIB_FRONTEND_LLVMIR_VECTORLANES_H
