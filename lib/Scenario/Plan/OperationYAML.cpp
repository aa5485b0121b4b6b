//===- OperationYAML.cpp - The operations of a process, read --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScenarioReader.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using llvm::yaml::MappingNode;
using llvm::yaml::Node;
using llvm::yaml::NullNode;
using llvm::yaml::ScalarNode;
using Kind = OperationKind;

/// Operations in operations; the reader recurses.
static constexpr unsigned MaxOperationDepth = 32;
/// The default stream looks at all others.
static constexpr unsigned MaxStreams = 1000, MaxEvents = 1'000'000;

static constexpr StringRef OperationKeys[] = {
#define OPERATION(KIND, KEY, GROUP, MEANING) KEY,
#include "ptxpredict/Scenario/Plan/Operations.def"
};

StringRef ptxpredict::toString(OperationKind Kind) {
  return OperationKeys[size_t(Kind)];
}

OperationGroup ptxpredict::groupOf(OperationKind Kind) {
  static constexpr OperationGroup Groups[] = {
#define OPERATION(KIND, KEY, GROUP, MEANING) OperationGroup::GROUP,
#include "ptxpredict/Scenario/Plan/Operations.def"
  };
  return Groups[size_t(Kind)];
}

StringRef ptxpredict::toString(CollectiveAlgorithm A) {
  return A == CollectiveAlgorithm::Ring ? "ring" : "tree";
}

YAMLFields::ReadFunction OperationReader::formula(FormulaNumber &Into) {
  return [this, &Into](Node &V, StringRef Key) {
    Into = Whole.readFormula(V, Key);
  };
}

YAMLFields::ReadFunction OperationReader::later(unsigned Operation) {
  return [this, Operation](Node &V, StringRef Key) {
    if (std::optional<YAMLText> T = Nodes.text(V, Key))
      Named[Operation] = std::move(*T);
  };
}

unsigned OperationReader::indexOf(const YAMLText &Name,
                                  std::vector<std::string> &All,
                                  llvm::StringMap<unsigned> &Known,
                                  unsigned Most, StringRef What) {
  auto [At, IsNew] = Known.try_emplace(Name.Text, unsigned(All.size()));
  if (!IsNew)
    return At->second;
  if (All.size() == Most)
    Nodes.error(Name.Loc, "a process has at most " + Twine(Most) + " " + What);
  if (All.size() < Most)
    All.push_back(Name.Text);
  return At->second = unsigned(All.size() - 1);
}

void OperationReader::setStream(const YAMLText &Name, Operation &Op) {
  Op.HasStream = true;
  // What waits for a stream does not make one.
  if (Op.Kind == Kind::Sync || Op.Kind == Kind::Event)
    NamedStreams[Op.Number] = Name;
  else if (Whole.checkIdentifier(Name, "a stream"))
    Op.Stream = indexOf(Name, Process->Streams, Streams, MaxStreams, "streams");
}

/// Bytes and what takes the place of a link's time.
void OperationReader::addTimeFields(YAMLFields &Fields, Operation &Op) {
  const OperationGroup Group = groupOf(Op.Kind);
  const bool HasBytes =
      Group == OperationGroup::Copy || Op.Kind == Kind::Send ||
      Op.Kind == Kind::Alloc || Op.Kind == Kind::Free ||
      (Group == OperationGroup::Collective && Op.Kind != Kind::Barrier);
  if (HasBytes)
    Fields.required("bytes", formula(Op.Amount));
  if (Group == OperationGroup::Copy || Op.Kind == Kind::Send ||
      Group == OperationGroup::Collective)
    Fields.optional("seconds", formula(Op.Seconds));
  if (Op.Kind == Kind::Delay)
    Fields.required("seconds", formula(Op.Amount));
  if (Op.Kind == Kind::Host) {
    Fields.optional("seconds", formula(Op.Amount));
    Fields.optional("operations", formula(Op.Operations));
    Fields.optional("performance", formula(Op.Performance));
  }
}

/// Where it is done, and how.
void OperationReader::addPlaceFields(YAMLFields &Fields, Operation &Op) {
  const OperationGroup Group = groupOf(Op.Kind);
  const bool IsOnGPU = Group == OperationGroup::Copy ||
                       Group == OperationGroup::Kernel ||
                       Op.Kind == Kind::Alloc || Op.Kind == Kind::Free;
  if (IsOnGPU)
    Fields.optional("gpu", formula(Op.GPU));
  if (Group == OperationGroup::Copy || Group == OperationGroup::Kernel ||
      Group == OperationGroup::Collective || Op.Kind == Kind::Delay ||
      Op.Kind == Kind::Event || Op.Kind == Kind::Wait || Op.Kind == Kind::Sync)
    Fields.optional("stream", [&](Node &V, StringRef Key) {
      if (std::optional<YAMLText> T = Nodes.text(V, Key))
        setStream(*T, Op);
    });
  if (Op.Kind == Kind::HostToDevice || Op.Kind == Kind::DeviceToHost)
    Fields.optional("pinned", [&](Node &V, StringRef Key) {
      if (Nodes.boolean(V, Key).value_or(false))
        Op.Memory = HostMemory::Pinned;
    });
  if (Group == OperationGroup::Collective && Op.Kind != Kind::Barrier)
    Fields.optional("algorithm", [&](Node &V, StringRef Key) {
      if (std::optional<size_t> A = Nodes.oneOf(V, Key, {"ring", "tree"}))
        Op.Algorithm = CollectiveAlgorithm(*A);
    });
}

/// What it is done with.
void OperationReader::addPeerFields(YAMLFields &Fields, Operation &Op) {
  switch (Op.Kind) {
  case Kind::Launch:
    Fields.required("kernel", later(Op.Number));
    Fields.optional("times", formula(Op.Times));
    Fields.optional("with", [&](Node &V, StringRef) { readWith(V, Op); });
    return;
  case Kind::PeerToPeer:
    Fields.required("to", formula(Op.Peer));
    return;
  case Kind::Send:
    Fields.required("to", later(Op.Number));
    Fields.optional("rank", formula(Op.Peer));
    Fields.optional("tag", formula(Op.Tag));
    Fields.optional("policy", [&](Node &V, StringRef Key) {
      if (std::optional<YAMLText> T = Nodes.text(V, Key))
        Op.Policy = std::move(T->Text);
    });
    return;
  case Kind::Receive:
    Fields.required("from", later(Op.Number));
    Fields.optional("rank", formula(Op.Peer));
    Fields.optional("tag", formula(Op.Tag));
    return;
  case Kind::Broadcast:
    Fields.optional("root", formula(Op.Peer));
    return;
  case Kind::Wait:
    Fields.required("event", later(Op.Number));
    return;
  default:
    return;
  }
}

/// Operations within it. `times`, `as` and `when` stand before them, as they
/// are of what is around them.
void OperationReader::addBodyFields(YAMLFields &Fields, Operation &Op) {
  if (Op.Kind == Kind::Repeat) {
    Fields.required("times", formula(Op.Amount));
    Fields.optional("as", [&](Node &V, StringRef Key) {
      std::optional<YAMLText> T = Nodes.text(V, Key);
      if (T && Whole.checkIdentifier(*T, "a counter")) {
        if (!Op.Body.empty())
          Nodes.error(T->Loc, "'as' must stand before 'do'");
        Counter = std::move(T->Text);
      }
    });
    Fields.required("do", [&](Node &V, StringRef Key) {
      if (Whole.Counters.size() == MaxLoopDepth)
        return Nodes.error(Nodes.place(V), "loops are nested more than " +
                                               Twine(MaxLoopDepth) + " deep");
      Op.Counter = uint16_t(FirstCounterSlot + Whole.Counters.size());
      Whole.Counters.push_back(std::move(Counter));
      Counter.clear();
      readList(V, Key, Op.Body);
      Whole.Counters.pop_back();
    });
  } else if (Op.Kind == Kind::If) {
    Fields.required("when", formula(Op.Amount));
    Fields.required("then",
                    [&](Node &V, StringRef Key) { readList(V, Key, Op.Body); });
    Fields.optional("else", [&](Node &V, StringRef Key) {
      readList(V, Key, Op.Otherwise);
    });
  }
}

void OperationReader::readWith(Node &N, Operation &Op) {
  Nodes.forEachEntry(N, "with", {}, [&](YAMLText &Key, Node &Value) {
    Withs[Op.Number][Key.Text] = {
        Key.Loc, Whole.readFormula(Value, "'" + Key.Text + "'")};
  });
}

void OperationReader::readFields(Node &N, Operation &Op) {
  const SMLoc Place = Nodes.place(N);
  YAMLFields Fields;
  addTimeFields(Fields, Op);
  addPlaceFields(Fields, Op);
  addPeerFields(Fields, Op);
  addBodyFields(Fields, Op);
  std::optional<YAMLText> Name;
  if (Op.Kind == Kind::Event)
    Fields.required("name", later(Op.Number));
  else
    Fields.optional("name", [&](Node &V, StringRef Key) {
      if ((Name = Nodes.text(V, Key)))
        Nodes.checkName(*Name, "an operation");
    });
  if (!Fields.read(Nodes, N, toString(Op.Kind)))
    return;
  if (Name) {
    Op.HasOwnName = true;
    Op.Name = std::move(Name->Text);
  }
  if (Op.HasStream &&
      (Op.Kind == Kind::HostToDevice || Op.Kind == Kind::DeviceToHost))
    Op.Memory = HostMemory::Pinned;
  if (Op.Kind != Kind::Host)
    return;
  if (Op.Amount == NoFormula && Op.Operations == NoFormula)
    Nodes.error(Place, "host needs seconds or operations");
  else if (Op.Amount != NoFormula && Op.Operations != NoFormula)
    Nodes.error(Place, "host has both seconds and operations");
  else if (Op.Performance != NoFormula && Op.Operations == NoFormula)
    Nodes.error(Place, "performance goes with operations");
}

/// The short form: `h2d: 4*N`, `launch: saxpy`.
void OperationReader::readValue(Node &N, Operation &Op) {
  if (isa<MappingNode>(N))
    return readFields(N, Op);
  switch (Op.Kind) {
  case Kind::Launch:
  case Kind::Event:
  case Kind::Wait:
    later(Op.Number)(N, toString(Op.Kind));
    return;
  case Kind::Sync:
  case Kind::Barrier:
    if (std::optional<YAMLText> T = Nodes.text(N, toString(Op.Kind)))
      if (T->Text != "all" && !T->Text.empty())
        Nodes.error(T->Loc,
                    toString(Op.Kind) + " takes 'all', or {stream: NAME}");
    return;
  case Kind::Phase:
    if (std::optional<YAMLText> T = Nodes.text(N, "phase")) {
      Nodes.checkName(*T, "a phase");
      Op.Phase = Whole.phase(*T);
    }
    return;
  case Kind::PeerToPeer:
  case Kind::Send:
  case Kind::Receive:
  case Kind::Repeat:
  case Kind::If:
    return readFields(N, Op); // says that it is no mapping
  default:
    Op.Amount = Whole.readFormula(N, toString(Op.Kind));
    return;
  }
}

void OperationReader::readOne(Node &N, Operation &Op) {
  Op.Place = Nodes.place(N);
  Op.Number = Whole.nextNumber();
  if (isa<ScalarNode>(N)) { // "- barrier"
    std::optional<YAMLText> T = Nodes.text(N, "an operation");
    if (T && (T->Text == "barrier" || T->Text == "sync"))
      Op.Kind = T->Text == "sync" ? Kind::Sync : Kind::Barrier;
    else if (T)
      Nodes.error(T->Loc, "an operation is KEY: VALUE, such as 'h2d: 4Ki'");
    Op.Name = toString(Op.Kind).str();
    return;
  }
  bool HasKind = false;
  Nodes.forEachEntry(
      N, "an operation", OperationKeys, [&](YAMLText &Key, Node &Value) {
        if (HasKind)
          return Nodes.error(Key.Loc, "one operation is one key; '" + Key.Text +
                                          "' needs a '-' of its own");
        HasKind = true;
        Op.Place = Key.Loc;
        Op.Kind = Kind(llvm::find(OperationKeys, Key.Text) -
                       std::begin(OperationKeys));
        Op.Name = Key.Text;
        readValue(Value, Op);
      });
}

void OperationReader::readList(Node &N, StringRef What,
                               std::vector<Operation> &Into) {
  if (Depth == MaxOperationDepth)
    return Nodes.error(Nodes.place(N), "operations are nested too deeply");
  ++Depth;
  Nodes.forEachElement(N, What, [&](Node &Element) {
    Operation Op;
    readOne(Element, Op);
    Op.Line = Whole.diags().lineAndColumn(Op.Place).first;
    Into.push_back(std::move(Op));
  });
  --Depth;
}

void OperationReader::forEach(std::vector<Operation> &List,
                              llvm::function_ref<void(Operation &)> Do) {
  for (Operation &Op : List) {
    Do(Op);
    forEach(Op.Body, Do);
    forEach(Op.Otherwise, Do);
  }
}

void OperationReader::findOwnNames() {
  forEach(Process->Operations, [&](Operation &Op) {
    auto At = Named.find(Op.Number);
    if (Op.Kind != Kind::Event || At == Named.end())
      return;
    Nodes.checkName(At->second, "an event");
    Op.Event =
        indexOf(At->second, Process->Events, Events, MaxEvents, "events");
  });
  auto Names = [](ArrayRef<std::string> All) {
    return SmallVector<StringRef, 8>(All.begin(), All.end());
  };
  forEach(Process->Operations, [&](Operation &Op) {
    if (auto At = NamedStreams.find(Op.Number); At != NamedStreams.end()) {
      const StringRef Name = At->second.Text;
      auto Known = Streams.find(Name);
      if (Known != Streams.end())
        Op.Stream = Known->second;
      else
        Nodes.error(
            At->second.Loc,
            "no operation of the process is in a stream '" + Name + "'" +
                meantOrListed(Name,
                              Names(ArrayRef(Process->Streams).drop_front())));
    }
    auto At = Named.find(Op.Number);
    if (Op.Kind != Kind::Wait || At == Named.end())
      return;
    const StringRef Name = At->second.Text;
    auto Known = Events.find(Name);
    if (Known != Events.end())
      Op.Event = Known->second;
    else
      Nodes.error(At->second.Loc,
                  "the process has no event '" + Name + "'" +
                      meantOrListed(Name, Names(Process->Events)));
  });
  Process = nullptr; // it is moved
}

/// The index of \p Text in \p Known, or 0 (reported).
static unsigned findNamed(YAMLNodes &Nodes, const YAMLText &Text,
                          const llvm::StringMap<unsigned> &Known,
                          StringRef What) {
  if (auto At = Known.find(Text.Text); At != Known.end())
    return At->second;
  std::vector<StringRef> Names(Known.size());
  for (const auto &Each : Known)
    Names[Each.second] = Each.first();
  Nodes.error(Text.Loc, "there is no " + What + " '" + Text.Text + "'" +
                            meantOrListed(Text.Text, Names));
  return 0;
}

void OperationReader::findNames(const ScenarioNames &Known) {
  Scenario &S = Whole.scenario();
  forEach(S.Processes[Index].Operations, [&](Operation &Op) {
    auto At = Named.find(Op.Number);
    if (Op.Kind == Kind::Launch && At != Named.end()) {
      Op.Kernel = findNamed(Nodes, At->second, Known.Kernels, "kernel");
      if (!Op.HasOwnName && Op.Kernel < S.Kernels.size())
        Op.Name += " " + S.Kernels[Op.Kernel].Name;
    } else if (At != Named.end() &&
               (Op.Kind == Kind::Send || Op.Kind == Kind::Receive)) {
      Op.Label = findNamed(Nodes, At->second, Known.Labels, "label");
    }
    const auto With = Withs.find(Op.Number);
    if (With == Withs.end())
      return;
    for (const auto &[Name, Value] : With->second)
      Op.With.emplace_back(
          uint16_t(FirstVariableSlot + findNamed(Nodes, {Name, Value.first},
                                                 Known.Variables, "variable")),
          Value.second);
  });
}
