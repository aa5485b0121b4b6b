//===- BlockDigits.cpp - Block indices in several digits ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BlockDigits.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace ptxpredict;
using Ref = const Expression *;
using K = Expression::KindTy;

namespace {

/// Finds by what block indices are divided.
class UnitFinder {
public:
  explicit UnitFinder(ArrayRef<Ref> Of) {
    for (Ref E : Of)
      visit(E);
  }

  std::array<std::set<uint64_t>, 3> Units; ///< by dimension

private:
  /// So many blocks along a dimension make a step of a term.
  struct Step {
    unsigned Dimension;
    uint64_t Blocks;
  };

  static std::optional<Step> stepOf(Ref E);
  void visit(Ref E);
  void divide(Ref E, uint64_t By);
  void divideTerm(Ref E, uint64_t Coefficient, uint64_t By);

  llvm::DenseSet<Ref> Seen;
};

} // namespace

static bool dependsOnBlock(const Expression &E) {
  return E.dependsOn(Symbol::KindTy::BlockX) ||
         E.dependsOn(Symbol::KindTy::BlockY) ||
         E.dependsOn(Symbol::KindTy::BlockZ);
}

/// The shift or division by a constant as a divisor; 0 for anything else.
static uint64_t divisorOf(const Expression &E) {
  switch (E.Kind) {
  case K::UDiv:
  case K::SDiv:
  case K::URem:
  case K::SRem:
    return E.Operands[1]->isConstant() ? E.Operands[1]->Addend : 0;
  case K::LShr:
  case K::AShr:
    return E.Operands[1]->isConstant() && E.Operands[1]->Addend < 63
               ? uint64_t(1) << E.Operands[1]->Addend
               : 0;
  default:
    return 0;
  }
}

/// Of an index, and of one that is divided by constants.
std::optional<UnitFinder::Step> UnitFinder::stepOf(Ref E) {
  while (E->Kind == K::ZExt || E->Kind == K::SExt || E->Kind == K::Trunc)
    E = E->Operands[0];
  static constexpr Symbol::KindTy Indices[] = {
      Symbol::KindTy::BlockX, Symbol::KindTy::BlockY, Symbol::KindTy::BlockZ};
  for (unsigned D = 0; D != 3; ++D)
    if (E->isSymbol(Indices[D]))
      return Step{D, 1};
  const uint64_t By = divisorOf(*E);
  if (By == 0 || E->Kind == K::URem || E->Kind == K::SRem)
    return std::nullopt;
  std::optional<Step> Inner = stepOf(E->Operands[0]);
  if (Inner)
    Inner->Blocks = llvm::SaturatingMultiply(Inner->Blocks, By);
  return Inner;
}

void UnitFinder::divideTerm(Ref E, uint64_t Coefficient, uint64_t By) {
  if (Coefficient == 0 || By % Coefficient != 0)
    return;
  if (std::optional<Step> S = stepOf(E))
    Units[S->Dimension].insert(
        llvm::SaturatingMultiply(S->Blocks, By / Coefficient));
}

void UnitFinder::divide(Ref E, uint64_t By) {
  while (E->Kind == K::ZExt || E->Kind == K::SExt || E->Kind == K::Trunc)
    E = E->Operands[0];
  if (E->Kind != K::Sum)
    return divideTerm(E, 1, By);
  for (auto [O, C] : llvm::zip(E->Operands, E->Coefficients)) {
    const int64_t Signed = llvm::SignExtend64(C, E->Width);
    divideTerm(O, Signed < 0 ? 0 - uint64_t(Signed) : uint64_t(Signed), By);
  }
}

void UnitFinder::visit(Ref E) {
  if (!dependsOnBlock(*E) || !Seen.insert(E).second)
    return;
  if (uint64_t By = divisorOf(*E))
    divide(E->Operands[0], By);
  if (E->Kind == K::And && E->Operands.size() == 2)
    for (unsigned N : {0, 1})
      if (E->Operands[N]->isConstant())
        // Runs of bits begin and end at powers of two.
        for (unsigned Bit = 1; Bit < E->Width; ++Bit)
          if ((E->Operands[N]->Addend >> Bit ^
               E->Operands[N]->Addend >> (Bit - 1)) &
              1)
            divide(E->Operands[1 - N], uint64_t(1) << Bit);
  for (Ref O : E->Operands)
    visit(O);
}

std::optional<LaunchConfig>
ptxpredict::takeGridApart(const LaunchConfig &Launch, ArrayRef<Ref> Of) {
  if (Launch.GridIsAssumed || Launch.Digits)
    return std::nullopt;
  const uint64_t Extents[] = {Launch.Grid.X, Launch.Grid.Y, Launch.Grid.Z};
  const UnitFinder Found(Of);
  auto Left = unsigned(llvm::count(Extents, 1));
  std::vector<GridDigits::Axis> Axes;
  std::vector<uint64_t> Counts;
  for (unsigned D = 0; D != 3; ++D) {
    uint64_t Last = 1;
    for (uint64_t Unit : Found.Units[D])
      if (Left != 0 && Unit > Last && Unit < Extents[D] &&
          Extents[D] % Unit == 0 && Unit % Last == 0) {
        Axes.push_back({D, Last});
        Counts.push_back(Unit / Last);
        Last = Unit;
        --Left;
      }
    if (Extents[D] == 1)
      continue;
    Axes.push_back({D, Last});
    Counts.push_back(Extents[D] / Last);
  }
  const auto NumDimensions = size_t(3 - llvm::count(Extents, 1));
  if (Axes.size() == NumDimensions)
    return std::nullopt;
  Axes.resize(3);
  Counts.resize(3, 1);
  LaunchConfig Apart = Launch;
  Apart.Digits = GridDigits{Launch.Grid, {Axes[0], Axes[1], Axes[2]}};
  Apart.Grid = {Counts[0], Counts[1], Counts[2]};
  return Apart;
}
