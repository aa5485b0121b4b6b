//===- AccessPatterns.cpp - What memory instructions touch ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/AccessPatterns.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/bit.h"
#include <limits>

using namespace ptxpredict;

namespace {

/// Bounds and mean of a count over the residues that were tried.
class Mean {
public:
  void add(double V) {
    Sum += V, ++N;
    Low = std::min(Low, V), High = std::max(High, V);
  }
  Count estimate() const { return {Sum / N, Status::Estimated, Low, High}; }

private:
  double Sum = 0, N = 0;
  double Low = std::numeric_limits<double>::infinity(), High = 0;
};

/// The lanes of the block's first warp. What lies an unknown stride apart is
/// put far apart.
WarpAccess firstWarp(const LinearForm &F, const Dim3 &Block, unsigned Bytes) {
  WarpAccess A;
  A.BytesPerLane = Bytes;
  // Far from zero, so that negative offsets do not wrap.
  constexpr uint64_t Origin = uint64_t(1) << 50, FarApart = uint64_t(1) << 32;
  forEachThread(Block, [&](const ThreadIndex &T, bool) {
    if (T.Warp != 0)
      return;
    uint64_t Index[] = {T.X, T.Y, T.Z, T.Lane, T.Warp};
    uint64_t Address = Origin + uint64_t(F.at(T));
    for (unsigned D = 0; D != 5; ++D)
      if (F.Unknown >> D & 1)
        Address += Index[D] * (FarApart << D);
    A.Address[T.Lane] = Address;
    A.Active |= uint32_t(1) << T.Lane;
  });
  return A;
}

std::optional<int64_t> laneStride(const WarpAccess &A) {
  if (A.Active != ~uint32_t(0))
    return std::nullopt;
  int64_t Stride = int64_t(A.Address[1] - A.Address[0]);
  for (unsigned L = 2; L != WarpLanes; ++L)
    if (int64_t(A.Address[L] - A.Address[L - 1]) != Stride)
      return std::nullopt;
  return Stride;
}

/// The parameter without a value that \p Address is computed from, if it is
/// found within a few steps.
const Parameter *unknownParameter(const Operand &Address,
                                  const LinearForms &Forms) {
  SmallVector<const Value *, 16> Work;
  llvm::SmallPtrSet<const Value *, 32> Seen;
  for (const Operand &O : Address.Elements)
    if (O.Which == Operand::Kind::Register)
      Work.push_back(O.Val);
  while (!Work.empty() && Seen.size() < 64) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second || !V->Def)
      continue;
    const Instruction &I = *V->Def;
    for (const MemoryEffect &E : I.Effects) {
      const Operand &A = I.Operands[E.AddressOperand];
      if (E.Space == AddressSpace::Param && !A.Elements.empty() &&
          A.Elements[0].Which == Operand::Kind::Parameter &&
          Forms.of(V).Align != 0 && Forms.of(V).Align < 256)
        return A.Elements[0].Param;
    }
    Work.append(I.Uses.begin(), I.Uses.end());
  }
  return nullptr;
}

class PatternBuilder {
public:
  PatternBuilder(const Instruction &I, const MemoryEffect &E,
                 const LinearForms &Forms)
      : I(I), E(E), Forms(Forms) {}

  bool isMatrix() const {
    ptx::Opcode Op = ptx::Opcode(I.Opcode);
    return Op == ptx::Opcode::Ldmatrix || Op == ptx::Opcode::Stmatrix;
  }
  AccessPattern known(const LinearForm &F) const;
  AccessPattern scattered(Status How) const;
  /// Lanes that lie an unknown stride apart, each at a place of its own.
  AccessPattern unknownStride(const LinearForm &F) const;

private:
  bool isShared() const { return E.Space == AddressSpace::Shared; }
  WarpAccess access(const LinearForm &F) const;
  unsigned lanes() const {
    return unsigned(
        std::min<uint64_t>(Forms.launch().threadsPerBlock(), WarpLanes));
  }

  const Instruction &I;
  const MemoryEffect &E;
  const LinearForms &Forms;
};

WarpAccess PatternBuilder::access(const LinearForm &F) const {
  unsigned Bytes = E.BytesPerLane;
  uint32_t Mask = ~uint32_t(0);
  if (isMatrix()) {
    // Eight lanes for each 8x8 matrix name a row of 16 bytes.
    unsigned Rows = std::min(Bytes / 4 * 8, WarpLanes);
    Mask = Rows == WarpLanes ? Mask : (uint32_t(1) << Rows) - 1;
    Bytes = 16;
  }
  WarpAccess A = firstWarp(F, Forms.launch().Block, std::max(Bytes, 1u));
  A.Active &= Mask;
  if (E.Space == AddressSpace::Local)
    // The 32 lanes' copies of a word of local memory lie side by side.
    for (unsigned L = 0; L != WarpLanes; ++L)
      A.Address[L] = A.Address[L] * WarpLanes + uint64_t(L) * A.BytesPerLane;
  return A;
}

AccessPattern PatternBuilder::known(const LinearForm &F) const {
  AccessPattern P;
  WarpAccess A = access(F);
  if (E.Space != AddressSpace::Local && !isMatrix())
    P.LaneStrideBytes = laneStride(A);
  P.ActiveLanes = Count::make(llvm::popcount(A.Active), Status::Estimated);
  // An access is aligned to its size, so the unknown part is a multiple of that
  // as well wherever the known parts are.
  uint64_t Step = 128;
  if (F.Align != 0 && E.Space != AddressSpace::Local) {
    uint64_t Natural = A.BytesPerLane & (0 - uint64_t(A.BytesPerLane));
    bool KnownAligned =
        llvm::all_of(A.Address, [&](uint64_t X) { return X % Natural == 0; });
    Step = std::min<uint64_t>(
        std::max(F.Align, KnownAligned ? Natural : F.Align), 128);
  }
  Mean Sectors, Lines, Wavefronts, CC10, CC12, CC20;
  for (uint64_t Residue = 0; Residue < 128; Residue += Step) {
    WarpAccess At = A;
    for (uint64_t &X : At.Address)
      X += Residue;
    if (isShared()) {
      Wavefronts.add(countWavefronts(At));
      continue;
    }
    Sectors.add(countSectors(At));
    Lines.add(countLines(At));
    CC10.add(countCC10(At).Count);
    CC12.add(countCC12(At).Count);
    CC20.add(countCC20(At).Count);
  }
  if (isShared()) {
    P.Wavefronts = Wavefronts.estimate();
    return P;
  }
  P.Sectors = Sectors.estimate();
  P.Lines = Lines.estimate();
  P.CC10 = CC10.estimate();
  P.CC12 = CC12.estimate();
  P.CC20 = CC20.estimate();
  return P;
}

/// Every lane at a place of its own.
AccessPattern PatternBuilder::scattered(Status How) const {
  AccessPattern P;
  double Lanes = lanes();
  unsigned Bytes = std::max(E.BytesPerLane, 1u);
  P.ActiveLanes = Count::make(Lanes, Status::Estimated);
  auto Between = [&](unsigned Fewest, double Most) {
    return Count(Most, How, std::min<double>(Fewest, Most), Most);
  };
  if (isShared()) {
    // One pass for all lanes if the banks differ, one a lane if they are the
    // same; unknown addresses are charged the fewest.
    double Fewest = fewestWavefronts(Lanes, Bytes);
    P.Wavefronts =
        Count(Fewest, How, Fewest, Lanes * std::max(Bytes / 4.0, 1.0));
    return P;
  }
  double PerLane = std::max(Bytes / 32.0, 1.0);
  P.Sectors = Between(fewestTransactions(AccessRule::Sector, 1, Bytes),
                      Lanes * PerLane);
  P.Lines = Between(1, Lanes);
  P.CC10 = Between(fewestTransactions(AccessRule::CC10, Lanes, Bytes), Lanes);
  P.CC12 = Between(1, Lanes);
  P.CC20 = Between(1, Lanes);
  return P;
}

AccessPattern PatternBuilder::unknownStride(const LinearForm &F) const {
  AccessPattern Bounds = scattered(Status::Assumed);
  if (isShared())
    return Bounds;
  AccessPattern P = known(F);
  P.LaneStrideBytes = std::nullopt;
  for (std::optional<Count> AccessPattern::*Member :
       {&AccessPattern::Sectors, &AccessPattern::Lines, &AccessPattern::CC10,
        &AccessPattern::CC12, &AccessPattern::CC20}) {
    Count &C = *(P.*Member);
    C = {C.Value, Status::Assumed, std::min((Bounds.*Member)->Low, C.Low),
         std::max((Bounds.*Member)->High, C.High)};
  }
  return P;
}

} // namespace

AccessPattern AccessPatterns::of(const Instruction &I, const MemoryEffect &E,
                                 std::vector<Assumption> &Assumptions) {
  if (E.BytesPerLane == 0)
    return {}; // not made of lanes
  PatternBuilder Builder(I, E, Forms);
  const Operand &Address = I.Operands[E.AddressOperand];
  LinearForm F = Forms.of(Address);
  if (F.isLinear() && F.Unknown == 0) {
    uint64_t Within = uint64_t(F.Base) % 128;
    unsigned Kind = unsigned(E.Space) * 2 + Builder.isMatrix();
    auto [It, IsNew] = Known.try_emplace(
        Shape(F.Stride, F.Unknown, F.Align, Within, E.BytesPerLane, Kind));
    if (IsNew)
      It->second = Builder.known(F);
    return It->second;
  }
  const Parameter *P =
      F.isLinear() ? unknownParameter(Address, Forms) : nullptr;
  if (!P)
    return Builder.scattered(Status::Unknown);
  AccessPattern R = Builder.unknownStride(F);
  Assumption A;
  A.What = "lane stride that contains " + P->Name.str();
  A.Value = "a sector each";
  A.IsNumber = false;
  A.Line = I.Line;
  A.Option = "--arg=" + P->Name.str() + "=VALUE";
  // One for each parameter, at the first access.
  if (llvm::none_of(Assumptions, [&](const Assumption &Other) {
        return Other.What == A.What;
      }))
    Assumptions.push_back(std::move(A));
  return R;
}
