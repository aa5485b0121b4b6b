//===- DebugParameters.cpp - Parameters and types of debug information ----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DebugInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

/// Types within types, and entries that stand for others: more than source has.
static constexpr unsigned MaxDepth = 200, MaxOrigins = 8;

DebugParameters::DebugParameters(const AST &Tree, llvm::BumpPtrAllocator &Arena)
    : Info(Tree), Arena(Arena), AddressBytes(Tree.AddressBits / 8) {
  ArrayRef<DebugEntry> Entries = Info.entries();
  for (uint32_t N = 0; N != Entries.size(); ++N) {
    const DebugEntry *E = &Entries[N];
    if (E->Tag != DebugTag::Subprogram || !E->IsLayout)
      continue; // only a declaration
    StringRef Name = E->LinkageName.empty() ? E->Name : E->LinkageName;
    for (unsigned I = 0; Name.empty() && I != MaxOrigins; ++I) {
      std::optional<uint32_t> Origin = Info.at(E->Origin);
      if (!Origin)
        break;
      E = &Entries[*Origin];
      Name = E->LinkageName.empty() ? E->Name : E->LinkageName;
    }
    if (!Name.empty())
      Functions.try_emplace(Name, N);
  }
}

StringRef DebugParameters::nameOf(uint32_t Entry) const {
  const DebugEntry *E = &Info.entries()[Entry];
  for (unsigned I = 0; E->Name.empty() && I != MaxOrigins; ++I) {
    std::optional<uint32_t> Origin = Info.at(E->Origin);
    if (!Origin)
      break;
    E = &Info.entries()[*Origin];
  }
  return E->Name;
}

std::optional<uint32_t> DebugParameters::typeOf(uint32_t Entry) const {
  const DebugEntry *E = &Info.entries()[Entry];
  for (unsigned I = 0; E->Type == 0 && I != MaxOrigins; ++I) {
    std::optional<uint32_t> Origin = Info.at(E->Origin);
    if (!Origin)
      break;
    E = &Info.entries()[*Origin];
  }
  return E->Type ? Info.at(E->Type) : std::nullopt;
}

std::vector<SourceParameter>
DebugParameters::of(const InstructionGraph &Kernel) {
  auto It = Functions.find(Kernel.Name);
  if (It == Functions.end())
    return {};
  std::vector<uint32_t> Formal;
  Info.forEachChild(It->second, [&](uint32_t N) {
    const DebugEntry &E = Info.entries()[N];
    if (E.Tag == DebugTag::FormalParameter)
      Formal.push_back(N);
  });
  // A compiler that took parameters apart, or away, moves those behind them.
  if (Formal.size() != Kernel.Parameters.size())
    return {};
  std::vector<SourceParameter> Result;
  for (auto [P, N] : llvm::zip_equal(Kernel.Parameters, Formal)) {
    SourceParameter &S = Result.emplace_back();
    S.Name = nameOf(N).copy(Arena);
    std::optional<uint32_t> Type = typeOf(N);
    const SourceType *T = Type && P.Elements > 1 ? get(*Type) : nullptr;
    S.Layout = T && T->Bytes == P.Bytes ? T : nullptr;
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Null for a type that holds itself or is nested too deeply.
const SourceType *DebugParameters::get(uint32_t Entry) {
  auto [It, IsNew] = Types.try_emplace(Entry, nullptr);
  if (!IsNew || Depth == MaxDepth)
    return It->second;
  ++Depth;
  const SourceType *Made = make(Entry);
  --Depth;
  return Types[Entry] = Made;
}

/// EDG, nvcc's front end, writes a base class as a member "__b_4Base".
static bool isBaseOfEDG(StringRef Member) {
  return Member.consume_front("__b_") && !Member.empty() &&
         (llvm::isDigit(Member.front()) || Member.front() == 'N');
}

void DebugParameters::addMembers(uint32_t Entry, SourceType &To) {
  SmallVector<SourceMember, 8> Members;
  Info.forEachChild(Entry, [&](uint32_t N) {
    const DebugEntry &M = Info.entries()[N];
    if ((M.Tag != DebugTag::Member && M.Tag != DebugTag::Inheritance) ||
        !M.IsLayout)
      return;
    const bool IsBase = M.Tag == DebugTag::Inheritance || isBaseOfEDG(M.Name);
    std::optional<uint32_t> Type = typeOf(N);
    const SourceType *T = Type ? get(*Type) : nullptr;
    if (!T || M.Place > To.Bytes || T->Bytes > To.Bytes - M.Place)
      return;
    Members.push_back({IsBase ? StringRef() : M.Name.copy(Arena), M.Place, T});
  });
  To.Members = ArrayRef<SourceMember>(Members).copy(Arena);
}

/// An array of arrays for one of several dimensions.
const SourceType *DebugParameters::makeArray(uint32_t Entry) {
  std::optional<uint32_t> Type = typeOf(Entry);
  const SourceType *Element = Type ? get(*Type) : nullptr;
  SmallVector<uint64_t, 4> Counts;
  bool Known = true;
  Info.forEachChild(Entry, [&](uint32_t N) {
    const DebugEntry &E = Info.entries()[N];
    if (E.Tag != DebugTag::SubrangeType)
      return;
    Known &= E.HasCount;
    Counts.push_back(E.Count);
  });
  return Known && !Counts.empty() ? arrayOf(Element, Counts, Arena) : nullptr;
}

const SourceType *DebugParameters::make(uint32_t Entry) {
  const DebugEntry &E = Info.entries()[Entry];
  std::optional<uint32_t> Base = typeOf(Entry);
  switch (E.Tag) {
  case DebugTag::ArrayType:
    return makeArray(Entry);
  case DebugTag::Typedef:
  case DebugTag::ConstType:
  case DebugTag::VolatileType:
  case DebugTag::RestrictType:
  case DebugTag::AtomicType:
    return Base ? get(*Base) : nullptr;
  default:
    break;
  }
  auto *Out = new (Arena.Allocate<SourceType>()) SourceType;
  Out->Name = E.Name.copy(Arena);
  Out->Bytes = E.Bytes;
  switch (E.Tag) {
  case DebugTag::BaseType:
    Out->Kind = SourceType::KindTy::Number;
    Out->Scalar = E.Name == "__bf16" ? "bf16" : scalarOf(E.Encoding, E.Bytes);
    break;
  case DebugTag::PointerType:
  case DebugTag::ReferenceType:
  case DebugTag::RvalueReferenceType:
    Out->Kind = SourceType::KindTy::Pointer;
    if (Out->Bytes == 0) // nvcc and clang leave it out
      Out->Bytes = AddressBytes;
    Out->Scalar = scalarOf(EncodingUnsigned, Out->Bytes);
    break;
  case DebugTag::EnumerationType: {
    const SourceType *T = Base ? get(*Base) : nullptr;
    Out->Kind = SourceType::KindTy::Number;
    Out->Scalar = T ? T->Scalar : scalarOf(EncodingSigned, E.Bytes);
    break;
  }
  case DebugTag::StructureType:
  case DebugTag::ClassType:
  case DebugTag::UnionType:
    if (StringRef Scalar = scalarOf(E.Name); !Scalar.empty()) {
      Out->Kind = SourceType::KindTy::Number;
      Out->Scalar = Scalar;
      break;
    }
    Out->Kind = SourceType::KindTy::Structure;
    addMembers(Entry, *Out);
    break;
  default:
    return nullptr;
  }
  return Out;
}
