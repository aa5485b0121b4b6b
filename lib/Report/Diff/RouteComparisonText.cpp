//===- RouteComparisonText.cpp - Two ways to read code, as tables ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Report/Diff/RouteComparison.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

using Align = TextTable::Align;

static std::string cell(const std::optional<Estimate> &C) {
  return C ? shortEstimate(*C) : "-";
}

/// Both numbers, or the one that both are.
static std::string both(const RoutePair &P) {
  if (!P.IR && !P.PTX)
    return "";
  std::string A = cell(P.IR), B = cell(P.PTX);
  return A == B ? A : A + " / " + B;
}

static std::string verdict(const std::optional<bool> &Agrees) {
  return !Agrees ? "not known" : *Agrees ? "same" : "DIFFERENT";
}

static std::string difference(const RoutePair &P) {
  double D = P.IR->Value - P.PTX->Value;
  return D == 0 ? "" : (D > 0 ? "+" : "") + shortNumber(D);
}

static void printMix(const ComparedKernel &K, raw_ostream &OS) {
  TextTable T({Align::Left, Align::Right, Align::Right, Align::Right});
  T.addRow({"class", "ir", "ptx", "difference"});
  for (unsigned C = 0; C != NumOpClasses; ++C)
    if (const RoutePair &P = K.ByClass[C]; P.IR)
      T.addRow(
          {toString(OpClass(C)).str(), cell(P.IR), cell(P.PTX), difference(P)});
  T.addRow({"all", cell(K.Instructions.IR), cell(K.Instructions.PTX),
            difference(K.Instructions)});
  T.print(OS);
}

static void printLoops(const ComparedKernel &K, raw_ostream &OS) {
  TextTable T(
      {Align::Left, Align::Left, Align::Right, Align::Right, Align::Left});
  T.addRow({"ir", "ptx", "depth", "times", ""});
  for (const ComparedLoop &L : K.Loops)
    T.addRow({L.IRHeader.empty() ? "-" : L.IRHeader,
              L.PTXHeader.empty() ? "-" : L.PTXHeader, std::to_string(L.Depth),
              both(L.TripCount), verdict(L.TripCount.agrees())});
  T.print(OS);
}

static void printMemory(const ComparedKernel &K, raw_ostream &OS) {
  TextTable T({Align::Left, Align::Left, Align::Left, Align::Right,
               Align::Right, Align::Right, Align::Right, Align::Right,
               Align::Left});
  T.addRow({"source", "space", "access", "instructions", "requests", "sectors",
            "lines", "wavefronts", ""});
  for (const ComparedAccess &A : K.Memory)
    T.addRow({fit(A.Source.empty() ? "-" : A.Source, 30),
              toString(A.Space).str(), toString(A.Access).str(),
              A.IRInstructions == A.PTXInstructions
                  ? std::to_string(A.IRInstructions)
                  : std::to_string(A.IRInstructions) + " / " +
                        std::to_string(A.PTXInstructions),
              both(A.Requests), both(A.Sectors), both(A.Lines),
              both(A.Wavefronts), verdict(A.agrees())});
  T.print(OS);
}

void ptxpredict::printComparisonText(const RouteComparison &C, raw_ostream &To,
                                     bool Colors) {
  PrintableStream OS(To);
  auto Heading = [&](StringRef Text) {
    if (Colors)
      OS.changeColor(raw_ostream::CYAN, /*Bold=*/true);
    OS << Text;
    if (Colors)
      OS.resetColor();
    OS << '\n';
  };
  StringRef Between = "";
  for (const ComparedKernel &K : C.Kernels) {
    OS << Between;
    Between = "\n";
    Heading(K.Demangled.empty() ? K.Name : K.Demangled);
    OS << "  " << printable(C.Inputs[K.Input].Path) << ", "
       << C.Inputs[K.Input].Target
       << ": LLVM IR, and the PTX that LLVM's back end makes of it\n\n";
    Heading("Instructions per warp");
    printMix(K, OS);
    if (!K.Loops.empty()) {
      OS << '\n';
      Heading("Loops");
      printLoops(K, OS);
    }
    if (!K.Memory.empty()) {
      OS << '\n';
      Heading("Memory per warp: ir / ptx, or one number that is both");
      printMemory(K, OS);
    }
  }
}
