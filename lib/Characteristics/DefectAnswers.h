//===- DefectAnswers.h - What rules look for in the code --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_DEFECTANSWERS_H
#define PTXPREDICT_LIB_CHARACTERISTICS_DEFECTANSWERS_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "ptxpredict/Characteristics/KernelCharacteristics.h"

namespace ptxpredict {

/// What accesses could be in place of what they are.
class AccessAnswers {
public:
  AccessAnswers(const SymbolicValues &V, const LaunchConfig &Launch);

  /// Sets what \p I could be in \p Out, what is known of it else being there.
  void apply(const Instruction &I, MemoryCharacteristics &Out) const;

private:
  struct Answer {
    unsigned WiderAccesses = 1, WiderBytes = 0, WiderRun = 0;
    std::string ReadOnlyPointer;
    bool IsBehindStore = false;
  };
  llvm::DenseMap<const Instruction *, Answer> Answers;
};

/// The floats that become doubles and back in \p Functions, of which the first
/// is the kernel. Work of a function that nothing else calls belongs to what
/// calls it.
std::vector<PromotionCharacteristics>
answerPromotions(ArrayRef<const InstructionGraph *> Functions,
                 const ControlFlow &KernelFlow);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_DEFECTANSWERS_H
