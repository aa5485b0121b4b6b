//===- LinkView.h - Links and transfers as they are shown -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_VIEW_LINKVIEW_H
#define PTXPREDICT_SCENARIO_VIEW_LINKVIEW_H

#include "ptxpredict/Scenario/System/LinkFit.h"

namespace ptxpredict {

class JSONWriter;

constexpr StringRef TransfersSchemaName = "ptx-predict/transfers";
constexpr unsigned TransfersSchemaVersion = 1;

/// A transfer of one size in one way.
struct TransferRow {
  TransferWay Way = TransferWay::HostToDevice;
  uint64_t Bytes = 0;
  Link::Timing Of;
  double Seconds = 0;

  /// Startup left out: n / (T - t_s) (Gajger's (5.4) is upside down in print).
  /// Nothing below 1024 bytes, where the difference means little.
  std::optional<double> throughputGBs() const;
  /// Startup and all; nothing of no bytes.
  std::optional<double> overallGBs() const;
};

/// The ways that a link is shown in: to and from a device over PCI Express, or
/// where its file has numbers of that; between peers where it has those, or
/// nothing else.
SmallVector<TransferWay, NumTransferWays> shownWays(const Link &L);

/// Links, and how long each of \p Sizes bytes takes over each of them with that
/// memory of the host.
struct TransferReport {
  ArrayRef<const Link *> Links;
  ArrayRef<uint64_t> Sizes;
  HostMemory Memory = HostMemory::Pageable;

  /// By size, then by way.
  std::vector<TransferRow> rows(const Link &L) const;
};

void printTransfersText(const TransferReport &R, raw_ostream &OS);
/// Schema "ptx-predict/transfers" (docs/schemas/transfers.schema.json); without
/// sizes the links alone.
void printTransfersJSON(const TransferReport &R, raw_ostream &OS);
/// A heading and a row for each transfer.
void printTransfersCSV(const TransferReport &R, raw_ostream &OS);

/// One line a link: bandwidth, and which numbers of transfers there are.
void printLinkTable(ArrayRef<const Link *> Links, raw_ostream &OS);
/// The same as comma-separated values.
void printLinksCSV(ArrayRef<const Link *> Links, raw_ostream &OS);
/// Every number of a link with its source.
void printLinkText(const Link &L, raw_ostream &OS);
/// What stands in an object: the link's numbers with their sources.
void writeLink(JSONWriter &J, const Link &L);
/// A number that may have none, as an object of value, unit and source; nothing
/// of an empty one.
void writeQuantity(JSONWriter &J, StringRef Key, const Quantity &Q,
                   StringRef Unit = "");

/// What a fit decides: the numbers before and after, and the residual of every
/// size.
void printLinkFits(const Link &Base, ArrayRef<LinkFit> Fits, raw_ostream &OS);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_VIEW_LINKVIEW_H
