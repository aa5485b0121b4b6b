//===- PTXInstruction.cpp - A PTX mnemonic as a graph knows it ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/PTXInstruction.h"

using namespace ptxpredict;

InstructionInfo ptx::describeInstruction(StringRef Mnemonic,
                                         const DecodedOpcode &Decoded) {
  InstructionInfo Info;
  Opcode Op = Decoded.Op;
  Info.Opcode = uint16_t(Op);
  Info.Mnemonic = Mnemonic;
  Info.Modifiers = Mnemonic.take_back(Decoded.Modifiers.size());
  Info.Class = classify(Op, Info.Modifiers);
  Info.IsBranch = isBranch(Op);
  Info.IsExit = isExit(Op);
  Info.IsBlockBarrier = isBlockBarrier(Op);
  Info.IsMemoryBarrier = isMemoryBarrier(Op);
  Info.IsAsyncWait = isAsyncWait(Op);
  Info.IsCrossLane = isCrossLane(Op);
  Info.IsCall = isCall(Op);
  Info.IsUnknown = Op == Opcode::Unknown;
  return Info;
}

bool ptx::readsClock(const Instruction &I) {
  return llvm::any_of(I.Operands, [](const Operand &O) {
    return O.Kind == Operand::KindTy::Special &&
           (O.Name.starts_with("%clock") || O.Name.starts_with("%globaltimer"));
  });
}
