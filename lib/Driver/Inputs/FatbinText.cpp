//===- FatbinText.cpp - What cuobjdump prints of PTX ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Driver/Inputs/FatbinText.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <tuple>

using namespace ptxpredict;

static constexpr StringRef PTXHead = "Fatbin ptx code:",
                           MachineHead = "Fatbin elf code:";

/// The empty lines in front of all modules together: a wrong file must not make
/// them the square of its size.
static constexpr uint64_t MostPadding = uint64_t(64) << 20;

bool ptxpredict::isFatbinText(StringRef Text) {
  Text = Text.ltrim("\r\n\t ");
  if (Text.starts_with("member ")) // of an archive
    Text = Text.split('\n').second.ltrim("\r\n\t ");
  return Text.starts_with(PTXHead) || Text.starts_with(MachineHead);
}

/// Whether \p Line begins another entry, or the head of its archive's member.
static bool beginsEntry(StringRef Line) {
  Line = Line.rtrim("\r ");
  return Line == PTXHead || Line == MachineHead ||
         (Line.starts_with("member ") && Line.ends_with(":"));
}

/// What stands behind the head of an entry of PTX.
static StringRef behindHead(StringRef Rest) {
  for (bool IsEmpty = false; !Rest.empty() && !IsEmpty;) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    IsEmpty = Line.trim("\r\t ").empty();
  }
  return Rest;
}

Expected<std::vector<std::unique_ptr<llvm::MemoryBuffer>>>
ptxpredict::splitFatbinText(StringRef Text, StringRef Path) {
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> Modules;
  uint64_t Padding = 0;
  size_t NumLines = 0; // in front of Counted
  const char *Counted = Text.begin();
  for (StringRef Rest = Text; !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    if (Line.rtrim("\r ") != PTXHead)
      continue;
    StringRef Module = behindHead(Rest);
    for (Rest = Module; !Rest.empty();) {
      StringRef Next, After;
      std::tie(Next, After) = Rest.split('\n');
      if (beginsEntry(Next))
        break;
      Rest = After;
    }
    Module = Module.drop_back(Rest.size());
    if (Module.trim("\r\n\t ").empty())
      continue;
    NumLines += size_t(std::count(Counted, Module.begin(), '\n'));
    Counted = Module.begin();
    Padding += NumLines;
    if (Padding > MostPadding)
      return llvm::createStringError(
          "cuobjdump's text has too many modules; give it in parts");
    Modules.push_back(llvm::MemoryBuffer::getMemBufferCopy(
        std::string(NumLines, '\n') + Module.str(), Path));
  }
  if (Modules.empty())
    return llvm::createStringError(
        "cuobjdump's text has no PTX: the binary holds machine code alone; "
        "build it with PTX, such as -gencode arch=compute_90,code=compute_90");
  return Modules;
}
