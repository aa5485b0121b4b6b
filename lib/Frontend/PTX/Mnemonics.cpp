//===- Mnemonics.cpp - Each mnemonic decoded once -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Mnemonics.h"
#include "llvm/Support/xxhash.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

const Mnemonic *MnemonicTable::get(StringRef Text, unsigned NumOperands) {
  uint64_t Hash = llvm::xxh3_64bits(Text) + NumOperands;
  size_t I = Hash & (Slots.size() - 1);
  for (; Slots[I].M; I = (I + 1) & (Slots.size() - 1))
    if (Slots[I].Hash == Hash && Slots[I].M->NumOperands == NumOperands &&
        Slots[I].M->Text == Text)
      return Slots[I].M;
  Mnemonic *M = make(Text, NumOperands);
  Slots[I] = {Hash, M};
  if (++NumUsed * 2 > Slots.size())
    grow();
  return M;
}

Mnemonic *MnemonicTable::make(StringRef Text, unsigned NumOperands) {
  Mnemonic *M = new (Arena.Allocate<Mnemonic>()) Mnemonic();
  M->Text = Text;
  M->Decoded = decode(Text);
  M->NumOperands = NumOperands;
  SmallVector<OperandInfo, 8> Infos;
  M->CountOk =
      operands(M->Decoded.Op, M->Decoded.Modifiers, NumOperands, Infos);
  if (M->CountOk) {
    OperandInfo *Place = Arena.Allocate<OperandInfo>(Infos.size());
    std::uninitialized_copy(Infos.begin(), Infos.end(), Place);
    M->Signature = {Place, Infos.size()};
  }
  return M;
}

void MnemonicTable::grow() {
  std::vector<Slot> Old(Slots.size() * 2);
  Old.swap(Slots);
  for (const Slot &S : Old) {
    if (!S.M)
      continue;
    size_t I = S.Hash & (Slots.size() - 1);
    while (Slots[I].M)
      I = (I + 1) & (Slots.size() - 1);
    Slots[I] = S;
  }
}
