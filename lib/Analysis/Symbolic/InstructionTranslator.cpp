//===- InstructionTranslator.cpp - What instructions compute --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA 9.7.1 and 9.7.2 (integers), 9.7.6 to 9.7.9 (comparison, logic,
// moves).
//===----------------------------------------------------------------------===//
#include "InstructionTranslator.h"
#include "AddressBases.h"
#include "ExpressionsImpl.h"
#include "FloatOperation.h"
#include "IntegerOperation.h"
#include "PhiVariation.h"
#include "SpecialRegisters.h"
#include "ptxpredict/Launch/BufferContents.h"
#include "llvm/ADT/bit.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using ptx::Opcode;
using Ref = const Expression *;

void InstructionTranslator::startBlock() {
  Carry = nullptr;
  Calls.startBlock();
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// The choice that the graph makes of a guarded instruction's register.
void InstructionTranslator::select(const Instruction &I) {
  const Value *Old = I.Uses[2];
  Ref P = Values.read(I.Uses[0], I.Parent),
      A = Values.read(I.Uses[1], I.Parent), B = Values.read(Old, I.Parent);
  if (I.GuardNegated && P)
    P = E.bitNot(P);
  if (A && B && P)
    Values.set(I.Defs[0],
               PartialValues::isUndefined(*Old) ? A : E.select(P, A, B));
}

/// mov of one value, and between vectors and wide registers.
void InstructionTranslator::move(const InstructionView &View) {
  using K = Operand::KindTy;
  const Instruction &I = View.instruction();
  const Operand &To = I.Operands[0], &Source = I.Operands[1];
  std::optional<ScalarType> T = View.type();
  unsigned Width = T ? bitWidth(*T) : 128;
  if (To.Kind == K::Vector && Source.Kind == K::Special) {
    static constexpr StringRef Selectors[] = {".x", ".y", ".z", ".w"};
    for (size_t N = 0; N != std::min<size_t>(To.Elements.size(), 4); ++N)
      Values.define(To.Elements[N],
                    specialRegister(Values.result(),
                                    (Source.Name + Selectors[N]).str(), 32, I));
    return;
  }
  if (Width > 64)
    return;
  Ref Whole = nullptr;
  if (Source.Kind == K::Vector) {
    unsigned Part = Width / unsigned(Source.Elements.size());
    Whole = E.constant(Width, 0);
    for (size_t N = 0; N != Source.Elements.size(); ++N) {
      Ref X = View.operand(Source.Elements[N], Part);
      if (!X || X->Width != Part)
        return;
      Whole = E.add(Whole, E.shl(E.zext(X, Width), Part * N));
    }
  } else {
    Whole = View.operand(Source, Width);
    if (!Whole)
      return;
  }
  if (To.Kind != K::Vector)
    return Values.define(To, Whole);
  unsigned Part = Width / unsigned(To.Elements.size());
  if (Whole->Width != Width || Part == 0)
    return;
  for (size_t N = 0; N != To.Elements.size(); ++N)
    Values.define(To.Elements[N], E.trunc(E.lshr(Whole, Part * N), Part));
}

//===----------------------------------------------------------------------===//
// Memory and other lanes
//===----------------------------------------------------------------------===//

void InstructionTranslator::accessMemory(const InstructionView &View) {
  if (Values.slots() && Locals.access(View))
    return;
  const Instruction &I = View.instruction();
  const MemoryEffect &Effect = I.Effects[0];
  if (Effect.Space == AddressSpace::Param) {
    if (Effect.Access == AccessKind::Store)
      return Calls.storeParameter(View);
    if (Calls.loadParameter(View, I.Operands[Effect.AddressOperand]))
      return;
  }
  if (Values.tickets() && drawNumber(View))
    return;
  if (!I.Defs.empty())
    load(View);
}

/// The number of a block in the order along x, y, z.
static Ref blockNumber(Expressions &E, unsigned Width) {
  using K = Symbol::KindTy;
  auto At = [&](K Index) { return E.zext(E.index(Index), Width); };
  Ref OfRow = E.add(At(K::BlockY), E.mul(At(K::GridExtentY), At(K::BlockZ)));
  return E.add(At(K::BlockX), E.mul(At(K::GridExtentX), OfRow));
}

/// What a block draws as its number, and how its threads hand it on. True if
/// that says what \p View defines.
bool InstructionTranslator::drawNumber(const InstructionView &View) {
  const Instruction &I = View.instruction();
  const BlockTickets &Tickets = *Values.tickets();
  if (const BlockTicket *T = Tickets.of(I)) {
    const unsigned Width = bitWidth(I.Defs[0]->Type);
    Ref Number = E.scale(blockNumber(E, Width), T->Step);
    Values.define(I.Operands[0], E.add(Number, E.constant(Width, T->First)));
    return Values.areAllFound(I.Defs);
  }
  if (Tickets.isHandedOver(I))
    Values.setHandedOver(
        I, View.operand(I.Operands[1], 8 * I.Effects[0].BytesPerLane));
  const Instruction *Store = Tickets.storeFor(I);
  Ref X = Store ? Values.handedOver(*Store) : nullptr;
  std::optional<ScalarType> Type = View.type();
  if (!X || X->Width == 1 || !Type)
    return false;
  const unsigned Bits = 8 * I.Effects[0].BytesPerLane;
  const bool IsSigned = kindOf(*Type) == TypeKind::Signed;
  if (Bits < X->Width)
    X = Bits >= 16 ? E.trunc(X, Bits)
                   : E.bitAnd(X, E.constant(X->Width, maskOf(Bits)));
  Values.define(I.Operands[0], X, IsSigned);
  return Values.areAllFound(I.Defs);
}

/// The address that a parameter passes, as loads of it have it.
static Ref pointer(Expressions &E, const BufferLoad &L, unsigned Width) {
  const Parameter &P = *L.Pointer;
  Symbol S;
  S.Kind = Symbol::KindTy::Parameter;
  S.Varies = VariesNowhere;
  S.Name = P.shownName().str();
  S.Context = &P;
  S.Number = P.Offset;
  S.Max = maskOf(Width);
  S.Align = L.Given->BufferAlign;
  return E.symbol(Width, std::move(S));
}

/// Whether what a load has in memory is a number of 1, 2, 4 or 8 bytes.
static bool hasNumbers(const InstructionView &View) {
  std::optional<ScalarType> T = View.type();
  return T && bitWidth(*T) >= 8 && bitWidth(*T) <= 64;
}

/// Bounds of what a load from that buffer gives a register of \p Width bits.
static ValueBounds boundsOf(const InstructionView &View, const BufferLoad &L,
                            unsigned Width) {
  const ScalarType T = *View.type();
  const BufferContents::Range &R = L.Given->Contents->range(bitWidth(T) / 8);
  if (Width < bitWidth(T))
    return {};
  if (Width == bitWidth(T) || kindOf(T) != TypeKind::Signed)
    return {R.UMin, R.UMax};
  return R.SMin < 0 ? ValueBounds()
                    : ValueBounds{uint64_t(R.SMin), uint64_t(R.SMax)};
}

/// A load from a buffer whose contents the launch gives, at a place that is
/// decided.
void InstructionTranslator::loadContents(const InstructionView &View,
                                         const BufferLoad &L, Ref Address) {
  const Instruction &I = View.instruction();
  const ScalarType T = *View.type();
  const bool IsSigned = kindOf(T) == TypeKind::Signed;
  const BufferRead Read{L.Given->Buffer, L.Given->Contents.get(),
                        bitWidth(T) / 8, IsSigned && bitWidth(T) == 8};
  const Operand &To = I.Operands[0];
  ArrayRef<Operand> Elements =
      To.Kind == Operand::KindTy::Vector ? To.Elements : ArrayRef<Operand>(To);
  Ref Offset = E.sub(Address, pointer(E, L, Address->Width));
  for (const Operand &O : Elements) {
    Values.define(O, E.load(Read, Offset), IsSigned);
    Offset = E.add(Offset, E.constant(Offset->Width, Read.Bytes));
  }
}

/// A load or atomic of memory whose contents nobody knows.
void InstructionTranslator::load(const InstructionView &View) {
  const Instruction &I = View.instruction();
  const MemoryEffect &Effect = I.Effects[0];
  Ref Address = View.operand(I.Operands[Effect.AddressOperand], 64);
  SmallVector<ValueBounds, 4> Bounds;
  const BufferLoad *L =
      Address && hasNumbers(View) ? Values.bufferLoad(I) : nullptr;
  if (L && L->IsDecided)
    loadContents(View, *L, Address);
  if (L) // or they have bounds
    for (const Value *D : I.Defs)
      Bounds.push_back(boundsOf(View, *L, bitWidth(D->Type)));
  uint8_t Varies = Address ? Address->Varies : uint8_t(VariesEverywhere);
  if (I.Guard)
    Varies |= Values.guard(I)->Varies;
  bool NeverWritten = Effect.Space == AddressSpace::Const ||
                      Effect.Space == AddressSpace::Param || View.has("nc");
  bool IsOwn =
      Effect.Space == AddressSpace::Local ||
      (Effect.Space == AddressSpace::Generic && Locals.mayBeLocal(Address));
  if (!isPlainLoad(I) || IsOwn)
    Varies = VariesEverywhere;
  else if (!NeverWritten) // others may write between warps' loads
    Varies |= VariesInBlock | VariesInGrid;
  // What the contents say is better; under a guard a register may keep what it
  // had.
  if (isPlainLoad(I) && !I.Guard && !(L && L->IsDecided) &&
      llvm::none_of(Bounds, [](const ValueBounds &B) { return B.Max + 1; }))
    extendLoaded(View, Varies);
  Values.setOpaque(I,
                   Effect.Access == AccessKind::Atomic
                       ? Symbol::ReasonTy::Atomic
                       : Symbol::ReasonTy::Load,
                   Varies, Bounds);
}

/// Loads of 8 and 16 bits into wider registers, which extend them.
void InstructionTranslator::extendLoaded(const InstructionView &View,
                                         uint8_t Varies) {
  std::optional<ScalarType> Type = View.type();
  if (!Type || bitWidth(*Type) > 16)
    return;
  const unsigned Bits = bitWidth(*Type);
  const bool Signed = toString(*Type).starts_with("s");
  for (const Value *D : View.instruction().Defs) {
    const unsigned Width = bitWidth(D->Type);
    if (Width <= Bits || Width > 64)
      continue;
    Symbol S = Values.symbolFor(*D, Symbol::ReasonTy::Load, Varies);
    S.Max = maskOf(Bits);
    Values.set(D, Signed ? E.sext(E.symbol(Bits, std::move(S)), Width)
                         : E.symbol(Width, std::move(S)));
  }
}

void InstructionTranslator::crossLane(const InstructionView &View) {
  const Instruction &I = View.instruction();
  Opcode Op = View.opcode();
  // All lanes of the warp are named to take part.
  auto IsFull = [&](const Operand &O) {
    Ref Mask = View.operand(O, 32);
    return Mask && Mask->isConstant(maskOf(32));
  };
  bool Full = !View.sources().empty() && View.has("sync") &&
              IsFull(*View.sources().back());
  if (Full && (Op == Opcode::Shfl || Op == Opcode::Vote)) {
    // What is the same in all lanes stays what it is.
    Ref X = View.operand(*View.sources()[0], 32);
    const Operand &D = I.Operands[0];
    if (X && X->isUniform() && !I.Guard) {
      bool IsVote = Op == Opcode::Vote;
      if (!IsVote)
        Values.define(D.Kind == Operand::KindTy::Vector ? D.Elements[0] : D, X);
      else if (View.has("uni"))
        Values.define(D, E.boolean(true));
      else if (!View.has("ballot"))
        Values.define(D, X);
    }
  }
  // All lanes that the mask names execute it, and one of them is elected: the
  // lowest one, as in the emulator (PTX ISA 9.7.13, elect.sync).
  if (Op == Opcode::Elect && !I.Guard && !View.sources().empty())
    if (Ref Mask = View.operand(*View.sources().back(), 32);
        Mask && Mask->isConstant() && Mask->Addend != 0) {
      Ref Leader = E.constant(32, llvm::countr_zero(Mask->Addend));
      const Operand &D = I.Operands[0];
      const bool IsPair = D.Kind == Operand::KindTy::Vector;
      Values.define(IsPair ? D.Elements[0] : D, Leader);
      if (IsPair && D.Elements.size() == 2)
        Values.define(D.Elements[1],
                      E.equal(E.index(Symbol::KindTy::Lane), Leader));
    }
  uint8_t Varies = VariesEverywhere;
  bool GivesAllTheSame = Op == Opcode::Vote || Op == Opcode::Redux ||
                         (Op == Opcode::Match && View.has("all"));
  if (Full && GivesAllTheSame && !I.Guard)
    Varies = VariesInBlock | VariesInGrid;
  Values.setOpaque(I, Symbol::ReasonTy::CrossLane, Varies);
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

/// Null for floats that are not constants.
Ref InstructionTranslator::comparison(const InstructionView &View,
                                      ScalarType T) {
  StringRef Name = View.modifiers()[0];
  if (bitWidth(T) > 64)
    return nullptr;
  if (kindOf(T) == TypeKind::Float)
    return FloatOperation(View).compare(Name, toString(T));
  if (Ref X = Values.graph().Assembled ? Divisions.compare(View) : nullptr)
    return X;
  return IntegerOperation(View, Carry).compare(Name, T);
}

/// setp and set, with their `.and` and the like.
void InstructionTranslator::setPredicates(const InstructionView &View) {
  std::optional<ScalarType> T = View.type();
  Ref P = T ? comparison(View, *T) : nullptr;
  if (!T && View.opcode() == Opcode::Setp && View.modifiers().back() == "bf16")
    P = FloatOperation(View).compare(View.modifiers()[0], "bf16");
  if (!P)
    return;
  Ref Q = E.bitNot(P);
  if (View.sources().size() == 3) {
    Ref C = View.source(2, 1);
    auto Combined = [&](Ref X) {
      return View.has("and")  ? E.bitAnd(X, C)
             : View.has("or") ? E.bitOr(X, C)
                              : E.bitXor(X, C);
    };
    P = Combined(P), Q = Combined(Q);
  }
  const Operand &D = View.instruction().Operands[0];
  if (View.opcode() == Opcode::Set) {
    // All bits, or 1.0.
    uint64_t True = View.has("f32") ? 0x3f800000 : ~uint64_t(0);
    Values.define(D, E.select(P, E.constant(32, True), E.constant(32, 0)));
  } else if (D.Kind == Operand::KindTy::Vector && D.Elements.size() == 2) {
    Values.define(D.Elements[0], P);
    Values.define(D.Elements[1], Q);
  } else {
    Values.define(D, P);
  }
}

/// Whether \p M, with a dot before it, names a type of floats.
static bool isFloatType(StringRef M) {
  std::optional<ScalarType> T =
      ptx::operationType(StringRef(M.data() - 1, M.size() + 1));
  return T && (kindOf(*T) == TypeKind::Float || M.starts_with("bf16"));
}

static bool computesFloats(const InstructionView &View) {
  return llvm::any_of(View.modifiers(), isFloatType);
}

/// cvt between integers, and of constants to and from anything else.
Ref InstructionTranslator::convert(const InstructionView &View) {
  SmallVector<ScalarType, 2> Types;
  for (StringRef M : View.modifiers())
    if (std::optional<ScalarType> T = parseScalarType(M))
      Types.push_back(*T);
  if (computesFloats(View) || Types.size() != 2 || View.sources().size() != 1)
    return FloatOperation(View).compute();
  return IntegerOperation(View, Carry).convert(Types[0], Types[1]);
}

/// What an instruction of one result computes from its sources, which are
/// known; null if nobody knows.
Ref InstructionTranslator::compute(const InstructionView &View) {
  Opcode Op = View.opcode();
  ArrayRef<StringRef> Modifiers = View.modifiers();
  if (Op == Opcode::Cvt)
    return convert(View);
  // prmt's mode stands behind the type.
  std::optional<ScalarType> T = View.type();
  if (Op == Opcode::Prmt && !Modifiers.empty())
    T = parseScalarType(Modifiers[0]);
  const bool IsFloat = !Modifiers.empty() && isFloatType(Modifiers.back());
  if (!T || bitWidth(*T) > 64 || kindOf(*T) == TypeKind::Opaque)
    return IsFloat ? FloatOperation(View).compute() : nullptr;
  unsigned Width = bitWidth(*T);
  if (Op == Opcode::Selp) // of any bits
    return E.select(View.source(2, 1), View.source(0, Width),
                    View.source(1, Width));
  if (Op == Opcode::Slct) {
    if (Modifiers.size() < 2)
      return nullptr;
    std::optional<ScalarType> Chosen =
        parseScalarType(Modifiers[Modifiers.size() - 2]);
    if (*T != ScalarType::S32 || !Chosen || bitWidth(*Chosen) > 64)
      return nullptr;
    unsigned Bits = bitWidth(*Chosen);
    return E.select(E.less(View.source(2, 32), E.constant(32, 0), true),
                    View.source(1, Bits), View.source(0, Bits));
  }
  if (IsFloat)
    return FloatOperation(View).compute();
  if (Ref X = Values.graph().Assembled ? Divisions.compute(View) : nullptr)
    return X;
  return IntegerOperation(View, Carry).compute(*T);
}

/// lop3 with `d|p`: p = (d != 0) .or/.and q.
void InstructionTranslator::defineWithPredicate(const InstructionView &View,
                                                Ref X) {
  const Operand &D = View.instruction().Operands[0];
  Values.define(D.Elements[0], X);
  if (!X || View.sources().size() != 5)
    return;
  Ref Q = View.source(4, 1);
  Ref NonZero = E.bitNot(E.equal(X, E.constant(32, 0)));
  Values.define(D.Elements[1],
                View.has("or") ? E.bitOr(NonZero, Q) : E.bitAnd(NonZero, Q));
}

/// mapa: the same place in another block of the cluster. That changes none of
/// the lower 24 bits, in which a block's shared memory has its places.
void InstructionTranslator::mapAddress(const InstructionView &View) {
  const Instruction &I = View.instruction();
  const Value &To = *I.Defs[0];
  const unsigned Width = bitWidth(To.Type);
  Ref Place = View.source(0, Width), Rank = View.source(1, 32);
  if (!Place || !Rank || Place->Width != Width)
    return;
  Symbol S = Values.symbolFor(To, Symbol::ReasonTy::Other, Rank->Varies);
  // A place that is counted from a variable is one of the own block.
  const Symbol *Base = counting::findBase(*Place);
  if (!Base || !Base->Var)
    S.Varies |= Place->Varies;
  S.Max = maskOf(Width);
  S.Align = uint64_t(1) << 24;
  Values.define(I.Operands[0], E.add(Place, E.symbol(Width, std::move(S))));
}

void InstructionTranslator::computeResults(const InstructionView &View) {
  const Instruction &I = View.instruction();
  Opcode Op = View.opcode();
  bool AllKnown = View.areSourcesKnown();
  if (Op == Opcode::Mov && !View.modifiers().empty()) {
    move(View);
  } else if ((Op == Opcode::Setp || Op == Opcode::Set) && AllKnown &&
             View.modifiers().size() >= 2) {
    setPredicates(View);
  } else if (Op == Opcode::Cvta && AllKnown && View.sources().size() == 1) {
    Values.define(I.Operands[0], View.operand(*View.sources()[0], 64));
  } else if (Op == Opcode::Mapa && AllKnown && I.Defs.size() == 1 &&
             View.sources().size() == 2) {
    mapAddress(View);
  } else if (AllKnown && !I.Operands.empty()) {
    Ref X = compute(View);
    if (Op == Opcode::Lop3 && I.Operands[0].Kind == Operand::KindTy::Vector)
      defineWithPredicate(View, X);
    else
      Values.define(I.Operands[0], X);
  } else if (View.has("cc")) {
    Carry = nullptr;
  }
  if (!Values.areAllFound(I.Defs))
    Values.setOpaque(I,
                     computesFloats(View) ? Symbol::ReasonTy::Float
                                          : Symbol::ReasonTy::Other,
                     variationOf(I, Values));
}

void InstructionTranslator::translate(const Instruction &I) {
  if (I.isSelect())
    return select(I);
  InstructionView View(Values, I);
  if (I.IsCall) {
    Calls.call(I);
    // Nobody knows what a callee does to the carry.
    Carry = nullptr;
    Values.setOpaque(I, Symbol::ReasonTy::Call, VariesEverywhere);
    return Locals.clobber(I);
  }
  if (!I.Effects.empty()) {
    accessMemory(View);
    return Locals.clobber(I);
  }
  if (I.Defs.empty() && !View.has("cc"))
    return;
  if (I.IsCrossLane)
    return crossLane(View);
  if (I.IsUnknown) {
    Values.setOpaque(I, Symbol::ReasonTy::Other, VariesEverywhere);
    return Locals.clobber(I);
  }
  computeResults(View);
}
