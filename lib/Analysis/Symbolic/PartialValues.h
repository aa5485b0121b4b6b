//===- PartialValues.h - Values of a function as they are found -*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_PARTIALVALUES_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_PARTIALVALUES_H

#include "BlockTickets.h"
#include "BufferLoads.h"

namespace ptxpredict {

/// The least and the largest unsigned value.
struct ValueBounds {
  uint64_t Min = 0, Max = ~uint64_t(0);
};

/// The values of one function while ValueBuilder finds them: what is known so
/// far, and what the loops that have ended left behind. The parts of the
/// builder read and write values through this class alone.
class PartialValues {
public:
  using Ref = const Expression *;

  /// \p Slots is null where the function has no local variables.
  /// \p CallerHasLocals: a caller may pass addresses of local memory.
  PartialValues(SymbolicValues &Result, std::shared_ptr<Mem2Reg> Slots,
                bool CallerHasLocals);

  const InstructionGraph &graph() const { return Out.G; }
  const ControlFlow &controlFlow() const { return Out.CF; }
  const LaunchConfig &launch() const { return Out.Launch; }
  Expressions &expressions() const { return Out.E; }
  /// The queries about loops and symbols; not those about registers, which know
  /// nothing of loops whose phis are still symbols.
  const SymbolicValues &result() const { return Out; }
  /// Null where there are no local variables.
  const Mem2Reg *slots() const { return Out.Slots.get(); }
  /// Null unless the launch says what the load \p I reads.
  const BufferLoad *bufferLoad(const Instruction &I) const {
    return Out.Contents ? Out.Contents->of(I) : nullptr;
  }
  /// Null where blocks draw no numbers.
  const BlockTickets *tickets() const { return Out.Tickets.get(); }
  /// There are local variables, here or in a caller.
  bool mayHaveLocals() const { return MayHaveLocals; }

  /// Null for what is not found yet, and for more than 64 bits.
  Ref get(const Value *V) const { return Out.ByValue[V->Id]; }
  void set(const Value *V, Ref X) { Out.ByValue[V->Id] = X; }
  /// \p V as read in \p B, which the definition dominates.
  Ref read(const Value *V, const Block *B) const;
  /// What SymbolicValues::of() says of an operand, so far.
  Ref operand(const Instruction &I, const Operand &O, unsigned Width) const {
    return Out.operand(I, O, Width,
                       [&](const Value *V) { return read(V, I.Parent); });
  }
  /// Where the guard of \p I holds; true without a guard.
  Ref guard(const Instruction &I) const;
  /// Where a block goes to its first successor; null if its branch has no such
  /// condition.
  Ref condition(const Block &B) const;
  /// Nothing writes \p V before it is read.
  static bool isUndefined(const Value &V) { return !V.Def && !V.IsArgument; }
  bool areAllFound(ArrayRef<const Value *> Values) const {
    return llvm::all_of(Values, [this](const Value *V) { return get(V); });
  }

  /// Gives the register \p O that value, resized to its width; nothing for
  /// another operand or where the one is a predicate and the other is not.
  void define(const Operand &O, Ref X, bool Signed = false);
  /// A symbol for \p V that says where it comes from.
  Symbol symbolFor(const Value &V, Symbol::ReasonTy Reason,
                   uint8_t Varies) const;
  /// The same as an expression; null for more than 64 bits.
  Ref opaque(const Value &V, Symbol::ReasonTy Reason, uint8_t Varies,
             ValueBounds Bounds = {}) const;
  /// Makes opaque what \p I defines and nobody has found. \p Bounds are those
  /// of the definitions, or none.
  void setOpaque(const Instruction &I, Symbol::ReasonTy Reason, uint8_t Varies,
                 ArrayRef<ValueBounds> Bounds = {});

  /// What one thread stored for its block, by the store.
  void setHandedOver(const Instruction &Store, Ref X) {
    HandedOver[&Store] = X;
  }
  Ref handedOver(const Instruction &Store) const {
    return HandedOver.lookup(&Store);
  }

  /// Ends a loop that lanes leave in that way, a set of Variation, and after so
  /// many times back to its header, if that is a number.
  void leaveLoop(unsigned Cycle, uint8_t ExitVaries,
                 std::optional<uint64_t> ExitCount);
  /// What a symbol of a loop becomes behind it.
  Ref outside(Ref S, unsigned Cycle) const {
    return Out.symbolOutside(S, Cycle);
  }
  /// What stands behind a loop for the symbol of one of its phis.
  void setExitForm(Ref Phi, Ref Form) { ExitForms[Phi] = Form; }
  /// Puts With(S) in place of each symbol S in the values of \p Ids and in
  /// those of functions that loops call.
  void substitute(ArrayRef<unsigned> Ids, llvm::function_ref<Ref(Ref)> With);

  /// Where the values of the function that \p Call calls will be.
  SymbolicValues &addCallee(const Instruction &Call);
  /// Says in which loop the symbols of a callee, now complete, were made.
  void noteContexts(const Instruction &Call);
  /// Drops what only the builder needs.
  void finish() { Out.ByValue.resize(Out.G.Values.size()); }

private:
  Ref leave(Ref Inside, unsigned Cycle) const;

  SymbolicValues &Out;
  bool MayHaveLocals;
  /// What stands for a phi of a loop, behind that loop.
  llvm::DenseMap<Ref, Ref> ExitForms;
  llvm::DenseMap<const Instruction *, Ref> HandedOver;
  /// By cycle: what expressions become when it is left.
  mutable std::vector<Expressions::Memo> LeaveMemos;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_PARTIALVALUES_H
