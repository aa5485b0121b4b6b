//===- Findings.cpp - What rules find in a kernel -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DriverImpl.h"
#include "LaunchLimits.h"
#include "ptxpredict/Lint/Lint.h"
#include "ptxpredict/Support/Paths.h"

using namespace ptxpredict;

void Driver::Impl::addAdvice(const Job &J, ArrayRef<KernelOnDevice> Places,
                             KernelReport &R) const {
  const KernelCharacteristics &K = *R.Characteristics;
  std::vector<LintDevice> There;
  There.reserve(Places.size());
  // Where it was predicted, that is at the clock that the board keeps.
  const bool IsPredicted =
      Options.Sweeps.empty() &&
      R.Predictions.size() == Places.size() * Models.size();
  for (size_t N = 0; N != Places.size(); ++N) {
    const KernelOnDevice &Place = Places[N];
    const DevicePoint At =
        IsPredicted ? R.Predictions[N * Models.size()].Point
                    : ReadyKernel(Place, Models.front(), Options.Model)
                          .settled(0, pointOn(Place.Dev));
    There.push_back({Place, At, whyNoLaunch(K.Launch, K.Bounds, Place.Dev)});
  }
  if (Options.SuggestSettings)
    R.Suggestions = suggestSettings(There, Options.Model);
  if (!Options.FindDefects)
    return;
  R.Findings = findDefects({K, Inputs[J.Input].Diags->path(), There,
                            *Models.front(), Options.Model, Options.WithEnergy,
                            Options.WithPlacement, Options.WithGated});
  for (Finding &F : R.Findings) {
    makeRelative(F.Where.Path, Options.SourceRoot);
    for (std::string &Frame : F.Where.InlinedAt)
      makeRelative(Frame, Options.SourceRoot);
  }
}

StringRef Driver::textOf(StringRef Path, StringRef Input) const {
  if (Path == Input) {
    for (const Impl::Input &In : State->Inputs)
      if (In.Diags->path() == Path)
        return In.Diags->text();
    return {};
  }
  return State->Sources.find(Path, Input, State->Options.SourceRoot);
}
