//===- SourcedText.h - Numbers with sources as text -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_VIEW_SOURCEDTEXT_H
#define PTXPREDICT_LIB_SCENARIO_VIEW_SOURCEDTEXT_H

#include "ptxpredict/Device/Device.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "llvm/Support/raw_ostream.h"

namespace ptxpredict {

/// "startup = 4 us" and, below it, from which device it is and its source.
/// \p Shown: the value and its unit.
inline void printSourced(raw_ostream &OS, unsigned Indent, StringRef Name,
                         const Quantity &Q, const Twine &Shown) {
  constexpr unsigned Deeper = 4, SourceColumns = 8;
  OS.indent(Indent) << Name << " = " << Shown << '\n';
  if (!Q.From.empty())
    OS.indent(Indent + Deeper) << "from " << Q.From << '\n';
  if (Q.Source.empty())
    return;
  OS.indent(Indent + Deeper) << "source: ";
  printWrapped(OS, Q.Source, Indent + Deeper + SourceColumns,
               Indent + Deeper + SourceColumns);
}

/// The same of one that may be empty; nothing of that.
inline void printIfKnown(raw_ostream &OS, unsigned Indent, StringRef Name,
                         const Quantity &Q, StringRef Unit = "") {
  if (Q)
    printSourced(OS, Indent, Name, Q,
                 shortestDecimal(*Q) + (Unit.empty() ? "" : " ") + Unit);
}

/// "400 MB", "64 KiB", "4 B": the shortest that is exact.
std::string bytesText(uint64_t Bytes);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_VIEW_SOURCEDTEXT_H
