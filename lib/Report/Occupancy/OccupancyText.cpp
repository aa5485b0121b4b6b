//===- OccupancyText.cpp - Occupancy as text ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A result fills one screen: the answer, what each limit allows, what would
// change it, and the curves as tables of their steps.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Occupancy/OccupancyReport.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;

using Align = TextTable::Align;

namespace {

class OccupancyPrinter {
public:
  OccupancyPrinter(const OccupancyResult &R, raw_ostream &OS, bool Colors)
      : R(R), OS(OS), Colors(Colors) {}

  void print() {
    printHead();
    printAnswer();
    printLimits();
    printSteps();
    printCurves();
  }

private:
  const OccupancyResult &R;
  raw_ostream &OS;
  bool Colors;

  void printHead();
  void printAnswer();
  void printLimits();
  void printSteps();
  void printCurves();
  void printCurve(StringRef Title, const Twine &With, StringRef Axis,
                  ArrayRef<OccupancyPoint> Points, bool Limiters);

  void paint(StringRef Text, raw_ostream::Colors Color) {
    if (Colors)
      OS.changeColor(Color, /*Bold=*/true);
    OS << Text;
    if (Colors)
      OS.resetColor();
  }
};

} // namespace

/// "40 registers (4 fewer) and 8192 B of shared memory (1024 fewer)": what
/// \p Next takes less than \p Now.
static std::string reduction(const BlockResources &Now,
                             const BlockResources &Next) {
  std::string Text;
  auto Add = [&](uint64_t Old, uint64_t New, StringRef What) {
    if (Old == New)
      return;
    Text += ((Text.empty() ? "" : " and ") + Twine(New) + " " + What + " (" +
             Twine(Old - New) + " fewer)")
                .str();
  };
  Add(Now.RegistersPerThread, Next.RegistersPerThread, "registers");
  Add(Now.SharedBytes, Next.SharedBytes, "B of shared memory");
  Add(Now.Barriers, Next.Barriers, "barriers");
  return Text;
}

void OccupancyPrinter::printHead() {
  if (!R.Name.empty()) {
    paint(fit(R.Demangled, ReportColumns), raw_ostream::SAVEDCOLOR);
    OS << "\n  "
       << fit(printable(R.Path) + ":" + std::to_string(R.Line),
              ReportColumns - 2)
       << "\n  ";
  }
  OS << "block " << toString(R.Block);
  if (R.Cluster.count() != 1)
    OS << " in clusters of " << toString(R.Cluster);
  OS << ": " << shortEstimate(R.Registers) << " registers a thread, "
     << R.Resources.SharedBytes << " B shared memory";
  if (R.DynamicSharedBytes != 0 && R.StaticSharedBytes != 0)
    OS << " (" << R.DynamicSharedBytes << " B dynamic)";
  if (R.Barriers != 0)
    OS << ", " << plural(R.Barriers, "barrier");
  OS << "\n\n";
}

void OccupancyPrinter::printAnswer() {
  OS << "  ";
  if (R.Occ.BlocksPerSM == 0) {
    paint("does not fit", raw_ostream::RED);
    OS << " on " << R.D->Name << '\n';
  } else {
    paint(percent(R.Occ.Fraction), raw_ostream::GREEN);
    OS << " on " << R.D->Name << ": " << plural(R.Occ.BlocksPerSM, "block")
       << ", " << R.Occ.WarpsPerSM << " of " << uint64_t(*R.D->MaxWarpsPerSM)
       << " warps per SM, limited by ";
    paint(toString(R.Occ.Limiter), raw_ostream::YELLOW);
    OS << '\n';
  }
  if (!R.Registers.isKnown() && R.Registers.Low != R.Registers.High) {
    auto BlocksWith = [&](double Registers) {
      BlockResources Other = R.Resources;
      Other.RegistersPerThread = unsigned(std::lround(Registers));
      return computeOccupancy(*R.D, Other).BlocksPerSM;
    };
    unsigned Least = BlocksWith(R.Registers.High),
             Most = BlocksWith(R.Registers.Low);
    OS << "  " << Least;
    if (Most != Least)
      OS << " to " << Most;
    OS << (Most == 1 ? " block" : " blocks") << " with the "
       << shortNumber(R.Registers.Low) << " to "
       << shortNumber(R.Registers.High)
       << " registers of the estimate's range\n";
  }
  if (R.MostClusters)
    OS << "  at most " << plural(*R.MostClusters, "cluster")
       << " on the device at once\n";
  for (StringRef Note : R.Notes) {
    OS << "  note: ";
    printWrapped(OS, Note, 8, 8);
  }
}

void OccupancyPrinter::printLimits() {
  OS << '\n';
  paint("Limits", raw_ostream::CYAN);
  OS << " the blocks of an SM that each of them alone lets in\n";
  StringRef Separator = "  ";
  for (OccupancyLimiter L :
       {OccupancyLimiter::Threads, OccupancyLimiter::Blocks,
        OccupancyLimiter::Registers, OccupancyLimiter::SharedMemory,
        OccupancyLimiter::Barriers})
    if (R.Occ.limit(L) != Occupancy::NoLimit) {
      OS << Separator << toString(L) << ' ' << R.Occ.limit(L);
      Separator = "   ";
    }
  OS << '\n';
}

void OccupancyPrinter::printSteps() {
  OS << '\n';
  paint("Next step", raw_ostream::CYAN);
  const BlockResources &Now = R.Resources;
  unsigned Blocks = R.Occ.BlocksPerSM;
  if (R.Next) {
    Occupancy Then = computeOccupancy(*R.D, *R.Next);
    OS << ' ' << reduction(Now, *R.Next) << " would make it "
       << plural(Then.BlocksPerSM, "block") << ", " << percent(Then.Fraction)
       << '\n';
  } else {
    OS << " no saving of registers, shared memory or barriers lets "
       << (Blocks == 0 ? "a block in\n" : "one more block in\n");
  }
  if (Blocks == 0)
    return;
  paint("Headroom", raw_ostream::CYAN);
  OS << "  up to " << mostRegistersFor(*R.D, Now, Blocks) << " registers and "
     << mostSharedBytesFor(*R.D, Now, Blocks)
     << " B of shared memory keep as many\n";
}

void OccupancyPrinter::printCurve(StringRef Title, const Twine &With,
                                  StringRef Axis,
                                  ArrayRef<OccupancyPoint> Points,
                                  bool Limiters) {
  if (Points.empty())
    return;
  OS << '\n';
  paint(Title, raw_ostream::CYAN);
  OS << ' ' << With << '\n';
  // Groups of columns beside each other, filled downwards.
  size_t Groups = Limiters ? 2 : 3;
  size_t Rows = (Points.size() + Groups - 1) / Groups;
  std::vector<Align> Columns;
  std::vector<std::string> Heading;
  for (size_t G = 0; G * Rows < Points.size(); ++G) {
    Columns.insert(Columns.end(), 3, Align::Right);
    llvm::append_range(
        Heading, ArrayRef<std::string>{Axis.str(), "blocks", "occupancy"});
    Columns.push_back(Align::Left);
    Heading.emplace_back(Limiters ? "limited by  " : "  ");
  }
  TextTable T(std::move(Columns));
  T.addRow(std::move(Heading));
  for (size_t Row = 0; Row != Rows; ++Row) {
    std::vector<std::string> Cells;
    for (size_t I = Row; I < Points.size(); I += Rows) {
      const Occupancy &Occ = Points[I].Occ;
      Cells.push_back(std::to_string(Points[I].Value));
      Cells.push_back(std::to_string(Occ.BlocksPerSM));
      Cells.push_back(percent(Occ.Fraction));
      Cells.push_back(Limiters ? toString(Occ.Limiter).str() : "  ");
    }
    T.addRow(std::move(Cells));
  }
  T.print(OS);
}

/// The last point of each run of points with as many blocks.
static std::vector<OccupancyPoint> steps(ArrayRef<OccupancyPoint> Points) {
  std::vector<OccupancyPoint> Result;
  for (size_t I = 0; I != Points.size(); ++I)
    if (I + 1 == Points.size() ||
        Points[I].Occ.BlocksPerSM != Points[I + 1].Occ.BlocksPerSM)
      Result.push_back(Points[I]);
  return Result;
}

void OccupancyPrinter::printCurves() {
  OccupancyCurves Curves = occupancyCurves(*R.D, R.Resources);
  std::string Threads = plural(R.Resources.Threads, "thread"),
              Registers = plural(R.Resources.RegistersPerThread, "register"),
              Shared = std::to_string(R.Resources.SharedBytes) + " B";
  printCurve("Block size", "with " + Registers + " and " + Shared, "threads",
             Curves.Block, /*Limiters=*/true);
  printCurve("Registers", "with " + Threads + " and " + Shared, "up to",
             steps(Curves.Registers), /*Limiters=*/false);
  printCurve("Shared memory", "with " + Threads + " and " + Registers,
             "up to B", steps(Curves.Shared), /*Limiters=*/false);
}

/// Every default that was used, once; of several kernels with their names.
static void printAssumptions(ArrayRef<OccupancyResult> Results, bool Colors,
                             raw_ostream &OS) {
  TextTable T({Align::Left, Align::Left});
  T.addRow({});
  std::vector<std::string> Said;
  for (const OccupancyResult &R : Results)
    for (const Assumption &A : R.Assumptions) {
      std::string What = A.what() + ": " + A.Value;
      if (Results.size() != 1 && !R.Name.empty())
        What += " (" + fit(R.Demangled, 40) + ")";
      if (llvm::is_contained(Said, What))
        continue;
      Said.push_back(What);
      T.addRow({What, A.Option});
    }
  if (Said.empty())
    return;
  OS << '\n';
  if (Colors)
    OS.changeColor(raw_ostream::CYAN, /*Bold=*/true);
  OS << "Assumed";
  if (Colors)
    OS.resetColor();
  OS << ", and the option that replaces it\n";
  T.print(OS);
}

static void printTable(ArrayRef<OccupancyResult> Results, raw_ostream &OS) {
  bool Kernels = llvm::any_of(Results, [](auto &R) { return !R.Name.empty(); });
  TextTable T({Align::Left, Align::Left, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right, Align::Right,
               Align::Left, Align::Left});
  T.addRow({"kernel", "device", "block", "registers", "shared B", "blocks",
            "warps", "occupancy", "limited by", "more blocks with"});
  for (const OccupancyResult &R : Results) {
    const std::optional<BlockResources> &Next = R.Next;
    std::string Step;
    if (Next && Next->RegistersPerThread != R.Resources.RegistersPerThread)
      Step = std::to_string(Next->RegistersPerThread) + " registers";
    if (Next && Next->SharedBytes != R.Resources.SharedBytes)
      Step +=
          (Step.empty() ? "" : ", ") + std::to_string(Next->SharedBytes) + " B";
    T.addRow(
        {Kernels ? fit(R.Demangled, 30) : "", R.D->Name, toString(R.Block),
         shortEstimate(R.Registers), std::to_string(R.Resources.SharedBytes),
         std::to_string(R.Occ.BlocksPerSM), std::to_string(R.Occ.WarpsPerSM),
         percent(R.Occ.Fraction), toString(R.Occ.Limiter).str(), Step});
  }
  T.print(OS, /*Indent=*/0);
  std::vector<StringRef> Said;
  for (const OccupancyResult &R : Results)
    for (StringRef Note : R.Notes)
      if (!llvm::is_contained(Said, Note)) {
        Said.push_back(Note);
        OS << "note: ";
        printWrapped(OS, Note, 6, 6);
      }
}

void ptxpredict::printOccupancyText(ArrayRef<OccupancyResult> Results,
                                    raw_ostream &To, bool Verbose,
                                    bool Colors) {
  PrintableStream OS(To);
  if (Results.size() > 1 && !Verbose)
    printTable(Results, OS);
  else
    for (const OccupancyResult &R : Results) {
      if (&R != &Results.front())
        OS << '\n' << std::string(ReportColumns, '-') << "\n\n";
      OccupancyPrinter(R, OS, Colors).print();
    }
  printAssumptions(Results, Colors, OS);
}
