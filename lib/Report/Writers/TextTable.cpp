//===- TextTable.cpp - Aligned columns and short numbers ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;

void TextTable::addRow(std::vector<std::string> Cells) {
  Cells.resize(Columns.size());
  for (std::string &Cell : Cells)
    if (!isPrintable(Cell))
      Cell = printable(Cell);
  Rows.push_back(std::move(Cells));
}

void TextTable::print(raw_ostream &OS, unsigned Indent) const {
  std::vector<size_t> Widths(Columns.size(), 0);
  for (size_t C = 0; C != Columns.size(); ++C) {
    for (const auto &Row : llvm::drop_begin(Rows))
      Widths[C] = std::max(Widths[C], Row[C].size());
    if (Widths[C] != 0)
      Widths[C] = std::max(Widths[C], Rows[0][C].size());
  }
  for (const auto &Row : Rows) {
    if (llvm::all_of(Row, [](const std::string &Cell) { return Cell.empty(); }))
      continue; // no heading
    std::string Line(Indent, ' ');
    bool First = true;
    for (size_t C = 0; C != Columns.size(); ++C) {
      if (Widths[C] == 0)
        continue;
      if (!First)
        Line += "  ";
      First = false;
      std::string Padding(Widths[C] - Row[C].size(), ' ');
      Line += Columns[C] == Align::Left ? Row[C] + Padding : Padding + Row[C];
    }
    OS << StringRef(Line).rtrim() << '\n';
  }
}

StringRef ptxpredict::statusMark(Status S) {
  switch (S) {
  case Status::Known:
    return "";
  case Status::Estimated:
    return "~";
  case Status::Assumed:
    return "?";
  case Status::Unknown:
    return "!";
  }
  return "";
}

std::string ptxpredict::shortEstimate(const Estimate &E) {
  return shortNumber(E.Value) + statusMark(E.Status).str();
}

std::string ptxpredict::shareBar(double Share) {
  double Columns = std::clamp(Share, 0.0, 1.0) * BarColumns;
  return std::string(size_t(std::lround(Columns)), '#');
}

std::string ptxpredict::fit(StringRef Text, unsigned Width) {
  if (Text.size() <= Width)
    return Text.str();
  // No character is cut.
  auto IsInside = [&](size_t At) {
    return At < Text.size() && ((unsigned char)Text[At] & 0xc0) == 0x80;
  };
  size_t Head = (Width - 3) / 2, Tail = Text.size() - (Width - 3 - Head);
  while (Head != 0 && IsInside(Head))
    --Head;
  while (IsInside(Tail))
    ++Tail;
  return (Text.take_front(Head) + "..." + Text.drop_front(Tail)).str();
}

void ptxpredict::printWrapped(raw_ostream &OS, StringRef Raw, unsigned Used,
                              unsigned Indent, unsigned Columns) {
  const std::string Shown = printable(Raw);
  StringRef Text = Shown;
  size_t Column = Used;
  bool LineStart = true;
  while (!Text.empty()) {
    StringRef Word;
    std::tie(Word, Text) = Text.split(' ');
    if (Text.starts_with("%")) { // stays with its number
      const size_t End = Text.find(' ');
      Word =
          StringRef(Word.data(), Word.size() + 1 + Text.take_front(End).size());
      Text = End == StringRef::npos ? StringRef() : Text.drop_front(End + 1);
    }
    if (!LineStart && Column + 1 + Word.size() > Columns) {
      OS << '\n';
      OS.indent(Indent);
      Column = Indent;
    } else if (!LineStart) {
      OS << ' ';
      ++Column;
    }
    OS << Word;
    Column += Word.size();
    LineStart = false;
  }
  OS << '\n';
}
