//===- RequestShapes.cpp - What the places of lanes cost ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AccessCosts.h"
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "ptxpredict/MemoryAccess/Collisions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <functional>

using namespace ptxpredict;
using namespace ptxpredict::counting;

/// The mean number of the \p Of places that \p Lanes lanes touch, each of which
/// chooses one at random.
static double touched(double Of, double Lanes) {
  return Of * (1 - std::pow(1 - 1 / Of, Lanes));
}

static double randomWavefronts(unsigned Lanes, unsigned Bytes) {
  // A quarter or half of the warp at once over banks as wide as the access.
  unsigned Words = std::max(Bytes / 4, 1u), Banks = std::max(32 / Words, 1u);
  double Sum = 0;
  for (unsigned Left = Lanes; Left != 0;) {
    unsigned AtOnce = std::min(Left, Banks);
    Sum += meanFullest(AtOnce, Banks);
    Left -= AtOnce;
  }
  return Sum;
}

namespace {
/// A request to shared memory as it is, or a wider one that an assembler may
/// make of it.
struct SharedWidth {
  unsigned Bytes; ///< of a lane
  CostKind Alone, InPairs;
};
} // namespace

static SmallVector<SharedWidth, 3> widthsOf(unsigned Bytes) {
  SmallVector<SharedWidth, 3> Widths{{Bytes, Wavefronts, Paired}};
  if (Bytes == 4)
    Widths.push_back({8, Wavefronts8, Paired8});
  if (Bytes == 4 || Bytes == 8)
    Widths.push_back({16, Wavefronts16, Paired16});
  return Widths;
}

RequestCosts counting::leastCosts(const Access &M) {
  if (M.Box)
    return boundsOfBox(*M.Box).first;
  RequestCosts C{};
  C[ActiveLaneCount] = 1;
  if (M.Space == AddressSpace::Shared) {
    for (const SharedWidth &W : widthsOf(M.Bytes))
      C[W.Alone] = C[W.InPairs] = fewestWavefronts(1, W.Bytes);
    C[Passes] = 1;
    return C;
  }
  C[Sectors] = std::max(M.Bytes / 32.0, 1.0);
  C[Lines] = C[CC10] = C[CC12] = C[CC20] = C[Passes] = 1;
  C[Wavefronts] = fewestWavefronts(1, M.Bytes);
  return C;
}

double counting::mostCC10(uint32_t Lanes) {
  // Words of 16 bytes in a row take two a half, be it one of them.
  unsigned Most = 0;
  for (uint32_t Half : {Lanes & 0xffffu, Lanes >> 16})
    if (Half)
      Most += std::max(unsigned(llvm::popcount(Half)), 2u);
  return std::max(Most, 4u);
}

/// The mean of an atomic's passes where so many lanes choose words at random.
static double randomPasses(const Access &M, unsigned Lanes) {
  const double Words = double(M.SpanBytes) / std::max(M.Bytes, 1u);
  if (M.Space == AddressSpace::Shared) {
    const unsigned Banks = std::max(128 / std::max(M.Bytes, 4u), 1u);
    return meanFullest(Lanes, M.SpanBytes && Words < Banks
                                  ? std::max(uint64_t(Words), uint64_t(1))
                                  : Banks);
  }
  return M.SpanBytes ? meanSectorPasses(Lanes, Words, M.Bytes) : Lanes;
}

static void setPasses(const Access &M, unsigned Lanes, ScatteredCosts &C) {
  if (!M.IsAtomic)
    return;
  C.Mean[Passes] = randomPasses(M, Lanes);
  C.Least[Passes] = 1;
  C.Most[Passes] = Lanes;
}

ScatteredCosts counting::scatteredCosts(const Access &M, uint32_t Lanes) {
  ScatteredCosts C;
  if (M.Box) {
    std::tie(C.Least, C.Most) = boundsOfBox(*M.Box);
    C.Mean = meanOfBox(*M.Box);
    return C;
  }
  RequestCosts &Mean = C.Mean, &Low = C.Least, &High = C.Most;
  auto Number = unsigned(llvm::popcount(Lanes));
  double N = Number;
  Mean.fill(0);
  Mean[ActiveLaneCount] = N;
  Low = High = Mean;
  if (M.Space == AddressSpace::Shared) {
    for (const SharedWidth &W : widthsOf(M.Bytes)) {
      Mean[W.Alone] = Mean[W.InPairs] = randomWavefronts(Number, W.Bytes);
      Low[W.Alone] = fewestWavefronts(N, W.Bytes);
      Low[W.InPairs] = std::ceil(Low[W.Alone] / (W.Bytes > 4 ? 2 : 1));
      High[W.Alone] = High[W.InPairs] = N * std::max(W.Bytes / 4.0, 1.0);
    }
    setPasses(M, Number, C);
    return C;
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
  High[CC10] = mostCC10(Lanes);
  // Lanes that want the same word get it at once.
  const double Words = Among(std::max(M.Bytes, 4u));
  Mean[Wavefronts] = randomWavefronts(unsigned(std::ceil(Words)), M.Bytes);
  Low[Wavefronts] = fewestWavefronts(1, M.Bytes);
  High[Wavefronts] = N * std::max(M.Bytes / 4.0, 1.0);
  setPasses(M, Number, C);
  return C;
}

unsigned GroupedLanes::countAddresses(uint32_t Among) const {
  unsigned Number = 0;
  for (uint32_t Group : Lanes) {
    SmallVector<uint64_t, WarpSize> Offsets;
    for (uint32_t Rest = Group & Among; Rest; Rest &= Rest - 1)
      Offsets.push_back(Offset[unsigned(llvm::countr_zero(Rest))]);
    llvm::sort(Offsets);
    Number += unsigned(llvm::unique(Offsets) - Offsets.begin());
  }
  return Number;
}

static bool ascends(const LaneArray &Values) {
  return std::adjacent_find(Values.begin(), Values.end(),
                            std::greater_equal<>()) == Values.end();
}

std::optional<GroupedLanes> counting::groupLanes(const LaneGroups &Of,
                                                 unsigned Bytes,
                                                 const Assignment &A) {
  std::vector<LaneArray> Keys;
  for (const Expression *Key : Of.Keys) {
    Keys.push_back(evaluate(*Key, A));
    if (ascends(Keys.back())) // each lane is a group of its own
      return std::nullopt;
  }
  GroupedLanes G;
  G.Align = Of.Align;
  G.ArePieces = Of.ArePieces;
  G.Offset = evaluate(*Of.Distance, A);
  for (unsigned L = 0; L != WarpSize; ++L) {
    auto IsOf = [&](uint32_t Group) {
      auto First = unsigned(llvm::countr_zero(Group));
      return llvm::all_of(Keys,
                          [&](const LaneArray &K) { return K[L] == K[First]; });
    };
    auto *Group = llvm::find_if(G.Lanes, IsOf);
    if (Group == G.Lanes.end())
      Group = &G.Lanes.emplace_back(0);
    *Group |= 1u << L;
  }
  if (G.Lanes.size() == WarpSize)
    return std::nullopt;
  // Lanes of a piece lie side by side.
  for (uint32_t Group : G.Lanes)
    for (unsigned L = unsigned(llvm::countr_zero(Group)), N = 0;
         L != WarpSize && G.ArePieces; ++L)
      if (Group >> L & 1)
        G.ArePieces =
            G.Offset[L] == G.Offset[unsigned(llvm::countr_zero(Group))] +
                               uint64_t(Bytes) * N++;
  return G;
}

/// The same as the mean of scatteredCosts() where lanes lie in groups, each of
/// which lies anywhere.
void AccessCoster::gather(const Access &M, const GroupedLanes &G,
                          uint32_t Lanes, RequestCosts &Mean) {
  if (!Lanes)
    return;
  unsigned Addresses = G.countAddresses(Lanes);
  if (M.Space == AddressSpace::Shared) {
    for (const SharedWidth &W : widthsOf(M.Bytes))
      Mean[W.Alone] = Mean[W.InPairs] =
          std::min(Mean[W.Alone], randomWavefronts(Addresses, W.Bytes));
    return;
  }
  RequestCosts Sum{};
  // An access is aligned to its size.
  uint64_t Natural = M.Bytes & (0 - uint64_t(M.Bytes));
  uint64_t Align =
      std::min(G.ArePieces ? Natural : std::max(G.Align, Natural), Period);
  LaneArray Offset = G.Offset;
  SmallVector<uint32_t, 8> Together = G.Lanes;
  if (G.ArePieces) {
    uint64_t Next = 0;
    for (uint32_t Group : G.Lanes)
      for (uint32_t Rest = Group & Lanes; Rest; Rest &= Rest - 1)
        Offset[unsigned(llvm::countr_zero(Rest))] = M.Bytes * Next++;
    Together = {~0u};
  }
  for (uint32_t Group : Together) {
    uint32_t Here = Group & Lanes;
    if (!Here)
      continue;
    RequestShape &S = shapeOf(M, Offset, Here);
    auto First = unsigned(Offset[unsigned(llvm::countr_zero(Here))] % Period);
    const RequestCosts &C =
        Align < Period ? meanFrom(S, First, Align).Value : costAt(S, First);
    for (unsigned N = 0; N != NumCosts; ++N)
      Sum[N] += C[N];
  }
  for (CostKind C : {Sectors, Lines, CC10, CC12, CC20}) {
    double Unit = C == Sectors ? 32 : 128;
    if (M.SpanBytes && C != CC10 && C != CC12)
      Sum[C] = touched(std::max(double(M.SpanBytes) / Unit, 1.0), Sum[C]);
    Mean[C] = std::min(Mean[C], Sum[C]);
  }
  Mean[Wavefronts] =
      std::min(Mean[Wavefronts], randomWavefronts(Addresses, M.Bytes));
}

RequestShape &AccessCoster::shapeOf(const Access &M, const LaneArray &Addresses,
                                    uint32_t Lanes) {
  uint64_t First = Addresses[unsigned(llvm::countr_zero(Lanes))];
  LaneArray Distance;
  uint64_t Hash = (uint64_t(Lanes) << 32) ^ (uint64_t(M.Bytes) << 8) ^
                  uint64_t(M.Space) ^ (uint64_t(M.IsAtomic) << 6);
  for (unsigned L = 0; L != WarpSize; ++L) {
    uint64_t Active = 0 - uint64_t(Lanes >> L & 1);
    Distance[L] = (Addresses[L] - First) & Active;
    Hash = (Hash ^ Distance[L]) * 0x9e3779b97f4a7c15;
  }
  Hash >>= 1; // two values are the table's own
  auto &Same = Shapes[Hash];
  for (const auto &S : Same)
    if (S->Lanes == Lanes && S->Bytes == M.Bytes && S->Space == M.Space &&
        S->IsAtomic == M.IsAtomic && S->Distance == Distance)
      return *S;
  Same.push_back(std::make_unique<RequestShape>());
  RequestShape &S = *Same.back();
  S.Distance = Distance;
  S.Lanes = Lanes;
  S.Bytes = M.Bytes;
  S.Space = M.Space;
  S.IsAtomic = M.IsAtomic;
  S.Costs.resize(Period);
  return S;
}

/// What the request costs whose first lane's address is \p Residue, modulo 128.
const RequestCosts &AccessCoster::costAt(RequestShape &S, unsigned Residue) {
  RequestCosts &C = S.Costs[Residue];
  if (S.Has[Residue])
    return C;
  S.Has.set(Residue);
  C.fill(0);
  WarpAccess W;
  W.Active = S.Lanes;
  W.BytesPerLane = S.Bytes;
  for (unsigned L = 0; L != WarpSize; ++L) {
    // Lanes may lie before the first.
    W.Address[L] = S.Distance[L] + Residue + (uint64_t(1) << 48);
    // The 32 lanes' copies of a word of local memory lie side by side.
    if (S.Space == AddressSpace::Local)
      W.Address[L] = W.Address[L] * WarpSize + uint64_t(L) * W.BytesPerLane;
  }
  C[ActiveLaneCount] = unsigned(llvm::popcount(S.Lanes));
  if (S.IsAtomic)
    C[Passes] = S.Space == AddressSpace::Shared ? countSharedAtomicPasses(W)
                                                : countAtomicPasses(W);
  if (S.Space == AddressSpace::Shared) {
    for (const SharedWidth &Width : widthsOf(S.Bytes)) {
      if (Width.Alone != Wavefronts)
        for (uint64_t &Address : W.Address)
          Address &= 0 - uint64_t(Width.Bytes);
      W.BytesPerLane = Width.Bytes;
      C[Width.Alone] = countWavefronts(W);
      C[Width.InPairs] = countPairedWavefronts(W);
    }
    return C;
  }
  C[Sectors] = countSectors(W);
  C[Lines] = countLines(W);
  C[Wavefronts] = countWavefronts(W);
  C[CC10] = countCC10(W).Count;
  C[CC12] = countCC12(W).Count;
  C[CC20] = countCC20(W).Count;
  return C;
}

/// The mean over all residues that multiples of \p Step lead to, a power of two
/// below 128.
const RequestShape::Mean &
AccessCoster::meanFrom(RequestShape &S, unsigned Residue, uint64_t Step) {
  auto First = unsigned(Residue % Step);
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
