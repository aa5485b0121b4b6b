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

#include "CallLowering.h"
#include "ControlLowering.h"
#include "MemoryLowering.h"
#include "ModuleLowering.h"
#include "PointerLowering.h"
#include "ptxpredict/Graph/GraphBuilder.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <array>

namespace ptxpredict::llvmir {

/// As a mnemonic's suffix has it: "32".
inline std::string bits(ScalarType T) { return std::to_string(bitWidth(T)); }

/// Lowers one function's body: which registers hold its values, and the
/// instructions that compute with them. Control flow, calls, memory and
/// pointers are parts of their own. The parts of the interface below that are
/// public are what those and the files beside it use.
class FunctionLowering {
public:
  FunctionLowering(ModuleLowering &M, const llvm::Function &Fn,
                   InstructionGraph &G);
  FunctionLowering(const FunctionLowering &) = delete;
  FunctionLowering &operator=(const FunctionLowering &) = delete;

  /// True on error (reported).
  bool lower();

  ModuleLowering &module() { return Module; }
  const llvm::Function &function() const { return F; }
  const llvm::DataLayout &layout() const { return Module.layout(); }
  /// The compute capability, such as 90.
  unsigned capability() const { return Module.capability(); }
  GraphBuilder &builder() { return B; }
  MemoryLowering &memory() { return Memory; }
  /// The block that is being lowered.
  const llvm::BasicBlock *currentBlock() const { return CurrentBlock; }
  /// The input's line of the instruction that is being lowered.
  unsigned currentLine() const { return CurrentLine; }

  // Operands. Their Role is set by emit().

  /// What \p V's components are read from: registers, immediates, or addresses
  /// of variables in registers. Integers below 16 bits lie in registers of 16;
  /// their upper bits are undefined, as they are to LLVM's back end.
  ArrayRef<Operand> components(const llvm::Value *V);
  /// The only component of \p V.
  Operand use(const llvm::Value *V);
  /// \p V has registers or aliases already.
  bool isLowered(const llvm::Value *V) const { return Values.contains(V); }
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
  Operand address(const llvm::Value *Pointer) {
    return Pointers.address(Pointer);
  }
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
  /// Appends a call, whose operands have their roles.
  void emitCall(StringRef Mnemonic, ArrayRef<Operand> Operands,
                bool HasReturnList);
  /// Appends an instruction that is counted as unknown, by \p Name, and writes
  /// the registers of \p V, reading \p Operands.
  void emitUnknown(StringRef Name, const llvm::Value &V,
                   ArrayRef<Operand> Operands);

private:
  friend class AsmLowering;
  friend class VectorLanes;

  // FunctionLowering.cpp
  void findArguments();
  void setLocation(const llvm::Instruction &I);
  void lowerBlock(const llvm::BasicBlock &BB);
  void lowerInstruction(const llvm::Instruction &I);
  void integerComponents(const llvm::ConstantInt &C,
                         SmallVectorImpl<Operand> &Out);
  void packedComponents(const llvm::Constant &C, SmallVectorImpl<Operand> &Out);
  void constantComponents(const llvm::Constant *C,
                          SmallVectorImpl<Operand> &Out);
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

  // Vectors.cpp
  void lowerExtractElement(const llvm::ExtractElementInst &I);
  void lowerInsertElement(const llvm::InsertElementInst &I);
  void lowerShuffle(const llvm::ShuffleVectorInst &I);
  void lowerExtractValue(const llvm::ExtractValueInst &I);
  void lowerInsertValue(const llvm::InsertValueInst &I);

  // Intrinsics.cpp, InlineAsm.cpp
  void lowerIntrinsic(const llvm::IntrinsicInst &I);
  void lowerInlineAsm(const llvm::CallBase &I);
  /// Writes constants that inline assembly reads in loops to registers.
  void takeAsmConstants();

  ModuleLowering &Module;
  const llvm::Function &F;
  GraphBuilder B;
  ControlLowering Control;
  CallLowering Calls;
  MemoryLowering Memory;
  PointerLowering Pointers;
  llvm::DenseMap<const llvm::Value *, ArrayRef<Operand>> Values;
  /// Constants that inline assembly reads, by their type in it.
  llvm::DenseMap<std::pair<const llvm::Constant *, unsigned>, TakenConstant>
      AsmConstants;
  /// A component of two elements, taken apart in a block.
  struct UnpackedHalves {
    const llvm::BasicBlock *In = nullptr;
    std::array<Operand, 2> Registers;
  };
  llvm::DenseMap<std::pair<const llvm::Value *, unsigned>, UnpackedHalves>
      Halves;
  /// What a value is at most, as an unsigned number.
  llvm::DenseMap<const llvm::Value *, uint64_t> Most;
  /// The number of the last register of each type.
  std::array<unsigned, 32> RegistersOf{};
  /// Registers that there were before the present instruction.
  unsigned OldRegisters = 0;
  const llvm::BasicBlock *CurrentBlock = nullptr;
  unsigned CurrentLine = 0;
  const SourceLocation *CurrentSource = nullptr;
};

} // namespace ptxpredict::llvmir

#endif // PTXPREDICT_LIB_FRONTEND_LLVMIR_FUNCTIONLOWERING_H
