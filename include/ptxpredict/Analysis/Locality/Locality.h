//===- Locality.h - Which bytes a launch touches, and how often -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Of global memory alone: loads, stores, atomics and what asynchronous copies
// read, as the emulator counts them. No number of any device is in it.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_LOCALITY_LOCALITY_H
#define PTXPREDICT_ANALYSIS_LOCALITY_LOCALITY_H

#include "ptxpredict/Support/Estimate.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ptxpredict {

struct LaunchConfig;
class Instruction;

namespace counting {
struct LocalityRecords;
} // namespace counting

/// Bytes and 32-byte sectors, each counted once however often it is touched.
/// What is read and what is written overlap: an atomic access does both.
struct TouchedMemory {
  Estimate Bytes, ReadBytes, WrittenBytes;
  Estimate Sectors, ReadSectors, WrittenSectors;
};

/// What the first \ref Blocks blocks of the grid touch together, x fastest: as
/// a device hands them out.
struct BlocksFootprint {
  uint64_t Blocks = 1;
  TouchedMemory Touched;
  /// From 1, where touched sectors fill aligned pieces of 64 bytes, to 2, where
  /// each lies alone in its own; 0 where nothing is touched.
  double Spread = 0;
};

/// Runs of as many requests in a row, each of which is that of all warps of an
/// instance: how near in straight code lies what is touched again.
struct RequestRun {
  double Unique = 0; ///< sectors that a run touches, in the mean
  /// Of an instance: what its runs touch and the run right before did not.
  double Fresh = 0;
};

/// Sectors that one instance of a level asks for, in the mean over the
/// instances.
struct LevelTraffic {
  Estimate Requested; ///< by all requests: a sector as often as they touch it
  Estimate Unique;    ///< each once
  /// Those of Unique that the instance right before did not touch; all, where
  /// there is no instance before or none is known.
  Estimate Fresh;
  /// Of 1, 2, 4, … requests, fewer than an instance has. Empty where it touches
  /// nothing twice or is no straight code, and where nobody knows.
  std::vector<RequestRun> Runs = {};
};

/// A level of the execution nest: what runs in one go, again and again.
///
/// Requested / Unique of a level is reuse within an instance: it hits in a
/// cache that holds an instance's Unique sectors. Unique - Fresh is reuse from
/// one instance to the next: it hits in a cache that holds the Unique of both.
/// So a cache that holds an instance of the level, but none of the next outer
/// one, misses Instances * Fresh sectors, one that holds no level Instances *
/// Requested, those of the innermost level.
struct LocalityLevel {
  enum class KindTy : uint8_t {
    Iteration, ///< of a loop
    Loop,      ///< all iterations of an entry
    Whole      ///< all that the scope executes
  };
  enum class ScopeTy : uint8_t {
    Warp,  ///< of one warp
    Block, ///< of all warps of a block, each at the same place of the nest
    Blocks ///< of NumBlocks consecutive blocks
  };
  KindTy Kind = KindTy::Whole;
  ScopeTy Scope = ScopeTy::Warp;
  std::string Header; ///< of a loop: its label, may be empty
  unsigned Line = 0;  ///< of the loop's header; 0 for Whole
  unsigned Depth = 0; ///< of the loop, 1 for an outermost one; 0 for Whole
  /// A barrier of the block is in the loop's code, or in the kernel's for
  /// Whole: the warps of a block wait for each other there. Without one a warp
  /// may run all of it before another one begins.
  bool HasBarrier = false;
  /// Stretches of the code beside inner loops, between barriers of the block,
  /// with loads of global memory: what one asks for has come when the next one
  /// begins. 0 where there are not several.
  unsigned LoadStretches = 0;
  uint64_t NumBlocks = 1;
  Estimate Instances; ///< in the launch, of those that ask for anything
  LevelTraffic All, Loads;
};
StringRef toString(LocalityLevel::KindTy K);  ///< "iteration", "loop", "whole"
StringRef toString(LocalityLevel::ScopeTy S); ///< "warp", "block", "blocks"

/// One memory effect of an instruction on global memory.
struct AccessLocality {
  const Instruction *I = nullptr;
  unsigned Effect = 0; ///< among those that FunctionCounts::accesses() has
  /// Where the same lane of the next block along x, y and z, and of the next
  /// warp of the block, has its address, in bytes from here; nothing where that
  /// is not one number, or there is no next one.
  std::array<std::optional<int64_t>, 3> BlockStrideBytes;
  std::optional<int64_t> WarpStrideBytes;
  // Of atomics; nothing of others.
  std::optional<Estimate>
      Addresses; ///< distinct ones of a request, in the mean
  /// Requests of the launch that meet at the address where most do.
  std::optional<Estimate> HottestRequests;
  std::optional<Estimate> HottestLanes; ///< lanes that meet there
  std::optional<Estimate> SpreadBytes;  ///< that all requests are spread over
};

/// What of the launch is the largest, divided by the mean: 1 where all execute
/// as much.
struct WorkImbalance {
  /// Instructions of a block's warps, in the mean over blocks. The high end is
  /// that of what is executed where all that is open holds.
  Estimate Warps;
  Estimate Blocks; ///< instructions of the grid's blocks
};

struct Locality {
  TouchedMemory Warp;  ///< in the mean over the warps
  TouchedMemory Block; ///< in the mean over the blocks
  TouchedMemory Grid;
  /// Of a block's sectors those that all blocks touch, and that they read: by
  /// accesses whose addresses do not move from block to block. Absent without.
  std::optional<Estimate> CommonSectors, CommonReadSectors;
  /// Of 1, 2, 4, … blocks, and of the grid.
  std::vector<BlocksFootprint> Blocks;
  /// Inner ones first: of a warp the loops that touch global memory, each right
  /// behind those that lie in it and its iteration before itself, then all of a
  /// warp; the same of a block; then 2, 4, … blocks and the grid.
  std::vector<LocalityLevel> Levels;
  std::vector<AccessLocality> Accesses; ///< of all functions; once each
  WorkImbalance Imbalance; ///< findImbalance() of the profile fills it in
};

/// What \p Counts, which has records, saw on its way through the kernel. A
/// number is known where launch and arguments decide every access that it is
/// made of, and their addresses are regular enough for an exact union within a
/// fixed budget. Arguments are distinct buffers
/// (KernelCharacteristics::Premises). Cost does not depend on how long loops
/// run or how many blocks there are.
Locality findLocality(const counting::LocalityRecords &Records,
                      const LaunchConfig &Launch);

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_LOCALITY_LOCALITY_H
