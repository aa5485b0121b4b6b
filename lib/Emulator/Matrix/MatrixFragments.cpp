//===- MatrixFragments.cpp - Fragments to matrices and back ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MatrixFragments.h"

#include "llvm/ADT/bit.h"

#include <array>
#include <cstring>
#include <limits>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

unsigned emulator::bitsOf(MatrixType Type) {
  switch (Type) {
  case MatrixType::F64:
    return 64;
  case MatrixType::TF32:
  case MatrixType::F32:
  case MatrixType::S32:
    return 32;
  case MatrixType::F16:
  case MatrixType::BF16:
    return 16;
  case MatrixType::E4M3:
  case MatrixType::E5M2:
  case MatrixType::E3M2:
  case MatrixType::E2M3:
  case MatrixType::E2M1:
  case MatrixType::S8:
  case MatrixType::U8:
    return 8;
  case MatrixType::PackedE2M1:
  case MatrixType::S4:
  case MatrixType::U4:
    return 4;
  case MatrixType::B1:
    return 1;
  }
  return 0;
}

/// Elements along k that a register of each of four lanes holds.
static unsigned chunkElements(MatrixType Type) {
  return Type == MatrixType::F64 ? 4 : 128 / bitsOf(Type);
}

MultiplicandLayout emulator::layoutOfA(MatrixType Type, unsigned Rows,
                                       unsigned K) {
  return {Rows / 8, K / chunkElements(Type), 1, Rows / 8};
}

MultiplicandLayout emulator::layoutOfB(MatrixType Type, unsigned K,
                                       unsigned Columns) {
  unsigned Chunks = K / chunkElements(Type);
  return {Columns / 8, Chunks, Chunks, 1};
}

/// The four lanes of a row are neighbours in a register's array, so that a row
/// is copied as a whole.
template <typename T>
static void gather(const void *const *Registers,
                   const MultiplicandLayout &Layout, T *Elements) {
  for (unsigned Block = 0; Block != Layout.Blocks; ++Block)
    for (unsigned Chunk = 0; Chunk != Layout.Chunks; ++Chunk) {
      const T *From =
          static_cast<const T *>(Registers[Layout.reg(Block, Chunk)]);
      T *To = Elements + (Block * 8 * Layout.Chunks + Chunk) * 4;
      for (unsigned G = 0; G != 8; ++G)
        std::memcpy(To + G * Layout.Chunks * 4, From + G * 4, 4 * sizeof(T));
    }
}

void emulator::gatherWords(const void *const *Registers,
                           const MultiplicandLayout &Layout, uint32_t *Words) {
  gather(Registers, Layout, Words);
}

void emulator::gatherDoubles(const void *const *Registers,
                             const MultiplicandLayout &Layout,
                             double *Elements) {
  gather(Registers, Layout, Elements);
}

namespace {
enum class Specials : uint8_t { None, Nan, InfinityAndNan };
} // namespace

/// A sign, then the exponent, then the mantissa.
static constexpr float smallFloat(unsigned Bits, unsigned ExponentBits,
                                  unsigned MantissaBits, Specials Special) {
  unsigned Ones = (1U << ExponentBits) - 1, Units = 1U << MantissaBits;
  unsigned Exponent = Bits >> MantissaBits & Ones, Mantissa = Bits % Units;
  float Value = 0;
  if (Special == Specials::InfinityAndNan && Exponent == Ones) {
    Value = Mantissa ? std::numeric_limits<float>::quiet_NaN()
                     : std::numeric_limits<float>::infinity();
  } else if (Special == Specials::Nan && Exponent == Ones &&
             Mantissa == Units - 1) {
    Value = std::numeric_limits<float>::quiet_NaN();
  } else {
    Value = static_cast<float>(Exponent ? Mantissa + Units : Mantissa);
    int Power = static_cast<int>(Exponent ? Exponent : 1) -
                static_cast<int>(Ones / 2) - static_cast<int>(MantissaBits);
    for (; Power < 0; ++Power)
      Value /= 2;
    for (; Power > 0; --Power)
      Value *= 2;
  }
  return Bits >> (ExponentBits + MantissaBits) & 1 ? -Value : Value;
}

/// The values of all bytes; a type's bits begin at bit \p Low.
static constexpr std::array<float, 256> smallFloats(unsigned ExponentBits,
                                                    unsigned MantissaBits,
                                                    Specials Special,
                                                    unsigned Low = 0) {
  std::array<float, 256> Values{};
  for (unsigned Byte = 0; Byte != 256; ++Byte)
    Values[Byte] = smallFloat(Byte >> Low, ExponentBits, MantissaBits, Special);
  return Values;
}

static constexpr auto E4M3Values = smallFloats(4, 3, Specials::Nan);
static constexpr auto E5M2Values = smallFloats(5, 2, Specials::InfinityAndNan);
static constexpr auto E3M2Values = smallFloats(3, 2, Specials::None);
static constexpr auto E2M3Values = smallFloats(2, 3, Specials::None);
static constexpr auto E2M1Values = smallFloats(2, 1, Specials::None, 2);
static constexpr auto NibbleValues = smallFloats(2, 1, Specials::None);

float emulator::scaleValue(uint32_t Byte, bool E4M3) {
  Byte &= 0xff;
  if (E4M3)
    return E4M3Values[Byte & 0x7f];
  if (Byte == 0xff)
    return std::numeric_limits<float>::quiet_NaN();
  return llvm::bit_cast<float>(Byte ? Byte << 23 : 0x00400000);
}

template <unsigned Bits, typename Function>
static void widenWith(const uint32_t *Words, unsigned NumWords, float *Elements,
                      Function Value) {
  constexpr unsigned PerWord = 32 / Bits;
  constexpr uint32_t Mask = Bits == 32 ? ~0U : (1U << Bits % 32) - 1;
  for (unsigned Word = 0; Word != NumWords; ++Word)
    for (unsigned I = 0; I != PerWord; ++I)
      Elements[Word * PerWord + I] = Value(Words[Word] >> (I * Bits) & Mask);
}

void emulator::widen(MatrixType Type, const uint32_t *Words, unsigned NumWords,
                     float *Elements) {
  auto Table = [&](const std::array<float, 256> &Values) {
    widenWith<8>(Words, NumWords, Elements,
                 [&](uint32_t Bits) { return Values[Bits]; });
  };
  switch (Type) {
  case MatrixType::F16:
    return widenWith<16>(Words, NumWords, Elements,
                         [](uint32_t Bits) { return halfToFloat(Bits); });
  case MatrixType::BF16:
    return widenWith<16>(Words, NumWords, Elements, [](uint32_t Bits) {
      return llvm::bit_cast<float>(Bits << 16);
    });
  case MatrixType::TF32:
    return widenWith<32>(Words, NumWords, Elements, [](uint32_t Bits) {
      return llvm::bit_cast<float>(Bits & 0xffffe000);
    });
  case MatrixType::S8:
    return widenWith<8>(Words, NumWords, Elements, [](uint32_t Bits) {
      return static_cast<float>(static_cast<int32_t>(Bits ^ 0x80) - 0x80);
    });
  case MatrixType::U8:
    return widenWith<8>(Words, NumWords, Elements, [](uint32_t Bits) {
      return static_cast<float>(static_cast<int32_t>(Bits));
    });
  case MatrixType::S4:
    return widenWith<4>(Words, NumWords, Elements, [](uint32_t Bits) {
      return static_cast<float>(static_cast<int32_t>(Bits ^ 8) - 8);
    });
  case MatrixType::U4:
    return widenWith<4>(Words, NumWords, Elements, [](uint32_t Bits) {
      return static_cast<float>(static_cast<int32_t>(Bits));
    });
  case MatrixType::PackedE2M1:
    return widenWith<4>(Words, NumWords, Elements,
                        [](uint32_t Bits) { return NibbleValues[Bits]; });
  case MatrixType::E4M3:
    return Table(E4M3Values);
  case MatrixType::E5M2:
    return Table(E5M2Values);
  case MatrixType::E3M2:
    return Table(E3M2Values);
  case MatrixType::E2M3:
    return Table(E2M3Values);
  case MatrixType::E2M1:
    return Table(E2M1Values);
  case MatrixType::F32:
  case MatrixType::F64:
  case MatrixType::B1:
  case MatrixType::S32:
    return;
  }
}

template <typename T>
void emulator::gatherAccumulator(MatrixType Type, const void *const *Registers,
                                 unsigned M, unsigned N, T *Elements) {
  for (unsigned Column = 0; Column != N / 8; ++Column)
    for (unsigned Block = 0; Block != M / 8; ++Block) {
      unsigned Register = accumulatorRegister(Type, M, Block, Column);
      T *To = Elements + (Block * 8 * N + Column * 8);
      if constexpr (std::is_same_v<T, float>)
        if (Type == MatrixType::F16) {
          auto *Words = static_cast<const uint32_t *>(Registers[Register]);
          for (unsigned G = 0; G != 8; ++G)
            for (unsigned I = 0; I != 4; ++I) {
              To[G * N + 2 * I] = halfToFloat(Words[G * 4 + I] & 0xffff);
              To[G * N + 2 * I + 1] = halfToFloat(Words[G * 4 + I] >> 16);
            }
          continue;
        }
      auto *Even = static_cast<const T *>(Registers[Register]);
      auto *Odd = static_cast<const T *>(Registers[Register + 1]);
      for (unsigned G = 0; G != 8; ++G)
        for (unsigned I = 0; I != 4; ++I) {
          To[G * N + 2 * I] = Even[G * 4 + I];
          To[G * N + 2 * I + 1] = Odd[G * 4 + I];
        }
    }
}

template <typename T>
void emulator::scatterAccumulator(MatrixType Type, void *const *Registers,
                                  unsigned M, unsigned N, const T *Elements) {
  for (unsigned Column = 0; Column != N / 8; ++Column)
    for (unsigned Block = 0; Block != M / 8; ++Block) {
      unsigned Register = accumulatorRegister(Type, M, Block, Column);
      const T *From = Elements + (Block * 8 * N + Column * 8);
      if constexpr (std::is_same_v<T, float>)
        if (Type == MatrixType::F16) {
          if (auto *Words = static_cast<uint32_t *>(Registers[Register]))
            for (unsigned G = 0; G != 8; ++G)
              for (unsigned I = 0; I != 4; ++I)
                Words[G * 4 + I] = floatToHalf(From[G * N + 2 * I]) |
                                   floatToHalf(From[G * N + 2 * I + 1]) << 16;
          continue;
        }
      for (unsigned Odd = 0; Odd != 2; ++Odd)
        if (auto *To = static_cast<T *>(Registers[Register + Odd]))
          for (unsigned G = 0; G != 8; ++G)
            for (unsigned I = 0; I != 4; ++I) {
              T Value = From[G * N + 2 * I + Odd];
              if constexpr (std::is_same_v<T, float>)
                Value = llvm::bit_cast<float>(floatBits(Value));
              To[G * 4 + I] = Value;
            }
    }
}

template void emulator::gatherAccumulator(MatrixType, const void *const *,
                                          unsigned, unsigned, float *);
template void emulator::gatherAccumulator(MatrixType, const void *const *,
                                          unsigned, unsigned, double *);
template void emulator::gatherAccumulator(MatrixType, const void *const *,
                                          unsigned, unsigned, int32_t *);
template void emulator::scatterAccumulator(MatrixType, void *const *, unsigned,
                                           unsigned, const float *);
template void emulator::scatterAccumulator(MatrixType, void *const *, unsigned,
                                           unsigned, const double *);
template void emulator::scatterAccumulator(MatrixType, void *const *, unsigned,
                                           unsigned, const int32_t *);
