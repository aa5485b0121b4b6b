//===- NsysSummary.cpp - Kernels by launch shape, in the mean -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/Trace/NsysSummary.h"
#include "Scenario/Trace/TraceNumbers.h"
#include "ptxpredict/Support/CSVFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

namespace {
enum SummaryColumn : unsigned {
  InstancesColumn,
  MeanColumn,
  GridColumn,
  BlockColumn,
  KernelColumn,
  NumSummaryColumns
};
} // namespace

/// "Average" is that of nsys until 2021.
static constexpr StringRef SummaryColumnNames[NumSummaryColumns] = {
    "Instances", "Avg", "GridXYZ", "BlockXYZ", "Name"};

static std::optional<unsigned> findSummaryColumn(StringRef Name) {
  if (Name == "Average")
    return MeanColumn;
  const auto *At = llvm::find(SummaryColumnNames, Name);
  if (At == std::end(SummaryColumnNames))
    return std::nullopt;
  return unsigned(At - std::begin(SummaryColumnNames));
}

/// Of the line that \p Text begins with.
static SummaryForm formOfLine(StringRef Text) {
  SmallVector<StringRef, 16> Cells;
  Text.take_until([](char C) { return C == '\n'; })
      .split(Cells, ',', /*MaxSplit=*/32);
  bool Has[NumSummaryColumns] = {};
  for (StringRef Cell : Cells)
    if (auto C = findSummaryColumn(splitHeading(Cell).first))
      Has[*C] = true;
  if (!Has[InstancesColumn] || !Has[KernelColumn])
    return SummaryForm::None;
  return Has[GridColumn] || Has[BlockColumn] ? SummaryForm::KernelsAtShapes
         : Has[MeanColumn]                   ? SummaryForm::Kernels
                                             : SummaryForm::None;
}

SummaryForm ptxpredict::summaryFormOf(StringRef Text) {
  SummaryForm Found = SummaryForm::None;
  while (!Text.empty() && Found != SummaryForm::KernelsAtShapes) {
    Found = std::max(Found, formOfLine(Text));
    Text = Text.split('\n').second;
  }
  return Found;
}

namespace {

class NsysSummaryReader {
public:
  NsysSummaryReader(DiagnosticEngine &Diags, std::vector<SummaryKernel> &Result)
      : Diags(Diags), Rows(Diags.text(), Diags), Result(Result) {}

  void read();

private:
  bool findHeading();
  void readHeading();
  void readRow();
  void readShape(SummaryColumn C, StringRef What, std::array<uint32_t, 3> &To);
  StringRef cell(SummaryColumn C) const { return Cells[At[C]].trim(); }
  void error(SummaryColumn C, const Twine &Message) {
    Diags.error(Rows.placeOf(Cells[At[C]]), Message);
  }

  DiagnosticEngine &Diags;
  CSVRows Rows;
  std::vector<SummaryKernel> &Result;
  CSVRows::Row Cells;
  size_t NumColumns = 0;
  std::array<size_t, NumSummaryColumns> At{};
  double Unit = 1; ///< ns
};

} // namespace

bool NsysSummaryReader::findHeading() {
  SMLoc Other; // a summary without launches
  while (!Rows.atEnd()) {
    const SummaryForm Form = formOfLine(Rows.rest());
    if (Form == SummaryForm::KernelsAtShapes)
      return true;
    if (Form == SummaryForm::Kernels && !Other.isValid())
      Other = SMLoc::getFromPointer(Rows.rest().data());
    Rows.skipLine();
  }
  if (!Other.isValid())
    Other = SMLoc::getFromPointer(Diags.text().data());
  Diags.error(Other, "this summary does not say how kernels were launched: "
                     "'nsys stats --report cuda_gpu_kern_gb_sum --format csv "
                     "FILE.nsys-rep' and --report cuda_gpu_trace do");
  return false;
}

void NsysSummaryReader::readHeading() {
  if (!Rows.take(Cells))
    return;
  NumColumns = Cells.size();
  std::array<bool, NumSummaryColumns> Has{};
  for (size_t N = 0; N != Cells.size(); ++N) {
    auto [Name, UnitName] = splitHeading(Cells[N]);
    std::optional<unsigned> C = findSummaryColumn(Name);
    if (!C)
      continue;
    if (Has[*C])
      Diags.error(Rows.placeOf(Cells[N]),
                  "there are two columns '" + Name + "'");
    Has[*C] = true;
    At[*C] = N;
    if (*C != MeanColumn)
      continue;
    if (auto U = nanosecondsOf(UnitName.empty() ? "ns" : UnitName))
      Unit = *U;
    else
      Diags.error(Rows.placeOf(Cells[N]), "the unit '" + UnitName +
                                              "' of column '" + Name +
                                              "' is not known");
  }
  for (size_t C = 0; C != NumSummaryColumns; ++C)
    if (!Has[C])
      Diags.error(Rows.placeOf(Cells.front()),
                  "the heading has no column '" + SummaryColumnNames[C] + "'");
}

void NsysSummaryReader::readShape(SummaryColumn C, StringRef What,
                                  std::array<uint32_t, 3> &To) {
  SmallVector<StringRef, 3> Extents;
  llvm::SplitString(cell(C), Extents);
  bool Good = Extents.size() == 3;
  for (size_t D = 0; Good && D != 3; ++D)
    Good = !Extents[D].getAsInteger(10, To[D]) && To[D] != 0;
  if (!Good)
    error(C, "a " + What + " is three whole numbers, such as '64 1 1'");
}

void NsysSummaryReader::readRow() {
  SummaryKernel K;
  K.Name = cell(KernelColumn).str();
  K.Place = Rows.placeOf(Cells[At[KernelColumn]]);
  if (K.Name.empty())
    error(KernelColumn, "this row has no name");
  if (cell(InstancesColumn).getAsInteger(10, K.Launches) || K.Launches == 0)
    error(InstancesColumn, "a number of launches is a whole number from 1");
  const std::optional<DecimalCell> Mean = readDecimalCell(cell(MeanColumn));
  if (Mean && Mean->Value > 0)
    K.MeanNs = Mean->Value * Unit;
  else
    error(MeanColumn, "a mean time is a number above 0");
  readShape(GridColumn, "grid", K.Grid);
  readShape(BlockColumn, "block", K.Block);
  Result.push_back(std::move(K));
}

void NsysSummaryReader::read() {
  if (!findHeading())
    return;
  readHeading();
  if (Diags.hasErrors())
    return;
  while (!Rows.atEnd() && Diags.numErrors() < DiagnosticEngine::MaxErrors) {
    const StringRef Line = Rows.rest();
    // Another table follows behind an empty line.
    if (Line.front() == '\n' || Line.front() == '\r')
      break;
    if (!Rows.take(Cells))
      return;
    if (Cells.size() == NumColumns)
      readRow();
    else
      Diags.error(SMLoc::getFromPointer(Line.data()),
                  "this row has " + Twine(Cells.size()) +
                      " cells, the heading " + Twine(NumColumns));
  }
  if (!Diags.hasErrors() && Result.empty())
    Diags.error(SMLoc(), "the summary has no kernel");
}

bool ptxpredict::readNsysSummary(DiagnosticEngine &Diags,
                                 std::vector<SummaryKernel> &Result) {
  NsysSummaryReader(Diags, Result).read();
  return Diags.hasErrors();
}
