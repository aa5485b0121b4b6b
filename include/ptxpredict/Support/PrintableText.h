//===- PrintableText.h - Texts of inputs as they are shown ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Names and texts that inputs bring may hold what a terminal acts upon, or what
// lets a reader see another text than a program does. They are shown without
// it. This says what that is; each form's own escapes come on top.
//
// Unprintable are
// - control characters: those below the blank, 0x7f, U+0080 to U+009F;
// - what turns or hides text: marks, overrides and isolates of its direction
//   (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), characters
//   without a width (U+200B to U+200D, U+2060 to U+2065, U+FEFF, U+FFF9 to
//   U+FFFB, U+E0000 to U+E007F), and separators of lines (U+2028, U+2029);
// - bytes that are no UTF-8.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SUPPORT_PRINTABLETEXT_H
#define PTXPREDICT_SUPPORT_PRINTABLETEXT_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace ptxpredict {

/// Whether nothing in \p Text is unprintable, but characters below the blank
/// that are in \p Kept.
bool isPrintable(StringRef Text, StringRef Kept = "");

/// \p Text with what is unprintable as "\n", "\t", "\x1b", "\xff", "\u202e",
/// "\U000e0041". Characters below the blank that are in \p Kept stay.
std::string printable(StringRef Text, StringRef Kept = "");

/// \p Text, a line of a file, with a blank for each byte of what is
/// unprintable: columns stay what they are.
std::string printableLine(StringRef Text);

/// \p JSON, a text in that form, with what is unprintable as "\u202e", which is
/// the same to who reads it. Unprintable characters stand only in its strings;
/// line ends stay. It must be UTF-8.
std::string printableJSON(StringRef JSON);

/// Writes on what it is given, as printable() does; colours stay. The other
/// stream gets all when this one is destroyed or flushed.
class PrintableStream final : public raw_ostream {
public:
  /// \p Kept as for printable().
  explicit PrintableStream(raw_ostream &To, StringRef Kept = "\n")
      : To(To), Kept(Kept) {}
  ~PrintableStream() override;

  raw_ostream &changeColor(Colors Color, bool Bold = false,
                           bool BG = false) override;
  raw_ostream &resetColor() override;
  raw_ostream &reverseColor() override;

private:
  void write_impl(const char *Data, size_t Bytes) override;
  uint64_t current_pos() const override { return To.tell(); }

  raw_ostream &To;
  StringRef Kept;
  std::string Begun; ///< the bytes so far of a character that is not complete
};

} // namespace ptxpredict

#endif // PTXPREDICT_SUPPORT_PRINTABLETEXT_H
