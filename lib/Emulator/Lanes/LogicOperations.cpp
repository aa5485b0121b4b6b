//===- LogicOperations.cpp - Bits, shifts, predicate logic, moves ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA 9.7.1 (counting and fields of bits), 9.7.8 (logic and shifts),
// 9.7.9 (mov of one register, prmt).
//===----------------------------------------------------------------------===//
#include "LaneLoops.h"
#include <cstring>

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::Opcode;

namespace {

struct And {
  template <class T>
  static T apply(T A, T B) {
    return A & B;
  }
};
struct Or {
  template <class T>
  static T apply(T A, T B) {
    return A | B;
  }
};
struct Xor {
  template <class T>
  static T apply(T A, T B) {
    return A ^ B;
  }
};
struct Not {
  template <class T>
  static T apply(T A) {
    return T(~A);
  }
};
struct CNot {
  template <class T>
  static T apply(T A) {
    return A == 0;
  }
};

/// Amounts above the width count as the width.
struct Shl {
  template <class T>
  static T apply(T A, uint32_t N) {
    return N < sizeof(T) * 8 ? T(uint64_t(A) << N) : T(0);
  }
};
struct Shr {
  template <class T>
  static T apply(T A, uint32_t N) {
    constexpr uint32_t Last = sizeof(T) * 8 - 1;
    if constexpr (std::is_signed_v<T>)
      return T(A >> std::min(N, Last));
    else
      return N <= Last ? T(A >> N) : T(0);
  }
};

/// The 64 bits B:A, shifted; the upper half of a left shift.
template <bool Left, bool Clamp>
struct Shf {
  static uint32_t apply(uint32_t A, uint32_t B, uint32_t N) {
    N = Clamp ? std::min<uint32_t>(N, 32) : N & 31;
    uint64_t Pair = uint64_t(B) << 32 | A;
    return Left ? uint32_t((Pair << N) >> 32) : uint32_t(Pair >> N);
  }
};

struct Popc {
  static uint32_t apply(uint32_t A) {
    A -= A >> 1 & 0x55555555;
    A = (A & 0x33333333) + (A >> 2 & 0x33333333);
    A = (A + (A >> 4)) & 0x0f0f0f0f;
    return (A * 0x01010101) >> 24;
  }
  static uint32_t apply(uint64_t A) {
    return apply(uint32_t(A)) + apply(uint32_t(A >> 32));
  }
};

/// The bit number of the highest one, ~0 for 0.
template <class T>
uint32_t highestBit(T A) {
  if (A == 0)
    return ~0u;
  return sizeof(T) == 8 ? 63 - __builtin_clzll(A) : 31 - __builtin_clz(A);
}
struct Clz {
  template <class T>
  static uint32_t apply(T A) {
    return uint32_t(sizeof(T) * 8) - 1 - highestBit(A);
  }
};
/// The highest bit that differs from the sign; with ShiftAmount how far it is
/// from the top.
template <bool ShiftAmount>
struct BFind {
  template <class T>
  static uint32_t apply(T A) {
    uint32_t Bit = highestBit(std::make_unsigned_t<T>(A < 0 ? ~A : A));
    return ShiftAmount && Bit != ~0u ? uint32_t(sizeof(T) * 8) - 1 - Bit : Bit;
  }
};
struct Brev {
  static uint32_t apply(uint32_t A) {
    A = (A >> 1 & 0x55555555) | (A & 0x55555555) << 1;
    A = (A >> 2 & 0x33333333) | (A & 0x33333333) << 2;
    A = (A >> 4 & 0x0f0f0f0f) | (A & 0x0f0f0f0f) << 4;
    A = (A >> 8 & 0x00ff00ff) | (A & 0x00ff00ff) << 8;
    return A >> 16 | A << 16;
  }
  static uint64_t apply(uint64_t A) {
    return uint64_t(apply(uint32_t(A))) << 32 | apply(uint32_t(A >> 32));
  }
};

/// The Offset-th set bit from Base on, counted from 1; upwards or, negative,
/// downwards; 0: Base itself.
struct Fns {
  static uint32_t apply(uint32_t Mask, uint32_t Base, int32_t Offset) {
    if (Base >= 32)
      return ~0u;
    uint32_t Left = Offset < 0 ? 0 - uint32_t(Offset) : uint32_t(Offset);
    if (Offset == 0)
      return Mask >> Base & 1 ? Base : ~0u;
    for (int Bit = int(Base); Bit >= 0 && Bit < 32; Bit += Offset > 0 ? 1 : -1)
      if ((Mask >> Bit & 1) && --Left == 0)
        return uint32_t(Bit);
    return ~0u;
  }
};

/// Bits 0 to N-1.
template <class T>
T lowBits(uint32_t N) {
  return N >= sizeof(T) * 8 ? T(~T(0)) : T((T(1) << N) - 1);
}

struct Bfe {
  template <class T>
  static T apply(T A, uint32_t Position, uint32_t Length) {
    using U = std::make_unsigned_t<T>;
    constexpr uint32_t Bits = sizeof(T) * 8;
    Position &= 0xff;
    Length &= 0xff;
    if (Length == 0)
      return 0;
    bool Sign = false;
    if constexpr (std::is_signed_v<T>)
      Sign = U(A) >> std::min(Position + Length - 1, Bits - 1) & 1;
    U Field = Shr::apply(U(A), Position) & lowBits<U>(Length);
    // The bits of the field that are in A; the sign fills what is above.
    uint32_t Taken =
        std::min(Length, Position < Bits ? Bits - Position : uint32_t(0));
    return T(Sign ? U(Field | ~lowBits<U>(Taken)) : Field);
  }
};
struct Bfi {
  template <class T>
  static T apply(T A, T B, uint32_t Position, uint32_t Length) {
    Position &= 0xff;
    T Mask = Shl::apply(lowBits<T>(Length & 0xff), Position);
    return T((B & ~Mask) | (Shl::apply(A, Position) & Mask));
  }
};
template <bool Clamp>
struct Bmsk {
  static uint32_t apply(uint32_t A, uint32_t B) {
    if (Clamp)
      return Shl::apply(lowBits<uint32_t>(B), A);
    return Shl::apply(lowBits<uint32_t>(B & 31), A & 31);
  }
};
template <bool Clamp>
struct Szext {
  template <class T>
  static T apply(T A, uint32_t B) {
    if (Clamp && B >= 32)
      return A;
    return Bfe::apply(A, 0, B & 31);
  }
};

/// Bytes of B:A that C's nibbles choose; a nibble's bit 3 spreads the sign.
struct Prmt {
  static uint32_t apply(uint32_t A, uint32_t B, uint32_t C) {
    uint64_t Pair = uint64_t(B) << 32 | A;
    uint32_t Result = 0;
    for (unsigned I = 0; I != 4; ++I, C >>= 4) {
      uint32_t Byte = uint32_t(Pair >> ((C & 7) * 8)) & 0xff;
      if (C & 8)
        Byte = Byte & 0x80 ? 0xff : 0;
      Result |= Byte << (I * 8);
    }
    return Result;
  }
};
/// What prmt's modes choose for C & 3, as the nibbles of the plain mode.
enum class PrmtMode { F4E, B4E, RC8, ECL, ECR, RC16 };
constexpr uint16_t PrmtNibbles[6][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
    {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
    {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
template <PrmtMode Mode>
struct PrmtOf {
  static uint32_t apply(uint32_t A, uint32_t B, uint32_t C) {
    return Prmt::apply(A, B, PrmtNibbles[unsigned(Mode)][C & 3]);
  }
};

/// A half of the product without carries, plus C likewise.
template <bool High>
struct Clmad {
  static uint64_t apply(uint64_t A, uint64_t B, uint64_t C) {
    for (unsigned I = 0; I != 64; ++I) {
      uint64_t Part = High ? (I == 0 ? 0 : A >> (64 - I)) : A << I;
      C ^= Part & (0 - (B >> I & 1));
    }
    return C;
  }
};

/// d, or d|p with `p = (d != 0) Bool q`: the look-up table is the fourth
/// source. A mux over C for each value of A and B, then over B, then over A.
enum class Lop3Bool { None, Or, And };
template <Lop3Bool Bool>
struct Lop3 {
  LLVM_ATTRIBUTE_ALWAYS_INLINE static void run(const LaneArguments &A) {
    uint32_t Ignored[WarpSize];
    uint32_t NonZero =
        loop(static_cast<const uint32_t *>(A.Source[3])[0],
             A.Dest[0] ? static_cast<uint32_t *>(A.Dest[0]) : Ignored,
             static_cast<const uint32_t *>(A.Source[0]),
             static_cast<const uint32_t *>(A.Source[1]),
             static_cast<const uint32_t *>(A.Source[2]));
    if constexpr (Bool != Lop3Bool::None) {
      uint32_t Q = *static_cast<const uint32_t *>(A.Source[4]);
      if (A.Dest[1])
        *static_cast<uint32_t *>(A.Dest[1]) =
            Bool == Lop3Bool::Or ? NonZero | Q : NonZero & Q;
    }
  }

private:
  LLVM_ATTRIBUTE_ALWAYS_INLINE static uint32_t mux(uint32_t Select, uint32_t If,
                                                   uint32_t Else) {
    return Else ^ ((If ^ Else) & Select);
  }
  LLVM_ATTRIBUTE_ALWAYS_INLINE static uint32_t
  loop(uint32_t Table, uint32_t *__restrict Dest, const uint32_t *__restrict A,
       const uint32_t *__restrict B, const uint32_t *__restrict C) {
    uint32_t T0 = bit(Table, 0), T1 = bit(Table, 1), T2 = bit(Table, 2),
             T3 = bit(Table, 3), T4 = bit(Table, 4), T5 = bit(Table, 5),
             T6 = bit(Table, 6), T7 = bit(Table, 7);
    uint32_t NonZero = 0;
    PTXPREDICT_LANE_LOOP
    for (unsigned L = 0; L != WarpSize; ++L) {
      uint32_t Low = mux(B[L], mux(C[L], T3, T2), mux(C[L], T1, T0));
      uint32_t High = mux(B[L], mux(C[L], T7, T6), mux(C[L], T5, T4));
      uint32_t Result = mux(A[L], High, Low);
      Dest[L] = Result;
      if (Bool != Lop3Bool::None)
        NonZero |= LaneBits[L] & -uint32_t(Result != 0);
    }
    return NonZero;
  }
  static uint32_t bit(uint32_t Table, unsigned I) {
    return 0 - (Table >> I & 1);
  }
};

/// An operation on predicates, all lanes at once.
template <class Op, unsigned NumSources>
struct PredicateLogic {
  static void run(const LaneArguments &A) {
    uint32_t P = *static_cast<const uint32_t *>(A.Source[0]);
    if constexpr (NumSources == 2)
      P = Op::apply(P, *static_cast<const uint32_t *>(A.Source[1]));
    else
      P = Op::apply(P);
    *static_cast<uint32_t *>(A.Dest[0]) = P;
  }
};

struct Same {
  template <class T>
  static T apply(T A) {
    return A;
  }
};

template <unsigned Bytes>
struct Copy {
  static void run(const LaneArguments &A) {
    std::memcpy(A.Dest[0], A.Source[0], Bytes);
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

template <class Op>
static LaneFunction logic2(StringRef Type) {
  if (Type == "pred")
    return runBaseline<PredicateLogic<Op, 2>>;
  return forIntegerType(Type, [](auto Tag) {
    using T = std::make_unsigned_t<typename decltype(Tag)::Type>;
    return laneLoop<Op, T, T, T>();
  });
}

template <class Op>
static LaneFunction logic1(StringRef Type) {
  if (Type == "pred")
    return runBaseline<PredicateLogic<Op, 1>>;
  return forIntegerType(Type, [](auto Tag) {
    using T = std::make_unsigned_t<typename decltype(Tag)::Type>;
    return laneLoop<Op, T, T>();
  });
}

template <class Op>
static LaneFunction shift(StringRef Type) {
  return forIntegerType(Type, [](auto Tag) {
    using T = typename decltype(Tag)::Type;
    return laneLoop<Op, T, T, uint32_t>();
  });
}

/// Of 32 or 64 bits, to a number.
template <class Op>
static LaneFunction count(StringRef Type) {
  return forIntegerType(Type, [](auto Tag) -> LaneFunction {
    using T = typename decltype(Tag)::Type;
    if constexpr (sizeof(T) == 2)
      return nullptr;
    else
      return laneLoop<Op, uint32_t, T>();
  });
}

static LaneFunction brev(StringRef Type) {
  if (Type == "b32")
    return laneLoop<Brev, uint32_t, uint32_t>();
  return Type == "b64" ? laneLoop<Brev, uint64_t, uint64_t>() : nullptr;
}

static LaneFunction bfe(StringRef Type) {
  return forIntegerType(Type, [](auto Tag) -> LaneFunction {
    using T = typename decltype(Tag)::Type;
    if constexpr (sizeof(T) == 2)
      return nullptr;
    else
      return laneLoop<Bfe, T, T, uint32_t, uint32_t>();
  });
}

static LaneFunction bfi(StringRef Type) {
  using W = uint32_t;
  if (Type == "b32")
    return laneLoop<Bfi, W, W, W, W, W>();
  return Type == "b64" ? laneLoop<Bfi, uint64_t, uint64_t, uint64_t, W, W>()
                       : nullptr;
}

/// .wrap or .clamp: 0 or 1; -1 without.
static int takeClamp(LaneModifiers &M) {
  if (M.take("clamp"))
    return 1;
  return M.take("wrap") ? 0 : -1;
}

static LaneFunction shf(LaneModifiers M) {
  bool Left = M.take("l");
  if (!Left && !M.take("r"))
    return nullptr;
  int Clamp = takeClamp(M);
  if (Clamp < 0 || !M.take("b32") || !M.empty())
    return nullptr;
  using W = uint32_t;
  if (Left)
    return Clamp ? laneLoop<Shf<true, true>, W, W, W, W>()
                 : laneLoop<Shf<true, false>, W, W, W, W>();
  return Clamp ? laneLoop<Shf<false, true>, W, W, W, W>()
               : laneLoop<Shf<false, false>, W, W, W, W>();
}

static LaneFunction szext(LaneModifiers M) {
  int Clamp = takeClamp(M);
  using U = uint32_t;
  using S = int32_t;
  if (Clamp < 0 || M.size() != 1)
    return nullptr;
  if (M.take("s32"))
    return Clamp ? laneLoop<Szext<true>, S, S, U>()
                 : laneLoop<Szext<false>, S, S, U>();
  if (M.take("u32"))
    return Clamp ? laneLoop<Szext<true>, U, U, U>()
                 : laneLoop<Szext<false>, U, U, U>();
  return nullptr;
}

static LaneFunction prmt(LaneModifiers M) {
  using W = uint32_t;
  if (!M.take("b32"))
    return nullptr;
  if (M.empty())
    return laneLoop<Prmt, W, W, W, W>();
  StringRef Mode = M.takeFront();
  if (!M.empty())
    return nullptr;
  if (Mode == "f4e")
    return laneLoop<PrmtOf<PrmtMode::F4E>, W, W, W, W>();
  if (Mode == "b4e")
    return laneLoop<PrmtOf<PrmtMode::B4E>, W, W, W, W>();
  if (Mode == "rc8")
    return laneLoop<PrmtOf<PrmtMode::RC8>, W, W, W, W>();
  if (Mode == "ecl")
    return laneLoop<PrmtOf<PrmtMode::ECL>, W, W, W, W>();
  if (Mode == "ecr")
    return laneLoop<PrmtOf<PrmtMode::ECR>, W, W, W, W>();
  if (Mode == "rc16")
    return laneLoop<PrmtOf<PrmtMode::RC16>, W, W, W, W>();
  return nullptr;
}

static LaneFunction lop3(LaneModifiers M, unsigned NumSources) {
  bool IsOr = M.take("or"), IsAnd = !IsOr && M.take("and");
  if (!M.take("b32") || !M.empty() || NumSources != (IsOr || IsAnd ? 5 : 4))
    return nullptr;
  return IsOr    ? laneFunction<Lop3<Lop3Bool::Or>>()
         : IsAnd ? laneFunction<Lop3<Lop3Bool::And>>()
                 : laneFunction<Lop3<Lop3Bool::None>>();
}

static LaneFunction clmad(LaneModifiers M) {
  using D = uint64_t;
  bool High = M.take("hi");
  if ((!High && !M.take("lo")) || !M.take("u64") || !M.empty())
    return nullptr;
  return High ? laneLoop<Clmad<true>, D, D, D, D>()
              : laneLoop<Clmad<false>, D, D, D, D>();
}

/// mov of one register; those of vectors are not lane-wise.
static LaneFunction mov(const LaneModifiers &M, unsigned NumSources) {
  if (NumSources != 1 || M.size() != 1)
    return nullptr;
  if (M[0] == "pred")
    return runBaseline<PredicateLogic<Same, 1>>;
  std::optional<ScalarType> Type = parseScalarType(M[0]);
  if (!Type)
    return nullptr;
  switch (elementBytes(bitWidth(*Type))) {
  case 2:
    return runBaseline<Copy<2 * WarpSize>>;
  case 4:
    return runBaseline<Copy<4 * WarpSize>>;
  case 8:
    return runBaseline<Copy<8 * WarpSize>>;
  case 16:
    return runBaseline<Copy<16 * WarpSize>>;
  default:
    return nullptr;
  }
}

LaneFunction emulator::findLogicOperation(Opcode Op, StringRef Modifiers,
                                          unsigned NumSources) {
  LaneModifiers M(Modifiers);
  using W = uint32_t;
  switch (Op) {
  case Opcode::Shf:
    return shf(M);
  case Opcode::Szext:
    return szext(M);
  case Opcode::Prmt:
    return prmt(M);
  case Opcode::Lop3:
    return lop3(M, NumSources);
  case Opcode::Clmad:
    return clmad(M);
  case Opcode::Mov:
    return mov(M, NumSources);
  case Opcode::Bmsk: {
    int Clamp = takeClamp(M);
    if (Clamp < 0 || !M.take("b32") || !M.empty())
      return nullptr;
    return Clamp ? laneLoop<Bmsk<true>, W, W, W>()
                 : laneLoop<Bmsk<false>, W, W, W>();
  }
  case Opcode::Bfind:
    if (M.take("shiftamt"))
      return M.size() == 1 ? count<BFind<true>>(M[0]) : nullptr;
    return M.size() == 1 ? count<BFind<false>>(M[0]) : nullptr;
  default:
    break;
  }
  if (M.size() != 1)
    return nullptr;
  bool IsBits = M[0].starts_with("b");
  switch (Op) {
  case Opcode::And:
    return logic2<And>(M[0]);
  case Opcode::Or:
    return logic2<Or>(M[0]);
  case Opcode::Xor:
    return logic2<Xor>(M[0]);
  case Opcode::Not:
    return logic1<Not>(M[0]);
  case Opcode::Cnot:
    return IsBits ? logic1<CNot>(M[0]) : nullptr;
  case Opcode::Shl:
    return shift<Shl>(M[0]);
  case Opcode::Shr:
    return shift<Shr>(M[0]);
  case Opcode::Popc:
    return M[0] == "b32"   ? laneLoop<Popc, W, W>()
           : M[0] == "b64" ? laneLoop<Popc, W, uint64_t>()
                           : nullptr;
  case Opcode::Clz:
    return IsBits ? count<Clz>(M[0]) : nullptr;
  case Opcode::Brev:
    return brev(M[0]);
  case Opcode::Fns:
    return M[0] == "b32" ? laneLoop<Fns, W, W, W, int32_t>() : nullptr;
  case Opcode::Bfe:
    return bfe(M[0]);
  case Opcode::Bfi:
    return bfi(M[0]);
  default:
    return nullptr;
  }
}
