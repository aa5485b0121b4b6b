//===- CodeTexts.cpp - What a report needs to show code -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DriverImpl.h"
#include "llvm/ADT/StringSet.h"

using namespace ptxpredict;

void Driver::Impl::addLineCounts(const Job &J, KernelReport &R) {
  HeldBodies Bodies(*J.Kernel);
  if (!Bodies.failed())
    R.Lines = countLines(*J.Kernel, *R.Characteristics);
}

void Driver::Impl::addCodeTexts(const Job &J, KernelReport &R) const {
  addLineCounts(J, R);
  StringRef Input = Inputs[J.Input].Diags->path();
  llvm::StringSet<> Asked;
  for (const LineCount &L : R.Lines)
    if (Asked.insert(L.File).second)
      if (StringRef Text = Sources.find(L.File, Input); !Text.empty())
        R.Sources.push_back({L.File, Text});
}
