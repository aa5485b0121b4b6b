//===- DependenceSummary.h - What decides a warp's latency ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A kernel's instructions as a warp that issues in order sees them: what each
// one waits for by name and by register, and how often control goes where. With
// a table of latencies this gives the critical path (CriticalPath.h); nothing
// else of the code is needed for it.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_DEPENDENCE_DEPENDENCESUMMARY_H
#define PTXPREDICT_ANALYSIS_DEPENDENCE_DEPENDENCESUMMARY_H

#include "ptxpredict/Codegen/LocalArrays.h"
#include "ptxpredict/Codegen/SchedClass.h"
#include "ptxpredict/Graph/CFG.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <vector>

namespace ptxpredict {

/// One instruction.
struct IssuedInstruction {
  /// Which asynchronous copies it concerns.
  enum class Copy : uint8_t {
    None,
    Start,     ///< starts a copy of the open group
    StartBulk, ///< starts one that a barrier object or a bulk group waits for
    Commit,    ///< closes the open group
    Wait,      ///< for all but the newest groups, Argument of them
    WaitBulk   ///< for everything that was started
  };
  uint32_t Line = 0;   ///< in the input
  uint32_t Source = 0; ///< one more than its index in Sources; 0: unknown
  SchedClass Result = SchedClass::Other;
  Copy Copies = Copy::None;
  bool IsGuarded = false;
  bool IsLongLoad = false;   ///< of memory outside of the SM
  bool IsSharedLoad = false; ///< of shared memory
  bool IsPaired = false;     ///< the next one issues in the same cycle
  uint16_t Stall = 0; ///< of machine code: cycles until the next one may issue
  uint8_t NumWrites = 0;
  uint8_t NumReads = 0;
  /// Into FunctionDependence::Registers: what it writes, then what it reads.
  uint32_t FirstRegister = 0;
  /// Of a call: the function, by number, or -1. Of a wait: the groups that it
  /// leaves, or -1 for a wait for what is in no group yet, too.
  int32_t Argument = -1;
};

/// A block's end and where control goes from there. Shares are of the block's
/// executions by a warp.
struct IssuedBlock {
  static constexpr uint32_t Leave = ~0u; ///< the function ends

  struct Edge {
    uint32_t To = Leave; ///< position of a block
    double Share = 0;    ///< that go there with all lanes
  };
  uint32_t FirstInstruction = 0, EndInstruction = 0;
  /// Of a machine's: the order where no register is left for loads to move up,
  /// from FirstInstruction on; empty if it is the same.
  std::vector<uint32_t> PackedOrder;
  double Runs = 0; ///< per entry of the function, by a warp
  /// The jump first, then what follows the block; a jump table's as they are.
  SmallVector<Edge, 2> Edges;
  /// Of a branch with two edges: the share in which both get lanes.
  double Both = 0;
  bool IsBranch = false; ///< ends with a jump, a conditional one or an exit
};

/// A loop: the blocks from First on, of which the first is the header. Inner
/// ones behind outer ones.
struct IssuedLoop {
  uint32_t First = 0, End = 0; ///< positions
  double Runs = 1;             ///< of the header per entry, by a warp
  /// Of a loop that waits for other threads, what for (PollingLoop); else
  /// empty.
  std::string WaitsFor;
};

struct FunctionDependence {
  std::string Name;   ///< empty: the kernel
  double Entries = 1; ///< by a warp of the kernel, all calls together
  uint32_t NumRegisters = 0;
  /// The first of the registers are scoreboards of machine code: an instruction
  /// that writes one adds to what a wait for it is for.
  uint32_t NumScoreboards = 0;
  std::vector<IssuedInstruction> Instructions;
  std::vector<uint32_t> Registers;
  std::vector<IssuedBlock> Blocks; ///< in reverse post-order
  std::vector<IssuedLoop> Loops;
  /// findLastReads(); empty: not found, and every register may be read
  /// anywhere.
  std::vector<uint32_t> LastReads;

  /// Whether what was written to \p Register before counts behind \p I, which
  /// writes it, too.
  bool keepsFormer(const IssuedInstruction &I, uint32_t Register) const {
    return I.IsGuarded || Register < NumScoreboards;
  }
  ArrayRef<uint32_t> writes(const IssuedInstruction &I) const {
    return ArrayRef(Registers).slice(I.FirstRegister, I.NumWrites);
  }
  ArrayRef<uint32_t> reads(const IssuedInstruction &I) const {
    return ArrayRef(Registers).slice(I.FirstRegister + I.NumWrites, I.NumReads);
  }
};

/// By register: the position of the last block that may read what was written
/// to it before that block, 0 if none does: behind the blocks from there on it
/// does not matter. A loop reads what it has not written up to its end. A write
/// under a guard reads what it may leave as it was. The first write in the
/// order of the blocks is taken to come before what reads behind it. Without
/// loops nobody asks, and it is empty.
std::vector<uint32_t> findLastReads(const FunctionDependence &F);

/// The kernel's function first, callers before what they call.
struct DependenceSummary {
  std::vector<FunctionDependence> Functions;
  std::vector<std::string> Sources; ///< places: "k.cu:7:12"

  bool empty() const { return Functions.empty(); }
};

/// How control goes, in the mean over warps.
class ControlShares {
public:
  virtual ~ControlShares();
  /// Executions by a warp.
  virtual double runs(const Block &B) const = 0;
  /// Of the executions of a conditional branch or exit: those in which it takes
  /// some lanes, and those in which it takes some but not all.
  virtual double taken(const Instruction &Branch) const = 0;
  virtual double split(const Instruction &Branch) const = 0;
  /// Whether no lane ever executes \p I, whose guard never holds: it is issued
  /// and starts nothing.
  virtual bool isSkipped(const Instruction &I) const;
};

/// Which instructions a summary is of.
enum class SummaryOf {
  Code,   ///< those of the input, in its order
  Machine ///< those that an assembler leaves of them, loads moved up
};

/// \p Functions: callers before callees, with their bodies. \p SourceOf gives
/// IssuedInstruction::Source; the table of places is the caller's to fill.
/// \p InRegisters are moves and no accesses of memory.
DependenceSummary
summarizeDependence(ArrayRef<const InstructionGraph *> Functions,
                    const ControlShares &Shares,
                    llvm::function_ref<uint32_t(const Instruction &)> SourceOf,
                    SummaryOf Which = SummaryOf::Code,
                    const LocalAccesses &InRegisters = LocalAccesses());

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_DEPENDENCE_DEPENDENCESUMMARY_H
