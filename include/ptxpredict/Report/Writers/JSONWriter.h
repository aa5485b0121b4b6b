//===- JSONWriter.h - llvm::json with our numbers ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_REPORT_WRITERS_JSONWRITER_H
#define PTXPREDICT_REPORT_WRITERS_JSONWRITER_H

#include "ptxpredict/Device/Occupancy.h"
#include "ptxpredict/Launch/LaunchConfig.h"
#include "ptxpredict/Support/Assumption.h"
#include "ptxpredict/Support/Estimate.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

namespace ptxpredict {

/// A JSON stream that writes doubles with the fewest digits that read back the
/// same, what is not finite as null, and texts as valid UTF-8.
class JSONWriter : public llvm::json::OStream {
public:
  explicit JSONWriter(raw_ostream &OS, unsigned Indent = 2)
      : OStream(OS, Indent) {}

  void number(double V);
  void number(StringRef Key, double V);
  /// A text of an input: invalid UTF-8 is replaced, and what is not printable
  /// is escaped.
  void text(StringRef V);
  void text(StringRef Key, StringRef V);
  void estimate(StringRef Key, const Estimate &E);
  /// An array of texts on its own lines.
  void texts(StringRef Key, ArrayRef<std::string> Values);
  /// An array of three numbers.
  void extent(StringRef Key, const Dim3 &D);
  /// What stands in an object: resident blocks and warps, fraction, limiter.
  void occupancy(const Occupancy &Occ);
  void assumption(const Assumption &A);
  void diagnostic(const Diagnostic &D);
  /// The first three keys of every document of ours.
  void header(StringRef Schema, unsigned Version);
};

/// Writes \p Value as it stands in an array of the document's object.
void printNested(raw_ostream &OS, llvm::function_ref<void(JSONWriter &)> Value);

} // namespace ptxpredict

#endif // PTXPREDICT_REPORT_WRITERS_JSONWRITER_H
