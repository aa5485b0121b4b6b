//===- RegisterPressure.cpp - Registers that are live at once -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/RegisterPressure.h"
#include "PressureScheduler.h"
#include "ptxpredict/Codegen/Assembler.h"
#include "ptxpredict/Codegen/LatencyScheduler.h"
#include "ptxpredict/Codegen/LoopUnroller.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;

namespace {

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
  PressureFinder(const MachineCode &Code, const LiveOut &Out)
      : Code(Code), Out(Out), Width(Code.widths()) {}

  RegisterPressure run();

private:
  void visit(const MachineBlock &B);
  unsigned hoisted(const MachineBlock &B, unsigned InOrder);
  unsigned ordered(ArrayRef<MachineOp> Ops, ArrayRef<unsigned> Order,
                   ArrayRef<unsigned> AtEnd, unsigned InOrder) {
    return Order.empty() ? InOrder : Pressure.of(Ops, Order, AtEnd, Width);
  }

  const MachineCode &Code;
  const LiveOut &Out;
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

RegisterPressure ptxpredict::registerPressure(const MachineCode &Code,
                                              const LiveOut &Out) {
  StageTimer Timer(Stage::Registers);
  return PressureFinder(Code, Out).run();
}
