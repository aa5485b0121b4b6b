//===- ConvertPacked.cpp - cvt to and from packed formats -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Conversions.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

// The first operand becomes the highest element. What the hardware does beyond
// the ISA's text (.relu makes -0 into +0; the layout of the random bits) is
// what has been measured on compute capability 10.0.

namespace {
template <bool Relu>
inline float relu(float Value) {
  return Relu && !(Value > 0 || Value != Value) ? 0.0f : Value;
}

/// The elements of f16x2 and bf16x2.
template <class T>
inline float upper(uint32_t Pair) {
  return T{uint16_t(Pair >> 16)}.widen();
}
template <class T>
inline float lower(uint32_t Pair) {
  return T{uint16_t(Pair)}.widen();
}

/// What an element of a packed register takes.
template <class F>
constexpr unsigned FieldBits = std::is_same_v<F, E2M1Format> ? 4 : 8;
/// The register of two of them.
template <class F>
using PairOf = std::conditional_t<FieldBits<F> == 4, uint8_t, uint16_t>;

/// Two f32 to f16x2 or bf16x2.
template <class F, Rounding R, bool Relu, bool SatFinite>
struct PackHalves {
  static uint32_t apply(float A, float B) {
    return encode<F, R, SatFinite>(relu<Relu>(A)) << 16 |
           encode<F, R, SatFinite>(relu<Relu>(B));
  }
  static uint32_t apply(float A, float B, uint32_t Random) {
    constexpr unsigned Bits = 23 - F::MantissaBits; // all that are dropped
    return encode<F, R, SatFinite, Bits>(relu<Relu>(A), Random >> 16) << 16 |
           encode<F, R, SatFinite, Bits>(relu<Relu>(B), Random);
  }
};

/// To two floats of 8, 6 or 4 bits. H is what the pair in one register has.
template <class F, class H, bool Relu>
struct PackNarrow {
  static PairOf<F> apply(float A, float B) {
    return PairOf<F>(element(A) << FieldBits<F> | element(B));
  }
  static PairOf<F> apply(uint32_t Pair) {
    return apply(upper<H>(Pair), lower<H>(Pair));
  }

private:
  static uint32_t element(float Value) {
    return encode<F, Rounding::Even, true>(relu<Relu>(Value));
  }
};

inline uint32_t reverse16(uint32_t Bits) {
  Bits = (Bits & 0x5555) << 1 | (Bits >> 1 & 0x5555);
  Bits = (Bits & 0x3333) << 2 | (Bits >> 2 & 0x3333);
  Bits = (Bits & 0x0f0f) << 4 | (Bits >> 4 & 0x0f0f);
  return (Bits & 0x00ff) << 8 | Bits >> 8;
}

/// To four floats of 8, 6 or 4 bits with stochastic rounding. Two share 16
/// random bits, of which the first takes them in reverse. For 4 bits, the high
/// bytes of both halves of Random are for A and B.
template <class F, bool Relu>
struct PackFour {
  static uint32_t apply(float A, float B, float E, float G, uint32_t Random) {
    constexpr unsigned Bits = FieldBits<F>;
    uint32_t High = Random >> 16, Low = Random & 0xffff;
    if constexpr (Bits == 4) {
      High = (Random >> 16 & 0xff00) | (Random >> 8 & 0xff);
      Low = (Random >> 8 & 0xff00) | (Random & 0xff);
    }
    return element(A, reverse16(High)) << (3 * Bits) |
           element(B, High) << (2 * Bits) | element(E, reverse16(Low)) << Bits |
           element(G, Low);
  }

private:
  static uint32_t element(float Value, uint32_t Random) {
    return encode<F, Rounding::Stochastic, true>(relu<Relu>(Value), Random);
  }
};

/// ue8m0 as a factor: a power of two, or NaN.
inline double scaleOf(uint32_t Bits) {
  uint64_t Power = uint64_t((Bits & 0xff) + 1023 - 127) << 52;
  return llvm::bit_cast<double>((Bits & 0xff) == 0xff ? ~uint64_t(0) : Power);
}

/// A scaled element as f16 or bf16.
template <class H, bool Relu, bool SatFinite>
inline uint32_t unpackElement(double Value) {
  if (Relu && !(Value > 0 || Value != Value))
    Value = 0;
  return encode<typename H::Format, Rounding::Even, SatFinite>(Value);
}

/// Two floats of 8, 6 or 4 bits to f16x2 or bf16x2, which hold them exactly
/// unless they are scaled.
template <class F, class H, bool Relu, bool SatFinite>
struct UnpackNarrow {
  static uint32_t apply(PairOf<F> Pair) { return apply(Pair, 0x7f7f); }
  static uint32_t apply(PairOf<F> Pair, uint16_t Scale) {
    return element(Pair >> FieldBits<F>, Scale >> 8) << 16 |
           element(Pair, Scale);
  }

private:
  static uint32_t element(uint32_t Bits, uint32_t Scale) {
    return unpackElement<H, Relu, SatFinite>(decode<F>(Bits) * scaleOf(Scale));
  }
};

/// To ue8m0: the exponent of the magnitude, rounded down or up.
template <class H, Rounding R, bool SatFinite>
struct PackScales {
  static uint16_t apply(float A, float B) {
    return uint16_t(element(A) << 8 | element(B));
  }
  static uint16_t apply(uint32_t Pair) {
    return apply(upper<H>(Pair), lower<H>(Pair));
  }

private:
  static uint32_t element(float Value) {
    uint32_t Bits = llvm::bit_cast<uint32_t>(Value) & 0x7fffffff;
    uint32_t Exponent = Bits >> 23;
    // The least number is 2^-127, which float has as a subnormal one.
    if constexpr (R == Rounding::Up)
      Exponent +=
          Bits > 0x400000 && Bits < 0x7f800000 && (Bits & 0x7fffff) != 0;
    if constexpr (SatFinite)
      Exponent = Bits <= 0x7f800000 ? std::min(Exponent, 0xfeu) : Exponent;
    return Exponent;
  }
};

struct UnpackScales {
  static uint32_t apply(uint16_t Pair) {
    return unpackElement<BFloat, false, false>(scaleOf(Pair >> 8)) << 16 |
           unpackElement<BFloat, false, false>(scaleOf(Pair));
  }
};

/// To s2f6, which is an integer in units of 1/64.
template <bool Relu>
struct PackFixed {
  static uint16_t apply(float A, float B) { return apply(A, B, 0x7f7f); }
  static uint16_t apply(float A, float B, uint16_t Scale) {
    return uint16_t(element(A, Scale >> 8) << 8 | element(B, Scale));
  }
  static uint16_t apply(uint32_t Pair) { return apply(Pair, 0x7f7f); }
  static uint16_t apply(uint32_t Pair, uint16_t Scale) {
    return apply(upper<BFloat>(Pair), lower<BFloat>(Pair), Scale);
  }

private:
  static uint32_t element(float Value, uint32_t Scale) {
    double Units = std::rint(relu<Relu>(Value) / scaleOf(Scale) * 64);
    Units = Units != Units ? 127 : Units;
    Units = std::min(std::max(Units, -128.0), 127.0);
    return uint32_t(int32_t(Units)) & 0xff;
  }
};

template <bool Relu, bool SatFinite>
struct UnpackFixed {
  static uint32_t apply(uint16_t Pair) { return apply(Pair, 0x7f7f); }
  static uint32_t apply(uint16_t Pair, uint16_t Scale) {
    return element(Pair >> 8, Scale >> 8) << 16 | element(Pair, Scale);
  }

private:
  static uint32_t element(uint32_t Bits, uint32_t Scale) {
    double Value = double(int8_t(Bits)) / 64 * scaleOf(Scale);
    return unpackElement<BFloat, Relu, SatFinite>(Value);
  }
};
} // namespace

/// F(Relu) with .relu as a type.
template <class Fn>
static LaneFunction forRelu(const Conversion &C, Fn F) {
  return forBool(C.Relu, F);
}

template <class Format>
static LaneFunction findPackHalves(const Conversion &C, unsigned NumSources) {
  if (C.Source != "f32" || C.Scaled)
    return nullptr;
  auto Find = [&](auto R) {
    return forBool(C.Relu, [&](auto Relu) {
      return forBool(C.SatFinite, [](auto Sat) {
        using Op = PackHalves<Format, decltype(R)::value, decltype(Relu)::value,
                              decltype(Sat)::value>;
        if constexpr (decltype(R)::value == Rounding::Stochastic)
          return laneLoop<Op, uint32_t, float, float, uint32_t>();
        else
          return laneLoop<Op, uint32_t, float, float>();
      });
    });
  };
  if (NumSources == 3)
    return C.To == Rounding::Stochastic
               ? Find(RoundingTag<Rounding::Stochastic>())
               : nullptr;
  if (NumSources != 2)
    return nullptr;
  if (C.To == Rounding::Even)
    return Find(RoundingTag<Rounding::Even>());
  if (C.To == Rounding::Zero)
    return Find(RoundingTag<Rounding::Zero>());
  return nullptr;
}

/// To a pair of F.
template <class F>
static LaneFunction findPackNarrow(const Conversion &C, unsigned NumSources) {
  if (C.To != Rounding::Even || !C.SatFinite || C.Scaled)
    return nullptr;
  return forRelu(C, [&](auto Relu) -> LaneFunction {
    if (C.Source == "f32" && NumSources == 2)
      return laneLoop<PackNarrow<F, Half, decltype(Relu)::value>, PairOf<F>,
                      float, float>();
    if (C.Source == "f16x2" && NumSources == 1)
      return laneLoop<PackNarrow<F, Half, decltype(Relu)::value>, PairOf<F>,
                      uint32_t>();
    if (C.Source == "bf16x2" && NumSources == 1)
      return laneLoop<PackNarrow<F, BFloat, decltype(Relu)::value>, PairOf<F>,
                      uint32_t>();
    return nullptr;
  });
}

/// To four of F.
template <class F>
static LaneFunction findPackFour(const Conversion &C, unsigned NumSources) {
  if (C.To != Rounding::Stochastic || !C.SatFinite || C.Scaled ||
      C.Source != "f32" || NumSources != 5)
    return nullptr;
  using D = std::conditional_t<FieldBits<F> == 4, uint16_t, uint32_t>;
  return forRelu(C, [](auto Relu) {
    return laneLoop<PackFour<F, decltype(Relu)::value>, D, float, float, float,
                    float, uint32_t>();
  });
}

/// F() for each kind of narrow float that a name such as "e4m3x2" says.
template <class Fn>
static LaneFunction forNarrowFormat(StringRef Name, StringRef Suffix, Fn F) {
  if (!Name.consume_back(Suffix))
    return nullptr;
  if (Name == "e4m3")
    return F(TypeTag<E4M3Format>());
  if (Name == "e5m2")
    return F(TypeTag<E5M2Format>());
  if (Name == "e2m3")
    return F(TypeTag<E2M3Format>());
  if (Name == "e3m2")
    return F(TypeTag<E3M2Format>());
  if (Name == "e2m1")
    return F(TypeTag<E2M1Format>());
  return nullptr;
}

/// From a pair of F.
template <class F>
static LaneFunction findUnpackNarrow(const Conversion &C, unsigned NumSources) {
  if (C.To != Rounding::Even || NumSources != 1u + C.Scaled)
    return nullptr;
  return forRelu(C, [&](auto Relu) -> LaneFunction {
    if (C.Dest == "f16x2" && !C.Scaled && !C.SatFinite)
      return laneLoop<UnpackNarrow<F, Half, decltype(Relu)::value, false>,
                      uint32_t, PairOf<F>>();
    if (C.Dest != "bf16x2")
      return nullptr;
    return forBool(C.SatFinite, [&](auto Sat) {
      using Op =
          UnpackNarrow<F, BFloat, decltype(Relu)::value, decltype(Sat)::value>;
      return C.Scaled ? laneLoop<Op, uint32_t, PairOf<F>, uint16_t>()
                      : laneLoop<Op, uint32_t, PairOf<F>>();
    });
  });
}

static LaneFunction findScales(const Conversion &C, unsigned NumSources) {
  if (C.Relu || C.Scaled)
    return nullptr;
  if (C.Source == "ue8m0x2")
    return C.Dest == "bf16x2" && C.To == Rounding::Even && !C.SatFinite &&
                   NumSources == 1
               ? laneLoop<UnpackScales, uint32_t, uint16_t>()
               : nullptr;
  auto Find = [&](auto R) {
    return forBool(C.SatFinite, [&](auto Sat) -> LaneFunction {
      using Op = PackScales<BFloat, decltype(R)::value, decltype(Sat)::value>;
      if (C.Source == "f32" && NumSources == 2)
        return laneLoop<Op, uint16_t, float, float>();
      if (C.Source == "bf16x2" && NumSources == 1)
        return laneLoop<Op, uint16_t, uint32_t>();
      return nullptr;
    });
  };
  if (C.To == Rounding::Zero)
    return Find(RoundingTag<Rounding::Zero>());
  return C.To == Rounding::Up ? Find(RoundingTag<Rounding::Up>()) : nullptr;
}

static LaneFunction findFixed(const Conversion &C, unsigned NumSources) {
  if (C.To != Rounding::Even)
    return nullptr;
  return forRelu(C, [&](auto Relu) -> LaneFunction {
    if (C.Source == "s2f6x2") {
      if (C.Dest != "bf16x2" || NumSources != 1u + C.Scaled)
        return nullptr;
      return forBool(C.SatFinite, [&](auto Sat) {
        using Op = UnpackFixed<decltype(Relu)::value, decltype(Sat)::value>;
        return C.Scaled ? laneLoop<Op, uint32_t, uint16_t, uint16_t>()
                        : laneLoop<Op, uint32_t, uint16_t>();
      });
    }
    using Op = PackFixed<decltype(Relu)::value>;
    if (!C.SatFinite)
      return nullptr;
    if (C.Source == "f32" && NumSources == 2u + C.Scaled)
      return C.Scaled ? laneLoop<Op, uint16_t, float, float, uint16_t>()
                      : laneLoop<Op, uint16_t, float, float>();
    if (C.Source == "bf16x2" && NumSources == 1u + C.Scaled)
      return C.Scaled ? laneLoop<Op, uint16_t, uint32_t, uint16_t>()
                      : laneLoop<Op, uint16_t, uint32_t>();
    return nullptr;
  });
}

LaneFunction emulator::findPackedConversion(const Conversion &C,
                                            unsigned NumSources) {
  if (C.Sat || C.Ftz || C.ToIntegral)
    return nullptr;
  if (C.Dest == "s2f6x2" || C.Source == "s2f6x2")
    return findFixed(C, NumSources);
  if (C.Dest == "ue8m0x2" || C.Source == "ue8m0x2")
    return findScales(C, NumSources);
  if (C.Dest == "f16x2" && C.Source == "f32")
    return findPackHalves<F16Format>(C, NumSources);
  if (C.Dest == "bf16x2" && C.Source == "f32")
    return findPackHalves<BF16Format>(C, NumSources);
  if (LaneFunction F = forNarrowFormat(C.Dest, "x4", [&](auto Format) {
        return findPackFour<typename decltype(Format)::Type>(C, NumSources);
      }))
    return F;
  if (LaneFunction F = forNarrowFormat(C.Dest, "x2", [&](auto Format) {
        return findPackNarrow<typename decltype(Format)::Type>(C, NumSources);
      }))
    return F;
  return forNarrowFormat(C.Source, "x2", [&](auto Format) {
    return findUnpackNarrow<typename decltype(Format)::Type>(C, NumSources);
  });
}
