//===- Expressions.h - Integer expressions over a thread's place *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_SYMBOLIC_EXPRESSIONS_H
#define PTXPREDICT_ANALYSIS_SYMBOLIC_EXPRESSIONS_H

#include "ptxpredict/Analysis/Symbolic/ExpressionEvaluation.h"
#include "ptxpredict/Launch/LaunchConfig.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Allocator.h"
#include <memory>
#include <optional>

namespace ptxpredict {

/// Makes expressions and simplifies them. Not for several threads at once.
///
/// What would be too large (more than MaxTerms terms in a sum, MaxSymbols
/// symbols or MaxSize nodes) becomes an opaque value, which bounds the time of
/// every operation: cost is linear in the number of operations.
class Expressions {
public:
  static constexpr unsigned MaxTerms = 24, MaxSymbols = 24, MaxSize = 512;
  using Ref = const Expression *;

  /// Block and grid extents bound and fix the indices. Of a block or a grid
  /// that is assumed they are symbols, and all that is known holds for every
  /// launch that devices allow (CUDA C++ Programming Guide, "Technical
  /// Specifications per Compute Capability") and whose warps are whole and lie
  /// along x, the latter only if those of the assumed block do.
  explicit Expressions(const LaunchConfig &Launch);
  Expressions(const Expressions &) = delete;
  Expressions &operator=(const Expressions &) = delete;

  Ref constant(unsigned Width, uint64_t V);
  Ref boolean(bool B) { return constant(1, B); }
  /// A symbol of that width. The same Which, Context, Number and width give the
  /// same expression; what else \p S says must then agree.
  Ref symbol(unsigned Width, Symbol S);
  /// An index or an extent in 32 bits: a number where the launch fixes it.
  Ref index(Symbol::KindTy K) {
    Ref &Known = Indices[unsigned(K)];
    return Known ? Known : Known = makeIndex(K);
  }

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
  /// What \p From reads \p Offset bytes behind its buffer's start, which must
  /// outlive this. Numbers that are their own index are a sum.
  Ref load(const BufferRead &From, Ref Offset);
  /// The function of three bits that bit A*4+B*2+C of \p Table says (lop3).
  Ref lookUp(Ref A, Ref B, Ref C, uint8_t Table);

  /// \p E with its symbols replaced by what \p With gives for them (itself to
  /// keep one; of the same width). Simplified again. Memo may serve several
  /// calls with the same \p With.
  class Memo {
  public:
    /// One for most of that many expressions (size()) may take memory for all.
    explicit Memo(size_t NumExpressions = 0) : ById(NumExpressions) {}
    Ref find(Ref E) const { ///< null if there is nothing
      return E->Id < ById.size() ? ById[E->Id] : Others.lookup(E);
    }
    void set(Ref E, Ref To) {
      (E->Id < ById.size() ? ById[E->Id] : Others[E]) = To;
    }
    void clear() {
      llvm::fill(ById, nullptr);
      Others.clear();
    }

  private:
    std::vector<Ref> ById;
    llvm::DenseMap<Ref, Ref> Others;
  };
  Ref substitute(Ref E, llvm::function_ref<Ref(Ref)> With, Memo &Known);
  /// \p E with other operands, simplified again.
  Ref rebuild(Ref E, ArrayRef<Ref> Operands);

  size_t size() const { return NextId; } ///< expressions made so far

private:
  struct Terms;
  /// An entry of the hash table of nodes.
  struct Slot {
    uint64_t Hash = 0;
    Ref E = nullptr;
  };
  void insert(uint64_t Hash, Ref E);
  Ref makeIndex(Symbol::KindTy K);
  Ref make(Expression::KindTy K, unsigned Width, ArrayRef<Ref> Operands,
           ArrayRef<uint64_t> Coefficients = {}, uint64_t Addend = 0);
  Ref tooLarge(unsigned Width, ArrayRef<Ref> Operands);
  unsigned countNodes(ArrayRef<Ref> Operands);
  Ref sum(unsigned Width, Terms &T);
  Ref addNumber(Ref A, uint64_t V);
  Ref divideSum(Ref A, uint64_t By, bool Signed);
  Ref dropMultiples(Ref A, uint64_t Of);
  Ref reduceCoefficients(Ref A, unsigned Bits);
  Ref withoutStages(Ref A, unsigned Bits);
  Ref magicDivision(Ref A, unsigned Shift);
  Ref upperHalf(Ref A);
  Ref extendSum(Ref A, unsigned Width, bool Signed);
  bool areRowsWarps() const;
  Ref withoutLane(Ref A);
  Ref withoutWarp(Ref A);
  Ref product(unsigned Width, ArrayRef<Ref> Factors);
  Ref indexAt(const BufferRead &From, Ref Offset);
  Ref minMax(Expression::KindTy K, Ref A, Ref B);
  Ref logic2(Ref B, Ref C, uint8_t Table);
  std::optional<bool> compareSums(Ref A, Ref B, bool Signed);

  Dim3 Block, Grid;
  bool BlockIsAssumed, GridIsAssumed;
  bool IsRow;          ///< the block has no other extent than x
  uint64_t MaxThreads; ///< of an assumed block
  llvm::BumpPtrAllocator Arena;
  llvm::SpecificBumpPtrAllocator<Symbol> SymbolArena;
  /// Symbol::Quantity of counters and exit counts, by context, number and kind,
  /// and bound.
  llvm::DenseMap<std::tuple<const void *, uint64_t, uint64_t>, const Symbol *>
      LoopSymbols;
  std::vector<std::unique_ptr<BufferRead>> Reads; ///< each once
  std::vector<Slot> Nodes; ///< open addressing; a power of two of them
  std::array<Ref, unsigned(Symbol::KindTy::GridExtentZ) + 1> Indices = {};
  unsigned NextId = 0, NumNodes = 0;
  std::vector<unsigned> CountedIn; ///< by id, the last count that met a node
  unsigned NumCounts = 0;
};

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_SYMBOLIC_EXPRESSIONS_H
