//===- AccessCosts.cpp - What a memory instruction's requests cost --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What a request costs repeats every 128 bytes of its address. Linear terms of
// counters and indices make a distribution of residues, term by term, whatever
// their ranges; the lanes' addresses are evaluated, whatever their form.
//===----------------------------------------------------------------------===//
#include "AccessCosts.h"
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Kind = Expression::Kind;
using Ref = const Expression *;

static constexpr uint64_t Period = 128;

bool counting::isThread(const Symbol &S) {
  switch (S.Which) {
  case Symbol::Kind::ThreadX:
  case Symbol::Kind::ThreadY:
  case Symbol::Kind::ThreadZ:
  case Symbol::Kind::Lane:
  case Symbol::Kind::Warp:
    return true;
  default:
    return false;
  }
}

static bool hasThread(const Expression &E) {
  return llvm::any_of(E.Symbols, [](Ref S) { return isThread(*S->Sym); });
}

//===----------------------------------------------------------------------===//
// Accesses whose lanes lie anywhere
//===----------------------------------------------------------------------===//

/// The mean number of the \p Of places that \p Lanes lanes touch, each of which
/// chooses one at random.
static double touched(double Of, double Lanes) {
  return Of * (1 - std::pow(1 - 1 / Of, Lanes));
}

/// The mean of the most lanes that choose the same of \p Bins banks.
static double fullestBank(unsigned Lanes, unsigned Bins) {
  // Of sequences of Lanes banks, those with no bank more than Most times: the
  // coefficient of x^Lanes in (sum of x^k/k! up to Most)^Bins, times Lanes!.
  double Mean = 0;
  for (unsigned Most = 0; Most < Lanes; ++Most) {
    std::vector<double> Ways(Lanes + 1);
    Ways[0] = 1;
    for (unsigned Bin = 0; Bin != Bins; ++Bin) {
      std::vector<double> Next(Lanes + 1);
      for (unsigned N = 0; N <= Lanes; ++N) {
        double Factor = 1;
        for (unsigned K = 0; K <= std::min(Most, N); ++K) {
          Next[N] += Ways[N - K] * Factor;
          Factor *= double(N - K) / (K + 1) / Bins;
        }
      }
      Ways = std::move(Next);
    }
    Mean += 1 - Ways[Lanes];
  }
  return Mean;
}

static double randomWavefronts(unsigned Lanes, unsigned Bytes) {
  // A quarter or half of the warp at once over banks as wide as the access.
  unsigned Words = std::max(Bytes / 4, 1u), Banks = 32 / Words;
  static const auto Table = [] {
    std::array<std::array<double, WarpSize + 1>, 3> T{};
    for (unsigned Shift = 0; Shift != 3; ++Shift)
      for (unsigned L = 0; L <= (WarpSize >> Shift); ++L)
        T[Shift][L] = fullestBank(L, 32 >> Shift);
    return T;
  }();
  unsigned Shift = std::min(llvm::Log2_32(Words), 2u);
  double Sum = 0;
  for (unsigned Left = Lanes; Left != 0;) {
    unsigned AtOnce = std::min(Left, Banks);
    Sum += Table[Shift][std::min<unsigned>(AtOnce, WarpSize >> Shift)];
    Left -= AtOnce;
  }
  return Sum;
}

/// What a request of one lane costs.
static RequestCosts leastOf(const Access &M) {
  RequestCosts C{};
  C[ActiveLanes] = 1;
  if (M.Space == AddressSpace::Shared) {
    C[Wavefronts] = fewestWavefronts(1, M.Bytes);
    return C;
  }
  C[Sectors] = std::max(M.Bytes / 32.0, 1.0);
  C[Lines] = C[CC10] = C[CC12] = C[CC20] = 1;
  return C;
}

void AccessCoster::scatter(const Access &M, uint32_t Lanes, RequestCosts &Mean,
                           RequestCosts &Low, RequestCosts &High) {
  auto Number = unsigned(llvm::popcount(Lanes));
  double N = Number;
  Mean.fill(0);
  Mean[ActiveLanes] = N;
  Low = High = Mean;
  if (M.Space == AddressSpace::Shared) {
    Mean[Wavefronts] = randomWavefronts(Number, M.Bytes);
    Low[Wavefronts] = fewestWavefronts(N, M.Bytes);
    High[Wavefronts] = N * std::max(M.Bytes / 4.0, 1.0);
    return;
  }
  double PerLane = std::max(M.Bytes / 32.0, 1.0);
  auto Among = [&](double Unit) {
    double Of = double(M.SpanBytes) / Unit;
    return M.SpanBytes == 0 ? N : touched(std::max(Of, 1.0), N);
  };
  Mean[Sectors] = Among(32 * PerLane) * PerLane;
  Mean[Lines] = Among(128);
  Mean[CC20] = Mean[Lines];
  Mean[CC10] = Mean[CC12] = N;
  Low[Sectors] = PerLane;
  Low[Lines] = Low[CC12] = Low[CC20] = 1;
  Low[CC10] = Number > WarpSize / 2 ? 2 : 1; // each half-warp by itself
  High[Sectors] = N * PerLane;
  High[Lines] = High[CC12] = High[CC20] = N;
  High[CC10] = std::max(N, 4.0); // words in their places may take two a half
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// An address's terms, by what is known of them.
struct AccessCoster::Split {
  Expressions &E;
  llvm::function_ref<Decidedness(const Symbol &)> Of;
  Dim3 Block, Grid;
  unsigned Width;
  Ref Lane;        ///< sum of what can be evaluated
  uint64_t Needed; ///< to such a multiple places need not be known
  uint64_t Align = Period;
  const Symbol *Open = nullptr, *StrideOf = nullptr;
  Status How = Status::Known;
  bool DependsOnLaunch = false;
  bool IsStandIn = false, IsScattered = false;
  uint64_t Span = 0;

  void add(Ref X, uint64_t By);

private:
  Ref standIn(Ref X);
};

/// A parameter of which nothing is known, where it is a factor of a lane's
/// place: large enough that lanes lie in sectors of their own, small enough
/// that nothing wraps around.
static constexpr uint64_t StandIn = 4096;

static bool isExtent(const Symbol &S) {
  switch (S.Which) {
  case Symbol::Kind::BlockExtentX:
  case Symbol::Kind::BlockExtentY:
  case Symbol::Kind::BlockExtentZ:
  case Symbol::Kind::GridExtentX:
  case Symbol::Kind::GridExtentY:
  case Symbol::Kind::GridExtentZ:
    return true;
  default:
    return false;
  }
}

Ref AccessCoster::Split::standIn(Ref X) {
  Expressions::Memo Known;
  return E.substitute(
      X,
      [&](Ref S) -> Ref {
        switch (S->Sym->Which) {
        case Symbol::Kind::BlockExtentX:
          return E.constant(S->Width, Block.X);
        case Symbol::Kind::BlockExtentY:
          return E.constant(S->Width, Block.Y);
        case Symbol::Kind::BlockExtentZ:
          return E.constant(S->Width, Block.Z);
        case Symbol::Kind::GridExtentX:
          return E.constant(S->Width, Grid.X);
        case Symbol::Kind::GridExtentY:
          return E.constant(S->Width, Grid.Y);
        case Symbol::Kind::GridExtentZ:
          return E.constant(S->Width, Grid.Z);
        case Symbol::Kind::Parameter:
          return E.constant(S->Width, StandIn);
        default:
          return S;
        }
      },
      Known);
}

void AccessCoster::Split::add(Ref X, uint64_t By) {
  const Symbol *Here = nullptr;
  Decidedness D = decidednessOf(*X, Of, &Here);
  bool HasExtent =
      llvm::any_of(X->Symbols, [](Ref S) { return isExtent(*S->Sym); });
  if (D == Decidedness::Decided || (D == Decidedness::Launch && !HasExtent)) {
    DependsOnLaunch |= D == Decidedness::Launch;
    Lane = E.add(Lane, E.scale(E.resize(X, Width, /*Signed=*/false), By));
    return;
  }
  if (X->Which == Kind::Sum) {
    Lane = E.add(Lane, E.constant(Width, X->Addend * By));
    for (auto [O, C] : llvm::zip(X->Operands, X->Coefficients))
      add(O, uint64_t(llvm::SignExtend64(C, X->Width)) * By);
    return;
  }
  uint64_t Multiple = 0;
  if (X->isUniform()) {
    auto Zeros = unsigned(llvm::countr_one(X->Facts.Zeros));
    Zeros += unsigned(llvm::countr_zero(By));
    Multiple = uint64_t(1) << std::min(Zeros, 7u);
    if (Multiple >= Needed) // wherever that is, it costs the same
      return;
  }
  DependsOnLaunch = true;
  if (D == Decidedness::Open)
    Open = weightier(Open, Here);
  if (X->isUniform()) {
    Align = std::min(Align, Multiple);
    How = weakest(How, !Here || Here->Which == Symbol::Kind::Parameter
                           ? Status::Assumed
                           : Status::Unknown);
    return;
  }
  // Taken not to wrap around within: at no launch that makes sense, but with a
  // parameter who knows.
  bool IsExtended = X->Which == Kind::ZExt || X->Which == Kind::SExt ||
                    X->Which == Kind::Trunc;
  if (!IsExtended || D == Decidedness::Open) {
    IsStandIn = true;
    How = weakest(How, Status::Assumed);
  }
  if (IsExtended) {
    add(X->Operands[0], By);
    return;
  }
  if (llvm::any_of(X->Symbols, [](Ref S) {
        return S->isSymbol(Symbol::Kind::Opaque) ||
               S->isSymbol(Symbol::Kind::ExitCount);
      })) {
    IsScattered = true;
    How = Status::Unknown;
    uint64_t Range = X->Facts.UMax - X->Facts.UMin;
    auto Step = llvm::SignExtend64(By, Width);
    Range = llvm::SaturatingMultiply(Range, uint64_t(std::abs(Step)));
    Span = llvm::SaturatingAdd(Span, Range);
    return;
  }
  if (D == Decidedness::Open && !StrideOf)
    StrideOf = Here;
  Lane = E.add(Lane, E.scale(E.resize(standIn(X), Width, /*Signed=*/true), By));
}

void AccessCoster::setAddress(
    Access &M, Ref X, llvm::function_ref<Decidedness(const Symbol &)> Of) {
  M.Which = Access::Kind::Lanes;
  // Banks serve words in any order, and the lanes' copies of a word of local
  // memory fill a line.
  uint64_t Needed =
      M.Space == AddressSpace::Shared || M.Space == AddressSpace::Local
          ? 4
          : Period;
  auto IsPlace = [&](const Symbol &S) {
    return (S.Which == Symbol::Kind::Parameter ||
            S.Which == Symbol::Kind::Address) &&
           S.Align >= Needed;
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
  Split S{E,           WithPlaces, Launch.Block,
          Launch.Grid, X->Width,   E.constant(X->Width, 0),
          Needed};
  S.add(X, 1);
  M.Address = S.Lane;
  M.How = S.How;
  M.IsStandIn = S.IsStandIn;
  M.Open = S.Open;
  M.StrideOf = S.StrideOf;
  M.DependsOnLaunch = S.DependsOnLaunch;
  M.OpenAlign = S.Align;
  if (S.IsScattered) {
    M.Which = Access::Kind::Scattered;
    M.Address = nullptr;
    // What has no bound of its own can lie anywhere.
    M.SpanBytes = S.Span < (uint64_t(1) << 31) ? S.Span + M.Bytes : 0;
  }
}

const WarpPlaces *AccessCoster::warpPlaces(const Expression &Address) {
  // The part that knows the thread, if nothing else is mixed with it.
  Ref OfThread = nullptr;
  auto IsPure = [](const Expression &X) {
    return llvm::all_of(X.Symbols, [](Ref S) { return isThread(*S->Sym); });
  };
  if (IsPure(Address)) {
    OfThread = &Address;
  } else if (Address.Which == Kind::Sum) {
    OfThread = E.constant(Address.Width, 0);
    for (auto [O, C] : llvm::zip(Address.Operands, Address.Coefficients)) {
      if (!hasThread(*O))
        continue;
      if (!IsPure(*O))
        return nullptr;
      OfThread = E.add(OfThread, E.scale(O, C));
    }
  } else {
    return nullptr;
  }
  auto &Known = Places[OfThread];
  if (Known)
    return Known.get();
  Known = std::make_unique<WarpPlaces>();
  Known->OfThread = OfThread;
  CompiledExpressions C(OfThread);
  Assignment A;
  A.Block = Launch.Block;
  A.Grid = Launch.Grid;
  uint64_t Warps = Launch.warpsPerBlock();
  std::vector<LaneArray> Classes;
  std::vector<unsigned> First;
  constexpr unsigned MaxClasses = 8; // of the last ones each warp is its own
  for (unsigned W = 0; W != Warps; ++W) {
    A.Warp = W;
    C.run(A);
    LaneArray Here;
    for (unsigned L = 0; L != WarpSize; ++L)
      Here[L] = C.lane(0, L);
    unsigned N = 0;
    for (; N != Classes.size(); ++N) {
      uint64_t Distance = Here[0] - Classes[N][0];
      bool Same = true;
      for (unsigned L = 1; L != WarpSize && Same; ++L)
        Same = Here[L] - Classes[N][L] == Distance;
      if (!Same)
        continue;
      Known->Class.push_back(First[N]);
      Known->Shift.push_back(uint8_t(Distance % Period));
      break;
    }
    if (N != Classes.size())
      continue;
    Known->Class.push_back(W);
    Known->Shift.push_back(0);
    if (N != MaxClasses) {
      Classes.push_back(Here);
      First.push_back(W);
    }
  }
  return Known.get();
}

/// The stride between neighbouring lanes, if it is one.
static std::optional<int64_t> laneStride(const LaneArray &Addresses,
                                         unsigned Width, unsigned Lanes) {
  if (Lanes < 2)
    return std::nullopt;
  uint64_t Stride = Addresses[1] - Addresses[0];
  for (unsigned L = 2; L < Lanes; ++L)
    if (llvm::SignExtend64(Addresses[L] - Addresses[L - 1], Width) !=
        llvm::SignExtend64(Stride, Width))
      return std::nullopt;
  return llvm::SignExtend64(Stride, Width);
}

void AccessCoster::prepare(Access &M, const LaneArray &First) {
  M.IsPrepared = true;
  if (M.Address->Varies & VariesInBlock)
    M.Warps = warpPlaces(*M.Address);
  uint64_t Step = 0;
  for (Ref S : M.Address->Symbols) {
    if (S->isSymbol(Symbol::Kind::Parameter) ||
        S->isSymbol(Symbol::Kind::Address) || isThread(*S->Sym))
      continue;
    Slope Along = slopeOf(*M.Address, {S});
    // By lanes' own numbers their distances change, too.
    M.IsLinear &= Along.IsLinear && S->isUniform();
    Step = std::gcd(Step, uint64_t(Along.Value) % Period);
  }
  M.Step = Step;
  if (!M.IsMatrix && M.Space != AddressSpace::Local && !M.StrideOf)
    M.LaneStride = laneStride(
        First, M.Address->Width,
        unsigned(std::min<uint64_t>(Launch.threadsPerBlock(), WarpSize)));
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

RequestShape &AccessCoster::shapeOf(const Access &M, const LaneArray &Addresses,
                                    uint32_t Lanes) {
  uint64_t First = Addresses[unsigned(llvm::countr_zero(Lanes))];
  LaneArray Distance;
  uint64_t Hash =
      (uint64_t(Lanes) << 32) ^ (uint64_t(M.Bytes) << 8) ^ uint64_t(M.Space);
  for (unsigned L = 0; L != WarpSize; ++L) {
    uint64_t Active = 0 - uint64_t(Lanes >> L & 1);
    Distance[L] = (Addresses[L] - First) & Active;
    Hash = (Hash ^ Distance[L]) * 0x9e3779b97f4a7c15;
  }
  Hash >>= 1; // two values are the table's own
  auto &Same = Shapes[Hash];
  for (const auto &S : Same)
    if (S->Lanes == Lanes && S->Bytes == M.Bytes && S->Space == M.Space &&
        S->Distance == Distance)
      return *S;
  Same.push_back(std::make_unique<RequestShape>());
  RequestShape &S = *Same.back();
  S.Distance = Distance;
  S.Lanes = Lanes;
  S.Bytes = M.Bytes;
  S.Space = M.Space;
  S.At.resize(Period);
  return S;
}

/// What the request costs whose first lane's address is \p Place, modulo 128.
const RequestCosts &AccessCoster::costAt(RequestShape &S, unsigned Place) {
  RequestCosts &C = S.At[Place];
  if (S.Has[Place])
    return C;
  S.Has.set(Place);
  C.fill(0);
  WarpAccess W;
  W.Active = S.Lanes;
  W.BytesPerLane = S.Bytes;
  for (unsigned L = 0; L != WarpSize; ++L) {
    // Lanes may lie before the first.
    W.Address[L] = S.Distance[L] + Place + (uint64_t(1) << 48);
    // The 32 lanes' copies of a word of local memory lie side by side.
    if (S.Space == AddressSpace::Local)
      W.Address[L] = W.Address[L] * WarpSize + uint64_t(L) * W.BytesPerLane;
  }
  C[ActiveLanes] = unsigned(llvm::popcount(S.Lanes));
  if (S.Space == AddressSpace::Shared) {
    C[Wavefronts] = countWavefronts(W);
    return C;
  }
  C[Sectors] = countSectors(W);
  C[Lines] = countLines(W);
  C[CC10] = countCC10(W).Count;
  C[CC12] = countCC12(W).Count;
  C[CC20] = countCC20(W).Count;
  return C;
}

/// The mean over all places that multiples of \p Step lead to, a power of two
/// below 128.
const RequestShape::Mean &
AccessCoster::meanFrom(RequestShape &S, unsigned Place, uint64_t Step) {
  auto First = unsigned(Place % Step);
  auto &Known = S.Open[llvm::Log2_64(Step) * unsigned(Period) + First];
  if (Known)
    return *Known;
  Known = std::make_unique<RequestShape::Mean>();
  Known->Value = Known->Least = Known->Most = costAt(S, First);
  unsigned Number = 1;
  for (uint64_t P = First + Step; P < Period; P += Step, ++Number)
    for (unsigned N = 0; N != NumCosts; ++N) {
      double C = costAt(S, unsigned(P))[N];
      Known->Value[N] += C;
      Known->Least[N] = std::min(Known->Least[N], C);
      Known->Most[N] = std::max(Known->Most[N], C);
    }
  for (double &V : Known->Value)
    V /= Number;
  return *Known;
}

/// Adds a term that is \p Step times a number below \p Count.
static void addTerm(Residues &To, uint64_t Step, uint64_t Count) {
  Step %= Period;
  if (Step == 0 || Count == 1) {
    for (auto &[R, Times] : To)
      Times *= double(Count);
    return;
  }
  uint64_t Repeats = Period / std::gcd<uint64_t>(Step, Period);
  std::array<double, Period> Sum{};
  for (uint64_t J = 0; J != std::min(Repeats, Count); ++J) {
    uint64_t Times = Count / Repeats + (J < Count % Repeats);
    for (auto [R, Former] : To)
      Sum[(R + J * Step) % Period] += Former * double(Times);
  }
  To.clear();
  for (unsigned R = 0; R != Period; ++R)
    if (Sum[R] != 0)
      To.push_back({R, Sum[R]});
}

/// Whether the address is the linear form that its slopes say in the corners of
/// the dimensions where it is largest and smallest: then nothing wraps around
/// between them.
bool AccessCoster::isLinearHere(const Access &M, Assignment &A,
                                ArrayRef<Dimension> Dimensions, uint32_t Lanes,
                                const LaneArray &Here) {
  for (bool Largest : {true, false}) {
    bool MayWrap = false;
    uint64_t Expected = 0;
    SmallVector<uint64_t, 8> First;
    for (const Dimension &D : Dimensions) {
      Slope S = slopeOf(*M.Address, *D.Of);
      if (!S.IsLinear && D.Count > 1)
        return false;
      MayWrap |= S.MayWrap && D.Count > 1;
      First.push_back(valueOf(*D.Of, A));
      if ((S.Value > 0) != Largest)
        continue;
      setValue(*D.Of, A, First.back() + D.Count - 1);
      Expected += uint64_t(S.Value) * (D.Count - 1);
    }
    LaneArray Corner{};
    if (MayWrap)
      Corner = evaluate(*M.Address, A);
    for (auto [D, V] : llvm::zip(Dimensions, First))
      setValue(*D.Of, A, V);
    if (!MayWrap)
      return true;
    for (unsigned L = 0; L != WarpSize; ++L)
      if (Lanes >> L & 1 && Corner[L] != Here[L] + Expected)
        return false;
  }
  return true;
}

void AccessCoster::countScattered(Access &M, const Flow &F, double Times) {
  RequestCosts Mean, Low, High;
  scatter(M, F.Likely & M.Lanes, Mean, Low, High);
  bool IsLikely = F.Weight != 0;
  double By = Times * (IsLikely ? F.Weight : 1);
  for (unsigned N = 0; N != NumCosts; ++N) {
    (IsLikely ? M.Sum : M.Unlikely)[N] += Mean[N] * By;
    M.Least[N] = std::min(M.Least[N], Low[N]);
    M.Most[N] = std::max(M.Most[N], High[N]);
  }
  (IsLikely ? M.Weight : M.UnlikelyWeight) += By;
  M.HasInexact = M.HasLoose = true;
  if (F.IsPlain || F.IsCertain)
    return;
  Low = leastOf(M);
  scatter(M, F.May & M.Lanes, Mean, Mean, High);
  for (unsigned N = 0; N != NumCosts; ++N) {
    M.Least[N] = std::min(M.Least[N], Low[N]);
    M.Most[N] = std::max(M.Most[N], High[N]);
  }
}

void AccessCoster::countAt(Access &M, const Flow &F, const LaneArray &Addresses,
                           ArrayRef<std::pair<unsigned, double>> At,
                           bool IsExact, bool IsSteady) {
  uint32_t Lanes = F.Likely & M.Lanes, May = F.May & M.Lanes;
  if (!Lanes)
    Lanes = May;
  uint64_t Open = M.OpenAlign;
  if (Open < Period) {
    // An access is aligned to its size, so the open part is a multiple of that
    // as well wherever the rest is.
    uint64_t Natural = M.Bytes & (0 - uint64_t(M.Bytes));
    bool IsAligned = true;
    for (unsigned L = 0; L != WarpSize; ++L)
      IsAligned &= !(Lanes >> L & 1) || Addresses[L] % Natural == 0;
    if (IsAligned)
      Open = std::max(Open, std::min(Natural, Period));
  }
  RequestShape &S = shapeOf(M, Addresses, Lanes);
  bool IsMaskOpen = !IsExact && !F.IsPlain && !F.IsCertain;
  RequestShape *All = IsMaskOpen ? &shapeOf(M, Addresses, May) : nullptr;
  auto PlaceOf = [&](uint32_t Mask, unsigned Residue) {
    return unsigned((Addresses[unsigned(llvm::countr_zero(Mask))] + Residue) %
                    Period);
  };
  auto Bounds = [&](const RequestCosts &Low, const RequestCosts &High) {
    for (unsigned N = 0; N != NumCosts; ++N) {
      M.Least[N] = std::min(M.Least[N], Low[N]);
      M.Most[N] = std::max(M.Most[N], High[N]);
    }
  };
  bool IsLikely = F.Weight != 0;
  for (auto [Residue, Often] : At) {
    double Times = Often * (IsLikely ? F.Weight : 1);
    unsigned Place = PlaceOf(Lanes, Residue);
    const RequestCosts *C = nullptr;
    if (Open < Period) {
      const RequestShape::Mean &Mean = meanFrom(S, Place, Open);
      C = &Mean.Value;
      Bounds(Mean.Least, Mean.Most);
    } else {
      C = &costAt(S, Place);
      Bounds(*C, *C);
    }
    for (unsigned N = 0; N != NumCosts; ++N)
      (IsLikely ? M.Sum : M.Unlikely)[N] += (*C)[N] * Times;
    (IsLikely ? M.Weight : M.UnlikelyWeight) += Times;
    if (IsExact)
      continue;
    M.HasInexact = true;
    if (IsSteady) {
      M.Residues.set(Place);
      continue;
    }
    M.HasLoose = true;
    if (IsMaskOpen) {
      RequestCosts Most = costAt(*All, PlaceOf(May, Residue));
      // Fewer lanes may be out of their places where all are not.
      Most[CC10] = std::max(llvm::popcount(May), 4);
      Bounds(leastOf(M), Most);
    }
  }
  if (!M.StrideOf)
    return;
  RequestCosts Ignored, Low, High;
  scatter(M, May, Ignored, Low, High);
  if (IsMaskOpen)
    Low = leastOf(M);
  Bounds(Low, High);
}

void AccessCoster::count(Access &M, const Flow &F,
                         const CompiledExpressions *Evaluated, Assignment &A,
                         ArrayRef<Dimension> Dimensions, double Multiple,
                         uint64_t WarpRun, bool IsPart) {
  if (!(F.May & M.Lanes))
    return;
  if (M.Which == Access::Kind::Uncounted) {
    M.Sum[ActiveLanes] += Multiple * F.Weight * llvm::popcount(F.Likely);
    M.Weight += Multiple * F.Weight;
    return;
  }
  bool FlowIsExact = F.IsPlain || (F.How == Status::Known && F.IsCertain);
  bool IsExact = FlowIsExact && M.isDecided() && !IsPart;
  M.IsPart |= IsPart;
  if (!FlowIsExact) {
    M.Worst = weakest(M.Worst, F.How);
    M.HasOpenLanes = true;
  }
  if (M.Which == Access::Kind::Scattered)
    return countScattered(M, F, Multiple);
  LaneArray Here;
  for (unsigned L = 0; L != WarpSize; ++L)
    Here[L] = Evaluated->lane(M.Root, L);
  if (!M.IsPrepared)
    prepare(M, Here);
  bool IsSteady = F.IsCertain && !M.IsStandIn && M.IsLinear;
  if (!isLinearHere(M, A, Dimensions, F.May & M.Lanes, Here))
    IsExact = IsSteady = M.IsLinear = false;
  Residues At{{0, 1.0}};
  double Counted = 1;
  for (const Dimension &D : Dimensions) {
    if (D.Count == 1)
      continue;
    addTerm(At, uint64_t(slopeOf(*M.Address, *D.Of).Value), D.Count);
    Counted *= double(D.Count);
  }
  double Others = Multiple / Counted; // dimensions without a symbol
  bool Together = !(M.Address->Varies & VariesInBlock) || WarpRun == 1;
  for (auto &[R, Times] : At) // Multiple is of all warps of the run
    Times = Together ? Times * Others : Times * Others / double(WarpRun);
  if (Together)
    return countAt(M, F, Here, At, IsExact, IsSteady);
  uint64_t FirstWarp = A.Warp;
  if (!M.Warps) {
    CompiledExpressions C(M.Address);
    for (uint64_t W = FirstWarp; W != FirstWarp + WarpRun; ++W) {
      A.Warp = W;
      C.run(A);
      for (unsigned L = 0; L != WarpSize; ++L)
        Here[L] = C.lane(0, L);
      countAt(M, F, Here, At, IsExact, IsSteady);
    }
    A.Warp = FirstWarp;
    return;
  }
  // Warps of one class together, as the first of it in the run.
  struct Group {
    unsigned Class;
    uint64_t First;
    Residues Shifts;
  };
  SmallVector<Group, 2> Groups;
  for (uint64_t W = FirstWarp; W != FirstWarp + WarpRun; ++W) {
    unsigned Class = M.Warps->Class[W];
    auto *G = llvm::find_if(
        Groups, [&](const Group &Other) { return Other.Class == Class; });
    if (G == Groups.end()) {
      Groups.push_back({Class, W, {}});
      G = &Groups.back();
    }
    auto Shift = unsigned(
        (M.Warps->Shift[W] + Period - M.Warps->Shift[G->First]) % Period);
    auto *S = llvm::find_if(
        G->Shifts, [&](const auto &Pair) { return Pair.first == Shift; });
    if (S == G->Shifts.end())
      G->Shifts.push_back({Shift, 1});
    else
      S->second += 1;
  }
  for (const Group &G : Groups) {
    LaneArray Places = Here;
    if (G.First != FirstWarp) {
      A.Warp = G.First;
      Places = evaluate(*M.Address, A);
      A.Warp = FirstWarp;
    }
    for (auto [Shift, Number] : G.Shifts) {
      Residues Shifted = At;
      for (auto &[R, Times] : Shifted) {
        R = (R + Shift) % Period;
        Times *= Number;
      }
      countAt(M, F, Places, Shifted, IsExact, IsSteady);
    }
  }
}

void Access::add(const Access &O) {
  Requests += O.Requests;
  for (unsigned N = 0; N != NumCosts; ++N) {
    Sum[N] += O.Sum[N];
    Unlikely[N] += O.Unlikely[N];
    Least[N] = std::min(Least[N], O.Least[N]);
    Most[N] = std::max(Most[N], O.Most[N]);
  }
  Weight += O.Weight;
  UnlikelyWeight += O.UnlikelyWeight;
  HasInexact |= O.HasInexact;
  IsPart |= O.IsPart;
  if (LaunchWhy.empty())
    LaunchWhy = O.LaunchWhy;
  HasOpenLanes |= O.HasOpenLanes;
  // Steps and residues of several addresses do not go together.
  HasLoose |= O.HasLoose || (O.HasInexact && O.Address != Address);
  How = weakest(How, O.How);
  Worst = weakest(Worst, O.Worst);
  Residues |= O.Residues;
  Step = std::gcd(Step, O.Step);
  if (Why.empty())
    Why = O.Why;
  if (Space != O.Space)
    Space = AddressSpace::Generic;
  if (LaneStride != O.LaneStride)
    LaneStride = std::nullopt;
  Which = std::max(Which, O.Which);
}

/// Whether requests lie at no other residues than those that were seen,
/// wherever indices and counters go from there.
static bool isComplete(const std::bitset<128> &Residues, uint64_t Step) {
  if (Step == 0)
    return true;
  for (unsigned R = 0; R != Period; ++R)
    if (Residues[R] && !Residues[(R + Step) % Period])
      return false;
  return true;
}

AccessCounts AccessCoster::finish(const Access &M) {
  AccessCounts R;
  R.Space = M.Space;
  R.LaneStrideBytes = M.LaneStride;
  R.Requests = M.Requests;
  R.Why = M.Why.str();
  if (R.Why.empty() && !M.HasOpenLanes)
    R.Why = M.LaunchWhy.str();
  bool IsUnlikely = M.Weight == 0;
  double Weight = IsUnlikely ? M.UnlikelyWeight : M.Weight;
  if (M.Which == Access::Kind::Uncounted) {
    R.ActiveLanes = {Weight == 0 ? 0 : M.Sum[ActiveLanes] / Weight,
                     Status::Estimated, 0, WarpSize};
    R.Requests = {R.Requests.Value, Status::Estimated, 0,
                  std::numeric_limits<double>::infinity()};
    return R;
  }
  bool IsComplete = isComplete(M.Residues, M.Step);
  // Elsewhere a request may have other lanes at other places.
  RequestCosts Ignored, Low{}, High{};
  bool IsWide = M.HasInexact && (M.IsPart || !IsComplete || !M.IsLinear);
  if (IsWide) {
    scatter(M, M.Lanes, Ignored, Low, High);
    Low = leastOf(M);
  }
  auto Mean = [&](CostKind C) {
    if (Weight == 0) // no request
      return Count::known(0);
    double Value = (IsUnlikely ? M.Unlikely : M.Sum)[C] / Weight;
    bool IsOfFlow = C == ActiveLanes;
    if (!M.HasInexact || (IsOfFlow && !M.HasOpenLanes && !M.IsPart))
      return Count::known(Value);
    if (!M.HasLoose && IsComplete && M.Least[C] == M.Most[C])
      return Count::known(Value);
    Status How =
        weakest(IsOfFlow ? M.Worst : weakest(M.How, M.Worst), Status::Assumed);
    // What may be in shared memory may cost nothing of this.
    double Least = M.Space == AddressSpace::Generic && C != ActiveLanes ? 0
                   : IsWide ? std::min(M.Least[C], Low[C])
                            : M.Least[C],
           Most = IsWide ? std::max(M.Most[C], High[C]) : M.Most[C];
    // It costs that whichever lanes there are, wherever they lie.
    if (Least == Most && !M.IsStandIn)
      return Count::known(Least);
    return Count(Value, How, std::min(Least, Value), std::max(Most, Value));
  };
  R.ActiveLanes = Mean(ActiveLanes);
  if (M.Space == AddressSpace::Shared) {
    R.Wavefronts = Mean(Wavefronts);
    return R;
  }
  R.Sectors = Mean(Sectors);
  R.Lines = Mean(Lines);
  R.CC10 = Mean(CC10);
  R.CC12 = Mean(CC12);
  R.CC20 = Mean(CC20);
  return R;
}
