//===- System.h - Nodes, what is in them, and what joins them ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_SYSTEM_SYSTEM_H
#define PTXPREDICT_SCENARIO_SYSTEM_SYSTEM_H

#include "ptxpredict/Scenario/System/Link.h"

namespace ptxpredict {

enum class ComponentKind : uint8_t { CPU, GPU, Switch, NIC };
/// "cpu", "gpu", "switch", "nic"
StringRef toString(ComponentKind Kind);

/// A label, and how many processes with it have a place at each of a
/// component.
struct PlaceLabel {
  std::string Label;
  uint64_t Places = 1;
};

/// So many equal parts of a node.
struct SystemComponent {
  ComponentKind Kind = ComponentKind::CPU;
  std::string Name; ///< "gpu"; unique in the node
  SMLoc Place;      ///< of the name, in the system's file
  uint64_t Count = 1;
  std::string DeviceName;         ///< as written; empty without
  const Device *On = nullptr;     ///< null without
  std::vector<PlaceLabel> Labels; ///< of CPUs and GPUs
  std::map<std::string, double, std::less<>> Attributes;
  /// Where numbers come from that are no Quantity, by key: "cores",
  /// "attributes.sms".
  std::map<std::string, std::string, std::less<>> Sources;
  Quantity IdleW, ActiveW, MTBFHours;
  Quantity MemoryBytes; ///< empty: nobody knows

  // Of a CPU.
  uint64_t Cores = 1;
  Quantity Performance; ///< operations a second

  // Of a GPU.
  unsigned CopyEngines = 2; ///< 1 is for both ways
  unsigned ConcurrentKernels = 1;
  Quantity LaunchUs; ///< that a launch holds its process; empty: nobody knows
};

enum class LinkSharing : uint8_t { Fair, FIFO };
enum class LinkDuplex : uint8_t { Full, Half };

/// How links of one kind are used.
struct SystemLinkKind {
  const Link *Of = nullptr;
  LinkSharing Sharing = LinkSharing::Fair;
  LinkDuplex Duplex = LinkDuplex::Full;
};

/// So many equal links between two components of a node: number j joins end
/// number j*A/Count of the one and j*B/Count of the other, rounded down, and
/// where there are fewer links than ends, end number i of A has number
/// i*Count/A.
struct SystemLink : SystemLinkKind {
  unsigned Ends[2] = {0, 0}; ///< indices into NodeKind::Components
  uint64_t Count = 1;
  SMLoc Place;
};

struct NodeKind {
  std::string Name;
  SMLoc Place;
  uint64_t Count = 1;
  std::vector<SystemComponent> Components;
  std::vector<SystemLink> Links;
  Quantity BaseW, MTBFHours;
  Quantity PSUEfficiency; ///< empty: 1
};

/// "schema" and "version" of a system's file. The version rises when a key is
/// renamed, taken away or required anew.
constexpr StringRef SystemSchemaName = "ptx-predict/system";
constexpr unsigned SystemSchemaVersion = 1;

/// A system as its YAML file describes it, with its devices and links found.
class System {
public:
  std::string Name, Description;
  std::string Source; ///< of all that names no other
  std::vector<NodeKind> Nodes;
  /// Each NIC has one such link to a fabric that never limits; null without.
  SystemLinkKind Network;
  SMLoc NetworkPlace;
};

/// Devices and links that a system may name.
struct SystemParts {
  DeviceRegistry &Devices;
  LinkRegistry &Links;
};

/// Reads the system in the engine's buffer. Null on error (all reported).
std::unique_ptr<System> parseSystem(DiagnosticEngine &Diags,
                                    const SystemParts &Parts);
/// The system as YAML, with its sources.
void printSystem(const System &S, raw_ostream &OS);

/// Names of the systems that the program carries, sorted.
ArrayRef<StringRef> embeddedSystemNames();
/// The text of an embedded system; nothing if there is none of that name.
std::optional<StringRef> embeddedSystem(StringRef Name);

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_SYSTEM_SYSTEM_H
