//===- PollingLoops.cpp - Loops that wait for others ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/PollingLoops.h"
#include "ptxpredict/Graph/PTXInstruction.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <algorithm>

using namespace ptxpredict;
using ptx::Opcode;

StringRef ptxpredict::toString(PollKind K) {
  switch (K) {
  case PollKind::MBarrier:
    return "mbarrier";
  case PollKind::Memory:
    return "memory";
  case PollKind::Lock:
    return "lock";
  case PollKind::Clock:
    return "clock";
  }
  llvm_unreachable("unknown kind");
}

std::string PollingLoop::waitsFor() const {
  std::string Text = toString(Kind).str();
  return Object.empty() ? Text : Text + " " + Object.str();
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Whether an atomic operation leaves in memory what it found there.
static bool changesNothing(const Instruction &I) {
  if (I.Operands.empty() || I.Operands.back().Kind != Operand::KindTy::Integer)
    return false;
  const uint64_t With = I.Operands.back().Bits;
  auto Has = [&](StringRef M) { return ptx::hasModifier(I.Modifiers, M); };
  return Has("and") ? int32_t(With) == -1
                    : With == 0 && (Has("add") || Has("or") || Has("xor"));
}

/// Whether \p I of machine code asks shared memory again and again: nothing
/// says there that a load is volatile.
static bool asksAgain(const Instruction &I) {
  constexpr size_t MaxAsking = 16;
  const Block &B = *I.Parent;
  return I.Machine && I.Effects.size() == 1 &&
         I.Effects[0].Space == AddressSpace::Shared &&
         B.Instructions.size() <= MaxAsking &&
         llvm::is_contained(B.Successors, &B) &&
         llvm::none_of(B.Instructions, [](const Instruction *In) {
           return In->IsBlockBarrier ||
                  llvm::any_of(In->Effects,
                               [](const MemoryEffect &E) { return E.Writes; });
         });
}

/// What \p I asks for, if it may be a poll.
static std::optional<PollKind> pollKind(const Instruction &I) {
  auto Has = [&](StringRef M) { return ptx::hasModifier(I.Modifiers, M); };
  switch (Opcode(I.Opcode)) {
  case Opcode::MbarrierTestWait:
  case Opcode::MbarrierTryWait:
    return PollKind::MBarrier;
  case Opcode::Ld:
    if (Has("volatile") || Has("acquire") || Has("relaxed") || Has("mmio") ||
        asksAgain(I))
      return PollKind::Memory;
    return std::nullopt;
  case Opcode::Atom:
    if (Has("cas") || Has("exch"))
      return PollKind::Lock;
    return changesNothing(I) ? std::optional(PollKind::Memory) : std::nullopt;
  default:
    return ptx::readsClock(I) ? std::optional(PollKind::Clock) : std::nullopt;
  }
}

/// A load that the compiler may take for one that nobody else writes to.
static bool isWeakLoad(const Instruction &I) {
  return I.Class == OpClass::Load && !pollKind(I);
}

static bool readsOwnMemory(const Instruction &I) {
  return llvm::all_of(I.Effects, [](const MemoryEffect &E) {
    return E.Space == AddressSpace::Param || E.Space == AddressSpace::Const;
  });
}

/// Whether \p I does something that others see, or something that takes time
/// for a reason of its own.
static bool doesWork(const Instruction &I) {
  if (I.isPseudo() || pollKind(I))
    return false;
  if (I.IsCall || I.IsExit || I.IsBlockBarrier || I.IsUnknown)
    return true;
  switch (I.Class) {
  case OpClass::Store:
  case OpClass::Atomic:
  case OpClass::Async:
  case OpClass::Tensor:
  case OpClass::Texture:
    return true;
  default:
    return llvm::any_of(I.Effects,
                        [](const MemoryEffect &E) { return E.Writes; });
  }
}

static bool isOfShared(const Instruction &I) {
  return !I.Effects.empty() &&
         llvm::all_of(I.Effects, [](const MemoryEffect &E) {
           return E.Space == AddressSpace::Shared;
         });
}

/// Whether \p I may be a part of handing over what a thread found to the others
/// of its block: a store to shared memory, and the barrier behind it.
static bool mayHandOver(const Instruction &I) {
  return Opcode(I.Opcode) == Opcode::St ? isOfShared(I)
                                        : I.IsBlockBarrier && I.Defs.empty();
}

static bool isStore(const Instruction &I) {
  return !I.isPseudo() && Opcode(I.Opcode) == Opcode::St;
}

/// The only variable or parameter that goes into the address of \p Poll.
static StringRef objectOf(const Instruction &Poll) {
  constexpr size_t MaxValues = 256;
  StringRef Found;
  bool IsOne = true;
  llvm::SmallPtrSet<const Instruction *, 16> Seen;
  SmallVector<const Instruction *, 16> Work;
  const StringRef Function = Poll.Parent->Parent->Name;
  auto Look = [&](const Instruction &I) {
    forEachOperand(I.Operands, [&](const Operand &O) {
      StringRef Name = O.Kind == Operand::KindTy::Variable ? O.Var->Name
                       : O.Kind == Operand::KindTy::Parameter
                           ? O.Param->shownName()
                           : StringRef();
      // nvcc and clang name them after the function.
      if (StringRef Short = Name;
          Short.consume_front(Function) && Short.consume_front("_param_"))
        Name = Name.take_back(Short.size() + StringRef("param_").size());
      IsOne &= Name.empty() || Found.empty() || Found == Name;
      Found = Name.empty() ? Found : Name;
    });
    for (const Value *V : I.Uses)
      if (V->Def && V->Type != ScalarType::Pred && V != I.Guard &&
          Seen.insert(V->Def).second)
        Work.push_back(V->Def);
  };
  Look(Poll);
  while (!Work.empty() && Seen.size() < MaxValues) {
    const Instruction *I = Work.pop_back_val();
    if (I->Class == OpClass::Load && !readsOwnMemory(*I))
      return {};
    Look(*I);
  }
  return IsOne && Work.empty() ? Found : StringRef();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// What values of a loop come from, as far as they change within it.
struct Origins {
  SmallVector<const Instruction *, 4> Polls;
  SmallVector<const Instruction *, 4> Carried; ///< phis of the loop's header
  bool HasClock = false;
  bool HasOther = false; ///< a weak load, or what another operation returned
};

/// Looks at one loop.
class LoopMatcher {
public:
  /// \p Known has the polling loops inside, which may belong to a scan that
  /// looks back.
  LoopMatcher(const ControlFlow &CF, unsigned Number,
              ArrayRef<PollingLoop> Known)
      : CF(CF), C(CF.cycles()[Number]), Known(Known) {
    Loop.Cycle = Number;
  }

  /// \p HasInner: there are some. \p HandsOver: shared memory is written, or
  /// there is a barrier.
  std::optional<PollingLoop> match(bool HasInner, bool HandsOver);

private:
  /// Values of the loop behind \p From, across polls not. With \p DataOnly what
  /// chooses between values does not count.
  Origins originsOf(ArrayRef<const Value *> From, bool DataOnly);
  void addSources(const Instruction &I, bool DataOnly, Origins &Out);
  void addConditions(const Block &From, const Block *To);
  void add(const Value *V) {
    if (V && V->Def && C.contains(V->Def->Parent) && Seen.insert(V).second)
      Reached.push_back(V);
  }
  bool changesByItself(const Instruction &Phi);
  bool handsOverPolls();
  bool classifyExits();
  bool isWaitedFor(const Instruction &Poll) const;
  bool asksTheSame();
  bool carriesWork();
  void findOnce();

  const ControlFlow &CF;
  const Cycle &C;
  ArrayRef<PollingLoop> Known;
  PollingLoop Loop;
  SmallVector<const Value *, 4> HandedOver; ///< through shared memory
  // Of the present search.
  llvm::SmallPtrSet<const Value *, 32> Seen;
  SmallVector<const Value *, 32> Reached;
  llvm::SmallPtrSet<const Block *, 8> Conditioned;

  SmallVector<const Instruction *, 4> Polls;          ///< that decide an exit
  llvm::SmallPtrSet<const Instruction *, 8> Deciding; ///< phis of the header
  bool HasCounter = false; ///< one that decides an exit
  bool GivesUp = false;    ///< an exit that no poll decides
  bool Moves = false;      ///< a poll asks for another thing each time
};

} // namespace

/// The conditions under which control comes from the block that dominates
/// \p To to \p From.
void LoopMatcher::addConditions(const Block &From, const Block *To) {
  for (const Block *B = &From; B && C.contains(B) && B != To;
       B = CF.immediateDominator(B)) {
    if (!Conditioned.insert(B).second)
      break;
    if (const Instruction *T = B->terminator())
      add(T->Guard);
  }
  if (To && C.contains(To) && Conditioned.insert(To).second)
    if (const Instruction *T = To->terminator())
      add(T->Guard);
}

void LoopMatcher::addSources(const Instruction &I, bool DataOnly,
                             Origins &Out) {
  const bool IsCarried = I.isPhi() && I.Parent == C.Header;
  if (IsCarried)
    Out.Carried.push_back(&I);
  if (I.isPhi()) {
    const Block *Above = IsCarried ? C.Header : CF.immediateDominator(I.Parent);
    for (auto [V, From] : llvm::zip_equal(I.Uses, I.Parent->Predecessors)) {
      if (!C.contains(From))
        continue;
      add(V);
      if (!DataOnly && (!IsCarried || C.Latches.size() > 1))
        addConditions(*From, Above);
    }
    return;
  }
  if (!I.isPseudo()) {
    if (std::optional<PollKind> K = pollKind(I)) {
      if (*K == PollKind::Clock)
        Out.HasClock = true;
      else
        Out.Polls.push_back(&I);
      if (!DataOnly)
        add(I.Guard);
      return;
    }
    if (!HandedOver.empty() && isWeakLoad(I) && isOfShared(I)) {
      for (const Value *V : HandedOver)
        add(V);
      return;
    }
    if ((I.Class == OpClass::Load && !readsOwnMemory(I)) || doesWork(I)) {
      Out.HasOther = true;
      return;
    }
  }
  const bool IsChoice = I.isSelect() || Opcode(I.Opcode) == Opcode::Selp;
  ArrayRef<Value *> Uses = I.Uses;
  if (DataOnly && IsChoice)
    Uses = I.isSelect() ? Uses.drop_front() : Uses.drop_back();
  for (const Value *V : Uses)
    add(V);
}

Origins LoopMatcher::originsOf(ArrayRef<const Value *> From, bool DataOnly) {
  Origins Out;
  Seen.clear();
  Reached.clear();
  Conditioned.clear();
  for (const Value *V : From)
    add(V);
  size_t Next = 0;
  while (Next != Reached.size()) // it grows
    addSources(*Reached[Next++]->Def, DataOnly, Out);
  return Out;
}

/// Whether what \p Phi holds next depends on what it holds.
bool LoopMatcher::changesByItself(const Instruction &Phi) {
  SmallVector<const Value *, 2> Next;
  for (auto [V, From] : llvm::zip_equal(Phi.Uses, Phi.Parent->Predecessors))
    if (C.contains(From))
      Next.push_back(V);
  return llvm::is_contained(originsOf(Next, /*DataOnly=*/true).Carried, &Phi);
}

/// Whether \p I asks for something else than shared memory's contents.
static bool asksOutside(const Instruction &I) {
  return *pollKind(I) == PollKind::MBarrier ||
         llvm::all_of(I.Effects, [](const MemoryEffect &E) {
           return E.Space == AddressSpace::Global;
         });
}

/// Whether what the loop stores in shared memory is what polls returned, at
/// places that stay, and what it loads there, too. A loop that asks for what it
/// stored itself works: an addition that looks whether it was the last.
bool LoopMatcher::handsOverPolls() {
  SmallVector<const Value *, 4> Places;
  for (const Block *B : C.Blocks)
    for (const Instruction *I : B->Instructions) {
      if (!I->isPseudo() && pollKind(*I) && !asksOutside(*I))
        return false;
      if (I->isPseudo() || !isOfShared(*I) || !(isStore(*I) || isWeakLoad(*I)))
        continue;
      const Operand &Place = I->Operands[I->Effects.front().AddressOperand];
      forEachOperand(ArrayRef(Place), [&](const Operand &O) {
        if (O.Kind == Operand::KindTy::Register)
          Places.push_back(O.Val);
      });
      if (isStore(*I))
        for (const Value *V : I->Uses)
          if (V != I->Guard && !llvm::is_contained(Places, V))
            HandedOver.push_back(V);
    }
  const Origins OfPlaces = originsOf(Places, /*DataOnly=*/true);
  const Origins Stored = originsOf(HandedOver, /*DataOnly=*/true);
  return OfPlaces.Polls.empty() && OfPlaces.Carried.empty() &&
         !OfPlaces.HasOther && !OfPlaces.HasClock && Stored.Carried.empty() &&
         !Stored.HasOther && !Stored.HasClock;
}

/// False if something else than polls, time and attempts ends the loop.
bool LoopMatcher::classifyExits() {
  constexpr size_t MaxExits = 16, MaxCarried = 16;
  if (C.ExitingBlocks.size() > MaxExits)
    return false;
  SmallVector<const Instruction *, 2> ByClock;
  for (const Block *B : C.ExitingBlocks) {
    const Instruction *T = B->terminator();
    if (!T || !T->Guard || B->Successors.size() != 2 ||
        C.contains(B->Successors[0]) == C.contains(B->Successors[1]))
      return false;
    Origins From = originsOf(T->Guard, /*DataOnly=*/false);
    if (From.HasOther || From.Carried.size() > MaxCarried)
      return false;
    Deciding.insert(From.Carried.begin(), From.Carried.end());
    if (From.HasClock)
      ByClock.push_back(T);
    if (From.Polls.empty()) {
      GivesUp = true;
      continue;
    }
    Loop.Exits.push_back(T);
    Polls.append(From.Polls);
    for (const Instruction *Phi :
         originsOf(T->Guard, /*DataOnly=*/true).Carried)
      HasCounter |= changesByItself(*Phi);
  }
  if (Loop.Exits.empty() && !ByClock.empty() &&
      ByClock.size() == C.ExitingBlocks.size()) {
    Loop.Kind = PollKind::Clock;
    Loop.Exits.append(ByClock.begin(), ByClock.end());
    Loop.Poll = ByClock.front();
  }
  return !Loop.Exits.empty();
}

/// Whether a polling loop inside asks until there is an answer, and that before
/// anything ends this loop.
bool LoopMatcher::isWaitedFor(const Instruction &Poll) const {
  return llvm::all_of(
             C.ExitingBlocks,
             [&](const Block *B) { return CF.dominates(Poll.Parent, B); }) &&
         llvm::any_of(Known, [&](const PollingLoop &L) {
           return L.Cycle != Loop.Cycle &&
                  CF.cycles()[L.Cycle].contains(Poll.Parent) &&
                  C.contains(CF.cycles()[L.Cycle].Header);
         });
}

/// Whether the polls that end the loop ask for the same thing each time, or
/// for what the threads before have done: if each place is waited for the loop
/// may end with the first of them, too.
bool LoopMatcher::asksTheSame() {
  for (const Instruction *P : Polls) {
    SmallVector<const Value *, 4> Asked(P->Uses.begin(), P->Uses.end());
    llvm::erase(Asked, P->Guard);
    Origins From = originsOf(Asked, /*DataOnly=*/true);
    if (!From.Polls.empty() || From.HasOther || From.HasClock)
      return false;
    if (From.Carried.empty())
      continue;
    const bool IsGlobal = Opcode(P->Opcode) == Opcode::Ld &&
                          llvm::all_of(P->Effects, [](const MemoryEffect &E) {
                            return E.Space == AddressSpace::Global ||
                                   E.Space == AddressSpace::Generic;
                          });
    if (!IsGlobal || ((GivesUp || HasCounter) && !isWaitedFor(*P)))
      return false;
    Moves = true;
  }
  return true;
}

/// Whether the loop leaves behind what iterations added up, and what decides
/// neither its end nor how long it naps.
bool LoopMatcher::carriesWork() {
  constexpr size_t MaxCarried = 16;
  SmallVector<const Value *, 8> LeftBehind, Naps;
  for (const Block *B : C.Blocks)
    for (const Instruction *I : B->Instructions) {
      if (!I->isPseudo() && Opcode(I->Opcode) == Opcode::Nanosleep)
        Naps.append(I->Uses.begin(), I->Uses.end());
      for (const Value *V : I->Defs)
        if (llvm::any_of(V->Users, [&](const Instruction *User) {
              return !C.contains(User->Parent);
            }))
          LeftBehind.push_back(V);
    }
  const Origins OfNaps = originsOf(Naps, /*DataOnly=*/false);
  Deciding.insert(OfNaps.Carried.begin(), OfNaps.Carried.end());
  const Origins From = originsOf(LeftBehind, /*DataOnly=*/true);
  return From.Carried.size() > MaxCarried ||
         llvm::any_of(From.Carried, [&](const Instruction *Phi) {
           return !Deciding.contains(Phi) && changesByItself(*Phi);
         });
}

/// Finds what runs until a poll is answered with yes.
void LoopMatcher::findOnce() {
  llvm::SmallPtrSet<const Block *, 8> Runs;
  SmallVector<const Block *, 8> Work = {C.Header};
  Runs.insert(C.Header);
  while (!Work.empty()) {
    const Block *B = Work.pop_back_val();
    const Instruction *T = B->terminator();
    if (T && Loop.isExit(*T))
      continue;
    for (const Block *S : B->Successors)
      if (C.contains(S) && Runs.insert(S).second)
        Work.push_back(S);
  }
  for (const Block *B : C.Blocks)
    if (Runs.contains(B))
      Loop.Once.push_back(B);
}

std::optional<PollingLoop> LoopMatcher::match(bool HasInner, bool HandsOver) {
  if (!C.Reducible || (HandsOver && !handsOverPolls()) || !classifyExits())
    return std::nullopt;
  if (Loop.Kind != PollKind::Clock) {
    if (!asksTheSame())
      return std::nullopt;
    Loop.Poll = *llvm::min_element(
        Polls, [](const auto *A, const auto *B) { return A->Id < B->Id; });
    Loop.Kind = *pollKind(*Loop.Poll);
    Loop.Object = objectOf(*Loop.Poll);
  }
  // What looks back adds up what it finds.
  if ((!HasInner || HandsOver) && !Moves && carriesWork())
    return std::nullopt;
  findOnce();
  return std::move(Loop);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

PollingLoops::PollingLoops(const InstructionGraph &G) {
  const auto &CF = G.analysis<ControlFlow>();
  ArrayRef<Cycle> Cycles = CF.cycles();
  // A loop with this many loops around one another in it is not looked at, so
  // that no instruction is looked at more often.
  constexpr unsigned MaxLevels = 4;
  struct Contents {
    bool HasPoll = false, DoesWork = false, LoadsWeakly = false;
    /// May hand something over: stores it in shared memory, and loads there.
    bool HandsOver = false, StoresShared = false, LoadsShared = false;
    bool HasInner = false; ///< polling loops

    bool mayPoll() const {
      return HasPoll && !DoesWork &&
             (HasInner || !(LoadsWeakly || (LoadsShared && !StoresShared)));
    }
    void add(const Contents &Inner) {
      HasPoll |= Inner.HasPoll;
      DoesWork |= Inner.DoesWork;
      LoadsWeakly |= Inner.LoadsWeakly;
      HandsOver |= Inner.HandsOver;
      StoresShared |= Inner.StoresShared;
      LoadsShared |= Inner.LoadsShared;
      HasInner |= Inner.HasInner;
      Levels = std::max(Levels, Inner.Levels + 1);
    }
    unsigned Levels = 1;
  };
  std::vector<Contents> In(Cycles.size());
  bool HasAny = false;
  for (const Block *B : G.Blocks) {
    int Cycle = CF.innermostCycle(B);
    if (Cycle < 0)
      continue;
    Contents &Of = In[unsigned(Cycle)];
    for (const Instruction *I : B->Instructions) {
      const bool IsHandOver = !I->isPseudo() && mayHandOver(*I);
      Of.HandsOver |= IsHandOver;
      Of.StoresShared |= IsHandOver && isStore(*I);
      Of.DoesWork |= !IsHandOver && doesWork(*I);
      if (Of.DoesWork)
        break;
      Of.HasPoll |= !I->isPseudo() && pollKind(*I);
      if (isWeakLoad(*I) && !readsOwnMemory(*I))
        (isOfShared(*I) ? Of.LoadsShared : Of.LoadsWeakly) = true;
    }
    HasAny |= Of.HasPoll;
  }
  if (!HasAny)
    return;
  for (unsigned N = unsigned(Cycles.size()); N-- != 0;) {
    Contents &Of = In[N];
    if (Of.Levels <= MaxLevels && Of.mayPoll())
      if (std::optional<PollingLoop> L =
              LoopMatcher(CF, N, Loops).match(Of.HasInner, Of.HandsOver)) {
        Loops.push_back(std::move(*L));
        Of.HasInner = true;
      }
    if (Cycles[N].ParentIndex < 0)
      continue;
    In[unsigned(Cycles[N].ParentIndex)].add(Of);
  }
  std::reverse(Loops.begin(), Loops.end());
}

const PollingLoop *PollingLoops::of(unsigned Cycle) const {
  auto It =
      llvm::lower_bound(Loops, Cycle, [](const PollingLoop &L, unsigned N) {
        return L.Cycle < N;
      });
  return It != Loops.end() && It->Cycle == Cycle ? &*It : nullptr;
}
