//===- PTXHeader.cpp - PTX that a driver may not take whole ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PTXHeader.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::measure;

unsigned measure::newestPTX(int CudaVersion) {
  const int Major = CudaVersion / 1000, Minor = CudaVersion % 1000 / 10;
  if (Major == 11)
    return 70 + unsigned(Minor);
  // 12.6 brought nothing, so that the numbers after it are one less.
  if (Major == 12)
    return 80 + unsigned(Minor) - (Minor >= 6 ? 1 : 0);
  return Major < 11 ? 65 : 90 + unsigned(Minor) + unsigned(Major - 13) * 10;
}

/// Replaces the word behind a directive at the begin of a line by what \p Fit
/// makes of it.
template <typename FitT>
static void replaceWord(std::string &Text, StringRef Directive, FitT Fit) {
  const size_t Line = StringRef(Text).find(("\n" + Directive + " ").str());
  if (Line == std::string::npos)
    return;
  const size_t Begin = Line + Directive.size() + 2;
  const size_t End = Text.find_first_of(" \t\r\n,", Begin);
  const std::string New = Fit(StringRef(Text).slice(Begin, End));
  Text.replace(Begin, End - Begin, New);
}

std::string measure::fitHeader(StringRef Text, int CudaVersion,
                               unsigned Capability) {
  std::string Result = ("\n" + Text).str(); // the first line is one, too
  replaceWord(Result, ".version", [&](StringRef Word) {
    unsigned Major = 0, Minor = 0;
    const auto [First, Second] = Word.split('.');
    const unsigned Newest = newestPTX(CudaVersion);
    if (First.getAsInteger(10, Major) || Second.getAsInteger(10, Minor) ||
        Major * 10 + Minor <= Newest)
      return Word.str();
    return llvm::utostr(Newest / 10) + "." + llvm::utostr(Newest % 10);
  });
  replaceWord(Result, ".target", [&](StringRef Word) {
    StringRef Digits = Word;
    unsigned Number = 0;
    return Digits.consume_front("sm_") && !Digits.getAsInteger(10, Number) &&
                   Number > Capability
               ? "sm_" + llvm::utostr(Capability)
               : Word.str();
  });
  return Result.substr(1);
}

std::string measure::onlyKernel(StringRef Text, StringRef Name) {
  constexpr StringRef Begin = "\n.visible .entry ";
  const size_t First = Text.find(Begin);
  const size_t Mine = Text.find((Begin + Name + "(").str());
  if (Mine == StringRef::npos)
    return "";
  return (Text.take_front(First) +
          Text.slice(Mine, Text.find(Begin, Mine + Begin.size())))
      .str();
}
