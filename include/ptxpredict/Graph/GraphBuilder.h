//===- GraphBuilder.h - From register code to an SSA graph ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_GRAPHBUILDER_H
#define PTXPREDICT_GRAPH_GRAPHBUILDER_H

#include "ptxpredict/Graph/InstructionGraph.h"

namespace ptxpredict {

/// What a front end says about one instruction. Register operands carry a
/// RegisterIndex; `Target` operands a Dest from GraphBuilder::block().
struct InstructionInfo {
  uint16_t Opcode = 0;
  OpClass Class = OpClass::Other;
  StringRef Mnemonic, Modifiers;
  /// Guard register, or none.
  std::optional<unsigned> Guard;
  bool GuardNegated = false;
  /// It is executed always, but nothing reads its results unless the guard
  /// holds: it reads what was written under the same guard.
  bool GuardIsOfReads = false;
  bool IsBranch = false; ///< its Target operands are successors
  bool IsExit = false;
  bool IsBlockBarrier = false, IsMemoryBarrier = false, IsAsyncWait = false;
  bool IsCrossLane = false, IsCall = false, IsUnknown = false;
  bool IsUncounted = false; ///< it is left out if nothing reads its results
  unsigned Line = 0;
  const SourceLocation *Source = nullptr;
  const MachineFacts *Machine = nullptr;
  ArrayRef<Operand> Operands;
  ArrayRef<MemoryEffect> Effects;
};

/// Builds one InstructionGraph in program order:
/// \code
///   GraphBuilder B(G);
///   unsigned P = B.addRegister("%p1", ScalarType::Pred);
///   B.append({…});                 // falls into the next block
///   B.startBlock(B.block("$L1"));  // a label
///   B.finish();
/// \endcode
/// finish() connects the blocks, drops what the entry does not reach, and puts
/// the registers into pruned SSA form (Cytron et al., TOPLAS 1991, with
/// iterated dominance frontiers by Sreedhar and Gao, POPL 1995). Time is linear
/// in the code and in the blocks where registers with several writers live.
class GraphBuilder {
public:
  /// Builds the body of \p G, which has none.
  explicit GraphBuilder(InstructionGraph &G);
  ~GraphBuilder();

  /// The graph under construction, for its plain fields.
  InstructionGraph &graph() { return G; }

  unsigned addRegister(StringRef Name, ScalarType Type);
  /// The register holds an argument at entry.
  void markArgument(unsigned Register);

  /// The block of a label, made at its first mention. \p Key tells labels of
  /// one name in different scopes apart.
  Block *block(StringRef Label, const void *Key = nullptr);
  /// What follows belongs to \p B; the block before falls into it.
  void startBlock(Block *B, unsigned Line);
  void append(const InstructionInfo &I);
  /// The loop of the block that was started last is not to be unrolled.
  void forbidUnrolling();
  /// The last instruction writes \p To in place of the register \p From, which
  /// nothing else knows; false if it does not, or not always, write \p From.
  bool retarget(unsigned From, unsigned To);

  /// An operand's elements, kept in the body.
  ArrayRef<Operand> keep(ArrayRef<Operand> Elements) {
    return G.Memory->copy<Operand>(Elements);
  }
  /// \p O with the role that its place in an instruction gives it.
  Operand withRole(Operand O, OperandRole Role);

  /// Ends the function. The builder is spent. False if its loops are nested
  /// more than some thousand deep, which no analysis could hold in memory.
  bool finish();

private:
  struct Impl;
  InstructionGraph &G;
  std::unique_ptr<Impl> State;
};

/// Checks what every graph must hold (each value defined once and before its
/// uses along dominance, users complete, phis as many as predecessors, edges
/// symmetric, terminators last). The first violation in words, empty if there
/// is none. Expensive: for tests and debug builds.
std::string verify(const InstructionGraph &G);

} // namespace ptxpredict

#endif // PTXPREDICT_GRAPH_GRAPHBUILDER_H
