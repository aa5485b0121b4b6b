//===- ComponentReader.cpp - Reading the parts of a node ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SystemReader.h"
#include "llvm/ADT/STLExtras.h"
#include <cfloat>

using namespace ptxpredict;
using llvm::yaml::Node;

static constexpr NumberRule CountRule = {"", 1, 1e6, false, /*IsWhole=*/true};
/// One for both ways, or one for each.
static constexpr NumberRule EnginesRule = {"", 1, 2, false, /*IsWhole=*/true};
static constexpr NumberRule KernelsRule = {"", 1, 1024, false,
                                           /*IsWhole=*/true};
static constexpr NumberRule PerformanceRule = {"operations/s", 0, 1e30,
                                               /*IsAboveLow=*/true};
static constexpr NumberRule LaunchRule = {"us", 0, 1e6};
static constexpr NumberRule AttributeRule = {"", -DBL_MAX, DBL_MAX};

YAMLFields::ReadFunction SystemReader::count(uint64_t &Into) {
  return [this, &Into](Node &N, StringRef Key) {
    Into = uint64_t(Numbers.readPlain(N, Key, CountRule).value_or(1));
  };
}

const Device *SystemReader::findDevice(const YAMLText &Name) {
  constexpr size_t MostNames = 1000; // each may take long to find
  if (KnownDevices.size() == MostNames && !KnownDevices.count(Name.Text)) {
    Nodes.error(Name.Loc, "a system names at most " + Twine(MostNames) +
                              " different devices");
    return nullptr;
  }
  const auto [It, IsNew] =
      KnownDevices.try_emplace(Name.Text, nullptr, std::string());
  auto &[Found, Problem] = It->second;
  if (IsNew && !isGivenUp()) {
    if (Expected<const Device *> D = Parts.Devices.find(Name.Text))
      Found = *D;
    else
      Problem = llvm::toString(D.takeError());
  }
  if (!Found)
    Nodes.error(Name.Loc, Problem);
  return Found;
}

void SystemReader::readLabels(Node &N, StringRef Key, SystemComponent &C) {
  if (C.Kind != ComponentKind::CPU && C.Kind != ComponentKind::GPU)
    return Nodes.error(Nodes.place(N), "a " + toString(C.Kind) +
                                           " has no labels: processes run on "
                                           "CPUs and GPUs");
  Nodes.forEachEntry(N, Key, {}, [&](YAMLText &Label, Node &Value) {
    const std::optional<double> Places =
        Numbers.readPlain(Value, Label.Text, CountRule);
    if (checkIdentifier(Nodes, Label, "a label") && Places)
      C.Labels.push_back({std::move(Label.Text), uint64_t(*Places)});
  });
}

void SystemReader::readAttributes(Node &N, StringRef Key, SystemComponent &C) {
  Nodes.forEachEntry(N, Key, {}, [&](YAMLText &Name, Node &Value) {
    if (!checkIdentifier(Nodes, Name, "an attribute"))
      return;
    if (std::optional<double> V =
            Numbers.read(Value, Name.Text, AttributeRule,
                         C.Sources["attributes." + Name.Text]))
      C.Attributes[Name.Text] = *V;
  });
}

void SystemReader::addDevice(YAMLFields &Fields, SystemComponent &C) {
  auto Read = [this, &C](Node &N, StringRef Key) {
    const std::optional<YAMLText> T = Nodes.text(N, Key);
    if (!T)
      return;
    C.DeviceName = T->Text;
    C.On = findDevice(*T);
    if (C.On && C.On->IsCPU != (C.Kind == ComponentKind::CPU)) {
      Nodes.error(T->Loc, "'" + T->Text + "' is a " +
                              (C.On->IsCPU ? "CPU" : "GPU") +
                              "; it belongs among the " +
                              (C.On->IsCPU ? "cpus" : "gpus"));
      C.On = nullptr;
    }
  };
  if (C.Kind == ComponentKind::GPU)
    Fields.required("device", Read);
  else
    Fields.optional("device", Read);
}

/// The keys of what processes run on.
void SystemReader::addPlaces(YAMLFields &Fields, SystemComponent &C) {
  addDevice(Fields, C);
  Fields.optional("memory", Numbers.into(C.MemoryBytes, BytesRule));
  Fields.optional("attributes",
                  [&](Node &N, StringRef Key) { readAttributes(N, Key, C); });
  auto Whole = [&](auto &Into, const NumberRule &Rule) {
    return [this, &C, &Into, Rule](Node &N, StringRef Key) {
      if (auto V = Numbers.read(N, Key, Rule, C.Sources[Key.str()]))
        Into = std::remove_reference_t<decltype(Into)>(*V);
    };
  };
  if (C.Kind == ComponentKind::CPU) {
    Fields.optional("cores", Whole(C.Cores, CountRule));
    Fields.optional("performance",
                    Numbers.into(C.Performance, PerformanceRule));
  } else {
    Fields.optional("copy_engines", Whole(C.CopyEngines, EnginesRule));
    Fields.optional("concurrent_kernels",
                    Whole(C.ConcurrentKernels, KernelsRule));
    Fields.optional("launch_us", Numbers.into(C.LaunchUs, LaunchRule));
  }
}

/// Fills what the file leaves open with what the device says.
static void fillFromDevice(SystemComponent &C) {
  const Device &D = *C.On;
  auto Fill = [&D](Quantity &Into, const Quantity &From) {
    if (Into || !From)
      return;
    Into = {From.Value, From.Source, ""};
    Into.From = D.Name;
  };
  Fill(C.MemoryBytes, D.DRAMBytes);
  Fill(C.IdleW, D.IdleWatts);
  Fill(C.ActiveW, D.ActiveWatts);
  if (C.Kind == ComponentKind::CPU) {
    if (!C.Sources.count("cores") && D.NumSMs)
      C.Cores = uint64_t(*D.NumSMs);
  } else if (const Quantity *Launch =
                 D.modelParameter("bottleneck", "launch_overhead")) {
    Fill(C.LaunchUs, *Launch);
  }
}

void SystemReader::readComponent(Node &N, ComponentKind Kind, NodeDraft &D) {
  constexpr size_t MostComponents = 256;
  if (D.Components.size() == MostComponents)
    return Nodes.error(Nodes.place(N), "a node has at most " +
                                           Twine(MostComponents) +
                                           " kinds of components");
  SourcedNumbers::Scope Scope(Numbers);
  SystemComponent &C = D.Components.emplace_back();
  C.Kind = Kind;
  C.Place = Nodes.place(N);
  YAMLFields Fields;
  Fields.required("name", [&](Node &V, StringRef Key) {
    const std::optional<YAMLText> T = Nodes.text(V, Key);
    if (!T || !checkPlainName(Nodes, *T, "a component"))
      return;
    C.Place = T->Loc;
    if (llvm::any_of(D.Components, [&](const SystemComponent &Other) {
          return Other.Name == T->Text;
        }))
      Nodes.error(T->Loc, "a second component '" + T->Text + "' of the node");
    C.Name = T->Text;
  });
  Fields.optional("count", count(C.Count));
  Fields.optional("labels",
                  [&](Node &V, StringRef Key) { readLabels(V, Key, C); });
  if (Kind == ComponentKind::CPU || Kind == ComponentKind::GPU)
    addPlaces(Fields, C);
  Fields.optional("idle_w", Numbers.into(C.IdleW, WattsRule));
  Fields.optional("active_w", Numbers.into(C.ActiveW, WattsRule));
  Fields.optional("mtbf_hours", Numbers.into(C.MTBFHours, HoursRule));
  Scope.addSource(Fields);
  Fields.read(Nodes, N, "a " + toString(Kind));
  if (C.On)
    fillFromDevice(C);
}
