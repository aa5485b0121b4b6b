//===- UnitAccess.cpp - How often a warp accesses each unit ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Model/UnitAccess.h"
#include "DeviceRequests.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "ptxpredict/Model/MachineWork.h"
#include "ptxpredict/Model/MemoryTraffic.h"
#include "ptxpredict/Model/TensorRate.h"
#include <cmath>

using namespace ptxpredict;

/// What one access moves where accesses are counted by traffic, and what is
/// moved at once.
static constexpr double BytesPerAccess = 128;
/// Of a matrix instruction of 16 x 8 x 16.
static constexpr double MACsPerAccess = 2048;

namespace {

/// What WorkUnits.def says of a kind of work.
struct WorkUnit {
  std::optional<PowerUnit> Unit;
  bool UsesRegisters = false;
};

WorkUnit unitOf(SchedClass Work) {
  switch (Work) {
#define WORK_UNIT(WORK, UNIT)                                                  \
  case SchedClass::WORK:                                                       \
    return {PowerUnit::UNIT, true};
#define WORK_REGISTERS(WORK)                                                   \
  case SchedClass::WORK:                                                       \
    return {std::nullopt, true};
#define WORK_NEITHER(WORK)                                                     \
  case SchedClass::WORK:                                                       \
    return {std::nullopt, false};
#include "ptxpredict/Model/WorkUnits.def"
  }
  return {};
}

/// Work that stands for a class, for characteristics that have no finer counts.
SchedClass workOf(OpClass C) {
  switch (C) {
  case OpClass::Int:
    return SchedClass::Int;
  case OpClass::Fp16:
  case OpClass::Fp32:
    return SchedClass::FP32;
  case OpClass::Fp64:
    return SchedClass::FP64;
  case OpClass::Sfu:
    return SchedClass::SFU;
  case OpClass::Tensor:
    return SchedClass::Tensor;
  case OpClass::Convert:
  case OpClass::Compare:
  case OpClass::Logic:
  case OpClass::Move:
    return SchedClass::Logic;
  case OpClass::Texture:
    return SchedClass::Texture;
  case OpClass::Control:
    return SchedClass::BranchTaken;
  case OpClass::Barrier:
    return SchedClass::Barrier;
  default:
    return SchedClass::Store;
  }
}

class AccessCounter {
public:
  AccessCounter(const KernelOnDevice &On, const UnitAccessRules &Rules,
                const CacheHits *Caches, double Estimate::*Which)
      : On(On), K(On.Kernel), D(On.Dev), Rules(Rules), Member(Which) {
    if (Caches && Caches->L1)
      L1Hits = Caches->L1->Value;
    if (Caches && Caches->L2)
      L2Hits = Caches->L2->Value;
  }

  UnitAccess count() {
    const double All = K.Instructions.*Member;
    countWork();
    for (const MemoryCharacteristics &M : K.Memory)
      if (M.BytesPerLane != 0 && M.Access != AccessKind::Prefetch)
        countRequests(M, M.Requests.*Member);
    if (Rules.ByTraffic)
      countMisses();
    Result.PerWarp.of(PowerUnit::FDS) = All;
    if (Rules.ByMachine)
      countMachine();
    Result.MemoryIntensity =
        All > MemoryInsts ? MemoryInsts / (All - MemoryInsts) : 0;
    return Result;
  }

private:
  const KernelOnDevice &On;
  const KernelCharacteristics &K;
  const Device &D;
  const UnitAccessRules &Rules;
  double Estimate::*Member;
  double L1Hits = 0, L2Hits = 0; ///< shares of sectors
  UnitAccess Result;
  double MemoryInsts = 0; ///< on global and local memory
  // By traffic: accesses to each, and of them those that write.
  ByPowerUnit<double> Requested{};
  double Written = 0;

  void add(PowerUnit U, double Num) {
    // One step leads from any unit to one that stands in for it.
    if (!Rules.Has.of(U))
      switch (U) {
      case PowerUnit::FP64:
      case PowerUnit::Tensor:
      case PowerUnit::SFU:
        U = PowerUnit::FP;
        break;
      case PowerUnit::ALU:
        U = PowerUnit::Int;
        break;
      case PowerUnit::Local:
        U = PowerUnit::Global;
        break;
      default:
        break;
      }
    Result.PerWarp.of(U) += Num;
  }

  void addWork(SchedClass Work, double Num) {
    WorkUnit W = unitOf(Work);
    if (W.Unit)
      add(*W.Unit, Num);
    if (W.UsesRegisters)
      add(PowerUnit::Reg, Num);
  }

  void countWork() {
    bool IsFine = llvm::any_of(K.ByWork, [](const auto &C) { return bool(C); });
    for (unsigned I = 0; IsFine && I != NumSchedClasses; ++I)
      if (K.ByWork[I])
        addWork(SchedClass(I), (*K.ByWork[I]).*Member);
    for (unsigned I = 0; !IsFine && I != NumOpClasses; ++I)
      addWork(workOf(OpClass(I)), K.byClass(OpClass(I)).*Member);
  }

  /// In place of all that the PTX says.
  void countMachine() {
    const MachineWork Work = machineWork(K, D.ComputeCapability, Member);
    const MemoryTraffic Traffic = findMemoryTraffic(On, Member);
    Result.PerWarp = {};
    auto Add = [&](PowerUnit U, std::initializer_list<MachinePipe> Pipes) {
      for (MachinePipe P : Pipes)
        add(U, Work.of(P));
    };
    Result.PerWarp.of(PowerUnit::FDS) = Work.instructions();
    Add(PowerUnit::FP,
        {MachinePipe::FP32, MachinePipe::FP16, MachinePipe::FP16Swizzled});
    Add(PowerUnit::Int, {MachinePipe::Int, MachinePipe::IntMultiply,
                         MachinePipe::HalfInt, MachinePipe::HalfInt});
    Add(PowerUnit::FP64, {MachinePipe::FP64, MachinePipe::FP64Convert});
    Add(PowerUnit::SFU, {MachinePipe::SFU, MachinePipe::Convert});
    // All types keep the tensor cores as busy at their own rates.
    add(PowerUnit::Tensor,
        tensorEquivalents(Work.TensorMACs, K, D, Member) / MACsPerAccess);
    Add(PowerUnit::Texture, {MachinePipe::Texture});
    Add(PowerUnit::Constant, {MachinePipe::ConstantLoad});
    Add(PowerUnit::Shared, {MachinePipe::Shuffle});
    add(PowerUnit::Shared, Traffic.SharedWavefronts);
    constexpr double Sectors = BytesPerAccess / SectorBytes;
    add(PowerUnit::L1, Traffic.L1Sectors / Sectors);
    add(PowerUnit::L2, Traffic.l2Sectors() / Sectors);
    add(PowerUnit::Global, Traffic.DRAMSectors / Sectors);
  }

  void countRequests(const MemoryCharacteristics &M, double Num) {
    switch (M.Space) {
    case AddressSpace::Shared: {
      bool Conflicts = !Rules.Published && M.Wavefronts;
      add(PowerUnit::Shared,
          Num * (Conflicts ? std::max(1.0, (*M.Wavefronts).*Member) : 1));
      return;
    }
    case AddressSpace::Global:
    case AddressSpace::Generic:
      MemoryInsts += Num;
      return countDeviceMemory(M, PowerUnit::Global, Num);
    case AddressSpace::Local:
      MemoryInsts += Num;
      return countDeviceMemory(M, PowerUnit::Local, Num);
    default:
      return;
    }
  }

  void countDeviceMemory(const MemoryCharacteristics &M, PowerUnit Memory,
                         double Num) {
    if (!Rules.ByTraffic)
      return add(Memory, Num);
    // Without an analysis of the addresses every lane is taken for itself.
    double Sectors = M.Sectors ? (*M.Sectors).*Member : M.ActiveLanes.*Member;
    double Accesses = Num * Sectors * SectorBytes / BytesPerAccess;
    Requested.of(Memory) += Accesses;
    if (M.Access != AccessKind::Load)
      Written += Accesses;
    // The rate of all loads together stands for that of those that L1 serves.
    bool InL1 = M.Access == AccessKind::Load && !bypassesL1(M);
    if (InL1)
      add(PowerUnit::L1, Accesses);
    add(PowerUnit::L2, InL1 ? Accesses * (1 - L1Hits) : Accesses);
  }

  /// What device memory gets of it. The rate of L2 is that without an L1, whose
  /// hits are hits of it too. What is written goes there in the end, though it
  /// hit: a line that is read and then written crosses twice.
  void countMisses() {
    double All =
        Requested.of(PowerUnit::Global) + Requested.of(PowerUnit::Local);
    if (!(All > 0))
      return;
    double Hits = All * L2Hits;
    double Share = (All - Hits + std::min(Hits, Written)) / All;
    if (std::isnan(Share)) // counts without a bound
      Share = 1;
    for (PowerUnit U : {PowerUnit::Global, PowerUnit::Local})
      add(U, Requested.of(U) * Share);
  }

  /// By cache operator, and by the architectures that keep global loads out of
  /// L1 (Kepler and the first Maxwell).
  bool bypassesL1(const MemoryCharacteristics &M) const {
    if (ptx::hasAnyModifier(M.Opcode, {"cg", "cv", "volatile"}))
      return true;
    bool KeepsOut = D.ComputeCapability >= 30 && D.ComputeCapability < 52;
    return KeepsOut && M.Space != AddressSpace::Local &&
           !ptx::hasModifier(M.Opcode, "nc");
  }
};

} // namespace

UnitAccess ptxpredict::countUnitAccess(const KernelOnDevice &On,
                                       const UnitAccessRules &Rules,
                                       const CacheHits *Caches,
                                       double Estimate::*Which) {
  return AccessCounter(On, Rules, Caches, Which).count();
}
