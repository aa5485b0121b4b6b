//===- CFG.cpp - Dominators, cycles and uniformity of a graph -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/CFG.h"
#include "GenericCFG.h"
#include "TangledCycles.h"
#include "ptxpredict/Support/TimeReport.h"
#include "llvm/ADT/GenericCycleImpl.h"
#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Support/GenericDomTreeConstruction.h"
#include "llvm/Support/Printable.h"
#include <mutex>

using namespace ptxpredict;

using CycleInfo = llvm::GenericCycleInfo<SSAContext>;
using LLVMCycle = CycleInfo::CycleT;

//===----------------------------------------------------------------------===//
// What the templates ask of an IR
//===----------------------------------------------------------------------===//

template <>
void SSAContext::appendBlockDefs(SmallVectorImpl<Value *> &Defs, Block &B) {
  for (Instruction *I : B.Instructions)
    Defs.append(I->Defs.begin(), I->Defs.end());
}
template <>
void SSAContext::appendBlockDefs(SmallVectorImpl<const Value *> &Defs,
                                 const Block &B) {
  for (const Instruction *I : B.Instructions)
    Defs.append(I->Defs.begin(), I->Defs.end());
}
template <>
void SSAContext::appendBlockTerms(SmallVectorImpl<Instruction *> &Terms,
                                  Block &B) {
  if (Instruction *T = B.terminator())
    Terms.push_back(T);
}
template <>
void SSAContext::appendBlockTerms(SmallVectorImpl<const Instruction *> &Terms,
                                  const Block &B) {
  if (const Instruction *T = B.terminator())
    Terms.push_back(T);
}
template <>
bool SSAContext::isConstantOrUndefValuePhi(const Instruction &Phi) {
  const Value *Common = nullptr;
  for (const Value *U : Phi.Uses) {
    if (U == Phi.Defs[0] || (!U->Def && !U->IsArgument))
      continue;
    if (Common && Common != U)
      return false;
    Common = U;
  }
  return true;
}
template <>
const Block *SSAContext::getDefBlock(const Value *V) const {
  return V->Def ? V->Def->Parent : nullptr;
}
template <>
llvm::Printable SSAContext::print(const Block *B) const {
  return llvm::Printable([B](raw_ostream &OS) { B->printAsOperand(OS); });
}
template <>
llvm::Printable SSAContext::printAsOperand(const Block *B) const {
  return print(B);
}
template <>
llvm::Printable SSAContext::print(const Instruction *I) const {
  return llvm::Printable([I](raw_ostream &OS) { I->print(OS); });
}
template <>
llvm::Printable SSAContext::print(const Value *V) const {
  return llvm::Printable(
      [V](raw_ostream &OS) { OS << V->Name << '.' << V->Version; });
}

/// As LLVM has it, but looks through neither all cycles nor all blocks of the
/// function for each: a loop around 10,000 others would take a second. Until
/// LLVM computes the depths, they hold where a cycle lies among the outermost.
template <>
void CycleInfo::moveTopLevelCycleToNewParent(LLVMCycle *NewParent,
                                             LLVMCycle *Child) {
  auto &Outermost = TopLevelCycles;
  auto IsAt = [&](size_t At) {
    return At < Outermost.size() && Outermost[At].get() == Child;
  };
  size_t At = Outermost.size() - 1;
  if (!IsAt(At))
    At = Child->Depth;
  if (!IsAt(At)) {
    for (size_t N = 0; N != Outermost.size(); ++N) {
      Outermost[N]->Depth = unsigned(N);
      if (IsAt(N))
        At = N;
    }
  }
  NewParent->Children.push_back(std::move(Outermost[At]));
  Outermost[At] = std::move(Outermost.back());
  if (Outermost[At])
    Outermost[At]->Depth = unsigned(At);
  Outermost.pop_back();
  Child->ParentCycle = NewParent;
  NewParent->Blocks.insert_range(Child->blocks());
  for (Block *B : Child->blocks())
    if (auto It = BlockMapTopLevel.find(B); It != BlockMapTopLevel.end())
      It->second = NewParent;
  NewParent->clearCache();
  Child->clearCache();
}

using UniformityImpl = llvm::GenericUniformityAnalysisImpl<SSAContext>;

namespace {
/// What all of them are: the template's set of divergent values stays empty, an
/// array by their numbers takes its place.
class Divergence : public UniformityImpl {
public:
  Divergence(const InstructionGraph &G, const DominatorTree &DT,
             const CycleInfo &CI)
      : UniformityImpl(DT, CI, nullptr), Divergent(G.Values.size()) {}

  bool has(const Value *V) const { return Divergent[V->Id]; }
  /// False if it was divergent before.
  bool mark(const Value *V) { return !std::exchange(Divergent[V->Id], true); }

private:
  std::vector<uint8_t> Divergent;
};
} // namespace

template <>
void UniformityImpl::initialize() {
  // The sources are marked by Uniformity's constructor, which knows them.
}
template <>
bool UniformityImpl::hasDivergentDefs(const Instruction &I) const {
  return llvm::any_of(I.Defs, [&](const Value *V) {
    return static_cast<const Divergence &>(*this).has(V);
  });
}
template <>
bool UniformityImpl::markDefsDivergent(const Instruction &I) {
  bool Changed = false;
  for (const Value *V : I.Defs)
    Changed |= static_cast<Divergence &>(*this).mark(V);
  return Changed;
}
template <>
void UniformityImpl::pushUsers(const Value *V) {
  for (const Instruction *User : V->Users)
    markDivergent(*User);
}
template <>
void UniformityImpl::pushUsers(const Instruction &I) {
  for (const Value *V : I.Defs)
    pushUsers(V);
}
template <>
bool UniformityImpl::usesValueFromCycle(const Instruction &I,
                                        const LLVMCycle &DefCycle) const {
  return llvm::any_of(I.Uses, [&](const Value *V) {
    return V->Def && DefCycle.contains(V->Def->Parent);
  });
}
template <>
void UniformityImpl::propagateTemporalDivergence(const Instruction &I,
                                                 const LLVMCycle &DefCycle) {
  for (const Value *V : I.Defs)
    for (const Instruction *User : V->Users)
      if (!DefCycle.contains(User->Parent))
        markDivergent(*User);
}
template <>
bool UniformityImpl::isDivergentUse(const Operand &U) const {
  return U.Kind == Operand::KindTy::Register &&
         static_cast<const Divergence &>(*this).has(U.Val);
}

template class llvm::GenericCycleInfo<SSAContext>;
template class llvm::GenericUniformityInfo<SSAContext>;
template struct llvm::GenericUniformityAnalysisImplDeleter<UniformityImpl>;

//===----------------------------------------------------------------------===//
// ControlFlow
//===----------------------------------------------------------------------===//

struct ControlFlow::Impl {
  const DominatorTree &Dominators;
  PostDominatorTree PostDominators;
  CycleInfo Info;
  std::vector<Cycle> Cycles;
  std::vector<int> Innermost; ///< by block number
  std::vector<Block *> Order;
  /// Each strongly connected part is one cycle with several entries; Info has
  /// none.
  bool IsTangled = false;
  /// LLVM's cycles keep their exits when they are first asked for them.
  std::mutex OfCycles;

  explicit Impl(InstructionGraph &G)
      : Dominators(G.analysis<ptxpredict::Dominators>().Tree),
        Innermost(G.Blocks.size(), -1) {
    PostDominators.recalculate(G);
    PostDominators.updateDFSNumbers();
    IsTangled = hasTangledCycles(G);
    if (!IsTangled)
      Info.compute(G);
    for (const LLVMCycle *C : Info.toplevel_cycles())
      addCycle(*C, -1);
    if (IsTangled)
      addComponents(G);
    orderBlocks(G);
  }

  void addCycle(const LLVMCycle &C, int Parent);
  void addComponents(InstructionGraph &G);
  void orderBlocks(InstructionGraph &G);
};

void ControlFlow::Impl::addCycle(const LLVMCycle &C, int Parent) {
  int Index = int(Cycles.size());
  Cycles.emplace_back();
  Cycle &Out = Cycles.back();
  Out.Header = C.getHeader();
  Out.Reducible = C.isReducible();
  Out.Depth = C.getDepth();
  Out.ParentIndex = Parent;
  Out.Blocks.assign(C.block_begin(), C.block_end());
  llvm::sort(Out.Blocks, [](const Block *A, const Block *B) {
    return A->Number < B->Number;
  });
  for (Block *B : Out.Blocks) {
    Innermost[B->Number] = Index; // inner cycles come later and win
    if (llvm::is_contained(B->Successors, Out.Header))
      Out.Latches.push_back(B);
    if (llvm::any_of(B->Successors, [&](Block *S) { return !C.contains(S); }))
      Out.ExitingBlocks.push_back(B);
  }
  for (const LLVMCycle *Child : C.children())
    addCycle(*Child, Index);
}

/// What LLVM's cycles would be if nothing within them were told apart.
void ControlFlow::Impl::addComponents(InstructionGraph &G) {
  std::vector<std::vector<Block *>> Parts;
  for (auto It = llvm::scc_begin(&G); !It.isAtEnd(); ++It)
    if (It.hasCycle()) {
      Parts.push_back(*It);
      llvm::sort(Parts.back(), [](const Block *A, const Block *B) {
        return A->Number < B->Number;
      });
    }
  llvm::sort(Parts, [](const auto &A, const auto &B) {
    return A.front()->Number < B.front()->Number;
  });
  for (std::vector<Block *> &Part : Parts) {
    const int Index = int(Cycles.size());
    Cycle &Out = Cycles.emplace_back();
    Out.Reducible = false;
    Out.ParentIndex = -1;
    Out.Blocks = std::move(Part);
    for (const Block *B : Out.Blocks)
      Innermost[B->Number] = Index;
    auto IsOutside = [&](const Block *B) {
      return Innermost[B->Number] != Index;
    };
    for (Block *B : Out.Blocks) {
      if (!Out.Header &&
          (B == G.Blocks.front() || llvm::any_of(B->Predecessors, IsOutside)))
        Out.Header = B;
      if (llvm::any_of(B->Successors, IsOutside))
        Out.ExitingBlocks.push_back(B);
    }
    for (Block *B : Out.Blocks)
      if (llvm::is_contained(B->Successors, Out.Header))
        Out.Latches.push_back(B);
  }
}

/// Depth-first walks, one in each cycle and one outside all, in which an inner
/// cycle is one item: so its blocks stay together, whatever leaves it from
/// where.
void ControlFlow::Impl::orderBlocks(InstructionGraph &G) {
  // A block by its number, or the complement of a cycle's index.
  using Item = int;
  std::vector<bool> SeenBlock(G.Blocks.size()), SeenCycle(Cycles.size());
  // What a block belongs to as seen from the cycle around, if it is in there.
  auto ItemOf = [&](const Block *B, int Around) -> std::optional<Item> {
    int C = Innermost[B->Number];
    if (C == Around)
      return Item(B->Number);
    unsigned Depth = Around < 0 ? 1 : Cycles[unsigned(Around)].Depth + 1;
    while (C >= 0 && Cycles[unsigned(C)].Depth > Depth)
      C = Cycles[unsigned(C)].ParentIndex;
    if (C < 0 || Cycles[unsigned(C)].ParentIndex != Around)
      return std::nullopt;
    return ~C;
  };
  struct Frame {
    Item Node;
    SmallVector<Item, 4> Successors; ///< taken from the back
  };
  SmallVector<Frame, 32> Stack;
  auto Enter = [&](Item Which, int Around) {
    if (Which < 0)
      SeenCycle[unsigned(~Which)] = true;
    else
      SeenBlock[unsigned(Which)] = true;
    Frame F{Which, {}};
    auto AddSuccessors = [&](const Block *B) {
      for (const Block *S : B->Successors)
        if (std::optional<Item> To = ItemOf(S, Around); To && *To != Which)
          F.Successors.push_back(*To);
    };
    if (Which >= 0)
      AddSuccessors(G.Blocks[unsigned(Which)]);
    else
      for (const Block *B : Cycles[unsigned(~Which)].ExitingBlocks)
        AddSuccessors(B);
    Stack.push_back(std::move(F));
  };
  std::vector<Item> Work; // what comes first last
  auto AddItems = [&](const Block *From, int Around) {
    Enter(*ItemOf(From, Around), Around);
    while (!Stack.empty()) {
      if (Stack.back().Successors.empty()) {
        Work.push_back(Stack.back().Node);
        Stack.pop_back();
        continue;
      }
      Item S = Stack.back().Successors.pop_back_val();
      if (S < 0 ? !SeenCycle[unsigned(~S)] : !SeenBlock[unsigned(S)])
        Enter(S, Around);
    }
  };
  AddItems(G.Blocks.front(), -1);
  while (!Work.empty()) {
    Item Next = Work.back();
    Work.pop_back();
    if (Next >= 0)
      Order.push_back(G.Blocks[unsigned(Next)]);
    else
      AddItems(Cycles[unsigned(~Next)].Header, ~Next);
  }
}

bool Cycle::contains(const Block *B) const {
  return std::binary_search(
      Blocks.begin(), Blocks.end(), B,
      [](const Block *X, const Block *Y) { return X->Number < Y->Number; });
}

bool Cycle::testsFirst() const {
  if (!llvm::is_contained(ExitingBlocks, Header) ||
      llvm::is_contained(Latches, Header) || Header->Successors.size() != 2)
    return false;
  return llvm::any_of(Blocks, [&](const Block *B) {
    return B != Header &&
           llvm::any_of(B->Instructions, [](const Instruction *I) {
             return I->Class != OpClass::Move && I->Class != OpClass::Control &&
                    !I->isPseudo();
           });
  });
}

ControlFlow::ControlFlow(const InstructionGraph &G) {
  StageTimer Timer(Stage::ControlFlow);
  State = std::make_unique<Impl>(const_cast<InstructionGraph &>(G));
}
ControlFlow::~ControlFlow() = default;
ControlFlow::ControlFlow(ControlFlow &&) noexcept = default;

bool ControlFlow::dominates(const Block *A, const Block *B) const {
  return State->Dominators.dominates(A, B);
}
bool ControlFlow::postDominates(const Block *A, const Block *B) const {
  return State->PostDominators.dominates(A, B);
}
const Block *ControlFlow::immediateDominator(const Block *B) const {
  auto *N = State->Dominators.getNode(B)->getIDom();
  return N ? N->getBlock() : nullptr;
}
const Block *ControlFlow::immediatePostDominator(const Block *B) const {
  auto *N = State->PostDominators.getNode(B);
  N = N ? N->getIDom() : nullptr;
  return N ? N->getBlock() : nullptr;
}
ArrayRef<Cycle> ControlFlow::cycles() const { return State->Cycles; }
int ControlFlow::innermostCycle(const Block *B) const {
  return State->Innermost[B->Number];
}
ArrayRef<Block *> ControlFlow::reversePostOrder() const { return State->Order; }

//===----------------------------------------------------------------------===//
// Uniformity
//===----------------------------------------------------------------------===//

/// The blocks that LLVM's algorithm would walk if every branch were divergent.
static uint64_t blocksToWalk(const InstructionGraph &G, const ControlFlow &CF) {
  std::vector<unsigned> Place(G.Blocks.size());
  for (unsigned N = 0; N != CF.reversePostOrder().size(); ++N)
    Place[CF.reversePostOrder()[N]->Number] = N;
  uint64_t Sum = 0;
  for (const Block *B : G.Blocks) {
    if (B->Successors.size() < 2)
      continue;
    const Block *Meet = CF.immediatePostDominator(B);
    unsigned From = Place[B->Number];
    unsigned To = Meet ? Place[Meet->Number] : unsigned(G.Blocks.size());
    Sum += To > From ? To - From : From - To;
  }
  return Sum;
}

struct Uniformity::Impl {
  std::unique_ptr<Divergence> Analysis;
  /// In its stead where it would take too long.
  bool IsCoarse = false, AnyDivergentBranch = false;
  std::vector<bool> Divergent; ///< by value id

  void analyzeCoarsely(const InstructionGraph &G,
                       llvm::function_ref<bool(const Instruction &)> IsSource,
                       llvm::function_ref<bool(const Instruction &)> IsUniform);
};

/// Data divergence alone, and every phi once a branch is divergent.
void Uniformity::Impl::analyzeCoarsely(
    const InstructionGraph &G,
    llvm::function_ref<bool(const Instruction &)> IsSource,
    llvm::function_ref<bool(const Instruction &)> IsUniform) {
  IsCoarse = true;
  Divergent.resize(G.Values.size());
  SmallVector<const Instruction *, 32> Work;
  auto Mark = [&](const Instruction &I) {
    if (I.IsTerminator) {
      if (std::exchange(AnyDivergentBranch, true))
        return;
      for (const Block *B : G.Blocks)
        for (const Instruction &Phi : B->phis())
          Work.push_back(&Phi);
      return;
    }
    if (!IsUniform || !IsUniform(I))
      Work.push_back(&I);
  };
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions)
      if (!I->isPseudo() && IsSource(*I))
        Mark(*I);
  while (!Work.empty())
    for (const Value *V : Work.pop_back_val()->Defs) {
      if (Divergent[V->Id])
        continue;
      Divergent[V->Id] = true;
      for (const Instruction *User : V->Users)
        Mark(*User);
    }
}

Uniformity::Uniformity(const InstructionGraph &G, const ControlFlow &CF,
                       llvm::function_ref<bool(const Instruction &)> IsSource,
                       llvm::function_ref<bool(const Instruction &)> IsUniform)
    : State(std::make_unique<Impl>()) {
  StageTimer Timer(Stage::Uniformity);
  constexpr uint64_t MeanWalk = 128, AnyFunction = 1 << 16;
  if (CF.State->IsTangled ||
      blocksToWalk(G, CF) > MeanWalk * G.Blocks.size() + AnyFunction) {
    State->analyzeCoarsely(G, IsSource, IsUniform);
    return;
  }
  {
    std::lock_guard<std::mutex> Lock(CF.State->OfCycles);
    State->Analysis =
        std::make_unique<Divergence>(G, CF.State->Dominators, CF.State->Info);
  }
  State->Analysis->initialize();
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions)
      if (!I->isPseudo() && IsUniform && IsUniform(*I))
        State->Analysis->addUniformOverride(*I);
      else if (!I->isPseudo() && IsSource(*I))
        State->Analysis->markDivergent(*I);
  std::lock_guard<std::mutex> Lock(CF.State->OfCycles);
  State->Analysis->compute();
}
Uniformity::~Uniformity() = default;
Uniformity::Uniformity(Uniformity &&) noexcept = default;

bool Uniformity::isDivergent(const Value *V) const {
  return State->IsCoarse ? State->Divergent[V->Id] : State->Analysis->has(V);
}
bool Uniformity::hasDivergentTerminator(const Block *B) const {
  if (!State->IsCoarse)
    return State->Analysis->hasDivergentTerminator(*B);
  const Instruction *T = B->terminator();
  return T && llvm::any_of(T->Uses, [&](const Value *V) {
           return State->Divergent[V->Id];
         });
}
