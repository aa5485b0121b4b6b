//===- JSONText.cpp - Reading JSON with our diagnostics -------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/JSONText.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

using namespace ptxpredict;
namespace json = llvm::json;

namespace {

/// One pass over a text for what LLVM's parser does not look at: it recurses
/// without a bound and keeps the last value of a key. Up to the first error in
/// the syntax this sees the brackets and strings that the parser sees.
class Scan {
public:
  explicit Scan(StringRef Text) : Text(Text) {}

  /// Stops at what nests too deeply.
  void run(bool WithKeys);

  std::optional<size_t> TooDeep;      ///< offset of the first such bracket
  std::optional<size_t> DuplicateKey; ///< offset of its quotation mark

private:
  StringRef Text;
  struct Level {
    bool IsObject = false;
    llvm::StringSet<> Keys;
  };
  std::vector<Level> Open;

  void takeKey(size_t Start, size_t End);
};

} // namespace

/// Keeps the string in [Start, End), with its quotation marks, if it is a key.
void Scan::takeKey(size_t Start, size_t End) {
  if (DuplicateKey || Open.empty() || !Open.back().IsObject ||
      !Text.drop_front(End).ltrim(" \t\r\n").starts_with(":"))
    return;
  const StringRef Literal = Text.slice(Start, End);
  std::string Key = Literal.drop_front().drop_back().str();
  if (Literal.contains('\\')) {
    Expected<json::Value> V = json::parse(Literal);
    if (!V)
      return llvm::consumeError(V.takeError()); // the parser reports it
    Key = V->getAsString().value_or(Key).str();
  }
  if (!Open.back().Keys.insert(Key).second)
    DuplicateKey = Start;
}

void Scan::run(bool WithKeys) {
  for (size_t At = Text.find_first_of("\"[]{}"); At != StringRef::npos;
       At = Text.find_first_of("\"[]{}", At)) {
    const size_t Start = At++;
    const char C = Text[Start];
    if (C == '"') {
      while ((At = Text.find_first_of("\"\\", At)) != StringRef::npos &&
             Text[At] == '\\')
        At += 2;
      if (At == StringRef::npos)
        return;
      ++At;
      if (WithKeys)
        takeKey(Start, At);
    } else if (C == ']' || C == '}') {
      if (Open.empty())
        return; // the parser stops here, too
      Open.pop_back();
    } else if (Open.size() == MaxJSONDepth) {
      TooDeep = Start;
      return;
    } else {
      Open.emplace_back().IsObject = C == '{';
    }
  }
}

std::optional<json::Value> ptxpredict::parseJSON(DiagnosticEngine &Diags) {
  auto Place = [&](size_t Offset) {
    return SMLoc::getFromPointer(Diags.text().data() + Offset);
  };
  Scan Seen(Diags.text());
  Seen.run(/*WithKeys=*/true);
  if (Seen.TooDeep) {
    Diags.error(Place(*Seen.TooDeep), "nested too deeply: more than " +
                                          Twine(MaxJSONDepth) +
                                          " objects and arrays");
    return std::nullopt;
  }
  Expected<json::Value> V = json::parse(Diags.text());
  if (V && Seen.DuplicateKey) {
    Diags.error(Place(*Seen.DuplicateKey), "duplicate key");
    return std::nullopt;
  }
  if (V)
    return std::move(*V);
  // "[LINE:COLUMN, byte=OFFSET]: WHAT"
  std::string Text = llvm::toString(V.takeError());
  auto [Where, What] = StringRef(Text).split("]: ");
  size_t Offset = 0;
  SMLoc Loc;
  if (!Where.split("byte=").second.getAsInteger(10, Offset) &&
      Offset <= Diags.text().size())
    Loc = Place(Offset);
  Diags.error(Loc, "not valid JSON: " + (What.empty() ? Text : What));
  return std::nullopt;
}

std::optional<json::Value> ptxpredict::parseJSON(StringRef Text) {
  Scan Seen(Text);
  Seen.run(/*WithKeys=*/false);
  if (Seen.TooDeep)
    return std::nullopt;
  Expected<json::Value> V = json::parse(Text);
  if (V)
    return std::move(*V);
  llvm::consumeError(V.takeError());
  return std::nullopt;
}
