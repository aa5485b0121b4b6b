//===- LiftInteger.cpp - Sums, products and comparisons of integers -------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "OperationTable.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

constexpr static unsigned FirstCarryOut = 81, SecondCarryOut = 84,
                          FirstCarryIn = 87, SecondCarryIn = 77;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// IADD3 and IADD, also with carries: a negated source counts as its inverse
/// plus one where there is a carry.
void FunctionLift::liftSum() {
  const bool IsWide = has("64");
  const bool TakesCarry = has("X");
  const MachineOperand *Out = predicateOf(machine(), FirstCarryOut),
                       *Second = predicateOf(machine(), SecondCarryOut);
  SmallVector<const MachineOperand *, 3> Sources;
  for (unsigned N = 0; N != 3; ++N)
    if (const MachineOperand *O = source(N))
      Sources.push_back(O);
  if (IsWide) {
    SmallVector<Operand, 3> Terms;
    for (unsigned N = 0; N != Sources.size(); ++N) {
      Operand T = wide(N, true);
      if (Sources[N]->Negated)
        T = isNumber(T) ? number(0 - T.Bits, Wide)
                        : compute("neg.s64", Wide, {T});
      if (Sources[N]->Inverted)
        T = compute("not.b64", Wide, {T});
      if (!isNumber(T, 0))
        Terms.push_back(T);
    }
    if (TakesCarry || isRead(Out) || isRead(Second))
      return emitUnknown();
    const Operand To = wideResult();
    if (Terms.empty())
      return emitMain("mov.b64", {To, number(0, Wide)});
    while (Terms.size() > 2) {
      const Operand Last = Terms.pop_back_val();
      Terms.back() = compute("add.s64", Wide, {Terms.back(), Last});
    }
    return Terms.size() == 1 ? emitMain("mov.b64", {To, Terms[0]})
                             : emitMain("add.s64", {To, Terms[0], Terms[1]});
  }
  const bool MakesCarry = isRead(Out) || isRead(Second);
  const Operand To = result();
  // The lower half of a sum of 64 bits, which is computed with the upper one.
  const bool IsLower = !MakesCarry && !TakesCarry &&
                       ((Out && !isSink(predicateResult(FirstCarryOut))) ||
                        (Second && !isSink(predicateResult(SecondCarryOut))));
  if (!MakesCarry) {
    SmallVector<Operand, 4> Terms;
    Operand Negative;
    bool HasNegative = false;
    for (unsigned N = 0; N != Sources.size(); ++N) {
      const Operand Plain = raw(*Sources[N]);
      if (Sources[N]->Negated && !HasNegative && !isNumber(Plain) && !IsLower) {
        Negative = Plain;
        HasNegative = true;
        continue;
      }
      const Operand T = integer(N);
      if (!isNumber(T, 0))
        Terms.push_back(T);
    }
    if (TakesCarry)
      for (unsigned Lowest : {FirstCarryIn, SecondCarryIn})
        if (const MachineOperand *In = predicateOf(machine(), Lowest)) {
          const Operand P = predicate(*In);
          if (isNumber(P, 0))
            continue;
          Terms.push_back(isNumber(P) ? number(1)
                                      : compute("selp.b32", Word,
                                                {number(1), number(0), P}));
        }
    const Operand Into = isSink(To) ? temporary(Word) : To;
    auto Emit = [&](const Twine &Mnemonic, ArrayRef<Operand> Operands) {
      if (IsLower)
        emit(Mnemonic, Operands);
      else
        emitMain(Mnemonic, Operands);
    };
    if (IsLower)
      emitNothing();
    if (Terms.empty() && HasNegative)
      return Emit("neg.s32", {Into, Negative});
    if (Terms.empty())
      return Emit("mov.b32", {Into, number(0)});
    // Numbers last, as compilers write them.
    llvm::stable_sort(Terms, [](const Operand &A, const Operand &B) {
      return isNumber(A) < isNumber(B);
    });
    while (Terms.size() > (HasNegative ? 1 : 2)) {
      const Operand Last = Terms.pop_back_val();
      Terms.back() = compute("add.s32", Word, {Terms.back(), Last});
    }
    if (HasNegative)
      return Emit("sub.s32", {Into, Terms[0], Negative});
    if (Terms.size() == 1)
      return Emit("mov.b32", {Into, Terms[0]});
    return Emit("add.s32", {Into, Terms[0], Terms[1]});
  }
  // With the carry: in 64 bits.
  SmallVector<Operand, 6> Terms;
  uint64_t Sum = 0;
  for (const MachineOperand *O : Sources) {
    Operand T = raw(*O);
    if (isNumber(T)) {
      if (O->Negated || O->Inverted)
        T.Bits = uint32_t(~T.Bits);
      Sum += uint32_t(T.Bits) + (O->Negated ? 1 : 0);
      continue;
    }
    if (O->Negated || O->Inverted)
      T = compute("not.b32", Word, {T});
    if (O->Negated)
      ++Sum;
    Terms.push_back(zeroExtended(T));
  }
  if (TakesCarry)
    for (unsigned Lowest : {FirstCarryIn, SecondCarryIn})
      if (const MachineOperand *In = predicateOf(machine(), Lowest)) {
        const Operand P = predicate(*In);
        if (isNumber(P))
          Sum += P.Bits != 0;
        else
          Terms.push_back(
              compute("selp.b64", Wide, {number(1, Wide), number(0, Wide), P}));
      }
  Terms.push_back(number(Sum, Wide));
  Operand All = Terms[0];
  for (size_t N = 1; N < Terms.size(); ++N)
    if (!isNumber(Terms[N], 0))
      All = compute("add.s64", Wide, {All, Terms[N]});
  const auto [Low, High] = halves(All);
  emitMain("mov.b32", {isSink(To) ? temporary(Word) : To, Low});
  const Operand First = predicateResult(FirstCarryOut),
                Other = predicateResult(SecondCarryOut);
  if (!isSink(First))
    emit("setp.ne.u32", {First, High, number(0)});
  if (!isSink(Other))
    emit("setp.gt.u32", {Other, High, number(1)});
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void FunctionLift::liftMultiply() {
  const bool IsUnsigned = has("U32");
  const StringRef Type = IsUnsigned ? "u32" : "s32";
  const Operand A = integer(0), B = integer(1);
  if (has("WIDE") || has("HI")) {
    Operand C = wide(2);
    if (const MachineOperand *O = source(2)) {
      if (O->Negated)
        C = isNumber(C) ? number(0 - C.Bits, Wide)
                        : compute("neg.s64", Wide, {C});
      if (O->Inverted)
        C = isNumber(C) ? number(~C.Bits, Wide) : compute("not.b64", Wide, {C});
    }
    if (has("X")) {
      const Operand P = predicate(FirstCarryIn);
      if (!isNumber(P, 0)) {
        const Operand Carry =
            isNumber(P) ? number(1, Wide)
                        : compute("selp.b64", Wide,
                                  {number(1, Wide), number(0, Wide), P});
        C = isNumber(C, 0) ? Carry : compute("add.s64", Wide, {C, Carry});
      }
    }
    const MachineOperand *Out = predicateOf(machine(), FirstCarryOut);
    if (has("WIDE")) {
      const Operand To = wideResult();
      if (isNumber(C, 0))
        emitMain("mul.wide." + Type, {To, A, B});
      else
        emitMain("mad.wide." + Type, {To, A, B, C});
      if (isRead(Out))
        emit("setp.lt.u64", {predicateResult(FirstCarryOut), To, C});
      return;
    }
    const Operand To = result();
    const Operand Into = isSink(To) ? temporary(Word) : To;
    if (isNumber(C, 0) && !isRead(Out))
      return emitMain("mul.hi." + Type, {Into, A, B});
    const Operand Sum = compute("mad.wide." + Type, Wide, {A, B, C});
    if (isRead(Out))
      emit("setp.lt.u64", {predicateResult(FirstCarryOut), Sum, C});
    emitMain("mov.b32", {Into, halves(Sum).second});
    return;
  }
  const Operand To = result();
  const Operand Into = isSink(To) ? temporary(Word) : To;
  Operand C = integer(2);
  if (has("X")) {
    const Operand P = predicate(FirstCarryIn);
    if (!isNumber(P, 0)) {
      const Operand Carry =
          isNumber(P) ? number(1)
                      : compute("selp.b32", Word, {number(1), number(0), P});
      C = isNumber(C, 0) ? Carry : compute("add.s32", Word, {C, Carry});
    }
  }
  const bool HasProduct = !isNumber(A, 0) && !isNumber(B, 0);
  if (!HasProduct)
    return emitMain("mov.b32", {Into, C});
  if (isNumber(B, 1))
    return isNumber(C, 0) ? emitMain("mov.b32", {Into, A})
                          : emitMain("add.s32", {Into, A, C});
  if (isNumber(C, 0)) {
    const auto Factor = uint32_t(B.Bits);
    if (isNumber(B) && llvm::isPowerOf2_32(Factor))
      return emitMain("shl.b32", {Into, A, number(llvm::Log2_32(Factor))});
    return emitMain("mul.lo." + Type, {Into, A, B});
  }
  emitMain("mad.lo." + Type, {Into, A, B, C});
}

/// LEA: the first source shifted to the left, plus the second one; HI is the
/// upper half of that, of which the third source is the upper one.
void FunctionLift::liftShiftedSum() {
  const Operand To = result();
  const Operand Into = isSink(To) ? temporary(Word) : To;
  const Operand A = integer(0), B = integer(1);
  const unsigned Shift = shiftOf(machine()).value_or(0);
  const MachineOperand *Out = predicateOf(machine(), FirstCarryOut);
  Operand Scaled;
  if (has("HI")) {
    Operand Upper = integer(2);
    if (has("SX32"))
      Upper = isNumber(A) ? number(uint64_t(int64_t(int32_t(A.Bits)) >> 32))
                          : compute("shr.s32", Word, {A, number(31)});
    Scaled = compute("shf.l.wrap.b32", Word, {A, Upper, number(Shift)});
  } else if (isNumber(A)) {
    Scaled = number(uint32_t(A.Bits) << Shift);
  } else {
    Scaled = Shift == 0 ? A : compute("shl.b32", Word, {A, number(Shift)});
  }
  Operand Carry = number(0);
  if (has("X")) {
    const Operand P = predicate(FirstCarryIn);
    if (!isNumber(P, 0))
      Carry = isNumber(P)
                  ? number(1)
                  : compute("selp.b32", Word, {number(1), number(0), P});
  }
  if (isRead(Out)) {
    // What is subtracted counts as its inverse plus one.
    const MachineOperand *First = source(0);
    if (First && First->Negated && !has("HI")) {
      const Operand Plain =
          compute("shl.b32", Word, {raw(*First), number(Shift)});
      Scaled = compute("not.b32", Word, {Plain});
      Carry = isNumber(Carry, 0) ? number(1)
                                 : compute("add.s32", Word, {Carry, number(1)});
    }
    Operand Sum =
        compute("add.s64", Wide, {zeroExtended(Scaled), zeroExtended(B)});
    if (!isNumber(Carry, 0))
      Sum = compute("add.s64", Wide, {Sum, zeroExtended(Carry)});
    const auto [Low, High] = halves(Sum);
    emitMain("mov.b32", {Into, Low});
    emit("setp.ne.u32", {predicateResult(FirstCarryOut), High, number(0)});
    return;
  }
  if (!isNumber(Carry, 0))
    Scaled = compute("add.s32", Word, {Scaled, Carry});
  // Of a sum of 64 bits, which is computed with the upper half.
  const bool IsLower = Out && !isSink(predicateResult(FirstCarryOut));
  if (IsLower) {
    emitNothing();
    return emit("add.s32", {Into, Scaled, B});
  }
  if (isNumber(B, 0))
    return emitMain("mov.b32", {Into, Scaled});
  emitMain("add.s32", {Into, Scaled, B});
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

void FunctionLift::liftCompare() {
  const Operand P = predicateResult(81), Q = predicateResult(84);
  const Operand With = predicate(87);
  const StringRef Compare = comparisonOf(machine()), Join = joinOf(machine());
  const bool IsLong = has("U64") || has("S64");
  StringRef Type = has("U32") ? "u32" : "s32";
  if (IsLong)
    Type = has("U64") ? "u64" : "s64";
  Operand A, B;
  Operand Is;
  bool IsKnown = false;
  if (has("EX")) {
    // The upper half of a comparison of 64 bits: the lower one said 68.
    const MachineOperand *Lower = predicateOf(machine(), 68);
    const Value *V =
        Lower && Lower->Number != 7 && !Lower->Inverted
            ? MachineGraph::read(
                  current(),
                  machine::numberOf(Lower->Kind == OperandKind::Predicate
                                        ? RegisterFile::Predicate
                                        : RegisterFile::UniformPredicate,
                                    Lower->Number))
            : nullptr;
    const MachineInstruction *Low = nullptr;
    if (V) {
      V = MachineGraph::seenBy(current(), const_cast<Value *>(V));
      if (V->Def && !V->Def->isPseudo())
        Low = M.machineOf(*V->Def);
    }
    auto IsPlain = [&] {
      const MachineOperand *Joined = predicateOf(*Low, 87);
      const MachineOperand *First = predicateOf(*Low, 81);
      return Low->mnemonic().ends_with("ISETP") && !hasWord(*Low, "EX") &&
             comparisonOf(*Low) == Compare && joinOf(*Low) == "and" && Joined &&
             Joined->Number == 7 && !Joined->Inverted && First &&
             machine::numberOf(First->Kind == OperandKind::Predicate
                                   ? RegisterFile::Predicate
                                   : RegisterFile::UniformPredicate,
                               First->Number) == V->Register;
    };
    const MachineOperand *HA = source(0), *HB = source(1);
    if (Low && IsPlain() && HA && HB) {
      const MachineOperand *LA = sourceOf(*Low, 0), *LB = sourceOf(*Low, 1);
      A = wideOf(
          Pairs->pair(Pairs->half(*V->Def, *LA), Pairs->half(current(), *HA)));
      B = wideOf(
          Pairs->pair(Pairs->half(*V->Def, *LB), Pairs->half(current(), *HB)));
      Type = has("U32") ? "u64" : "s64";
    } else {
      const Operand Said = predicate(68);
      A = integer(0), B = integer(1);
      const StringRef Strict = Compare == "le"   ? "lt"
                               : Compare == "ge" ? "gt"
                                                 : Compare;
      Is = compute("setp." + Strict + "." + Type, ScalarType::Pred, {A, B});
      if (Compare == "ne")
        Is = join("or", Is, Said);
      else if (Compare == "eq")
        Is = join("and", Is, Said);
      else
        Is = join("or", Is,
                  join("and",
                       compute("setp.eq." + Type, ScalarType::Pred, {A, B}),
                       Said));
      IsKnown = true;
    }
  } else if (IsLong) {
    A = wide(0, true),
    B = wide(1, true); // numbers are signed, whatever is compared
  } else {
    A = integer(0), B = integer(1);
  }
  if (!IsKnown && Compare.empty()) {
    Is = truth(has("T"));
    IsKnown = true;
  }
  if (!IsKnown) {
    const Operand To = isSink(P) ? temporary(ScalarType::Pred) : P;
    if (isNumber(With) && With.Bits != 0 && Join == "and" && isSink(Q))
      return emitMain("setp." + Compare + "." + Type, {To, A, B});
    Is = temporary(ScalarType::Pred);
    emitMain("setp." + Compare + "." + Type, {Is, A, B});
  }
  // The results may be the predicate that is joined.
  const Operand First = join(Join, Is, With);
  Operand Second;
  if (!isSink(Q))
    Second = join(Join, inverted(Is), With);
  setPredicate(P, First);
  setPredicate(Q, Second);
}

/// The larger or smaller one, as a predicate says.
void FunctionLift::liftExtreme() {
  const StringRef Name = machine().mnemonic();
  StringRef Type = has("U32") ? "u32" : "s32";
  if (has("U16x2") || has("S16x2"))
    Type = has("U16x2") ? "u16x2" : "s16x2";
  const bool IsLong = has("U64") || has("S64");
  if (has("U8x4") || has("S8x4") || (IsLong && Name.contains("V")))
    return emitUnknown();
  const Operand P = predicate(87);
  const Operand To = result();
  Operand Into = isSink(To) ? temporary(Word) : To;
  const bool Clamps = has("RELU");
  auto Extreme = [&](Operand A, Operand B) {
    // True chooses the smaller one.
    const bool IsWide = IsLong;
    const StringRef T = IsLong ? (has("U64") ? "u64" : "s64") : Type;
    const ScalarType R = IsWide ? Wide : Word;
    if (isNumber(P))
      return compute((P.Bits != 0 ? "min." : "max.") + T, R, {A, B});
    const Operand Least = compute("min." + T, R, {A, B}),
                  Most = compute("max." + T, R, {A, B});
    return compute(IsWide ? "selp.b64" : "selp.b32", R, {Least, Most, P});
  };
  if (IsLong) {
    const Operand A = wide(0, true), B = wide(1, true);
    const Operand R = Extreme(A, B);
    return emitMain("mov.b64", {wideResult(), R});
  }
  Operand R;
  if (Name == "VIADDMNMX") {
    const Operand Sum = compute(Type.contains("16") ? "add." + Type : "add.s32",
                                Word, {integer(0), integer(1)});
    R = Extreme(Sum, integer(2));
  } else if (Name == "VIMNMX3") {
    R = Extreme(Extreme(integer(0), integer(1)), integer(2));
  } else {
    const Operand A = integer(0), B = integer(1);
    if (isNumber(P) && !Clamps)
      return emitMain((P.Bits != 0 ? "min." : "max.") + Type, {Into, A, B});
    R = Extreme(A, B);
  }
  if (Clamps)
    R = compute("max." + Type, Word, {R, number(0)});
  emitMain("mov.b32", {Into, R});
}

bool FunctionLift::liftInteger(StringRef Name) {
  if (Name == "IADD3" || Name == "IADD") {
    liftSum();
  } else if (Name == "VIADD") {
    const Operand To = result();
    if (has("16x2") && !has("ISAT"))
      emitMain("add.u16x2", {To, integer(0), integer(1)});
    else if (has("U8x4") || has("ISAT"))
      return false;
    else
      emitMain("add.s32",
               {isSink(To) ? temporary(Word) : To, integer(0), integer(1)});
  } else if (Name == "IMAD") {
    liftMultiply();
  } else if (Name == "LEA") {
    liftShiftedSum();
  } else if (Name == "ISETP") {
    liftCompare();
  } else if (Name == "IMNMX" || Name == "VIMNMX" || Name == "VIMNMX3" ||
             Name == "VIADDMNMX") {
    liftExtreme();
  } else if (Name == "IABS") {
    const Operand To = result();
    emitMain("abs.s32", {isSink(To) ? temporary(Word) : To, integer(0)});
  } else if (Name == "VABSDIFF") {
    emitMain(has("U32") ? "sad.u32" : "sad.s32",
             {result(), integer(0), integer(1), integer(2)});
  } else if (Name == "VABSDIFF4") {
    emitMain("vabsdiff4.u32.u32.u32.add",
             {result(), integer(0), integer(1), integer(2)});
  } else if (Name == "IDP") {
    const StringRef First = has("S8") || has("S16") ? "s32" : "u32";
    // Its second operand's type comes last.
    const StringRef Second =
        !machine().Modifiers.empty() && machine().Modifiers.back() == "S8"
            ? "s32"
            : "u32";
    StringRef A = First;
    if (machine().Modifiers.size() >= 2) {
      const StringRef W = machine().Modifiers[machine().Modifiers.size() - 2];
      A = W.starts_with("S") ? "s32" : "u32";
    }
    if (has("4A"))
      emitMain("dp4a." + A + "." + Second,
               {result(), integer(0), integer(1), integer(2)});
    else
      emitMain((has("2A.LO") ? "dp2a.lo." : "dp2a.hi.") + A + "." + Second,
               {result(), integer(0), integer(1), integer(2)});
  } else {
    return false;
  }
  return true;
}
