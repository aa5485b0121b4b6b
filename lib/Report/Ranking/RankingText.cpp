//===- RankingText.cpp - A ranking as text --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A table of each device and model. Below each place stands what separates it
// from the one before.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Ranking/Ranking.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/NameLists.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <set>

using namespace ptxpredict;

using Align = TextTable::Align;

namespace {

class RankingPrinter {
public:
  RankingPrinter(const Ranking &R, raw_ostream &OS, Verbosity V, bool Colors);

  void print(const DeviceRanking &D);
  void printBest(const DeviceRanking &D);

private:
  const Ranking &R;
  raw_ostream &OS;
  Verbosity V;
  bool Colors;
  size_t FolderLength = 0; ///< of the paths' common folder
  bool ManyKernels = false;

  std::string nameOf(const RankedCandidate &C) const {
    return printable(C.Path.substr(FolderLength));
  }
  std::string launchOf(const RankedCandidate &C) const;
  void printReason(const RankedPlace &P, unsigned Indent);
  void printUnranked(const DeviceRanking &D);
  void paint(StringRef Text, raw_ostream::Colors Color) {
    if (Colors)
      OS.changeColor(Color, /*Bold=*/true);
    OS << Text;
    if (Colors)
      OS.resetColor();
  }
};

} // namespace

RankingPrinter::RankingPrinter(const Ranking &R, raw_ostream &OS, Verbosity V,
                               bool Colors)
    : R(R), OS(OS), V(V), Colors(Colors) {
  if (R.Candidates.empty())
    return;
  const RankedCandidate &First = R.Candidates.front();
  StringRef Folder = First.Path;
  for (const RankedCandidate &C : R.Candidates) {
    size_t N = 0;
    while (N < Folder.size() && N < C.Path.size() && Folder[N] == C.Path[N])
      ++N;
    Folder = Folder.take_front(N);
    ManyKernels |= C.Kernel != First.Kernel;
  }
  size_t Slash = Folder.rfind('/');
  FolderLength = Slash == StringRef::npos ? 0 : Slash + 1;
}

/// "128x64 x 256", and what else of the launch is not as usual.
std::string RankingPrinter::launchOf(const RankedCandidate &C) const {
  std::string Text = toString(C.Grid) + " of " + toString(C.Block);
  if (C.Cluster.count() != 1)
    Text += " in " + toString(C.Cluster);
  if (C.DynamicSharedBytes != 0)
    Text += " + " + std::to_string(C.DynamicSharedBytes) + " B";
  return Text;
}

/// "+14 %", with a decimal if it is small.
static std::string slower(double By) {
  if (By < 0.0005)
    return "under +0.1 %";
  if (By < 0.095)
    return "+" + shortNumber(std::round(By * 1000) / 10) + " %";
  return "+" + percent(By);
}

void RankingPrinter::printReason(const RankedPlace &P, unsigned Indent) {
  if (P.Rank == 1)
    return;
  std::string Text;
  if (P.Slower <= 0)
    Text = "the same";
  else
    Text = slower(P.Slower) + (P.Reasons.empty() ? "" : ": ") +
           llvm::join(P.Reasons, ", ");
  OS.indent(Indent);
  printWrapped(OS, Text, Indent, Indent + 2);
}

void RankingPrinter::print(const DeviceRanking &D) {
  paint(
      (Twine(D.Ranked) + (D.Ranked == 1 ? " candidate" : " candidates")).str(),
      raw_ostream::CYAN);
  OS << " by " << toString(R.By) << " on " << D.Device << ", model " << D.Model
     << ", " << shortNumber(D.CoreMHz) << " MHz core, " << shortNumber(D.MemMHz)
     << " MHz memory\n";
  TextTable T({Align::Right, Align::Left, Align::Right, Align::Right,
               Align::Left, Align::Left, Align::Left, Align::Right,
               Align::Left});
  T.addRow({"", "", "time", "energy", "file", "kernel", "grid of blocks",
            "warps", "limited by"});
  for (const RankedPlace &P : D.Places) {
    const RankedPrediction &At = *P.Predicted;
    T.addRow({std::to_string(P.Rank), P.IsTie ? "=" : " ",
              shortTime(At.TimeUs->Value),
              At.EnergyJ ? shortEnergy(At.EnergyJ->Value) : "",
              fit(nameOf(*P.Candidate), 40),
              ManyKernels ? fit(P.Candidate->Demangled, 24) : "",
              launchOf(*P.Candidate), std::to_string(At.Occ.WarpsPerSM),
              plainNameOf(At.Limiter).str()});
  }
  std::string Table;
  llvm::raw_string_ostream Lines(Table);
  T.print(Lines, /*Indent=*/1);
  auto [Heading, Rest] = StringRef(Table).split('\n');
  if (!D.Places.empty())
    OS << Heading << '\n';
  // Below the first column of the times.
  const unsigned Indent = 5 + unsigned(std::to_string(D.Places.size()).size());
  for (const RankedPlace &P : D.Places) {
    auto [Line, More] = Rest.split('\n');
    Rest = More;
    OS << Line << '\n';
    if (V != Verbosity::Quiet)
      printReason(P, Indent);
  }
  if (D.Ranked > D.Places.size())
    OS << "and " << D.Ranked - D.Places.size() << " more (--top); the last has "
       << shortNumber(D.Spread) << " times the first one's " << toString(R.By)
       << '\n';
  if (llvm::any_of(D.Places, [](const RankedPlace &P) { return P.IsTie; }))
    OS << "= lies within the interval of the one before\n";
  printUnranked(D);
}

/// How many candidates have no place, by why.
void RankingPrinter::printUnranked(const DeviceRanking &D) {
  std::vector<std::pair<std::string, std::vector<const RankedPlace *>>> ByWhy;
  for (const RankedPlace &P : D.Unranked) {
    std::string Why = P.Predicted->Reason.empty()
                          ? "no power is known on this device"
                          : P.Predicted->Reason;
    auto Found =
        llvm::find_if(ByWhy, [&](const auto &E) { return E.first == Why; });
    if (Found == ByWhy.end())
      ByWhy.push_back({Why, {&P}});
    else
      Found->second.push_back(&P);
  }
  if (ByWhy.empty())
    return;
  paint("Not ranked", raw_ostream::YELLOW);
  OS << ": " << D.Unranked.size() << '\n';
  constexpr size_t Few = 4;
  const size_t Shown = V == Verbosity::Verbose ? ByWhy.size() : Few;
  for (const auto &[Why, Places] : ArrayRef(ByWhy).take_front(Shown)) {
    std::string Text =
        nameOf(*Places.front()->Candidate) + " " +
        launchOf(*Places.front()->Candidate) +
        (Places.size() > 1
             ? " and " + std::to_string(Places.size() - 1) + " more"
             : std::string()) +
        ": " + Why;
    OS << "  ";
    printWrapped(OS, Text, 2, 4);
  }
  if (ByWhy.size() > Shown)
    OS << "  and " << ByWhy.size() - Shown << " more reasons (--verbose)\n";
}

void RankingPrinter::printBest(const DeviceRanking &D) {
  OS << D.Device << "  " << D.Model << "  ";
  if (D.Places.empty()) {
    OS << "none\n";
    return;
  }
  const RankedPlace &P = D.Places.front();
  OS << nameOf(*P.Candidate) << "  " << P.Candidate->Demangled << "  "
     << launchOf(*P.Candidate) << "  " << shortTime(P.Predicted->TimeUs->Value)
     << "  ";
  if (P.Predicted->EnergyJ)
    OS << shortEnergy(P.Predicted->EnergyJ->Value) << "  ";
  OS << plainNameOf(P.Predicted->Limiter) << '\n';
}

static void printLeftOut(const Ranking &R, Verbosity V, raw_ostream &OS) {
  std::vector<std::string> Kernels;
  Kernels.reserve(R.LeftOut.size());
  for (const Ranking::LeftOutKernel &K : R.LeftOut)
    Kernels.push_back(K.Demangled + " of " + K.Path);
  std::vector<StringRef> Names(Kernels.begin(), Kernels.end());
  OS << "\nleft out, as the launch files have no launch of them: ";
  printWrapped(
      OS, V == Verbosity::Verbose ? llvm::join(Names, ", ") : listNames(Names),
      54, 2);
}

void ptxpredict::printRankingText(const Ranking &R, size_t Top, raw_ostream &To,
                                  Verbosity V, bool Colors) {
  PrintableStream OS(To);
  RankingPrinter Printer(R, OS, V, Colors);
  bool First = true;
  for (const DeviceRanking &D : R.sort(V == Verbosity::Quiet ? 1 : Top)) {
    if (V == Verbosity::Quiet) {
      Printer.printBest(D);
      continue;
    }
    if (!First)
      OS << '\n';
    First = false;
    Printer.print(D);
  }
  if (!R.LeftOut.empty() && V != Verbosity::Quiet)
    printLeftOut(R, V, OS);
}
