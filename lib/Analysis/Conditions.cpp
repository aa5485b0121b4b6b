//===- Conditions.cpp - How often a predicate holds in a warp -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Conditions.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace ptxpredict;
using ptx::Opcode;

std::optional<Comparison> ptxpredict::comparisonOf(StringRef Modifiers) {
  StringRef First = Modifiers.drop_front().split('.').first;
  return llvm::StringSwitch<std::optional<Comparison>>(First)
      .Case("eq", Comparison::EQ)
      .Case("ne", Comparison::NE)
      .Cases({"lt", "lo"}, Comparison::LT)
      .Cases({"le", "ls"}, Comparison::LE)
      .Cases({"gt", "hi"}, Comparison::GT)
      .Cases({"ge", "hs"}, Comparison::GE)
      .Default(std::nullopt);
}

Comparison ptxpredict::inverted(Comparison C) {
  switch (C) {
  case Comparison::EQ:
    return Comparison::NE;
  case Comparison::NE:
    return Comparison::EQ;
  case Comparison::LT:
    return Comparison::GE;
  case Comparison::LE:
    return Comparison::GT;
  case Comparison::GT:
    return Comparison::LE;
  case Comparison::GE:
    return Comparison::LT;
  }
  llvm_unreachable("all comparisons are handled");
}

Comparison ptxpredict::swapped(Comparison C) {
  switch (C) {
  case Comparison::EQ:
  case Comparison::NE:
    return C;
  case Comparison::LT:
    return Comparison::GT;
  case Comparison::LE:
    return Comparison::GE;
  case Comparison::GT:
    return Comparison::LT;
  case Comparison::GE:
    return Comparison::LE;
  }
  llvm_unreachable("all comparisons are handled");
}

bool ptxpredict::compareIntegers(Comparison C, ScalarType T, int64_t A,
                                 int64_t B) {
  unsigned Bits = bitWidth(T);
  if (kindOf(T) == TypeKind::Unsigned) {
    // Flipping the top bit maps unsigned order to signed order.
    uint64_t Mask = Bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << Bits) - 1;
    A = int64_t((uint64_t(A) & Mask) ^ (uint64_t(1) << 63));
    B = int64_t((uint64_t(B) & Mask) ^ (uint64_t(1) << 63));
  }
  switch (C) {
  case Comparison::EQ:
    return A == B;
  case Comparison::NE:
    return A != B;
  case Comparison::LT:
    return A < B;
  case Comparison::LE:
    return A <= B;
  case Comparison::GT:
    return A > B;
  case Comparison::GE:
    return A >= B;
  }
  llvm_unreachable("all comparisons are handled");
}

Conditions::Conditions(const InstructionGraph &G, const LinearForms &Forms)
    : Forms(Forms), Cache(G.Values.size()) {}

Condition Conditions::guard(const Instruction &I) const {
  if (!I.Guard)
    return {Condition::Basis::Decided, 1, 0};
  Condition C = evaluate(I.Guard, 0);
  return I.GuardNegated ? C.inverted() : C;
}

/// Unknown, from what its operands say of its uniformity.
static Condition unknown(bool Uniform) {
  return Uniform ? Condition{Condition::Basis::Uniform, 0.5, 0.5}
                 : Condition{Condition::Basis::Divergent, 1, 1};
}

Condition Conditions::compare(const Instruction &Setp) const {
  SmallVector<const Operand *, 3> In;
  for (const Operand &O : Setp.Operands)
    if (O.Role != OperandRole::Write)
      In.push_back(&O);
  std::optional<Comparison> Op = comparisonOf(Setp.Modifiers);
  std::optional<ScalarType> T = ptx::operationType(Setp.Modifiers);
  LinearForm A = Forms.of(*In[0]), B = Forms.of(*In[1]);
  if (!Op || !T || kindOf(*T) == TypeKind::Float || In.size() != 2)
    return unknown(A.isUniform() && B.isUniform());

  if (A.isExact() && B.isExact()) {
    // Only the thread index matters: look at every lane of the block.
    uint64_t Warps = 0, AnyTrue = 0, AnyFalse = 0;
    bool True = false, False = false;
    forEachThread(Forms.launch().Block,
                  [&](const ThreadIndex &I, bool EndsWarp) {
                    bool Holds = compareIntegers(*Op, *T, A.at(I), B.at(I));
                    (Holds ? True : False) = true;
                    if (!EndsWarp)
                      return;
                    ++Warps, AnyTrue += True, AnyFalse += False;
                    True = False = false;
                  });
    return {Condition::Basis::Decided, double(AnyTrue) / double(Warps),
            double(AnyFalse) / double(Warps)};
  }

  // An index against anything but loaded data.
  auto IsIndex = [](const LinearForm &F) {
    return (F.Sources & LinearForm::FromIndex) &&
           !(F.Sources & LinearForm::FromMemory);
  };
  auto IsOther = [](const LinearForm &F) {
    return !(F.Sources & (LinearForm::FromIndex | LinearForm::FromMemory));
  };
  Comparison C = *Op;
  if (IsIndex(B) && IsOther(A))
    C = swapped(C);
  else if (!IsIndex(A) || !IsOther(B))
    return unknown(A.isUniform() && B.isUniform());
  bool IsEqual = C == Comparison::EQ, IsUnequal = C == Comparison::NE;
  if ((IsEqual || IsUnequal) && (A.isConstant() || B.isConstant())) {
    // One block of the grid has that index.
    double One = 1 / double(Forms.launch().blocks());
    Condition Equal = {Condition::Basis::Index, One,
                       A.isUniform() && B.isUniform() ? 1 - One : 1};
    return IsEqual ? Equal : Equal.inverted();
  }
  bool Holds = C == Comparison::LT || C == Comparison::LE || IsUnequal;
  return {Condition::Basis::Index, Holds ? 1.0 : 0.0, Holds ? 0.0 : 1.0};
}

Condition Conditions::evaluate(const Value *V, unsigned Depth) const {
  std::optional<Condition> &Known = Cache[V->Id];
  if (Known)
    return *Known;
  constexpr unsigned MaxDepth = 16; // deeper logic is treated as unknown
  bool Uniform = Forms.of(V).isUniform();
  Condition R = unknown(Uniform);
  const Instruction *I = V->Def;
  if (I && !I->isPseudo() && Depth < MaxDepth) {
    SmallVector<const Value *, 3> In;
    for (const Operand &O : I->Operands)
      if (O.Which == Operand::Kind::Register && O.Role == OperandRole::Read)
        In.push_back(O.Val);
    bool Predicates = !In.empty() && llvm::all_of(In, [](const Value *U) {
      return U->Type == ScalarType::Pred;
    });
    Opcode Op = Opcode(I->Opcode);
    auto Combine = [&](Condition A, Condition B, bool And) -> Condition {
      if (!And)
        A = A.inverted(), B = B.inverted();
      Condition C;
      // Which basis is weaker decides what the result rests on, unless one side
      // decides alone.
      if (A.Why == Condition::Basis::Decided && A.AnyTrue == 0)
        C = A;
      else if (B.Why == Condition::Basis::Decided && B.AnyTrue == 0)
        C = B;
      else
        C = {std::max(A.Why, B.Why), std::min(A.AnyTrue, B.AnyTrue),
             std::max(A.AnyFalse, B.AnyFalse)};
      return And ? C : C.inverted();
    };
    if (Op == Opcode::Setp && !I->Defs.empty()) {
      R = compare(*I);
      if (I->Defs[0] != V) // the second of a pair holds the inverse
        R = R.inverted();
    } else if (Predicates && In.size() == 1 && Op == Opcode::Not) {
      R = evaluate(In[0], Depth + 1).inverted();
    } else if (Predicates && In.size() == 1 && Op == Opcode::Mov) {
      R = evaluate(In[0], Depth + 1);
    } else if (Predicates && In.size() == 2 &&
               (Op == Opcode::And || Op == Opcode::Or)) {
      R = Combine(evaluate(In[0], Depth + 1), evaluate(In[1], Depth + 1),
                  Op == Opcode::And);
    }
  }
  Known = R;
  return R;
}
