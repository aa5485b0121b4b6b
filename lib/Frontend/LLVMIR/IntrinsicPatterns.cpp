//===- IntrinsicPatterns.cpp - Names of intrinsics to mnemonics -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "IntrinsicPatterns.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

static constexpr IntrinsicPattern Patterns[] = {
#define NVVM_INTRINSIC(NAME, MNEMONIC, OPERANDS) {NAME, MNEMONIC, OPERANDS},
#include "NVVMIntrinsics.def"
};

/// Whether \p Pattern fits all of \p Name; what its groups stand for is
/// appended to \p Captures.
static bool matches(StringRef Pattern, StringRef Name,
                    SmallVectorImpl<StringRef> &Captures) {
  size_t Literal = Pattern.find_first_of("{*");
  if (!Name.consume_front(Pattern.take_front(Literal)))
    return false;
  if (Literal == StringRef::npos)
    return Name.empty();
  Pattern = Pattern.drop_front(Literal);
  size_t Depth = Captures.size();
  if (Pattern.consume_front("*")) {
    for (size_t Length = std::min(Name.find('.'), Name.size()); Length != 0;
         --Length) {
      Captures.push_back(Name.take_front(Length));
      if (matches(Pattern, Name.drop_front(Length), Captures))
        return true;
      Captures.truncate(Depth);
    }
    return false;
  }
  auto [Group, Rest] = Pattern.drop_front().split('}');
  while (true) {
    auto [Alternative, Others] = Group.split('|');
    auto [Text, Meaning] = Alternative.split('=');
    if (Name.starts_with(Text)) {
      Captures.push_back(Alternative.contains('=') ? Meaning : Text);
      if (matches(Rest, Name.drop_front(Text.size()), Captures))
        return true;
      Captures.truncate(Depth);
    }
    if (!Group.contains('|'))
      return false;
    Group = Others;
  }
}

IntrinsicMatch llvmir::matchIntrinsic(StringRef Name) {
  IntrinsicMatch M;
  for (const IntrinsicPattern &P : Patterns) {
    if (!matches(P.Name, Name, M.Captures))
      continue;
    M.Pattern = &P;
    break;
  }
  return M;
}
