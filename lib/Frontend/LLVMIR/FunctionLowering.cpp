//===- FunctionLowering.cpp - Operands and the order of the code ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FunctionLowering.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

using Kind = Operand::KindTy;

FunctionLowering::FunctionLowering(ModuleLowering &M, const llvm::Function &Fn,
                                   InstructionGraph &G)
    : Module(M), F(Fn), B(G), Control(*this), Calls(*this), Memory(*this),
      Pointers(*this) {}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

unsigned FunctionLowering::elementsPerComponent(llvm::Type *T) {
  auto *V = dyn_cast<llvm::FixedVectorType>(T);
  if (!V)
    return 1;
  llvm::Type *E = V->getElementType();
  if ((E->isHalfTy() || E->isBFloatTy() || E->isIntegerTy(16)) &&
      V->getNumElements() % 2 == 0)
    return 2;
  if (E->isIntegerTy(8) && V->getNumElements() % 4 == 0)
    return 4;
  return 1;
}

void FunctionLowering::componentTypes(llvm::Type *T,
                                      SmallVectorImpl<ScalarType> &Out) const {
  if (auto *S = dyn_cast<llvm::StructType>(T)) {
    for (llvm::Type *E : S->elements())
      componentTypes(E, Out);
  } else if (auto *A = dyn_cast<llvm::ArrayType>(T)) {
    SmallVector<ScalarType, 4> Element;
    componentTypes(A->getElementType(), Element);
    for (uint64_t I = 0; I != A->getNumElements(); ++I)
      Out.append(Element.begin(), Element.end());
  } else if (auto *V = dyn_cast<llvm::FixedVectorType>(T)) {
    unsigned Packed = elementsPerComponent(T);
    if (Packed > 1) {
      Out.append(V->getNumElements() / Packed, ScalarType::B32);
      return;
    }
    SmallVector<ScalarType, 4> Element;
    componentTypes(V->getElementType(), Element);
    for (unsigned I = 0; I != V->getNumElements(); ++I)
      Out.append(Element.begin(), Element.end());
  } else if (T->isIntegerTy() && T->getIntegerBitWidth() > 64) {
    Out.append((T->getIntegerBitWidth() + 63) / 64, ScalarType::B64);
  } else if (!T->isVoidTy() && !T->isTokenTy() && !T->isMetadataTy()) {
    Out.push_back(registerType(T));
  }
}

ScalarType FunctionLowering::registerType(llvm::Type *T) const {
  if (T->isVectorTy())
    return ScalarType::B32;
  if (!T->isSized())
    return ScalarType::B64;
  uint64_t Bits = layout().getTypeSizeInBits(T);
  return Bits == 1    ? ScalarType::Pred
         : Bits <= 16 ? ScalarType::B16
         : Bits <= 32 ? ScalarType::B32
                      : ScalarType::B64;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Operand FunctionLowering::temporary(ScalarType T) {
  Operand O;
  O.Kind = Kind::Register;
  O.Type = T;
  StringRef Prefix = T == ScalarType::Pred  ? "%p"
                     : T == ScalarType::B16 ? "%rs"
                     : T == ScalarType::B64 ? "%rd"
                                            : "%r";
  O.RegisterIndex =
      B.addRegister(Module.keep(Prefix + Twine(++RegistersOf[unsigned(T)])), T);
  return O;
}

Operand FunctionLowering::integer(int64_t Value, ScalarType T) {
  Operand O;
  O.Kind = Kind::Integer;
  O.Type = T;
  O.Bits = uint64_t(Value);
  return O;
}

Operand FunctionLowering::floating(const llvm::APFloat &Value) {
  Operand O;
  bool IsDouble = &Value.getSemantics() == &llvm::APFloat::IEEEdouble();
  O.Kind = IsDouble ? Kind::Float64 : Kind::Float32;
  O.Type = IsDouble ? ScalarType::F64 : ScalarType::F32;
  O.Bits = Value.bitcastToAPInt().getZExtValue();
  return O;
}

Operand FunctionLowering::special(StringRef Name) {
  Operand O;
  O.Kind = Kind::Special;
  O.Name = Name;
  O.Type = ptx::specialRegisterType(Name);
  return O;
}

Operand FunctionLowering::sink() { return {}; }

Operand FunctionLowering::symbol(StringRef Name) {
  Operand O;
  O.Kind = Kind::Symbol;
  O.Name = Module.keep(Name);
  return O;
}

Operand FunctionLowering::vector(ArrayRef<Operand> Elements) {
  Operand O;
  O.Kind = Kind::Vector;
  O.Bits = 0;
  O.Elements = B.keep(Elements);
  return O;
}

Operand FunctionLowering::address(Operand Base, int64_t Offset) {
  Operand O;
  O.Kind = Kind::Address;
  O.Role = OperandRole::Address;
  O.Bits = uint64_t(Offset);
  Base.Role = OperandRole::Read;
  O.Elements = B.keep(Base);
  return O;
}

Operand FunctionLowering::inRegister(const Operand &O) {
  if (O.Kind == Kind::Register)
    return O;
  ScalarType T = O.Kind == Kind::Float32 ? ScalarType::B32
                 : O.Kind == Kind::Integer || O.Kind == Kind::Special
                     ? O.Type
                     : ScalarType::B64;
  Operand R = temporary(T);
  move(R, O);
  return R;
}

void FunctionLowering::move(const Operand &To, const Operand &From) {
  emit(To.Type == ScalarType::Pred  ? "mov.pred"
       : To.Type == ScalarType::B16 ? "mov.b16"
       : To.Type == ScalarType::B64 ? "mov.b64"
                                    : "mov.b32",
       {To, From});
}

/// The components of a number that is no vector.
void FunctionLowering::integerComponents(const llvm::ConstantInt &C,
                                         SmallVectorImpl<Operand> &Out) {
  const llvm::APInt &V = C.getValue();
  unsigned Width = V.getBitWidth();
  if (Width == 1)
    Out.push_back(integer(V.isZero() ? 0 : -1, ScalarType::Pred));
  else if (Width <= 64)
    Out.push_back(integer(V.getSExtValue(), registerType(C.getType())));
  else
    for (unsigned Bit = 0; Bit < Width; Bit += 64)
      Out.push_back(integer(
          int64_t(V.extractBitsAsZExtValue(std::min(64U, Width - Bit), Bit)),
          ScalarType::B64));
}

/// The components of a vector with several elements in each.
void FunctionLowering::packedComponents(const llvm::Constant &C,
                                        SmallVectorImpl<Operand> &Out) {
  auto *V = cast<llvm::FixedVectorType>(C.getType());
  unsigned Packed = elementsPerComponent(V), Width = 32 / Packed;
  for (unsigned First = 0; First != V->getNumElements(); First += Packed) {
    uint64_t Bits = 0;
    for (unsigned E = 0; E != Packed; ++E) {
      SmallVector<Operand, 1> Element;
      if (const llvm::Constant *Part = C.getAggregateElement(First + E))
        constantComponents(Part, Element);
      if (!Element.empty())
        Bits |= (Element[0].Bits & ((1ULL << Width) - 1)) << (Width * E);
    }
    Out.push_back(integer(int64_t(Bits), ScalarType::B32));
  }
}

/// What a constant's components are, without registers.
void FunctionLowering::constantComponents(const llvm::Constant *C,
                                          SmallVectorImpl<Operand> &Out) {
  llvm::Type *T = C->getType();
  if (auto *I = dyn_cast<llvm::ConstantInt>(C); I && !T->isVectorTy())
    return integerComponents(*I, Out);
  if (auto *FP = dyn_cast<llvm::ConstantFP>(C); FP && !T->isVectorTy()) {
    llvm::APInt Bits = FP->getValueAPF().bitcastToAPInt();
    Out.push_back(T->isFloatTy() || T->isDoubleTy()
                      ? floating(FP->getValueAPF())
                      : integer(int64_t(Bits.getLoBits(64).getZExtValue()),
                                registerType(T)));
    return;
  }
  if (T->isPointerTy()) {
    Out.push_back(Pointers.constant(C));
    return;
  }
  if (elementsPerComponent(T) > 1)
    return packedComponents(*C, Out);
  if (T->isAggregateType() || T->isVectorTy()) {
    unsigned N = T->isStructTy() ? T->getStructNumElements()
                 : T->isArrayTy()
                     ? unsigned(T->getArrayNumElements())
                     : cast<llvm::FixedVectorType>(T)->getNumElements();
    for (unsigned I = 0; I != N; ++I)
      if (const llvm::Constant *Part = C->getAggregateElement(I))
        constantComponents(Part, Out);
    return;
  }
  if (auto *E = dyn_cast<llvm::ConstantExpr>(C))
    if (E->getOpcode() == llvm::Instruction::PtrToInt ||
        E->getOpcode() == llvm::Instruction::BitCast ||
        E->getOpcode() == llvm::Instruction::PtrToAddr)
      return constantComponents(E->getOperand(0), Out);
  // What is undefined may be anything; other expressions were folded away.
  SmallVector<ScalarType, 4> Types;
  componentTypes(T, Types);
  for (ScalarType Component : Types)
    Out.push_back(integer(0, Component));
}

ArrayRef<Operand> FunctionLowering::components(const llvm::Value *V) {
  if (auto It = Values.find(V); It != Values.end())
    return It->second;
  if (auto *C = dyn_cast<llvm::Constant>(V)) {
    SmallVector<Operand, 4> Parts;
    constantComponents(C, Parts);
    return B.keep(Parts); // addresses are taken where they are used
  }
  // A value of a later block, through a phi, or one that nothing lowered.
  return define(V);
}

Operand FunctionLowering::use(const llvm::Value *V) {
  ArrayRef<Operand> Parts = components(V);
  return Parts.empty() ? sink() : Parts.front();
}

bool FunctionLowering::isSameRegister(const Operand &A, const Operand &B) {
  return A.Kind == Kind::Register && B.Kind == Kind::Register &&
         A.RegisterIndex == B.RegisterIndex;
}

void FunctionLowering::alias(const llvm::Value *V, ArrayRef<Operand> Parts) {
  if (auto It = Values.find(V); It != Values.end()) {
    // It shares the registers of a phi. What an intrinsic computes is known
    // nowhere else yet; addresses are, to those that need them again.
    bool MayRetarget =
        isa<llvm::IntrinsicInst>(V) && !V->getType()->isPointerTy();
    for (auto [To, From] : llvm::zip(It->second, Parts)) {
      bool IsNew = MayRetarget && From.Kind == Kind::Register &&
                   !From.Negated && From.RegisterIndex >= OldRegisters;
      if (!isSameRegister(To, From) &&
          !(IsNew && B.retarget(From.RegisterIndex, To.RegisterIndex)))
        move(To, From);
    }
    return;
  }
  Values[V] = B.keep(Parts);
}

ArrayRef<Operand> FunctionLowering::define(const llvm::Value *V) {
  if (auto It = Values.find(V); It != Values.end())
    return It->second;
  SmallVector<ScalarType, 4> Types;
  componentTypes(V->getType(), Types);
  SmallVector<Operand, 4> Parts;
  for (ScalarType T : Types)
    Parts.push_back(temporary(T));
  // Each register of a phi has several writers: the bound holds of one.
  if (auto It = Most.find(V); It != Most.end() && Parts.size() == 1)
    B.graph().Registers[Parts[0].RegisterIndex].Max = It->second;
  return Values[V] = B.keep(Parts);
}

Operand FunctionLowering::defineOne(const llvm::Value *V) {
  ArrayRef<Operand> Parts = define(V);
  return Parts.empty() ? sink() : Parts.front();
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void FunctionLowering::emit(StringRef Mnemonic, ArrayRef<Operand> Operands,
                            std::optional<unsigned> Guard, bool GuardNegated) {
  const ptx::WrittenMnemonics::Entry &L =
      Module.mnemonic(Mnemonic, unsigned(Operands.size()));
  InstructionInfo Info = L.Info;
  SmallVector<Operand, 8> All;
  for (size_t N = 0; N != Operands.size(); ++N) {
    const Operand &O = Operands[N];
    OperandRole Role = N < L.Signature.size()    ? L.Signature[N].Role
                       : O.Kind == Kind::Address ? OperandRole::Address
                                                 : OperandRole::Read;
    All.push_back(Info.IsCall ? O : B.withRole(O, Role));
  }
  Info.Operands = All;
  append(Info, Guard, GuardNegated);
}

void FunctionLowering::append(InstructionInfo &Info,
                              std::optional<unsigned> Guard,
                              bool GuardNegated) {
  Info.Guard = Guard;
  Info.GuardNegated = GuardNegated;
  Info.Line = CurrentLine;
  Info.Source = CurrentSource;
  B.append(Info);
}

void FunctionLowering::emitCall(StringRef Mnemonic, ArrayRef<Operand> Operands,
                                bool HasReturnList) {
  InstructionInfo Info =
      Module.mnemonic(Mnemonic, unsigned(Operands.size()), HasReturnList).Info;
  Info.Operands = Operands;
  append(Info, std::nullopt, false);
}

void FunctionLowering::emitUnknown(StringRef Name, const llvm::Value &V,
                                   ArrayRef<Operand> Operands) {
  InstructionInfo Info;
  Info.Mnemonic = Module.keep(Name);
  Info.IsUnknown = true;
  SmallVector<Operand, 8> All;
  for (const Operand &O : define(&V))
    All.push_back(B.withRole(O, OperandRole::Write));
  for (const Operand &O : Operands)
    All.push_back(B.withRole(O, OperandRole::Read));
  Info.Operands = All;
  append(Info, std::nullopt, false);
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

/// Loads the kernel's or function's parameters, as far as they are used.
void FunctionLowering::findArguments() {
  unsigned Position = 0;
  InstructionGraph &G = B.graph();
  unsigned Index = 0;
  while (Index != G.Parameters.size() && G.Parameters[Index].IsReturn)
    ++Index;
  for (const llvm::Argument &A : F.args()) {
    unsigned Number = Index + Position++;
    if (Number >= G.Parameters.size())
      return;
    Operand P;
    P.Kind = Kind::Parameter;
    P.Param = &G.Parameters[Number];
    P.Type = P.Param->Type;
    CurrentSource = nullptr;
    if (A.hasByValAttr()) {
      Values[&A] = B.keep(P);
      continue;
    }
    if (!A.use_empty())
      Memory.load(address(P), define(&A),
                  {A.getType(),
                   llvm::Align(std::max<uint64_t>(P.Param->Align, 1)),
                   "ld.param"});
  }
}

void FunctionLowering::setLocation(const llvm::Instruction &I) {
  if (unsigned Line = ModuleLowering::line(I))
    CurrentLine = Line;
  if (const llvm::DebugLoc &L = I.getDebugLoc())
    if (const SourceLocation *S = Module.location(L.get()))
      CurrentSource = S;
}

void FunctionLowering::lowerBlock(const llvm::BasicBlock &BB) {
  CurrentBlock = &BB;
  Pointers.startBlock();
  setLocation(*BB.getFirstNonPHIIt());
  B.startBlock(Control.block(BB), CurrentLine);
  if (&BB == &F.getEntryBlock()) {
    findArguments();
    Pointers.findLocals();
    Pointers.takeAddresses();
    takeAsmConstants();
  }
  for (const llvm::Instruction &I : BB) {
    if (isa<llvm::PHINode>(I) || I.isDebugOrPseudoInst() || isFolded(I))
      continue;
    setLocation(I);
    OldRegisters = unsigned(B.graph().Registers.size());
    lowerInstruction(I);
  }
}

/// As long as the list of opcodes.
void FunctionLowering::lowerInstruction(const llvm::Instruction &I) {
  using namespace llvm;
  if (auto *X = dyn_cast<BinaryOperator>(&I))
    return lowerBinary(*X);
  if (auto *X = dyn_cast<CmpInst>(&I))
    return lowerCompare(*X);
  if (auto *X = dyn_cast<CastInst>(&I))
    return lowerCast(*X);
  switch (I.getOpcode()) {
  case llvm::Instruction::FNeg:
    return lowerFNeg(cast<UnaryOperator>(I));
  case llvm::Instruction::Select:
    return lowerSelect(cast<SelectInst>(I));
  case llvm::Instruction::Freeze:
    return alias(&I, components(I.getOperand(0)));
  case llvm::Instruction::ExtractElement:
    return lowerExtractElement(cast<ExtractElementInst>(I));
  case llvm::Instruction::InsertElement:
    return lowerInsertElement(cast<InsertElementInst>(I));
  case llvm::Instruction::ShuffleVector:
    return lowerShuffle(cast<ShuffleVectorInst>(I));
  case llvm::Instruction::ExtractValue:
    return lowerExtractValue(cast<ExtractValueInst>(I));
  case llvm::Instruction::InsertValue:
    return lowerInsertValue(cast<InsertValueInst>(I));
  case llvm::Instruction::Load:
    return Memory.lowerLoad(cast<LoadInst>(I));
  case llvm::Instruction::Store:
    return Memory.lowerStore(cast<StoreInst>(I));
  case llvm::Instruction::GetElementPtr:
    return Pointers.lowerGEP(cast<GetElementPtrInst>(I));
  case llvm::Instruction::Alloca:
    return Pointers.lowerAlloca(cast<AllocaInst>(I));
  case llvm::Instruction::Fence:
    return Memory.lowerFence(cast<FenceInst>(I));
  case llvm::Instruction::AtomicRMW:
    return Memory.lowerAtomicRMW(cast<AtomicRMWInst>(I));
  case llvm::Instruction::AtomicCmpXchg:
    return Memory.lowerCmpXchg(cast<AtomicCmpXchgInst>(I));
  case llvm::Instruction::Br:
    return Control.lowerBranch(cast<BranchInst>(I));
  case llvm::Instruction::Switch:
    return Control.lowerSwitch(cast<SwitchInst>(I));
  case llvm::Instruction::Ret:
    return Control.lowerReturn(cast<ReturnInst>(I));
  case llvm::Instruction::Unreachable:
    return emit("exit", {});
  case llvm::Instruction::Call:
  case llvm::Instruction::Invoke: {
    auto &Call = cast<CallBase>(I);
    if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
      return lowerIntrinsic(*Intrinsic);
    if (Call.isInlineAsm())
      lowerInlineAsm(Call);
    else
      Calls.lower(Call);
    if (auto *Invoke = dyn_cast<llvm::InvokeInst>(&I))
      Control.continueAt(*Invoke->getNormalDest()); // nothing is ever thrown
    return;
  }
  default: {
    SmallVector<Operand, 4> Operands;
    for (const llvm::Value *O : I.operand_values())
      if (!isa<BasicBlock>(O))
        llvm::append_range(Operands, components(O));
    return emitUnknown(I.getOpcodeName(), I, Operands);
  }
  }
}

bool FunctionLowering::lower() {
  CurrentLine = B.graph().Line;
  Control.findBlocks();
  findFacts();
  coalescePhis();
  Control.orderBlocks();
  for (const llvm::BasicBlock *BB : Control.order())
    lowerBlock(*BB);
  return !B.finish() && Module.error("the loops of '" + F.getName() +
                                     "' are nested too deeply to be analysed");
}
