//===- DeviceMemory.h - The address space of an emulated GPU ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Global and constant memory: what the launch's buffers and the module's
// variables lie in, and the heap of device-side malloc. Shared, local and
// parameter memory lie elsewhere.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MEMORY_DEVICEMEMORY_H
#define PTXPREDICT_LIB_EMULATOR_MEMORY_DEVICEMEMORY_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/Memory.h"
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ptxpredict::emulator {

class DeviceMemory {
public:
  /// Where the first allocation begins, at the earliest.
  static constexpr uint64_t Base = 0x7f0000000000;
  /// Bytes that lie at least between two allocations and belong to none.
  static constexpr uint64_t Gap = 512;
  /// Bytes of the heap where nothing else was asked for (CUDA C++ Programming
  /// Guide, "Heap Memory Allocation").
  static constexpr uint64_t DefaultHeapBytes = uint64_t(8) << 20;

  /// One allocation: device addresses from Begin up to, without, End.
  struct Region {
    uint64_t Begin, End;
    uint8_t *Host; ///< of Begin; congruent to it modulo 4096
    std::string Name;
    bool ReadOnly;
    bool IsHeap; ///< the heap of malloc, see \ref findBlock

    /// Whether all of the bytes at \p Address belong to it.
    bool holds(uint64_t Address, uint64_t Bytes) const {
      return Address - Begin <= End - Begin &&
             Bytes <= End - Begin - (Address - Begin);
    }
    /// The host's place of \p Address, which lies in it.
    uint8_t *at(uint64_t Address) const { return Host + (Address - Begin); }
  };

  /// What malloc gave: addresses from Begin up to, without, End.
  struct HeapBlock {
    uint64_t Begin, End;
  };

  /// Three quarters of the physical memory, bytes.
  static uint64_t defaultLimit();

  /// \p Limit bytes at most are given out, the heap among them.
  explicit DeviceMemory(uint64_t Limit = defaultLimit()) : Limit(Limit) {}

  /// Zeroed memory, which the host provides page by page when it is touched,
  /// and its device address. Addresses depend on the sizes and alignments of
  /// this and earlier allocations only. An \p Align (bytes, a power of two)
  /// below 256 is all the alignment there is: the address is that far behind a
  /// multiple of 256. Not while kernels run. Regions that \ref find gave are no
  /// longer valid.
  Expected<uint64_t> allocate(StringRef Name, uint64_t Bytes, uint64_t Align,
                              bool ReadOnly = false);

  /// Makes the heap, once, as \ref allocate does; without it \ref mallocBlock
  /// gives nothing.
  Error allocateHeap(uint64_t Bytes = DefaultHeapBytes);

  /// The region with \p Address, null if there is none. Safe in many threads.
  const Region *find(uint64_t Address) const {
    // The last region that does not begin behind the address.
    size_t Low = 0, Size = Regions.size();
    while (Size) {
      size_t Half = Size / 2;
      bool Right = Regions[Low + Half].Begin <= Address;
      Low = Right ? Low + Half + 1 : Low;
      Size = Right ? Size - Half - 1 : Half;
    }
    if (!Low || Address >= Regions[Low - 1].End)
      return nullptr;
    return &Regions[Low - 1];
  }

  /// All regions, by address.
  ArrayRef<Region> regions() const { return Regions; }

  /// Device-side malloc: an address that is a multiple of 16, or 0 if the heap
  /// has no room and for 0 bytes. At least 16 bytes between two blocks belong
  /// to neither. Its contents are what was there before. Safe in many threads;
  /// the addresses depend on the order of the calls.
  uint64_t mallocBlock(uint64_t Bytes);

  /// Device-side free. False if \p Address is neither 0 nor what
  /// \ref mallocBlock gave and nobody freed since. Safe in many threads.
  bool freeBlock(uint64_t Address);

  /// The block of the heap with \p Address, for callers that want to find
  /// accesses to freed memory. Safe in many threads.
  std::optional<HeapBlock> findBlock(uint64_t Address) const;

  /// Where the \p Bytes at \p Address lie, for a message: "4 bytes past the end
  /// of buffer 'y' (4096 bytes)", "null pointer + 16", "no buffer is near".
  std::string describe(uint64_t Address, uint64_t Bytes) const;

  /// Bytes that were given out, the heap among them.
  uint64_t allocatedBytes() const { return Allocated; }

private:
  std::string describeInHeap(uint64_t Address, uint64_t Bytes) const;

  uint64_t Limit, Allocated = 0;
  uint64_t Next = Base; ///< the first address that nobody has
  std::vector<Region> Regions;
  std::vector<llvm::sys::OwningMemoryBlock> Mappings;

  mutable std::mutex HeapMutex;      ///< for all that follows
  std::map<uint64_t, uint64_t> Used; ///< begin to end of blocks, as asked for
  std::map<uint64_t, uint64_t> Free; ///< begin to end of the holes
  std::set<std::pair<uint64_t, uint64_t>> FreeBySize; ///< size, begin
};

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MEMORY_DEVICEMEMORY_H
