//===- SourcePlaces.h - Which source line code belongs to -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CHARACTERISTICS_SOURCEPLACES_H
#define PTXPREDICT_CHARACTERISTICS_SOURCEPLACES_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Graph/InstructionGraph.h"
#include "llvm/ADT/DenseMap.h"

namespace ptxpredict {

/// Walks a graph's instructions in program order and says where each one stands
/// in the user's source: the innermost frame outside the toolkit's, the
/// compiler's and the system's headers; without such a frame the last place
/// before it that was.
class SourcePlaces {
public:
  SourcePlace next(const Instruction &I) { return write(I, locate(I)); }
  /// The same, once \ref locate has said \p Shown.
  static SourcePlace write(const Instruction &I, const SourceLocation *Shown);
  /// The place that \ref next shows as the source; null without one.
  const SourceLocation *locate(const Instruction &I);

private:
  const SourceLocation *LastOfUser = nullptr;
  /// Instructions that follow each other often stand in one place.
  const SourceLocation *LastAsked = nullptr, *LastFound = nullptr;
  llvm::SmallDenseMap<StringRef, bool> IsSystem; ///< by file
};

/// "k.cu:7:12"
std::string sourceText(const SourceLocation &L);

/// Whether \p File is a header of the CUDA toolkit, of a compiler or of the
/// system, by its path.
bool isSystemFile(StringRef File);

/// Where \p I, whose body must be there, stands in the user's source; null if
/// nothing says so.
const SourceLocation *sourceOf(const Instruction &I);

} // namespace ptxpredict

#endif // PTXPREDICT_CHARACTERISTICS_SOURCEPLACES_H
