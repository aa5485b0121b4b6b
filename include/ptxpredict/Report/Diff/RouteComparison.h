//===- RouteComparison.h - One kernel read in two ways ----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// LLVM IR is analysed as it is, and by the PTX that LLVM's back end makes of
// it; PTX as it is, and by the machine code that an assembler made of it. Where
// the two ways disagree, one of them is wrong, or the compiler does what the
// other one does not foresee.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_DIFF_ROUTECOMPARISON_H
#define PTXPREDICT_REPORT_DIFF_ROUTECOMPARISON_H

#include "ptxpredict/Report/Prediction/Report.h"

namespace ptxpredict {

constexpr StringRef ComparisonSchemaName = "ptx-predict/comparison";
constexpr unsigned ComparisonSchemaVersion = 1;

/// The same number by both ways; nothing where a way does not have it.
struct RoutePair {
  std::optional<Estimate> First, Second;

  /// Whether they are equal; nothing unless both are known.
  std::optional<bool> agrees() const;
  /// How often the second number is in the first one, where both are known and
  /// that is 2 or another whole number above; 0 if not.
  unsigned factor() const;
};

/// Loops that stand for each other; a label is empty if a way has none.
struct ComparedLoop {
  std::string FirstHeader, SecondHeader;
  unsigned Depth = 1;
  RoutePair TripCount;
};

/// Memory accesses that stand for each other: of one place, space and kind.
/// Sums over a warp's whole run.
struct ComparedAccess {
  std::string Source; ///< "k.cu:7:12", empty if unknown
  std::vector<std::string> InlinedAt;
  AddressSpace Space = AddressSpace::Global;
  AccessKind Access = AccessKind::Load;
  unsigned FirstInstructions = 0, SecondInstructions = 0;
  RoutePair Requests, Sectors, Lines, Wavefronts;

  /// Whether all numbers that are known agree; nothing if none is.
  std::optional<bool> agrees() const;
};

struct ComparedKernel {
  std::string Name, Demangled;
  unsigned Input = 0; ///< index into RouteComparison::Inputs
  /// The same of the second way, where that is of another input.
  std::optional<unsigned> SecondInput;
  RoutePair Instructions;
  std::array<RoutePair, NumOpClasses> ByClass; ///< empty where neither has any
  std::vector<ComparedLoop> Loops;
  std::vector<ComparedAccess> Memory; ///< by the place in the first way
};

struct RouteComparison {
  StringRef First = "ir", Second = "ptx"; ///< "ptx" and "sass"
  std::vector<InputReport> Inputs;
  std::vector<ComparedKernel> Kernels;
  std::vector<Diagnostic> Diagnostics;
};

ComparedKernel compareRoutes(const KernelCharacteristics &First,
                             const KernelCharacteristics &Second);

/// Tables for each kernel.
void printComparisonText(const RouteComparison &C, raw_ostream &OS,
                         bool Colors);
/// One JSON object (docs/schemas/comparison.schema.json).
void printComparisonJSON(const RouteComparison &C, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_DIFF_ROUTECOMPARISON_H
