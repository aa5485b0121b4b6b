//===- Expression.h - A node of the expression graph ------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_SYMBOLIC_EXPRESSION_H
#define PTXPREDICT_ANALYSIS_SYMBOLIC_EXPRESSION_H

#include "ptxpredict/Support/LLVM.h"
#include <cstdint>
#include <string>

namespace ptxpredict {

class BufferContents;
class Instruction;
struct Variable;

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
  enum class KindTy : uint8_t {
    ThreadX, ///< %tid.x
    ThreadY, ///< %tid.y
    ThreadZ, ///< %tid.z
    BlockX,  ///< %ctaid.x
    BlockY,  ///< %ctaid.y
    BlockZ,  ///< %ctaid.z
    Lane,    ///< %laneid
    Warp,    ///< %warpid, the number of the warp in its block
    /// %ntid.x of a launch that is assumed; else extents are numbers.
    BlockExtentX,
    BlockExtentY, ///< %ntid.y
    BlockExtentZ, ///< %ntid.z
    GridExtentX,  ///< %nctaid.x, as %ntid.x
    GridExtentY,  ///< %nctaid.y
    GridExtentZ,  ///< %nctaid.z
    Parameter,    ///< bytes of a kernel parameter without a known value
    Address,      ///< where a variable or a parameter lies
    /// How often the thread came back to a loop's header since it entered the
    /// loop, the same in all lanes that run an iteration together.
    Counter,
    /// The same when it left the loop; lanes may have left it at different
    /// times.
    ExitCount,
    Opaque ///< a value of which only its origin is known
  };
  /// Why a value is opaque.
  enum class ReasonTy : uint8_t {
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

  KindTy Kind = KindTy::Opaque;
  ReasonTy Reason = ReasonTy::None;
  uint8_t Varies = VariesEverywhere; ///< a set of Variation
  std::string Name;                  ///< in dumps
  /// Of an opaque value: where it comes from. Null if nothing in particular.
  const Instruction *From = nullptr;
  /// Of an Address: the variable; null for a parameter.
  const Variable *Var = nullptr;
  /// The function in its calling context (Values); null for what all share.
  const void *Context = nullptr;
  /// In Context's graph: the cycle of a counter, or the innermost one around
  /// what computes the symbol; -1 outside all.
  int Cycle = -1;
  /// Of a Parameter its first byte in the parameter space, of a counter its
  /// cycle, else a number that tells it from others.
  uint64_t Number = 0;
  uint64_t Min = 0;            ///< the least unsigned value
  uint64_t Max = ~uint64_t(0); ///< the largest unsigned value
  uint64_t Align = 1;          ///< a power of two that divides it
  /// What has its value: the first symbol that was made of a counter or an exit
  /// count, whatever width each has; of others the symbol itself.
  const Symbol *Quantity = nullptr;
};
StringRef toString(Symbol::ReasonTy R); ///< "load", …

/// Bounds and bits of a value. The bounds are those of the value as an unsigned
/// and as a signed number of its width.
struct ValueFacts {
  uint64_t Zeros = 0, Ones = 0; ///< bits that are known
  uint64_t UMin = 0, UMax = ~uint64_t(0);
  int64_t SMin = INT64_MIN, SMax = INT64_MAX;
};

/// How a number is read from a buffer whose contents the launch gives and the
/// kernel never changes.
struct BufferRead {
  StringRef Buffer; ///< its name, for dumps
  const BufferContents *From;
  unsigned Bytes; ///< of the number: 1, 2, 4 or 8
  bool IsSigned;  ///< a byte becomes 16 bits with its sign
};

/// A node of the expression graph, immutable and unique: equal expressions of
/// one \ref Expressions are one object. Its value is a number modulo 2^Width.
struct Expression {
  enum class KindTy : uint8_t {
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
    Insert,
    /// The number Operands[0] bytes behind the start of a buffer, see read().
    /// Bytes are as 16 bits.
    Load
  };

  KindTy Kind;
  uint8_t Width;  ///< bits: 1 for a predicate, 16, 32 or 64
  uint8_t Varies; ///< a set of Variation; what is not in it is certain
  /// A symbol is in several operands, of it or of something in it.
  bool Repeats;
  bool ExtendsSum; ///< a sum is extended in it
  unsigned Id;     ///< in the order of making
  unsigned Size;   ///< nodes that it consists of, at most
  uint64_t Addend; ///< of a Constant and a Sum; a Load's read() as a number
  ArrayRef<const Expression *> Operands;
  ArrayRef<uint64_t> Coefficients;      ///< of a Sum, modulo 2^Width
  ArrayRef<const Expression *> Symbols; ///< all in it, by id
  const Symbol *Sym;                    ///< of a Symbol
  ValueFacts Facts;

  bool isConstant() const { return Kind == KindTy::Constant; }
  bool isConstant(uint64_t V) const { return isConstant() && Addend == V; }
  bool isSymbol() const { return Kind == KindTy::Symbol; }
  bool isSymbol(Symbol::KindTy K) const { return isSymbol() && Sym->Kind == K; }
  /// The same in all lanes of a warp.
  bool isUniform() const { return !(Varies & VariesInWarp); }
  bool dependsOn(Symbol::KindTy K) const;
  bool dependsOn(const Expression *S) const;
  /// What a Load reads.
  const BufferRead &read() const {
    // It was a pointer before it was a number.
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    return *reinterpret_cast<const BufferRead *>(uintptr_t(Addend));
  }
  /// Of indices, extents, counters and constants alone: no parameter, address,
  /// exit count or opaque value.
  bool isDecided() const;
  /// An opaque value in it, for a message; null if there is none.
  const Symbol *opaque() const;

  void print(raw_ostream &OS) const;
  std::string str() const;
};

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_SYMBOLIC_EXPRESSION_H
