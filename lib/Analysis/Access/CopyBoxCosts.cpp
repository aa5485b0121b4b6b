//===- CopyBoxCosts.cpp - What requests of bulk copies cost ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AccessCosts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;

static RequestCosts costsOf(const BoxCosts &B) {
  RequestCosts C{};
  C[ActiveLaneCount] = 1;
  C[Sectors] = B.Sectors;
  C[Lines] = B.Lines;
  return C;
}

std::pair<RequestCosts, RequestCosts>
counting::boundsOfBox(const CopyBox &Box) {
  return {costsOf(Box.Least), costsOf(Box.Most)};
}

RequestCosts counting::meanOfBox(const CopyBox &Box) {
  return costsOf(countBox(Box, wholeOf(Box), 0));
}

namespace {
/// Whether a part of a box is the same in all requests of a batch.
class SteadinessCheck {
public:
  explicit SteadinessCheck(const RequestBatch &B) : B(B) {}

  /// Along one axis, of which lanes have the parts \p R. All or nothing stays
  /// so: conditions end a batch where it does not.
  bool operator()(const CopyBox::Axis &A, const BoxPart::Range &R) const {
    const bool IsEdge = R.Count != 0 && R.Count != A.Count;
    return !IsEdge || (stays(*A.At) && stays(*A.Extent));
  }
  /// Warps of the batch may have others than the first one.
  bool areWarpsAlike(const CopyBox::Axis &A) const {
    return B.WarpRun == 1 ||
           !((A.At->Varies | A.Extent->Varies) & VariesInBlock);
  }

private:
  bool stays(const Expression &X) const {
    return llvm::all_of(B.Dimensions, [&](const Dimension &D) {
      if (D.Count == 1)
        return true;
      const Slope S = ptxpredict::slopeOf(X, *D.Counter, &B.A, false);
      return S.IsLinear && !S.HasKinks && S.Value == 0;
    });
  }

  const RequestBatch &B;
};
} // namespace

ClippedBoxes counting::clipBoxes(const Access &M, const RequestBatch &B) {
  ClippedBoxes C;
  const CopyBox &Box = *M.Box;
  if (!Box.mayBeClipped())
    return C;
  const SteadinessCheck IsSteady(B);
  C.Parts.resize(WarpSize);
  SmallVector<int64_t, 5> At(Box.Axes.size()), Extents(Box.Axes.size());
  for (uint32_t Rest = B.Lanes.May & M.Lanes; Rest; Rest &= Rest - 1) {
    const auto L = unsigned(llvm::countr_zero(Rest));
    for (auto [A, Place, Extent] : llvm::zip(Box.Axes, At, Extents))
      if (A.At) {
        Place = int64_t(B.Evaluated->lane(A.AtRoot, L));
        Extent = int64_t(B.Evaluated->lane(A.ExtentRoot, L));
      }
    C.Parts[L] = clip(Box, At, Extents);
    for (auto [A, R] : llvm::zip(Box.Axes, C.Parts[L].Axes))
      if (A.At)
        C.IsSteady &= IsSteady(A, R) && IsSteady.areWarpsAlike(A);
  }
  return C;
}

/// What the request of a lane costs whose whole box would begin there, modulo
/// 128.
RequestCosts AccessCoster::boxAt(const Access &M, unsigned Lane,
                                 unsigned Residue) {
  // Parts of a box begin before it where none of it lies.
  constexpr uint64_t Somewhere = uint64_t(1) << 48;
  if (const BoxPart *Part = Clipped.of(Lane); Part && !Part->isWholeOf(*M.Box))
    return costsOf(countBox(*M.Box, *Part, Somewhere + Residue));
  auto [It, IsNew] = WholeBoxes.try_emplace({M.Box.get(), Residue});
  if (IsNew)
    It->second = countBox(*M.Box, wholeOf(*M.Box), Somewhere + Residue);
  return costsOf(It->second);
}

/// The same as countAt() where each lane moves a box.
void AccessCoster::countBoxes(const Access &M, AccessSums &Sums,
                              const ActiveLanes &F, const LaneArray &Addresses,
                              const Residents &R) {
  const bool IsLikely = F.Weight != 0;
  uint32_t Lanes = F.Likely & M.Lanes;
  if (!Lanes)
    Lanes = F.May & M.Lanes;
  if (!R.IsExact) {
    Sums.HasInexact = true;
    Sums.HasLoose |= !R.IsSteady || M.Box->mayBeClipped();
    if (M.Box->mayBeClipped() || M.Box->isAssumed() || M.Box->Open ||
        M.MayBeApart) {
      auto [Low, High] = boundsOfBox(*M.Box);
      Sums.bound(Low, High);
    }
  }
  for (; Lanes; Lanes &= Lanes - 1) {
    const auto L = unsigned(llvm::countr_zero(Lanes));
    for (auto [Offset, Often] : R.At) {
      const double Times = Often * (IsLikely ? F.Weight : 1);
      const auto First = unsigned((Addresses[L] + Offset) % Period);
      // Of what is open, all places are equally frequent.
      const auto Step =
          unsigned(std::clamp<uint64_t>(M.OpenAlign, M.Box->Align, Period));
      const unsigned Number = unsigned(Period) / Step;
      for (unsigned N = 0; N != Number; ++N) {
        const auto Residue = unsigned((First + N * Step) % Period);
        const RequestCosts C = boxAt(M, L, Residue);
        Sums.bound(C, C);
        Sums.addCosts(C, Times / Number, IsLikely);
        if (!R.IsExact)
          Sums.Residues.set(Residue);
      }
    }
  }
}
