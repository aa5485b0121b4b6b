//===- TextCode.h - The machine code of one text section --------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_TEXTCODE_H
#define PTXPREDICT_LIB_FRONTEND_SASS_TEXTCODE_H

#include "CubinImage.h"
#include "ptxpredict/Frontend/SASS/MachineInstruction.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/Allocator.h"
#include <map>

namespace ptxpredict::sass {

/// A function's code with the subroutines behind it: where control goes.
/// Instructions are decoded when they are first asked for, and those that only
/// compute are not where jumps are followed.
class TextCode {
public:
  /// \p F has code in \p Image; both live longer.
  TextCode(const CubinImage &Image, const CubinFunction &F);

  const CubinFunction &function() const { return F; }
  unsigned architecture() const { return Image.cubin().Architecture; }
  uint64_t bytes() const { return Decoded.size() * InstructionBytes; }
  /// Whether an instruction begins at \p Address.
  bool isIn(uint64_t Address) const {
    return Address % InstructionBytes == 0 && Address < bytes();
  }
  const MachineInstruction &at(uint64_t Address);
  Encoding bitsAt(uint64_t Address) const;
  /// Whether control may go on elsewhere than behind the instruction.
  bool isControl(uint64_t Address) const {
    return Control[unsigned(Address / InstructionBytes)];
  }

  /// All of those, by number.
  const llvm::BitVector &control() const { return Control; }

  /// What is known of the jump by a table at \p Address; null if nothing.
  const CubinJump *jumpAt(uint64_t Address) const;
  /// The symbol that an instruction is to be filled in with; empty for none.
  StringRef symbolAt(uint64_t Address) const;
  /// Whether a call of \p Entry comes back; else it is a jump.
  bool returns(uint64_t Entry);
  /// The entry of the subroutine that is called at \p Address and comes back;
  /// nothing if what stands there is no such call.
  std::optional<uint64_t> subroutineAt(uint64_t Address);
  /// What \p Entry reaches, in order; calls are taken to return.
  std::vector<uint64_t> reachedFrom(uint64_t Entry);
  /// What the subroutine at \p Entry is called; empty without a symbol.
  StringRef nameOf(uint64_t Entry) const;

private:
  const CubinImage &Image;
  const CubinFunction &F;
  const CubinSection *Text;
  StringRef Bytes;
  llvm::SpecificBumpPtrAllocator<MachineInstruction> Memory;
  std::vector<const MachineInstruction *> Decoded; ///< null: not yet
  llvm::BitVector Control;                         ///< by instruction
  std::map<uint64_t, bool> Returns;                ///< by entry
  bool HasReturns = false;
};

/// Where a jump of \p I leads to; nothing if it is none, or does not say.
std::optional<uint64_t> jumpTarget(const MachineInstruction &I);
/// Whether control never goes on behind \p I; its guard aside.
bool endsBlock(const MachineInstruction &I);
/// The predicate that decides with the guard whether a branch is taken or the
/// thread ends; null if there is none.
const MachineOperand *conditionOf(const MachineInstruction &I);
/// Whether neither a guard nor a condition may keep \p I from being executed.
bool isUnconditional(const MachineInstruction &I);
/// A branch that only lanes without others take: those that are together need
/// not, and compute the same.
bool isNeverTaken(const MachineInstruction &I);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_TEXTCODE_H
