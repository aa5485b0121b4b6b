//===- SymbolicValuesInstructions.cpp - What instructions compute ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA 9.7.1 and 9.7.2 (integers), 9.7.6 to 9.7.9 (comparison, logic,
// moves).
//===----------------------------------------------------------------------===//
#include "ExpressionsImpl.h"
#include "SymbolicValuesImpl.h"
#include "ptxpredict/Analysis/Symbolic/DivergenceSources.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using ptx::Opcode;
using Ref = const Expression *;

/// What a lane gets depends on that lane's operands alone.
static bool isLaneWise(const Instruction &I) {
  if (I.IsUnknown || I.IsCall || I.IsCrossLane || !I.Effects.empty())
    return false;
  switch (I.Class) {
  case OpClass::Int:
  case OpClass::Fp16:
  case OpClass::Fp32:
  case OpClass::Fp64:
  case OpClass::Sfu:
  case OpClass::Convert:
  case OpClass::Compare:
  case OpClass::Logic:
    return true;
  default:
    break;
  }
  switch (Opcode(I.Opcode)) {
  case Opcode::Mov:
  case Opcode::Selp:
  case Opcode::Cvta:
  case Opcode::Mapa:
  case Opcode::Getctarank:
    return true;
  default:
    return false;
  }
}

static bool isPlainLoad(const Instruction &I) {
  return Opcode(I.Opcode) == Opcode::Ld || Opcode(I.Opcode) == Opcode::Ldu;
}

/// A mask of all lanes, as far as the instruction and a mov before it say.
static bool namesAllLanes(const Operand &O) {
  const Operand *Mask = &O;
  if (O.Kind == Operand::KindTy::Register && O.Val->Def &&
      !O.Val->Def->isPseudo() && !O.Val->Def->HasGuard &&
      Opcode(O.Val->Def->Opcode) == Opcode::Mov)
    Mask = &O.Val->Def->Operands[1];
  return Mask->Kind == Operand::KindTy::Integer &&
         uint32_t(Mask->Bits) == maskOf(32);
}

bool ValueBuilder::mayDifferBetweenLanes(const Instruction &At,
                                         const LaunchConfig &Launch) {
  if (isDivergenceSource(At, Launch))
    return true;
  if (At.Defs.empty() || isLaneWise(At) || At.IsBlockBarrier || isPlainLoad(At))
    return false;
  // What all lanes vote for is the same for all of them.
  Opcode Op = Opcode(At.Opcode);
  return !At.IsCrossLane || At.Operands.empty() ||
         (Op != Opcode::Vote && Op != Opcode::Redux) ||
         !namesAllLanes(At.Operands.back());
}

/// Between what the values vary that the instruction reads, and what it makes
/// of them.
uint8_t ValueBuilder::variationOf(const Instruction &At) const {
  if (At.IsBlockBarrier) // a reduction over the block
    return VariesInGrid;
  if (!isLaneWise(At))
    return VariesEverywhere;
  uint8_t Varies = 0;
  for (const Value *V : At.Uses) {
    Ref X = read(V, At.Parent);
    Varies |= X ? X->Varies : uint8_t(VariesEverywhere);
  }
  auto Add = [&](const Operand &O, auto &Self) -> void {
    if (O.Kind == Operand::KindTy::Special)
      Varies |= Out.of(At, O, 64)->Varies;
    for (const Operand &Element : O.Elements)
      Self(Element, Self);
  };
  for (const Operand &O : At.Operands)
    Add(O, Add);
  return Varies;
}

/// Gives the register \p O that value; a wider one extended.
void ValueBuilder::define(const Operand &O, Ref X, bool Signed) {
  if (O.Kind != Operand::KindTy::Register || !X)
    return;
  unsigned Width = bitWidth(O.Val->Type);
  if (Width > 64 || (Width == 1) != (X->Width == 1))
    return;
  Out.ByValue[O.Val->Id] = E.resize(X, Width, Signed);
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// mov of one value, and between vectors and wide registers.
void ValueBuilder::move(const Instruction &At) {
  const Operand &To = At.Operands[0], &Source = At.Operands[1];
  using K = Operand::KindTy;
  std::optional<ScalarType> T = parseScalarType(Modifiers.back());
  unsigned Width = T ? bitWidth(*T) : 128;
  if (To.Kind == K::Vector && Source.Kind == K::Special) {
    static constexpr StringRef Selectors[] = {".x", ".y", ".z", ".w"};
    for (size_t N = 0; N != std::min<size_t>(To.Elements.size(), 4); ++N)
      define(To.Elements[N],
             Out.special((Source.Name + Selectors[N]).str(), 32, &At));
    return;
  }
  if (Width > 64)
    return;
  SmallVector<Ref, 4> Parts;
  if (Source.Kind == K::Vector) {
    unsigned Part = Width / unsigned(Source.Elements.size());
    Ref Whole = E.constant(Width, 0);
    for (size_t N = 0; N != Source.Elements.size(); ++N) {
      Ref X = Out.of(At, Source.Elements[N], Part);
      if (!X || X->Width != Part)
        return;
      Whole = E.add(Whole, E.shl(E.zext(X, Width), Part * N));
    }
    Parts.push_back(Whole);
  } else {
    Ref X = Out.of(At, Source, Width);
    if (!X)
      return;
    Parts.push_back(X);
  }
  if (To.Kind != K::Vector)
    return define(To, Parts[0]);
  unsigned Part = Width / unsigned(To.Elements.size());
  if (Parts[0]->Width != Width || Part == 0)
    return;
  for (size_t N = 0; N != To.Elements.size(); ++N)
    define(To.Elements[N], E.trunc(E.lshr(Parts[0], Part * N), Part));
}

//===----------------------------------------------------------------------===//
// Memory and other lanes
//===----------------------------------------------------------------------===//

void ValueBuilder::load(const Instruction &At) {
  if (Out.Locals && accessLocal(At))
    return;
  const MemoryEffect &Effect = At.Effects[0];
  const Operand &Address = At.Operands[Effect.AddressOperand];
  if (Effect.Space == AddressSpace::Param) {
    if (Effect.Access == AccessKind::Store)
      return storeParameter(At);
    SmallVector<const Operand *, 4> To;
    const Operand &D = At.Operands[0];
    if (D.Kind == Operand::KindTy::Vector)
      for (const Operand &Element : D.Elements)
        To.push_back(&Element);
    else
      To.push_back(&D);
    if (loadParameter(At, Address, To))
      return;
  }
  if (At.Defs.empty())
    return;
  bool IsAtomic = Effect.Access == AccessKind::Atomic;
  Ref Place = Out.of(At, Address, 64);
  uint8_t Varies = Place ? Place->Varies : uint8_t(VariesEverywhere);
  if (At.Guard)
    Varies |= Out.guard(At)->Varies;
  bool NeverWritten = Effect.Space == AddressSpace::Const ||
                      Effect.Space == AddressSpace::Param || has("nc");
  bool IsOwn = Effect.Space == AddressSpace::Local ||
               (Effect.Space == AddressSpace::Generic && mayBeLocal(Place));
  if (!isPlainLoad(At) || IsOwn)
    Varies = VariesEverywhere;
  else if (!NeverWritten) // others may write between warps' loads
    Varies |= VariesInBlock | VariesInGrid;
  setOpaque(At, IsAtomic ? Symbol::ReasonTy::Atomic : Symbol::ReasonTy::Load,
            Varies);
}

void ValueBuilder::crossLane(const Instruction &At) {
  Opcode Op = Opcode(At.Opcode);
  // All lanes of the warp are named to take part.
  auto IsFull = [&](const Operand &O) {
    Ref Mask = Out.of(At, O, 32);
    return Mask && Mask->isConstant(maskOf(32));
  };
  bool Full = !Sources.empty() && has("sync") && IsFull(*Sources.back());
  if (Full && (Op == Opcode::Shfl || Op == Opcode::Vote)) {
    // Of what is the same in all lanes, the same.
    Ref X = Out.of(At, *Sources[0], 32);
    const Operand &D = At.Operands[0];
    if (X && X->isUniform() && !At.Guard) {
      bool IsVote = Op == Opcode::Vote;
      if (!IsVote)
        define(D.Kind == Operand::KindTy::Vector ? D.Elements[0] : D, X);
      else if (has("uni"))
        define(D, E.boolean(true));
      else if (!has("ballot"))
        define(D, X);
    }
  }
  uint8_t Varies = VariesEverywhere;
  bool GivesAllTheSame = Op == Opcode::Vote || Op == Opcode::Redux ||
                         (Op == Opcode::Match && has("all"));
  if (Full && GivesAllTheSame && !At.Guard)
    Varies = VariesInBlock | VariesInGrid;
  setOpaque(At, Symbol::ReasonTy::CrossLane, Varies);
}

//===----------------------------------------------------------------------===//
// All instructions
//===----------------------------------------------------------------------===//

Ref ValueBuilder::compute(const Instruction &At) {
  Opcode Op = Opcode(At.Opcode);
  if (Op == Opcode::Cvt)
    return convert();
  std::optional<ScalarType> T;
  if (!Modifiers.empty()) // prmt's mode stands behind the type
    T = parseScalarType(Op == Opcode::Prmt ? Modifiers[0] : Modifiers.back());
  if (!T || bitWidth(*T) > 64 || kindOf(*T) == TypeKind::Opaque)
    return nullptr;
  unsigned Width = bitWidth(*T);
  if (Op == Opcode::Selp) // of any bits
    return E.select(source(2, 1), source(0, Width), source(1, Width));
  if (Op == Opcode::Slct) {
    std::optional<ScalarType> Of =
        parseScalarType(Modifiers[Modifiers.size() - 2]);
    if (*T != ScalarType::S32 || !Of || bitWidth(*Of) > 64)
      return nullptr;
    return E.select(E.less(source(2, 32), E.constant(32, 0), true),
                    source(1, bitWidth(*Of)), source(0, bitWidth(*Of)));
  }
  if (kindOf(*T) == TypeKind::Float)
    return floatArithmetic(Op, *T);
  bool Signed = kindOf(*T) == TypeKind::Signed;
  if (Ref X = arithmetic(Op, Width, Signed))
    return X;
  return logic(Op, Width, Signed);
}

/// Whether SymbolicValues::of() has something for what is read.
bool ValueBuilder::isKnown(const Operand &O) const {
  using K = Operand::KindTy;
  switch (O.Kind) {
  case K::Register: {
    const Value *V = O.Role == OperandRole::ReadWrite && O.In ? O.In : O.Val;
    return Out.ByValue[V->Id] != nullptr;
  }
  case K::Integer:
  case K::Float32:
  case K::Float64:
  case K::Special:
  case K::Variable:
  case K::Parameter:
    return true;
  default:
    return Out.of(*I, O, 64) != nullptr;
  }
}

void ValueBuilder::translate(const Instruction &At) {
  if (At.isSelect()) {
    const Value *D = At.Defs[0], *Old = At.Uses[2];
    Ref P = read(At.Uses[0], At.Parent), A = read(At.Uses[1], At.Parent),
        B = read(Old, At.Parent);
    if (At.GuardNegated && P)
      P = E.bitNot(P);
    if (!A || !B || !P)
      return;
    bool IsUndefined = !Old->Def && !Old->IsArgument;
    Out.ByValue[D->Id] = IsUndefined ? A : E.select(P, A, B);
    return;
  }
  I = &At;
  Modifiers.clear();
  StringRef Text = At.Modifiers;
  if (Text.consume_front("."))
    Text.split(Modifiers, '.');
  Sources.clear();
  bool AllKnown = true;
  for (const Operand &O : At.Operands)
    if (O.Role != OperandRole::Write) {
      Sources.push_back(&O);
      AllKnown &= isKnown(O);
    }
  Opcode Op = Opcode(At.Opcode);
  if (At.IsCall) {
    call(At);
    // Nobody knows what a callee does to the carry.
    Carry = nullptr;
    setOpaque(At, Symbol::ReasonTy::Call, VariesEverywhere);
    return clobberLocals(At);
  }
  if (!At.Effects.empty()) {
    load(At);
    return clobberLocals(At);
  }
  if (At.Defs.empty() && !has("cc"))
    return;
  if (At.IsCrossLane)
    return crossLane(At);
  if (At.IsUnknown) {
    setOpaque(At, Symbol::ReasonTy::Other, VariesEverywhere);
    return clobberLocals(At);
  }
  if (Op == Opcode::Mov && !Modifiers.empty()) {
    move(At);
  } else if ((Op == Opcode::Setp || Op == Opcode::Set) && AllKnown &&
             Modifiers.size() >= 2) {
    setPredicates(At);
  } else if (Op == Opcode::Cvta && AllKnown && Sources.size() == 1) {
    define(At.Operands[0], Out.of(At, *Sources[0], 64));
  } else if (AllKnown && !At.Operands.empty()) {
    Ref X = compute(At);
    if (Op == Opcode::Lop3 && At.Operands[0].Kind == Operand::KindTy::Vector) {
      // `d|p` with p = (d != 0) .or/.and q
      const Operand &D = At.Operands[0];
      define(D.Elements[0], X);
      if (X && Sources.size() == 5) {
        Ref Q = source(4, 1);
        Ref NonZero = E.bitNot(E.equal(X, E.constant(32, 0)));
        define(D.Elements[1],
               has("or") ? E.bitOr(NonZero, Q) : E.bitAnd(NonZero, Q));
      }
    } else {
      define(At.Operands[0], X);
    }
  } else if (has("cc")) {
    Carry = nullptr;
  }
  if (llvm::all_of(At.Defs, [&](const Value *D) { return Out.ByValue[D->Id]; }))
    return;
  bool IsFloat = llvm::any_of(Modifiers, [](StringRef M) {
    // With the dot before it.
    std::optional<ScalarType> T =
        ptx::operationType(StringRef(M.data() - 1, M.size() + 1));
    return T && (kindOf(*T) == TypeKind::Float || M.starts_with("bf16"));
  });
  setOpaque(At, IsFloat ? Symbol::ReasonTy::Float : Symbol::ReasonTy::Other,
            variationOf(At));
}
