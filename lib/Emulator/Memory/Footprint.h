//===- Footprint.h - Which bytes a launch touches ---------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MEMORY_FOOTPRINT_H
#define PTXPREDICT_LIB_EMULATOR_MEMORY_FOOTPRINT_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace ptxpredict::emulator {

/// A set of byte addresses of which most are not there: one bit for each byte
/// of the chunks that have any.
class ByteSet {
public:
  ByteSet() = default;
  // Recent holds pointers to what the other one owns.
  ByteSet(const ByteSet &) = delete;
  ByteSet &operator=(const ByteSet &) = delete;
  ByteSet(ByteSet &&Other) noexcept { *this = std::move(Other); }
  ByteSet &operator=(ByteSet &&Other) noexcept;

  /// Adds \p Bytes addresses from \p Address on; they do not wrap around.
  void add(uint64_t Address, uint64_t Bytes) {
    while (Bytes) {
      uint64_t From = Address % ChunkBytes;
      uint64_t Here = std::min(Bytes, ChunkBytes - From);
      chunk(Address / ChunkBytes).set(unsigned(From), unsigned(Here));
      Address += Here;
      Bytes -= Here;
    }
  }

  /// Addresses in the set.
  uint64_t count() const;
  bool contains(uint64_t Address) const;
  void merge(const ByteSet &Other);
  /// Takes time for what is there, and keeps its chunks for later.
  void clear();

private:
  static constexpr uint64_t ChunkBytes = 64 * 64;

  struct Chunk {
    uint64_t Used = 0; ///< a bit for each word that is not 0
    uint64_t Words[64] = {};

    void set(unsigned From, unsigned Count) {
      unsigned Last = From + Count - 1, W = From / 64, LastWord = Last / 64;
      Used |= ~uint64_t(0) << W & ~uint64_t(0) >> (63 - LastWord);
      uint64_t Head = ~uint64_t(0) << From % 64;
      uint64_t Tail = ~uint64_t(0) >> (63 - Last % 64);
      if (W == LastWord) {
        Words[W] |= Head & Tail;
        return;
      }
      Words[W] |= Head;
      while (++W != LastWord)
        Words[W] = ~uint64_t(0);
      Words[W] |= Tail;
    }

    /// Calls \p F with the index of each word that is not 0.
    template <typename Function>
    void forEachWord(Function F) const {
      for (uint64_t Rest = Used; Rest; Rest &= Rest - 1)
        F(unsigned(llvm::countr_zero(Rest)));
    }
  };

  /// A chunk that was used lately. Arrays often lie powers of two apart, and a
  /// kernel walks through some at a time: where it is kept is a hash.
  struct Entry {
    uint64_t Index = ~uint64_t(0); ///< no chunk has this one
    Chunk *Where = nullptr;
  };
  static constexpr unsigned RecentBits = 3;

  Chunk &chunk(uint64_t Index) {
    Entry &E = Recent[Index * 0x9E3779B97F4A7C15 >> (64 - RecentBits)];
    if (LLVM_UNLIKELY(E.Index != Index))
      E = {Index, &findChunk(Index)};
    return *E.Where;
  }
  Chunk &findChunk(uint64_t Index);

  Entry Recent[size_t(1) << RecentBits];
  llvm::DenseMap<uint64_t, Chunk *> Places; ///< by index
  std::vector<std::unique_ptr<Chunk>> Chunks;
  size_t NumUsed = 0; ///< the first ones of Chunks; the others are empty
};

/// Which bytes of the global space the blocks that one thread runs touch, some
/// at a time: by each memory instruction, by a block, by the grid.
class Footprint {
public:
  /// What an instruction does to memory; an atomic one does both.
  enum Access : uint8_t { Reads = 1, Writes = 2 };

  /// \p Accesses says for each memory instruction, by its dense index, which of
  /// \ref Access it does.
  explicit Footprint(ArrayRef<uint8_t> Accesses)
      : Accesses(Accesses.begin(), Accesses.end()),
        Instructions(Accesses.size()) {}

  /// \p Instruction accesses the \p Bytes at \p Address.
  void add(unsigned Instruction, uint64_t Address, uint64_t Bytes) {
    Instructions[Instruction].add(Address, Bytes);
    Blocks[Present].add(Address, Bytes);
  }

  /// \p Instruction accesses \p Bytes at the address of each lane of
  /// \p Lanes, a bit for each. Fastest where lanes follow each other.
  void addWarp(unsigned Instruction, const uint64_t Addresses[32],
               uint32_t Lanes, unsigned Bytes);

  /// The accesses from now on are those of the \p Place-th of the blocks that
  /// run together.
  void select(unsigned Place) {
    if (Place >= Blocks.size())
      Blocks.resize(Place + 1);
    Present = Place;
  }
  /// The blocks that ran together have ended.
  void endBlocks();

  /// Adds what the blocks of another thread did, which have ended, with the
  /// same instructions. The result does not depend on the order of calls.
  void merge(const Footprint &Other);

  /// Bytes that \p Instruction touched, counted once each.
  uint64_t instructionBytes(unsigned Instruction) const {
    return Instructions[Instruction].count();
  }

  uint64_t numBlocks() const { return NumBlocks; }
  /// Sum over the blocks of the bytes that each touched, counted once each.
  uint64_t sumOfBlockBytes() const { return SumOfBlockBytes; }

  /// Bytes that all blocks together touched, counted once each.
  struct GridBytes {
    uint64_t Touched, Read, Written;
  };
  GridBytes gridBytes() const;

private:
  std::vector<uint8_t> Accesses;
  std::vector<ByteSet> Instructions;
  std::vector<ByteSet> Blocks = std::vector<ByteSet>(1); ///< by place
  unsigned Present = 0;
  uint64_t NumBlocks = 0, SumOfBlockBytes = 0;
};

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MEMORY_FOOTPRINT_H
