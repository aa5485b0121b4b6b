//===- ScaledLanes.cpp - Lanes' numbers times what nobody knows -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScaledLanes.h"
#include "Analysis/Symbolic/AddressBases.h"
#include "Analysis/Symbolic/WrittenArrays.h"
#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;
using Kind = Expression::KindTy;
using Ref = const Expression *;

/// Values that are looked at for one address.
static constexpr unsigned MaxSteps = 64;
static constexpr size_t MaxTerms = 4;

static int64_t signedNumber(Ref X) {
  return llvm::SignExtend64(X->Addend, X->Width);
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

LaneScaler::MaybeForm LaneScaler::sum(const MaybeForm &A, const MaybeForm &B) {
  if (!A || !B || A->Terms.size() + B->Terms.size() > MaxTerms)
    return std::nullopt;
  Form Sum = *A;
  for (const Term &T : B->Terms) {
    auto *Same = llvm::find_if(
        Sum.Terms, [&](const Term &O) { return O.Number == T.Number; });
    if (Same == Sum.Terms.end())
      Sum.Terms.push_back(T);
    else if (Same->By && T.By)
      *Same->By += *T.By;
    else
      Same->By = std::nullopt;
  }
  Sum.Number = A->Number && B->Number
                   ? std::optional<double>(*A->Number + *B->Number)
                   : std::nullopt;
  return Sum;
}

/// Nothing unless one of them is the same in all lanes.
LaneScaler::MaybeForm LaneScaler::product(const MaybeForm &A,
                                          const MaybeForm &B) {
  if (!A || !B)
    return std::nullopt;
  if (!A->isUniform())
    return B->isUniform() ? product(B, A) : std::nullopt;
  auto Times = [&](std::optional<double> X) {
    return A->Number && X ? std::optional<double>(*A->Number * *X)
                          : std::nullopt;
  };
  Form Product = *B;
  for (Term &T : Product.Terms)
    T.By = Times(T.By);
  Product.Number = Times(Product.Number);
  return Product;
}

/// Where one of them is a bound for all lanes it is taken not to matter.
LaneScaler::MaybeForm LaneScaler::otherThanUniform(const MaybeForm &A,
                                                   const MaybeForm &B) {
  if (!A || !B || (!A->isUniform() && !B->isUniform()))
    return std::nullopt;
  return A->isUniform() ? B : A;
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

/// Where \p S is loaded from, if something says it.
static Ref placeOfLoad(const Symbol &S) {
  if (S.Kind != Symbol::KindTy::Opaque || S.Reason != Symbol::ReasonTy::Load ||
      !S.From || !S.Context || S.From->Effects.empty())
    return nullptr;
  return addressOf(*static_cast<const SymbolicValues *>(S.Context), *S.From,
                   S.From->Effects[0]);
}

void LaneScaler::noteFactor(Ref X) {
  SmallVector<Ref, 8> Work = {X};
  for (unsigned Step = 0; !Work.empty() && Step != MaxSteps; ++Step) {
    for (Ref Next : Work.pop_back_val()->Symbols) {
      const Symbol &S = *Next->Sym;
      if (S.Kind == Symbol::KindTy::Parameter && !Unknown.Argument)
        Unknown.Argument = &S;
      if (Ref Address = placeOfLoad(S); Address && !Unknown.Table)
        Unknown.Table = findBase(*Address);
      if (S.Kind != Symbol::KindTy::Opaque ||
          S.Reason != Symbol::ReasonTy::Float || !S.From || !S.Context)
        continue;
      const auto &V = *static_cast<const SymbolicValues *>(S.Context);
      for (const Value *Use : S.From->Uses)
        if (Ref From = V.at(Use, S.From->Parent); From && !From->isConstant())
          Work.push_back(From);
    }
  }
}

/// Whether a factor comes from a table that a loop goes through. A single one
/// may be what rows lie apart.
static bool isOfTable(Ref Factor) {
  return llvm::any_of(Factor->Symbols, [](Ref S) {
    Ref Address = placeOfLoad(*S->Sym);
    return Address && Address->dependsOn(Symbol::KindTy::Counter);
  });
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

LaneScaler::MaybeForm LaneScaler::ofProduct(Ref X) {
  MaybeForm Product = Form{{}, 1.0};
  for (Ref O : X->Operands) {
    const MaybeForm Factor = ofInteger(O);
    if (Factor && Factor->isUniform() && !Factor->Number) {
      if (!isOfTable(O))
        return std::nullopt;
      IsScaled = true;
      noteFactor(O);
    }
    Product = product(Product, Factor);
  }
  return Product;
}

LaneScaler::MaybeForm LaneScaler::ofSum(Ref X) {
  MaybeForm Sum = Form{{}, double(signedNumber(X))};
  for (auto [O, C] : llvm::zip(X->Operands, X->Coefficients))
    Sum = sum(Sum, product(Form{{}, double(llvm::SignExtend64(C, X->Width))},
                           ofInteger(O)));
  return Sum;
}

LaneScaler::MaybeForm LaneScaler::ofInteger(Ref X) {
  if (++Steps > MaxSteps)
    return std::nullopt;
  if (X->isUniform())
    return Form{{},
                X->isConstant() ? std::optional<double>(double(signedNumber(X)))
                                : std::nullopt};
  if (decidednessOf(*X, Of) != Decidedness::Open)
    return Form{{{X, 1.0}}, std::nullopt};
  switch (X->Kind) {
  case Kind::Symbol:
    return ofSymbol(*X->Sym);
  case Kind::Sum:
    return ofSum(X);
  case Kind::Product:
    return ofProduct(X);
  case Kind::ZExt:
  case Kind::SExt:
  case Kind::Trunc:
    return ofInteger(X->Operands[0]);
  case Kind::UMin:
  case Kind::UMax:
  case Kind::SMin:
  case Kind::SMax:
    return otherThanUniform(ofInteger(X->Operands[0]),
                            ofInteger(X->Operands[1]));
  case Kind::Select:
    return otherThanUniform(ofInteger(X->Operands[1]),
                            ofInteger(X->Operands[2]));
  case Kind::LShr:
  case Kind::AShr:
    if (X->Operands[1]->isConstant())
      return product(Form{{},
                          std::ldexp(1.0, -int(std::min<uint64_t>(
                                              X->Operands[1]->Addend, 64)))},
                     ofInteger(X->Operands[0]));
    return std::nullopt;
  case Kind::UDiv:
  case Kind::SDiv:
    if (X->Operands[1]->isConstant() && X->Operands[1]->Addend != 0)
      return product(Form{{}, 1 / double(signedNumber(X->Operands[1]))},
                     ofInteger(X->Operands[0]));
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

LaneScaler::MaybeForm LaneScaler::ofSymbol(const Symbol &S) {
  if (S.Kind != Symbol::KindTy::Opaque || S.Reason != Symbol::ReasonTy::Float ||
      !S.From || !S.Context)
    return std::nullopt;
  IsScaled = true;
  return ofFloat(*S.From, *static_cast<const SymbolicValues *>(S.Context));
}

/// The number that is \p Bits as a float, if they are one.
static std::optional<double> floatOf(uint64_t Bits, unsigned Width) {
  double Number = 0;
  if (Width == 32)
    Number = double(llvm::bit_cast<float>(uint32_t(Bits)));
  else if (Width == 64)
    Number = llvm::bit_cast<double>(Bits);
  else
    return std::nullopt;
  return std::isfinite(Number) ? std::optional<double>(Number) : std::nullopt;
}

/// The middle of what a uniform float \p X may be, as far as its bounds say it:
/// floats from 0 on are in the order of their bits.
static std::optional<double> middleOf(Ref X) {
  const std::optional<double> Least = floatOf(X->Facts.UMin, X->Width),
                              Most = floatOf(X->Facts.UMax, X->Width);
  if (!Least || !Most || std::signbit(*Least) || std::signbit(*Most))
    return std::nullopt;
  return (*Least + *Most) / 2;
}

LaneScaler::MaybeForm LaneScaler::ofOperand(const Instruction &I,
                                            unsigned Source,
                                            const SymbolicValues &V) {
  if (++Steps > MaxSteps || Source + 1 >= I.Operands.size())
    return std::nullopt;
  const Operand &O = I.Operands[Source + 1];
  const StringRef Type = I.Modifiers.rsplit('.').second;
  if (O.Kind == Operand::KindTy::Float32 || O.Kind == Operand::KindTy::Float64)
    return Form{{},
                floatOf(O.Bits, O.Kind == Operand::KindTy::Float32 ? 32 : 64)};
  if (O.Kind != Operand::KindTy::Register)
    return std::nullopt;
  Ref X = V.of(I, O);
  if (!X || Type.ends_with("x2"))
    return std::nullopt;
  if (Opcode(I.Opcode) == Opcode::Cvt && !Type.contains('f'))
    return ofInteger(X);
  MaybeForm Found;
  if (X->isUniform())
    Found = uniformFloat(X);
  else if (X->isSymbol())
    Found = ofSymbol(*X->Sym);
  return O.Negated ? product(Form{{}, -1.0}, Found) : Found;
}

LaneScaler::Form LaneScaler::uniformFloat(Ref X) {
  Form Found = {{}, middleOf(X)};
  if (!Found.Number)
    noteFactor(X);
  return Found;
}

LaneScaler::MaybeForm LaneScaler::ofFloat(const Instruction &I,
                                          const SymbolicValues &V) {
  auto Source = [&](unsigned N) { return ofOperand(I, N, V); };
  const Form Minus = {{}, -1.0};
  switch (Opcode(I.Opcode)) {
  case Opcode::Cvt:
  case Opcode::Mov:
    return Source(0);
  case Opcode::Neg:
    return product(Minus, Source(0));
  case Opcode::Add:
    return sum(Source(0), Source(1));
  case Opcode::Sub:
    return sum(Source(0), product(Minus, Source(1)));
  case Opcode::Mul:
    return product(Source(0), Source(1));
  case Opcode::Fma:
  case Opcode::Mad:
    return sum(product(Source(0), Source(1)), Source(2));
  case Opcode::Div: {
    MaybeForm By = Source(1);
    if (!By || !By->isUniform())
      return std::nullopt;
    if (By->Number)
      By->Number = 1 / *By->Number;
    return product(Source(0), By);
  }
  case Opcode::Min:
  case Opcode::Max:
    return otherThanUniform(Source(0), Source(1));
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

namespace {
/// Adds up numbers as often as factors say.
class Places {
public:
  explicit Places(Expressions &E) : E(E), Whole(E.constant(64, 0)) {}

  /// What is the same for all lanes is rounded: a few elements more or less are
  /// nothing between blocks, and what is linear in them is counted at once.
  void add(Ref X, double By) {
    const double Rounded = std::round(By);
    X = E.resize(X, 64, /*Signed=*/true);
    Most = std::max(Most, std::abs(By));
    if (X->isUniform() || Rounded == By)
      Whole = E.add(Whole, E.scale(X, uint64_t(int64_t(Rounded))));
    else
      Fractions.push_back({X, By});
  }
  /// Null where a factor is no sensible one.
  Ref get() const {
    if (!(Most < MostFactor))
      return nullptr;
    // Numbers of 32 bits times a factor do not overflow.
    const int Bits = FactorBits - std::max(std::ilogb(Most) + 1, -FactorBits);
    Ref Sum = E.constant(64, 0);
    for (auto [X, By] : Fractions)
      Sum =
          E.add(Sum, E.scale(X, uint64_t(std::llround(std::ldexp(By, Bits)))));
    return E.add(Whole, E.ashr(Sum, uint64_t(Bits)));
  }

private:
  static constexpr int FactorBits = 30;
  static constexpr double MostFactor = 1 << FactorBits;

  Expressions &E;
  Ref Whole;
  SmallVector<std::pair<Ref, double>, 4> Fractions;
  double Most = 0;
};
} // namespace

/// What the numbers of a warp's lanes are all multiples of, but for one number.
static uint64_t stepOfLanes(Ref Number) {
  uint64_t Step = 0;
  if (Number->Kind == Kind::Sum)
    for (auto [O, C] : llvm::zip(Number->Operands, Number->Coefficients))
      if (!O->isUniform())
        Step = std::gcd(
            Step, uint64_t(std::abs(llvm::SignExtend64(C, Number->Width))));
  return std::max<uint64_t>(Step, 1);
}

std::optional<ScaledPlaces> LaneScaler::placesOf(Ref X) {
  Steps = 0;
  IsScaled = false;
  Unknown = {};
  const MaybeForm Found = ofInteger(X);
  if (!Found || !IsScaled || Found->isUniform())
    return std::nullopt;
  ScaledPlaces Result;
  Places Sum(E);
  for (const Term &T : Found->Terms) {
    if (!T.By) {
      Unknown.IsOpen = true;
      Result.Factor = Unknown;
    }
    // Neighbours are neighbours.
    const double By = T.By ? *T.By : 1 / double(stepOfLanes(T.Number));
    if (!std::isfinite(By))
      return std::nullopt;
    if (T.Number->Kind != Kind::Sum) {
      Sum.add(T.Number, By);
      continue;
    }
    for (auto [O, C] : llvm::zip(T.Number->Operands, T.Number->Coefficients))
      if (!O->isUniform() || decidednessOf(*O, Of) != Decidedness::Open)
        Sum.add(O, By * double(llvm::SignExtend64(C, T.Number->Width)));
  }
  Result.Of = Sum.get();
  return Result.Of ? std::optional<ScaledPlaces>(Result) : std::nullopt;
}
