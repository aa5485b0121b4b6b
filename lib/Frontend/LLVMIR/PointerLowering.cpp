//===- PointerLowering.cpp - Bases and offsets of addresses ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PointerLowering.h"
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

PointerLowering::Parts PointerLowering::split(const llvm::Value *P) {
  int64_t Offset = 0;
  bool IsLocal = spaceNumber(P) == llvm::NVPTXAS::ADDRESS_SPACE_LOCAL;
  for (;;) {
    if (auto *GEP = dyn_cast<llvm::GEPOperator>(P)) {
      llvm::APInt Constant(F.layout().getIndexTypeSizeInBits(GEP->getType()),
                           0);
      if (!F.isLowered(P) &&
          GEP->accumulateConstantOffset(F.layout(), Constant)) {
        Offset += Constant.getSExtValue();
        P = GEP->getPointerOperand();
        continue;
      }
    }
    const llvm::Value *Same = F.isLowered(P) ? nullptr : sameAddress(P);
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
    if (const Variable *Found = F.module().variable(*V)) {
      Operand O;
      O.Kind = Kind::Variable;
      O.Type = ScalarType::B64;
      O.Var = Found;
      return {O, Offset};
    }
  if (auto It = Offsets.find(P); It != Offsets.end())
    Offset += It->second;
  return {F.use(P), Offset};
}

bool PointerLowering::isSameAddress(const llvm::CastInst &I) {
  return sameAddress(&I) != nullptr;
}

Operand PointerLowering::address(const llvm::Value *Pointer) {
  Parts P = split(Pointer);
  return F.address(P.Base, P.Offset);
}

Operand PointerLowering::stackGeneric() {
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

bool PointerLowering::isOnlyAddress(const llvm::Instruction &I) {
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

void PointerLowering::findLocals() {
  uint64_t Bytes = 0, Most = 1;
  for (const llvm::Instruction &I : llvm::instructions(F.function()))
    if (auto *Slot = dyn_cast<llvm::AllocaInst>(&I);
        Slot && Slot->isStaticAlloca())
      if (auto Size = Slot->getAllocationSize(F.layout())) {
        uint64_t Align = Slot->getAlign().value();
        Bytes = llvm::alignTo(Bytes, Align);
        Slots[Slot] = Bytes;
        Bytes += Size->getFixedValue();
        Most = std::max(Most, Align);
      }
  if (Slots.empty())
    return;
  InstructionGraph &G = F.builder().graph();
  auto *Depot = new (G.Memory->Arena.Allocate<Variable>()) Variable;
  Depot->Name =
      F.module().keep("__local_depot" + Twine(F.module().nextDepot()));
  Depot->Space = AddressSpace::Local;
  Depot->Type = ScalarType::B8;
  Depot->Bytes = Bytes;
  Depot->Align = Most;
  Depot->Line = F.currentLine();
  G.LocalVariables.push_back(Depot);
  Operand Name;
  Name.Kind = Kind::Variable;
  Name.Type = ScalarType::B64;
  Name.Var = Depot;
  StackLocal = F.temporary(ScalarType::B64);
  F.emit("mov.b64", {StackLocal, Name});
  bool IsGeneric = llvm::any_of(Slots, [](const auto &S) {
    return llvm::any_of(S.first->users(), [](const llvm::User *U) {
      return sameAddress(U) == nullptr;
    });
  });
  if (IsGeneric) {
    StackGeneric = F.temporary(ScalarType::B64);
    F.emit("cvta.local.u64", {*StackGeneric, StackLocal});
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

/// The address of the variable \p V, which \p C is or adds a number to.
Operand PointerLowering::variableAddress(const llvm::Constant *C,
                                         const llvm::GlobalVariable *V) {
  Parts P = split(C);
  if (P.Offset == 0 && C != V && C->getType() == V->getType())
    return constant(V);
  Operand To = F.temporary(ScalarType::B64);
  if (P.Base.Kind == Kind::Variable) {
    Operand From = P.Base;
    if (P.Offset != 0) {
      From = F.address(P.Base, P.Offset);
      From.Role = OperandRole::Read;
    }
    F.emit("mov.b64", {To, From});
  } else {
    F.emit("add.s64", {To, P.Base, F.integer(P.Offset, ScalarType::B64)});
  }
  return To;
}

/// A constant that is computed from others: another space, a variable and an
/// offset. Nothing for other constants.
std::optional<Operand>
PointerLowering::computedConstant(const llvm::Constant *C) {
  if (auto *Cast = dyn_cast<llvm::AddrSpaceCastOperator>(C)) {
    auto *From = cast<llvm::Constant>(Cast->getPointerOperand());
    Operand Source = constant(From), To = F.temporary(ScalarType::B64);
    convertSpace(To, F.inRegister(Source), Cast->getSrcAddressSpace(),
                 Cast->getDestAddressSpace());
    return To;
  }
  if (const llvm::GlobalVariable *V = variableOf(C);
      V && F.module().variable(*V))
    return variableAddress(C, V);
  auto *GEP = dyn_cast<llvm::GEPOperator>(C);
  if (!GEP)
    return std::nullopt;
  llvm::APInt Offset(F.layout().getIndexTypeSizeInBits(GEP->getType()), 0);
  if (!GEP->accumulateConstantOffset(F.layout(), Offset))
    return std::nullopt;
  Operand Base = constant(cast<llvm::Constant>(GEP->getPointerOperand()));
  Operand To = F.temporary(ScalarType::B64);
  F.emit("add.s64",
         {To, Base, F.integer(Offset.getSExtValue(), ScalarType::B64)});
  return To;
}

Operand PointerLowering::constant(const llvm::Constant *C) {
  if (auto It = Addresses.find(C);
      It != Addresses.end() &&
      (It->second.In == F.currentBlock() || It->second.In == nullptr))
    return It->second.Register;
  if (std::optional<Operand> Computed = computedConstant(C)) {
    Addresses[C] = {*Computed, F.currentBlock()};
    return *Computed;
  }
  if (auto *Function = dyn_cast<llvm::Function>(C)) {
    Operand Name, To = F.temporary(ScalarType::B64);
    Name.Kind = Kind::Function;
    Name.Callee = F.module().graph(*Function);
    Name.Name = F.module().keep(Function->getName());
    F.emit("mov.b64", {To, Name});
    return To;
  }
  if (auto *E = dyn_cast<llvm::ConstantExpr>(C);
      E && E->getOpcode() == llvm::Instruction::IntToPtr) {
    ArrayRef<Operand> Number = F.components(E->getOperand(0));
    if (!Number.empty())
      return Number.front();
  }
  // null, undef, and declarations without a variable of ours.
  if (isa<llvm::GlobalValue>(C) && !C->getName().empty()) {
    Operand To = F.temporary(ScalarType::B64);
    F.emit("mov.b64", {To, F.symbol(C->getName())});
    return To;
  }
  return F.integer(0, ScalarType::B64);
}

void PointerLowering::takeAddresses() {
  // Constants that stand in for a register, with the block that they do it in;
  // null once there is a second one.
  llvm::MapVector<const llvm::Constant *, const llvm::BasicBlock *> Taken;
  for (const llvm::Instruction &I : llvm::instructions(F.function()))
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
  llvm::DominatorTree DT(const_cast<llvm::Function &>(F.function()));
  llvm::LoopInfo LI(DT);
  for (auto &[C, In] : Taken)
    if (!In || LI.getLoopFor(In)) {
      constant(C);
      if (auto It = Addresses.find(C); It != Addresses.end())
        It->second.In = nullptr; // valid everywhere
    }
}

void PointerLowering::convertSpace(const Operand &To, const Operand &From,
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
    Middle = ToSpace == 0 ? To : F.temporary(ScalarType::B64);
    F.emit(("cvta." + Twine(Name(FromSpace)) + ".u64").str(), {Middle, From});
  }
  if (ToSpace != 0)
    F.emit(("cvta.to." + Twine(Name(ToSpace)) + ".u64").str(), {To, Middle});
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

bool PointerLowering::widens(const llvm::Value *Index,
                             const llvm::Instruction &In) {
  auto *Cast = dyn_cast<llvm::CastInst>(Index);
  return Cast && (isa<llvm::SExtInst>(Cast) || isa<llvm::ZExtInst>(Cast)) &&
         Cast->getParent() == In.getParent() &&
         !FunctionLowering::isLoadsOwn(*Cast) &&
         Cast->getSrcTy()->isIntegerTy(32) && Cast->getType()->isIntegerTy(64);
}

Operand PointerLowering::scaled(const llvm::Value *Index, int64_t Scale,
                                const llvm::Instruction &In) {
  if (Scale == 1)
    return F.use(Index);
  auto [It, IsNew] = Products.try_emplace({Index, Scale});
  if (!IsNew)
    return It->second;
  Operand To = It->second = F.temporary(ScalarType::B64);
  auto *Cast = dyn_cast<llvm::CastInst>(Index);
  bool IsLoaded = Cast && F.isLoadedIndex(*Cast);
  if (IsLoaded || (widens(Index, In) && llvm::isInt<31>(Scale))) {
    Operand Narrow = F.use(IsLoaded ? Index : Cast->getOperand(0));
    F.emit(isa<llvm::SExtInst>(Cast) ? "mul.wide.s32" : "mul.wide.u32",
           {To, F.inRegister(Narrow), F.integer(Scale, ScalarType::B32)});
  } else if (Scale > 0 && llvm::isPowerOf2_64(uint64_t(Scale))) {
    F.emit("shl.b64",
           {To, F.inRegister(F.use(Index)),
            F.integer(llvm::Log2_64(uint64_t(Scale)), ScalarType::B32)});
  } else {
    F.emit("mul.lo.s64",
           {To, F.inRegister(F.use(Index)), F.integer(Scale, ScalarType::B64)});
  }
  return To;
}

Operand PointerLowering::termOf(const llvm::Value *Index, int64_t Stride,
                                const llvm::Instruction &In) {
  ScalarType T = F.registerType(Index->getType());
  if (T == ScalarType::B64)
    return scaled(Index, Stride, In);
  Operand To = F.temporary(ScalarType::B64);
  if (T == ScalarType::B32 && Stride != 1 && llvm::isInt<31>(Stride)) {
    F.emit("mul.wide.s32", {To, F.inRegister(F.use(Index)),
                            F.integer(Stride, ScalarType::B32)});
    return To;
  }
  F.emit(T == ScalarType::B16 ? "cvt.s64.s16" : "cvt.s64.s32",
         {To, F.inRegister(F.use(Index))});
  if (Stride == 1)
    return To;
  Operand Product = F.temporary(ScalarType::B64);
  F.emit("mul.lo.s64", {Product, To, F.integer(Stride, ScalarType::B64)});
  return Product;
}

/// The constant that offsets were added to.
static const llvm::Constant *baseConstant(const llvm::Value *P) {
  for (;;) {
    if (auto *C = dyn_cast<llvm::Constant>(P))
      return C;
    P = cast<llvm::GEPOperator>(P)->getPointerOperand();
  }
}

namespace {
/// What an address adds to its base.
struct AddressTerms {
  int64_t Constant = 0; ///< bytes
  /// Indices, with the bytes that each counts for.
  SmallVector<std::pair<const llvm::Value *, int64_t>, 4> Terms;
};
} // namespace

static AddressTerms termsOf(const llvm::GetElementPtrInst &I,
                            const llvm::DataLayout &DL) {
  AddressTerms Result;
  for (auto It = llvm::gep_type_begin(I), End = llvm::gep_type_end(I);
       It != End; ++It) {
    const llvm::Value *Index = It.getOperand();
    auto *Number = dyn_cast<llvm::ConstantInt>(Index);
    if (llvm::StructType *S = It.getStructTypeOrNull()) {
      Result.Constant += int64_t(DL.getStructLayout(S)->getElementOffset(
          unsigned(Number->getZExtValue())));
      continue;
    }
    int64_t Stride = int64_t(It.getSequentialElementStride(DL).getFixedValue());
    if (Number)
      Result.Constant += Number->getSExtValue() * Stride;
    else if (Stride != 0)
      Result.Terms.emplace_back(Index, Stride);
  }
  return Result;
}

void PointerLowering::lowerGEP(const llvm::GetElementPtrInst &I) {
  if (I.getType()->isVectorTy())
    return F.emitUnknown("getelementptr", I, {});
  Parts P = split(I.getPointerOperand());
  auto [Constant, Terms] = termsOf(I, F.layout());
  // The constant part goes along to the accesses, where only they use it.
  bool Carry = isOnlyAddress(I);
  Operand Sum = P.Base;
  if (Sum.Kind == Kind::Variable)
    Sum = constant(baseConstant(I.getPointerOperand()));
  else
    Constant += P.Offset;
  for (auto [Index, Stride] : Terms) {
    Operand Part = termOf(Index, Stride, I);
    bool Last = Index == Terms.back().first && (Carry || Constant == 0);
    Operand To = Last ? F.defineOne(&I) : F.temporary(ScalarType::B64);
    F.emit("add.s64", {To, F.inRegister(Sum), Part});
    Sum = To;
  }
  if (Terms.empty() || (!Carry && Constant != 0)) {
    if (Constant == 0)
      return F.alias(&I, F.inRegister(Sum));
    F.emit("add.s64", {F.defineOne(&I), F.inRegister(Sum),
                       F.integer(Constant, ScalarType::B64)});
    return;
  }
  if (Constant != 0)
    Offsets[&I] = Constant;
}

void PointerLowering::lowerAlloca(const llvm::AllocaInst &I) {
  if (auto It = Slots.find(&I); It != Slots.end()) {
    // The slot's own, generic address, where somebody needs it.
    if (StackGeneric && !isOnlyAddress(I))
      F.emit("add.u64", {F.defineOne(&I), *StackGeneric,
                         F.integer(int64_t(It->second), ScalarType::B64)});
    return;
  }
  Operand Size = F.temporary(ScalarType::B64);
  uint64_t Element =
      F.layout().getTypeAllocSize(I.getAllocatedType()).getFixedValue();
  F.emit("mov.b64", {Size, termOf(I.getArraySize(), int64_t(Element), I)});
  F.emit("alloca.u64",
         {F.defineOne(&I), Size,
          F.integer(int64_t(I.getAlign().value()), ScalarType::B32)});
}
