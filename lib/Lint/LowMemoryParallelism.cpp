//===- LowMemoryParallelism.cpp - Waiting for few loads at a time ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

/// Loads in flight under which a warp waits for "few", and those that the fix
/// is taken to have: what unrolling a loop four times gives. Two that some
/// warps leave out, as where the data end, are two.
static constexpr double Few = 1.9, Enough = 4;

static bool waitsForMemory(const Prediction &P) {
  // MWP-CWP's first case, every warp waiting at once, goes by several names.
  return llvm::is_contained(
      {TimeLimiter::MemoryLatency, TimeLimiter::Occupancy, TimeLimiter::Launch},
      P.Limiter);
}

static bool isOfMemory(const PathCharacteristics &P) {
  return llvm::is_contained({SchedClass::Global, SchedClass::Local,
                             SchedClass::Texture, SchedClass::GlobalAtomic,
                             SchedClass::AsyncCopy, SchedClass::BulkCopy},
                            P.What);
}

namespace {
/// Loads of a block's run, and waits that bring them if each starts as early as
/// it can: an assembler moves loads up to where their addresses are known, but
/// not past what may write the same memory.
struct LoadsAndWaits {
  double Loads = 0, Waits = 0;
};
} // namespace

/// Stores of which the code says that they write no memory outside of the SM.
using NearStores = llvm::DenseSet<InstructionKeys::Key>;

static NearStores findNearStores(const KernelCharacteristics &K,
                                 const InstructionKeys &Keys) {
  NearStores Near;
  for (const MemoryCharacteristics &M : K.Memory)
    if (M.Access == AccessKind::Store &&
        (M.Space == AddressSpace::Shared || M.Space == AddressSpace::Local))
      Near.insert(Keys.of(M.Place));
  return Near;
}

/// \p WaitsFor has how many waits the value in a register needs at least: zeros
/// before and behind it.
static LoadsAndWaits moveLoadsUp(const FunctionDependence &F,
                                 const IssuedBlock &B,
                                 const InstructionKeys &Keys,
                                 const NearStores &Near,
                                 MutableArrayRef<unsigned> WaitsFor) {
  // How many waits what is not before a write needs.
  unsigned Floor = 0, Most = 0;
  llvm::SmallDenseSet<unsigned> StartedAfter;
  LoadsAndWaits Sum;
  for (uint32_t N = B.FirstInstruction; N != B.EndInstruction; ++N) {
    const IssuedInstruction &I = F.Instructions[N];
    unsigned Waits = 0;
    for (uint32_t R : F.reads(I))
      Waits = std::max(Waits, WaitsFor[R]);
    Most = std::max(Most, Waits);
    if (I.Result == SchedClass::Store && !Near.count(Keys.of(I)))
      Floor = std::max(Floor, Waits);
    if (llvm::is_contained({SchedClass::Barrier, SchedClass::Fence,
                            SchedClass::Call, SchedClass::GlobalAtomic},
                           I.Result))
      Floor = Most;
    if (I.IsLongLoad) {
      Waits = std::max(Waits, Floor);
      StartedAfter.insert(Waits++);
      ++Sum.Loads;
    }
    for (uint32_t R : F.writes(I))
      WaitsFor[R] = Waits;
  }
  for (uint32_t N = B.FirstInstruction; N != B.EndInstruction; ++N)
    for (uint32_t R : F.writes(F.Instructions[N]))
      WaitsFor[R] = 0;
  Sum.Waits = double(StartedAfter.size());
  return Sum;
}

/// Loads in flight where an assembler starts them as early as it can.
static double mostInFlight(const KernelCharacteristics &K) {
  const DependenceSummary &S = K.Dependence.Summary;
  const InstructionKeys Keys(S);
  const NearStores Near = findNearStores(K, Keys);
  LoadsAndWaits Sum;
  std::vector<unsigned> WaitsFor;
  for (const FunctionDependence &F : S.Functions) {
    WaitsFor.resize(std::max(WaitsFor.size(), size_t(F.NumRegisters)));
    for (const IssuedBlock &B : F.Blocks) {
      LoadsAndWaits Of = moveLoadsUp(F, B, Keys, Near, WaitsFor);
      Sum.Loads += Of.Loads * B.Runs * F.Entries;
      Sum.Waits += Of.Waits * B.Runs * F.Entries;
    }
  }
  return Sum.Waits > 0 ? Sum.Loads / Sum.Waits : 0;
}

void ptxpredict::checkLowMemoryParallelism(const Rule &R, LintContext &C) {
  const DependenceCharacteristics &D = C.kernel().Dependence;
  const Estimate InFlight = D.MemoryParallelism;
  if (D.RoundTrips.Value <= 0 || InFlight.Value >= Few ||
      mostInFlight(C.kernel()) >= Few)
    return;
  auto There = llvm::find_if(
      C.devices(), [](const KernelThere &K) { return waitsForMemory(K.Now); });
  if (There == C.devices().end())
    return;
  std::vector<PathCharacteristics> Waits =
      findWarpLatency(There->On.Place).Waits;
  auto Wait = llvm::find_if(Waits, isOfMemory);
  Finding F = Wait == Waits.end() ? C.start(R)
                                  : C.start(R, {Wait->Line, Wait->Source, {}});
  // How often is of no use where it rests on a guess.
  F.Message = "a warp waits " +
              (D.RoundTrips.Status >= Status::Assumed
                   ? ""
                   : shortNumber(D.RoundTrips.Value) + " " +
                         nounAfter(D.RoundTrips.Value, "time") + " ") +
              "for memory with " + countText(InFlight) + " " +
              nounAfter(InFlight.Value, "load") + " in flight, and warps" +
              onDevice(C, *There) + " are too few to hide it";
  F.add("memory_parallelism", InFlight.Value);
  F.add("round_trips", D.RoundTrips.Value);
  F.add("mstr", D.MSTR.Value);
  if (Wait != Waits.end())
    F.add("share_of_waiting", Wait->Share, There->name());
  F.Help = "start several independent loads before the first one is used: "
           "unroll the loop, load the next element ahead, or give a thread "
           "several elements";
  C.price(F, [&](KernelVariant &V) {
    DependenceCharacteristics &Fixed = V.dependence();
    double Times = std::max(1.0, Enough / InFlight.Value);
    Fixed.MemoryParallelism = InFlight.scaled(Times);
    Fixed.MSTR = Fixed.MSTR.scaled(std::max(1.0, Enough / D.MSTR.Value));
    Fixed.RoundTrips = Fixed.RoundTrips.scaled(1 / Times);
    Fixed.WaitShare /= Times;
  });
  // A model may take the requests in flight and not let them change the time of
  // kernels such as this: then it does not price them.
  if (F.bestGain() == 0.0)
    F.Gains.clear();
  C.report(std::move(F));
}
