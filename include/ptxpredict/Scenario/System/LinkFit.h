//===- LinkFit.h - A link's numbers from measured times ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A transfer takes its startup and its bytes over bandwidth and efficiency
// (Gajger, (5.5)). His startup is the mean time of 4 to 512 bytes (Table 5.1).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_SYSTEM_LINKFIT_H
#define PTXPREDICT_SCENARIO_SYSTEM_LINKFIT_H

#include "ptxpredict/Device/Calibration.h"
#include "ptxpredict/Scenario/System/Link.h"

namespace ptxpredict {

/// "h2d pageable"; "p2p", whatever memory.
std::string kindName(TransferWay Way, HostMemory Memory);

/// Results of transfers begin so: "transfer.h2d.pageable.4KiB".
constexpr StringRef TransferResultPrefix = "transfer.";

/// What a measured time decides.
enum class FitPart : uint8_t { Nothing, Startup, Efficiency, Both };

/// A measured time, and what the fitted numbers make of it.
struct FitRow {
  std::string Name; ///< "64KiB", "64KiB in place"
  double Bytes = 0;
  double MeasuredUs = 0, FittedUs = 0;
  FitPart Decides = FitPart::Nothing;

  /// Fitted over measured time, less 1.
  double residual() const { return FittedUs / MeasuredUs - 1; }
};

/// Transfers of one kind, fitted.
struct LinkFit {
  TransferWay Way = TransferWay::HostToDevice;
  HostMemory Memory = HostMemory::Pageable; ///< of peers: this one
  Quantity StartupUs, Efficiency; ///< with sources; empty: nothing decides it
  std::vector<FitRow> Rows;       ///< by size

  std::string name() const { return kindName(Way, Memory); }
  /// Of the residuals without their signs, of all rows but those of 0 bytes.
  double meanError() const;
};

/// Fits every kind of transfer that \p Results have to \p Of's bandwidth.
///
/// The startup is the mean time of 4 to 512 bytes, 0 bytes left out; without
/// such results that of \p Of. The efficiency is that with which times from 1
/// MiB up are least off, as shares: the sum of the squares of their residuals
/// is the least. What lies between decides nothing.
///
/// Reports names that are of no transfer, times that no efficiency from above 0
/// to 1 gives, and that there is no transfer at all. True on error.
bool fitTransfers(DiagnosticEngine &Diags, const MicrobenchmarkResults &Results,
                  const Link &Of, std::vector<LinkFit> &Fits);

/// The efficiency of a slope in us a byte, over \p Of's bandwidth; 1 where
/// noise makes it a little more. An error says what is wrong with it.
Expected<double> efficiencyOf(double UsPerByte, const Link &Of);

/// The measured transfers went over so many links behind each other, as over a
/// switch: their startups add up, so each has its part of what was fitted.
void divideStartups(std::vector<LinkFit> &Fits, unsigned Links);

/// \p Base with the numbers of \p Fits, with eight digits: more than a
/// measurement has.
Link fittedLink(const Link &Base, ArrayRef<LinkFit> Fits);

/// "4B", "64KiB", "1MiB": the largest unit of which it is a whole number.
std::string sizeText(double Bytes);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_SYSTEM_LINKFIT_H
