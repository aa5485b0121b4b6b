//===- MachineRegisters.cpp - Registers of machine code by number ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MachineRegisters.h"
#include "Codec.h"
#include "OperationTable.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace ptxpredict;
using namespace ptxpredict::sass;

StringRef machine::nameOf(unsigned Number) {
  static const std::array<std::string, NumRegisters> Names = [] {
    std::array<std::string, NumRegisters> N;
    for (unsigned R = 0; R != NumRegisters; ++R)
      N[R] = R >= FirstUniformPredicate
                 ? "UP" + std::to_string(R - FirstUniformPredicate)
             : R >= FirstPredicate ? "P" + std::to_string(R - FirstPredicate)
             : R >= FirstUniform   ? "UR" + std::to_string(R - FirstUniform)
                                   : "R" + std::to_string(R);
    return N;
  }();
  return Names[Number];
}

void sass::forEachRegister(const MachineInstruction &I, unsigned Architecture,
                           llvm::function_ref<void(unsigned, bool)> Do) {
  bool IsGuard = I.Guard != PredicateTrue; // the first that is read
  for (const RegisterUse &U : registersOf(I, Architecture)) {
    if (std::exchange(IsGuard, false) || U.File == RegisterFile::Convergence)
      continue;
    for (unsigned N = 0; N != U.Number; ++N) {
      const unsigned Number = machine::numberOf(U.File, U.First + N);
      if (Number < machine::NumRegisters)
        Do(Number, U.IsWritten);
    }
  }
}

std::optional<unsigned> sass::guardOf(const MachineInstruction &I) {
  if (I.Guard == PredicateTrue)
    return std::nullopt;
  return machine::numberOf(I.GuardIsUniform ? RegisterFile::UniformPredicate
                                            : RegisterFile::Predicate,
                           I.Guard);
}

void sass::forEachRegisterOfUnknownCall(
    llvm::function_ref<void(unsigned, bool)> Do) {
  constexpr unsigned FirstArgument = 4, EndArguments = 16, EndResults = 6;
  for (unsigned N = FirstArgument; N != EndArguments; ++N)
    Do(N, false);
  for (unsigned N = FirstArgument; N != EndResults; ++N)
    Do(N, true);
}

bool sass::startsStack(const MachineInstruction &I) {
  return llvm::any_of(I.Operands, [](const MachineOperand &O) {
    return O.Kind == OperandKind::Constant && O.Number == 0 && !O.Offset;
  });
}

std::optional<int64_t> sass::stackStep(const MachineInstruction &I) {
  const StringRef Name = I.mnemonic();
  if (Name != "IADD3" && Name != "VIADD" && Name != "IADD")
    return std::nullopt;
  std::optional<int64_t> Step;
  for (const MachineOperand &O : I.Operands) {
    const bool IsNumber =
        O.Kind == OperandKind::Integer || O.Kind == OperandKind::Hexadecimal;
    if (IsNumber && !O.IsHidden) {
      if (Step)
        return std::nullopt;
      Step = int32_t(O.Value);
    } else if (O.Kind == OperandKind::Uniform ||
               O.Kind == OperandKind::Constant ||
               (O.Kind == OperandKind::Register &&
                O.Number != machine::StackPointer &&
                O.Number != MachineOperand::RegisterZero)) {
      return std::nullopt;
    }
  }
  return Step;
}
