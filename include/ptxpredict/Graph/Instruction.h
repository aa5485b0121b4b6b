//===- Instruction.h - Values, operands, instructions and blocks *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_INSTRUCTION_H
#define PTXPREDICT_GRAPH_INSTRUCTION_H

#include "ptxpredict/ISA/ISA.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/iterator.h"
#include <optional>
#include <vector>

namespace ptxpredict {

class Block;
class Instruction;
class InstructionGraph;
struct Variable;
struct Parameter;

/// A place in the source that a debug directive names. InlinedAt is the call
/// site that this code was inlined into; null at the outermost frame.
struct SourceLocation {
  StringRef File;
  unsigned Line = 0;
  unsigned Column = 0;
  StringRef Function; ///< of inlined code; empty otherwise
  const SourceLocation *InlinedAt = nullptr;
};

/// That a warp counts what it waits for with.
constexpr unsigned NumScoreboards = 6;

/// What decides when a machine instruction is issued, and what runs it; of what
/// was lifted from machine code.
struct MachineFacts {
  StringRef Mnemonic;   ///< with its modifiers: "IMAD.WIDE.U32"
  uint64_t Address = 0; ///< in bytes from the function's begin on
  uint8_t Class = 0;    ///< a SchedClass
  uint8_t Pipe = 0;     ///< a sass::Pipe
  uint8_t Stall = 0;    ///< cycles until the next instruction of the warp
  /// Scoreboards that it sets until its result is there, and until its operands
  /// are read.
  std::optional<uint8_t> WriteBarrier, ReadBarrier;
  uint8_t WaitMask = 0;  ///< scoreboards that it waits for
  uint8_t ReuseMask = 0; ///< sources that stay in the operand cache
  bool Yields = false;
  bool IsUniform = false;   ///< it is computed once for the warp
  bool ReadsSystem = false; ///< what it reads is a register of the system's
  bool IsSpill = false;     ///< it keeps a register in memory, or takes it back
  bool IsSwizzled = false;  ///< one half of a register stands for two operands
};

/// One SSA value: what one instruction writes to one register. Without a
/// definition it is a register's content at entry: an argument of a device
/// function, or undefined.
struct Value {
  unsigned Id = 0;       ///< dense within the graph
  unsigned Version = 0;  ///< among those of its register, in block order
  unsigned Register = 0; ///< index of the virtual register it is a version of
  ScalarType Type = ScalarType::B32;
  bool IsArgument = false;
  StringRef Name; ///< the register's name, shared by all versions
  Instruction *Def = nullptr;
  MutableArrayRef<Instruction *> Users; ///< once per use
};

/// One operand in the order of the text.
struct Operand {
  enum class KindTy : uint8_t {
    Sink,      ///< `_`
    Register,  ///< Val (and In for a ReadWrite); Name: selected parts, `b0`
    Integer,   ///< Bits as a signed 64-bit number
    Float32,   ///< Bits holds the IEEE pattern
    Float64,   ///< Bits holds the IEEE pattern
    Special,   ///< Name: `%tid.x`, `WARP_SZ`
    Variable,  ///< Var, its address
    Parameter, ///< Param of the graph, its address
    Function,  ///< Callee, or Name of one that is only declared
    Target,    ///< Dest
    Address,   ///< `[…]`: Elements[0] the base, Bits the offset; more:
               ///< coordinates
    Vector,    ///< `{…}` or `p|q`: Elements
    List,      ///< `(…)` of a call, or targets: Elements
    Symbol     ///< Name, anything else
  };
  KindTy Kind = KindTy::Sink;
  OperandRole Role = OperandRole::Read;
  bool Negated = false;              ///< `!p`, `-x`
  ScalarType Type = ScalarType::B32; ///< of a register
  union {
    Value *Val = nullptr; ///< read or written; what is written for a ReadWrite
    unsigned RegisterIndex; ///< before SSA construction
    uint64_t Bits;
    const Variable *Var;
    const Parameter *Param;
    const InstructionGraph *Callee;
    Block *Dest;
  };
  Value *In = nullptr; ///< what a ReadWrite reads
  StringRef Name;
  ArrayRef<Operand> Elements;

  int64_t integer() const { return int64_t(Bits); }
};

/// Calls \p Fn for every operand and what is in it.
template <typename FnT>
void forEachOperand(ArrayRef<Operand> Operands, FnT &&Fn) {
  for (const Operand &O : Operands) {
    Fn(O);
    forEachOperand(O.Elements, Fn);
  }
}

/// One instruction of any ISA. Opcode is the ISA's own number for it.
///
/// A guarded instruction (`@p add …`) keeps its guard; each value that it
/// writes is merged with the register's former value by a pseudo Select behind
/// it. Phi and Select exist in no machine: isPseudo() is true and nothing
/// counts them.
class Instruction {
public:
  enum class Pseudo : uint8_t { None, Phi, Select };

  uint16_t Opcode = 0;
  OpClass Class = OpClass::Other;
  Pseudo PseudoKind = Pseudo::None;
  bool IsTerminator = false; ///< may leave the block other than by falling on
  bool IsExit = false;       ///< ret, exit, trap
  bool IsBlockBarrier = false;
  bool IsMemoryBarrier = false;
  bool IsAsyncWait = false;
  bool IsCrossLane = false;
  bool IsCall = false;
  bool IsUnknown = false; ///< not in the opcode table
  /// Of several operations that one machine instruction became, none but that
  /// which counts for it.
  bool IsUncounted = false;
  bool HasGuard = false;
  bool GuardNegated = false;
  bool GuardIsOfReads = false; ///< before SSA construction, as InstructionInfo
  unsigned Line = 0;           ///< in the input, from 1
  unsigned Id = 0;             ///< dense within the graph, in block order
  StringRef Mnemonic;          ///< "ld.global.v2.f32"
  StringRef Modifiers;         ///< ".global.v2.f32"
  Block *Parent = nullptr;
  Value *Guard = nullptr;
  const SourceLocation *Source = nullptr;
  const MachineFacts *Machine = nullptr; ///< null outside of machine code
  ArrayRef<Operand> Operands;
  MutableArrayRef<Value *> Defs; ///< in operand order, sinks left out
  /// Everything read: operands, address parts, the guard last. A Phi has one
  /// for each predecessor in the predecessors' order, a Select {guard, new,
  /// old}.
  MutableArrayRef<Value *> Uses;
  ArrayRef<MemoryEffect> Effects;

  bool isPseudo() const { return PseudoKind != Pseudo::None; }
  bool isPhi() const { return PseudoKind == Pseudo::Phi; }
  bool isSelect() const { return PseudoKind == Pseudo::Select; }
  bool isTerminator() const { return IsTerminator; }
  Block *getParent() const { return Parent; }
  /// What a call by name calls, if its code is there; null otherwise.
  const InstructionGraph *callee() const;
  void print(raw_ostream &OS) const;
};

/// A basic block. The names getParent, printAsOperand, phis and
/// isLegalToHoistInto are what LLVM's generic analyses ask for.
class Block {
public:
  unsigned Number = 0; ///< dense, in program order
  StringRef Label;     ///< as written; empty without one
  unsigned Line = 0;   ///< of its first instruction, or its label
  std::vector<Instruction *> Instructions; ///< phis first
  /// Taken target(s) first, then the block that it falls into. A block may
  /// stand twice.
  SmallVector<Block *, 2> Successors;
  SmallVector<Block *, 2> Predecessors; ///< once per edge
  /// How often the block runs for each entry of the loop that it heads, where
  /// the front end proved it: exactly, or at most.
  std::optional<uint64_t> HeaderRuns, MostHeaderRuns;
  /// `.pragma "nounroll"` stands in it: an assembler leaves its loop as it is.
  bool IsNotUnrolled = false;
  /// Only rare data lead here: an undecided branch is taken not to.
  bool IsUnlikely = false;
  InstructionGraph *Parent = nullptr;

  InstructionGraph *getParent() const { return Parent; }
  /// The terminator, null if control only falls out of the block.
  Instruction *terminator() const {
    return !Instructions.empty() && Instructions.back()->IsTerminator
               ? Instructions.back()
               : nullptr;
  }
  auto phis() const {
    return llvm::make_pointee_range(llvm::make_filter_range(
        Instructions, [](const Instruction *I) { return I->isPhi(); }));
  }
  bool isLegalToHoistInto() const { return true; }
  /// The label, or "block N" without one.
  void printAsOperand(raw_ostream &OS, bool PrintType = false) const;
  using iterator =
      llvm::pointee_iterator<std::vector<Instruction *>::const_iterator>;
  iterator begin() const { return iterator(Instructions.begin()); }
  iterator end() const { return iterator(Instructions.end()); }
};

} // namespace ptxpredict

#endif // PTXPREDICT_GRAPH_INSTRUCTION_H
