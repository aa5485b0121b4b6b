//===- Footprint.cpp - Which bytes a launch touches -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Footprint.h"
#include <cassert>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

ByteSet &ByteSet::operator=(ByteSet &&Other) noexcept {
  Places = std::move(Other.Places);
  Chunks = std::move(Other.Chunks);
  NumUsed = std::exchange(Other.NumUsed, 0);
  std::copy(std::begin(Other.Recent), std::end(Other.Recent), Recent);
  std::fill(std::begin(Other.Recent), std::end(Other.Recent), Entry());
  Other.Places.clear();
  Other.Chunks.clear();
  return *this;
}

ByteSet::Chunk &ByteSet::findChunk(uint64_t Index) {
  Chunk *&Place = Places[Index];
  if (!Place) {
    if (NumUsed == Chunks.size())
      Chunks.push_back(std::make_unique<Chunk>());
    Place = Chunks[NumUsed++].get();
  }
  return *Place;
}

uint64_t ByteSet::count() const {
  uint64_t Count = 0;
  for (size_t I = 0; I != NumUsed; ++I)
    Chunks[I]->forEachWord([&](unsigned W) {
      Count += unsigned(llvm::popcount(Chunks[I]->Words[W]));
    });
  return Count;
}

bool ByteSet::contains(uint64_t Address) const {
  auto It = Places.find(Address / ChunkBytes);
  if (It == Places.end())
    return false;
  uint64_t Bit = Address % ChunkBytes;
  return It->second->Words[Bit / 64] >> Bit % 64 & 1;
}

void ByteSet::merge(const ByteSet &Other) {
  // The order of chunks is no part of the set.
  for (auto [Index, Place] : Other.Places) {
    const Chunk &From = *Place;
    Chunk &To = findChunk(Index);
    To.Used |= From.Used;
    From.forEachWord([&](unsigned W) { To.Words[W] |= From.Words[W]; });
  }
}

void ByteSet::clear() {
  for (size_t I = 0; I != NumUsed; ++I) {
    Chunk &C = *Chunks[I];
    C.forEachWord([&](unsigned W) { C.Words[W] = 0; });
    C.Used = 0;
  }
  NumUsed = 0;
  Places.clear();
  std::fill(std::begin(Recent), std::end(Recent), Entry());
}

void Footprint::addWarp(unsigned Instruction, const uint64_t Addresses[32],
                        uint32_t Lanes, unsigned Bytes) {
  if (!Lanes)
    return;
  if (Lanes == ~0u) {
    uint64_t Differences = 0;
    for (unsigned I = 0; I != 32; ++I)
      Differences |= Addresses[I] ^ (Addresses[0] + uint64_t(I) * Bytes);
    if (!Differences)
      return add(Instruction, Addresses[0], uint64_t(32) * Bytes);
  }
  // One range for lanes that follow or repeat each other.
  unsigned First = unsigned(llvm::countr_zero(Lanes));
  uint64_t Begin = Addresses[First], End = Begin + Bytes;
  for (uint32_t Rest = Lanes & (Lanes - 1); Rest; Rest &= Rest - 1) {
    uint64_t Address = Addresses[llvm::countr_zero(Rest)];
    if (Address >= Begin && Address <= End) {
      End = std::max(End, Address + Bytes);
      continue;
    }
    add(Instruction, Begin, End - Begin);
    Begin = Address;
    End = Address + Bytes;
  }
  add(Instruction, Begin, End - Begin);
}

void Footprint::endBlocks() {
  for (ByteSet &Block : Blocks) {
    SumOfBlockBytes += Block.count();
    Block.clear();
  }
  NumBlocks += Blocks.size();
}

void Footprint::merge(const Footprint &Other) {
  assert(Accesses == Other.Accesses && "of other instructions");
  for (size_t I = 0; I != Instructions.size(); ++I)
    Instructions[I].merge(Other.Instructions[I]);
  NumBlocks += Other.NumBlocks;
  SumOfBlockBytes += Other.SumOfBlockBytes;
}

Footprint::GridBytes Footprint::gridBytes() const {
  ByteSet Read, Written;
  for (size_t I = 0; I != Instructions.size(); ++I) {
    if (Accesses[I] & Reads)
      Read.merge(Instructions[I]);
    if (Accesses[I] & Writes)
      Written.merge(Instructions[I]);
  }
  GridBytes Result = {0, Read.count(), Written.count()};
  Read.merge(Written);
  Result.Touched = Read.count();
  return Result;
}
