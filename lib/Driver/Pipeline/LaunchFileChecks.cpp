//===- LaunchFileChecks.cpp - Whether a launch file fits the kernels ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A launch that no device takes is an error before anything is analysed. A
// launch file may be written for more kernels than --kernel selects, so an
// entry is judged by all kernels of the inputs that it starts.
//===----------------------------------------------------------------------===//
#include "DriverImpl.h"
#include "EmulationMessages.h"
#include "LaunchLimits.h"
#include "UnknownLabels.h"
#include "ptxpredict/Characteristics/ArgumentTargets.h"
#include "ptxpredict/Characteristics/KernelAnalysis.h"
#include "ptxpredict/Support/NameLists.h"
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
    std::vector<StringRef> Known, Short;
    for (const KernelNames &N : Names) {
      llvm::append_range(Known, N.all());
      Short.emplace_back(N.Short);
    }
    return LaunchDiags->warning(First.Place,
                                "no launch of this file is for a selected "
                                "kernel" +
                                    meantOrListed(First.Kernel, Known, Short));
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

void Driver::Impl::dropRefused(std::vector<Job> &Jobs) {
  const std::vector<size_t> Points = pointsOfShapes();
  llvm::erase_if(Jobs, [&](const Job &J) {
    if (!J.Kernel)
      return false;
    bool IsAnswered = false;
    for (size_t Point : Points) {
      LaunchSpec Spec = specFor(J);
      (void)moveTo(Point, Spec);
      const LaunchRefusal No = refuseLaunch(Spec, J.Kernel->Bounds);
      if (No.Reason.empty())
        IsAnswered = true;
      else
        report(J, Spec, No);
    }
    // A point of a sweep says by itself that it is not answered.
    return !IsAnswered && Options.Sweeps.empty();
  });
}

void Driver::Impl::report(const Job &J, const LaunchSpec &Spec,
                          const LaunchRefusal &No) {
  const std::optional<Dim3> LaunchSpec::*Shapes[] = {
      &LaunchSpec::Grid, &LaunchSpec::Block, &LaunchSpec::Cluster};
  const auto Shape = Shapes[size_t(No.Shape)];
  const DiagnosticEngine &Input = *Inputs[J.Input].Diags;
  const DiagnosticEngine *File = &Input;
  SMLoc Place = placeOf(*J.Kernel, Input);
  std::string Message = ("kernel '" + J.Kernel->Name + "' cannot run").str();
  const bool IsSwept = llvm::any_of(Options.Sweeps, [&](const SweepAxis &A) {
    return A.Name == toString(No.Shape);
  });
  if (IsSwept || Options.Launch.*Shape) {
    Message += ((IsSwept ? " with --sweep=" : " with --") + toString(No.Shape) +
                "=" + toString(*(Spec.*Shape)))
                   .str();
  } else if (No.IsAsked && J.Entry && J.Entry->Spec.*Shape) {
    File = LaunchDiags;
    Place = J.Entry->Shapes[size_t(No.Shape)];
  } else if (No.IsAsked && J.Profile) {
    File = ProfileDiags;
    Place = J.Profile->Shapes[size_t(No.Shape)];
  } else if (No.IsAsked && J.Counters) {
    File = CountersDiags;
    Place = No.Shape == LaunchShape::Grid ? J.Counters->GridPlace
                                          : J.Counters->BlockPlace;
  }
  DiagnosticEngine *&Refused = Refusals[&Input];
  if (!Refused) {
    Engines.push_back(std::make_unique<DiagnosticEngine>(
        llvm::MemoryBuffer::getMemBuffer("", Input.path())));
    Refused = Engines.back().get();
  }
  Refused->add(File->make(Severity::Error, Place, Message + ": " + No.Reason));
}
