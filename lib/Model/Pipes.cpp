//===- Pipes.cpp - Which lanes of an SM do what ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/Pipes.h"
#include <algorithm>

using namespace ptxpredict;

double ptxpredict::issueCyclesOn(const Device &D, double Lanes) {
  return std::max(*D.WarpSize / Lanes, 1 / *D.Schedulers);
}

const Quantity *ptxpredict::lanesFor(const Device &D, Latency Work) {
  switch (Work) {
  case Latency::Int:
  case Latency::IntMultiply:
  case Latency::IntDivide:
  case Latency::IntRemainder:
  case Latency::Compare:
  case Latency::Logic:
  case Latency::Shift:
    return &D.IntLanes;
  case Latency::FP16:
  case Latency::FP16FMA:
    return &D.FP16Lanes;
  case Latency::FP64:
  case Latency::FP64FMA:
  case Latency::FP64Divide:
  case Latency::FP64Convert:
    return &D.FP64Lanes;
  case Latency::SFU:
  case Latency::FP32Divide:
    return &D.SFULanes;
  case Latency::Convert:
    return &D.ConvertLanes;
  default:
    return nullptr;
  }
}
