//===- LiftControl.cpp - Branches, barriers and what changes nothing ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "OperationTable.h"
#include "llvm/Support/Endian.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

bool FunctionLift::liftControl(StringRef Name) {
  static constexpr StringRef Nothing[] = {
      "NOP",  "BSSY",          "BSYNC",  "BREAK",  "YIELD", "WARPSYNC",
      "BMOV", "ENDCOLLECTIVE", "PMTRIG", "RPCMOV", "LEPC"};
  if (llvm::is_contained(Nothing, Name)) {
    if (Name == "LEPC" && !current().Defs.empty())
      emit("mov.b32", {result(), number(0)});
    emitNothing();
    return true;
  }
  const bool Jumps = !current().Operands.empty() && [&] {
    for (const Operand &O : current().Operands)
      if (O.Kind == Operand::KindTy::Target)
        return true;
    return false;
  }();
  if (Name == "BRA" || Name == "CALL" || (Name == "RET" && Jumps)) {
    if (M.placeOf(current()).IsFallThrough || HasWaited ||
        isLaneLoop(*current().Parent)) {
      emitNothing();
      return true;
    }
    if (!Jumps)
      return Name == "CALL" && liftCall();
    if (Collects)
      return true;
    Operand To;
    for (const Operand &O : current().Operands)
      if (O.Kind == Operand::KindTy::Target)
        To = O;
    To.Dest = Blocks.lookup(To.Dest);
    const MachineOperand *Condition = conditionOf(machine());
    emitJump("bra", To, Condition);
    return true;
  }
  if (Name == "BRX" || Name == "BRXU")
    return liftTableJump();
  if (Name == "EXIT") {
    if (M.placeOf(current()).IsFallThrough) {
      emitNothing();
      return true;
    }
    emitJump("exit", Operand(), conditionOf(machine()));
    return true;
  }
  if (Name == "RET") {
    emitReturn();
    return true;
  }
  if (Name == "BPT") {
    emitJump("trap", Operand(), nullptr);
    return true;
  }
  if (Name == "BAR") {
    const Operand Number =
        !machine().Operands.empty() ? raw(machine().Operands[0]) : number(0);
    SmallVector<Operand, 3> All;
    bool HasCount = false;
    for (const MachineOperand &O : ArrayRef(machine().Operands).drop_front())
      if (!O.IsHidden &&
          (O.Kind == OperandKind::Integer || O.Kind == OperandKind::Register)) {
        const Operand N = raw(O);
        if (!isNumber(N, 0)) {
          All.push_back(N);
          HasCount = true;
        }
      }
    if (has("RED")) {
      // The result is read by B2R.
      const Operand P = predicate(87);
      const Operand Sum = barrierResult();
      if (has("POPC"))
        emitMain("barrier.red.popc.u32", {Sum, Number, P});
      else {
        const Operand Is = temporary(ScalarType::Pred);
        emitMain(has("AND") ? "barrier.red.and.pred" : "barrier.red.or.pred",
                 {Is, Number, P});
        emit("selp.b32", {Sum, number(1), number(0), Is});
      }
      return true;
    }
    All.insert(All.begin(), Number);
    if (has("ARV")) {
      if (!HasCount) { // all threads of the block
        Operand Threads =
            compute("mov.u32", ScalarType::B32, {special("%ntid.x")});
        for (StringRef Size : {"%ntid.y", "%ntid.z"})
          Threads = compute(
              "mul.lo.u32", ScalarType::B32,
              {Threads, compute("mov.u32", ScalarType::B32, {special(Size)})});
        All.push_back(Threads);
      }
      emitMain("barrier.arrive", All);
      return true;
    }
    emitMain("barrier.sync", All);
    return true;
  }
  if (Name == "B2R") {
    if (has("WARP"))
      return false;
    const Operand R = barrierResult();
    const Operand P = predicateResult(81);
    const Operand To = result();
    emitMain("mov.b32", {isSink(To) ? temporary(ScalarType::B32) : To, R});
    if (!isSink(P))
      emit("setp.ne.u32", {P, R, number(0)});
    return true;
  }
  if (Name == "NANOSLEEP") {
    const MachineOperand *O = nullptr;
    for (const MachineOperand &X : machine().Operands)
      if (X.Kind == OperandKind::Register || X.Kind == OperandKind::Integer)
        O = &X;
    emitMain("nanosleep.u32", {O ? raw(*O) : number(0)});
    return true;
  }
  if (Name == "CGABAR_ARV" || Name == "CGABAR_WAIT" || Name == "UCGABAR_ARV" ||
      Name == "UCGABAR_WAIT") {
    emitMain(Name.ends_with("ARV") ? "barrier.cluster.arrive"
                                   : "barrier.cluster.wait",
             {});
    return true;
  }
  return false;
}

/// A jump to an address that a load took from a table, by an index.
bool FunctionLift::liftTableJump() {
  const MachineOperand *At = nullptr;
  for (const MachineOperand &O : machine().Operands)
    if (O.Kind == OperandKind::Register || O.Kind == OperandKind::Uniform)
      At = &O;
  if (!At || current().Operands.empty() ||
      current().Operands.back().Kind != Operand::KindTy::List)
    return false;
  const RegisterHalf H = Pairs->origin(Pairs->half(current(), *At));
  if (H.Kind != RegisterHalf::Register || !H.Val->Def)
    return false;
  const MachineInstruction *Load = M.machineOf(*H.Val->Def);
  const MachineOperand *C = nullptr;
  if (Load)
    for (const MachineOperand &O : Load->Operands)
      if (O.Kind == OperandKind::Constant && O.Offset)
        C = &O;
  if (!C)
    return false;
  MachineOperand Index;
  Index.Kind = C->IsUniformIndex ? OperandKind::Uniform : OperandKind::Register;
  Index.Number = *C->Offset;
  const RegisterHalf Bytes = Pairs->half(*H.Val->Def, Index);
  if (Bytes.Kind != RegisterHalf::Register)
    return false;
  // The table is that of the jump.
  ArrayRef<Operand> Targets = current().Operands.back().Elements;
  const CubinSection *S = L.image().bank(C->Number, F.Name);
  constexpr uint64_t WordBytes = 4;
  const auto First = uint64_t(C->Value);
  if (!S || First + WordBytes * Targets.size() > S->Content.size())
    return false;
  for (size_t N = 0; N != Targets.size(); ++N) {
    const auto To = M.addressOf(*Targets[N].Dest);
    const uint32_t Word = llvm::support::endian::read32le(
        S->Content.data() + First + WordBytes * N);
    if (!To || To->first != Word)
      return false;
  }
  Pairs->name(Bytes.Val);
  if (Collects)
    return true;
  const Operand N =
      compute("shr.u32", ScalarType::B32, {read(Bytes), number(2)});
  SmallVector<Operand, 8> All;
  for (const Operand &O : Targets) {
    Operand To = O;
    To.Dest = Blocks.lookup(O.Dest);
    All.push_back(To);
  }
  Operand List = current().Operands.back();
  List.Elements = B->keep(All);
  InstructionInfo Info = mnemonic("brx.idx", 2).Info;
  Info.Machine = facts(current());
  IsCounted = true;
  append(Info, {B->withRole(N, OperandRole::Read), List}, true);
  return true;
}

/// What the last barrier with a reduction said.
Operand FunctionLift::barrierResult() {
  if (Collects)
    return temporary(ScalarType::B32);
  if (!BarrierResult)
    BarrierResult = temporary(ScalarType::B32).RegisterIndex;
  Operand O;
  O.Kind = Operand::KindTy::Register;
  O.Type = ScalarType::B32;
  O.RegisterIndex = *BarrierResult;
  return O;
}

/// A jump or an end under the guard and \p Condition.
void FunctionLift::emitJump(StringRef Mnemonic, Operand To,
                            const MachineOperand *Condition) {
  if (Collects)
    return;
  constexpr unsigned True = 7;
  InstructionInfo Info =
      mnemonic(Mnemonic, To.Kind == Operand::KindTy::Sink ? 0 : 1).Info;
  Info.Machine = facts(current());
  IsCounted = true;
  const bool HasGuard = machine().Guard != True;
  SmallVector<Operand, 1> All;
  if (To.Kind != Operand::KindTy::Sink)
    All.push_back(B->withRole(To, OperandRole::Label));
  if (Condition && Condition->Number != True) {
    Operand P = predicate(*Condition);
    if (HasGuard) {
      Operand G = registerOperand(machine::numberOf(
          machine().GuardIsUniform ? RegisterFile::UniformPredicate
                                   : RegisterFile::Predicate,
          machine().Guard));
      if (machine().GuardIsNegated)
        G = inverted(G);
      P = join("and", G, P);
    } else if (Condition->Inverted) {
      // As it stands in the text.
      MachineOperand Plain = *Condition;
      Plain.Inverted = false;
      P = predicate(Plain);
      Info.GuardNegated = true;
    }
    Info.Guard = P.RegisterIndex;
  }
  append(Info, All, true);
}
