//===- Phis.cpp - Which phis share a register with what comes in ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Every phi and every value that comes into one starts as a class of its own.
// Two classes are joined if no member of one is still read where one of the
// other is written (Z. Budimlic et al., Fast copy coalescing and live-range
// identification, PLDI 2002). A counter and its next value become one register,
// as in the back end's code.
//===----------------------------------------------------------------------===//
#include "FunctionLowering.h"
#include "InlineAsmText.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace ptxpredict;
using namespace ptxpredict::llvmir;

/// Bits of liveness that are kept, blocks times values; functions beyond it
/// get copies in place of shared registers.
static constexpr uint64_t MostBits = uint64_t(1) << 28;
/// Members of a class that others are compared with one by one.
static constexpr size_t MostMembers = 24;

namespace {

class PhiClasses {
public:
  PhiClasses(const llvm::Function &F, llvm::DominatorTree &DT) : F(F), DT(DT) {}

  /// Joins what may share a register; each class to \p Take that is more than
  /// a value that gets its register where it is computed.
  void run(llvm::function_ref<void(ArrayRef<const llvm::Value *>)> Take);

private:
  using Value = const llvm::Instruction *;

  void collect();
  void findUses(Value V);
  bool interfere(Value A, Value B) const;
  bool liveBehind(Value A, Value B) const;
  void join(Value Phi, Value In);

  /// How a value is read in a block.
  struct Reads {
    llvm::BitVector LiveOut; ///< by block
    /// The last reader in the order of its block; at the end for a phi's edge.
    llvm::DenseMap<const llvm::BasicBlock *, unsigned> Last;
  };

  const llvm::Function &F;
  llvm::DominatorTree &DT;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Numbers;
  llvm::DenseMap<const llvm::Instruction *, unsigned> Places;
  llvm::MapVector<Value, Reads> Candidates;
  llvm::DenseMap<Value, std::vector<Value> *> ClassOf;
  std::vector<std::unique_ptr<std::vector<Value>>> Classes;
  /// Results of inline assembly, and arguments that it has in their registers.
  std::vector<std::pair<Value, Value>> Tied;
};

} // namespace

/// Whether \p I, which comes into a phi, is computed in its place from the
/// start: sums of loops, most of all.
static bool hasOwnRegister(const llvm::Instruction &I) {
  if (auto *Call = dyn_cast<llvm::IntrinsicInst>(&I))
    return Call->getIntrinsicID() == llvm::Intrinsic::fma ||
           Call->getIntrinsicID() == llvm::Intrinsic::fmuladd;
  return isa<llvm::GetElementPtrInst>(I);
}

/// Whether users may read the operands of \p I in its place: it gets no
/// register of its own, or is computed where it is used.
static bool isSeenThrough(const llvm::Instruction &I) {
  switch (I.getOpcode()) {
  case llvm::Instruction::FMul:
  case llvm::Instruction::Mul:
  case llvm::Instruction::LShr:
  case llvm::Instruction::GetElementPtr:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::ExtractValue:
  case llvm::Instruction::InsertValue:
  case llvm::Instruction::ExtractElement:
  case llvm::Instruction::InsertElement:
  case llvm::Instruction::ShuffleVector:
    return true;
  case llvm::Instruction::Call:
    return !I.mayReadOrWriteMemory();
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc:
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI:
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP:
    return false;
  default:
    return I.isCast();
  }
}

void PhiClasses::collect() {
  for (const llvm::BasicBlock &BB : F) {
    Numbers[&BB] = unsigned(Numbers.size());
    unsigned Place = 0;
    for (const llvm::Instruction &I : BB)
      Places[&I] = isa<llvm::PHINode>(I) ? 0 : ++Place;
    for (const llvm::PHINode &Phi : BB.phis()) {
      if (Phi.use_empty())
        continue;
      Candidates[&Phi];
      for (const llvm::Value *In : Phi.incoming_values())
        if (auto *I = dyn_cast<llvm::Instruction>(In))
          Candidates[I];
    }
    for (const llvm::Instruction &I : BB)
      if (auto *Call = dyn_cast<llvm::CallBase>(&I);
          Call && Call->isInlineAsm())
        forEachTied(*Call, [&](const llvm::Instruction &Result,
                               const llvm::Instruction &Argument) {
          Candidates[&Result];
          Candidates[&Argument];
          Tied.emplace_back(&Result, &Argument);
        });
  }
}

/// Marks where \p V is live, from its readers backwards.
void PhiClasses::findUses(Value V) {
  Reads &R = Candidates[V];
  R.LiveOut.resize(unsigned(F.size()));
  SmallVector<const llvm::BasicBlock *, 16> Work;
  auto ReadAt = [&](const llvm::BasicBlock *BB, unsigned Place) {
    unsigned &Last = R.Last[BB];
    Last = std::max(Last, Place);
    if (BB != V->getParent())
      Work.push_back(BB);
  };
  SmallVector<const llvm::Instruction *, 16> Through{V};
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Seen{V};
  while (!Through.empty()) {
    const llvm::Instruction *From = Through.pop_back_val();
    for (const llvm::Use &U : From->uses()) {
      auto *User = cast<llvm::Instruction>(U.getUser());
      if (auto *Phi = dyn_cast<llvm::PHINode>(User)) {
        const llvm::BasicBlock *Edge = Phi->getIncomingBlock(U);
        R.LiveOut.set(Numbers.lookup(Edge)); // read behind its last instruction
        ReadAt(Edge, ~0U);
        continue;
      }
      ReadAt(User->getParent(), Places.lookup(User));
      bool EndsHere = hasOwnRegister(*User) && Candidates.count(User);
      if (!EndsHere && isSeenThrough(*User) && Seen.insert(User).second)
        Through.push_back(User);
    }
  }
  llvm::BitVector LiveIn(unsigned(F.size()));
  while (!Work.empty()) {
    const llvm::BasicBlock *BB = Work.pop_back_val();
    unsigned Number = Numbers.lookup(BB);
    if (LiveIn.test(Number))
      continue;
    LiveIn.set(Number);
    for (const llvm::BasicBlock *P : llvm::predecessors(BB)) {
      R.LiveOut.set(Numbers.lookup(P));
      if (P != V->getParent())
        Work.push_back(P);
    }
  }
}

/// Whether \p A, which is written before \p B, is read after it.
bool PhiClasses::liveBehind(Value A, Value B) const {
  const Reads &R = Candidates.find(A)->second;
  const llvm::BasicBlock *BB = B->getParent();
  if (R.LiveOut.test(Numbers.lookup(BB))) {
    // Live at the end: unless that is only the phi's own edge, handled by Last.
    return true;
  }
  auto It = R.Last.find(BB);
  return It != R.Last.end() && It->second > Places.lookup(B);
}

bool PhiClasses::interfere(Value A, Value B) const {
  const llvm::BasicBlock *X = A->getParent(), *Y = B->getParent();
  if (X == Y) {
    unsigned PA = Places.lookup(A), PB = Places.lookup(B);
    if (PA == PB) // two phis of a block
      return true;
    return PA < PB ? liveBehind(A, B) : liveBehind(B, A);
  }
  if (DT.dominates(X, Y))
    return liveBehind(A, B);
  if (DT.dominates(Y, X))
    return liveBehind(B, A);
  return false;
}

void PhiClasses::join(Value Phi, Value In) {
  auto ClassFor = [&](Value V) {
    std::vector<Value> *&Class = ClassOf[V];
    if (!Class) {
      Classes.push_back(std::make_unique<std::vector<Value>>(1, V));
      Class = Classes.back().get();
    }
    return Class;
  };
  std::vector<Value> *A = ClassFor(Phi), *B = ClassFor(In);
  if (A == B || Phi->getType() != In->getType() ||
      A->size() + B->size() > MostMembers)
    return;
  for (Value X : *A)
    for (Value Y : *B)
      if (interfere(X, Y))
        return;
  for (Value V : *B) {
    A->push_back(V);
    ClassOf[V] = A;
  }
  B->clear();
}

void PhiClasses::run(
    llvm::function_ref<void(ArrayRef<const llvm::Value *>)> Take) {
  collect();
  if (Candidates.empty() || uint64_t(Candidates.size()) * F.size() > MostBits)
    return;
  for (auto &C : Candidates)
    findUses(C.first);
  // What comes around a loop first: its copies run most often.
  for (bool Around : {true, false}) {
    for (const llvm::BasicBlock &BB : F)
      for (const llvm::PHINode &Phi : BB.phis()) {
        if (Phi.use_empty())
          continue;
        for (unsigned N = 0; N != Phi.getNumIncomingValues(); ++N) {
          auto *In = dyn_cast<llvm::Instruction>(Phi.getIncomingValue(N));
          if (In && DT.isReachableFromEntry(Phi.getIncomingBlock(N)) &&
              DT.dominates(&BB, Phi.getIncomingBlock(N)) == Around)
            join(&Phi, In);
        }
      }
    for (auto [Result, Argument] : std::exchange(Tied, {}))
      join(Result, Argument);
  }
  for (const auto &C : Candidates)
    if (hasOwnRegister(*C.first) && !ClassOf.lookup(C.first))
      Take(C.first);
  for (const auto &C : Classes)
    if (C->size() > 1 || (C->size() == 1 && hasOwnRegister(*C->front()))) {
      SmallVector<const llvm::Value *, 8> Members(C->begin(), C->end());
      Take(Members);
    }
}

void FunctionLowering::coalescePhis() {
  llvm::DominatorTree DT(const_cast<llvm::Function &>(F));
  PhiClasses(F, DT).run([this](ArrayRef<const llvm::Value *> Members) {
    if (Members.size() > 1)
      for (const llvm::Value *V : Members)
        Most.erase(V); // a bound of one does not hold of the others
    ArrayRef<Operand> Shared = define(Members.front());
    for (const llvm::Value *V : Members.drop_front())
      Values[V] = Shared;
  });
}
