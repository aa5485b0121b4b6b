//===- CSVFile.cpp - Tables of comma-separated values ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Support/CSVFile.h"

using namespace ptxpredict;

static SMLoc startOf(StringRef Text) {
  return SMLoc::getFromPointer(Text.data());
}

CSVRows::CSVRows(StringRef Text, DiagnosticEngine &Diags)
    : Rest(Text), Diags(&Diags) {
  Rest.consume_front("\xEF\xBB\xBF");
}

SMLoc CSVRows::placeOf(StringRef Cell) const {
  auto It = Places.find(Cell.data());
  return SMLoc::getFromPointer(It == Places.end() ? Cell.data() : It->second);
}

void CSVRows::skipLine() {
  Rest = Rest.drop_front(std::min(Rest.find_first_of("\r\n"), Rest.size()));
  if (!Rest.consume_front("\r\n") && !Rest.consume_front("\n"))
    (void)Rest.consume_front("\r");
}

std::optional<StringRef> CSVRows::takeQuotedCell() {
  const StringRef Whole = Rest;
  std::string Joined; // parts before doubled quotes, each with one of them
  Rest = Rest.drop_front();
  StringRef Cell;
  for (;;) {
    size_t Quote = Rest.find('"');
    if (Quote == StringRef::npos) {
      Diags->error(startOf(Whole), "the quote that begins here does not end");
      return std::nullopt;
    }
    Cell = Rest.take_front(Quote);
    Rest = Rest.drop_front(Quote + 1);
    if (!Rest.consume_front("\""))
      break;
    Joined += (Cell + "\"").str();
  }
  if (!Rest.empty() && !StringRef(",\r\n").contains(Rest.front())) {
    Diags->error(startOf(Rest), "text after the end of a quoted cell");
    return std::nullopt;
  }
  if (Joined.empty())
    return Cell;
  Joined += Cell;
  StringRef Saved = Unquoted.save(Joined);
  Places[Saved.data()] = Whole.data();
  return Saved;
}

std::optional<StringRef> CSVRows::takeCell() {
  if (Rest.starts_with("\""))
    return takeQuotedCell();
  StringRef Cell = Rest.substr(0, Rest.find_first_of(",\r\n"));
  Rest = Rest.drop_front(Cell.size());
  return Cell;
}

bool CSVRows::take(Row &Cells) {
  Cells.clear();
  do {
    std::optional<StringRef> Cell = takeCell();
    if (!Cell)
      return false;
    Cells.push_back(*Cell);
  } while (Rest.consume_front(","));
  if (!Rest.consume_front("\r\n") && !Rest.consume_front("\n"))
    (void)Rest.consume_front("\r");
  return true;
}

std::optional<unsigned> CSVFile::column(StringRef Name) const {
  auto It = ByName.find(Name);
  if (It == ByName.end())
    return std::nullopt;
  return It->second;
}

SMLoc CSVFile::place(size_t Row, unsigned Column) const {
  return Rows->placeOf(cell(Row, Column));
}

bool CSVFile::setColumns(ArrayRef<StringRef> Names, DiagnosticEngine &Diags) {
  Columns.assign(Names.begin(), Names.end());
  for (unsigned N = 0; N != Columns.size(); ++N)
    if (!ByName.try_emplace(Columns[N], N).second)
      Diags.error(Rows->placeOf(Columns[N]),
                  "there are two columns '" + Columns[N] + "'");
  return !Diags.hasErrors();
}

bool CSVFile::read(DiagnosticEngine &Diags) {
  Rows.emplace(Diags.text(), Diags);
  CSVRows::Row Row;
  while (!Rows->atEnd()) {
    const StringRef Line = Rows->rest();
    if (!Rows->take(Row))
      return true;
    if (Row.size() == 1 && Row[0].empty() && Line.front() != '"')
      continue;
    if (Columns.empty()) {
      if (!setColumns(Row, Diags))
        return true;
      continue;
    }
    if (Row.size() != Columns.size()) {
      Diags.error(startOf(Line), "this row has " + Twine(Row.size()) +
                                     " cells, the heading " +
                                     Twine(Columns.size()));
      if (Diags.numErrors() >= DiagnosticEngine::MaxErrors)
        return true;
      continue;
    }
    Cells.insert(Cells.end(), Row.begin(), Row.end());
  }
  if (Columns.empty())
    Diags.error(startOf(Diags.text()), "the file is empty");
  return Diags.hasErrors();
}
