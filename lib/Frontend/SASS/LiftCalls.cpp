//===- LiftCalls.cpp - Calls of functions elsewhere -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Arguments lie in registers from R4 on, and results, too.
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "OperationTable.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;
using Kind = Operand::KindTy;

namespace {
/// A function of the system's, by the number of registers of each argument.
struct SystemFunction {
  StringRef Name;
  std::array<uint8_t, 5> Arguments;
  unsigned Result; ///< registers
};
} // namespace

static const SystemFunction *systemFunction(StringRef Name) {
  static constexpr SystemFunction All[] = {
      {"vprintf", {2, 2}, 1},
      {"malloc", {2}, 2},
      {"free", {2}, 0},
      {"__assertfail", {2, 2, 1, 2, 2}, 0}};
  for (const SystemFunction &F : All)
    if (F.Name == Name)
      return &F;
  return nullptr;
}

/// What is called: by a relocation of the instruction, or of the word that the
/// address was loaded from; empty if that is not known.
StringRef FunctionLift::calledSymbol() {
  const uint64_t Address = M.placeOf(current()).Address;
  if (const CubinSection *Text = L.image().section(".text." + F.Name))
    if (const CubinRelocation *R = Text->relocationAt(Address))
      return R->Symbol;
  const MachineOperand *O = nullptr;
  for (const MachineOperand &X : machine().Operands)
    if (X.Kind == OperandKind::Register)
      O = &X;
  if (!O || O->Number == MachineOperand::RegisterZero)
    return {};
  const RegisterHalf H = Pairs->origin(Pairs->half(current(), *O));
  unsigned Bank = 0;
  uint64_t Offset = 0;
  if (H.Kind == RegisterHalf::Bank) {
    Bank = H.Bank0;
    Offset = H.Bits;
  } else if (H.Kind == RegisterHalf::Register && H.Val->Def) {
    const MachineInstruction *Made = M.machineOf(*H.Val->Def);
    if (!Made)
      return {};
    for (const MachineOperand &X : Made->Operands)
      if (X.Kind == OperandKind::Constant && X.Offset) {
        MachineOperand Index;
        Index.Kind =
            X.IsUniformIndex ? OperandKind::Uniform : OperandKind::Register;
        Index.Number = *X.Offset;
        const RegisterHalf N = Pairs->origin(Pairs->half(*H.Val->Def, Index));
        if (N.Kind != RegisterHalf::Number)
          return {};
        Bank = X.Number;
        Offset = uint64_t(X.Value) + N.Bits;
      }
  }
  if (Bank == 0)
    return {};
  const CubinSection *S = L.image().bank(Bank, F.Name);
  const CubinRelocation *R = S ? S->relocationAt(Offset) : nullptr;
  return R ? R->Symbol : StringRef();
}

const Variable *FunctionLift::callVariable(const Twine &Name, unsigned Bytes) {
  auto *V = new (G.Memory->Arena.Allocate<Variable>()) Variable;
  V->Name = L.keep(Name);
  V->Space = AddressSpace::Param;
  V->Bytes = Bytes;
  V->Type = Bytes == 8 ? ScalarType::B64 : ScalarType::B32;
  V->Align = Bytes;
  V->Line = Line;
  G.LocalVariables.push_back(V);
  return V;
}

/// The call that counts; \p Results are written.
void FunctionLift::emitCall(ArrayRef<Operand> Results,
                            const InstructionGraph *Callee, StringRef Name,
                            ArrayRef<Operand> Arguments) {
  auto List = [&](ArrayRef<Operand> Elements, OperandRole Role) {
    SmallVector<Operand, 8> All(Elements.begin(), Elements.end());
    for (Operand &O : All)
      O.Role = Role;
    Operand O;
    O.Kind = Kind::List;
    O.Role = Role;
    O.Bits = 0;
    O.Elements = B->keep(All);
    return O;
  };
  SmallVector<Operand, 3> Operands;
  if (!Results.empty())
    Operands.push_back(List(Results, OperandRole::Write));
  Operand To;
  To.Kind = Kind::Function;
  To.Role = OperandRole::Callee;
  To.Callee = Callee;
  To.Name = Name;
  Operands.push_back(To);
  Operands.push_back(List(Arguments, OperandRole::Read));
  // The system's functions are called by all lanes that are there.
  InstructionInfo Info = mnemonic(Callee ? "call" : "call.uni",
                                  unsigned(Operands.size()), !Results.empty())
                             .Info;
  Info.Machine = facts(current());
  Info.IsUncounted = std::exchange(IsCounted, true);
  append(Info, Operands, true);
}

/// A call of a function of its own, with the registers that it reads and
/// writes.
void FunctionLift::emitLocalCall(const LocalFunction &Callee) {
  if (Collects)
    return;
  SmallVector<Operand, 8> Arguments, Results;
  for (const unsigned R : Callee.Interface.Arguments)
    Arguments.push_back(registerOperand(R));
  for (const unsigned R : Callee.Interface.Results)
    Results.push_back(registerOperand(R));
  emitCall(Results, Callee.Graph, Callee.Graph->Name, Arguments);
}

/// The end of such a function, which reads what it gives back.
void FunctionLift::emitReturn() {
  if (Collects)
    return;
  InstructionInfo Info = mnemonic("ret", 0).Info;
  Info.Machine = facts(current());
  IsCounted = true;
  SmallVector<Operand, 4> Results;
  if (Local)
    for (const unsigned R : Local->Interface.Results)
      Results.push_back(B->withRole(registerOperand(R), OperandRole::Read));
  append(Info, Results, true);
}

/// What is added to the caller's R1 for what the instruction finds \p Ahead of
/// its own; nothing where that is in the own frame.
std::optional<int64_t> FunctionLift::offsetInCaller(int64_t Ahead) {
  if (!Local || !Local->Interface.takesStack())
    return std::nullopt;
  const Value *V = MachineGraph::read(current(), machine::StackPointer);
  const std::optional<int64_t> Offset = V ? M.stackOffset(V) : std::nullopt;
  return Offset && *Offset + Ahead >= 0 ? std::optional(*Offset + Ahead)
                                        : std::nullopt;
}

bool FunctionLift::liftCall() {
  constexpr unsigned FirstArgument = 4, RegisterBytes = 4;
  if (const LocalFunction *Callee = M.placeOf(current()).Callee) {
    emitLocalCall(*Callee);
    return true;
  }
  const SystemFunction *Of = systemFunction(calledSymbol());
  if (!Of)
    return false;
  auto Named = [](const Variable *V) {
    Operand O;
    O.Kind = Kind::Variable;
    O.Type = V->Type;
    O.Var = V;
    return O;
  };
  auto Register = [](unsigned Number) {
    MachineOperand O;
    O.Kind = OperandKind::Register;
    O.Number = Number;
    return O;
  };
  SmallVector<Operand, 5> Values;
  unsigned Next = FirstArgument;
  for (const unsigned Registers : Of->Arguments) {
    if (Registers == 0)
      break;
    Next += Next % Registers; // pairs begin at even ones
    Values.push_back(Registers == 2 ? wide(Register(Next))
                                    : registerOperand(Next));
    Next += Registers;
  }
  if (Collects)
    return true;
  ++NumCalls;
  SmallVector<Operand, 5> Arguments;
  for (const auto &[N, V] : llvm::enumerate(Values)) {
    const bool IsWide = V.Type == ScalarType::B64;
    const Operand To =
        Named(callVariable("param" + Twine(NumCalls) + "_" + Twine(N),
                           RegisterBytes * (IsWide ? 2 : 1)));
    emit(IsWide ? "st.param.b64" : "st.param.b32", {address(To), V});
    Arguments.push_back(To);
  }
  Operand Result;
  if (Of->Result != 0)
    Result = Named(
        callVariable("retval" + Twine(NumCalls), RegisterBytes * Of->Result));
  emitCall(Of->Result != 0 ? ArrayRef(Result) : ArrayRef<Operand>(), nullptr,
           Of->Name, Arguments);
  if (Of->Result == 1) {
    emit("ld.param.b32", {registerOperand(FirstArgument), address(Result)});
  } else if (Of->Result == 2) {
    const Operand Both = temporary(ScalarType::B64);
    emit("ld.param.b64", {Both, address(Result)});
    emit("mov.b64", {vector({registerOperand(FirstArgument),
                             registerOperand(FirstArgument + 1)}),
                     Both});
  }
  return true;
}
