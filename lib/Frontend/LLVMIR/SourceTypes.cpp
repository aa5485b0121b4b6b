//===- SourceTypes.cpp - Types of the source, from debug data -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SourceTypes.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

const SourceType *SourceTypes::get(const llvm::DIType *T) {
  if (!T)
    return nullptr;
  auto [It, IsNew] = Types.try_emplace(T, nullptr);
  if (!IsNew)
    return It->second;
  const SourceType *Made = make(*T);
  Types[T] = Made;
  return Made;
}

/// The elements of \p C: the verifier takes any metadata for one.
static ArrayRef<llvm::MDOperand> elementsOf(const llvm::DICompositeType &C) {
  const auto *Elements =
      llvm::dyn_cast_or_null<llvm::MDTuple>(C.getRawElements());
  return Elements ? ArrayRef(Elements->op_begin(), Elements->op_end())
                  : ArrayRef<llvm::MDOperand>();
}

void SourceTypes::addMembers(const llvm::DICompositeType &C, SourceType &To) {
  SmallVector<SourceMember, 8> Members;
  for (const llvm::MDOperand &N : elementsOf(C)) {
    const auto *M = llvm::dyn_cast_or_null<llvm::DIDerivedType>(N.get());
    if (!M || M->isStaticMember() || M->isBitField() ||
        (M->getTag() != llvm::dwarf::DW_TAG_member &&
         M->getTag() != llvm::dwarf::DW_TAG_inheritance))
      continue;
    const bool IsBase = M->getTag() == llvm::dwarf::DW_TAG_inheritance;
    if (const SourceType *T = get(M->getBaseType()))
      Members.push_back({IsBase ? StringRef() : M->getName().copy(Arena),
                         M->getOffsetInBits() / 8, T});
  }
  To.Members = ArrayRef<SourceMember>(Members).copy(Arena);
}

/// An array of arrays for one of several dimensions.
const SourceType *SourceTypes::makeArray(const llvm::DICompositeType &C) {
  const SourceType *Element = get(C.getBaseType());
  SmallVector<uint64_t, 4> Counts;
  for (const llvm::MDOperand &N : elementsOf(C)) {
    const auto *R = llvm::dyn_cast_or_null<llvm::DISubrange>(N.get());
    const auto *Count =
        R ? llvm::dyn_cast_if_present<llvm::ConstantInt *>(R->getCount())
          : nullptr;
    if (!Count || Count->isNegative())
      return nullptr;
    Counts.push_back(Count->getZExtValue());
  }
  return arrayOf(Element, Counts, Arena);
}

const SourceType *SourceTypes::make(const llvm::DIType &T) {
  namespace dwarf = llvm::dwarf;
  if (T.getTag() == dwarf::DW_TAG_array_type)
    if (const auto *C = dyn_cast<llvm::DICompositeType>(&T);
        C && !C->isVector())
      return makeArray(*C);
  if (const auto *D = dyn_cast<llvm::DIDerivedType>(&T);
      D && llvm::is_contained({dwarf::DW_TAG_typedef, dwarf::DW_TAG_const_type,
                               dwarf::DW_TAG_volatile_type,
                               dwarf::DW_TAG_restrict_type,
                               dwarf::DW_TAG_atomic_type},
                              D->getTag()))
    return get(D->getBaseType());

  auto *Out = new (Arena.Allocate<SourceType>()) SourceType;
  Out->Name = T.getName().copy(Arena);
  Out->Bytes = T.getSizeInBits() / 8;
  if (const auto *B = dyn_cast<llvm::DIBasicType>(&T)) {
    Out->Kind = SourceType::KindTy::Number;
    Out->Scalar = T.getName() == "__bf16"
                      ? "bf16"
                      : scalarOf(B->getEncoding(), Out->Bytes);
  } else if (llvm::is_contained({dwarf::DW_TAG_pointer_type,
                                 dwarf::DW_TAG_reference_type,
                                 dwarf::DW_TAG_rvalue_reference_type},
                                T.getTag())) {
    Out->Kind = SourceType::KindTy::Pointer;
    Out->Scalar = scalarOf(EncodingUnsigned, Out->Bytes);
  } else if (const auto *C = dyn_cast<llvm::DICompositeType>(&T)) {
    if (T.getTag() == dwarf::DW_TAG_enumeration_type) {
      const SourceType *Base = get(C->getBaseType());
      Out->Kind = SourceType::KindTy::Number;
      Out->Scalar = Base ? Base->Scalar : scalarOf(EncodingSigned, Out->Bytes);
    } else if (StringRef Scalar = scalarOf(T.getName()); !Scalar.empty()) {
      Out->Kind = SourceType::KindTy::Number;
      Out->Scalar = Scalar;
    } else if (!C->isVector()) {
      Out->Kind = SourceType::KindTy::Structure;
      addMembers(*C, *Out);
    }
  }
  return Out;
}
