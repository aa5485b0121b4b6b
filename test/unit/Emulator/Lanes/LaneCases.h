//===- LaneCases.h - Running one instruction on 32 lanes --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_EMULATOR_LANES_LANECASES_H
#define PTXPREDICT_TEST_UNIT_EMULATOR_LANES_LANECASES_H

#include "Emulator/Lanes/LaneOperation.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <array>
#include <cstring>
#include <random>

namespace ptxpredict::emulator {

constexpr llvm::RoundingMode ToEven = llvm::RoundingMode::NearestTiesToEven;

/// The elements of one operand, each in the low bits.
using LaneValues = std::array<uint64_t, WarpSize>;

/// Operand storage for registers whose elements take 2, 4 or 8 bytes, or a
/// predicate's single mask.
struct OperandStorage {
  alignas(64) unsigned char Bytes[WarpSize * 8] = {};

  void set(unsigned ElementBytes, const LaneValues &Values) {
    if (ElementBytes == 0) {
      uint32_t Mask = 0;
      for (unsigned L = 0; L != WarpSize; ++L)
        Mask |= uint32_t(Values[L] & 1) << L;
      memcpy(Bytes, &Mask, sizeof(Mask));
      return;
    }
    for (unsigned L = 0; L != WarpSize; ++L)
      memcpy(Bytes + size_t(L) * ElementBytes, &Values[L], ElementBytes);
  }
  uint64_t get(unsigned ElementBytes, unsigned Lane) const {
    uint64_t Value = 0;
    if (ElementBytes != 0) {
      memcpy(&Value, Bytes + size_t(Lane) * ElementBytes, ElementBytes);
      return Value;
    }
    uint32_t Mask;
    memcpy(&Mask, Bytes, sizeof(Mask));
    return Mask >> Lane & 1;
  }
};

/// The function of an instruction by its text ("cvt.rn.f16.f32").
inline LaneFunction laneFunctionOf(StringRef Mnemonic, unsigned NumSources) {
  ptx::DecodedOpcode D = ptx::decode(Mnemonic);
  return findLaneOperation(D.Op, D.Modifiers, NumSources);
}

/// What one run gives: an array for each element of the destination.
struct LaneRun {
  OperandStorage Dest[LaneArguments::MaxDests];

  LaneRun(LaneFunction F, ArrayRef<unsigned> SourceBytes,
          ArrayRef<LaneValues> Sources) {
    OperandStorage Source[LaneArguments::MaxSources];
    LaneArguments A;
    for (unsigned I = 0; I != LaneArguments::MaxDests; ++I)
      A.Dest[I] = Dest[I].Bytes;
    for (size_t I = 0; I != Sources.size(); ++I) {
      Source[I].set(SourceBytes[I], Sources[I]);
      A.Source[I] = Source[I].Bytes;
    }
    F(A);
  }
};

/// Numbers that instructions treat in a special way, and random ones, for
/// operands of one type. The sequence is the same in every run.
class ValueSource {
public:
  explicit ValueSource(unsigned Seed) : Random(Seed) {}
  uint64_t random() { return Random(); }

  /// An element of a floating-point format of \p Bits bits: its edges, their
  /// neighbours, small numbers and any bits.
  uint64_t floating(const llvm::fltSemantics &Format, unsigned Bits) {
    using llvm::APFloat;
    auto BitsIn = [](const APFloat &F) {
      return F.bitcastToAPInt().getZExtValue();
    };
    uint64_t Sign = random() & 1 ? uint64_t(1) << (Bits - 1) : 0;
    uint64_t Mask = Bits == 64 ? ~uint64_t(0) : (uint64_t(1) << Bits) - 1;
    switch (random() % 8) {
    case 0:
      return Sign;
    case 1:
      return Sign |
             ((BitsIn(APFloat::getInf(Format)) + random() % 5 - 2) & Mask);
    case 2:
      return Sign | ((BitsIn(APFloat::getSmallestNormalized(Format)) +
                      random() % 5 - 2) &
                     Mask);
    case 3:
      return Sign | random() % 5;
    case 4: { // near an integer or a half
      APFloat F(double(int64_t(random() % 600)) * 0.5);
      bool Loses;
      F.convert(Format, APFloat::rmNearestTiesToEven, &Loses);
      return Sign | ((BitsIn(F) + random() % 3 - 1) & (Mask >> 1));
    }
    case 5: { // near a power of two
      APFloat F = llvm::scalbn(APFloat(1.0), int(random() % 140) - 70,
                               APFloat::rmNearestTiesToEven);
      bool Loses;
      F.convert(Format, APFloat::rmNearestTiesToEven, &Loses);
      return Sign | ((BitsIn(F) + random() % 3 - 1) & (Mask >> 1));
    }
    default:
      return random() & Mask;
    }
  }

  /// Bits of an integer: edges of all widths and random ones of any length.
  uint64_t integer(unsigned Bits) {
    uint64_t Mask = Bits == 64 ? ~uint64_t(0) : (uint64_t(1) << Bits) - 1;
    uint64_t Edge = uint64_t(1) << random() % 64;
    switch (random() % 4) {
    case 0:
      return (Edge + random() % 5 - 2) & Mask;
    case 1:
      return (0 - Edge + random() % 5 - 2) & Mask;
    case 2:
      return random() >> random() % 64 & Mask;
    default:
      return random() & Mask;
    }
  }

private:
  std::mt19937_64 Random;
};

/// The format of a type modifier, null for integers.
inline const llvm::fltSemantics *formatOf(StringRef Type) {
  using llvm::APFloat;
  if (Type == "f16" || Type == "f16x2")
    return &APFloat::IEEEhalf();
  if (Type == "bf16" || Type == "bf16x2")
    return &APFloat::BFloat();
  if (Type == "f32")
    return &APFloat::IEEEsingle();
  if (Type == "f64")
    return &APFloat::IEEEdouble();
  if (Type == "tf32")
    return &APFloat::FloatTF32();
  if (Type.starts_with("e4m3"))
    return &APFloat::Float8E4M3FN();
  if (Type.starts_with("e5m2"))
    return &APFloat::Float8E5M2();
  if (Type.starts_with("e2m3"))
    return &APFloat::Float6E2M3FN();
  if (Type.starts_with("e3m2"))
    return &APFloat::Float6E3M2FN();
  if (Type.starts_with("e2m1"))
    return &APFloat::Float4E2M1FN();
  if (Type.starts_with("ue8m0"))
    return &APFloat::Float8E8M0FNU();
  return nullptr;
}

/// The number that bits stand for.
inline llvm::APFloat numberOf(const llvm::fltSemantics &Format, uint64_t Bits) {
  unsigned Width = llvm::APFloat::getSizeInBits(Format);
  return {Format, llvm::APInt(64, Bits).trunc(Width)};
}

/// \p From in another format.
inline llvm::APFloat
converted(llvm::APFloat From, const llvm::fltSemantics &Format,
          llvm::RoundingMode Mode = llvm::RoundingMode::NearestTiesToEven) {
  bool Loses;
  From.convert(Format, Mode, &Loses);
  return From;
}

/// The bits of \p F as hardware writes them: one NaN.
inline uint64_t bitsOf(const llvm::APFloat &F) {
  unsigned Bits = llvm::APFloat::getSizeInBits(F.getSemantics());
  if (F.isNaN() && Bits != 64)
    return (uint64_t(1) << (Bits - 1)) - 1;
  return F.bitcastToAPInt().getZExtValue();
}

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_TEST_UNIT_EMULATOR_LANES_LANECASES_H
