//===- ValueBuilder.h - How values become expressions -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_VALUEBUILDER_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_VALUEBUILDER_H

#include "InstructionTranslator.h"
#include "LoopSolver.h"

namespace ptxpredict {

/// Finds the values of one function, block by block in reverse post-order, in
/// which a loop's blocks stand together.
class ValueBuilder {
public:
  /// \p Result is empty. \p From is null for a function that nobody calls.
  ValueBuilder(SymbolicValues &Result, CallTree &AllCalls,
               const CallSite *From);

  /// Returns what the function writes to local memory outside its own frame,
  /// if its caller has such memory.
  std::vector<LocalWrite> run();

private:
  void findEntryValues();
  void visit(const Block &B);

  CallTree &Tree;
  const CallSite *Site;
  PartialValues Values;
  PhiVariation Variation;
  CallTranslator Calls;
  LocalMemoryTranslator Locals;
  InstructionTranslator Instructions;
  PhiMerger Phis;
  LoopSolver Loops;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_VALUEBUILDER_H
