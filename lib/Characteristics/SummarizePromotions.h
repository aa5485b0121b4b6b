//===- SummarizePromotions.h - Floats that become doubles and back *- C++
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_CHARACTERISTICS_SUMMARIZEPROMOTIONS_H
#define PTXPREDICT_LIB_CHARACTERISTICS_SUMMARIZEPROMOTIONS_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Graph/CFG.h"

namespace ptxpredict {

/// The floats that become doubles and back in \p Functions, of which the first
/// is the kernel. Work of a function that nothing else calls belongs to what
/// calls it.
std::vector<PromotionCharacteristics>
summarizePromotions(ArrayRef<const InstructionGraph *> Functions);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_CHARACTERISTICS_SUMMARIZEPROMOTIONS_H
