//===- Mem2Reg.cpp - What local variables hold ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Mem2RegImpl.h"
#include "ptxpredict/Graph/PhiPlacement.h"

using namespace ptxpredict;

bool Mem2Reg::appliesTo(const InstructionGraph &G) {
  return llvm::any_of(G.LocalVariables, [](const Variable *V) {
    return V->Space == AddressSpace::Local;
  });
}

Mem2Reg::Mem2Reg(const InstructionGraph &G, const ControlFlow &CF)
    : Phis(G.Blocks.size()) {
  if (appliesTo(G))
    Builder(*this, G, CF).run();
}

void Mem2Reg::Builder::run() {
  for (const Variable *V : G.LocalVariables)
    if (V->Space == AddressSpace::Local) {
      IndexOf[V] = unsigned(Variables.size());
      Variables.emplace_back();
      Variables.back().Var = V;
    }
  followPointers();
  findClobbers();
  findSlots();
  if (Slots.empty())
    return;
  PhiPlacement Places(G, [&](const Block *B) {
    return const_cast<Block *>(CF.immediateDominator(B));
  });
  placePhis(Places);
  rename(Places);
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

void Mem2Reg::Builder::findSlots() {
  llvm::erase_if(Pieces,
                 [&](const Piece &P) { return Variables[P.Variable].IsLost; });
  llvm::sort(Pieces, [](const Piece &A, const Piece &B) {
    return std::tie(A.Variable, A.Offset) < std::tie(B.Variable, B.Offset);
  });
  for (size_t First = 0; First != Pieces.size();) {
    const Piece &P = Pieces[First];
    int64_t End = P.Offset + P.Bytes;
    bool IsWhole = P.Bytes <= 8, IsLoaded = false;
    size_t Last = First;
    for (; Last != Pieces.size() && Pieces[Last].Variable == P.Variable &&
           Pieces[Last].Offset < End;
         ++Last) {
      const Piece &Q = Pieces[Last];
      IsWhole &= Q.Offset == P.Offset && Q.Bytes == P.Bytes;
      IsLoaded |= Q.I->Effects[0].Access == AccessKind::Load;
      End = std::max(End, Q.Offset + Q.Bytes);
    }
    if (IsWhole && IsLoaded) {
      State &V = Variables[P.Variable];
      if (V.NumSlots++ == 0)
        V.FirstSlot = unsigned(Slots.size());
      for (size_t N = First; N != Last; ++N)
        Pieces[N].Slot = int(Slots.size());
      static constexpr ScalarType Types[] = {ScalarType::B8, ScalarType::B16,
                                             ScalarType::B32, ScalarType::B64};
      std::string Name = V.Var->Name.str();
      if (P.Offset)
        Name += "+" + std::to_string(P.Offset);
      char *Text = Out.Arena.Allocate<char>(Name.size());
      llvm::copy(Name, Text);
      Slots.push_back({Types[llvm::Log2_32(P.Bytes)],
                       StringRef(Text, Name.size()), P.Variable,
                       uint64_t(P.Offset)});
    }
    First = Last;
  }
  // A clobber may be a definition of every slot; too many of both are not worth
  // their time.
  uint64_t Budget = 4096 + 64 * uint64_t(G.NumInstructions);
  for (State &V : Variables) {
    uint64_t Cost = uint64_t(V.NumSlots) * V.NumClobbers;
    V.IsLost |= Cost > Budget;
    Budget -= std::min(Budget, Cost);
  }
  for (const Piece &P : Pieces)
    if (P.Slot >= 0 && !Variables[P.Variable].IsLost)
      Events.push_back({P.I, P.Element, unsigned(P.Slot), false});
  for (auto [I, V] : Clobbers)
    if (!Variables[V].IsLost && Variables[V].NumSlots)
      Events.push_back({I, 0, V, true});
  llvm::sort(Events, [](const Event &A, const Event &B) {
    return std::tie(A.I->Id, A.Element) < std::tie(B.I->Id, B.Element);
  });
  FirstEvent.resize(G.Blocks.size() + 1);
  for (const Event &E : Events)
    ++FirstEvent[E.I->Parent->Number + 1];
  for (size_t N = 1; N < FirstEvent.size(); ++N)
    FirstEvent[N] += FirstEvent[N - 1];
}

//===----------------------------------------------------------------------===//
// SSA form
//===----------------------------------------------------------------------===//

Value *Mem2Reg::Builder::newValue(unsigned S, Instruction *Def) {
  auto *V = new (Out.Values.Allocate()) Value;
  V->Id = unsigned(G.Values.size() + Out.NumValues++);
  V->Version = Slots[S].Versions++;
  V->Type = Slots[S].Type;
  V->Name = Slots[S].Name;
  V->Def = Def;
  return V;
}

Value *Mem2Reg::Builder::current(unsigned S) {
  if (Current[S])
    return Current[S];
  if (!Undefined[S])
    Undefined[S] = newValue(S, nullptr);
  return Undefined[S];
}

void Mem2Reg::Builder::define(unsigned S, Value *V) {
  Undo.emplace_back(S, Current[S]);
  Current[S] = V;
}

/// By slot: the blocks that write it, and that read it before they do.
void Mem2Reg::Builder::collect() {
  Lives.resize(Slots.size());
  std::vector<unsigned> StoredIn(Slots.size()); // the last block, plus one
  auto AddLast = [](SmallVectorImpl<Block *> &List, Block *B) {
    if (List.empty() || List.back() != B)
      List.push_back(B);
  };
  for (const Event &E : Events) {
    Block *B = E.I->Parent;
    if (E.IsClobber) {
      std::vector<Block *> &List = Variables[E.Slot].ClobberBlocks;
      if (List.empty() || List.back() != B)
        List.push_back(B);
      continue;
    }
    Life &L = Lives[E.Slot];
    unsigned &Stored = StoredIn[E.Slot];
    bool IsStore = E.I->Effects[0].Access == AccessKind::Store;
    if (Stored != B->Number + 1 && (!IsStore || E.I->HasGuard))
      AddLast(L.Uses, B);
    if (IsStore)
      AddLast(L.Defs, B);
    if (IsStore && !E.I->HasGuard) {
      Stored = B->Number + 1;
      AddLast(L.Kills, B);
    }
    AddLast(L.Accesses, B);
  }
}

/// Adds the clobbers that matter, of slots that are read later, as definitions.
/// False if they are too many.
bool Mem2Reg::Builder::addClobbers(const State &V, uint64_t &Budget) {
  std::vector<unsigned> LiveIn(G.Blocks.size()), Killed(G.Blocks.size()),
      Accessed(G.Blocks.size()); // the last slot, plus one
  SmallVector<Block *, 16> Live;
  for (unsigned S = V.FirstSlot; S != V.FirstSlot + V.NumSlots; ++S) {
    Life &L = Lives[S];
    unsigned Round = S + 1;
    for (const Block *B : L.Kills)
      Killed[B->Number] = Round;
    for (const Block *B : L.Accesses)
      Accessed[B->Number] = Round;
    auto Add = [&](Block *B) {
      if (std::exchange(LiveIn[B->Number], Round) != Round)
        Live.push_back(B);
    };
    llvm::for_each(L.Uses, Add);
    while (!Live.empty())
      for (Block *P : Live.pop_back_val()->Predecessors)
        if (Killed[P->Number] != Round)
          Add(P);
    for (Block *B : V.ClobberBlocks) {
      bool IsLiveOut = llvm::any_of(B->Successors, [&](const Block *To) {
        return LiveIn[To->Number] == Round;
      });
      if (!IsLiveOut && Accessed[B->Number] != Round)
        continue;
      if (Budget-- == 0)
        return false;
      L.Defs.push_back(B);
      if (LiveIn[B->Number] == Round)
        L.Uses.push_back(B);
      ClobberedSlots[B->Number].push_back(S);
    }
  }
  return true;
}

void Mem2Reg::Builder::placePhis(PhiPlacement &Places) {
  collect();
  ClobberedSlots.resize(G.Blocks.size());
  PhiSlots.resize(G.Blocks.size());
  uint64_t Budget = 4096 + 8 * uint64_t(G.NumInstructions);
  for (State &V : Variables) {
    if (V.IsLost || V.NumSlots == 0)
      continue;
    if (!V.ClobberBlocks.empty() && !addClobbers(V, Budget)) {
      V.IsLost = true;
      Budget = 0;
      continue;
    }
    for (unsigned S = V.FirstSlot; S != V.FirstSlot + V.NumSlots; ++S) {
      const Life &L = Lives[S];
      if (L.Defs.empty() || L.Uses.empty())
        continue;
      for (Block *B : Places.compute(L.Defs, L.Uses))
        addPhi(S, B);
    }
  }
}

void Mem2Reg::Builder::addPhi(unsigned S, Block *B) {
  auto *Phi = new (Out.Arena.Allocate<Instruction>()) Instruction;
  Phi->PseudoKind = Instruction::Pseudo::Phi;
  Phi->Class = OpClass::Move;
  Phi->Parent = B;
  Phi->Line = B->Line;
  Value **D = Out.Arena.Allocate<Value *>(1);
  *D = newValue(S, Phi);
  Phi->Defs = {D, 1};
  size_t NumUses = B->Predecessors.size();
  Phi->Uses = {Out.Arena.Allocate<Value *>(NumUses), NumUses};
  llvm::fill(Phi->Uses, nullptr);
  PhiSlots[B->Number].emplace_back(S, Phi);
  Out.Phis[B->Number].push_back(Phi);
}

void Mem2Reg::Builder::renameBlock(Block *B) {
  for (auto [S, Phi] : PhiSlots[B->Number])
    define(S, Phi->Defs[0]);
  for (unsigned N = FirstEvent[B->Number]; N != FirstEvent[B->Number + 1];
       ++N) {
    const Event &E = Events[N];
    if (E.IsClobber) {
      const State &V = Variables[E.Slot];
      if (V.IsLost)
        continue;
      ArrayRef<unsigned> List = ClobberedSlots[B->Number];
      for (auto S = llvm::lower_bound(List, V.FirstSlot);
           S != List.end() && *S < V.FirstSlot + V.NumSlots; ++S) {
        Value *Before = current(*S);
        Value *After = newValue(*S, const_cast<Instruction *>(E.I));
        Out.Clobbers[E.I].push_back({V.Var, Slots[*S].Offset,
                                     bitWidth(Slots[*S].Type) / 8, Before,
                                     After});
        define(*S, After);
      }
      continue;
    }
    if (Variables[Slots[E.Slot].Variable].IsLost)
      continue;
    SmallVectorImpl<Mem2Reg::Element> &List = Out.Accesses[E.I];
    if (List.size() <= E.Element)
      List.resize(E.Element + 1);
    Mem2Reg::Element &Element = List[E.Element];
    bool IsStore = E.I->Effects[0].Access == AccessKind::Store;
    if (!IsStore || E.I->HasGuard) {
      Value *V = current(E.Slot);
      Element.Before = V;
      Uses.emplace_back(V, const_cast<Instruction *>(E.I));
    }
    if (IsStore) {
      Value *V = newValue(E.Slot, const_cast<Instruction *>(E.I));
      Element.After = V;
      define(E.Slot, V);
    }
  }
  for (auto [S, Edge] : llvm::zip(B->Successors, EdgeIndex[B->Number]))
    for (auto [Slot, Phi] : PhiSlots[S->Number]) {
      Phi->Uses[Edge] = current(Slot);
      Uses.emplace_back(Phi->Uses[Edge], Phi);
    }
}

void Mem2Reg::Builder::rename(PhiPlacement &Places) {
  EdgeIndex.resize(G.Blocks.size());
  std::vector<unsigned> Next(G.Blocks.size());
  for (const Block *B : G.Blocks)
    for (const Block *S : B->Successors)
      EdgeIndex[B->Number].push_back(Next[S->Number]++);
  Current.resize(Slots.size());
  Undefined.resize(Slots.size());
  struct Frame {
    ArrayRef<Block *> Children; ///< not entered yet
    size_t UndoMark;
  };
  SmallVector<Frame, 32> Stack;
  auto Enter = [&](Block *B) {
    Stack.push_back({Places.children(B), Undo.size()});
    renameBlock(B);
  };
  Enter(G.Blocks.front());
  while (!Stack.empty()) {
    Frame &Top = Stack.back();
    if (!Top.Children.empty()) {
      Block *Child = Top.Children.front();
      Top.Children = Top.Children.drop_front();
      Enter(Child);
      continue;
    }
    for (; Undo.size() != Top.UndoMark; Undo.pop_back())
      Current[Undo.back().first] = Undo.back().second;
    Stack.pop_back();
  }
  listUsers();
}

void Mem2Reg::Builder::listUsers() {
  std::vector<unsigned> Count(Out.NumValues);
  auto CountOf = [&](const Value *V) -> unsigned & {
    return Count[V->Id - G.Values.size()];
  };
  for (const auto &[V, User] : Uses)
    ++CountOf(V);
  for (const auto &[V, User] : Uses) {
    unsigned &N = CountOf(V);
    if (V->Users.empty()) {
      V->Users = {Out.Arena.Allocate<Instruction *>(N), N};
      N = 0;
    }
    V->Users[N++] = User;
  }
}
