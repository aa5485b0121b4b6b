//===- KernelCharacteristics.cpp - Characteristics as YAML ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Keys are those of the JSON output, so that one reader knows both. Written by
// hand, line by line: what is absent leaves no key, and an estimate takes one
// line, which a test can check.
//===----------------------------------------------------------------------===//
#include "ptxpredict/Characteristics/KernelCharacteristics.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/YAMLParser.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ptxpredict;

namespace {

/// A number; what is not finite is null, as in JSON.
struct Number {
  double Value;
  friend raw_ostream &operator<<(raw_ostream &OS, Number N) {
    return std::isfinite(N.Value) ? OS << shortestDecimal(N.Value)
                                  : OS << "null";
  }
};

/// A quoted text.
struct Quoted {
  StringRef Text;
  friend raw_ostream &operator<<(raw_ostream &OS, Quoted Q) {
    return OS << '"' << llvm::yaml::escape(Q.Text, /*EscapePrintable=*/false)
              << '"';
  }
};

raw_ostream &operator<<(raw_ostream &OS, const Count &C) {
  OS << "{value: " << Number{C.Value} << ", status: " << toString(C.How);
  if (!C.isKnown())
    OS << ", low: " << Number{C.Low} << ", high: " << Number{C.High};
  return OS << '}';
}

raw_ostream &operator<<(raw_ostream &OS, const Dim3 &D) {
  return OS << '[' << D.X << ", " << D.Y << ", " << D.Z << ']';
}

void printLaunch(const LaunchConfig &L, raw_ostream &OS) {
  OS << "launch:\n  grid: " << L.Grid << "\n  block: " << L.Block
     << "\n  cluster: " << L.Cluster
     << "\n  dynamic_shared_bytes: " << L.DynamicSharedBytes << '\n';
}

void printResources(const ResourceCharacteristics &R, raw_ostream &OS) {
  OS << "resources:\n  registers: " << R.Registers << '\n';
  if (R.SpillBytes)
    OS << "  spill_bytes: " << *R.SpillBytes << '\n';
  if (R.CodeBytes)
    OS << "  code_bytes: " << *R.CodeBytes << '\n';
  OS << "  static_shared_bytes: " << R.StaticSharedBytes
     << "\n  local_bytes: " << R.LocalBytes << "\n  barriers: " << R.Barriers
     << "\n  param_bytes: " << R.ParamBytes
     << "\n  register_demand:\n    packed: " << R.Demand.Packed
     << "\n    hoisted: " << R.Demand.Hoisted
     << "\n    calls_unseen: " << (R.Demand.CallsUnseen ? "true" : "false")
     << '\n';
  if (R.Demand.MaxThreads)
    OS << "    max_threads: " << R.Demand.MaxThreads << '\n';
  if (R.Demand.MinBlocksPerSM)
    OS << "    min_blocks_per_sm: " << R.Demand.MinBlocksPerSM << '\n';
  if (R.Demand.MaxRegisters)
    OS << "    max_registers: " << *R.Demand.MaxRegisters << '\n';
}

void printMemory(const MemoryCharacteristics &M, raw_ostream &OS) {
  OS << "    - line: " << M.Place.Line << '\n';
  if (!M.Place.Source.empty())
    OS << "      source: " << Quoted{M.Place.Source} << '\n';
  if (!M.Place.InlinedAt.empty()) {
    OS << "      inlined_at: [";
    llvm::ListSeparator Comma;
    for (const std::string &At : M.Place.InlinedAt)
      OS << Comma << Quoted{At};
    OS << "]\n";
  }
  OS << "      opcode: " << M.Opcode << "\n      space: " << toString(M.Space)
     << "\n      access: " << toString(M.Access)
     << "\n      bytes_per_lane: " << M.BytesPerLane << '\n';
  if (M.LaneStrideBytes)
    OS << "      lane_stride_bytes: " << *M.LaneStrideBytes << '\n';
  if (!M.LaneStrideSymbolic.empty())
    OS << "      lane_stride_symbolic: " << Quoted{M.LaneStrideSymbolic}
       << '\n';
  OS << "      requests: " << M.Requests
     << "\n      active_lanes: " << M.ActiveLanes << '\n';
  if (M.Sectors)
    OS << "      sectors_per_request: " << *M.Sectors << '\n';
  if (M.Lines)
    OS << "      lines_per_request: " << *M.Lines << '\n';
  if (M.Wavefronts)
    OS << "      wavefronts_per_request: " << *M.Wavefronts << '\n';
  if (M.hasTransactions())
    OS << "      transactions_per_request:\n";
  for (auto [Rule, Num] : llvm::enumerate(M.Transactions))
    if (Num)
      OS << "        " << toString(AccessRule(Rule)) << ": " << *Num << '\n';
}

void printBranches(const KernelCharacteristics &K, raw_ostream &OS) {
  OS << "  branches:";
  bool Any = false;
  for (const BranchCharacteristics &B : K.Branches)
    if (B.Divergent) {
      OS << "\n    - line: " << B.Line << "\n      taken_fraction: " << *B.Taken
         << "\n      divergent_fraction: " << *B.Divergent;
      Any = true;
    }
  OS << (Any ? "\n" : " []\n");
}

void printCharacteristics(const KernelCharacteristics &K, raw_ostream &OS) {
  OS << "characteristics:\n  instructions: " << K.Instructions
     << "\n  by_class:\n";
  for (unsigned I = 0; I != NumOpClasses; ++I)
    if (K.ByClass[I])
      OS << "    " << toString(OpClass(I)) << ": " << *K.ByClass[I] << '\n';
  OS << "  block_barriers: " << K.BlockBarriers << '\n';

  OS << "  blocks:" << (K.Blocks.empty() ? " []\n" : "\n");
  for (const BlockCharacteristics &B : K.Blocks) {
    OS << "    - label: " << Quoted{B.Label} << '\n';
    if (!B.Function.empty())
      OS << "      function: " << Quoted{B.Function} << '\n';
    OS << "      line: " << B.Line << "\n      frequency: " << B.Frequency
       << '\n';
  }
  OS << "  loops:" << (K.Loops.empty() ? " []\n" : "\n");
  for (const LoopCharacteristics &L : K.Loops) {
    OS << "    - header: " << Quoted{L.Header} << "\n      line: " << L.Line
       << "\n      depth: " << L.Depth << "\n      trip_count: " << L.TripCount
       << '\n';
    if (!L.TripCountSymbolic.empty())
      OS << "      trip_count_symbolic: " << Quoted{L.TripCountSymbolic}
         << '\n';
  }
  printBranches(K, OS);
  OS << "  memory:" << (K.Memory.empty() ? " []\n" : "\n");
  for (const MemoryCharacteristics &M : K.Memory)
    printMemory(M, OS);

  if (const auto &F = K.Footprint)
    OS << "  footprint:\n    block_bytes: " << F->BlockBytes
       << "\n    grid_bytes: " << F->GridBytes
       << "\n    grid_read_bytes: " << F->GridReadBytes
       << "\n    grid_written_bytes: " << F->GridWrittenBytes << '\n';
  OS << "  coverage:\n    modelled: " << K.ModelledInstructions
     << "\n    total: " << K.TotalInstructions << '\n';
  if (!K.UnknownOpcodes.empty()) {
    OS << "    unknown_opcodes:\n";
    for (const auto &[Opcode, Num] : K.UnknownOpcodes)
      OS << "      " << Quoted{Opcode} << ": " << Num << '\n';
  }
}

} // namespace

void ptxpredict::print(const KernelCharacteristics &K, raw_ostream &OS) {
  OS << "---\nname: " << Quoted{K.Name}
     << "\ndemangled: " << Quoted{K.Demangled} << "\nline: " << K.Line << '\n';
  printLaunch(K.Launch, OS);
  if (!K.MeasuredOn.empty())
    OS << "profile: " << K.MeasuredOn << '\n';
  printResources(K.Resources, OS);
  printCharacteristics(K, OS);
  OS << "premises:" << (K.Premises.empty() ? " []\n" : "\n");
  for (const std::string &P : K.Premises)
    OS << "  - " << Quoted{P} << '\n';
  OS << "assumptions:" << (K.Assumptions.empty() ? " []\n" : "\n");
  for (const Assumption &A : K.Assumptions) {
    OS << "  - what: " << Quoted{A.What} << "\n    value: ";
    if (A.IsNumber)
      OS << A.Value;
    else
      OS << Quoted{A.Value};
    OS << '\n';
    if (A.Line)
      OS << "    line: " << A.Line << '\n';
    OS << "    option: " << Quoted{A.Option} << '\n';
  }
}
