//===- SymbolicValuesImpl.h - How values become expressions -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_SYMBOLICVALUESIMPL_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_SYMBOLICVALUESIMPL_H

#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/APFloat.h"

namespace ptxpredict {

/// A stored piece of a `.param` variable.
struct ParameterPiece {
  uint64_t Offset = 0; ///< bytes
  const Expression *E = nullptr;
};
using ParameterPieces = SmallVector<ParameterPiece, 2>;

/// What a call passes on.
struct SymbolicValues::Caller {
  const SymbolicValues *From = nullptr;
  const Instruction *Call = nullptr;
  std::vector<ParameterPieces> Arguments;         ///< by position
  SmallVector<const InstructionGraph *, 4> Stack; ///< of functions being called
  unsigned *Budget = nullptr; ///< instructions that may still be looked at
  /// Those that were called so far.
  llvm::DenseMap<const InstructionGraph *, Function> *Known = nullptr;
};

/// Which value a phi has, as a tree of decisions.
struct GateTree {
  struct Node {
    const Expression *Condition = nullptr; ///< null: a leaf
    int IfTrue = -1, IfFalse = -1;         ///< nodes
    int Edge = -1;                         ///< of a leaf: the predecessor
  };
  std::vector<Node> Nodes; ///< inner nodes behind theirs
  int Root = -1;           ///< -1: cannot be told
};

/// Fills Values. The order of work is reverse post-order, in which a loop's
/// blocks stand together. A phi at a loop's header is a symbol of its own until
/// the loop ends; then its next value is an expression of such symbols, and a
/// recurrence in closed form replaces the symbol, in the end everywhere.
class ValueBuilder {
public:
  using Ref = const Expression *;
  ValueBuilder(SymbolicValues &Out, const SymbolicValues::Caller *From);

  void run();

  /// Whether results may differ between lanes where operands do not: indices,
  /// other lanes' values, tiles of matrices, atomics.
  static bool mayDifferBetweenLanes(const Instruction &At,
                                    const LaunchConfig &Launch);

private:
  using Kind = Expression::KindTy;
  struct Loop {
    SmallVector<std::pair<const Instruction *, Ref>, 8> Phis; ///< and symbols
    llvm::DenseMap<Ref, Ref> Closed;                          ///< phi symbols
    unsigned BlocksLeft = 0;
    uint8_t BranchesVary = 0; ///< of all conditions in it
  };

  // Values.cpp
  void visit(const Block &B);
  Ref read(const Value *V, const Block *B) const { return Out.at(V, B); }
  Ref condition(const Block &X) const;
  void noteBranch(const Block &B);
  void noteUnresolved(const Instruction &In);
  void resolve();
  Ref opaque(Symbol::ReasonTy Why, const Value &V, uint8_t Varies) const;
  Ref placeholder(const Value &Phi, int64_t Max);
  std::string nameOf(const Value &V) const;
  bool isDivergent(const Value &Phi);
  void setOpaque(const Instruction &I, Symbol::ReasonTy Why, uint8_t Varies);

  // ValuesMerges.cpp
  GateTree gates(const Block &Root, const Block &Target,
                 bool FromLatches) const;
  Ref choose(const GateTree &T, const Instruction &Phi) const;
  void merge(const Instruction &Phi, const GateTree &T);
  Ref inputOf(const Instruction &Phi, const GateTree &T, bool FromLatches);
  void openLoop(const Block &Header, unsigned C);
  void closeLoop(unsigned C);
  Ref closedForm(Ref Init, Ref P, Ref Next, unsigned C) const;
  Ref closedSum(Ref Init, Ref Step, unsigned C) const;
  Ref closedShift(Ref Init, Ref P, Ref Next, unsigned C) const;
  Ref closedModulo(Ref Init, Ref P, Ref Next, unsigned C) const;
  Ref triangle(unsigned C, unsigned Width) const;

  // ValuesArithmetic.cpp and ValuesInstructions.cpp
  void translate(const Instruction &I);
  Ref source(unsigned N, unsigned Width) const;
  Ref signedSource(unsigned N, unsigned Width, unsigned To, bool Signed) const;
  Ref compute(const Instruction &I);
  Ref arithmetic(ptx::Opcode Op, unsigned Width, bool Signed);
  Ref logic(ptx::Opcode Op, unsigned Width, bool Signed);
  Ref withCarry(ptx::Opcode Op, unsigned Width, bool Signed);
  Ref saturated(Ref Wide, unsigned Width, bool Signed) const;
  Ref multiply24(bool Signed) const;
  Ref dotProduct(bool Pairs) const;
  Ref shiftPair() const;
  Ref convert();
  Ref comparison(StringRef Name, ScalarType T) const;
  void setPredicates(const Instruction &I);
  void move(const Instruction &I);
  void load(const Instruction &I);

  // ValuesFloats.cpp: of constants; null for others
  std::optional<SmallVector<llvm::APFloat, 3>> floatSources(ScalarType T,
                                                            size_t N) const;
  Ref floatComparison(StringRef Name, ScalarType T) const;
  Ref floatArithmetic(ptx::Opcode Op, ScalarType T) const;
  Ref floatConversion(ScalarType To, ScalarType From) const;

  // ValuesLocals.cpp
  bool accessLocal(const Instruction &I);
  void clobberLocals(const Instruction &I);
  bool mayBeLocal(Ref Place) const;
  void addWrites(const Instruction &I,
                 SmallVectorImpl<SymbolicValues::LocalWrite> &To) const;
  void noteWrites();

  // ValuesInstructions.cpp
  void crossLane(const Instruction &I);
  bool has(StringRef Modifier) const;
  bool isKnown(const Operand &O) const;
  uint8_t variationOf(const Instruction &I) const;
  void define(const Operand &O, Ref X, bool Signed = false);

  // ValuesCalls.cpp
  bool loadParameter(const Instruction &I, const Operand &Address,
                     ArrayRef<const Operand *> To);
  bool reachesAddress(const Value *V) const;
  Ref kernelParameter(const Parameter &P, uint64_t Offset, unsigned Bytes,
                      const Instruction &I) const;
  Ref pieceAt(ArrayRef<ParameterPiece> Pieces, uint64_t Offset,
              unsigned Width) const;
  void storeParameter(const Instruction &I);
  void call(const Instruction &I);
  ParameterPieces pieces(const Instruction &I, const Operand &O) const;

  SymbolicValues &Out;
  const InstructionGraph &G;
  const ControlFlow &CF;
  const LaunchConfig &Launch;
  Expressions &E;
  const SymbolicValues::Caller *From;
  std::optional<Uniformity> Lanes; ///< once something asked
  std::vector<unsigned> Position;  ///< in reverse post-order, by block
  std::vector<Loop> Loops;
  bool ArgumentsAreUniform;
  std::vector<unsigned> Unresolved; ///< ids of values with symbols of phis
  /// Caller::Known of the kernel's calls.
  llvm::DenseMap<const InstructionGraph *, SymbolicValues::Function> RootKnown;
  unsigned RootBudget = 50000; ///< Caller::Budget of the kernel's calls
  Ref Carry = nullptr;         ///< the carry flag; null where it is not known
  /// `.param` variables that hold what the block has stored.
  llvm::DenseMap<const Variable *, ParameterPieces> Stored;
  /// Of the instruction at hand: what it reads, its modifiers and block.
  const Instruction *I = nullptr;
  SmallVector<const Operand *, 6> Sources;
  SmallVector<StringRef, 6> Modifiers;
};

/// In the last block of the function: what it stores to its return parameters.
/// By position. Empty where that cannot be told.
std::vector<ParameterPieces> returnedBy(const SymbolicValues &V);

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_SYMBOLICVALUESIMPL_H
