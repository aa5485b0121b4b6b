//===- AccessAddresses.cpp - What of an address can be evaluated ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AccessCosts.h"
#include "LaneVariation.h"
#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "ptxpredict/Graph/Module.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Kind = Expression::KindTy;
using Ref = const Expression *;

bool counting::isThread(const Symbol &S) {
  switch (S.Kind) {
  case Symbol::KindTy::ThreadX:
  case Symbol::KindTy::ThreadY:
  case Symbol::KindTy::ThreadZ:
  case Symbol::KindTy::Lane:
  case Symbol::KindTy::Warp:
    return true;
  default:
    return false;
  }
}

/// An address's terms, by what is known of them.
struct AddressPreparer::Split {
  Expressions &E;
  llvm::function_ref<Decidedness(const Symbol &)> DecidednessOf;
  /// The same where places in memory are open.
  llvm::function_ref<Decidedness(const Symbol &)> OfValue;
  Dim3 Block, Grid;
  unsigned Width;
  Ref Lane;        ///< sum of what can be evaluated
  uint64_t Needed; ///< to such a multiple places need not be known
  uint64_t Align = Period;
  const Symbol *Open = nullptr, *StrideOf = nullptr;
  ptxpredict::Status Status = Status::Known;
  bool DependsOnLaunch = false;
  bool IsStandIn = false, IsScattered = false;
  bool MayBeApart = false; ///< lanes are taken to go the same way
  bool IsScaled = false;   ///< or to lie in the order of their numbers
  bool IsMoved = false;
  UnknownFactor Scale = {};
  unsigned Depth = 0; ///< of choices
  uint64_t Span = 0;
  std::shared_ptr<LaneGroups> Groups = nullptr; ///< once something is loaded
  bool IsApart = false;                         ///< lanes are no groups
  bool HasData = false;
  unsigned NumFloats = 0; ///< that were looked at
  Ref Data = nullptr; ///< what is loaded for an address; null: more than one

  void add(Ref X, uint64_t By);

private:
  Ref standIn(Ref X);
  void addStandIn(Ref X, uint64_t By) {
    Lane =
        E.add(Lane, E.scale(E.resize(standIn(X), Width, /*Signed=*/true), By));
  }
  uint64_t multipleOf(Ref X, uint64_t By) const;
  void addUniform(const Symbol *Here, uint64_t Multiple);
  bool addChoice(Ref X, uint64_t By);
  void noteChoice(Ref Condition, const Symbol *Here, uint64_t Multiple);
  void noteData(Ref X, unsigned Depth);
  void noteFloat(const Instruction &From, const SymbolicValues &V,
                 unsigned Depth);
};

/// A parameter of which nothing is known, where it is a factor of a lane's
/// place: large enough that lanes lie in sectors of their own, small enough
/// that nothing wraps around.
static constexpr uint64_t StandIn = 4096;

static bool isExtent(const Symbol &S) {
  switch (S.Kind) {
  case Symbol::KindTy::BlockExtentX:
  case Symbol::KindTy::BlockExtentY:
  case Symbol::KindTy::BlockExtentZ:
  case Symbol::KindTy::GridExtentX:
  case Symbol::KindTy::GridExtentY:
  case Symbol::KindTy::GridExtentZ:
    return true;
  default:
    return false;
  }
}

/// Quotients in \p X that are the same for all lanes, inner ones first.
static SmallVector<Ref, 2> uniformQuotients(Ref X) {
  SmallVector<Ref, 2> Found;
  llvm::SmallPtrSet<Ref, 16> Seen;
  SmallVector<Ref, 16> Work{X};
  while (!Work.empty()) {
    Ref Of = Work.pop_back_val();
    if (!Seen.insert(Of).second)
      continue;
    const bool IsQuotient = Of->Kind == Kind::UDiv || Of->Kind == Kind::SDiv;
    if (IsQuotient && Of->isUniform())
      Found.push_back(Of);
    Work.append(Of->Operands.begin(), Of->Operands.end());
  }
  // What an expression is made of was made before it.
  llvm::sort(Found, [](Ref A, Ref B) { return A->Id < B->Id; });
  return Found;
}

Ref AddressPreparer::Split::standIn(Ref X) {
  Expressions::Memo Known;
  auto Of = [&](Ref S) -> Ref {
    switch (S->Sym->Kind) {
    case Symbol::KindTy::BlockExtentX:
      return E.constant(S->Width, Block.X);
    case Symbol::KindTy::BlockExtentY:
      return E.constant(S->Width, Block.Y);
    case Symbol::KindTy::BlockExtentZ:
      return E.constant(S->Width, Block.Z);
    case Symbol::KindTy::GridExtentX:
      return E.constant(S->Width, Grid.X);
    case Symbol::KindTy::GridExtentY:
      return E.constant(S->Width, Grid.Y);
    case Symbol::KindTy::GridExtentZ:
      return E.constant(S->Width, Grid.Z);
    case Symbol::KindTy::Parameter:
      return E.constant(S->Width, StandIn);
    default:
      return S;
    }
  };
  // Data that are shared out to all threads are more than one for each, rounded
  // down or up.
  for (Ref Q : uniformQuotients(X))
    if (Ref To = E.substitute(Q, Of, Known); To->isConstant() && To->Addend < 2)
      Known.set(Q, E.constant(Q->Width, StandIn));
  return E.substitute(X, Of, Known);
}

/// Notes what decides \p X, which knows loaded data: equal addresses load equal
/// values.
void AddressPreparer::Split::noteData(Ref X, unsigned Depth) {
  constexpr unsigned MaxDepth = 4; // of data that say where data lie
  if (IsApart || X->isUniform())
    return;
  auto AddKey = [this](Ref Key) {
    if (!Key->isConstant() && !llvm::is_contained(Groups->Keys, Key))
      Groups->Keys.push_back(Key);
  };
  if (decidednessOf(*X, DecidednessOf) != Decidedness::Open)
    return AddKey(X);
  if (X->Kind == Kind::Sum) {
    Ref Decided = E.constant(X->Width, 0);
    for (auto [O, C] : llvm::zip(X->Operands, X->Coefficients))
      if (decidednessOf(*O, DecidednessOf) != Decidedness::Open)
        Decided = E.add(Decided, E.scale(O, C));
      else
        noteData(O, Depth);
    return AddKey(Decided);
  }
  if (!X->isSymbol()) {
    for (Ref Sym : X->Symbols)
      noteData(Sym, Depth);
    return;
  }
  const Symbol &Sym = *X->Sym;
  if (Sym.Kind == Symbol::KindTy::ExitCount) // lanes leave loops together
    return;
  IsApart = true;
  if (Sym.Kind != Symbol::KindTy::Opaque || !Sym.From || !Sym.Context ||
      Depth == MaxDepth)
    return;
  const auto &V = *static_cast<const SymbolicValues *>(Sym.Context);
  if (Sym.Reason == Symbol::ReasonTy::Float)
    return noteFloat(*Sym.From, V, Depth);
  if (Sym.Reason != Symbol::ReasonTy::Load)
    return;
  const MemoryEffect &From = Sym.From->Effects[0];
  Ref Address = V.of(*Sym.From, Sym.From->Operands[From.AddressOperand], 64);
  // A lane's own memory is nobody else's.
  if (!Address || From.Space == AddressSpace::Local ||
      llvm::any_of(Address->Symbols, [](Ref Place) {
        return Place->isSymbol(Symbol::KindTy::Address) && Place->Sym->Var &&
               Place->Sym->Var->Space == AddressSpace::Local;
      }))
    return;
  IsApart = false;
  if (Depth == 0) {
    Data = HasData && Data != X ? nullptr : X;
    HasData = true;
  }
  noteData(Address, Depth + 1);
}

/// Floats of equal numbers are equal.
void AddressPreparer::Split::noteFloat(const Instruction &From,
                                       const SymbolicValues &V,
                                       unsigned Depth) {
  constexpr unsigned MaxFloats = 64; // of one address
  if (++NumFloats > MaxFloats)
    return;
  IsApart = false;
  if (Depth == 0)
    HasData = true;
  for (const Value *Use : From.Uses) {
    Ref X = V.at(Use, From.Parent);
    if (!X)
      IsApart = true;
    else
      noteData(X, Depth);
  }
  if (Depth == 0)
    Data = nullptr;
}

/// A power of two that divides \p X times \p By, at most the period.
uint64_t AddressPreparer::Split::multipleOf(Ref X, uint64_t By) const {
  auto Zeros = unsigned(llvm::countr_one(X->Facts.Zeros));
  Zeros += unsigned(llvm::countr_zero(By));
  return std::min(uint64_t(1) << std::min(Zeros, 63u), Period);
}

/// Adds what is open, because of \p Here, and the same in all lanes.
void AddressPreparer::Split::addUniform(const Symbol *Here, uint64_t Multiple) {
  Align = std::min(Align, Multiple);
  Status = weakest(Status, !Here || Here->Kind == Symbol::KindTy::Parameter
                               ? Status::Assumed
                               : Status::Unknown);
}

/// Adds one of two values, if lanes that go the same way lie at the same
/// distances from each other whichever that is. False if they may not.
bool AddressPreparer::Split::addChoice(Ref X, uint64_t By) {
  constexpr unsigned MaxDepth = 4; // each looks at two values
  auto [Condition, First, Second] =
      std::make_tuple(X->Operands[0], X->Operands[1], X->Operands[2]);
  const Symbol *Here = nullptr;
  const bool IsOpen =
      decidednessOf(*Condition, OfValue, &Here) == Decidedness::Open;
  if (Depth == MaxDepth || (!IsOpen && !Condition->isUniform()))
    return false;
  LaneVariation Lanes(OfValue);
  Ref Apart = E.sub(Second, First);
  if (Lanes.bound(Apart) == 0) {
    // Whatever the lanes' own data say of the rest.
    add(First, By);
    noteChoice(Condition, Here, multipleOf(Apart, By));
    MayBeApart |= !Apart->isUniform();
    return true;
  }
  if (!Lanes.isTakenTogether(Condition))
    return false;
  std::array<Split, 2> Ways = {*this, *this};
  for (auto [Way, Value] : llvm::zip(Ways, X->Operands.drop_front())) {
    Way.Lane = E.constant(Width, 0);
    Way.IsScattered = false;
    Way.StrideOf = nullptr;
    Way.Groups = nullptr;
    ++Way.Depth;
    Way.add(Value, By);
    if (Way.IsScattered || Way.StrideOf)
      return false;
  }
  Apart = E.sub(Ways[0].Lane, Ways[1].Lane);
  if (!Apart->isUniform())
    return false;
  Lane = E.add(Lane, Ways[0].Lane);
  for (const Split &Way : Ways) {
    Align = std::min(Align, Way.Align);
    Status = weakest(Status, Way.Status);
    Open = weightier(Open, Way.Open);
    IsStandIn |= Way.IsStandIn;
    MayBeApart |= Way.MayBeApart;
    IsScaled |= Way.IsScaled;
    IsMoved |= Way.IsMoved;
    if (Way.Scale.IsOpen)
      Scale = Way.Scale;
  }
  noteChoice(Condition, Here, multipleOf(Apart, 1));
  return true;
}

/// Notes that \p Condition, open because of \p Here, moves the lanes by such
/// multiples.
void AddressPreparer::Split::noteChoice(Ref Condition, const Symbol *Here,
                                        uint64_t Multiple) {
  addUniform(Here, Multiple);
  Open = weightier(Open, Here);
  DependsOnLaunch = true;
  MayBeApart |= !Condition->isUniform();
}

void AddressPreparer::Split::add(Ref X, uint64_t By) {
  const Symbol *Here = nullptr;
  Decidedness D = decidednessOf(*X, DecidednessOf, &Here);
  bool HasExtent =
      llvm::any_of(X->Symbols, [](Ref S) { return isExtent(*S->Sym); });
  if (D == Decidedness::Decided || (D == Decidedness::Launch && !HasExtent)) {
    DependsOnLaunch |= D == Decidedness::Launch;
    Lane = E.add(Lane, E.scale(E.resize(X, Width, /*Signed=*/false), By));
    return;
  }
  if (X->Kind == Kind::Sum) {
    Lane = E.add(Lane, E.constant(Width, X->Addend * By));
    for (auto [O, C] : llvm::zip(X->Operands, X->Coefficients))
      add(O, uint64_t(llvm::SignExtend64(C, X->Width)) * By);
    return;
  }
  uint64_t Multiple = 0;
  if (X->isUniform()) {
    Multiple = multipleOf(X, By);
    if (Multiple >= Needed) { // wherever that is, it costs the same
      IsMoved = true;
      return;
    }
  }
  DependsOnLaunch = true;
  if (D == Decidedness::Open)
    Open = weightier(Open, Here);
  if (X->isUniform())
    return addUniform(Here, Multiple);
  // Taken not to wrap around within: at no launch that makes sense, but with a
  // parameter who knows.
  bool IsExtended =
      X->Kind == Kind::ZExt || X->Kind == Kind::SExt || X->Kind == Kind::Trunc;
  if (!IsExtended || D == Decidedness::Open) {
    IsStandIn = true;
    Status = weakest(Status, Status::Assumed);
  }
  if (IsExtended) {
    add(X->Operands[0], By);
    return;
  }
  if (X->Kind == Kind::Select && addChoice(X, By))
    return;
  if (LaneVariation(OfValue).bound(X) == 0) {
    MayBeApart = true;
    return addUniform(Here, multipleOf(X, By));
  }
  if (std::optional<ScaledPlaces> Places = LaneScaler(E, OfValue).placesOf(X)) {
    MayBeApart = IsScaled = true;
    if (Places->Factor.IsOpen)
      Scale = Places->Factor;
    Align = std::min(Align, multipleOf(X, By));
    return addStandIn(Places->Of, By);
  }
  if (llvm::any_of(X->Symbols, [](Ref S) {
        return S->isSymbol(Symbol::KindTy::Opaque) ||
               S->isSymbol(Symbol::KindTy::ExitCount);
      })) {
    IsScattered = true;
    Status = Status::Unknown;
    uint64_t Range = X->Facts.UMax - X->Facts.UMin;
    auto Step = llvm::SignExtend64(By, Width);
    Range = llvm::SaturatingMultiply(Range, uint64_t(std::abs(Step)));
    Span = llvm::SaturatingAdd(Span, Range);
    if (!Groups)
      Groups = std::make_shared<LaneGroups>();
    Groups->Align = std::min(Groups->Align, multipleOf(X, By));
    noteData(X, 0);
    return;
  }
  if (D == Decidedness::Open && !StrideOf)
    StrideOf = Here;
  addStandIn(X, By);
}

void AddressPreparer::setAddress(
    Access &M, Ref X, llvm::function_ref<Decidedness(const Symbol &)> Of) {
  M.Kind = Access::KindTy::Lanes;
  M.Whole = X;
  // Banks serve words in any order, and the lanes' copies of a word of local
  // memory fill a line.
  uint64_t Needed =
      M.Space == AddressSpace::Shared || M.Space == AddressSpace::Local
          ? 4
          : Period;
  // A variable in global memory is taken to lie as what an argument points to.
  auto IsPlace = [&](const Symbol &S) {
    return (S.Kind == Symbol::KindTy::Parameter ||
            S.Kind == Symbol::KindTy::Address) &&
           (S.Align >= Needed ||
            (S.Var && S.Var->Space == AddressSpace::Global));
  };
  const Symbol *Open = nullptr;
  Decidedness D = ptxpredict::decidednessOf(
      *X,
      [&](const Symbol &S) {
        return IsPlace(S)    ? Decidedness::Decided
               : isExtent(S) ? Decidedness::Open
                             : Of(S);
      },
      &Open);
  if (D != Decidedness::Open) {
    M.Address = X;
    M.DependsOnLaunch = D == Decidedness::Launch;
    return;
  }
  auto WithPlaces = [&](const Symbol &Sym) {
    return IsPlace(Sym) ? Decidedness::Decided : Of(Sym);
  };
  Split S{E,
          WithPlaces,
          Of,
          Launch.Block,
          Launch.Grid,
          X->Width,
          E.constant(X->Width, 0),
          Needed};
  S.add(X, 1);
  M.Address = S.Lane;
  M.Status = S.Status;
  M.IsStandIn = S.IsStandIn;
  M.Open = S.Open;
  M.StrideOf = S.StrideOf;
  M.MayBeApart = S.MayBeApart;
  M.IsScaled = S.IsScaled;
  M.Scale = S.Scale;
  M.DependsOnLaunch = S.DependsOnLaunch;
  M.OpenAlign = S.Align;
  M.IsMoved = S.IsMoved;
  if (S.IsScattered) {
    M.Kind = Access::KindTy::Scattered;
    M.Address = nullptr;
    // What has no bound of its own can lie anywhere.
    M.SpanBytes = S.Span < (uint64_t(1) << 31) ? S.Span + M.Bytes : 0;
    if (!S.IsApart && !M.IsMatrix && !M.Box && M.Space != AddressSpace::Local) {
      S.Groups->Distance = S.Lane;
      S.Groups->Align = std::min(S.Groups->Align, S.Align);
      S.Groups->ArePieces = S.Data && beginsPiece(S.Data);
      M.Groups = std::move(S.Groups);
    }
  }
}
