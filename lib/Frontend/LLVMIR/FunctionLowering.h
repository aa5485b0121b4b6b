//===- FunctionLowering.h - One function's instructions ---------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// An IR value becomes one or more components, each of which fits a PTX
// register: a scalar is one, a struct the components of its members, a vector
// one for each element, but <2 x half>, <2 x bfloat>, <2 x i16> and <4 x i8>,
// which are one of 32 bits.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_LLVMIR_FUNCTIONLOWERING_H
#define PTXPREDICT_LIB_FRONTEND_LLVMIR_FUNCTIONLOWERING_H

#include "ModuleLowering.h"
#include "ptxpredict/Graph/GraphBuilder.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <array>

namespace ptxpredict::llvmir {

/// As a mnemonic's suffix has it: "32".
inline std::string bits(ScalarType T) { return std::to_string(bitWidth(T)); }

/// Lowers one function's body. The parts of the interface below that are
/// public are what the files beside it use.
class FunctionLowering {
public:
  FunctionLowering(ModuleLowering &Context, const llvm::Function &F,
                   InstructionGraph &G);

  /// True on error (reported).
  bool lower();

  ModuleLowering &context() { return Context; }
  const llvm::Function &function() const { return F; }
  const llvm::DataLayout &layout() const { return Context.layout(); }
  /// The compute capability, such as 90.
  unsigned capability() const { return Context.capability(); }
  GraphBuilder &builder() { return B; }

  // Operands. Their Role is set by emit().

  /// What \p V's components are read from: registers, immediates, or addresses
  /// of variables in registers. Integers below 16 bits lie in registers of 16;
  /// their upper bits are undefined, as they are to LLVM's back end.
  ArrayRef<Operand> components(const llvm::Value *V);
  /// The only component of \p V.
  Operand use(const llvm::Value *V);
  /// Makes \p Components, which are there already, those of \p V: for what
  /// needs no instruction.
  void alias(const llvm::Value *V, ArrayRef<Operand> Components);
  /// The registers that \p V's components are written to, made at the first
  /// call.
  ArrayRef<Operand> define(const llvm::Value *V);
  /// The only one.
  Operand defineOne(const llvm::Value *V);
  /// The types of the components of \p T.
  void componentTypes(llvm::Type *T, SmallVectorImpl<ScalarType> &Out) const;
  /// The type of the only component of \p T.
  ScalarType registerType(llvm::Type *T) const;

  /// A new register.
  Operand temporary(ScalarType T);
  static Operand integer(int64_t Value, ScalarType T);
  /// An immediate of 32 or 64 bits.
  static Operand floating(const llvm::APFloat &Value);
  /// `%tid.x` and the like.
  static Operand special(StringRef Name);
  static Operand sink();
  /// A name that stands for nothing else, such as a texture.
  Operand symbol(StringRef Name);
  Operand vector(ArrayRef<Operand> Elements);
  /// `[Base + Offset]`.
  Operand address(Operand Base, int64_t Offset = 0);
  /// `[Base + Offset]` for a pointer, what it adds to a base folded into it.
  Operand address(const llvm::Value *Pointer);
  /// A register that holds \p O: itself if it is one, else what mov writes.
  Operand inRegister(const Operand &O);
  /// Copies one component.
  void move(const Operand &To, const Operand &From);
  static bool isSameRegister(const Operand &A, const Operand &B);
  /// How many elements of the vector type one component holds; 1 for what is
  /// no vector.
  static unsigned elementsPerComponent(llvm::Type *T);
  /// The elements of a vector, each in a register of its own or an immediate.
  SmallVector<Operand, 4> elements(const llvm::Value *V);
  /// Makes \p Elements those of the vector \p V.
  void pack(const llvm::Value &V, ArrayRef<Operand> Elements);
  /// \p V with its register's upper bits those of its sign, or zero.
  Operand extended(const llvm::Value *V, bool Signed);
  /// A number of 16 bits in a register of 32 as a float.
  Operand asFloat(const Operand &O, llvm::Type *T);
  /// ".f32", ".ftz.f32", ".f64", ".f16", ".bf16" or ".f16x2": of a scalar, or
  /// of one component of a vector.
  std::string floatSuffix(llvm::Type *T) const;
  /// Whether the function asks for denormal floats to be zero.
  bool flushesDenormals() const;
  /// Whether the device computes in the type, half or bfloat.
  bool hasArithmetic(llvm::Type *T) const;

  /// Reads \p To from \p From, which has that alignment. The only user
  /// \p Extension, if there is one, extends what is read.
  void loadComponents(const Operand &From, ArrayRef<Operand> To, llvm::Type *T,
                      llvm::Align Align, const Twine &Prefix,
                      const llvm::Instruction *Extension);
  void storeComponents(const Operand &To, ArrayRef<Operand> From, llvm::Type *T,
                       llvm::Align Align, const Twine &Prefix);

  /// The only user of a load if it widens what is read, so that the load does
  /// it; null without one.
  static const llvm::Instruction *extensionOf(const llvm::LoadInst &I);
  /// The same of a byte that is taken out of a register with others.
  static const llvm::Instruction *
  extensionOf(const llvm::ExtractElementInst &I);
  /// Whether a load or what takes a byte out widens in place of \p I.
  static bool isLoadsOwn(const llvm::CastInst &I);
  /// Whether a load widens an index to 32 bits alone, as all that is made of it
  /// are products with strides.
  static bool isLoadedIndex(const llvm::CastInst &I);
  /// Whether a product or shift is one of two operands of half the width.
  static bool isWide(const llvm::BinaryOperator &I);

  /// Appends `Mnemonic Operands;` at the source location of the instruction
  /// that is being lowered. \p Mnemonic is kept.
  void emit(StringRef Mnemonic, ArrayRef<Operand> Operands,
            std::optional<unsigned> Guard = std::nullopt,
            bool GuardNegated = false);
  /// Appends an instruction that is counted as unknown, by \p Name, and writes
  /// the registers of \p V, reading \p Operands.
  void emitUnknown(StringRef Name, const llvm::Value &V,
                   ArrayRef<Operand> Operands);

private:
  friend class AsmLowering;
  friend class VectorLanes;

  // FunctionLowering.cpp
  void findBlocks();
  void findArguments();
  void orderBlocks();
  void setPlace(const llvm::Instruction &I);
  void lowerBlock(const llvm::BasicBlock &BB);
  void lowerInstruction(const llvm::Instruction &I);
  void constantComponents(const llvm::Constant *C,
                          SmallVectorImpl<Operand> &Out);
  Operand withRole(Operand O, OperandRole Role);
  void append(InstructionInfo &Info, std::optional<unsigned> Guard,
              bool GuardNegated);

  // Facts.cpp
  /// How often loops run and how large values are, as far as LLVM proves it.
  void findFacts();

  // Phis.cpp
  /// Gives phis the registers of what comes in, where neither is overwritten
  /// while the other one is still read.
  void coalescePhis();

  // Arithmetic.cpp
  /// Whether the users take over all that \p I computes.
  bool isFolded(const llvm::Instruction &I) const;
  bool scalesIndex(const llvm::GetElementPtrInst &GEP,
                   const llvm::Instruction &Index) const;
  void lowerBinary(const llvm::BinaryOperator &I);
  void lowerPredicates(const llvm::BinaryOperator &I);
  void lowerInteger(llvm::Instruction::BinaryOps Op,
                    const llvm::BinaryOperator &I, const Operand &To, Operand A,
                    Operand B);
  void lowerWideProduct(const llvm::BinaryOperator &I);
  Operand shiftAmount(const llvm::Value *V);
  void lowerFloat(const llvm::BinaryOperator &I);
  void lowerFused(const llvm::Instruction &I,
                  const llvm::BinaryOperator &Product);
  void lowerDivision(const llvm::BinaryOperator &I);
  void lowerRemainder(const llvm::BinaryOperator &I);
  void lowerFNeg(const llvm::UnaryOperator &I);
  void lowerCompare(const llvm::CmpInst &I);
  void compare(llvm::CmpInst::Predicate P, llvm::Type *T, const Operand &To,
               Operand A, Operand B);
  void lowerSelect(const llvm::SelectInst &I);
  void select(const Operand &To, const Operand &Condition, const Operand &A,
              const Operand &B, bool IsFloat);

  // LongArithmetic.cpp
  /// False where the division is left as it is.
  bool divideByConstant(const llvm::BinaryOperator &I, Operand A,
                        const llvm::APInt &Number);
  Operand signedQuotient(const Operand &A, const llvm::APInt &By);
  Operand unsignedQuotient(const Operand &A, const llvm::APInt &By);
  void lowerLong(const llvm::BinaryOperator &I);
  void lowerVectorBinary(const llvm::BinaryOperator &I);
  void lowerPromoted(const llvm::BinaryOperator &I);

  // Conversions.cpp
  void lowerCast(const llvm::CastInst &I);
  void lowerBitCast(const llvm::CastInst &I);
  void lowerLongCast(const llvm::CastInst &I);
  void convert(const llvm::CastInst &I, const llvm::Value *V, Operand From,
               const Operand &To);

  // Vectors.cpp
  void lowerExtractElement(const llvm::ExtractElementInst &I);
  void lowerInsertElement(const llvm::InsertElementInst &I);
  void lowerShuffle(const llvm::ShuffleVectorInst &I);
  void lowerExtractValue(const llvm::ExtractValueInst &I);
  void lowerInsertValue(const llvm::InsertValueInst &I);

  // Pointers.cpp
  struct PointerParts {
    Operand Base;
    int64_t Offset = 0; ///< bytes
  };
  PointerParts splitPointer(const llvm::Value *P);
  Operand stackGeneric();
  /// Whether all that \p I's users make of it are accesses at a constant
  /// distance.
  bool isOnlyAddress(const llvm::Instruction &I) const;
  /// Whether a cast changes the name of a space alone.
  static bool isSameAddress(const llvm::CastInst &I);
  /// The variable of the function's stack slots, and its addresses.
  void findLocals();
  /// Takes addresses of variables in the entry that loops or several blocks
  /// need.
  void takeAddresses();
  Operand pointerConstant(const llvm::Constant *C);
  const llvm::Constant *baseConstant(const llvm::Value *P) const;
  void convertSpace(const Operand &To, const Operand &From, unsigned FromSpace,
                    unsigned ToSpace);
  bool widens(const llvm::Value *Index, const llvm::Instruction &In) const;
  Operand scaled(const llvm::Value *Index, int64_t Scale,
                 const llvm::Instruction &In);
  /// An index times its stride, in 64 bits.
  Operand termOf(const llvm::Value *Index, int64_t Stride,
                 const llvm::Instruction &In);
  void lowerGEP(const llvm::GetElementPtrInst &I);
  void lowerAlloca(const llvm::AllocaInst &I);

  // Memory.cpp
  void loadInParts(const Operand &From, const Operand &To, unsigned Bytes,
                   unsigned PartBytes, StringRef Prefix);
  void lowerLoad(const llvm::LoadInst &I);
  void lowerStore(const llvm::StoreInst &I);
  void lowerFence(const llvm::FenceInst &I);
  void lowerAtomicRMW(const llvm::AtomicRMWInst &I);
  void lowerCmpXchg(const llvm::AtomicCmpXchgInst &I);

  // Control.cpp
  using Copy = std::pair<Operand, Operand>; ///< to, from
  struct PendingEdge {
    Block *Start;
    const llvm::BasicBlock *To;
    SmallVector<Copy, 4> Copies;
  };
  SmallVector<Copy, 4> edgeCopies(const llvm::BasicBlock &From,
                                  const llvm::BasicBlock &To);
  void copyInParallel(ArrayRef<Copy> Copies);
  void jump(const llvm::BasicBlock &To, bool MayFall);
  Block *edgeBlock(const llvm::BasicBlock &To);
  void finishEdges();
  void continueAt(const llvm::BasicBlock &To);
  void lowerBranch(const llvm::BranchInst &I);
  void lowerSwitch(const llvm::SwitchInst &I);
  void lowerReturn(const llvm::ReturnInst &I);
  const Variable *callVariable(StringRef Name, llvm::Type *T, uint64_t Align);
  void lowerCall(const llvm::CallBase &I);
  void emitCall(StringRef Mnemonic, ArrayRef<Operand> Operands,
                bool HasReturnList);

  // Intrinsics.cpp, InlineAsm.cpp
  void lowerIntrinsic(const llvm::IntrinsicInst &I);
  void lowerInlineAsm(const llvm::CallBase &I);
  /// Writes constants that inline assembly reads in loops to registers.
  void takeAsmConstants();

  struct TakenAddress {
    Operand Register;
    const llvm::BasicBlock *In = nullptr; ///< where it holds; null: everywhere
  };

  ModuleLowering &Context;
  const llvm::Function &F;
  GraphBuilder B;
  llvm::DenseMap<const llvm::Value *, ArrayRef<Operand>> Values;
  llvm::DenseMap<const llvm::BasicBlock *, Block *> Blocks;
  std::vector<const llvm::BasicBlock *> Order; ///< in which they are lowered
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::BasicBlock *> Next;
  llvm::DenseMap<const llvm::Constant *, TakenAddress> Addresses;
  /// Constants that inline assembly reads, by their type in it.
  llvm::DenseMap<std::pair<const llvm::Constant *, unsigned>, TakenAddress>
      AsmConstants;
  /// A component of two elements, taken apart in a block.
  struct UnpackedHalves {
    const llvm::BasicBlock *In = nullptr;
    std::array<Operand, 2> Registers;
  };
  llvm::DenseMap<std::pair<const llvm::Value *, unsigned>, UnpackedHalves>
      Halves;
  /// Bytes from the start of the stack.
  llvm::MapVector<const llvm::AllocaInst *, uint64_t> Slots;
  Operand StackLocal;
  std::optional<Operand> StackGeneric;
  /// What the accesses still add to a sum, in bytes.
  llvm::DenseMap<const llvm::Value *, int64_t> Offsets;
  /// What a value is at most, as an unsigned number.
  llvm::DenseMap<const llvm::Value *, uint64_t> Most;
  /// Products of an index in this block, which several addresses share.
  llvm::DenseMap<std::pair<const llvm::Value *, int64_t>, Operand> Products;
  SmallVector<PendingEdge, 2> PendingEdges;
  /// The number of the last register of each type.
  std::array<unsigned, 32> RegistersOf{};
  unsigned NumEdges = 0, NumCalls = 0;
  /// Registers that there were before the present instruction.
  unsigned OldRegisters = 0;
  const llvm::BasicBlock *CurrentBlock = nullptr;
  unsigned CurrentLine = 0;
  const SourceLocation *CurrentSource = nullptr;
};

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_LIB_FRONTEND_LLVMIR_FUNCTIONLOWERING_H
