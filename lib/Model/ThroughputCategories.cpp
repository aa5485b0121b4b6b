//===- ThroughputCategories.cpp - The ten categories of kernels -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/ThroughputCategories.h"

using namespace ptxpredict;

/// Thesis, figures 114 and 115: so much of the demand is nearly all of it.
static constexpr double Borderline = 0.85;

ArrayRef<ThroughputCategory> ptxpredict::throughputCategories() {
  static constexpr ThroughputCategory Categories[] = {
#define THROUGHPUT_CATEGORY(NUMBER, RANK, VERDICT, ADVICE)                     \
  {NUMBER, RANK, VERDICT, ADVICE},
#include "ptxpredict/Model/ThroughputCategories.def"
  };
  return Categories;
}

unsigned ptxpredict::classifyThroughput(double N, double InfiN, double MWPProc,
                                        double MWPBW, double MWPApp) {
  unsigned Base = N < InfiN ? 0 : 5;
  if (MWPProc < MWPApp)
    return Base + (MWPBW < MWPApp ? 1 : 2);
  if (MWPBW >= MWPApp)
    return Base + 5;
  return Base + (MWPBW < Borderline * MWPApp ? 3 : 4);
}
