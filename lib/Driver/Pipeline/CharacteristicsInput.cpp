//===- CharacteristicsInput.cpp - Characteristics as an input -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DriverImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

StringRef Driver::Impl::characteristicsInput() const {
  for (const Input &In : Inputs)
    if (!In.Parsed)
      return In.Diags->path();
  return {};
}

StringRef Driver::characteristicsInput() const {
  return State->characteristicsInput();
}

bool Driver::Impl::asksTooMuchOfCharacteristics() {
  StringRef Path = characteristicsInput();
  if (Path.empty())
    return false;
  const LaunchSpec &L = Options.Launch;
  const std::pair<bool, StringRef> Asked[] = {
      {!Options.LaunchFilePath.empty(), "--launch"},
      {L.Grid.has_value(), "--grid"},
      {L.Block.has_value(), "--block"},
      {L.Cluster.has_value(), "--cluster"},
      {L.DynamicSharedBytes.has_value(), "--dynamic-smem"},
      {!L.Args.empty(), "--arg"},
      {!L.TripCounts.empty(), "--trip-count"},
      {!L.BranchProbabilities.empty(), "--branch-probability"},
      {L.Work.has_value(), "--work"},
      {!Options.ProfilePath.empty(), "--profile"},
      {Options.WorkLimit.has_value(), "--work-limit"},
      {Options.Via.has_value(), "--via"}};
  bool Any = false;
  for (const SweepAxis &A : Options.Sweeps)
    if (A.changesLaunch()) {
      Any = true;
      General.error(SMLoc(), "--sweep: '" + A.Name + "': " + Path +
                                 " holds characteristics, which are fixed at "
                                 "their launch; sweep over the PTX");
    }
  for (auto [IsAsked, Option] : Asked) {
    if (!IsAsked)
      continue;
    Any = true;
    General.error(SMLoc(), Option + ": " + Path +
                               " holds characteristics, which are fixed at "
                               "their launch; make others from the PTX with "
                               "'ptx-predict FILE.ptx " +
                               Option + "=... --dump=characteristics'");
  }
  return Any;
}

void Driver::Impl::addCharacteristics(unsigned Index, Report &R,
                                      std::vector<Job> &Jobs) {
  Input &In = Inputs[Index];
  // One for each kind of code that the file's kernels are from.
  size_t First = R.Inputs.size();
  std::vector<const Device *> Targets;
  for (const KernelCharacteristics &K : In.Kernels) {
    size_t At = First;
    for (; At != R.Inputs.size(); ++At)
      if (R.Inputs[At].ISAVersion == K.Code.ISAVersion &&
          R.Inputs[At].Target == K.Code.Target)
        break;
    if (At == R.Inputs.size()) {
      R.Inputs.push_back({In.Diags->path().str(),
                          FrontendKind::Characteristics,
                          K.Code.ISAVersion,
                          K.Code.Target,
                          {}});
      Targets.push_back(representative(K.Code.Target));
    }
    if (const Device *Target = Targets[At - First];
        selects(KernelNames(K.Name)) && Target) {
      Job J{Index, nullptr};
      J.Read = &K;
      J.Reported = unsigned(At);
      J.Target = Target;
      Jobs.push_back(J);
    }
  }
}
