//===- RetryLoops.cpp - Loops that try until nobody was faster ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RetryLoops.h"
#include "Analysis/Symbolic/WrittenArrays.h"
#include "ptxpredict/Analysis/Symbolic/Formulas.h"
#include "ptxpredict/Graph/PTXInstruction.h"
#include "ptxpredict/MemoryAccess/Collisions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using ptx::Opcode;
using Ref = const Expression *;

namespace {
struct Retry {
  const Instruction *Try = nullptr; ///< the compare and swap, or the store
  bool KeepsBest = false;           ///< something else ends the loop, too
};
} // namespace

static bool isSwap(const Instruction &I) {
  return !I.isPseudo() && Opcode(I.Opcode) == Opcode::Atom &&
         ptx::hasModifier(I.Modifiers, "cas") && I.Effects.size() == 1;
}

/// Whether \p I accesses memory each time: in machine code everything does.
static bool isVolatile(const Instruction &I, Opcode Op) {
  return !I.isPseudo() && Opcode(I.Opcode) == Op && I.Effects.size() == 1 &&
         (I.Machine || ptx::hasModifier(I.Modifiers, "volatile"));
}

static bool isSharedStore(const Instruction &I) {
  return isVolatile(I, Opcode::St) &&
         I.Effects[0].Space == AddressSpace::Shared;
}

/// Whether \p V is what was loaded from where \p Store stores.
static bool isLoadedBack(const Value *V, const Instruction &Store) {
  if (!V->Def || !isVolatile(*V->Def, Opcode::Ld))
    return false;
  const Operand &From = V->Def->Operands[V->Def->Effects[0].AddressOperand];
  const Operand &To = Store.Operands[Store.Effects[0].AddressOperand];
  return From.Bits == To.Bits && From.Elements.size() == 1 &&
         To.Elements.size() == 1 &&
         From.Elements[0].Kind == Operand::KindTy::Register &&
         To.Elements[0].Kind == Operand::KindTy::Register &&
         From.Elements[0].Val == To.Elements[0].Val;
}

/// The comparison that \p Predicate is of; machine code may write its result
/// to a register, as 0 or 1, that it compares.
static const Instruction *comparisonOf(const Value *Predicate) {
  const Instruction *Compare = Predicate ? Predicate->Def : nullptr;
  if (!Compare || Compare->isPseudo() ||
      Opcode(Compare->Opcode) != Opcode::Setp || Compare->Uses.size() != 1)
    return Compare;
  const Instruction *Chosen = Compare->Uses[0]->Def;
  return Chosen && !Chosen->isPseudo() &&
                 Opcode(Chosen->Opcode) == Opcode::Selp &&
                 Chosen->Uses.size() == 1
             ? Chosen->Uses[0]->Def
             : Compare;
}

/// Whether the branch asks if \p Try was the fastest.
static bool asksForSuccess(const Instruction &Branch, const Instruction &Try) {
  const Instruction *Compare = comparisonOf(Branch.Guard);
  if (!Compare || Compare->isPseudo() ||
      Opcode(Compare->Opcode) != Opcode::Setp || Compare->Uses.size() != 2 ||
      !(ptx::hasModifier(Compare->Modifiers, "eq") ||
        ptx::hasModifier(Compare->Modifiers, "ne")))
    return false;
  for (unsigned N = 0; N != 2; ++N) {
    const Value *Seen = Compare->Uses[N], *Expected = Compare->Uses[1 - N];
    const bool IsSeen = isSwap(Try) ? llvm::is_contained(Try.Defs, Seen)
                                    : isLoadedBack(Seen, Try);
    if (IsSeen && llvm::is_contained(Try.Uses, Expected))
      return true;
  }
  return false;
}

static std::optional<Retry> findRetry(const CallContext &C, const Region &R) {
  constexpr size_t MaxBlocks = 8;
  const Cycle &L = C.cycles()[size_t(R.Cycle)];
  if (L.Blocks.size() > MaxBlocks)
    return std::nullopt;
  Retry Found;
  for (const Block *B : L.Blocks)
    for (const Instruction *I : B->Instructions)
      if (isSwap(*I) || isSharedStore(*I)) {
        if (Found.Try)
          return std::nullopt;
        Found.Try = I;
      }
  if (!Found.Try)
    return std::nullopt;
  unsigned Asked = 0;
  for (const Block *B : L.ExitingBlocks)
    if (const Instruction *T = B->terminator())
      Asked += asksForSuccess(*T, *Found.Try);
  Found.KeepsBest = Asked < L.ExitingBlocks.size();
  return Asked ? std::optional(Found) : std::nullopt;
}

/// Whether loaded data are in \p E.
static bool isOfData(const Expression &E) {
  SmallVector<Ref, 16> Work = {&E};
  llvm::SmallPtrSet<Ref, 16> Seen;
  while (!Work.empty()) {
    Ref X = Work.pop_back_val();
    if (X->Kind == Expression::KindTy::Load ||
        (X->isSymbol(Symbol::KindTy::Opaque) &&
         X->Sym->Reason == Symbol::ReasonTy::Load))
      return true;
    for (Ref O : X->Operands)
      if (Seen.insert(O).second)
        Work.push_back(O);
  }
  return false;
}

/// Words that lanes choose among by the terms of an address; 0: nobody knows.
/// With \p DataOnly what data say alone.
static double placesOf(const Expression &Address, unsigned Bytes,
                       bool DataOnly) {
  if (Address.Kind != Expression::KindTy::Sum)
    return 1;
  double Span = 0;
  for (auto [O, C] : llvm::zip(Address.Operands, Address.Coefficients)) {
    if (O->isSymbol(Symbol::KindTy::Parameter) ||
        O->isSymbol(Symbol::KindTy::Address) || (DataOnly && !isOfData(*O)))
      continue;
    const uint64_t Range =
        std::min(O->Facts.UMax - O->Facts.UMin,
                 uint64_t(O->Facts.SMax) - uint64_t(O->Facts.SMin));
    Span +=
        double(Range) * std::abs(double(llvm::SignExtend64(C, Address.Width)));
  }
  return Span / std::max(Bytes, 1u) + 1;
}

static double fullestOf(unsigned Lanes, double Places) {
  constexpr double Most = 1e18; // lanes meet there no more
  return meanFullest(Lanes, uint64_t(std::clamp(Places, 1.0, Most)));
}

/// Words among which the lanes of a warp choose that swap; 0: the index of each
/// says which, and nobody has looked whether they meet.
static double placesOfSwap(const Expression &Address, unsigned Bytes) {
  if (Address.isUniform())
    return 1;
  return isOfData(Address) ? placesOf(Address, Bytes, /*DataOnly=*/true) : 0;
}

/// Runs of the loops around, as far as their formulas bound them.
static double runsAround(const CallContext &C, const Region &R) {
  double Runs = 1;
  for (int N = C.cycles()[size_t(R.Cycle)].ParentIndex; N >= 0;
       N = C.cycles()[size_t(N)].ParentIndex)
    if (Ref Bodies = tripCountFormula(*C.V, unsigned(N)).Bodies;
        Bodies && Bodies->Facts.UMax < uint64_t(1) << 32)
      Runs *= std::max(1.0, double(Bodies->Facts.UMax));
  return Runs;
}

std::optional<double> counting::retryTrips(const CallContext &C,
                                           const Region &R,
                                           const LaunchConfig &Launch) {
  const std::optional<Retry> Found = findRetry(C, R);
  if (!Found)
    return std::nullopt;
  const MemoryEffect &E = Found->Try->Effects[0];
  Ref Address = addressOf(*C.V, *Found->Try, E);
  if (!Address)
    return 1;
  const bool IsSwap = isSwap(*Found->Try);
  const double Places = placesOf(*Address, E.BytesPerLane, !IsSwap);
  if (!IsSwap)
    return fullestOf(WarpSize, Places);
  const double Threads =
      double(Launch.Block.count()) *
      (E.Space == AddressSpace::Shared ? 1 : double(Launch.Grid.count()));
  const double Wanting = std::max(1.0, Threads / Places);
  if (!Found->KeepsBest) {
    const double OfWarp = placesOfSwap(*Address, E.BytesPerLane);
    const double Together = OfWarp > 0 ? fullestOf(WarpSize, OfWarp) : 1;
    return (std::max(Wanting, Together) + Together) / 2;
  }
  constexpr double Euler = 0.5772;
  const double Tries = Wanting * runsAround(C, R);
  const double Share = std::min(1.0, (std::log(Tries) + Euler) / Tries);
  return 1 - std::pow(1 - Share, WarpSize);
}

namespace {
/// How lanes leave a loop that tries again.
struct Leaving {
  double Places; ///< words among which the lanes of a warp choose
  /// Runs of the header before any lane leaves for good.
  unsigned Others = 0;
};
} // namespace

static std::optional<Leaving> findLeaving(const CallContext &C, const Region &R,
                                          const Instruction &Try) {
  const double Runs = *R.HeaderRuns;
  if (!isSwap(Try) && R.IsGiven)
    return Leaving{placesOfFullest(Runs)};
  const MemoryEffect &E = Try.Effects[0];
  Ref Address = addressOf(*C.V, Try, E);
  if (!Address)
    return std::nullopt;
  if (!isSwap(Try))
    return Leaving{placesOf(*Address, E.BytesPerLane, /*DataOnly=*/true)};
  const double Places = placesOfSwap(*Address, E.BytesPerLane);
  if (Places == 0)
    return std::nullopt;
  const double Together = fullestOf(WarpSize, Places);
  if (Together > Runs) // it runs less often than so few words would take
    return Leaving{placesOfFullest(Runs)};
  return Leaving{Places, unsigned(Runs - Together)};
}

/// The shares of so many lanes by rounds, of which the last one may be there in
/// a part of the cases alone, and has all that comes after it.
static std::vector<double> roundsOf(unsigned Lanes, const Leaving &L,
                                    double Runs) {
  const auto Last = unsigned(std::ceil(Runs)) - 1;
  std::vector<double> Shares(Last + 1, 1);
  for (unsigned N = L.Others + 1; N <= Last; ++N) {
    double Left = meanLeft(Lanes, L.Places, N - L.Others);
    if (N == Last) {
      for (unsigned Gone = N - L.Others + 1; Gone < Lanes; ++Gone)
        Left += meanLeft(Lanes, L.Places, Gone);
      Left /= Runs - Last;
    }
    Shares[N] = std::clamp(Left / Lanes, 1.0 / Lanes, Shares[N - 1]);
  }
  return Shares;
}

std::vector<std::vector<double>> counting::retryRounds(const CallContext &C,
                                                       const Region &R) {
  // Of more rounds the last ones, where lanes differ, are few.
  constexpr double MaxRuns = 256;
  if (!R.HeaderRuns || !(*R.HeaderRuns > 1) || *R.HeaderRuns > MaxRuns ||
      R.Polling || R.SharesWork || R.IsRare || R.TestsFirst)
    return {};
  const std::optional<Retry> Found = findRetry(C, R);
  if (!Found || Found->KeepsBest)
    return {};
  const std::optional<Leaving> L = findLeaving(C, R, *Found->Try);
  if (!L)
    return {};
  std::vector<std::vector<double>> Rounds(WarpSize + 1);
  for (unsigned Lanes = 1; Lanes <= WarpSize; ++Lanes)
    Rounds[Lanes] = roundsOf(Lanes, *L, *R.HeaderRuns);
  return Rounds;
}
