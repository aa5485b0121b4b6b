//===- LaneOperation.cpp - Chooses the function of an instruction ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LaneOperation.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

/// The families that are there; an instruction belongs to one.
static constexpr decltype(&findLaneOperation) Families[] = {nullptr};

LaneFunction emulator::findLaneOperation(ptx::Opcode Op, StringRef Modifiers,
                                         unsigned NumSources) {
  for (auto *Find : Families)
    if (Find)
      if (LaneFunction F = Find(Op, Modifiers, NumSources))
        return F;
  return nullptr;
}
