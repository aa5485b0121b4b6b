//===- HarmlessArguments.cpp - What a compile command may say -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Toolchain/HarmlessArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <iterator>

using namespace ptxpredict;

namespace {

// Bits of the columns `form` and `compilers`.
enum : unsigned { Flag = 1, Joined = 2, Next = 4, Equals = 8 };
enum : unsigned { Clang = 1, NVCC = 2, Both = 3 };

enum ValueKind : unsigned { None, Any, Word, Words };

struct KnownArgument {
  StringRef Spelling;
  unsigned Form;
  ValueKind Value;
  unsigned Compilers;
  StringRef Common; ///< how both compilers spell it; empty: they do not
};

constexpr KnownArgument KnownArguments[] = {
#define ARGUMENT(SPELLING, FORM, VALUE, COMPILERS, COMMON)                     \
  {SPELLING, FORM, VALUE, COMPILERS, COMMON},
#include "HarmlessArguments.def"
};

/// An argument of a command, with its value.
struct Match {
  const KnownArgument *Known = nullptr; ///< null: it is not known
  StringRef Value;
  size_t NumWords = 1; ///< of the command
};

} // namespace

static bool isWord(StringRef Text, StringRef Others) {
  return !Text.empty() && llvm::all_of(Text, [&](char C) {
    return llvm::isAlnum(C) || Others.contains(C);
  });
}

static bool fits(ValueKind Kind, StringRef Value) {
  switch (Kind) {
  case None:
    return Value.empty();
  case Any:
    return !Value.empty();
  case Word:
    return isWord(Value, "+-._:=");
  case Words:
    return isWord(Value, "+-._:=,[]");
  }
  return false;
}

/// How \p Words begins as \p K says; NumWords is 0 if it does not.
static Match matchOne(const KnownArgument &K, ArrayRef<std::string> Words) {
  Match M{&K, {}, 1};
  StringRef Rest = Words.front();
  if (!Rest.consume_front(K.Spelling))
    return {nullptr, {}, 0};
  if (Rest.empty() && (K.Form & Flag))
    return M;
  if (Rest.empty() && (K.Form & Next) && Words.size() > 1) {
    M.Value = Words[1];
    M.NumWords = 2;
    // An option, or a file of arguments, is no value.
    if (!M.Value.starts_with("-") && !M.Value.starts_with("@") &&
        fits(K.Value, M.Value))
      return M;
  } else if ((K.Form & Equals) && Rest.consume_front("=")) {
    M.Value = Rest;
    if (fits(K.Value, M.Value))
      return M;
  } else if ((K.Form & Joined) && fits(K.Value, Rest)) {
    M.Value = Rest;
    return M;
  }
  return {nullptr, {}, 0};
}

static Match match(ArrayRef<std::string> Words, unsigned Compiler) {
  for (const KnownArgument &K : KnownArguments)
    if (K.Compilers & Compiler)
      if (Match M = matchOne(K, Words); M.NumWords != 0)
        return M;
  return {};
}

/// Adds the argument as both compilers spell it.
static void addCommon(const Match &M, std::vector<std::string> &To) {
  StringRef Name = M.Known->Common;
  if (Name == "-std")
    To.push_back((Name + "=" + M.Value).str());
  else if (Name.size() == 2) // -I, -D, -U
    To.push_back((Name + M.Value).str());
  else
    To.insert(To.end(), {Name.str(), M.Value.str()});
}

bool ptxpredict::isSafeForNVCC(StringRef Text) {
  return llvm::none_of(Text, [](unsigned char C) {
    return C < 0x20 || C == 0x7f || StringRef("$`\\\"").contains(char(C));
  });
}

HarmlessArguments ptxpredict::keepHarmless(ArrayRef<std::string> All,
                                           bool FromNVCC, bool ForNVCC) {
  HarmlessArguments Result;
  while (!All.empty()) {
    Match M = match(All, FromNVCC ? NVCC : Clang);
    ArrayRef<std::string> Words = All.take_front(M.NumWords);
    All = All.drop_front(M.NumWords);
    if (!M.Known || (ForNVCC && !llvm::all_of(Words, isSafeForNVCC)))
      llvm::append_range(Result.LeftOut, Words);
    else if (FromNVCC == ForNVCC)
      llvm::append_range(Result.Kept, Words);
    else if (!M.Known->Common.empty())
      addCommon(M, Result.Kept);
  }
  return Result;
}
