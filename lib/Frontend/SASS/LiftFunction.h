//===- LiftFunction.h - One function's machine code -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The machine's registers are virtual ones of the graph, with 32 bits each. A
// value of 64 bits that RegisterPairs finds has a register of its own, and is
// written to the machine's registers where their halves are read.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_LIFTFUNCTION_H
#define PTXPREDICT_LIB_FRONTEND_SASS_LIFTFUNCTION_H

#include "LiftModule.h"
#include "LiftOperands.h"
#include "RegisterPairs.h"
#include "ptxpredict/Graph/GraphBuilder.h"
#include <set>

namespace ptxpredict::sass {

/// Lifts one body. The parts that are public are what the files of single kinds
/// of instructions use.
class FunctionLift {
public:
  /// Of the function whose code it is, or of that among \p Others whose entry
  /// is \p Entry.
  FunctionLift(LiftModule &L, TextCode &Code, uint64_t Entry,
               const LocalFunctions &Others, InstructionGraph &G);
  FunctionLift(const FunctionLift &) = delete;
  FunctionLift &operator=(const FunctionLift &) = delete;

  /// False if the loops are nested too deeply.
  bool lift();

  LiftModule &module() { return L; }
  unsigned architecture() const { return L.architecture(); }
  StringRef functionName() const { return F.Name; }
  /// The instruction that is being lifted, as the machine has it.
  const MachineInstruction &machine() const { return *Machine; }
  const Instruction &current() const { return *Current; }
  bool has(StringRef Word) const { return hasWord(*Machine, Word); }

  // Operands.

  static Operand number(uint64_t Value, ScalarType T = ScalarType::B32);
  static Operand truth(bool Value);
  static Operand special(StringRef Name);
  static Operand sink() { return {}; }
  Operand temporary(ScalarType T);
  Operand vector(ArrayRef<Operand> Elements);
  Operand address(Operand Base, int64_t Offset = 0);
  /// With coordinates behind the base.
  Operand addressOf(ArrayRef<Operand> Elements);
  static bool isNumber(const Operand &O, uint64_t Value) {
    return O.Kind == Operand::KindTy::Integer && O.Bits == Value;
  }
  static bool isNumber(const Operand &O) {
    return O.Kind == Operand::KindTy::Integer;
  }
  /// A machine register by its number, see MachineGraph.h.
  Operand registerOperand(unsigned Number);

  /// The 32 bits that \p O is, its signs aside; \p Ahead registers behind it.
  Operand raw(const MachineOperand &O, unsigned Ahead = 0);
  /// The source \p N, from 0 on, as an integer: with its negation or inversion.
  Operand integer(unsigned N);
  /// The same as a float of 32 bits, with its sign and absolute value.
  Operand floating(unsigned N);
  Operand floating(const MachineOperand &O);
  /// The source \p N as 64 bits.
  Operand wide(unsigned N, bool IsSigned = false);
  Operand wide(const MachineOperand &O, bool IsSigned = false);
  Operand wideOf(PairNode *P);
  /// The source \p N as a double, with its sign and absolute value.
  Operand doubled(unsigned N);
  /// The predicate whose bits begin at \p Lowest, true if there is none.
  Operand predicate(unsigned Lowest);
  Operand predicate(const MachineOperand &O);
  const MachineOperand *source(unsigned N) const {
    return N < Sources.size() ? Sources[N] : nullptr;
  }

  /// The register of the result, or the one \p Ahead behind it; a sink for RZ.
  Operand result(unsigned Ahead = 0);
  /// The 64 bits that the instruction computes as one.
  Operand wideResult();
  /// A predicate that is written; a sink for PT.
  Operand predicateResult(unsigned Lowest);
  static bool isSink(const Operand &O) {
    return O.Kind == Operand::KindTy::Sink;
  }

  // Instructions.

  /// Appends an operation that counts for nothing. Under the guard if it writes
  /// a machine register.
  void emit(const Twine &Mnemonic, ArrayRef<Operand> Operands);
  /// Appends the one that counts, under the guard.
  void emitMain(const Twine &Mnemonic, ArrayRef<Operand> Operands);
  /// The same of what a warp does once, though several of its lanes may be
  /// there: the lowest one does it.
  void emitOnce(const Twine &Mnemonic, ArrayRef<Operand> Operands);
  /// Appends an operation that counts for nothing, by the lane that did the
  /// last one of these.
  void emitAlsoOnce(const Twine &Mnemonic, ArrayRef<Operand> Operands);
  /// The guard of the machine's instruction, true without one.
  Operand guard();
  /// Whether \p X is a loop that the assembler makes for what a warp does once:
  /// for one lane after the other, or one value after the other. Here each lane
  /// does it by itself, as in PTX, and there is no loop.
  bool isLaneLoop(const Block &X) const;
  /// As emitMain, but under \p If instead of the guard.
  void emitMainIf(const Operand &If, const Twine &Mnemonic,
                  ArrayRef<Operand> Operands, bool IsNegated = false);
  /// What counts where the machine does nothing that PTX has.
  void emitNothing();
  /// An unknown instruction that reads and writes what the machine's does.
  void emitUnknown();
  /// As emitMain, into a register: also into a sink.
  Operand compute(const Twine &Mnemonic, ScalarType T,
                  ArrayRef<Operand> Sources);
  /// The logical operation of two predicates: "and", "or", "xor".
  Operand join(StringRef Operation, const Operand &A, const Operand &B);
  Operand inverted(const Operand &P);
  /// Writes a predicate; nothing to a sink.
  void setPredicate(const Operand &To, const Operand &Value);
  void move(const Operand &To, const Operand &From);
  /// The halves of 64 bits, as new registers.
  std::pair<Operand, Operand> halves(const Operand &Wide);
  Operand packed(const Operand &Low, const Operand &High);
  /// Whether the value that \p O writes is read by others than the upper halves
  /// of sums.
  bool isRead(const MachineOperand *O) const;
  /// 64 bits from 32, without sign.
  Operand zeroExtended(const Operand &O);

  RegisterPairs &pairs() { return *Pairs; }

private:
  void addFormals();
  void emitEntry();
  void liftBlock(const Block &B);
  void liftInstruction(const Instruction &I);
  void dispatch();
  void emitPairs(ArrayRef<PairNode *> Nodes, const Instruction *At);
  void emitPair(PairNode &N, const Instruction *At);
  void emitNames(const Instruction *I, const Block *B);
  void emitPhiCopies(const Block &B);
  Operand read(const RegisterHalf &H);
  void emitAs(const Twine &Mnemonic, ArrayRef<Operand> Operands, bool IsMain);
  void append(InstructionInfo &Info, ArrayRef<Operand> Operands,
              bool IsGuarded);
  static bool writesMachine(ArrayRef<Operand> Operands);
  /// A word of a bank of constants, or two.
  Operand word(unsigned Bank, uint32_t Offset, ScalarType T);
  Operand windowOf(AddressSpace Space);
  bool loadParameter(uint32_t Offset, const Operand &To);
  void loadWord(unsigned Bank, uint32_t Offset, ScalarType T);
  const MachineFacts *facts(const Instruction &I);
  unsigned line(uint64_t Address) const {
    return FirstLine + unsigned(Address / InstructionBytes);
  }
  /// "IMAD.WIDE.U32".
  StringRef mnemonicWithModifiers(const MachineInstruction &Of);
  /// What \p Mnemonic with so many operands is.
  const ptx::WrittenMnemonics::Entry &mnemonic(StringRef Mnemonic,
                                               unsigned NumOperands,
                                               bool HasReturnList = false);

  // LiftInteger.cpp, LiftBits.cpp
  bool liftInteger(StringRef Name);
  bool liftBits(StringRef Name);
  void liftSum();
  void liftMultiply();
  void liftShiftedSum();
  void liftCompare();
  void liftShift();
  void liftLogic();
  void liftExtreme();
  // LiftFloat.cpp
  bool liftFloat(StringRef Name);
  // LiftHalf.cpp
  bool liftHalf(StringRef Name);
  // LiftConvert.cpp
  bool liftConvert(StringRef Name);
  // LiftPacked.cpp
  bool liftPackedFloat();
  Operand halfWord(const Operand &O, bool IsUpper);
  // LiftMove.cpp
  bool liftMove(StringRef Name);
  void liftPredicateLogic();
  Operand tabled(unsigned Table, ArrayRef<Operand> Inputs);
  Operand lanesWith(const Operand &P);
  void liftToUniform(const Operand &To);
  void keepLoopLanes();
  // LiftMemory.cpp
  bool liftMemory(StringRef Name);
  bool looksForOthers() const;
  // LiftControl.cpp
  bool liftControl(StringRef Name);
  Operand barrierResult();
  bool liftTableJump();
  void emitJump(StringRef Mnemonic, Operand To,
                const MachineOperand *Condition);
  // LiftCalls.cpp
  bool liftCall();
  void emitCall(ArrayRef<Operand> Results, const InstructionGraph *Callee,
                StringRef Name, ArrayRef<Operand> Arguments);
  void emitLocalCall(const LocalFunction &Callee);
  void emitReturn();
  std::optional<int64_t> offsetInCaller(int64_t Ahead);
  StringRef calledSymbol();
  const Variable *callVariable(const Twine &Name, unsigned Bytes);
  // LiftMatrix.cpp
  bool liftMatrix(StringRef Name);
  bool liftDoubleProduct();
  bool liftOtherProduct(StringRef Name);
  Operand registersFrom(const MachineOperand &O, unsigned N);
  Operand resultsFrom(unsigned N);
  // LiftWarpgroup.cpp
  bool liftWarpgroup(StringRef Name);
  void liftWarpgroupProduct();
  Operand matrixDescriptor(unsigned Register);
  // LiftTensorMemory.cpp
  bool liftTensorMemory(StringRef Name);
  void liftTensorProduct(StringRef Name);
  bool liftTensorMove(bool IsLoad);
  bool liftColumns();
  std::optional<Operand> allocationResult();
  const Instruction *allocationBehind(const Instruction &Elect);
  void emitAllocation();
  Operand tensorAddress(const MachineOperand &O);
  const MachineInstruction *otherHalf() const;
  // LiftAsync.cpp
  bool liftAsync(StringRef Name);
  bool liftBarrierObject(StringRef Name);
  void liftArrival();
  bool isPeeledWait() const;
  Operand barrierParity(const MachineOperand *O);
  void moveBarrierState(const Operand &State);
  std::optional<Operand> countOfFormer(const RegisterHalf &Low,
                                       const RegisterHalf &High);
  std::optional<Operand> countOf(const RegisterHalf &Low,
                                 const RegisterHalf &High);
  // LiftCluster.cpp
  bool liftCluster(StringRef Name);
  bool liftNextWork();
  // LiftBulk.cpp
  bool liftBulk(StringRef Name);
  bool isParameterWindow(const PairNode &N) const;
  bool hasInstruction(StringRef Name);
  /// Waits until so many groups of copies are left.
  void liftGroupWait(unsigned Left);

public:
  // LiftPacked.cpp
  bool liftSpecialHalf();

  // Of memory, for several files.

  /// `[…]` of 64 bits, of \p O with its registers.
  Operand globalAddress(const MachineOperand &O);
  /// The same of 32 bits: in shared or local memory.
  Operand narrowAddress(const MachineOperand &O);
  /// The number that a register holds; nothing if that is not known.
  std::optional<uint32_t> numberIn(unsigned Register, bool IsUniform);
  Operand partialCopy(const MachineOperand &O, unsigned Bytes,
                      Operand &Address);
  /// The operand \p N of those that are addresses; null if there is none.
  const MachineOperand *memory(unsigned N = 0) const;

  // LiftAsync.cpp
  /// An mbarrier may be initialised by a store: of such a one.
  bool liftBarrierStore();
  // LiftCluster.cpp
  /// Whether the function has anything that only blocks of a cluster need.
  bool usesClusters();
  /// Of a tensor's map: as wide, but of a parameter the parameter's own.
  Operand mapAddress(const MachineOperand &O);
  /// Where the word of bank 0 is that has the address of the parameters.
  uint32_t parameterWindow() const;
  /// What the launch says of clusters at \p Offset of bank 0; false if it is
  /// something else.
  bool emitClusterWord(const Operand &To, uint32_t Offset, bool IsIndexed);

private:
  LiftModule &L;
  const CubinFunction &F;
  InstructionGraph &G;
  MachineGraph M;
  /// Of a function of its own.
  const LocalFunction *Local;
  /// Where the frame of the caller begins, if arguments lie there.
  std::optional<unsigned> CallerStack;
  std::optional<GraphBuilder> B;
  std::optional<RegisterPairs> Pairs;
  llvm::DenseMap<const Block *, Block *> Blocks;
  llvm::DenseMap<const Value *, unsigned> Names;
  std::map<std::pair<std::pair<unsigned, uint32_t>, bool>, unsigned> Words;
  std::set<std::pair<std::pair<unsigned, uint32_t>, bool>> WantedWords;
  std::vector<const MachineFacts *> Facts; ///< by instruction of the code
  /// The texts of an operation with one list of modifiers after the other.
  llvm::DenseMap<const OperationRow *,
                 SmallVector<std::pair<ArrayRef<StringRef>, StringRef>, 1>>
      MachineMnemonics;
  /// Those that were asked for already, with the number of operands: the module
  /// is asked by all functions at once.
  llvm::DenseMap<std::pair<StringRef, unsigned>,
                 const ptx::WrittenMnemonics::Entry *>
      Mnemonics;
  struct RecentMnemonic {
    unsigned Kind = 0;
    const ptx::WrittenMnemonics::Entry *Of = nullptr;
  };
  RecentMnemonic RecentMnemonics[128];
  const MachineInstruction *Machine = nullptr;
  SmallVector<const MachineOperand *, 6> Sources; ///< of it
  const Instruction *Current = nullptr;
  unsigned FirstLine; ///< of the listing, where the code begins
  unsigned Line = 0;
  const SourceLocation *Source = nullptr;
  bool Collects = true; ///< which pairs are needed; nothing is appended
  bool IsCounted = false;
  unsigned NumTemporaries = 0, NumCalls = 0;
  /// What is emitted reads registers as they are behind a guarded instruction.
  bool ReadsMerged = false;
  std::optional<unsigned> OnlyIf; ///< what the next one is guarded by
  bool OnlyIfNot = false;         ///< that guard is negated
  std::optional<unsigned> OnceIf; ///< what the last one of a warp was
  bool HasWaited = false; ///< for what the block's end jumps to wait for
  std::optional<Operand> LoopLanes; ///< for which such a loop is
  std::optional<bool> UsesClusters, HasBulkGroups, HasCopyGroups;
  std::optional<unsigned> BarrierResult;
};

/// Gives parameters that are computed with as floats alone such a type.
void inferFloatParameters(InstructionGraph &G);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_LIFTFUNCTION_H
