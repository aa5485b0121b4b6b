//===- LocalPromotion.cpp - What local variables hold ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/LocalPromotion.h"
#include "ptxpredict/Graph/PhiPlaces.h"
#include "ptxpredict/ISA/PTXOpcode.h"

using namespace ptxpredict;
using ptx::Opcode;

namespace {

/// A local variable's address plus something.
struct Pointer {
  unsigned Variable = 0;         ///< index
  std::optional<int64_t> Offset; ///< bytes; nothing if it is computed
};

/// One element of a load or store at a constant offset.
struct Piece {
  const Instruction *I;
  unsigned Element;
  unsigned Variable;
  int64_t Offset;
  unsigned Bytes;
  ScalarType Type;
  int Slot = -1;
};

/// What happens to slots, in the order of the code.
struct Event {
  const Instruction *I;
  unsigned Element;
  unsigned Of;    ///< the slot, or the variable that is clobbered
  bool IsClobber; ///< of all slots of the variable
};

} // namespace

class LocalPromotion::Builder {
public:
  Builder(LocalPromotion &Result, const InstructionGraph &Graph,
          const ControlFlow &Flow)
      : Out(Result), G(Graph), CF(Flow) {}

  void run();

private:
  struct State {
    const ptxpredict::Variable *Var = nullptr;
    bool IsLost = false; ///< nothing of it is promoted
    /// The address is somewhere where it cannot be followed.
    bool Escapes = false;
    unsigned FirstSlot = 0, NumSlots = 0, NumClobbers = 0;
  };
  struct Slot {
    ScalarType Type;
    StringRef Name;
    const ptxpredict::Variable *Var;
    uint64_t Offset;
    unsigned Versions = 0;
  };

  void followPointers();
  void use(const Instruction &I, const Operand &O, Pointer P);
  void access(const Instruction &I, Pointer P);
  void result(const Instruction &I, Pointer P);
  void findSlots();
  void findClobbers();
  void placePhis(PhiPlaces &Places);
  void rename(PhiPlaces &Places);
  void renameBlock(Block *B);
  Value *newValue(unsigned S, Instruction *Def);
  Value *current(unsigned S);
  void define(unsigned S, Value *V);

  LocalPromotion &Out;
  const InstructionGraph &G;
  const ControlFlow &CF;
  std::vector<State> Variables;
  llvm::DenseMap<const Variable *, unsigned> IndexOf;
  llvm::DenseMap<const Value *, Pointer> Pointers;
  std::vector<const Value *> Work; ///< pointers whose users are not seen yet
  std::vector<Piece> Pieces;
  std::vector<std::pair<const Instruction *, unsigned>> Clobbers;
  std::vector<Slot> Slots;
  std::vector<Event> Events;
  std::vector<unsigned> FirstEvent; ///< by block
  std::vector<SmallVector<std::pair<unsigned, Instruction *>, 0>> PhiSlots;
  std::vector<Value *> Current; ///< by slot, during renaming
  std::vector<Value *> Undefined;
  std::vector<std::pair<unsigned, Value *>> Undo;
  /// By block and successor: the edge's place among the latter's predecessors.
  std::vector<SmallVector<unsigned, 2>> EdgeIndex;
};

bool LocalPromotion::appliesTo(const InstructionGraph &G) {
  return llvm::any_of(G.LocalVariables, [](const Variable *V) {
    return V->Space == AddressSpace::Local;
  });
}

LocalPromotion::LocalPromotion(const InstructionGraph &G, const ControlFlow &CF)
    : Phis(G.Blocks.size()) {
  if (appliesTo(G))
    Builder(*this, G, CF).run();
}

void LocalPromotion::Builder::run() {
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
  PhiPlaces Places(G, [&](const Block *B) {
    return const_cast<Block *>(CF.immediateDominator(B));
  });
  placePhis(Places);
  rename(Places);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Calls \p Fn for every operand and what is in it.
template <typename FnT>
static void forEachOperand(ArrayRef<Operand> Operands, FnT &Fn) {
  for (const Operand &O : Operands) {
    Fn(O);
    forEachOperand(O.Elements, Fn);
  }
}

void LocalPromotion::Builder::followPointers() {
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions) {
      auto Find = [&](const Operand &O) {
        if (O.Which != Operand::Kind::Variable)
          return;
        if (auto It = IndexOf.find(O.Var); It != IndexOf.end())
          use(*I, O, {It->second, 0});
      };
      forEachOperand(I->Operands, Find);
    }
  while (!Work.empty()) {
    const Value *V = Work.back();
    Work.pop_back();
    Pointer P = Pointers[V];
    const Instruction *Last = nullptr;
    for (const Instruction *User : V->Users) {
      if (User == Last) // another use of the same one
        continue;
      Last = User;
      if (User->isPseudo()) {
        Variables[P.Variable].Escapes = true;
        continue;
      }
      auto Find = [&](const Operand &O) {
        if (O.Which == Operand::Kind::Register && (O.Val == V || O.In == V))
          use(*User, O, P);
      };
      forEachOperand(User->Operands, Find);
    }
  }
}

/// \p I reads \p P as its operand \p O.
void LocalPromotion::Builder::use(const Instruction &I, const Operand &O,
                                  Pointer P) {
  bool &Escapes = Variables[P.Variable].Escapes;
  Opcode Op = Opcode(I.Opcode);
  if (I.IsCall || I.IsUnknown || O.Role == OperandRole::ReadWrite) {
    Escapes = true;
    return;
  }
  if (!I.Effects.empty()) {
    // As the address of a plain access, or else as what is stored.
    const Operand &Address = I.Operands[I.Effects[0].AddressOperand];
    if ((Op == Opcode::Ld || Op == Opcode::St) && I.Effects.size() == 1 &&
        Address.Elements.size() == 1 && &O == Address.Elements.data())
      access(I, P);
    else
      Escapes = true;
    return;
  }
  ArrayRef<Operand> Operands = I.Operands;
  bool IsFirst = Operands.size() > 1 && &O == &Operands[1];
  switch (Op) {
  case Opcode::Mov:
    if (!IsFirst)
      break;
    return result(I, P);
  case Opcode::Cvta: {
    // Not as an address of another space.
    bool IsLocal = ptx::hasModifier(I.Modifiers, "local");
    if (!IsFirst || !IsLocal)
      break;
    return result(I, P);
  }
  case Opcode::Add:
  case Opcode::Sub: {
    if (Operands.size() != 3 || ptx::hasModifier(I.Modifiers, "cc") ||
        ptx::hasModifier(I.Modifiers, "sat"))
      break;
    const Operand &Other = Operands[IsFirst ? 2 : 1];
    int64_t By = Other.integer();
    if (Op == Opcode::Sub)
      By = -By;
    if (Other.Which != Operand::Kind::Integer || !P.Offset ||
        (Op == Opcode::Sub && !IsFirst) ||
        __builtin_add_overflow(*P.Offset, By, &*P.Offset))
      P.Offset.reset();
    return result(I, P);
  }
  case Opcode::Setp: // says nothing of the contents
    return;
  default:
    break;
  }
  Escapes = true;
}

/// \p I makes another pointer.
void LocalPromotion::Builder::result(const Instruction &I, Pointer P) {
  // One of two pointers, or cut into parts.
  if (I.Defs.size() != 1 || bitWidth(I.Defs[0]->Type) < 32 ||
      I.Operands[0].Which != Operand::Kind::Register ||
      !Pointers.try_emplace(I.Defs[0], P).second) {
    Variables[P.Variable].Escapes = true;
    if (!I.Defs.empty())
      if (auto It = Pointers.find(I.Defs[0]); It != Pointers.end())
        Variables[It->second.Variable].Escapes = true;
    return;
  }
  Work.push_back(I.Defs[0]);
}

/// A load or store of \p P.
void LocalPromotion::Builder::access(const Instruction &I, Pointer P) {
  State &V = Variables[P.Variable];
  const MemoryEffect &Effect = I.Effects[0];
  const Operand &Address = I.Operands[Effect.AddressOperand];
  bool IsStore = Effect.Access == AccessKind::Store;
  const Operand &Data = I.Operands[IsStore ? 1 : 0];
  size_t Dot = I.Modifiers.rfind('.');
  std::optional<ScalarType> T =
      parseScalarType(I.Modifiers.drop_front(Dot + 1));
  if ((Effect.Space != AddressSpace::Local &&
       Effect.Space != AddressSpace::Generic) ||
      !T) {
    V.IsLost = true;
    return;
  }
  if (!P.Offset) {
    if (IsStore)
      Clobbers.emplace_back(&I, P.Variable);
    return;
  }
  unsigned Count =
      Data.Which == Operand::Kind::Vector ? unsigned(Data.Elements.size()) : 1;
  unsigned Bytes = (bitWidth(*T) + 7) / 8;
  int64_t Offset;
  if (__builtin_add_overflow(*P.Offset, Address.integer(), &Offset) ||
      Offset < 0 || uint64_t(Offset) > V.Var->Bytes ||
      V.Var->Bytes - uint64_t(Offset) < uint64_t(Count) * Bytes) {
    V.IsLost = true; // beyond its ends
    return;
  }
  for (unsigned N = 0; N != Count; ++N)
    Pieces.push_back(
        {&I, N, P.Variable, Offset + int64_t(N) * Bytes, Bytes, *T});
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// What may write a variable whose address is known elsewhere.
void LocalPromotion::Builder::findClobbers() {
  SmallVector<unsigned, 4> Escaped;
  for (unsigned N = 0; N != Variables.size(); ++N)
    if (Variables[N].Escapes && !Variables[N].IsLost)
      Escaped.push_back(N);
  if (!Escaped.empty())
    G.forEachInstruction([&](const Instruction &I) {
      bool Writes = I.IsCall || I.IsUnknown;
      for (const MemoryEffect &E : I.Effects)
        Writes |= E.Access != AccessKind::Load &&
                  E.Access != AccessKind::Prefetch &&
                  (E.Space == AddressSpace::Generic ||
                   E.Space == AddressSpace::Local);
      if (!Writes)
        return;
      // A store through a pointer that was followed writes there alone.
      const Operand *Base = nullptr;
      if (!I.IsCall && Opcode(I.Opcode) == Opcode::St &&
          I.Effects.size() == 1) {
        const Operand &Address = I.Operands[I.Effects[0].AddressOperand];
        if (Address.Elements.size() == 1)
          Base = Address.Elements.data();
      }
      if (Base && (Base->Which == Operand::Kind::Variable ||
                   (Base->Which == Operand::Kind::Register &&
                    Pointers.count(Base->Val))))
        return;
      for (unsigned N : Escaped)
        Clobbers.emplace_back(&I, N);
    });
  for (const auto &C : Clobbers)
    ++Variables[C.second].NumClobbers;
}

void LocalPromotion::Builder::findSlots() {
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
                       StringRef(Text, Name.size()), V.Var,
                       uint64_t(P.Offset)});
    }
    First = Last;
  }
  // A clobber is a definition of every slot; too many of both are not worth
  // their time.
  uint64_t Budget = 4096 + 16 * uint64_t(G.NumInstructions);
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

Value *LocalPromotion::Builder::newValue(unsigned S, Instruction *Def) {
  auto *V = new (Out.Values.Allocate()) Value;
  V->Id = unsigned(G.Values.size() + Out.NumValues++);
  V->Version = Slots[S].Versions++;
  V->Type = Slots[S].Type;
  V->Name = Slots[S].Name;
  V->Def = Def;
  return V;
}

Value *LocalPromotion::Builder::current(unsigned S) {
  if (Current[S])
    return Current[S];
  if (!Undefined[S])
    Undefined[S] = newValue(S, nullptr);
  return Undefined[S];
}

void LocalPromotion::Builder::define(unsigned S, Value *V) {
  Undo.emplace_back(S, Current[S]);
  Current[S] = V;
}

void LocalPromotion::Builder::placePhis(PhiPlaces &Places) {
  // By slot: the blocks that write it, and that read it before they do.
  std::vector<SmallVector<Block *, 2>> Defs(Slots.size()), Uses(Slots.size());
  auto AddLast = [](SmallVectorImpl<Block *> &List, Block *B) {
    if (List.empty() || List.back() != B)
      List.push_back(B);
  };
  for (const Event &E : Events) {
    Block *B = E.I->Parent;
    if (E.IsClobber) {
      const State &V = Variables[E.Of];
      for (unsigned S = V.FirstSlot; S != V.FirstSlot + V.NumSlots; ++S) {
        if (Defs[S].empty() || Defs[S].back() != B)
          AddLast(Uses[S], B);
        AddLast(Defs[S], B);
      }
      continue;
    }
    bool IsStore = E.I->Effects[0].Access == AccessKind::Store;
    bool IsWritten = !Defs[E.Of].empty() && Defs[E.Of].back() == B;
    if (!IsWritten && (!IsStore || E.I->HasGuard))
      AddLast(Uses[E.Of], B);
    if (IsStore)
      AddLast(Defs[E.Of], B);
  }
  PhiSlots.resize(G.Blocks.size());
  for (unsigned S = 0; S != Slots.size(); ++S) {
    if (Defs[S].empty() || Uses[S].empty())
      continue;
    for (Block *B : Places.compute(Defs[S], Uses[S])) {
      auto *Phi = new (Out.Arena.Allocate<Instruction>()) Instruction;
      Phi->Which = Instruction::Pseudo::Phi;
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
  }
}

void LocalPromotion::Builder::renameBlock(Block *B) {
  for (auto [S, Phi] : PhiSlots[B->Number])
    define(S, Phi->Defs[0]);
  for (unsigned N = FirstEvent[B->Number]; N != FirstEvent[B->Number + 1];
       ++N) {
    const Event &E = Events[N];
    if (E.IsClobber) {
      const State &V = Variables[E.Of];
      for (unsigned S = V.FirstSlot; S != V.FirstSlot + V.NumSlots; ++S) {
        Value *Before = current(S);
        Value *After = newValue(S, const_cast<Instruction *>(E.I));
        Out.Clobbers[E.I].push_back({V.Var, Slots[S].Offset,
                                     bitWidth(Slots[S].Type) / 8, Before,
                                     After});
        define(S, After);
      }
      continue;
    }
    SmallVectorImpl<LocalPromotion::Element> &List = Out.Accesses[E.I];
    if (List.size() <= E.Element)
      List.resize(E.Element + 1);
    LocalPromotion::Element &Element = List[E.Element];
    bool IsStore = E.I->Effects[0].Access == AccessKind::Store;
    if (!IsStore || E.I->HasGuard) {
      Value *V = current(E.Of);
      Element.Before = V;
      V->Users.push_back(const_cast<Instruction *>(E.I));
    }
    if (IsStore) {
      Value *V = newValue(E.Of, const_cast<Instruction *>(E.I));
      Element.After = V;
      define(E.Of, V);
    }
  }
  for (auto [S, Edge] : llvm::zip(B->Successors, EdgeIndex[B->Number]))
    for (auto [Slot, Phi] : PhiSlots[S->Number]) {
      Phi->Uses[Edge] = current(Slot);
      Phi->Uses[Edge]->Users.push_back(Phi);
    }
}

void LocalPromotion::Builder::rename(PhiPlaces &Places) {
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
}
