//===- LocalityRuns.h - What requests in a row touch  ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_LOCALITY_LOCALITYRUNS_H
#define PTXPREDICT_LIB_ANALYSIS_LOCALITY_LOCALITYRUNS_H

#include "ptxpredict/Analysis/Locality/Locality.h"

namespace ptxpredict::counting {

/// The runs of requests of several instances.
class MeanRuns {
public:
  /// Of \p Instances that touch \p Unique sectors; nothing if nobody knows.
  void add(double Instances, double Unique,
           const std::optional<std::vector<RequestRun>> &Runs);
  std::vector<RequestRun> take();

private:
  /// What is missing behind the runs of some is their whole instance.
  std::vector<RequestRun> Sums;
  RequestRun Whole;
  double Number = 0;
  bool IsLost = false;
};

} // namespace ptxpredict::counting

#endif // PTXPREDICT_LIB_ANALYSIS_LOCALITY_LOCALITYRUNS_H
