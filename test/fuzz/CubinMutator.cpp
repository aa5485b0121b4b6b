//===- CubinMutator.cpp - Changes of machine code -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What is changed in other places makes most cubins unreadable.
//===----------------------------------------------------------------------===//
#include "Mutators.h"
#include "ptxpredict/Frontend/SASS/Cubin.h"
#include "ptxpredict/Frontend/SASS/MachineInstruction.h"
#include "llvm/Support/Error.h"

using namespace ptxpredict;

std::string fuzz::mutateCubin(StringRef Text, Dice &D, ByteMutator Bytes) {
  if (D.oneIn(8))
    return Bytes(Text);
  Expected<sass::Cubin> Read = sass::readCubin(Text);
  if (!Read) {
    llvm::consumeError(Read.takeError());
    return Bytes(Text);
  }
  std::vector<size_t> Places; // of instructions
  for (const sass::CubinFunction &F : Read->Functions)
    for (uint64_t At = 0; At + sass::InstructionBytes <= F.CodeBytes;
         At += sass::InstructionBytes)
      Places.push_back(size_t(F.Offset + At));
  if (Places.empty())
    return Bytes(Text);
  std::string Result = Text.str();
  constexpr size_t Most = 4;
  for (size_t N = 1 + D.below(Most); N-- != 0;) {
    const size_t At = D.anyOf(Places), From = D.anyOf(Places);
    if (D.oneIn(2))
      Result.replace(At, sass::InstructionBytes, Result, From,
                     sass::InstructionBytes);
    else
      Result[At + D.below(sass::InstructionBytes)] ^= char(1u << D.below(8));
  }
  return Result;
}
