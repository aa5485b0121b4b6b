//===- ReadOnlyLoads.cpp - Loads of what the kernel never writes ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Access/ReadOnlyLoads.h"
#include "Analysis/Symbolic/CallContexts.h"
#include "Analysis/Symbolic/WrittenArrays.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/DenseMap.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

namespace {

class ReadOnlyFinder {
public:
  ReadOnlyFinder(const SymbolicValues &V, const LaunchConfig &Launch)
      : Kernel(V), Written(V, Launch) {}

  std::vector<ReadOnlyLoad> run();

private:
  void findLoads(const SymbolicValues &V);
  std::vector<bool> loopsWithStore(const SymbolicValues &V) const;
  const Symbol *readThrough(const SymbolicValues &V, const Instruction &I);

  const SymbolicValues &Kernel;
  WrittenArrays Written;
  std::vector<ReadOnlyLoad> Found;
  /// By instruction, in a function that is called from several places: its
  /// number in Found, or -1.
  llvm::DenseMap<const Instruction *, int> NumberOf;
};

/// Stores to global memory, or who knows where.
bool storesGlobal(const SymbolicValues &V, const Instruction &I) {
  return llvm::any_of(I.Effects, [&](const MemoryEffect &E) {
    return E.Writes && isGlobal(E.Space, addressOf(V, I, E));
  });
}

/// By cycle: a store to global memory is in it.
std::vector<bool>
ReadOnlyFinder::loopsWithStore(const SymbolicValues &V) const {
  const ControlFlow &CF = V.controlFlow();
  std::vector<bool> Stores(CF.cycles().size());
  for (const Block *B : V.graph().Blocks)
    if (llvm::any_of(B->Instructions,
                     [&](const Instruction *I) { return storesGlobal(V, *I); }))
      for (int C = CF.innermostCycle(B); C >= 0 && !Stores[unsigned(C)];
           C = CF.cycles()[unsigned(C)].ParentIndex)
        Stores[unsigned(C)] = true;
  return Stores;
}

/// The pointer of a plain load of what is never written; null for another one.
const Symbol *ReadOnlyFinder::readThrough(const SymbolicValues &V,
                                          const Instruction &I) {
  if (!isWeakLoad(I) || ptx::hasModifier(I.Modifiers, "nc"))
    return nullptr;
  const MemoryEffect &E = I.Effects[0];
  const Expression *Address = addressOf(V, I, E);
  if (!Address || !isGlobal(E.Space, Address))
    return nullptr;
  const Symbol *From = findBase(*Address);
  return From && From->Kind == Symbol::KindTy::Parameter && !Written.has(*From)
             ? From
             : nullptr;
}

void ReadOnlyFinder::findLoads(const SymbolicValues &V) {
  const std::vector<bool> Stores = loopsWithStore(V);
  for (const Block *B : V.graph().Blocks) {
    const int Cycle = V.controlFlow().innermostCycle(B);
    bool IsBehind = Cycle >= 0 && Stores[unsigned(Cycle)];
    for (const Instruction *I : B->Instructions) {
      if (I->isPseudo() || I->Effects.empty())
        continue;
      IsBehind |= storesGlobal(V, *I);
      const Symbol *From = readThrough(V, *I);
      auto [It, IsNew] = NumberOf.try_emplace(I, int(Found.size()));
      if (!IsNew) { // in all contexts, and through one pointer
        if (It->second >= 0 && Found[unsigned(It->second)].Pointer != From)
          Found[unsigned(It->second)].Pointer = nullptr;
      } else if (From) {
        Found.push_back({I, From, IsBehind});
      } else {
        It->second = -1;
      }
    }
  }
}

std::vector<ReadOnlyLoad> ReadOnlyFinder::run() {
  if (Written.isAnything())
    return {};
  forEachContext(Kernel, [this](const SymbolicValues &V) { findLoads(V); });
  llvm::erase_if(Found, [](const ReadOnlyLoad &L) { return !L.Pointer; });
  return std::move(Found);
}

} // namespace

std::vector<ReadOnlyLoad>
ptxpredict::findReadOnlyLoads(const SymbolicValues &V,
                              const LaunchConfig &Launch) {
  return ReadOnlyFinder(V, Launch).run();
}
