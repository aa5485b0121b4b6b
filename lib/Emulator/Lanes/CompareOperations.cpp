//===- CompareOperations.cpp - Comparison and selection -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA 9.7.6: set, setp, selp, slct, of integers, bits, f32 and f64.
//===----------------------------------------------------------------------===//
#include "FloatHelpers.h"
#include "LaneLoops.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::Opcode;

namespace {

enum class Relation { Eq, LessOrGreater, Lt, Le, Gt, Ge, Ordered };

template <Relation R, bool Flush>
struct Compare {
  template <class T>
  static bool apply(T A, T B) {
    if constexpr (Flush)
      return holds(flush(A), flush(B));
    else
      return holds(A, B);
  }

private:
  template <class T>
  static bool holds(T A, T B) {
    if constexpr (R == Relation::Eq)
      return A == B;
    else if constexpr (R == Relation::LessOrGreater)
      return (A < B) | (A > B);
    else if constexpr (R == Relation::Lt)
      return A < B;
    else if constexpr (R == Relation::Le)
      return A <= B;
    else if constexpr (R == Relation::Gt)
      return A > B;
    else if constexpr (R == Relation::Ge)
      return A >= B;
    else
      return (A <= B) | (A > B);
  }
};

enum class BoolOp { None, And, Or, Xor };

template <BoolOp B>
uint32_t combine(uint32_t P, const void *C) {
  switch (B) {
  case BoolOp::None:
    return P;
  case BoolOp::And:
    return P & *static_cast<const uint32_t *>(C);
  case BoolOp::Or:
    return P | *static_cast<const uint32_t *>(C);
  case BoolOp::Xor:
    return P ^ *static_cast<const uint32_t *>(C);
  }
}

// A comparison of a type is compiled once for each kind of CPU. What is made of
// it, for setp and set, are small functions that call it.

/// The lanes that \p Compared finds, or the others.
template <LaneFunction Compared, bool Contrary>
uint32_t lanesWhere(const LaneArguments &A) {
  uint32_t Mask;
  LaneArguments Only;
  Only.Dest[0] = &Mask;
  Only.Source[0] = A.Source[0];
  Only.Source[1] = A.Source[1];
  Compared(Only);
  return Contrary ? ~Mask : Mask;
}

/// p = (a R b) B c, q = !(a R b) B c.
template <LaneFunction Compared, bool Contrary, BoolOp B>
void setPredicates(const LaneArguments &A) {
  uint32_t Holds = lanesWhere<Compared, Contrary>(A);
  if (A.Dest[0])
    *static_cast<uint32_t *>(A.Dest[0]) = combine<B>(Holds, A.Source[2]);
  if (A.Dest[1])
    *static_cast<uint32_t *>(A.Dest[1]) = combine<B>(~Holds, A.Source[2]);
}

/// The same as a number, which \p Fill makes of a mask.
template <LaneFunction Compared, bool Contrary, BoolOp B, LaneFunction Fill>
void setRegister(const LaneArguments &A) {
  uint32_t Mask = combine<B>(lanesWhere<Compared, Contrary>(A), A.Source[2]);
  LaneArguments Filled;
  Filled.Dest[0] = A.Dest[0];
  Filled.Source[0] = &Mask;
  Fill(Filled);
}

template <uint32_t True>
struct NumberOf {
  static uint32_t apply(bool P) { return P ? True : 0; }
};

struct Selp {
  template <class T>
  static T apply(T A, T B, bool P) {
    return P ? A : B;
  }
};
/// a where c is not negative, else b. NaN is no number; -0 is.
template <bool Flush>
struct Slct {
  template <class T, class C>
  static T apply(T A, T B, C Select) {
    if constexpr (Flush)
      Select = flush(Select);
    return Select >= 0 ? A : B;
  }
};

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// How the choice of a comparison ends: with the function of setp or set.
template <BoolOp B>
struct MakeSetP {
  template <class Op, class T, bool Contrary = false>
  static LaneFunction make() {
    using Loop = LaneLoop<Op, Predicate, T, T>;
    return wideLanes() ? setPredicates<runWide<Loop>, Contrary, B>
                       : setPredicates<runBaseline<Loop>, Contrary, B>;
  }
};
template <BoolOp B, uint32_t True>
struct MakeSet {
  template <class Op, class T, bool Contrary = false>
  static LaneFunction make() {
    using Loop = LaneLoop<Op, Predicate, T, T>;
    using Fill = LaneLoop<NumberOf<True>, uint32_t, Predicate>;
    return wideLanes()
               ? setRegister<runWide<Loop>, Contrary, B, runWide<Fill>>
               : setRegister<runBaseline<Loop>, Contrary, B, runBaseline<Fill>>;
  }
};

} // namespace

/// \p Name of integers: the names of unsigned orders are lo, ls, hi, hs.
template <class Make, class T>
static LaneFunction compareIntegers(StringRef Name, bool IsBits) {
  using Eq = Compare<Relation::Eq, false>;
  using Lt = Compare<Relation::Lt, false>;
  using Gt = Compare<Relation::Gt, false>;
  // Equality does not see the sign.
  using U = std::make_unsigned_t<T>;
  if (Name == "eq")
    return Make::template make<Eq, U>();
  if (Name == "ne")
    return Make::template make<Eq, U, true>();
  if (IsBits)
    return nullptr;
  constexpr bool IsUnsigned = std::is_unsigned_v<T>;
  if (Name == "lt" || (IsUnsigned && Name == "lo"))
    return Make::template make<Lt, T>();
  if (Name == "le" || (IsUnsigned && Name == "ls"))
    return Make::template make<Gt, T, true>();
  if (Name == "gt" || (IsUnsigned && Name == "hi"))
    return Make::template make<Gt, T>();
  if (Name == "ge" || (IsUnsigned && Name == "hs"))
    return Make::template make<Lt, T, true>();
  return nullptr;
}

/// What holds for unordered operands too is the contrary of another relation:
/// `ltu` is `!(a >= b)`.
template <class Make, class T, bool Flush>
static LaneFunction compareFloats(StringRef Name) {
  using Eq = Compare<Relation::Eq, Flush>;
  using LessOrGreater = Compare<Relation::LessOrGreater, Flush>;
  using Lt = Compare<Relation::Lt, Flush>;
  using Le = Compare<Relation::Le, Flush>;
  using Gt = Compare<Relation::Gt, Flush>;
  using Ge = Compare<Relation::Ge, Flush>;
  using Ordered = Compare<Relation::Ordered, false>;
  if (Name == "eq")
    return Make::template make<Eq, T>();
  if (Name == "neu")
    return Make::template make<Eq, T, true>();
  if (Name == "ne")
    return Make::template make<LessOrGreater, T>();
  if (Name == "equ")
    return Make::template make<LessOrGreater, T, true>();
  if (Name == "lt")
    return Make::template make<Lt, T>();
  if (Name == "geu")
    return Make::template make<Lt, T, true>();
  if (Name == "le")
    return Make::template make<Le, T>();
  if (Name == "gtu")
    return Make::template make<Le, T, true>();
  if (Name == "gt")
    return Make::template make<Gt, T>();
  if (Name == "leu")
    return Make::template make<Gt, T, true>();
  if (Name == "ge")
    return Make::template make<Ge, T>();
  if (Name == "ltu")
    return Make::template make<Ge, T, true>();
  if (Name == "num")
    return Make::template make<Ordered, T>();
  if (Name == "nan")
    return Make::template make<Ordered, T, true>();
  return nullptr;
}

template <class Make>
static LaneFunction compare(StringRef Name, StringRef Type, bool IsFlushing) {
  if (Type == "f32")
    return IsFlushing ? compareFloats<Make, float, true>(Name)
                      : compareFloats<Make, float, false>(Name);
  if (IsFlushing)
    return nullptr;
  if (Type == "f64")
    return compareFloats<Make, double, false>(Name);
  return forIntegerType(Type, [&](auto Tag) {
    return compareIntegers<Make, typename decltype(Tag)::Type>(
        Name, Type.starts_with("b"));
  });
}

/// The modifiers that set and setp share: the comparison, perhaps how it is
/// combined with a predicate, .ftz and types.
namespace {
struct CompareModifiers {
  StringRef Name;
  BoolOp Combine = BoolOp::None;
  bool IsFlushing = false;
};
} // namespace

static CompareModifiers takeComparison(LaneModifiers &M) {
  CompareModifiers C;
  C.Name = M.takeFront();
  C.IsFlushing = M.take("ftz");
  if (M.take("and"))
    C.Combine = BoolOp::And;
  else if (M.take("or"))
    C.Combine = BoolOp::Or;
  else if (M.take("xor"))
    C.Combine = BoolOp::Xor;
  return C;
}

static LaneFunction setP(LaneModifiers M, unsigned NumSources) {
  CompareModifiers C = takeComparison(M);
  if (M.size() != 1 || NumSources != (C.Combine == BoolOp::None ? 2 : 3))
    return nullptr;
  switch (C.Combine) {
  case BoolOp::None:
    return compare<MakeSetP<BoolOp::None>>(C.Name, M[0], C.IsFlushing);
  case BoolOp::And:
    return compare<MakeSetP<BoolOp::And>>(C.Name, M[0], C.IsFlushing);
  case BoolOp::Or:
    return compare<MakeSetP<BoolOp::Or>>(C.Name, M[0], C.IsFlushing);
  case BoolOp::Xor:
    return compare<MakeSetP<BoolOp::Xor>>(C.Name, M[0], C.IsFlushing);
  }
  return nullptr;
}

template <uint32_t True>
static LaneFunction set(const CompareModifiers &C, StringRef Type) {
  switch (C.Combine) {
  case BoolOp::None:
    return compare<MakeSet<BoolOp::None, True>>(C.Name, Type, C.IsFlushing);
  case BoolOp::And:
    return compare<MakeSet<BoolOp::And, True>>(C.Name, Type, C.IsFlushing);
  case BoolOp::Or:
    return compare<MakeSet<BoolOp::Or, True>>(C.Name, Type, C.IsFlushing);
  case BoolOp::Xor:
    return compare<MakeSet<BoolOp::Xor, True>>(C.Name, Type, C.IsFlushing);
  }
  return nullptr;
}

/// Integers get all bits, f32 1.0.
static LaneFunction set(LaneModifiers M, unsigned NumSources) {
  CompareModifiers C = takeComparison(M);
  if (M.size() != 2 || NumSources != (C.Combine == BoolOp::None ? 2 : 3))
    return nullptr;
  if (M[0] == "u32" || M[0] == "s32")
    return set<~0u>(C, M[1]);
  return M[0] == "f32" ? set<0x3f800000>(C, M[1]) : nullptr;
}

/// The unsigned type as wide as \p Type, which may be a float's.
template <class Fn>
static LaneFunction forWidth(StringRef Type, Fn F) {
  std::optional<ScalarType> T = parseScalarType(Type);
  if (!T)
    return nullptr;
  switch (bitWidth(*T)) {
  case 16:
    return F(TypeTag<uint16_t>());
  case 32:
    return F(TypeTag<uint32_t>());
  case 64:
    return F(TypeTag<uint64_t>());
  default:
    return nullptr;
  }
}

static LaneFunction slct(LaneModifiers M) {
  bool IsFlushing = M.take("ftz");
  if (M.size() != 2 || (M[1] != "s32" && M[1] != "f32") ||
      (IsFlushing && M[1] != "f32"))
    return nullptr;
  return forWidth(M[0], [&](auto Tag) {
    using T = typename decltype(Tag)::Type;
    if (M[1] == "s32")
      return laneLoop<Slct<false>, T, T, T, int32_t>();
    return IsFlushing ? laneLoop<Slct<true>, T, T, T, float>()
                      : laneLoop<Slct<false>, T, T, T, float>();
  });
}

LaneFunction emulator::findCompareOperation(Opcode Op, StringRef Modifiers,
                                            unsigned NumSources) {
  LaneModifiers M(Modifiers);
  switch (Op) {
  case Opcode::Setp:
    return setP(M, NumSources);
  case Opcode::Set:
    return set(M, NumSources);
  case Opcode::Slct:
    return slct(M);
  case Opcode::Selp:
    if (M.size() != 1)
      return nullptr;
    return forWidth(M[0], [](auto Tag) {
      using T = typename decltype(Tag)::Type;
      return laneLoop<Selp, T, T, T, Predicate>();
    });
  default:
    return nullptr;
  }
}
