//===- SourceType.cpp - What parameters are in the source -----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/SourceType.h"
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <vector>

using namespace ptxpredict;

/// The member of that name, also within those without one; null without any.
/// Adds the names that there are.
static const SourceMember *lookUp(const SourceType &Type, StringRef Name,
                                  uint64_t &Offset,
                                  std::vector<StringRef> &Names) {
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
    if (const SourceMember *Found = lookUp(*M.Type, Name, Inner, Names)) {
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
    const SourceMember *M = lookUp(*Result.Type, Name, Result.Offset, Names);
    if (!M)
      return Fail(
          shown(Before) + " has no member '" + Name + "'" +
          didYouMean(Name, Names,
                     Names.empty() ? "" : "; there are " + listNames(Names)));
    Result.Type = M->Type;
    Rest = Rest.drop_front(Name.size());
  }
  return false;
}
