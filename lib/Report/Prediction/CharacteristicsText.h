//===- CharacteristicsText.h - What a kernel does, as text ------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_REPORT_PREDICTION_CHARACTERISTICSTEXT_H
#define PTXPREDICT_LIB_REPORT_PREDICTION_CHARACTERISTICSTEXT_H

#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Report/Writers/TextTable.h"
#include "llvm/Support/raw_ostream.h"

namespace ptxpredict {

/// "matmul.cu:28:5, line 94", or the line alone.
std::string placeText(StringRef Source, unsigned Line);

/// The memory instructions, those first that move most.
std::vector<const MemoryCharacteristics *>
memoryByWeight(const KernelCharacteristics &K);

/// The sections that reports of predictions and of runs share. What does not
/// fit a screen is left out with a hint at --verbose.
class CharacteristicsText {
public:
  CharacteristicsText(const KernelCharacteristics &K, raw_ostream &OS,
                      bool Verbose, bool Colors)
      : K(K), OS(OS), Verbose(Verbose), Colors(Colors) {}

  /// "grid 1024, block 256: 1024 blocks of 8 warps"
  void printLaunch();
  void printMix();
  void printTensorWork();
  void printLoops();
  /// Warps with work of their own, and the buffers that they hand on.
  void printRoles();
  void printMemory();
  /// Formulas of loops and strides that no number is known of.
  void printSymbolic();
  void printDependence();
  /// Where in the source the costliest access, the branch that splits most
  /// warps and the longest recurrence stand.
  void printWorst();
  void printCoverage();
  /// Explains the marks that were printed. False if there were none.
  bool printMarks();

protected:
  const KernelCharacteristics &K;
  raw_ostream &OS;
  bool Verbose, Colors;
  std::array<bool, 4> Shown{}; ///< statuses that need an explanation

  /// \p E with its mark, which the legend will then explain.
  std::string mark(const Estimate &E) {
    Shown[unsigned(E.Status)] = true;
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
  void printWorstAccess();
  void printWorstDivergence();
  void printWorstRecurrence();
  /// A hint at what a section of \p All rows left out.
  void more(size_t All, size_t Limit, StringRef What) {
    if (!Verbose && All > Limit)
      OS << "  and " << All - Limit << " more " << What << " (--verbose)\n";
  }
  size_t limit(size_t Limit) const { return Verbose ? SIZE_MAX : Limit; }
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_REPORT_PREDICTION_CHARACTERISTICSTEXT_H
