//===- UnknownLabels.cpp - Loops and branches by name ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "UnknownLabels.h"
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

namespace {

/// What a key may say of one loop or branch.
struct Label {
  std::string Name; ///< without '$'; "line 7" for one without a label
  bool HasLabel;
  SmallVector<unsigned, 2> Lines;

  Label(StringRef Text, ArrayRef<unsigned> Lines)
      : Name(Text.ltrim('$')), HasLabel(!Name.empty()), Lines(Lines) {
    if (!HasLabel)
      Name = "line " + std::to_string(Lines.front());
  }
  bool isNamed(StringRef Key) const {
    return (HasLabel && Name == Key) || llvm::any_of(Lines, [&](unsigned Line) {
             return std::to_string(Line) == Key;
           });
  }
};

} // namespace

/// The keys that name none of \p Labels, which are of kind \p One.
static std::vector<UnknownLabel> findUnknown(ArrayRef<StringRef> Keys,
                                             ArrayRef<Label> Labels,
                                             StringRef One, StringRef Several) {
  std::vector<StringRef> Names;
  for (const Label &L : Labels)
    Names.emplace_back(L.Name);
  std::string Known;
  if (!Names.empty())
    Known = ("; " + Several + " are at " + listNames(Names)).str();
  std::vector<UnknownLabel> Result;
  for (StringRef Key : Keys) {
    StringRef Wanted = Key.ltrim('$');
    if (llvm::none_of(Labels,
                      [&](const Label &L) { return L.isNamed(Wanted); }))
      Result.push_back(
          {Key, (One + " at '" + Key + "'" + didYouMean(Wanted, Names, Known))
                    .str()});
  }
  return Result;
}

std::vector<UnknownLabel>
ptxpredict::findUnknownLoops(ArrayRef<StringRef> Keys,
                             ArrayRef<const KernelCharacteristics *> Kernels) {
  if (Keys.empty())
    return {};
  std::vector<Label> Labels;
  for (const KernelCharacteristics *K : Kernels)
    for (const LoopCharacteristics &L : K->Loops)
      Labels.emplace_back(L.Header, L.Line);
  return findUnknown(Keys, Labels, "loop", "loops");
}

std::vector<UnknownLabel> ptxpredict::findUnknownBranches(
    ArrayRef<StringRef> Keys, ArrayRef<const KernelCharacteristics *> Kernels) {
  if (Keys.empty())
    return {};
  std::vector<Label> Labels;
  for (const KernelCharacteristics *K : Kernels)
    for (const BranchCharacteristics &B : K->Branches)
      Labels.emplace_back(B.Block, ArrayRef({B.Line, B.BlockLine}));
  return findUnknown(Keys, Labels, "branch", "branches");
}
