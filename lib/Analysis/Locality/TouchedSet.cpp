//===- TouchedSet.cpp - How many bytes requests touch ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LocalityImpl.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <utility>

using namespace ptxpredict;
using namespace ptxpredict::counting;

TouchedMemory &counting::operator+=(TouchedMemory &To,
                                    const TouchedMemory &From) {
  for (auto C : Sizes)
    To.*C += From.*C;
  return To;
}

TouchedMemory counting::scaled(TouchedMemory T, double By) {
  for (auto C : Sizes)
    T.*C = (T.*C).scaled(By);
  return T;
}

TouchedMemory counting::weakened(TouchedMemory T, Status S) {
  for (auto C : Sizes)
    T.*C = (T.*C).weakenedTo(S);
  return T;
}

bool TouchedSet::has(const LocalityRecord &R, Direction D) const {
  const RecordedAccess &A = Records.Accesses[R.Access];
  return D == Direction::All || (D == Direction::Reads ? A.Reads : A.Writes);
}

void TouchedSet::add(unsigned Array, const LocalityRecord &R,
                     ArrayRef<StridedRegion> Boxes) {
  for (const StridedRegion &B : Boxes)
    Arrays[Array].push_back({&R, B});
}

void TouchedSet::addLoose(const LocalityRecord &R, double Share) {
  Rest.push_back({&R, Share});
}

/// Of so many boxes the union is counted, if the budget has as many steps.
static constexpr unsigned MostInUnion = 4096;

bool counting::givesTheSame(unsigned Steps, unsigned Budget) {
  return Budget >= Steps + MostInUnion;
}

/// How many units boxes have: the union, or else bounds.
static Estimate unionOf(ArrayRef<const StridedRegion *> Boxes, int64_t Unit,
                        unsigned &Budget) {
  if (Boxes.empty())
    return Estimate::known(0);
  // Others need their part, too.
  unsigned Mine = std::min(Budget, MostInUnion), Left = Mine;
  auto Copied = [Boxes] {
    StridedRegions All;
    All.reserve(Boxes.size());
    for (const StridedRegion *B : Boxes)
      All.push_back(*B);
    return All;
  };
  // Each takes a step at least.
  bool IsGood = Boxes.size() <= Mine;
  StridedRegions InUnits;
  if (IsGood)
    InUnits = Copied();
  if (IsGood && Unit != 1) {
    reduce(InUnits);
    StridedRegions InBytes = std::exchange(InUnits, StridedRegions());
    IsGood = inUnits(std::move(InBytes), Unit, InUnits, Left);
  }
  std::optional<uint64_t> Size;
  if (IsGood)
    Size = sizeOfUnion(std::move(InUnits), Left);
  Budget -= Mine - Left;
  if (Size)
    return Estimate::known(double(*Size));
  // No more than all of them, and than what lies between the ends of all.
  double Sum = 0, Least = 0;
  int64_t First = std::numeric_limits<int64_t>::max(),
          End = std::numeric_limits<int64_t>::min();
  StridedRegions Fewer = Copied();
  reduce(Fewer);
  for (const StridedRegion &B : Fewer) {
    Sum += sumInUnits(B, Unit);
    First = std::min(First, B.Start);
    End = std::max(End, B.Start + B.extent());
    Least = std::max(Least, double(B.Length) / double(Unit));
  }
  double Span = double(End - First) / double(Unit) + 2;
  double Most = std::min(Sum, Span);
  return {Most, Status::Estimated, std::min(Least, Most), Most};
}

Estimate TouchedSet::countArray(ArrayRef<Part> Parts, Direction D, int64_t Unit,
                                unsigned &Budget) const {
  SmallVector<const StridedRegion *, 64> Sure, Likely, All;
  Status How = Status::Known;
  bool LikelyAreAll = true, SureAreLikely = true;
  for (const Part &P : Parts) {
    if (!has(*P.R, D))
      continue;
    bool IsSure = P.R->Status == Status::Known;
    How = weakest(How, P.R->Status);
    if (!P.R->IsGuess)
      All.push_back(&P.Box);
    if (IsSure)
      Sure.push_back(&P.Box);
    if (P.R->IsLikely)
      Likely.push_back(&P.Box);
    LikelyAreAll &= P.R->IsLikely == !P.R->IsGuess;
    SureAreLikely &= P.R->IsLikely == IsSure;
  }
  if (How == Status::Known)
    return unionOf(All, Unit, Budget);
  const unsigned Before = Budget;
  const Estimate Value = unionOf(Likely, Unit, Budget);
  const unsigned Steps = Before - Budget;
  // Bounds of too many boxes depend on no budget.
  const bool AreTooMany = Likely.size() > MostInUnion;
  auto Again = [&](bool IsSame, ArrayRef<const StridedRegion *> Boxes) {
    if (!IsSame || !(AreTooMany || givesTheSame(Steps, Budget)))
      return unionOf(Boxes, Unit, Budget);
    Budget -= Steps;
    return Value;
  };
  const Estimate Low = Again(SureAreLikely, Sure);
  const Estimate High = Again(LikelyAreAll, All);
  return {Value.Value, weakest(How, Value.Status),
          std::min(Low.Low, Value.Value), std::max(High.High, Value.Value)};
}

/// How many of \p Places so many accesses touch, each of which lies in any of
/// them with equal chance.
static double touchedOf(double Places, double Accesses) {
  return Places > 1 ? -Places * std::expm1(Accesses * std::log1p(-1 / Places))
                    : std::min(Places, Accesses);
}

Estimate TouchedSet::countAll(Direction D, int64_t Unit, unsigned &Budget,
                              InArrays &In, const InArrays *OfAll) const {
  Estimate Sum = Estimate::known(0);
  In.assign(Arrays.size(), InArray());
  for (size_t N = 0; N != Arrays.size(); ++N) {
    if (Arrays[N].empty())
      continue;
    const bool AreAll = OfAll && llvm::all_of(Arrays[N], [&](const Part &P) {
                          return has(*P.R, D);
                        });
    if (AreAll && givesTheSame((*OfAll)[N].Steps, Budget)) {
      In[N] = (*OfAll)[N];
      Budget -= In[N].Steps;
    } else {
      const unsigned Before = Budget;
      In[N].Size = countArray(Arrays[N], D, Unit, Budget);
      In[N].Steps = Before - Budget;
    }
    Sum += In[N].Size;
  }
  if (!Rest.empty())
    addRest(Sum, In, D, Unit);
  return Sum;
}

/// Adds what has no boxes.
void TouchedSet::addRest(Estimate &Sum, ArrayRef<InArray> In, Direction D,
                         int64_t Unit) const {
  // What lies anywhere may lie where other things do.
  llvm::SmallDenseMap<unsigned, std::pair<double, double>> ByAccess;
  struct Inside {
    double Size = 0, Value = 0, Gathered = 0; ///< units
    double Most = 0, Bound = 0;               ///< of all, and of the array
  };
  llvm::SmallDenseMap<unsigned, Inside> ByArray;
  double Least = 0;
  for (const Loose &L : Rest) {
    if (!has(*L.R, D))
      continue;
    const RecordedAccess &A = Records.Accesses[L.R->Access];
    double PerLane = std::max(A.Bytes, 1u);
    // Sectors lie in pairs unless known data scatter them.
    const bool IsScattered = A.ReadsData || A.IsAnywhere;
    const auto OfPieces =
        double(IsScattered ? Unit : std::min<int64_t>(Unit, SectorBytes));
    const double PiecesInUnit = double(Unit) / OfPieces;
    double Units =
        Unit == 1 ? 1
                  : std::max(1.0, PerLane / OfPieces) / PerLane / PiecesInUnit;
    double Likely = A.ArePieces ? 1 / double(Unit) : Units;
    auto &[Value, Most] = ByAccess[L.R->Access];
    Value +=
        Unit >= SectorBytes && L.R->IsLikely
            ? std::min(L.R->Requested / PiecesInUnit, L.R->Bytes * Likely) *
                  L.Share
            : L.R->Bytes * L.Share * Likely;
    Most += L.R->MostBytes == 0 ? 0 : L.R->MostBytes * L.Share * Units;
    if (L.R->LeastBytes > 0)
      Least = std::max(Least, std::ceil(L.R->LeastBytes / double(Unit)));
    Sum.Status = weakest(Sum.Status, L.R->Status);
  }
  std::vector<double> Left; // units of arrays that nothing touched yet
  for (auto [Extent, Touched] : llvm::zip(Extents, In))
    Left.push_back(Extent == 0 ? std::numeric_limits<double>::infinity()
                               : std::max(0.0, Extent / double(Unit) -
                                                   Touched.Size.Value));
  auto UnitsOf = [Unit](uint64_t Bytes) {
    return double(Bytes) / double(Unit) + (Unit != 1);
  };
  for (auto &[N, Sums] : ByAccess) {
    const RecordedAccess &A = Records.Accesses[N];
    auto &[Value, Most] = Sums;
    const double Infinity = std::numeric_limits<double>::infinity();
    const double Span = A.SpanBytes ? UnitsOf(A.SpanBytes) : Infinity;
    const double MostSpan = !A.IsSpanSeen     ? Span
                            : A.MostSpanBytes ? UnitsOf(A.MostSpanBytes)
                                              : Infinity;
    if (A.ArrayBytes) {
      Inside &I = ByArray[ArrayOf[N]];
      const double Size = UnitsOf(A.ArrayBytes);
      I.Size = std::max(I.Size, std::min(Span, Size));
      (A.IsGather ? I.Gathered : I.Value) += Value;
      I.Most += std::min(std::max(Value, Most), MostSpan);
      I.Bound = std::max(I.Bound, A.IsArraySeen ? Infinity : Size);
      continue;
    }
    Value = std::min(Value, Span);
    Most = std::min(Most, MostSpan);
    double &There = Left[ArrayOf[N]];
    Sum.High += std::max(Value, Most);
    Value = std::min(Value, There);
    There -= Value;
    Sum.Value += Value;
  }
  for (const auto &[Array, I] : ByArray) {
    double Free = std::max(I.Size - In[Array].Size.Value, 0.0);
    double Value = std::min(I.Value, Free);
    // What data place lies anywhere, also where the rest does.
    Free -= Value;
    Value += touchedOf(Free, I.Gathered * Free / I.Size);
    Sum.Value += Value;
    Sum.High += std::max(Value, std::min(I.Most, I.Bound));
  }
  Sum.Low = std::min(std::max(Sum.Low, Least), Sum.Value);
}

Estimate TouchedSet::sectors(Direction D, unsigned &Budget) const {
  InArrays In;
  return countAll(D, SectorBytes, Budget, In);
}

Estimate TouchedSet::pairs(unsigned &Budget) const {
  InArrays In;
  return countAll(Direction::All, 2 * SectorBytes, Budget, In);
}

TouchedMemory TouchedSet::count(unsigned &Budget) const {
  TouchedMemory T;
  InArrays InBytes, InSectors, In;
  T.Bytes = countAll(Direction::All, 1, Budget, InBytes);
  T.Sectors = countAll(Direction::All, SectorBytes, Budget, InSectors);
  bool Reads = false, Writes = false;
  auto Note = [&](const LocalityRecord &R) {
    Reads |= has(R, Direction::Reads);
    Writes |= has(R, Direction::Writes);
  };
  for (const auto &Parts : Arrays)
    for (const Part &P : Parts)
      Note(*P.R);
  for (const Loose &L : Rest)
    Note(*L.R);
  if (Reads && !Writes) {
    T.ReadBytes = T.Bytes;
    T.ReadSectors = T.Sectors;
  } else if (Reads) {
    T.ReadBytes = countAll(Direction::Reads, 1, Budget, In, &InBytes);
    T.ReadSectors =
        countAll(Direction::Reads, SectorBytes, Budget, In, &InSectors);
  }
  if (Writes && !Reads) {
    T.WrittenBytes = T.Bytes;
    T.WrittenSectors = T.Sectors;
  } else if (Writes) {
    T.WrittenBytes = countAll(Direction::Writes, 1, Budget, In, &InBytes);
    T.WrittenSectors =
        countAll(Direction::Writes, SectorBytes, Budget, In, &InSectors);
  }
  return T;
}
