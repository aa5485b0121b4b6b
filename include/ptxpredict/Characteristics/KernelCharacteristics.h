//===- KernelCharacteristics.h - What models know of a kernel ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CHARACTERISTICS_KERNELCHARACTERISTICS_H
#define PTXPREDICT_CHARACTERISTICS_KERNELCHARACTERISTICS_H

#include "ptxpredict/Analysis/Access/OpenReason.h"
#include "ptxpredict/Analysis/Dependence/CriticalPath.h"
#include "ptxpredict/Analysis/Dependence/WaitChains.h"
#include "ptxpredict/Analysis/Locality/Locality.h"
#include "ptxpredict/Analysis/Profile/BarrierReach.h"
#include "ptxpredict/Analysis/Profile/WarpRoles.h"
#include "ptxpredict/Characteristics/CounterCorrections.h"
#include "ptxpredict/Characteristics/MemoryCharacteristics.h"
#include "ptxpredict/Characteristics/ResourceCharacteristics.h"
#include "ptxpredict/Codegen/MachineForms.h"
#include "ptxpredict/Graph/KernelBounds.h"
#include "ptxpredict/ISA/ISA.h"
#include "ptxpredict/Launch/LaunchConfig.h"
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "ptxpredict/Support/Assumption.h"
#include "ptxpredict/Support/Estimate.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ptxpredict {

/// Something that code uses and older devices lack.
struct TargetFeature {
  std::string Name;   ///< "bulk copies"
  unsigned Since = 0; ///< the first compute capability that has it: 90
};

/// What the code was written for.
struct CodeCharacteristics {
  std::string Frontend;   ///< "ptx"
  std::string ISAVersion; ///< "9.0"; empty if the code does not say
  std::string Target;     ///< "sm_90a"; empty if the code does not say
  /// What the kernel uses, called functions included, each once.
  std::vector<TargetFeature> Features;
};

struct BlockCharacteristics {
  std::string Label;
  std::string Function; ///< of a device function's block; empty in the kernel
  unsigned Line = 0;
  Estimate Frequency; ///< executions per warp
};

/// An instruction where it stands.
struct InstructionPlace {
  SourcePlace Place;
  std::string Opcode; ///< "fma.rn.f32"
};

/// Instructions of a loop of which each needs the one before, and the first
/// one, Iterations later, the last one: no iteration can take less time than
/// they do, shared among so many.
struct RecurrenceCharacteristics {
  std::vector<InstructionPlace> Instructions;
  unsigned Iterations = 1;
};

/// Work on doubles that only floats go into, and whose results become floats or
/// integers or are compared (findDoublePromotions). In the order of the code.
struct PromotionCharacteristics {
  std::vector<InstructionPlace> Instructions;
  bool IsRounded = false; ///< to a float
};

struct LoopCharacteristics {
  std::string Header;
  unsigned Line = 0;
  unsigned Depth = 1;
  Estimate TripCount;  ///< bodies per entry
  Estimate Executions; ///< of the header, per warp
  /// The same as a formula where it is not known: "n/16", or "<= n/16" where
  /// the loop may end before. Empty without one.
  std::string TripCountSymbolic;
  /// Of a loop that waits for other threads, what for: "mbarrier full"
  /// (PollingLoop). Its trip count is 1. Empty for every other loop.
  std::string WaitsFor;
  /// "k.cu:7", where a launch gives counts by source line: what this loop may
  /// be called. In no file.
  std::vector<std::string> SourceLines;
  /// The longest one: a load from outside of the SM in it counts for more than
  /// everything else, all else counts one. Absent without any.
  std::optional<RecurrenceCharacteristics> Recurrence;
};

/// A conditional branch or guarded call, to which a launch may give a
/// probability.
struct BranchCharacteristics {
  std::string Block; ///< label of the block that a branch ends, if it has one
  unsigned BlockLine = 0;
  unsigned Line = 0;
  std::string Source;                   ///< "k.cu:7:12", empty if unknown
  std::vector<std::string> SourceLines; ///< as of a loop
  Estimate Executions;                  ///< per warp
  // Of a branch: shares of the executions that split a warp, and that sent a
  // lane to the target.
  std::optional<Estimate> Divergent, Taken;
};

/// How threads that a barrier waits for do not come to it.
struct BarrierMissCharacteristics {
  BarrierMiss Miss = BarrierMiss::Perhaps;
  unsigned PartedByLine = 0;  ///< of the condition that parts them; 0: none
  std::string PartedBySource; ///< "k.cu:7:12", empty if unknown
  OpenReason Reason = OpenReason::None; ///< of that condition
  bool NeedsGrid = false; ///< another grid than the assumed one may not
  // Unless Perhaps: of one block, its index, threads that should come (of a
  // warp for Lanes) and those that do.
  KernelBounds::Extent Block{0, 0, 0};
  uint64_t Threads = 0, Reaching = 0;
};

/// One barrier of the block.
struct BarrierCharacteristics {
  SourcePlace Place;
  std::string Opcode;  ///< "bar.sync"
  Estimate Executions; ///< per warp
  /// Absent where all threads come, as far as anybody knows.
  std::optional<BarrierMissCharacteristics> Miss;
  /// Proven to order no accesses of different threads.
  bool IsRedundant = false;
};

/// Where blocks wait for other blocks (WaitChain).
struct WaitCharacteristics {
  WaitKind Kind = WaitKind::Predecessor;
  unsigned Line = 0;       ///< of the poll, in the input
  std::string Source;      ///< "k.cu:7:12", empty if unknown
  unsigned SignalLine = 0; ///< of what lets the next one go on
  Estimate Executions;     ///< of that, per warp
  /// From the answer to the signal: loads from outside of the SM that depend on
  /// each other, and fences.
  unsigned RoundTrips = 0, Fences = 0;
};

/// What matrix instructions of one type and shape multiply.
struct TensorWorkCharacteristics {
  std::string Type;             ///< "bf16-f32" (Codegen/MatrixProduct.h)
  unsigned M = 0, N = 0, K = 0; ///< of one instruction, as if it were dense
  unsigned SMs = 1;             ///< that multiply together
  /// Of A and B that one instruction reads from shared memory, of all SMs.
  unsigned SharedBytes = 0;
  Estimate MACs; ///< multiply-adds of a warp

  bool isLike(const TensorWorkCharacteristics &O) const {
    return Type == O.Type && M == O.M && N == O.N && K == O.K && SMs == O.SMs &&
           SharedBytes == O.SharedBytes;
  }
};

/// Unique bytes of global memory, from a run or a given launch.
struct FootprintCharacteristics {
  Estimate BlockBytes; ///< in the mean over the blocks
  Estimate GridBytes, GridReadBytes, GridWrittenBytes;
};

/// An instruction that a warp waits for on its critical path.
struct PathCharacteristics {
  unsigned Line = 0;  ///< in the input
  std::string Source; ///< "k.cu:7:12", empty if unknown
  SchedClass What = SchedClass::Other;
  double Share = 0; ///< of all waiting
};

/// What decides how long a warp takes by itself.
struct WarpPath {
  DependenceSummary Summary;
  /// The same of what an assembler leaves of the code, loads moved up; nothing
  /// in it where that is not known.
  DependenceSummary Machine;
};

/// How a warp's instructions depend on each other. No latency of any device is
/// in the numbers; the summaries give them for one: those of the launch's warps
/// in the mean.
struct DependenceCharacteristics : WarpPath {
  /// Instructions a level of the dependence height of the blocks.
  Estimate ILP;
  /// Instructions from where a value is written to where it is first read.
  Estimate DEP;
  /// Long loads (isLongLoad) of a block that issue before the first one is
  /// waited for: memory-level strength (S. Hong, PhD thesis, 2012, 5.3.7).
  Estimate MSTR;
  /// Long loads that are in flight together when a warp waits for one of them.
  Estimate MemoryParallelism;
  /// How often a warp waits for what comes from outside of the SM, and from
  /// shared memory: a wait brings all that was in flight.
  Estimate RoundTrips, SharedRoundTrips;
  /// Instructions that must follow one another if any number could issue at
  /// once, in order, and each took one cycle.
  Estimate PathInstructions;
  std::vector<PathCharacteristics> Path; ///< longest waits first, a few
  /// Of the warps of a block that execute the most, if they stand out.
  std::optional<WarpPath> Longest;
  /// What a change of the kernel would leave of the critical path that the
  /// summaries give, and of the waiting for loads from outside of the SM on it;
  /// 1 for the kernel as it is.
  double PathShare = 1, WaitShare = 1;
};

/// The blocks that execute the most, where blocks are unequal. Shares say what
/// one of their warps does, in the mean, over what the launch's warps do.
struct HeaviestBlocksCharacteristics {
  uint64_t Number = 1; ///< of these blocks
  /// Of the last of them: how many blocks start before it.
  uint64_t Before = 0;
  double Instructions = 1, BlockBarriers = 1, TensorMACs = 1; ///< shares
  std::array<double, NumMachineForms> ByForm{}, UniformByForm{};
  std::vector<double> Requests; ///< by number in Memory
  WarpPath Path;                ///< of their longest warps
};

/// Everything that a model may know of a kernel at one launch: no number of
/// any device is in it. Counts are per warp, averaged over the launch's warps.
struct KernelCharacteristics {
  std::string Name;
  std::string Demangled;
  unsigned Line = 0;
  CodeCharacteristics Code;
  KernelBounds Bounds;
  LaunchConfig Launch;
  ResourceCharacteristics Resources;

  Estimate Instructions;
  std::array<std::optional<Estimate>, NumOpClasses> ByClass; ///< absent: none
  /// The same by kind of work, as finely as machines tell it apart.
  std::array<std::optional<Estimate>, NumSchedClasses> ByWork;
  /// Instructions by what they become once an assembler has folded them,
  /// matrices by MatrixUnitMACs; what all lanes of a warp share is in the
  /// second one.
  std::array<std::optional<Estimate>, NumMachineForms> ByForm, UniformByForm;
  /// Products that matrix instructions add, sparse ones as if they were dense;
  /// absent without any.
  std::optional<Estimate> TensorMACs;
  std::vector<TensorWorkCharacteristics> TensorWork; ///< parts of them
  Estimate BlockBarriers; ///< executed block-wide barriers
  std::vector<BlockCharacteristics> Blocks;
  std::vector<LoopCharacteristics> Loops;
  std::vector<BranchCharacteristics> Branches;
  std::vector<BarrierCharacteristics> Barriers;
  std::vector<MemoryCharacteristics> Memory;
  std::vector<WaitCharacteristics> Waits; ///< of a given launch
  std::vector<PromotionCharacteristics> Promotions;
  WarpRoles Roles; ///< of a given block; nothing without mbarriers
  std::optional<FootprintCharacteristics> Footprint;
  DependenceCharacteristics Dependence;
  /// What is touched again, and how much between: from it come hit rates of
  /// caches of any size (Analysis/HitRates.h). Of a launch that was given; what
  /// it says of accesses stands in Memory.
  std::optional<Locality> Reuse;
  /// Absent where blocks are equal, or nobody knows.
  std::optional<HeaviestBlocksCharacteristics> Heaviest;
  /// The run whose counts stand here in place of estimates: "40 of 1024
  /// blocks"; empty without one.
  std::string MeasuredOn;
  /// What a profiler counted of this launch, in place of estimates; null
  /// without. In no file.
  std::shared_ptr<const CounterCorrections> Counted;

  unsigned ModelledInstructions = 0; ///< static
  unsigned TotalInstructions = 0;
  std::map<std::string, unsigned> UnknownOpcodes;

  std::vector<std::string> Premises;
  std::vector<Assumption> Assumptions;

  /// The count of \p C, zero if the class does not occur.
  Estimate byClass(OpClass C) const {
    return ByClass[unsigned(C)].value_or(Estimate::known(0));
  }
};

/// The longest of \p Waits, a few, where they stand.
std::vector<PathCharacteristics> longestWaits(const DependenceSummary &S,
                                              ArrayRef<PathWait> Waits);

/// The multiply-adds of \p K by type, in the order of the code.
llvm::MapVector<StringRef, Estimate>
tensorMACsByType(const KernelCharacteristics &K);

} // namespace ptxpredict

#endif // PTXPREDICT_CHARACTERISTICS_KERNELCHARACTERISTICS_H
