//===- LiftBits.cpp - Shifts, logic and bits ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

/// SHF: of the third and the first source together, 64 bits, moved by the
/// second one, the upper or the lower half.
void FunctionLift::liftShift() {
  const Operand To = result();
  const Operand Into = isSink(To) ? temporary(Word) : To;
  const Operand Low = integer(0), High = integer(2);
  Operand By = integer(1);
  const bool IsLeft = has("L"), TakesUpper = has("HI"), Wraps = has("W");
  const bool IsWide = has("U64") || has("S64");
  const bool IsSigned = has("S32") || has("S64");
  const unsigned Bits = IsWide ? 2 * WordBits : WordBits;
  if (isNumber(By)) {
    auto N = uint32_t(By.Bits);
    N = Wraps ? N % Bits : std::min<uint32_t>(N, Bits);
    By = number(N);
    if (N < WordBits) {
      if (IsLeft && !TakesUpper)
        return emitMain("shl.b32", {Into, Low, By});
      if (!IsLeft && TakesUpper)
        return emitMain(IsSigned ? "shr.s32" : "shr.u32", {Into, High, By});
      return emitMain(IsLeft ? "shf.l.wrap.b32" : "shf.r.wrap.b32",
                      {Into, Low, High, By});
    }
  } else {
    if (Wraps)
      By = compute("and.b32", Word, {By, number(Bits - 1)});
    // PTX's shifts stop at the width, too.
    if (IsLeft && !TakesUpper)
      return emitMain("shl.b32", {Into, Low, By});
    if (!IsLeft && TakesUpper)
      return emitMain(IsSigned ? "shr.s32" : "shr.u32", {Into, High, By});
    if (!IsWide)
      return emitMain(IsLeft ? (Wraps ? "shf.l.wrap.b32" : "shf.l.clamp.b32")
                             : (Wraps ? "shf.r.wrap.b32" : "shf.r.clamp.b32"),
                      {Into, Low, High, By});
  }
  const Operand Both = packed(Low, High);
  const Operand Moved = compute(IsLeft     ? "shl.b64"
                                : IsSigned ? "shr.s64"
                                           : "shr.u64",
                                Wide, {Both, By});
  const auto [L, H] = halves(Moved);
  emitMain("mov.b32", {Into, TakesUpper ? H : L});
}

/// LOP3, as the operation of PTX where it is one of two sources.
void FunctionLift::liftLogic() {
  const Operand To = result();
  const Operand P = predicateResult(81);
  const Operand Into = isSink(To) ? temporary(Word) : To;
  Operand A = integer(0), B = integer(1), C = integer(2);
  const unsigned Table = tableOf(machine()).value_or(0);
  constexpr unsigned Rows = 8;
  // Without the sources that are zero or all ones.
  auto Is = [&](unsigned Wanted) {
    for (unsigned Row = 0; Row != Rows; ++Row) {
      auto Agrees = [&](const Operand &O, unsigned Bit) {
        if (!isNumber(O))
          return true;
        const auto N = uint32_t(O.Bits);
        return N == 0 ? !Bit : N == ~0U ? Bit != 0 : true;
      };
      if (Agrees(A, Row >> 2 & 1) && Agrees(B, Row >> 1 & 1) &&
          Agrees(C, Row & 1) && (Table >> Row & 1) != (Wanted >> Row & 1))
        return false;
    }
    return true;
  };
  constexpr unsigned TA = 0xf0, TB = 0xcc, TC = 0xaa;
  auto Emit = [&] {
    if (Is(0))
      return emitMain("mov.b32", {Into, number(0)});
    if (Is(0xff))
      return emitMain("mov.b32", {Into, number(~0U)});
    struct Source {
      unsigned Table;
      const Operand *O;
    };
    const Source All[] = {{TA, &A}, {TB, &B}, {TC, &C}};
    for (const Source &S : All) {
      if (Is(S.Table))
        return emitMain("mov.b32", {Into, *S.O});
      if (Is(~S.Table & 0xff))
        return emitMain("not.b32", {Into, *S.O});
    }
    for (auto [X, Y] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)}) {
      const Source &S = All[X], &T = All[Y];
      if (Is(S.Table & T.Table))
        return emitMain("and.b32", {Into, *S.O, *T.O});
      if (Is(S.Table | T.Table))
        return emitMain("or.b32", {Into, *S.O, *T.O});
      if (Is(S.Table ^ T.Table))
        return emitMain("xor.b32", {Into, *S.O, *T.O});
    }
    emitMain("lop3.b32", {Into, A, B, C, number(Table)});
  };
  Emit();
  if (isSink(P))
    return;
  Operand Any = compute("setp.ne.u32", ScalarType::Pred, {Into, number(0)});
  const Operand With = predicate(87);
  if (!isNumber(With, 0)) // which is none
    Any = join(has("PAND") ? "and" : "or", Any, With);
  else if (has("PAND"))
    Any = truth(false);
  setPredicate(P, Any);
}

bool FunctionLift::liftBits(StringRef Name) {
  const Operand To = result();
  const Operand Into = isSink(To) ? temporary(Word) : To;
  if (Name == "SHF") {
    liftShift();
  } else if (Name == "LOP3") {
    liftLogic();
  } else if (Name == "PRMT") {
    static constexpr StringRef Modes[] = {"F4E", "B4E", "RC8",
                                          "ECL", "ECR", "RC16"};
    std::string Mnemonic = "prmt.b32";
    for (StringRef Mode : Modes)
      if (has(Mode))
        Mnemonic += "." + Mode.lower();
    const Operand A = integer(0), Selection = integer(1);
    constexpr uint64_t SignOfByte = 0x8880, SignOfHalf = 0x9910;
    if (Mnemonic == "prmt.b32" &&
        (isNumber(Selection, SignOfByte) || isNumber(Selection, SignOfHalf)))
      emitMain("bfe.s32", {Into, A, number(0),
                           number(isNumber(Selection, SignOfByte) ? 8 : 16)});
    else
      emitMain(Mnemonic, {Into, A, integer(2), Selection});
  } else if (Name == "SGXT") {
    const Operand A = integer(0), N = integer(1);
    const StringRef Type = has("U32") ? "u32" : "s32";
    if (isNumber(N) && N.Bits < WordBits && N.Bits != 0)
      emitMain("bfe." + Type, {Into, A, number(0), N});
    else
      emitMain((has("W") ? "szext.wrap." : "szext.clamp.") + Type,
               {Into, A, N});
  } else if (Name == "BMSK") {
    emitMain(has("W") ? "bmsk.wrap.b32" : "bmsk.clamp.b32",
             {Into, integer(0), integer(1)});
  } else if (Name == "BREV") {
    emitMain("brev.b32", {Into, integer(0)});
  } else if (Name == "POPC") {
    emitMain("popc.b32", {Into, integer(0)});
  } else if (Name == "FLO") {
    emitMain(std::string("bfind") + (has("SH") ? ".shiftamt" : "") +
                 (has("U32") ? ".u32" : ".s32"),
             {Into, integer(0)});
  } else {
    return false;
  }
  return true;
}
