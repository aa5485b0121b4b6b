//===- PtxasLog.cpp - Logs of ptxas -v as inputs of the fuzzer ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Driver/Toolchain/PtxasInfo.h"

using namespace ptxpredict;

bool fuzz::runPtxasLog(StringRef Text) {
  static DeviceRegistry Registry;
  static const Device &D = **Registry.find("h100-sxm");
  auto Diags = makeEngine(Text, "input");
  PtxasInfo Info;
  bool Failed = parsePtxasInfo(*Diags, Info);
  check(Failed == Diags->hasErrors() && Failed == Info.Functions.empty(),
        "an error without a message, or records in spite of it");
  for (const PtxasFunctionInfo &F : Info.Functions) {
    check(!F.Name.empty(), "a record without a kernel");
    const PtxasFunctionInfo *Found = Info.find(F.Name, F.Target);
    check(Found && Found->Name == F.Name &&
              (F.Target.empty() || Found->Target == F.Target),
          "a record is not found by its name and target");
    check(Info.find(F.Name, F.ComputeCapability) != nullptr,
          "a record is not found by its compute capability");
    BlockResources R;
    R.Threads = 256;
    R.RegistersPerThread = F.Registers;
    R.SharedBytes = F.SharedBytes;
    R.Barriers = F.Barriers;
    Occupancy O = computeOccupancy(D, R);
    check((O.BlocksPerSM == 0) == !O.Reason.empty() && O.Fraction <= 1,
          "an occupancy that cannot be");
  }
  return !Failed;
}
