//===- PrintableText.cpp - Texts of inputs as they are shown --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace ptxpredict;

namespace {

/// The character that a text begins with.
struct Character {
  size_t Bytes;
  uint32_t Code; ///< the byte, if it is none
  bool IsUTF8 = true;

  bool isPrintable() const;
};

} // namespace

static Character first(StringRef Text) {
  const auto *Data = Text.bytes_begin();
  const uint8_t Lead = *Data;
  if (Lead < 0x80)
    return {1, Lead};
  const size_t Bytes = llvm::getUTF8SequenceSize(Data, Text.bytes_end());
  if (Bytes == 0)
    return {1, Lead, /*IsUTF8=*/false};
  uint32_t Code = Lead & (0x7fU >> Bytes);
  for (size_t I = 1; I != Bytes; ++I)
    Code = Code << 6 | (Data[I] & 0x3fU);
  return {Bytes, Code};
}

bool Character::isPrintable() const {
  // First and last of each range, as PrintableText.h lists them.
  static constexpr std::pair<uint32_t, uint32_t> Ranges[] = {
      {0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},
      {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x2069},
      {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
  return IsUTF8 && llvm::none_of(Ranges, [&](auto &R) {
           return Code >= R.first && Code <= R.second;
         });
}

/// Whether that is a character by itself, and printable.
static bool isPlain(char C) {
  const auto Byte = (unsigned char)C;
  return Byte >= 0x20 && Byte < 0x7f;
}

static std::string hex(uint32_t Code, unsigned Width) {
  return llvm::utohexstr(Code, /*LowerCase=*/true, Width);
}

static std::string escape(const Character &C) {
  if (!C.IsUTF8)
    return "\\x" + hex(C.Code, 2);
  if (C.Code == '\n')
    return "\\n";
  if (C.Code == '\t')
    return "\\t";
  if (C.Code < 0x80)
    return "\\x" + hex(C.Code, 2);
  return C.Code > 0xffff ? "\\U" + hex(C.Code, 8) : "\\u" + hex(C.Code, 4);
}

/// \p Text with what \p Escape makes of each unprintable character.
template <typename Function>
static std::string replaceUnprintable(StringRef Text, Function Escape) {
  std::string Out;
  Out.reserve(Text.size());
  while (!Text.empty()) {
    const StringRef Plain = Text.take_while(isPlain);
    Out += Plain;
    Text = Text.drop_front(Plain.size());
    if (Text.empty())
      break;
    const Character C = first(Text);
    if (C.isPrintable())
      Out += Text.take_front(C.Bytes);
    else
      Out += Escape(C);
    Text = Text.drop_front(C.Bytes);
  }
  return Out;
}

/// Whether that is one of \p Kept, which are below the blank.
static bool isOneOf(const Character &C, StringRef Kept) {
  return C.Code < 0x20 && Kept.contains(char(C.Code));
}

bool ptxpredict::isPrintable(StringRef Text, StringRef Kept) {
  while (!(Text = Text.drop_while(isPlain)).empty()) {
    const Character C = first(Text);
    if (!C.isPrintable() && !isOneOf(C, Kept))
      return false;
    Text = Text.drop_front(C.Bytes);
  }
  return true;
}

std::string ptxpredict::printable(StringRef Text, StringRef Kept) {
  return replaceUnprintable(Text, [&](const Character &C) {
    return isOneOf(C, Kept) ? std::string(1, char(C.Code)) : escape(C);
  });
}

std::string ptxpredict::printableLine(StringRef Text) {
  return replaceUnprintable(
      Text, [](const Character &C) { return std::string(C.Bytes, ' '); });
}

std::string ptxpredict::printableJSON(StringRef JSON) {
  return replaceUnprintable(JSON, [](const Character &C) -> std::string {
    if (C.Code == '\n')
      return "\n";
    if (C.Code <= 0xffff)
      return "\\u" + hex(C.IsUTF8 ? C.Code : 0xfffd, 4);
    const uint32_t Rest = C.Code - 0x10000; // in two parts, as in UTF-16
    return "\\u" + hex(0xd800 + (Rest >> 10), 4) + "\\u" +
           hex(0xdc00 + (Rest & 0x3ff), 4);
  });
}

//===----------------------------------------------------------------------===//
// PrintableStream
//===----------------------------------------------------------------------===//

/// How many bytes at the end of \p Text begin a character that may go on.
static size_t bytesBegun(StringRef Text) {
  for (size_t N = 1; N <= std::min<size_t>(3, Text.size()); ++N) {
    const auto Byte = (unsigned char)Text[Text.size() - N];
    if ((Byte & 0xc0) == 0x80)
      continue;
    return Byte >= 0xc0 && llvm::getNumBytesForUTF8(Byte) > N ? N : 0;
  }
  return 0;
}

void PrintableStream::write_impl(const char *Data, size_t Bytes) {
  std::string Joined;
  StringRef Text(Data, Bytes);
  if (!Begun.empty()) {
    Joined = Begun + Text.str();
    Text = Joined;
  }
  const size_t Rest = bytesBegun(Text);
  std::string Left = Text.take_back(Rest).str();
  Text = Text.drop_back(Rest);
  if (isPrintable(Text, Kept))
    To << Text;
  else
    To << printable(Text, Kept);
  Begun = std::move(Left);
}

PrintableStream::~PrintableStream() {
  flush();
  To << printable(Begun);
}

raw_ostream &PrintableStream::changeColor(Colors Color, bool Bold, bool BG) {
  flush();
  To.changeColor(Color, Bold, BG);
  return *this;
}

raw_ostream &PrintableStream::resetColor() {
  flush();
  To.resetColor();
  return *this;
}

raw_ostream &PrintableStream::reverseColor() {
  flush();
  To.reverseColor();
  return *this;
}
