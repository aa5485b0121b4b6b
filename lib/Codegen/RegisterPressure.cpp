//===- RegisterPressure.cpp - Registers that are live at once -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/RegisterPressure.h"
#include "PressureScheduler.h"
#include "ptxpredict/Codegen/LatencyScheduler.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

namespace {

/// The values that live behind each block, by number.
class LiveOut {
public:
  explicit LiveOut(const FoldedCode &Code);
  ArrayRef<unsigned> of(unsigned Block) const { return Values[Block]; }

private:
  std::vector<SmallVector<unsigned, 4>> Values;
};

/// Liveness value by value (Boissinot et al., CGO 2008, "path exploration"):
/// from each use back to the definition, every block once.
LiveOut::LiveOut(const FoldedCode &Code) : Values(Code.Blocks.size()) {
  constexpr unsigned None = ~0U;
  size_t NumValues = Code.Width.size();
  std::vector<unsigned> DefBlock(NumValues, None);
  // Where each value is read before its block writes it, and at whose end.
  struct Use {
    unsigned Value, Block;
    bool AtEnd;
  };
  std::vector<Use> Uses;
  std::vector<unsigned> SeenIn(NumValues, None), DefinedIn(NumValues, None);
  for (unsigned B = 0; B != Code.Blocks.size(); ++B) {
    const FoldedCode::BlockCode &Block = Code.Blocks[B];
    auto Define = [&](unsigned V) { DefBlock[V] = DefinedIn[V] = B; };
    for (const FoldedPhi &Phi : Block.Phis) {
      Define(Phi.Def);
      for (size_t P = 0; P != Phi.Uses.size(); ++P)
        if (Phi.Uses[P] != FoldedCode::NoValue)
          Uses.push_back({Phi.Uses[P], Block.Source->Predecessors[P]->Number,
                          /*AtEnd=*/true});
    }
    for (const FoldedOp &Op : Block.Ops) {
      for (unsigned U : Op.Uses)
        if (DefinedIn[U] != B && SeenIn[U] != B) {
          SeenIn[U] = B;
          Uses.push_back({U, B, /*AtEnd=*/false});
        }
      for (unsigned D : Op.Defs)
        Define(D);
    }
  }
  llvm::stable_sort(
      Uses, [](const Use &A, const Use &B) { return A.Value < B.Value; });

  std::vector<unsigned> EnteredBy(Code.Blocks.size(), None),
      LeftBy(Code.Blocks.size(), None);
  SmallVector<unsigned, 16> Work;
  for (const Use &U : Uses) {
    auto Enter = [&](unsigned B) {
      if (EnteredBy[B] != U.Value) {
        EnteredBy[B] = U.Value;
        Work.push_back(B);
      }
    };
    auto Leave = [&](unsigned B) {
      if (LeftBy[B] == U.Value)
        return;
      LeftBy[B] = U.Value;
      Values[B].push_back(U.Value);
      if (B != DefBlock[U.Value])
        Enter(B);
    };
    if (U.AtEnd)
      Leave(U.Block);
    else
      Enter(U.Block);
    while (!Work.empty())
      for (const Block *P :
           Code.Blocks[Work.pop_back_val()].Source->Predecessors)
        Leave(P->Number);
  }
}

/// The largest number of registers that are live in a block.
class BlockPressure {
public:
  /// With the operations in \p Order; if that is empty, as they are.
  unsigned of(ArrayRef<FoldedOp> Ops, ArrayRef<unsigned> Order,
              ArrayRef<unsigned> LiveAtEnd, ArrayRef<uint8_t> Width);

private:
  std::vector<uint8_t> Live; ///< by value; all 0 between calls
  SmallVector<unsigned, 32> Touched;
};

unsigned BlockPressure::of(ArrayRef<FoldedOp> Ops, ArrayRef<unsigned> Order,
                           ArrayRef<unsigned> LiveAtEnd,
                           ArrayRef<uint8_t> Width) {
  Live.resize(std::max(Live.size(), Width.size()));
  unsigned Now = 0;
  auto Add = [&](unsigned V) {
    if (Live[V])
      return;
    Live[V] = 1;
    Touched.push_back(V);
    Now += Width[V];
  };
  for (unsigned V : LiveAtEnd)
    Add(V);
  unsigned Max = Now;
  for (size_t K = Ops.size(); K-- != 0;) {
    const FoldedOp &Op = Ops[Order.empty() ? K : Order[K]];
    for (unsigned D : Op.Defs)
      Add(D); // a result that nobody reads needs a register all the same
    Max = std::max(Max, Now + Op.Temporaries);
    for (unsigned D : Op.Defs) {
      Live[D] = 0;
      Now -= Width[D];
    }
    for (unsigned U : Op.Uses)
      Add(U);
    Max = std::max(Max, Now + Op.Temporaries);
  }
  for (unsigned V : Touched)
    Live[V] = 0;
  Touched.clear();
  return Max;
}

/// As many registers leave any SM full of threads; and what comes behind so
/// many instructions of a block is left as it is (docs/internals/Registers.md).
constexpr unsigned FreeRegisters = 28, MaxReordered = 4400;

/// A block and what it needs in its own order or with operations moved down.
struct PackedBlock {
  unsigned Number, Registers;
};

} // namespace

/// What a block needs in the order that makes values die soon.
static unsigned reorderedPressure(const FoldedCode::BlockCode &Block,
                                  ArrayRef<unsigned> AtEnd,
                                  ArrayRef<uint8_t> Width,
                                  PressureScheduler &Order,
                                  BlockPressure &Pressure) {
  ArrayRef<FoldedOp> Ops = Block.Ops;
  if (Block.Source->Instructions.size() <= MaxReordered)
    return Pressure.of(Ops, Order.of(Ops, AtEnd, Width), AtEnd, Width);
  // The rest reads what the reordered part leaves behind.
  llvm::DenseMap<const Instruction *, unsigned> Place;
  for (auto [N, I] : llvm::enumerate(Block.Source->Instructions))
    Place[I] = unsigned(N);
  size_t Num = size_t(llvm::partition_point(Ops,
                                            [&](const FoldedOp &Op) {
                                              return Place.lookup(Op.Source) <
                                                     MaxReordered;
                                            }) -
                      Ops.begin());
  SmallVector<unsigned, 32> Left(AtEnd);
  std::vector<bool> IsLeft(Width.size());
  for (unsigned V : AtEnd)
    IsLeft[V] = true;
  for (const FoldedOp &Op : Ops.drop_front(Num))
    for (unsigned U : Op.Uses)
      if (!IsLeft[U]) {
        IsLeft[U] = true;
        Left.push_back(U);
      }
  std::vector<unsigned> Whole = Order.of(Ops.take_front(Num), Left, Width);
  for (size_t K = Num; K != Ops.size(); ++K)
    Whole.push_back(unsigned(K));
  return Pressure.of(Ops, Whole, AtEnd, Width);
}

/// The most that a block needs where each has the order that needs least.
static unsigned scheduledPressure(const FoldedCode &Code, const LiveOut &Out,
                                  BlockPressure &Pressure,
                                  std::vector<PackedBlock> Packed) {
  llvm::sort(Packed, [](const PackedBlock &A, const PackedBlock &B) {
    return std::pair(B.Registers, A.Number) < std::pair(A.Registers, B.Number);
  });
  PressureScheduler Order;
  unsigned Most = 0;
  for (const PackedBlock &P : Packed) {
    if (P.Registers <= std::max(Most, FreeRegisters))
      return std::max(Most, P.Registers);
    const FoldedCode::BlockCode &Block = Code.Blocks[P.Number];
    ArrayRef<unsigned> AtEnd = Out.of(P.Number);
    Most = std::max(
        Most, std::min(P.Registers, reorderedPressure(Block, AtEnd, Code.Width,
                                                      Order, Pressure)));
  }
  return Most;
}

RegisterPressure ptxpredict::registerPressure(const InstructionGraph &G) {
  StageTimer Timer(Stage::Registers);
  FoldedCode Code(G);
  LiveOut Out(Code);
  BlockPressure Pressure;
  Scheduler Reordered;
  std::vector<PackedBlock> Packed;
  RegisterPressure R;
  size_t NumValues = Code.Width.size();
  for (unsigned B = 0; B != Code.Blocks.size(); ++B) {
    const FoldedCode::BlockCode &Block = Code.Blocks[B];
    ArrayRef<unsigned> AtEnd = Out.of(B);
    unsigned InOrder = Pressure.of(Block.Ops, {}, AtEnd, Code.Width);
    /// In another order, if it is one.
    auto Ordered = [&](ArrayRef<FoldedOp> Ops, ArrayRef<unsigned> Order) {
      return Order.empty() ? InOrder
                           : Pressure.of(Ops, Order, AtEnd, Code.Width);
    };
    unsigned Least =
        Ordered(Block.Ops, Reordered.sinkToUses(Block.Ops, AtEnd, Code.Width));
    Least = std::min(InOrder, Least);
    Packed.push_back({B, Least});
    R.Packed = std::max(R.Packed, Least);
    R.Hoisted = std::max(R.Hoisted, InOrder);
    std::vector<FoldedOp> Unrolled = unrollOnPaper(Block, Code.Width);
    if (!Unrolled.empty())
      InOrder = Pressure.of(Unrolled, {}, AtEnd, Code.Width);
    ArrayRef<FoldedOp> Ops =
        Unrolled.empty() ? ArrayRef(Block.Ops) : ArrayRef(Unrolled);
    R.Hoisted = std::max(R.Hoisted,
                         Ordered(Ops, Reordered.hoistLoads(Ops, Code.Width)));
    Code.Width.resize(NumValues); // what the copies added
  }
  R.Hoisted = std::max(R.Hoisted, R.Packed);
  R.Scheduled = scheduledPressure(Code, Out, Pressure, std::move(Packed));
  return R;
}
