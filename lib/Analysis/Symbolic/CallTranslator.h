//===- CallTranslator.h - Parameters and calls ------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_CALLTRANSLATOR_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_CALLTRANSLATOR_H

#include "InstructionView.h"

namespace ptxpredict {

/// A stored piece of a `.param` variable.
struct ParameterPiece {
  uint64_t Offset = 0; ///< bytes
  const Expression *E = nullptr;
};
using ParameterPieces = SmallVector<ParameterPiece, 2>;

/// Bytes of local memory that something may write.
struct LocalWrite {
  const Expression *Variable = nullptr; ///< its address; null: anywhere
  int64_t Low = 0;                      ///< offset of the first byte
  int64_t High = 0;                     ///< offset behind the last one
};

/// What all calls share that start at one kernel.
struct CallTree {
  explicit CallTree(unsigned CallBudget) : Budget(CallBudget) {}

  /// The instructions that may still be looked at, counted as often as called.
  unsigned Budget;
  SmallVector<const InstructionGraph *, 8> Stack; ///< being called
  /// Local variables by function, for all its calls; null where it has none.
  llvm::DenseMap<const InstructionGraph *, std::shared_ptr<Mem2Reg>> Slots;
};

/// What a call passes on to the function that it calls.
struct CallSite {
  const PartialValues &Caller;
  std::vector<ParameterPieces> Arguments; ///< by position
  std::shared_ptr<Mem2Reg> Slots;         ///< of the function that is called
};

/// Finds what parameters hold and what calls return: looks into device
/// functions, within limits.
class CallTranslator {
public:
  using Ref = const Expression *;
  /// \p From is null for a function that nobody calls.
  CallTranslator(PartialValues &V, CallTree &AllCalls, const CallSite *From)
      : Values(V), E(V.expressions()), Tree(AllCalls), Site(From) {}

  /// Forgets what the block before has stored in `.param` variables.
  void startBlock() { Stored.clear(); }
  /// What a register holds that is a formal parameter; null if nobody knows.
  Ref argument(const Value &V) const;
  /// Gives the elements that a load from \p Address defines their values.
  /// False if it is no constant place in a parameter.
  bool loadParameter(const InstructionView &View, const Operand &Address);
  void storeParameter(const InstructionView &View);
  /// Looks into the function that is called, if that ends soon.
  void call(const Instruction &Call);
  /// What the function that \p Call calls writes to local memory outside its
  /// own frame; null if it was not looked into.
  const std::vector<LocalWrite> *localWrites(const Instruction &Call) const {
    auto It = CalleeWrites.find(&Call);
    return It == CalleeWrites.end() ? nullptr : &It->second;
  }

private:
  bool reachesAddress(const Value *V) const;
  Ref kernelParameter(const Parameter &P, uint64_t Offset, unsigned Bits,
                      const Instruction &I) const;
  uint64_t alignOf(const Parameter &P, uint64_t Offset,
                   const Instruction &I) const;
  Ref pieceAt(ArrayRef<ParameterPiece> Pieces, uint64_t Offset,
              unsigned Width) const;
  Ref parameterAt(const Operand &Base, uint64_t Offset, unsigned Bits,
                  const Instruction &I) const;
  ParameterPieces pieces(const Instruction &I, const Operand &O) const;
  bool mayEnter(const InstructionGraph *F) const;
  const SymbolicValues &enter(const Instruction &Call,
                              ArrayRef<Operand> Arguments);

  PartialValues &Values;
  Expressions &E;
  CallTree &Tree;
  const CallSite *Site;
  /// `.param` variables that hold what the block has stored.
  llvm::DenseMap<const Variable *, ParameterPieces> Stored;
  llvm::DenseMap<const Instruction *, std::vector<LocalWrite>> CalleeWrites;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_CALLTRANSLATOR_H
