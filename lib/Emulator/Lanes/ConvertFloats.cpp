//===- ConvertFloats.cpp - cvt between f16, bf16, f32, f64, tf32 ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Conversions.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {
/// What happens to the value before it is rounded. All of it commutes with
/// rounding, since 0 and 1 are in every format.
enum class Clamp { None, Unit, Relu };

template <Clamp Range, class S>
inline S clamped(S Value) {
  if constexpr (Range == Clamp::Unit) // NaN becomes 0
    return Value > 0 ? (Value < 1 ? Value : S(1)) : S(0);
  else if constexpr (Range == Clamp::Relu) // NaN stays, -0 becomes +0
    return Value > 0 || isNaN(Value) ? Value : S(0);
  else
    return Value;
}

/// Into a format that has not all values of the other one.
template <class D, Rounding R, bool Ftz, Clamp Range, bool SatFinite = false>
struct NarrowFloat {
  template <class S>
  static D apply(S Value) {
    auto Wide = widened(Value);
    if constexpr (Ftz && std::is_same_v<S, float>)
      Wide = flush(Wide);
    Wide = clamped<Range>(Wide);
    if constexpr (std::is_same_v<D, float>) {
      float Narrow;
      if constexpr (R == Rounding::Even)
        Narrow = canonical(float(Wide));
      else
        Narrow = llvm::bit_cast<float>(encode<F32Format, R>(Wide));
      return Ftz ? flush(Narrow) : Narrow;
    } else {
      return {uint16_t(encode<typename D::Format, R, SatFinite>(Wide))};
    }
  }
};

/// Into the same format, or one with all values of the other.
template <class D, bool Ftz, Clamp Range>
struct WidenFloat {
  template <class S>
  static D apply(S Value) {
    if constexpr (std::is_same_v<D, S> && !Ftz && Range == Clamp::None) {
      return Value;
    } else {
      auto Wide = widened(Value);
      if constexpr (Ftz && std::is_same_v<decltype(Wide), float>)
        Wide = flush(Wide);
      Wide = clamped<Range>(Wide);
      if constexpr (std::is_same_v<D, float> && std::is_same_v<S, float>)
        return canonical(Wide);
      else if constexpr (std::is_floating_point_v<D>)
        return Wide;
      else
        return D::from(Wide);
    }
  }
};

/// NaN of f64 keeps its bits, but no signalling one is a result. Rounding to an
/// integer does not see to it on every CPU.
inline double quiet(double Value) {
  uint64_t Bits = llvm::bit_cast<uint64_t>(Value);
  return llvm::bit_cast<double>(Value != Value ? Bits | uint64_t(1) << 51
                                               : Bits);
}

/// Into an integer of the same format.
template <Rounding R, bool Ftz, Clamp Range>
struct IntegralFloat {
  template <class S>
  static S apply(S Value) {
    auto Wide = widened(Value);
    if constexpr (Ftz)
      Wide = flush(Wide);
    Wide = clamped<Range>(roundToIntegral<R>(Wide));
    if constexpr (std::is_same_v<S, float>)
      return canonical(Wide);
    else if constexpr (std::is_same_v<S, double>)
      return quiet(Wide);
    else
      return S::from(Wide);
  }
};

/// f32 to tf32, which stands above 13 zeros.
template <Rounding R, bool Relu, bool SatFinite>
struct ToTF32 {
  static uint32_t apply(float Value) {
    Value = clamped<Relu ? Clamp::Relu : Clamp::None>(Value);
    uint32_t Bits = encode<TF32Format, R, SatFinite>(Value) << 13;
    return Value != Value ? F32Format::NaN : Bits;
  }
};
} // namespace

template <Rounding R>
static LaneFunction findToTF32(const Conversion &C) {
  return forBool(C.Relu, [&](auto Relu) {
    return forBool(C.SatFinite, [](auto SatFinite) {
      return laneLoop<
          ToTF32<R, decltype(Relu)::value, decltype(SatFinite)::value>,
          uint32_t, float>();
    });
  });
}

static LaneFunction findToTF32(const Conversion &C) {
  if (C.Source != "f32" || C.Sat || C.Ftz || C.ToIntegral || C.Scaled || !C.To)
    return nullptr;
  switch (*C.To) {
  case Rounding::Away:
    return C.Relu ? nullptr : findToTF32<Rounding::Away>(C);
  case Rounding::Even:
    return findToTF32<Rounding::Even>(C);
  case Rounding::Zero:
    return findToTF32<Rounding::Zero>(C);
  default:
    return nullptr;
  }
}

/// .relu and .satfinite: only from f32 to f16 and bf16.
template <class D>
static LaneFunction findSaturating(const Conversion &C) {
  if (C.Sat || C.Ftz || C.Scaled)
    return nullptr;
  auto Find = [&](auto R) {
    return forBool(C.Relu, [&](auto Relu) {
      return forBool(C.SatFinite, [](auto SatFinite) {
        constexpr Clamp Range =
            decltype(Relu)::value ? Clamp::Relu : Clamp::None;
        using Op = NarrowFloat<D, decltype(R)::value, false, Range,
                               decltype(SatFinite)::value>;
        return laneLoop<Op, D, float>();
      });
    });
  };
  if (C.To == Rounding::Even)
    return Find(RoundingTag<Rounding::Even>());
  if (C.To == Rounding::Zero)
    return Find(RoundingTag<Rounding::Zero>());
  return nullptr;
}

/// F(Ftz, Range) with both as types; .ftz needs f32 and .sat no bf16.
template <class D, class S, class Fn>
static LaneFunction forFlags(const Conversion &C, Fn F) {
  using NoClamp = std::integral_constant<Clamp, Clamp::None>;
  using UnitClamp = std::integral_constant<Clamp, Clamp::Unit>;
  constexpr bool HasF32 = std::is_same_v<D, float> || std::is_same_v<S, float>;
  constexpr bool HasBF16 =
      std::is_same_v<D, BFloat> || std::is_same_v<S, BFloat>;
  auto WithFtz = [&](auto Ftz) -> LaneFunction {
    if (!C.Sat)
      return F(Ftz, NoClamp());
    if constexpr (!HasBF16)
      return F(Ftz, UnitClamp());
    else
      return nullptr;
  };
  if (!C.Ftz)
    return WithFtz(std::false_type());
  if constexpr (HasF32)
    return WithFtz(std::true_type());
  else
    return nullptr;
}

template <class D, class S>
static LaneFunction findBetween(const Conversion &C) {
  constexpr bool IsSame = std::is_same_v<D, S>;
  constexpr bool IsWider = IsSame || sizeof(D) > sizeof(S);
  if (C.ToIntegral) {
    if constexpr (IsSame)
      return forIEEERounding(*C.To, [&](auto R) {
        return forFlags<D, S>(C, [](auto Ftz, auto Range) {
          return laneLoop<
              IntegralFloat<decltype(R)::value, decltype(Ftz)::value,
                            decltype(Range)::value>,
              D, S>();
        });
      });
    else
      return nullptr;
  }
  // ptxas lets a rounding stand before bf16, where there is nothing to round.
  if constexpr (IsWider)
    return C.To && (IsSame || !std::is_same_v<S, BFloat>)
               ? nullptr
               : forFlags<D, S>(C, [](auto Ftz, auto Range) {
                   return laneLoop<WidenFloat<D, decltype(Ftz)::value,
                                              decltype(Range)::value>,
                                   D, S>();
                 });
  else
    return forIEEERounding(C.To.value_or(Rounding::Even), [&](auto R) {
      return forFlags<D, S>(C, [](auto Ftz, auto Range) {
        return laneLoop<NarrowFloat<D, decltype(R)::value, decltype(Ftz)::value,
                                    decltype(Range)::value>,
                        D, S>();
      });
    });
}

LaneFunction emulator::findConversionOfFloat(const Conversion &C) {
  if (C.Dest == "tf32")
    return findToTF32(C);
  if (!C.isPlain()) {
    if (C.Source != "f32" || C.ToIntegral)
      return nullptr;
    if (C.Dest == "f16")
      return findSaturating<Half>(C);
    return C.Dest == "bf16" ? findSaturating<BFloat>(C) : nullptr;
  }
  return forAnyFloat(C.Source, [&](auto Source) {
    using S = typename decltype(Source)::Type;
    return forAnyFloat(C.Dest, [&](auto Dest) {
      return findBetween<typename decltype(Dest)::Type, S>(C);
    });
  });
}
