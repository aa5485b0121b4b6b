//===- Suppression.cpp - Findings to be left out --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Lint/Suppression.h"
#include "ptxpredict/Support/OwnedGlob.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

static bool matches(StringRef Glob, StringRef Rule) {
  Expected<OwnedGlob> Pattern = OwnedGlob::create(Glob);
  if (Pattern)
    return Pattern->match(Rule);
  llvm::consumeError(Pattern.takeError());
  return false;
}

std::optional<Suppression> Suppression::find(StringRef Text, StringRef Rule) {
  for (size_t At = Text.find(Marker); At != StringRef::npos;
       At = Text.find(Marker)) {
    Text = Text.drop_front(At + Marker.size());
    StringRef Rest = Text.ltrim();
    if (!Rest.consume_front("ignore["))
      continue;
    auto [Globs, After] = Rest.split(']');
    if (Globs.size() == Rest.size()) // without an end
      continue;
    if (llvm::any_of(llvm::split(Globs, ','), [&](StringRef Glob) {
          return matches(Glob.trim(), Rule);
        }))
      return Suppression{
          Globs,
          After.take_front(std::min(After.find(Marker), After.find("*/")))
              .trim()};
  }
  return std::nullopt;
}

/// The comment of a line of C++, Python, LLVM IR or PTX; empty without one.
static StringRef commentOf(StringRef Line) {
  size_t At = std::min(Line.find("//"), Line.find("/*"));
  // In C++ these are no comments unless they can be nothing else.
  for (StringRef Start : {"#", ";"})
    At = std::min(At,
                  Line.ltrim().starts_with(Start)
                      ? Line.find(Start)
                      : Line.find((Start + " " + Suppression::Marker).str()));
  return Line.substr(std::min(At, Line.size()));
}

std::optional<Suppression>
Suppression::findOfLine(StringRef Line, StringRef Before, StringRef Rule) {
  if (std::optional<Suppression> S = find(commentOf(Line), Rule))
    return S;
  StringRef Comment = commentOf(Before);
  return Comment == Before.ltrim() ? find(Comment, Rule) : std::nullopt;
}
