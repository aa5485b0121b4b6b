//===- Text.cpp - A report as text ----------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A kernel fills one screen: about 50 lines of 100 columns. What does not fit
// is left out with a hint at --verbose.
//===----------------------------------------------------------------------===//
#include "TextTable.h"
#include "ptxpredict/Report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;

using Align = TextTable::Align;

namespace {

/// What a screen has room for; --verbose has no such limits.
constexpr size_t MaxClasses = 12, MaxMemoryRows = 10, MaxLoops = 5,
                 MaxAssumptions = 9, MaxNotes = 6;

/// The terms that tell most of a model's story, in the order of reading.
constexpr StringRef MainTerms[] = {"Case",
                                   "N",
                                   "MWP",
                                   "CWP",
                                   "MWP_peak_BW",
                                   "Mem_L",
                                   "Departure_delay",
                                   "Comp_cycles",
                                   "Mem_cycles",
                                   "Rep",
                                   "Exec_cycles_with_synch",
                                   "CPI"};

class KernelPrinter {
public:
  KernelPrinter(const Report &R, const KernelReport &K, raw_ostream &OS,
                bool Verbose, bool Colors)
      : R(R), Kernel(K), K(K.Characteristics), OS(OS), Verbose(Verbose),
        Colors(Colors) {}

  void print() {
    printHead();
    if (Kernel.Predictions.size() == 1)
      printAnswer(Kernel.Predictions.front());
    else
      printComparison();
    printResources();
    printMix();
    printLoops();
    printMemory();
    if (Kernel.Predictions.size() == 1 || Verbose)
      for (const Prediction &P : Kernel.Predictions)
        printTerms(P);
    printAssumptions();
    printCoverage();
    printLegend();
  }

private:
  const Report &R;
  const KernelReport &Kernel;
  const KernelCharacteristics &K;
  raw_ostream &OS;
  bool Verbose, Colors;
  std::array<bool, 4> Shown{}; ///< statuses that need the legend

  void printHead();
  void printAnswer(const Prediction &P);
  void printComparison();
  void printResources();
  void printMix();
  void printLoops();
  void printMemory();
  void printTerms(const Prediction &P);
  void printAssumptions();
  void printCoverage();
  void printLegend();

  /// \p E with its mark, which the legend will then explain.
  std::string mark(const Count &E) {
    Shown[unsigned(E.How)] = true;
    return shortEstimate(E);
  }
  void paint(StringRef Text, raw_ostream::Colors Color, bool Bold = true) {
    if (Colors)
      OS.changeColor(Color, Bold);
    OS << Text;
    if (Colors)
      OS.resetColor();
  }
  void heading(StringRef Text) {
    OS << '\n';
    paint(Text, raw_ostream::CYAN);
  }
  /// A hint at what a section of \p All rows left out.
  void more(size_t All, size_t Limit, StringRef What) {
    if (!Verbose && All > Limit)
      OS << "  and " << All - Limit << " more " << What << " (--verbose)\n";
  }
  size_t limit(size_t Limit) const { return Verbose ? SIZE_MAX : Limit; }
};

} // namespace

void KernelPrinter::printHead() {
  const InputReport &In = R.Inputs[Kernel.Input];
  paint(fit(K.Demangled, ReportColumns), raw_ostream::SAVEDCOLOR);
  OS << "\n  "
     << fit(In.Path + ":" + std::to_string(K.Line), ReportColumns - 30);
  if (!In.ISAVersion.empty())
    OS << ", " << (In.Frontend == "ptx" ? "PTX " : In.Frontend + " ")
       << In.ISAVersion;
  if (!In.Target.empty())
    OS << " for " << In.Target;
  OS << "\n  grid " << toString(K.Launch.Grid) << ", block "
     << toString(K.Launch.Block) << ": " << K.Launch.blocks() << " blocks of "
     << K.Launch.warpsPerBlock()
     << (K.Launch.warpsPerBlock() == 1 ? " warp" : " warps");
  if (K.Launch.Cluster.count() != 1)
    OS << ", clusters of " << toString(K.Launch.Cluster);
  OS << "\n\n";
}

void KernelPrinter::printAnswer(const Prediction &P) {
  if (P.TimeUs) {
    Shown[unsigned(P.TimeUs->How)] = true;
    OS << "  ";
    paint(shortTime(P.TimeUs->Value) + statusMark(P.TimeUs->How).str(),
          raw_ostream::GREEN);
    OS << " on " << P.Device;
    if (!P.Limiter.empty()) {
      OS << ", limited by ";
      paint(P.Limiter, raw_ostream::YELLOW);
    }
    OS << "\n  ";
    if (P.Cycles)
      OS << mark(*P.Cycles) << " cycles at ";
    OS << "core " << shortNumber(P.CoreMHz) << " MHz, memory "
       << shortNumber(P.MemMHz) << " MHz, model " << P.Model << '\n';
  } else {
    OS << "  ";
    paint("no answer", raw_ostream::RED);
    OS << " on " << P.Device << " by model " << P.Model << '\n';
  }
  for (size_t I = 0; I != std::min(P.Applies.Notes.size(), limit(MaxNotes));
       ++I) {
    OS << "  note: ";
    printWrapped(OS, P.Applies.Notes[I], 8, 8);
  }
  more(P.Applies.Notes.size(), MaxNotes, "notes");
}

void KernelPrinter::printComparison() {
  std::vector<StringRef> Notes;
  TextTable T({Align::Left, Align::Left, Align::Right, Align::Left,
               Align::Right, Align::Right, Align::Left});
  bool SeveralModels = llvm::any_of(Kernel.Predictions, [&](auto &P) {
    return P.Model != Kernel.Predictions.front().Model;
  });
  T.addRow({"device", "model", "time", "limited by", "cycles", "occupancy",
            "notes"});
  for (const Prediction &P : Kernel.Predictions) {
    std::string Numbers;
    for (StringRef Note : P.Applies.Notes) {
      auto It = llvm::find(Notes, Note);
      Numbers +=
          (Numbers.empty() ? "" : " ") + std::to_string(It - Notes.begin() + 1);
      if (It == Notes.end())
        Notes.push_back(Note);
    }
    std::string Time = "no answer";
    if (P.TimeUs) {
      Shown[unsigned(P.TimeUs->How)] = true;
      Time = shortTime(P.TimeUs->Value) + statusMark(P.TimeUs->How).str();
    }
    T.addRow({P.Device, SeveralModels ? P.Model : "", Time, P.Limiter,
              P.Cycles ? mark(*P.Cycles) : "", percent(P.Occ.Fraction),
              Numbers});
  }
  T.print(OS);
  for (size_t I = 0; I != std::min(Notes.size(), limit(MaxNotes)); ++I) {
    std::string Number = std::to_string(I + 1);
    OS << "  note " << Number << ": ";
    unsigned Used = unsigned(9 + Number.size());
    printWrapped(OS, Notes[I], Used, Used);
  }
  more(Notes.size(), MaxNotes, "notes");
}

void KernelPrinter::printResources() {
  const ResourceCharacteristics &Res = K.Resources;
  heading("Resources");
  OS << "   " << mark(Res.Registers) << " registers, "
     << Res.StaticSharedBytes + K.Launch.DynamicSharedBytes
     << " B shared memory";
  if (K.Launch.DynamicSharedBytes != 0)
    OS << " (" << K.Launch.DynamicSharedBytes << " B dynamic)";
  OS << ", " << Res.LocalBytes << " B local, ";
  if (Res.SpillBytes)
    OS << mark(*Res.SpillBytes) << " B spilled, ";
  OS << Res.Barriers << (Res.Barriers == 1 ? " barrier, " : " barriers, ")
     << Res.ParamBytes << " B parameters";
  if (Res.CodeBytes)
    OS << ", " << *Res.CodeBytes << " B code";
  OS << '\n';
  if (Kernel.Predictions.size() != 1)
    return;
  const Prediction &P = Kernel.Predictions.front();
  paint("Occupancy", raw_ostream::CYAN);
  OS << "   " << percent(P.Occ.Fraction) << ": " << P.Occ.BlocksPerSM
     << " blocks, " << P.Occ.WarpsPerSM << " warps per SM, limited by "
     << toString(P.Occ.Limiter);
  if (std::lround(P.Registers.Value) != std::lround(Res.Registers.Value))
    OS << ", with " << mark(P.Registers) << " registers";
  OS << '\n';
}

void KernelPrinter::printMix() {
  std::vector<OpClass> Classes;
  for (unsigned C = 0; C != NumOpClasses; ++C)
    if (K.ByClass[C])
      Classes.push_back(OpClass(C));
  llvm::stable_sort(Classes, [&](OpClass A, OpClass B) {
    return K.byClass(A).Value > K.byClass(B).Value;
  });
  heading("Instructions");
  OS << " per warp: " << mark(K.Instructions) << '\n';
  double Total = K.Instructions.Value;
  // Two columns of classes, filled downwards.
  size_t Number = std::min(Classes.size(), limit(MaxClasses));
  size_t Rows = (Number + 1) / 2;
  TextTable T({Align::Left, Align::Right, Align::Right, Align::Left,
               Align::Left, Align::Right, Align::Right, Align::Left});
  T.addRow({});
  for (size_t Row = 0; Row != Rows; ++Row) {
    std::vector<std::string> Cells;
    for (size_t I = Row; I < Number; I += Rows) {
      Count N = K.byClass(Classes[I]);
      double Share = Total > 0 ? N.Value / Total : 0;
      std::string Bar(size_t(std::lround(Share * 20)), '#');
      Bar.resize(20, ' '); // keeps the second column in its place
      llvm::append_range(
          Cells, std::initializer_list<std::string>{
                     toString(Classes[I]).str(), mark(N), percent(Share), Bar});
    }
    T.addRow(std::move(Cells));
  }
  if (Number != 0)
    T.print(OS);
  more(Classes.size(), MaxClasses, "classes");
}

void KernelPrinter::printLoops() {
  if (K.Loops.empty())
    return;
  heading("Loops");
  OS << '\n';
  for (const LoopCharacteristics &L : ArrayRef(K.Loops).take_front(
           std::min(K.Loops.size(), limit(MaxLoops)))) {
    OS.indent(2 * L.Depth);
    OS << fit(L.Header, 50) << " (line " << L.Line << "): " << mark(L.TripCount)
       << " times\n";
  }
  more(K.Loops.size(), MaxLoops, "loops");
}

/// How much a memory instruction moves, to choose those that are shown.
static double weight(const MemoryCharacteristics &M) {
  double PerRequest = M.Sectors      ? M.Sectors->Value
                      : M.Wavefronts ? M.Wavefronts->Value
                                     : 1;
  return M.Requests.Value * PerRequest;
}

void KernelPrinter::printMemory() {
  if (K.Memory.empty())
    return;
  std::vector<const MemoryCharacteristics *> Rows;
  Rows.reserve(K.Memory.size());
  for (const MemoryCharacteristics &M : K.Memory)
    Rows.push_back(&M);
  if (Rows.size() > limit(MaxMemoryRows)) {
    llvm::stable_sort(Rows,
                      [](auto *A, auto *B) { return weight(*A) > weight(*B); });
    Rows.resize(MaxMemoryRows);
    llvm::sort(Rows); // back into the order of the code
  }
  heading("Memory");
  OS << " requests per warp; lanes, sectors of 32 B, wavefronts per request\n";
  TextTable T({Align::Right, Align::Left, Align::Left, Align::Right,
               Align::Right, Align::Right, Align::Right, Align::Right});
  T.addRow({"line", "instruction", "source", "requests", "lanes", "stride",
            "sectors", "wavefronts"});
  for (const MemoryCharacteristics *M : Rows) {
    // Of a source's path the file's name is enough to find it.
    StringRef Source = llvm::sys::path::filename(M->Place.Source);
    T.addRow(
        {std::to_string(M->Place.Line), fit(M->Opcode, 30), fit(Source, 20),
         mark(M->Requests), mark(M->ActiveLanes),
         M->LaneStrideBytes ? std::to_string(*M->LaneStrideBytes) + " B" : "",
         M->Sectors ? mark(*M->Sectors) : "",
         M->Wavefronts ? mark(*M->Wavefronts) : ""});
  }
  T.print(OS);
  more(K.Memory.size(), MaxMemoryRows, "memory instructions");
}

static std::string termText(const Term &T) {
  return (T.Name + " " + shortNumber(T.Value)).str();
}

void KernelPrinter::printTerms(const Prediction &P) {
  if (P.Terms.empty())
    return;
  std::vector<std::string> Cells;
  if (Verbose) {
    for (const Term &T : P.Terms)
      Cells.push_back(termText(T));
  } else {
    for (StringRef Name : MainTerms)
      for (const Term &T : P.Terms)
        if (T.Name == Name)
          Cells.push_back(termText(T));
    if (Cells.empty()) // a model that the list does not know
      for (const Term &T : ArrayRef(P.Terms).take_front(12))
        Cells.push_back(termText(T));
  }
  heading("Model");
  OS << ' ' << P.Model;
  if (Kernel.Predictions.size() != 1)
    OS << " on " << P.Device;
  OS << '\n';
  TextTable T(std::vector<Align>(3, Align::Left));
  T.addRow({});
  for (size_t I = 0; I < Cells.size(); I += 3)
    T.addRow({Cells.begin() + ptrdiff_t(I),
              Cells.begin() + ptrdiff_t(std::min(I + 3, Cells.size()))});
  T.print(OS);
}

void KernelPrinter::printAssumptions() {
  if (K.Assumptions.empty())
    return;
  heading("Assumed");
  OS << ", and the option that replaces it\n";
  auto Shown =
      ArrayRef(K.Assumptions)
          .take_front(std::min(K.Assumptions.size(), limit(MaxAssumptions)));
  // An option is there to be copied: what was assumed gives way to it.
  size_t OptionWidth = 0;
  for (const Assumption &A : Shown)
    OptionWidth = std::max(OptionWidth, A.Option.size());
  unsigned Width =
      ReportColumns - 4 - unsigned(std::min<size_t>(OptionWidth, 60));
  TextTable T({Align::Left, Align::Left});
  T.addRow({});
  for (const Assumption &A : Shown) {
    std::string What = A.What;
    std::string Line = "line " + std::to_string(A.Line);
    if (A.Line != 0 && !StringRef(What).contains(Line))
      What += " (" + Line + ")";
    std::string Value = ": " + fit(A.Value, 20);
    T.addRow({fit(What, Width - unsigned(Value.size())) + Value, A.Option});
  }
  T.print(OS);
  more(K.Assumptions.size(), MaxAssumptions, "assumptions");
}

void KernelPrinter::printCoverage() {
  if (K.ModelledInstructions == K.TotalInstructions && K.UnknownOpcodes.empty())
    return;
  heading("Coverage");
  OS << " " << K.ModelledInstructions << " of " << K.TotalInstructions
     << " instructions are known, which lowers the accuracy\n";
  uint64_t Calls = K.TotalInstructions - K.ModelledInstructions;
  for (const auto &[Opcode, N] : K.UnknownOpcodes)
    Calls -= N;
  if (!K.UnknownOpcodes.empty()) {
    OS << "  unknown:";
    for (const auto &[Opcode, N] : K.UnknownOpcodes)
      OS << ' ' << Opcode << " (" << N << ')';
    OS << '\n';
  }
  if (Calls != 0)
    OS << "  calls that are charged as one instruction (indirect, recursive or "
          "without a body): "
       << Calls << '\n';
}

void KernelPrinter::printLegend() {
  if (!Shown[1] && !Shown[2] && !Shown[3])
    return;
  OS << '\n';
  StringRef Separator = "";
  for (Status S : {Status::Estimated, Status::Assumed, Status::Unknown})
    if (Shown[unsigned(S)]) {
      OS << Separator << statusMark(S) << ' ' << toString(S);
      Separator = "   ";
    }
  if (!K.Resources.Registers.isKnown())
    OS << "   (exact registers: --registers=N, --ptxas-info=LOG or "
          "--via=ptxas)";
  OS << '\n';
}

static void printLines(const Report &R, raw_ostream &OS) {
  for (const KernelReport &K : R.Kernels) {
    bool SeveralModels = llvm::any_of(K.Predictions, [&](auto &P) {
      return P.Model != K.Predictions.front().Model;
    });
    for (const Prediction &P : K.Predictions) {
      OS << K.Characteristics.Demangled << "  " << P.Device;
      if (SeveralModels)
        OS << "  " << P.Model;
      if (P.TimeUs)
        OS << "  " << shortTime(P.TimeUs->Value) << "  " << P.Limiter;
      else
        OS << "  no answer";
      OS << '\n';
    }
  }
}

void ptxpredict::printText(const Report &R, raw_ostream &OS, Verbosity V,
                           bool Colors) {
  if (V == Verbosity::Quiet) {
    printLines(R, OS);
    return;
  }
  bool First = true;
  for (const KernelReport &K : R.Kernels) {
    if (!First)
      OS << '\n' << std::string(ReportColumns, '-') << "\n\n";
    First = false;
    KernelPrinter(R, K, OS, V == Verbosity::Verbose, Colors).print();
  }
  if (R.Kernels.empty() || R.Premises.empty())
    return;
  OS << "\nPremises";
  for (const std::string &P : R.Premises) {
    OS << "\n  ";
    printWrapped(OS, P, 2, 4);
  }
}
