//===- YAMLFields.cpp - The keys of a YAML mapping ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/YAMLFields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using llvm::yaml::Node;

bool YAMLFields::has(StringRef Key) const {
  return llvm::any_of(List,
                      [&](const Field &F) { return F.Key == Key && F.IsSeen; });
}

bool YAMLFields::read(YAMLNodes &Nodes, Node &N, const Twine &What) {
  SmallVector<StringRef, 24> Keys;
  for (const Field &F : List)
    Keys.push_back(F.Key);
  SMLoc Place = Nodes.place(N);
  bool IsGood =
      Nodes.forEachEntry(N, What, Keys, [&](YAMLText &Key, Node &Value) {
        Field &F = List[size_t(llvm::find(Keys, Key.Text) - Keys.begin())];
        F.IsSeen = true;
        if (F.Read)
          F.Read(Value, F.Key);
      });
  if (!isa<llvm::yaml::MappingNode>(N) || N.failed())
    return false; // reported
  SmallVector<StringRef, 8> Missing;
  for (const Field &F : List)
    if (F.IsRequired && !F.IsSeen)
      Missing.push_back(F.Key);
  if (Missing.empty())
    return IsGood;
  Nodes.error(Place, What + " lacks the key" +
                         (Missing.size() == 1 ? " '" : "s '") +
                         llvm::join(Missing, "', '") + "'");
  return false;
}
