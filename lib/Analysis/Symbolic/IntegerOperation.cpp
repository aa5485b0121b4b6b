//===- IntegerOperation.cpp - Instructions on integers and bits -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "IntegerOperation.h"
#include "ExpressionsImpl.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using ptx::Opcode;
using Ref = const Expression *;

Ref IntegerOperation::compute(ScalarType T) {
  Width = bitWidth(T);
  Signed = kindOf(T) == TypeKind::Signed;
  if (Ref X = arithmetic())
    return X;
  return logic();
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// A number of twice the width \p To, brought into the range of the type.
Ref IntegerOperation::saturated(Ref Wide, unsigned To, bool ToSigned) const {
  uint64_t Top = uint64_t(1) << (To - 1);
  Ref Low = E.constant(Wide->Width, ToSigned ? 0 - Top : 0);
  Ref High = E.constant(Wide->Width, ToSigned ? Top - 1 : maskOf(To));
  return E.trunc(E.max(E.min(Wide, High, true), Low, true), To);
}

/// add, sub and mad with .cc, and their forms that read the carry.
Ref IntegerOperation::withCarry() {
  Opcode Op = View.opcode();
  bool In = Op == Opcode::Addc || Op == Opcode::Subc || Op == Opcode::Madc;
  bool IsSub = Op == Opcode::Sub || Op == Opcode::Subc;
  bool IsMad = Op == Opcode::Mad || Op == Opcode::Madc;
  Ref CarryIn = In ? Carry : E.boolean(false);
  bool SetsCarry = has("cc");
  if (SetsCarry)
    Carry = nullptr;
  if (!CarryIn || Width < 32)
    return nullptr;
  Ref A = source(0), B = source(1);
  if (IsMad) {
    A = has("hi") ? E.mulHigh(A, B, Signed) : E.mul(A, B);
    B = source(2);
  }
  Ref First = IsSub ? E.sub(A, B) : E.add(A, B);
  Ref More = E.zext(CarryIn, Width);
  Ref Result = IsSub ? E.sub(First, More) : E.add(First, More);
  // Behind a guard only some lanes have the new carry.
  if (SetsCarry && !View.instruction().HasGuard)
    Carry =
        IsSub ? E.bitOr(E.less(A, B, false), E.less(First, More, false))
              : E.bitOr(E.less(First, A, false), E.less(Result, First, false));
  return Result;
}

Ref IntegerOperation::addition() {
  bool IsAdd = View.opcode() == Opcode::Add;
  if (has("cc"))
    return withCarry();
  if (!has("sat"))
    return IsAdd ? E.add(source(0), source(1)) : E.sub(source(0), source(1));
  if (Width > 32)
    return nullptr;
  return saturated(IsAdd ? E.add(wideSource(0), wideSource(1))
                         : E.sub(wideSource(0), wideSource(1)),
                   Width, Signed);
}

/// mul and mad.
Ref IntegerOperation::multiplication() {
  bool IsMad = View.opcode() == Opcode::Mad;
  if (IsMad && has("cc"))
    return withCarry();
  if (has("wide")) {
    if (Width > 32)
      return nullptr;
    Ref Product = E.mul(wideSource(0), wideSource(1));
    return IsMad ? E.add(Product, View.source(2, 2 * Width)) : Product;
  }
  if (!has("hi")) {
    Ref Product = E.mul(source(0), source(1));
    return IsMad ? E.add(Product, source(2)) : Product;
  }
  Ref High = E.mulHigh(source(0), source(1), Signed);
  if (!IsMad)
    return High;
  if (has("sat"))
    return saturated(E.add(E.resize(High, 2 * Width, true), wideSource(2)),
                     Width, true);
  return E.add(High, source(2));
}

/// mul24 and mad24: the 48-bit product of the low 24 bits.
Ref IntegerOperation::multiplication24() const {
  auto Low24 = [&](unsigned N) {
    Ref X = E.extract(View.source(N, 32), number(0), number(24), Signed);
    return E.resize(X, 64, Signed);
  };
  Ref Product = E.mul(Low24(0), Low24(1));
  Product = E.trunc(has("hi") ? E.lshr(Product, 16) : Product, 32);
  if (View.opcode() == Opcode::Mul24)
    return Product;
  return has("sat")
             ? saturated(E.add(E.sext(Product, 64), wideSource(2)), 32, true)
             : E.add(Product, source(2));
}

/// dp4a, and dp2a if \p Pairs: elements of the first source times bytes of the
/// second.
Ref IntegerOperation::dotProduct(bool Pairs) const {
  ArrayRef<StringRef> Types = View.modifiers().take_back(2);
  if (Types.size() < 2)
    return nullptr;
  bool ASigned = Types[0] == "s32", BSigned = Types[1] == "s32";
  unsigned Count = Pairs ? 2 : 4, Bits = 32 / Count;
  unsigned First = Pairs && has("hi") ? 2 : 0;
  auto Part = [&](unsigned N, unsigned Bit, unsigned Length, bool IsSigned) {
    return E.extract(View.source(N, 32), number(Bit), number(Length), IsSigned);
  };
  Ref Sum = View.source(2, 32);
  for (unsigned N = 0; N != Count; ++N)
    Sum = E.add(Sum, E.mul(Part(0, N * Bits, Bits, ASigned),
                           Part(1, (First + N) * 8, 8, BSigned)));
  return Sum;
}

Ref IntegerOperation::arithmetic() {
  Opcode Op = View.opcode();
  auto S = [&](unsigned N) { return source(N); };
  switch (Op) {
  case Opcode::Add:
  case Opcode::Sub:
    return addition();
  case Opcode::Addc:
  case Opcode::Subc:
  case Opcode::Madc:
    return withCarry();
  case Opcode::Mul:
  case Opcode::Mad:
    return multiplication();
  case Opcode::Mul24:
  case Opcode::Mad24:
    return multiplication24();
  case Opcode::Sad:
    return E.add(S(2), E.select(E.less(S(0), S(1), Signed), E.sub(S(1), S(0)),
                                E.sub(S(0), S(1))));
  case Opcode::Div:
    return E.div(S(0), S(1), Signed);
  case Opcode::Rem:
    return E.rem(S(0), S(1), Signed);
  case Opcode::Abs: // the least number stays what it is
    return E.max(S(0), E.neg(S(0)), true);
  case Opcode::Neg:
    return E.neg(S(0));
  case Opcode::Min:
  case Opcode::Max: {
    Ref X = S(0);
    for (unsigned N = 1; N != View.sources().size(); ++N)
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
Ref IntegerOperation::shiftPair() const {
  Ref A = View.source(0, 32), B = View.source(1, 32), N = View.source(2, 32);
  N = has("clamp") ? E.min(N, number(32), false) : E.bitAnd(N, number(31));
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

/// bfind.
Ref IntegerOperation::bitFind() const {
  Ref A = source(0), Zero = E.constant(Width, 0);
  if (Signed)
    A = E.select(E.less(A, Zero, true), E.bitNot(A), A);
  Ref Bit = E.highestBit(A);
  if (!has("shiftamt"))
    return Bit;
  return E.select(E.equal(A, Zero), Bit, E.sub(number(Width - 1), Bit));
}

/// bmsk.
Ref IntegerOperation::maskOfBits() const {
  Ref First = source(0), Length = source(1);
  if (!has("clamp"))
    First = E.bitAnd(First, number(31)), Length = E.bitAnd(Length, number(31));
  return E.shl(E.bitNot(E.shl(number(~0u), Length)), First);
}

/// szext.
Ref IntegerOperation::extension() const {
  Ref Length = source(1);
  Ref Field =
      E.extract(source(0), number(0), E.bitAnd(Length, number(31)), Signed);
  return has("clamp")
             ? E.select(E.less(Length, number(32), false), Field, source(0))
             : Field;
}

/// prmt.
Ref IntegerOperation::permutation() const {
  // What the modes choose, as nibbles of the plain mode (PTX ISA 9.7.9.7).
  static constexpr std::pair<StringRef, std::array<uint16_t, 4>> Modes[] = {
      {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}},
      {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
      {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}},
      {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
      {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}},
      {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};
  Ref Control = source(2);
  for (const auto &[Name, Nibbles] : Modes) {
    if (!has(Name))
      continue;
    Ref Low = E.bitAnd(Control, number(3));
    Control = number(Nibbles[3]);
    for (unsigned N = 3; N-- != 0;)
      Control = E.select(E.equal(Low, number(N)), number(Nibbles[N]), Control);
  }
  return E.permute(source(0), source(1), Control);
}

Ref IntegerOperation::logic() const {
  auto S = [&](unsigned N) { return source(N); };
  auto Amount = [&](unsigned N) { return View.source(N, 32); };
  switch (View.opcode()) {
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
    return E.shl(S(0), Amount(1));
  case Opcode::Shr:
    return Signed ? E.ashr(S(0), Amount(1)) : E.lshr(S(0), Amount(1));
  case Opcode::Shf:
    return shiftPair();
  case Opcode::Popc:
    return E.popCount(S(0));
  case Opcode::Clz:
    return E.leadingZeros(S(0));
  case Opcode::Bfind:
    return bitFind();
  case Opcode::Brev:
    return E.bitReverse(S(0));
  case Opcode::Bfe:
    return E.extract(S(0), Amount(1), Amount(2), Signed);
  case Opcode::Bfi:
    return E.insert(S(0), S(1), Amount(2), Amount(3));
  case Opcode::Bmsk:
    return maskOfBits();
  case Opcode::Szext:
    return extension();
  case Opcode::Prmt:
    return permutation();
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

Ref IntegerOperation::compare(StringRef Name, ScalarType T) const {
  unsigned Bits = bitWidth(T);
  bool IsSigned = kindOf(T) == TypeKind::Signed;
  Ref A = View.source(0, Bits), B = View.source(1, Bits);
  if (A->Width != B->Width)
    return nullptr;
  if (Name == "eq")
    return E.equal(A, B);
  if (Name == "ne")
    return E.bitNot(E.equal(A, B));
  if (Name == "lt" || Name == "lo")
    return E.less(A, B, IsSigned);
  if (Name == "ge" || Name == "hs")
    return E.bitNot(E.less(A, B, IsSigned));
  if (Name == "gt" || Name == "hi")
    return E.less(B, A, IsSigned);
  if (Name == "le" || Name == "ls")
    return E.bitNot(E.less(B, A, IsSigned));
  return nullptr;
}

Ref IntegerOperation::convert(ScalarType To, ScalarType From) const {
  auto IsInteger = [](ScalarType T) {
    return kindOf(T) == TypeKind::Signed || kindOf(T) == TypeKind::Unsigned;
  };
  if (!IsInteger(To) || !IsInteger(From) ||
      llvm::any_of(View.modifiers(), [](StringRef M) {
        return M != "sat" && !parseScalarType(M);
      }))
    return nullptr;
  bool FromSigned = kindOf(From) == TypeKind::Signed;
  bool ToSigned = kindOf(To) == TypeKind::Signed;
  unsigned FromBits = bitWidth(From), ToBits = bitWidth(To);
  Ref X = E.resize(View.operand(*View.sources()[0], 64), FromBits, false);
  if (has("sat")) {
    // To the nearest number of the other type, compared as the source's.
    auto Limit = [&](uint64_t V) { return E.constant(FromBits, V); };
    uint64_t ToMax = ToSigned ? maskOf(ToBits - 1) : maskOf(ToBits);
    uint64_t FromMax = FromSigned ? maskOf(FromBits - 1) : maskOf(FromBits);
    if (FromSigned && (!ToSigned || ToBits < FromBits))
      X = E.max(X, Limit(ToSigned ? ~maskOf(ToBits - 1) : 0), true);
    if (ToMax < FromMax)
      X = E.min(X, Limit(ToMax), FromSigned);
  }
  X = E.resize(X, ToBits, FromSigned);
  // The register may be wider.
  const Operand &D = View.instruction().Operands[0];
  if (D.Kind == Operand::KindTy::Register && bitWidth(D.Val->Type) <= 64)
    X = E.resize(X, std::max(bitWidth(D.Val->Type), ToBits), ToSigned);
  return X;
}
