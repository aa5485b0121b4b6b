//===- ConvertOperations.cpp - cvt ----------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Conversions.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

/// Null if a modifier is not one of cvt's.
static std::optional<Conversion> parse(StringRef Modifiers) {
  Conversion C;
  for (LaneModifiers Left(Modifiers); !Left.empty();) {
    StringRef Part = Left.takeFront();
    using Maybe = std::optional<Rounding>;
    auto Round = llvm::StringSwitch<Maybe>(Part)
                     .Cases({"rn", "rni"}, Rounding::Even)
                     .Cases({"rz", "rzi"}, Rounding::Zero)
                     .Cases({"rm", "rmi"}, Rounding::Down)
                     .Cases({"rp", "rpi"}, Rounding::Up)
                     .Case("rna", Rounding::Away)
                     .Case("rs", Rounding::Stochastic)
                     .Default(std::nullopt);
    bool *Flag = llvm::StringSwitch<bool *>(Part)
                     .Case("ftz", &C.Ftz)
                     .Case("sat", &C.Sat)
                     .Case("relu", &C.Relu)
                     .Case("satfinite", &C.SatFinite)
                     .Case("scaled::n2::ue8m0", &C.Scaled)
                     .Default(nullptr);
    if (Round) {
      if (C.To)
        return std::nullopt;
      C.To = Round;
      C.ToIntegral = Part.size() == 3 && Part.back() == 'i';
    } else if (Flag) {
      *Flag = true;
    } else if (C.Dest.empty()) {
      C.Dest = Part;
    } else if (C.Source.empty()) {
      C.Source = Part;
    } else {
      return std::nullopt;
    }
  }
  return C;
}

namespace {
/// cvt.pack.sat: A and B in Bits bits each, A above B, and the low bits of C
/// above them.
template <unsigned Bits, bool IsSigned>
struct PackIntegers {
  static uint32_t apply(int32_t A, int32_t B) {
    return field(A) << Bits | field(B);
  }
  static uint32_t apply(int32_t A, int32_t B, uint32_t C) {
    return C << (2 * Bits) | apply(A, B);
  }

private:
  static uint32_t field(int32_t Value) {
    constexpr int32_t Max = (1 << (IsSigned ? Bits - 1 : Bits)) - 1;
    constexpr int32_t Min = IsSigned ? -Max - 1 : 0;
    return uint32_t(std::min(std::max(Value, Min), Max)) & ((1u << Bits) - 1);
  }
};
} // namespace

template <unsigned Bits, bool IsSigned>
static LaneFunction findPack(unsigned NumSources) {
  using Op = PackIntegers<Bits, IsSigned>;
  if constexpr (Bits == 16)
    return NumSources == 2 ? laneLoop<Op, uint32_t, int32_t, int32_t>()
                           : nullptr;
  else
    return NumSources == 3
               ? laneLoop<Op, uint32_t, int32_t, int32_t, uint32_t>()
               : nullptr;
}

static LaneFunction findPack(StringRef Modifiers, unsigned NumSources) {
  LaneModifiers Left(Modifiers);
  bool IsKnown = Left.take("sat") && Left.take("s32");
  IsKnown &= Left.take("b32") == (NumSources == 3);
  StringRef Type = Left.takeFront();
  if (!IsKnown || !Left.empty())
    return nullptr;
  using Finder = LaneFunction (*)(unsigned);
  auto Find = llvm::StringSwitch<Finder>(Type)
                  .Case("u2", findPack<2, false>)
                  .Case("s2", findPack<2, true>)
                  .Case("u4", findPack<4, false>)
                  .Case("s4", findPack<4, true>)
                  .Case("u8", findPack<8, false>)
                  .Case("s8", findPack<8, true>)
                  .Case("u16", findPack<16, false>)
                  .Case("s16", findPack<16, true>)
                  .Default(nullptr);
  return Find ? Find(NumSources) : nullptr;
}

LaneFunction emulator::findConvertOperation(ptx::Opcode Op, StringRef Modifiers,
                                            unsigned NumSources) {
  if (Op == ptx::Opcode::CvtPack)
    return findPack(Modifiers, NumSources);
  if (Op != ptx::Opcode::Cvt)
    return nullptr;
  std::optional<Conversion> C = parse(Modifiers);
  if (!C || C->Source.empty())
    return nullptr;
  if (NumSources == 1)
    for (auto *Find : {findConversionOfInteger, findConversionToInteger,
                       findConversionOfFloat})
      if (LaneFunction F = Find(*C))
        return F;
  return findPackedConversion(*C, NumSources);
}
