//===- GatherCosts.cpp - Data that say where pieces of arrays lie ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A list of lists is often one array and the places where its pieces begin, of
// which each ends where the next one begins: the rows of a sparse matrix, the
// neighbours of a graph's nodes.
//===----------------------------------------------------------------------===//
#include "AccessCosts.h"
#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Ref = const Expression *;

/// Instructions on either side of a load among which the next place's is looked
/// for.
static constexpr size_t Vicinity = 32;

static Ref addressOf(const SymbolicValues &V, const Instruction &I) {
  const MemoryEffect &E = I.Effects[0];
  return V.of(I, I.Operands[E.AddressOperand], 64);
}

/// What the place behind that of \p Begin has; null if it is not loaded.
static Ref findEnd(const SymbolicValues &V, const Symbol &Begin) {
  const Instruction &From = *Begin.From;
  const auto &Code = From.Parent->Instructions;
  Ref Address = addressOf(V, From);
  auto At = size_t(llvm::find(Code, &From) - Code.begin());
  if (!Address || From.Defs.size() != 1)
    return nullptr;
  Ref Next = V.expressions().add(
      Address, V.expressions().constant(64, From.Effects[0].BytesPerLane));
  for (size_t N = At - std::min(At, Vicinity);
       N != std::min(At + Vicinity, Code.size()); ++N) {
    const Instruction &I = *Code[N];
    if (I.Opcode == From.Opcode && I.Effects.size() == 1 &&
        I.Defs.size() == 1 && addressOf(V, I) == Next)
      return V.of(I.Defs[0]);
  }
  return nullptr;
}

bool AddressPreparer::beginsPiece(Ref Data) {
  auto [It, IsNew] = Pieces.try_emplace(Data, false);
  if (!IsNew)
    return It->second;
  const Symbol &Begin = *Data->Sym;
  const auto &V = *static_cast<const SymbolicValues *>(Begin.Context);
  Ref End = findEnd(V, Begin);
  if (!End || !End->isSymbol(Symbol::KindTy::Opaque))
    return false;
  // Something goes on from the one until it reaches the other.
  return It->second = llvm::any_of(V.graph().Values, [&](const Value *X) {
           Ref Condition = X->Type == ScalarType::Pred ? V.of(X) : nullptr;
           return Condition && Condition->dependsOn(Data) &&
                  Condition->dependsOn(End);
         });
}
