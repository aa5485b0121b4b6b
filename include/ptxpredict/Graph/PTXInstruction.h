//===- PTXInstruction.h - A PTX mnemonic as a graph knows it ----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_GRAPH_PTXINSTRUCTION_H
#define PTXPREDICT_GRAPH_PTXINSTRUCTION_H

#include "ptxpredict/Graph/GraphBuilder.h"
#include "ptxpredict/ISA/PTXOpcode.h"

namespace ptxpredict::ptx {

/// What the graph says of every instruction with \p Mnemonic, which must live
/// as long as the graph. Operands, effects and places are left out.
InstructionInfo describeInstruction(StringRef Mnemonic,
                                    const DecodedOpcode &Decoded);

/// Whether \p I reads a register that counts time: %clock…, %globaltimer….
bool readsClock(const Instruction &I);

} // namespace ptxpredict::ptx

#endif // PTXPREDICT_GRAPH_PTXINSTRUCTION_H
