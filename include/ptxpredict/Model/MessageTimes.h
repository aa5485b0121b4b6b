//===- MessageTimes.h - What a program's messages take ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The sum of T_net_i over all processors, in s, for (4.14) of S. Song's
// dissertation (docs/models/ClusterEnergy.md): M messages and B bytes are those
// of all processors together, unless a form says otherwise.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_MESSAGETIMES_H
#define PTXPREDICT_MODEL_MESSAGETIMES_H

namespace ptxpredict {

/// M t_msg + B t_Byte (4.16), which is Hockney's model.
double hockneySeconds(double Messages, double Bytes, double MessageSeconds,
                      double ByteSeconds);

/// p (p - 1) (M t_msg + B t_Byte): every processor sends M messages and B bytes
/// to every other one. Our reading of the dissertation's 3D-FT.
double pairwiseSeconds(double Messages, double Bytes, double MessageSeconds,
                       double ByteSeconds, double Processors);

/// The parameters of LogGP in s (A. Alexandrov, M. Ionescu, K. Schauser,
/// C. Scheiman, "LogGP: incorporating long messages into the LogP model",
/// SPAA 1995).
struct LogGPNumbers {
  double Latency = 0;    ///< L
  double Overhead = 0;   ///< o: that a processor sends or receives
  double Gap = 0;        ///< g: between two messages of a processor
  double GapPerByte = 0; ///< G: of a long message
};
/// Every processor sends its M / p messages of B / M bytes one behind the other
/// and waits for the last: 2 o + L + (M / p - 1) max(g, o) + (B - M) / p G of
/// each. Fewer messages than processors take 2 o + L each.
double logGPSeconds(double Messages, double Bytes, const LogGPNumbers &Of,
                    double Processors);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_MESSAGETIMES_H
