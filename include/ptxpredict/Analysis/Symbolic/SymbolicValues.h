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

class BlockTickets;
class BufferLoads;

/// An atomic operation from which a block takes its number.
struct TicketPlace {
  unsigned Line = 0;    ///< in the input
  bool IsGiven = false; ///< the launch says where the counter starts; else at 0
};

/// Our scalar evolution: the expression of every value of a graph at one
/// launch, or, where the launch is assumed, at every launch of such a kind
/// (Expressions): its extents are symbols then. The cluster and the amount of
/// dynamic shared memory are taken as the launch has them even if nobody gave
/// them.
///
/// It differs from LLVM's ScalarEvolution in what it is asked for, which is the
/// addresses and conditions of every thread. Thread and block indices are
/// symbols beside loop counters, and each expression says between which lanes
/// it varies. A recurrence is no node {Init,+,Step} but an expression of its
/// loop's counter, so that shifts, remainders and products of phis have a form
/// too. Numbers wrap at their width, and bounds and bits that are known take
/// the place of no-wrap flags. Branches that meet give a select. All values are
/// found at once, in reverse post-order, and are const from then on.
///
/// A value's expression holds where the value is defined: counters in it are
/// those of the loops around its definition. What is read behind a loop is the
/// value of the last iteration, with ExitCount symbols for the counters; at()
/// makes that step. A value in a lane has a meaning only while the lane runs
/// the block.
///
/// What is loaded from a local variable is the value that was stored there,
/// where Mem2Reg tells. What is loaded from a buffer whose contents the launch
/// gives, and which the kernel never writes, is what the buffer holds at that
/// place.
///
/// A number that a block draws from a counter is that of the block
/// (BlockTickets), also where one thread has handed it to the others.
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
  /// arguments must outlive this. In the functions that it calls up to \p
  /// CallBudget instructions are looked at, each as often as it is called.
  SymbolicValues(const InstructionGraph &G, const ControlFlow &CF,
                 const LaunchConfig &Launch, Expressions &E,
                 unsigned CallBudget = 50000);
  ~SymbolicValues();
  SymbolicValues(const SymbolicValues &) = delete;
  SymbolicValues &operator=(const SymbolicValues &) = delete;

  const InstructionGraph &graph() const { return G; }
  const ControlFlow &controlFlow() const { return CF; }
  const LaunchConfig &launch() const { return Launch; }
  Expressions &expressions() const { return E; }
  /// The calls that lead here, as names of symbols begin: "f(line 12)." each;
  /// empty in a kernel.
  StringRef calls() const { return Prefix; }

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
  /// header, and the same when it was left: a symbol, or a number if an exit
  /// says it.
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

  /// What the load \p I reads from, where the launch gives the contents and
  /// the place is decided; null for another instruction.
  const BufferContents *contentsOf(const Instruction &I) const;
  /// Such a load is in the kernel or in what it calls.
  bool hasContents() const;

  /// Where blocks draw their numbers from counters.
  ArrayRef<TicketPlace> tickets() const;

  /// --dump=values
  void print(raw_ostream &OS) const;

private:
  friend class PartialValues; ///< fills one
  friend class BlockTickets;  ///< which asks values for more of them
  friend class BufferLoads;   ///< likewise
  SymbolicValues(const InstructionGraph &G, const ControlFlow &CF,
                 const LaunchConfig &Launch, Expressions &E,
                 unsigned CallBudget,
                 std::shared_ptr<const BufferLoads> Contents,
                 bool FindsTickets = false);
  /// Without any values yet.
  SymbolicValues(const InstructionGraph &G, const ControlFlow &CF,
                 const LaunchConfig &Launch, Expressions &E,
                 std::string Prefix);
  Ref readIn(const Value *V, const Block *B,
             llvm::function_ref<Ref(Ref, unsigned Cycle)> Leave) const;
  Ref operand(const Instruction &I, const Operand &O, unsigned Width,
              llvm::function_ref<Ref(const Value *)> Read) const;
  Ref symbolOutside(Ref S, unsigned Cycle) const;
  int cycleOf(const Symbol &S) const;
  bool isWithin(int Inner, int Outer) const;
  Ref loopSymbol(Symbol::KindTy K, unsigned Cycle, unsigned Width) const;
  Ref variable(const Operand &O, unsigned Width) const;

  const InstructionGraph &G;
  const ControlFlow &CF;
  const LaunchConfig &Launch;
  Expressions &E;
  /// Null where there are no local variables. Symbols name its phis.
  std::shared_ptr<const Mem2Reg> Slots;
  /// Null where the launch gives no contents of buffers.
  std::shared_ptr<const BufferLoads> Contents;
  /// Null where blocks draw no numbers.
  std::shared_ptr<const BlockTickets> Tickets;
  std::string Prefix; ///< of names: the calls that lead here
  std::vector<Ref> ByValue;
  std::vector<uint8_t> ExitVaries; ///< by cycle: sets of Variation
  std::vector<std::optional<uint64_t>> ExitCounts; ///< by cycle: numbers
  /// By cycle: what \ref at found that expressions become when it is left.
  mutable std::vector<Expressions::Memo> LeaveMemos;
  /// The functions that are called from here.
  llvm::DenseMap<const Instruction *, std::unique_ptr<SymbolicValues>> Calls;
  /// Of the functions called from here, and from there: the cycle of the call.
  llvm::DenseMap<const void *, int> CycleOfContext;
};

} // namespace ptxpredict

#endif // PTXPREDICT_ANALYSIS_SYMBOLIC_SYMBOLICVALUES_H
