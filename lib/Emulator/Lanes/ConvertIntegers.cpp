//===- ConvertIntegers.cpp - cvt from and to integers ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Conversions.h"
#include "llvm/ADT/bit.h"
#include <limits>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

/// 2^53, from where double no longer holds every integer.
static constexpr uint64_t DoubleLimit = uint64_t(1) << 53;

/// As a double, exactly or, from 2^53, rounded to odd: rounding that to a
/// format of 51 bits or less is then as good as rounding the integer.
template <class S>
static inline double toOddDouble(S Value) {
  if constexpr (sizeof(S) < 8) {
    return double(Value);
  } else if constexpr (std::is_signed_v<S>) {
    uint64_t Magnitude = Value < 0 ? 0 - uint64_t(Value) : uint64_t(Value);
    double Rounded = toOddDouble(Magnitude);
    return Value < 0 ? -Rounded : Rounded;
  } else {
    uint64_t Odd = (Value >> 11 | ((Value & 0x7ff) != 0)) << 11;
    return double(Value < DoubleLimit ? Value : Odd);
  }
}

/// A 64-bit integer as a double, rounded in the direction R.
template <Rounding R, class S>
static inline double toDirectedDouble(S Value) {
  bool IsNegative = Value < 0;
  uint64_t Magnitude = IsNegative ? 0 - uint64_t(Value) : uint64_t(Value);
  int Excess = 11 - llvm::countl_zero(Magnitude);
  uint64_t Dropped = Excess > 0 ? Magnitude & ((uint64_t(1) << Excess) - 1) : 0;
  uint64_t Bits = llvm::bit_cast<uint64_t>(double(Magnitude - Dropped));
  bool IsAway =
      (R == Rounding::Up && !IsNegative) || (R == Rounding::Down && IsNegative);
  double Rounded = llvm::bit_cast<double>(Bits + (IsAway && Dropped != 0));
  return IsNegative ? -Rounded : Rounded;
}

namespace {
/// The low bits, or all of them and extended.
template <class D>
struct Resize {
  template <class S>
  static D apply(S Value) {
    return D(Value);
  }
};

/// .sat: the nearest value that D has.
template <class D>
struct Saturate {
  template <class S>
  static D apply(S Value) {
    using DestLimits = std::numeric_limits<D>;
    using SourceLimits = std::numeric_limits<S>;
    if constexpr (std::is_signed_v<S> &&
                  (std::is_unsigned_v<D> || sizeof(D) < sizeof(S)))
      Value = std::max(Value, S(DestLimits::min()));
    if constexpr (uint64_t(DestLimits::max()) < uint64_t(SourceLimits::max()))
      Value = std::min(Value, S(DestLimits::max()));
    return D(Value);
  }
};

template <Rounding R, class D>
struct IntegerToFloat {
  template <class S>
  static D apply(S Value) {
    if constexpr (std::is_same_v<D, double>) {
      if constexpr (sizeof(S) < 8 || R == Rounding::Even)
        return double(Value);
      else
        return toDirectedDouble<R>(Value);
    } else if constexpr (std::is_same_v<D, float>) {
      if constexpr (sizeof(S) < 4 || R == Rounding::Even)
        return float(Value);
      else
        return llvm::bit_cast<float>(encode<F32Format, R>(toOddDouble(Value)));
    } else if constexpr (sizeof(S) < 4) {
      return {uint16_t(encode<typename D::Format, R>(float(Value)))};
    } else {
      return {uint16_t(encode<typename D::Format, R>(toOddDouble(Value)))};
    }
  }
};

/// .sat: an integer in [0, 1].
template <class D>
struct IntegerToUnit {
  template <class S>
  static D apply(S Value) {
    float Unit = Value > 0 ? 1.0f : 0.0f;
    if constexpr (std::is_floating_point_v<D>)
      return Unit;
    else
      return D::from(Unit);
  }
};

/// To the integer that R chooses and from there to the nearest that D has. NaN
/// gives 0 or, with 64 bits on either side, the number with only the highest
/// bit (PTX ISA 9.7.9.22).
template <Rounding R, bool Ftz, class D>
struct FloatToInteger {
  template <class S>
  static D apply(S Value) {
    auto Wide = widened(Value);
    if constexpr (Ftz)
      Wide = flush(Wide);
    constexpr bool NaNIsZero = !std::is_same_v<S, double> && sizeof(D) < 8;
    return clamp<NaNIsZero>(roundToIntegral<R>(Wide));
  }

private:
  template <bool NaNIsZero, class S>
  static D clamp(S Value) {
    // CPUs convert to signed integers of 32 and 64 bits.
    using Signed = std::conditional_t<sizeof(D) == 8, int64_t, int32_t>;
    using Unsigned = std::make_unsigned_t<Signed>;
    using Limits = std::numeric_limits<D>;
    constexpr S Low = S(Limits::min());
    constexpr D UpperHalf = Limits::max() / 2 + 1;
    constexpr S Beyond = S(UpperHalf) * 2;
    constexpr bool IsTooWide = std::is_same_v<D, std::make_unsigned_t<Signed>>;
    S Inside = Value >= Low && Value < Beyond ? Value : S(0);
    D Result;
    if constexpr (IsTooWide) {
      constexpr S Top = Beyond / 2;
      bool IsHigh = Inside >= Top;
      Unsigned Rest = Unsigned(Signed(IsHigh ? Inside - Top : Inside));
      Result = D(Rest + (IsHigh ? Unsigned(1) << (sizeof(D) * 8 - 1) : 0));
    } else {
      Result = D(Signed(Inside));
    }
    Result = Value >= Beyond ? Limits::max() : Result;
    Result = Value < Low ? Limits::min() : Result;
    constexpr D HighestBit = D(Unsigned(1) << (sizeof(D) * 8 - 1));
    if constexpr (!NaNIsZero)
      Result = isNaN(Value) ? HighestBit : Result;
    return Result;
  }
};
} // namespace

/// Whether some value of S is beyond those of D, so that .sat is allowed.
template <class D, class S>
static constexpr bool canSaturate() {
  if (std::is_signed_v<S> && (std::is_unsigned_v<D> || sizeof(D) < sizeof(S)))
    return true;
  return uint64_t(std::numeric_limits<D>::max()) <
         uint64_t(std::numeric_limits<S>::max());
}

template <class D, class S>
static LaneFunction findResize(bool Sat) {
  if (!Sat)
    return laneLoop<Resize<D>, D, S>();
  if constexpr (canSaturate<D, S>())
    return laneLoop<Saturate<D>, D, S>();
  else
    return nullptr;
}

template <class D, class S>
static LaneFunction findToFloat(const Conversion &C) {
  if (C.Sat) {
    if constexpr (std::is_same_v<D, BFloat>)
      return nullptr;
    else
      return laneLoop<IntegerToUnit<D>, D, S>();
  }
  return forIEEERounding(C.To.value_or(Rounding::Even), [](auto R) {
    return laneLoop<IntegerToFloat<decltype(R)::value, D>, D, S>();
  });
}

LaneFunction emulator::findConversionOfInteger(const Conversion &C) {
  if (!C.isPlain() || C.ToIntegral || (C.Ftz && C.Dest != "f32"))
    return nullptr;
  return forAnyInteger(C.Source, [&](auto Source) {
    using S = typename decltype(Source)::Type;
    LaneFunction Found = forAnyInteger(C.Dest, [&](auto Dest) -> LaneFunction {
      using D = typename decltype(Dest)::Type;
      return C.To ? nullptr : findResize<D, S>(C.Sat);
    });
    return Found ? Found : forAnyFloat(C.Dest, [&](auto Dest) {
      return findToFloat<typename decltype(Dest)::Type, S>(C);
    });
  });
}

LaneFunction emulator::findConversionToInteger(const Conversion &C) {
  // .sat says what happens anyway.
  if (!C.isPlain() || !C.ToIntegral || (C.Ftz && C.Source != "f32"))
    return nullptr;
  return forAnyFloat(C.Source, [&](auto Source) {
    using S = typename decltype(Source)::Type;
    return forAnyInteger(C.Dest, [&](auto Dest) {
      using D = typename decltype(Dest)::Type;
      return forIEEERounding(*C.To, [&](auto R) {
        if constexpr (std::is_same_v<S, float>)
          if (C.Ftz)
            return laneLoop<FloatToInteger<decltype(R)::value, true, D>, D,
                            S>();
        return laneLoop<FloatToInteger<decltype(R)::value, false, D>, D, S>();
      });
    });
  });
}
