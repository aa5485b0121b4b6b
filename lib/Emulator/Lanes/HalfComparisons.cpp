//===- HalfComparisons.cpp - set and setp of f16 and bf16 -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HalfOperations.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {
/// Which lanes' operands are in which order; in none if one is NaN. The second
/// element is that of the upper halves of pairs.
struct Relations {
  uint32_t Less[2] = {}, Equal[2] = {}, Greater[2] = {};
};

/// A comparison is the set of relations for which it holds.
enum : unsigned { IsLess = 1, IsEqual = 2, IsGreater = 4, IsUnordered = 8 };

template <class T, bool Ftz>
inline float element(uint32_t Bits) {
  T Value{uint16_t(Bits)};
  return Ftz ? Value.flush().widen() : Value.widen();
}

template <class T, bool Ftz, unsigned Shift>
struct Less {
  static bool apply(uint32_t A, uint32_t B) {
    return element<T, Ftz>(A >> Shift) < element<T, Ftz>(B >> Shift);
  }
};
template <class T, bool Ftz, unsigned Shift>
struct Equal {
  static bool apply(uint32_t A, uint32_t B) {
    return element<T, Ftz>(A >> Shift) == element<T, Ftz>(B >> Shift);
  }
};

/// Writes the Relations at Dest[0].
template <class T, bool Ftz, class Word>
struct Relate {
  static void run(const LaneArguments &A) {
    auto &To = *static_cast<Relations *>(A.Dest[0]);
    relate<0>(A, To);
    if constexpr (sizeof(Word) == 4)
      relate<16>(A, To);
  }

private:
  template <unsigned Shift>
  static void relate(const LaneArguments &A, Relations &To) {
    auto *First = static_cast<const Word *>(A.Source[0]);
    auto *Second = static_cast<const Word *>(A.Source[1]);
    using LessOp = Less<T, Ftz, Shift>;
    using EqualOp = Equal<T, Ftz, Shift>;
    To.Less[Shift != 0] = maskOf<LessOp, Word, Word>(First, Second);
    To.Equal[Shift != 0] = maskOf<EqualOp, Word, Word>(First, Second);
    To.Greater[Shift != 0] = maskOf<LessOp, Word, Word>(Second, First);
  }
};

enum class Combine { None, And, Or, Xor };
/// What is written for a true lane: a predicate, all ones or 1.0.
enum class Truth { Predicate, Ones16, Ones32, One };

template <unsigned Set, Combine Op>
inline uint32_t holds(const Relations &R, unsigned Part, const void *C) {
  uint32_t Less = R.Less[Part], Equal = R.Equal[Part];
  uint32_t Greater = R.Greater[Part];
  uint32_t Mask = 0;
  if (Set & IsLess)
    Mask |= Less;
  if (Set & IsEqual)
    Mask |= Equal;
  if (Set & IsGreater)
    Mask |= Greater;
  if (Set & IsUnordered)
    Mask |= ~(Less | Equal | Greater);
  if (Op == Combine::None)
    return Mask;
  uint32_t With = *static_cast<const uint32_t *>(C);
  return Op == Combine::And  ? Mask & With
         : Op == Combine::Or ? Mask | With
                             : Mask ^ With;
}

/// set and setp. The comparison of the lanes is compiled once for each type.
template <class T, bool Ftz, bool IsPacked, unsigned Set, Combine Op,
          Truth Result>
void compare(const LaneArguments &A) {
  using Word = std::conditional_t<IsPacked, uint32_t, uint16_t>;
  static const LaneFunction RelateLanes = laneFunction<Relate<T, Ftz, Word>>();
  Relations R;
  LaneArguments ForRelate = A;
  ForRelate.Dest[0] = &R;
  RelateLanes(ForRelate);
  uint32_t Low = holds<Set, Op>(R, 0, A.Source[2]);
  uint32_t High = IsPacked ? holds<Set, Op>(R, 1, A.Source[2]) : 0;
  if constexpr (Result == Truth::Predicate) {
    if (A.Dest[0])
      *static_cast<uint32_t *>(A.Dest[0]) = Low;
    if (IsPacked && A.Dest[1])
      *static_cast<uint32_t *>(A.Dest[1]) = High;
  } else {
    constexpr bool IsWide = IsPacked || Result == Truth::Ones32;
    using D = std::conditional_t<IsWide, uint32_t, uint16_t>;
    // 1.0 is the bias above the mantissa.
    constexpr uint32_t One = uint32_t(T::Format::Bias)
                             << T::Format::MantissaBits;
    constexpr uint32_t True = Result == Truth::One  ? One
                              : IsWide && !IsPacked ? ~0u
                                                    : 0xffff;
    auto *Dest = static_cast<D *>(A.Dest[0]);
    for (unsigned L = 0; L != WarpSize; ++L)
      Dest[L] = D((Low >> L & 1) * True | (High >> L & 1) * True
                                              << (IsPacked ? 16 : 0));
  }
}

template <class T, bool Ftz, bool IsPacked, unsigned Set, Combine Op>
LaneFunction findResult(Truth Result) {
  switch (Result) {
  case Truth::Predicate:
    return compare<T, Ftz, IsPacked, Set, Op, Truth::Predicate>;
  case Truth::Ones16:
    return IsPacked ? nullptr : compare<T, Ftz, false, Set, Op, Truth::Ones16>;
  case Truth::Ones32:
    return compare<T, Ftz, IsPacked, Set, Op, Truth::Ones32>;
  case Truth::One:
    return compare<T, Ftz, IsPacked, Set, Op, Truth::One>;
  }
  return nullptr;
}

template <class T, bool Ftz, bool IsPacked, unsigned Set>
LaneFunction findCombined(Combine Op, Truth Result) {
  switch (Op) {
  case Combine::None:
    return findResult<T, Ftz, IsPacked, Set, Combine::None>(Result);
  case Combine::And:
    return findResult<T, Ftz, IsPacked, Set, Combine::And>(Result);
  case Combine::Or:
    return findResult<T, Ftz, IsPacked, Set, Combine::Or>(Result);
  case Combine::Xor:
    return findResult<T, Ftz, IsPacked, Set, Combine::Xor>(Result);
  }
  return nullptr;
}

/// The set of relations as a constant. Numbers from 1 to 14 are comparisons.
template <class T, bool Ftz, bool IsPacked, size_t... I>
LaneFunction findSet(unsigned Set, Combine Op, Truth Result,
                     std::index_sequence<I...>) {
  constexpr decltype(&findCombined<T, Ftz, IsPacked, 1>) ForSet[] = {
      findCombined<T, Ftz, IsPacked, I + 1>...};
  return ForSet[Set - 1](Op, Result);
}

template <class T, bool Ftz>
LaneFunction findTyped(bool IsPacked, unsigned Set, Combine Op, Truth Result) {
  auto Sets = std::make_index_sequence<14>();
  return IsPacked ? findSet<T, Ftz, true>(Set, Op, Result, Sets)
                  : findSet<T, Ftz, false>(Set, Op, Result, Sets);
}
} // namespace

LaneFunction emulator::findHalfComparison(ptx::Opcode Op, StringRef Modifiers,
                                          unsigned NumSources) {
  LaneModifiers Left(Modifiers);
  bool IsFtz = Left.take("ftz");
  constexpr unsigned Ordered = IsLess | IsEqual | IsGreater;
  auto Set = llvm::StringSwitch<unsigned>(Left.takeFront())
                 .Case("eq", IsEqual)
                 .Case("ne", IsLess | IsGreater)
                 .Case("lt", IsLess)
                 .Case("le", IsLess | IsEqual)
                 .Case("gt", IsGreater)
                 .Case("ge", IsGreater | IsEqual)
                 .Case("equ", IsEqual | IsUnordered)
                 .Case("neu", IsLess | IsGreater | IsUnordered)
                 .Case("ltu", IsLess | IsUnordered)
                 .Case("leu", IsLess | IsEqual | IsUnordered)
                 .Case("gtu", IsGreater | IsUnordered)
                 .Case("geu", IsGreater | IsEqual | IsUnordered)
                 .Case("num", Ordered)
                 .Case("nan", IsUnordered)
                 .Default(0);
  Combine With = Left.take("and")   ? Combine::And
                 : Left.take("or")  ? Combine::Or
                 : Left.take("xor") ? Combine::Xor
                                    : Combine::None;
  if (Set == 0 || NumSources != (With == Combine::None ? 2u : 3u))
    return nullptr;
  StringRef Type = Left.takeBack(), Dest = Left.takeBack();
  if (!Left.empty() || Dest.empty() != (Op == ptx::Opcode::Setp))
    return nullptr;

  Truth Result = Truth::Predicate;
  if (Dest == "u32" || Dest == "s32")
    Result = Truth::Ones32;
  else if (Dest == "u16" || Dest == "s16")
    Result = Truth::Ones16;
  else if (Dest == Type)
    Result = Truth::One;
  else if (!Dest.empty())
    return nullptr;
  bool IsPacked = Type.consume_back("x2");
  if (Type == "bf16")
    return IsFtz ? nullptr
                 : findTyped<BFloat, false>(IsPacked, Set, With, Result);
  return IsFtz ? findTyped<Half, true>(IsPacked, Set, With, Result)
               : findTyped<Half, false>(IsPacked, Set, With, Result);
}
