//===- LocalityRecords.cpp - Where the requests of a launch lie -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LocalityRecords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Kind = Expression::KindTy;
using Ref = const Expression *;

/// Records of a kernel. Where more is different from block to block, or from
/// one iteration to the next, the rest is left out.
static constexpr size_t MaxRecords = 6000;

/// No array is larger; what seems to be wraps around, and is no box.
static constexpr uint64_t MaxExtent = uint64_t(1) << 52;

static uint64_t magnitude(int64_t V) {
  return V < 0 ? 0 - uint64_t(V) : uint64_t(V);
}

/// The address moves with the quantity, and nobody knows how far.
static bool movesOpenly(const Access &M, llvm::function_ref<bool(Ref)> IsOf) {
  auto Knows = [&](const Expression &E) {
    return llvm::any_of(E.Symbols, IsOf);
  };
  return M.Whole != M.Address && Knows(*M.Whole) && !Knows(*M.Address);
}

int LocalityRecords::addAccess(const Instruction &I, const MemoryEffect &E,
                               unsigned Effect) {
  Accesses.push_back({&I, Effect, E.Reads, E.Writes,
                      E.Access == AccessKind::Atomic, E.BytesPerLane});
  return int(Accesses.size()) - 1;
}

void LocalityRecords::beginBlocks(const Dim3 &First, const Dim3 &Number) {
  Frames.clear();
  Frame &F = Frames.emplace_back();
  F.Node.Kind = LocalityNode::KindTy::Blocks;
  F.Node.Count = Number.count();
  F.Node.FirstBlock = First;
  F.Node.Grid = Number;
}

void LocalityRecords::beginWarps(uint64_t First, uint64_t Number) {
  Frame &F = Frames.emplace_back();
  F.Node.Kind = LocalityNode::KindTy::Warps;
  F.Node.First = First;
  F.Node.Count = Number;
  currentNode();
}

void LocalityRecords::beginLoop(const FunctionCounts &F, const Block &Header,
                                bool HasBarrier) {
  auto [It, IsNew] =
      LoopNumbers.try_emplace({&F, &Header}, unsigned(Loops.size()));
  if (IsNew) {
    RecordedLoop L = {&F, &Header, 1, HasBarrier, -1};
    for (const Frame &X : Frames)
      if (X.Node.Kind == LocalityNode::KindTy::Entry) {
        ++L.Depth;
        L.Outer = int(X.Node.Loop);
      }
    Loops.push_back(L);
  }
  Frame &New = Frames.emplace_back();
  New.Node.Kind = LocalityNode::KindTy::Entry;
  New.Node.Loop = It->second;
}

void LocalityRecords::beginIterations(uint64_t First, uint64_t Number,
                                      uint64_t Back) {
  unsigned Loop = Frames.back().Node.Loop;
  Frame &F = Frames.emplace_back();
  F.Node.Kind = LocalityNode::KindTy::Iterations;
  F.Node.Loop = Loop;
  F.Node.First = First - Back;
  F.Node.Count = Number;
  F.Back = Back;
}

int LocalityRecords::currentNode() {
  if (isAlone())
    return -1;
  int Parent = -1;
  unsigned NumOuter = 0;
  for (Frame &F : Frames) {
    if (F.Index < 0) {
      F.Node.Parent = Parent;
      F.Node.NumOuter = NumOuter;
      F.Index = int(Nodes.size());
      Nodes.push_back(F.Node);
    }
    Parent = F.Index;
    NumOuter += F.Node.Kind == LocalityNode::KindTy::Iterations;
  }
  return Parent;
}

void LocalityRecords::addInstructions(double Number, bool IsCertain) {
  if (isAlone())
    return;
  LocalityNode &N = Nodes[size_t(Frames[1].Index)];
  N.Instructions += Number;
  N.IsCertain &= IsCertain;
}

/// Bytes of the array within which all accesses lie; 0 if nobody knows.
static uint64_t findSpan(const Expression &Address, unsigned Bytes) {
  if (Address.Kind != Kind::Sum)
    return Address.isSymbol() ? Bytes : 0;
  uint64_t Span = Bytes;
  for (auto [O, C] : llvm::zip(Address.Operands, Address.Coefficients)) {
    if (O->isSymbol(Symbol::KindTy::Parameter) ||
        O->isSymbol(Symbol::KindTy::Address))
      continue;
    uint64_t Range =
        std::min(O->Facts.UMax - O->Facts.UMin,
                 uint64_t(O->Facts.SMax) - uint64_t(O->Facts.SMin));
    auto By = llvm::SignExtend64(C, Address.Width);
    Span = llvm::SaturatingMultiplyAdd(
        Range, By < 0 ? 0 - uint64_t(By) : uint64_t(By), Span);
  }
  return Span < uint64_t(1) << 32 ? Span : 0;
}

void LocalityRecords::findArray(RecordedAccess &R, const Access &M) {
  R.Bytes = M.Bytes;
  R.ArePieces = M.Groups && M.Groups->ArePieces;
  R.IsGather = M.Kind == Access::KindTy::Scattered && !R.ArePieces;
  // An address that is open still says where its array begins.
  const Expression *Address = M.Address ? M.Address : M.Whole;
  const Symbol *Base = Address ? findBase(*Address) : nullptr;
  if (!Base)
    return;
  if (M.Whole && findBase(*M.Whole) == Base)
    R.SpanBytes = findSpan(*M.Whole, M.Bytes);
  if (Base->Var) {
    R.Array = Base->Var;
    if (uint64_t Bytes = Base->Var->Bytes)
      R.SpanBytes = R.SpanBytes == 0 ? Bytes : std::min(R.SpanBytes, Bytes);
    R.ArrayBytes = Base->Var->Bytes;
    return;
  }
  R.Array = Names.of(*Base);
  for (const auto &[Place, Bytes] : Launch.BufferBytes) {
    const Parameter &P = Kernel.Parameters[Place.first];
    if (Base->Context == &P && Base->Number == P.Offset + Place.second)
      R.ArrayBytes = Bytes;
  }
}

void LocalityRecords::addLoose(LocalityRecord &&R, const Access &M,
                               const ActiveLanes &F, double Multiple,
                               bool IsPart) {
  R.IsLoose = true;
  // In an array of known size data are taken to point anywhere.
  bool IsInside = M.Kind == Access::KindTy::Scattered &&
                  M.Space == AddressSpace::Global &&
                  Accesses[R.Access].ArrayBytes;
  Status How = IsInside    ? Status::Assumed
               : M.Address ? M.Status
                           : Status::Unknown;
  R.Status = weakest(weakest(How, F.Status), Status::Assumed);
  auto BytesOf = [&](uint32_t Lanes) {
    return double(llvm::popcount(Lanes & M.Lanes)) * M.Bytes;
  };
  uint32_t Likely = F.Likely & M.Lanes;
  R.Bytes = Multiple * F.Weight *
            (M.Groups ? double(M.Groups->countPlaces(Likely)) * M.Bytes
                      : BytesOf(Likely));
  R.LeastBytes =
      !IsPart && F.must() & M.Lanes && M.Space == AddressSpace::Global ? M.Bytes
                                                                       : 0;
  R.MostBytes = IsPart || M.Bytes == 0 ? std::numeric_limits<double>::infinity()
                                       : Multiple * BytesOf(F.May);
  Records.push_back(std::move(R));
}

/// Adds what a warp's lanes touch.
void LocalityRecords::addLanes(LocalityRecord &&R, const Access &M,
                               const LaneArray &Addresses, uint32_t Lanes) {
  auto First = unsigned(llvm::countr_zero(Lanes));
  auto Number = unsigned(llvm::popcount(Lanes));
  auto At = [&](unsigned L) {
    return llvm::SignExtend64(Addresses[L], M.Address->Width);
  };
  int64_t Stride = Number == 1 ? 0 : At(First + 1) - At(First);
  bool IsRow = Lanes >> First == (uint64_t(1) << Number) - 1;
  for (unsigned L = First + 2; IsRow && L < First + Number; ++L)
    IsRow = At(L) - At(L - 1) == Stride;
  if (IsRow) {
    StridedRegion &B = R.Lanes.emplace_back();
    B.Start = At(First);
    B.Length = M.Bytes;
    B.repeat(Stride, Number);
    B.normalize();
    R.Addresses = Stride == 0 ? 1 : Number;
  } else {
    SmallVector<int64_t, 32> Starts;
    for (uint32_t Rest = Lanes; Rest; Rest &= Rest - 1)
      Starts.push_back(At(unsigned(llvm::countr_zero(Rest))));
    llvm::sort(Starts);
    Starts.erase(llvm::unique(Starts), Starts.end());
    R.Addresses = double(Starts.size());
    StridedRegions Boxes;
    addBoxes(Starts, M.Bytes, Boxes);
    R.Lanes.append(Boxes.begin(), Boxes.end());
  }
  Records.push_back(std::move(R));
}

void LocalityRecords::add(const Access &M, const ActiveLanes &F,
                          const CompiledExpressions *Evaluated, Assignment &A,
                          ArrayRef<Dimension> Dimensions, double Multiple,
                          uint64_t WarpRun, bool IsPart, bool IsLess,
                          double Sectors) {
  if (Records.size() >= MaxRecords) {
    IsPartial = true;
    LeftOut += Multiple * F.Weight;
    return;
  }
  RecordedAccess &To = Accesses[unsigned(M.Record)];
  if (To.Bytes == 0 || !To.Array)
    findArray(To, M);
  LocalityRecord R;
  R.NumWarps = unsigned(WarpRun);
  R.Access = unsigned(M.Record);
  R.Node = currentNode();
  R.Requests = Multiple * F.Weight;
  R.Requested = Sectors;
  R.IsLikely = F.Weight != 0;
  if (IsRough && !R.IsLikely)
    return;
  if (M.Kind != Access::KindTy::Lanes || !To.Array || !M.IsLinearNow ||
      R.Node < 0 || M.Bytes == 0)
    return addLoose(std::move(R), M, F, Multiple, IsPart);
  R.Strides.resize(3);
  auto *D = Dimensions.begin();
  for (const Frame &Of : Frames) {
    if (Of.Node.Kind == LocalityNode::KindTy::Warps ||
        Of.Node.Kind == LocalityNode::KindTy::Entry)
      continue;
    bool IsBlocks = Of.Node.Kind == LocalityNode::KindTy::Blocks;
    for (; D != Dimensions.end() && IsBlocks == (D->Axis >= 0); ++D) {
      int64_t Stride = 0;
      if (D->Count != 1) {
        Slope S = slopeOf(*M.Address, *D->Counter);
        Stride = S.Value;
        auto IsOf = [&](Ref X) { return llvm::is_contained(*D->Counter, X); };
        if (!S.IsLinear || (!IsBlocks && movesOpenly(M, IsOf)) ||
            llvm::SaturatingMultiply(magnitude(Stride), D->Count) > MaxExtent)
          return addLoose(std::move(R), M, F, Multiple, IsPart);
      }
      if (IsBlocks) {
        R.Strides[unsigned(D->Axis)] = Stride;
        continue;
      }
      R.Strides.push_back(Stride);
      ++D;
      break;
    }
  }
  LaneArray Here;
  for (unsigned L = 0; L != WarpSize; ++L)
    Here[L] = Evaluated->lane(M.Root, L);
  // Blocks of which nobody knows how far apart they lie do not meet.
  const Dim3 &Blocks = Frames.front().Node.Grid;
  const uint64_t Extents[] = {Blocks.X, Blocks.Y, Blocks.Z};
  static constexpr Symbol::KindTy Axes[] = {
      Symbol::KindTy::BlockX, Symbol::KindTy::BlockY, Symbol::KindTy::BlockZ};
  bool IsLost = false;
  uint64_t Apart = uint64_t(1) << 32;
  for (unsigned N = 0; N != 3; ++N) {
    if (Extents[N] > 1 &&
        movesOpenly(M, [&](Ref S) { return S->isSymbol(Axes[N]); })) {
      R.Strides[N] = int64_t(Apart);
      IsLost |= llvm::SaturatingMultiply(Apart, Extents[N]) > MaxExtent;
    }
    Apart = llvm::SaturatingMultiply(Apart, Extents[N]);
  }
  for (unsigned L = 0; L != WarpSize; ++L)
    if (F.May >> L & 1)
      IsLost |=
          magnitude(llvm::SignExtend64(Here[L], M.Address->Width)) > MaxExtent;
  if (IsLost)
    return addLoose(std::move(R), M, F, Multiple, IsPart);
  if (!M.isDecided() || IsPart) {
    // Of places that are not known the boxes are a guess, without bounds.
    LocalityRecord Bounds = R;
    Bounds.IsLikely = false;
    Bounds.Requested = Bounds.Requests = 0;
    if (!IsRough) {
      addLoose(std::move(Bounds), M, F, Multiple, IsPart);
      Records.back().Bytes = 0;
    }
    R.IsGuess = true;
  }
  size_t FirstNew = Records.size();
  uint32_t Must = IsLess ? 0 : F.must() & M.Lanes, May = F.May & M.Lanes,
           Likely = F.Weight != 0 ? F.Likely & M.Lanes : 0;
  // What is touched in any case, what is taken to be, and what may be.
  Status Best = !M.isDecided() ? weakest(M.Status, Status::Assumed)
                : IsPart       ? Status::Assumed
                               : Status::Known;
  auto AddWarps = [&](uint32_t Lanes, Status How, bool IsLikely) {
    auto AddGroup = [&](const LaneArray &Places, SmallVectorImpl<int64_t> &At) {
      LocalityRecord Group = R;
      Group.Status = How;
      Group.IsLikely = IsLikely;
      Group.NumWarps = unsigned(At.size());
      double Share = double(At.size()) / double(WarpRun);
      Group.Requested *= IsLikely ? Share : 0;
      Group.Requests *= IsLikely ? Share : 0;
      if (At.size() > 1) {
        llvm::sort(At);
        At.erase(llvm::unique(At), At.end());
        StridedRegions Boxes;
        addBoxes(At, 1, Boxes);
        Group.Shifts.append(Boxes.begin(), Boxes.end());
      } else {
        Group.Shifts.emplace_back();
      }
      addLanes(std::move(Group), M, Places, Lanes);
    };
    SmallVector<int64_t, 32> At(1, 0);
    if (WarpRun == 1 || !(M.Address->Varies & VariesInBlock)) {
      AddGroup(Here, At);
      Records.back().NumWarps = unsigned(WarpRun);
      Records.back().Requested = IsLikely ? R.Requested : 0;
      Records.back().Requests = IsLikely ? R.Requests : 0;
      return;
    }
    // Warps whose lanes lie alike together.
    uint64_t FirstWarp = A.Warp;
    SmallVector<bool, 32> Done(WarpRun, false);
    std::vector<LaneArray> Places;
    if (!M.Warps) {
      CompiledExpressions C(M.Address);
      for (uint64_t W = 0; W != WarpRun; ++W) {
        A.Warp = FirstWarp + W;
        C.run(A);
        LaneArray &P = Places.emplace_back();
        for (unsigned L = 0; L != WarpSize; ++L)
          P[L] = C.lane(0, L);
      }
    }
    for (uint64_t W = 0; W != WarpRun; ++W) {
      if (Done[W])
        continue;
      At.clear();
      for (uint64_t O = W; O != WarpRun; ++O) {
        if (Done[O])
          continue;
        uint64_t Distance = 0;
        bool IsAlike = true;
        if (M.Warps) {
          IsAlike =
              M.Warps->Class[FirstWarp + O] == M.Warps->Class[FirstWarp + W];
          Distance =
              M.Warps->Shift[FirstWarp + O] - M.Warps->Shift[FirstWarp + W];
        } else {
          Distance = Places[O][0] - Places[W][0];
          for (unsigned L = 1; IsAlike && L != WarpSize; ++L)
            IsAlike = Places[O][L] - Places[W][L] == Distance;
        }
        if (!IsAlike)
          continue;
        Done[O] = true;
        int64_t Shift = llvm::SignExtend64(Distance, M.Address->Width);
        if (magnitude(Shift) <= MaxExtent)
          At.push_back(Shift);
        else
          IsPartial = true;
      }
      if (!M.Warps) {
        AddGroup(Places[W], At);
        continue;
      }
      LaneArray Shifted = Here;
      if (M.Warps->Class[FirstWarp + W] != M.Warps->Class[FirstWarp]) {
        A.Warp = FirstWarp + W;
        Shifted = evaluate(*M.Address, A);
      }
      AddGroup(Shifted, At);
    }
    A.Warp = FirstWarp;
  };
  if (IsRough || (Must == May && Likely == May)) {
    AddWarps(IsRough ? Likely : May, Best, R.IsLikely);
  } else {
    if (Must && Best == Status::Known)
      AddWarps(Must, Status::Known, Must == Likely);
    if (Likely && (Likely != Must || Best != Status::Known))
      AddWarps(Likely, weakest(Best, weakest(F.Status, Status::Assumed)), true);
    if (May != Likely)
      AddWarps(May, weakest(Best, weakest(F.Status, Status::Assumed)), false);
  }
  // The iteration that was looked at may not be the first.
  for (const Frame &Of : Frames)
    if (Of.Back)
      for (size_t N = FirstNew; N != Records.size(); ++N)
        for (StridedRegion &B : Records[N].Lanes)
          B.Start -=
              int64_t(Of.Back) * Records[N].Strides[3 + Of.Node.NumOuter];
}
