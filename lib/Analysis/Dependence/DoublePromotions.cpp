//===- DoublePromotions.cpp - Floats that become doubles and back ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Dependence/DoublePromotions.h"
#include "DoubleRoles.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::doubles;
using ptx::Opcode;

namespace {

/// What is known of a class.
struct WorkClass {
  bool IsKnownOutside = false; ///< or comes from there
  bool IsCarried = false;
  bool StartsSum = false;
  bool HasFloat = false;
  bool HasWork = false;  ///< more than conversions
  unsigned Meetings = 0; ///< of floats, as doubles
  int Promotion = -1;    ///< its number, once it is one
};

class PromotionFinder {
public:
  PromotionFinder(const InstructionGraph &G, const ControlFlow &CF)
      : G(G), CF(CF), Roles(G.NumInstructions), Seen(G.NumInstructions),
        Classes(G.NumInstructions), ClassesOf(G.NumInstructions) {}

  std::vector<DoublePromotion> run();

private:
  enum : uint8_t { WasPulled = 1, WasPushed = 2 };
  struct Item {
    const Instruction *I;
    bool Pushes;
  };

  Role role(const Instruction &I) const { return Roles[I.Id]; }
  void visit(const Instruction &I, bool Pushes) {
    Work.push_back({&I, Pushes});
  }
  void link(const Instruction &I, const Instruction &To, bool Pushes) {
    Classes.join(I.Id, To.Id);
    visit(To, Pushes);
  }
  void readCalls();
  void process(const Item &Next);
  void pull(const Instruction &I, bool Pushes);
  void push(const Instruction &I);
  void pass(const Instruction &I);
  bool isCarried(const Instruction &Phi) const;
  void weigh(const Instruction &I, WorkClass &C) const;
  void addInput(const Instruction &I,
                llvm::function_ref<int(const Instruction *)> NumberOf,
                std::vector<int> &Into,
                std::vector<DoublePromotion> &Found) const;
  bool isWidened(const Operand &O) const {
    const Instruction *D =
        O.Kind == Operand::KindTy::Register ? O.Val->Def : nullptr;
    return D && role(*D) == Role::Widening;
  }

  const InstructionGraph &G;
  const ControlFlow &CF;
  std::vector<Role> Roles;   ///< by instruction
  std::vector<uint8_t> Seen; ///< likewise
  llvm::IntEqClasses Classes;
  std::vector<WorkClass> ClassesOf; ///< by instruction, then by class
  std::vector<Item> Work;
  bool HasReadCalls = false;
  /// What stores, loads and passes a variable of the parameter space.
  llvm::DenseMap<const Variable *, SmallVector<const Instruction *, 4>> Passing;
};

/// Calls \p Visit for the values that go into \p I as data.
template <typename FnT>
void forEachData(const Instruction &I, FnT Visit) {
  for (const Value *U : I.Uses)
    if (U->Type != ScalarType::Pred)
      Visit(*U);
}

/// What comes in. Where else pieces go is no concern.
void PromotionFinder::pull(const Instruction &I, bool Pushes) {
  Pushes &= !takesPieces(role(I));
  forEachData(I, [&](const Value &U) {
    const Instruction *D = U.Def;
    if (!D) {
      ClassesOf[I.Id].IsKnownOutside |= U.IsArgument;
      return;
    }
    switch (role(*D)) {
    case Role::Widening:
      ClassesOf[I.Id].HasFloat = true;
      return;
    case Role::FromInteger:
    case Role::Constant:
    case Role::Floats:
    case Role::Comparison:
      return;
    case Role::Other:
    case Role::Call:
    case Role::Argument:
      ClassesOf[I.Id].IsKnownOutside = true;
      return;
    case Role::Narrowing: // an integer that decides on bits
    case Role::Unpack:
    case Role::Bits:
      return link(I, *D, false);
    case Role::Arithmetic:
    case Role::Pack:
      return link(I, *D, true);
    case Role::Transit:
    case Role::Result:
      return link(I, *D, Pushes);
    }
  });
}

/// Where it goes.
void PromotionFinder::push(const Instruction &I) {
  if (role(I) == Role::Narrowing || role(I) == Role::Comparison)
    return;
  for (const Value *D : I.Defs) {
    if (D->Type == ScalarType::Pred)
      continue;
    for (const Instruction *User : D->Users) {
      const Role R = role(*User);
      if (isWork(R) && R != Role::Result)
        link(I, *User, true);
      else if (R == Role::Other || R == Role::Call || R == Role::Result)
        ClassesOf[I.Id].IsKnownOutside = true;
    }
  }
}

void PromotionFinder::readCalls() {
  HasReadCalls = true;
  G.forEachInstruction([&](const Instruction &I) {
    if (role(I) == Role::Argument || role(I) == Role::Result)
      Passing[parameterOf(I)].push_back(&I);
    if (role(I) != Role::Call)
      return;
    for (const Operand &O : I.Operands)
      for (const Operand &E :
           O.Kind == Operand::KindTy::List ? O.Elements : ArrayRef(O))
        if (E.Kind == Operand::KindTy::Variable)
          Passing[E.Var].push_back(&I);
  });
}

/// What goes into a call decides what comes out of it.
void PromotionFinder::pass(const Instruction &I) {
  if (!HasReadCalls)
    readCalls();
  auto Link = [&](const Variable &V) {
    for (const Instruction *Other : Passing[&V])
      link(I, *Other, true);
  };
  if (role(I) != Role::Call)
    return Link(*parameterOf(I));
  if (!I.callee() || !I.callee()->Memory)
    ClassesOf[I.Id].IsKnownOutside = true;
  for (const Operand &O : I.Operands)
    for (const Operand &E :
         O.Kind == Operand::KindTy::List ? O.Elements : ArrayRef(O)) {
      if (E.Kind == Operand::KindTy::Variable)
        Link(*E.Var);
      else if (E.Kind != Operand::KindTy::Function)
        ClassesOf[I.Id].IsKnownOutside = true;
    }
}

void PromotionFinder::process(const Item &Next) {
  const Instruction &I = *Next.I;
  const uint8_t Flags = WasPulled | (Next.Pushes ? WasPushed : 0);
  const uint8_t New = uint8_t(Flags & ~Seen[I.Id]);
  Seen[I.Id] |= Flags;
  const Role R = role(I);
  if (New & WasPulled) {
    if (R == Role::Argument || R == Role::Result || R == Role::Call)
      pass(I);
    if (R != Role::Result && R != Role::Call)
      pull(I, Next.Pushes);
  }
  if (New & WasPushed)
    push(I);
}

/// Whether a loop carries something on in \p Phi.
bool PromotionFinder::isCarried(const Instruction &Phi) const {
  const int C = CF.innermostCycle(Phi.Parent);
  return C >= 0 && CF.cycles()[unsigned(C)].Header == Phi.Parent;
}

/// Notes what \p I shows about its class.
void PromotionFinder::weigh(const Instruction &I, WorkClass &C) const {
  const WorkClass &Own = ClassesOf[I.Id];
  C.IsKnownOutside |= Own.IsKnownOutside;
  C.HasFloat |= Own.HasFloat;
  C.IsCarried |= I.isPhi() && isCarried(I);
  C.HasWork |= role(I) == Role::Arithmetic || role(I) == Role::Comparison ||
               role(I) == Role::Call;
  if (role(I) != Role::Arithmetic)
    return;
  auto IsZero = [this](const Operand &O) {
    const Operand *X = &O;
    if (O.Kind == Operand::KindTy::Register && O.Val->Def &&
        role(*O.Val->Def) == Role::Constant && !O.Val->Def->Operands.empty() &&
        O.Val->Def->Effects.empty())
      X = &O.Val->Def->Operands[1];
    return X->Kind == Operand::KindTy::Float64 && X->Bits == 0;
  };
  const Opcode Op = Opcode(I.Opcode);
  ArrayRef<Operand> In = I.Operands.drop_front();
  if (In.size() < 2)
    return;
  // `x * 2.0` is the sum of x and x for a compiler.
  const bool IsDoubled =
      Op == Opcode::Add && In[0].Kind == Operand::KindTy::Register &&
      In[1].Kind == Operand::KindTy::Register && In[0].Val == In[1].Val;
  C.Meetings += isWidened(In[0]) && isWidened(In[1]) && !IsDoubled;
  const bool TakesFloat = isWidened(In[0]) || isWidened(In[1]);
  if (Op == Opcode::Add)
    C.StartsSum |= TakesFloat && (IsZero(In[0]) || IsZero(In[1]));
  else if ((Op == Opcode::Fma || Op == Opcode::Mad) && In.size() == 3)
    C.StartsSum |= TakesFloat && IsZero(In[2]);
}

/// Adds the conversion \p I to the promotion that it is of, if nothing else
/// needs it. What only asks something about the same float belongs to what is
/// rounded, such as the special cases of a function.
void PromotionFinder::addInput(
    const Instruction &I, llvm::function_ref<int(const Instruction *)> NumberOf,
    std::vector<int> &Into, std::vector<DoublePromotion> &Found) const {
  ArrayRef<Instruction *> Users = I.Defs[0]->Users;
  int Main = -1;
  for (const Instruction *User : Users)
    if (int N = NumberOf(User);
        N >= 0 && (Main < 0 || Found[unsigned(N)].Rounding))
      Main = N;
  if (Main < 0)
    return;
  DoublePromotion &To = Found[unsigned(Main)];
  for (const Instruction *User : Users)
    if (int N = NumberOf(User); N >= 0 && N != Main) {
      DoublePromotion &From = Found[unsigned(N)];
      if (From.Rounding || !To.Rounding)
        continue;
      llvm::append_range(To.Instructions, From.Instructions);
      llvm::append_range(To.Calls, From.Calls);
      From = {};
      Into[unsigned(N)] = Main; // which is rounded, and so stays
    }
  if (llvm::all_of(Users,
                   [&](const Instruction *U) { return NumberOf(U) >= 0; }))
    To.Instructions.push_back(&I);
}

std::vector<DoublePromotion> PromotionFinder::run() {
  std::vector<const Instruction *> Inputs; // from floats and integers
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions) {
      Roles[I->Id] = roleOf(*I);
      if (role(*I) == Role::Widening || role(*I) == Role::FromInteger)
        Inputs.push_back(I);
    }
  for (const Instruction *W : Inputs) {
    if (role(*W) != Role::Widening || W->Defs.empty())
      continue;
    for (const Instruction *User : W->Defs[0]->Users)
      if (isWork(role(*User)))
        visit(*User, true);
  }
  while (!Work.empty()) {
    Item Next = Work.back();
    Work.pop_back();
    process(Next);
  }
  Classes.compress();
  std::vector<WorkClass> ByClass(Classes.getNumClasses());
  auto ForEachSeen = [&](auto Visit) {
    for (const Block *B : G.Blocks)
      for (const Instruction *I : B->Instructions)
        if (Seen[I->Id])
          Visit(*I, ByClass[Classes[I->Id]]);
  };
  ForEachSeen([&](const Instruction &I, WorkClass &C) { weigh(I, C); });

  std::vector<DoublePromotion> Found;
  constexpr unsigned MostMeetings = 1;
  ForEachSeen([&](const Instruction &I, WorkClass &C) {
    const Role R = role(I);
    if (C.IsKnownOutside || C.IsCarried || C.StartsSum || !C.HasFloat ||
        !C.HasWork || C.Meetings > MostMeetings)
      return;
    if (!isDoubleWork(R) && R != Role::Call)
      return;
    if (C.Promotion < 0) {
      C.Promotion = int(Found.size());
      Found.emplace_back();
    }
    DoublePromotion &P = Found[unsigned(C.Promotion)];
    (R == Role::Call ? P.Calls : P.Instructions).push_back(&I);
    if (R == Role::Narrowing && conversion(I.Modifiers).first.contains('f'))
      P.Rounding = &I;
  });

  /// By promotion: the one that it went into, or itself.
  std::vector<int> Into(Found.size());
  std::iota(Into.begin(), Into.end(), 0);
  auto NumberOf = [&](const Instruction *User) {
    int N = Seen[User->Id] ? ByClass[Classes[User->Id]].Promotion : -1;
    return N < 0 ? N : Into[unsigned(N)];
  };
  for (const Instruction *I : Inputs)
    if (!I->Defs.empty())
      addInput(*I, NumberOf, Into, Found);
  llvm::erase_if(Found, [](const auto &P) { return P.Instructions.empty(); });
  for (DoublePromotion &P : Found)
    llvm::sort(P.Instructions, [](const Instruction *A, const Instruction *B) {
      return A->Id < B->Id;
    });
  llvm::sort(Found, [](const DoublePromotion &A, const DoublePromotion &B) {
    return A.Instructions[0]->Id < B.Instructions[0]->Id;
  });
  return Found;
}

} // namespace

bool ptxpredict::isDoubleWork(const Instruction &I) {
  return !I.isPseudo() && isDoubleWork(roleOf(I));
}

std::vector<DoublePromotion>
ptxpredict::findDoublePromotions(const InstructionGraph &G,
                                 const ControlFlow &CF) {
  return PromotionFinder(G, CF).run();
}
