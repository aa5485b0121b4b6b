//===- KernelKind.cpp - What the time of a kernel hangs on ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/KernelKind.h"
#include "MWPCWPIssue.h"
#include "ptxpredict/ISA/MachineUnits.h"
#include "ptxpredict/Model/Spills.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

static constexpr StringRef Names[] = {
#define KERNEL_KIND(MEMBER, NAME, WORDS) NAME,
#include "ptxpredict/Model/KernelKinds.def"
};

static constexpr StringRef Words[] = {
#define KERNEL_KIND(MEMBER, NAME, WORDS) WORDS,
#include "ptxpredict/Model/KernelKinds.def"
};

StringRef ptxpredict::toString(KernelKind K) { return Names[unsigned(K)]; }

StringRef ptxpredict::meaningOf(KernelKind K) { return Words[unsigned(K)]; }

/// Lanes that lie anywhere need up to a sector each; a range that is no wider
/// than this is of warps or iterations that were not looked at.
static constexpr double LeastScatter = 2;

bool ptxpredict::isGather(const MemoryCharacteristics &M) {
  return M.Sectors && M.Sectors->Status == Status::Unknown &&
         M.Sectors->High >= LeastScatter * M.Sectors->Low &&
         !M.LaneStrideBytes && M.Space != AddressSpace::Local &&
         isDeviceMemory(M.Space);
}

// Shares from which on something counts as a kernel's nature. One in ten of the
// accesses is more than what a kernel does at its ends.
static constexpr double ManyAccesses = 0.1;
/// In the inner loops of products every fourth to second instruction is one.
static constexpr double ManyFMAs = 0.15;
/// Multiply-adds for each exponential of a lane: attention has twice its
/// head's extent, up to 512; a product whose sums go through a function has
/// its whole depth.
static constexpr double MACsOfExponential = 1024;

namespace {

/// Requests of a warp by what makes a kernel's nature.
struct Requests {
  double Device = 0, Shared = 0, Local = 0;           ///< of each memory
  double Gathers = 0, Atomics = 0, SharedAtomics = 0; ///< among them

  explicit Requests(const KernelCharacteristics &K) {
    for (const MemoryCharacteristics &M : K.Memory)
      add(M);
  }

  double all() const { return Device + Shared + Local; }

private:
  void add(const MemoryCharacteristics &M) {
    const double Num = M.Requests.Value / M.Joined;
    const bool IsAtomic = M.Access == AccessKind::Atomic;
    if (M.Access == AccessKind::Prefetch)
      return;
    if (M.Space == AddressSpace::Shared) {
      Shared += Num;
      SharedAtomics += IsAtomic ? Num : 0;
    } else if (M.Space == AddressSpace::Local) {
      Local += Num;
    } else if (isDeviceMemory(M.Space)) {
      Device += Num;
      Atomics += IsAtomic ? Num : 0;
      Gathers += isGather(M) ? Num : 0;
    }
  }
};

} // namespace

static double workOf(const KernelCharacteristics &K,
                     std::initializer_list<SchedClass> Classes) {
  double Sum = 0;
  for (SchedClass C : Classes)
    if (const auto &N = K.ByWork[unsigned(C)])
      Sum += N->Value;
  return Sum;
}

/// Which instructions multiply matrices; nothing where none does.
static std::optional<KernelKind>
kindOfProducts(const KernelCharacteristics &K) {
  if (!K.TensorMACs || !(K.TensorMACs->Value > 0))
    return std::nullopt;
  auto Has = [&K](StringRef Name) {
    return llvm::any_of(K.Code.Features, [&](const TargetFeature &F) {
      return StringRef(F.Name).contains(Name);
    });
  };
  if (Has("tcgen05"))
    return KernelKind::Tcgen05;
  if (Has("wgmma"))
    return KernelKind::Wgmma;
  const double Exponentials = WarpSize * workOf(K, {SchedClass::SFU});
  return K.TensorMACs->Value < MACsOfExponential * Exponentials
             ? KernelKind::MmaExp
             : KernelKind::Mma;
}

KernelKind ptxpredict::kindOf(const KernelCharacteristics &K,
                              TimeLimiter Limiter) {
  if (auto Products = kindOfProducts(K))
    return *Products;
  if (!K.Waits.empty())
    return KernelKind::Waiting;
  const Requests R(K);
  if (Limiter == TimeLimiter::Atomics ||
      (R.Atomics > 0 && R.Atomics >= ManyAccesses * R.Device) ||
      (R.SharedAtomics > 0 && R.SharedAtomics >= ManyAccesses * R.all()))
    return KernelKind::Atomics;
  if (spillsOf(K) || (R.Local > 0 && R.Local >= ManyAccesses * R.all()))
    return KernelKind::Local;
  if (R.Gathers > 0 && R.Gathers >= ManyAccesses * R.Device)
    return KernelKind::Gather;
  const double FMAs = workOf(
      K, {SchedClass::FP16FMA, SchedClass::FP32FMA, SchedClass::FP64FMA});
  if (R.Shared > 0 && R.Shared >= ManyAccesses * R.all() &&
      K.BlockBarriers.Value > 0)
    return FMAs >= ManyFMAs * K.Instructions.Value ? KernelKind::SharedFMA
                                                   : KernelKind::Shared;
  switch (Limiter) {
  case TimeLimiter::MemoryBandwidth:
  case TimeLimiter::MemoryLatency:
  case TimeLimiter::Occupancy:
  case TimeLimiter::Launch:
    return KernelKind::Streaming;
  case TimeLimiter::L2Bandwidth:
  case TimeLimiter::LoadStore:
  case TimeLimiter::Texture:
    return KernelKind::Cached;
  default:
    return R.Shared > 0 && R.Shared >= R.Device ? KernelKind::Shared
                                                : KernelKind::Compute;
  }
}
