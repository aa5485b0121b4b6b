//===- SideBySideObserver.h - Caches of blocks that run together *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_CACHESIM_SIDEBYSIDEOBSERVER_H
#define PTXPREDICT_TEST_CACHESIM_SIDEBYSIDEOBSERVER_H

#include "CacheObserver.h"

namespace ptxpredict::cachesim {

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

  /// Caches of \p Sizes bytes that as many blocks as \p Resident share.
  HitCounts replay(size_t Resident, ArrayRef<uint64_t> Sizes) const;

private:
  struct Request {
    uint32_t Barriers; ///< that the warp has passed
    uint32_t NumSectors;
  };
  struct Warp {
    uint32_t Barriers = 0; ///< passed so far
    std::vector<Request> Requests;
    std::vector<uint64_t> Sectors; ///< of all requests
  };
  class Resident;

  Warp &warp(uint64_t Block, unsigned Number);

  std::vector<std::vector<Warp>> Blocks; ///< by number
};

} // namespace ptxpredict::cachesim

#endif // PTXPREDICT_TEST_CACHESIM_SIDEBYSIDEOBSERVER_H
