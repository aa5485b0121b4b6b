//===- RegisterPressure.cpp - Registers that are live at once -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/RegisterPressure.h"
#include "PressureScheduler.h"
#include "ptxpredict/Codegen/Assembler.h"
#include "ptxpredict/Codegen/LatencyScheduler.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

namespace {

/// The values that live behind each block, by number.
class LiveOut {
public:
  explicit LiveOut(const MachineCode &Code);
  ArrayRef<unsigned> of(unsigned Block) const { return Values[Block]; }

private:
  std::vector<SmallVector<unsigned, 4>> Values;
};

/// Liveness value by value (Boissinot et al., CGO 2008, "path exploration"):
/// from each use back to the definition, every block once.
LiveOut::LiveOut(const MachineCode &Code) : Values(Code.blocks().size()) {
  constexpr unsigned None = ~0U;
  size_t NumValues = Code.widths().size();
  std::vector<unsigned> DefBlock(NumValues, None);
  // Where each value is read before its block writes it, and at whose end.
  struct Use {
    unsigned Value, Block;
    bool AtEnd;
  };
  std::vector<Use> Uses;
  std::vector<unsigned> SeenIn(NumValues, None), DefinedIn(NumValues, None);
  for (unsigned B = 0; B != Code.blocks().size(); ++B) {
    const MachineBlock &Block = Code.blocks()[B];
    auto Define = [&](unsigned V) { DefBlock[V] = DefinedIn[V] = B; };
    for (const MachinePhi &Phi : Block.Phis) {
      Define(Phi.Def);
      for (size_t P = 0; P != Phi.Uses.size(); ++P)
        if (Phi.Uses[P] != MachinePhi::NoValue)
          Uses.push_back({Phi.Uses[P], Block.Source->Predecessors[P]->Number,
                          /*AtEnd=*/true});
    }
    for (const MachineOp &Op : Block.Ops) {
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

  std::vector<unsigned> EnteredBy(Code.blocks().size(), None),
      LeftBy(Code.blocks().size(), None);
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
           Code.blocks()[Work.pop_back_val()].Source->Predecessors)
        Leave(P->Number);
  }
}

/// The largest number of registers that are live in a block.
class BlockPressure {
public:
  /// With the operations in \p Order; if that is empty, as they are.
  unsigned of(ArrayRef<MachineOp> Ops, ArrayRef<unsigned> Order,
              ArrayRef<unsigned> LiveAtEnd, ArrayRef<uint8_t> Width);

private:
  std::vector<uint8_t> Live; ///< by value; all 0 between calls
  SmallVector<unsigned, 32> Touched;
};

unsigned BlockPressure::of(ArrayRef<MachineOp> Ops, ArrayRef<unsigned> Order,
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
    const MachineOp &Op = Ops[Order.empty() ? K : Order[K]];
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

/// A block and what it needs in its own order or with operations moved down.
struct PackedBlock {
  unsigned Number, Registers;
};

} // namespace

/// What a block needs in the order that makes values die soon.
static unsigned reorderedPressure(const MachineBlock &Block,
                                  ArrayRef<unsigned> AtEnd,
                                  ArrayRef<uint8_t> Width,
                                  PressureScheduler &Order,
                                  BlockPressure &Pressure) {
  ArrayRef<MachineOp> Ops = Block.Ops;
  if (Block.Source->Instructions.size() <= assembler::MaxReordered)
    return Pressure.of(Ops, Order.of(Ops, AtEnd, Width), AtEnd, Width);
  // The rest reads what the reordered part leaves behind.
  llvm::DenseMap<const Instruction *, unsigned> Place;
  for (auto [N, I] : llvm::enumerate(Block.Source->Instructions))
    Place[I] = unsigned(N);
  size_t Num = size_t(llvm::partition_point(Ops,
                                            [&](const MachineOp &Op) {
                                              return Place.lookup(Op.Source) <
                                                     assembler::MaxReordered;
                                            }) -
                      Ops.begin());
  SmallVector<unsigned, 32> Left(AtEnd);
  std::vector<bool> IsLeft(Width.size());
  for (unsigned V : AtEnd)
    IsLeft[V] = true;
  for (const MachineOp &Op : Ops.drop_front(Num))
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
static unsigned scheduledPressure(const MachineCode &Code, const LiveOut &Out,
                                  BlockPressure &Pressure,
                                  std::vector<PackedBlock> Packed) {
  llvm::sort(Packed, [](const PackedBlock &A, const PackedBlock &B) {
    return std::pair(B.Registers, A.Number) < std::pair(A.Registers, B.Number);
  });
  PressureScheduler Order;
  unsigned Most = 0;
  for (const PackedBlock &P : Packed) {
    if (P.Registers <= std::max(Most, assembler::FreeRegisters))
      return std::max(Most, P.Registers);
    const MachineBlock &Block = Code.blocks()[P.Number];
    ArrayRef<unsigned> AtEnd = Out.of(P.Number);
    Most =
        std::max(Most, std::min(P.Registers,
                                reorderedPressure(Block, AtEnd, Code.widths(),
                                                  Order, Pressure)));
  }
  return Most;
}

namespace {

/// Finds what each block needs in turn.
class PressureFinder {
public:
  explicit PressureFinder(const MachineCode &Code)
      : Code(Code), Out(Code), Width(Code.widths()) {}

  RegisterPressure run();

private:
  void visit(const MachineBlock &B);
  unsigned hoisted(const MachineBlock &B, unsigned InOrder);
  unsigned ordered(ArrayRef<MachineOp> Ops, ArrayRef<unsigned> Order,
                   ArrayRef<unsigned> AtEnd, unsigned InOrder) {
    return Order.empty() ? InOrder : Pressure.of(Ops, Order, AtEnd, Width);
  }

  const MachineCode &Code;
  LiveOut Out;
  std::vector<uint8_t> Width; ///< of its values and what unrolling adds
  BlockPressure Pressure;
  Scheduler Reordered;
  std::vector<PackedBlock> Packed;
  RegisterPressure Result;
};

/// What \p B needs with loads moved up, unrolled where it is a short loop.
unsigned PressureFinder::hoisted(const MachineBlock &B, unsigned InOrder) {
  ArrayRef<unsigned> AtEnd = Out.of(B.Source->Number);
  const size_t NumValues = Width.size();
  std::vector<MachineOp> Unrolled = unrollOnPaper(B, Width);
  ArrayRef<MachineOp> Ops = B.Ops;
  if (!Unrolled.empty()) {
    Ops = Unrolled;
    InOrder = Pressure.of(Ops, {}, AtEnd, Width);
  }
  unsigned Registers =
      ordered(Ops, Reordered.hoistLoads(Ops, Width), AtEnd, InOrder);
  Width.resize(NumValues);
  return Registers;
}

void PressureFinder::visit(const MachineBlock &B) {
  const unsigned Number = B.Source->Number;
  ArrayRef<unsigned> AtEnd = Out.of(Number);
  unsigned InOrder = Pressure.of(B.Ops, {}, AtEnd, Width);
  unsigned Sunk =
      ordered(B.Ops, Reordered.sinkToUses(B.Ops, AtEnd, Width), AtEnd, InOrder);
  unsigned Least = std::min(InOrder, Sunk);
  Packed.push_back({Number, Least});
  Result.Packed = std::max(Result.Packed, Least);
  Result.Hoisted = std::max({Result.Hoisted, InOrder, hoisted(B, InOrder)});
}

RegisterPressure PressureFinder::run() {
  for (const MachineBlock &B : Code.blocks())
    visit(B);
  Result.Hoisted = std::max(Result.Hoisted, Result.Packed);
  Result.Scheduled = scheduledPressure(Code, Out, Pressure, std::move(Packed));
  return Result;
}

} // namespace

RegisterPressure ptxpredict::registerPressure(const MachineCode &Code) {
  StageTimer Timer(Stage::Registers);
  return PressureFinder(Code).run();
}
