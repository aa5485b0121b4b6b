//===- SystemPrinter.cpp - A system as YAML -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SourcedPrinter.h"
#include "ptxpredict/Scenario/System/System.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

/// The source of a number that is no Quantity; empty without.
static StringRef sourceOf(const SystemComponent &C, StringRef Key) {
  const auto At = C.Sources.find(Key);
  return At == C.Sources.end() ? StringRef() : StringRef(At->second);
}

/// A line of a number that is no Quantity, but of one that all have.
static void printWhole(const SystemComponent &C, StringRef Key, uint64_t Value,
                       uint64_t Default, const SourcedPrinter &P) {
  if (Value != Default || C.Sources.count(Key))
    P.OS << "    " << Key << ": " << P.number(double(Value), sourceOf(C, Key))
         << '\n';
}

static void printPlaces(const SystemComponent &C, const SourcedPrinter &P) {
  if (!C.DeviceName.empty())
    P.OS << "    device: " << quoteYAML(C.DeviceName) << '\n';
  if (!C.Labels.empty()) {
    llvm::ListSeparator Comma;
    P.OS << "    labels: {";
    for (const PlaceLabel &L : C.Labels)
      P.OS << Comma << L.Label << ": " << L.Places;
    P.OS << "}\n";
  }
  P.line("    ", "memory", C.MemoryBytes);
  if (C.Kind == ComponentKind::CPU) {
    const uint64_t Default = C.On ? uint64_t(*C.On->NumSMs) : 1;
    printWhole(C, "cores", C.Cores, Default, P);
    P.line("    ", "performance", C.Performance);
  } else {
    const SystemComponent Defaults;
    printWhole(C, "copy_engines", C.CopyEngines, Defaults.CopyEngines, P);
    printWhole(C, "concurrent_kernels", C.ConcurrentKernels,
               Defaults.ConcurrentKernels, P);
    P.line("    ", "launch_us", C.LaunchUs);
  }
  if (!C.Attributes.empty())
    P.OS << "    attributes:\n";
  for (const auto &[Name, Value] : C.Attributes)
    P.OS << "      " << Name << ": "
         << P.number(Value, sourceOf(C, "attributes." + Name)) << '\n';
}

static void printComponents(const NodeKind &N, ComponentKind Kind,
                            StringRef Key, const SourcedPrinter &P) {
  bool IsBegun = false;
  for (const SystemComponent &C : N.Components) {
    if (C.Kind != Kind)
      continue;
    if (!IsBegun)
      P.OS << "  " << Key << ":\n";
    IsBegun = true;
    P.OS << "  - name: " << C.Name << "\n    count: " << C.Count << '\n';
    if (Kind == ComponentKind::CPU || Kind == ComponentKind::GPU)
      printPlaces(C, P);
    P.line("    ", "idle_w", C.IdleW);
    P.line("    ", "active_w", C.ActiveW);
    P.line("    ", "mtbf_hours", C.MTBFHours);
  }
}

static void printLinkKind(const SystemLinkKind &L, raw_ostream &OS) {
  OS << "link: " << L.Of->Name
     << ", sharing: " << (L.Sharing == LinkSharing::Fair ? "fair" : "fifo")
     << ", duplex: " << (L.Duplex == LinkDuplex::Full ? "full" : "half")
     << "}\n";
}

static void printNode(const NodeKind &N, const SourcedPrinter &P) {
  P.OS << "- name: " << N.Name << "\n  count: " << N.Count << '\n';
  printComponents(N, ComponentKind::CPU, "cpus", P);
  printComponents(N, ComponentKind::GPU, "gpus", P);
  printComponents(N, ComponentKind::Switch, "switches", P);
  printComponents(N, ComponentKind::NIC, "nics", P);
  if (!N.Links.empty())
    P.OS << "  links:\n";
  for (const SystemLink &L : N.Links) {
    P.OS << "  - {between: [" << N.Components[L.Ends[0]].Name << ", "
         << N.Components[L.Ends[1]].Name << "], count: " << L.Count << ", ";
    printLinkKind(L, P.OS);
  }
  P.line("  ", "base_w", N.BaseW);
  P.line("  ", "psu_efficiency", N.PSUEfficiency);
  P.line("  ", "mtbf_hours", N.MTBFHours);
}

void ptxpredict::printSystem(const System &S, raw_ostream &OS) {
  const SourcedPrinter P(OS, S.Source);
  P.head(SystemSchemaName, SystemSchemaVersion, S.Name, S.Description);
  OS << "nodes:\n";
  for (const NodeKind &N : S.Nodes)
    printNode(N, P);
  if (S.Network.Of) {
    OS << "network: {";
    printLinkKind(S.Network, OS);
  }
}
