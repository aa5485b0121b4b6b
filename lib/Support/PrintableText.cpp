//===- PrintableText.cpp - Names of inputs as they are shown --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

/// Bytes of the control character that \p Text begins with; 0: it is none.
static size_t controlBytes(StringRef Text) {
  const auto First = (unsigned char)Text.front();
  if (First < 0x20 || First == 0x7f)
    return 1;
  if (First != 0xc2 || Text.size() < 2)
    return 0;
  const auto Second = (unsigned char)Text[1];
  return Second >= 0x80 && Second < 0xa0 ? 2 : 0;
}

bool ptxpredict::isPrintable(StringRef Text) {
  for (; !Text.empty(); Text = Text.drop_front())
    if (controlBytes(Text))
      return false;
  return true;
}

std::string ptxpredict::printable(StringRef Text) {
  std::string Out;
  Out.reserve(Text.size());
  while (!Text.empty()) {
    const size_t Bytes = controlBytes(Text);
    const auto Last = (unsigned char)Text[Bytes == 2 ? 1 : 0];
    if (Bytes == 0)
      Out += Text.front();
    else if (Last == '\n')
      Out += "\\n";
    else if (Last == '\t')
      Out += "\\t";
    else
      Out += (Bytes == 2 ? "\\u00" : "\\x") +
             llvm::utohexstr(Last, /*LowerCase=*/true, /*Width=*/2);
    Text = Text.drop_front(std::max<size_t>(Bytes, 1));
  }
  return Out;
}
