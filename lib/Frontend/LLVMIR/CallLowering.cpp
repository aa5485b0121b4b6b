//===- CallLowering.cpp - Calls of functions ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CallLowering.h"
#include "FunctionLowering.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

using Kind = Operand::KindTy;

/// A variable in the parameter space for one argument or result.
const Variable *CallLowering::callVariable(StringRef Name, llvm::Type *T,
                                           uint64_t Align) {
  InstructionGraph &G = F.builder().graph();
  auto *V = new (G.Memory->Arena.Allocate<Variable>()) Variable;
  V->Name = F.module().keep(Name);
  V->Space = AddressSpace::Param;
  V->Bytes = F.layout().getTypeAllocSize(T);
  if (T->isIntegerTy() && V->Bytes < 4)
    V->Bytes = 4;
  V->Type = T->isAggregateType() || T->isVectorTy() ? ScalarType::B8
            : V->Bytes == 8                         ? ScalarType::B64
                                                    : ScalarType::B32;
  V->Align = Align;
  V->Line = F.currentLine();
  G.LocalVariables.push_back(V);
  return V;
}

static Operand variableOperand(const Variable *V) {
  Operand O;
  O.Kind = Kind::Variable;
  O.Type = V->Type;
  O.Var = V;
  return O;
}

/// Copies what \p Pointer points to, as a by-value argument has it.
void CallLowering::copyTo(const Operand &To, const llvm::Value *Pointer,
                          llvm::Type *T, llvm::Align Align) {
  SmallVector<Operand, 8> Parts;
  SmallVector<ScalarType, 8> Types;
  F.componentTypes(T, Types);
  for (ScalarType Type : Types)
    Parts.push_back(F.temporary(Type));
  bool IsLocal = spaceOf(Pointer->getType()->getPointerAddressSpace()) ==
                 AddressSpace::Local;
  F.memory().load(F.address(Pointer), Parts,
                  {T, Align, IsLocal ? "ld.local" : "ld"});
  F.memory().store(F.address(To), Parts, {T, Align, "st.param"});
}

/// Stores argument \p N to a variable of its own.
Operand CallLowering::storeArgument(const llvm::CallBase &I, unsigned N) {
  const llvm::Value *A = I.getArgOperand(N);
  bool IsByValue = I.isByValArgument(N);
  llvm::Type *T = IsByValue ? I.getParamByValType(N) : A->getType();
  uint64_t Align = std::max<uint64_t>(
      F.layout().getABITypeAlign(T).value(),
      IsByValue ? I.getParamAlign(N).valueOrOne().value() : 1);
  Operand To = variableOperand(callVariable(
      ("param" + Twine(NumCalls) + "_" + Twine(N)).str(), T, Align));
  if (IsByValue)
    copyTo(To, A, T, llvm::Align(Align));
  else
    F.memory().store(F.address(To), F.components(A),
                     {T, llvm::Align(Align), "st.param"});
  return To;
}

/// The function that is called: its name, or a register with its address.
Operand CallLowering::calleeOf(const llvm::CallBase &I) {
  Operand O;
  if (const llvm::Function *Callee = I.getCalledFunction()) {
    O.Kind = Kind::Function;
    O.Callee = F.module().graph(*Callee);
    O.Name = F.module().keep(Callee->getName());
  } else {
    O = F.inRegister(F.use(I.getCalledOperand()));
  }
  O.Role = OperandRole::Callee;
  return O;
}

void CallLowering::lower(const llvm::CallBase &I) {
  ++NumCalls;
  SmallVector<Operand, 8> Arguments;
  for (unsigned N = 0; N != I.arg_size(); ++N)
    Arguments.push_back(storeArgument(I, N));
  SmallVector<Operand, 4> Operands;
  auto List = [&](ArrayRef<Operand> Elements, OperandRole Role) {
    Operand L;
    L.Kind = Kind::List;
    L.Role = Role;
    L.Bits = 0;
    L.Elements = F.builder().keep(Elements);
    return L;
  };
  const Variable *Result = nullptr;
  if (!I.getType()->isVoidTy()) {
    Result = callVariable(("retval" + Twine(NumCalls)).str(), I.getType(),
                          F.layout().getABITypeAlign(I.getType()).value());
    Operand R = variableOperand(Result);
    R.Role = OperandRole::Write;
    Operands.push_back(List(R, OperandRole::Write));
  }
  Operands.push_back(calleeOf(I));
  if (!Arguments.empty() || Result)
    Operands.push_back(List(Arguments, OperandRole::Read));
  if (!I.getCalledFunction())
    Operands.push_back(F.symbol(("prototype_" + Twine(NumCalls)).str()));
  F.emitCall("call.uni", Operands, Result != nullptr);
  if (Result)
    F.memory().load(F.address(variableOperand(Result)), F.define(&I),
                    {I.getType(), llvm::Align(Result->Align), "ld.param"});
}
