//===- RegisterPairs.cpp - Values of 64 bits in pairs of registers --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RegisterPairs.h"
#include "LiftOperands.h"
#include "OperationTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

constexpr static uint32_t AllOnes = 0xffffffff;

bool sass::makesPair(const MachineInstruction &I) {
  const StringRef Name = I.mnemonic();
  const bool IsWide =
      hasWord(I, "64") || hasWord(I, "U64") || hasWord(I, "S64");
  return llvm::StringSwitch<bool>(Name)
      .Cases({"IMAD", "UIMAD"}, hasWord(I, "WIDE"))
      .Cases({"DADD", "DMUL", "DFMA"}, true)
      .Case("I2F", hasWord(I, "F64"))
      .Case("F2I", IsWide)
      .Case("F2F", I.Modifiers.size() >= 2 && firstFloatType(I) == "F64")
      .Case("FRND", hasWord(I, "F64"))
      .Cases(
          {"IADD", "MOV", "UMOV", "SEL", "USEL", "UIADD3", "IMNMX", "UIMNMX"},
          IsWide)
      .Default(false);
}

RegisterPairs::RegisterPairs(MachineGraph &M)
    : M(M), CF(M.graph().analysis<ControlFlow>()) {}

//===----------------------------------------------------------------------===//
// Halves
//===----------------------------------------------------------------------===//

RegisterHalf RegisterPairs::half(const Instruction &I, const MachineOperand &O,
                                 unsigned Ahead) {
  switch (O.Kind) {
  case OperandKind::Register:
  case OperandKind::Uniform: {
    const bool IsUniform = O.Kind == OperandKind::Uniform;
    if (O.Number == (IsUniform ? UniformZero : MachineOperand::RegisterZero))
      return RegisterHalf::number(0);
    Value *V = MachineGraph::read(
        I, machine::numberOf(IsUniform ? RegisterFile::Uniform
                                       : RegisterFile::General,
                             O.Number + Ahead));
    return V ? RegisterHalf::of(MachineGraph::seenBy(I, V))
             : RegisterHalf::number(0);
  }
  case OperandKind::Constant:
    if (O.Offset)
      return RegisterHalf::number(0);
    return RegisterHalf::constant(O.Number, uint32_t(O.Value) + 4 * Ahead);
  default:
    return RegisterHalf::number(Ahead == 0 ? uint32_t(O.Value)
                                           : uint32_t(uint64_t(O.Value) >> 32));
  }
}

const MachineInstruction *
RegisterPairs::definition(const RegisterHalf &H) const {
  return H.Kind == RegisterHalf::Register && H.Val->Def
             ? M.machineOf(*H.Val->Def)
             : nullptr;
}

/// Whether a product is zero, so that what is added comes out.
static bool addsToZero(const MachineInstruction &I) {
  if (hasWord(I, "WIDE") || hasWord(I, "HI") || hasWord(I, "X"))
    return false;
  auto IsZero = [](const MachineOperand *O) {
    return O &&
           ((O->Kind == OperandKind::Register &&
             O->Number == MachineOperand::RegisterZero) ||
            (O->Kind == OperandKind::Uniform && O->Number == UniformZero) ||
            (O->Kind == OperandKind::Integer && O->Value == 0));
  };
  return IsZero(sourceOf(I, 0)) || IsZero(sourceOf(I, 1));
}

/// The word of a bank that a load without an index writes to \p V.
static std::optional<RegisterHalf> loadedWord(const MachineInstruction &I,
                                              const Value &V) {
  for (StringRef Narrow : {"U8", "S8", "U16", "S16"})
    if (hasWord(I, Narrow))
      return std::nullopt;
  const MachineOperand *To = resultOf(I);
  for (const MachineOperand &O : I.Operands) {
    if (O.Kind != OperandKind::Constant || !To)
      continue;
    const unsigned Zero =
        O.IsUniformIndex ? UniformZero : MachineOperand::RegisterZero;
    if (O.Offset && *O.Offset != Zero)
      continue;
    const unsigned First =
        To->Number +
        (To->Kind == OperandKind::Uniform ? machine::FirstUniform : 0);
    return RegisterHalf::constant(O.Number,
                                  uint32_t(O.Value) + 4 * (V.Register - First));
  }
  return std::nullopt;
}

RegisterHalf RegisterPairs::origin(RegisterHalf H) {
  constexpr unsigned Enough = 64;
  for (unsigned N = 0; N != Enough; ++N) {
    const MachineInstruction *I = definition(H);
    if (!I)
      return H;
    const Instruction &Made = *H.Val->Def;
    const StringRef Name = I->mnemonic();
    const MachineOperand *From = nullptr;
    if ((Name == "MOV" || Name == "UMOV") && !makesPair(*I))
      From = sourceOf(*I, 0);
    else if ((Name == "IMAD" || Name == "UIMAD") && addsToZero(*I))
      From = sourceOf(*I, 2);
    else if (Name == "R2UR" && !hasWord(*I, "OR"))
      From = sourceOf(*I, 0);
    else if (Name == "LDC" || Name == "ULDC" || Name == "LDCU") {
      const std::optional<RegisterHalf> Word = loadedWord(*I, *H.Val);
      return Word ? *Word : H;
    } else if (Name == "CS2R" && isZeroRegister(*I))
      return RegisterHalf::number(0);
    else if (const std::optional<uint32_t> C = constantOf(*I))
      return RegisterHalf::number(*C);
    if (!From || From->Negated || From->Inverted || From->Absolute)
      return H;
    if (From->Kind == OperandKind::Constant && From->Offset)
      return H;
    H = half(Made, *From);
  }
  return H;
}

PairNode *RegisterPairs::source(const Instruction &I, const MachineOperand &O,
                                bool IsSigned) {
  if (O.Kind == OperandKind::Register || O.Kind == OperandKind::Uniform ||
      O.Kind == OperandKind::Constant)
    return pair(half(I, O), half(I, O, 1));
  if (O.Kind == OperandKind::Double)
    return pair(RegisterHalf::number(0),
                RegisterHalf::number(uint32_t(O.Value)));
  if (O.Kind == OperandKind::Hexadecimal && uint64_t(O.Value) >> 32)
    return pair(RegisterHalf::number(uint32_t(O.Value)),
                RegisterHalf::number(uint32_t(uint64_t(O.Value) >> 32)));
  const auto Low = uint32_t(O.Value);
  return pair(RegisterHalf::number(Low),
              RegisterHalf::number(IsSigned && int32_t(Low) < 0 ? AllOnes : 0));
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static std::pair<uint64_t, uint64_t> keyOf(const RegisterHalf &H) {
  return {uint64_t(H.Kind) << 56 | uint64_t(H.Bank0) << 32 | H.Bits,
          uint64_t(reinterpret_cast<uintptr_t>(H.Val))};
}

PairNode *RegisterPairs::make(PairNode::KindTy Kind, RegisterHalf Low,
                              RegisterHalf High) {
  auto *N = new (Memory.Allocate()) PairNode;
  N->Kind = Kind;
  N->Low = Low;
  N->High = High;
  return N;
}

/// The instruction behind which a value is there; null at a block's start.
static const Instruction *definedAt(const Value *V) {
  if (!V->Def || V->Def->isPhi())
    return nullptr;
  const Instruction *D = V->Def;
  while (D->isSelect()) // behind the instruction that wrote it
    D = D->Uses[1]->Def;
  return D;
}

/// Where both halves are there.
void RegisterPairs::place(PairNode &N) {
  const Block *Last = nullptr;
  const Instruction *At = nullptr;
  auto Take = [&](const Block *B, const Instruction *I) {
    const bool IsLater = !Last || (Last == B ? I && (!At || I->Id > At->Id)
                                             : CF.dominates(Last, B));
    if (IsLater) {
      Last = B;
      At = I;
    }
  };
  for (const RegisterHalf &H : {N.Low, N.High})
    if (H.Kind == RegisterHalf::Register && H.Val->Def)
      Take(H.Val->Def->Parent, definedAt(H.Val));
  for (const PairNode *Of : {N.A, N.B, N.C})
    if (Of && Of->In)
      Take(Of->In, Of->At);
  N.In = Last ? Last : &M.graph().front();
  N.At = At;
  if (N.At)
    ByInstruction[N.At].push_back(&N);
  else
    ByBlock[N.In].push_back(&N);
}

void RegisterPairs::name(const RegisterHalf &H, const PairNode &N) {
  if (H.Kind != RegisterHalf::Register || !H.Val->Def)
    return;
  const bool IsHere = N.At && definedAt(H.Val) == N.At;
  if (!IsHere)
    Named.insert(H.Val);
}

PairNode *RegisterPairs::pair(RegisterHalf Low, RegisterHalf High) {
  Low = origin(Low);
  High = origin(High);
  auto &Slot = Known[{keyOf(Low), keyOf(High)}];
  if (Slot)
    return Slot;
  constexpr unsigned MaxDepth = 200;
  PairNode *N = nullptr;
  if (++Depth < MaxDepth)
    N = find(Low, High);
  --Depth;
  // Finding may have added others, or this one.
  PairNode *&Found = Known[{keyOf(Low), keyOf(High)}];
  if (Found)
    return Found;
  if (!N) {
    N = make(PairNode::Packed, Low, High);
    place(*N);
    name(Low, *N);
    name(High, *N);
  }
  return Found = N;
}

bool RegisterPairs::isSignOf(RegisterHalf High, RegisterHalf Low) {
  const MachineInstruction *I = definition(High);
  if (!I || (I->mnemonic() != "SHF" && I->mnemonic() != "USHF") ||
      !hasWord(*I, "R") || !hasWord(*I, "S32") || !hasWord(*I, "HI"))
    return false;
  const MachineOperand *By = sourceOf(*I, 1), *Of = sourceOf(*I, 2);
  constexpr uint32_t SignBit = 31;
  return By && Of && origin(half(*High.Val->Def, *By)).is(SignBit) &&
         origin(half(*High.Val->Def, *Of)) == Low;
}

PairNode *RegisterPairs::find(RegisterHalf Low, RegisterHalf High) {
  auto Placed = [&](PairNode *N) {
    place(*N);
    return N;
  };
  auto IsUndefined = [](const RegisterHalf &H) {
    return H.Kind == RegisterHalf::Register && !H.Val->Def;
  };
  if (IsUndefined(Low) && IsUndefined(High))
    return Placed(make(PairNode::Number, Low, High));
  if (Low.Kind == RegisterHalf::Number && High.Kind == RegisterHalf::Number) {
    PairNode *N = make(PairNode::Number, Low, High);
    N->Bits = uint64_t(High.Bits) << 32 | Low.Bits;
    return Placed(N);
  }
  if (Low.Kind == RegisterHalf::Bank && High.Kind == RegisterHalf::Bank &&
      Low.Bank0 == High.Bank0 && High.Bits == Low.Bits + 4)
    return Placed(make(PairNode::Constant, Low, High));
  if (High.is(0)) {
    PairNode *N = make(PairNode::ZeroExtended, Low, High);
    place(*N);
    name(Low, *N);
    return N;
  }
  if (isSignOf(High, Low)) {
    PairNode *N = make(PairNode::SignExtended, Low, RegisterHalf::number(0));
    place(*N);
    name(Low, *N);
    return N;
  }
  if (High.Kind != RegisterHalf::Register || Low.Kind != RegisterHalf::Register)
    return nullptr;
  Instruction *L = Low.Val->Def, *H = High.Val->Def;
  if (!L || !H)
    return nullptr;
  if (L->isPhi() && H->isPhi() && L->Parent == H->Parent) {
    PairNode *N = make(PairNode::Phi, Low, High);
    place(*N);
    Phis.push_back(N);
    OpenPhis.push_back(N);
    return N;
  }
  if (L->isSelect() && H->isSelect() && L->Uses[0] == H->Uses[0] &&
      L->GuardNegated == H->GuardNegated) {
    PairNode *New =
        pair(RegisterHalf::of(L->Uses[1]), RegisterHalf::of(H->Uses[1]));
    if (!L->Uses[2]->Def && !H->Uses[2]->Def)
      return New;
    PairNode *N = make(PairNode::Merge, Low, High);
    N->A = New;
    N->B = pair(RegisterHalf::of(L->Uses[2]), RegisterHalf::of(H->Uses[2]));
    N->Made = H;
    return Placed(N);
  }
  if (L->isPseudo() || H->isPseudo())
    return nullptr;
  const MachineInstruction *LowerI = M.machineOf(*L), *UpperI = M.machineOf(*H);
  if (!LowerI || !UpperI)
    return nullptr;
  if (L == H) {
    if (!makesPair(*LowerI) || High.Val->Register != Low.Val->Register + 1)
      return nullptr;
    PairNode *N = make(PairNode::Whole, Low, High);
    N->Made = L;
    return Placed(N);
  }
  if (PairNode *N = findSum(*L, *H))
    return N;
  if (PairNode *N = findScaled(*L, *H))
    return N;
  return findShift(Low, High);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

namespace {
/// What an addition adds, and where carries go and come from.
struct Addition {
  SmallVector<const MachineOperand *, 3> Terms;
  SmallVector<const MachineOperand *, 2> CarriesOut, CarriesIn;
};
} // namespace

static bool isTrue(const MachineOperand &P) {
  constexpr unsigned True = 7;
  return P.Number == True;
}

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

static bool isZero(const MachineOperand &O) {
  return (O.Kind == OperandKind::Register &&
          O.Number == MachineOperand::RegisterZero) ||
         (O.Kind == OperandKind::Uniform && O.Number == UniformZero) ||
         (O.Kind == OperandKind::Integer && O.Value == 0);
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

/// Shifts by numbers, selections and logic, half by half.
PairNode *RegisterPairs::findShift(RegisterHalf Low, RegisterHalf High) {
  const Instruction &L = *Low.Val->Def, &H = *High.Val->Def;
  const MachineInstruction &LI = *M.machineOf(L), &HI = *M.machineOf(H);
  auto NumberOf = [&](const Instruction &I,
                      const MachineOperand *O) -> std::optional<uint32_t> {
    if (!O)
      return std::nullopt;
    const RegisterHalf N = origin(half(I, *O));
    return N.Kind == RegisterHalf::Number ? std::optional(N.Bits)
                                          : std::nullopt;
  };
  auto IsShift = [](const MachineInstruction &I) {
    return I.mnemonic() == "SHF" || I.mnemonic() == "USHF";
  };
  // By how much the lower half is shifted to the left.
  auto LeftBy = [&]() -> std::optional<uint32_t> {
    if (!sourceOf(LI, 0))
      return std::nullopt;
    if (IsShift(LI) && hasWord(LI, "L") && !hasWord(LI, "HI"))
      return NumberOf(L, sourceOf(LI, 1));
    if (LI.mnemonic() == "IMAD" && hasWord(LI, "SHL"))
      if (const auto Factor = NumberOf(L, sourceOf(LI, 1)))
        return llvm::Log2_32(*Factor);
    return std::nullopt;
  };
  if (IsShift(HI)) {
    const std::optional<uint32_t> By = NumberOf(H, sourceOf(HI, 1));
    if (!By || *By == 0 || *By >= 32)
      return nullptr;
    if (hasWord(HI, "L") && hasWord(HI, "U64") && hasWord(HI, "HI")) {
      const RegisterHalf From = origin(half(H, *sourceOf(HI, 0)));
      if (LeftBy() != By || !(origin(half(L, *sourceOf(LI, 0))) == From))
        return nullptr;
      PairNode *N = make(PairNode::ShiftLeft, Low, High);
      N->A = pair(From, half(H, *sourceOf(HI, 2)));
      N->Shift = uint8_t(*By);
      place(*N);
      return N;
    }
    if (const std::optional<uint32_t> LowBy = LeftBy();
        LowBy && *LowBy + *By == 32 && hasWord(HI, "R") && hasWord(HI, "HI") &&
        (hasWord(HI, "U32") || hasWord(HI, "S32"))) {
      // 32 bits that are extended before.
      const RegisterHalf From = origin(half(H, *sourceOf(HI, 2)));
      if (!(origin(half(L, *sourceOf(LI, 0))) == From))
        return nullptr;
      PairNode *N = make(PairNode::ShiftLeft, Low, High);
      N->A = hasWord(HI, "S32") ? signExtended(From)
                                : pair(From, RegisterHalf::number(0));
      N->Shift = uint8_t(*LowBy);
      place(*N);
      return N;
    }
    if (hasWord(HI, "R") && hasWord(HI, "HI") && IsShift(LI) &&
        hasWord(LI, "R") && hasWord(LI, "U64") &&
        NumberOf(L, sourceOf(LI, 1)) == By &&
        (hasWord(HI, "U32") || hasWord(HI, "S32")) &&
        origin(half(H, *sourceOf(HI, 2))) ==
            origin(half(L, *sourceOf(LI, 2)))) {
      PairNode *N = make(hasWord(HI, "S32") ? PairNode::ShiftRightSigned
                                            : PairNode::ShiftRight,
                         Low, High);
      N->A = pair(half(L, *sourceOf(LI, 0)), half(L, *sourceOf(LI, 2)));
      N->Shift = uint8_t(*By);
      place(*N);
      return N;
    }
    return nullptr;
  }
  const StringRef Name = LI.mnemonic();
  if (Name != HI.mnemonic())
    return nullptr;
  if (Name == "SEL" || Name == "USEL") {
    const MachineOperand *P = predicateOf(LI, 87), *Q = predicateOf(HI, 87);
    if (!P || !Q || P->Inverted != Q->Inverted || P->Kind != Q->Kind ||
        isTrue(*P))
      return nullptr;
    const unsigned Number = machine::numberOf(
        P->Kind == OperandKind::Predicate ? RegisterFile::Predicate
                                          : RegisterFile::UniformPredicate,
        P->Number);
    const unsigned Other = machine::numberOf(
        Q->Kind == OperandKind::Predicate ? RegisterFile::Predicate
                                          : RegisterFile::UniformPredicate,
        Q->Number);
    Value *V = MachineGraph::read(L, Number);
    if (!V || V != MachineGraph::read(H, Other))
      return nullptr;
    const MachineOperand *A = sourceOf(LI, 0), *B = sourceOf(LI, 1),
                         *HA = sourceOf(HI, 0), *HB = sourceOf(HI, 1);
    if (!A || !B || !HA || !HB)
      return nullptr;
    // Its predicate may be written again before the later half.
    if (L.Parent != H.Parent)
      return nullptr;
    PairNode *N = make(PairNode::Select, Low, High);
    N->A = pair(half(L, *A), half(H, *HA));
    N->B = pair(half(L, *B), half(H, *HB));
    N->Made = L.Id > H.Id ? &L : &H;
    place(*N);
    return N;
  }
  if (Name == "LOP3" || Name == "ULOP3") {
    const std::optional<unsigned> Table = tableOf(LI), Other = tableOf(HI);
    constexpr unsigned And = 0xc0, Or = 0xfc, Xor = 0x3c;
    const MachineOperand *A = sourceOf(LI, 0), *B = sourceOf(LI, 1),
                         *C = sourceOf(LI, 2), *HA = sourceOf(HI, 0),
                         *HB = sourceOf(HI, 1), *HC = sourceOf(HI, 2);
    if (!Table || Table != Other ||
        (*Table != And && *Table != Or && *Table != Xor) || !A || !B || !C ||
        !HA || !HB || !HC || !isZero(*C) || !isZero(*HC))
      return nullptr;
    PairNode *N = make(PairNode::Logic, Low, High);
    N->A = pair(half(L, *A), half(H, *HA));
    N->B = pair(half(L, *B), half(H, *HB));
    N->Table = uint8_t(*Table);
    place(*N);
    return N;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

void RegisterPairs::findSums() {
  for (const Block *B : CF.reversePostOrder())
    for (const Instruction *I : B->Instructions) {
      const MachineInstruction *Of = M.machineOf(*I);
      if (!Of)
        continue;
      if (makesPair(*Of)) {
        for (Value *V : I->Defs)
          if (Value *Upper = machine::isPredicate(V->Register)
                                 ? nullptr
                                 : MachineGraph::written(*I, V->Register + 1))
            pair(RegisterHalf::of(V), RegisterHalf::of(Upper));
        continue;
      }
      const MachineOperand *Carry = predicateOf(*Of, 87);
      if (!hasWord(*Of, "X") || !Carry || isTrue(*Carry))
        continue;
      Value *V = MachineGraph::read(
          *I, machine::numberOf(Carry->Kind == OperandKind::Predicate
                                    ? RegisterFile::Predicate
                                    : RegisterFile::UniformPredicate,
                                Carry->Number));
      V = V ? MachineGraph::seenBy(*I, V) : nullptr;
      if (!V || !V->Def || !M.machineOf(*V->Def))
        continue;
      PairNode *N = findSum(*V->Def, *I);
      if (!N)
        N = findScaled(*V->Def, *I);
      if (!N)
        Sums.try_emplace(I, nullptr);
      else
        need(N);
    }
}

void RegisterPairs::finishPhis() {
  while (!OpenPhis.empty()) {
    PairNode *N = OpenPhis.back();
    OpenPhis.pop_back();
    const Instruction *L = N->Low.Val->Def, *H = N->High.Val->Def;
    for (auto [A, B] : llvm::zip(L->Uses, H->Uses)) {
      PairNode *In = pair(RegisterHalf::of(A), RegisterHalf::of(B));
      N->Incoming.push_back(In);
      if (N->IsNeeded)
        need(In);
    }
  }
}

void RegisterPairs::need(PairNode *N) {
  SmallVector<PairNode *, 16> Work{N};
  while (!Work.empty()) {
    PairNode *Of = Work.pop_back_val();
    if (!Of || std::exchange(Of->IsNeeded, true))
      continue;
    Work.append({Of->A, Of->B, Of->C});
    Work.append(Of->Incoming.begin(), Of->Incoming.end());
  }
}

bool RegisterPairs::isOnlyCarry(const Value *V) const {
  return llvm::all_of(V->Users, [&](const Instruction *User) {
    const PairNode *S = Sums.lookup(User);
    return S && S->Made == V->Def;
  });
}
