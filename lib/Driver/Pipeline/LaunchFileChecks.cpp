//===- LaunchFileChecks.cpp - Whether a launch file fits the kernels ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A launch file may be written for more kernels than --kernel selects, so an
// entry is judged by all kernels of the inputs that it starts.
//===----------------------------------------------------------------------===//
#include "DriverImpl.h"
#include "UnknownLabels.h"
#include "ptxpredict/Characteristics/ArgumentTargets.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>
#include <string_view>

using namespace ptxpredict;

namespace {

/// What one entry of the launch file starts.
struct EntryUse {
  std::vector<const InstructionGraph *> Kernels; ///< of all inputs
  std::vector<const KernelCharacteristics *> Analyzed;
};

void checkArgumentsOf(const LaunchSpec &Spec, const EntryUse &Use,
                      DiagnosticEngine &Diags) {
  for (const ArgumentProblem &P : findArgumentProblems(
           Spec.Args, Use.Kernels, "no kernel that this launch is for has a"))
    Diags.error(P.Argument->Place, P.Message);
}

/// Warns of the keys of \p Entry that name no loop or no branch.
void checkLabelsOf(const LaunchFileEntry &Entry, const EntryUse &Use,
                   DiagnosticEngine &Diags) {
  auto Warn = [&](const auto &Places, ArrayRef<UnknownLabel> Unknown) {
    for (const UnknownLabel &L : Unknown)
      Diags.warning(Places.find(L.Key)->second,
                    "no kernel that this launch is for has a " + L.Text);
  };
  Warn(Entry.TripCountPlaces,
       findUnknownLoops(keysOf(Entry.TripCountPlaces), Use.Analyzed));
  Warn(
      Entry.BranchProbabilityPlaces,
      findUnknownBranches(keysOf(Entry.BranchProbabilityPlaces), Use.Analyzed));
}

} // namespace

void Driver::Impl::checkLaunchFile(ArrayRef<KernelReport> Reports) {
  std::map<const LaunchFileEntry *, EntryUse> Uses;
  std::vector<KernelNames> Names;
  for (const Input &In : Inputs)
    for (const auto &G : In.Parsed->module().Functions)
      if (G->IsKernel) {
        Names.emplace_back(G->Name);
        for (const LaunchFileEntry *E : launchesOf(Names.back()))
          Uses[E].Kernels.push_back(G.get());
      }
  bool Any = false;
  // A kernel with several launches has a report of each.
  std::set<std::pair<unsigned, std::string_view>> Seen;
  for (const KernelReport &K : Reports) {
    if (!Seen.insert({K.Input, K.Characteristics->Name}).second)
      continue;
    for (const LaunchFileEntry *E :
         launchesOf(KernelNames(K.Characteristics->Name))) {
      Uses[E].Analyzed.push_back(K.Characteristics.get());
      Any = true;
    }
  }
  if (!Any) {
    if (Options.LaunchFileIsShared)
      return;
    const LaunchFileEntry &First = Launches.Launches.front();
    std::vector<StringRef> Known;
    for (const KernelNames &N : Names)
      llvm::append_range(Known, N.all());
    return LaunchDiags->warning(First.Place,
                                "no launch of this file is for a selected "
                                "kernel" +
                                    didYouMean(First.Kernel, Known));
  }
  for (const LaunchFileEntry &E : Launches.Launches) {
    const EntryUse &Use = Uses[&E];
    if (Use.Analyzed.empty())
      continue;
    checkArgumentsOf(E.Spec, Use, *LaunchDiags);
    if (Use.Analyzed.size() != Use.Kernels.size())
      continue; // labels may be those of a kernel that was not selected
    checkLabelsOf(E, Use, *LaunchDiags);
  }
}
