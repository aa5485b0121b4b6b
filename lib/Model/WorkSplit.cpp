//===- WorkSplit.cpp - One kernel's work on several devices ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/WorkSplit.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace ptxpredict;

double SplitDevice::secondsOfAll() const {
  return Seconds + (LinkGBs > 0 ? Bytes / (LinkGBs * 1e9) : 0);
}

std::vector<double>
ptxpredict::sharesByPerformance(ArrayRef<double> Performances) {
  double Sum = std::accumulate(Performances.begin(), Performances.end(), 0.0);
  std::vector<double> Shares;
  for (double P : Performances)
    Shares.push_back(P / Sum);
  return Shares;
}

WorkSplit ptxpredict::splitWork(ArrayRef<SplitDevice> Devices) {
  std::vector<size_t> Able;
  for (size_t I = 0; I != Devices.size(); ++I)
    if (std::isfinite(Devices[I].secondsOfAll()) &&
        std::isfinite(Devices[I].FixedSeconds))
      Able.push_back(I);
  WorkSplit W;
  if (Able.empty())
    return W;
  llvm::sort(Able, [&](size_t A, size_t B) {
    return std::pair(Devices[A].FixedSeconds, A) <
           std::pair(Devices[B].FixedSeconds, B);
  });
  // Share i is (T - fixed_i) / all_i, and the shares' sum is 1, so that
  // T = (1 + sum of fixed / all) / (sum of 1 / all) over those that take part.
  // Devices are taken in while they can start before the rest would end.
  double Rate = 0, Started = 0;
  for (size_t I : Able) {
    const SplitDevice &D = Devices[I];
    if (Rate > 0 && D.FixedSeconds >= W.Seconds)
      break;
    Rate += 1 / D.secondsOfAll();
    Started += D.FixedSeconds / D.secondsOfAll();
    W.Seconds = (1 + Started) / Rate;
  }
  W.Shares.assign(Devices.size(), 0);
  for (size_t I : Able)
    W.Shares[I] = std::max(0.0, (W.Seconds - Devices[I].FixedSeconds) /
                                    Devices[I].secondsOfAll());
  return W;
}

double ptxpredict::secondsOfSplit(ArrayRef<SplitDevice> Devices,
                                  ArrayRef<double> Shares) {
  double Longest = 0;
  for (auto [D, Share] : llvm::zip(Devices, Shares))
    if (Share > 0)
      Longest = std::max(Longest, D.FixedSeconds + Share * D.secondsOfAll());
  return Longest;
}
