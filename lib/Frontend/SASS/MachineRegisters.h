//===- MachineRegisters.h - Registers of machine code by number -*- C++ -*===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_FRONTEND_SASS_MACHINEREGISTERS_H
#define PTXPREDICT_LIB_FRONTEND_SASS_MACHINEREGISTERS_H

#include "ptxpredict/Frontend/SASS/OperationFacts.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxpredict::sass {

/// Machine registers, numbered through over all files. Those where diverged
/// lanes meet are none: nothing computes with them.
namespace machine {
constexpr unsigned FirstUniform = 256, FirstPredicate = 512,
                   FirstUniformPredicate = 520, NumRegisters = 528,
                   StackPointer = 1;
inline unsigned numberOf(RegisterFile File, unsigned Register) {
  return Register + (File == RegisterFile::Uniform     ? FirstUniform
                     : File == RegisterFile::Predicate ? FirstPredicate
                     : File == RegisterFile::UniformPredicate
                         ? FirstUniformPredicate
                         : 0);
}
inline bool isPredicate(unsigned Number) { return Number >= FirstPredicate; }
/// "R4", "UP0".
StringRef nameOf(unsigned Number);
} // namespace machine

/// Calls \p Do with the number of each register that \p I reads, its guard
/// aside, and whether it is one that it writes.
void forEachRegister(const MachineInstruction &I, unsigned Architecture,
                     llvm::function_ref<void(unsigned, bool)> Do);
/// The number of the guard; nothing without one.
std::optional<unsigned> guardOf(const MachineInstruction &I);
/// The same of a call of code elsewhere: what it may read of arguments, and its
/// result.
void forEachRegisterOfUnknownCall(llvm::function_ref<void(unsigned, bool)> Do);

/// Whether \p I, which writes R1, loads where the stack of a thread begins.
bool startsStack(const MachineInstruction &I);
/// What \p I, which writes R1, adds to it; nothing if it does something else.
std::optional<int64_t> stackStep(const MachineInstruction &I);

} // namespace ptxpredict::sass

#endif // PTXPREDICT_LIB_FRONTEND_SASS_MACHINEREGISTERS_H
