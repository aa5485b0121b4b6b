//===- InstructionTranslator.h - What instructions compute ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_INSTRUCTIONTRANSLATOR_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_INSTRUCTIONTRANSLATOR_H

#include "AssembledDivision.h"
#include "LocalMemoryTranslator.h"

namespace ptxpredict {

/// Gives the registers that an instruction writes their expressions.
class InstructionTranslator {
public:
  using Ref = const Expression *;
  InstructionTranslator(PartialValues &V, CallTranslator &C,
                        LocalMemoryTranslator &L)
      : Values(V), E(V.expressions()), Calls(C), Locals(L), Divisions(V) {}

  /// Forgets what holds within a block alone.
  void startBlock();
  /// \p I is no phi.
  void translate(const Instruction &I);

private:
  void select(const Instruction &I);
  void move(const InstructionView &View);
  void accessMemory(const InstructionView &View);
  bool drawNumber(const InstructionView &View);
  void load(const InstructionView &View);
  void extendLoaded(const InstructionView &View, uint8_t Varies);
  void loadContents(const InstructionView &View, const BufferLoad &L,
                    Ref Address);
  void crossLane(const InstructionView &View);
  void computeResults(const InstructionView &View);
  void setPredicates(const InstructionView &View);
  Ref comparison(const InstructionView &View, ScalarType T);
  Ref compute(const InstructionView &View);
  Ref convert(const InstructionView &View);
  void mapAddress(const InstructionView &View);
  void defineWithPredicate(const InstructionView &View, Ref X);

  PartialValues &Values;
  Expressions &E;
  CallTranslator &Calls;
  LocalMemoryTranslator &Locals;
  AssembledDivision Divisions;
  Ref Carry = nullptr; ///< the carry flag; null where it is not known
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_INSTRUCTIONTRANSLATOR_H
