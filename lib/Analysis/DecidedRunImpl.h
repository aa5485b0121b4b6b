//===- DecidedRunImpl.h - The state of counting a decided run ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_DECIDEDRUNIMPL_H
#define PTXPREDICT_LIB_ANALYSIS_DECIDEDRUNIMPL_H

#include "LinearRuns.h"
#include "ptxpredict/Analysis/DecidedRun.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace ptxpredict::decided {

struct Access {
  AddressSpace Space;
  unsigned Bytes; ///< of a lane
  uint32_t Lanes; ///< that name an address
  const Expression *Address;
  unsigned Root; ///< of the address, among its region's expressions
};

/// What lies directly in one loop, or in none.
struct Region {
  /// A block of it, or a loop directly inside, by its header.
  struct Item {
    const Block *B;
    int Inner; ///< the loop's number, or -1
  };
  int Cycle = -1;
  Quantity Counter, ExitCount; ///< of the loop
  std::vector<Item> Items;     ///< in reverse post-order
  std::vector<const Expression *> Roots;
  llvm::DenseMap<const Instruction *, unsigned> Guards; ///< among the roots
  llvm::DenseMap<const Instruction *, SmallVector<Access, 1>> Accesses;
  std::vector<const Expression *> Comparisons; ///< of guards
  std::unique_ptr<CompiledExpressions> Compiled;
  std::unique_ptr<CompiledExpressions> Compared; ///< their sides, two by two
  bool HasCalls = false;

  /// What one look at it counts in the budget.
  uint64_t cost() const { return Roots.size() + Items.size(); }
  /// Iterations may be taken together.
  bool CanRun = false;
};

/// A function in one calling context.
struct Context {
  const Values *V;
  std::vector<Region> Regions;   ///< by cycle; the last is the function itself
  std::vector<uint32_t> Arrived; ///< lanes, by block number
  std::vector<InstructionProfile> *Counts; ///< of the function
  llvm::DenseMap<const Instruction *, Context *> Callees;
};

/// Blocks along one index that behave alike.
struct Axis {
  Quantity Index; ///< nothing depends on it if empty
  uint64_t Extent = 1;
  uint64_t Run = 1; ///< from the present one on, as far as was seen
  bool CanRun = false;
};

/// A quantity with so many values, of which the assignment has the first.
struct Dimension {
  const Quantity *Of;
  uint64_t Count;
};

using ExitMasks = SmallVector<std::pair<const Block *, uint32_t>, 2>;

class RunCounter {
public:
  RunCounter(const Values &V, const LaunchConfig &Launch, uint64_t Budget)
      : Kernel(V), Launch(Launch), Budget(Budget) {
    A.Block = Launch.Block;
    A.Grid = Launch.Grid;
  }

  DecidedRun count();

private:
  // Preparation.
  Context *prepare(const Values &V, unsigned Depth);
  bool prepareInstruction(Context &C, Region &R, const Instruction &I,
                          unsigned Depth);
  bool addRoot(Region &R, const Expression *E, const Instruction &I,
               uint64_t Align, unsigned &Root);
  void findSymbols(Context &C);
  bool findExitCounts();
  void findLoopRuns(Context &C);
  void findAxes();
  template <typename FnT>
  void forEachRegion(FnT Fn) {
    for (const auto &C : Contexts)
      for (Region &R : C->Regions)
        Fn(R);
  }

  // Execution.
  bool runGrid();
  bool runBlock();
  bool runRegion(Context &C, Region &R, uint32_t Lanes, ExitMasks &Exits,
                 uint32_t &Back);
  bool runLoop(Context &C, Region &R, uint32_t Lanes, ExitMasks &Exits);
  void leaveLoop(const Region &R, uint32_t Lanes, uint64_t K);
  bool runInstructions(Context &C, Region &R, const Block &B, uint32_t Lanes);
  bool peek(Context &C, Region &R, uint32_t Lanes, uint32_t &Back);
  void limitAxes(Region &R, uint32_t Lanes, uint64_t Iterations);
  bool isLinearHere(const Region &R, const Access &M, const Instruction &I,
                    uint32_t Lanes);
  void countAccess(const Region &R, const Access &M, uint32_t Lanes,
                   MemoryProfile &Out);

  uint64_t signRun(Region &R, const Quantity &Q, uint64_t Limit,
                   uint32_t Lanes);
  void set(const Quantity &Q, uint64_t V);
  uint64_t get(const Quantity &Q) const;
  bool fail(const Twine &Reason, const Instruction *At = nullptr) {
    if (Why.empty()) {
      Why = Reason.str();
      Where = At;
    }
    return false;
  }
  bool spend(const Region &R) {
    Spent += R.cost();
    return Spent < Budget || fail("too many blocks and iterations behave "
                                  "differently");
  }

  const Values &Kernel;
  const LaunchConfig &Launch;
  uint64_t Budget;
  std::vector<std::unique_ptr<Context>> Contexts; ///< the kernel's first
  llvm::DenseMap<const InstructionGraph *,
                 std::unique_ptr<std::vector<InstructionProfile>>>
      Counts;
  std::vector<const InstructionGraph *> Functions; ///< in order of Counts
  std::array<Axis, 3> Axes;                        ///< x, y, z

  enum class Pass {
    FindRuns, ///< of blocks that behave alike
    Count,
    Peek ///< where lanes go
  } Now = Pass::FindRuns;
  Assignment A;
  SmallVector<Dimension, 8> Dimensions;
  uint64_t Multiple = 1; ///< how often the present path counts
  uint64_t Spent = 0;
  std::string Why;
  const Instruction *Where = nullptr;
};

} // namespace ptxpredict::decided

#endif // PTXPREDICT_LIB_ANALYSIS_DECIDEDRUNIMPL_H
