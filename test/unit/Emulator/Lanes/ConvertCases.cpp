//===- ConvertCases.cpp - cvt between scalar types ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "InstructionCases.h"
#include "LaneCases.h"
#include "llvm/ADT/APSInt.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::APFloat;
using llvm::APInt;
using llvm::APSInt;
using llvm::fltSemantics;
using llvm::RoundingMode;

namespace {
/// A scalar cvt, taken apart once more so that the oracle is independent.
struct ScalarConvert {
  std::string Round; ///< "rn", "rzi", … or empty
  std::string Dest, Source;
  bool Ftz = false, Sat = false, Relu = false, SatFinite = false;

  std::string mnemonic() const {
    std::string Text = "cvt";
    if (!Round.empty())
      Text += "." + Round;
    Text += std::string(Ftz ? ".ftz" : "") + (Sat ? ".sat" : "") +
            (Relu ? ".relu" : "") + (SatFinite ? ".satfinite" : "");
    return Text + "." + Dest + "." + Source;
  }
};

unsigned bitsOfScalar(StringRef Type) {
  if (Type == "bf16")
    return 16;
  if (Type == "tf32")
    return 32;
  unsigned Bits = 0;
  (void)Type.drop_front().getAsInteger(10, Bits);
  return Bits;
}

RoundingMode modeOf(StringRef Round) {
  if (Round == "rna")
    return RoundingMode::NearestTiesToAway;
  if (Round.starts_with("rz"))
    return RoundingMode::TowardZero;
  if (Round.starts_with("rm"))
    return RoundingMode::TowardNegative;
  if (Round.starts_with("rp"))
    return RoundingMode::TowardPositive;
  return RoundingMode::NearestTiesToEven;
}

APFloat flushedSingle(const APFloat &F, bool Ftz) {
  if (Ftz && &F.getSemantics() == &APFloat::IEEEsingle() && F.isDenormal())
    return APFloat::getZero(F.getSemantics(), F.isNegative());
  return F;
}

uint64_t toInteger(const ScalarConvert &C, const APFloat &F) {
  unsigned Bits = bitsOfScalar(C.Dest);
  bool IsSigned = C.Dest[0] == 's';
  APSInt Result(Bits, !IsSigned);
  if (F.isNaN()) {
    if (C.Source == "f64" || Bits == 64)
      Result.setBit(Bits - 1);
  } else {
    bool IsExact;
    if (F.convertToInteger(Result, modeOf(C.Round), &IsExact) ==
        APFloat::opInvalidOp)
      Result = F.isNegative() ? APSInt::getMinValue(Bits, !IsSigned)
                              : APSInt::getMaxValue(Bits, !IsSigned);
  }
  APInt Stored = Bits == 8 ? Result.extend(16) : APInt(Result);
  return Stored.getZExtValue();
}

uint64_t toFloat(const ScalarConvert &C, APFloat F) {
  const fltSemantics &To = *formatOf(C.Dest);
  bool IsMove = C.Dest == C.Source && C.Round.empty() && !C.Ftz && !C.Sat;
  if (IsMove || (C.Dest == "f32" && C.Source == "bf16" && F.isNaN()))
    return IsMove ? F.bitcastToAPInt().getZExtValue()
                  : F.bitcastToAPInt().getZExtValue() << 16;
  // NaN of f16 becomes the only one of f32 on the way.
  if (C.Dest == "f64" && C.Source == "f16" && F.isNaN() && !C.Sat)
    return 0x7fffffffe0000000;
  if (StringRef(C.Round).ends_with("i"))
    F.roundToIntegral(modeOf(C.Round));
  APFloat R = flushedSingle(converted(F, To, modeOf(C.Round)), C.Ftz);
  if (C.Sat) {
    if (R.isNaN() || R.isNegative())
      R = APFloat::getZero(To);
    else if (R > APFloat::getOne(To))
      R = APFloat::getOne(To);
  }
  if (C.Relu && !R.isNaN() && R.isNegative())
    R = APFloat::getZero(To);
  if (C.SatFinite && R.isInfinity())
    R = APFloat::getLargest(To, R.isNegative());
  if (C.Dest == "tf32")
    return R.isNaN() ? 0x7fffffff : R.bitcastToAPInt().getZExtValue() << 13;
  return bitsOf(R);
}

uint64_t expected(const ScalarConvert &C, uint64_t Bits) {
  if (const fltSemantics *From = formatOf(C.Source)) {
    APFloat F = flushedSingle(numberOf(*From, Bits), C.Ftz);
    return formatOf(C.Dest) ? toFloat(C, F) : toInteger(C, F);
  }
  APSInt Value(APInt(64, Bits).trunc(bitsOfScalar(C.Source)),
               C.Source[0] == 'u');
  if (formatOf(C.Dest)) {
    // Wide enough for every integer.
    APFloat Exact(APFloat::IEEEquad());
    Exact.convertFromAPInt(Value, Value.isSigned(), RoundingMode::TowardZero);
    return toFloat(C, Exact);
  }
  unsigned DestBits = bitsOfScalar(C.Dest);
  bool IsSigned = C.Dest[0] == 's';
  APSInt Wide = Value.extend(66);
  Wide.setIsSigned(true);
  if (C.Sat) {
    APSInt Low(APSInt::getMinValue(DestBits, !IsSigned).extend(66), false);
    APSInt High(APSInt::getMaxValue(DestBits, !IsSigned).extend(66), false);
    Wide = Wide < Low ? Low : Wide > High ? High : Wide;
  }
  APInt Result = Wide.trunc(DestBits);
  if (DestBits == 8)
    Result = IsSigned ? Result.sext(16) : Result.zext(16);
  return Result.getZExtValue();
}

const char *const IntegerTypes[] = {"u8", "u16", "u32", "u64",
                                    "s8", "s16", "s32", "s64"};
const char *const FloatTypes[] = {"f16", "bf16", "f32", "f64"};

/// Every combination that ptxas 13.0 accepts for compute capability 10.0, which
/// was asked about all of them.
std::vector<ScalarConvert> scalarConversions() {
  std::vector<ScalarConvert> All;
  // .ftz where one type is f32, .sat where none is bf16.
  auto Add = [&](const std::string &R, const std::string &D,
                 const std::string &S) {
    for (bool Ftz : {false, true})
      for (bool Sat : {false, true})
        if ((!Ftz || D == "f32" || S == "f32") &&
            (!Sat || (D != "bf16" && S != "bf16")))
          All.push_back({R, D, S, Ftz, Sat});
  };
  for (std::string S : IntegerTypes)
    for (std::string D : IntegerTypes) {
      All.push_back({"", D, S});
      unsigned SourceBits = bitsOfScalar(S), DestBits = bitsOfScalar(D);
      bool HasLess = S[0] == 's' && (D[0] == 'u' || DestBits < SourceBits);
      bool HasMore = DestBits - (D[0] == 's') < SourceBits - (S[0] == 's');
      if (HasLess || HasMore)
        All.push_back({"", D, S, false, true});
    }
  for (const char *R : {"rn", "rz", "rm", "rp"})
    for (const char *S : IntegerTypes)
      for (const char *D : FloatTypes)
        Add(R, D, S);
  for (const char *R : {"rni", "rzi", "rmi", "rpi"})
    for (const char *S : FloatTypes)
      for (const char *D : IntegerTypes)
        Add(R, D, S);
  for (std::string S : FloatTypes)
    for (std::string D : FloatTypes) {
      bool IsNarrower = D != S && bitsOfScalar(D) <= bitsOfScalar(S);
      bool MayRound = IsNarrower || (S == "bf16" && D != S);
      std::vector<std::string> Rounds;
      if (!IsNarrower || bitsOfScalar(S) == 16)
        Rounds.emplace_back();
      if (MayRound)
        Rounds.insert(Rounds.end(), {"rn", "rz", "rm", "rp"});
      if (D == S)
        Rounds.insert(Rounds.end(), {"rni", "rzi", "rmi", "rpi"});
      for (const std::string &R : Rounds)
        Add(R, D, S);
    }
  for (std::string D : {"f16", "bf16", "tf32"})
    for (const char *R : {"rn", "rz"})
      for (bool Relu : {false, true})
        for (bool SatFinite : {false, true})
          if (Relu || SatFinite || D == "tf32")
            All.push_back({R, D, "f32", false, false, Relu, SatFinite});
  for (bool SatFinite : {false, true})
    All.push_back({"rna", "tf32", "f32", false, false, false, SatFinite});
  return All;
}

/// What a register of the type is declared as.
ScalarType registerType(StringRef Type) {
  if (Type == "bf16")
    return ScalarType::B16;
  if (Type == "tf32")
    return ScalarType::B32;
  return *parseScalarType(Type);
}
} // namespace

std::vector<InstructionCase> emulator::conversionCases() {
  std::vector<InstructionCase> Cases;
  for (const ScalarConvert &C : scalarConversions())
    Cases.push_back({C.mnemonic(),
                     {registerType(C.Dest)},
                     {registerType(C.Source)},
                     [C](const LaneInput &Input) {
                       return LaneOutput(expected(C, Input.Source[0]));
                     }});
  return Cases;
}
