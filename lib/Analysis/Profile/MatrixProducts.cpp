//===- MatrixProducts.cpp - What a kernel's matrices multiply -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Profile/MatrixProducts.h"
#include "Analysis/Symbolic/CallContexts.h"
#include "ptxpredict/Graph/Module.h"

using namespace ptxpredict;

namespace {

/// What all calls agree on of a descriptor.
struct FoundDescriptor {
  DescriptorBits Bits;
  std::string Parameter;
};

class DescriptorFinder {
public:
  void find(const SymbolicValues &Kernel);
  llvm::DenseMap<const Instruction *, FoundDescriptor> Found;

private:
  void add(const Instruction &I, SymbolicValues::Ref Descriptor);
};

} // namespace

static std::string parameterOf(SymbolicValues::Ref X) {
  for (SymbolicValues::Ref S : X->Symbols)
    if (S->isSymbol(Symbol::KindTy::Parameter))
      return S->Sym->Name;
  return {};
}

void DescriptorFinder::add(const Instruction &I,
                           SymbolicValues::Ref Descriptor) {
  FoundDescriptor D;
  if (Descriptor) {
    D.Bits = {uint32_t(Descriptor->Facts.Zeros),
              uint32_t(Descriptor->Facts.Ones)};
    D.Parameter = parameterOf(Descriptor);
  }
  auto [It, IsFirst] = Found.try_emplace(&I, D);
  if (IsFirst)
    return;
  It->second.Bits.Zeros &= D.Bits.Zeros;
  It->second.Bits.Ones &= D.Bits.Ones;
  if (It->second.Parameter.empty())
    It->second.Parameter = D.Parameter;
}

void DescriptorFinder::find(const SymbolicValues &Kernel) {
  forEachContext(Kernel, [this](const SymbolicValues &V) {
    V.graph().forEachInstruction([&](const Instruction &I) {
      if (I.Class == OpClass::Tensor)
        if (const Operand *O = instructionDescriptorOf(I))
          add(I, V.of(I, *O));
    });
  });
}

MatrixProducts ptxpredict::findMatrixProducts(const SymbolicValues &V) {
  DescriptorFinder Descriptors;
  Descriptors.find(V);
  MatrixProducts Products;
  for (const InstructionGraph *G : calledFrom(V.graph()))
    G->forEachInstruction([&](const Instruction &I) {
      const auto It = Descriptors.Found.find(&I);
      const bool IsFound = It != Descriptors.Found.end();
      std::optional<MatrixProduct> P =
          findMatrixProduct(I, IsFound ? It->second.Bits : DescriptorBits());
      if (!P)
        return;
      LaunchedProduct &L = Products[&I];
      static_cast<MatrixProduct &>(L) = *P;
      if (L.IsAssumed && IsFound)
        L.Parameter = It->second.Parameter;
    });
  return Products;
}
