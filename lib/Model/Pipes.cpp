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

const Quantity *ptxpredict::lanesFor(const Device &D, SchedClass Work) {
  switch (Work) {
  case SchedClass::Int:
  case SchedClass::IntMultiply:
  case SchedClass::IntDivide:
  case SchedClass::IntRemainder:
  case SchedClass::Compare:
  case SchedClass::Logic:
  case SchedClass::Shift:
    return &D.IntLanes;
  case SchedClass::FP16:
  case SchedClass::FP16FMA:
    return &D.FP16Lanes;
  case SchedClass::FP64:
  case SchedClass::FP64FMA:
  case SchedClass::FP64Divide:
  case SchedClass::FP64Convert:
    return &D.FP64Lanes;
  case SchedClass::SFU:
  case SchedClass::FP32Divide:
    return &D.SFULanes;
  case SchedClass::Convert:
    return &D.ConvertLanes;
  default:
    return nullptr;
  }
}
