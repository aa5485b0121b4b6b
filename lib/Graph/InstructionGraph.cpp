//===- InstructionGraph.cpp - One kernel or device function in SSA form ---===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/InstructionGraph.h"
#include "ptxpredict/Graph/Module.h"

using namespace ptxpredict;

InstructionGraph::~InstructionGraph() {
  for (Block *B : Blocks)
    delete B;
}

InstructionGraph *Module::function(StringRef Name) const {
  for (const auto &F : Functions)
    if (F->Name == Name)
      return F.get();
  return nullptr;
}

unsigned Module::targetCapability() const {
  StringRef Digits = Target;
  unsigned Capability = 0;
  if (!Digits.consume_front("sm_") && !Digits.consume_front("compute_"))
    return 0;
  Digits.consumeInteger(10, Capability);
  return Capability;
}
