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
  if (!P.First && !P.Second)
    return "";
  std::string A = cell(P.First), B = cell(P.Second);
  return A == B ? A : A + " / " + B;
}

static std::string verdict(const std::optional<bool> &Agrees) {
  return !Agrees ? "not known" : *Agrees ? "same" : "DIFFERENT";
}

static std::string difference(const RoutePair &P) {
  double D = P.First->Value - P.Second->Value;
  return D == 0 ? "" : (D > 0 ? "+" : "") + shortNumber(D);
}

static void printMix(const RouteComparison &C, const ComparedKernel &K,
                     raw_ostream &OS) {
  TextTable T({Align::Left, Align::Right, Align::Right, Align::Right});
  T.addRow({"class", C.First.str(), C.Second.str(), "difference"});
  for (unsigned Class = 0; Class != NumOpClasses; ++Class)
    if (const RoutePair &P = K.ByClass[Class]; P.First)
      T.addRow({toString(OpClass(Class)).str(), cell(P.First), cell(P.Second),
                difference(P)});
  T.addRow({"all", cell(K.Instructions.First), cell(K.Instructions.Second),
            difference(K.Instructions)});
  T.print(OS);
}

/// What an assembler did with a loop; empty for other ways.
static std::string unrolling(const RouteComparison &C, const ComparedLoop &L) {
  const unsigned Factor = C.Second == "sass" ? L.TripCount.factor() : 0;
  return Factor != 0 ? "unrolled by " + std::to_string(Factor) : "";
}

/// The same with accesses: fewer requests for as many bytes.
static std::string joining(const RouteComparison &C, const ComparedAccess &A) {
  const unsigned Factor = C.Second == "sass" ? A.Requests.factor() : 0;
  return Factor != 0 ? "joined by " + std::to_string(Factor) : "";
}

static void printLoops(const RouteComparison &C, const ComparedKernel &K,
                       raw_ostream &OS) {
  TextTable T(
      {Align::Left, Align::Left, Align::Right, Align::Right, Align::Left});
  T.addRow({C.First.str(), C.Second.str(), "depth", "times", ""});
  for (const ComparedLoop &L : K.Loops) {
    std::string Found = unrolling(C, L);
    T.addRow({L.FirstHeader.empty() ? "-" : L.FirstHeader,
              L.SecondHeader.empty() ? "-" : L.SecondHeader,
              std::to_string(L.Depth), both(L.TripCount),
              Found.empty() ? verdict(L.TripCount.agrees()) : Found});
  }
  T.print(OS);
}

static void printMemory(const RouteComparison &C, const ComparedKernel &K,
                        raw_ostream &OS) {
  TextTable T({Align::Left, Align::Left, Align::Left, Align::Right,
               Align::Right, Align::Right, Align::Right, Align::Right,
               Align::Left});
  T.addRow({"source", "space", "access", "instructions", "requests", "sectors",
            "lines", "wavefronts", ""});
  for (const ComparedAccess &A : K.Memory) {
    std::string Found = joining(C, A);
    T.addRow({fit(A.Source.empty() ? "-" : A.Source, 30),
              toString(A.Space).str(), toString(A.Access).str(),
              A.FirstInstructions == A.SecondInstructions
                  ? std::to_string(A.FirstInstructions)
                  : std::to_string(A.FirstInstructions) + " / " +
                        std::to_string(A.SecondInstructions),
              both(A.Requests), both(A.Sectors), both(A.Lines),
              both(A.Wavefronts), Found.empty() ? verdict(A.agrees()) : Found});
  }
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
    const InputReport &In = C.Inputs[K.Input];
    OS << "  " << printable(In.Path);
    if (K.SecondInput) {
      const InputReport &Other = C.Inputs[*K.SecondInput];
      OS << ": PTX for " << printable(In.Target)
         << ", and the machine code for " << printable(Other.Target) << " in "
         << printable(Other.Path) << "\n\n";
    } else {
      OS << ", " << printable(In.Target)
         << ": LLVM IR, and the PTX that LLVM's back end makes of it\n\n";
    }
    Heading("Instructions per warp");
    printMix(C, K, OS);
    if (!K.Loops.empty()) {
      OS << '\n';
      Heading("Loops");
      printLoops(C, K, OS);
    }
    if (!K.Memory.empty()) {
      OS << '\n';
      Heading(("Memory per warp: " + C.First + " / " + C.Second +
               ", or one number that is both")
                  .str());
      printMemory(C, K, OS);
    }
  }
}
