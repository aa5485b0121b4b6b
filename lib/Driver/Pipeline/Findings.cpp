//===- Findings.cpp - What rules find in a kernel -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DriverImpl.h"
#include "LaunchLimits.h"
#include "ptxpredict/Lint/Lint.h"
#include "ptxpredict/Support/Paths.h"

using namespace ptxpredict;

void Driver::Impl::addAdvice(const Job &J, KernelReport &R) const {
  const KernelCharacteristics &K = R.Characteristics;
  std::vector<const Device *> Chosen = Devices;
  if (Chosen.empty())
    Chosen.push_back(J.Target);
  std::vector<LintDevice> Places;
  Places.reserve(Chosen.size());
  for (const Device *D : Chosen)
    Places.push_back({*D, pointOn(*D), whyNoLaunch(K.Launch, K.Bounds, *D)});
  if (Options.SuggestSettings)
    R.Suggestions = suggestSettings(K, Places, Options.Model);
  if (!Options.FindDefects)
    return;
  R.Findings = findDefects({K, Inputs[J.Input].Diags->path(), Places,
                            *Models.front(), Options.Model});
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
