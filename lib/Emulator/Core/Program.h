//===- Program.h - A kernel made ready to be run ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Instructions are decoded once: operands become places of 32-lane arrays, and
// what an instruction does becomes a function pointer. Versions of one virtual
// register share its place, so phis and selects need no code: a guarded write
// leaves the other lanes alone.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_CORE_PROGRAM_H
#define PTXPREDICT_LIB_EMULATOR_CORE_PROGRAM_H

#include "Emulator/Check/WarpOrder.h"
#include "Emulator/Lanes/LaneOperation.h"
#include "Emulator/Matrix/MatrixOperations.h"
#include "Emulator/Matrix/MatrixTransfers.h"
#include "Emulator/Matrix/TensorProducts.h"
#include "Emulator/Matrix/WarpgroupMatrices.h"
#include "Emulator/Memory/DeviceMemory.h"
#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Launch/LaunchConfig.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>
#include <memory>

namespace ptxpredict::emulator {

class WarpMachine;
struct Function;
struct Step;

/// How a warp goes on behind a step.
enum class Outcome : uint8_t {
  Next,  ///< with the next one
  Moved, ///< elsewhere: the lanes were sent to other blocks, or are gone
  Wait,  ///< the lanes stay where they are until something wakes them
  Stop   ///< the run has failed
};
using Handler = Outcome (*)(WarpMachine &, const Step &, uint32_t Lanes);

/// What the arrays of an operand belong to.
enum class Bank : uint8_t { Frame, Constant, Special };

/// One register, immediate or special register.
struct LaneOperand {
  uint32_t Offset = 0; ///< bytes from the bank's start
  Bank From = Bank::Frame;
  uint8_t Bytes = 4;  ///< of an element, see elementBytes
  uint8_t Wanted = 4; ///< what the instruction works on
  bool IsSink = false;
  bool Negated = false; ///< a predicate
  bool Signed = false;  ///< widening repeats the sign
};

/// Where an address comes from: a register, if there is one, plus Offset.
struct AddressOperand {
  enum class KindTy : uint8_t {
    Register,    ///< Base + Offset
    Absolute,    ///< Offset
    Shared,      ///< the block's shared memory + Offset
    FrameLocal,  ///< the frame's local memory + Offset
    KernelParam, ///< the kernel's parameters + Offset
    FrameParam   ///< the frame's parameters + Offset
  } Kind = KindTy::Absolute;
  LaneOperand Base;
  int64_t Offset = 0;
};

/// What a call passes or takes back: one formal's bytes.
struct CallPiece {
  bool IsRegister = false;
  LaneOperand Register;
  uint32_t Offset = 0; ///< in the frame's parameters
  uint32_t Bytes = 0;
};

struct CallInfo {
  const InstructionGraph *Callee = nullptr; ///< null: Name or Pointer
  StringRef Name;
  std::optional<LaneOperand> Pointer;
  SmallVector<CallPiece, 4> Arguments, Returns;
};

/// Special registers, as their names say; the suffix is Element.
struct SpecialUse {
  StringRef Name; ///< "tid"
  unsigned Element = 0;
  unsigned Bytes = 4;
};

/// A branch out of a polling loop that a poll decides.
enum class PollExit : uint8_t { None, IfTaken, IfNotTaken };

/// A tcgen05.mma, with which of its sources is what.
struct TensorOperation {
  static constexpr uint8_t None = 255;
  TensorForm Form;
  bool AInTensorMemory = false;
  uint8_t A = None, B = None, Descriptor = None, Mask = None, NumMask = 0;
  uint8_t Accumulates = None, Scale = None, ColumnMask = None;
  std::optional<bool> Enabled; ///< Accumulates where it is an immediate
};

/// One decoded instruction.
struct Step {
  Handler Run = nullptr;
  Handler Watched = nullptr; ///< what Run was before Program::watchRegisters
  LaneFunction Op = nullptr;
  const LaneOperand *Dests = nullptr, *Sources = nullptr;
  const Instruction *I = nullptr;
  uint32_t Index = 0;       ///< dense over the program
  int32_t MemoryIndex = -1; ///< dense among those with a memory effect
  uint32_t GuardOffset = 0; ///< in the frame
  uint8_t NumDests = 0, NumSources = 0;
  bool HasGuard = false, GuardNegated = false;
  bool Simple = false; ///< operands need no change of width and no copy
  bool ReadsClock = false;
  bool NamesCluster = false; ///< has `.shared::cluster`
  PollExit Leaves = PollExit::None;

  AddressSpace Space = AddressSpace::Generic;
  uint8_t ElementBytes = 0; ///< in memory
  MemoryOrder Order = MemoryOrder::Weak;
  uint32_t BytesPerLane = 0;
  uint32_t Detail = 0; ///< of the handler: a mode, a count, a block
  AddressOperand Address, Address2, Address3, Address4;
  uint8_t NumAddresses = 0;
  /// Within the first address that has any.
  const LaneOperand *Coordinates = nullptr;
  uint8_t NumCoordinates = 0;
  const CallInfo *Call = nullptr;
  // Of matrix instructions one is there.
  const MatrixOperation *Matrix = nullptr;
  const MatrixTransfer *Transfer = nullptr;
  const WmmaFragment *Fragment = nullptr;
  const WarpgroupOperation *Warpgroup = nullptr;
  const TensorMove *Move = nullptr;
  const TensorOperation *Tensor = nullptr;
  const uint32_t *Targets = nullptr; ///< blocks of brx.idx
  uint32_t NumTargets = 0;
};

constexpr uint32_t NoBlock = ~0u;

/// What a block has to do with polling loops. Where it is part of some, an
/// execution counts once for each time that its lanes enter the loop.
struct BlockPolling {
  /// Frame::Visited of this block, by polling loop around it.
  SmallVector<uint32_t, 1> Visits;
  bool IsOnce = true; ///< it is part of the one trip of each of them
  /// Where control goes from here into polling loops: the first and the end of
  /// what they have in Frame::Visited.
  SmallVector<std::pair<uint32_t, uint32_t>, 1> Entered;
};

/// The steps of a basic block.
struct CodeBlock {
  const Step *Begin = nullptr, *End = nullptr;
  const BlockPolling *Polling = nullptr; ///< null: nothing
  uint32_t Fallthrough = NoBlock;        ///< the block behind it
  uint32_t Counter = NoBlock; ///< in Program::CountedBlocks, if it has one
  int Loop = -1;              ///< the innermost around it; -1: none
  bool IsHeader = false;      ///< of that loop
};

/// A block whose runs the counters of its steps do not tell: it has none, or it
/// heads a loop and is entered and repeated.
struct CountedBlock {
  const Block *B = nullptr;
  bool IsHeader = false;
};

/// One function of the program.
struct Function {
  const InstructionGraph *G = nullptr;
  uint32_t Number = 0;
  std::vector<CodeBlock> Blocks; ///< in reverse post-order
  uint32_t RegisterBytes = 0;
  uint32_t ParamBytes = 0;     ///< per lane
  uint32_t LocalBytes = 0;     ///< per lane
  uint32_t NumVisits = 0;      ///< of Frame::Visited
  std::vector<int> LoopAround; ///< by loop: the next one out; -1: none
  /// By position: where arguments go and returned values are.
  std::vector<CallPiece> Formals, Returned;
};

/// Of a thread, bytes: what CUDA allows at most ("Maximum amount of local
/// memory per thread", CUDA C++ Programming Guide).
constexpr uint64_t MaxLocalBytes = 512 << 10;
/// Of a kernel, bytes: the most since PTX 8.1 and sm_70 (PTX ISA, "Kernel
/// Function Parameters").
constexpr uint64_t MaxKernelParamBytes = 32764;

/// The windows of generic addresses: shared, local and parameter memory.
constexpr uint64_t SharedWindow = 0x7e0000000000;
constexpr uint64_t LocalWindow = 0x7d0000000000;
constexpr uint64_t ParamWindow = 0x7c0000000000;
constexpr uint64_t CodeWindow = 0x7b0000000000; ///< addresses of functions
constexpr uint64_t WindowBytes = uint64_t(1) << 32;
/// Addresses of shared memory have the block's rank in its cluster from this
/// bit on, so that those of its own memory are those that `mapa` gives.
constexpr unsigned ClusterRankShift = 24;
constexpr uint64_t SharedOffsetMask = (uint64_t(1) << ClusterRankShift) - 1;

/// A kernel with all that it calls.
class Program {
public:
  /// Bytes behind each bank: what the widest operand takes.
  static constexpr size_t Padding = WarpSize * sizeof(Bits128);

  /// Decodes \p Kernel, whose bodies are held, and gives the module's
  /// variables places in \p Memory, with their initial values.
  static Expected<std::unique_ptr<Program>>
  create(const InstructionGraph &Kernel, const LaunchConfig &Launch,
         DeviceMemory &Memory);

  const Function &kernel() const { return *Functions.front(); }
  const Function *function(const InstructionGraph *G) const {
    return ByGraph.lookup(G);
  }
  /// The function at a code address; null without one.
  const Function *functionAt(uint64_t Address) const {
    uint64_t N = (Address - CodeWindow) / 16;
    return Address % 16 == 0 && N < Functions.size() ? Functions[N].get()
                                                     : nullptr;
  }

  std::vector<std::unique_ptr<Function>> Functions; ///< the kernel first
  std::vector<const Step *> Steps;                  ///< by index
  std::vector<const Step *> MemorySteps;            ///< by memory index
  std::vector<CountedBlock> CountedBlocks;          ///< by function and number
  std::vector<char> Constants;
  std::vector<SpecialUse> Specials;
  std::vector<uint32_t> SpecialOffsets; ///< in the special bank
  uint32_t SpecialBytes = 0;
  uint64_t StaticSharedBytes = 0;
  uint64_t DynamicSharedOffset = 0, SharedBytes = 0;
  uint64_t KernelParamBytes = 0;
  bool hasPolling() const { return !Pollings.empty(); }
  /// For --check: if there are instructions that use registers asynchronously,
  /// all steps tell what they do to registers.
  void watchRegisters();

private:
  friend class Decoder;
  llvm::DenseMap<const InstructionGraph *, const Function *> ByGraph;
  std::deque<std::vector<Step>> StepStorage;
  std::deque<SmallVector<LaneOperand, 4>> OperandStorage;
  std::deque<CallInfo> Calls;
  std::deque<MatrixOperation> Matrices;
  std::deque<MatrixTransfer> Transfers;
  std::deque<WmmaFragment> Fragments;
  std::deque<WarpgroupOperation> WarpgroupOperations;
  std::deque<TensorMove> TensorMoves;
  std::deque<TensorOperation> TensorOperations;
  std::deque<std::vector<uint32_t>> TargetLists;
  std::deque<BlockPolling> Pollings;
};

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_CORE_PROGRAM_H
