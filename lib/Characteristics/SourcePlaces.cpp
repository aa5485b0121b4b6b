//===- SourcePlaces.cpp - Which source line an instruction belongs to -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Characteristics/SourcePlaces.h"

using namespace ptxpredict;

bool ptxpredict::isSystemFile(StringRef File) {
  for (StringRef Prefix :
       {"/usr/include/", "/usr/local/include/", "/usr/lib/", "/opt/"})
    if (File.starts_with(Prefix))
      return true;
  // Of the toolkit, wherever it lies.
  for (StringRef Part : {"/cuda/include/", "/targets/x86_64-linux/include/",
                         "/targets/sbsa-linux/include/", "/include/crt/",
                         "/include/cccl/", "/lib/clang/", "__clang_cuda_"})
    if (File.contains(Part))
      return true;
  StringRef Name =
      File.rsplit('/').second.empty() ? File : File.rsplit('/').second;
  return File.contains("/cuda") && File.contains("/include/") &&
         Name.ends_with(".h");
}

std::string ptxpredict::sourceText(const SourceLocation &L) {
  std::string S = L.File.str() + ":" + std::to_string(L.Line);
  if (L.Column != 0)
    S += ":" + std::to_string(L.Column);
  return S;
}

const SourceLocation *SourcePlaces::locate(const Instruction &I) {
  if (I.Source && I.Source == LastAsked)
    return LastFound;
  LastAsked = I.Source;
  for (const SourceLocation *L = I.Source; L; L = L->InlinedAt) {
    auto [It, IsNew] = IsSystem.try_emplace(L->File);
    if (IsNew)
      It->second = isSystemFile(L->File);
    if (L->Line != 0 && !It->second) // 0: the compiler's own
      return LastFound = LastOfUser = L;
  }
  return LastFound = I.Source && LastOfUser ? LastOfUser : I.Source;
}

SourcePlace SourcePlaces::write(const Instruction &I,
                                const SourceLocation *Shown) {
  SourcePlace P;
  P.Line = I.Line;
  if (Shown)
    P.Source = sourceText(*Shown);
  if (I.Source)
    for (const SourceLocation *L = I.Source->InlinedAt; L; L = L->InlinedAt)
      P.InlinedAt.push_back(sourceText(*L));
  return P;
}

const SourceLocation *ptxpredict::sourceOf(const Instruction &I) {
  SourcePlaces Places;
  for (const Block *B : I.Parent->Parent->Blocks)
    for (const Instruction *Other : B->Instructions) {
      if (Other->isPseudo())
        continue;
      const SourceLocation *L = Places.locate(*Other);
      if (Other == &I)
        return L;
    }
  return nullptr;
}
