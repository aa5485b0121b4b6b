//===- ResourceCharacteristics.h - What a block of a kernel needs *- C++
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_CHARACTERISTICS_RESOURCECHARACTERISTICS_H
#define PTXPREDICT_CHARACTERISTICS_RESOURCECHARACTERISTICS_H

#include "ptxpredict/Graph/KernelBounds.h"
#include "ptxpredict/Support/Estimate.h"
#include <optional>
#include <string>
#include <vector>

namespace ptxpredict {

/// What decides how many registers an assembler gives a thread.
struct RegisterDemand {
  unsigned Packed = 0;  ///< live at once in the order of the code
  unsigned Hoisted = 0; ///< with loads moved up and short loops unrolled
  /// With blocks reordered so that values die early; 0 if that needs no fewer.
  unsigned Scheduled = 0;
  bool CallsUnseen = false;     ///< code elsewhere, or through a pointer
  bool IsRedistributed = false; ///< warps give each other theirs: setmaxnreg
  uint64_t MaxThreads = 0;      ///< .maxntid or .reqntid; 0 without
  unsigned MinBlocksPerSM = 0;  ///< .minnctapersm; 0 without
  std::optional<unsigned> MaxRegisters; ///< .maxnreg

  /// Takes over what \p Bounds say.
  void apply(const KernelBounds &Bounds);
};

/// Registers that a compiler gave a thread for one architecture.
struct CompiledRegisters {
  unsigned ComputeCapability = 0; ///< 90 for 9.0; 0 if it was not said
  unsigned Registers = 0;
};

/// An architecture that a compiler refused the kernel for.
struct CompileRefusal {
  std::string Target; ///< "sm_120"
  std::string Reason;
};

/// What a block of the kernel needs.
struct ResourceCharacteristics {
  RegisterDemand Demand;
  /// Per thread, as ptxas -v prints them for the input's target.
  Estimate Registers;
  /// They hold for every device: somebody said so.
  bool RegistersAreGiven = false;
  /// Of every architecture for which a compiler said them; empty without.
  std::vector<CompiledRegisters> Compiled;
  std::vector<CompileRefusal> Refusals;
  /// Per thread; absent if nobody said. What all instructions that a compiler
  /// put in for it store and load, each of them counted once.
  std::optional<Estimate> SpillBytes, SpillLoadBytes;
  /// Of machine code for the input's target; absent if nobody said.
  std::optional<uint64_t> CodeBytes;
  uint64_t StaticSharedBytes = 0;
  uint64_t LocalBytes = 0; ///< per thread, declared
  unsigned Barriers = 0;
  uint64_t ParamBytes = 0;
};

} // namespace ptxpredict

#endif // PTXPREDICT_CHARACTERISTICS_RESOURCECHARACTERISTICS_H
