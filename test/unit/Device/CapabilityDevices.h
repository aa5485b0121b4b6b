//===- CapabilityDevices.h - A device of each compute capability *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_DEVICE_CAPABILITYDEVICES_H
#define PTXPREDICT_TEST_UNIT_DEVICE_CAPABILITYDEVICES_H

#include "ptxpredict/Device/Device.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ptxpredict::test {

/// A device of a compute capability: one that the program carries, or one that
/// inherits such a one and changes the limits in which it differs (CUDA C++
/// Programming Guide, technical specifications per compute capability).
struct CapabilityDevice {
  unsigned ComputeCapability;
  const char *Name; ///< of a carried device
  /// The limits that differ, as YAML; empty for the carried device itself.
  const char *Limits;
};
constexpr CapabilityDevice CapabilityDevices[] = {
    {30, "gtx-680", ""},
    {35, "k40", ""},
    {50, "gtx-750-ti", ""},
    {52, "gtx-980", ""},
    {53, "gtx-980", "shared_per_sm: 64Ki, registers_per_block: 32Ki"},
    {60, "p100", ""},
    {61, "gtx-1080-ti", ""},
    {62, "gtx-1080-ti", "shared_per_sm: 64Ki, registers_per_block: 32Ki"},
    {70, "v100", ""},
    {72, "v100", "sms: 8"},
    {75, "t4", ""},
    {80, "a100-80gb", ""},
    {86, "a40", ""},
    {87, "jetson-agx-orin", ""},
    {89, "l4", ""},
    {90, "h100-sxm", ""},
    {100, "b200", ""},
    {103, "b300", ""},
    {110, "jetson-thor", ""},
    {120, "rtx-5090", ""},
    {121, "gb10", ""},
};

/// The device of \p C, added to \p Registry if need be. Null on error.
inline const Device *deviceOf(DeviceRegistry &Registry,
                              const CapabilityDevice &C) {
  std::string Name = C.Name;
  if (*C.Limits) {
    std::string CC = std::to_string(C.ComputeCapability / 10) + "." +
                     std::to_string(C.ComputeCapability % 10);
    Name = "cc-" + CC;
    std::string Text = "name: " + Name + "\ninherits: " + C.Name +
                       "\ncompute_capability: " + CC +
                       "\nlimits: {source: test, " + C.Limits + "}\n";
    DiagnosticEngine Diags(
        llvm::MemoryBuffer::getMemBufferCopy(Text, Name + ".yaml"));
    if (Registry.addFile(Diags))
      return nullptr;
  }
  Expected<const Device *> D = Registry.find(Name);
  if (D && (*D)->ComputeCapability == C.ComputeCapability)
    return *D;
  llvm::consumeError(D.takeError());
  return nullptr;
}

} // namespace ptxpredict::test

#endif // PTXPREDICT_TEST_UNIT_DEVICE_CAPABILITYDEVICES_H
