//===- DependenceText.cpp - What a warp waits for, and where --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CharacteristicsText.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;

std::string ptxpredict::placeText(StringRef Source, unsigned Line) {
  const std::string Name = printable(llvm::sys::path::filename(Source));
  return ((Name.empty() ? Name : Name + ", ") + "line " + Twine(Line)).str();
}

void CharacteristicsText::printDependence() {
  const DependenceCharacteristics &D = K.Dependence;
  if (D.Summary.Functions.empty())
    return;
  heading("Dependence");
  OS << " per warp: " << mark(D.PathInstructions) << " of "
     << mark(K.Instructions) << " instructions follow one another\n";
  OS << "  ILP " << mark(D.ILP) << "   DEP " << mark(D.DEP) << "   MSTR "
     << mark(D.MSTR) << "   memory parallelism " << mark(D.MemoryParallelism)
     << "   waits for memory " << mark(D.RoundTrips) << ", shared "
     << mark(D.SharedRoundTrips) << '\n';
}

namespace {
/// What an access moves, and what its bytes need at least, in sectors or
/// wavefronts of a request.
struct AccessWork {
  double Moved = 0, Needed = 0;

  explicit AccessWork(const MemoryCharacteristics &M) {
    double Lanes = M.ActiveLanes.Value;
    if (M.Wavefronts) {
      Moved = M.Wavefronts->Value;
      Needed = fewestWavefronts(Lanes, std::max(1u, M.BytesPerLane));
    } else if (M.Sectors) {
      Moved = M.Sectors->Value;
      Needed =
          M.BytesPerLane == 0 // a bulk copy
              ? Moved
              : fewestTransactions(AccessRule::Sector, Lanes, M.BytesPerLane);
    }
  }
  double excess() const { return std::max(0.0, Moved - Needed); }
};
} // namespace

void CharacteristicsText::printWorstAccess() {
  const MemoryCharacteristics *Worst = nullptr;
  auto Weight = [](const MemoryCharacteristics &M) {
    AccessWork W(M);
    return std::pair(W.excess() * M.Requests.Value, W.Moved * M.Requests.Value);
  };
  for (const MemoryCharacteristics &M : K.Memory)
    if (!Worst || Weight(M) > Weight(*Worst))
      Worst = &M;
  if (!Worst)
    return;
  AccessWork W(*Worst);
  OS << "  access      " << placeText(Worst->Place.Source, Worst->Place.Line)
     << ": " << fit(Worst->shownOpcode(), 30) << ", " << shortNumber(W.Moved)
     << (Worst->Wavefronts ? " wavefronts" : " sectors") << " a request, "
     << shortNumber(W.Needed) << " needed\n";
}

void CharacteristicsText::printWorstDivergence() {
  const BranchCharacteristics *Worst = nullptr;
  auto Weight = [](const BranchCharacteristics &B) {
    return std::pair(B.Divergent->Value * B.Executions.Value,
                     B.Executions.Value);
  };
  for (const BranchCharacteristics &B : K.Branches)
    if (B.Divergent && (!Worst || Weight(B) > Weight(*Worst)))
      Worst = &B;
  if (!Worst)
    return;
  OS << "  divergence  " << placeText(Worst->Source, Worst->Line) << ": "
     << mark(Worst->Divergent->scaled(100)) << " % of "
     << mark(Worst->Executions) << " executions split a warp\n";
}

void CharacteristicsText::printWorstRecurrence() {
  // The one that takes most of the kernel's steps: loops repeat their header.
  const LoopCharacteristics *Worst = nullptr;
  double Most = 0;
  for (const LoopCharacteristics &L : K.Loops) {
    if (!L.Recurrence || !L.WaitsFor.empty())
      continue;
    double Steps = double(L.Recurrence->Instructions.size()) /
                   L.Recurrence->Iterations * L.Executions.Value;
    if (!Worst || Steps > Most) {
      Worst = &L;
      Most = Steps;
    }
  }
  if (!Worst) {
    OS << "  recurrence  none"
       << (K.Loops.empty() ? ", as there is no loop" : "") << '\n';
    return;
  }
  const RecurrenceCharacteristics &R = *Worst->Recurrence;
  const SourcePlace &First = R.Instructions.front().Place;
  OS << "  recurrence  " << placeText(First.Source, First.Line) << ": "
     << shortNumber(double(R.Instructions.size()) / R.Iterations)
     << " instructions an iteration of "
     << (Worst->Header.empty() ? "line " + std::to_string(Worst->Line)
                               : fit(Worst->Header, 30))
     << '\n';
  std::string Chain;
  constexpr size_t MaxShown = 4;
  llvm::ListSeparator Arrow(" -> ");
  for (const InstructionPlace &I :
       ArrayRef(R.Instructions)
           .take_front(std::min(R.Instructions.size(), limit(MaxShown))))
    Chain += (StringRef(Arrow) + I.Opcode + " (" +
              std::to_string(I.Place.Line) + ")")
                 .str();
  if (R.Instructions.size() > limit(MaxShown))
    Chain += " -> ...";
  OS.indent(14) << (Verbose ? Chain : fit(Chain, ReportColumns - 14)) << '\n';
}

void CharacteristicsText::printWorst() {
  if (K.Memory.empty() && K.Branches.empty() && K.Loops.empty())
    return;
  heading("Worst places");
  OS << '\n';
  printWorstAccess();
  printWorstDivergence();
  printWorstRecurrence();
}
