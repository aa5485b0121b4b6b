//===- SymbolicValuesArithmetic.cpp - Arithmetic, logic, conversions ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA 9.7.1 and 9.7.2 (integers), 9.7.6 to 9.7.9 (comparison, logic, cvt).
//===----------------------------------------------------------------------===//
#include "ExpressionsImpl.h"
#include "SymbolicValuesImpl.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using ptx::Opcode;
using Ref = const Expression *;

bool ValueBuilder::has(StringRef Modifier) const {
  return llvm::is_contained(Modifiers, Modifier);
}

/// A source as a number of \p Width bits.
Ref ValueBuilder::source(unsigned N, unsigned Width) const {
  Ref X = Out.of(*I, *Sources[N], Width);
  return X->Width == Width || X->Width == 1 ? X : E.resize(X, Width, false);
}

Ref ValueBuilder::signedSource(unsigned N, unsigned Width, unsigned To,
                               bool Signed) const {
  return E.resize(source(N, Width), To, Signed);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// A number of twice the width, brought into the range of the type.
Ref ValueBuilder::saturated(Ref Wide, unsigned Width, bool Signed) const {
  uint64_t Top = uint64_t(1) << (Width - 1);
  Ref Low = E.constant(Wide->Width, Signed ? 0 - Top : 0);
  Ref High = E.constant(Wide->Width, Signed ? Top - 1 : maskOf(Width));
  return E.trunc(E.max(E.min(Wide, High, true), Low, true), Width);
}

/// The 48-bit product of the low 24 bits.
Ref ValueBuilder::multiply24(bool Signed) const {
  auto Low24 = [&](unsigned N) {
    Ref X =
        E.extract(source(N, 32), E.constant(32, 0), E.constant(32, 24), Signed);
    return E.resize(X, 64, Signed);
  };
  return E.mul(Low24(0), Low24(1));
}

/// dp4a, and dp2a if \p Pairs: elements of the first source times bytes of the
/// second.
Ref ValueBuilder::dotProduct(bool Pairs) const {
  bool ASigned = Modifiers[Modifiers.size() - 2] == "s32",
       BSigned = Modifiers.back() == "s32";
  unsigned Count = Pairs ? 2 : 4, Bits = 32 / Count;
  unsigned First = Pairs && has("hi") ? 2 : 0;
  auto Part = [&](unsigned N, unsigned At, unsigned Length, bool Signed) {
    return E.extract(source(N, 32), E.constant(32, At), E.constant(32, Length),
                     Signed);
  };
  Ref Sum = source(2, 32);
  for (unsigned N = 0; N != Count; ++N)
    Sum = E.add(Sum, E.mul(Part(0, N * Bits, Bits, ASigned),
                           Part(1, (First + N) * 8, 8, BSigned)));
  return Sum;
}

/// add, sub and mad with .cc, and their forms that read the carry.
Ref ValueBuilder::withCarry(Opcode Op, unsigned Width, bool Signed) {
  bool In = Op == Opcode::Addc || Op == Opcode::Subc || Op == Opcode::Madc;
  bool IsSub = Op == Opcode::Sub || Op == Opcode::Subc;
  bool IsMad = Op == Opcode::Mad || Op == Opcode::Madc;
  Ref CarryIn = In ? Carry : E.boolean(false);
  bool SetsCarry = has("cc");
  if (SetsCarry)
    Carry = nullptr;
  if (!CarryIn || Width < 32)
    return nullptr;
  Ref A = source(0, Width), B = source(1, Width);
  if (IsMad) {
    A = has("hi") ? E.mulHigh(A, B, Signed) : E.mul(A, B);
    B = source(2, Width);
  }
  Ref First = IsSub ? E.sub(A, B) : E.add(A, B);
  Ref More = E.zext(CarryIn, Width);
  Ref Result = IsSub ? E.sub(First, More) : E.add(First, More);
  // Of a guarded instruction only some lanes have the new carry.
  if (SetsCarry && !I->HasGuard)
    Carry =
        IsSub ? E.bitOr(E.less(A, B, false), E.less(First, More, false))
              : E.bitOr(E.less(First, A, false), E.less(Result, First, false));
  return Result;
}

Ref ValueBuilder::arithmetic(Opcode Op, unsigned Width, bool Signed) {
  auto S = [&](unsigned N) { return source(N, Width); };
  unsigned Wide = Width * 2;
  auto W = [&](unsigned N) { return signedSource(N, Width, Wide, Signed); };
  switch (Op) {
  case Opcode::Add:
  case Opcode::Sub:
    if (has("cc"))
      return withCarry(Op, Width, Signed);
    if (has("sat"))
      return Width > 32 ? nullptr
                        : saturated(Op == Opcode::Add ? E.add(W(0), W(1))
                                                      : E.sub(W(0), W(1)),
                                    Width, Signed);
    return Op == Opcode::Add ? E.add(S(0), S(1)) : E.sub(S(0), S(1));
  case Opcode::Addc:
  case Opcode::Subc:
  case Opcode::Madc:
    return withCarry(Op, Width, Signed);
  case Opcode::Mul:
    if (has("wide"))
      return Width > 32 ? nullptr : E.mul(W(0), W(1));
    return has("hi") ? E.mulHigh(S(0), S(1), Signed) : E.mul(S(0), S(1));
  case Opcode::Mad: {
    if (has("cc"))
      return withCarry(Op, Width, Signed);
    if (has("wide"))
      return Width > 32 ? nullptr : E.add(E.mul(W(0), W(1)), source(2, Wide));
    if (!has("hi"))
      return E.add(E.mul(S(0), S(1)), S(2));
    Ref High = E.mulHigh(S(0), S(1), Signed);
    if (has("sat"))
      return saturated(E.add(E.resize(High, Wide, true), W(2)), Width, true);
    return E.add(High, S(2));
  }
  case Opcode::Mul24:
  case Opcode::Mad24: {
    Ref P = multiply24(Signed);
    P = E.trunc(has("hi") ? E.lshr(P, 16) : P, 32);
    if (Op == Opcode::Mul24)
      return P;
    return has("sat") ? saturated(E.add(E.sext(P, 64), W(2)), 32, true)
                      : E.add(P, S(2));
  }
  case Opcode::Sad:
    return E.add(S(2), E.select(E.less(S(0), S(1), Signed), E.sub(S(1), S(0)),
                                E.sub(S(0), S(1))));
  case Opcode::Div:
    return E.div(S(0), S(1), Signed);
  case Opcode::Rem:
    return E.rem(S(0), S(1), Signed);
  case Opcode::Abs: // of the least number itself
    return E.max(S(0), E.neg(S(0)), true);
  case Opcode::Neg:
    return E.neg(S(0));
  case Opcode::Min:
  case Opcode::Max: {
    Ref X = S(0);
    for (unsigned N = 1; N != Sources.size(); ++N)
      X = Op == Opcode::Min ? E.min(X, S(N), Signed) : E.max(X, S(N), Signed);
    return has("relu") ? E.max(X, E.constant(Width, 0), true) : X;
  }
  case Opcode::Dp4a:
  case Opcode::Dp2a:
    return dotProduct(Op == Opcode::Dp2a);
  default:
    return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// shf: 64 bits, shifted; the upper half of a left shift.
Ref ValueBuilder::shiftPair() const {
  Ref A = source(0, 32), B = source(1, 32), N = source(2, 32);
  N = has("clamp") ? E.min(N, E.constant(32, 32), false)
                   : E.bitAnd(N, E.constant(32, 31));
  bool Left = has("l");
  if (N->isConstant()) {
    unsigned By = unsigned(N->Addend);
    if (By == 0 || By == 32)
      return (By == 0) == Left ? B : A;
    unsigned Up = Left ? By : 32 - By;
    return E.bitOr(E.shl(B, Up), E.lshr(A, 32 - Up));
  }
  Ref Pair = E.add(E.zext(A, 64), E.shl(E.zext(B, 64), 32));
  return E.trunc(Left ? E.lshr(E.shl(Pair, N), 32) : E.lshr(Pair, N), 32);
}

Ref ValueBuilder::logic(Opcode Op, unsigned Width, bool Signed) {
  auto S = [&](unsigned N) { return source(N, Width); };
  auto Number = [&](uint64_t V) { return E.constant(32, V); };
  switch (Op) {
  case Opcode::And:
    return E.bitAnd(S(0), S(1));
  case Opcode::Or:
    return E.bitOr(S(0), S(1));
  case Opcode::Xor:
    return E.bitXor(S(0), S(1));
  case Opcode::Not:
    return E.bitNot(S(0));
  case Opcode::Cnot:
    return E.zext(E.equal(S(0), E.constant(Width, 0)), Width);
  case Opcode::Shl:
    return E.shl(S(0), source(1, 32));
  case Opcode::Shr:
    return Signed ? E.ashr(S(0), source(1, 32)) : E.lshr(S(0), source(1, 32));
  case Opcode::Shf:
    return shiftPair();
  case Opcode::Popc:
    return E.popCount(S(0));
  case Opcode::Clz:
    return E.leadingZeros(S(0));
  case Opcode::Bfind: {
    Ref A = S(0);
    if (Signed)
      A = E.select(E.less(A, E.constant(Width, 0), true), E.bitNot(A), A);
    Ref Bit = E.highestBit(A);
    if (!has("shiftamt"))
      return Bit;
    return E.select(E.equal(A, E.constant(Width, 0)), Bit,
                    E.sub(Number(Width - 1), Bit));
  }
  case Opcode::Brev:
    return E.bitReverse(S(0));
  case Opcode::Bfe:
    return E.extract(S(0), source(1, 32), source(2, 32), Signed);
  case Opcode::Bfi:
    return E.insert(S(0), S(1), source(2, 32), source(3, 32));
  case Opcode::Bmsk: {
    Ref At = S(0), Length = S(1);
    if (!has("clamp"))
      At = E.bitAnd(At, Number(31)), Length = E.bitAnd(Length, Number(31));
    return E.shl(E.bitNot(E.shl(Number(~0u), Length)), At);
  }
  case Opcode::Szext: {
    Ref Length = S(1);
    Ref Field =
        E.extract(S(0), Number(0), E.bitAnd(Length, Number(31)), Signed);
    return has("clamp")
               ? E.select(E.less(Length, Number(32), false), Field, S(0))
               : Field;
  }
  case Opcode::Prmt: {
    // What the modes choose, as nibbles of the plain mode (PTX ISA 9.7.9.7).
    static constexpr std::pair<StringRef, std::array<uint16_t, 4>> Modes[] = {
        {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}},
        {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
        {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}},
        {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
        {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}},
        {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};
    Ref Control = S(2);
    for (const auto &[Name, Nibbles] : Modes) {
      if (!has(Name))
        continue;
      Ref Low = E.bitAnd(Control, Number(3));
      Control = Number(Nibbles[3]);
      for (unsigned N = 3; N-- != 0;)
        Control =
            E.select(E.equal(Low, Number(N)), Number(Nibbles[N]), Control);
    }
    return E.permute(S(0), S(1), Control);
  }
  case Opcode::Lop3: {
    Ref Table = S(3);
    return Table->isConstant()
               ? E.lookUp(S(0), S(1), S(2), uint8_t(Table->Addend))
               : nullptr;
  }
  default:
    return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// Comparison and conversion
//===----------------------------------------------------------------------===//

/// Of the first two sources; null for floats that are not constants.
Ref ValueBuilder::comparison(StringRef Name, ScalarType T) const {
  unsigned Width = bitWidth(T);
  if (Width > 64)
    return nullptr;
  if (kindOf(T) == TypeKind::Float)
    return floatComparison(Name, T);
  bool Signed = kindOf(T) == TypeKind::Signed;
  Ref A = source(0, Width), B = source(1, Width);
  if (A->Width != B->Width)
    return nullptr;
  if (Name == "eq")
    return E.equal(A, B);
  if (Name == "ne")
    return E.bitNot(E.equal(A, B));
  if (Name == "lt" || Name == "lo")
    return E.less(A, B, Signed);
  if (Name == "ge" || Name == "hs")
    return E.bitNot(E.less(A, B, Signed));
  if (Name == "gt" || Name == "hi")
    return E.less(B, A, Signed);
  if (Name == "le" || Name == "ls")
    return E.bitNot(E.less(B, A, Signed));
  return nullptr;
}

/// setp and set, with their `.and` and the like.
void ValueBuilder::setPredicates(const Instruction &At) {
  std::optional<ScalarType> T = parseScalarType(Modifiers.back());
  Ref P = T ? comparison(Modifiers[0], *T) : nullptr;
  if (!P)
    return;
  Ref Q = E.bitNot(P);
  if (Sources.size() == 3) {
    Ref C = source(2, 1);
    auto Combined = [&](Ref X) {
      return has("and")  ? E.bitAnd(X, C)
             : has("or") ? E.bitOr(X, C)
                         : E.bitXor(X, C);
    };
    P = Combined(P), Q = Combined(Q);
  }
  const Operand &D = At.Operands[0];
  if (Opcode(At.Opcode) == Opcode::Set) {
    // All bits, or 1.0.
    uint64_t True = has("f32") ? 0x3f800000 : ~uint64_t(0);
    define(D, E.select(P, E.constant(32, True), E.constant(32, 0)));
    return;
  }
  if (D.Kind == Operand::KindTy::Vector && D.Elements.size() == 2) {
    define(D.Elements[0], P);
    define(D.Elements[1], Q);
  } else {
    define(D, P);
  }
}

/// cvt between integers, and of floats that are constants.
Ref ValueBuilder::convert() {
  SmallVector<ScalarType, 2> Types;
  for (StringRef M : Modifiers)
    if (std::optional<ScalarType> T = parseScalarType(M))
      Types.push_back(*T);
  if (Types.size() != 2 || Sources.size() != 1)
    return nullptr;
  auto [To, Source] = std::pair(Types[0], Types[1]);
  if (kindOf(To) == TypeKind::Float || kindOf(Source) == TypeKind::Float)
    return floatConversion(To, Source);
  if (llvm::any_of(Modifiers, [](StringRef M) {
        return M != "sat" && !parseScalarType(M);
      }))
    return nullptr;
  auto IsInteger = [](ScalarType T) {
    return kindOf(T) == TypeKind::Signed || kindOf(T) == TypeKind::Unsigned;
  };
  if (!IsInteger(To) || !IsInteger(Source))
    return nullptr;
  bool FromSigned = kindOf(Source) == TypeKind::Signed;
  bool ToSigned = kindOf(To) == TypeKind::Signed;
  unsigned FromBits = bitWidth(Source), ToBits = bitWidth(To);
  Ref X = E.resize(Out.of(*I, *Sources[0], 64), FromBits, false);
  if (has("sat")) {
    // To the nearest number of the other type, compared as the source's.
    auto Number = [&](uint64_t V) { return E.constant(FromBits, V); };
    uint64_t ToMax = ToSigned ? maskOf(ToBits - 1) : maskOf(ToBits);
    uint64_t FromMax = FromSigned ? maskOf(FromBits - 1) : maskOf(FromBits);
    if (FromSigned && (!ToSigned || ToBits < FromBits))
      X = E.max(X, Number(ToSigned ? ~maskOf(ToBits - 1) : 0), true);
    if (ToMax < FromMax)
      X = E.min(X, Number(ToMax), FromSigned);
  }
  X = E.resize(X, ToBits, FromSigned);
  // The register may be wider.
  const Operand &D = I->Operands[0];
  if (D.Kind == Operand::KindTy::Register && bitWidth(D.Val->Type) <= 64)
    X = E.resize(X, std::max(bitWidth(D.Val->Type), ToBits), ToSigned);
  return X;
}
