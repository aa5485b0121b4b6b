//===- SymbolicValues.h - What each register holds --------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_ANALYSIS_SYMBOLIC_SYMBOLICVALUES_H
#define PTXPREDICT_ANALYSIS_SYMBOLIC_SYMBOLICVALUES_H

#include "ptxpredict/Analysis/Symbolic/Expressions.h"
#include "ptxpredict/Analysis/Symbolic/Mem2Reg.h"
#include "ptxpredict/Graph/CFG.h"
#include <memory>

namespace ptxpredict {

/// The expression of every value of a graph at one launch, or, where the launch
/// is assumed, at every launch of such a kind (Expressions): its extents are
/// symbols then. The cluster and the amount of dynamic shared memory are taken
/// as the launch has them even if nobody gave them.
///
/// A value's expression holds where the value is defined: counters in it are
/// those of the loops around its definition. What is read behind a loop is the
/// value of the last iteration, with ExitCount symbols for the counters; at()
/// makes that step. A value in a lane has a meaning only while the lane runs
/// the block.
///
/// What is loaded from a local variable is the value that was stored there,
/// where Mem2Reg tells.
///
/// Generic addresses, and those that cvta makes and takes, are the same number
/// as the address in its space. Reading a register that nothing wrote yet gives
/// any value, whichever makes the expression simplest.
///
/// Device functions are analysed anew for each place that calls them, with that
/// call's arguments, within limits; \ref callee has the result.
class SymbolicValues {
public:
  using Ref = const Expression *;

  /// \p E is shared by everything that works on one launch of a kernel; all
  /// arguments must outlive this.
  /// Of the functions that it calls up to \p CallBudget instructions are looked
  /// at, each as often as it is called.
  SymbolicValues(const InstructionGraph &G, const ControlFlow &CF,
                 const LaunchConfig &Launch, Expressions &E,
                 unsigned CallBudget = 50000);
  ~SymbolicValues();
  SymbolicValues(const SymbolicValues &) = delete;
  SymbolicValues &operator=(const SymbolicValues &) = delete;

  const InstructionGraph &graph() const { return G; }
  const ControlFlow &controlFlow() const { return CF; }
  Expressions &expressions() const { return E; }

  /// Null for a value of more than 64 bits.
  Ref of(const Value *V) const { return ByValue[V->Id]; }
  /// As read in \p B, which the definition dominates.
  Ref at(const Value *V, const Block *B) const;
  /// Of a register, an immediate (as wide as \p Width), a special register, a
  /// variable's or parameter's address or the sum in an Address, as \p I reads
  /// it. Null for anything else and where a register's expression is.
  Ref of(const Instruction &I, const Operand &O, unsigned Width = 32) const;
  /// Where the guard of \p I holds; true without a guard.
  Ref guard(const Instruction &I) const;

  /// How often the loop \p Cycle of ControlFlow::cycles() came back to its
  /// header, and the same when it was left.
  Ref counter(unsigned Cycle, unsigned Width = 32) const;
  Ref exitCount(unsigned Cycle, unsigned Width = 32) const;
  /// The loop of a counter or exit count in that symbol's own context. Behind
  /// an outer loop whose lanes leave it at different times an exit count is
  /// another symbol, of the same loop: one number for each lane.
  static unsigned loopOf(const Symbol &S);
  /// All lanes that enter the loop together leave it in the same iteration.
  bool leavesTogether(unsigned Cycle) const { return !(ExitVaries[Cycle] & 1); }

  /// \p X is the same in all iterations of one run of the loop.
  bool isInvariant(Ref X, unsigned Cycle) const;

  /// What the function that \p Call calls computes for that call; null if it
  /// was not looked into (its body is missing, it calls itself, too much code).
  const SymbolicValues *callee(const Instruction &Call) const;

  /// --dump=values
  void print(raw_ostream &OS) const;

private:
  friend class ValueBuilder;
  struct Caller;
  /// Bytes of local memory that something may write.
  struct LocalWrite {
    Ref Variable = nullptr; ///< its address; null: who knows where
    int64_t Low = 0,
            High = 0; ///< offsets of the first byte and behind the last
  };
  SymbolicValues(const InstructionGraph &G, const ControlFlow &CF,
                 const LaunchConfig &Launch, Expressions &E,
                 const Caller &From);
  void build(const Caller *From);
  Ref leave(Ref Inside, unsigned Cycle) const;
  int cycleOf(const Symbol &S) const;
  bool isWithin(int Inner, int Outer) const;
  Ref loopSymbol(Symbol::KindTy K, unsigned Cycle, unsigned Width) const;
  Ref variable(const Operand &O, unsigned Width) const;
  Ref special(StringRef Name, unsigned Width, const Instruction *At) const;

  const InstructionGraph &G;
  const ControlFlow &CF;
  const LaunchConfig &Launch;
  Expressions &E;
  unsigned CallBudget = 0; ///< of a function that nobody called
  /// Null where there are no local variables. Symbols name its phis.
  std::shared_ptr<Mem2Reg> Locals;
  /// There are local variables, here or in a caller.
  bool MayHaveLocals = false;
  /// Of a called function: in the local memory of those that called it.
  std::vector<LocalWrite> LocalWrites;
  std::string Prefix; ///< of names: the calls that lead here
  std::vector<Ref> ByValue;
  std::vector<uint8_t> ExitVaries; ///< by cycle: sets of Variation
  /// By cycle: what expressions become when it is left.
  mutable std::vector<Expressions::Memo> LeaveMemos;
  /// While building: what stands for a phi of a loop, behind that loop.
  llvm::DenseMap<Ref, Ref> ExitForms;
  /// What all calls of a function share.
  struct Function {
    std::shared_ptr<ControlFlow> CF;
    std::shared_ptr<Mem2Reg> Locals;
  };
  struct Call {
    Function Callee;
    std::unique_ptr<SymbolicValues> Result;
  };
  llvm::DenseMap<const Instruction *, Call> Calls;
  /// Of the functions called from here, and from there: the cycle of the call.
  llvm::DenseMap<const void *, int> CycleOfContext;
};

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_SYMBOLIC_SYMBOLICVALUES_H
