//===- LinkFit.cpp - A link's numbers from measured times -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/System/LinkFit.h"
#include "ptxpredict/Support/NumberFormat.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;

/// What decides the startup, in bytes, and what the efficiency.
static constexpr double LeastSmall = 4, MostSmall = 512, LeastLarge = 1 << 20;
/// As of a startup in a link's file.
static constexpr double MostUs = 1e9;

std::string ptxpredict::sizeText(double Bytes) {
  static constexpr std::pair<StringRef, double> Units[] = {
      {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}};
  for (const auto &[Unit, Size] : Units)
    if (Bytes >= Size && std::fmod(Bytes, Size) == 0)
      return shortestDecimal(Bytes / Size) + Unit.str();
  return shortestDecimal(Bytes) + "B";
}

std::string ptxpredict::kindName(TransferWay Way, HostMemory Memory) {
  if (Way == TransferWay::PeerToPeer)
    return toString(Way).str();
  return (toString(Way) + " " + toString(Memory)).str();
}

double LinkFit::meanError() const {
  double Sum = 0;
  size_t Count = 0;
  for (const FitRow &R : Rows)
    if (R.Bytes > 0) {
      Sum += std::fabs(R.residual());
      ++Count;
    }
  return Count == 0 ? 0 : Sum / double(Count);
}

Expected<double> ptxpredict::efficiencyOf(double UsPerByte, const Link &Of) {
  constexpr double BytesPerUs = 1e3, Noise = 1.05; // of a GB/s
  if (!(UsPerByte > 0) || !std::isfinite(UsPerByte))
    return llvm::createStringError(
        "more bytes take no longer: no efficiency follows");
  const double Share = 1 / (UsPerByte * *Of.BandwidthGBs * BytesPerUs);
  if (Share > 1 && Share <= Noise)
    return 1;
  if (Share > Noise)
    return llvm::createStringError(
        "that would be " + shortNumber(Share) + " of the " +
        shortNumber(*Of.BandwidthGBs) + " GB/s of " + Of.Name +
        "; an efficiency is at most 1: is it another link, or are there more "
        "of it?");
  return Share;
}

namespace {

/// What a result's name says.
struct TransferName {
  TransferWay Way = TransferWay::HostToDevice;
  HostMemory Memory = HostMemory::Pageable;
  double Bytes = 0;
};

/// Of one kind: results, and what they give.
struct Transfers {
  struct Row {
    double Bytes;
    const MicrobenchmarkResult *Of;
  };
  TransferWay Way;
  HostMemory Memory;
  std::vector<Row> Rows;
};

} // namespace

static bool parseSize(StringRef Text, double &Bytes) {
  static constexpr std::pair<StringRef, uint64_t> Units[] = {
      {"KiB", uint64_t(1) << 10},
      {"MiB", uint64_t(1) << 20},
      {"GiB", uint64_t(1) << 30},
      {"B", 1}};
  for (const auto &[Unit, Size] : Units) {
    StringRef Digits = Text;
    uint64_t Count = 0;
    constexpr uint64_t Most = uint64_t(1) << 30; // of a unit
    if (!Digits.consume_back(Unit))
      continue;
    if (Digits.getAsInteger(10, Count) || Count > Most)
      return false;
    Bytes = double(Count) * double(Size);
    return true;
  }
  return false;
}

/// "h2d.pageable.4KiB", "p2p.4KiB"; what memory of a host peers use does not
/// count.
static std::optional<TransferName> parseTransferName(StringRef Text) {
  TransferName N;
  SmallVector<StringRef, 4> Parts;
  Text.split(Parts, '.');
  bool IsWay = false, IsMemory = false;
  for (unsigned W = 0; W != NumTransferWays; ++W)
    if (Parts[0] == toString(TransferWay(W))) {
      N.Way = TransferWay(W);
      IsWay = true;
    }
  const bool IsPeer = N.Way == TransferWay::PeerToPeer;
  for (unsigned M = 0; M != NumHostMemories && Parts.size() == 3; ++M)
    if (Parts[1] == toString(HostMemory(M))) {
      N.Memory = IsPeer ? HostMemory::Pageable : HostMemory(M);
      IsMemory = true;
    }
  if (!IsWay || (!IsMemory && !(IsPeer && Parts.size() == 2)) ||
      !parseSize(Parts.back(), N.Bytes))
    return std::nullopt;
  return N;
}

/// "3 transfers of 1MiB to 4MiB, A100, 2025-01-31, driver 1"
static std::string sourceOf(size_t Count, StringRef Range,
                            const MicrobenchmarkResults &R) {
  return plural(Count, "transfer") + " " + Range.str() + ", " + R.Device +
         ", " + R.Date + ", driver " + R.Driver;
}

static void fitStartup(const Transfers &T, const MicrobenchmarkResults &R,
                       LinkFit &Fit) {
  double Sum = 0;
  size_t Count = 0;
  for (const Transfers::Row &Row : T.Rows)
    if (Row.Bytes >= LeastSmall && Row.Bytes <= MostSmall) {
      Sum += Row.Of->Value;
      ++Count;
    }
  if (Count != 0)
    Fit.StartupUs = {Sum / double(Count),
                     "mean of " + sourceOf(Count, "of 4 to 512 bytes", R), ""};
}

/// With which the large transfers' residuals, startup + slope * bytes over the
/// measured time, are nearest to 0. True on error.
static bool fitEfficiency(DiagnosticEngine &Diags, const Transfers &T,
                          const MicrobenchmarkResults &R, const Link &Of,
                          double StartupUs, LinkFit &Fit) {
  double Product = 0, Square = 0;
  size_t Count = 0;
  SMLoc Last;
  for (const Transfers::Row &Row : T.Rows) {
    if (Row.Bytes < LeastLarge)
      continue;
    const double PerUs = Row.Bytes / Row.Of->Value;
    Product += PerUs * (1 - StartupUs / Row.Of->Value);
    Square += PerUs * PerUs;
    Last = Row.Of->Place;
    ++Count;
  }
  if (Count == 0)
    return false;
  Expected<double> Share = efficiencyOf(Product / Square, Of);
  if (!Share) {
    Diags.error(Last, Fit.name() + ": " + llvm::toString(Share.takeError()));
    return true;
  }
  Fit.Efficiency = {*Share,
                    "least squares of the residuals of " +
                        sourceOf(Count, "from 1 MiB up", R) +
                        ", with a startup of " + shortNumber(StartupUs) + " us",
                    ""};
  return false;
}

static bool fit(DiagnosticEngine &Diags, Transfers &T,
                const MicrobenchmarkResults &R, const Link &Of, LinkFit &Fit) {
  Fit.Way = T.Way;
  Fit.Memory = T.Memory;
  llvm::stable_sort(
      T.Rows, [](const auto &A, const auto &B) { return A.Bytes < B.Bytes; });
  fitStartup(T, R, Fit);
  const Link::Timing Old = Of.timing(T.Way, T.Memory);
  const double StartupUs =
      Fit.StartupUs ? *Fit.StartupUs : Old.StartupSeconds * 1e6;
  if (fitEfficiency(Diags, T, R, Of, StartupUs, Fit))
    return true;
  Link::Timing New = Old;
  New.StartupSeconds = StartupUs / 1e6;
  if (Fit.Efficiency)
    New.BytesPerSecond = *Of.BandwidthGBs * 1e9 * *Fit.Efficiency;
  for (const Transfers::Row &Row : T.Rows) {
    const bool IsSmall = Row.Bytes >= LeastSmall && Row.Bytes <= MostSmall;
    Fit.Rows.push_back({sizeText(Row.Bytes), Row.Bytes, Row.Of->Value,
                        transferSeconds(New, Row.Bytes) * 1e6,
                        IsSmall                   ? FitPart::Startup
                        : Row.Bytes >= LeastLarge ? FitPart::Efficiency
                                                  : FitPart::Nothing});
  }
  return false;
}

bool ptxpredict::fitTransfers(DiagnosticEngine &Diags,
                              const MicrobenchmarkResults &Results,
                              const Link &Of, std::vector<LinkFit> &Fits) {
  std::vector<Transfers> Kinds;
  for (TransferWay Way : {TransferWay::HostToDevice, TransferWay::DeviceToHost,
                          TransferWay::PeerToPeer})
    for (HostMemory Memory : {HostMemory::Pageable, HostMemory::Pinned})
      Kinds.push_back({Way, Memory, {}});
  for (const MicrobenchmarkResult &R : Results.Results) {
    StringRef Rest = R.Name;
    if (!Rest.consume_front(TransferResultPrefix))
      continue;
    const std::optional<TransferName> N = parseTransferName(Rest);
    if (!N) {
      Diags.error(R.Place,
                  "'" + R.Name +
                      "' is of no transfer: results are named "
                      "transfer.h2d.pageable.4B, with h2d, d2h or p2p, "
                      "pageable or pinned, and B, KiB, MiB or GiB");
      continue;
    }
    if (R.Value > MostUs) {
      Diags.error(R.Place, "a transfer takes at most " +
                               shortestDecimal(MostUs) + " us, not " +
                               shortestDecimal(R.Value));
      continue;
    }
    llvm::find_if(Kinds, [&](const Transfers &T) {
      return T.Way == N->Way && T.Memory == N->Memory;
    })->Rows.push_back({N->Bytes, &R});
  }
  if (Diags.hasErrors())
    return true;
  for (Transfers &T : Kinds) {
    if (T.Rows.empty())
      continue;
    LinkFit Fit;
    if (!fit(Diags, T, Results, Of, Fit))
      Fits.push_back(std::move(Fit));
  }
  if (!Diags.hasErrors() && llvm::none_of(Fits, [](const LinkFit &F) {
        return bool(F.StartupUs) || bool(F.Efficiency);
      }))
    Diags.error(Results.CapabilityPlace,
                "no result decides a number of a link: those of transfers, "
                "such as transfer.h2d.pageable.4B, of 4 to 512 bytes and from "
                "1 MiB up do");
  return Diags.hasErrors();
}

void ptxpredict::divideStartups(std::vector<LinkFit> &Fits, unsigned Links) {
  for (LinkFit &F : Fits)
    if (F.StartupUs && Links > 1)
      F.StartupUs = {*F.StartupUs / Links,
                     F.StartupUs.Source + ", over " + std::to_string(Links) +
                         " links, of which each has its part",
                     ""};
}

/// With eight digits.
static void setFitted(Quantity &Into, const Quantity &From) {
  if (From)
    Into = {parseNumber(formatNumber("%.8g", *From)).value_or(*From),
            From.Source, ""};
}

Link ptxpredict::fittedLink(const Link &Base, ArrayRef<LinkFit> Fits) {
  Link L = Base;
  for (const LinkFit &F : Fits) {
    TransferNumbers &N = L.Transfers[size_t(F.Way)][size_t(F.Memory)];
    setFitted(N.StartupUs, F.StartupUs);
    setFitted(N.Efficiency, F.Efficiency);
  }
  return L;
}
