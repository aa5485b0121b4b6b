//===- MemoryPrint.cpp - What memory instructions cost, as text -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DumpRecords.h"
#include "ptxpredict/Analysis/Dump/AnalysisDumps.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

static bool isCounted(const MemoryEffect &E) {
  return E.Space == AddressSpace::Global || E.Space == AddressSpace::Local ||
         E.Space == AddressSpace::Shared || E.Space == AddressSpace::Generic;
}

namespace {
/// One effect of an instruction, and what it costs.
struct CountedEffect {
  const Instruction &I;
  const MemoryEffect &E;
  const AccessCounts &Counts;
};
} // namespace

/// The coordinates of a tensor's element, "ctaid.x, 64*iter(LOOP)"; empty for
/// another address.
static std::string coordinates(const SymbolicValues &V, const Instruction &I,
                               const Operand &Address) {
  std::string Text;
  for (const Operand &More : Address.Elements.drop_front(
           std::min<size_t>(Address.Elements.size(), 1)))
    for (const Operand &C : More.Kind == Operand::KindTy::Vector
                                ? More.Elements
                                : ArrayRef<Operand>(More)) {
      const Expression *X = V.of(I, C, 32);
      Text += (Text.empty() ? "" : ", ") + (X ? X->str() : "?");
    }
  return Text;
}

static void printAccess(const CountedFunction &F, const CountedEffect &Effect,
                        const LaunchConfig &Launch, raw_ostream &OS) {
  const auto &[I, E, C] = Effect;
  DumpRecord R(OS, "access");
  R.field("line", I.Line).field("opcode", I.Mnemonic);
  R.field("space", toString(C.Space));
  const Estimate &Cost = C.Sectors      ? *C.Sectors
                         : C.Wavefronts ? *C.Wavefronts
                                        : C.ActiveLanes;
  R.field("status", toString(Cost.Status)).field("why", toString(C.Reason));
  R.field("requests", perWarp(C.Requests, Launch));
  R.field("lanes", C.ActiveLanes);
  if (C.LaneStrideBytes)
    R.field("stride", std::to_string(*C.LaneStrideBytes));
  for (auto [Key, Value] :
       {std::pair("sectors", C.Sectors), std::pair("lines", C.Lines),
        std::pair("wavefronts", C.Wavefronts), std::pair("cc10", C.CC10),
        std::pair("cc12", C.CC12), std::pair("cc20", C.CC20)})
    if (Value)
      R.field(Key, *Value);
  if (C.Sectors && E.BytesPerLane) {
    R.field("used", C.ActiveLanes.scaled(E.BytesPerLane));
    R.field("moved", C.Sectors->scaled(32));
  }
  const Operand &Address = I.Operands[E.AddressOperand];
  if (std::string At = coordinates(F.first(), I, Address); !At.empty())
    R.field("at", At);
  else
    R.field("at", F.first().of(I, Address, 64));
}

void ptxpredict::printMemory(const SymbolicValues &V,
                             const StaticProfile &Counts,
                             const LaunchConfig &Launch, raw_ostream &OS) {
  printFunctions(V, Counts, Launch, OS, [&](const CountedFunction &F) {
    for (const Block *B : F.graph().Blocks)
      for (const Instruction *I : B->Instructions) {
        ArrayRef<AccessCounts> Accesses = F.Counts->accesses(*I);
        for (const MemoryEffect &E : I->Effects)
          if (isCounted(E) && !Accesses.empty()) {
            printAccess(F, {*I, E, Accesses.front()}, Launch, OS);
            Accesses = Accesses.drop_front();
          }
      }
  });
}
