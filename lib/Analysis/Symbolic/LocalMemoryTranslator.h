//===- LocalMemoryTranslator.h - Local variables in slots -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_LOCALMEMORYTRANSLATOR_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_LOCALMEMORYTRANSLATOR_H

#include "CallTranslator.h"

namespace ptxpredict {

/// Finds what slots of local variables hold behind stores and other writes.
class LocalMemoryTranslator {
public:
  using Ref = const Expression *;
  LocalMemoryTranslator(PartialValues &V, const CallTranslator &C)
      : Values(V), E(V.expressions()), Calls(C) {}

  /// A load or store of slots. True if all that it defines has got a value.
  bool access(const InstructionView &View);
  /// What slots hold behind an instruction that may write some of them.
  void clobber(const Instruction &I);
  /// Whether a generic address may be one of local memory, where each lane has
  /// its own contents.
  bool mayBeLocal(Ref Address) const;
  /// What the whole function writes outside its own frame.
  std::vector<LocalWrite> writesOutside() const;

private:
  void addWrites(const Instruction &I, SmallVectorImpl<LocalWrite> &To) const;
  LocalWrite writeAt(Ref Address, unsigned Bytes) const;

  PartialValues &Values;
  Expressions &E;
  const CallTranslator &Calls;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_LOCALMEMORYTRANSLATOR_H
