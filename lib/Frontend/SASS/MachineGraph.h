//===- MachineGraph.h - Machine registers in SSA form -----------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_MACHINEGRAPH_H
#define PTXPREDICT_LIB_FRONTEND_SASS_MACHINEGRAPH_H

#include "LocalFunctions.h"
#include "MachineRegisters.h"
#include "TextCode.h"
#include "ptxpredict/Graph/GraphBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>
#include <map>

namespace ptxpredict::sass {

/// The code of one function as a graph whose instructions are those of the
/// machine, and whose values are what its registers of 32 bits and its
/// predicates hold.
///
/// Subroutines of the function, which the assembler writes behind it for
/// divisions and the like, are cloned where they are called, so that a call and
/// its return are jumps; but for those that are functions of their own.
class MachineGraph {
public:
  /// Of the function, or of that among \p Others whose entry is \p Entry.
  MachineGraph(TextCode &Code, uint64_t Entry, const LocalFunctions &Others);

  /// False if its loops are nested too deeply.
  bool build();
  /// Frees what was built: nothing else is asked then.
  void drop();

  InstructionGraph &graph() { return G; }
  unsigned architecture() const { return Code.architecture(); }

  struct Place {
    const MachineInstruction *Machine = nullptr; ///< null: a jump of ours
    Encoding Bits;
    uint64_t Address = 0;
    bool IsFallThrough = false;            ///< a branch that is never taken
    const LocalFunction *Callee = nullptr; ///< what is called, but no clone
  };
  const Place &placeOf(const Instruction &I) const {
    return Places[I.Line - 1];
  }
  /// Where \p Of begins in the function, and the number of the clone that it is
  /// in, 0 for none; nothing for a block without code.
  std::optional<std::pair<uint64_t, unsigned>>
  addressOf(const Block &Of) const {
    auto It = Addresses.find(&Of);
    return It == Addresses.end() ? std::nullopt : std::optional(It->second);
  }
  const MachineInstruction *machineOf(const Instruction &I) const {
    return I.isPseudo() ? nullptr : placeOf(I).Machine;
  }

  /// What stands \p N instructions behind \p I; null for the end.
  const MachineInstruction *behind(const Instruction &I, unsigned N) const {
    const size_t At = I.Line - 1 + N;
    return At < Places.size() ? Places[At].Machine : nullptr;
  }
  /// Whether \p Of is of a path for numbers that are hardly ever met: a
  /// subroutine for what the quotient or root of an approximation is wrong for.
  bool isUnlikely(const Block &Of) const;

  /// What is added to R1, as it is at the entry, for \p V, which R1 holds;
  /// nothing if that is not known.
  std::optional<int64_t> stackOffset(const Value *V) const;
  /// How far below that it comes.
  uint64_t frameBytes() const;

  /// What \p I reads from or writes to a machine register; null if it does not.
  static Value *read(const Instruction &I, unsigned Number);
  static Value *written(const Instruction &I, unsigned Number);
  /// What \p I, which may be under a guard, reads as \p V: what was written
  /// under the same guard is there if \p I is executed.
  static Value *seenBy(const Instruction &I, Value *V);

private:
  /// The function, or a clone of a subroutine.
  struct Region {
    const Region *Caller = nullptr;
    uint64_t Entry = 0, ReturnsTo = 0;
    unsigned Number = 0;
    bool IsUnlikely = false;
  };

  void findLeaders();
  Block *blockAt(const Region &R, uint64_t Address);
  void addRegion(const Region &R);
  void add(const Region &R, uint64_t Address);
  void addJump(const Region &R, uint64_t To);
  const Region *callOf(const Region &R, uint64_t Address);
  const LocalFunction *calleeAt(uint64_t Address);

  TextCode &Code;
  uint64_t Entry;
  const LocalFunctions &Others;
  InstructionGraph G;
  GraphBuilder B;
  std::vector<Place> Places;
  std::vector<bool> IsLeader; ///< by instruction
  std::deque<Region> Regions;
  std::map<std::pair<const Region *, uint64_t>, Block *> Blocks;
  llvm::DenseMap<const Block *, std::pair<uint64_t, unsigned>> Addresses;
  std::deque<char> Keys; ///< whose addresses tell blocks apart
};

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_MACHINEGRAPH_H
