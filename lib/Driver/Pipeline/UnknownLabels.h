//===- UnknownLabels.h - Loops and branches by name -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_DRIVER_PIPELINE_UNKNOWNLABELS_H
#define PTXPREDICT_LIB_DRIVER_PIPELINE_UNKNOWNLABELS_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "llvm/ADT/STLExtras.h"

namespace ptxpredict {

/// A key of trip counts or branch probabilities that names nothing.
struct UnknownLabel {
  StringRef Key;
  std::string Text; ///< "loop at 'L_agan'; did you mean 'L_again'?"
};

/// The keys of trip counts or branch probabilities; they live in \p Entries.
template <typename MapTy>
std::vector<StringRef> keysOf(const MapTy &Entries) {
  auto Keys = llvm::make_first_range(Entries);
  return {Keys.begin(), Keys.end()};
}

/// The \p Keys that name no loop of \p Kernels, neither by its label, with or
/// without '$', nor by its line. They must outlive the result.
std::vector<UnknownLabel>
findUnknownLoops(ArrayRef<StringRef> Keys,
                 ArrayRef<const KernelCharacteristics *> Kernels);

/// The same for branches.
std::vector<UnknownLabel>
findUnknownBranches(ArrayRef<StringRef> Keys,
                    ArrayRef<const KernelCharacteristics *> Kernels);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_DRIVER_PIPELINE_UNKNOWNLABELS_H
