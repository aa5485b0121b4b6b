//===- InstructionGraph.cpp - One kernel or device function in SSA form ---===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/InstructionGraph.h"
#include "ptxpredict/Graph/Module.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <utility>

using namespace ptxpredict;

void InstructionGraph::dropBody() {
  Analyses.clear();
  // An assignment of {} would keep their memory.
  auto Free = [](auto &Vector) { std::exchange(Vector, {}); };
  Free(LocalVariables);
  Free(FormalRegisters);
  Free(Registers);
  Free(Blocks);
  Free(Values);
  NumInstructions = NumDroppedInstructions = 0;
  Memory.reset();
}

/// Whether an instruction of the body takes \p P.
static bool isRead(const InstructionGraph &G, const Parameter &P) {
  auto Takes = [&P](auto &Self, const Operand &O) -> bool {
    return (O.Kind == Operand::KindTy::Parameter && O.Param == &P) ||
           llvm::any_of(O.Elements,
                        [&](const Operand &E) { return Self(Self, E); });
  };
  bool Found = false;
  G.forEachInstruction([&](const Instruction &I) {
    Found |= llvm::any_of(I.Operands,
                          [&](const Operand &O) { return Takes(Takes, O); });
  });
  return Found;
}

/// Whether the address of \p P, perhaps moved, is that of an operand with
/// coordinates, as only tensor maps have.
static bool isTensorMap(const InstructionGraph &G, const Parameter &P) {
  std::vector<const Instruction *> Waiting;
  llvm::SmallPtrSet<const Value *, 8> Seen;
  bool Found = false;
  G.forEachInstruction([&](const Instruction &I) {
    for (const Operand &O : I.Operands)
      if (O.Kind == Operand::KindTy::Parameter && O.Param == &P)
        Waiting.push_back(&I);
      else if (O.Kind == Operand::KindTy::Address && O.Elements.size() > 1)
        Found |= O.Elements[0].Kind == Operand::KindTy::Parameter &&
                 O.Elements[0].Param == &P;
  });
  auto Names = [](const Instruction &I, const Value *V) {
    return llvm::any_of(I.Operands, [V](const Operand &O) {
      return O.Kind == Operand::KindTy::Address && O.Elements.size() > 1 &&
             O.Elements[0].Kind == Operand::KindTy::Register &&
             O.Elements[0].Val == V;
    });
  };
  while (!Found && !Waiting.empty()) {
    const Instruction *I = Waiting.back();
    Waiting.pop_back();
    for (const Value *V : I->Defs) {
      if (!Seen.insert(V).second)
        continue;
      for (const Instruction *User : V->Users) {
        Found |= Names(*User, V);
        if (User->isPseudo() || User->Class == OpClass::Move)
          Waiting.push_back(User);
      }
    }
  }
  return Found;
}

std::string InstructionGraph::describe(const Parameter &P) const {
  // CUDA Driver API, CUtensorMap: 128 bytes, aligned to 64.
  if (P.Elements > 1 && P.Bytes == 128 && P.Align >= 64)
    return !Blocks.empty() && isTensorMap(*this, P)
               ? "a tensor map"
               : "a tensor map or another structure of 128 bytes";
  if (P.Elements > 1)
    return "a structure of " + std::to_string(P.Bytes) + " bytes";
  auto IsLocal = [](const Parameter &Other) {
    return Other.PointerSpace == AddressSpace::Shared;
  };
  if (IsLocal(P))
    return llvm::count_if(Parameters, IsLocal) == 1
               ? "local memory: --dynamic-smem=BYTES will do"
               : "local memory: its first byte in the shared memory of a block";
  // Triton adds pointers to its own memory behind those of the source: one or
  // two, by its version, which kernels that need none do not read.
  const auto Index = size_t(&P - Parameters.data());
  if (Parent && Parent->IsTriton && Index + 2 >= Parameters.size() &&
      P.PointerSpace == AddressSpace::Global && !Blocks.empty() &&
      !isRead(*this, P))
    return "scratch memory of Triton that the kernel does not use: 0 will do";
  return {};
}

const InstructionGraph *Instruction::callee() const {
  for (const Operand &O : Operands)
    if (O.Kind == Operand::KindTy::Function && O.Callee)
      return O.Callee;
  return nullptr;
}
