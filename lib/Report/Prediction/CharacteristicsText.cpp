//===- CharacteristicsText.cpp - What a kernel does, as text --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CharacteristicsText.h"
#include "ptxpredict/Support/PrintableText.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace ptxpredict;

using Align = TextTable::Align;

/// What a screen has room for; --verbose has no such limits.
static constexpr size_t MaxClasses = 12, MaxMemoryRows = 6, MaxLoops = 5,
                        MaxFormulas = 6;

void CharacteristicsText::printLaunch() {
  OS << "grid " << toString(K.Launch.Grid) << ", block "
     << toString(K.Launch.Block) << ": " << K.Launch.blocks() << " blocks of "
     << K.Launch.warpsPerBlock()
     << (K.Launch.warpsPerBlock() == 1 ? " warp" : " warps");
  if (K.Launch.Cluster.count() != 1)
    OS << ", clusters of " << toString(K.Launch.Cluster);
}

void CharacteristicsText::printMix() {
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
      Estimate N = K.byClass(Classes[I]);
      double Share = Total > 0 ? N.Value / Total : 0;
      std::string Bar = shareBar(Share);
      Bar.resize(BarColumns, ' '); // keeps the second column in its place
      llvm::append_range(
          Cells, std::initializer_list<std::string>{
                     toString(Classes[I]).str(), mark(N), percent(Share), Bar});
    }
    T.addRow(std::move(Cells));
  }
  if (Number != 0)
    T.print(OS);
  more(Classes.size(), MaxClasses, "classes");
  printTensorWork();
}

/// The multiply-adds of matrices, in a line; each shape if all is wanted.
void CharacteristicsText::printTensorWork() {
  if (K.TensorWork.empty())
    return;
  OS << "  tensor multiply-adds per warp: ";
  llvm::ListSeparator Comma;
  for (const auto &[Type, MACs] : tensorMACsByType(K))
    OS << Comma << mark(MACs) << ' ' << fit(Type, 30);
  OS << '\n';
  if (limit(1) == 1)
    return;
  for (const TensorWorkCharacteristics &W : K.TensorWork)
    OS << "    m" << W.M << 'n' << W.N << 'k' << W.K << " of "
       << fit(W.Type, 30) << (W.SMs > 1 ? ", two SMs: " : ": ") << mark(W.MACs)
       << '\n';
}

void CharacteristicsText::printLoops() {
  if (K.Loops.empty())
    return;
  heading("Loops");
  OS << '\n';
  for (const LoopCharacteristics &L : ArrayRef(K.Loops).take_front(
           std::min(K.Loops.size(), limit(MaxLoops)))) {
    constexpr unsigned MaxDepth = 20; // of indentation: a file may say anything
    OS.indent(2 * std::min(L.Depth, MaxDepth));
    OS << fit(L.Header, 50) << " (line " << L.Line << "): ";
    if (L.WaitsFor.empty())
      OS << mark(L.TripCount) << " times\n";
    else
      OS << "waits for " << fit(L.WaitsFor, 50) << '\n';
  }
  more(K.Loops.size(), MaxLoops, "loops");
}

std::vector<const MemoryCharacteristics *>
ptxpredict::memoryByWeight(const KernelCharacteristics &K) {
  auto Weight = [](const MemoryCharacteristics &M) {
    double PerRequest = M.Sectors      ? M.Sectors->Value
                        : M.Wavefronts ? M.Wavefronts->Value
                                       : 1;
    return M.Requests.Value * PerRequest;
  };
  std::vector<const MemoryCharacteristics *> Rows;
  Rows.reserve(K.Memory.size());
  for (const MemoryCharacteristics &M : K.Memory)
    Rows.push_back(&M);
  llvm::stable_sort(Rows,
                    [&](auto *A, auto *B) { return Weight(*A) > Weight(*B); });
  return Rows;
}

void CharacteristicsText::printMemory() {
  if (K.Memory.empty())
    return;
  std::vector<const MemoryCharacteristics *> Rows = memoryByWeight(K);
  Rows.resize(std::min(Rows.size(), limit(MaxMemoryRows)));
  llvm::sort(Rows); // back into the order of the code
  heading("Memory");
  OS << " requests per warp; lanes, sectors of 32 B, wavefronts per request\n";
  TextTable T({Align::Right, Align::Left, Align::Left, Align::Right,
               Align::Right, Align::Right, Align::Right, Align::Right});
  T.addRow({"line", "instruction", "source", "requests", "lanes", "stride",
            "sectors", "wavefronts"});
  for (const MemoryCharacteristics *M : Rows) {
    // Of a source's path the file's name is enough to find it.
    const std::string Source =
        printable(llvm::sys::path::filename(M->Place.Source));
    T.addRow(
        {std::to_string(M->Place.Line), fit(M->shownOpcode(), 30),
         fit(Source, 20), mark(M->Requests), mark(M->ActiveLanes),
         M->LaneStrideBytes ? std::to_string(*M->LaneStrideBytes) + " B" : "",
         M->Sectors ? mark(*M->Sectors) : "",
         M->Wavefronts ? mark(*M->Wavefronts) : ""});
  }
  T.print(OS);
  more(K.Memory.size(), MaxMemoryRows, "memory instructions");
}

void CharacteristicsText::printSymbolic() {
  std::vector<std::string> Rows;
  for (const LoopCharacteristics &L : K.Loops) {
    StringRef Count = L.TripCountSymbolic;
    if (Count.empty())
      continue;
    bool AtMost = Count.consume_front("<= ");
    std::string Loop =
        L.Header.empty() ? "line " + std::to_string(L.Line) : fit(L.Header, 50);
    Rows.push_back(("loop " + Loop + " runs " + (AtMost ? "at most " : "") +
                    Count + " times")
                       .str());
  }
  // Accesses that have one stride stand together.
  llvm::MapVector<StringRef, std::vector<unsigned>> ByStride;
  for (const MemoryCharacteristics &M : K.Memory)
    if (!M.LaneStrideSymbolic.empty())
      ByStride[M.LaneStrideSymbolic].push_back(M.Place.Line);
  for (const auto &[Stride, Lines] : ByStride) {
    std::string Row = Lines.size() == 1 ? "line " : "lines ";
    constexpr size_t MaxLines = 4;
    llvm::ListSeparator Comma;
    for (unsigned Line : ArrayRef(Lines).take_front(MaxLines))
      Row += (StringRef(Comma) + std::to_string(Line)).str();
    if (Lines.size() > MaxLines)
      Row += ", ...";
    Rows.push_back(
        (Row + ": stride between lanes = " + Stride + " bytes").str());
  }
  if (Rows.empty())
    return;
  heading("Formulas");
  OS << " for what the launch leaves open\n";
  for (const std::string &Row :
       ArrayRef(Rows).take_front(std::min(Rows.size(), limit(MaxFormulas))))
    OS << "  " << fit(Row, ReportColumns - 2) << '\n';
  more(Rows.size(), MaxFormulas, "formulas");
}

void CharacteristicsText::printCoverage() {
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

bool CharacteristicsText::printMarks() {
  if (!Shown[1] && !Shown[2] && !Shown[3])
    return false;
  OS << '\n';
  StringRef Separator = "";
  for (Status S : {Status::Estimated, Status::Assumed, Status::Unknown})
    if (Shown[unsigned(S)]) {
      OS << Separator << statusMark(S) << ' ' << toString(S);
      Separator = "   ";
    }
  return true;
}
