//===- MeasuredKernels.cpp - Profiles of programs for the fuzzer ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Scenario/Trace/TraceCode.h"
#include "ptxpredict/Validation/Dataset/ProfiledKernels.h"
#include <cmath>

using namespace ptxpredict;

bool fuzz::runMeasuredKernels(StringRef Text) {
  if (isCompressed(Text))
    return false;
  auto Diags = makeEngine(Text, "input");
  Profile Read;
  const bool Failed = readProfile(*Diags, Read);
  check(Failed == Diags->hasErrors(), "an error without a message, or a "
                                      "message without an error");
  if (Failed)
    return false;
  check(!Read.Kernels.empty(), "no kernel, and no message");
  std::vector<TraceCode> Codes;
  for (const ProfiledKernel &K : Read.Kernels) {
    check(!K.Name.empty() && K.Place.isValid(), "a kernel without its place");
    check(K.Launches != 0, "a kernel without a launch");
    check(std::isfinite(K.TimeUs) && K.TimeUs > 0, "a time that cannot be");
    check(!K.CoreMHz || *K.CoreMHz > 0, "a clock that cannot be");
    for (const std::optional<Dim3> &Shape : {K.Grid, K.Block})
      check(!Shape || Shape->count() != 0, "a launch of nothing");
    (void)profiledDeviceName(K.Device);
    Codes.push_back({K.Name, "input"});
  }
  // A kernel that is called as it is in the profile is found, and no other.
  const TraceCodeFinder Finder(Codes);
  for (const ProfiledKernel &K : Read.Kernels) {
    bool Near = false;
    const TraceCode *Found = Finder.find(K.Name, Near);
    check(Near, "a kernel's own name is none");
    check(!Found || Found->File == "input", "code of no file");
  }
  return true;
}
