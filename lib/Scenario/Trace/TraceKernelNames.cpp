//===- TraceKernelNames.cpp - Names of kernels as traces have them --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Scenario/Trace/TraceKernelNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

/// Where the bracket that \p Text ends with begins; npos if it ends with none.
static size_t lastBracket(StringRef Text) {
  if (Text.empty() || !StringRef(")>").contains(Text.back()))
    return StringRef::npos;
  size_t Depth = 0;
  for (size_t N = Text.size(); N-- != 0;) {
    if (StringRef(")>]").contains(Text[N]))
      ++Depth;
    else if (StringRef("(<[").contains(Text[N]) && --Depth == 0)
      return N;
  }
  return StringRef::npos;
}

/// Without its parameters, and what compilers put behind them: "f(int)
/// [clone .1]".
static StringRef withoutParameters(StringRef Name) {
  Name = Name.rtrim();
  if (Name.ends_with("]"))
    Name = Name.take_front(Name.rfind(" [")).rtrim();
  if (!Name.ends_with(")"))
    return Name;
  const size_t Begin = lastBracket(Name);
  return Begin == StringRef::npos ? Name : Name.take_front(Begin);
}

/// Where the qualified name behind the return type begins.
static size_t behindReturnType(StringRef Name) {
  size_t Depth = 0, Begin = 0;
  for (size_t N = 0; N != Name.size(); ++N) {
    if (StringRef("(<[").contains(Name[N]))
      ++Depth;
    else if (StringRef(")>]").contains(Name[N]))
      Depth -= Depth != 0;
    else if (Name[N] == ' ' && Depth == 0)
      Begin = N + 1;
  }
  return Begin;
}

StringRef ptxpredict::functionNameOf(StringRef Demangled) {
  StringRef Name = withoutParameters(Demangled).rtrim();
  if (Name.ends_with(">"))
    if (size_t Begin = lastBracket(Name); Begin != StringRef::npos)
      Name = Name.take_front(Begin);
  const size_t Cut = Name.find_last_of(": />*&");
  if (Cut != StringRef::npos)
    Name = Name.drop_front(Cut + 1);
  return Name.empty() ? Demangled : Name;
}

bool ptxpredict::saysArguments(StringRef Demangled) {
  return Demangled.find_first_of("<(") != StringRef::npos;
}

/// Takes "(int)", a cast before a template's argument, from the front.
static bool consumeCast(StringRef &Text) {
  static constexpr StringRef Types[] = {
      "bool",           "char",         "signed char",   "unsigned char",
      "short",          "int",          "long",          "long long",
      "unsigned short", "unsigned int", "unsigned long", "unsigned long long"};
  for (StringRef T : Types) {
    StringRef Rest = Text;
    if (Rest.consume_front("(") && Rest.consume_front(T) &&
        Rest.consume_front(")") && !Rest.empty() &&
        (llvm::isDigit(Rest.front()) || Rest.front() == '-')) {
      Text = Rest;
      return true;
    }
  }
  return false;
}

std::string ptxpredict::comparableName(StringRef Demangled) {
  StringRef Rest = Demangled.rtrim();
  Rest = Rest.drop_front(behindReturnType(withoutParameters(Rest)));
  std::string Result;
  Result.reserve(Rest.size());
  while (!Rest.empty()) {
    if (Rest.consume_front("(anonymous namespace)")) {
      Result += "<unnamed>";
      continue;
    }
    if (consumeCast(Rest))
      continue;
    const StringRef Word = Rest.take_while(
        [](char C) { return llvm::isAlnum(C) || C == '_' || C == '$'; });
    if (Word.empty()) {
      if (Rest.front() != ' ')
        Result += Rest.front();
      Rest = Rest.drop_front();
      continue;
    }
    Rest = Rest.drop_front(Word.size());
    if (Word == "const") // it stands before or behind its type
      continue;
    if (Word == "true" || Word == "false")
      Result += Word == "true" ? "1" : "0";
    else if (llvm::isDigit(Word.front())) // 4u, 4ul
      Result += Word.rtrim("uUlL");
    else
      Result += Word;
  }
  return Result;
}
