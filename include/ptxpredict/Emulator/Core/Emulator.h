//===- Emulator.h - Runs a kernel on the CPU --------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_EMULATOR_CORE_EMULATOR_H
#define PTXPREDICT_EMULATOR_CORE_EMULATOR_H

#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Launch/LaunchFile.h"
#include "ptxpredict/Launch/Profile.h"
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>
#include <functional>
#include <memory>

namespace ptxpredict {

/// Which blocks of the grid are run: the first ones, and some drawn from the
/// rest with a fixed seed. Without either all of them.
struct BlockSample {
  uint64_t First = 0, Random = 0;
  bool isWhole() const { return First == 0 && Random == 0; }
};

/// Sees what a run executes, in the order of execution. Blocks run one after
/// the other, in the order of their numbers, unless they wait for each other.
/// What only polls again (PollingLoop) is not seen.
class EmulationObserver {
public:
  virtual ~EmulationObserver() = default;
  /// A warp executes \p I. \p Active: lanes for which its guard holds, maybe
  /// none.
  virtual void onInstruction(uint64_t /*Block*/, unsigned /*Warp*/,
                             const Instruction & /*I*/, uint32_t /*Active*/) {}
  /// The instruction seen last makes a request to global, shared or local
  /// memory; a copy makes one for each side. Prefetches are not seen.
  virtual void onRequest(uint64_t /*Block*/, unsigned /*Warp*/,
                         const Instruction & /*I*/, AddressSpace /*Space*/,
                         const WarpAccess & /*A*/) {}
  /// A lane's bulk copy touches sectors of 32 bytes of global memory, by their
  /// numbers, in the order of its rows.
  virtual void onCopy(uint64_t /*Block*/, unsigned /*Warp*/,
                      const Instruction & /*I*/,
                      ArrayRef<uint64_t> /*Sectors*/) {}
};

struct EmulationOptions {
  unsigned Jobs = 0; ///< threads; 0: one a core
  /// Instructions that one warp may execute.
  uint64_t MaxInstructions = uint64_t(1) << 28;
  uint64_t MemoryBytes = 0; ///< of all buffers and variables; 0: what there is
  BlockSample Blocks;
  /// Blocks that run at a time, by whole clusters, so that running ones may
  /// take over the places of others (clusterlaunchcontrol); 0: there is room
  /// for all of them, and no place to be taken. The run then uses one thread.
  uint64_t Resident = 0;
  bool Check = false; ///< find races and wrong accesses
  /// Told everything, if there is one; the run then uses one thread.
  EmulationObserver *Observer = nullptr;
  /// Called now and then from one thread, with blocks done and in all.
  std::function<void(uint64_t Done, uint64_t All)> OnProgress;
  /// Set from elsewhere, it ends the run with what was counted so far.
  const std::atomic<bool> *Interrupt = nullptr;
};

/// What was found wrong in a run, at an instruction of the input.
struct EmulationProblem {
  std::string Kind; ///< "race", "out-of-bounds", …; "fault" for what ended it
  const Instruction *Where = nullptr; ///< null: of the launch as a whole
  std::string Message;
  const Instruction *Other = nullptr; ///< the other access
  std::string OtherMessage;
};

/// A buffer that does not hold what it should.
struct BufferFailure {
  std::string Buffer;
  uint64_t Index = 0; ///< of the first wrong element
  std::string Got, Want;
  uint64_t Count = 0; ///< wrong elements
};

struct EmulationResult {
  KernelProfile Profile; ///< of what was run
  std::string Printed;   ///< by printf, in the order of the blocks
  /// Found by Check, each pair of places once, in the order of the blocks.
  std::vector<EmulationProblem> Problems;
  std::optional<EmulationProblem> Fault; ///< what ended the run
  bool Interrupted = false;
  /// Warps of a cluster, where they are more than the MostCheckedWarps that
  /// Check follows: it looked for nothing that depends on the order of accesses
  /// to shared memory (races, missing waits and fences). Else 0.
  uint64_t UncheckedWarps = 0;
  static constexpr uint64_t MostCheckedWarps = 64;
};

/// One launch: buffers are made, the kernel runs, buffers are checked.
class Emulation {
public:
  /// \p Kernel's bodies are held as long as this lives.
  Emulation(const InstructionGraph &Kernel, LaunchConfig Launch,
            EmulationOptions Options);
  ~Emulation();

  /// Makes a buffer and fills it. The error names it.
  Error addBuffer(StringRef Name, const BufferSpec &Spec,
                  StringRef LaunchFileDir);

  /// Runs the kernel; to be called once. An error if it cannot start: a
  /// parameter without a value, an unknown buffer, too little memory.
  Expected<EmulationResult> run();

  /// The contents of a buffer.
  MutableArrayRef<uint8_t> buffer(StringRef Name);
  /// Compares the buffers with what their specifications expect.
  Expected<std::vector<BufferFailure>> checkBuffers();

private:
  struct Impl;
  std::unique_ptr<Impl> State;
};

} // namespace ptxpredict

#endif // PTXPREDICT_EMULATOR_CORE_EMULATOR_H
