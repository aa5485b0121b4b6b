//===- BufferLoads.cpp - Loads whose results the launch tells -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BufferLoads.h"
#include "CallContexts.h"
#include "WrittenArrays.h"
#include "ptxpredict/Graph/Module.h"
#include "ptxpredict/Launch/BufferContents.h"
#include "llvm/ADT/MapVector.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Ref = const Expression *;

using LoadSet = llvm::DenseSet<const Instruction *>;

/// Adds what an instruction takes to decide where it goes or what it accesses,
/// or hands on where nobody follows it.
static void addDeciders(const Instruction &I,
                        SmallVectorImpl<const Value *> &To) {
  if (I.Guard)
    To.push_back(I.Guard);
  if (I.Effects.empty() && !I.IsCall && !I.IsTerminator)
    return;
  auto IsGone = [](const MemoryEffect &E) {
    return E.Access == AccessKind::Store &&
           (E.Space == AddressSpace::Global || E.Space == AddressSpace::Shared);
  };
  if (I.Effects.size() != 1 || !IsGone(I.Effects[0])) {
    To.append(I.Uses.begin(), I.Uses.end());
    return;
  }
  for (const Operand &O : I.Operands[I.Effects[0].AddressOperand].Elements)
    if (O.Kind == Operand::KindTy::Register)
      To.push_back(O.Val);
}

/// Of what a launch's buffers may hold.
static bool mayReadBuffer(const Instruction &I) {
  return isWeakLoad(I) && isGlobal(I.Effects[0].Space, nullptr);
}

/// The weak loads of a function on whose results conditions, addresses or calls
/// may depend.
static void addDecidingLoads(const InstructionGraph &G, LoadSet &To) {
  SmallVector<const Value *, 32> Work;
  G.forEachInstruction([&](const Instruction &I) { addDeciders(I, Work); });
  std::vector<bool> Seen(G.Values.size());
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (Seen[V->Id] || !V->Def)
      continue;
    Seen[V->Id] = true;
    if (mayReadBuffer(*V->Def))
      To.insert(V->Def);
    Work.append(V->Def->Uses.begin(), V->Def->Uses.end());
  }
}

/// A place in memory, other than a number that only its type could be one.
static bool isPlace(Ref S) {
  return S->isSymbol(Symbol::KindTy::Address) ||
         (S->isSymbol(Symbol::KindTy::Parameter) && S->Sym->Align >= 16);
}

/// What a load's address is made of, in all contexts.
class BufferLoads::Finder {
public:
  Finder(const SymbolicValues &Plain, const LaunchConfig &Launch,
         const LoadSet &Deciding)
      : Kernel(Plain), Launch(Launch), Deciding(Deciding),
        Written(Plain, Launch) {}

  std::shared_ptr<const BufferLoads> run();

private:
  struct Candidate {
    BufferLoad Load;
    SmallVector<Ref, 2> Offsets; ///< by context
    bool IsRefuted = false;
  };
  void add(const SymbolicValues &V, const Instruction &I);
  BufferLoad loadThrough(const Symbol *Base);
  bool isDecided(Ref Symbol) const;

  const SymbolicValues &Kernel;
  const LaunchConfig &Launch;
  const LoadSet &Deciding;
  WrittenArrays Written;
  llvm::MapVector<const Instruction *, Candidate> Found;
};

/// Without a pointer unless the launch says what is there.
BufferLoad BufferLoads::Finder::loadThrough(const Symbol *Base) {
  if (!Base || Base->Kind != Symbol::KindTy::Parameter || Written.has(*Base))
    return {};
  BufferLoad Result;
  const ArrayRef<Parameter> Parameters = Kernel.graph().Parameters;
  Launch.forEachPointer(Parameters, [&](unsigned Index, uint64_t Offset,
                                        const ArgumentValue &A) {
    const Parameter &P = Parameters[Index];
    if (A.Contents && Base->Context == &P && Base->Number == P.Offset + Offset)
      Result = {&P, &A, true};
  });
  return Result;
}

void BufferLoads::Finder::add(const SymbolicValues &V, const Instruction &I) {
  if (!Deciding.contains(&I))
    return;
  const MemoryEffect &E = I.Effects[0];
  Ref Address = addressOf(V, I, E);
  const Symbol *Base =
      Address && isGlobal(E.Space, Address) ? findBase(*Address) : nullptr;
  const BufferLoad Load = loadThrough(Base);
  Candidate &C = Found[&I];
  C.IsRefuted |=
      !Load.Pointer || (C.Load.Pointer && C.Load.Given != Load.Given);
  if (C.IsRefuted)
    return;
  C.Load = Load;
  Ref Pointer = *llvm::find_if(Address->Symbols,
                               [Base](Ref S) { return S->Sym == Base; });
  C.Offsets.push_back(V.expressions().sub(Address, Pointer));
}

/// Whether a symbol of an offset has a number wherever it is evaluated.
bool BufferLoads::Finder::isDecided(Ref S) const {
  using K = Symbol::KindTy;
  if (S->Sym->Kind <= K::GridExtentZ || S->isSymbol(K::Counter) ||
      S->isSymbol(K::ExitCount))
    return true;
  if (!S->isSymbol(K::Opaque) || S->Sym->Reason != Symbol::ReasonTy::Load)
    return false;
  auto It = Found.find(S->Sym->From);
  return It != Found.end() && It->second.Load.IsDecided;
}

std::shared_ptr<const BufferLoads> BufferLoads::Finder::run() {
  if (Written.isAnything())
    return nullptr;
  forEachContext(Kernel, [this](const SymbolicValues &V) {
    V.graph().forEachInstruction([&](const Instruction &I) { add(V, I); });
  });
  Found.remove_if([](const auto &E) { return E.second.IsRefuted; });
  // Loads that others decide, until nothing changes: a chain has few links.
  // Where more rounds are needed nothing is decided but what is the same
  // everywhere.
  constexpr unsigned MaxRounds = 16;
  bool Changes = true;
  for (unsigned Round = 0; Changes; ++Round) {
    Changes = false;
    for (auto &[I, C] : Found) {
      auto Is = [&](Ref Offset) {
        return llvm::all_of(Offset->Symbols,
                            [&](Ref S) { return isDecided(S); });
      };
      // Where all elements are the same it does not matter which one it is.
      if (C.Load.IsDecided && !C.Load.Given->Contents->everyElement() &&
          (Round == MaxRounds || !llvm::all_of(C.Offsets, Is))) {
        C.Load.IsDecided = false;
        Changes = true;
      }
    }
  }
  auto Result = std::make_shared<BufferLoads>();
  for (auto &[I, C] : Found)
    if (!llvm::any_of(C.Offsets,
                      [](Ref O) { return llvm::any_of(O->Symbols, isPlace); }))
      Result->Loads.try_emplace(I, C.Load);
  return Result->Loads.empty() ? nullptr : Result;
}

std::shared_ptr<const BufferLoads> BufferLoads::find(const InstructionGraph &G,
                                                     const ControlFlow &CF,
                                                     const LaunchConfig &Launch,
                                                     unsigned CallBudget) {
  bool HasContents = false;
  Launch.forEachBuffer([&](unsigned, uint64_t, const ArgumentValue &A) {
    HasContents |= A.Contents != nullptr;
  });
  if (!G.IsKernel || !HasContents)
    return nullptr;
  LoadSet Deciding;
  for (const InstructionGraph *F : calledFrom(G))
    addDecidingLoads(*F, Deciding);
  if (Deciding.empty())
    return nullptr;
  LaunchConfig Bare = Launch;
  Bare.forEachBuffer(
      [](unsigned, uint64_t, ArgumentValue &A) { A.Contents = nullptr; });
  std::shared_ptr<const BufferLoads> Known;
  // What is loaded may decide where else is loaded from. Each time costs as
  // much as all values.
  constexpr unsigned MaxRounds = 3;
  for (unsigned Round = 0; Round != MaxRounds; ++Round) {
    Expressions E(Bare);
    const SymbolicValues Values(G, CF, Bare, E, CallBudget, Known);
    std::shared_ptr<const BufferLoads> Found =
        Finder(Values, Launch, Deciding).run();
    const size_t Before = Known ? Known->numDecided() : 0;
    if (!Found || Found->numDecided() <= Before)
      return Known ? Known : Found;
    Known = std::move(Found);
    if (Known->numDecided() == Known->Loads.size())
      break;
  }
  return Known;
}
