//===- IntegerOperations.cpp - Integer arithmetic -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA 9.7.1 (integer arithmetic) and 9.7.2 (extended precision).
//===----------------------------------------------------------------------===//
#include "LaneLoops.h"
#include <limits>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::Opcode;

namespace {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

/// Unsigned, at least 32 bits: no operation on it overflows or is promoted.
template <class T>
using Modular =
    std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

/// The type that holds every product of two T.
template <class T>
using Double = std::conditional_t<
    sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, Int128, UInt128>,
    std::conditional_t<
        sizeof(T) == 4,
        std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
        std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>>>;

template <class T>
T clampTo(Double<T> Value) {
  constexpr Double<T> Low = std::numeric_limits<T>::min(),
                      High = std::numeric_limits<T>::max();
  return T(Value < Low ? Low : Value > High ? High : Value);
}

/// The sum, or the end of T's range that it is beyond.
template <class T>
T addSaturated(T A, T B) {
  if constexpr (sizeof(T) == 8) {
    T Sum;
    if (!__builtin_add_overflow(A, B, &Sum))
      return Sum;
    return B < 0 ? std::numeric_limits<T>::min()
                 : std::numeric_limits<T>::max();
  } else {
    // Differences of unsigned numbers are negative.
    return T(std::min<int64_t>(
        std::max<int64_t>(int64_t(A) + B, std::numeric_limits<T>::min()),
        std::numeric_limits<T>::max()));
  }
}

template <class T>
T subtractSaturated(T A, T B) {
  if constexpr (sizeof(T) == 8) {
    T Difference;
    if (!__builtin_sub_overflow(A, B, &Difference))
      return Difference;
    return std::is_unsigned_v<T> || B > 0 ? std::numeric_limits<T>::min()
                                          : std::numeric_limits<T>::max();
  } else {
    return T(std::min<int64_t>(
        std::max<int64_t>(int64_t(A) - B, std::numeric_limits<T>::min()),
        std::numeric_limits<T>::max()));
  }
}

template <class T>
T multiplyLow(T A, T B) {
  return T(Modular<T>(A) * Modular<T>(B));
}

template <class T>
T multiplyHigh(T A, T B) {
  return T((Double<T>(A) * B) >> (sizeof(T) * 8));
}

struct Add {
  template <class T>
  static T apply(T A, T B) {
    return T(Modular<T>(A) + Modular<T>(B));
  }
};
struct AddSat {
  template <class T>
  static T apply(T A, T B) {
    return addSaturated(A, B);
  }
};
struct Sub {
  template <class T>
  static T apply(T A, T B) {
    return T(Modular<T>(A) - Modular<T>(B));
  }
};
struct SubSat {
  template <class T>
  static T apply(T A, T B) {
    return subtractSaturated(A, B);
  }
};
struct Neg {
  template <class T>
  static T apply(T A) {
    return T(Modular<T>(0) - Modular<T>(A));
  }
};
struct Abs {
  template <class T>
  static T apply(T A) {
    return A < 0 ? Neg::apply(A) : A;
  }
};
struct Min {
  template <class T>
  static T apply(T A, T B) {
    return A < B ? A : B;
  }
};
struct Max {
  template <class T>
  static T apply(T A, T B) {
    return A < B ? B : A;
  }
};
/// min and max with .relu: what is negative becomes 0.
template <class Op>
struct Relu {
  template <class T>
  static T apply(T A, T B) {
    return Max::apply(Op::apply(A, B), T(0));
  }
};
struct MulLo {
  template <class T>
  static T apply(T A, T B) {
    return multiplyLow(A, B);
  }
};
struct MulHi {
  template <class T>
  static T apply(T A, T B) {
    return multiplyHigh(A, B);
  }
};
struct MulWide {
  template <class T>
  static Double<T> apply(T A, T B) {
    return Double<T>(A) * B;
  }
};
struct MadLo {
  template <class T>
  static T apply(T A, T B, T C) {
    return Add::apply(multiplyLow(A, B), C);
  }
};
struct MadHi {
  template <class T>
  static T apply(T A, T B, T C) {
    return Add::apply(multiplyHigh(A, B), C);
  }
};
struct MadHiSat {
  template <class T>
  static T apply(T A, T B, T C) {
    return addSaturated(multiplyHigh(A, B), C);
  }
};
struct MadWide {
  template <class T>
  static Double<T> apply(T A, T B, Double<T> C) {
    return Add::apply(Double<T>(Double<T>(A) * B), C);
  }
};
struct Sad {
  template <class T>
  static T apply(T A, T B, T C) {
    return Add::apply(C, A < B ? Sub::apply(B, A) : Sub::apply(A, B));
  }
};

/// The 48-bit product of the low 24 bits.
template <class T>
int64_t multiply24(T A, T B) {
  if constexpr (std::is_signed_v<T>)
    return int64_t(int32_t(uint32_t(A) << 8) >> 8) *
           (int32_t(uint32_t(B) << 8) >> 8);
  else
    return int64_t(A & 0xffffff) * (B & 0xffffff);
}
struct Mul24Lo {
  template <class T>
  static T apply(T A, T B) {
    return T(multiply24(A, B));
  }
};
struct Mul24Hi {
  template <class T>
  static T apply(T A, T B) {
    return T(multiply24(A, B) >> 16);
  }
};
template <class Mul, class Sum>
struct Mad24 {
  template <class T>
  static T apply(T A, T B, T C) {
    return Sum::apply(Mul::apply(A, B), C);
  }
};

/// A / B toward zero; not for B = 0, or -1 where T is signed. A quotient of
/// numbers of 32 bits is further from the next integer than f64 is coarse, and
/// division of f64 has vectors.
template <class T>
T quotient(T A, T B) {
  if constexpr (sizeof(T) == 8) {
    return A / B;
  } else if constexpr (sizeof(T) == 4 && std::is_unsigned_v<T>) {
    // Conversions without a sign have no vectors; 2^52 + N has N's bits.
    constexpr uint64_t Bias = 0x4330000000000000;
    double Offset = llvm::bit_cast<double>(Bias);
    double X = llvm::bit_cast<double>(Bias | A) - Offset;
    double Y = llvm::bit_cast<double>(Bias | B) - Offset;
    double Rounded = X / Y + Offset;
    T Nearest = T(llvm::bit_cast<uint64_t>(Rounded));
    return (Rounded - Offset) * Y > X ? Nearest - 1 : Nearest;
  } else {
    return T(int32_t(double(A) / double(B)));
  }
}

/// PTX leaves division by zero open. All bits set, and the dividend as the
/// remainder, are what the hardware's instruction sequences give.
struct Div {
  template <class T>
  static T apply(T A, T B) {
    if constexpr (std::is_signed_v<T>) {
      T Result = quotient<T>(A, B == 0 || B == -1 ? T(1) : B);
      return B == 0 ? T(-1) : B == -1 ? Neg::apply(A) : Result;
    } else {
      T Result = quotient<T>(A, B == 0 ? T(1) : B);
      return B == 0 ? T(-1) : Result;
    }
  }
};
struct Rem {
  template <class T>
  static T apply(T A, T B) {
    // Dividing by 1 leaves nothing, as dividing by -1 does.
    T Divisor = B == 0 || (std::is_signed_v<T> && B == T(-1)) ? T(1) : B;
    T Rest = Sub::apply(A, multiplyLow(quotient<T>(A, Divisor), Divisor));
    return B == 0 ? A : Rest;
  }
};

/// Op on Count elements of type T that share 32 bits.
template <class Op, class T, unsigned Count>
struct Packed {
  template <class... S>
  static uint32_t apply(S... Source) {
    constexpr unsigned Bits = 32 / Count;
    uint32_t Result = 0;
    for (unsigned I = 0; I != Count; ++I)
      Result |= uint32_t(std::make_unsigned_t<T>(
                    Op::template apply<T>(T(Source >> (I * Bits))...)))
                << (I * Bits);
    return Result;
  }
};

/// dp4a and dp2a: A's elements times B's bytes from First on.
template <class TA, class TB, unsigned Count, unsigned First>
struct DotProduct {
  static uint32_t apply(uint32_t A, uint32_t B, uint32_t C) {
    for (unsigned I = 0; I != Count; ++I)
      C += uint32_t(int32_t(TA(A >> (I * sizeof(TA) * 8))) *
                    int32_t(TB(B >> ((First + I) * 8))));
    return C;
  }
};

//===----------------------------------------------------------------------===//
// With the carry
//===----------------------------------------------------------------------===//

/// A sum or difference and the carry or borrow out of it.
template <class T>
struct WithCarry {
  T Value;
  bool Carry;
};
struct AddCarry {
  template <class T>
  static WithCarry<T> apply(T A, T B, bool In) {
    T Sum = A + B, Total = Sum + T(In);
    return {Total, bool((Sum < A) | (Total < Sum))};
  }
};
struct SubCarry {
  template <class T>
  static WithCarry<T> apply(T A, T B, bool In) {
    T Difference = A - B;
    return {T(Difference - T(In)), bool((A < B) | (Difference < T(In)))};
  }
};
template <class Mul, class Factor>
struct MadCarry {
  template <class T>
  static WithCarry<T> apply(T A, T B, T C, bool In) {
    return AddCarry::apply(T(Mul::apply(Factor(A), Factor(B))), C, In);
  }
};

/// A loop over unsigned T whose Op takes the carry and gives it out.
template <class Op, bool In, bool Out, class T, class... S>
struct CarryLoop {
  LLVM_ATTRIBUTE_ALWAYS_INLINE static void run(const LaneArguments &A) {
    runOn(A, std::index_sequence_for<S...>());
  }

private:
  template <size_t... I>
  LLVM_ATTRIBUTE_ALWAYS_INLINE static void runOn(const LaneArguments &A,
                                                 std::index_sequence<I...>) {
    T Ignored[WarpSize];
    uint32_t Carry =
        loop(*A.Carry, A.Dest[0] ? static_cast<T *>(A.Dest[0]) : Ignored,
             static_cast<const S *>(A.Source[I])...);
    if (Out)
      *A.Carry = (*A.Carry & ~A.Active) | (Carry & A.Active);
  }
  LLVM_ATTRIBUTE_ALWAYS_INLINE static uint32_t
  loop(uint32_t CarryIn, T *__restrict Dest, const S *__restrict... Source) {
    uint32_t Carry = 0;
    PTXPREDICT_LANE_LOOP
    for (unsigned L = 0; L != WarpSize; ++L) {
      WithCarry<T> R =
          Op::apply(Source[L]..., In && (CarryIn & LaneBits[L]) != 0);
      Dest[L] = R.Value;
      Carry |= LaneBits[L] & -uint32_t(R.Carry);
    }
    return Carry;
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Of types of one element, and of packed ones.
template <class Op>
static LaneFunction binary(StringRef Type) {
  if (Type == "u16x2")
    return laneLoop<Packed<Op, uint16_t, 2>, uint32_t, uint32_t, uint32_t>();
  if (Type == "s16x2")
    return laneLoop<Packed<Op, int16_t, 2>, uint32_t, uint32_t, uint32_t>();
  if (Type == "u8x4")
    return laneLoop<Packed<Op, uint8_t, 4>, uint32_t, uint32_t, uint32_t>();
  if (Type == "s8x4")
    return laneLoop<Packed<Op, int8_t, 4>, uint32_t, uint32_t, uint32_t>();
  return forIntegerType(Type, [](auto Tag) {
    using T = typename decltype(Tag)::Type;
    return laneLoop<Op, T, T, T>();
  });
}

/// Of signed types alone.
template <class Op>
static LaneFunction unary(StringRef Type) {
  if (Type == "s16x2")
    return laneLoop<Packed<Op, int16_t, 2>, uint32_t, uint32_t>();
  if (Type == "s8x4")
    return laneLoop<Packed<Op, int8_t, 4>, uint32_t, uint32_t>();
  if (Type == "s16")
    return laneLoop<Op, int16_t, int16_t>();
  if (Type == "s32")
    return laneLoop<Op, int32_t, int32_t>();
  if (Type == "s64")
    return laneLoop<Op, int64_t, int64_t>();
  return nullptr;
}

template <class Op>
static LaneFunction ternary(StringRef Type) {
  return forIntegerType(Type, [](auto Tag) {
    using T = typename decltype(Tag)::Type;
    return laneLoop<Op, T, T, T, T>();
  });
}

template <class Op>
static LaneFunction plain(StringRef Type) {
  return forIntegerType(Type, [](auto Tag) {
    using T = typename decltype(Tag)::Type;
    return laneLoop<Op, T, T, T>();
  });
}

/// mul.wide, and mad.wide if \p HasAddend.
static LaneFunction wide(StringRef Type, bool HasAddend) {
  return forIntegerType(Type, [=](auto Tag) -> LaneFunction {
    using T = typename decltype(Tag)::Type;
    using D = Double<T>;
    if constexpr (sizeof(T) == 8)
      return nullptr;
    else
      return HasAddend ? laneLoop<MadWide, D, T, T, D>()
                       : laneLoop<MulWide, D, T, T>();
  });
}

template <class Op>
static LaneFunction relu(const LaneModifiers &M, bool IsRelu) {
  if (M.size() != 1)
    return nullptr;
  if (!IsRelu)
    return binary<Op>(M[0]);
  return M[0].starts_with("s") ? binary<Relu<Op>>(M[0]) : nullptr;
}

template <class Op, bool In, bool Out>
static LaneFunction carry2(bool Is64) {
  return Is64 ? laneFunction<
                    CarryLoop<Op, In, Out, uint64_t, uint64_t, uint64_t>>()
              : laneFunction<
                    CarryLoop<Op, In, Out, uint32_t, uint32_t, uint32_t>>();
}
template <class Op, bool In, bool Out, class T>
static LaneFunction carry3() {
  return laneFunction<CarryLoop<Op, In, Out, T, T, T, T>>();
}

/// add.cc, addc, sub.cc, subc.
template <class Op>
static LaneFunction addWithCarry(StringRef Type, bool In, bool Out) {
  bool Is64 = Type.ends_with("64");
  if (Type != "u32" && Type != "s32" && Type != "b32" && !Is64)
    return nullptr;
  if (!In)
    return carry2<Op, false, true>(Is64);
  return Out ? carry2<Op, true, true>(Is64) : carry2<Op, true, false>(Is64);
}

template <class Mul, bool In, bool Out>
static LaneFunction madWithCarry(StringRef Type) {
  if (Type == "u32")
    return carry3<MadCarry<Mul, uint32_t>, In, Out, uint32_t>();
  if (Type == "s32")
    return carry3<MadCarry<Mul, int32_t>, In, Out, uint32_t>();
  if (Type == "u64")
    return carry3<MadCarry<Mul, uint64_t>, In, Out, uint64_t>();
  if (Type == "s64")
    return carry3<MadCarry<Mul, int64_t>, In, Out, uint64_t>();
  return nullptr;
}

/// mad.cc and madc.
template <class Mul>
static LaneFunction madWithCarry(StringRef Type, bool In, bool Out) {
  if (!In)
    return madWithCarry<Mul, false, true>(Type);
  return Out ? madWithCarry<Mul, true, true>(Type)
             : madWithCarry<Mul, true, false>(Type);
}

template <class S, class U, unsigned Count, unsigned First>
static LaneFunction dotProduct(const LaneModifiers &M) {
  bool ASigned = M[0] == "s32", BSigned = M[1] == "s32";
  if (M.size() != 2 || (!ASigned && M[0] != "u32") ||
      (!BSigned && M[1] != "u32"))
    return nullptr;
  using W = uint32_t;
  if (ASigned)
    return BSigned
               ? laneLoop<DotProduct<S, int8_t, Count, First>, W, W, W, W>()
               : laneLoop<DotProduct<S, uint8_t, Count, First>, W, W, W, W>();
  return BSigned ? laneLoop<DotProduct<U, int8_t, Count, First>, W, W, W, W>()
                 : laneLoop<DotProduct<U, uint8_t, Count, First>, W, W, W, W>();
}

static LaneFunction mul(LaneModifiers M) {
  if (M.take("lo"))
    return M.size() == 1 ? plain<MulLo>(M[0]) : nullptr;
  if (M.take("hi"))
    return M.size() == 1 ? plain<MulHi>(M[0]) : nullptr;
  return M.take("wide") && M.size() == 1 ? wide(M[0], false) : nullptr;
}

static LaneFunction mad(LaneModifiers M, bool In) {
  bool IsLo = M.take("lo"), IsHi = !IsLo && M.take("hi");
  bool IsWide = !IsLo && !IsHi && M.take("wide");
  bool IsSat = M.take("sat"), Out = M.take("cc");
  if (M.size() != 1 || !(IsLo || IsHi || IsWide))
    return nullptr;
  StringRef Type = M[0];
  if (In || Out) {
    if (IsSat || IsWide)
      return nullptr;
    return IsLo ? madWithCarry<MulLo>(Type, In, Out)
                : madWithCarry<MulHi>(Type, In, Out);
  }
  if (IsSat) // ptxas takes it for this type alone
    return IsHi && Type == "s32"
               ? laneLoop<MadHiSat, int32_t, int32_t, int32_t, int32_t>()
               : nullptr;
  return IsWide ? wide(Type, true)
         : IsLo ? ternary<MadLo>(Type)
                : ternary<MadHi>(Type);
}

static LaneFunction mul24(LaneModifiers M, bool HasAddend) {
  bool IsLo = M.take("lo"), IsHi = !IsLo && M.take("hi"), IsSat = M.take("sat");
  bool IsSigned = M.take("s32");
  if (!(IsLo || IsHi) || !(IsSigned || M.take("u32")) || !M.empty())
    return nullptr;
  using U = uint32_t;
  using S = int32_t;
  if (IsSat)
    return HasAddend && IsHi && IsSigned
               ? laneLoop<Mad24<Mul24Hi, AddSat>, S, S, S, S>()
               : nullptr;
  if (HasAddend && IsSigned)
    return IsLo ? laneLoop<Mad24<Mul24Lo, Add>, S, S, S, S>()
                : laneLoop<Mad24<Mul24Hi, Add>, S, S, S, S>();
  if (HasAddend)
    return IsLo ? laneLoop<Mad24<Mul24Lo, Add>, U, U, U, U>()
                : laneLoop<Mad24<Mul24Hi, Add>, U, U, U, U>();
  if (IsSigned)
    return IsLo ? laneLoop<Mul24Lo, S, S, S>() : laneLoop<Mul24Hi, S, S, S>();
  return IsLo ? laneLoop<Mul24Lo, U, U, U>() : laneLoop<Mul24Hi, U, U, U>();
}

template <class Plain, class Saturated, class Carry>
static LaneFunction add(LaneModifiers M, bool In) {
  bool Out = M.take("cc"), IsSat = M.take("sat");
  if (M.size() != 1)
    return nullptr;
  if (In || Out)
    return IsSat ? nullptr : addWithCarry<Carry>(M[0], In, Out);
  return IsSat ? binary<Saturated>(M[0]) : binary<Plain>(M[0]);
}

LaneFunction emulator::findIntegerOperation(Opcode Op, StringRef Modifiers,
                                            unsigned NumSources) {
  LaneModifiers M(Modifiers);
  switch (Op) {
  case Opcode::Add:
    return add<Add, AddSat, AddCarry>(M, false);
  case Opcode::Addc:
    return add<Add, AddSat, AddCarry>(M, true);
  case Opcode::Sub:
    return add<Sub, SubSat, SubCarry>(M, false);
  case Opcode::Subc:
    return add<Sub, SubSat, SubCarry>(M, true);
  case Opcode::Mul:
    return mul(M);
  case Opcode::Mad:
    return mad(M, false);
  case Opcode::Madc:
    return mad(M, true);
  case Opcode::Mul24:
    return mul24(M, false);
  case Opcode::Mad24:
    return mul24(M, true);
  case Opcode::Min:
  case Opcode::Max: {
    bool IsRelu = M.take("relu");
    if (NumSources != 2)
      return nullptr;
    return Op == Opcode::Min ? relu<Min>(M, IsRelu) : relu<Max>(M, IsRelu);
  }
  case Opcode::Dp4a:
    return dotProduct<int8_t, uint8_t, 4, 0>(M);
  case Opcode::Dp2a:
    if (M.take("lo"))
      return dotProduct<int16_t, uint16_t, 2, 0>(M);
    return M.take("hi") ? dotProduct<int16_t, uint16_t, 2, 2>(M) : nullptr;
  default:
    break;
  }
  if (M.size() != 1)
    return nullptr;
  switch (Op) {
  case Opcode::Sad:
    return ternary<Sad>(M[0]);
  case Opcode::Div:
    return plain<Div>(M[0]);
  case Opcode::Rem:
    return plain<Rem>(M[0]);
  case Opcode::Abs:
    return unary<Abs>(M[0]);
  case Opcode::Neg:
    return unary<Neg>(M[0]);
  default:
    return nullptr;
  }
}
