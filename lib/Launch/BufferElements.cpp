//===- BufferElements.cpp - What the elements of a buffer are -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Launch/BufferElements.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

static constexpr ElementType ElementTypes[] = {
    {"u8", 1, false, 0, 0x1p8},   {"s8", 1, false, -0x1p7, 0x1p7},
    {"u16", 2, false, 0, 0x1p16}, {"s16", 2, false, -0x1p15, 0x1p15},
    {"u32", 4, false, 0, 0x1p32}, {"s32", 4, false, -0x1p31, 0x1p31},
    {"u64", 8, false, 0, 0x1p64}, {"s64", 8, false, -0x1p63, 0x1p63},
    {"f16", 2, true, 0, 0},       {"bf16", 2, true, 0, 0},
    {"f32", 4, true, 0, 0},       {"f64", 8, true, 0, 0},
};

const ElementType *ptxpredict::findElementType(StringRef Name) {
  const auto *It = llvm::find_if(
      ElementTypes, [&](const ElementType &T) { return T.Name == Name; });
  return It == std::end(ElementTypes) ? nullptr : It;
}

std::string ptxpredict::unknownElementType(StringRef Name) {
  SmallVector<StringRef, 12> Names;
  for (const ElementType &E : ElementTypes)
    Names.push_back(E.Name);
  return ("unknown type '" + Name + "'" +
          didYouMean(Name, Names, "; known are " + llvm::join(Names, ", ")))
      .str();
}

std::optional<unsigned> ptxpredict::bufferElementBytes(StringRef Type) {
  if (const ElementType *T = findElementType(Type))
    return T->Bytes;
  return std::nullopt;
}

/// Rounds to a binary format of 16 bits, with integers alone, so that the
/// thread's rounding mode does not matter.
template <unsigned ExponentBits, unsigned MantissaBits>
static uint16_t narrowDouble(double Value) {
  static_assert(1 + ExponentBits + MantissaBits == 16);
  constexpr unsigned Shift = 52 - MantissaBits;
  constexpr uint64_t BiasStep = 1024 - (1 << (ExponentBits - 1));
  constexpr uint64_t WideInf = uint64_t(0x7ff) << 52;
  constexpr uint64_t Inf = ((uint64_t(1) << ExponentBits) - 1) << MantissaBits;
  constexpr uint64_t Quiet = uint64_t(1) << (MantissaBits - 1);
  uint64_t Bits = llvm::bit_cast<uint64_t>(Value);
  uint64_t Sign = Bits >> 63 << 15, Abs = Bits & ~(uint64_t(1) << 63);
  auto Round = [](uint64_t N, unsigned By) {
    return (N + (uint64_t(1) << (By - 1)) - 1 + (N >> By & 1)) >> By;
  };

  uint64_t Exponent = Abs >> 52, Result = 0;
  if (Abs > WideInf)
    Result = Inf | Quiet | (Abs >> Shift & (Quiet - 1));
  else if (Exponent > BiasStep) // a carry out of the mantissa is right, too
    Result = std::min(Round(Abs - (BiasStep << 52), Shift), Inf);
  else if (unsigned Right = unsigned(Shift + BiasStep + 1 - Exponent);
           Exponent && Right < 64)
    Result =
        Round((Abs & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52, Right);
  return uint16_t(Sign | Result);
}

uint16_t ptxpredict::doubleToHalf(double Value) {
  return narrowDouble<5, 10>(Value);
}

uint16_t ptxpredict::doubleToBFloat(double Value) {
  return narrowDouble<8, 7>(Value);
}

float ptxpredict::halfToFloat(uint16_t Bits) {
  uint32_t Sign = uint32_t(Bits & 0x8000) << 16, Abs = Bits & 0x7fff;
  uint32_t Result;
  if (Abs >= 0x7c00)
    Result = 0x7f800000 | (Abs & 0x3ff) << 13;
  else if (Abs >= 0x400)
    Result = (Abs << 13) + (uint32_t(127 - 15) << 23);
  else
    Result = llvm::bit_cast<uint32_t>(float(Abs) * 0x1p-24f);
  return llvm::bit_cast<float>(Sign | Result);
}

float ptxpredict::bfloatToFloat(uint16_t Bits) {
  return llvm::bit_cast<float>(uint32_t(Bits) << 16);
}

/// The finalizer of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators" (OOPSLA 2014), as SplitMix64 has it.
static uint64_t splitMix64(uint64_t X) {
  X += 0x9E3779B97F4A7C15;
  X = (X ^ (X >> 30)) * 0xBF58476D1CE4E5B9;
  X = (X ^ (X >> 27)) * 0x94D049BB133111EB;
  return X ^ (X >> 31);
}

double elements::randomUnit(uint64_t Seed, uint64_t I) {
  uint64_t Bits = splitMix64(Seed + I * 0x9E3779B97F4A7C15);
  return double(int64_t(Bits >> 11)) * 0x1p-53;
}
