//===- Pointers.cpp - Bases and offsets of addresses ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FunctionLowering.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

using Kind = Operand::KindTy;

static unsigned spaceNumber(const llvm::Value *P) {
  return P->getType()->getPointerAddressSpace();
}

/// Whether \p P is the same address in another guise: a by-value argument in
/// the parameter space, a stack slot in local memory.
static const llvm::Value *sameAddress(const llvm::Value *P) {
  if (auto *Cast = dyn_cast<llvm::AddrSpaceCastOperator>(P)) {
    const llvm::Value *From = Cast->getPointerOperand();
    auto *Argument = dyn_cast<llvm::Argument>(From);
    if (Argument && Argument->hasByValAttr() &&
        Cast->getDestAddressSpace() == llvm::NVPTXAS::ADDRESS_SPACE_PARAM)
      return From;
    if (isa<llvm::AllocaInst>(From) &&
        Cast->getDestAddressSpace() == llvm::NVPTXAS::ADDRESS_SPACE_LOCAL)
      return From;
  }
  if (auto *Wrap = dyn_cast<llvm::IntrinsicInst>(P);
      Wrap &&
      Wrap->getIntrinsicID() == llvm::Intrinsic::nvvm_internal_addrspace_wrap)
    return Wrap->getArgOperand(0);
  return nullptr;
}

FunctionLowering::PointerParts
FunctionLowering::splitPointer(const llvm::Value *P) {
  int64_t Offset = 0;
  bool IsLocal = spaceNumber(P) == llvm::NVPTXAS::ADDRESS_SPACE_LOCAL;
  for (;;) {
    if (auto *GEP = dyn_cast<llvm::GEPOperator>(P)) {
      llvm::APInt Constant(layout().getIndexTypeSizeInBits(GEP->getType()), 0);
      if (!Values.contains(P) &&
          GEP->accumulateConstantOffset(layout(), Constant)) {
        Offset += Constant.getSExtValue();
        P = GEP->getPointerOperand();
        continue;
      }
    }
    const llvm::Value *Same = Values.contains(P) ? nullptr : sameAddress(P);
    if (!Same)
      break;
    P = Same;
  }
  if (auto *Slot = dyn_cast<llvm::AllocaInst>(P)) {
    auto It = Slots.find(Slot);
    if (It != Slots.end())
      return {IsLocal ? StackLocal : stackGeneric(),
              Offset + int64_t(It->second)};
  }
  if (auto *V = dyn_cast<llvm::GlobalVariable>(P))
    if (const Variable *Found = Context.variable(*V)) {
      Operand O;
      O.Kind = Kind::Variable;
      O.Type = ScalarType::B64;
      O.Var = Found;
      return {O, Offset};
    }
  if (auto It = Offsets.find(P); It != Offsets.end())
    Offset += It->second;
  return {use(P), Offset};
}

bool FunctionLowering::isSameAddress(const llvm::CastInst &I) {
  return sameAddress(&I) != nullptr;
}

Operand FunctionLowering::address(const llvm::Value *Pointer) {
  PointerParts P = splitPointer(Pointer);
  return address(P.Base, P.Offset);
}

Operand FunctionLowering::stackGeneric() {
  return StackGeneric ? *StackGeneric : StackLocal;
}

/// Whether an address in this operand is part of the access itself.
static bool isAddressOf(const llvm::Use &U) {
  const llvm::User *User = U.getUser();
  if (isa<llvm::LoadInst>(User))
    return true;
  if (isa<llvm::StoreInst>(User))
    return U.getOperandNo() == llvm::StoreInst::getPointerOperandIndex();
  if (isa<llvm::AtomicRMWInst>(User))
    return U.getOperandNo() == llvm::AtomicRMWInst::getPointerOperandIndex();
  if (isa<llvm::AtomicCmpXchgInst>(User))
    return U.getOperandNo() ==
           llvm::AtomicCmpXchgInst::getPointerOperandIndex();
  return false;
}

bool FunctionLowering::isOnlyAddress(const llvm::Instruction &I) const {
  SmallVector<const llvm::Value *, 8> Work{&I};
  for (size_t N = 0; N != Work.size(); ++N) {
    if (N == 64)
      return false;
    for (const llvm::Use &U : Work[N]->uses()) {
      if (isAddressOf(U))
        continue;
      auto *GEP = dyn_cast<llvm::GetElementPtrInst>(U.getUser());
      if (!GEP || !GEP->hasAllConstantIndices())
        return false;
      Work.push_back(GEP);
    }
  }
  return true;
}

void FunctionLowering::findLocals() {
  uint64_t Bytes = 0, Most = 1;
  for (const llvm::Instruction &I : llvm::instructions(F))
    if (auto *Slot = dyn_cast<llvm::AllocaInst>(&I);
        Slot && Slot->isStaticAlloca())
      if (auto Size = Slot->getAllocationSize(layout())) {
        uint64_t Align = Slot->getAlign().value();
        Bytes = llvm::alignTo(Bytes, Align);
        Slots[Slot] = Bytes;
        Bytes += Size->getFixedValue();
        Most = std::max(Most, Align);
      }
  if (Slots.empty())
    return;
  InstructionGraph &G = B.graph();
  auto *Depot = new (G.Memory->Arena.Allocate<Variable>()) Variable;
  Depot->Name = Context.keep("__local_depot" + Twine(Context.nextDepot()));
  Depot->Space = AddressSpace::Local;
  Depot->Type = ScalarType::B8;
  Depot->Bytes = Bytes;
  Depot->Align = Most;
  Depot->Line = CurrentLine;
  G.LocalVariables.push_back(Depot);
  Operand Name;
  Name.Kind = Kind::Variable;
  Name.Type = ScalarType::B64;
  Name.Var = Depot;
  StackLocal = temporary(ScalarType::B64);
  emit("mov.b64", {StackLocal, Name});
  bool IsGeneric = llvm::any_of(Slots, [](const auto &S) {
    return llvm::any_of(S.first->users(), [](const llvm::User *U) {
      return sameAddress(U) == nullptr;
    });
  });
  if (IsGeneric) {
    StackGeneric = temporary(ScalarType::B64);
    emit("cvta.local.u64", {*StackGeneric, StackLocal});
  }
}

//===----------------------------------------------------------------------===//
// Addresses of variables
//===----------------------------------------------------------------------===//

/// A constant that is an address of a variable, perhaps in another space.
static const llvm::GlobalVariable *variableOf(const llvm::Value *V) {
  while (auto *E = dyn_cast<llvm::ConstantExpr>(V))
    V = E->getOperand(0);
  return dyn_cast<llvm::GlobalVariable>(V);
}

Operand FunctionLowering::pointerConstant(const llvm::Constant *C) {
  if (auto It = Addresses.find(C);
      It != Addresses.end() &&
      (It->second.In == CurrentBlock || It->second.In == nullptr))
    return It->second.Register;
  auto *Cast = dyn_cast<llvm::AddrSpaceCastOperator>(C);
  if (Cast) {
    auto *From = cast<llvm::Constant>(Cast->getPointerOperand());
    Operand Source = pointerConstant(From), To = temporary(ScalarType::B64);
    convertSpace(To, inRegister(Source), Cast->getSrcAddressSpace(),
                 Cast->getDestAddressSpace());
    Addresses[C] = {To, CurrentBlock};
    return To;
  }
  if (const llvm::GlobalVariable *V = variableOf(C);
      V && Context.variable(*V)) {
    PointerParts P = splitPointer(C);
    if (P.Offset == 0 && C != V && C->getType() == V->getType())
      return pointerConstant(V);
    Operand To = temporary(ScalarType::B64);
    if (P.Base.Kind == Kind::Variable) {
      Operand From = P.Base;
      if (P.Offset != 0) {
        From = address(P.Base, P.Offset);
        From.Role = OperandRole::Read;
      }
      emit("mov.b64", {To, From});
    } else {
      emit("add.s64", {To, P.Base, integer(P.Offset, ScalarType::B64)});
    }
    Addresses[C] = {To, CurrentBlock};
    return To;
  }
  if (auto *GEP = dyn_cast<llvm::GEPOperator>(C)) {
    llvm::APInt Offset(layout().getIndexTypeSizeInBits(GEP->getType()), 0);
    if (GEP->accumulateConstantOffset(layout(), Offset)) {
      Operand Base =
          pointerConstant(cast<llvm::Constant>(GEP->getPointerOperand()));
      Operand To = temporary(ScalarType::B64);
      emit("add.s64",
           {To, Base, integer(Offset.getSExtValue(), ScalarType::B64)});
      Addresses[C] = {To, CurrentBlock};
      return To;
    }
  }
  if (auto *Function = dyn_cast<llvm::Function>(C)) {
    Operand Name, To = temporary(ScalarType::B64);
    Name.Kind = Kind::Function;
    Name.Callee = Context.graph(*Function);
    Name.Name = Context.keep(Function->getName());
    emit("mov.b64", {To, Name});
    return To;
  }
  if (auto *E = dyn_cast<llvm::ConstantExpr>(C);
      E && E->getOpcode() == llvm::Instruction::IntToPtr) {
    SmallVector<Operand, 1> Parts;
    constantComponents(E->getOperand(0), Parts);
    if (!Parts.empty())
      return Parts.front();
  }
  // null, undef, and declarations without a variable of ours.
  if (isa<llvm::GlobalValue>(C) && !C->getName().empty()) {
    Operand To = temporary(ScalarType::B64);
    emit("mov.b64", {To, symbol(C->getName())});
    return To;
  }
  return integer(0, ScalarType::B64);
}

void FunctionLowering::takeAddresses() {
  // Constants that stand in for a register, with the block that they do it in;
  // null once there is a second one.
  llvm::MapVector<const llvm::Constant *, const llvm::BasicBlock *> Taken;
  for (const llvm::Instruction &I : llvm::instructions(F))
    for (const llvm::Use &U : I.operands()) {
      auto *C = dyn_cast<llvm::Constant>(U.get());
      if (!C || !C->getType()->isPointerTy() || !variableOf(C) ||
          isAddressOf(U) || isa<llvm::PHINode>(I))
        continue;
      if (auto *GEP = dyn_cast<llvm::GetElementPtrInst>(&I);
          GEP && GEP->hasAllConstantIndices())
        continue;
      auto [It, IsNew] = Taken.try_emplace(C, I.getParent());
      if (!IsNew && It->second != I.getParent())
        It->second = nullptr;
    }
  if (Taken.empty())
    return;
  llvm::DominatorTree DT(const_cast<llvm::Function &>(F));
  llvm::LoopInfo LI(DT);
  for (auto &[C, In] : Taken)
    if (!In || LI.getLoopFor(In)) {
      pointerConstant(C);
      if (auto It = Addresses.find(C); It != Addresses.end())
        It->second.In = nullptr; // valid everywhere
    }
}

void FunctionLowering::convertSpace(const Operand &To, const Operand &From,
                                    unsigned FromSpace, unsigned ToSpace) {
  auto Name = [](unsigned Number) {
    switch (spaceOf(Number)) {
    case AddressSpace::Shared:
      return Number == llvm::NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER
                 ? "shared::cluster"
                 : "shared";
    case AddressSpace::Const:
      return "const";
    case AddressSpace::Local:
      return "local";
    case AddressSpace::Param:
      return "param";
    default:
      return "global";
    }
  };
  Operand Middle = From;
  if (FromSpace != 0) {
    Middle = ToSpace == 0 ? To : temporary(ScalarType::B64);
    emit(("cvta." + Twine(Name(FromSpace)) + ".u64").str(), {Middle, From});
  }
  if (ToSpace != 0)
    emit(("cvta.to." + Twine(Name(ToSpace)) + ".u64").str(), {To, Middle});
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

bool FunctionLowering::widens(const llvm::Value *Index,
                              const llvm::Instruction &In) const {
  auto *Cast = dyn_cast<llvm::CastInst>(Index);
  return Cast && (isa<llvm::SExtInst>(Cast) || isa<llvm::ZExtInst>(Cast)) &&
         Cast->getParent() == In.getParent() && !isLoadsOwn(*Cast) &&
         Cast->getSrcTy()->isIntegerTy(32) && Cast->getType()->isIntegerTy(64);
}

Operand FunctionLowering::scaled(const llvm::Value *Index, int64_t Scale,
                                 const llvm::Instruction &In) {
  if (Scale == 1)
    return use(Index);
  auto [It, IsNew] = Products.try_emplace({Index, Scale});
  if (!IsNew)
    return It->second;
  Operand To = It->second = temporary(ScalarType::B64);
  auto *Cast = dyn_cast<llvm::CastInst>(Index);
  bool IsLoaded = Cast && isLoadedIndex(*Cast);
  if (IsLoaded || (widens(Index, In) && llvm::isInt<31>(Scale))) {
    Operand Narrow = use(IsLoaded ? Index : Cast->getOperand(0));
    emit(isa<llvm::SExtInst>(Cast) ? "mul.wide.s32" : "mul.wide.u32",
         {To, inRegister(Narrow), integer(Scale, ScalarType::B32)});
  } else if (Scale > 0 && llvm::isPowerOf2_64(uint64_t(Scale))) {
    emit("shl.b64", {To, inRegister(use(Index)),
                     integer(llvm::Log2_64(uint64_t(Scale)), ScalarType::B32)});
  } else {
    emit("mul.lo.s64",
         {To, inRegister(use(Index)), integer(Scale, ScalarType::B64)});
  }
  return To;
}

Operand FunctionLowering::termOf(const llvm::Value *Index, int64_t Stride,
                                 const llvm::Instruction &In) {
  ScalarType T = registerType(Index->getType());
  if (T == ScalarType::B64)
    return scaled(Index, Stride, In);
  Operand To = temporary(ScalarType::B64);
  if (T == ScalarType::B32 && Stride != 1 && llvm::isInt<31>(Stride)) {
    emit("mul.wide.s32",
         {To, inRegister(use(Index)), integer(Stride, ScalarType::B32)});
    return To;
  }
  emit(T == ScalarType::B16 ? "cvt.s64.s16" : "cvt.s64.s32",
       {To, inRegister(use(Index))});
  if (Stride == 1)
    return To;
  Operand Product = temporary(ScalarType::B64);
  emit("mul.lo.s64", {Product, To, integer(Stride, ScalarType::B64)});
  return Product;
}

void FunctionLowering::lowerGEP(const llvm::GetElementPtrInst &I) {
  if (I.getType()->isVectorTy())
    return emitUnknown("getelementptr", I, {});
  PointerParts P = splitPointer(I.getPointerOperand());
  int64_t Constant = 0;
  SmallVector<std::pair<const llvm::Value *, int64_t>, 4> Terms;
  for (auto It = llvm::gep_type_begin(I), End = llvm::gep_type_end(I);
       It != End; ++It) {
    const llvm::Value *Index = It.getOperand();
    auto *Number = dyn_cast<llvm::ConstantInt>(Index);
    if (llvm::StructType *S = It.getStructTypeOrNull()) {
      Constant += int64_t(layout().getStructLayout(S)->getElementOffset(
          unsigned(Number->getZExtValue())));
      continue;
    }
    int64_t Stride =
        int64_t(It.getSequentialElementStride(layout()).getFixedValue());
    if (Number)
      Constant += Number->getSExtValue() * Stride;
    else if (Stride != 0)
      Terms.emplace_back(Index, Stride);
  }
  // The constant part goes along to the accesses, where only they use it.
  bool Carry = isOnlyAddress(I);
  Operand Sum = P.Base;
  if (Sum.Kind == Kind::Variable)
    Sum = pointerConstant(baseConstant(I.getPointerOperand()));
  else
    Constant += P.Offset;
  for (auto [Index, Stride] : Terms) {
    Operand Part = termOf(Index, Stride, I);
    bool Last = Index == Terms.back().first && (Carry || Constant == 0);
    Operand To = Last ? defineOne(&I) : temporary(ScalarType::B64);
    emit("add.s64", {To, inRegister(Sum), Part});
    Sum = To;
  }
  if (Terms.empty() || (!Carry && Constant != 0)) {
    if (Constant == 0)
      return alias(&I, inRegister(Sum));
    emit("add.s64",
         {defineOne(&I), inRegister(Sum), integer(Constant, ScalarType::B64)});
    return;
  }
  if (Constant != 0)
    Offsets[&I] = Constant;
}

const llvm::Constant *
FunctionLowering::baseConstant(const llvm::Value *P) const {
  for (;;) {
    if (auto *C = dyn_cast<llvm::Constant>(P))
      return C;
    P = cast<llvm::GEPOperator>(P)->getPointerOperand();
  }
}

void FunctionLowering::lowerAlloca(const llvm::AllocaInst &I) {
  if (auto It = Slots.find(&I); It != Slots.end()) {
    // The slot's own, generic address, where somebody needs it.
    if (StackGeneric && !isOnlyAddress(I))
      emit("add.u64", {defineOne(&I), *StackGeneric,
                       integer(int64_t(It->second), ScalarType::B64)});
    return;
  }
  Operand Size = temporary(ScalarType::B64);
  uint64_t Element =
      layout().getTypeAllocSize(I.getAllocatedType()).getFixedValue();
  emit("mov.b64", {Size, termOf(I.getArraySize(), int64_t(Element), I)});
  emit("alloca.u64", {defineOne(&I), Size,
                      integer(int64_t(I.getAlign().value()), ScalarType::B32)});
}
