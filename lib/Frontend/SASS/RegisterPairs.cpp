//===- RegisterPairs.cpp - Values of 64 bits in pairs of registers --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RegisterPairs.h"
#include "LiftOperands.h"
#include "OperationTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

constexpr static uint32_t AllOnes = 0xffffffff;

RegisterPairs::RegisterPairs(MachineGraph &M)
    : M(M), CF(M.graph().analysis<ControlFlow>()) {}

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

std::pair<uint64_t, uint64_t> RegisterPairs::keyOf(const RegisterHalf &H) {
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

/// What nobody wrote, and no caller either.
static bool isUndefined(const Value &V) { return !V.Def && !V.IsArgument; }

void RegisterPairs::name(const RegisterHalf &H, const PairNode &N) {
  if (H.Kind != RegisterHalf::Register || isUndefined(*H.Val))
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
    return H.Kind == RegisterHalf::Register && isUndefined(*H.Val);
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
    if (isUndefined(*L->Uses[2]) && isUndefined(*H->Uses[2]))
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
    constexpr unsigned And = 0xc0, Or = 0xfc;
    const MachineOperand *A = sourceOf(LI, 0), *B = sourceOf(LI, 1),
                         *C = sourceOf(LI, 2), *HA = sourceOf(HI, 0),
                         *HB = sourceOf(HI, 1), *HC = sourceOf(HI, 2);
    if (!Table || Table != Other ||
        (*Table != And && *Table != Or && *Table != ExclusiveOr) || !A || !B ||
        !C || !HA || !HB || !HC || !isZero(*C) || !isZero(*HC))
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
