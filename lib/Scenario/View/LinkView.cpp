//===- LinkView.cpp - Links as text, JSON and CSV -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/View/LinkView.h"
#include "SourcedText.h"
#include "ptxpredict/Report/Writers/CSVRow.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

using Align = TextTable::Align;

std::string ptxpredict::bytesText(uint64_t Bytes) {
  static constexpr std::pair<StringRef, uint64_t> Units[] = {
      {"KiB", uint64_t(1) << 10},
      {"MiB", uint64_t(1) << 20},
      {"GiB", uint64_t(1) << 30},
      {"kB", 1000},
      {"MB", 1000000},
      {"GB", 1000000000}};
  std::string Best = std::to_string(Bytes) + " B";
  for (const auto &[Unit, Size] : Units) {
    if (Bytes == 0 || Bytes % Size != 0)
      continue;
    std::string Text = std::to_string(Bytes / Size) + " " + Unit.str();
    if (Text.size() <= Best.size())
      Best = std::move(Text);
  }
  return Best;
}

/// Calls \p Do with each kind of transfer that the file has a number of.
template <typename FnT>
static void forEachKind(const Link &L, FnT Do) {
  for (unsigned W = 0; W != NumTransferWays; ++W)
    for (unsigned M = 0; M != NumHostMemories; ++M) {
      const TransferNumbers &N = L.Transfers[W][M];
      if (N.StartupUs || N.Efficiency)
        Do(TransferWay(W), HostMemory(M), N);
    }
}

SmallVector<TransferWay, NumTransferWays> ptxpredict::shownWays(const Link &L) {
  bool OfHost = L.Lanes.has_value(), OfPeers = false;
  forEachKind(L, [&](TransferWay Way, HostMemory, const TransferNumbers &) {
    (Way == TransferWay::PeerToPeer ? OfPeers : OfHost) = true;
  });
  SmallVector<TransferWay, NumTransferWays> Ways;
  if (OfHost)
    Ways = {TransferWay::HostToDevice, TransferWay::DeviceToHost};
  if (OfPeers || !OfHost)
    Ways.push_back(TransferWay::PeerToPeer);
  return Ways;
}

/// "h2d pageable, d2h pageable"
static std::string knownKinds(const Link &L) {
  std::string Text;
  forEachKind(
      L, [&](TransferWay Way, HostMemory Memory, const TransferNumbers &N) {
        Text += (Text.empty() ? "" : ", ") + kindName(Way, Memory) +
                (!N.StartupUs    ? " efficiency"
                 : !N.Efficiency ? " startup"
                                 : "");
      });
  return Text;
}

void ptxpredict::printLinkTable(ArrayRef<const Link *> Links, raw_ostream &OS) {
  TextTable T({Align::Left, Align::Right, Align::Left, Align::Left});
  T.addRow({"link", "GB/s", "numbers of transfers", "description"});
  for (const Link *L : Links)
    T.addRow({L->Name, shortNumber(*L->BandwidthGBs), fit(knownKinds(*L), 32),
              fit(L->Description, 44)});
  T.print(OS, /*Indent=*/0);
}

void ptxpredict::printLinksCSV(ArrayRef<const Link *> Links, raw_ostream &OS) {
  {
    CSVRow Head(OS);
    for (StringRef Name : {"link", "bandwidth_gb_s", "numbers", "description",
                           "bandwidth_source"})
      Head.text(Name);
  }
  for (const Link *L : Links) {
    CSVRow Row(OS);
    Row.text(L->Name);
    Row.number(*L->BandwidthGBs);
    Row.text(knownKinds(*L));
    Row.text(L->Description);
    Row.text(L->BandwidthGBs.Source);
  }
}

void ptxpredict::printLinkText(const Link &L, raw_ostream &To) {
  PrintableStream OS(To);
  OS << L.Name << ": " << printable(L.Description) << "\n\n";
  printIfKnown(OS, 2, "bandwidth", L.BandwidthGBs, "GB/s");
  if (L.Lanes) {
    printIfKnown(OS, 2, "rate", L.Lanes->GTPerSecond, "GT/s");
    OS << "    of each of " << plural(L.Lanes->Lanes, "lane") << ", "
       << L.Lanes->DataBits << " of " << L.Lanes->WireBits
       << " bits are data\n";
  }
  bool HasTransfers = false;
  forEachKind(
      L, [&](TransferWay Way, HostMemory Memory, const TransferNumbers &N) {
        HasTransfers = true;
        OS << '\n' << kindName(Way, Memory) << '\n';
        printIfKnown(OS, 2, "startup", N.StartupUs, "us");
        printIfKnown(OS, 2, "efficiency", N.Efficiency);
      });
  if (!HasTransfers)
    OS << "\ntransfers\n  no number is known: no startup, and an efficiency "
          "of 1, are assumed\n  ptx-predict calibrate RESULTS.yaml --link="
       << L.Name << " makes them of measurements\n";
  if (L.IdleW || L.ActiveW || L.MTBFHours)
    OS << '\n';
  printIfKnown(OS, 2, "idle", L.IdleW, "W");
  printIfKnown(OS, 2, "active", L.ActiveW, "W");
  printIfKnown(OS, 2, "mtbf", L.MTBFHours, "h");
  for (const LinkPolicy &P : L.Policies) {
    OS << "\npolicy " << P.Name << ", from " << bytesText(P.FromBytes) << '\n';
    printIfKnown(OS, 2, "latency_factor", P.LatencyFactor);
    printIfKnown(OS, 2, "energy_factor", P.EnergyFactor);
  }
}

void ptxpredict::writeQuantity(JSONWriter &J, StringRef Key, const Quantity &Q,
                               StringRef Unit) {
  if (!Q)
    return;
  J.attributeObject(Key, [&] {
    J.number("value", *Q);
    if (!Unit.empty())
      J.attribute("unit", Unit);
    if (!Q.Source.empty())
      J.text("source", Q.Source);
    if (!Q.From.empty())
      J.text("inherited_from", Q.From);
  });
}

static void writeTransferNumbers(JSONWriter &J, StringRef Key,
                                 const TransferNumbers &N) {
  if (!N.StartupUs && !N.Efficiency)
    return;
  J.attributeObject(Key, [&] {
    writeQuantity(J, "startup_us", N.StartupUs, "us");
    writeQuantity(J, "efficiency", N.Efficiency);
  });
}

static void writeTransfers(JSONWriter &J, const Link &L) {
  for (unsigned W = 0; W != NumTransferWays; ++W) {
    const auto &Of = L.Transfers[W];
    const StringRef Way = toString(TransferWay(W));
    if (TransferWay(W) == TransferWay::PeerToPeer) {
      writeTransferNumbers(J, Way, Of[0]);
    } else if (llvm::any_of(Of, [](const TransferNumbers &N) {
                 return N.StartupUs || N.Efficiency;
               })) {
      J.attributeObject(Way, [&] {
        for (unsigned M = 0; M != NumHostMemories; ++M)
          writeTransferNumbers(J, toString(HostMemory(M)), Of[M]);
      });
    }
  }
}

void ptxpredict::writeLink(JSONWriter &J, const Link &L) {
  J.text("name", L.Name);
  J.text("description", L.Description);
  writeQuantity(J, "bandwidth", L.BandwidthGBs, "GB/s");
  if (L.Lanes)
    J.attributeObject("pcie", [&] {
      writeQuantity(J, "gt_per_s", L.Lanes->GTPerSecond, "GT/s");
      J.attribute("encoding", std::to_string(L.Lanes->DataBits) + "/" +
                                  std::to_string(L.Lanes->WireBits));
      J.attribute("lanes", L.Lanes->Lanes);
    });
  J.attributeObject("numbers", [&] { writeTransfers(J, L); });
  writeQuantity(J, "idle_w", L.IdleW, "W");
  writeQuantity(J, "active_w", L.ActiveW, "W");
  writeQuantity(J, "mtbf_hours", L.MTBFHours, "h");
  if (L.Policies.empty())
    return;
  J.attributeArray("policies", [&] {
    for (const LinkPolicy &P : L.Policies)
      J.object([&] {
        J.text("name", P.Name);
        J.attribute("from", int64_t(P.FromBytes));
        writeQuantity(J, "latency_factor", P.LatencyFactor);
        writeQuantity(J, "energy_factor", P.EnergyFactor);
      });
  });
}
