//===- StridedRegions.cpp - Sets of numbers at regular distances ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The union is counted row by row: of the largest stride S, each box has the
// same part in so many consecutive rows of S numbers. Between two rows in which
// any of them begins or ends, all rows are alike, and one of them is counted in
// the same way.
//===----------------------------------------------------------------------===//
#include "StridedRegions.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::counting;

void StridedRegion::repeat(int64_t Stride, uint64_t Count) {
  if (Count <= 1 || Stride == 0)
    return;
  auto N = int64_t(Count);
  if (Stride < 0) {
    Start += Stride * (N - 1);
    Stride = -Stride;
  }
  Dimensions.push_back({Stride, N});
}

void StridedRegion::normalize() {
  if (Dimensions.empty())
    return;
  auto IsInner = [](const Dimension &A, const Dimension &B) {
    return A.Stride < B.Stride;
  };
  if (!llvm::is_sorted(Dimensions, IsInner))
    llvm::sort(Dimensions, IsInner);
  size_t Kept = 0;
  for (Dimension D : Dimensions) {
    if (Kept == 0 && D.Stride <= Length) {
      Length += D.Stride * (D.Count - 1);
      continue;
    }
    // Steps of a multiple of another dimension's, none left out.
    auto *Inner = llvm::find_if(
        llvm::make_range(Dimensions.begin(), Dimensions.begin() + Kept),
        [&](const Dimension &I) {
          return D.Stride % I.Stride == 0 && D.Stride / I.Stride <= I.Count;
        });
    if (Inner != Dimensions.begin() + Kept)
      Inner->Count += D.Stride / Inner->Stride * (D.Count - 1);
    else
      Dimensions[Kept++] = D;
  }
  Dimensions.truncate(Kept);
}

int64_t StridedRegion::extent() const {
  int64_t E = Length;
  for (const Dimension &D : Dimensions)
    E += D.Stride * (D.Count - 1);
  return E;
}

bool StridedRegion::isSeparate() const {
  int64_t E = Length;
  for (const Dimension &D : Dimensions) {
    if (D.Stride < E)
      return false;
    E += D.Stride * (D.Count - 1);
  }
  return true;
}

void counting::addBoxes(SmallVectorImpl<int64_t> &Starts, int64_t Length,
                        StridedRegions &To) {
  // Intervals; then rows of equal intervals, then rows of equal rows.
  StridedRegions Found;
  for (int64_t S : Starts) {
    if (!Found.empty() && S <= Found.back().Start + Found.back().Length) {
      int64_t End =
          std::max(Found.back().Start + Found.back().Length, S + Length);
      Found.back().Length = End - Found.back().Start;
      continue;
    }
    StridedRegion &B = Found.emplace_back();
    B.Start = S;
    B.Length = Length;
  }
  for (bool Changed = true; Changed && Found.size() > 1;) {
    Changed = false;
    StridedRegions Rows;
    for (size_t I = 0; I != Found.size();) {
      size_t N = I + 1;
      auto Alike = [&](size_t K) {
        return Found[K].Length == Found[I].Length &&
               Found[K].Dimensions == Found[I].Dimensions &&
               Found[K].Start - Found[K - 1].Start ==
                   Found[I + 1].Start - Found[I].Start;
      };
      while (N != Found.size() && Alike(N))
        ++N;
      Rows.push_back(Found[I]);
      if (N - I > 1) {
        Rows.back().repeat(Found[I + 1].Start - Found[I].Start, N - I);
        Changed = true;
      }
      I = N;
    }
    Found = std::move(Rows);
  }
  llvm::append_range(To, Found);
}

/// The order of dimensions, \p Skipped last ones left out.
static int compare(const StridedRegion &A, const StridedRegion &B,
                   size_t Skipped) {
  size_t SizeA = A.Dimensions.size() - std::min(Skipped, A.Dimensions.size()),
         SizeB = B.Dimensions.size() - std::min(Skipped, B.Dimensions.size());
  if (SizeA != SizeB)
    return SizeA < SizeB ? -1 : 1;
  for (size_t N = 0; N != SizeA; ++N) {
    const auto &X = A.Dimensions[N], &Y = B.Dimensions[N];
    if (X.Stride != Y.Stride)
      return X.Stride < Y.Stride ? -1 : 1;
    if (X.Count != Y.Count)
      return X.Count < Y.Count ? -1 : 1;
  }
  return 0;
}

/// Sorts boxes, which are large, by way of small keys: by \p Compare, and those
/// that are alike to it by where they start. Few kinds of boxes are told apart
/// but once.
template <typename FnT>
static void sortBoxes(StridedRegions &Boxes, FnT Compare) {
  auto IsLess = [&](const StridedRegion &A, const StridedRegion &B) {
    int Order = Compare(A, B);
    return Order ? Order < 0 : A.Start < B.Start;
  };
  if (llvm::is_sorted(Boxes, IsLess))
    return;
  struct Key {
    size_t Kind;
    StridedRegion *Box;
  };
  SmallVector<Key, 64> Order;
  Order.reserve(Boxes.size());
  constexpr size_t MostKinds = 8;
  SmallVector<const StridedRegion *, MostKinds + 1> Kinds;
  size_t Kind = 0;
  for (StridedRegion &B : Boxes) {
    if (Kinds.size() <= MostKinds && !Kinds.empty() &&
        Compare(*Kinds[Kind], B) != 0)
      Kind = size_t(llvm::find_if(Kinds,
                                  [&](const StridedRegion *K) {
                                    return Compare(*K, B) == 0;
                                  }) -
                    Kinds.begin());
    if (Kind == Kinds.size())
      Kinds.push_back(&B);
    Order.push_back({Kind, &B});
  }
  if (Kinds.size() > MostKinds) {
    llvm::sort(Order, [&](const Key &A, const Key &B) {
      return IsLess(*A.Box, *B.Box);
    });
  } else {
    SmallVector<size_t, MostKinds> Rank;
    for (const StridedRegion *Of : Kinds)
      Rank.push_back(size_t(llvm::count_if(Kinds, [&](const StridedRegion *O) {
        return Compare(*O, *Of) < 0;
      })));
    for (Key &K : Order)
      K.Kind = Rank[K.Kind];
    llvm::sort(Order, [](const Key &A, const Key &B) {
      return A.Kind != B.Kind ? A.Kind < B.Kind : A.Box->Start < B.Box->Start;
    });
  }
  StridedRegions Sorted;
  Sorted.reserve(Boxes.size());
  for (const Key &K : Order)
    Sorted.push_back(std::move(*K.Box));
  Boxes = std::move(Sorted);
}

/// Makes one of each two neighbours that \p Join joins: into the former.
template <typename FnT>
static void joinNeighbours(StridedRegions &Boxes, FnT Join) {
  size_t Last = 0;
  for (size_t N = 1; N != Boxes.size(); ++N) {
    if (Join(Boxes[Last], Boxes[N]))
      continue;
    ++Last;
    if (Last != N)
      Boxes[Last] = std::move(Boxes[N]);
  }
  Boxes.truncate(Last + 1);
}

/// Joins intervals that repeat alike.
static void joinIntervals(StridedRegions &Boxes) {
  sortBoxes(Boxes, [](const StridedRegion &A, const StridedRegion &B) {
    return compare(A, B, 0);
  });
  joinNeighbours(Boxes, [](StridedRegion &To, const StridedRegion &B) {
    if (compare(To, B, 0) != 0 || B.Start > To.Start + To.Length)
      return false;
    To.Length = std::max(To.Length, B.Start + B.Length - To.Start);
    return true;
  });
}

/// Joins rows of one outermost stride that go on where others end.
static void joinRows(StridedRegions &Boxes) {
  auto PlaceOf = [](const StridedRegion &B) {
    int64_t S = B.Dimensions.empty() ? 1 : B.Dimensions.back().Stride;
    return (B.Start % S + S) % S;
  };
  auto Compare = [&](const StridedRegion &A, const StridedRegion &B) {
    if (A.Length != B.Length)
      return A.Length < B.Length ? -1 : 1;
    if (A.Dimensions.empty() || B.Dimensions.empty())
      return int(B.Dimensions.empty()) - int(A.Dimensions.empty());
    int64_t X = A.Dimensions.back().Stride, Y = B.Dimensions.back().Stride;
    if (X != Y)
      return X < Y ? -1 : 1;
    if (int Order = compare(A, B, 1))
      return Order;
    X = PlaceOf(A), Y = PlaceOf(B);
    return X != Y ? (X < Y ? -1 : 1) : 0;
  };
  sortBoxes(Boxes, Compare);
  joinNeighbours(Boxes, [&](StridedRegion &To, const StridedRegion &B) {
    if (To.Dimensions.empty() || Compare(To, B) != 0)
      return false;
    auto &[Stride, Count] = To.Dimensions.back();
    int64_t First = (B.Start - To.Start) / Stride;
    if (First > Count)
      return false;
    Count = std::max(Count, First + B.Dimensions.back().Count);
    return true;
  });
}

/// Makes a dimension of boxes that lie at equal distances.
static void joinSeries(StridedRegions &Boxes) {
  sortBoxes(Boxes, [](const StridedRegion &A, const StridedRegion &B) {
    if (int Order = compare(A, B, 0))
      return Order;
    return A.Length != B.Length ? (A.Length < B.Length ? -1 : 1) : 0;
  });
  size_t Last = 0;
  for (size_t N = 0; N != Boxes.size();) {
    size_t End = N + 1;
    auto Alike = [&](size_t K) {
      return K != Boxes.size() && Boxes[K].Length == Boxes[N].Length &&
             compare(Boxes[K], Boxes[N], 0) == 0;
    };
    while (Alike(End) && Boxes[End].Start - Boxes[End - 1].Start ==
                             Boxes[N + 1].Start - Boxes[N].Start)
      ++End;
    // Of two the second may belong to others.
    bool IsSeries = End - N > 2 || (End - N == 2 && !Alike(End));
    if (!IsSeries)
      End = N + 1;
    int64_t Stride = IsSeries ? Boxes[N + 1].Start - Boxes[N].Start : 0;
    if (Last != N)
      Boxes[Last] = std::move(Boxes[N]);
    if (IsSeries) {
      Boxes[Last].repeat(Stride, End - N);
      Boxes[Last].normalize();
    }
    ++Last;
    N = End;
  }
  Boxes.truncate(Last);
}

void counting::reduce(StridedRegions &Boxes) {
  for (StridedRegion &B : Boxes)
    B.normalize();
  // Many that hardly join are worth no more rounds.
  auto IsWorthIt = [&](size_t Before) {
    constexpr size_t Few = 256;
    return Boxes.size() < (Before > Few ? Before - Before / 8 : Before);
  };
  for (size_t Before = ~size_t(0); Boxes.size() > 1 && IsWorthIt(Before);) {
    Before = Boxes.size();
    joinIntervals(Boxes);
    joinRows(Boxes);
    for (StridedRegion &B : Boxes)
      B.normalize();
    joinSeries(Boxes);
  }
}

double counting::sumOfSizes(ArrayRef<StridedRegion> Boxes) {
  double Sum = 0;
  for (const StridedRegion &B : Boxes) {
    double Size = double(B.Length);
    for (const StridedRegion::Dimension &D : B.Dimensions)
      Size *= double(D.Count);
    Sum += Size;
  }
  return Sum;
}

double counting::sumInUnits(ArrayRef<StridedRegion> Boxes, int64_t Unit) {
  double Sum = 0;
  for (const StridedRegion &B : Boxes) {
    int64_t Length = B.Length, Step = Unit;
    double Rows = 1;
    for (const StridedRegion::Dimension &D : B.Dimensions) {
      if (Rows == 1 && D.Stride <= Length) { // its repeats overlap
        Length += D.Stride * (D.Count - 1);
        continue;
      }
      Rows *= double(D.Count);
      Step = std::gcd(Step, D.Stride);
    }
    int64_t First = (B.Start % Step + Step) % Step;
    int64_t Units = 0, Places = 0;
    for (int64_t At = First; At < Unit; At += Step, ++Places)
      Units += (At + Length + Unit - 1) / Unit;
    Sum += Rows * double(Units) / double(Places);
  }
  return Sum;
}

namespace {

int64_t floorDiv(int64_t A, int64_t B) {
  return A >= 0 ? A / B : -((-A + B - 1) / B);
}

class UnionCounter {
public:
  explicit UnionCounter(unsigned &Budget) : Budget(Budget) {}
  bool count(StridedRegions &Boxes, uint64_t &Size);

private:
  /// A part of the rows [First, End), at places from 0 to the row's length.
  struct Row {
    int64_t First, End;
    StridedRegion Inner;
  };

  bool spend(size_t Steps) {
    if (Steps > Budget)
      return false;
    Budget -= unsigned(Steps);
    return true;
  }
  bool separate(StridedRegions &Boxes);
  bool addRows(StridedRegion B, int64_t Origin, int64_t Length,
               std::vector<Row> &Rows);
  bool addPart(StridedRegion Inner, int64_t First, int64_t End, int64_t Length,
               std::vector<Row> &Rows);
  static uint64_t countIntervals(StridedRegions &Boxes);

  unsigned &Budget;
};

/// Makes several of boxes whose repeats overlap.
bool UnionCounter::separate(StridedRegions &Boxes) {
  for (size_t I = 0; I != Boxes.size();) {
    StridedRegion &B = Boxes[I];
    B.normalize();
    if (B.isSeparate()) {
      ++I;
      continue;
    }
    auto *Least = llvm::min_element(
        B.Dimensions, [](auto &X, auto &Y) { return X.Count < Y.Count; });
    auto [Stride, Count] = *Least;
    if (!spend(size_t(Count)))
      return false;
    B.Dimensions.erase(Least);
    StridedRegion Part = B;
    for (int64_t N = 1; N != Count; ++N) {
      Part.Start += Stride;
      Boxes.push_back(Part);
    }
  }
  return true;
}

uint64_t UnionCounter::countIntervals(StridedRegions &Boxes) {
  sortBoxes(Boxes,
            [](const StridedRegion &, const StridedRegion &) { return 0; });
  int64_t Size = 0, End = std::numeric_limits<int64_t>::min();
  for (const StridedRegion &B : Boxes) {
    int64_t Last = B.Start + B.Length;
    if (Last <= End)
      continue;
    Size += Last - std::max(B.Start, End);
    End = Last;
  }
  return uint64_t(Size);
}

/// Parts of a box before a place, and from there on.
void split(StridedRegion B, int64_t At, StridedRegions &Before,
           StridedRegions &Behind) {
  while (true) {
    if (B.Start + B.extent() <= At) {
      Before.push_back(std::move(B));
      return;
    }
    if (B.Start >= At) {
      Behind.push_back(std::move(B));
      return;
    }
    if (B.Dimensions.empty()) {
      StridedRegion Head = B;
      Head.Length = At - B.Start;
      B.Length -= Head.Length;
      B.Start = At;
      Before.push_back(std::move(Head));
      Behind.push_back(std::move(B));
      return;
    }
    StridedRegion::Dimension Outer = B.Dimensions.pop_back_val();
    int64_t Stride = Outer.Stride, Count = Outer.Count, Extent = B.extent();
    auto Take = [&](int64_t From, int64_t To, StridedRegions &Out) {
      if (From >= To)
        return;
      StridedRegion Part = B;
      Part.Start += Stride * From;
      Part.repeat(Stride, uint64_t(To - From));
      Out.push_back(std::move(Part));
    };
    // Repeats that end before the place, and those that begin behind it.
    int64_t Whole = std::clamp<int64_t>(
        floorDiv(At - B.Start - Extent, Stride) + 1, 0, Count);
    int64_t Next = std::clamp<int64_t>(
        floorDiv(At - B.Start + Stride - 1, Stride), 0, Count);
    Take(0, Whole, Before);
    Take(Next, Count, Behind);
    if (Whole >= Next)
      return;
    B.Start += Stride * Whole; // one lies on both sides
  }
}

bool UnionCounter::addPart(StridedRegion Inner, int64_t First, int64_t End,
                           int64_t Length, std::vector<Row> &Rows) {
  // It begins in its row, and may go on in the next.
  if (!spend(1))
    return false;
  if (Inner.Start + Inner.extent() <= Length) {
    Rows.push_back({First, End, std::move(Inner)});
    return true;
  }
  StridedRegions Here, Next;
  split(std::move(Inner), Length, Here, Next);
  if (!spend(Here.size() + Next.size()))
    return false;
  for (StridedRegion &B : Here)
    Rows.push_back({First, End, std::move(B)});
  for (StridedRegion &B : Next) {
    B.Start -= Length;
    Rows.push_back({First + 1, End + 1, std::move(B)});
  }
  return true;
}

bool UnionCounter::addRows(StridedRegion B, int64_t Origin, int64_t Length,
                           std::vector<Row> &Rows) {
  int64_t First = floorDiv(B.Start - Origin, Length);
  int64_t Place = B.Start - Origin - First * Length;
  if (!B.Dimensions.empty() && B.Dimensions.back().Stride == Length) {
    int64_t Count = B.Dimensions.pop_back_val().Count;
    B.Start = Place;
    return addPart(std::move(B), First, First + Count, Length, Rows);
  }
  int64_t Extent = B.extent();
  if (Place + Extent <= 2 * Length) {
    B.Start = Place;
    return addPart(std::move(B), First, First + 1, Length, Rows);
  }
  if (B.Dimensions.empty()) { // the ends of the first and the last row
    StridedRegion Part;
    auto Add = [&](int64_t From, int64_t Size, int64_t Begin, int64_t End) {
      Part.Start = From;
      Part.Length = Size;
      if (Size && Begin != End)
        Rows.push_back({Begin, End, Part});
    };
    int64_t Last = floorDiv(Place + Extent, Length);
    Add(Place, Length - Place, First, First + 1);
    Add(0, Length, First + 1, First + Last);
    Add(0, Place + Extent - Last * Length, First + Last, First + Last + 1);
    return spend(3);
  }
  // Repeats that make whole rows; else one by one.
  auto [Stride, Count] = B.Dimensions.pop_back_val();
  int64_t PerRow = Length % Stride == 0 ? Length / Stride : 0;
  if (PerRow && Count >= PerRow) {
    StridedRegion Rest = B;
    Rest.Start += Count / PerRow * Length;
    Rest.repeat(Stride, uint64_t(Count % PerRow));
    if (Count % PerRow && !addRows(std::move(Rest), Origin, Length, Rows))
      return false;
    B.repeat(Stride, uint64_t(PerRow));
    B.Start = Place;
    return addPart(std::move(B), First, First + Count / PerRow, Length, Rows);
  }
  if (!spend(size_t(Count)))
    return false;
  for (int64_t N = 0; N != Count; ++N) {
    if (!addRows(B, Origin, Length, Rows))
      return false;
    B.Start += Stride;
  }
  return true;
}

bool UnionCounter::count(StridedRegions &Boxes, uint64_t &Size) {
  if (!spend(Boxes.size()))
    return false;
  reduce(Boxes);
  if (!separate(Boxes))
    return false;
  int64_t Length = 0, Origin = 0;
  for (const StridedRegion &B : Boxes)
    if (!B.Dimensions.empty() && B.Dimensions.back().Stride >= Length) {
      if (B.Dimensions.back().Stride > Length || B.Start < Origin)
        Origin = B.Start;
      Length = B.Dimensions.back().Stride;
    }
  if (Length == 0) {
    Size = countIntervals(Boxes);
    return true;
  }
  if (Boxes.size() == 1) {
    Size = uint64_t(sumOfSizes(Boxes));
    return true;
  }
  std::vector<Row> Rows;
  for (StridedRegion &B : Boxes)
    if (!addRows(std::move(B), Origin, Length, Rows))
      return false;
  std::vector<int64_t> Ends;
  for (const Row &R : Rows) {
    Ends.push_back(R.First);
    Ends.push_back(R.End);
  }
  llvm::sort(Ends);
  Ends.erase(llvm::unique(Ends), Ends.end());
  std::vector<const Row *> Waiting, Active;
  Waiting.reserve(Rows.size());
  for (const Row &R : Rows)
    Waiting.push_back(&R);
  llvm::sort(Waiting,
             [](const Row *A, const Row *B) { return A->First < B->First; });
  size_t Next = 0;
  Size = 0;
  for (size_t N = 0; N + 1 < Ends.size(); ++N) {
    llvm::erase_if(Active, [&](const Row *R) { return R->End <= Ends[N]; });
    for (; Next != Rows.size() && Waiting[Next]->First == Ends[N]; ++Next)
      Active.push_back(Waiting[Next]);
    StridedRegions Inner;
    Inner.reserve(Active.size());
    for (const Row *R : Active)
      Inner.push_back(R->Inner);
    uint64_t OfRow = 0;
    if (!count(Inner, OfRow))
      return false;
    Size += OfRow * uint64_t(Ends[N + 1] - Ends[N]);
  }
  return true;
}

} // namespace

std::optional<uint64_t> counting::sizeOfUnion(StridedRegions Boxes,
                                              unsigned &Budget) {
  uint64_t Size = 0;
  if (!UnionCounter(Budget).count(Boxes, Size))
    return std::nullopt;
  return Size;
}

/// Adds \p B, of whose dimensions those from \p N on have strides that are
/// multiples of the unit.
static bool addInUnits(StridedRegion B, size_t N, int64_t Unit,
                       StridedRegions &To, unsigned &Budget) {
  while (N != 0 && B.Dimensions[N - 1].Stride % Unit == 0)
    --N;
  if (N == 0) {
    if (Budget == 0)
      return false;
    --Budget;
    int64_t End = floorDiv(B.Start + B.Length - 1, Unit) + 1;
    B.Start = floorDiv(B.Start, Unit);
    B.Length = End - B.Start;
    for (StridedRegion::Dimension &D : B.Dimensions)
      D.Stride /= Unit;
    To.push_back(std::move(B));
    return true;
  }
  auto [Stride, Count] = B.Dimensions[N - 1];
  int64_t Repeats = Unit / std::gcd(Stride, Unit);
  for (int64_t R = 0; R != std::min(Repeats, Count); ++R) {
    StridedRegion Part = B;
    Part.Start += Stride * R;
    Part.Dimensions[N - 1] = {Stride * Repeats,
                              (Count - R + Repeats - 1) / Repeats};
    if (!addInUnits(std::move(Part), N - 1, Unit, To, Budget))
      return false;
  }
  return true;
}

bool counting::inUnits(StridedRegions Boxes, int64_t Unit, StridedRegions &To,
                       unsigned &Budget) {
  for (StridedRegion &B : Boxes) {
    B.normalize();
    // No unit between two of them is left out.
    if (!B.Dimensions.empty() && B.Dimensions.front().Stride <= Unit) {
      B.Length +=
          B.Dimensions.front().Stride * (B.Dimensions.front().Count - 1);
      B.Dimensions.erase(B.Dimensions.begin());
      B.normalize();
    }
    const size_t N = B.Dimensions.size();
    if (!addInUnits(std::move(B), N, Unit, To, Budget))
      return false;
  }
  return true;
}
