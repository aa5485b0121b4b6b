//===- LocalityRecorder.cpp - Writes down where requests lie --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LocalityRecorder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Kind = Expression::KindTy;
using Ref = const Expression *;

/// Records of a kernel. Where more is different from block to block, or from
/// one iteration to the next, the rest is left out.
static constexpr size_t MaxRecords = 6000;
/// Regions of all of them: lanes that data scatter have one each.
static constexpr size_t MaxRegions = 30000;
/// The same at a launch that is given.
static constexpr size_t MaxRecordsOfGiven = 48000, MaxRegionsOfGiven = 60000;

/// Lanes that are in no more boxes than these are no gather.
static constexpr size_t FewBoxes = 8;

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

void LocalityRecorder::addAccess(const Instruction &I, unsigned Effect,
                                 const MemoryEffect &E) {
  Out.Accesses.push_back({&I, Effect, E.Reads, E.Writes,
                          E.Access == AccessKind::Atomic, E.BytesPerLane});
  for (StringRef Operator : {".cg", ".cv", ".volatile", ".relaxed", ".acquire"})
    Out.Accesses.back().IsPastL1 |=
        E.Access == AccessKind::Load && I.Mnemonic.contains(Operator);
}

void LocalityRecorder::beginBlocks(const Dim3 &At, const Dim3 &Number,
                                   const Dim3 &Back) {
  Frames.clear();
  Frame &F = Frames.emplace_back();
  F.Node.Kind = LocalityNode::KindTy::Blocks;
  F.Node.Count = Number.count();
  F.Node.FirstBlock = {At.X - Back.X, At.Y - Back.Y, At.Z - Back.Z};
  F.BlocksBack = {Back.X, Back.Y, Back.Z};
  F.Node.Grid = Number;
}

void LocalityRecorder::beginWarps(uint64_t First, uint64_t Number) {
  Frame &F = Frames.emplace_back();
  F.Node.Kind = LocalityNode::KindTy::Warps;
  F.Node.First = First;
  F.Node.Count = Number;
  currentNode();
}

void LocalityRecorder::beginLoop(const FunctionCounts &F, const Block &Header,
                                 BarriersInCode Barriers) {
  auto [It, IsNew] =
      LoopNumbers.try_emplace({&F, &Header}, unsigned(Out.Loops.size()));
  if (IsNew) {
    RecordedLoop L = {&F, &Header, 1, Barriers, -1};
    for (const Frame &X : Frames)
      if (X.Node.Kind == LocalityNode::KindTy::Entry) {
        ++L.Depth;
        L.Outer = int(X.Node.Loop);
      }
    Out.Loops.push_back(L);
  }
  Frame &New = Frames.emplace_back();
  New.Node.Kind = LocalityNode::KindTy::Entry;
  New.Node.Loop = It->second;
}

void LocalityRecorder::beginIterations(uint64_t First, uint64_t Number,
                                       uint64_t Back) {
  unsigned Loop = Frames.back().Node.Loop;
  Frame &F = Frames.emplace_back();
  F.Node.Kind = LocalityNode::KindTy::Iterations;
  F.Node.Loop = Loop;
  F.Node.First = First - Back;
  F.Node.Count = Number;
  F.Back = Back;
}

int LocalityRecorder::currentNode() {
  if (isAlone())
    return -1;
  int Parent = -1;
  unsigned NumOuter = 0;
  for (Frame &F : Frames) {
    if (F.Index < 0) {
      F.Node.Parent = Parent;
      F.Node.NumOuter = NumOuter;
      F.Index = int(Out.Nodes.size());
      Out.Nodes.push_back(F.Node);
    }
    Parent = F.Index;
    NumOuter += F.Node.Kind == LocalityNode::KindTy::Iterations;
  }
  return Parent;
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

/// Lanes load what says where they go.
static bool loadsByLane(const Expression &Address) {
  SmallVector<Ref, 16> Open = {&Address};
  llvm::SmallPtrSet<Ref, 16> Seen;
  while (!Open.empty()) {
    Ref E = Open.pop_back_val();
    if (E->isUniform() || !Seen.insert(E).second)
      continue;
    if (E->Kind == Kind::Load)
      return true;
    Open.append(E->Operands.begin(), E->Operands.end());
  }
  return false;
}

/// Whether loaded data are in \p E, or what they decide.
static bool isChosenByData(const Expression &E) {
  SmallVector<Ref, 16> Work = {&E};
  llvm::SmallPtrSet<Ref, 16> Seen;
  while (!Work.empty()) {
    Ref X = Work.pop_back_val();
    if (X->Kind == Kind::Load || (X->isSymbol(Symbol::KindTy::Opaque) &&
                                  X->Sym->Reason == Symbol::ReasonTy::Load))
      return true;
    for (Ref O : X->Operands)
      if (Seen.insert(O).second)
        Work.push_back(O);
  }
  return false;
}

/// Words among which data choose where an atomic operation goes.
static double findPlaces(const RecordedAccess &R, const Access &M) {
  const Expression *Address = M.Whole ? M.Whole : M.Address;
  if (!R.IsAtomic || M.Bytes == 0 || !Address || !isChosenByData(*Address))
    return 0;
  uint64_t Bytes = R.SpanBytes ? R.SpanBytes : R.ArrayBytes;
  if (R.ArrayBytes)
    Bytes = std::min(Bytes, R.ArrayBytes);
  // Elements may lie apart: a member of structures.
  uint64_t Step = M.Bytes;
  if (Address->Kind == Kind::Sum) {
    uint64_t All = 0;
    for (auto [O, C] : llvm::zip(Address->Operands, Address->Coefficients))
      if (!O->isSymbol(Symbol::KindTy::Parameter) &&
          !O->isSymbol(Symbol::KindTy::Address))
        All = std::gcd(
            All, uint64_t(std::abs(llvm::SignExtend64(C, Address->Width))));
    Step = std::max(Step, All);
  }
  return double(llvm::divideCeil(Bytes, Step));
}

void LocalityRecorder::findArray(RecordedAccess &R, const CountedRequests &Q) {
  const Access &M = Q.M;
  R.Bytes = M.Bytes;
  R.ArePieces = Q.Sums.Groups && Q.Sums.Groups->ArePieces;
  R.IsGather = M.Kind == Access::KindTy::Scattered && !R.ArePieces;
  R.ReadsData =
      M.Kind == Access::KindTy::Lanes && M.Address && loadsByLane(*M.Address);
  auto AtEnd = llvm::scope_exit([&] { R.Places = findPlaces(R, M); });
  // An address that is open still says where its array begins.
  const Expression *Address = M.Address ? M.Address : M.Whole;
  const Symbol *Base = Address ? findBase(*Address) : nullptr;
  if (!Base)
    return;
  if (M.Box)
    R.SpanBytes = M.Box->ArrayBytes;
  else if (M.Whole && findBase(*M.Whole) == Base)
    R.SpanBytes = findSpan(*M.Whole, M.Bytes);
  if (Base->Var) {
    R.Array = Base->Var;
    if (uint64_t Bytes = Base->Var->Bytes)
      R.SpanBytes = R.SpanBytes == 0 ? Bytes : std::min(R.SpanBytes, Bytes);
    R.ArrayBytes = Base->Var->Bytes;
    return;
  }
  R.Array = Names.of(*Base);
  if (M.Box)
    R.ArrayBytes = M.Box->ArrayBytes;
  for (const auto &[Buffer, Bytes] : Launch.BufferBytes) {
    const Parameter &P = Kernel.Parameters[Buffer.first];
    if (Base->Context == &P && Base->Number == P.Offset + Buffer.second)
      R.ArrayBytes = Bytes;
  }
}

std::shared_ptr<const LocalityRecords>
LocalityRecorder::take(BarriersInCode Barriers, bool IsSampled) {
  Out.Grid = Launch.Grid;
  Out.Digits = Launch.Digits;
  Out.Barriers = Barriers;
  Out.IsSampled = IsSampled;
  return std::make_shared<const LocalityRecords>(std::move(Out));
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// What a box has in its tensor, from where the whole box begins.
static StridedRegion regionOf(const CopyBox &Box, const BoxPart &Part,
                              int64_t Start) {
  StridedRegion Region;
  Region.Start = Start;
  Region.Length = int64_t(Part.Axes[0].Count * Box.Axes[0].StrideBits / 8);
  for (auto [A, R] : llvm::zip(Box.Axes, Part.Axes))
    Region.Start += int64_t(R.First * A.StrideBits / 8);
  for (auto [A, R] : llvm::drop_begin(llvm::zip(Box.Axes, Part.Axes)))
    Region.repeat(int64_t(A.StrideBits / 8), R.Count);
  Region.normalize();
  return Region;
}

/// Adds what the boxes of a warp's lanes have.
void LocalityRecorder::addCopies(LocalityRecord &&R, const Access &M,
                                 const LaneArray &Addresses, uint32_t Lanes) {
  R.Addresses = double(llvm::popcount(Lanes));
  for (; Lanes; Lanes &= Lanes - 1) {
    const auto L = unsigned(llvm::countr_zero(Lanes));
    const BoxPart *Clipped = Clips.of(L);
    const BoxPart Part = Clipped ? *Clipped : wholeOf(*M.Box);
    if (!Part.isEmpty())
      R.Lanes.push_back(regionOf(
          *M.Box, Part, llvm::SignExtend64(Addresses[L], M.Address->Width)));
  }
  NumRegions += R.Lanes.size();
  if (!R.Lanes.empty())
    Out.Records.push_back(std::move(R));
}

/// Adds what a warp's lanes touch.
void LocalityRecorder::addLanes(LocalityRecord &&R, const Access &M,
                                const LaneArray &Addresses, uint32_t Lanes) {
  if (M.Box)
    return addCopies(std::move(R), M, Addresses, Lanes);
  auto First = unsigned(llvm::countr_zero(Lanes));
  auto Number = unsigned(llvm::popcount(Lanes));
  R.NumLanes = Number;
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
    if (Boxes.size() > FewBoxes)
      noteScattered(R.Access, Boxes);
    R.Lanes.append(Boxes.begin(), Boxes.end());
  }
  NumRegions += R.Lanes.size();
  Out.Records.push_back(std::move(R));
}

/// Adds a group of warps of \p R.
void LocalityRecorder::addWarps(const LocalityRecord &R, const Access &M,
                                const AlikeWarps &W, const LanesTouched &T) {
  LocalityRecord Group = R;
  Group.Status = T.Status;
  Group.IsLikely = T.IsLikely;
  Group.NumWarps = W.Number;
  double Share = W.AreAll ? 1 : double(W.Number) / double(R.NumWarps);
  Group.Requested *= T.IsLikely ? Share : 0;
  Group.Requests *= T.IsLikely ? Share : 0;
  if (W.Shifts.size() > 1) {
    SmallVector<int64_t, 32> Shifts = W.Shifts;
    llvm::sort(Shifts);
    Shifts.erase(llvm::unique(Shifts), Shifts.end());
    StridedRegions Regions;
    addBoxes(Shifts, 1, Regions);
    Group.Shifts.append(Regions.begin(), Regions.end());
  } else {
    Group.Shifts.emplace_back();
  }
  addLanes(std::move(Group), M, W.Addresses, T.Lanes);
}

/// Groups the warps of a run by whether their lanes lie alike.
std::vector<LocalityRecorder::AlikeWarps>
LocalityRecorder::groupWarps(const CountedRequests &Q, const LaneArray &Here) {
  const uint64_t WarpRun = Q.Batch.WarpRun;
  if (WarpRun == 1 || !(Q.M.Address->Varies & VariesInBlock))
    return {{Here, {0}, unsigned(WarpRun), true}};
  Assignment &A = Q.Batch.A;
  const uint64_t FirstWarp = A.Warp;
  const WarpAddresses *Known = Q.Sums.Warps;
  std::vector<LaneArray> ByWarp;
  if (!Known) {
    CompiledExpressions C(Q.M.Address);
    for (uint64_t W = 0; W != WarpRun; ++W) {
      A.Warp = FirstWarp + W;
      C.run(A);
      LaneArray &Addresses = ByWarp.emplace_back();
      for (unsigned L = 0; L != WarpSize; ++L)
        Addresses[L] = C.lane(0, L);
    }
  }
  /// From a warp to another that lies alike.
  auto DistanceTo = [&](uint64_t W, uint64_t O) -> std::optional<uint64_t> {
    if (Known) {
      if (Known->Class[FirstWarp + O] != Known->Class[FirstWarp + W])
        return std::nullopt;
      return Known->Shift[FirstWarp + O] - Known->Shift[FirstWarp + W];
    }
    uint64_t Distance = ByWarp[O][0] - ByWarp[W][0];
    for (unsigned L = 1; L != WarpSize; ++L)
      if (ByWarp[O][L] - ByWarp[W][L] != Distance)
        return std::nullopt;
    return Distance;
  };
  std::vector<AlikeWarps> Groups;
  SmallVector<bool, 32> Done(WarpRun, false);
  for (uint64_t W = 0; W != WarpRun; ++W) {
    if (Done[W])
      continue;
    AlikeWarps &G = Groups.emplace_back();
    G.AreAll = false;
    for (uint64_t O = W; O != WarpRun; ++O) {
      std::optional<uint64_t> Distance;
      if (!Done[O])
        Distance = DistanceTo(W, O);
      if (!Distance)
        continue;
      Done[O] = true;
      int64_t Shift = llvm::SignExtend64(*Distance, Q.M.Address->Width);
      if (magnitude(Shift) <= MaxExtent)
        G.Shifts.push_back(Shift);
      else
        Out.IsPartial = true;
    }
    G.Number = unsigned(G.Shifts.size());
    G.Addresses = Known ? Here : ByWarp[W];
    if (Known && Known->Class[FirstWarp + W] != Known->Class[FirstWarp]) {
      A.Warp = FirstWarp + W;
      G.Addresses = evaluate(*Q.M.Address, A);
    }
  }
  A.Warp = FirstWarp;
  return Groups;
}

/// Finds how the address moves from block to block and from one iteration to
/// the next; false if nobody knows.
bool LocalityRecorder::findStrides(LocalityRecord &R,
                                   const CountedRequests &Q) const {
  const Access &M = Q.M;
  ArrayRef<Dimension> Dimensions = Q.Batch.Dimensions;
  R.Strides.resize(3);
  const auto *D = Dimensions.begin();
  for (const Frame &Around : Frames) {
    if (Around.Node.Kind == LocalityNode::KindTy::Warps ||
        Around.Node.Kind == LocalityNode::KindTy::Entry)
      continue;
    bool IsBlocks = Around.Node.Kind == LocalityNode::KindTy::Blocks;
    for (; D != Dimensions.end() && IsBlocks == (D->Axis >= 0); ++D) {
      int64_t Stride = 0;
      if (D->Count != 1) {
        Slope S = slopeOf(M, *D->Counter, &Q.Batch.A);
        Stride = S.Value;
        auto IsOf = [&](Ref X) {
          return llvm::is_contained(*D->Counter, X->Sym->Quantity);
        };
        if (!S.IsLinear || (!IsBlocks && movesOpenly(M, IsOf)) ||
            llvm::SaturatingMultiply(magnitude(Stride), D->Count) > MaxExtent)
          return false;
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
  return true;
}

/// Blocks lie apart where nobody knows how far; false if that is too far.
bool LocalityRecorder::spreadBlocks(LocalityRecord &R, const Access &M) const {
  const Dim3 &Blocks = Frames.front().Node.Grid;
  const uint64_t Extents[] = {Blocks.X, Blocks.Y, Blocks.Z};
  static constexpr Symbol::KindTy Axes[] = {
      Symbol::KindTy::BlockX, Symbol::KindTy::BlockY, Symbol::KindTy::BlockZ};
  uint64_t Apart = uint64_t(1) << 32;
  for (unsigned N = 0; N != 3; ++N) {
    if (Extents[N] > 1 &&
        movesOpenly(M, [&](Ref S) { return S->isSymbol(Axes[N]); })) {
      R.Strides[N] = int64_t(Apart);
      if (llvm::SaturatingMultiply(Apart, Extents[N]) > MaxExtent)
        return false;
    }
    Apart = llvm::SaturatingMultiply(Apart, Extents[N]);
  }
  return true;
}

/// What is touched in any case, what is taken to be, and what may be.
SmallVector<LocalityRecorder::LanesTouched, 3>
LocalityRecorder::lanesTouched(const CountedRequests &Q, bool IsLikely) const {
  const ActiveLanes &F = Q.Batch.Lanes;
  const uint32_t Must = Q.MayBeLess ? 0 : F.must() & Q.M.Lanes,
                 May = F.May & Q.M.Lanes,
                 Likely = F.Weight != 0 ? F.Likely & Q.M.Lanes : 0;
  const Status Best = !Q.M.isDecided() ? weakest(Q.M.Status, Status::Assumed)
                      : Q.Batch.IsPart || Q.M.IsMoved ? Status::Assumed
                                                      : Status::Known;
  if (IsRough || (Must == May && Likely == May))
    return {{IsRough ? Likely : May, Best, IsLikely}};
  SmallVector<LanesTouched, 3> All;
  if (Must && Best == Status::Known)
    All.push_back({Must, Status::Known, Must == Likely});
  const Status Assumed = weakest(Best, weakest(F.Status, Status::Assumed));
  if (Likely && (Likely != Must || Best != Status::Known))
    All.push_back({Likely, Assumed, true});
  if (May != Likely)
    All.push_back({May, Assumed, false});
  return All;
}

/// Moves new records back: the iteration that was looked at may not be the
/// first, nor the block.
void LocalityRecorder::moveToFirst(size_t FirstNew) {
  for (unsigned N = 0; N != 3; ++N)
    if (const uint64_t Back = Frames.front().BlocksBack[N])
      for (LocalityRecord &R :
           MutableArrayRef(Out.Records).drop_front(FirstNew))
        for (StridedRegion &Region : R.Lanes)
          Region.Start -= int64_t(Back) * R.Strides[N];
  for (const Frame &Around : Frames)
    if (Around.Back)
      for (LocalityRecord &R :
           MutableArrayRef(Out.Records).drop_front(FirstNew))
        for (StridedRegion &Region : R.Lanes)
          Region.Start -=
              int64_t(Around.Back) * R.Strides[3 + Around.Node.NumOuter];
}

void LocalityRecorder::addRequests(const CountedRequests &Q) {
  const Access &M = Q.M;
  const ActiveLanes &F = Q.Batch.Lanes;
  const double Requests = Q.Batch.Multiple * F.Weight;
  if (leadsAnywhere(unsigned(M.Record)) && !isAlone())
    return addAnywhere(Q);
  Out.IsLarge |= Out.Records.size() >= MaxRecords || NumRegions >= MaxRegions;
  if (Out.Records.size() >= (IsRough ? MaxRecords : MaxRecordsOfGiven) ||
      NumRegions >= (IsRough ? MaxRegions : MaxRegionsOfGiven)) {
    Out.IsPartial = true;
    Out.LeftOut += Requests;
    return;
  }
  RecordedAccess &To = Out.Accesses[unsigned(M.Record)];
  if (To.Bytes == 0 || !To.Array)
    findArray(To, Q);
  LocalityRecord R;
  R.NumWarps = unsigned(Q.Batch.WarpRun);
  R.Access = unsigned(M.Record);
  R.Node = currentNode();
  R.Requests = Requests;
  R.Requested = Q.Sectors;
  R.IsLikely = F.Weight != 0;
  R.LaneShare = F.meanShare();
  if (IsRough && !R.IsLikely)
    return;
  // Coordinates that nothing decides lead anywhere in the tensor.
  const bool IsOpen = M.Box && M.Whole != M.Address;
  if (M.Kind != Access::KindTy::Lanes || IsOpen || !To.Array ||
      !Q.Sums.IsLinearNow || R.Node < 0 || M.Bytes == 0 || !findStrides(R, Q)) {
    if (To.ReadsData)
      noteData(Q);
    return addLoose(std::move(R), Q);
  }
  LaneArray Here;
  for (unsigned L = 0; L != WarpSize; ++L)
    Here[L] = Q.Batch.Evaluated->lane(M.Root, L);
  bool IsLost = !spreadBlocks(R, M);
  for (unsigned L = 0; L != WarpSize; ++L)
    if (F.May >> L & 1)
      IsLost |=
          magnitude(llvm::SignExtend64(Here[L], M.Address->Width)) > MaxExtent;
  if (IsLost)
    return addLoose(std::move(R), Q);
  if (M.Box)
    Clips = clipBoxes(M, Q.Batch);
  if (!M.isDecided() || M.IsMoved || Q.Batch.IsPart ||
      (M.Box && !Clips.IsSteady)) {
    // Where addresses are not known the regions are a guess, without bounds.
    if (!IsRough) {
      LocalityRecord Bounds = R;
      Bounds.IsLikely = false;
      Bounds.Requested = Bounds.Requests = 0;
      addLoose(std::move(Bounds), Q);
      Out.Records.back().Bytes = 0;
    }
    R.IsGuess = true;
  }
  size_t FirstNew = Out.Records.size();
  const std::vector<AlikeWarps> Warps = groupWarps(Q, Here);
  for (const LanesTouched &T : lanesTouched(Q, R.IsLikely))
    for (const AlikeWarps &W : Warps)
      addWarps(R, M, W, T);
  moveToFirst(FirstNew);
}
