//===- TargetFeatures.cpp - What code asks of a device --------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TargetFeatures.h"
#include "ptxpredict/Driver/Inputs/EmbeddedCode.h"
#include "ptxpredict/Graph/Module.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

std::string ptxpredict::targetNote(const CodeCharacteristics &Code,
                                   unsigned DeviceCapability) {
  StringRef Target = Code.Target;
  if (Code.Frontend == toString(FrontendKind::SASS))
    return Target.empty() || machineCodeRunsOn(Target, DeviceCapability)
               ? ""
               : ("machine code for " + Target +
                  " does not run on this device: it is predicted as if it did")
                     .str();
  unsigned Needed = targetCapability(Target);
  if (DeviceCapability < Needed) {
    std::vector<StringRef> Missing;
    for (const TargetFeature &F : Code.Features)
      if (F.Since > DeviceCapability)
        Missing.emplace_back(F.Name);
    return ("the device is older than the code's target " + Target +
            (Missing.empty()
                 ? ", but lacks nothing that this kernel is known to use"
                 : " and lacks " + llvm::join(Missing, ", ")))
        .str();
  }
  // "sm_90a" runs on 9.0 alone, "sm_100f" within its family of major version.
  bool OtherArchitecture =
      (Target.ends_with("a") && DeviceCapability != Needed) ||
      (Target.ends_with("f") && DeviceCapability / 10 != Needed / 10);
  if (OtherArchitecture)
    return ("code for " + Target +
            " is for one architecture only, which is not the device's")
        .str();
  return {};
}
