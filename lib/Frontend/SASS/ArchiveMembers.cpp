//===- ArchiveMembers.cpp - The members of a static library ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ArchiveMembers.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {

/// The fields of a member's header that are read, as ar(5) has them.
struct MemberHead {
  static constexpr size_t Bytes = 60;
  StringRef Name, Size, End;

  explicit MemberHead(StringRef Head)
      : Name(Head.substr(0, 16).rtrim(' ')),
        Size(Head.substr(48, 10).rtrim(' ')), End(Head.substr(58, 2)) {}
};

} // namespace

static std::string at(uint64_t Offset, const Twine &What) {
  return (Twine("offset 0x") + llvm::utohexstr(Offset, /*LowerCase=*/true) +
          ": " + What)
      .str();
}

/// The name of a member: in its header, in the table \p LongNames of GNU, or,
/// as BSD has it, in front of its content, which it is then cut off from.
static StringRef nameOf(StringRef Name, StringRef LongNames,
                        StringRef &Content) {
  size_t Number = 0;
  if (StringRef Rest = Name; Rest.consume_front("#1/")) {
    if (Rest.getAsInteger(10, Number) || Number > Content.size())
      return Name;
    const StringRef Long = Content.take_front(Number);
    Content = Content.drop_front(Number);
    return Long.split('\0').first;
  }
  if (StringRef Rest = Name; Rest.consume_front("/") && !Rest.empty()) {
    if (Rest.getAsInteger(10, Number) || Number >= LongNames.size())
      return Name;
    Name = LongNames.substr(Number).split('\n').first;
  }
  Name.consume_back("/");
  return Name;
}

std::string sass::forEachMember(
    StringRef Archive,
    llvm::function_ref<void(StringRef, uint64_t, StringRef)> Do) {
  StringRef LongNames;
  for (uint64_t At = ArchiveMagic.size(); At < Archive.size();) {
    if (Archive.size() - At < MemberHead::Bytes)
      return at(At, "the head of a member is cut off");
    const MemberHead Head(Archive.substr(At, MemberHead::Bytes));
    uint64_t Size = 0;
    if (Head.End != "`\n" || Head.Size.getAsInteger(10, Size))
      return at(At, "no head of a member");
    const uint64_t Begin = At + MemberHead::Bytes;
    if (Size > Archive.size() - Begin)
      return at(At, "a member of " + Twine(Size) + " bytes, of which " +
                        Twine(Archive.size() - Begin) + " are there");
    StringRef Content = Archive.substr(Begin, Size);
    if (Head.Name == "//") {
      LongNames = Content;
    } else if (Head.Name != "/" && Head.Name != "/SYM64/") {
      const StringRef Name = nameOf(Head.Name, LongNames, Content);
      Do(Name, uint64_t(Content.begin() - Archive.begin()), Content);
    }
    At = Begin + Size + Size % 2; // members begin at even offsets
  }
  return {};
}
