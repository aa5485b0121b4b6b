//===- UnknownLabels.cpp - Loops and branches by name ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "UnknownLabels.h"
#include "ptxpredict/Graph/SourceNames.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

/// "k.cu:7" of "/src/k.cu:7"
static StringRef fileName(StringRef Line) {
  return Line.substr(Line.rfind('/') + 1);
}

namespace {

/// What a key may say of one loop or branch.
struct Label {
  std::string Name;  ///< without '$'; "line 7" for one without a label
  std::string Shown; ///< "L__BB0_2 (k.cu:7)"
  bool HasLabel;
  SmallVector<unsigned, 2> Lines;
  ArrayRef<std::string> SourceLines;

  Label(StringRef Text, ArrayRef<unsigned> Lines,
        ArrayRef<std::string> SourceLines)
      : Name(Text.ltrim('$')), HasLabel(!Name.empty()), Lines(Lines),
        SourceLines(SourceLines) {
    if (!HasLabel)
      Name = "line " + std::to_string(Lines.front());
    Shown = Name;
    if (!SourceLines.empty())
      Shown += (" (" + fileName(SourceLines.front()) + ")").str();
  }
  bool isNamed(StringRef Key) const {
    return (HasLabel && Name == Key) ||
           llvm::any_of(
               Lines,
               [&](unsigned Line) { return std::to_string(Line) == Key; }) ||
           llvm::any_of(SourceLines, [&](StringRef Line) {
             return meansSourceLine(Key, Line);
           });
  }
};

} // namespace

/// The keys that name none of \p Labels, which are of kind \p One.
static std::vector<UnknownLabel> findUnknown(ArrayRef<StringRef> Keys,
                                             ArrayRef<Label> Labels,
                                             StringRef One, StringRef Several) {
  std::vector<StringRef> Names, Shown;
  for (const Label &L : Labels) {
    Names.emplace_back(L.Name);
    if (!llvm::is_contained(Shown, StringRef(L.Shown)))
      Shown.emplace_back(L.Shown);
    for (StringRef Line : L.SourceLines)
      Names.push_back(fileName(Line));
  }
  std::string Known = Shown.empty()
                          ? ("there are no " + Several).str()
                          : (Several + " are at " + listNames(Shown)).str();
  std::vector<UnknownLabel> Result;
  for (StringRef Key : Keys) {
    StringRef Wanted = Key.ltrim('$');
    if (llvm::any_of(Labels, [&](const Label &L) { return L.isNamed(Wanted); }))
      continue;
    std::string Near = didYouMean(Wanted, Names);
    Known.front() = Near.empty() ? llvm::toLower(Known.front())
                                 : llvm::toUpper(Known.front());
    Near += Near.empty() ? "; " : " ";
    Result.push_back({Key, (One + " at '" + Key + "'" + Near + Known).str()});
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
      Labels.emplace_back(L.Header, L.Line, L.SourceLines);
  return findUnknown(Keys, Labels, "loop", "loops");
}

std::vector<UnknownLabel> ptxpredict::findUnknownBranches(
    ArrayRef<StringRef> Keys, ArrayRef<const KernelCharacteristics *> Kernels) {
  if (Keys.empty())
    return {};
  std::vector<Label> Labels;
  for (const KernelCharacteristics *K : Kernels)
    for (const BranchCharacteristics &B : K->Branches)
      Labels.emplace_back(B.Block, ArrayRef({B.Line, B.BlockLine}),
                          B.SourceLines);
  return findUnknown(Keys, Labels, "branch", "branches");
}
