//===- KernelNames.cpp - The names by which a kernel is chosen ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/KernelNames.h"
#include "ptxpredict/Support/NameLists.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>

using namespace ptxpredict;

/// The demangler calls itself for each character of a name at worst. Longer
/// ones stay as they are: they would need more than the stack.
static constexpr size_t MaxMangledBytes = size_t(16) << 10;

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
  if (!Name.starts_with("_Z") || Name.size() > MaxMangledBytes ||
      D.partialDemangle(Mangled.c_str()))
    return;
  Demangled = take(D.finishDemangle(nullptr, nullptr));
  Short = D.isFunction() ? take(D.getFunctionName(nullptr, nullptr)) : "";
  if (Short.empty())
    Signature = Short = Demangled;
  else
    Signature = Short + take(D.getFunctionParameters(nullptr, nullptr));
}

bool KernelNames::matches(const OwnedGlob &Glob) const {
  return llvm::any_of(all(), [&](StringRef N) { return Glob.match(N); });
}

std::string ptxpredict::noKernelMatches(StringRef Glob,
                                        ArrayRef<KernelNames> Kernels) {
  std::vector<StringRef> Names, Short;
  for (const KernelNames &K : Kernels) {
    Short.emplace_back(K.Short);
    llvm::append_range(Names, K.all());
  }
  return ("no kernel matches '" + Glob + "'" +
          (Kernels.empty() ? "; there are none"
                           : meantOrListed(Glob, Names, Short)))
      .str();
}

std::string ptxpredict::withoutFileHashes(StringRef Name) {
  constexpr size_t LeastDigits = 8;
  // nvcc's for unnamed namespaces and for static, then clang's for static.
  static constexpr StringRef Marks[] = {
      "_GLOBAL__N__", "_INTERNAL_", "__nv_static_", "__static__",
      "__intern__",   ".static.",   ".intern.",
  };
  if (llvm::none_of(Marks, [&](StringRef M) { return Name.contains(M); }))
    return Name.str();
  std::string Result;
  while (!Name.empty()) {
    StringRef Digits =
        Name.take_while([](char C) { return llvm::isHexDigit(C); });
    Name = Name.drop_front(Digits.size());
    const bool IsHash =
        Digits.size() >= LeastDigits && llvm::any_of(Digits, llvm::isDigit);
    Result += IsHash ? "#" : Digits.str();
    StringRef Rest =
        Name.take_until([](char C) { return llvm::isHexDigit(C); });
    Result += Rest;
    Name = Name.drop_front(Rest.size());
  }
  return Result;
}
