//===- SystemText.cpp - Systems as a table and as text --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SourcedText.h"
#include "ptxpredict/Scenario/View/LinkView.h"
#include "ptxpredict/Scenario/View/SystemView.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

using Align = TextTable::Align;

std::vector<const Link *> ptxpredict::linksOf(const System &S) {
  std::map<StringRef, const Link *> ByName;
  for (const NodeKind &N : S.Nodes)
    for (const SystemLink &L : N.Links)
      ByName[L.Of->Name] = L.Of;
  if (S.Network.Of)
    ByName[S.Network.Of->Name] = S.Network.Of;
  auto All = llvm::make_second_range(ByName);
  return {All.begin(), All.end()};
}

/// Parts of that kind in all nodes.
static uint64_t countOf(const System &S, ComponentKind Kind) {
  uint64_t Sum = 0;
  for (const NodeKind &N : S.Nodes)
    for (const SystemComponent &C : N.Components)
      if (C.Kind == Kind)
        Sum += N.Count * C.Count;
  return Sum;
}

static uint64_t numNodes(const System &S) {
  uint64_t Sum = 0;
  for (const NodeKind &N : S.Nodes)
    Sum += N.Count;
  return Sum;
}

/// "a100-40gb, rtx-a6000"
static std::string devicesOf(const System &S) {
  std::vector<StringRef> Names;
  for (const NodeKind &N : S.Nodes)
    for (const SystemComponent &C : N.Components)
      if (C.Kind == ComponentKind::GPU && C.On &&
          !llvm::is_contained(Names, C.On->Name))
        Names.emplace_back(C.On->Name);
  return llvm::join(Names, ", ");
}

void ptxpredict::printSystemTable(ArrayRef<const System *> Systems,
                                  raw_ostream &OS) {
  TextTable T({Align::Left, Align::Right, Align::Right, Align::Right,
               Align::Left, Align::Left, Align::Left});
  T.addRow(
      {"system", "nodes", "CPUs", "GPUs", "device", "network", "description"});
  for (const System *S : Systems)
    T.addRow(
        {S->Name, std::to_string(numNodes(*S)),
         std::to_string(countOf(*S, ComponentKind::CPU)),
         std::to_string(countOf(*S, ComponentKind::GPU)),
         fit(devicesOf(*S), 24), S->Network.Of ? S->Network.Of->Name : "-",
         fit(StringRef(S->Description).split(',').first.split(';').first, 32)});
  T.print(OS, /*Indent=*/0);
}

/// "fair, full duplex"
static std::string useText(const SystemLinkKind &L) {
  return std::string(L.Sharing == LinkSharing::Fair ? "fair" : "fifo") +
         (L.Duplex == LinkDuplex::Full ? ", full duplex" : ", half duplex");
}

/// A number that is no Quantity, with its source if it has one; \p Otherwise:
/// what it is by default.
static void printPlain(const SystemComponent &C, StringRef Key, StringRef Name,
                       double Value, StringRef Otherwise, raw_ostream &OS) {
  const auto At = C.Sources.find(Key);
  printIfKnown(
      OS, 4, Name,
      {Value, At != C.Sources.end() ? At->second : Otherwise.str(), ""});
}

static void printComponent(const SystemComponent &C, raw_ostream &OS) {
  OS << "\n  " << toString(C.Kind) << ' ' << C.Name << " x " << C.Count;
  if (!C.DeviceName.empty())
    OS << ": " << C.DeviceName
       << (C.On && C.On->Name != C.DeviceName ? " (" + C.On->Name + ")" : "");
  OS << '\n';
  for (const PlaceLabel &L : C.Labels)
    OS << "    label " << L.Label << ": " << plural(L.Places, "place")
       << " each\n";
  constexpr StringRef Default = "the default";
  if (C.Kind == ComponentKind::CPU) {
    printPlain(C, "cores", "cores", double(C.Cores),
               C.On ? StringRef("the device") : Default, OS);
    printIfKnown(OS, 4, "performance", C.Performance, "operations/s");
  }
  if (C.Kind == ComponentKind::GPU) {
    printPlain(C, "copy_engines", "copy_engines", C.CopyEngines, Default, OS);
    printPlain(C, "concurrent_kernels", "concurrent_kernels",
               C.ConcurrentKernels, Default, OS);
    printIfKnown(OS, 4, "launch", C.LaunchUs, "us");
  }
  if (C.MemoryBytes)
    printSourced(OS, 4, "memory", C.MemoryBytes,
                 bytesText(uint64_t(*C.MemoryBytes)));
  for (const auto &[Name, Value] : C.Attributes)
    printPlain(C, "attributes." + Name, "attribute " + Name, Value, "", OS);
  printIfKnown(OS, 4, "idle", C.IdleW, "W");
  printIfKnown(OS, 4, "active", C.ActiveW, "W");
  printIfKnown(OS, 4, "mtbf", C.MTBFHours, "h");
}

static void printNode(const NodeKind &N, raw_ostream &OS) {
  OS << "\nnode " << N.Name << " x " << N.Count << '\n';
  printIfKnown(OS, 2, "base", N.BaseW, "W");
  printIfKnown(OS, 2, "psu_efficiency", N.PSUEfficiency);
  printIfKnown(OS, 2, "mtbf", N.MTBFHours, "h");
  for (const SystemComponent &C : N.Components)
    printComponent(C, OS);
  if (N.Links.empty())
    return;
  OS << '\n';
  TextTable T({Align::Left, Align::Right, Align::Left, Align::Left});
  T.addRow({"links between", "count", "link", "shared"});
  for (const SystemLink &L : N.Links)
    T.addRow(
        {N.Components[L.Ends[0]].Name + " and " + N.Components[L.Ends[1]].Name,
         std::to_string(L.Count), L.Of->Name, useText(L)});
  T.print(OS);
}

void ptxpredict::printSystemText(const System &S, raw_ostream &To) {
  PrintableStream OS(To);
  OS << S.Name << ": " << printable(S.Description) << "\n  "
     << plural(numNodes(S), "node") << ", "
     << plural(countOf(S, ComponentKind::CPU), "CPU") << ", "
     << plural(countOf(S, ComponentKind::GPU), "GPU") << '\n';
  if (!S.Source.empty()) {
    OS << "  source: ";
    printWrapped(OS, S.Source, 10, 10);
  }
  for (const NodeKind &N : S.Nodes)
    printNode(N, OS);
  if (S.Network.Of)
    OS << "\nnetwork " << S.Network.Of->Name << ", " << useText(S.Network)
       << ": of each NIC, to a fabric that never is the limit\n";
  for (const Link *L : linksOf(S)) {
    OS << "\nlink ";
    printLinkText(*L, OS);
  }
}
