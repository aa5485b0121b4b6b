//===- ScenarioSystems.h - Systems that tests share -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_SCENARIOSYSTEMS_H
#define PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_SCENARIOSYSTEMS_H

#include "ptxpredict/Scenario/System/System.h"

namespace ptxpredict {

/// A system and what it refers to.
struct ReadySystem {
  std::unique_ptr<DeviceRegistry> Devices = std::make_unique<DeviceRegistry>();
  std::unique_ptr<LinkRegistry> Links = std::make_unique<LinkRegistry>();
  std::unique_ptr<System> Of; ///< null if the text is wrong
};

inline ReadySystem readSystem(StringRef Text) {
  ReadySystem R;
  DiagnosticEngine Diags(llvm::MemoryBuffer::getMemBufferCopy(Text, "s.yaml"));
  R.Of = parseSystem(Diags, {*R.Devices, *R.Links});
  return R;
}

/// Four GPUs around a switch, pairs of them with a NIC.
constexpr StringRef TwoRailNodes = R"(
schema: ptx-predict/system
version: 1
name: rails
description: for tests
source: made up
nodes:
- name: node
  cpus: [{name: cpu, cores: 4, labels: {host: 1}}]
  gpus: [{name: gpu, device: h100-sxm, count: 4, labels: {worker: 1}}]
  switches: [{name: nvswitch}, {name: plx, count: 2}]
  nics: [{name: nic, count: 2}]
  links:
  - {between: [cpu, plx], link: pcie5-x16}
  - {between: [plx, gpu], link: pcie4-x16}
  - {between: [plx, nic], link: pcie5-x8}
  - {between: [gpu, nvswitch], link: nvlink4-x18}
network: {link: infiniband-ndr-4x}
)";

/// Nodes without a network.
constexpr StringRef NodesApart = R"(
schema: ptx-predict/system
version: 1
name: apart
description: for tests
source: made up
nodes:
- name: node
  count: 2
  cpus: [{name: cpu, labels: {host: 1}}]
  gpus: [{name: gpu, device: v100, labels: {worker: 1}}]
  links: [{between: [cpu, gpu], link: pcie3-x16, sharing: fifo}]
)";

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_SCENARIO_PLAN_SCENARIOSYSTEMS_H
