//===- Control.cpp - Branches, returns and calls --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FunctionLowering.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

using Kind = Operand::KindTy;

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

static Operand target(Block *B) {
  Operand O;
  O.Kind = Kind::Target;
  O.Role = OperandRole::Label;
  O.Dest = B;
  return O;
}

/// The copies that the edge asks for, in registers' numbers where they are the
/// same.
SmallVector<FunctionLowering::Copy, 4>
FunctionLowering::edgeCopies(const llvm::BasicBlock &From,
                             const llvm::BasicBlock &To) {
  SmallVector<Copy, 4> Copies;
  for (const llvm::PHINode &Phi : To.phis()) {
    const llvm::Value *In = Phi.getIncomingValueForBlock(&From);
    if (isa<llvm::UndefValue>(In) || Phi.use_empty())
      continue;
    for (auto [Into, Source] : llvm::zip(define(&Phi), components(In)))
      if (Source.Kind != Kind::Register ||
          Source.RegisterIndex != Into.RegisterIndex)
        Copies.emplace_back(Into, Source);
  }
  return Copies;
}

void FunctionLowering::copyInParallel(ArrayRef<Copy> Copies) {
  // A register that one copy writes and a later one reads is saved first.
  SmallVector<Copy, 4> Waiting(Copies.begin(), Copies.end());
  while (!Waiting.empty()) {
    llvm::DenseMap<unsigned, unsigned> Reads;
    for (const auto &C : Waiting)
      if (C.second.Kind == Kind::Register)
        ++Reads[C.second.RegisterIndex];
    size_t Before = Waiting.size();
    llvm::erase_if(Waiting, [&](const auto &C) {
      if (Reads.lookup(C.first.RegisterIndex) != 0)
        return false;
      move(C.first, C.second);
      if (C.second.Kind == Kind::Register)
        --Reads[C.second.RegisterIndex];
      return true;
    });
    if (Waiting.size() == Before) { // a cycle
      Operand Saved = temporary(Waiting.front().first.Type);
      move(Saved, Waiting.front().first);
      for (auto &C : Waiting)
        if (C.second.Kind == Kind::Register &&
            C.second.RegisterIndex == Waiting.front().first.RegisterIndex)
          C.second = Saved;
    }
  }
}

void FunctionLowering::jump(const llvm::BasicBlock &To, bool MayFall) {
  if (!MayFall || Next.lookup(CurrentBlock) != &To)
    emit("bra.uni", {target(Blocks[&To])});
}

/// A block for the copies of an edge, which are written when the terminator is
/// through; the target itself if there are none.
Block *FunctionLowering::edgeBlock(const llvm::BasicBlock &To) {
  SmallVector<Copy, 4> Copies = edgeCopies(*CurrentBlock, To);
  if (Copies.empty())
    return Blocks[&To];
  Block *Edge = B.block(
      Context.keep(Blocks[&To]->Label + ".edge" + Twine(++NumEdges)), &To);
  PendingEdges.push_back({Edge, &To, Copies});
  return Edge;
}

void FunctionLowering::finishEdges() {
  for (const PendingEdge &E : PendingEdges) {
    B.startBlock(E.Start, CurrentLine);
    copyInParallel(E.Copies);
    emit("bra.uni", {target(Blocks[E.To])});
  }
  PendingEdges.clear();
}

//===----------------------------------------------------------------------===//
// Terminators
//===----------------------------------------------------------------------===//

void FunctionLowering::continueAt(const llvm::BasicBlock &To) {
  copyInParallel(edgeCopies(*CurrentBlock, To));
  jump(To, /*MayFall=*/true);
}

void FunctionLowering::lowerBranch(const llvm::BranchInst &I) {
  if (I.isUnconditional() || I.getSuccessor(0) == I.getSuccessor(1))
    return continueAt(*I.getSuccessor(0));
  if (auto *C = dyn_cast<llvm::ConstantInt>(I.getCondition()))
    return continueAt(*I.getSuccessor(C->isZero() ? 1 : 0));
  const llvm::BasicBlock *Taken = I.getSuccessor(0), *Other = I.getSuccessor(1);
  Operand Condition = inRegister(use(I.getCondition()));
  // The back end turns a condition around where the code's own order lets it
  // fall through, and cannot do it again where it places blocks otherwise.
  bool Negated = CurrentBlock->getNextNode() == Taken;
  if (Negated)
    std::swap(Taken, Other);
  emit("bra", {target(edgeBlock(*Taken))}, Condition.RegisterIndex, Negated);
  SmallVector<Copy, 4> Copies = edgeCopies(*CurrentBlock, *Other);
  copyInParallel(Copies);
  jump(*Other, /*MayFall=*/PendingEdges.empty());
  finishEdges();
}

namespace {
/// A case's value and where it goes.
using Case = std::pair<llvm::APInt, const llvm::BasicBlock *>;
} // namespace

/// As the back end decides: at least four cases, a tenth of the range.
static bool isDense(ArrayRef<Case> Cases) {
  if (Cases.size() < 4)
    return false;
  llvm::APInt Range = Cases.back().first - Cases.front().first;
  return Range.ult(10 * Cases.size()) && Range.ult(4096);
}

void FunctionLowering::lowerSwitch(const llvm::SwitchInst &I) {
  SmallVector<Case, 16> Cases;
  for (const auto &C : I.cases())
    Cases.emplace_back(C.getCaseValue()->getValue(), C.getCaseSuccessor());
  llvm::sort(Cases,
             [](const Case &A, const Case &B) { return A.first.slt(B.first); });
  const llvm::BasicBlock &Default = *I.getDefaultDest();
  Operand V = inRegister(extended(I.getCondition(), true));
  std::string W = std::to_string(bitWidth(V.Type));
  if (!isDense(Cases)) {
    // One comparison after another; a tree of them has as many.
    for (const Case &C : Cases) {
      Operand Equal = temporary(ScalarType::Pred);
      emit("setp.eq.b" + W,
           {Equal, V, integer(C.first.getSExtValue(), V.Type)});
      emit("bra", {target(edgeBlock(*C.second))}, Equal.RegisterIndex);
    }
    copyInParallel(edgeCopies(*CurrentBlock, Default));
    jump(Default, PendingEdges.empty());
    return finishEdges();
  }
  int64_t First = Cases.front().first.getSExtValue();
  int64_t Last = Cases.back().first.getSExtValue();
  Operand Index = V;
  if (First != 0) {
    Index = temporary(V.Type);
    emit("add.s" + W, {Index, V, integer(-First, V.Type)});
  }
  Operand Outside = temporary(ScalarType::Pred);
  emit("setp.gt.u" + W, {Outside, Index, integer(Last - First, V.Type)});
  emit("bra", {target(edgeBlock(Default))}, Outside.RegisterIndex);
  if (V.Type != ScalarType::B32) {
    Operand Narrow = temporary(ScalarType::B32);
    emit("cvt.u32.u" + W, {Narrow, Index});
    Index = Narrow;
  }
  SmallVector<Operand, 16> Targets;
  llvm::MapVector<const llvm::BasicBlock *, Block *> Edges;
  for (const Case &C : Cases) {
    while (First + int64_t(Targets.size()) < C.first.getSExtValue()) {
      auto [It, IsNew] = Edges.try_emplace(&Default, nullptr);
      if (IsNew)
        It->second = edgeBlock(Default);
      Targets.push_back(target(It->second));
    }
    auto [It, IsNew] = Edges.try_emplace(C.second, nullptr);
    if (IsNew)
      It->second = edgeBlock(*C.second);
    Targets.push_back(target(It->second));
  }
  Operand List;
  List.Kind = Kind::List;
  List.Role = OperandRole::Label;
  List.Bits = 0;
  List.Elements = B.keep(Targets);
  emit("brx.idx", {Index, List});
  finishEdges();
}

void FunctionLowering::lowerReturn(const llvm::ReturnInst &I) {
  const llvm::Value *V = I.getReturnValue();
  const InstructionGraph &G = B.graph();
  if (V && !G.Parameters.empty() && G.Parameters.front().IsReturn) {
    const Parameter &P = G.Parameters.front();
    Operand To;
    To.Kind = Kind::Parameter;
    To.Param = &P;
    To.Type = P.Type;
    storeComponents(address(To), components(V), V->getType(),
                    llvm::Align(std::max<uint64_t>(P.Align, 1)), "st.param");
  }
  emit("ret", {});
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// A variable in the parameter space for one argument or result.
const Variable *FunctionLowering::callVariable(StringRef Name, llvm::Type *T,
                                               uint64_t Align) {
  InstructionGraph &G = B.graph();
  auto *V = new (G.Memory->Arena.Allocate<Variable>()) Variable;
  V->Name = Context.keep(Name);
  V->Space = AddressSpace::Param;
  V->Bytes = layout().getTypeAllocSize(T);
  if (T->isIntegerTy() && V->Bytes < 4)
    V->Bytes = 4;
  V->Type = T->isAggregateType() || T->isVectorTy() ? ScalarType::B8
            : V->Bytes == 8                         ? ScalarType::B64
                                                    : ScalarType::B32;
  V->Align = Align;
  V->Line = CurrentLine;
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

void FunctionLowering::lowerCall(const llvm::CallBase &I) {
  const llvm::Function *Callee = I.getCalledFunction();
  ++NumCalls;
  SmallVector<Operand, 8> Arguments;
  for (unsigned N = 0; N != I.arg_size(); ++N) {
    const llvm::Value *A = I.getArgOperand(N);
    llvm::Type *T =
        I.isByValArgument(N) ? I.getParamByValType(N) : A->getType();
    uint64_t Align = std::max<uint64_t>(
        layout().getABITypeAlign(T).value(),
        I.isByValArgument(N) ? I.getParamAlign(N).valueOrOne().value() : 1);
    const Variable *V = callVariable(
        ("param" + Twine(NumCalls) + "_" + Twine(N)).str(), T, Align);
    Operand To = variableOperand(V);
    if (I.isByValArgument(N)) {
      SmallVector<Operand, 8> Parts;
      SmallVector<ScalarType, 8> Types;
      componentTypes(T, Types);
      for (ScalarType Type : Types)
        Parts.push_back(temporary(Type));
      loadComponents(address(A), Parts, T, llvm::Align(Align),
                     spaceOf(A->getType()->getPointerAddressSpace()) ==
                             AddressSpace::Local
                         ? "ld.local"
                         : "ld",
                     nullptr);
      storeComponents(address(To), Parts, T, llvm::Align(Align), "st.param");
    } else {
      storeComponents(address(To), components(A), T, llvm::Align(Align),
                      "st.param");
    }
    Arguments.push_back(To);
  }
  SmallVector<Operand, 4> Operands;
  auto List = [&](ArrayRef<Operand> Elements, OperandRole Role) {
    Operand L;
    L.Kind = Kind::List;
    L.Role = Role;
    L.Bits = 0;
    L.Elements = B.keep(Elements);
    return L;
  };
  const Variable *Result = nullptr;
  if (!I.getType()->isVoidTy()) {
    Result = callVariable(("retval" + Twine(NumCalls)).str(), I.getType(),
                          layout().getABITypeAlign(I.getType()).value());
    Operand R = variableOperand(Result);
    R.Role = OperandRole::Write;
    Operands.push_back(List(R, OperandRole::Write));
  }
  if (Callee) {
    Operand Name;
    Name.Kind = Kind::Function;
    Name.Role = OperandRole::Callee;
    Name.Callee = Context.graph(*Callee);
    Name.Name = Context.keep(Callee->getName());
    Operands.push_back(Name);
  } else {
    Operand Through = inRegister(use(I.getCalledOperand()));
    Through.Role = OperandRole::Callee;
    Operands.push_back(Through);
  }
  if (!Arguments.empty() || Result)
    Operands.push_back(List(Arguments, OperandRole::Read));
  if (!Callee)
    Operands.push_back(symbol(("prototype_" + Twine(NumCalls)).str()));
  emitCall("call.uni", Operands, Result != nullptr);
  if (Result)
    loadComponents(address(variableOperand(Result)), define(&I), I.getType(),
                   llvm::Align(Result->Align), "ld.param", nullptr);
}

void FunctionLowering::emitCall(StringRef Mnemonic, ArrayRef<Operand> Operands,
                                bool HasReturnList) {
  InstructionInfo Info =
      Context.mnemonic(Mnemonic, unsigned(Operands.size()), HasReturnList).Info;
  Info.Operands = Operands;
  append(Info, std::nullopt, false);
}
