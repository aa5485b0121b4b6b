//===- WarpAddresses.cpp - How a warp's addresses differ from others' -----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AccessCosts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace ptxpredict;
using namespace ptxpredict::counting;
using Kind = Expression::KindTy;
using Ref = const Expression *;

static bool hasThread(const Expression &E) {
  return llvm::any_of(E.Symbols, [](Ref S) { return isThread(*S->Sym); });
}

const WarpAddresses *AccessCoster::warpAddresses(const Expression &Address) {
  // The part that knows the thread, if nothing else is mixed with it.
  Ref OfThread = nullptr;
  auto IsPure = [](const Expression &X) {
    return llvm::all_of(X.Symbols, [](Ref S) { return isThread(*S->Sym); });
  };
  if (IsPure(Address)) {
    OfThread = &Address;
  } else if (Address.Kind == Kind::Sum) {
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
  auto &Known = Warps[OfThread];
  if (Known)
    return Known.get();
  Known = std::make_unique<WarpAddresses>();
  Known->OfThread = OfThread;
  CompiledExpressions C(OfThread);
  Assignment A;
  A.Block = Launch.Block;
  A.Grid = Launch.Grid;
  const uint64_t NumWarps = Launch.warpsPerBlock();
  std::vector<LaneArray> Classes;
  std::vector<unsigned> First;
  constexpr unsigned MaxClasses = 8; // of the last ones each warp is its own
  for (unsigned W = 0; W != NumWarps; ++W) {
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
      Known->Shift.push_back(Distance);
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

void AccessCoster::prepare(const Access &M, AccessSums &Sums,
                           const LaneArray &First) {
  Sums.IsPrepared = true;
  if (M.Address->Varies & VariesInBlock && !M.Box)
    Sums.Warps = warpAddresses(*M.Address);
  uint64_t Step = 0;
  for (Ref S : M.Address->Symbols) {
    if (S->isSymbol(Symbol::KindTy::Parameter) ||
        S->isSymbol(Symbol::KindTy::Address) || isThread(*S->Sym))
      continue;
    Slope Along = slopeOf(M, {S->Sym->Quantity});
    // By lanes' own numbers their distances change, too.
    Sums.IsLinear &= Along.IsLinear && !Along.HasKinks && S->isUniform();
    Step = std::gcd(Step, uint64_t(Along.Value) % Period);
  }
  Sums.Step = Step;
  if (!M.IsMatrix && !M.Box && M.Space != AddressSpace::Local && !M.StrideOf &&
      !M.IsScaled)
    Sums.LaneStride = laneStride(
        First, M.Address->Width,
        unsigned(std::min<uint64_t>(Launch.threadsPerBlock(), WarpSize)));
}
