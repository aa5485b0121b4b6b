//===- TransferView.cpp - Times of transfers as text, JSON and CSV --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SourcedText.h"
#include "ptxpredict/Report/Writers/CSVRow.h"
#include "ptxpredict/Report/Writers/JSONWriter.h"
#include "ptxpredict/Scenario/View/LinkView.h"
#include "ptxpredict/Support/NumberFormat.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

using Align = TextTable::Align;

/// Twelve digits, so that a number of a file looks as it does there.
static double tidy(double V) {
  return parseNumber(formatNumber("%.12g", V)).value_or(V);
}

std::optional<double> TransferRow::throughputGBs() const {
  constexpr uint64_t LeastBytes = 1024;
  if (Bytes < LeastBytes)
    return std::nullopt;
  return tidy(Of.BytesPerSecond / 1e9); // n / (T - t_s), but for rounding
}

std::optional<double> TransferRow::overallGBs() const {
  if (Bytes == 0)
    return std::nullopt;
  return double(Bytes) / Seconds / 1e9;
}

std::vector<TransferRow> TransferReport::rows(const Link &L) const {
  std::vector<TransferRow> Rows;
  for (uint64_t Bytes : Sizes)
    for (TransferWay Way : shownWays(L)) {
      const Link::Timing T = L.timing(Way, Memory);
      Rows.push_back({Way, Bytes, T, transferSeconds(T, double(Bytes))});
    }
  return Rows;
}

/// Whether some kind of transfer has that number.
static bool hasAny(const Link &L, Quantity TransferNumbers::*Number) {
  return llvm::any_of(L.Transfers, [&](const auto &Of) {
    return llvm::any_of(
        Of, [&](const TransferNumbers &N) { return bool(N.*Number); });
  });
}

static void printAssumptions(const Link &L, HostMemory Memory,
                             raw_ostream &OS) {
  std::string Lines;
  llvm::raw_string_ostream Text(Lines);
  auto Say = [&](TransferWay Way, StringRef What, const std::string &Value,
                 bool HasOther) {
    Text << "    " << What << " of " << kindName(Way, Memory) << ": " << Value
         << (HasOther ? ", that of the nearest kind which the file has"
                      : ", since the file has none")
         << '\n';
  };
  for (TransferWay Way : shownWays(L)) {
    const Link::Timing T = L.timing(Way, Memory);
    if (T.StartupIsAssumed)
      Say(Way, "startup", shortNumber(T.StartupSeconds * 1e6) + " us",
          hasAny(L, &TransferNumbers::StartupUs));
    if (T.EfficiencyIsAssumed)
      Say(Way, "efficiency",
          shortNumber(T.BytesPerSecond / (*L.BandwidthGBs * 1e9)),
          hasAny(L, &TransferNumbers::Efficiency));
  }
  if (Lines.empty())
    return;
  OS << "  ? assumed\n"
     << Lines << "    measured ones: ptx-predict calibrate RESULTS.yaml --link="
     << L.Name << " -o mine.yaml,\n    then --link-file=mine.yaml\n";
}

static void printLinkTransfers(const TransferReport &R, const Link &L,
                               raw_ostream &OS) {
  const SmallVector<TransferWay, NumTransferWays> Ways = shownWays(L);
  const bool IsOfHost = Ways.front() != TransferWay::PeerToPeer;
  OS << L.Name << ": " << printable(L.Description) << "\n  "
     << shortNumber(*L.BandwidthGBs) << " GB/s in each direction"
     << (IsOfHost ? ", " : "") << (IsOfHost ? toString(R.Memory) : StringRef())
     << (IsOfHost ? " memory" : "") << '\n';
  TextTable T({Align::Right, Align::Left, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right});
  T.addRow({"size", "way", "startup", "time", "GB/s", "of nominal",
            "GB/s with startup"});
  for (const TransferRow &Row : R.rows(L)) {
    const std::optional<double> GBs = Row.throughputGBs(),
                                Overall = Row.overallGBs();
    auto Marked = [](const std::string &Text, bool IsAssumed) {
      return Text + (IsAssumed ? "?" : "");
    };
    const bool AnyIsAssumed =
        Row.Of.StartupIsAssumed || Row.Of.EfficiencyIsAssumed;
    T.addRow({bytesText(Row.Bytes), toString(Row.Way).str(),
              Marked(shortTime(Row.Of.StartupSeconds * 1e6),
                     Row.Of.StartupIsAssumed),
              Marked(shortTime(Row.Seconds * 1e6), AnyIsAssumed),
              GBs ? Marked(shortNumber(*GBs), Row.Of.EfficiencyIsAssumed) : "",
              GBs ? shortNumber(*GBs / *L.BandwidthGBs * 100) + " %" : "",
              Overall ? Marked(shortNumber(*Overall), AnyIsAssumed) : ""});
  }
  T.print(OS);
  printAssumptions(L, R.Memory, OS);
}

void ptxpredict::printTransfersText(const TransferReport &R, raw_ostream &To) {
  PrintableStream OS(To);
  for (const Link *L : R.Links) {
    if (L != R.Links.front())
      OS << '\n';
    printLinkTransfers(R, *L, OS);
  }
}

static void writeRow(JSONWriter &J, const TransferReport &R, const Link &L,
                     const TransferRow &Row) {
  J.attribute("bytes", int64_t(Row.Bytes));
  J.attribute("way", toString(Row.Way));
  if (Row.Way != TransferWay::PeerToPeer)
    J.attribute("memory", toString(R.Memory));
  J.number("startup_us", tidy(Row.Of.StartupSeconds * 1e6));
  J.number("seconds", Row.Seconds);
  if (const std::optional<double> GBs = Row.throughputGBs()) {
    J.number("throughput_gb_s", *GBs);
    J.number("share_of_nominal", tidy(*GBs / *L.BandwidthGBs));
  }
  if (const std::optional<double> GBs = Row.overallGBs())
    J.number("overall_gb_s", *GBs);
  J.attribute("startup_is_assumed", Row.Of.StartupIsAssumed);
  J.attribute("efficiency_is_assumed", Row.Of.EfficiencyIsAssumed);
}

void ptxpredict::printTransfersJSON(const TransferReport &R, raw_ostream &OS) {
  JSONWriter J(OS);
  J.object([&] {
    J.header(TransfersSchemaName, TransfersSchemaVersion);
    J.attributeArray("links", [&] {
      for (const Link *L : R.Links)
        J.object([&] {
          writeLink(J, *L);
          if (R.Sizes.empty())
            return;
          J.attributeArray("transfers", [&] {
            for (const TransferRow &Row : R.rows(*L))
              J.object([&] { writeRow(J, R, *L, Row); });
          });
        });
    });
  });
  OS << '\n';
}

void ptxpredict::printTransfersCSV(const TransferReport &R, raw_ostream &OS) {
  {
    CSVRow Head(OS);
    for (StringRef Name :
         {"link", "bytes", "way", "memory", "startup_us", "seconds",
          "throughput_gb_s", "share_of_nominal", "overall_gb_s",
          "startup_is_assumed", "efficiency_is_assumed"})
      Head.text(Name);
  }
  for (const Link *L : R.Links)
    for (const TransferRow &Row : R.rows(*L)) {
      CSVRow Line(OS);
      const std::optional<double> GBs = Row.throughputGBs();
      Line.text(L->Name);
      Line.number(double(Row.Bytes));
      Line.text(toString(Row.Way));
      Line.text(Row.Way == TransferWay::PeerToPeer ? StringRef()
                                                   : toString(R.Memory));
      Line.number(tidy(Row.Of.StartupSeconds * 1e6));
      Line.number(Row.Seconds);
      Line.number(GBs);
      Line.number(GBs ? std::optional(tidy(*GBs / *L->BandwidthGBs))
                      : std::nullopt);
      Line.number(Row.overallGBs());
      Line.text(Row.Of.StartupIsAssumed ? "yes" : "no");
      Line.text(Row.Of.EfficiencyIsAssumed ? "yes" : "no");
    }
}
