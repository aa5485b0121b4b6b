//===- Profile.h - What a run of a kernel counted ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LAUNCH_PROFILE_H
#define PTXPREDICT_LAUNCH_PROFILE_H

#include "ptxpredict/Launch/LaunchShape.h"
#include "ptxpredict/Support/Diagnostics.h"
#include <array>

namespace llvm::json {
class OStream;
} // namespace llvm::json

namespace ptxpredict {

/// What a memory instruction did. Sums over all requests.
struct MemoryProfile {
  uint64_t Requests = 0; ///< of a warp, with at least one lane
  uint64_t Lanes = 0;    ///< that took part
  /// 32 B sectors and 128 B lines of requests to global, local or generic
  /// memory, passes of those to shared memory.
  uint64_t Sectors = 0, Lines = 0, Wavefronts = 0;
  std::array<uint64_t, 3> Transactions{}; ///< by the rules CC10, CC12, CC20
  uint64_t SharedRequests = 0; ///< those of Requests that went to shared memory
  uint64_t UniqueBytes = 0;    ///< of global memory, in the whole run
  uint64_t SharedLanes = 0;    ///< that took part in SharedRequests

  /// Adds everything but UniqueBytes, which is no sum.
  MemoryProfile &operator+=(const MemoryProfile &O) {
    Requests += O.Requests, Lanes += O.Lanes, Sectors += O.Sectors;
    Lines += O.Lines, Wavefronts += O.Wavefronts;
    SharedRequests += O.SharedRequests, SharedLanes += O.SharedLanes;
    for (unsigned R = 0; R != Transactions.size(); ++R)
      Transactions[R] += O.Transactions[R];
    return *this;
  }
};

/// What a matrix instruction multiplied with one instruction descriptor.
struct ProductProfile {
  uint32_t Descriptor = 0; ///< of tcgen05.mma; others have none
  uint64_t MACs = 0;       ///< multiply-adds, sparse ones as if they were dense
};

/// What one instruction did, identified by its function and its number there.
struct InstructionProfile {
  std::string Function;
  unsigned Id = 0; ///< Instruction::Id
  unsigned Line = 0;
  std::string Opcode;
  bool IsUncounted = false; ///< as in Instruction; in no file
  uint64_t Executions = 0;  ///< by warps, whatever the guard
  uint64_t Lanes = 0;       ///< that executed it, by guard too
  uint64_t Taken = 0;       ///< lanes that a branch sent to a target
  uint64_t Jumps = 0;       ///< executions that sent a lane to a target
  uint64_t Divergent = 0;   ///< executions of a branch that split a warp
  /// Executions that are in none of these counts: of polling loops, beyond the
  /// one trip in which the poll is answered with yes.
  uint64_t Polls = 0;
  std::optional<MemoryProfile> Memory;
  std::vector<ProductProfile> Products; ///< by ascending descriptor
};

/// Runs of a block, identified by its function and its number there: of blocks
/// without an instruction, and of headers of loops.
struct BlockProfile {
  std::string Function;
  unsigned Id = 0;   ///< Block::Number
  uint64_t Runs = 0; ///< by groups of lanes that ran it together
  /// Of the header of a loop: runs with a lane that came from outside of it.
  std::optional<uint64_t> Entries;
};

/// What a run of one kernel counted.
struct KernelProfile {
  std::string Name;
  std::string InputHash; ///< of the input's text; empty if nobody computed it
  Dim3 Grid, Block, Cluster;
  ShapePlaces Shapes; ///< of these
  uint64_t DynamicSharedBytes = 0;
  /// Numbers among the arguments, by parameter index.
  std::map<unsigned, ArgumentValue> Args;
  /// And among the parts of parameters, by ArgumentPlace: "0+8:u32".
  std::map<std::string, ArgumentValue> Parts;
  uint64_t Blocks = 0; ///< that were run
  uint64_t BlocksInGrid = 0;
  uint64_t Warps = 0;                           ///< of the blocks that were run
  uint64_t Threads = 0;                         ///< likewise
  std::vector<InstructionProfile> Instructions; ///< of all functions, in order
  /// Likewise. Older profiles have none: their counts come from those of
  /// branches.
  std::vector<BlockProfile> CodeBlocks;
  /// Unique bytes of global memory: in the mean over the blocks that were run,
  /// and of all of them together.
  double BlockBytes = 0;
  uint64_t GridBytes = 0, GridReadBytes = 0, GridWrittenBytes = 0;

  bool isPartial() const { return Blocks != BlocksInGrid; }
};

/// "schema" and "version" of a profile's JSON (docs/formats/Profile.md). The
/// version rises when a key is renamed or taken away.
constexpr StringRef ProfileSchemaName = "ptx-predict/profile";
constexpr unsigned ProfileSchemaVersion = 1;

/// The highest Instruction::Id and Block::Number that is read.
constexpr uint64_t MaxProfileInstructions = uint64_t(1) << 24;

// Of a profile's JSON, into the object that is open:
/// the keys of `run`, and
void writeRun(llvm::json::OStream &J, const KernelProfile &P);
/// those of `counts`, from which it can be read back.
void writeCounts(llvm::json::OStream &J, const KernelProfile &P);

/// Reads the engine's buffer as a profile. True on error (reported with line,
/// column and the nearest known key).
bool readProfile(DiagnosticEngine &Diags, std::vector<KernelProfile> &Result);

} // namespace ptxpredict

#endif // PTXPREDICT_LAUNCH_PROFILE_H
