//===- InstructionGraph.cpp - One kernel or device function in SSA form ---===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/InstructionGraph.h"
#include "ptxpredict/Graph/Module.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace ptxpredict;

InstructionGraph::~InstructionGraph() {
  for (Block *B : Blocks)
    delete B;
}

const InstructionGraph *Instruction::callee() const {
  for (const Operand &O : Operands)
    if (O.Which == Operand::Kind::Function && O.Callee)
      return O.Callee;
  return nullptr;
}

std::vector<const InstructionGraph *>
ptxpredict::calledFrom(const InstructionGraph &G) {
  std::vector<const InstructionGraph *> Order{&G};
  llvm::SmallPtrSet<const InstructionGraph *, 8> Seen{&G};
  for (size_t N = 0; N != Order.size(); ++N)
    Order[N]->forEachInstruction([&](const Instruction &I) {
      for (const Operand &O : I.Operands)
        if (O.Which == Operand::Kind::Function && O.Callee &&
            Seen.insert(O.Callee).second)
          Order.push_back(O.Callee);
    });
  return Order;
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
