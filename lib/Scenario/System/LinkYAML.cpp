//===- LinkYAML.cpp - Reading a link's file -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SourcedNumbers.h"
#include "ptxpredict/Scenario/System/Link.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using llvm::yaml::Node;

/// What files may say: slips of the pen are outside.
static constexpr NumberRule BandwidthRule = {
    "GB/s", 0, 1e6, /*IsAboveLow=*/true, /*IsWhole=*/false, "Gbit/s", 0.125};
static constexpr NumberRule TransferRateRule = {"GT/s", 0, 1e4,
                                                /*IsAboveLow=*/true};
static constexpr NumberRule LanesRule = {"", 1, 1024, false, /*IsWhole=*/true};
static constexpr NumberRule StartupRule = {"us"};
static constexpr NumberRule EfficiencyRule = {"", 0, 1, /*IsAboveLow=*/true};
static constexpr NumberRule FactorRule = {"", 0, 1e6, /*IsAboveLow=*/true};
static constexpr NumberRule FromRule = {"bytes", 0, 1e18, false,
                                        /*IsWhole=*/true};

namespace {

class LinkReader {
public:
  LinkReader(DiagnosticEngine &Diags, Link &L)
      : Nodes(Diags), Numbers(Nodes), L(L) {}

  void read();

private:
  void readRoot(Node &Root);
  void readLanes(Node &N, StringRef Key);
  void readEncoding(Node &N, StringRef Key);
  void readTransfers(Node &N, StringRef Key);
  void readHostTransfers(Node &N, TransferWay Way);
  void readKind(Node &N, StringRef Key, TransferNumbers &Into);
  void readPolicy(Node &N);

  YAMLNodes Nodes;
  SourcedNumbers Numbers;
  Link &L;
  /// Not in the link: numbers stay where they are while the file is read.
  std::deque<LinkPolicy> Policies;
};

} // namespace

/// `128/130`: bits of data over bits on the wire.
void LinkReader::readEncoding(Node &N, StringRef Key) {
  const std::optional<YAMLText> T = Nodes.text(N, Key);
  if (!T)
    return;
  constexpr unsigned MostBits = 1 << 16;
  const auto [Data, Wire] = StringRef(T->Text).split('/');
  unsigned DataBits = 0, WireBits = 0;
  if (Data.getAsInteger(10, DataBits) || Wire.getAsInteger(10, WireBits) ||
      DataBits == 0 || DataBits > WireBits || WireBits > MostBits)
    return Nodes.error(T->Loc, "'" + Key +
                                   "' is written BITS OF DATA/BITS ON THE "
                                   "WIRE, such as 128/130, not '" +
                                   T->Text + "'");
  L.Lanes->DataBits = DataBits;
  L.Lanes->WireBits = WireBits;
}

void LinkReader::readLanes(Node &N, StringRef Key) {
  LinkLanes &Lanes = L.Lanes.emplace();
  SourcedNumbers::Scope Scope(Numbers);
  YAMLFields Fields;
  Scope.addSource(Fields);
  Fields.required("gt_per_s",
                  Numbers.into(Lanes.GTPerSecond, TransferRateRule));
  Fields.required("encoding",
                  [this](Node &V, StringRef K) { readEncoding(V, K); });
  Fields.required("lanes", [&](Node &V, StringRef K) {
    Lanes.Lanes = unsigned(Numbers.readPlain(V, K, LanesRule).value_or(1));
  });
  Fields.read(Nodes, N, Key);
}

void LinkReader::readKind(Node &N, StringRef Key, TransferNumbers &Into) {
  SourcedNumbers::Scope Scope(Numbers);
  YAMLFields Fields;
  Fields.optional("startup_us", Numbers.into(Into.StartupUs, StartupRule));
  Fields.optional("efficiency", Numbers.into(Into.Efficiency, EfficiencyRule));
  Scope.addSource(Fields);
  Fields.read(Nodes, N, Key);
}

void LinkReader::readHostTransfers(Node &N, TransferWay Way) {
  SourcedNumbers::Scope Scope(Numbers);
  YAMLFields Fields;
  for (HostMemory Memory : {HostMemory::Pageable, HostMemory::Pinned})
    Fields.optional(
        toString(Memory), [this, Way, Memory](Node &V, StringRef Key) {
          readKind(V, Key, L.Transfers[size_t(Way)][size_t(Memory)]);
        });
  Scope.addSource(Fields);
  Fields.read(Nodes, N, toString(Way));
}

void LinkReader::readTransfers(Node &N, StringRef Key) {
  SourcedNumbers::Scope Scope(Numbers);
  YAMLFields Fields;
  for (TransferWay Way : {TransferWay::HostToDevice, TransferWay::DeviceToHost})
    Fields.optional(toString(Way), [this, Way](Node &V, StringRef) {
      readHostTransfers(V, Way);
    });
  Fields.optional(
      toString(TransferWay::PeerToPeer), [this](Node &V, StringRef K) {
        readKind(V, K, L.Transfers[size_t(TransferWay::PeerToPeer)][0]);
      });
  Scope.addSource(Fields);
  Fields.read(Nodes, N, Key);
}

void LinkReader::readPolicy(Node &N) {
  constexpr size_t MostPolicies = 1000;
  if (Policies.size() == MostPolicies)
    return Nodes.error(Nodes.place(N), "a link has at most " +
                                           Twine(MostPolicies) + " policies");
  SourcedNumbers::Scope Scope(Numbers);
  LinkPolicy &P = Policies.emplace_back();
  std::optional<YAMLText> Name;
  YAMLFields Fields;
  Fields.required("name", [&](Node &V, StringRef K) {
    Name = Nodes.text(V, K);
    if (Name && checkPlainName(Nodes, *Name, "a policy"))
      P.Name = Name->Text;
  });
  Fields.optional("from", [&](Node &V, StringRef K) {
    P.FromBytes = uint64_t(Numbers.readPlain(V, K, FromRule).value_or(0));
  });
  Fields.optional("latency_factor", Numbers.into(P.LatencyFactor, FactorRule));
  Fields.optional("energy_factor", Numbers.into(P.EnergyFactor, FactorRule));
  Scope.addSource(Fields);
  Fields.read(Nodes, N, "a policy");
  if (Name && llvm::any_of(llvm::drop_end(Policies), [&](const LinkPolicy &Q) {
        return Q.Name == P.Name && Q.FromBytes == P.FromBytes;
      }))
    Nodes.error(Name->Loc, "a second policy '" + Name->Text +
                               "' of messages from that size on");
}

void LinkReader::readRoot(Node &Root) {
  SourcedNumbers::Scope Scope(Numbers);
  FileHead Head{L.Name, L.Description};
  const SMLoc Place = Nodes.place(Root);
  YAMLFields Fields;
  Head.addTo(Fields, Nodes, "a link", LinkSchemaName, LinkSchemaVersion);
  Scope.addSource(Fields, &L.Source);
  Fields.optional("bandwidth", Numbers.into(L.BandwidthGBs, BandwidthRule));
  Fields.optional("pcie", [this](Node &N, StringRef K) { readLanes(N, K); });
  Fields.optional("transfers",
                  [this](Node &N, StringRef K) { readTransfers(N, K); });
  Fields.optional("idle_w", Numbers.into(L.IdleW, WattsRule));
  Fields.optional("active_w", Numbers.into(L.ActiveW, WattsRule));
  Fields.optional("mtbf_hours", Numbers.into(L.MTBFHours, HoursRule));
  Fields.optional("policies", [this](Node &N, StringRef K) {
    Nodes.forEachElement(N, K, [this](Node &Item) { readPolicy(Item); });
  });
  Fields.read(Nodes, Root, "a link");
  if (isa<llvm::yaml::MappingNode>(Root) && !Fields.has("bandwidth") &&
      !Fields.has("pcie"))
    Nodes.error(Place, "a link needs the key 'bandwidth' or 'pcie'");
}

void LinkReader::read() {
  Nodes.readDocument([this](Node &Root) { readRoot(Root); },
                     /*MaxBytes=*/size_t(1) << 20);
  Numbers.finish();
  L.Policies.assign(std::make_move_iterator(Policies.begin()),
                    std::make_move_iterator(Policies.end()));
  if (L.BandwidthGBs || !L.Lanes || !L.Lanes->GTPerSecond)
    return;
  const LinkLanes &Lanes = *L.Lanes;
  L.BandwidthGBs = {
      laneGBs(*Lanes.GTPerSecond, Lanes.DataBits, Lanes.WireBits) * Lanes.Lanes,
      Lanes.GTPerSecond.Source, ""};
}

std::unique_ptr<Link> ptxpredict::parseLink(DiagnosticEngine &Diags) {
  auto L = std::make_unique<Link>();
  LinkReader(Diags, *L).read();
  return Diags.hasErrors() ? nullptr : std::move(L);
}
