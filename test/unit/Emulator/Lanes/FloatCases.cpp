//===- FloatCases.cpp - Floating-point arithmetic on APFloat --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA 9.7.3 and 9.7.5.
//===----------------------------------------------------------------------===//
#include "InstructionCases.h"
#include "llvm/ADT/APSInt.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::APFloat;
using llvm::APInt;
using llvm::RoundingMode;

namespace {

struct RoundingName {
  const char *Name;
  RoundingMode Mode;
};
constexpr RoundingName Roundings[] = {{".rn", RoundingMode::NearestTiesToEven},
                                      {".rz", RoundingMode::TowardZero},
                                      {".rm", RoundingMode::TowardNegative},
                                      {".rp", RoundingMode::TowardPositive}};

using Numbers = std::vector<APFloat>;
using Operation = std::function<APFloat(const Numbers &, RoundingMode)>;

/// What modifiers and types make of an operation.
struct Rules {
  RoundingMode Mode = RoundingMode::NearestTiesToEven;
  bool Flush = false;
  bool Saturate = false;
};

struct NamedOperation {
  const char *Name;
  unsigned NumSources;
  Operation Op;
};

} // namespace

static const llvm::fltSemantics &semantics(ScalarType T) {
  switch (T) {
  case ScalarType::F16:
    return APFloat::IEEEhalf();
  case ScalarType::F64:
    return APFloat::IEEEdouble();
  default:
    return APFloat::IEEEsingle();
  }
}

/// The result in bits of f32 or f64, with the rules for NaN.
static APInt apply(const Operation &Op, Numbers Sources, const Rules &How) {
  if (How.Flush)
    for (APFloat &A : Sources)
      A = flushed(A);
  APFloat R = Op(Sources, How.Mode);
  if (How.Flush)
    R = flushed(R);
  bool IsDouble = &R.getSemantics() == &APFloat::IEEEdouble();
  if (How.Saturate) {
    APFloat One = APFloat::getOne(R.getSemantics());
    if (R.isNaN() || R.isNegative() || R.isZero())
      R = APFloat::getZero(R.getSemantics());
    else if (R.compare(One) == APFloat::cmpGreaterThan)
      R = One;
  }
  if (!R.isNaN())
    return R.bitcastToAPInt();
  if (!IsDouble)
    return APInt(32, 0x7fffffff);
  for (const APFloat &A : Sources)
    if (A.isNaN())
      return A.bitcastToAPInt() | APInt::getOneBitSet(64, 51);
  return APInt(64, 0x7ff8000000000000);
}

/// The square root, from that of an integer with more bits than the result has
/// and one that tells whether it was exact.
static APFloat squareRoot(const Numbers &Sources, RoundingMode Mode) {
  const APFloat &A = Sources[0];
  const llvm::fltSemantics &S = A.getSemantics();
  if (A.isNaN() || A.isZero() || (A.isInfinity() && !A.isNegative()))
    return A;
  if (A.isNegative())
    return APFloat::getNaN(S);
  int Exponent = ilogb(A);
  Exponent -= Exponent & 1;
  // A = M * 2^(Exponent - 140) with an integer M < 2^142.
  bool Lost = false;
  APFloat Scaled = scalbn(A, -Exponent, RoundingMode::NearestTiesToEven);
  Scaled.convert(APFloat::IEEEquad(), RoundingMode::NearestTiesToEven, &Lost);
  Scaled = scalbn(Scaled, 140, RoundingMode::NearestTiesToEven);
  llvm::APSInt M(160, true);
  Scaled.convertToInteger(M, RoundingMode::TowardZero, &Lost);
  APInt Root = M.sqrt();
  while ((Root * Root).ugt(M))
    --Root;
  while (((Root + 1) * (Root + 1)).ule(M))
    ++Root;
  bool Exact = Root * Root == M;
  APFloat R(S);
  R.convertFromAPInt(Root.shl(1) | APInt(160, Exact ? 0 : 1), false, Mode);
  return scalbn(R, Exponent / 2 - 71, Mode);
}

static std::vector<NamedOperation> operations() {
  auto Add = [](const Numbers &S, RoundingMode M) {
    APFloat R = S[0];
    R.add(S[1], M);
    return R;
  };
  auto Sub = [](const Numbers &S, RoundingMode M) {
    APFloat R = S[0];
    R.subtract(S[1], M);
    return R;
  };
  auto Mul = [](const Numbers &S, RoundingMode M) {
    APFloat R = S[0];
    R.multiply(S[1], M);
    return R;
  };
  auto Fma = [](const Numbers &S, RoundingMode M) {
    APFloat R = S[0];
    R.fusedMultiplyAdd(S[1], S[2], M);
    return R;
  };
  auto Div = [](const Numbers &S, RoundingMode M) {
    APFloat R = S[0];
    R.divide(S[1], M);
    return R;
  };
  auto Rcp = [](const Numbers &S, RoundingMode M) {
    APFloat R = APFloat::getOne(S[0].getSemantics());
    R.divide(S[0], M);
    return R;
  };
  return {{"add", 2, Add}, {"sub", 2, Sub},        {"mul", 2, Mul},
          {"fma", 3, Fma}, {"mad", 3, Fma},        {"div", 2, Div},
          {"rcp", 1, Rcp}, {"sqrt", 1, squareRoot}};
}

/// An operation of f32 or f64.
static InstructionCase scalar(const std::string &Mnemonic, ScalarType T,
                              unsigned NumSources, const Operation &Op,
                              const Rules &How) {
  return {Mnemonic,
          {T},
          std::vector<ScalarType>(NumSources, T),
          [=](const LaneInput &In) -> LaneOutput {
            Numbers Sources;
            for (unsigned I = 0; I != NumSources; ++I)
              Sources.emplace_back(semantics(T), number(In, I, bitWidth(T)));
            return apply(Op, Sources, How);
          }};
}

/// Of pairs of f32.
static InstructionCase pairs(const std::string &Mnemonic, unsigned NumSources,
                             const Operation &Op, const Rules &How) {
  return {Mnemonic,
          {ScalarType::B64},
          std::vector<ScalarType>(NumSources, ScalarType::B64),
          [=](const LaneInput &In) -> LaneOutput {
            APInt Result(64, 0);
            for (unsigned At : {0, 32}) {
              Numbers Sources;
              for (unsigned I = 0; I != NumSources; ++I)
                Sources.emplace_back(APFloat::IEEEsingle(),
                                     number(In, I, 64).extractBits(32, At));
              Result.insertBits(apply(Op, Sources, How), At);
            }
            return Result;
          }};
}

/// The number of an f16 or bf16, in f32.
static APFloat widened(const APInt &Bits, bool IsHalf) {
  APFloat A(IsHalf ? APFloat::IEEEhalf() : APFloat::BFloat(), Bits);
  bool Lost;
  A.convert(APFloat::IEEEsingle(), RoundingMode::NearestTiesToEven, &Lost);
  return A;
}

/// Of f16 or bf16, the last source of f32.
static InstructionCase mixed(const std::string &Mnemonic, unsigned NumSources,
                             bool IsHalf, const Operation &Op,
                             const Rules &How) {
  std::vector<ScalarType> Sources(NumSources,
                                  IsHalf ? ScalarType::F16 : ScalarType::B16);
  Sources.back() = ScalarType::F32;
  return {Mnemonic,
          {ScalarType::F32},
          Sources,
          [=](const LaneInput &In) -> LaneOutput {
            Numbers Values;
            for (unsigned I = 0; I + 1 != NumSources; ++I)
              Values.push_back(widened(number(In, I, 16), IsHalf));
            Values.emplace_back(APFloat::IEEEsingle(),
                                number(In, NumSources - 1, 32));
            return apply(Op, Values, How);
          }};
}

/// Pairs of which the first ones have narrower numbers.
static InstructionCase mixedPairs(const std::string &Mnemonic,
                                  unsigned NumSources, bool IsHalf,
                                  const Operation &Op, const Rules &How) {
  std::vector<ScalarType> Sources(NumSources,
                                  IsHalf ? ScalarType::F16x2 : ScalarType::B32);
  Sources.back() = ScalarType::B64;
  return {Mnemonic,
          {ScalarType::B64},
          Sources,
          [=](const LaneInput &In) -> LaneOutput {
            APInt Result(64, 0);
            for (unsigned E : {0, 1}) {
              Numbers Values;
              for (unsigned I = 0; I + 1 != NumSources; ++I)
                Values.push_back(
                    widened(number(In, I, 32).extractBits(16, E * 16), IsHalf));
              Values.emplace_back(
                  APFloat::IEEEsingle(),
                  number(In, NumSources - 1, 64).extractBits(32, E * 32));
              Result.insertBits(apply(Op, Values, How), E * 32);
            }
            return Result;
          }};
}

static void addArithmetic(std::vector<InstructionCase> &Out,
                          const NamedOperation &N, const RoundingName &Round,
                          bool HasName) {
  std::string Text = std::string(N.Name) + (HasName ? Round.Name : "");
  StringRef Name = N.Name;
  bool MaySaturate = N.NumSources != 1 && Name != "div";
  bool IsLinear = Name == "add" || Name == "sub" || Name == "fma";
  Out.push_back(scalar(Text + ".f64", ScalarType::F64, N.NumSources, N.Op,
                       {Round.Mode, false, false}));
  for (bool Flush : {false, true}) {
    std::string Ftz = Flush ? ".ftz" : "";
    for (bool Saturate : {false, true})
      if (MaySaturate || !Saturate)
        Out.push_back(scalar(
            (Twine(Text) + Ftz + (Saturate ? ".sat" : "") + ".f32").str(),
            ScalarType::F32, N.NumSources, N.Op,
            {Round.Mode, Flush, Saturate}));
    if (IsLinear || Name == "mul")
      Out.push_back(pairs((Twine(Text) + Ftz + ".f32x2").str(), N.NumSources,
                          N.Op, {Round.Mode, Flush, false}));
  }
  if (!IsLinear)
    return;
  for (bool IsHalf : {false, true}) {
    std::string Type = IsHalf ? "f16" : "bf16";
    for (bool Saturate : {false, true})
      Out.push_back(
          mixed((Twine(Text) + (Saturate ? ".sat" : "") + ".f32." + Type).str(),
                N.NumSources, IsHalf, N.Op, {Round.Mode, false, Saturate}));
    Out.push_back(mixedPairs((Twine(Text) + ".f32x2." + Type + "x2").str(),
                             N.NumSources, IsHalf, N.Op,
                             {Round.Mode, false, false}));
    if (Name == "fma")
      Out.push_back(mixedPairs(
          (Twine(Text) + ".f32x2." + Type + "x2." + Type + "x2.f32x2").str(), 3,
          IsHalf, N.Op, {Round.Mode, false, false}));
  }
}

/// The PTX ISA's definition of min and max, which differ in \p IsMax.
static APFloat extreme(const APFloat &A, const APFloat &B, bool IsMax,
                       bool Propagate) {
  if (A.isNaN() && (B.isNaN() || Propagate))
    return A;
  if (B.isNaN())
    return Propagate ? B : A;
  if (A.isNaN())
    return B;
  if (A.isZero() && B.isZero())
    return A.isNegative() != IsMax ? A : B;
  return (A.compare(B) == APFloat::cmpLessThan) != IsMax ? A : B;
}

static void addExtremes(std::vector<InstructionCase> &Out, bool IsMax) {
  std::string Name = IsMax ? "max" : "min";
  auto Two = [=](bool Propagate) {
    return [=](const Numbers &S, RoundingMode) {
      return extreme(S[0], S[1], IsMax, Propagate);
    };
  };
  Out.push_back(scalar(Name + ".f64", ScalarType::F64, 2, Two(false), {}));
  for (bool Flush : {false, true})
    for (bool Propagate : {false, true}) {
      std::string Head =
          Name + (Flush ? ".ftz" : "") + (Propagate ? ".NaN" : "");
      Rules How = {RoundingMode::NearestTiesToEven, Flush, false};
      ScalarType F32 = ScalarType::F32;
      Out.push_back(scalar(Head + ".f32", F32, 2, Two(Propagate), How));
      Out.push_back(scalar(
          Head + ".xorsign.abs.f32", F32, 2,
          [=](const Numbers &S, RoundingMode) {
            APFloat R = extreme(abs(S[0]), abs(S[1]), IsMax, Propagate);
            return S[0].isNegative() != S[1].isNegative() ? neg(R) : R;
          },
          How));
      for (bool IsAbs : {false, true})
        Out.push_back(scalar(
            Head + (IsAbs ? ".abs" : "") + ".f32", F32, 3,
            [=](const Numbers &S, RoundingMode) {
              auto Get = [&](unsigned I) { return IsAbs ? abs(S[I]) : S[I]; };
              return extreme(extreme(Get(0), Get(1), IsMax, Propagate), Get(2),
                             IsMax, Propagate);
            },
            How));
    }
}

/// Without rules for NaN: only signs change.
static void addSigns(std::vector<InstructionCase> &Out, ScalarType T) {
  unsigned Bits = bitWidth(T);
  std::string Type = "." + toString(T).str();
  auto One = [&](const std::string &Name, bool Flush, auto Op) {
    Out.push_back({Name + (Flush ? ".ftz" : "") + Type,
                   {T},
                   {T},
                   [=](const LaneInput &In) -> LaneOutput {
                     APFloat A(semantics(T), number(In, 0, Bits));
                     return Op(Flush ? flushed(A) : A).bitcastToAPInt();
                   }});
  };
  for (bool Flush : {false, true})
    if (!Flush || T == ScalarType::F32) {
      One("abs", Flush, [](const APFloat &A) { return abs(A); });
      One("neg", Flush, [](const APFloat &A) { return neg(A); });
    }
  Out.push_back(
      {"copysign" + Type, {T}, {T, T}, [=](const LaneInput &In) -> LaneOutput {
         APFloat Sign(semantics(T), number(In, 0, Bits));
         APFloat Value(semantics(T), number(In, 1, Bits));
         return APFloat::copySign(Value, Sign).bitcastToAPInt();
       }});
  auto Test = [&](const std::string &Name, bool (APFloat::*Is)() const) {
    Out.push_back({"testp." + Name + Type,
                   {ScalarType::Pred},
                   {T},
                   [=](const LaneInput &In) -> LaneOutput {
                     APFloat A(semantics(T), number(In, 0, Bits));
                     bool Holds = Name == "number" ? !A.isNaN() : (A.*Is)();
                     return uint64_t(Holds);
                   }});
  };
  Test("finite", &APFloat::isFinite);
  Test("infinite", &APFloat::isInfinity);
  Test("number", &APFloat::isNaN);
  Test("notanumber", &APFloat::isNaN);
  Test("normal", &APFloat::isNormal);
  Test("subnormal", &APFloat::isDenormal);
}

std::vector<InstructionCase> emulator::floatCases() {
  std::vector<InstructionCase> Out;
  for (const NamedOperation &N : operations()) {
    StringRef Name = N.Name;
    if (Name == "mad") { // fma by another name
      for (const RoundingName &R : Roundings) {
        std::string Head = "mad" + std::string(R.Name);
        Out.push_back(scalar(Head + ".f32", ScalarType::F32, 3, N.Op,
                             {R.Mode, false, false}));
        Out.push_back(scalar(Head + ".f64", ScalarType::F64, 3, N.Op,
                             {R.Mode, false, false}));
      }
      continue;
    }
    for (const RoundingName &R : Roundings)
      addArithmetic(Out, N, R, true);
    if (Name == "add" || Name == "sub" || Name == "mul")
      addArithmetic(Out, N, Roundings[0], false);
  }
  addExtremes(Out, false);
  addExtremes(Out, true);
  addSigns(Out, ScalarType::F32);
  addSigns(Out, ScalarType::F64);
  return Out;
}
