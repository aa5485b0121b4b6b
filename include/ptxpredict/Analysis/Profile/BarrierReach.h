//===- BarrierReach.h - Barriers that threads of a block miss ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A barrier is for all threads of a block, or for as many as it names, and a
// warp's come to an aligned one together (PTX ISA, "bar, barrier"). What the
// launch decides is counted, thread by thread; where nobody knows a condition
// that may part the threads of a block, they perhaps do not all come.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_PROFILE_BARRIERREACH_H
#define PTXPREDICT_ANALYSIS_PROFILE_BARRIERREACH_H

#include "ptxpredict/Graph/Instruction.h"
#include "ptxpredict/Launch/LaunchConfig.h"

namespace ptxpredict {

/// How threads of a block miss a barrier.
enum class BarrierMiss : uint8_t {
  Perhaps, ///< an unknown condition parts them
  Fewer,   ///< some come to it less often than others, or never
  Lanes,   ///< of a warp some come to it without the others
  TooFew   ///< it waits for more than can come
};
StringRef toString(BarrierMiss M); ///< "perhaps", "fewer", "lanes", "too-few"

/// A barrier that not all threads come to that it waits for.
struct BarrierReach {
  const Instruction *I = nullptr;
  BarrierMiss Miss = BarrierMiss::Perhaps;
  /// The branch or guarded instruction that parts the threads; null if there is
  /// none that does so alone.
  const Instruction *PartedBy = nullptr;
  /// Another grid than the assumed one might not part them.
  bool NeedsGrid = false;
  // Unless Perhaps: in the first such block
  Dim3 Block{0, 0, 0};   ///< its index
  uint64_t Threads = 0;  ///< that should come: of the block, or of a warp
  uint64_t Reaching = 0; ///< of these, as often as the others
};

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_PROFILE_BARRIERREACH_H
