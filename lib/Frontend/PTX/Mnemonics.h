//===- Mnemonics.h - Each mnemonic decoded once -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_PTX_MNEMONICS_H
#define PTXPREDICT_LIB_FRONTEND_PTX_MNEMONICS_H

#include "ptxpredict/Frontend/PTX/AST.h"
#include <vector>

namespace ptxpredict::ptx {

/// A module has few different mnemonics and uses them often: the opcode table
/// is asked once for each mnemonic and number of operands.
class MnemonicTable {
public:
  explicit MnemonicTable(ptxpredict::Arena &Arena) : Arena(Arena), Slots(128) {}
  const Mnemonic *get(StringRef Text, unsigned NumOperands);

private:
  Mnemonic *make(StringRef Text, unsigned NumOperands);
  void grow();

  struct Slot {
    uint64_t Hash = 0;
    Mnemonic *M = nullptr;
  };
  ptxpredict::Arena &Arena;
  std::vector<Slot> Slots;
  size_t NumUsed = 0;
};

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_LIB_FRONTEND_PTX_MNEMONICS_H
