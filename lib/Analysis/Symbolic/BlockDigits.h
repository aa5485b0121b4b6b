//===- BlockDigits.h - Block indices in several digits ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Kernels take the index of a block apart, `ctaid.x / 512` and `ctaid.x % 8`,
// to give blocks that run side by side tiles that lie side by side. Such an
// index is not linear, and hardly two blocks are alike. Its digits are: with 8
// and 512 as units `ctaid.x` is `x + 8*y + 512*z` of a grid of three axes,
// whose blocks come in the same order, quotients and remainders by the units
// are sums of digits, and boxes of blocks behave alike again.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_BLOCKDIGITS_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_BLOCKDIGITS_H

#include "ptxpredict/Analysis/Symbolic/Expressions.h"

namespace ptxpredict {

/// \p Launch with a grid whose axes are the digits by which the expressions
/// take block indices apart. Nothing if they do not, or not into equal parts,
/// or where the launch is assumed or its grid taken apart already. Each unit is
/// a multiple of the one before; of more than there are axes for the smaller
/// ones are taken.
std::optional<LaunchConfig> takeGridApart(const LaunchConfig &Launch,
                                          ArrayRef<const Expression *> Of);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_BLOCKDIGITS_H
