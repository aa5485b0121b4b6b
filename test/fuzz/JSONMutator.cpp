//===- JSONMutator.cpp - Values and keys of JSON --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Mutators.h"
#include "ptxpredict/Support/ContentCache.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::fuzz;
namespace json = llvm::json;

/// All values in \p V, itself last.
static void collect(json::Value &V, std::vector<json::Value *> &All) {
  if (json::Object *O = V.getAsObject())
    for (auto &Member : *O)
      collect(Member.second, All);
  if (json::Array *A = V.getAsArray())
    for (json::Value &Element : *A)
      collect(Element, All);
  All.push_back(&V);
}

static json::Value numberOf(Dice &D) {
  constexpr int64_t Odd[] = {
      0,         -1,        1,         INT32_MAX,       INT32_MIN,
      INT64_MAX, INT64_MIN, 1LL << 32, (1LL << 53) + 1, 65536};
  switch (D.below(4)) {
  case 0:
    return Odd[D.below(std::size(Odd))];
  case 1:
    return int64_t(D.below(300));
  case 2:
    return double(D.below(1000)) / 7;
  default:
    return D.oneIn(2) ? 1e300 : -1e-300;
  }
}

/// Another value of the same or of any kind.
static json::Value another(const json::Value &V, Dice &D) {
  if (V.kind() == json::Value::Number && !D.oneIn(8))
    return numberOf(D);
  if (V.kind() == json::Value::Boolean && !D.oneIn(8))
    return D.oneIn(2);
  switch (D.below(6)) {
  case 0:
    return nullptr;
  case 1:
    return json::Array{};
  case 2:
    return json::Object{};
  case 3:
    return D.oneIn(2) ? "" : "inf";
  case 4:
    return D.number();
  default:
    return numberOf(D);
  }
}

static void changeObject(json::Object &O, const json::Value &Other, Dice &D) {
  auto It = O.begin();
  for (size_t N = D.below(O.size()); N != 0; --N)
    ++It;
  if (D.oneIn(2)) {
    O.erase(It);
    return;
  }
  json::Value Moved = It->second;
  std::string Key = Other.getAsString().value_or(StringRef(It->first)).str();
  O.erase(It);
  O[json::fixUTF8(Key + (D.oneIn(2) ? "s" : ""))] = std::move(Moved);
}

static void changeArray(json::Array &A, const json::Value &Other, Dice &D) {
  size_t At = D.below(A.size());
  if (D.oneIn(3)) {
    A.erase(A.begin() + ptrdiff_t(At));
    return;
  }
  json::Value New = D.oneIn(3) ? Other : A[At];
  A.insert(A.begin() + ptrdiff_t(D.below(A.size() + 1)), std::move(New));
}

static void change(json::Value &Root, Dice &D) {
  std::vector<json::Value *> All;
  collect(Root, All);
  json::Value &V = *D.anyOf(All);
  const json::Value Other = *D.anyOf(All); // V may lie in it
  json::Object *O = V.getAsObject();
  json::Array *A = V.getAsArray();
  if (O && !O->empty())
    changeObject(*O, Other, D);
  else if (A && !A->empty())
    changeArray(*A, Other, D);
  else
    V = D.oneIn(4) ? Other : another(V, D);
}

std::string fuzz::mutateJSON(StringRef Text, Dice &D, ByteMutator Bytes) {
  Expected<json::Value> Root = json::parse(Text);
  if (!Root) {
    llvm::consumeError(Root.takeError());
    return Bytes(Text);
  }
  do
    change(*Root, D);
  while (D.oneIn(2));
  std::string Result;
  llvm::raw_string_ostream(Result) << *Root;
  return Result;
}

std::string fuzz::mutateCacheEntry(StringRef Text, Dice &D, ByteMutator Bytes) {
  if (D.oneIn(16))
    return Bytes(Text);
  std::string Content = mutateJSON(Text.split('\n').second, D, Bytes);
  return ContentCache::hash({Content}) + "\n" + Content;
}
