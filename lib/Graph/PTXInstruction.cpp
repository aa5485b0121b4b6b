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

const ptx::WrittenMnemonics::Entry &
ptx::WrittenMnemonics::find(StringRef Mnemonic, unsigned NumOperands,
                            bool HasReturnList) {
  const unsigned Kind = NumOperands * 2 + HasReturnList;
  if (auto It = Known.find({Mnemonic, Kind}); It != Known.end())
    return *It->second;
  const StringRef Text = Texts.save(Mnemonic);
  auto New = std::make_unique<Entry>();
  DecodedOpcode Decoded = decode(Text);
  InstructionInfo &Info = New->Info;
  Info = describeInstruction(Text, Decoded);
  operands(Decoded.Op, Info.Modifiers, NumOperands, New->Signature,
           HasReturnList);
  SmallVector<MemoryEffect, 2> Effects;
  memoryEffects(Decoded.Op, Info.Modifiers, NumOperands, Effects);
  Info.Effects = ArrayRef(Effects).copy(Memory);
  return *(Known[{Text, Kind}] = std::move(New));
}

bool ptx::readsClock(const Instruction &I) {
  return llvm::any_of(I.Operands, [](const Operand &O) {
    return O.Kind == Operand::KindTy::Special &&
           (O.Name.starts_with("%clock") || O.Name.starts_with("%globaltimer"));
  });
}
