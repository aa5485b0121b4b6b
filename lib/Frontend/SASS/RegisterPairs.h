//===- RegisterPairs.h - Values of 64 bits in pairs of registers -*- C++
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// An address is a pair of registers, and the assembler computes it half by
// half, with a carry between them. As two numbers nothing is known of either;
// here the halves are found together again, also where they are merged at the
// start of a block, so that a loop counts an address up as PTX does.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_REGISTERPAIRS_H
#define PTXPREDICT_LIB_FRONTEND_SASS_REGISTERPAIRS_H

#include "MachineGraph.h"
#include "ptxpredict/Graph/CFG.h"
#include "llvm/ADT/DenseSet.h"

namespace ptxpredict::sass {

/// 32 bits that an instruction reads.
struct RegisterHalf {
  enum KindTy : uint8_t { Number, Register, Bank } Kind = Number;
  uint32_t Bits = 0;  ///< of a number; of a constant its offset
  unsigned Bank0 = 0; ///< of a constant
  Value *Val = nullptr;

  static RegisterHalf number(uint32_t Bits) {
    RegisterHalf H;
    H.Bits = Bits;
    return H;
  }
  static RegisterHalf of(Value *V) {
    RegisterHalf H;
    H.Kind = Register;
    H.Val = V;
    return H;
  }
  static RegisterHalf constant(unsigned Bank, uint32_t Offset) {
    RegisterHalf H;
    H.Kind = KindTy::Bank;
    H.Bank0 = Bank;
    H.Bits = Offset;
    return H;
  }
  bool is(uint32_t N) const { return Kind == Number && Bits == N; }
  bool operator==(const RegisterHalf &O) const {
    return Kind == O.Kind && Bits == O.Bits && Bank0 == O.Bank0 && Val == O.Val;
  }
};

/// The table of LOP3 that leaves its third source out.
constexpr unsigned ExclusiveOr = 0x3c;

/// A value of 64 bits.
struct PairNode {
  enum KindTy : uint8_t {
    Number,   ///< Bits
    Constant, ///< of a bank: Low.Bits is its offset
    Whole,    ///< what one instruction, Made, computes
    Sum,      ///< of A, B and C, each perhaps negated
    Scaled,   ///< A shifted to the left by Shift, plus B
    ShiftLeft,
    ShiftRight,       ///< A by Shift
    ShiftRightSigned, ///< the same, with its sign
    SignExtended,     ///< of Low
    ZeroExtended,
    Phi,    ///< Incoming, as the predecessors of Block
    Merge,  ///< A if the guard of Made holds, else B
    Select, ///< A if Made's predicate holds, else B
    Logic,  ///< of A and B, by Table: that of LOP3
    Packed  ///< Low and High
  };
  KindTy Kind = Packed;
  uint64_t Bits = 0;
  RegisterHalf Low, High;
  PairNode *A = nullptr, *B = nullptr, *C = nullptr;
  bool NegatesA = false, NegatesB = false, NegatesC = false;
  uint8_t Shift = 0, Table = 0;
  const Instruction *Made = nullptr;
  /// It is computed behind this instruction, or, if that is null, at the start
  /// of Block.
  const Instruction *At = nullptr;
  const Block *In = nullptr;
  SmallVector<PairNode *, 2> Incoming;
  bool IsNeeded = false;
  /// Of the graph that is made; once it is there.
  std::optional<unsigned> Register, Merged;
};

/// Finds the pairs of a function.
class RegisterPairs {
public:
  RegisterPairs(MachineGraph &M);

  /// What \p I reads as its operand \p O, with the register \p Ahead behind it.
  RegisterHalf half(const Instruction &I, const MachineOperand &O,
                    unsigned Ahead = 0);
  /// The operand as 64 bits: a pair of registers, two words of a bank, or a
  /// number, whose sign is extended if \p IsSigned.
  PairNode *source(const Instruction &I, const MachineOperand &O,
                   bool IsSigned = false);
  PairNode *pair(RegisterHalf Low, RegisterHalf High);
  /// Where copies come from, and registers that were exchanged by at most
  /// \p Swaps operations of bits.
  RegisterHalf origin(RegisterHalf H, unsigned Swaps = 2);

  /// The sum whose upper half \p I computes; null if it is none.
  PairNode *sumOf(const Instruction &I) const { return Sums.lookup(&I); }
  /// Whether a carry is only there for upper halves that are found.
  bool isOnlyCarry(const Value *V) const;

  /// To be asked in the order of the program before pairs are used.
  void findSums();
  void finishPhis();
  /// Marks all that \p N is made of.
  void need(PairNode *N);

  /// In the order in which they are to be computed.
  ArrayRef<PairNode *> behind(const Instruction &I) const {
    auto It = ByInstruction.find(&I);
    return It == ByInstruction.end() ? ArrayRef<PairNode *>()
                                     : ArrayRef(It->second);
  }
  ArrayRef<PairNode *> startOf(const Block &B) const {
    auto It = ByBlock.find(&B);
    return It == ByBlock.end() ? ArrayRef<PairNode *>() : ArrayRef(It->second);
  }
  ArrayRef<PairNode *> phis() const { return Phis; }
  /// Values that are needed as numbers of their own, beyond their register.
  bool isNamed(const Value *V) const { return Named.contains(V); }
  void name(const Value *V) { Named.insert(V); }

private:
  PairNode *make(PairNode::KindTy Kind, RegisterHalf Low, RegisterHalf High);
  static std::pair<uint64_t, uint64_t> keyOf(const RegisterHalf &H);
  void place(PairNode &N);
  PairNode *find(RegisterHalf Low, RegisterHalf High);
  bool addsTheSame(const Instruction &I, const Instruction &J);
  /// \p From, where copies of it come from, with its sign in the upper half.
  PairNode *signExtended(RegisterHalf From);
  PairNode *findSum(const Instruction &Lower, const Instruction &Upper);
  PairNode *findSignedSum(const Instruction &Lower, const Instruction &Upper);
  void keepSum(PairNode &S, const Instruction &Lower, const Instruction &Upper);
  PairNode *findScaled(const Instruction &Lower, const Instruction &Upper);
  std::optional<RegisterHalf> exchanged(const Instruction &Made,
                                        const MachineInstruction &I,
                                        unsigned Swaps);
  PairNode *findShift(RegisterHalf Low, RegisterHalf High);
  bool isSignOf(RegisterHalf High, RegisterHalf Low);
  const MachineInstruction *definition(const RegisterHalf &H) const;
  void name(const RegisterHalf &H, const PairNode &N);

  MachineGraph &M;
  const ControlFlow &CF;
  llvm::SpecificBumpPtrAllocator<PairNode> Memory;
  llvm::DenseMap<
      std::pair<std::pair<uint64_t, uint64_t>, std::pair<uint64_t, uint64_t>>,
      PairNode *>
      Known;
  llvm::DenseMap<const Instruction *, PairNode *> Sums;
  llvm::DenseMap<const Instruction *, std::vector<PairNode *>> ByInstruction;
  llvm::DenseMap<const Block *, std::vector<PairNode *>> ByBlock;
  llvm::DenseSet<const Value *> Named;
  std::vector<PairNode *> Phis, OpenPhis;
  unsigned Depth = 0;
};

/// Whether \p I computes a result of 64 bits that is lifted as one.
bool makesPair(const MachineInstruction &I);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_REGISTERPAIRS_H
