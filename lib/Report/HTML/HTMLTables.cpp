//===- HTMLTables.cpp - The tables of a kernel ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HTMLLimits.h"
#include "HTMLParts.h"
#include "Report/Prediction/CharacteristicsText.h"
#include "ptxpredict/Report/Writers/SVG.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::html;

/// What keeps a page small.
static constexpr size_t MaxTableRows = 40, MaxFormulaBytes = 200,
                        MaxTerms = 120;

namespace {

struct Heading {
  StringRef Name;
  StringRef Class = ""; ///< "num" of numbers
};

/// A table that can be folded away.
class Table {
public:
  Table(raw_ostream &OS, StringRef Name, std::vector<Heading> Columns,
        bool IsOpen = false)
      : OS(OS), Columns(std::move(Columns)) {
    OS << "<details" << (IsOpen ? " open" : "") << "><summary>" << Name
       << "</summary>\n<div class=\"scroll\"><table><thead><tr>";
    for (const Heading &H : this->Columns)
      OS << "<th" << classOf(H) << '>' << H.Name << "</th>";
    OS << "</tr></thead><tbody>\n";
  }
  ~Table() {
    OS << "</tbody></table></div>\n";
    if (NumLeftOut != 0)
      OS << "<p class=\"hint\">and " << NumLeftOut << " more</p>\n";
    OS << "</details>\n";
  }
  Table(const Table &) = delete;
  Table &operator=(const Table &) = delete;

  /// \p Cells are HTML.
  void row(ArrayRef<std::string> Cells) {
    OS << "<tr>";
    for (auto [H, Cell] : llvm::zip(Columns, Cells))
      OS << "<td" << classOf(H) << '>' << Cell << "</td>";
    OS << "</tr>\n";
  }
  void leaveOut(size_t Number) { NumLeftOut = Number; }

private:
  raw_ostream &OS;
  std::vector<Heading> Columns;
  size_t NumLeftOut = 0;

  static std::string classOf(const Heading &H) {
    return H.Class.empty() ? "" : (" class=\"" + H.Class + "\"").str();
  }
};

/// The first rows of a list that a table has room for.
template <typename T>
ArrayRef<T> shownOf(const std::vector<T> &All, Table &To) {
  size_t Number = std::min(All.size(), MaxTableRows);
  To.leaveOut(All.size() - Number);
  return ArrayRef(All).take_front(Number);
}

class Tables {
public:
  Tables(const KernelReport &Kernel, raw_ostream &OS)
      : Kernel(Kernel), K(*Kernel.Characteristics), OS(OS) {}

  void print() {
    printAssumptions();
    printResources();
    printLoops();
    printMemory();
    printBranches();
    printDependence();
    for (const Prediction *P : shownPredictions(Kernel))
      printTerms(*P);
    printCoverage();
  }

private:
  const KernelReport &Kernel;
  const KernelCharacteristics &K;
  raw_ostream &OS;

  void printAssumptions();
  void printResources();
  void printLoops();
  void printMemory();
  void printBranches();
  void printDependence();
  void printTerms(const Prediction &P);
  void printCoverage();
};

/// Names and values in columns.
class List {
public:
  List(raw_ostream &OS, const Twine &Name) : OS(OS) {
    OS << "<details><summary>" << Name << "</summary>\n<dl class=\"columns\">";
  }
  ~List() { OS << "</dl></details>\n"; }
  List(const List &) = delete;
  List &operator=(const List &) = delete;

  /// Both are HTML.
  void item(StringRef Name, const Twine &Value) {
    OS << "<div><dt>" << Name << "</dt><dd>" << Value << "</dd></div>\n";
  }

private:
  raw_ostream &OS;
};

} // namespace

static std::string cut(StringRef Text) {
  return escapeHTML(fit(Text, unsigned(MaxFormulaBytes)));
}

void Tables::printAssumptions() {
  const std::vector<Assumption> All = Kernel.assumptions();
  if (All.empty())
    return;
  Table T(OS, "Assumed, and the option that replaces it",
          {{"what", "long"}, {"value"}, {"option", "option"}},
          /*IsOpen=*/true);
  for (const Assumption &A : shownOf(All, T))
    T.row({cut(A.whatAndWhere()), cut(A.Value), cut(A.Option)});
}

void Tables::printResources() {
  const ResourceCharacteristics &R = K.Resources;
  List L(OS, "Resources and work");
  L.item("registers of a thread", estimateText(R.Registers));
  L.item("shared memory of a block",
         Twine(R.StaticSharedBytes + K.Launch.DynamicSharedBytes) + " B");
  if (K.Launch.DynamicSharedBytes != 0)
    L.item("of it dynamic", Twine(K.Launch.DynamicSharedBytes) + " B");
  L.item("local memory of a thread", Twine(R.LocalBytes) + " B");
  if (R.SpillBytes)
    L.item("spilled by a thread", estimateText(*R.SpillBytes) + " B");
  L.item("barriers of a block", Twine(R.Barriers));
  L.item("parameters", Twine(R.ParamBytes) + " B");
  if (R.CodeBytes)
    L.item("machine code", Twine(*R.CodeBytes) + " B");
  L.item("instructions per warp", estimateText(K.Instructions));
  L.item("barriers executed per warp", estimateText(K.BlockBarriers));
  if (double Bytes = requestedBytes(K); Bytes > 0)
    L.item("device memory that requests touch", bytesText(Bytes));
  if (K.Reuse) {
    L.item("bytes that a warp touches", estimateText(K.Reuse->Warp.Bytes));
    L.item("that a block touches", estimateText(K.Reuse->Block.Bytes));
    L.item("that the grid touches", estimateText(K.Reuse->Grid.Bytes));
  }
  for (const Prediction *P : shownPredictions(Kernel)) {
    if (!P->Caches)
      continue;
    std::string On = " on " + escapeHTML(P->Device);
    if (P->Caches->L1)
      L.item("loads found in L1" + On,
             estimateText(P->Caches->L1->scaled(100)) + " %");
    if (P->Caches->L2)
      L.item("found in L2" + On,
             estimateText(P->Caches->L2->scaled(100)) + " %");
  }
}

void Tables::printLoops() {
  if (K.Loops.empty())
    return;
  Table T(OS, "Loops",
          {{"line", "num"},
           {"header", "name"},
           {"times per entry", "num"},
           {"formula", "name"},
           {"executions per warp", "num"},
           {"recurrence", "num"}});
  for (const LoopCharacteristics &L : shownOf(K.Loops, T))
    T.row({std::to_string(L.Line), cut(L.Header), estimateText(L.TripCount),
           cut(L.WaitsFor.empty() ? L.TripCountSymbolic
                                  : "waits for " + L.WaitsFor),
           estimateText(L.Executions),
           L.Recurrence ? std::to_string(L.Recurrence->Instructions.size())
                        : ""});
}

void Tables::printMemory() {
  if (K.Memory.empty())
    return;
  const auto Rows = memoryByWeight(K);
  Table T(OS, "Memory instructions, those first that move most",
          {{"line", "num"},
           {"source", "name"},
           {"instruction", "name"},
           {"requests per warp", "num"},
           {"lanes", "num"},
           {"stride", "num"},
           {"sectors", "num"},
           {"wavefronts", "num"}});
  for (const MemoryCharacteristics *M : shownOf(Rows, T)) {
    std::string Stride = M->LaneStrideBytes
                             ? std::to_string(*M->LaneStrideBytes) + " B"
                             : cut(M->LaneStrideSymbolic);
    T.row({std::to_string(M->Place.Line), cut(M->Place.Source),
           cut(M->shownOpcode()), estimateText(M->Requests),
           estimateText(M->ActiveLanes), Stride,
           M->Sectors ? estimateText(*M->Sectors) : "",
           M->Wavefronts ? estimateText(*M->Wavefronts) : ""});
  }
}

void Tables::printBranches() {
  std::vector<const BranchCharacteristics *> Rows;
  for (const BranchCharacteristics &B : K.Branches)
    if (B.Divergent)
      Rows.push_back(&B);
  if (Rows.empty())
    return;
  Table T(OS, "Branches",
          {{"line", "num"},
           {"source", "name"},
           {"executions per warp", "num"},
           {"taken, %", "num"},
           {"split a warp, %", "num"}});
  for (const BranchCharacteristics *B : shownOf(Rows, T))
    T.row({std::to_string(B->Line), cut(B->Source), estimateText(B->Executions),
           B->Taken ? estimateText(B->Taken->scaled(100)) : "",
           estimateText(B->Divergent->scaled(100))});
}

void Tables::printDependence() {
  const DependenceCharacteristics &D = K.Dependence;
  List L(OS, "Dependence");
  L.item("instructions that follow one another",
         estimateText(D.PathInstructions));
  L.item("instructions a level (ILP)", estimateText(D.ILP));
  L.item("instructions from write to read (DEP)", estimateText(D.DEP));
  L.item("loads issued before a wait (MSTR)", estimateText(D.MSTR));
  L.item("memory parallelism", estimateText(D.MemoryParallelism));
  L.item("waits for memory", estimateText(D.RoundTrips));
  L.item("waits for shared memory", estimateText(D.SharedRoundTrips));
  for (const Prediction *P : shownPredictions(Kernel)) {
    if (!P->Warp)
      continue;
    std::string On = " on " + escapeHTML(P->Device);
    L.item("cycles of a warp alone" + On, estimateText(P->Warp->Cycles));
    for (const PathCharacteristics &W :
         ArrayRef(P->Warp->Waits)
             .take_front(std::min<size_t>(P->Warp->Waits.size(), 4)))
      L.item(("it waits for " + toString(W.What) + ", ").str() +
                 cut(placeText(W.Source, W.Line)),
             percent(W.Share));
  }
}

void Tables::printTerms(const Prediction &P) {
  if (P.Terms.empty())
    return;
  List L(OS, "Terms of " + escapeHTML(P.Model) + " on " + escapeHTML(P.Device));
  for (const Term &T :
       ArrayRef(P.Terms).take_front(std::min(P.Terms.size(), MaxTerms)))
    L.item(escapeHTML(T.Name),
           std::isfinite(T.Value) ? shortNumber(T.Value) : "none");
}

void Tables::printCoverage() {
  if (K.ModelledInstructions == K.TotalInstructions)
    return;
  std::string Unknown;
  size_t Number = 0;
  for (const auto &[Opcode, Times] : K.UnknownOpcodes)
    if (Number++ < MaxTableRows)
      Unknown += (Unknown.empty() ? ": " : ", ") + cut(Opcode);
  OS << "<p class=\"note\">" << K.TotalInstructions - K.ModelledInstructions
     << " of " << K.TotalInstructions << " instructions are not modelled"
     << Unknown << "</p>\n";
}

void html::printTables(const KernelReport &K, raw_ostream &OS) {
  Tables(K, OS).print();
}
