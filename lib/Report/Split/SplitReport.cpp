//===- SplitReport.cpp - How kernels' work is split -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Split/SplitReport.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

bool SplitReport::hasLinks() const {
  return llvm::any_of(Question.Sides,
                      [](const SplitSide &S) { return !S.Link.Name.empty(); });
}
