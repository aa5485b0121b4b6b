//===- ExpectedBytes.cpp - What mbarriers expect of copies ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExpectedBytes.h"
#include "MBarrierUses.h"
#include "ptxpredict/Graph/Module.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using UseKind = MBarrierUse::KindTy;

namespace {

/// Gives copies their share, in the order of the text.
class SharedOut {
public:
  explicit SharedOut(ArrayRef<MBarrierUse> Uses) {
    for (const MBarrierUse &U : Uses)
      if (U.Kind == UseKind::Expect || U.Kind == UseKind::Copy)
        UseOf[U.I] = &U;
  }

  void visit(const Instruction &I);
  llvm::DenseMap<const Instruction *, uint64_t> take();

private:
  using Copies = SmallVector<const Instruction *, 4>;
  /// An `expect_tx` and those that it is told of.
  struct Expectation {
    uint64_t Bytes;
    Copies Of;
  };
  llvm::DenseMap<const Instruction *, const MBarrierUse *> UseOf;
  std::vector<Expectation> All;
  llvm::DenseMap<const Symbol *, size_t> Told; ///< the last one, by barriers
  llvm::DenseMap<const Symbol *, Copies> Waiting;
};

} // namespace

void SharedOut::visit(const Instruction &I) {
  const MBarrierUse *U = UseOf.lookup(&I);
  if (!U)
    return;
  if (U->Kind == UseKind::Copy) {
    if (auto It = Told.find(U->Base); It != Told.end())
      All[It->second].Of.push_back(&I);
    else
      Waiting[U->Base].push_back(&I);
    return;
  }
  // What is expected before any copy is of one phase.
  if (auto It = Told.find(U->Base);
      It != Told.end() && All[It->second].Of.empty()) {
    All[It->second].Bytes += U->Number;
    return;
  }
  Told[U->Base] = All.size();
  Expectation &E = All.emplace_back();
  E.Bytes = U->Number;
  std::swap(E.Of, Waiting[U->Base]);
}

llvm::DenseMap<const Instruction *, uint64_t> SharedOut::take() {
  llvm::DenseMap<const Instruction *, uint64_t> Result;
  for (const Expectation &E : All)
    for (const Instruction *I : E.Of)
      if (const uint64_t Bytes = E.Bytes / E.Of.size() / 16 * 16)
        Result[I] = Bytes;
  return Result;
}

static void visitFunction(const SymbolicValues &V, SharedOut &S) {
  V.graph().forEachInstruction([&](const Instruction &I) {
    if (const SymbolicValues *Callee = I.IsCall ? V.callee(I) : nullptr)
      visitFunction(*Callee, S);
    else
      S.visit(I);
  });
}

llvm::DenseMap<const Instruction *, uint64_t>
counting::findExpectedBytes(const SymbolicValues &V) {
  const std::vector<MBarrierUse> Uses = findMBarrierUses(V);
  SharedOut S(Uses);
  visitFunction(V, S);
  return S.take();
}
