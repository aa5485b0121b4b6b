//===- Variables.cpp - Global variables and their initialisers ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ModuleLowering.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

/// Written to no PTX: what is for the compiler only.
static bool isOmitted(const llvm::GlobalVariable &V) {
  return V.getName().starts_with("llvm.") || V.getName().starts_with("nvvm.") ||
         V.getSection() == "llvm.metadata";
}

/// Variables that `!nvvm.annotations` calls textures, surfaces and samplers:
/// what CUDA made of references to them.
static llvm::DenseMap<const llvm::Value *, ScalarType>
opaqueVariables(const llvm::Module &IR) {
  llvm::DenseMap<const llvm::Value *, ScalarType> Types;
  const llvm::NamedMDNode *All = IR.getNamedMetadata("nvvm.annotations");
  if (!All)
    return Types;
  for (const llvm::MDNode *N : All->operands()) {
    const auto *V =
        N->getNumOperands() == 0
            ? nullptr
            : llvm::dyn_cast_or_null<llvm::ValueAsMetadata>(N->getOperand(0));
    for (unsigned I = 1; V && I + 1 < N->getNumOperands(); I += 2)
      if (const auto *Key =
              llvm::dyn_cast_or_null<llvm::MDString>(N->getOperand(I))) {
        if (Key->getString() == "texture")
          Types[V->getValue()] = ScalarType::TexRef;
        else if (Key->getString() == "surface")
          Types[V->getValue()] = ScalarType::SurfRef;
        else if (Key->getString() == "sampler")
          Types[V->getValue()] = ScalarType::SamplerRef;
      }
  }
  return Types;
}

static Linkage linkageOf(const llvm::GlobalVariable &V) {
  if (V.isDeclaration())
    return Linkage::Extern;
  if (V.hasLocalLinkage())
    return Linkage::Internal;
  if (V.hasCommonLinkage())
    return Linkage::Common;
  return V.hasExternalLinkage() || V.hasAppendingLinkage() ? Linkage::Visible
                                                           : Linkage::Weak;
}

/// The type that a variable is declared with; arrays and structures are bytes.
static ScalarType typeOf(llvm::Type *T, const llvm::DataLayout &Layout) {
  if (T->isFloatTy())
    return ScalarType::F32;
  if (T->isDoubleTy())
    return ScalarType::F64;
  if (T->isHalfTy() || T->isBFloatTy())
    return ScalarType::B16;
  if (!T->isIntegerTy() && !T->isPointerTy())
    return ScalarType::B8;
  uint64_t Bits = Layout.getTypeSizeInBits(T);
  return Bits <= 8    ? ScalarType::U8
         : Bits <= 16 ? ScalarType::U16
         : Bits <= 32 ? ScalarType::U32
         : Bits <= 64 ? ScalarType::U64
                      : ScalarType::B8;
}

//===----------------------------------------------------------------------===//
// Initialisers
//===----------------------------------------------------------------------===//

namespace {
/// Writes a constant as the bytes and addresses of a variable.
class InitializerWriter {
public:
  explicit InitializerWriter(ModuleLowering &Context)
      : Context(Context), Layout(Context.layout()) {}

  void write(const llvm::Constant *C, uint64_t Offset) {
    if (C->isNullValue() || isa<llvm::UndefValue>(C))
      return;
    llvm::Type *T = C->getType();
    if (const auto *Data = dyn_cast<llvm::ConstantDataSequential>(C))
      return writeData(Data->getRawDataValues(), Offset);
    if (T->isVectorTy() &&
        Layout.getTypeSizeInBits(T->getScalarType()) % 8 != 0)
      return writePackedBits(C, Offset);
    if (isa<llvm::ConstantAggregate>(C) || T->isVectorTy())
      return writeElements(C, Offset);
    if (const auto *I = dyn_cast<llvm::ConstantInt>(C))
      return writeBits(I->getValue(), Offset);
    if (const auto *F = dyn_cast<llvm::ConstantFP>(C))
      return writeBits(F->getValueAPF().bitcastToAPInt(), Offset);
    InitializerAddress A;
    A.Offset = Offset;
    A.Bytes = unsigned(Layout.getTypeStoreSize(T));
    if (findAddress(C, A))
      Addresses.push_back(A);
  }

  std::vector<uint8_t> Bytes;
  std::vector<InitializerAddress> Addresses;

private:
  void writeData(StringRef Data, uint64_t Offset) {
    Data = Data.rtrim('\0');
    if (Bytes.size() < Offset + Data.size())
      Bytes.resize(Offset + Data.size());
    llvm::copy(Data, Bytes.begin() + ptrdiff_t(Offset));
  }

  void writeBits(const llvm::APInt &Value, uint64_t Offset) {
    SmallVector<char, 16> Data;
    for (unsigned Bit = 0; Bit < Value.getBitWidth(); Bit += 8)
      Data.push_back(char(Value.extractBitsAsZExtValue(
          std::min(8U, Value.getBitWidth() - Bit), Bit)));
    writeData(StringRef(Data.data(), Data.size()), Offset);
  }

  void writeElements(const llvm::Constant *C, uint64_t Offset) {
    if (const auto *S = dyn_cast<llvm::StructType>(C->getType())) {
      const llvm::StructLayout *Places =
          Layout.getStructLayout(const_cast<llvm::StructType *>(S));
      for (unsigned I = 0; I != S->getNumElements(); ++I)
        write(C->getAggregateElement(I),
              Offset + Places->getElementOffset(I).getFixedValue());
      return;
    }
    uint64_t Stride, Count;
    if (const auto *A = dyn_cast<llvm::ArrayType>(C->getType())) {
      Stride = Layout.getTypeAllocSize(A->getElementType()).getFixedValue();
      Count = A->getNumElements();
    } else {
      const auto *V = cast<llvm::FixedVectorType>(C->getType());
      Stride = Layout.getTypeSizeInBits(V->getElementType()) / 8;
      Count = V->getNumElements();
    }
    for (unsigned I = 0; I != Count; ++I)
      if (const llvm::Constant *Element = C->getAggregateElement(I))
        write(Element, Offset + I * Stride);
  }

  /// A vector of i1 or i4, whose elements share bytes.
  void writePackedBits(const llvm::Constant *C, uint64_t Offset) {
    auto *V = cast<llvm::FixedVectorType>(C->getType());
    unsigned Width = V->getScalarSizeInBits();
    llvm::APInt All(Width * V->getNumElements(), 0);
    for (unsigned I = 0; I != V->getNumElements(); ++I)
      if (const auto *E = llvm::dyn_cast_or_null<llvm::ConstantInt>(
              C->getAggregateElement(I)))
        All.insertBits(E->getValue(), I * Width);
    writeBits(All, Offset);
  }

  /// Takes `symbol + offset` apart. False for what no loader could fill in.
  bool findAddress(const llvm::Constant *C, InitializerAddress &A) {
    for (;;) {
      if (const auto *G = dyn_cast<llvm::GlobalValue>(C)) {
        const auto *V = dyn_cast<llvm::GlobalVariable>(G);
        const Variable *Known = V ? Context.variable(*V) : nullptr;
        A.Symbol = Known ? Known->Name : Context.keep(G->getName());
        return true;
      }
      if (const auto *GEP = dyn_cast<llvm::GEPOperator>(C)) {
        llvm::APInt Bytes(Layout.getIndexTypeSizeInBits(GEP->getType()), 0);
        if (!GEP->accumulateConstantOffset(Layout, Bytes))
          return false;
        A.Addend += Bytes.getSExtValue();
        C = cast<llvm::Constant>(GEP->getPointerOperand());
        continue;
      }
      const auto *E = dyn_cast<llvm::ConstantExpr>(C);
      if (!E)
        return false;
      unsigned Opcode = E->getOpcode();
      const llvm::Constant *Left = E->getOperand(0);
      if (E->isCast()) {
        if (Opcode == llvm::Instruction::AddrSpaceCast)
          A.Generic |= E->getType()->getPointerAddressSpace() ==
                       llvm::NVPTXAS::ADDRESS_SPACE_GENERIC;
        C = Left;
        continue;
      }
      if (Opcode != llvm::Instruction::Add && Opcode != llvm::Instruction::Sub)
        return false;
      const llvm::Constant *Right = E->getOperand(1);
      if (Opcode == llvm::Instruction::Add && isa<llvm::ConstantInt>(Left))
        std::swap(Left, Right);
      const auto *I = dyn_cast<llvm::ConstantInt>(Right);
      if (!I)
        return false;
      int64_t Bytes = I->getSExtValue();
      A.Addend += Opcode == llvm::Instruction::Add ? Bytes : -Bytes;
      C = Left;
    }
  }

  ModuleLowering &Context;
  const llvm::DataLayout &Layout;
};
} // namespace

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

void ModuleLowering::lowerVariables() {
  noteModuleAsm();
  llvm::DenseMap<const llvm::Value *, ScalarType> Opaque = opaqueVariables(IR);
  std::vector<std::pair<const llvm::GlobalVariable *, Variable *>> Made;
  unsigned Unnamed = 0;
  for (const llvm::GlobalVariable &V : IR.globals()) {
    if (isOmitted(V))
      continue;
    llvm::Type *T = V.getValueType();
    auto *Out = new (M.Allocator.Allocate<Variable>()) Variable;
    Out->Name =
        V.hasName() ? keep(V.getName()) : keep("__unnamed_" + Twine(++Unnamed));
    Out->Space = spaceOf(V.getAddressSpace());
    if (Out->Space == AddressSpace::Generic) // what an older pass left
      Out->Space = AddressSpace::Global;
    auto It = Opaque.find(&V);
    Out->Type = It != Opaque.end() ? It->second : typeOf(T, layout());
    Out->Link = linkageOf(V);
    Out->Bytes = layout().getTypeStoreSize(T).getFixedValue();
    Out->Align = V.getAlign().value_or(layout().getPrefTypeAlign(T)).value();
    Variables[&V] = Out;
    M.Variables.push_back(Out);
    // Shared memory starts with anything, whatever the module says.
    if (V.hasInitializer() && It == Opaque.end() &&
        Out->Space != AddressSpace::Shared)
      Made.emplace_back(&V, Out);
  }
  for (auto [V, Out] : Made) {
    InitializerWriter W(*this);
    W.write(V->getInitializer(), 0);
    Out->Initializer = ArrayRef(W.Bytes).copy(M.Allocator);
    Out->Addresses = ArrayRef(W.Addresses).copy(M.Allocator);
  }
}
