//===- Verifier.cpp - What every graph must hold --------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/CFG.h"
#include "ptxpredict/Graph/GraphBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;

namespace {
class Verifier {
public:
  explicit Verifier(const InstructionGraph &G)
      : G(G), CF(G), Defined(G.Values.size()) {}

  std::string run();

private:
  void checkEdges(const Block &B);
  void checkInstruction(const Instruction &I, const Block &B, bool IsLast);
  void checkUse(const Instruction &I, size_t Index);

  /// Keeps the first complaint.
  void fail(const Twine &What, const Instruction *I = nullptr) {
    if (!Failure.empty())
      return;
    Failure = (G.Name + ": " + What).str();
    if (I) {
      llvm::raw_string_ostream OS(Failure);
      OS << " in '";
      I->print(OS);
      OS << '\'';
    }
  }

  const InstructionGraph &G;
  ControlFlow CF;
  std::vector<bool> Defined; ///< by value id, in block order
  std::string Failure;
  unsigned NextId = 0;
  size_t NumUses = 0;
};

void Verifier::checkEdges(const Block &B) {
  auto Count = [](ArrayRef<Block *> In, const Block *X) {
    return llvm::count(In, X);
  };
  for (const Block *S : B.Successors)
    if (Count(S->Predecessors, &B) != Count(B.Successors, S))
      fail("block " + Twine(S->Number) + " lacks an edge from block " +
           Twine(B.Number));
  for (const Block *P : B.Predecessors)
    if (Count(P->Successors, &B) != Count(B.Predecessors, P))
      fail("block " + Twine(P->Number) + " lacks an edge to block " +
           Twine(B.Number));
}

void Verifier::checkUse(const Instruction &I, size_t Index) {
  const Value *V = I.Uses[Index];
  if (!V)
    return fail("a use without a value", &I);
  if (V->Id >= G.Values.size() || G.Values[V->Id] != V)
    return fail("a value of another graph is read", &I);
  if (!llvm::is_contained(V->Users, &I))
    fail("a value does not know its user", &I);
  if (!V->Def)
    return;
  const Block *DefBlock = V->Def->Parent;
  if (I.isPhi()) {
    if (!CF.dominates(DefBlock, I.Parent->Predecessors[Index]))
      fail("a phi's value does not reach its edge", &I);
  } else if (DefBlock == I.Parent ? V->Def->Id >= I.Id
                                  : !CF.dominates(DefBlock, I.Parent)) {
    fail("a value is read before it is defined", &I);
  }
}

void Verifier::checkInstruction(const Instruction &I, const Block &B,
                                bool IsLast) {
  if (I.Id != NextId++)
    fail("instruction ids are not dense", &I);
  if (I.Parent != &B)
    fail("an instruction does not know its block", &I);
  if (I.IsTerminator && !IsLast)
    fail("a terminator inside a block", &I);
  if (I.isPhi() && I.Uses.size() != B.Predecessors.size())
    fail("a phi with " + Twine(I.Uses.size()) + " values for " +
             Twine(B.Predecessors.size()) + " predecessors",
         &I);
  if (I.isSelect() && I.Uses.size() != 3)
    fail("a select without three operands", &I);
  for (const Value *V : I.Defs) {
    if (V->Def != &I)
      fail("a value does not know its definition", &I);
    else if (Defined[V->Id])
      fail("a value is defined twice", &I);
    else
      Defined[V->Id] = true;
  }
  for (size_t U = 0; U != I.Uses.size(); ++U)
    checkUse(I, U);
  NumUses += I.Uses.size();
}

std::string Verifier::run() {
  for (const Block *B : G.Blocks) {
    if (G.Blocks[B->Number] != B)
      fail("block numbers are not dense");
    checkEdges(*B);
    bool Body = false;
    for (const Instruction *I : B->Instructions) {
      if (I->isPhi() && Body)
        fail("a phi behind other instructions", I);
      Body |= !I->isPhi();
      checkInstruction(*I, *B, I == B->Instructions.back());
    }
  }
  if (!G.front().Predecessors.empty())
    fail("the entry has a predecessor");
  size_t NumUsers = 0;
  for (const auto &V : G.Values)
    NumUsers += V->Users.size();
  if (NumUsers != NumUses)
    fail("values have " + Twine(NumUsers) + " users but " + Twine(NumUses) +
         " uses");
  return Failure;
}
} // namespace

std::string ptxpredict::verify(const InstructionGraph &G) {
  return Verifier(G).run();
}
