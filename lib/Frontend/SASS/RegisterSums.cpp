//===- RegisterSums.cpp - Sums of 64 bits by halves -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftOperands.h"
#include "OperationTable.h"
#include "RegisterPairs.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {
/// What an addition adds, and where carries go and come from.
struct Addition {
  SmallVector<const MachineOperand *, 3> Terms;
  SmallVector<const MachineOperand *, 2> CarriesOut, CarriesIn;
};
} // namespace

/// \p I as an addition; nothing if it is none.
static std::optional<Addition> additionOf(const MachineInstruction &I) {
  const StringRef Name = I.mnemonic();
  Addition A;
  const bool Multiplies = Name == "IMAD" || Name == "UIMAD";
  if (hasWord(I, "64") || hasWord(I, "WIDE") || hasWord(I, "HI"))
    return std::nullopt;
  if (Name != "IADD3" && Name != "UIADD3" && Name != "IADD" && !Multiplies)
    return std::nullopt;
  for (const MachineOperand &O : I.Operands) {
    const OperandRow &Row = I.Operation->Operands[O.Row];
    if (Row.Kind == OperandRow::Predicate) {
      if (Row.Lowest == 81 || Row.Lowest == 84) {
        if (!isTrue(O))
          A.CarriesOut.push_back(&O);
      } else if (!isTrue(O) || !O.Inverted) {
        A.CarriesIn.push_back(&O);
      }
    } else if (Row.Kind != OperandRow::Register) {
      A.Terms.push_back(&O);
    }
  }
  if (Multiplies) {
    if (A.Terms.size() != 3)
      return std::nullopt;
    auto Is = [&](unsigned N, int64_t Value) {
      const MachineOperand &O = *A.Terms[N];
      return O.Kind == OperandKind::Register
                 ? Value == 0 && O.Number == MachineOperand::RegisterZero
             : O.Kind == OperandKind::Uniform
                 ? Value == 0 && O.Number == UniformZero
                 : O.Kind == OperandKind::Integer && O.Value == Value;
    };
    if (Is(0, 0) || Is(1, 0))
      A.Terms.erase(A.Terms.begin(), A.Terms.begin() + 2);
    else if (Is(1, 1))
      A.Terms.erase(A.Terms.begin() + 1);
    else
      return std::nullopt;
  }
  return A;
}

/// How well two operands look like the halves of one.
static int fits(const MachineOperand &Low, const MachineOperand &High) {
  if (isZero(Low) && isZero(High))
    return 4;
  if (Low.Kind != High.Kind)
    return isZero(High) ? 1 : 0;
  if (Low.Kind == OperandKind::Constant)
    return Low.Number == High.Number && High.Value == Low.Value + 4 ? 4 : 0;
  if (Low.Kind == OperandKind::Integer)
    return 3;
  return High.Number == Low.Number + 1 ? 3 : 0;
}

/// What \p I writes besides predicates; null if nothing.
static Value *firstNumber(const Instruction &I) {
  for (Value *V : I.Defs)
    if (!machine::isPredicate(V->Register))
      return V;
  return nullptr;
}

/// Whether a carry of it goes on to a third part.
static bool handsOn(const Instruction &Upper) {
  return llvm::any_of(Upper.Defs, [](const Value *V) {
    return machine::isPredicate(V->Register) && !V->Users.empty();
  });
}

/// Whether both add the same without a carry: lower halves are computed again
/// where a register is dear.
bool RegisterPairs::addsTheSame(const Instruction &I, const Instruction &J) {
  const std::optional<Addition> A = additionOf(*M.machineOf(I)),
                                B = additionOf(*M.machineOf(J));
  if (!A || !B || !A->CarriesIn.empty() || !B->CarriesIn.empty())
    return false;
  using Term = std::pair<RegisterHalf, bool>;
  auto TermsOf = [&](const Instruction &Of, const Addition &All) {
    SmallVector<Term, 3> Terms;
    for (const MachineOperand *O : All.Terms)
      if (!isZero(*O))
        Terms.push_back({origin(half(Of, *O)), O->Negated});
    return Terms;
  };
  SmallVector<Term, 3> Left = TermsOf(I, *A);
  const SmallVector<Term, 3> Right = TermsOf(J, *B);
  for (const Term &T : Right) {
    auto It = llvm::find(Left, T);
    if (It == Left.end())
      return false;
    Left.erase(It);
  }
  return Left.empty();
}

/// Of the sum whose lower half \p Lower computes and hands the carry to
/// \p Upper.
PairNode *RegisterPairs::findSum(const Instruction &Lower,
                                 const Instruction &Upper) {
  auto It = Sums.find(&Upper);
  if (It != Sums.end()) {
    const PairNode *S = It->second;
    return S && (S->Made == &Lower ||
                 (S->Kind == PairNode::Sum && addsTheSame(*S->Made, Lower)))
               ? It->second
               : nullptr;
  }
  std::optional<Addition> Low = additionOf(*M.machineOf(Lower)),
                          High = additionOf(*M.machineOf(Upper));
  if (!Low || !High || !Low->CarriesIn.empty() || High->CarriesIn.empty() ||
      Low->CarriesOut.size() < High->CarriesIn.size())
    return nullptr;
  for (const MachineOperand *In : High->CarriesIn) {
    const unsigned Number = machine::numberOf(
        In->Kind == OperandKind::Predicate ? RegisterFile::Predicate
                                           : RegisterFile::UniformPredicate,
        In->Number);
    Value *V = MachineGraph::read(Upper, Number);
    V = V ? MachineGraph::seenBy(Upper, V) : nullptr;
    if (!V || V->Def != &Lower || In->Inverted)
      return nullptr;
  }
  // The upper halves in the order that fits best; missing ones are zero.
  SmallVector<unsigned, 3> Order, Best;
  const size_t N = std::max(Low->Terms.size(), High->Terms.size());
  for (unsigned T = 0; T != N; ++T)
    Order.push_back(T);
  static const MachineOperand Zero;
  auto LowAt = [&](size_t T) -> const MachineOperand & {
    return T < Low->Terms.size() ? *Low->Terms[T] : Zero;
  };
  auto HighAt = [&](size_t T) -> const MachineOperand & {
    return T < High->Terms.size() ? *High->Terms[T] : Zero;
  };
  auto Agree = [&](const MachineOperand &L, const MachineOperand &H) {
    if (L.Negated == H.Inverted)
      return true;
    return L.Negated && H.Kind == OperandKind::Integer;
  };
  int BestScore = -1;
  do {
    int Score = 0;
    bool Possible = true;
    for (size_t T = 0; T != N; ++T) {
      const MachineOperand &L = LowAt(T), &H = HighAt(Order[T]);
      Possible &= Agree(L, H);
      int Fit = fits(L, H);
      if (Fit == 0 && isSignOf(half(Upper, H), origin(half(Lower, L))))
        Fit = 3;
      Score += Fit;
    }
    if (Possible && Score > BestScore) {
      BestScore = Score;
      Best = Order;
    }
  } while (std::next_permutation(Order.begin(), Order.end()));
  if (BestScore < 0)
    return nullptr;
  Value *LowValue = firstNumber(Lower), *HighValue = firstNumber(Upper);
  if (!HighValue || handsOn(Upper))
    return nullptr;
  PairNode *Terms[3] = {};
  bool Negates[3] = {};
  for (size_t T = 0; T != N; ++T) {
    const MachineOperand &L = LowAt(T), &H = HighAt(Best[T]);
    RegisterHalf Upper32 = half(Upper, H);
    if (L.Negated && H.Kind == OperandKind::Integer)
      Upper32.Bits = ~Upper32.Bits;
    Terms[T] = pair(half(Lower, L), Upper32);
    Negates[T] = L.Negated;
    if (Terms[T]->Kind == PairNode::Number && Terms[T]->Bits == 0)
      Terms[T] = nullptr;
  }
  PairNode *S =
      make(PairNode::Sum,
           LowValue ? RegisterHalf::of(LowValue) : RegisterHalf::number(0),
           RegisterHalf::of(HighValue));
  S->A = Terms[0], S->B = Terms[1], S->C = Terms[2];
  S->NegatesA = Negates[0], S->NegatesB = Negates[1], S->NegatesC = Negates[2];
  keepSum(*S, Lower, Upper);
  return S;
}

PairNode *RegisterPairs::signExtended(RegisterHalf From) {
  auto &Slot = Known[{keyOf(From), {~uint64_t(0), 0}}];
  if (Slot)
    return Slot;
  if (From.Kind == RegisterHalf::Number) {
    Slot = make(PairNode::Number, From, From);
    Slot->Bits = uint64_t(int64_t(int32_t(From.Bits)));
    place(*Slot);
  } else {
    Slot = make(PairNode::SignExtended, From, RegisterHalf::number(0));
    place(*Slot);
    name(From, *Slot);
  }
  return Slot;
}

/// IADD3 and LEA.HI.X.SX32 by 1, which adds the sign of its first operand.
PairNode *RegisterPairs::findSignedSum(const Instruction &Lower,
                                       const Instruction &Upper) {
  const MachineInstruction &H = *M.machineOf(Upper);
  const std::optional<Addition> A = additionOf(*M.machineOf(Lower));
  const MachineOperand *Of = sourceOf(H, 0), *With = sourceOf(H, 1);
  if (!A || !A->CarriesIn.empty() || !hasWord(H, "SX32") || shiftOf(H) != 1U ||
      !Of || !With || Of->Negated || Of->Inverted || With->Negated ||
      With->Inverted)
    return nullptr;
  SmallVector<const MachineOperand *, 3> Terms;
  for (const MachineOperand *O : A->Terms)
    if (!isZero(*O))
      Terms.push_back(O);
  const RegisterHalf Signed = origin(half(Upper, *Of));
  if (Terms.size() != 2 || Terms[0]->Negated || Terms[1]->Negated)
    return nullptr;
  if (!(origin(half(Lower, *Terms[0])) == Signed))
    std::swap(Terms[0], Terms[1]);
  Value *LowValue = firstNumber(Lower), *HighValue = firstNumber(Upper);
  if (!(origin(half(Lower, *Terms[0])) == Signed) || !HighValue ||
      handsOn(Upper))
    return nullptr;
  PairNode *Left = signExtended(Signed);
  PairNode *Right = pair(half(Lower, *Terms[1]), half(Upper, *With));
  PairNode *S =
      make(PairNode::Sum,
           LowValue ? RegisterHalf::of(LowValue) : RegisterHalf::number(0),
           RegisterHalf::of(HighValue));
  S->A = Left, S->B = Right;
  keepSum(*S, Lower, Upper);
  return S;
}

/// Makes \p S what \p Lower and \p Upper compute.
void RegisterPairs::keepSum(PairNode &S, const Instruction &Lower,
                            const Instruction &Upper) {
  S.Made = &Lower;
  S.In = Upper.Parent;
  S.At = &Upper;
  ByInstruction[&Upper].push_back(&S);
  Sums[&Upper] = &S;
  if (S.Low.Kind == RegisterHalf::Register)
    Known[{keyOf(S.Low), keyOf(S.High)}] = &S;
}

/// LEA and LEA.HI.X.
PairNode *RegisterPairs::findScaled(const Instruction &Lower,
                                    const Instruction &Upper) {
  auto It = Sums.find(&Upper);
  if (It != Sums.end()) {
    const PairNode *S = It->second;
    return S && S->Made == &Lower ? It->second : nullptr;
  }
  const MachineInstruction &L = *M.machineOf(Lower), &H = *M.machineOf(Upper);
  auto IsLEA = [](const MachineInstruction &I) {
    return I.mnemonic() == "LEA" || I.mnemonic() == "ULEA";
  };
  if (!IsLEA(H) || !hasWord(H, "HI") || !hasWord(H, "X"))
    return nullptr;
  const MachineOperand *Carry = predicateOf(H, 87);
  if (!Carry || Carry->Inverted || isTrue(*Carry))
    return nullptr;
  Value *V = MachineGraph::read(
      Upper, machine::numberOf(Carry->Kind == OperandKind::Predicate
                                   ? RegisterFile::Predicate
                                   : RegisterFile::UniformPredicate,
                               Carry->Number));
  V = V ? MachineGraph::seenBy(Upper, V) : nullptr;
  if (!V || V->Def != &Lower)
    return nullptr;
  if (!IsLEA(L))
    return findSignedSum(Lower, Upper);
  if (hasWord(L, "HI"))
    return nullptr;
  const bool IsSigned = hasWord(H, "SX32");
  const MachineOperand *A = sourceOf(L, 0), *B = sourceOf(L, 1),
                       *HA = sourceOf(H, 0), *HB = sourceOf(H, 1),
                       *HC = sourceOf(H, 2);
  const std::optional<unsigned> Shift = shiftOf(L), HighShift = shiftOf(H);
  if (!A || !B || !HA || !HB || (!HC && !IsSigned) || Shift != HighShift ||
      !Shift || A->Negated || HA->Negated || HA->Inverted ||
      B->Negated != (HB->Inverted || HB->Negated))
    return nullptr;
  if (!(origin(half(Lower, *A)) == origin(half(Upper, *HA))))
    return nullptr;
  Value *LowValue = firstNumber(Lower), *HighValue = firstNumber(Upper);
  if (!HighValue || handsOn(Upper))
    return nullptr;
  PairNode *Of = nullptr;
  const RegisterHalf Low = half(Lower, *A);
  if (IsSigned) {
    Of = signExtended(origin(Low));
  } else {
    Of = pair(Low, half(Upper, *HC));
  }
  PairNode *Base = pair(half(Lower, *B), half(Upper, *HB));
  PairNode *S =
      make(PairNode::Scaled,
           LowValue ? RegisterHalf::of(LowValue) : RegisterHalf::number(0),
           RegisterHalf::of(HighValue));
  S->A = Of, S->B = Base;
  S->NegatesB = B->Negated;
  S->Shift = uint8_t(*Shift);
  keepSum(*S, Lower, Upper);
  return S;
}
