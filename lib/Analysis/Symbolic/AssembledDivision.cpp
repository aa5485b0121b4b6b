//===- AssembledDivision.cpp - Divisions in machine code ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AssembledDivision.h"
#include "ptxpredict/ISA/PTXOpcode.h"

using namespace ptxpredict;
using ptx::Opcode;
using Ref = const Expression *;

static bool isRegister(const Operand &O) {
  return O.Kind == Operand::KindTy::Register && O.Val;
}

/// What computes \p O under no guard; null if nothing does.
static const Instruction *definitionOf(const Operand &O) {
  const Instruction *I = isRegister(O) ? O.Val->Def : nullptr;
  return I && !I->isPseudo() && !I->HasGuard && !I->IsUnknown ? I : nullptr;
}

/// Where copies of \p O come from.
static const Operand &originOf(const Operand &O) {
  const Operand *From = &O;
  constexpr unsigned Most = 8;
  for (unsigned N = 0; N != Most; ++N) {
    const Instruction *I = definitionOf(*From);
    if (!I || Opcode(I->Opcode) != Opcode::Mov || I->Operands.size() != 2 ||
        !isRegister(I->Operands[0]) || !isRegister(I->Operands[1]))
      break;
    From = &I->Operands[1];
  }
  return *From;
}

/// What computes the value that \p O is a copy of, if it is an \p Op with all
/// these modifiers and so many sources; null if not.
static const Instruction *made(const Operand &O, Opcode Op,
                               ArrayRef<StringRef> Modifiers,
                               unsigned NumSources) {
  const Instruction *I = definitionOf(originOf(O));
  const bool IsIt = I && Opcode(I->Opcode) == Op &&
                    I->Operands.size() == NumSources + 1 &&
                    llvm::all_of(Modifiers, [&](StringRef M) {
                      return ptx::hasModifier(I->Modifiers, M);
                    });
  return IsIt ? I : nullptr;
}

static bool isNumber(const Operand &O, uint64_t N) {
  return O.Kind == Operand::KindTy::Integer && O.Bits == N;
}

/// The register that \p O is the upper half of, below which there is a zero;
/// null if it is none.
static const Operand *upperHalf(const Operand &O) {
  const Instruction *I = made(O, Opcode::Mov, {"b64"}, 1);
  if (!I || I->Operands[1].Kind != Operand::KindTy::Vector ||
      I->Operands[1].Elements.size() != 2 ||
      !isNumber(I->Operands[1].Elements[0], 0))
    return nullptr;
  return &I->Operands[1].Elements[1];
}

/// The 64 bits that \p O is the upper half of; null if it is none.
static const Operand *halved(const Operand &O) {
  const Operand &From = originOf(O);
  const Instruction *I = made(From, Opcode::Mov, {"b64"}, 1);
  if (!I || I->Operands[0].Kind != Operand::KindTy::Vector ||
      I->Operands[0].Elements.size() != 2 ||
      I->Operands[0].Elements[1].Val != From.Val)
    return nullptr;
  return &I->Operands[1];
}

/// What \p X, a number below 2^32 / d, is made of by a float; null if it is
/// made otherwise. \p At reads it.
static const Operand *approximated(const Operand &X, const Instruction *&At) {
  // Two less in the last place and 2^32 times as much, as bits of a float.
  constexpr uint64_t Scale = 0x0ffffffe;
  const Instruction *I = made(X, Opcode::Cvt, {"rzi", "u32", "f32"}, 1);
  I = I ? made(I->Operands[1], Opcode::Add, {}, 2) : nullptr;
  if (!I || !isNumber(I->Operands[2], Scale))
    return nullptr;
  I = made(I->Operands[1], Opcode::Rcp, {"approx", "f32"}, 1);
  At = I ? made(I->Operands[1], Opcode::Cvt, {"rp", "f32"}, 1) : nullptr;
  const bool IsOfInteger =
      At && ptx::hasAnyModifier(At->Modifiers, {"u32", "s32"});
  return IsOfInteger ? &At->Operands[1] : nullptr;
}

/// The number that \p Reciprocal makes a quotient of by a product; null if it
/// makes none.
Ref AssembledDivision::divisorOf(const Operand &Reciprocal) const {
  const Operand *Sum = halved(Reciprocal);
  const Instruction *I =
      Sum ? made(*Sum, Opcode::Mad, {"wide", "u32"}, 3) : nullptr;
  const Operand *X = I ? upperHalf(I->Operands[3]) : nullptr;
  const Instruction *At = nullptr;
  const Operand *D = X ? approximated(*X, At) : nullptr;
  if (!D)
    return nullptr;
  constexpr unsigned Width = 32;
  Expressions &E = Values.expressions();
  Ref Approximate = Values.operand(*I, *X, Width),
      Divisor = Values.operand(*At, *D, Width);
  if (!Approximate || !Divisor)
    return nullptr;
  Ref Correction = E.neg(E.mul(Divisor, Approximate));
  for (unsigned N : {1, 2})
    if (Values.operand(*I, I->Operands[N], Width) == Approximate &&
        Values.operand(*I, I->Operands[3 - N], Width) == Correction)
      return Divisor;
  return nullptr;
}

Ref AssembledDivision::quotient(const InstructionView &I) {
  for (unsigned N : {0, 1}) {
    Ref Divisor = divisorOf(*I.sources()[N]);
    if (!Divisor)
      continue;
    Ref Dividend = I.source(1 - N, Divisor->Width);
    Ref Q = I.expressions().div(Dividend, Divisor, false);
    if (!Q->isConstant())
      Quotients[Q] = {Dividend, Divisor};
    return Q;
  }
  return nullptr;
}

Ref AssembledDivision::remainder(const InstructionView &I) {
  Expressions &E = I.expressions();
  constexpr unsigned Width = 32;
  for (unsigned N : {0, 1}) {
    auto It = Quotients.find(E.neg(I.source(N, Width)));
    if (It == Quotients.end())
      continue;
    const auto [Dividend, Divisor] = It->second;
    if (I.source(1 - N, Width) != Divisor || I.source(2, Width) != Dividend)
      continue;
    Ref Rest = E.rem(Dividend, Divisor, false);
    Remainders.insert({Rest, Divisor});
    return Rest;
  }
  return nullptr;
}

Ref AssembledDivision::compare(const InstructionView &I) const {
  if (Remainders.empty() || !I.has("u32"))
    return nullptr;
  constexpr unsigned Width = 32;
  Ref A = I.source(0, Width), B = I.source(1, Width);
  const bool IsLess = Remainders.contains({A, B});
  if (!IsLess && !Remainders.contains({B, A}))
    return nullptr;
  const StringRef Name = I.modifiers()[0];
  const bool AsksLess = Name == "lt" || Name == "le";
  if (!AsksLess && Name != "gt" && Name != "ge")
    return nullptr;
  return I.expressions().constant(1, IsLess == AsksLess);
}

Ref AssembledDivision::compute(const InstructionView &I) {
  if (I.opcode() == Opcode::Mul && I.has("hi") && I.has("u32"))
    return quotient(I);
  if (I.opcode() == Opcode::Mad && I.has("lo") && !Quotients.empty())
    return remainder(I);
  return nullptr;
}
