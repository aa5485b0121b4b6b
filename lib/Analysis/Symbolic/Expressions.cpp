//===- Expressions.cpp - Making expressions, sums and products ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExpressionsImpl.h"
#include "llvm/ADT/DenseSet.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Kind = Expression::KindTy;
using Ref = Expressions::Ref;

bool Expression::dependsOn(ptxpredict::Symbol::KindTy K) const {
  return llvm::any_of(Symbols, [K](Ref S) { return S->Sym->Kind == K; });
}

bool Expression::dependsOn(const Expression *S) const {
  return llvm::is_contained(Symbols, S);
}

bool Expression::isDecided() const {
  return llvm::all_of(Symbols, [](Ref S) {
    return S->Sym->Kind <= ptxpredict::Symbol::KindTy::GridExtentZ ||
           S->Sym->Kind == ptxpredict::Symbol::KindTy::Counter;
  });
}

const Symbol *Expression::opaque() const {
  for (Ref S : Symbols)
    if (S->Sym->Kind == ptxpredict::Symbol::KindTy::Opaque)
      return S->Sym;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// Multiplies and folds; what comes is counted up more often than random.
static uint64_t mix(uint64_t Hash, uint64_t V) {
  UInt128 P = UInt128(Hash ^ V ^ 0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93;
  return uint64_t(P) ^ uint64_t(P >> 64);
}

static uint64_t hashOf(Kind K, unsigned Width, ArrayRef<Ref> Operands,
                       ArrayRef<uint64_t> Coefficients, uint64_t Addend) {
  uint64_t Hash = mix(unsigned(K) << 8 | Width, Addend);
  for (Ref O : Operands)
    Hash = mix(Hash, O->Id);
  for (uint64_t C : Coefficients)
    Hash = mix(Hash, C);
  return Hash;
}

void Expressions::insert(uint64_t Hash, Ref E) {
  // At most half are taken: most searches find nothing.
  if (2 * ++NumNodes > Nodes.size()) {
    std::vector<Slot> Old(4 * Nodes.size());
    std::swap(Old, Nodes);
    NumNodes = 1;
    for (const Slot &S : Old)
      if (S.E)
        insert(S.Hash, S.E);
  }
  size_t I = Hash & (Nodes.size() - 1);
  while (Nodes[I].E)
    I = (I + 1) & (Nodes.size() - 1);
  Nodes[I] = {Hash, E};
}

Expressions::Expressions(const LaunchConfig &Launch)
    : Block(Launch.Block), Grid(Launch.Grid),
      BlockIsAssumed(Launch.BlockIsAssumed),
      GridIsAssumed(Launch.GridIsAssumed),
      IsRow(BlockIsAssumed ? Launch.IndexDimensions == 1
                           : Block.Y == 1 && Block.Z == 1),
      MaxThreads(Launch.MaxThreadsPerBlock), Nodes(256) {}

template <typename T>
static ArrayRef<T> keep(llvm::BumpPtrAllocator &Arena, ArrayRef<T> Elements) {
  T *Place = Arena.Allocate<T>(Elements.size());
  std::uninitialized_copy(Elements.begin(), Elements.end(), Place);
  return {Place, Elements.size()};
}

/// Whether all of \p Part, which has the same order, is in \p All.
static bool holdsAll(ArrayRef<Ref> All, ArrayRef<Ref> Part) {
  const auto *At = All.begin();
  for (Ref X : Part) {
    At = std::find(At, All.end(), X);
    if (At == All.end())
      return false;
    ++At;
  }
  return true;
}

/// The symbols of all operands, by id.
static ArrayRef<Ref> unionOf(llvm::BumpPtrAllocator &Arena,
                             ArrayRef<Ref> Operands) {
  ArrayRef<Ref> Largest;
  for (Ref O : Operands)
    if (O->Symbols.size() > Largest.size())
      Largest = O->Symbols;
  // Often one operand has them all.
  SmallVector<Ref, 32> All, Both;
  ArrayRef<Ref> Result = Largest;
  for (Ref O : Operands) {
    ArrayRef<Ref> S = O->Symbols;
    if (S.data() == Largest.data() || holdsAll(Result, S))
      continue;
    Both.clear();
    std::set_union(Result.begin(), Result.end(), S.begin(), S.end(),
                   std::back_inserter(Both),
                   [](Ref A, Ref B) { return A->Id < B->Id; });
    std::swap(All, Both);
    Result = All;
  }
  return Result.data() == Largest.data() ? Largest : keep(Arena, Result);
}

/// Up to one more than what is allowed.
unsigned Expressions::countNodes(ArrayRef<Ref> Operands) {
  CountedIn.resize(NextId);
  ++NumCounts;
  unsigned Seen = 0;
  SmallVector<Ref, 32> Work(Operands.begin(), Operands.end());
  while (!Work.empty() && Seen <= MaxSize) {
    Ref E = Work.pop_back_val();
    if (std::exchange(CountedIn[E->Id], NumCounts) == NumCounts)
      continue;
    ++Seen;
    Work.append(E->Operands.begin(), E->Operands.end());
  }
  return Seen + 1;
}

Ref Expressions::tooLarge(unsigned Width, ArrayRef<Ref> Operands) {
  Symbol S;
  S.Reason = Symbol::ReasonTy::TooLarge;
  S.Varies = VariesNowhere;
  bool HasData = false;
  for (Ref O : Operands) {
    S.Varies |= O->Varies;
    for (Ref Part : O->Symbols) {
      if (!Part->Sym->From)
        continue;
      // Data tells more than what is made from it.
      bool IsData = Part->Sym->Reason < Symbol::ReasonTy::Loop &&
                    Part->Sym->Reason != Symbol::ReasonTy::CrossLane;
      if (!S.From || (IsData && !HasData))
        S.From = Part->Sym->From;
      HasData |= IsData;
    }
  }
  S.Number = NextId;
  S.Name = std::to_string(NextId);
  return symbol(Width, std::move(S));
}

Ref Expressions::make(Kind K, unsigned Width, ArrayRef<Ref> Operands,
                      ArrayRef<uint64_t> Coefficients, uint64_t Addend) {
  if (!Operands.empty() &&
      llvm::all_of(Operands, [](Ref O) { return O->isConstant(); })) {
    SmallVector<uint64_t, 4> Values;
    for (Ref O : Operands)
      Values.push_back(O->Addend);
    Expression E{K,        uint8_t(Width), 0,  false,   false, 0, 1, Addend,
                 Operands, Coefficients,   {}, nullptr, {}};
    return constant(Width, apply(E, Values));
  }
  uint64_t Hash = hashOf(K, Width, Operands, Coefficients, Addend);
  for (size_t I = Hash;; ++I) {
    const Slot &S = Nodes[I & (Nodes.size() - 1)];
    if (!S.E)
      break;
    if (S.Hash == Hash && S.E->Kind == K && S.E->Width == Width &&
        S.E->Addend == Addend && S.E->Operands == Operands &&
        S.E->Coefficients == Coefficients)
      return S.E;
  }

  // Mostly it stays, so it is made in its place.
  auto *N = new (Arena)
      Expression{K,        uint8_t(Width), 0,  false,   false, 0, 1, Addend,
                 Operands, Coefficients,   {}, nullptr, {}};
  size_t NumSymbols = 0;
  for (Ref O : Operands) {
    N->Varies |= O->Varies;
    N->Size += O->Size;
    N->Repeats |= O->Repeats;
    N->ExtendsSum |= O->ExtendsSum;
    NumSymbols += O->Symbols.size();
  }
  N->Symbols = unionOf(Arena, Operands);
  N->Repeats |= N->Symbols.size() < NumSymbols;
  N->ExtendsSum |=
      (K == Kind::ZExt || K == Kind::SExt) && Operands[0]->Kind == Kind::Sum;
  // Shared nodes were counted more than once.
  bool IsLarge = N->Size > 4 * MaxSize;
  if (IsLarge)
    N->Size = countNodes(Operands);
  if ((IsLarge && N->Size > MaxSize) || N->Symbols.size() > MaxSymbols)
    return tooLarge(Width, Operands);
  N->Facts = factsOf(*N);
  if (N->Facts.UMin == N->Facts.UMax)
    return constant(Width, N->Facts.UMin);
  N->Id = NextId++;
  N->Operands = keep(Arena, Operands);
  N->Coefficients = keep(Arena, Coefficients);
  insert(Hash, N);
  return N;
}

Ref Expressions::constant(unsigned Width, uint64_t V) {
  V &= maskOf(Width);
  uint64_t Hash = hashOf(Kind::Constant, Width, {}, {}, V);
  for (size_t I = Hash;; ++I) {
    const Slot &S = Nodes[I & (Nodes.size() - 1)];
    if (!S.E)
      break;
    if (S.E->isConstant(V) && S.E->Width == Width)
      return S.E;
  }
  auto *N = new (Arena) Expression{Kind::Constant,
                                   uint8_t(Width),
                                   0,
                                   false,
                                   false,
                                   NextId++,
                                   1,
                                   V,
                                   {},
                                   {},
                                   {},
                                   nullptr,
                                   {}};
  N->Facts = factsOf(*N);
  insert(Hash, N);
  return N;
}

Ref Expressions::symbol(unsigned Width, Symbol S) {
  if (S.Min == S.Max)
    return constant(Width, S.Min);
  // Bounds tell counters apart that are the same otherwise.
  bool IsCounter = S.Kind == Symbol::KindTy::Counter;
  uint64_t Hash = mix(unsigned(Kind::Symbol) << 8 | Width, S.Number);
  Hash = mix(Hash, uint64_t(S.Kind) ^ (IsCounter ? S.Max : 0));
  Hash = mix(Hash, reinterpret_cast<uintptr_t>(S.Context));
  for (size_t I = Hash;; ++I) {
    const Slot &Place = Nodes[I & (Nodes.size() - 1)];
    if (!Place.E)
      break;
    if (Place.Hash != Hash || !Place.E->isSymbol() || Place.E->Width != Width)
      continue;
    const Symbol &O = *Place.E->Sym;
    if (O.Kind == S.Kind && O.Context == S.Context && O.Number == S.Number &&
        (!IsCounter || O.Max == S.Max))
      return Place.E;
  }
  Expression E{Kind::Symbol,
               uint8_t(Width),
               S.Varies,
               false,
               false,
               NextId++,
               1,
               0,
               {},
               {},
               {},
               nullptr,
               {}};
  auto *Sym = new (SymbolArena.Allocate()) Symbol(std::move(S));
  Sym->Quantity = Sym;
  if (IsCounter || Sym->Kind == Symbol::KindTy::ExitCount)
    Sym->Quantity =
        LoopSymbols
            .try_emplace({Sym->Context, Sym->Number << 1 | uint64_t(IsCounter),
                          IsCounter ? Sym->Max : 0},
                         Sym)
            .first->second;
  E.Sym = Sym;
  E.Facts = factsOf(E);
  auto *N = new (Arena) Expression(E);
  N->Symbols = keep(Arena, ArrayRef<Ref>(N));
  insert(Hash, N);
  return N;
}

Ref Expressions::makeIndex(Symbol::KindTy K) {
  using SK = Symbol::KindTy;
  static constexpr StringRef Names[] = {
      "tid.x",   "tid.y",    "tid.z",    "ctaid.x", "ctaid.y",
      "ctaid.z", "laneid",   "warpid",   "ntid.x",  "ntid.y",
      "ntid.z",  "nctaid.x", "nctaid.y", "nctaid.z"};
  bool IsExtent = K >= SK::BlockExtentX;
  // An extent's place is that of its index.
  unsigned Of = unsigned(K) - (IsExtent ? unsigned(SK::BlockExtentX) : 0);
  bool IsOfBlock = Of <= unsigned(SK::ThreadZ) || K == SK::Warp;
  bool WholeRows = Block.X % WarpSize == 0;
  uint64_t Extents[] = {
      Block.X, Block.Y, Block.Z,  Grid.X,
      Grid.Y,  Grid.Z,  WarpSize, llvm::divideCeil(Block.count(), WarpSize)};
  uint64_t Extent = Extents[Of];
  Symbol S;
  S.Kind = K;
  S.Name = Names[unsigned(K)].str();
  if (IsOfBlock ? BlockIsAssumed : K != SK::Lane && GridIsAssumed) {
    // The most that any launch has.
    uint64_t Rows = MaxThreads / (WholeRows ? WarpSize : 1);
    const uint64_t Most[] = {WholeRows ? Rows * WarpSize : Rows,
                             Rows,
                             std::min<uint64_t>(Rows, 64),
                             (uint64_t(1) << 31) - 1,
                             65535,
                             65535,
                             WarpSize,
                             llvm::divideCeil(MaxThreads, WarpSize)};
    Extent = std::max(Extent, Most[Of]);
  } else if (IsExtent) {
    return constant(32, Extent);
  }
  S.Max = Extent - 1;
  if (IsExtent) {
    bool IsRow = K == SK::BlockExtentX && WholeRows;
    S.Min = S.Align = IsRow ? WarpSize : 1;
    S.Max = Extent;
    S.Varies = VariesNowhere;
    return symbol(32, std::move(S));
  }
  switch (K) {
  case Symbol::KindTy::ThreadX: {
    bool Repeats = !BlockIsAssumed &&
                   (WholeRows ? Block.X == WarpSize : WarpSize % Block.X == 0);
    S.Varies = Repeats ? VariesInWarp : VariesInWarp | VariesInBlock;
    break;
  }
  case Symbol::KindTy::ThreadY:
  case Symbol::KindTy::ThreadZ:
    S.Varies = WholeRows ? VariesInBlock : VariesInWarp | VariesInBlock;
    break;
  case Symbol::KindTy::Lane:
    S.Varies = VariesInWarp;
    break;
  case Symbol::KindTy::Warp:
    S.Varies = VariesInBlock;
    break;
  default:
    S.Varies = VariesInGrid;
    break;
  }
  return symbol(32, std::move(S));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void Expressions::Terms::add(Ref E, uint64_t By) {
  if (E->isConstant() || E->Kind == Kind::Sum)
    Addend += E->Addend * By;
  if (E->Kind == Kind::Sum)
    for (size_t I = 0; I != E->Operands.size(); ++I)
      List.emplace_back(E->Operands[I], E->Coefficients[I] * By);
  else if (!E->isConstant())
    List.emplace_back(E, By);
}

Ref Expressions::sum(unsigned Width, Terms &T) {
  llvm::sort(T.List, [](const auto &A, const auto &B) {
    return A.first->Id < B.first->Id;
  });
  SmallVector<Ref, 8> Operands;
  SmallVector<uint64_t, 8> Coefficients;
  uint64_t Mask = maskOf(Width);
  for (size_t I = 0; I != T.List.size();) {
    Ref Term = T.List[I].first;
    uint64_t By = 0;
    for (; I != T.List.size() && T.List[I].first == Term; ++I)
      By += T.List[I].second;
    if ((By &= Mask) == 0)
      continue;
    Operands.push_back(Term);
    Coefficients.push_back(By);
  }
  T.Addend &= Mask;
  if (Operands.empty())
    return constant(Width, T.Addend);
  if (Operands.size() == 1 && Coefficients[0] == 1 && T.Addend == 0)
    return Operands[0];
  if (Operands.size() > MaxTerms)
    return tooLarge(Width, Operands);
  return make(Kind::Sum, Width, Operands, Coefficients, T.Addend);
}

Ref Expressions::addNumber(Ref A, uint64_t V) {
  V &= maskOf(A->Width);
  if (V == 0)
    return A;
  if (A->Kind != Kind::Sum)
    return A->isConstant() ? constant(A->Width, A->Addend + V)
                           : make(Kind::Sum, A->Width, A, 1, V);
  V = (V + A->Addend) & maskOf(A->Width);
  if (V == 0 && A->Operands.size() == 1 && A->Coefficients[0] == 1)
    return A->Operands[0];
  return make(Kind::Sum, A->Width, A->Operands, A->Coefficients, V);
}

Ref Expressions::add(Ref A, Ref B) {
  if (A->isConstant())
    std::swap(A, B);
  if (B->isConstant())
    return addNumber(A, B->Addend);
  Terms T;
  T.add(A, 1);
  T.add(B, 1);
  return sum(A->Width, T);
}

Ref Expressions::sub(Ref A, Ref B) {
  if (B->isConstant())
    return addNumber(A, 0 - B->Addend);
  Terms T;
  T.add(A, 1);
  T.add(B, ~uint64_t(0));
  return sum(A->Width, T);
}

Ref Expressions::neg(Ref A) { return scale(A, ~uint64_t(0)); }

Ref Expressions::scale(Ref A, uint64_t By) {
  By &= maskOf(A->Width);
  if (By == 1)
    return A;
  // Nothing is lost of what has zeros where it is shifted out.
  if (A->Kind == Kind::LShr && llvm::isPowerOf2_64(By) &&
      A->Operands[1]->isConstant(llvm::countr_zero(By)) &&
      (A->Operands[0]->Facts.Zeros & (By - 1)) == By - 1)
    return A->Operands[0];
  if (By != 0 && !A->isConstant() && A->Kind != Kind::Sum)
    return make(Kind::Sum, A->Width, A, By);
  Terms T;
  T.add(A, By);
  return sum(A->Width, T);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

Ref Expressions::product(unsigned Width, ArrayRef<Ref> Factors) {
  SmallVector<Ref, 4> All;
  uint64_t By = 1;
  for (Ref F : Factors) {
    if (F->isConstant())
      By *= F->Addend;
    else if (F->Kind == Kind::Product)
      All.append(F->Operands.begin(), F->Operands.end());
    else
      All.push_back(F);
  }
  if (All.empty())
    return constant(Width, By);
  if (All.size() == 1)
    return scale(All[0], By);
  if (All.size() > MaxTerms)
    return tooLarge(Width, All);
  llvm::sort(All, [](Ref A, Ref B) { return A->Id < B->Id; });
  return scale(make(Kind::Product, Width, All), By);
}

Ref Expressions::mul(Ref A, Ref B) {
  if (A->isConstant())
    std::swap(A, B);
  if (B->isConstant())
    return scale(A, B->Addend);
  if (A->Kind != Kind::Sum && B->Kind != Kind::Sum)
    return product(A->Width, {A, B});
  // Multiplied out, so that equal products look equal.
  auto Count = [](Ref E) {
    return E->Kind == Kind::Sum ? E->Operands.size() + (E->Addend != 0) : 1;
  };
  if (Count(A) * Count(B) > 12)
    return make(Kind::Product, A->Width,
                {A->Id < B->Id ? A : B, A->Id < B->Id ? B : A});
  Terms TA, TB, Result;
  TA.add(A, 1);
  TB.add(B, 1);
  for (auto [X, CX] : TA.List) {
    for (auto [Y, CY] : TB.List)
      Result.add(product(A->Width, {X, Y}), CX * CY);
    Result.add(X, CX * TB.Addend);
  }
  for (auto [Y, CY] : TB.List)
    Result.add(Y, CY * TA.Addend);
  Result.Addend += TA.Addend * TB.Addend;
  return sum(A->Width, Result);
}

Ref Expressions::power(Ref Base, Ref Exponent) {
  if (Base->isConstant() && Base->Addend <= 1 && !Exponent->isConstant())
    return Base->Addend ? Base
                        : make(Kind::Power, Base->Width, {Base, Exponent});
  return make(Kind::Power, Base->Width, {Base, Exponent});
}
