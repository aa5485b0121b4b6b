//===- Profiles.cpp - The counts of --profile for kernels -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DriverImpl.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

LaunchSpec ptxpredict::launchOf(const KernelProfile &Profile) {
  LaunchSpec Spec;
  Spec.Grid = Profile.Grid;
  Spec.Block = Profile.Block;
  Spec.Cluster = Profile.Cluster;
  Spec.DynamicSharedBytes = Profile.DynamicSharedBytes;
  for (const auto &[Index, A] : Profile.Args)
    Spec.Args.push_back({std::to_string(Index), A, SMLoc()});
  for (const auto &[Place, A] : Profile.Parts)
    Spec.Args.push_back({Place, A, SMLoc()});
  return Spec;
}

void Driver::Impl::assignProfiles(MutableArrayRef<Job> Jobs) {
  if (!ProfileDiags || Jobs.empty())
    return;
  std::vector<std::string> Hashes;
  Hashes.reserve(Inputs.size());
  for (const Input &In : Inputs)
    Hashes.push_back(hashText(In.Diags->text()));
  bool Any = false;
  std::vector<StringRef> Names, Profiled;
  for (const KernelProfile &P : Profiles)
    Profiled.emplace_back(P.Name);
  for (Job &J : Jobs) {
    Names.push_back(J.Kernel->Name);
    const KernelProfile *Other = nullptr;
    for (const KernelProfile &P : Profiles) {
      if (P.Name != J.Kernel->Name)
        continue;
      if (P.InputHash == Hashes[J.Input]) {
        J.Profile = &P;
        break;
      }
      Other = &P;
    }
    Any |= J.Profile || Other;
    StringRef Path = Inputs[J.Input].Diags->path();
    if (!J.Profile && Other)
      ProfileDiags->error(SMLoc(),
                          "the profile of '" + Other->Name + "' is not of " +
                              Path + ": that input's hash is " +
                              StringRef(Hashes[J.Input]).take_front(16) +
                              ", the profile's " +
                              StringRef(Other->InputHash).take_front(16));
    if (!J.Profile)
      continue;
    HeldBodies Bodies(*J.Kernel);
    if (Bodies.failed())
      continue;
    if (std::string Why = whyNotOf(*J.Profile, *J.Kernel); !Why.empty())
      ProfileDiags->error(SMLoc(), "the profile of '" + J.Profile->Name +
                                       "' is not of " + Path + ": " + Why);
  }
  if (!Any && !AnyInputFailed)
    ProfileDiags->error(
        SMLoc(), "no selected kernel has a profile here; the profile is of " +
                     listNames(Profiled) + ", selected are " +
                     listNames(Names));
}
