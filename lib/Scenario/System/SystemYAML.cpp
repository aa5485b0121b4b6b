//===- SystemYAML.cpp - Reading a system's file ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SystemReader.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace ptxpredict;
using llvm::yaml::Node;

static constexpr NumberRule NodesRule = {"", 1, 1e7, false, /*IsWhole=*/true};
static constexpr NumberRule SupplyRule = {"", 0, 1, /*IsAboveLow=*/true};
/// Of a whole system; its parts are made one by one when a scenario runs.
static constexpr double MostParts = 1e8;

void SystemReader::addLinkKind(YAMLFields &Fields, SystemLinkKind &Into) {
  Fields.required("link", [this, &Into](Node &N, StringRef Key) {
    const std::optional<YAMLText> T = Nodes.text(N, Key);
    if (!T)
      return;
    if (isGivenUp()) // nobody would see which name is near
      return Nodes.error(T->Loc, "not looked for");
    if (Expected<const Link *> L = Parts.Links.find(T->Text))
      Into.Of = *L;
    else
      Nodes.error(T->Loc, llvm::toString(L.takeError()));
  });
  Fields.optional("sharing", [this, &Into](Node &N, StringRef Key) {
    if (Nodes.oneOf(N, Key, {"fair", "fifo"}) == size_t(1))
      Into.Sharing = LinkSharing::FIFO;
  });
  Fields.optional("duplex", [this, &Into](Node &N, StringRef Key) {
    if (Nodes.oneOf(N, Key, {"full", "half"}) == size_t(1))
      Into.Duplex = LinkDuplex::Half;
  });
}

void SystemReader::readBetween(Node &N, StringRef Key,
                               NodeDraft::Between &Into) {
  unsigned NumEnds = 0;
  const SMLoc Place = Nodes.place(N);
  const bool IsList = Nodes.forEachElement(N, Key, [&](Node &End) {
    std::optional<YAMLText> T = Nodes.text(End, "an end of a link");
    if (T && NumEnds < 2)
      Into.Ends[NumEnds] = std::move(*T);
    ++NumEnds;
  });
  if (IsList && NumEnds != 2)
    Nodes.error(Place, "'" + Key +
                           "' takes the names of two components, such as "
                           "[cpu, gpu]");
}

void SystemReader::readNodeLink(Node &N, NodeDraft &D) {
  constexpr size_t MostLinks = 1000;
  if (D.Kind.Links.size() == MostLinks)
    return Nodes.error(Nodes.place(N), "a node has at most " +
                                           Twine(MostLinks) +
                                           " kinds of links");
  SystemLink L;
  NodeDraft::Between Ends;
  L.Place = Nodes.place(N);
  YAMLFields Fields;
  Fields.required("between",
                  [&](Node &V, StringRef Key) { readBetween(V, Key, Ends); });
  addLinkKind(Fields, L);
  Fields.optional("count", count(L.Count));
  Fields.read(Nodes, N, "a link of a node");
  Ends.HasCount = Fields.has("count");
  D.Kind.Links.push_back(L);
  D.Betweens.push_back(std::move(Ends));
}

/// Finds the components that links join.
void SystemReader::findEnds(NodeDraft &D) {
  std::vector<StringRef> Names;
  Names.reserve(D.Components.size());
  for (const SystemComponent &C : D.Components)
    Names.emplace_back(C.Name);
  for (auto [L, Between] : llvm::zip(D.Kind.Links, D.Betweens)) {
    uint64_t Largest = 1;
    bool AreFound = true;
    for (auto [End, Name] : llvm::zip(L.Ends, Between.Ends)) {
      const auto At = llvm::find(Names, Name.Text);
      AreFound &= At != Names.end() && !Name.Text.empty();
      if (AreFound) {
        End = unsigned(At - Names.begin());
        Largest = std::max(Largest, D.Components[End].Count);
      } else if (Name.Loc.isValid()) { // else it is reported that it lacks
        Nodes.error(Name.Loc,
                    "no component of the node is named '" + Name.Text + "'" +
                        (isGivenUp() ? "" : meantOrListed(Name.Text, Names)));
      }
    }
    if (!Between.HasCount)
      L.Count = Largest;
    if (AreFound && L.Ends[0] == L.Ends[1])
      Nodes.error(Between.Ends[1].Loc,
                  "a link joins two components; what joins equal ones goes "
                  "over a switch between them");
  }
}

void SystemReader::readNode(Node &N) {
  constexpr size_t MostKinds = 1000;
  if (Drafts.size() == MostKinds)
    return Nodes.error(Nodes.place(N), "a system has at most " +
                                           Twine(MostKinds) +
                                           " kinds of nodes");
  SourcedNumbers::Scope Scope(Numbers);
  NodeDraft &D = Drafts.emplace_back();
  NodeKind &Kind = D.Kind;
  Kind.Place = Nodes.place(N);
  YAMLFields Fields;
  Fields.required("name", [&](Node &V, StringRef Key) {
    const std::optional<YAMLText> T = Nodes.text(V, Key);
    if (!T || !checkPlainName(Nodes, *T, "a node"))
      return;
    Kind.Place = T->Loc;
    if (llvm::any_of(Drafts, [&](const NodeDraft &Other) {
          return Other.Kind.Name == T->Text;
        }))
      Nodes.error(T->Loc, "a second node '" + T->Text + "'");
    Kind.Name = T->Text;
  });
  Fields.optional("count", [&](Node &V, StringRef Key) {
    Kind.Count = uint64_t(Numbers.readPlain(V, Key, NodesRule).value_or(1));
  });
  constexpr std::pair<StringRef, ComponentKind> Lists[] = {
      {"cpus", ComponentKind::CPU},
      {"gpus", ComponentKind::GPU},
      {"switches", ComponentKind::Switch},
      {"nics", ComponentKind::NIC}};
  for (auto [Key, Of] : Lists)
    Fields.optional(Key, [this, &D, Of = Of](Node &V, StringRef K) {
      Nodes.forEachElement(V, K,
                           [&](Node &Item) { readComponent(Item, Of, D); });
    });
  Fields.optional("links", [&](Node &V, StringRef Key) {
    Nodes.forEachElement(V, Key, [&](Node &Item) { readNodeLink(Item, D); });
  });
  Fields.optional("base_w", Numbers.into(Kind.BaseW, WattsRule));
  Fields.optional("psu_efficiency",
                  Numbers.into(Kind.PSUEfficiency, SupplyRule));
  Fields.optional("mtbf_hours", Numbers.into(Kind.MTBFHours, HoursRule));
  Scope.addSource(Fields);
  const unsigned ErrorsBefore = Diags.numErrors();
  Fields.read(Nodes, N, "a node");
  if (Diags.numErrors() == ErrorsBefore &&
      llvm::none_of(D.Components, [](const SystemComponent &C) {
        return C.Kind == ComponentKind::CPU || C.Kind == ComponentKind::GPU;
      }))
    Nodes.error(Kind.Place, "a node needs a CPU or a GPU: cpus: [{name: cpu}]");
  findEnds(D);
}

void SystemReader::readNetwork(Node &N, StringRef Key) {
  S.NetworkPlace = Nodes.place(N);
  YAMLFields Fields;
  addLinkKind(Fields, S.Network);
  Fields.read(Nodes, N, Key);
}

void SystemReader::checkSizes() {
  double Components = 0, Links = 0;
  bool HasNIC = false;
  for (const NodeDraft &D : Drafts) {
    for (const SystemComponent &C : D.Components) {
      Components += double(C.Count) * double(D.Kind.Count);
      HasNIC |= C.Kind == ComponentKind::NIC;
    }
    for (const SystemLink &L : D.Kind.Links)
      Links += double(L.Count) * double(D.Kind.Count);
    for (auto [Sum, What] : {std::pair(Components, StringRef("components")),
                             std::pair(Links, StringRef("links"))})
      if (Sum > MostParts)
        return Nodes.error(D.Kind.Place, "with this node the system has more "
                                         "than " +
                                             shortestDecimal(MostParts) + " " +
                                             What);
  }
  if (S.NetworkPlace.isValid() && !Drafts.empty() && !HasNIC)
    Nodes.error(S.NetworkPlace, "a network joins NICs, and no node has one: "
                                "nics: [{name: nic}]");
}

void SystemReader::readRoot(Node &Root) {
  SourcedNumbers::Scope Scope(Numbers);
  FileHead Head{S.Name, S.Description};
  YAMLFields Fields;
  Head.addTo(Fields, Nodes, "a system", SystemSchemaName, SystemSchemaVersion);
  Scope.addSource(Fields, &S.Source);
  Fields.required("nodes", [this](Node &N, StringRef Key) {
    const SMLoc Place = Nodes.place(N);
    if (Nodes.forEachElement(N, Key, [this](Node &Item) { readNode(Item); }) &&
        Drafts.empty())
      Nodes.error(Place, "'" + Key + "' has no entry");
  });
  Fields.optional("network",
                  [this](Node &N, StringRef Key) { readNetwork(N, Key); });
  Fields.read(Nodes, Root, "a system");
}

/// Moves the components to where they stay, by kind, so that the order of the
/// lists in the file does not count.
void SystemReader::orderComponents(NodeDraft &D) {
  std::vector<unsigned> NewIndex(D.Components.size());
  for (ComponentKind Kind : {ComponentKind::CPU, ComponentKind::GPU,
                             ComponentKind::Switch, ComponentKind::NIC})
    for (auto [I, C] : llvm::enumerate(D.Components))
      if (C.Kind == Kind) {
        NewIndex[I] = unsigned(D.Kind.Components.size());
        D.Kind.Components.push_back(std::move(C));
      }
  if (Diags.hasErrors()) // ends may not be found
    return;
  for (SystemLink &L : D.Kind.Links)
    for (unsigned &End : L.Ends)
      End = NewIndex[End];
}

void SystemReader::read() {
  Nodes.readDocument([this](Node &Root) { readRoot(Root); },
                     /*MaxBytes=*/size_t(1) << 20);
  Numbers.finish();
  checkSizes();
  for (NodeDraft &D : Drafts) {
    for (SystemComponent &C : D.Components)
      for (auto It = C.Sources.begin(); It != C.Sources.end();)
        It = It->second.empty() ? C.Sources.erase(It) : std::next(It);
    orderComponents(D);
    S.Nodes.push_back(std::move(D.Kind));
  }
}

std::unique_ptr<System> ptxpredict::parseSystem(DiagnosticEngine &Diags,
                                                const SystemParts &Parts) {
  auto S = std::make_unique<System>();
  SystemReader(Diags, Parts, *S).read();
  return Diags.hasErrors() ? nullptr : std::move(S);
}
