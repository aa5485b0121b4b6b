//===- CountersOfKernels.cpp - The counters of --counters for kernels -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DriverImpl.h"
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

LaunchSpec ptxpredict::launchOf(const KernelCounters &Counters) {
  LaunchSpec Spec;
  Spec.Grid = Counters.Grid;
  Spec.Block = Counters.Block;
  if (const CounterValue *V = Counters[Counter::DynamicSharedBytes])
    Spec.DynamicSharedBytes = uint64_t(std::min(V->Value, 1e15));
  return Spec;
}

/// Profilers put blanks in other places than we do.
static std::string withoutBlanks(StringRef Name) {
  std::string Result;
  llvm::copy_if(Name, std::back_inserter(Result),
                [](char C) { return C != ' '; });
  return Result;
}

/// Whether a profiler may call the kernel so: by a name of ours, or by its name
/// without parameters and arguments of templates.
static bool isNameOf(StringRef Written, const KernelNames &Names) {
  const std::string Plain = withoutBlanks(Written);
  for (StringRef Name : Names.all())
    if (withoutBlanks(Name) == Plain)
      return true;
  // A name that is not mangled has no parameters of ours to compare.
  if (Names.Mangled == Names.Demangled &&
      StringRef(Plain).take_until([](char C) { return C == '('; }) ==
          Names.Mangled)
    return true;
  StringRef Base = Names.Short;
  return Base.take_until([](char C) { return C == '<'; }) == Plain;
}

const KernelCounters *Driver::Impl::countersOf(const Job &J) {
  const KernelNames Names(J.name());
  std::vector<const KernelCounters *> Found;
  for (const KernelCounters &K : Counters)
    if (K.Kernel.empty() || isNameOf(K.Kernel, Names))
      Found.push_back(&K);
  if (Found.empty())
    return nullptr;
  for (const KernelCounters *K : Found)
    if (K->Kernel != Found.front()->Kernel) {
      CountersDiags->error(K->KernelPlace,
                           "'" + Found.front()->Kernel + "' and '" + K->Kernel +
                               "' are both kernel '" + Names.Demangled + "'");
      return nullptr;
    }

  // Of several launches that of the prediction.
  LaunchSpec Spec = specFor(J.Entry, J.Profile);
  if (J.Read) { // whose launch is what it is
    Spec.Grid = J.Read->Launch.Grid;
    Spec.Block = J.Read->Launch.Block;
  }
  const KernelCounters *Result = nullptr;
  for (const KernelCounters *K : Found) {
    const bool IsIt = (!Spec.Grid || !K->Grid || *K->Grid == *Spec.Grid) &&
                      (!Spec.Block || !K->Block || *K->Block == *Spec.Block);
    if (IsIt && Result) {
      CountersDiags->error(
          K->GridPlace.isValid() ? K->GridPlace : K->KernelPlace,
          "the file has several launches of '" + K->Kernel +
              "'; choose one with --grid and --block, or with --launch-index");
      return nullptr;
    }
    if (IsIt)
      Result = K;
  }
  if (!Result) {
    const KernelCounters &K = *Found.front();
    const bool IsGrid = Spec.Grid && K.Grid && !(*K.Grid == *Spec.Grid);
    CountersDiags->error(
        IsGrid ? K.GridPlace : K.BlockPlace,
        "these counters are of " + Twine(IsGrid ? "grid " : "block ") +
            toString(IsGrid ? *K.Grid : *K.Block) + ", predicted is " +
            toString(IsGrid ? *Spec.Grid : *Spec.Block));
    return nullptr;
  }

  // A file that names no device is taken at the user's word.
  const Device &D = countedDevice(J);
  const unsigned CC = D.ComputeCapability;
  const std::string Capability =
      std::to_string(CC / 10) + "." + std::to_string(CC % 10);
  std::string Other;
  SMLoc Place = Result->DevicePlace;
  if (!Result->Device.empty()) {
    const StringRef Name = profiledDeviceName(Result->Device);
    if (Expected<const Device *> Known = Registry.findWhole(Name)) {
      if (*Known != &D && (*Known)->Name != D.Name)
        Other = (*Known)->Name;
    } else {
      llvm::consumeError(Known.takeError());
    }
  }
  if (Other.empty() && !Result->Capability.empty() &&
      Result->Capability != Capability) {
    Other = "compute capability " + Result->Capability;
    Place = Result->CapabilityPlace;
  }
  if (Other.empty() && !D.IsCPU)
    return Result;
  CountersDiags->error(Place, "these counters are of " +
                                  (Other.empty() ? "a GPU" : Other) +
                                  ", predicted is " + D.Name +
                                  "; choose the device with --device");
  return nullptr;
}

/// "a, b" of one profiler's names for what is missing; empty if it has none.
static std::string namesAt(Profiler By, ArrayRef<Counter> Missing) {
  std::vector<StringRef> Names;
  for (Counter C : Missing)
    for (const CounterName &N : counterNames())
      if (N.Of == C && N.By == By) {
        Names.push_back(N.Name);
        break;
      }
  return llvm::join(Names, ",");
}

void Driver::Impl::assignCounters(MutableArrayRef<Job> Jobs) {
  if (!CountersDiags || Jobs.empty())
    return;
  std::vector<StringRef> Selected, Counted;
  for (const KernelCounters &K : Counters)
    Counted.push_back(K.Kernel.empty() ? "a kernel without a name"
                                       : StringRef(K.Kernel));
  bool Any = false;
  llvm::DenseMap<const KernelCounters *, const Job *> Owners;
  for (Job &J : Jobs) {
    Selected.push_back(J.name());
    const unsigned Before = CountersDiags->numErrors();
    J.Counters = countersOf(J);
    Any |= J.Counters || CountersDiags->numErrors() != Before;
    if (!J.Counters)
      continue;
    const Job &Owner = *Owners.try_emplace(J.Counters, &J).first->second;
    // Several launches of one kernel may share counters.
    if (Owner.Kernel != J.Kernel || Owner.Read != J.Read)
      CountersDiags->error(J.Counters->KernelPlace,
                           "these counters may be of '" + Owner.name() +
                               "' and of '" + J.name() +
                               "'; choose one with --kernel");
  }
  UsesCounters |= Any;
  if (!Any && !AnyInputFailed && !Options.CountersAreShared)
    CountersDiags->error(Counters.front().KernelPlace,
                         "no selected kernel has counters here; they are of " +
                             listNames(Counted) + ", selected are " +
                             listNames(Selected));
}

void Driver::Impl::noteMissingCounters(ArrayRef<KernelReport> Kernels) const {
  if (!CountersDiags)
    return;
  for (const KernelReport &R : Kernels) {
    const KernelCharacteristics &K = *R.Characteristics;
    if (!K.Counted)
      continue;
    const std::vector<Counter> &Missing = K.Counted->Missing;
    if (Missing.empty())
      continue;
    std::vector<StringRef> Names;
    Names.reserve(Missing.size());
    for (Counter C : Missing)
      Names.push_back(infoOf(C).Name);
    CountersDiags->note(
        K.Counted->Counters.KernelPlace,
        "the counters of '" + K.Name + "' lack " + llvm::join(Names, ", ") +
            ", which stay estimates; 'ncu --metrics " +
            namesAt(Profiler::Ncu, Missing) + "' or 'nvprof --metrics " +
            namesAt(Profiler::Nvprof, Missing) + "' collects them");
  }
}
