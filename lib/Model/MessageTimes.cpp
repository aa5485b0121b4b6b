//===- MessageTimes.cpp - What a program's messages take ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/MessageTimes.h"
#include <algorithm>

using namespace ptxpredict;

double ptxpredict::hockneySeconds(double Messages, double Bytes,
                                  double MessageSeconds, double ByteSeconds) {
  return Messages * MessageSeconds + Bytes * ByteSeconds;
}

double ptxpredict::pairwiseSeconds(double Messages, double Bytes,
                                   double MessageSeconds, double ByteSeconds,
                                   double Processors) {
  return Processors * (Processors - 1) *
         hockneySeconds(Messages, Bytes, MessageSeconds, ByteSeconds);
}

double ptxpredict::logGPSeconds(double Messages, double Bytes,
                                const LogGPNumbers &Of, double Processors) {
  const double First = std::min(Messages, Processors);
  const double Later = Messages - First;
  return First * (2 * Of.Overhead + Of.Latency) +
         Later * std::max(Of.Gap, Of.Overhead) +
         std::max(Bytes - Messages, 0.0) * Of.GapPerByte;
}
