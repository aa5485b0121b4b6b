//===- LiftAsync.cpp - Barriers in shared memory --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// From sm_90 on there are instructions for mbarriers. Before, an arrival is an
// atomic operation, and all else are loads, stores and additions. What is
// stored tells that it is an mbarrier.
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {
/// How the machine has an mbarrier: counts go up, and end at these numbers.
constexpr uint32_t MaxCount = 0x100000; ///< from sm_90 on, one bit further up
constexpr uint32_t LowerEnd = 0x40000000, UpperEnd = 0x80000000; ///< before
/// Where an arrival's state has the number of those that are missing, in its
/// upper word, and its phase.
constexpr unsigned CountAt = 11, PhaseAt = 31;
constexpr uint32_t PhaseBit = 0x80000000;
constexpr unsigned FirstWithInstructions = 90;
} // namespace

/// The phase that is waited for: the upper bit of a word.
Operand FunctionLift::barrierParity(const MachineOperand *O) {
  const Operand Bits = O ? raw(*O) : number(0);
  if (isNumber(Bits))
    return number(uint32_t(Bits.Bits) >> PhaseAt);
  return compute("shr.u32", Word, {Bits, number(PhaseAt)});
}

/// Writes the result of an arrival. Other instructions than those that wait
/// look for the count as the machine has it.
void FunctionLift::moveBarrierState(const Operand &State) {
  const Operand Low = result(), High = result(1);
  const Value *V = MachineGraph::written(current(), High.RegisterIndex);
  const bool OnlyWaits =
      V && llvm::all_of(V->Users, [&](const Instruction *User) {
        const MachineInstruction *By = M.machineOf(*User);
        return By && By->mnemonic() == "SYNCS";
      });
  if (OnlyWaits)
    return emit("mov.b64", {vector({Low, High}), State});
  // Its lowest bits are the count, its uppermost one the phase.
  const auto [Count, Phase] = halves(State);
  const bool IsNew = architecture() >= FirstWithInstructions;
  Operand Missing = compute("and.b32", Word, {Count, number(MaxCount - 1)});
  Missing =
      compute("sub.u32", Word, {number(IsNew ? MaxCount : UpperEnd), Missing});
  if (IsNew)
    Missing = compute("shl.b32", Word, {Missing, number(CountAt)});
  Missing = compute("and.b32", Word, {Missing, number(~PhaseBit)});
  const Operand Is = compute("and.b32", Word, {Phase, number(PhaseBit)});
  emit("mov.b32", {Low, Count});
  emit("or.b32", {High, Missing, Is});
}

/// An arrival, or what is expected to come or has come.
void FunctionLift::liftArrival() {
  const MachineOperand *At = memory();
  const Operand Where = narrowAddress(*At);
  const MachineOperand *By = nullptr;
  for (const MachineOperand &O : machine().Operands)
    if (&O > At && O.Kind == OperandKind::Register)
      By = &O;
  const Operand Count = By ? raw(*By) : number(0);
  // It may be another block's, of which no state comes back.
  const bool IsSunk = isSink(result());
  const std::string Space =
      IsSunk && has("RED") && usesClusters() ? ".shared::cluster" : ".shared";
  if (has("A0TR"))
    return emitMain("mbarrier.expect_tx.relaxed.cta" + Space + ".b64",
                    {Where, Count});
  if (has("A0TX"))
    return emitMain("mbarrier.complete_tx.relaxed.cta" + Space + ".b64",
                    {Where, Count});
  // Something is expected that ARRIVES.TRANSCNT brings.
  if (has("A0T1"))
    return emitMain("mbarrier.expect_tx.relaxed.cta" + Space + ".b64",
                    {Where, number(1)});
  const bool Expects = !has("A1T0") && !has("ART0");
  const std::string Mnemonic =
      std::string(has("OPTOUT") ? "mbarrier.arrive_drop" : "mbarrier.arrive") +
      (Expects ? ".expect_tx" : "") + Space + ".b64";
  const Operand State = IsSunk ? sink() : temporary(Wide);
  if (has("A1T0"))
    emitMain(Mnemonic, {State, Where});
  else
    emitMain(Mnemonic, {State, Where, Count});
  if (!IsSunk)
    moveBarrierState(State);
}

/// The check of a barrier among the instructions of \p X; null if there is none
/// or more.
static const Instruction *onlyCheck(const MachineGraph &M, const Block &X) {
  const Instruction *Found = nullptr;
  for (const Instruction *I : X.Instructions) {
    const MachineInstruction *Is = M.machineOf(*I);
    if (!Is || Is->mnemonic() != "SYNCS")
      continue;
    if (Found || !hasWord(*Is, "PHASECHK"))
      return nullptr;
    Found = I;
  }
  return Found;
}

bool FunctionLift::isPeeledWait() const {
  const Block &X = *current().Parent;
  const Instruction *Last = X.terminator();
  const MachineInstruction *Jump = Last ? M.machineOf(*Last) : nullptr;
  constexpr unsigned FirstResultAt = 81, True = 7;
  const MachineOperand *P = predicateOf(machine(), FirstResultAt);
  if (!has("TRYWAIT") || machine().Guard != True || !P || P->Number == True ||
      !Jump || Jump->mnemonic() != "BRA" || Jump->Guard != P->Number ||
      Jump->GuardIsUniform || !Jump->GuardIsNegated || conditionOf(*Jump))
    return false;
  // It jumps to a loop that does the same until it succeeds.
  const Block *Loop = nullptr;
  for (const Operand &O : Last->Operands)
    if (O.Kind == Operand::KindTy::Target)
      Loop = O.Dest;
  if (!Loop || Loop == &X || !Loop->terminator() ||
      llvm::none_of(Loop->terminator()->Operands, [&](const Operand &O) {
        return O.Kind == Operand::KindTy::Target && O.Dest == Loop;
      }))
    return false;
  const Instruction *Again = onlyCheck(M, *Loop);
  if (!Again)
    return false;
  const MachineInstruction &Other = *M.machineOf(*Again);
  if (Other.Operands.size() != machine().Operands.size())
    return false;
  for (size_t N = 0; N != Other.Operands.size(); ++N) {
    const MachineOperand &A = machine().Operands[N], &B = Other.Operands[N];
    if (A.Kind != B.Kind || A.Number != B.Number || A.Offset != B.Offset ||
        A.Value != B.Value)
      return false;
  }
  return true;
}

bool FunctionLift::liftBarrierObject(StringRef Name) {
  const MachineOperand *At = memory();
  if (Name == "ATOMS" || Name == "ATOM") { // before sm_90
    if (!has("ARRIVE") || !At)
      return false;
    const bool IsSunk = isSink(result());
    const Operand State = IsSunk ? sink() : temporary(Wide);
    if (Name == "ATOMS")
      emitMain("mbarrier.arrive.shared.b64", {State, narrowAddress(*At)});
    else
      emitMain("mbarrier.arrive.b64", {State, globalAddress(*At)});
    if (!IsSunk)
      moveBarrierState(State);
    return true;
  }
  if (Name == "ARRIVES") {
    if (!At)
      return false;
    const Operand Where = narrowAddress(*At);
    if (!has("TRANSCNT")) {
      emitMain("cp.async.mbarrier.arrive.noinc.shared.b64", {Where});
      return true;
    }
    // What was expected before takes the place of an arrival.
    emitMain("cp.async.mbarrier.arrive.shared.b64", {Where});
    emit("mbarrier.complete_tx.relaxed.cta.shared.b64", {Where, number(1)});
    return true;
  }
  if (Name != "SYNCS")
    return false;
  if (has("CCTL")) { // what was there is no barrier any more
    emitNothing();
    return true;
  }
  if (!At)
    return false;
  if (has("ARRIVE")) {
    liftArrival();
    return true;
  }
  if (has("EXCH")) {
    const MachineOperand *Value = &machine().Operands.back();
    if (!isSink(result()) || Value->Kind != OperandKind::Uniform)
      return false;
    const Operand Where = narrowAddress(*At);
    Operand Count = raw(*Value);
    Count = compute("shr.u32", Word, {Count, number(1)});
    Count = compute("sub.u32", Word, {number(MaxCount), Count});
    emitOnce("mbarrier.init.shared.b64", {Where, Count});
    return true;
  }
  if (has("PHASECHK")) {
    const Operand Where = narrowAddress(*At);
    const Operand Parity = barrierParity(&machine().Operands.back());
    const Operand P = predicateResult(81);
    const Operand Into = isSink(P) ? temporary(ScalarType::Pred) : P;
    // The assembler checks once before a loop: here it is the loop.
    const bool IsLoop = !Collects && isPeeledWait();
    Operand Loop;
    if (IsLoop) {
      Loop.Kind = Operand::KindTy::Target;
      Loop.Dest = B->block("", &current());
      B->startBlock(Loop.Dest, Line);
    }
    emitMain(has("TRYWAIT") ? "mbarrier.try_wait.parity.shared.b64"
                            : "mbarrier.test_wait.parity.shared.b64",
             {Into, Where, Parity});
    if (IsLoop) {
      emitMainIf(Into, "bra", {Loop}, /*IsNegated=*/true);
      B->startBlock(B->block("", static_cast<const void *>(&current().Parent)),
                    Line);
      HasWaited = true;
    }
    return true;
  }
  return false;
}

static bool isNumber(const MachineOperand &O) {
  return O.Kind == OperandKind::Integer || O.Kind == OperandKind::Hexadecimal;
}

/// Whether \p I is End - R, which is then what is left of R arrivals.
static bool isDifferenceFrom(const MachineInstruction *I, uint32_t End) {
  if (!I || (I->mnemonic() != "IADD3" && I->mnemonic() != "IADD" &&
             I->mnemonic() != "VIADD"))
    return false;
  bool HasEnd = false, HasNegated = false;
  for (unsigned N = 0; const MachineOperand *O = sourceOf(*I, N); ++N) {
    if (::isNumber(*O))
      HasEnd |= uint32_t(O->Value) == End;
    else if (O->Kind == OperandKind::Register &&
             O->Number != MachineOperand::RegisterZero)
      HasNegated |= O->Negated;
  }
  return HasEnd && HasNegated;
}

/// What made a register; null if that is no instruction.
static const Instruction *makerOf(const RegisterHalf &H) {
  return H.Kind == RegisterHalf::Register ? H.Val->Def : nullptr;
}

/// What \p I shifts to the left by \p By; null if it does not.
static const MachineOperand *shiftedLeft(const MachineInstruction *I,
                                         unsigned By) {
  const MachineOperand *Of = I ? sourceOf(*I, 0) : nullptr,
                       *Count = I ? sourceOf(*I, 1) : nullptr;
  if (!Of || !Count || !::isNumber(*Count))
    return nullptr;
  const bool IsShift = I->mnemonic() == "SHF" && hasWord(*I, "L"),
             IsProduct = I->mnemonic() == "IMAD" && hasWord(*I, "SHL");
  const auto Value = uint64_t(Count->Value);
  return (IsShift && Value == By) || (IsProduct && Value == 1U << By) ? Of
                                                                      : nullptr;
}

/// The number of arrivals in what is stored before sm_90; nothing if it is no
/// such.
std::optional<Operand> FunctionLift::countOfFormer(const RegisterHalf &Low,
                                                   const RegisterHalf &High) {
  if (Low.Kind == RegisterHalf::Number && High.Kind == RegisterHalf::Number) {
    const uint32_t Number = LowerEnd - Low.Bits;
    if (Number == 0 || Number >= MaxCount || High.Bits != UpperEnd - Number)
      return std::nullopt;
    return number(Number);
  }
  const Instruction *Lower = makerOf(Low), *Upper = makerOf(High);
  if (!Lower || !Upper || !isDifferenceFrom(M.machineOf(*Lower), LowerEnd) ||
      !isDifferenceFrom(M.machineOf(*Upper), UpperEnd))
    return std::nullopt;
  return compute("sub.u32", Word,
                 {number(LowerEnd), raw(machine().Operands.back())});
}

/// The same from sm_90 on, where a store is followed by something that tells
/// the barriers' unit.
std::optional<Operand> FunctionLift::countOf(const RegisterHalf &Low,
                                             const RegisterHalf &High) {
  constexpr unsigned LowerShift = 1, UpperShift = 11;
  const bool IsTold =
      llvm::any_of(current().Parent->Instructions, [&](const Instruction *I) {
        const MachineInstruction *Is = M.machineOf(*I);
        return Is && Is->mnemonic() == "SYNCS" && hasWord(*Is, "CCTL");
      });
  if (!IsTold)
    return std::nullopt;
  if (Low.Kind == RegisterHalf::Number && High.Kind == RegisterHalf::Number) {
    const uint32_t Left = Low.Bits >> LowerShift;
    if (Left == 0 || Left >= MaxCount || Low.Bits != Left << LowerShift ||
        High.Bits != Left << UpperShift)
      return std::nullopt;
    return number(MaxCount - Left);
  }
  const Instruction *Lower = makerOf(Low), *Upper = makerOf(High);
  const MachineOperand *A = Lower ? shiftedLeft(M.machineOf(*Lower), LowerShift)
                                  : nullptr,
                       *B = Upper ? shiftedLeft(M.machineOf(*Upper), UpperShift)
                                  : nullptr;
  if (!A || !B)
    return std::nullopt;
  const RegisterHalf Left = Pairs->origin(Pairs->half(*Lower, *A));
  const Instruction *Made = makerOf(Left);
  if (!(Left == Pairs->origin(Pairs->half(*Upper, *B))) || !Made ||
      !isDifferenceFrom(M.machineOf(*Made), MaxCount))
    return std::nullopt;
  const Operand Again = compute(
      "shr.u32", Word, {raw(machine().Operands.back()), number(LowerShift)});
  return compute("sub.u32", Word, {number(MaxCount), Again});
}

bool FunctionLift::liftBarrierStore() {
  if (machine().mnemonic() != "STS" || !has("64") || !memory())
    return false;
  const MachineOperand &Data = machine().Operands.back();
  if (Data.Kind != OperandKind::Register ||
      Data.Number == MachineOperand::RegisterZero)
    return false;
  const RegisterHalf Low = Pairs->origin(Pairs->half(current(), Data)),
                     High = Pairs->origin(Pairs->half(current(), Data, 1));
  const std::optional<Operand> Count = architecture() >= FirstWithInstructions
                                           ? countOf(Low, High)
                                           : countOfFormer(Low, High);
  if (!Count)
    return false;
  emitMain("mbarrier.init.shared.b64", {narrowAddress(*memory()), *Count});
  return true;
}

bool FunctionLift::liftAsync(StringRef Name) { return liftBarrierObject(Name); }
