//===- PhiVariation.h - What differs between lanes --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_PHIVARIATION_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_PHIVARIATION_H

#include "PartialValues.h"
#include "ptxpredict/Graph/CFG.h"

namespace ptxpredict {

/// A load that is no atomic and goes by no other way.
bool isPlainLoad(const Instruction &I);

/// Between what the results of \p I vary, a set of Variation, by what the
/// values that it reads do.
uint8_t variationOf(const Instruction &I, const PartialValues &Values);

/// Between what the values of phis vary. What depends on how lanes differ is
/// found once a phi asks.
class PhiVariation {
public:
  PhiVariation(const PartialValues &Known, bool AreArgumentsUniform)
      : Values(Known), ArgumentsAreUniform(AreArgumentsUniform) {}

  /// Always in the block and the grid; a set of Variation.
  uint8_t of(const Value &Phi);

private:
  bool isDivergent(const Value &Phi);

  const PartialValues &Values;
  bool ArgumentsAreUniform;
  std::optional<Uniformity> Lanes; ///< once something asked
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_PHIVARIATION_H
