//===- KernelNames.cpp - The names by which a kernel is chosen ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/KernelNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>

using namespace ptxpredict;

/// The demangler's answer, which it allocated with malloc, as a string.
static std::string take(char *Text) {
  std::string Result = Text ? Text : "";
  std::free(Text);
  return Result;
}

KernelNames::KernelNames(StringRef Name)
    : Mangled(Name), Demangled(Name), Signature(Name), Short(Name) {
  // The demangler also takes the encodings of types: 'a' is signed char.
  llvm::ItaniumPartialDemangler D;
  if (!Name.starts_with("_Z") || D.partialDemangle(Mangled.c_str()))
    return;
  Demangled = take(D.finishDemangle(nullptr, nullptr));
  Short = D.isFunction() ? take(D.getFunctionName(nullptr, nullptr)) : "";
  if (Short.empty())
    Signature = Short = Demangled;
  else
    Signature = Short + take(D.getFunctionParameters(nullptr, nullptr));
}

bool KernelNames::matches(const llvm::GlobPattern &Glob) const {
  return llvm::any_of(all(), [&](StringRef N) { return Glob.match(N); });
}
