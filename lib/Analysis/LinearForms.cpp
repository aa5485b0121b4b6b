//===- LinearForms.cpp - Register values as functions of the lane ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/LinearForms.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using ptx::Opcode;

/// Index of the dimension that "%tid.y" and the like name; -1 for another
/// register.
static int dimensionOf(StringRef Name, StringRef Register) {
  if (!Name.consume_front(Register))
    return -1;
  return Name == ".x" ? 0 : Name == ".y" ? 1 : Name == ".z" ? 2 : -1;
}

static uint64_t extent(const Dim3 &D, int Dimension) {
  return Dimension == 0 ? D.X : Dimension == 1 ? D.Y : D.Z;
}

/// \p V as a signed number of the width of \p T, the canonical form of all
/// integers here.
static int64_t wrap(int64_t V, ScalarType T) {
  unsigned Bits = bitWidth(T);
  return Bits >= 64 ? V : llvm::SignExtend64(uint64_t(V), Bits);
}

/// The largest power of two that divides the sum of both unknown parts; 0 where
/// neither has one.
static uint64_t commonAlign(uint64_t A, uint64_t B) {
  return A == 0 ? B : B == 0 ? A : std::min(A, B);
}

static uint64_t alignOf(int64_t V) {
  return V == 0 ? 0 : uint64_t(1) << llvm::countr_zero(uint64_t(V));
}

static LinearForm add(const LinearForm &A, const LinearForm &B, int Sign = 1) {
  uint8_t Sources = A.Sources | B.Sources;
  if (!A.isLinear() || !B.isLinear())
    return LinearForm::varying(Sources);
  LinearForm R = LinearForm::constant(
      int64_t(uint64_t(A.Base) + uint64_t(Sign) * uint64_t(B.Base)));
  for (size_t D = 0; D != R.Stride.size(); ++D)
    R.Stride[D] = A.Stride[D] + Sign * B.Stride[D];
  R.Unknown = A.Unknown | B.Unknown;
  R.RowsAreWarps = A.RowsAreWarps || B.RowsAreWarps;
  R.Align = commonAlign(A.Align, B.Align);
  R.Sources = Sources;
  return R;
}

static LinearForm multiply(const LinearForm &A, const LinearForm &B) {
  if ((A.isConstant() && !B.isConstant()) || (A.isUniform() && !B.isUniform()))
    return multiply(B, A);
  uint8_t Sources = A.Sources | B.Sources;
  if (!A.isLinear() || !B.isUniform())
    return LinearForm::varying(Sources);
  auto Product = [](uint64_t X, uint64_t Y) {
    return std::min(X * Y, uint64_t(1) << 32); // both are powers of two
  };
  LinearForm R;
  if (!B.isConstant()) {
    uint64_t AlignA = commonAlign(A.Align, alignOf(A.Base));
    uint64_t AlignB = commonAlign(B.Align, alignOf(B.Base));
    for (int64_t S : B.Stride) // of dimensions that lanes share
      AlignB = commonAlign(AlignB, alignOf(S));
    R = LinearForm::uniform(std::max<uint64_t>(Product(AlignA, AlignB), 1),
                            Sources);
    if (A.isUniform())
      return R;
    // Some stride times an unknown number.
    for (unsigned D = 0; D != R.Stride.size(); ++D)
      if (A.varies(LinearForm::Dimension(D)))
        R.Unknown |= uint8_t(1u << D);
    R.RowsAreWarps = A.RowsAreWarps;
    return R;
  }
  int64_t C = B.Base;
  R = LinearForm::constant(int64_t(uint64_t(A.Base) * uint64_t(C)));
  for (size_t D = 0; D != R.Stride.size(); ++D)
    R.Stride[D] = A.Stride[D] * C;
  R.Unknown = C == 0 ? 0 : A.Unknown;
  R.RowsAreWarps = A.RowsAreWarps;
  R.Align = C == 0 ? 0 : Product(A.Align, alignOf(C));
  R.Sources = Sources;
  return R;
}

/// The lane, or the warp, itself.
static LinearForm inWarp(LinearForm::Dimension D, uint8_t Sources) {
  LinearForm F = LinearForm::constant(0);
  F.Stride[D] = 1;
  F.Sources = Sources;
  return F;
}

/// A result of which nothing but its sources and its uniformity is known.
static LinearForm opaque(ArrayRef<LinearForm> Operands) {
  uint8_t Sources = 0;
  bool Uniform = true;
  for (const LinearForm &F : Operands) {
    Sources |= F.Sources;
    Uniform &= F.isUniform();
  }
  return Uniform ? LinearForm::uniform(1, Sources)
                 : LinearForm::varying(Sources);
}

bool ptxpredict::isDivergenceSource(const Instruction &I,
                                    const LaunchConfig &Launch) {
  for (const Operand &O : I.Operands) {
    if (O.Which != Operand::Kind::Special)
      continue;
    if (O.Name == "%laneid" || O.Name.starts_with("%lanemask"))
      return true;
    // A block as wide as warps keeps y and z the same in all lanes.
    if (O.Name == "%tid" || dimensionOf(O.Name, "%tid") == 0 ||
        (O.Name.starts_with("%tid") && Launch.Block.X % WarpSize != 0))
      return true;
  }
  for (const MemoryEffect &E : I.Effects)
    if (E.Access == AccessKind::Atomic || E.Space == AddressSpace::Local)
      return true;
  return I.IsCall || (I.IsCrossLane && Opcode(I.Opcode) == Opcode::Shfl);
}

LinearForms::LinearForms(const InstructionGraph &Graph, const LaunchConfig &L,
                         const ControlFlow &CF)
    : G(Graph), Launch(L),
      Lanes(Graph, CF,
            [&L](const Instruction &I) { return isDivergenceSource(I, L); }),
      Forms(Graph.Values.size()) {
  for (const auto &V : G.Values)
    if (!V->Def)
      Forms[V->Id] = V->IsArgument
                         ? LinearForm::varying(LinearForm::FromParameter)
                         : LinearForm::constant(0);
  // Each pass may lower a value's form; loops need a second pass to see their
  // back edges and a third to settle. What still moves then is given up.
  constexpr int MaxPasses = 4;
  for (int Pass = 0;; ++Pass) {
    bool Changed = false;
    for (const Block *B : CF.reversePostOrder())
      for (const Instruction *I : B->Instructions) {
        if (I->Defs.empty())
          continue;
        LinearForm All = evaluate(*I);
        for (const Value *D : I->Defs) {
          LinearForm F = specialElement(*I, D).value_or(All);
          LinearForm &Old = Forms[D->Id];
          if (Old == F)
            continue;
          if (Pass >= MaxPasses && Old.Which != LinearForm::Kind::Unvisited)
            F = Lanes.isDivergent(D)
                    ? LinearForm::varying(F.Sources | Old.Sources)
                    : LinearForm::uniform(1, F.Sources | Old.Sources);
          Changed |= !(Old == F);
          Old = F;
        }
      }
    if (!Changed || Pass > 2 * MaxPasses)
      return;
  }
}

LinearForm LinearForms::special(StringRef Name) const {
  if (int D = dimensionOf(Name, "%ntid"); D >= 0)
    return LinearForm::constant(int64_t(extent(Launch.Block, D)));
  if (int D = dimensionOf(Name, "%nctaid"); D >= 0)
    return LinearForm::constant(int64_t(extent(Launch.Grid, D)));
  if (int D = dimensionOf(Name, "%ctaid"); D >= 0)
    return extent(Launch.Grid, D) == 1
               ? LinearForm::constant(0)
               : LinearForm::uniform(1, LinearForm::FromIndex);
  if (int D = dimensionOf(Name, "%tid"); D >= 0) {
    LinearForm F = LinearForm::constant(0);
    if (extent(Launch.Block, D) != 1) {
      F.Stride[size_t(D)] = 1;
      F.Sources = LinearForm::FromIndex;
      F.RowsAreWarps = Launch.Block.X % WarpSize == 0;
    }
    return F;
  }
  if (Name == "%laneid" || Name == "%warpid")
    return inWarp(Name == "%laneid" ? LinearForm::Lane : LinearForm::Warp,
                  LinearForm::FromIndex);
  if (Name == "WARP_SZ")
    return LinearForm::constant(int64_t(WarpSize));
  return Name.starts_with("%lanemask")
             ? LinearForm::varying(LinearForm::FromIndex)
             : LinearForm::uniform(1, LinearForm::FromIndex);
}

std::optional<LinearForm> LinearForms::specialElement(const Instruction &I,
                                                      const Value *D) const {
  if (I.isPseudo() || I.Operands.size() != 2 ||
      I.Operands[0].Which != Operand::Kind::Vector ||
      I.Operands[1].Which != Operand::Kind::Special)
    return std::nullopt;
  constexpr StringRef Selectors[] = {".x", ".y", ".z"};
  for (auto [N, O] : llvm::enumerate(I.Operands[0].Elements))
    if (O.Which == Operand::Kind::Register && O.Val == D)
      return N < std::size(Selectors)
                 ? special((I.Operands[1].Name + Selectors[N]).str())
                 : LinearForm::constant(0);
  return std::nullopt;
}

LinearForm LinearForms::of(const Operand &O) const {
  switch (O.Which) {
  case Operand::Kind::Register:
    return of(O.Role == OperandRole::ReadWrite && O.In ? O.In : O.Val);
  case Operand::Kind::Integer:
    return LinearForm::constant(O.integer());
  case Operand::Kind::Special:
    return special(O.Name);
  case Operand::Kind::Variable:
    return LinearForm::uniform(std::max<uint64_t>(O.Var->Align, 1), 0);
  case Operand::Kind::Parameter:
    return LinearForm::uniform(PointerAlignment, 0);
  case Operand::Kind::Address:
    return O.Elements.empty()
               ? LinearForm::constant(O.integer())
               : add(of(O.Elements[0]), LinearForm::constant(O.integer()));
  default:
    return LinearForm::uniform(1, 0);
  }
}

LinearForm LinearForms::join(const Instruction &Phi) const {
  LinearForm R;
  bool Differ = false;
  uint8_t Sources = 0;
  for (const Value *U : Phi.Uses) {
    const LinearForm &F = of(U);
    if (F.Which == LinearForm::Kind::Unvisited)
      continue;
    Sources |= F.Sources;
    if (R.Which == LinearForm::Kind::Unvisited) {
      R = F;
      continue;
    }
    if (!R.isLinear() || !F.isLinear() || R.Stride != F.Stride ||
        R.Unknown != F.Unknown) {
      R = LinearForm::varying(Sources);
      continue;
    }
    if (R.Base != F.Base || R.Align != F.Align || F.Align != 0) {
      Differ = true;
      R.Align =
          commonAlign(commonAlign(R.Align, F.Align),
                      alignOf(int64_t(uint64_t(R.Base) - uint64_t(F.Base))));
      if (R.Align == 0)
        R.Align = 1; // equal unknown parts need not be the same
    }
  }
  R.Sources = Sources;
  // Values that differ only in their uniform part stay apart from lane to lane
  // if lanes come here from different sides.
  bool Same = llvm::all_of(Phi.Uses, [&](const Value *U) {
    return U == Phi.Uses[0] || U == Phi.Defs[0];
  });
  if (Differ && !Same && R.isUniform() && Lanes.isDivergent(Phi.Defs[0]))
    return LinearForm::varying(Sources);
  return R;
}

/// Whether \p V is the base of an address: through sums, copies and cvta,
/// within a few steps. An index is scaled on its way and does not count.
static bool reachesAddress(const Value *V) {
  SmallVector<const Value *, 8> Work{V};
  for (size_t N = 0; N != Work.size() && Work.size() < 32; ++N)
    for (const Instruction *User : Work[N]->Users) {
      for (const MemoryEffect &E : User->Effects) {
        const Operand &A = User->Operands[E.AddressOperand];
        if (!A.Elements.empty() &&
            A.Elements[0].Which == Operand::Kind::Register &&
            A.Elements[0].Val == Work[N])
          return true;
      }
      if (User->isPseudo()) {
        Work.append(User->Defs.begin(), User->Defs.end());
        continue;
      }
      Opcode Op = Opcode(User->Opcode);
      if (Op == Opcode::Cvta)
        return true;
      bool IsAddend = Op == Opcode::Add || Op == Opcode::Mov ||
                      (Op == Opcode::Mad && User->Operands.size() == 4 &&
                       User->Operands[3].Which == Operand::Kind::Register &&
                       User->Operands[3].Val == Work[N]);
      if (IsAddend)
        Work.append(User->Defs.begin(), User->Defs.end());
    }
  return false;
}

LinearForm LinearForms::parameterLoad(const Instruction &I) const {
  const Operand &Address = I.Operands[I.Effects[0].AddressOperand];
  if (Address.Elements.empty() ||
      Address.Elements[0].Which != Operand::Kind::Parameter)
    return LinearForm::uniform(1, LinearForm::FromParameter);
  const Parameter *P = Address.Elements[0].Param;
  auto It = Launch.Args.find(unsigned(P - G.Parameters.data()));
  if (It != Launch.Args.end() && Address.Bits == 0 && P->Elements == 1 &&
      I.Defs.size() == 1) {
    if (It->second.Which == ArgumentValue::Kind::Integer)
      return LinearForm::constant(wrap(It->second.Integer, P->Type));
    if (It->second.Which == ArgumentValue::Kind::Buffer)
      return LinearForm::uniform(It->second.BufferAlign,
                                 LinearForm::FromParameter);
  }
  bool IsPointer = P->PointerSpace ||
                   (I.Defs.size() == 1 && bitWidth(I.Defs[0]->Type) == 64 &&
                    reachesAddress(I.Defs[0]));
  return LinearForm::uniform(IsPointer ? PointerAlignment : 1,
                             LinearForm::FromParameter);
}

/// Folds \p Op on constants; nothing if it is not one of the integer operations
/// below.
static std::optional<int64_t> fold(Opcode Op, ScalarType T,
                                   ArrayRef<int64_t> V) {
  bool Unsigned = kindOf(T) == TypeKind::Unsigned;
  unsigned Bits = std::min(bitWidth(T), 64u);
  auto Zext = [&](int64_t X) {
    return Bits == 64 ? uint64_t(X) : uint64_t(X) & ((uint64_t(1) << Bits) - 1);
  };
  switch (Op) {
  case Opcode::Div:
  case Opcode::Rem: {
    if (V[1] == 0 || (V[0] == INT64_MIN && V[1] == -1))
      return std::nullopt;
    bool Div = Op == Opcode::Div;
    if (Unsigned)
      return int64_t(Div ? Zext(V[0]) / Zext(V[1]) : Zext(V[0]) % Zext(V[1]));
    return Div ? V[0] / V[1] : V[0] % V[1];
  }
  case Opcode::Min:
  case Opcode::Max: {
    bool Less = Unsigned ? Zext(V[0]) < Zext(V[1]) : V[0] < V[1];
    return Less == (Op == Opcode::Min) ? V[0] : V[1];
  }
  case Opcode::And:
    return V[0] & V[1];
  case Opcode::Or:
    return V[0] | V[1];
  case Opcode::Xor:
    return V[0] ^ V[1];
  case Opcode::Not:
    return ~V[0];
  case Opcode::Shl:
    return uint64_t(V[1]) >= Bits ? 0 : int64_t(uint64_t(V[0]) << V[1]);
  case Opcode::Shr:
    if (kindOf(T) == TypeKind::Signed)
      return V[0] >> std::min<uint64_t>(uint64_t(V[1]), 63);
    return uint64_t(V[1]) >= Bits ? 0 : int64_t(Zext(V[0]) >> V[1]);
  default:
    return std::nullopt;
  }
}

/// The linear index of the thread within its block.
bool LinearForms::isThreadOfBlock(const LinearForm &F) const {
  const Dim3 &B = Launch.Block;
  return F.isExact() && F.Base == 0 && F.Stride[LinearForm::X] == 1 &&
         (B.Y == 1 || F.Stride[LinearForm::Y] == int64_t(B.X)) &&
         (B.Z == 1 || F.Stride[LinearForm::Z] == int64_t(B.X * B.Y)) &&
         F.Stride[LinearForm::Lane] == 0 && F.Stride[LinearForm::Warp] == 0;
}

/// The thread's index but for multiples of the warp size: its low bits are the
/// lane, its high bits the same in all lanes.
bool LinearForms::isThreadInWarps(const LinearForm &F) const {
  if (!F.isLinear() || F.Unknown != 0 || F.Align % WarpSize != 0 ||
      F.Base % int64_t(WarpSize) != 0)
    return false;
  LinearForm Rest = F;
  Rest.Align = 0, Rest.Base = 0;
  if (isThreadOfBlock(Rest))
    return true;
  return F.RowsAreWarps && F.Stride[LinearForm::X] == 1 &&
         F.Stride[LinearForm::Y] % int64_t(WarpSize) == 0 &&
         F.Stride[LinearForm::Z] % int64_t(WarpSize) == 0 &&
         F.Stride[LinearForm::Lane] == 0 &&
         F.Stride[LinearForm::Warp] % int64_t(WarpSize) == 0;
}

/// `(thread >> k) & mask`, compilers' way to write `(thread >> 5) << (5 - k)`.
std::optional<LinearForm>
LinearForms::scaledWarp(const Instruction &And) const {
  if (And.Operands.size() != 3 ||
      And.Operands[1].Which != Operand::Kind::Register)
    return std::nullopt;
  const Instruction *Shr = And.Operands[1].Val->Def;
  LinearForm Mask = of(And.Operands[2]);
  if (!Shr || Shr->isPseudo() || Opcode(Shr->Opcode) != Opcode::Shr ||
      !Mask.isConstant())
    return std::nullopt;
  LinearForm By = of(Shr->Operands[2]), Thread = of(Shr->Operands[1]);
  if (!By.isConstant() || By.Base < 1 || By.Base > 4 ||
      !isThreadOfBlock(Thread))
    return std::nullopt;
  // The lane's bits must go, the bits of all 32 warps of a block must stay.
  unsigned Shift = unsigned(5 - By.Base);
  uint64_t Kept = uint64_t(Mask.Base);
  if ((Kept & ((1u << Shift) - 1)) != 0 || (Kept >> Shift & 31) != 31)
    return std::nullopt;
  return multiply(inWarp(LinearForm::Warp, Thread.Sources),
                  LinearForm::constant(int64_t(1) << Shift));
}

LinearForm LinearForms::arithmetic(const Instruction &I) const {
  SmallVector<LinearForm, 4> In;
  for (const Operand &O : I.Operands)
    if (O.Role != OperandRole::Write)
      In.push_back(of(O));
  for (const LinearForm &F : In)
    if (F.Which == LinearForm::Kind::Unvisited)
      return LinearForm(); // wait for the other passes
  StringRef Mods = I.Modifiers;
  ScalarType T = ptx::operationType(Mods).value_or(ScalarType::B64);
  bool Float = kindOf(T) == TypeKind::Float;
  if (Float)
    return opaque(In);
  bool Wide = ptx::hasModifier(Mods, "wide");
  bool AllConstant =
      llvm::all_of(In, [](const LinearForm &F) { return F.isConstant(); });
  auto Wrapped = [&](LinearForm F) {
    if (AllConstant && F.isConstant() && !Wide)
      F.Base = wrap(F.Base, T);
    return F;
  };
  // A 32-bit operand that is widened without sign.
  auto Extended = [&](LinearForm F) {
    if (F.isConstant() && kindOf(T) == TypeKind::Unsigned && bitWidth(T) < 64)
      F.Base &= int64_t((uint64_t(1) << bitWidth(T)) - 1);
    return F;
  };
  switch (Opcode(I.Opcode)) {
  case Opcode::Mov:
  case Opcode::Cvta:
    if (In.size() == 1)
      return In[0];
    break;
  case Opcode::Cvt: {
    // The last type is the source's; rounding floats are handled above.
    size_t Dots = Mods.rfind('.');
    std::optional<ScalarType> To = ptx::operationType(Mods.take_front(Dots));
    if (In.size() != 1 || !To || kindOf(*To) == TypeKind::Float)
      break;
    LinearForm F = Extended(In[0]);
    if (F.isConstant())
      F.Base = wrap(F.Base, *To);
    return F;
  }
  case Opcode::Add:
    if (In.size() == 2)
      return Wrapped(add(In[0], In[1]));
    break;
  case Opcode::Sub:
    if (In.size() == 2)
      return Wrapped(add(In[0], In[1], -1));
    break;
  case Opcode::Neg:
    if (In.size() == 1)
      return Wrapped(add(LinearForm::constant(0), In[0], -1));
    break;
  case Opcode::Mul:
    if (In.size() == 2 && !ptx::hasModifier(Mods, "hi"))
      return Wrapped(Wide ? multiply(Extended(In[0]), Extended(In[1]))
                          : multiply(In[0], In[1]));
    break;
  case Opcode::Mad:
    if (In.size() == 3 && !ptx::hasModifier(Mods, "hi"))
      return Wrapped(add(Wide ? multiply(Extended(In[0]), Extended(In[1]))
                              : multiply(In[0], In[1]),
                         In[2]));
    break;
  case Opcode::Shl:
    if (In.size() == 2 && In[1].isConstant() && In[1].Base >= 0 &&
        In[1].Base < int64_t(bitWidth(T)))
      return Wrapped(multiply(
          In[0], LinearForm::constant(int64_t(uint64_t(1) << In[1].Base))));
    break;
  case Opcode::And:
    if (In.size() == 2 && In[1].isConstant() &&
        In[1].Base == int64_t(WarpSize) - 1 && isThreadInWarps(In[0]))
      return inWarp(LinearForm::Lane, In[0].Sources);
    if (std::optional<LinearForm> Warp = scaledWarp(I))
      return *Warp;
    break;
  case Opcode::Or:
    // Addition where the low operand fits below the other's alignment.
    if (In.size() == 2 && In[1].isConstant() && In[0].isLinear() &&
        In[1].Base >= 0) {
      uint64_t Low = commonAlign(In[0].Align, alignOf(In[0].Base));
      for (int64_t C : In[0].Stride)
        Low = commonAlign(Low, alignOf(C));
      if (Low != 0 && uint64_t(In[1].Base) < Low && In[0].Unknown == 0)
        return add(In[0], In[1]);
    }
    break;
  case Opcode::Shr:
    if (In.size() == 2 && In[1].isConstant() && In[1].Base >= 5 &&
        isThreadInWarps(In[0])) {
      bool IsWarp = In[1].Base == 5 && isThreadOfBlock(In[0]);
      return IsWarp ? inWarp(LinearForm::Warp, In[0].Sources)
                    : LinearForm::uniform(1, In[0].Sources);
    }
    break;
  case Opcode::Selp:
    if (In.size() == 3 && In[0] == In[1])
      return In[0];
    break;
  default:
    break;
  }
  if (AllConstant && !In.empty() && In.size() <= 2) {
    SmallVector<int64_t, 2> V;
    for (const LinearForm &F : In)
      V.push_back(F.Base);
    bool Unary = Opcode(I.Opcode) == Opcode::Not;
    if (Unary || V.size() == 2)
      if (std::optional<int64_t> R = fold(Opcode(I.Opcode), T, V))
        return LinearForm::constant(wrap(*R, T));
  }
  return opaque(In);
}

LinearForm LinearForms::evaluate(const Instruction &I) const {
  if (I.isPhi())
    return join(I);
  if (I.isSelect()) {
    const LinearForm &New = of(I.Uses[1]), &Old = of(I.Uses[2]);
    bool HasOld = I.Uses[2]->Def || I.Uses[2]->IsArgument;
    if (!HasOld || New == Old)
      return New;
    return opaque({of(I.Uses[0]), New, Old});
  }
  if (!I.Effects.empty()) {
    const MemoryEffect &E = I.Effects[0];
    if (E.Access == AccessKind::Load && E.Space == AddressSpace::Param)
      return parameterLoad(I);
    LinearForm Address = of(I.Operands[E.AddressOperand]);
    if (Address.Which == LinearForm::Kind::Unvisited)
      return LinearForm();
    bool SameInAllLanes = Address.isUniform() && E.Access == AccessKind::Load &&
                          E.Space != AddressSpace::Local;
    uint8_t Sources = Address.Sources | LinearForm::FromMemory;
    return SameInAllLanes ? LinearForm::uniform(1, Sources)
                          : LinearForm::varying(Sources);
  }
  if (I.IsCrossLane)
    return Opcode(I.Opcode) == Opcode::Shfl
               ? LinearForm::varying(LinearForm::FromMemory)
               : LinearForm::uniform(1, LinearForm::FromMemory);
  if (I.IsCall || I.IsUnknown)
    return LinearForm::varying(LinearForm::FromMemory);
  return arithmetic(I);
}
