//===- Text.cpp - A report as text ----------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A kernel fills one screen: about 50 lines of 100 columns. What does not fit
// is left out with a hint at --verbose.
//===----------------------------------------------------------------------===//
#include "CharacteristicsText.h"
#include "FirstScreen.h"
#include "ptxpredict/Model/Confidence.h"
#include "ptxpredict/Model/LimiterWords.h"
#include "ptxpredict/Report/Prediction/Report.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;

using Align = TextTable::Align;

namespace {

/// What a screen has room for; --verbose has no such limits.
constexpr size_t MaxAssumptions = 9, MaxNotes = 6;

class KernelPrinter : CharacteristicsText {
public:
  KernelPrinter(const Report &R, const KernelReport &K, raw_ostream &OS,
                bool Verbose, bool Colors)
      : CharacteristicsText(*K.Characteristics, OS, Verbose, Colors), R(R),
        Kernel(K) {}

  /// The table of several predictions.
  void printTable() {
    printHead();
    printComparison();
    printAssumptions();
    OS << "\n  all of it: --verbose\n";
  }

  void print() {
    printHead();
    if (Kernel.Predictions.size() == 1)
      printAnswer(Kernel.Predictions.front());
    else
      printComparison();
    printResources();
    printMix();
    printLoops();
    printRoles();
    printMemory();
    printSymbolic();
    printDependence();
    for (const Prediction &P : Kernel.Predictions)
      if (&P == &Kernel.Predictions.front() || P.Device != (&P - 1)->Device)
        printWarp(P);
    printLocality();
    printWorst();
    if (Kernel.Predictions.size() == 1 || Verbose)
      for (const Prediction &P : Kernel.Predictions) {
        printTerms(P);
        printWarming(P);
      }
    printAssumptions();
    printCoverage();
    printLegend();
  }

private:
  const Report &R;
  const KernelReport &Kernel;

  void printHead();
  void printAnswer(const Prediction &P);
  void printLearnedParts(const Prediction &P);
  void printComparison();
  /// The notes' numbers, from 1, in a list of all; new ones are added.
  static std::string numbersOf(ArrayRef<std::string> Notes,
                               std::vector<StringRef> &All);
  void printNotes(ArrayRef<StringRef> Notes);
  void printResources();
  /// Once for a device, if there are not many or all is wanted.
  void printWarp(const Prediction &P);
  /// Where the launch was given.
  void printLocality();
  void printTerms(const Prediction &P);
  void printResources(const Prediction &P);
  void printComponents(const Prediction &P);
  void printWarming(const Prediction &P);
  void printAssumptions();
  void printLegend();
};

} // namespace

void KernelPrinter::printHead() {
  const InputReport &In = R.Inputs[Kernel.Input];
  paint(fit(K.Demangled, ReportColumns), raw_ostream::SAVEDCOLOR);
  bool IsCode = In.Frontend != FrontendKind::Characteristics;
  std::optional<FrontendKind> Language =
      IsCode ? In.Frontend : parseFrontendKind(K.Code.Frontend);
  std::string Line = std::to_string(K.Line);
  OS << "\n  "
     << fit(printable(In.Path) + (IsCode ? ":" + Line : ""),
            ReportColumns - (IsCode ? 30 : 55));
  if (!IsCode)
    OS << ", characteristics of line " << Line;
  StringRef Name = Language ? languageName(*Language) : K.Code.Frontend;
  if (Language == FrontendKind::LLVMIR)
    OS << ", " << Name;
  else if (!In.ISAVersion.empty())
    OS << ", " << Name << ' ' << In.ISAVersion;
  if (!In.Target.empty())
    OS << " for " << In.Target;
  OS << "\n  ";
  printLaunch();
  if (!K.MeasuredOn.empty())
    OS << "\n  counts: profile of " << K.MeasuredOn;
  if (K.Counted)
    OS << "\n  counts: " << K.Counted->description();
  OS << "\n\n";
}

void KernelPrinter::printAnswer(const Prediction &P) {
  if (P.TimeUs) {
    Shown[unsigned(P.TimeUs->Status)] = true;
    OS << "  ";
    paint(shortTime(P.TimeUs->Value) + statusMark(P.TimeUs->Status).str(),
          raw_ostream::GREEN);
    OS << " on " << P.Device;
    if (P.Limiter != TimeLimiter::None) {
      OS << ", limited by ";
      paint(limitedBy(P, K), raw_ostream::YELLOW);
    }
    OS << "\n  ";
    if (P.Cycles)
      OS << mark(*P.Cycles) << " cycles at ";
    OS << "core " << shortNumber(P.CoreMHz) << " MHz, memory "
       << shortNumber(P.MemMHz) << " MHz, model " << P.Model << '\n';
    if (P.Scaled)
      OS << "  " << shortTime(P.Scaled->TimeUs) << " from "
         << describeMeasured(*P.Scaled) << "\n";
    if (P.PowerW) {
      OS << "  " << mark(*P.PowerW) << " W"
         << (P.Learned ? " by regression " + P.Learned->Regression.str() : "")
         << (P.EnergyJ ? ", " + shortEnergy(P.EnergyJ->Value) : "");
      if (P.Clock && P.Clock->isLimited(P.CoreMHz))
        OS << ": the limit of power, which keeps the core below "
           << shortNumber(P.Clock->BoostMHz) << " MHz";
      OS << '\n';
      printLearnedParts(P);
    }
  } else {
    OS << "  ";
    paint("no answer", raw_ostream::RED);
    OS << " on " << P.Device << " by model " << P.Model << '\n';
  }
  if (const auto C = confidenceOf(K, P)) {
    OS << "  confidence: ";
    printWrapped(OS, C->text(), 14, 4);
  }
  for (size_t I = 0; I != std::min(P.Applies.Notes.size(), limit(MaxNotes));
       ++I) {
    OS << "  note: ";
    printWrapped(OS, P.Applies.Notes[I], 8, 8);
  }
  more(P.Applies.Notes.size(), MaxNotes, "notes");
}

/// What a line of events is the sum of, the largest parts first.
void KernelPrinter::printLearnedParts(const Prediction &P) {
  if (!P.Learned || P.Learned->Parts.empty())
    return;
  std::vector<LearnedWatts::Part> Parts = P.Learned->Parts;
  llvm::stable_sort(Parts, [](const auto &A, const auto &B) {
    return std::fabs(A.Watts) > std::fabs(B.Watts);
  });
  std::string Text;
  for (const LearnedWatts::Part &Part : Parts)
    Text += (Text.empty() ? "" : ", ") + Part.Name.str() + " " +
            shortNumber(Part.Watts) + " W";
  OS << "    ";
  printWrapped(OS, Text, 4, 4);
}

std::string KernelPrinter::numbersOf(ArrayRef<std::string> Notes,
                                     std::vector<StringRef> &All) {
  std::string Numbers;
  for (StringRef Note : Notes) {
    auto It = llvm::find(All, Note);
    Numbers +=
        (Numbers.empty() ? "" : " ") + std::to_string(It - All.begin() + 1);
    if (It == All.end())
      All.push_back(Note);
  }
  return Numbers;
}

void KernelPrinter::printNotes(ArrayRef<StringRef> Notes) {
  for (size_t I = 0; I != std::min(Notes.size(), limit(MaxNotes)); ++I) {
    std::string Number = std::to_string(I + 1);
    OS << "  note " << Number << ": ";
    unsigned Used = unsigned(9 + Number.size());
    printWrapped(OS, Notes[I], Used, Used);
  }
  more(Notes.size(), MaxNotes, "notes");
}

void KernelPrinter::printComparison() {
  ArrayRef<Prediction> All = Kernel.Predictions;
  std::vector<StringRef> Notes;
  // Columns without any text are left out.
  std::vector<Align> Columns;
  std::vector<std::string> Head;
  auto Column = [&](StringRef Name, Align A) {
    Columns.push_back(A);
    Head.push_back(Name.str());
  };
  for (const SweepValue &V :
       All.empty() ? std::vector<SweepValue>() : All.front().Sweep)
    Column(V.Name, Align::Right);
  auto Differ = [&](auto Member) {
    return llvm::any_of(
        All, [&](auto &P) { return P.*Member != All.front().*Member; });
  };
  const bool IsSweep = !Head.empty();
  const bool SeveralDevices = Differ(&Prediction::Device) || !IsSweep,
             SeveralModels = Differ(&Prediction::Model);
  Column("grid", Align::Left);
  Column("device", Align::Left);
  Column("model", Align::Left);
  Column("time", Align::Right);
  Column("scaled", Align::Right);
  Column("limited by", Align::Left);
  Column("cycles", Align::Right);
  Column("power", Align::Right);
  Column("energy", Align::Right);
  Column("occupancy", Align::Right);
  Column("notes", Align::Left);
  TextTable T(Columns);
  T.addRow(std::move(Head));
  for (const Prediction &P : All) {
    std::string Time = "no answer";
    if (P.TimeUs) {
      Shown[unsigned(P.TimeUs->Status)] = true;
      Time = shortTime(P.TimeUs->Value) + statusMark(P.TimeUs->Status).str();
    }
    std::vector<std::string> Cells;
    Cells.reserve(Columns.size());
    for (const SweepValue &V : P.Sweep)
      Cells.push_back(V.Value);
    for (std::string Cell :
         {P.Launch ? toString(P.Launch->Grid) : "",
          SeveralDevices ? P.Device : "", SeveralModels ? P.Model : "", Time,
          P.Scaled ? shortTime(P.Scaled->TimeUs) : "", limitedBy(P, K).str(),
          P.Cycles ? mark(*P.Cycles) : "",
          P.PowerW ? shortNumber(P.PowerW->Value) + " W" : "",
          P.EnergyJ ? shortEnergy(P.EnergyJ->Value) : "",
          percent(P.Occ.Fraction), numbersOf(P.Applies.Notes, Notes)})
      Cells.push_back(std::move(Cell));
    T.addRow(std::move(Cells));
  }
  if (IsSweep) {
    OS << "  ";
    if (!SeveralDevices)
      OS << "on " << All.front().Device << ' ';
    if (!SeveralModels)
      OS << "by model " << All.front().Model << ' ';
    OS << "at each point; what follows the table is of the first line\n";
  }
  T.print(OS);
  printNotes(Notes);
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
  std::string Line = "   " + percent(P.Occ.Fraction) + ": " +
                     std::to_string(P.Occ.BlocksPerSM) + " blocks, " +
                     std::to_string(P.Occ.WarpsPerSM) +
                     " warps per SM, limited by " +
                     toString(P.Occ.Limiter).str();
  if (std::lround(P.Registers.Value) != std::lround(Res.Registers.Value))
    Line += ", with " + mark(P.Registers) + " registers";
  OS << Line;
  if (!P.OccEnds.empty()) {
    std::string Ends;
    for (const OccupancyEnd &End : P.OccEnds)
      Ends += (Ends.empty() ? "(" : ", ") + percent(End.Occ.Fraction) + " at " +
              std::to_string(End.Registers);
    Ends += " registers)";
    constexpr size_t Indent = 12;
    const bool Fits =
        Indent - 3 + Line.size() + 1 + Ends.size() <= ReportColumns;
    OS << (Fits ? " " : "\n" + std::string(Indent, ' ')) << Ends;
  }
  OS << '\n';
}

void KernelPrinter::printWarp(const Prediction &P) {
  if (!P.Warp || (Kernel.Predictions.size() != 1 && !Verbose))
    return;
  OS << "  a warp alone takes " << mark(P.Warp->Cycles) << " cycles on "
     << P.Device;
  constexpr size_t MaxWaits = 2;
  std::string Waits;
  llvm::ListSeparator Comma;
  for (const PathCharacteristics &W :
       ArrayRef(P.Warp->Waits)
           .take_front(std::min(P.Warp->Waits.size(), limit(MaxWaits))))
    Waits +=
        (StringRef(Comma) + percent(W.Share) + " for " + toString(W.What) +
         " (" +
         (W.Source.empty() ? "line " + std::to_string(W.Line)
                           : printable(llvm::sys::path::filename(W.Source))) +
         ")")
            .str();
  if (!Waits.empty())
    OS << "; it waits\n    "
       << (Verbose ? Waits : fit(Waits, ReportColumns - 4));
  OS << '\n';
}

void KernelPrinter::printLocality() {
  if (!K.Reuse)
    return;
  heading("Locality");
  OS << " a warp touches " << mark(K.Reuse->Warp.Bytes) << " B, a block "
     << mark(K.Reuse->Block.Bytes) << " B, the grid "
     << mark(K.Reuse->Grid.Bytes) << " B\n";
  for (const Prediction &P : Kernel.Predictions) {
    bool IsNew =
        &P == &Kernel.Predictions.front() || P.Device != (&P - 1)->Device;
    if (!P.Caches || !IsNew || (Kernel.Predictions.size() != 1 && !Verbose))
      continue;
    OS << "  " << P.Device << ": found in ";
    if (P.Caches->L1)
      OS << "L1 " << mark(P.Caches->L1->scaled(100)) << " % of loads"
         << (P.Caches->L2 ? ", in " : "");
    if (P.Caches->L2)
      OS << "L2 " << mark(P.Caches->L2->scaled(100)) << " % of all";
    OS << '\n';
  }
}

/// What takes how long, of a model that says how its time splits.
void KernelPrinter::printResources(const Prediction &P) {
  TextTable T(
      {Align::Left, Align::Right, Align::Right, Align::Right, Align::Left});
  T.addRow({});
  for (const ResourceUse *U : resourcesByShare(P))
    T.addRow({plainNameOf(*U, P, K).str(), shortTime(U->Cycles / P.CoreMHz),
              percent(U->Share), "", shareBar(U->Share)});
  T.print(OS);
}

/// Where the time goes by the terms of a model without resources.
void KernelPrinter::printComponents(const Prediction &P) {
  TextTable T({Align::Left, Align::Right, Align::Left});
  T.addRow({});
  for (const ComponentShare &C : componentShares(P))
    T.addRow({C.Name, percent(C.Share), shareBar(C.Share)});
  T.print(OS);
}

void KernelPrinter::printTerms(const Prediction &P) {
  if (P.Terms.empty())
    return;
  std::vector<std::string> Cells;
  Cells.reserve(P.Terms.size());
  for (const Term &T : P.Terms)
    Cells.push_back((T.Name + " " + shortNumber(T.Value)).str());
  heading("Model");
  OS << ' ' << P.Model;
  if (Kernel.Predictions.size() != 1)
    OS << " on " << P.Device;
  if (!P.Resources.empty())
    OS << ": each resource alone, and its share of the time";
  OS << '\n';
  if (!P.Resources.empty())
    printResources(P);
  else
    printComponents(P);
  TextTable T(std::vector<Align>(3, Align::Left));
  T.addRow({});
  for (size_t I = 0; I < Cells.size(); I += 3)
    T.addRow({Cells.begin() + ptrdiff_t(I),
              Cells.begin() + ptrdiff_t(std::min(I + 3, Cells.size()))});
  T.print(OS);
}

void KernelPrinter::printWarming(const Prediction &P) {
  if (!P.Warming || !Verbose)
    return;
  heading("Temperature");
  OS << " of " << P.Device << " if the kernel runs over and over\n";
  TextTable T(std::vector<Align>(3, Align::Right));
  T.addRow({"seconds", "C", "W"});
  for (const ThermalPoint &At : P.Warming->WarmUp)
    T.addRow({shortNumber(At.Seconds), shortNumber(At.TemperatureC),
              shortNumber(At.PowerW)});
  T.print(OS);
}

void KernelPrinter::printAssumptions() {
  const std::vector<Assumption> All = Kernel.assumptions();
  if (All.empty())
    return;
  heading("Assumed");
  OS << ", and the option that replaces it\n";
  auto Shown =
      ArrayRef(All).take_front(std::min(All.size(), limit(MaxAssumptions)));
  // An option is there to be copied: what was assumed gives way to it.
  size_t OptionWidth = 0;
  for (const Assumption &A : Shown)
    OptionWidth = std::max(OptionWidth, A.Option.size());
  unsigned Width =
      ReportColumns - 4 - unsigned(std::min<size_t>(OptionWidth, 60));
  TextTable T({Align::Left, Align::Left});
  T.addRow({});
  for (const Assumption &A : Shown) {
    std::string Value = ": " + fit(A.Value, 20);
    T.addRow({fit(A.whatAndWhere(), Width - unsigned(Value.size())) + Value,
              A.Option});
  }
  T.print(OS);
  more(All.size(), MaxAssumptions, "assumptions");
}

void KernelPrinter::printLegend() {
  if (!printMarks())
    return;
  if (!K.Resources.Registers.isKnown())
    OS << "   (exact registers: --registers=N, --ptxas-info=LOG or "
          "--via=ptxas)";
  OS << '\n';
}

static void printLines(const KernelReport &K, raw_ostream &OS) {
  bool SeveralModels = llvm::any_of(K.Predictions, [&](auto &P) {
    return P.Model != K.Predictions.front().Model;
  });
  for (const Prediction &P : K.Predictions) {
    OS << K.Characteristics->Demangled << "  " << P.Device;
    if (SeveralModels)
      OS << "  " << P.Model;
    if (P.TimeUs)
      OS << "  " << shortTime(P.TimeUs->Value) << statusMark(P.TimeUs->Status)
         << (P.Scaled ? " (scaled " + shortTime(P.Scaled->TimeUs) + ")" : "")
         << "  " << limitedBy(P, *K.Characteristics);
    else
      OS << "  no answer"
         << (P.Applies.Notes.empty() ? "" : ": " + P.Applies.Notes.front());
    OS << '\n';
  }
}

namespace {

class TextForm final : public ReportForm {
public:
  TextForm(Verbosity V, bool Colors) : V(V), Colors(Colors) {}

  void printKernel(const Report &Head, const KernelReport &K,
                   raw_ostream &To) const override {
    PrintableStream OS(To);
    if (V == Verbosity::Quiet)
      return printLines(K, OS);
    if (V == Verbosity::Normal && K.Predictions.size() == 1)
      return printFirstScreen(Head, K, OS, Colors);
    KernelPrinter Printer(Head, K, OS, V == Verbosity::Verbose, Colors);
    V == Verbosity::Normal ? Printer.printTable() : Printer.print();
  }
  void print(const Report &R, size_t NumKernels,
             llvm::function_ref<void(size_t, raw_ostream &)> Kernel,
             raw_ostream &OS) const override;

private:
  Verbosity V;
  bool Colors;
};

} // namespace

void TextForm::print(const Report &R, size_t NumKernels,
                     llvm::function_ref<void(size_t, raw_ostream &)> Kernel,
                     raw_ostream &OS) const {
  for (size_t N = 0; N != NumKernels; ++N) {
    if (N != 0 && V != Verbosity::Quiet)
      OS << '\n'
         << std::string(V == Verbosity::Normal ? ScreenColumns : ReportColumns,
                        '-')
         << "\n\n";
    Kernel(N, OS);
  }
  if (V != Verbosity::Verbose || NumKernels == 0 || R.Premises.empty())
    return;
  OS << "\nPremises";
  for (const std::string &P : R.Premises) {
    OS << "\n  ";
    printWrapped(OS, P, 2, 4);
  }
}

std::unique_ptr<ReportForm> ptxpredict::textForm(Verbosity V, bool Colors) {
  return std::make_unique<TextForm>(V, Colors);
}

void ReportForm::printAll(const Report &R, raw_ostream &OS) const {
  print(
      R, R.Kernels.size(),
      [&](size_t N, raw_ostream &To) { printKernel(R, R.Kernels[N], To); }, OS);
}

void ptxpredict::printText(const Report &R, raw_ostream &OS, Verbosity V,
                           bool Colors) {
  textForm(V, Colors)->printAll(R, OS);
}
