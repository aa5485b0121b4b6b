//===- ControlLowering.cpp - Blocks, edges, branches and returns ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ControlLowering.h"
#include "FunctionLowering.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

using Kind = Operand::KindTy;

ControlLowering::ControlLowering(FunctionLowering &L) : F(L), B(L.builder()) {}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void ControlLowering::findBlocks() {
  unsigned Number = 0;
  for (const llvm::BasicBlock &BB : F.function()) {
    std::string Label =
        BB.hasName() ? BB.getName().str() : "bb" + std::to_string(Number);
    ++Number;
    Blocks[&BB] = B.block(F.module().keep(Label), &BB);
  }
}

/// A block behind all that lead to it, loops together, as the back end places
/// them: what leaves a loop goes behind it.
void ControlLowering::orderBlocks() {
  llvm::DominatorTree DT(const_cast<llvm::Function &>(F.function()));
  llvm::LoopInfo Loops(DT);
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Numbers;
  for (const llvm::BasicBlock &BB : F.function())
    Numbers.try_emplace(&BB, unsigned(Numbers.size()));
  // What comes last in the order is finished first, and so visited first.
  struct Visit {
    const llvm::BasicBlock *BB;
    SmallVector<const llvm::BasicBlock *, 2> Left; ///< the next one is last
  };
  llvm::DenseSet<const llvm::BasicBlock *> Seen;
  std::vector<Visit> Stack;
  auto Enter = [&](const llvm::BasicBlock *BB) {
    if (!Seen.insert(BB).second)
      return;
    Visit V{BB, SmallVector<const llvm::BasicBlock *, 2>(llvm::successors(BB))};
    llvm::stable_sort(
        V.Left, [&](const llvm::BasicBlock *X, const llvm::BasicBlock *Y) {
          return std::pair(Loops.getLoopDepth(X), ~Numbers[X]) >
                 std::pair(Loops.getLoopDepth(Y), ~Numbers[Y]);
        });
    Stack.push_back(std::move(V));
  };
  Enter(&F.function().getEntryBlock());
  while (!Stack.empty()) {
    Visit &V = Stack.back();
    if (V.Left.empty()) {
      Order.push_back(V.BB);
      Stack.pop_back();
    } else {
      Enter(V.Left.pop_back_val());
    }
  }
  std::reverse(Order.begin(), Order.end());
  for (const llvm::BasicBlock &BB : F.function())
    if (!Seen.contains(&BB))
      Order.push_back(&BB);
  for (size_t N = 1; N != Order.size(); ++N)
    Next[Order[N - 1]] = Order[N];
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

static Operand target(Block *B) {
  Operand O;
  O.Kind = Kind::Target;
  O.Role = OperandRole::Label;
  O.Dest = B;
  return O;
}

/// The copies that the edge asks for, in registers' numbers where they are the
/// same.
SmallVector<ControlLowering::Copy, 4>
ControlLowering::edgeCopies(const llvm::BasicBlock &From,
                            const llvm::BasicBlock &To) {
  SmallVector<Copy, 4> Copies;
  for (const llvm::PHINode &Phi : To.phis()) {
    const llvm::Value *In = Phi.getIncomingValueForBlock(&From);
    if (isa<llvm::UndefValue>(In) || Phi.use_empty())
      continue;
    for (auto [Into, Source] : llvm::zip(F.define(&Phi), F.components(In)))
      if (Source.Kind != Kind::Register ||
          Source.RegisterIndex != Into.RegisterIndex)
        Copies.emplace_back(Into, Source);
  }
  return Copies;
}

void ControlLowering::copyInParallel(ArrayRef<Copy> Copies) {
  // A register that one copy writes and a later one reads is saved first.
  SmallVector<Copy, 4> Waiting(Copies.begin(), Copies.end());
  while (!Waiting.empty()) {
    llvm::DenseMap<unsigned, unsigned> Reads;
    for (const auto &C : Waiting)
      if (C.second.Kind == Kind::Register)
        ++Reads[C.second.RegisterIndex];
    size_t Before = Waiting.size();
    llvm::erase_if(Waiting, [&](const auto &C) {
      if (Reads.lookup(C.first.RegisterIndex) != 0)
        return false;
      F.move(C.first, C.second);
      if (C.second.Kind == Kind::Register)
        --Reads[C.second.RegisterIndex];
      return true;
    });
    if (Waiting.size() == Before) { // a cycle
      Operand Saved = F.temporary(Waiting.front().first.Type);
      F.move(Saved, Waiting.front().first);
      for (auto &C : Waiting)
        if (C.second.Kind == Kind::Register &&
            C.second.RegisterIndex == Waiting.front().first.RegisterIndex)
          C.second = Saved;
    }
  }
}

void ControlLowering::jump(const llvm::BasicBlock &To, bool MayFall) {
  if (!MayFall || Next.lookup(F.currentBlock()) != &To)
    F.emit("bra.uni", {target(Blocks[&To])});
}

/// A block for the copies of an edge, which are written when the terminator is
/// through; the target itself if there are none.
Block *ControlLowering::edgeBlock(const llvm::BasicBlock &To) {
  SmallVector<Copy, 4> Copies = edgeCopies(*F.currentBlock(), To);
  if (Copies.empty())
    return Blocks[&To];
  Block *Edge = B.block(
      F.module().keep(Blocks[&To]->Label + ".edge" + Twine(++NumEdges)), &To);
  PendingEdges.push_back({Edge, &To, Copies});
  return Edge;
}

void ControlLowering::finishEdges() {
  for (const PendingEdge &E : PendingEdges) {
    B.startBlock(E.Start, F.currentLine());
    copyInParallel(E.Copies);
    F.emit("bra.uni", {target(Blocks[E.To])});
  }
  PendingEdges.clear();
}

//===----------------------------------------------------------------------===//
// Terminators
//===----------------------------------------------------------------------===//

void ControlLowering::continueAt(const llvm::BasicBlock &To) {
  copyInParallel(edgeCopies(*F.currentBlock(), To));
  jump(To, /*MayFall=*/true);
}

void ControlLowering::lowerBranch(const llvm::BranchInst &I) {
  if (I.isUnconditional() || I.getSuccessor(0) == I.getSuccessor(1))
    return continueAt(*I.getSuccessor(0));
  if (auto *C = dyn_cast<llvm::ConstantInt>(I.getCondition()))
    return continueAt(*I.getSuccessor(C->isZero() ? 1 : 0));
  const llvm::BasicBlock *Taken = I.getSuccessor(0), *Other = I.getSuccessor(1);
  Operand Condition = F.inRegister(F.use(I.getCondition()));
  // The back end turns a condition around where the code's own order lets it
  // fall through, and cannot do it again where it places blocks otherwise.
  bool Negated = F.currentBlock()->getNextNode() == Taken;
  if (Negated)
    std::swap(Taken, Other);
  F.emit("bra", {target(edgeBlock(*Taken))}, Condition.RegisterIndex, Negated);
  SmallVector<Copy, 4> Copies = edgeCopies(*F.currentBlock(), *Other);
  copyInParallel(Copies);
  jump(*Other, /*MayFall=*/PendingEdges.empty());
  finishEdges();
}

/// As the back end decides: at least four cases, a tenth of the range.
bool ControlLowering::isDense(ArrayRef<Case> Cases) {
  if (Cases.size() < 4)
    return false;
  llvm::APInt Range = Cases.back().first - Cases.front().first;
  return Range.ult(10 * Cases.size()) && Range.ult(4096);
}

/// One comparison after another; a tree of them has as many.
void ControlLowering::compareCases(const Operand &V, ArrayRef<Case> Cases,
                                   const llvm::BasicBlock &Default) {
  for (const Case &C : Cases) {
    Operand Equal = F.temporary(ScalarType::Pred);
    F.emit("setp.eq.b" + bits(V.Type),
           {Equal, V, F.integer(C.first.getSExtValue(), V.Type)});
    F.emit("bra", {target(edgeBlock(*C.second))}, Equal.RegisterIndex);
  }
  copyInParallel(edgeCopies(*F.currentBlock(), Default));
  jump(Default, PendingEdges.empty());
}

/// The blocks of a table that starts at the first case.
Operand ControlLowering::jumpTable(ArrayRef<Case> Cases,
                                   const llvm::BasicBlock &Default) {
  int64_t First = Cases.front().first.getSExtValue();
  SmallVector<Operand, 16> Targets;
  llvm::MapVector<const llvm::BasicBlock *, Block *> Edges;
  auto Add = [&](const llvm::BasicBlock &To) {
    auto [It, IsNew] = Edges.try_emplace(&To, nullptr);
    if (IsNew)
      It->second = edgeBlock(To);
    Targets.push_back(target(It->second));
  };
  for (const Case &C : Cases) {
    while (First + int64_t(Targets.size()) < C.first.getSExtValue())
      Add(Default);
    Add(*C.second);
  }
  Operand List;
  List.Kind = Kind::List;
  List.Role = OperandRole::Label;
  List.Bits = 0;
  List.Elements = B.keep(Targets);
  return List;
}

void ControlLowering::lowerSwitch(const llvm::SwitchInst &I) {
  SmallVector<Case, 16> Cases;
  for (const auto &C : I.cases())
    Cases.emplace_back(C.getCaseValue()->getValue(), C.getCaseSuccessor());
  llvm::sort(Cases,
             [](const Case &X, const Case &Y) { return X.first.slt(Y.first); });
  const llvm::BasicBlock &Default = *I.getDefaultDest();
  Operand V = F.inRegister(F.extended(I.getCondition(), true));
  if (!isDense(Cases)) {
    compareCases(V, Cases, Default);
    return finishEdges();
  }
  std::string Width = bits(V.Type);
  int64_t First = Cases.front().first.getSExtValue();
  int64_t Last = Cases.back().first.getSExtValue();
  Operand Index = V;
  if (First != 0) {
    Index = F.temporary(V.Type);
    F.emit("add.s" + Width, {Index, V, F.integer(-First, V.Type)});
  }
  Operand Outside = F.temporary(ScalarType::Pred);
  F.emit("setp.gt.u" + Width,
         {Outside, Index, F.integer(Last - First, V.Type)});
  F.emit("bra", {target(edgeBlock(Default))}, Outside.RegisterIndex);
  if (V.Type != ScalarType::B32) {
    Operand Narrow = F.temporary(ScalarType::B32);
    F.emit("cvt.u32.u" + Width, {Narrow, Index});
    Index = Narrow;
  }
  F.emit("brx.idx", {Index, jumpTable(Cases, Default)});
  finishEdges();
}

void ControlLowering::lowerReturn(const llvm::ReturnInst &I) {
  const llvm::Value *V = I.getReturnValue();
  const InstructionGraph &G = B.graph();
  if (V && !G.Parameters.empty() && G.Parameters.front().IsReturn) {
    const Parameter &P = G.Parameters.front();
    Operand To;
    To.Kind = Kind::Parameter;
    To.Param = &P;
    To.Type = P.Type;
    F.memory().store(F.address(To), F.components(V),
                     {V->getType(), llvm::Align(std::max<uint64_t>(P.Align, 1)),
                      "st.param"});
  }
  F.emit("ret", {});
}
