//===- Expressions.h - Integer expressions over a thread's place *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_EXPRESSIONS_H
#define PTXPREDICT_ANALYSIS_EXPRESSIONS_H

#include "ptxpredict/Launch/LaunchConfig.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Allocator.h"
#include <array>
#include <map>

namespace ptxpredict {

class Expressions;
class Instruction;

/// Between what a value may differ; a set of bits.
enum Variation : uint8_t {
  VariesNowhere = 0,
  VariesInWarp = 1,  ///< between the lanes of a warp
  VariesInBlock = 2, ///< between the warps of a block
  VariesInGrid = 4,  ///< between the blocks
  VariesEverywhere = 7
};

/// What an expression is made of that is no number.
struct Symbol {
  enum class Kind : uint8_t {
    ThreadX,   ///< %tid.x; extents of the launch are numbers
    ThreadY,   ///< %tid.y
    ThreadZ,   ///< %tid.z
    BlockX,    ///< %ctaid.x
    BlockY,    ///< %ctaid.y
    BlockZ,    ///< %ctaid.z
    Lane,      ///< %laneid
    Warp,      ///< %warpid, the number of the warp in its block
    Parameter, ///< bytes of a kernel parameter without a known value
    Address,   ///< where a variable or a parameter lies
    /// How often the thread came back to a loop's header since it entered the
    /// loop, the same in all lanes that run an iteration together.
    Counter,
    /// The same when it left the loop; lanes may have left it at different
    /// times.
    ExitCount,
    Opaque ///< a value of which only its origin is known
  };
  /// Why a value is opaque.
  enum class Reason : uint8_t {
    None,
    Load,
    Atomic,
    CrossLane, ///< shfl, vote, match, …
    Call,
    Argument, ///< of a device function seen by itself
    Float,    ///< made by floating-point arithmetic
    Special,  ///< a special register that no launch decides
    Loop,     ///< changes from iteration to iteration in no simple way
    Merge,    ///< of paths whose conditions are no simple expression
    TooLarge, ///< would be an expression of too many parts
    Undefined,
    Other ///< an instruction or a width that is not modelled
  };

  Kind Which = Kind::Opaque;
  Reason Why = Reason::None;
  uint8_t Varies = VariesEverywhere; ///< a set of Variation
  std::string Name;                  ///< in dumps
  /// Of an opaque value: where it comes from. Null if nothing in particular.
  const Instruction *From = nullptr;
  /// The function in its calling context (Values); null for what all share.
  const void *Context = nullptr;
  /// In Context's graph: the cycle of a counter, or the innermost one around
  /// what computes the symbol; -1 outside all.
  int Cycle = -1;
  /// Of a Parameter its first byte in the parameter space, of a counter its
  /// cycle, else a number that tells it from others.
  uint64_t Number = 0;
  uint64_t Max = ~uint64_t(0); ///< the largest unsigned value
  uint64_t Align = 1;          ///< a power of two that divides it
};
StringRef toString(Symbol::Reason R); ///< "load", …

/// Bounds and bits of a value. The bounds are those of the value as an unsigned
/// and as a signed number of its width.
struct ValueFacts {
  uint64_t Zeros = 0, Ones = 0; ///< bits that are known
  uint64_t UMin = 0, UMax = ~uint64_t(0);
  int64_t SMin = INT64_MIN, SMax = INT64_MAX;
};

/// A node of the expression graph, immutable and unique: equal expressions of
/// one \ref Expressions are one object. Its value is a number modulo 2^Width.
struct Expression {
  enum class Kind : uint8_t {
    Constant,
    Symbol,
    /// Addend + sum of Coefficients[i] * Operands[i]. No operand is a sum or a
    /// constant, no coefficient zero.
    Sum,
    Product, ///< of two or more that are neither sums nor constants
    Power,   ///< Operands[0] to the power of Operands[1], of any width
    And,
    Or,
    Xor,
    Not, ///< of predicates; `~x` is the sum -1 - x
    /// Shifts by Operands[1], unsigned and of any width; by the width or more
    /// all bits are gone. A shift left by a constant is a sum.
    Shl,
    LShr,
    AShr,
    UDiv, ///< division by zero gives all bits, its rest the dividend
    SDiv,
    URem,
    SRem,
    UMulHi, ///< the upper half of the product; of 64 bits alone
    SMulHi,
    UMin,
    UMax,
    SMin,
    SMax,
    Select, ///< Operands[0] ? Operands[1] : Operands[2]
    Equal,  ///< comparisons are predicates
    ULess,
    SLess,
    ZExt,
    SExt,
    Trunc,
    PopCount,
    LeadingZeros,
    HighestBit, ///< the highest set bit's number, all bits for 0
    BitReverse,
    /// PTX's prmt, and bfe and bfi where position or length are no constants.
    Permute,
    UExtract,
    SExtract,
    Insert
  };

  Kind Which;
  uint8_t Width;   ///< bits: 1 for a predicate, 16, 32 or 64
  uint8_t Varies;  ///< a set of Variation; what is not in it is certain
  unsigned Id;     ///< in the order of making
  unsigned Size;   ///< nodes that it consists of, at most
  uint64_t Addend; ///< of a Constant and a Sum
  ArrayRef<const Expression *> Operands;
  ArrayRef<uint64_t> Coefficients;      ///< of a Sum, modulo 2^Width
  ArrayRef<const Expression *> Symbols; ///< all in it, by id
  const Symbol *Sym;                    ///< of a Symbol
  ValueFacts Facts;

  bool isConstant() const { return Which == Kind::Constant; }
  bool isConstant(uint64_t V) const { return isConstant() && Addend == V; }
  bool isSymbol() const { return Which == Kind::Symbol; }
  bool isSymbol(Symbol::Kind K) const { return isSymbol() && Sym->Which == K; }
  /// The same in all lanes of a warp.
  bool isUniform() const { return !(Varies & VariesInWarp); }
  bool dependsOn(Symbol::Kind K) const;
  bool dependsOn(const Expression *S) const;
  /// Of indices, counters and constants alone: no parameter, address, exit
  /// count or opaque value.
  bool isDecided() const;
  /// An opaque value in it, for a message; null if there is none.
  const Symbol *opaque() const;

  void print(raw_ostream &OS) const;
  std::string str() const;
};

/// Makes expressions and simplifies them. Not for several threads at once.
///
/// What would be too large (more than MaxTerms terms in a sum, MaxSymbols
/// symbols or MaxSize nodes) becomes an opaque value, which bounds the time of
/// every operation: cost is linear in the number of operations.
class Expressions {
public:
  static constexpr unsigned MaxTerms = 24, MaxSymbols = 24, MaxSize = 512;
  using Ref = const Expression *;

  /// Block and grid extents bound and fix the indices.
  explicit Expressions(const LaunchConfig &Launch);
  Expressions(const Expressions &) = delete;
  Expressions &operator=(const Expressions &) = delete;

  const Dim3 &block() const { return Block; }
  const Dim3 &grid() const { return Grid; }

  Ref constant(unsigned Width, uint64_t V);
  Ref boolean(bool B) { return constant(1, B); }
  /// A symbol of that width. The same Which, Context, Number and width give the
  /// same expression; what else \p S says must then agree.
  Ref symbol(unsigned Width, Symbol S);
  /// %tid, %ctaid, %laneid or %warpid in 32 bits; 0 where the extent is 1.
  Ref index(Symbol::Kind K);

  Ref add(Ref A, Ref B);
  Ref sub(Ref A, Ref B);
  Ref neg(Ref A);
  Ref scale(Ref A, uint64_t By);
  Ref mul(Ref A, Ref B);
  Ref power(Ref Base, Ref Exponent);
  Ref bitAnd(Ref A, Ref B);
  Ref bitOr(Ref A, Ref B);
  Ref bitXor(Ref A, Ref B);
  Ref bitNot(Ref A); ///< of predicates too
  Ref shl(Ref A, Ref By);
  Ref lshr(Ref A, Ref By);
  Ref ashr(Ref A, Ref By);
  Ref shl(Ref A, uint64_t By) { return shl(A, constant(32, By)); }
  Ref lshr(Ref A, uint64_t By) { return lshr(A, constant(32, By)); }
  Ref ashr(Ref A, uint64_t By) { return ashr(A, constant(32, By)); }
  Ref div(Ref A, Ref B, bool Signed);
  Ref rem(Ref A, Ref B, bool Signed);
  Ref mulHigh(Ref A, Ref B, bool Signed);
  Ref min(Ref A, Ref B, bool Signed);
  Ref max(Ref A, Ref B, bool Signed);
  Ref select(Ref Condition, Ref A, Ref B);
  Ref equal(Ref A, Ref B);
  Ref less(Ref A, Ref B, bool Signed);
  Ref zext(Ref A, unsigned Width); ///< itself where it has that width
  Ref sext(Ref A, unsigned Width);
  Ref trunc(Ref A, unsigned Width);
  /// To any width: extended as \p Signed says, or cut.
  Ref resize(Ref A, unsigned Width, bool Signed);
  Ref popCount(Ref A); ///< 32 bits, as the next two
  Ref leadingZeros(Ref A);
  Ref highestBit(Ref A);
  Ref bitReverse(Ref A);
  Ref permute(Ref A, Ref B, Ref Control);
  Ref extract(Ref A, Ref Position, Ref Length, bool Signed);
  Ref insert(Ref A, Ref Into, Ref Position, Ref Length);
  /// The function of three bits that bit A*4+B*2+C of \p Table says (lop3).
  Ref lookUp(Ref A, Ref B, Ref C, uint8_t Table);

  /// \p E with its symbols replaced by what \p With gives for them (itself to
  /// keep one; of the same width). Simplified again. Memo may serve several
  /// calls with the same \p With.
  using Memo = llvm::DenseMap<Ref, Ref>;
  Ref substitute(Ref E, llvm::function_ref<Ref(Ref)> With, Memo &Known);

private:
  struct Node;
  struct Terms;
  Ref make(Expression::Kind K, unsigned Width, ArrayRef<Ref> Operands,
           ArrayRef<uint64_t> Coefficients = {}, uint64_t Addend = 0);
  Ref tooLarge(unsigned Width, ArrayRef<Ref> Operands);
  unsigned countNodes(ArrayRef<Ref> Operands) const;
  Ref sum(unsigned Width, Terms &T);
  Ref rebuild(Ref E, ArrayRef<Ref> Operands);
  Ref divideSum(Ref A, uint64_t By, bool Signed);
  Ref dropMultiples(Ref A, uint64_t Of);
  Ref reduceCoefficients(Ref A, unsigned Bits);
  Ref magicDivision(Ref A, unsigned Shift);
  Ref extendSum(Ref A, unsigned Width, bool Signed);
  Ref withoutLane(Ref A);
  Ref withoutWarp(Ref A);
  Ref product(unsigned Width, ArrayRef<Ref> Factors);
  Ref minMax(Expression::Kind K, Ref A, Ref B);
  Ref logic2(Ref B, Ref C, uint8_t Table);
  std::optional<bool> compareSums(Ref A, Ref B, bool Signed);

  Dim3 Block, Grid;
  llvm::BumpPtrAllocator Arena;
  llvm::SpecificBumpPtrAllocator<Symbol> SymbolArena;
  llvm::FoldingSet<Node> Nodes;
  std::map<std::tuple<Symbol::Kind, const void *, uint64_t, unsigned, uint64_t>,
           Ref>
      SymbolsByKey;
  unsigned NextId = 0;
};

/// What symbols stand for in one warp.
struct Assignment {
  Dim3 Block;               ///< the launch's block
  uint64_t Warp = 0;        ///< number within the block
  Dim3 BlockIndex{0, 0, 0}; ///< %ctaid
  /// Counters, exit counts, parameters, addresses and opaque values; those
  /// without an entry are 0.
  llvm::DenseMap<const Expression *, uint64_t> Values;
  /// The same where a symbol differs from lane to lane.
  llvm::DenseMap<const Expression *, std::array<uint64_t, WarpSize>> LaneValues;
};

using LaneArray = std::array<uint64_t, WarpSize>;

/// The value in each lane of the warp, zero-extended; of no meaning in lanes
/// beyond the block's end.
LaneArray evaluate(const Expression &E, const Assignment &A);

/// Expressions made ready to be evaluated often: what is the same in all lanes
/// is computed once.
class CompiledExpressions {
public:
  explicit CompiledExpressions(ArrayRef<const Expression *> Roots);

  void run(const Assignment &A);
  /// Of the root with that index, after run().
  uint64_t lane(unsigned Root, unsigned Lane) const {
    const Step &S = Steps[RootSteps[Root]];
    return Values[S.IsScalar ? S.Place : S.Place + Lane];
  }
  bool isScalar(unsigned Root) const { return Steps[RootSteps[Root]].IsScalar; }

private:
  struct Step {
    const Expression *E;
    unsigned FirstOperand; ///< in Operands: numbers of steps
    unsigned Place;        ///< in Values
    bool IsScalar;
  };
  std::vector<Step> Steps; ///< operands first
  std::vector<unsigned> Operands, RootSteps;
  std::vector<uint64_t> Values;
};

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_EXPRESSIONS_H
