//===- CSVFile.cpp - Tables of comma-separated values ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Validation/Dataset/CSVFile.h"

using namespace ptxpredict;

std::optional<unsigned> CSVFile::column(StringRef Name) const {
  auto It = ByName.find(Name);
  if (It == ByName.end())
    return std::nullopt;
  return It->second;
}

SMLoc CSVFile::place(size_t Row, unsigned Column) const {
  const char *Text = cell(Row, Column).data();
  auto It = Places.find(Text);
  return SMLoc::getFromPointer(It == Places.end() ? Text : It->second);
}

bool CSVFile::read(DiagnosticEngine &Diags) {
  StringRef Rest = Diags.text();
  auto At = [](const char *P) { return SMLoc::getFromPointer(P); };
  Rest.consume_front("\xEF\xBB\xBF");

  /// The cell that \p Rest begins with, which is taken off; nothing if its
  /// quotes are wrong (reported).
  auto TakeCell = [&]() -> std::optional<StringRef> {
    if (!Rest.starts_with("\"")) {
      StringRef Cell = Rest.substr(0, Rest.find_first_of(",\r\n"));
      Rest = Rest.drop_front(Cell.size());
      return Cell;
    }
    const char *Begin = Rest.data();
    std::string Joined;
    bool IsJoined = false;
    Rest = Rest.drop_front();
    StringRef Cell;
    for (;;) {
      size_t Quote = Rest.find('"');
      if (Quote == StringRef::npos) {
        Diags.error(At(Begin), "the quote that begins here does not end");
        return std::nullopt;
      }
      Cell = Rest.take_front(Quote);
      Rest = Rest.drop_front(Quote + 1);
      if (!Rest.starts_with("\""))
        break;
      Joined += (Cell + "\"").str();
      IsJoined = true;
      Rest = Rest.drop_front();
    }
    if (!Rest.empty() && !StringRef(",\r\n").contains(Rest.front())) {
      Diags.error(At(Rest.data()), "text after the end of a quoted cell");
      return std::nullopt;
    }
    if (!IsJoined)
      return Cell;
    Joined += Cell;
    StringRef Saved = Unquoted.save(Joined);
    Places[Saved.data()] = Begin;
    return Saved;
  };

  SmallVector<StringRef, 32> Row;
  while (!Rest.empty()) {
    const char *Begin = Rest.data();
    Row.clear();
    for (;;) {
      std::optional<StringRef> Cell = TakeCell();
      if (!Cell)
        return true;
      Row.push_back(*Cell);
      if (!Rest.consume_front(","))
        break;
    }
    if (!Rest.consume_front("\r\n") && !Rest.consume_front("\n"))
      (void)Rest.consume_front("\r");
    if (Row.size() == 1 && Row[0].empty() && *Begin != '"')
      continue;
    if (Columns.empty()) {
      Columns.assign(Row.begin(), Row.end());
      for (unsigned N = 0; N != Columns.size(); ++N)
        if (!ByName.try_emplace(Columns[N], N).second) {
          auto It = Places.find(Columns[N].data());
          Diags.error(At(It == Places.end() ? Columns[N].data() : It->second),
                      "there are two columns '" + Columns[N] + "'");
        }
      if (Diags.hasErrors())
        return true;
      continue;
    }
    if (Row.size() != Columns.size()) {
      Diags.error(At(Begin), "this row has " + Twine(Row.size()) +
                                 " cells, the heading " +
                                 Twine(Columns.size()));
      if (Diags.numErrors() >= DiagnosticEngine::MaxErrors)
        return true;
      continue;
    }
    Cells.insert(Cells.end(), Row.begin(), Row.end());
  }
  if (Columns.empty())
    Diags.error(At(Diags.text().data()), "the file is empty");
  return Diags.hasErrors();
}
