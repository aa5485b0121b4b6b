//===- DumpRecords.cpp - Static counts as text ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DumpRecords.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <cassert>
#include <deque>

using namespace ptxpredict;
using namespace ptxpredict::counting;

DumpRecord &DumpRecord::field(StringRef Key, StringRef Value) {
  OS << ' ' << Key << '=';
  if (Value.empty())
    OS << '-';
  else if (Value.contains(' '))
    OS << '"' << Value << '"';
  else
    OS << Value;
  return *this;
}

DumpRecord &DumpRecord::field(StringRef Key, const Estimate &C) {
  std::string Text = shortestDecimal(C.Value) + ":" + toString(C.Status).str();
  if (!C.isKnown())
    Text += "[" + shortestDecimal(C.Low) + "," + shortestDecimal(C.High) + "]";
  return field(Key, StringRef(Text));
}

DumpRecord &DumpRecord::field(StringRef Key, const Expression *X) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  if (X)
    X->print(Out);
  return field(Key, StringRef(Text));
}

Estimate counting::perWarp(const Estimate &C, const LaunchConfig &Launch) {
  double Warps = double(Launch.blocks()) * double(Launch.warpsPerBlock());
  return {C.Value / Warps, C.Status, C.Low / Warps, C.High / Warps};
}

Estimate counting::shareOf(const Estimate &Part, const Estimate &Of) {
  double Share = Of.Value > 0 ? std::min(Part.Value / Of.Value, 1.0) : 0;
  if (Part.isKnown() && (Of.isKnown() || Part.Value == 0))
    return Estimate::known(Share);
  double Low = 0, High = 1;
  if (Of.isKnown() && Of.Value > 0) {
    Low = std::min(Part.Low / Of.Value, Share);
    High = std::clamp(Part.High / Of.Value, Share, 1.0);
  }
  return {Share, weakest(weakest(Part.Status, Of.Status), Status::Assumed), Low,
          High};
}

namespace {

/// What is known of each function in each of its calls, as the profile has
/// it.
class CallCollector {
public:
  CallCollector(const SymbolicValues &Kernel, const LaunchConfig &Launch)
      : Launch(Launch) {
    Work.push_back(&Kernel);
    while (!Work.empty()) {
      const SymbolicValues *V = Work.back();
      Work.pop_back();
      Calls[&V->graph()].push_back(V);
      for (const Block *B : V->graph().Blocks)
        for (const Instruction *I : B->Instructions)
          if (I->IsCall)
            collect(*V, *I);
    }
  }
  ArrayRef<const SymbolicValues *> of(const InstructionGraph &G) {
    return Calls[&G];
  }

private:
  void collect(const SymbolicValues &V, const Instruction &Call) {
    if (const SymbolicValues *Callee = V.callee(Call)) {
      Work.push_back(Callee);
      return;
    }
    if (const InstructionGraph *G = Call.callee())
      addAlone(V, *G);
    for (const Operand &O : Call.Operands)
      for (const Operand &Target : O.Elements)
        if (O.Kind == Operand::KindTy::List &&
            Target.Kind == Operand::KindTy::Function && Target.Callee)
          addAlone(V, *Target.Callee);
  }
  /// A function whose arguments nobody looked into.
  void addAlone(const SymbolicValues &Caller, const InstructionGraph &G) {
    if (!IsAlone.insert(&G).second)
      return;
    Own.emplace_back(G, G.analysis<ControlFlow>(), Launch,
                     Caller.expressions());
    Work.push_back(&Own.back());
  }

  const LaunchConfig &Launch;
  std::vector<const SymbolicValues *> Work;
  llvm::DenseMap<const InstructionGraph *, std::vector<const SymbolicValues *>>
      Calls;
  llvm::DenseSet<const InstructionGraph *> IsAlone;
  std::deque<SymbolicValues> Own;
};

} // namespace

void counting::printFunctions(
    const SymbolicValues &Kernel, const StaticProfile &Counts,
    const LaunchConfig &Launch, raw_ostream &OS,
    llvm::function_ref<void(const CountedFunction &)> Print) {
  CallCollector Collector(Kernel, Launch);
  for (const auto &F : Counts.Functions) {
    const InstructionGraph &G = *F->G;
    ArrayRef<const SymbolicValues *> Calls = Collector.of(G);
    assert(!Calls.empty() && "counted without anything to count");
    OS << (G.IsKernel ? "kernel " : "function ") << G.Name << ": grid "
       << toString(Launch.Grid) << (Launch.GridIsAssumed ? " (assumed)" : "")
       << ", block " << toString(Launch.Block)
       << (Launch.BlockIsAssumed ? " (assumed)" : "");
    if (Calls.size() > 1)
      OS << ", " << Calls.size() << " calls";
    if (Counts.IsSampled)
      OS << ", sampled: too many warps, blocks and iterations behave "
            "differently";
    OS << '\n';
    Print({F.get(), Calls});
  }
}
