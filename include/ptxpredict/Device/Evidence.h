//===- Evidence.h - What a device's numbers rest on -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DEVICE_EVIDENCE_H
#define PTXPREDICT_DEVICE_EVIDENCE_H

#include "ptxpredict/Device/Device.h"

namespace ptxpredict {

/// What a number rests on, by its source (docs/formats/Devices.md).
enum class Evidence : uint8_t {
  Measured,          ///< on this very board, by this project or others
  MeasuredOnSibling, ///< on another board, mostly of the same capability
  Documented, ///< data sheets, tables, papers, and what follows from them
  Assumed
};

/// "measured", "measured-on-sibling", "documented" or "assumed".
StringRef toString(Evidence E);

/// What \p Q, a number of \p D with its source, rests on.
Evidence evidenceOf(const Device &D, const Quantity &Q);

/// How many numbers of a device there are of each kind.
struct EvidenceCounts {
  unsigned Of[4] = {};
  unsigned operator[](Evidence E) const { return Of[unsigned(E)]; }
};
/// Of all numbers of \p D, parameters of models included.
EvidenceCounts countEvidence(const Device &D);

} // namespace ptxpredict

#endif // PTXPREDICT_DEVICE_EVIDENCE_H
