//===- SharedMemoryCheck.h - Races in shared memory -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What `--check` knows of one block's shared memory: who wrote and read each
// byte, and whether anybody did. In the manner of FastTrack (Flanagan and
// Freund, PLDI 2009): a word remembers the last write and the last read, and
// each warp's only where they are not ordered.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CHECK_SHAREDMEMORYCHECK_H
#define PTXPREDICT_LIB_EMULATOR_CHECK_SHAREDMEMORYCHECK_H

#include "WarpOrder.h"
#include "llvm/ADT/DenseSet.h"

namespace ptxpredict::emulator {

/// What an instruction does to the bytes that it names.
enum class SharedAccess : uint8_t {
  Read,
  Write,
  Atomic,
  /// `cp.async` and bulk copies: the bytes may change from now on, so that any
  /// access before CopyEnd is a race, one of the same warp too.
  CopyStart,
  /// The copy is complete, as the waiting warp knows: a plain write.
  CopyEnd,
  /// A read that must be behind all writes, but which later writes need not be
  /// behind.
  Peek
};

/// A request of a warp to shared memory.
struct SharedRequest {
  unsigned Warp;
  uint32_t Instruction; ///< any number below 2^32 - 2; the reports repeat it
  SharedAccess Kind;
  /// A strong access is then not given to order() as well; an atomic is at
  /// least relaxed.
  MemoryOrder Order = MemoryOrder::Weak;
  /// A bit for each lane whose store leaves all its bytes with the values that
  /// they had.
  uint32_t Unchanged = 0;
};

struct SharedMemoryReport {
  enum class Kind : uint8_t { Race, UninitializedRead };
  struct Access {
    uint32_t Instruction = 0; ///< as it was given
    SharedAccess Kind = SharedAccess::Read;
    unsigned Thread = 0; ///< in the block, warp x 32 + lane
  };
  Kind What = Kind::Race;
  /// The emulator met First before Second. Both are the read where a byte was
  /// never written.
  Access First, Second;
  uint64_t Address = 0; ///< of the first such byte, within shared memory
};

/// Finds accesses of different warps to the same byte of shared memory, one of
/// them a write, with nothing to order them (WarpOrder), and reads of bytes
/// that nobody in the block wrote. Of each byte's races the first is found,
/// later ones perhaps.
///
/// No races are: accesses by lanes of one warp, be it without `__syncwarp`, and
/// two lanes that store different values; accesses that are both strong
/// (atomics, `.volatile`, `.relaxed` and the like); a store that leaves what
/// another store wrote.
class SharedMemoryCheck {
public:
  /// Starts a block. Memory of earlier blocks is used again.
  void reset(unsigned NumWarps, uint64_t SharedBytes);

  /// Barriers, fences and accesses to global memory that synchronise.
  WarpOrder &order() { return Order; }

  /// Addresses are within shared memory, from 0; bytes beyond its end are
  /// skipped.
  void access(const SharedRequest &S, const WarpAccess &A);

  /// A copy is complete, as is known everywhere that is ordered behind it: its
  /// CopyStart then counts as a plain write.
  void endCopy(const WarpAccess &A);
  /// The bytes are read until endRead: a write before is a race.
  void startRead(const SharedRequest &S, const WarpAccess &A) {
    access(S, A);
    holdRead(S, A);
  }
  /// The same of what access() was told of.
  void holdRead(const SharedRequest &S, const WarpAccess &A);
  void endRead(const WarpAccess &A);
  /// A multiplication of four warps, from \p FirstWarp on, reads the bytes: a
  /// write must be behind the wait of one of them.
  struct GroupRead {
    unsigned FirstWarp;
    uint64_t Number; ///< of the multiplication
  };
  void holdGroupRead(const SharedRequest &S, const GroupRead &G,
                     const WarpAccess &A);
  /// The warp has waited for it.
  void endGroupRead(unsigned Warp, const GroupRead &G, const WarpAccess &A);

  /// Ends the block: adds the uninitialised reads to the reports. A read of
  /// which a race says that its write was merely too late is not among them.
  void finish();

  /// Of the block so far, in the order they were found. One for each pair of
  /// instructions, and one for each instruction that read unwritten bytes.
  ArrayRef<SharedMemoryReport> reports() const { return Reports; }

private:
  struct Access {
    uint32_t Time = 0; ///< of its warp; 0 for none
    uint32_t Instruction = 0;
    uint8_t Warp = 0, Lane = 0;
    SharedAccess Kind = SharedAccess::Read;
  };
  /// A word, or a byte of a word whose bytes differ. Void in a later phase.
  struct Cell {
    static constexpr uint32_t SplitBit = 1u << 31;
    uint32_t Phase = 0;
    uint32_t Chain = 0; ///< of sets, 0 for none; SplitBit | into SplitCells
    Access Write, Read; ///< the last plain ones
  };
  /// Accesses with no order among them, of each warp the last.
  enum class SetRole : uint8_t { Reads, StrongReads, StrongWrites };
  struct Set {
    uint32_t Next;
    SetRole Role;
  };
  struct Request {
    unsigned Warp;
    bool Writes, IsStrong, IsUnchanged;
  };

  /// A read that a later access may still meet.
  struct HeldRead {
    Access By;
    GroupRead Group = {0, 0};           ///< Number 0: of one warp
    std::array<uint32_t, 4> WaitedAt{}; ///< by the group's warps; 0: not yet
  };

  void startPhase();
  bool isOver(const HeldRead &R, unsigned Writer) const;
  unsigned touchBytes(const Request &R, const Access &New, uint64_t Begin,
                      uint64_t End);
  void touchCopies(const Access &New, uint64_t Word, unsigned Mask);
  void touch(const Request &R, Cell &C, const Access &New, uint64_t Address);
  void record(const Request &R, Cell &C, const Access &New);
  void split(Cell &C);
  uint32_t findSet(const Cell &C, SetRole Role) const;
  uint32_t addSet(Cell &C, SetRole Role);
  void dropSets(Cell &C);
  void checkSet(const Cell &C, SetRole Role, const Access &New,
                uint64_t Address);
  Access *slots(uint32_t Index) { return &Slots[size_t(Index) * NumWarps]; }
  void checkAccess(const Access &Old, const Access &New, uint64_t Address);
  void reportRace(const Access &Old, const Access &New, uint64_t Address);

  WarpOrder Order;
  uint64_t Bytes = 0;
  unsigned NumWarps = 0;
  uint32_t Phase = 0;
  std::vector<Cell> Cells;    ///< a word each
  std::vector<uint8_t> State; ///< a word each: bits 0-3 written, 4-7 in a copy
  std::vector<std::array<Cell, 4>> SplitCells;
  std::vector<Set> Sets;     ///< the first is not used
  std::vector<Access> Slots; ///< NumWarps for each set
  std::vector<uint32_t> FreeSets;
  llvm::DenseMap<uint64_t, Access> Copies;    ///< under way, by word
  llvm::DenseMap<uint64_t, HeldRead> Reading; ///< the same of reads

  std::vector<SharedMemoryReport> Reports, Unwritten;
  llvm::DenseSet<uint64_t> Pairs;         ///< of instructions, reported
  llvm::DenseSet<uint32_t> RacingReaders; ///< instructions
  llvm::DenseSet<uint32_t> ReadUnwritten; ///< instructions
};

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CHECK_SHAREDMEMORYCHECK_H
