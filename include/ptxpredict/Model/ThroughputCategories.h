//===- ThroughputCategories.h - The ten categories of kernels ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_THROUGHPUTCATEGORIES_H
#define PTXPREDICT_MODEL_THROUGHPUTCATEGORIES_H

#include "ptxpredict/Support/LLVM.h"

namespace ptxpredict {

/// What stands between a kernel and its best throughput (S. Hong, PhD thesis,
/// 2012, 5.4.2).
struct ThroughputCategory {
  unsigned Number = 0; ///< from 1 to 10
  unsigned Rank = 0;   ///< from 1, the best, to 6; several may share one
  StringRef Verdict, Advice;
};

/// All ten, by number from 1 on.
ArrayRef<ThroughputCategory> throughputCategories();

/// The category of the terms of those names; \p InfiN is MWP_App_InfiN. The
/// conditions are complete and exclude each other.
unsigned classifyThroughput(double N, double InfiN, double MWPProc,
                            double MWPBW, double MWPApp);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_THROUGHPUTCATEGORIES_H
