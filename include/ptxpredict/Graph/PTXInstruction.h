//===- PTXInstruction.h - A PTX mnemonic as a graph knows it ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_PTXINSTRUCTION_H
#define PTXPREDICT_GRAPH_PTXINSTRUCTION_H

#include "ptxpredict/Graph/GraphBuilder.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/StringSaver.h"

namespace ptxpredict::ptx {

/// What the graph says of every instruction with \p Mnemonic, which must live
/// as long as the graph. Operands, effects and places are left out.
InstructionInfo describeInstruction(StringRef Mnemonic,
                                    const DecodedOpcode &Decoded);

/// What all instructions with one mnemonic and as many operands share, for
/// front ends that write PTX instructions themselves.
class WrittenMnemonics {
public:
  /// \p Memory keeps the texts, and lives as long as the graphs.
  explicit WrittenMnemonics(llvm::BumpPtrAllocator &Memory)
      : Memory(Memory), Texts(Memory) {}

  struct Entry {
    InstructionInfo Info;
    SmallVector<OperandInfo, 4> Signature;
  };
  const Entry &find(StringRef Mnemonic, unsigned NumOperands,
                    bool HasReturnList = false);

private:
  llvm::BumpPtrAllocator &Memory;
  llvm::UniqueStringSaver Texts;
  llvm::DenseMap<std::pair<StringRef, unsigned>, std::unique_ptr<Entry>> Known;
};

/// Whether \p I reads a register that counts time: %clock…, %globaltimer….
bool readsClock(const Instruction &I);

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_GRAPH_PTXINSTRUCTION_H
