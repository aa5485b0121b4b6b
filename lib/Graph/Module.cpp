//===- Module.cpp - All functions and variables of one input --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/Module.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace ptxpredict;

BodySource::~BodySource() = default;

ArrayRef<SourceParameter>
BodySource::sourceParameters(const InstructionGraph &) {
  return {};
}

InstructionGraph *Module::function(StringRef Name) const {
  for (const auto &F : Functions)
    if (F->Name == Name)
      return F.get();
  return nullptr;
}

unsigned ptxpredict::targetCapability(StringRef Target) {
  StringRef Digits = Target;
  unsigned Capability = 0;
  if (!Digits.consume_front("sm_") && !Digits.consume_front("compute_"))
    return 0;
  Digits.consumeInteger(10, Capability);
  return Capability;
}

namespace {
/// What the instructions of a body name, each once, in their order.
class NamedSymbols {
public:
  explicit NamedSymbols(const InstructionGraph &G) {
    G.forEachInstruction(
        [&](const Instruction &I) { addOperands(I.Operands); });
  }

  /// A function, or a variable with addresses of others.
  struct Symbol {
    const InstructionGraph *Callee = nullptr;
    const Variable *Var = nullptr;
  };
  ArrayRef<Symbol> symbols() const { return Found; }

private:
  void addOperands(ArrayRef<Operand> Operands) {
    for (const Operand &O : Operands) {
      if (O.Kind == Operand::KindTy::Function && O.Callee)
        add(O.Callee, {O.Callee, nullptr});
      if (O.Kind == Operand::KindTy::Variable && !O.Var->Addresses.empty())
        add(O.Var, {nullptr, O.Var});
      addOperands(O.Elements);
    }
  }
  void add(const void *Key, Symbol S) {
    if (Seen.insert(Key).second)
      Found.push_back(S);
  }

  llvm::SmallPtrSet<const void *, 8> Seen;
  SmallVector<Symbol, 4> Found;
};

/// Walks from function to function. A function is reached by its name as an
/// operand, and by its address in a variable that is reached itself.
class CallWalk {
public:
  explicit CallWalk(const InstructionGraph &G) : M(G.Parent) { add(&G); }

  /// \p Arrive is told of each function before its body is looked at, and ends
  /// the walk by answering true.
  void run(llvm::function_ref<bool(const InstructionGraph &)> Arrive) {
    size_t Next = 0;
    while (Next != Order.size()) { // it grows
      const InstructionGraph &F = *Order[Next++];
      if (Arrive(F))
        return;
      for (const NamedSymbols::Symbol &S : F.analysis<NamedSymbols>().symbols())
        S.Callee ? add(S.Callee) : addVariable(S.Var);
    }
  }

private:
  void add(const InstructionGraph *F) {
    if (Seen.insert(F).second)
      Order.push_back(F);
  }
  void addVariable(const Variable *First) {
    SmallVector<const Variable *, 4> Waiting{First};
    while (!Waiting.empty()) {
      const Variable *V = Waiting.pop_back_val();
      if (V->Addresses.empty() || !SeenVariables.insert(V).second)
        continue;
      for (const InitializerAddress &A : V->Addresses) {
        if (const InstructionGraph *F = M->function(A.Symbol))
          add(F);
        for (const Variable *Other : M->Variables)
          if (Other->Name == A.Symbol)
            Waiting.push_back(Other);
      }
    }
  }

  const Module *M;
  std::vector<const InstructionGraph *> Order;
  llvm::SmallPtrSet<const InstructionGraph *, 8> Seen;
  llvm::SmallPtrSet<const Variable *, 8> SeenVariables;
};
} // namespace

std::vector<const InstructionGraph *>
ptxpredict::calledFrom(const InstructionGraph &G) {
  std::vector<const InstructionGraph *> Order;
  CallWalk(G).run([&](const InstructionGraph &F) {
    Order.push_back(&F);
    return false;
  });
  return Order;
}

ArrayRef<SourceParameter>
Module::sourceParameters(const InstructionGraph &Kernel) const {
  std::lock_guard<std::mutex> Lock(Mutex);
  return Bodies ? Bodies->sourceParameters(Kernel)
                : ArrayRef<SourceParameter>();
}

HeldBodies::HeldBodies(const InstructionGraph &Kernel) : M(*Kernel.Parent) {
  std::unique_lock<std::mutex> Lock(M.Mutex);
  CallWalk(Kernel).run([&](const InstructionGraph &F) {
    Functions.push_back(&F);
    if (++M.Holders[&F] == 1 && !F.Memory) {
      M.InWork.insert(&F);
      Lock.unlock();
      Failed = M.Bodies->lowerBody(const_cast<InstructionGraph &>(F));
      Lock.lock();
      M.InWork.erase(&F);
      M.WorkDone.notify_all();
    } else {
      M.WorkDone.wait(Lock, [&] { return !M.InWork.contains(&F); });
    }
    return Failed;
  });
}

HeldBodies::~HeldBodies() {
  std::lock_guard<std::mutex> Lock(M.Mutex);
  for (const InstructionGraph *F : Functions)
    if (--M.Holders[F] == 0 && M.Bodies && F->IsKernel)
      const_cast<InstructionGraph *>(F)->dropBody();
}
