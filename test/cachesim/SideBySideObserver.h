//===- SideBySideObserver.h - Caches of blocks that run together *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_CACHESIM_SIDEBYSIDEOBSERVER_H
#define PTXPREDICT_TEST_CACHESIM_SIDEBYSIDEOBSERVER_H

#include "CacheObserver.h"

namespace ptxpredict::cachesim {

/// What a cache and the memory behind it exchange, in sectors. A sector that is
/// only written is not fetched; one that was written leaves the cache by being
/// written back, in the end all of them.
struct MemoryExchange {
  uint64_t Fetched = 0, WrittenBack = 0;
};

/// Keeps what a run requests, to have it in another order: some blocks are
/// resident, and all their warps take turns, with one request each. A warp that
/// came to a barrier of its block waits there until no other one has a request
/// before it. When a block is done, the next one takes its place. The cache is
/// that of CacheObserver.
class SideBySideObserver : public EmulationObserver {
public:
  void onInstruction(uint64_t Block, unsigned Warp, const Instruction &I,
                     uint32_t Active) override;
  void onRequest(uint64_t Block, unsigned Warp, const Instruction &I,
                 AddressSpace Space, const WarpAccess &A) override;
  void onCopy(uint64_t Block, unsigned Warp, const Instruction &I,
              ArrayRef<uint64_t> Sectors) override;

  /// Caches of \p Sizes bytes that as many blocks as \p Resident share.
  HitCounts replay(size_t Resident, ArrayRef<uint64_t> Sizes) const;
  /// The same for one cache of \p Bytes, seen from the memory behind it.
  MemoryExchange exchange(size_t Resident, uint64_t Bytes) const;
  /// Sectors that all requests read, and that all write; an atomic does both.
  uint64_t read() const { return NumRead; }
  uint64_t written() const { return NumWritten; }

private:
  struct Request {
    uint32_t Barriers; ///< that the warp has passed
    uint32_t NumSectors;
    bool Reads, Writes;
  };
  struct Warp {
    uint32_t Barriers = 0; ///< passed so far
    std::vector<Request> Requests;
    std::vector<uint64_t> Sectors; ///< of all requests
  };
  class Resident;
  using Visitor =
      llvm::function_ref<void(const Request &, ArrayRef<uint64_t> Sectors)>;

  Warp &warp(uint64_t Block, unsigned Number);
  void add(Warp &To, ArrayRef<uint64_t> Sectors, bool Reads, bool Writes);
  void visit(size_t NumResident, Visitor See) const;

  std::vector<std::vector<Warp>> Blocks; ///< by number
  uint64_t NumRead = 0, NumWritten = 0;
};

} // namespace ptxpredict::cachesim

#endif // PTXPREDICT_TEST_CACHESIM_SIDEBYSIDEOBSERVER_H
