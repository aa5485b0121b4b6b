//===- SourceType.cpp - What parameters are in the source -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/SourceType.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <vector>

using namespace ptxpredict;

StringRef ptxpredict::scalarOf(unsigned Encoding, uint64_t Bytes) {
  auto Choose = [Bytes](StringRef One, StringRef Two, StringRef Four,
                        StringRef Eight) {
    return Bytes == 1   ? One
           : Bytes == 2 ? Two
           : Bytes == 4 ? Four
           : Bytes == 8 ? Eight
                        : StringRef();
  };
  switch (Encoding) {
  case EncodingFloat:
    return Choose("", "f16", "f32", "f64");
  case EncodingSigned:
  case EncodingSignedChar:
    return Choose("s8", "s16", "s32", "s64");
  case EncodingBoolean:
  case EncodingUnsigned:
  case EncodingUnsignedChar:
  case EncodingUTF:
    return Choose("u8", "u16", "u32", "u64");
  default:
    return {};
  }
}

const SourceType *ptxpredict::arrayOf(const SourceType *Element,
                                      ArrayRef<uint64_t> Counts,
                                      llvm::BumpPtrAllocator &Arena) {
  for (uint64_t Count : llvm::reverse(Counts)) {
    if (!Element)
      return nullptr;
    auto *T = new (Arena.Allocate<SourceType>()) SourceType;
    T->Kind = SourceType::KindTy::Array;
    T->Element = Element;
    T->Count = Count;
    T->Bytes = llvm::SaturatingMultiply(Count, Element->Bytes);
    Element = T;
  }
  return Element;
}

// CUDA's cuda_fp16.h and cuda_bf16.h.
StringRef ptxpredict::scalarOf(StringRef Structure) {
  return Structure == "__half"          ? "f16"
         : Structure == "__nv_bfloat16" ? "bf16"
                                        : "";
}

using TypeSet = llvm::SmallPtrSet<const SourceType *, 8>;

/// The member of that name, also within those without one; null without any.
/// Adds the names that there are. A type that is in \p Searched does not have
/// it: debug data may nest few types in many ways.
static const SourceMember *lookUp(const SourceType &Type, StringRef Name,
                                  uint64_t &Offset,
                                  std::vector<StringRef> &Names,
                                  TypeSet &Searched) {
  // Debug data may nest what has no name as deep as it likes.
  constexpr unsigned MostTypes = 2000;
  if (Searched.size() >= MostTypes || !Searched.insert(&Type).second)
    return nullptr;
  for (const SourceMember &M : Type.Members) {
    if (M.Name == Name && !Name.empty()) {
      Offset = llvm::SaturatingAdd(Offset, M.Offset);
      return &M;
    }
    if (!M.Name.empty()) {
      Names.push_back(M.Name);
      continue;
    }
    uint64_t Inner = llvm::SaturatingAdd(Offset, M.Offset);
    if (const SourceMember *Found =
            lookUp(*M.Type, Name, Inner, Names, Searched)) {
      Offset = Inner;
      return Found;
    }
  }
  return nullptr;
}

static std::string shown(StringRef Before) {
  return Before.empty() ? "the parameter" : ("'" + Before + "'").str();
}

bool ptxpredict::findMember(const SourceType &Type, StringRef Path,
                            MemberPlace &Result, std::string &Why) {
  using Kind = SourceType::KindTy;
  Result = {0, &Type};
  auto Fail = [&Why](const Twine &Message) {
    Why = Message.str();
    return true;
  };
  StringRef Rest = Path;
  while (!Rest.empty()) {
    StringRef Before = Path.drop_back(Rest.size());
    if (Rest.consume_front("[")) {
      uint64_t Index;
      if (Rest.consumeInteger(10, Index) || !Rest.consume_front("]"))
        return Fail("an index is a whole number in brackets");
      if (Result.Type->Kind != Kind::Array)
        return Fail(shown(Before) + " is no array");
      if (Index >= Result.Type->Count)
        return Fail("index " + Twine(Index) + " is beyond the " +
                    Twine(Result.Type->Count) + " elements of " +
                    shown(Before));
      Result.Type = Result.Type->Element;
      Result.Offset =
          llvm::SaturatingMultiplyAdd(Index, Result.Type->Bytes, Result.Offset);
      continue;
    }
    if (!Before.empty() && !Rest.consume_front("."))
      return Fail("a member's name or an index is missing behind " +
                  shown(Before));
    StringRef Name =
        Rest.take_until([](char C) { return C == '.' || C == '['; });
    if (Result.Type->Kind != Kind::Structure)
      return Fail(shown(Before) + " is no structure");
    std::vector<StringRef> Names;
    TypeSet Searched;
    const SourceMember *M =
        lookUp(*Result.Type, Name, Result.Offset, Names, Searched);
    if (!M)
      return Fail(shown(Before) + " has no member '" + Name + "'" +
                  meantOrListed(Name, Names));
    Result.Type = M->Type;
    Rest = Rest.drop_front(Name.size());
  }
  return false;
}
