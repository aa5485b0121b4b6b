//===- Finding.h - What a rule found in a kernel ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_FINDING_H
#define PTXPREDICT_SUPPORT_FINDING_H

#include "ptxpredict/Support/Diagnostics.h"
#include <optional>

namespace ptxpredict {

/// Where a finding lies: in the source where debug data say so, else in the
/// input. Lines and columns count from 1; 0 means unknown.
struct FindingLocation {
  std::string Path;
  unsigned Line = 0, Column = 0;
  std::vector<std::string> InlinedAt; ///< "k.cu:30:3", outwards
  unsigned InputLine = 0;             ///< the same place in the input
};

/// A number or, where Text is not empty, a text that a finding rests on.
struct FindingValue {
  std::string Name;   ///< "sectors_per_request"
  std::string Device; ///< of which it holds; empty: of the kernel
  double Number = 0;
  std::string Text;
};

/// The share of a device's predicted time that is saved without the defect.
struct FindingGain {
  std::string Device;
  double Share = 0;
};

/// One defect, or a remark, at one place.
struct Finding {
  StringRef Id;     ///< static text: "uncoalesced-access"
  StringRef Remark; ///< static text: "UncoalescedAccess"
  Severity Level = Severity::Note;
  std::string Message; ///< without the id, which is printed behind it
  std::string Kernel;  ///< as the input names it
  FindingLocation Where;
  std::vector<FindingValue> Values;
  /// By device; absent where no model prices the defect.
  std::vector<FindingGain> Gains;
  std::string Help; ///< what to do; may be empty

  void add(StringRef Name, double Number, StringRef Device = {}) {
    Values.push_back({Name.str(), Device.str(), Number, {}});
  }
  void add(StringRef Name, StringRef Text, StringRef Device = {}) {
    Values.push_back({Name.str(), Device.str(), 0, Text.str()});
  }
  /// The greatest gain on any device; nothing without one.
  std::optional<double> bestGain() const;
  /// The message with what is printed behind every one: " [id]".
  std::string messageWithId() const { return Message + " [" + Id.str() + "]"; }
};

/// Gains under this are not worth a warning, nor a place before others.
constexpr double LeastGain = 0.05;

/// Best first: the greatest gain that is not under \ref LeastGain, then the
/// severity, then any gain. What is equal keeps its order.
void sortFindings(std::vector<Finding> &Findings);

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_FINDING_H
