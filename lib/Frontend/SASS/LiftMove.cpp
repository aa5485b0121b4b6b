//===- LiftMove.cpp - Moves, selections, predicates, other lanes ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

/// What PTX calls a special register; empty if it has none.
static StringRef specialName(unsigned Number) {
  switch (Number) {
  case 0:
    return "%laneid";
  case 33:
    return "%tid.x";
  case 34:
    return "%tid.y";
  case 35:
    return "%tid.z";
  case 37:
    return "%ctaid.x";
  case 38:
    return "%ctaid.y";
  case 39:
    return "%ctaid.z";
  case 2:
    return "%nwarpid";
  case 3:
    return "%warpid";
  case 56:
    return "%lanemask_eq";
  case 57:
    return "%lanemask_lt";
  case 58:
    return "%lanemask_le";
  case 59:
    return "%lanemask_gt";
  case 60:
    return "%lanemask_ge";
  case 67:
    return "%smid";
  case 80:
    return "%clock";
  case 81:
    return "%clock_hi";
  case 82:
    return "%globaltimer_lo";
  case 83:
    return "%globaltimer_hi";
  case 136:
    return "%cluster_ctarank";
  default:
    return {};
  }
}

/// The truth of \p Table, three inputs wide, of predicates.
Operand FunctionLift::tabled(unsigned Table, ArrayRef<Operand> Inputs) {
  // By the first input: what is left if it is true, and if it is false.
  const unsigned Rows = 1U << (Inputs.size() - 1), All = (1U << Rows) - 1;
  const unsigned IfTrue = Table >> Rows & All, IfFalse = Table & All;
  const Operand &P = Inputs[0];
  if (isNumber(P) || IfTrue == IfFalse) {
    const unsigned Rest =
        isNumber(P) ? (P.Bits != 0 ? IfTrue : IfFalse) : IfTrue;
    return Inputs.size() == 1 ? truth(Rest != 0)
                              : tabled(Rest, Inputs.drop_front());
  }
  if (Inputs.size() == 1)
    return IfTrue ? P : inverted(P);
  const Operand True = tabled(IfTrue, Inputs.drop_front()),
                False = tabled(IfFalse, Inputs.drop_front());
  if (isNumber(True) && isNumber(False)) {
    if (True.Bits == False.Bits)
      return True;
    return True.Bits != 0 ? P : inverted(P);
  }
  if (isNumber(True))
    return True.Bits != 0 ? join("or", P, False)
                          : join("and", inverted(P), False);
  if (isNumber(False))
    return False.Bits != 0 ? join("or", inverted(P), True)
                           : join("and", P, True);
  return join("or", join("and", P, True), join("and", inverted(P), False));
}

/// PLOP3: two results of three predicates, each by a table.
void FunctionLift::liftPredicateLogic() {
  SmallVector<Operand, 3> Inputs;
  SmallVector<unsigned, 2> Tables;
  const MachineOperand *Third = nullptr;
  for (const MachineOperand &O : machine().Operands)
    if (O.Kind == OperandKind::Hexadecimal)
      Tables.push_back(unsigned(O.Value));
    else
      Third = Tables.empty() ? &O : Third; // the one before them
  if (Tables.size() != 2 || !Third)
    return emitUnknown();
  Inputs = {predicate(87), predicate(77), predicate(*Third)};
  const Operand P = predicateResult(81), Q = predicateResult(84);
  const Operand First = tabled(Tables[0], Inputs);
  Operand Second;
  if (!isSink(Q))
    Second = tabled(Tables[1], Inputs);
  setPredicate(P, First);
  setPredicate(Q, Second);
  emitNothing();
}

/// A mask of the lanes in which the guard and \p P hold.
Operand FunctionLift::lanesWith(const Operand &P) {
  const Operand Is = join("and", guard(), P);
  return isNumber(Is) ? compute("activemask.b32", Word, ArrayRef<Operand>())
                      : compute("vote.ballot.b32", Word, {Is});
}

/// What a loop of lanes does is for those that are there at its first
/// instruction: the guard may change.
void FunctionLift::keepLoopLanes() {
  if (LoopLanes)
    return;
  const Operand Is = guard();
  LoopLanes = isNumber(Is) ? Is : compute("mov.pred", ScalarType::Pred, {Is});
}

/// R2UR: all lanes have what the first one has in which the guard holds. A
/// predicate says which ones have something else; a loop then does the same for
/// these.
void FunctionLift::liftToUniform(const Operand &To) {
  constexpr unsigned True = 7, AllLanes = 31;
  const Operand From = integer(0), P = predicateResult(81);
  if (isLaneLoop(*current().Parent)) {
    keepLoopLanes();
    emitMain("mov.b32", {To, From});
    if (!has("OR")) // nothing differs
      setPredicate(P, truth(false));
    return;
  }
  const bool HasGuard = machine().Guard != True && !machine().GuardIsUniform;
  if (!HasGuard && isSink(P)) // it is the same in all of them
    return emitMain("mov.b32", {To, From});
  const Operand Lanes = lanesWith(truth(true));
  // The lowest bit.
  const Operand Reversed = compute("brev.b32", Word, {Lanes});
  const Operand First = compute("clz.b32", Word, {Reversed});
  const Operand Of =
      compute("shfl.idx.b32", Word, {From, First, number(AllLanes)});
  const Operand Is =
      compute("setp.ne.u32", ScalarType::Pred, {Lanes, number(0)});
  // It is written in the other lanes too.
  emitMainIf(Is, "mov.b32", {To, Of});
  if (isSink(P))
    return;
  if (!has("OR"))
    return emit("setp.ne.u32", {P, From, Of});
  // Of several values that are all to be the same.
  const Operand Differs = compute("setp.ne.u32", ScalarType::Pred, {From, Of});
  setPredicate(P, join("or", P, Differs));
}

bool FunctionLift::liftMove(StringRef Name) {
  const Operand To = result();
  const Operand Into = isSink(To) ? temporary(Word) : To;
  if (Name == "MOV") {
    if (has("64"))
      emitMain("mov.b64", {wideResult(), wide(0)});
    else
      emitMain("mov.b32", {Into, integer(0)});
  } else if (Name == "SEL") {
    const Operand P = predicate(87);
    if (has("64")) {
      const Operand A = wide(0), B = wide(1, true);
      emitMain("selp.b64", {wideResult(), A, B, P});
    } else {
      emitMain("selp.b32", {Into, integer(0), integer(1), P});
    }
  } else if (Name == "S2R" || Name == "S2UR" || Name == "CS2R" ||
             Name == "CS2UR") {
    const MachineOperand *S = nullptr;
    for (const MachineOperand &O : machine().Operands)
      if (O.Kind == OperandKind::Special)
        S = &O;
    if (!S)
      return false;
    const bool IsPair = Name.starts_with("C") && !has("32");
    if (isZeroRegister(machine())) {
      emitMain("mov.b32", {Into, number(0)});
      if (IsPair)
        emit("mov.b32", {result(1), number(0)});
      return true;
    }
    if (IsPair && (S->Number == 80 || S->Number == 82)) {
      const Operand Both = temporary(Wide);
      emitMain("mov.u64",
               {Both, special(S->Number == 80 ? "%clock64" : "%globaltimer")});
      emit("mov.b64", {vector({result(), result(1)}), Both});
      return true;
    }
    const StringRef Of = specialName(S->Number);
    constexpr unsigned SharedWindow = 47, BlockOfCluster = 136,
                       SizeOfCluster = 138;
    if (S->Number == SharedWindow) { // the upper half of where it begins
      const Operand Begin = windowOf(AddressSpace::Shared);
      emitMain("mov.b32", {Into, halves(Begin).second});
      return true;
    }
    if ((S->Number == BlockOfCluster && !usesClusters()) ||
        S->Number == SizeOfCluster) {
      // Of what is no cluster; of the size an index depends, not more.
      emitMain("mov.u32", {Into, number(0)});
      return true;
    }
    if (Of.empty())
      return false;
    emitMain("mov.u32", {Into, special(Of)});
  } else if (Name == "R2UR") {
    liftToUniform(Into);
  } else if (Name == "PLOP3") {
    const MachineOperand *First = sourceOf(machine(), 0);
    if (First) // signs of registers
      return false;
    liftPredicateLogic();
  } else if (Name == "VOTE") {
    const Operand P = predicate(87);
    const Operand Is = predicateResult(81);
    if (!isSink(To))
      emitMain("vote.ballot.b32", {To, P});
    if (!isSink(Is)) {
      const StringRef Mode = has("ALL")   ? "vote.all.pred"
                             : has("ANY") ? "vote.any.pred"
                                          : "vote.uni.pred";
      emitMain(Mode, {Is, P});
    }
  } else if (Name == "VOTEU") {
    const Operand P = predicate(87);
    const Operand Is = predicateResult(81);
    if (!isSink(To))
      emitMain("vote.ballot.b32", {To, P});
    if (!isSink(Is))
      emitMain(has("ALL")   ? "vote.all.pred"
               : has("ANY") ? "vote.any.pred"
                            : "vote.uni.pred",
               {Is, P});
  } else if (Name == "SHFL") {
    const MachineOperand *First = nullptr, *Second = nullptr;
    SmallVector<const MachineOperand *, 4> Sources;
    for (const MachineOperand &O : machine().Operands)
      if (O.Kind == OperandKind::Register || O.Kind == OperandKind::Integer)
        Sources.push_back(&O);
    if (Sources.size() < 4)
      return false;
    First = Sources[2], Second = Sources[3];
    const StringRef Mode = has("UP")     ? "up"
                           : has("DOWN") ? "down"
                           : has("BFLY") ? "bfly"
                                         : "idx";
    const Operand Data = raw(*Sources[1]);
    Operand P = predicateResult(81);
    Operand D = Into;
    if (!isSink(P)) {
      Operand Both = vector({D, P});
      D = Both;
    }
    emitMain("shfl." + Mode + ".b32", {D, Data, raw(*First), raw(*Second)});
  } else if (Name == "P2R" || Name == "UP2UR") {
    const MachineOperand *File = nullptr;
    for (const MachineOperand &O : machine().Operands)
      if (O.Kind == OperandKind::AllPredicates)
        File = &O;
    const Operand Old = integer(0);
    const auto Mask = uint32_t(machine().Operands.back().Value);
    if (!File)
      return false;
    const unsigned Byte = has("B1") ? 1 : has("B2") ? 2 : has("B3") ? 3 : 0;
    Operand All = number(0);
    const unsigned Base = File->Number != 0 ? machine::FirstUniformPredicate
                                            : machine::FirstPredicate;
    for (unsigned N = 0; N != 7; ++N) {
      if (!(Mask >> N & 1))
        continue;
      const Operand Bit = compute(
          "selp.b32", Word,
          {number(1U << (N + 8 * Byte)), number(0), registerOperand(Base + N)});
      All = isNumber(All, 0) ? Bit : compute("or.b32", Word, {All, Bit});
    }
    const uint32_t Kept = ~((Mask & 0xff) << (8 * Byte));
    Operand Rest = isNumber(Old)
                       ? number(Old.Bits & Kept)
                       : compute("and.b32", Word, {Old, number(Kept)});
    emitMain("or.b32", {Into, Rest, All});
  } else if (Name == "R2P" || Name == "UR2UP") {
    const MachineOperand *File = nullptr, *From = nullptr;
    for (const MachineOperand &O : machine().Operands) {
      if (O.Kind == OperandKind::AllPredicates)
        File = &O;
      if (O.Kind == OperandKind::Register || O.Kind == OperandKind::Uniform)
        From = &O;
    }
    if (!File || !From)
      return false;
    const auto Mask =
        Name == "UR2UP" ? 0x7fU : uint32_t(machine().Operands.back().Value);
    const unsigned Byte = From->Part == MachineOperand::Byte1   ? 1
                          : From->Part == MachineOperand::Byte2 ? 2
                          : From->Part == MachineOperand::Byte3 ? 3
                                                                : 0;
    const Operand R = raw(*From);
    const unsigned Base = File->Number != 0 ? machine::FirstUniformPredicate
                                            : machine::FirstPredicate;
    for (unsigned N = 0; N != 7; ++N) {
      if (!(Mask >> N & 1))
        continue;
      const Operand Bit =
          compute("and.b32", Word, {R, number(1U << (N + 8 * Byte))});
      emit("setp.ne.u32", {registerOperand(Base + N), Bit, number(0)});
    }
    emitNothing();
  } else if (Name == "CREDUX") {
    // Of a signed or unsigned number, or a float.
    const bool IsAbsolute = has("MAXABS") || has("MINABS");
    const StringRef Type = has("F32") ? ".f32" : has("S32") ? ".s32" : ".u32";
    const Operand Lanes = compute("activemask.b32", Word, ArrayRef<Operand>());
    emitMain(std::string(has("MIN") || has("MINABS") ? "redux.sync.min"
                                                     : "redux.sync.max") +
                 (IsAbsolute ? ".abs" : "") + (has("NAN") ? ".NaN" : "") +
                 Type.str(),
             {Into, integer(0), Lanes});
  } else if (Name == "REDUX") {
    const StringRef Of = has("OR")    ? "or.b32"
                         : has("XOR") ? "xor.b32"
                         : has("SUM") ? (has("S32") ? "add.s32" : "add.u32")
                         : has("MIN") ? (has("S32") ? "min.s32" : "min.u32")
                         : has("MAX") ? (has("S32") ? "max.s32" : "max.u32")
                                      : "and.b32";
    const Operand Lanes = compute("activemask.b32", Word, ArrayRef<Operand>());
    emitMain("redux.sync." + Of, {Into, integer(0), Lanes});
  } else if (Name == "CREDUX") {
    const bool IsAbsolute = has("MAXABS") || has("MINABS");
    if (IsAbsolute && !has("F32"))
      return false;
    const std::string Mnemonic = std::string("redux.sync.") +
                                 (has("MAX") || has("MAXABS") ? "max" : "min") +
                                 (IsAbsolute ? ".abs" : "") +
                                 (has("NAN") ? ".NaN" : "") +
                                 (has("F32")   ? ".f32"
                                  : has("S32") ? ".s32"
                                               : ".u32");
    const Operand Lanes = compute("activemask.b32", Word, ArrayRef<Operand>());
    emitMain(Mnemonic, {Into, integer(0), Lanes});
  } else if (Name == "MATCH") {
    const Operand Lanes = compute("activemask.b32", Word, ArrayRef<Operand>());
    const bool IsWide = has("U64");
    const Operand A = IsWide ? wide(0) : integer(0);
    const StringRef Type = IsWide ? ".sync.b64" : ".sync.b32";
    const Operand P = predicateResult(81);
    if (has("ALL"))
      emitMain("match.all" + Type,
               {isSink(P) ? Into : vector({Into, P}), A, Lanes});
    else
      emitMain("match.any" + Type, {Into, A, Lanes});
  } else if (Name == "ELECT") {
    const Operand P = predicateResult(81);
    if (isLaneLoop(*current().Parent)) { // each one in its turn
      keepLoopLanes();
      emitMain("mov.u32", {Into, special("%laneid")});
      setPredicate(P, truth(true));
      return true;
    }
    const Operand Lanes = lanesWith(predicate(87));
    emitMain(
        "elect.sync",
        {vector({Into, isSink(P) ? temporary(ScalarType::Pred) : P}), Lanes});
    emitAllocation();
  } else {
    return false;
  }
  return true;
}
