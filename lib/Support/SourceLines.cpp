//===- SourceLines.cpp - Lines of texts by number -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/SourceLines.h"

using namespace ptxpredict;

static std::vector<size_t> findStarts(StringRef Text) {
  std::vector<size_t> Starts{0};
  for (size_t I = Text.find('\n'); I != StringRef::npos;
       I = Text.find('\n', I + 1))
    Starts.push_back(I + 1);
  return Starts;
}

std::optional<StringRef> SourceLines::find(StringRef Text, unsigned Line) {
  std::lock_guard<std::mutex> Lock(Mutex);
  auto [It, IsNew] = Starts.try_emplace(Text.data());
  if (IsNew)
    It->second = findStarts(Text);
  if (Line == 0 || Line > It->second.size())
    return std::nullopt;
  return Text.drop_front(It->second[Line - 1]).take_until([](char C) {
    return C == '\n' || C == '\r';
  });
}
