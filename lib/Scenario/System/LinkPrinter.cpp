//===- LinkPrinter.cpp - A link as YAML -----------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SourcedPrinter.h"
#include "ptxpredict/Scenario/System/Link.h"

using namespace ptxpredict;

static bool isEmpty(const TransferNumbers &T) {
  return !T.StartupUs && !T.Efficiency;
}

static void printBandwidth(const Link &L, const SourcedPrinter &P) {
  if (!L.Lanes)
    return P.line("", "bandwidth", L.BandwidthGBs);
  const LinkLanes &Lanes = *L.Lanes;
  P.OS << "pcie: {gt_per_s: "
       << P.number(*Lanes.GTPerSecond, Lanes.GTPerSecond.Source)
       << ", encoding: " << Lanes.DataBits << '/' << Lanes.WireBits
       << ", lanes: " << Lanes.Lanes << "}\n";
  // What is computed from the lanes need not be said.
  if (*L.BandwidthGBs !=
          laneGBs(*Lanes.GTPerSecond, Lanes.DataBits, Lanes.WireBits) *
              Lanes.Lanes ||
      L.BandwidthGBs.Source != Lanes.GTPerSecond.Source)
    P.line("", "bandwidth", L.BandwidthGBs);
}

static void printTransferKind(StringRef Indent, StringRef Key,
                              const TransferNumbers &T,
                              const SourcedPrinter &P) {
  if (isEmpty(T))
    return;
  P.OS << Indent << Key << ":\n";
  const std::string Inner = (Indent + "  ").str();
  P.line(Inner, "startup_us", T.StartupUs);
  P.line(Inner, "efficiency", T.Efficiency);
}

static void printTransfers(const Link &L, const SourcedPrinter &P) {
  bool IsBegun = false;
  for (unsigned W = 0; W != NumTransferWays; ++W) {
    const auto &[First, Second] = L.Transfers[W];
    if (isEmpty(First) && isEmpty(Second))
      continue;
    if (!IsBegun)
      P.OS << "transfers:\n";
    IsBegun = true;
    const StringRef Way = toString(TransferWay(W));
    if (TransferWay(W) == TransferWay::PeerToPeer) {
      printTransferKind("  ", Way, First, P);
      continue;
    }
    P.OS << "  " << Way << ":\n";
    for (unsigned M = 0; M != NumHostMemories; ++M)
      printTransferKind("    ", toString(HostMemory(M)), L.Transfers[W][M], P);
  }
}

void ptxpredict::printLink(const Link &L, raw_ostream &OS) {
  const SourcedPrinter P(OS, L.Source);
  P.head(LinkSchemaName, LinkSchemaVersion, L.Name, L.Description);
  printBandwidth(L, P);
  printTransfers(L, P);
  P.line("", "idle_w", L.IdleW);
  P.line("", "active_w", L.ActiveW);
  P.line("", "mtbf_hours", L.MTBFHours);
  if (!L.Policies.empty())
    OS << "policies:\n";
  for (const LinkPolicy &Policy : L.Policies) {
    OS << "- name: " << Policy.Name << "\n  from: " << Policy.FromBytes << '\n';
    P.line("  ", "latency_factor", Policy.LatencyFactor);
    P.line("  ", "energy_factor", Policy.EnergyFactor);
  }
}
