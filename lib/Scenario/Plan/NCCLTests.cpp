//===- NCCLTests.cpp - Reading what nccl-tests prints ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Plan/NCCLTests.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <set>

using namespace ptxpredict;
using Kind = OperationKind;

static constexpr double MostUs = 1e9;
static constexpr uint64_t MostRanks = 1'000'000;
static constexpr size_t MostRows = 100'000;

namespace {

/// A program of nccl-tests, and what a ring of it costs as much as.
struct ProgramKind {
  StringRef Name;
  Kind Cost;
};
constexpr ProgramKind Programs[] = {
    {"all_reduce", Kind::AllReduce}, {"all_gather", Kind::AllGather},
    {"alltoall", Kind::AllToAll},    {"broadcast", Kind::Broadcast},
    {"reduce", Kind::Broadcast},     {"reduce_scatter", Kind::ReduceScatter},
    {"sendrecv", Kind::Send}};

/// Reads line by line.
class NCCLReader {
public:
  NCCLReader(DiagnosticEngine &Diags, NCCLTests &Into)
      : Diags(Diags), Into(Into) {}
  void read();

private:
  using Words = SmallVector<StringRef, 24>;

  void readComment(StringRef Line);
  void readHeading(ArrayRef<StringRef> Names);
  void readProgram(StringRef Name);
  void readRow(ArrayRef<StringRef> Cells);
  std::optional<double> number(StringRef Cell, StringRef What);
  /// Nothing of a time that was not taken, either.
  std::optional<double> time(StringRef Cell);
  void findProgram();

  /// Where a name stands in the heading, the second time or the first one.
  std::optional<size_t> column(StringRef Name, bool IsSecond = false) const;
  StringRef cell(ArrayRef<StringRef> Cells, StringRef Name) const {
    const std::optional<size_t> At = column(Name);
    return At ? Cells[*At] : StringRef();
  }
  static SMLoc placeOf(StringRef Text) {
    return SMLoc::getFromPointer(Text.data());
  }

  DiagnosticEngine &Diags;
  NCCLTests &Into;
  Words Columns; ///< empty before the heading
  std::set<uint64_t> Ranks;
  bool HasProgram = false;
  StringRef FirstRedOp, FirstRoot; ///< of the first row; empty without
  StringRef FirstOther;            ///< a line that is no comment and no row
  uint64_t NumOthers = 0;
};

} // namespace

std::optional<size_t> NCCLReader::column(StringRef Name, bool IsSecond) const {
  for (size_t N = 0; N != Columns.size(); ++N)
    if (Columns[N] == Name && !std::exchange(IsSecond, false))
      return N;
  return std::nullopt;
}

void NCCLReader::readHeading(ArrayRef<StringRef> Names) {
  if (!Columns.empty())
    return Diags.error(placeOf(Names.front()),
                       "a second table begins here: give each program's output "
                       "a file of its own");
  Columns.assign(Names.begin(), Names.end());
  for (StringRef Name : {"time", "algbw", "busbw"})
    if (!llvm::is_contained(Columns, Name))
      Diags.error(placeOf(Names.front()),
                  "the heading lacks the column '" + Name + "'" +
                      (Name == "time" && llvm::is_contained(Columns, "cputime")
                           ? ": these are times of the processor; measure "
                             "without -C"
                           : ""));
}

void NCCLReader::readProgram(StringRef Name) {
  const size_t Slash = Name.rfind('/');
  StringRef Base = Name.drop_front(Slash == StringRef::npos ? 0 : Slash + 1);
  Base.consume_back("_perf");
  const auto *Program = llvm::find_if(
      Programs, [&](const ProgramKind &P) { return P.Name == Base; });
  HasProgram = true; // also of a wrong one, which is reported once
  if (Program == std::end(Programs)) {
    Diags.error(placeOf(Name),
                "the cost of '" + Base + "' is not known; known are " +
                    llvm::join(llvm::map_range(
                                   Programs,
                                   [](const ProgramKind &P) { return P.Name; }),
                               ", "));
    return;
  }
  Into.Program = Base.str();
  Into.Kind = Program->Cost;
}

void NCCLReader::readComment(StringRef Line) {
  Line = Line.drop_front().trim();
  if (StringRef Name = Line; Name.consume_front("Collective test starting:"))
    return readProgram(Name.trim());
  Words W;
  llvm::SplitString(Line, W);
  uint64_t Rank = 0;
  if (W.size() > 1 && W[0] == "Rank" && !W[1].getAsInteger(10, Rank) &&
      Ranks.size() < MostRanks)
    Ranks.insert(Rank);
  else if (W.size() > 2 && W[0] == "size" && W[1] == "count")
    readHeading(W);
}

std::optional<double> NCCLReader::number(StringRef Cell, StringRef What) {
  const std::optional<double> V = parseNumber(Cell);
  if (V && *V >= 0)
    return V;
  Diags.error(placeOf(Cell),
              "'" + What + "' must be a number from 0, not '" + Cell + "'");
  return std::nullopt;
}

std::optional<double> NCCLReader::time(StringRef Cell) {
  if (Cell == "N/A")
    return std::nullopt;
  const std::optional<double> V = number(Cell, "time");
  if (V && *V > 0 && *V <= MostUs)
    return V;
  if (V)
    Diags.error(placeOf(Cell), "a time is above 0 and at most " +
                                   shortestDecimal(MostUs) + " us, not " +
                                   Cell);
  return std::nullopt;
}

void NCCLReader::readRow(ArrayRef<StringRef> Cells) {
  const SMLoc Place = placeOf(Cells.front());
  if (Columns.empty())
    return Diags.error(Place, "a row before the heading, '# size count …'");
  if (Cells.size() < Columns.size())
    return Diags.error(Place, "this row has " + Twine(Cells.size()) +
                                  " cells, the heading " +
                                  Twine(Columns.size()));
  if (Into.Rows.size() == MostRows)
    return Diags.error(Place,
                       "there are more than " + Twine(MostRows) + " rows");
  const std::optional<double> Bytes = number(Cells.front(), "size");
  if (!Bytes || *Bytes == 0) // no bytes: no transfer
    return;
  NCCLRow Row;
  Row.Bytes = *Bytes;
  Row.Place = Place;
  bool HasWrong = false;
  for (const bool IsInPlace : {false, true}) {
    const std::optional<size_t> At = column("time", IsInPlace);
    if (!At)
      continue;
    std::optional<double> &Us = IsInPlace ? Row.InPlaceUs : Row.ApartUs;
    Us = time(Cells[*At]);
    if (!Us)
      continue;
    const std::optional<size_t> Wrong = column("#wrong", IsInPlace);
    HasWrong |= Wrong && parseNumber(Cells[*Wrong]).value_or(0) > 0;
    if (IsInPlace && Row.ApartUs)
      continue;
    const std::optional<double> Algorithm =
                                    number(Cells[*column("algbw", IsInPlace)],
                                           "algbw"),
                                Bus = number(Cells[*column("busbw", IsInPlace)],
                                             "busbw");
    Row.AlgorithmGBs = Algorithm.value_or(0);
    Row.BusGBs = Bus.value_or(0);
  }
  if (HasWrong)
    Diags.warning(Place, "results of this size were wrong: their times say "
                         "little");
  if (Into.Rows.empty()) {
    FirstRedOp = cell(Cells, "redop");
    FirstRoot = cell(Cells, "root");
  }
  if (Row.ApartUs || Row.InPlaceUs)
    Into.Rows.push_back(Row);
}

/// By its columns and bandwidths, where no line names it.
void NCCLReader::findProgram() {
  const auto Largest =
      llvm::max_element(Into.Rows, [](const NCCLRow &A, const NCCLRow &B) {
        return A.Bytes < B.Bytes;
      });
  constexpr double Least = 0.5; // GB/s, of which two digits are there
  if (Largest->AlgorithmGBs < Least)
    return Diags.error(Largest->Place,
                       "sizes so small do not tell which operation this is; "
                       "keep the line '# Collective test starting: …', or "
                       "measure some of 1 MiB and more");
  const double Factor = Largest->BusGBs / Largest->AlgorithmGBs;
  const bool IsPart = Factor < 0.99;
  const bool HasRoot = !FirstRoot.empty() && FirstRoot != "-1";
  const bool Reduces = !FirstRedOp.empty() && FirstRedOp != "none";
  readProgram(HasRoot   ? (Reduces ? "reduce" : "broadcast")
              : Reduces ? (IsPart ? "reduce_scatter" : "all_reduce")
                        : (IsPart ? "all_gather" : "sendrecv"));
}

void NCCLReader::read() {
  StringRef Rest = Diags.text();
  Rest.consume_front("\xEF\xBB\xBF");
  while (!Rest.empty()) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    // mpirun --tag-output: "[1,0]<stdout>:".
    if (Line.starts_with("["))
      for (StringRef Tag : {"<stdout>:", "<stderr>:"})
        if (const size_t At = Line.take_front(64).find(Tag);
            At != StringRef::npos)
          Line = Line.drop_front(At + Tag.size());
    Line = Line.trim();
    if (Line.starts_with("#")) {
      readComment(Line);
      continue;
    }
    Words Cells;
    llvm::SplitString(Line, Cells);
    if (Cells.empty())
      continue;
    if (llvm::all_of(Cells.front(), llvm::isDigit)) {
      readRow(Cells);
      continue;
    }
    if (++NumOthers == 1)
      FirstOther = Line;
  }
  Into.Ranks = Ranks.size();
  if (Diags.hasErrors())
    return;
  const SMLoc Begin = placeOf(Diags.text());
  if (Columns.empty())
    return Diags.error(Begin, "this is no output of nccl-tests: it has no "
                              "heading '# size count type …'");
  if (Into.Rows.empty())
    return Diags.error(Begin, "there are no times in this file");
  if (NumOthers != 0)
    Diags.note(placeOf(FirstOther),
               NumOthers == 1
                   ? Twine("this line is no row of the table; it is left out")
                   : "this line and " + Twine(NumOthers - 1) +
                         " more are no rows of the table; they are left out");
  if (!HasProgram)
    findProgram();
}

bool ptxpredict::parseNCCLTests(DiagnosticEngine &Diags, NCCLTests &Result) {
  NCCLReader(Diags, Result).read();
  return Diags.hasErrors();
}
