//===- FloatOperation.h - Arithmetic on floats that are known ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_FLOATOPERATION_H
#define PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_FLOATOPERATION_H

#include "InstructionView.h"
#include "ptxpredict/Emulator/Lanes/OneLane.h"

namespace ptxpredict {

/// What an instruction on floats computes from constants, so that what given
/// arguments steer is known: the bits that a run computes, of approximations
/// and conversions, too. Null stands for everything else.
class FloatOperation {
public:
  using Ref = const Expression *;
  explicit FloatOperation(const InstructionView &I)
      : View(I), E(I.expressions()) {}

  /// The result of an instruction that has one, in a register.
  Ref compute() const;
  /// Compares the first two sources, of the type that a modifier names.
  Ref compare(StringRef Name, StringRef Type) const;

private:
  using Numbers = SmallVector<emulator::LaneValue, 4>;
  using Infos = SmallVector<ptx::OperandInfo, 6>;
  Infos infos() const;
  bool add(const Operand &O, const ptx::OperandInfo &Info, Numbers &To) const;
  std::optional<Numbers> sources(ArrayRef<ptx::OperandInfo> Infos,
                                 size_t Count) const;

  const InstructionView &View;
  Expressions &E;
};

} // namespace ptxpredict

#endif // PTXPREDICT_LIB_ANALYSIS_SYMBOLIC_FLOATOPERATION_H
