//===- MarkdownText.cpp - Texts in Markdown -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MarkdownText.h"
#include "ptxpredict/Report/Writers/SVG.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace ptxpredict;

/// Whether \p Text goes on at \p I so that GitHub would make a link or a
/// picture of it, or send mail: at the "@" of @name, the "#" of #1, the ":" of
/// :100: and of http://, the last "w" of www.
static bool beginsReference(StringRef Text, size_t I) {
  const StringRef Rest = Text.drop_front(I + 1);
  if (Rest.empty())
    return false;
  if (Text[I] == ':') {
    const StringRef Name = Rest.take_while([](char C) {
      return llvm::isAlnum(C) || StringRef("_+-").contains(C);
    });
    return Rest.starts_with("//") ||
           (!Name.empty() && Rest.drop_front(Name.size()).starts_with(":"));
  }
  if (Text[I] == '@' || Text[I] == '#')
    return llvm::isAlnum(Rest.front());
  return Rest.front() == '.' &&
         Text.take_front(I + 1).ends_with_insensitive("www");
}

std::string ptxpredict::markdownText(StringRef Raw) {
  const std::string Text = printable(Raw, "\n");
  std::string Result;
  for (size_t I = 0; I != Text.size(); ++I) {
    const char C = Text[I];
    if (StringRef("\\`*_[]|~$").contains(C))
      (Result += '\\') += C;
    else if (StringRef("&<>").contains(C))
      Result += escapeHTML(StringRef(&C, 1));
    else if (C == '\n')
      Result += ' ';
    else
      Result += C;
    if (beginsReference(Text, I))
      Result += "<!-- -->";
  }
  return Result;
}

std::string ptxpredict::markdownCode(StringRef Raw) {
  std::string Text;
  size_t Run = 0, Longest = 0;
  for (const char C : printable(Raw)) {
    Run = C == '`' ? Run + 1 : 0;
    Longest = std::max(Longest, Run);
    if (C == '|')
      Text += '\\'; // tables are parsed first
    Text += C;
  }
  if (Text.empty())
    return Text;
  const std::string Fence(Longest + 1, '`'), Pad(Longest == 0 ? 0 : 1, ' ');
  return Fence + Pad + Text + Pad + Fence;
}
