//===- MarkdownText.cpp - Texts in Markdown -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MarkdownText.h"
#include "ptxpredict/Report/Writers/SVG.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <algorithm>

using namespace ptxpredict;

static std::string validText(StringRef Text) {
  return llvm::json::isUTF8(Text) ? Text.str() : llvm::json::fixUTF8(Text);
}

static bool isControl(char C) {
  return static_cast<unsigned char>(C) < 0x20 || C == 0x7f;
}

std::string ptxpredict::markdownText(StringRef Raw) {
  const std::string Text = validText(Raw);
  std::string Result;
  for (size_t I = 0; I != Text.size(); ++I) {
    const char C = Text[I];
    if (StringRef("\\`*_[]|~").contains(C))
      (Result += '\\') += C;
    else if (isControl(C))
      Result += ' ';
    else if (StringRef("&<>").contains(C))
      Result += escapeHTML(StringRef(&C, 1));
    else
      Result += C;
    // @name would send mail, #1 be a link, and :100: a picture.
    if ((C == '@' || C == '#' || C == ':') && I + 1 != Text.size() &&
        llvm::isAlnum(Text[I + 1]))
      Result += "<!-- -->";
  }
  return Result;
}

std::string ptxpredict::markdownCode(StringRef Raw) {
  std::string Text;
  size_t Run = 0, Longest = 0;
  for (const char C : validText(Raw)) {
    Run = C == '`' ? Run + 1 : 0;
    Longest = std::max(Longest, Run);
    if (C == '|')
      Text += '\\'; // tables are parsed first
    Text += isControl(C) ? ' ' : C;
  }
  if (Text.empty())
    return Text;
  const std::string Fence(Longest + 1, '`'), Pad(Longest == 0 ? 0 : 1, ' ');
  return Fence + Pad + Text + Pad + Fence;
}
