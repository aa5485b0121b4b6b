//===- Confidence.h - How far off kernels like this one were ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What model `bottleneck` predicted of measured kernels of the same kind says
// how far to trust the next one.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MODEL_CONFIDENCE_H
#define PTXPREDICT_MODEL_CONFIDENCE_H

#include "ptxpredict/Model/KernelKind.h"
#include "ptxpredict/Model/Model.h"

namespace ptxpredict {

/// Whose kernels were measured.
enum class MeasuredKernels : uint8_t {
  Public, ///< of others, in public repositories
  Own     ///< of this project: no others of the kind were measured
};

/// Errors of measured kernels of one kind, each |predicted - measured| /
/// measured.
struct KindErrors {
  KernelKind Kind;
  MeasuredKernels Of;
  unsigned Rows;     ///< a kernel at one launch and pair of clocks
  unsigned Kernels;  ///< that they are of
  double Median;     ///< half of the rows are within it
  double FourOfFive; ///< four of five are
  double InRange;    ///< share of the rows whose time is in the range
};

/// Null where no kernel of the kind was measured.
const KindErrors *errorsOf(KernelKind K);

/// Rows of the errors are of this device.
bool isMeasured(StringRef Device);

/// In one word.
enum class ConfidenceLevel : uint8_t { Low, Medium, High };
StringRef toString(ConfidenceLevel L); ///< "low"

struct Confidence {
  KernelKind Kind;
  const KindErrors *Errors = nullptr; ///< null: nothing was measured
  /// Why this prediction may be off by more.
  std::vector<std::string> LoweredBy;

  /// Low where no kernel of the kind was measured, nothing bounds the time, or
  /// trip counts or addresses are assumed; medium where the launch is, no row
  /// is of the device, or one row in five is off by more than a quarter; else
  /// high.
  ConfidenceLevel level() const;
  /// "kernels like this (many atomics): half of 111 rows of 3 kernels within
  /// 26 %, four of five within 48 %; less sure: assumed launch, trip counts"
  std::string text() const;
  /// The same, shorter: "assumed launch; kernels like this (streams) were off
  /// by 3 %, a fifth by over 10 %"
  std::string reasons() const;
};

/// Nothing where no time was predicted, or by another model.
std::optional<Confidence> confidenceOf(const KernelCharacteristics &K,
                                       const Prediction &P);

} // namespace ptxpredict

#endif // PTXPREDICT_MODEL_CONFIDENCE_H
