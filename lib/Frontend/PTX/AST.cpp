//===- AST.cpp - Values and small queries of the syntax tree --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/PTX/AST.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::ptx;

using Kind = ptx::Operand::KindTy;

StringRef ptx::toString(Operator Op) {
  static constexpr const char *Names[] = {
      "+", "-",  "!", "~",  "*",  "/",  "%", "+", "-", "<<", ">>",
      "<", "<=", ">", ">=", "==", "!=", "&", "^", "|", "&&", "||"};
  return Names[unsigned(Op)];
}

/// ISA 4.5.5: 64-bit arithmetic; here always signed, but for what the bits
/// decide alone.
static std::optional<int64_t> apply(Operator Op, int64_t A, int64_t B) {
  uint64_t UA = uint64_t(A), UB = uint64_t(B);
  switch (Op) {
  case Operator::Mul:
    return int64_t(UA * UB);
  case Operator::Div:
  case Operator::Rem:
    if (B == 0)
      return std::nullopt;
    if (B == -1)
      return Op == Operator::Div ? int64_t(0 - UA) : 0;
    return Op == Operator::Div ? A / B : A % B;
  case Operator::Add:
    return int64_t(UA + UB);
  case Operator::Sub:
    return int64_t(UA - UB);
  case Operator::Shl:
    return UB > 63 ? 0 : int64_t(UA << UB);
  case Operator::Shr:
    return UB > 63 ? 0 : A >> UB;
  case Operator::Less:
    return A < B;
  case Operator::LessEqual:
    return A <= B;
  case Operator::Greater:
    return A > B;
  case Operator::GreaterEqual:
    return A >= B;
  case Operator::Equal:
    return A == B;
  case Operator::NotEqual:
    return A != B;
  case Operator::And:
    return A & B;
  case Operator::Xor:
    return A ^ B;
  case Operator::Or:
    return A | B;
  case Operator::LogicalAnd:
    return A != 0 && B != 0;
  case Operator::LogicalOr:
    return A != 0 || B != 0;
  default:
    return std::nullopt;
  }
}

/// A sum of many terms leans to the left: its operators, outermost first, and
/// the first term. Recursion goes through parentheses only.
static const Operand &leftmost(const Operand &E,
                               SmallVectorImpl<const Operand *> &Chain) {
  const Operand *Left = &E;
  for (; Left->is(Kind::Binary); Left = &Left->child())
    Chain.push_back(Left);
  return *Left;
}

std::optional<int64_t> ptx::evaluate(const Operand &E) {
  switch (E.Kind) {
  case Kind::Integer:
    return int64_t(E.Value);
  case Kind::Paren:
  case Kind::Cast:
    return evaluate(E.child());
  case Kind::Unary: {
    std::optional<int64_t> V = evaluate(E.child());
    if (!V)
      return V;
    switch (E.Op) {
    case Operator::Minus:
      return int64_t(0 - uint64_t(*V));
    case Operator::BitNot:
      return ~*V;
    case Operator::LogicalNot:
      return *V == 0;
    default:
      return V;
    }
  }
  case Kind::Binary: {
    SmallVector<const Operand *, 8> Chain;
    std::optional<int64_t> V = evaluate(leftmost(E, Chain));
    for (; V && !Chain.empty(); Chain.pop_back()) {
      std::optional<int64_t> B = evaluate(Chain.back()->child(1));
      V = B ? apply(Chain.back()->Op, *V, *B) : std::nullopt;
    }
    return V;
  }
  case Kind::Select: {
    std::optional<int64_t> C = evaluate(E.child(0));
    return C ? evaluate(E.child(*C != 0 ? 1 : 2)) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

static std::optional<double> applyFloat(Operator Op, double A, double B) {
  switch (Op) {
  case Operator::Add:
    return A + B;
  case Operator::Sub:
    return A - B;
  case Operator::Mul:
    return A * B;
  case Operator::Div:
    return A / B;
  default:
    return std::nullopt;
  }
}

std::optional<double> ptx::evaluateFloat(const Operand &E) {
  if (std::optional<int64_t> V = evaluate(E))
    return double(*V);
  switch (E.Kind) {
  case Kind::Float: {
    StringRef Text = E.text();
    uint64_t Bits;
    if (Text.size() == 10 && (Text[1] | 0x20) == 'f')
      return Text.drop_front(2).getAsInteger(16, Bits)
                 ? std::nullopt
                 : std::optional<double>(llvm::bit_cast<float>(uint32_t(Bits)));
    if (Text.size() == 18 && (Text[1] | 0x20) == 'd')
      return Text.drop_front(2).getAsInteger(16, Bits)
                 ? std::nullopt
                 : std::optional<double>(llvm::bit_cast<double>(Bits));
    double Value;
    if (Text.getAsDouble(Value))
      return std::nullopt;
    return Value;
  }
  case Kind::Paren:
    return evaluateFloat(E.child());
  case Kind::Unary:
    if (std::optional<double> V = evaluateFloat(E.child());
        V && E.Op == Operator::Minus)
      return -*V;
    else if (V && E.Op == Operator::Plus)
      return V;
    break;
  case Kind::Binary: {
    SmallVector<const Operand *, 8> Chain;
    std::optional<double> V = evaluateFloat(leftmost(E, Chain));
    for (; V && !Chain.empty(); Chain.pop_back()) {
      std::optional<double> B = evaluateFloat(Chain.back()->child(1));
      V = B ? applyFloat(Chain.back()->Op, *V, *B) : std::nullopt;
    }
    if (V)
      return V;
    break;
  }
  default:
    break;
  }
  return std::nullopt;
}

AddressParts ptx::splitAddress(const Operand &Address) {
  AddressParts P;
  if (Address.NumChildren == 0)
    return P;
  const Operand *E = &Address.child();
  for (;;) {
    if (E->is(Kind::Name)) {
      P.Base = E;
      return P;
    }
    if (E->is(Kind::Paren) || E->is(Kind::Cast) ||
        (E->is(Kind::Call) && E->NumChildren == 1)) {
      E = &E->child();
      continue;
    }
    if (E->is(Kind::Binary) &&
        (E->Op == Operator::Add || E->Op == Operator::Sub)) {
      if (std::optional<int64_t> V = evaluate(E->child(1))) {
        P.Offset =
            int64_t(uint64_t(P.Offset) +
                    (E->Op == Operator::Add ? uint64_t(*V) : 0 - uint64_t(*V)));
        E = &E->child(0);
        continue;
      }
      if (std::optional<int64_t> V = evaluate(E->child(0));
          V && E->Op == Operator::Add) { // 4+a
        P.Offset = int64_t(uint64_t(P.Offset) + uint64_t(*V));
        E = &E->child(1);
        continue;
      }
    }
    if (std::optional<int64_t> V = evaluate(*E))
      P.Offset = int64_t(uint64_t(P.Offset) + uint64_t(*V));
    return P;
  }
}

uint64_t Variable::sizeInBytes() const {
  if (Space == AddressSpace::Register)
    return 0;
  uint64_t Bytes = uint64_t(bitWidth(Type)) / 8 * Vector;
  for (const Operand &D : Dimensions) {
    std::optional<int64_t> N = evaluate(D);
    if (!N || *N < 0)
      return 0;
    Bytes = llvm::SaturatingMultiply(Bytes, uint64_t(*N));
  }
  return IsRange ? llvm::SaturatingMultiply(Bytes, uint64_t(RangeCount))
                 : Bytes;
}

const Clause *Function::clause(StringRef ClauseName) const {
  for (const Clause &C : Clauses)
    if (C.Name == ClauseName)
      return &C;
  return nullptr;
}

StringRef AST::architecture() const {
  if (TheTarget)
    for (StringRef Option : TheTarget->Options)
      if (Option.starts_with("sm_") || Option.starts_with("compute_"))
        return Option;
  return StringRef();
}

StringRef AST::version() const {
  return TheVersion ? TheVersion->Text : StringRef();
}
