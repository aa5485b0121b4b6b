//===- Module.cpp - All functions and variables of one input --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/Module.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace ptxpredict;

BodySource::~BodySource() = default;

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

/// Calls \p Fn for each function that stands in \p Operands, in lists too.
template <typename FnT>
static void forEachFunction(ArrayRef<Operand> Operands, FnT &Fn) {
  for (const Operand &O : Operands) {
    if (O.Which == Operand::Kind::Function && O.Callee)
      Fn(O.Callee);
    forEachFunction(O.Elements, Fn);
  }
}

/// Walks the calls from \p G on; \p Arrive is told of each function before its
/// body is looked at, and ends the walk by answering true.
static void
walkCalls(const InstructionGraph &G,
          llvm::function_ref<bool(const InstructionGraph &)> Arrive) {
  std::vector<const InstructionGraph *> Order{&G};
  llvm::SmallPtrSet<const InstructionGraph *, 8> Seen{&G};
  auto Add = [&](const InstructionGraph *F) {
    if (Seen.insert(F).second)
      Order.push_back(F);
  };
  size_t Next = 0;
  while (Next != Order.size()) {
    const InstructionGraph &F = *Order[Next++];
    if (Arrive(F))
      return;
    F.forEachInstruction(
        [&](const Instruction &I) { forEachFunction(I.Operands, Add); });
  }
}

std::vector<const InstructionGraph *>
ptxpredict::calledFrom(const InstructionGraph &G) {
  std::vector<const InstructionGraph *> Order;
  walkCalls(G, [&](const InstructionGraph &F) {
    Order.push_back(&F);
    return false;
  });
  return Order;
}

HeldBodies::HeldBodies(const InstructionGraph &Kernel) : M(*Kernel.Parent) {
  std::lock_guard<std::mutex> Lock(M.Mutex);
  walkCalls(Kernel, [&](const InstructionGraph &F) {
    Functions.push_back(&F);
    if (++M.Holders[&F] == 1 && !F.Memory)
      Failed = M.Bodies->lowerBody(const_cast<InstructionGraph &>(F));
    return Failed;
  });
}

HeldBodies::~HeldBodies() {
  std::lock_guard<std::mutex> Lock(M.Mutex);
  for (const InstructionGraph *F : Functions)
    if (--M.Holders[F] == 0 && M.Bodies)
      const_cast<InstructionGraph *>(F)->dropBody();
}
