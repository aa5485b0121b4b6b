//===- LiftFloat.cpp - Floats of 32 and 64 bits ---------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {

/// Lifts what the file is about; a friend of nothing.
class Floats {
public:
  explicit Floats(FunctionLift &F) : F(F), I(F.machine()) {}

  void compare(bool IsDouble);
  void set();
  void extreme(bool OfThree);
  void chooseDouble();
  bool special();
  void checkDivision();

private:
  Operand comparison(const Operand &A, const Operand &B, StringRef Type);
  FunctionLift &F;
  const MachineInstruction &I;
};

} // namespace

Operand Floats::comparison(const Operand &A, const Operand &B, StringRef Type) {
  const StringRef Compare = comparisonOf(I);
  if (Compare.empty())
    return FunctionLift::truth(hasWord(I, "T"));
  const Operand Is = F.temporary(ScalarType::Pred);
  F.emitMain("setp." + Compare + (hasWord(I, "FTZ") ? ".ftz." : ".") + Type,
             {Is, A, B});
  return Is;
}

void Floats::compare(bool IsDouble) {
  const Operand P = F.predicateResult(81), Q = F.predicateResult(84);
  const Operand With = F.predicate(87);
  const Operand A = IsDouble ? F.doubled(0) : F.floating(0),
                B = IsDouble ? F.doubled(1) : F.floating(1);
  const StringRef Type = IsDouble ? "f64" : "f32";
  const StringRef Join = joinOf(I), Compare = comparisonOf(I);
  if (!Compare.empty() && Join == "and" && FunctionLift::isSink(Q) &&
      FunctionLift::isNumber(With) && With.Bits != 0) {
    F.emitMain(
        "setp." + Compare + (hasWord(I, "FTZ") ? ".ftz." : ".") + Type,
        {FunctionLift::isSink(P) ? F.temporary(ScalarType::Pred) : P, A, B});
    return;
  }
  const Operand Is = comparison(A, B, Type);
  const Operand First = F.join(Join, Is, With);
  Operand Second;
  if (!FunctionLift::isSink(Q))
    Second = F.join(Join, F.inverted(Is), With);
  F.setPredicate(P, First);
  F.setPredicate(Q, Second);
}

/// DSETP.MAX: whether the first double is the result, and whether none is a
/// number.
void Floats::chooseDouble() {
  const Operand P = F.predicateResult(81), Q = F.predicateResult(84);
  const Operand A = F.doubled(0), B = F.doubled(1);
  const Operand IsMore =
      F.compute(hasWord(I, "MAX") ? "setp.gt.f64" : "setp.lt.f64",
                ScalarType::Pred, {A, B});
  const Operand None = F.compute("setp.nan.f64", ScalarType::Pred, {B, B});
  const Operand Neither =
      F.join("and", None, F.compute("setp.nan.f64", ScalarType::Pred, {A, A}));
  F.emitMain("or.pred",
             {FunctionLift::isSink(P) ? F.temporary(ScalarType::Pred) : P,
              IsMore, None});
  F.setPredicate(Q, Neither);
}

void Floats::set() {
  constexpr uint32_t One = 0x3f800000;
  const Operand With = F.predicate(87);
  const Operand Is =
      F.join(joinOf(I), comparison(F.floating(0), F.floating(1), "f32"), With);
  const bool IsFloat = hasWord(I, "BF");
  F.emitMain("selp.b32", {F.result(), FunctionLift::number(IsFloat ? One : ~0U),
                          FunctionLift::number(0), Is});
}

void Floats::extreme(bool OfThree) {
  const Operand P = F.predicate(87);
  std::string Suffix;
  if (hasWord(I, "FTZ"))
    Suffix += ".ftz";
  if (hasWord(I, "NAN"))
    Suffix += ".NaN";
  if (hasWord(I, "XORSIGN"))
    Suffix += ".xorsign.abs";
  Suffix += ".f32";
  const Operand To = F.result();
  const Operand Into = FunctionLift::isSink(To) ? F.temporary(Word) : To;
  const Operand A = F.floating(0);
  Operand B = F.floating(1);
  auto Of = [&](StringRef Which, const Operand &X, const Operand &Y) {
    return F.compute(Which + Suffix, Word, {X, Y});
  };
  if (FunctionLift::isNumber(P)) {
    const StringRef Which = P.Bits != 0 ? "min" : "max";
    if (OfThree)
      B = Of(Which, B, F.floating(2));
    F.emitMain(Which + Suffix, {Into, A, B});
    return;
  }
  const Operand Least = Of("min", A, B), Most = Of("max", A, B);
  F.emitMain("selp.b32", {Into, Least, Most, P});
}

/// MUFU. What it takes of a double is the upper half.
bool Floats::special() {
  const Operand To = F.result();
  const Operand Into = FunctionLift::isSink(To) ? F.temporary(Word) : To;
  if (hasWord(I, "RCP64H") || hasWord(I, "RSQ64H")) {
    const Operand Whole = F.packed(FunctionLift::number(0), F.floating(0));
    const Operand R = F.compute(hasWord(I, "RCP64H") ? "rcp.approx.ftz.f64"
                                                     : "rsqrt.approx.ftz.f64",
                                Wide, {Whole});
    F.emitMain("mov.b32", {Into, F.halves(R).second});
    return true;
  }
  if (hasWord(I, "F16"))
    return F.liftSpecialHalf();
  if (hasWord(I, "F16x2"))
    return false;
  const Operand A = F.floating(0);
  if (hasWord(I, "COS") || hasWord(I, "SIN")) {
    // Of a part of the whole circle.
    constexpr uint32_t TwoPi = 0x40c90fdb;
    Operand Circle;
    Circle.Kind = Operand::KindTy::Float32;
    Circle.Type = ScalarType::F32;
    Circle.Bits = TwoPi;
    const Operand Angle = F.compute("mul.rn.f32", Word, {A, Circle});
    F.emitMain(hasWord(I, "COS") ? "cos.approx.f32" : "sin.approx.f32",
               {Into, Angle});
    return true;
  }
  const StringRef Name = hasWord(I, "EX2")    ? "ex2.approx.ftz.f32"
                         : hasWord(I, "LG2")  ? "lg2.approx.ftz.f32"
                         : hasWord(I, "RCP")  ? "rcp.approx.ftz.f32"
                         : hasWord(I, "RSQ")  ? "rsqrt.approx.ftz.f32"
                         : hasWord(I, "SQRT") ? "sqrt.approx.ftz.f32"
                         : hasWord(I, "TANH") ? "tanh.approx.f32"
                                              : "";
  if (Name.empty())
    return false;
  F.emitMain(Name, {Into, A});
  return true;
}

/// FCHK: whether a quotient needs the slow path. The exponents say it; where
/// they are near the ends that path is right, too.
void Floats::checkDivision() {
  constexpr uint32_t Bits = 8, At = 23, Margin = 24, Most = 253, Bias = 126;
  auto Exponent = [&](const Operand &O) {
    Operand X = O;
    if (X.Kind == Operand::KindTy::Float32)
      X = FunctionLift::number((uint32_t(X.Bits) >> At) & 0xff);
    else
      X = F.compute("bfe.u32", Word,
                    {X, FunctionLift::number(At), FunctionLift::number(Bits)});
    return X;
  };
  const Operand A = Exponent(F.floating(0)), B = Exponent(F.floating(1));
  // Both in the middle, and not too far apart.
  auto Outside = [&](const Operand &X, uint32_t From, uint32_t To) {
    const Operand T =
        F.compute("sub.s32", Word, {X, FunctionLift::number(From)});
    return F.compute("setp.gt.u32", ScalarType::Pred,
                     {T, FunctionLift::number(To - From)});
  };
  Operand Any = Outside(A, Margin, Most);
  Any = F.join("or", Any, Outside(B, 1, Most - 1));
  const Operand Apart = F.compute("sub.s32", Word, {A, B});
  const Operand Shifted =
      F.compute("add.s32", Word, {Apart, FunctionLift::number(Bias)});
  Any = F.join("or", Any,
               F.compute("setp.gt.u32", ScalarType::Pred,
                         {Shifted, FunctionLift::number(2 * Bias)}));
  const Operand P = F.predicateResult(81);
  F.emitMain(
      "mov.pred",
      {FunctionLift::isSink(P) ? F.temporary(ScalarType::Pred) : P, Any});
}

bool FunctionLift::liftFloat(StringRef Name) {
  Floats Of(*this);
  const Operand To = result();
  const Operand Into = isSink(To) ? temporary(Word) : To;
  const StringRef Rounding = roundingOf(machine());
  if (Name == "FADD") {
    emitMain("add" + Rounding + ".f32", {Into, floating(0), floating(1)});
  } else if (Name == "FMUL") {
    static constexpr std::pair<StringRef, uint32_t> Scales[] = {
        {"D8", 0x3e000000}, {"D4", 0x3e800000}, {"D2", 0x3f000000},
        {"M2", 0x40000000}, {"M4", 0x40800000}, {"M8", 0x41000000}};
    Operand A = floating(0);
    for (auto [Word2, Bits] : Scales)
      if (has(Word2)) {
        Operand Factor = number(Bits);
        Factor.Kind = Operand::KindTy::Float32;
        Factor.Type = ScalarType::F32;
        A = compute("mul.rn.f32", Word, {A, Factor});
      }
    emitMain("mul" + Rounding + ".f32", {Into, A, floating(1)});
  } else if (Name == "FFMA") {
    emitMain("fma" + Rounding + ".f32",
             {Into, floating(0), floating(1), floating(2)});
  } else if (Name == "FSEL") {
    emitMain("selp.b32", {Into, floating(0), floating(1), predicate(87)});
  } else if (Name == "FMNMX" || Name == "FMNMX3") {
    Of.extreme(Name == "FMNMX3");
  } else if (Name == "FSETP") {
    Of.compare(false);
  } else if (Name == "FSET") {
    Of.set();
  } else if (Name == "MUFU") {
    return Of.special();
  } else if (Name == "FCHK") {
    Of.checkDivision();
  } else if (Name == "FADD2" || Name == "FMUL2" || Name == "FFMA2") {
    const bool IsAdd = Name == "FADD2", IsProduct = Name == "FMUL2";
    const unsigned N = IsAdd || IsProduct ? 2 : 3;
    // Each half by itself.
    SmallVector<Operand, 3> Sources[2];
    for (unsigned S = 0; S != N; ++S) {
      const MachineOperand *O = source(S);
      if (!O)
        return false;
      for (unsigned H : {0U, 1U}) {
        const bool IsOne =
            O->Part == MachineOperand::AsFloat || O->Kind == OperandKind::Float;
        Operand X = raw(*O, IsOne ? 0 : H);
        if (O->Negated)
          X = isNumber(X) ? number(X.Bits ^ 0x80000000)
                          : compute("xor.b32", Word, {X, number(0x80000000)});
        Sources[H].push_back(X);
      }
    }
    const StringRef Operation = IsAdd ? "add" : IsProduct ? "mul" : "fma";
    const Operand Low = temporary(Word);
    SmallVector<Operand, 4> All{Low};
    llvm::append_range(All, Sources[0]);
    emitMain(Operation + Rounding + ".f32", All);
    All = {temporary(Word)};
    llvm::append_range(All, Sources[1]);
    emit(Operation + Rounding + ".f32", All);
    if (!isSink(To)) {
      emit("mov.b32", {result(), Low});
      emit("mov.b32", {result(1), All[0]});
    }
  } else if (Name == "DADD" || Name == "DMUL" || Name == "DFMA") {
    const unsigned N = Name == "DFMA" ? 3 : 2;
    SmallVector<Operand, 4> All;
    for (unsigned S = 0; S != N; ++S)
      All.push_back(doubled(S));
    All.insert(All.begin(), wideResult());
    emitMain((Name == "DADD"   ? "add"
              : Name == "DMUL" ? "mul"
                               : "fma") +
                 Rounding + ".f64",
             All);
  } else if (Name == "DSETP") {
    if (has("MIN") || has("MAX"))
      Of.chooseDouble();
    else
      Of.compare(true);
  } else {
    return false;
  }
  return true;
}
