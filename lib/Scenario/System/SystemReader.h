//===- SystemReader.h - System files, read ----------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_SCENARIO_SYSTEM_SYSTEMREADER_H
#define PTXPREDICT_LIB_SCENARIO_SYSTEM_SYSTEMREADER_H

#include "SourcedNumbers.h"
#include "ptxpredict/Scenario/System/System.h"

namespace ptxpredict {

/// Reads one file; in parts in SystemYAML.cpp and ComponentReader.cpp.
class SystemReader {
public:
  SystemReader(DiagnosticEngine &Diags, const SystemParts &Parts, System &S)
      : Diags(Diags), Nodes(Diags), Numbers(Nodes), Parts(Parts), S(S) {}

  void read();

private:
  using Node = llvm::yaml::Node;
  /// A node while it is read: numbers stay where they are.
  struct NodeDraft {
    NodeKind Kind;
    std::deque<SystemComponent> Components;
    /// Of `links:`, when all components are known.
    struct Between {
      YAMLText Ends[2];
      bool HasCount = false;
    };
    std::vector<Between> Betweens;
  };

  void readRoot(Node &Root);
  void readNode(Node &N);
  void readNodeLink(Node &N, NodeDraft &D);
  void readBetween(Node &N, StringRef Key, NodeDraft::Between &Into);
  void readNetwork(Node &N, StringRef Key);
  void addLinkKind(YAMLFields &Fields, SystemLinkKind &Into);
  void findEnds(NodeDraft &D);
  void checkSizes();
  void orderComponents(NodeDraft &D);
  /// Skips what would only add to more errors than are shown.
  bool isGivenUp() const {
    return Diags.numErrors() >= DiagnosticEngine::MaxErrors;
  }

  void readComponent(Node &N, ComponentKind Kind, NodeDraft &D);
  void readLabels(Node &N, StringRef Key, SystemComponent &C);
  void readAttributes(Node &N, StringRef Key, SystemComponent &C);
  void addDevice(YAMLFields &Fields, SystemComponent &C);
  void addPlaces(YAMLFields &Fields, SystemComponent &C);
  YAMLFields::ReadFunction count(uint64_t &Into);
  const Device *findDevice(const YAMLText &Name);

  DiagnosticEngine &Diags;
  YAMLNodes Nodes;
  SourcedNumbers Numbers;
  const SystemParts &Parts;
  System &S;
  std::deque<NodeDraft> Drafts;
  /// What was asked for, and the error where there is none.
  std::map<std::string, std::pair<const Device *, std::string>> KnownDevices;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_SCENARIO_SYSTEM_SYSTEMREADER_H
