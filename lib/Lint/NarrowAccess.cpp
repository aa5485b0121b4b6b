//===- NarrowAccess.cpp - Accesses of a lane that could be one ------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "ptxpredict/ISA/MachineUnits.h"
#include "llvm/ADT/DenseMap.h"

using namespace ptxpredict;

/// One of these accesses becomes as wide as all of them together, and the
/// others go; it is no matter which.
static void widen(KernelVariant &V, const KernelCharacteristics &K,
                  ArrayRef<size_t> Accesses) {
  for (size_t I : Accesses) {
    const MemoryCharacteristics &From = K.Memory[I];
    const double Left = 1.0 / From.WiderAccesses;
    const double Gone = From.Requests.Value * (1 - Left);
    MemoryCharacteristics &M = V.memory(I);
    M.Requests = M.Requests.scaled(Left);
    M.BytesPerLane = From.WiderBytes;
    // As many sectors as before: the bytes of a lane are in one. Older rules
    // look at how wide an access is.
    if (From.LaneStrideBytes == int64_t(From.WiderBytes))
      for (AccessRule Rule : {AccessRule::CC10, AccessRule::CC12})
        if (std::optional<Estimate> &Moved = M.Transactions[unsigned(Rule)])
          Moved = fewestOf(M, Rule);
    // A pass over the banks has no more bytes than before.
    if (M.Wavefronts && From.WiderBytes > RegisterBytes)
      M.Wavefronts = M.Wavefronts->scaled(
          From.WiderBytes / double(std::max(From.BytesPerLane, RegisterBytes)));
    const SchedClass Kind = From.Access == AccessKind::Store ? SchedClass::Store
                            : From.Space == AddressSpace::Shared
                                ? SchedClass::Shared
                                : SchedClass::Global;
    if (From.BytesPerLane < RegisterBytes)
      V.replaceWork(Kind, SchedClass::Logic, Gone);
    else
      V.removeWork(Kind, Gone);
  }
}

static Finding describe(const Rule &R, LintContext &C,
                        ArrayRef<size_t> Accesses) {
  const KernelCharacteristics &K = C.kernel();
  const MemoryCharacteristics &M = K.Memory[Accesses.front()];
  double Requests = 0, Left = 0;
  for (size_t I : Accesses) {
    Requests += K.Memory[I].Requests.Value;
    Left += K.Memory[I].Requests.Value / K.Memory[I].WiderAccesses;
  }
  Finding F = C.start(R, M.Place);
  F.Message = "each lane makes " + std::to_string(M.WiderAccesses) +
              " accesses side by side, " + M.shownOpcode() + " of " +
              std::to_string(M.BytesPerLane) + " B, where one of " +
              std::to_string(M.WiderBytes) + " B would do";
  if (Accesses.size() > M.WiderAccesses)
    F.Message +=
        "; " + std::to_string(Accesses.size()) + " such instructions here";
  F.add("accesses", M.WiderAccesses);
  F.add("bytes_per_lane", M.BytesPerLane);
  F.add("wider_bytes", M.WiderBytes);
  F.add("requests", Requests);
  F.add("requests_needed", Left);
  F.Help = "access them as one vector, such as float4 or uint2, or give the "
           "structure that alignment (__align__(" +
           std::to_string(M.WiderBytes) + "))";
  return F;
}

void ptxpredict::checkNarrowAccess(const Rule &R, LintContext &C) {
  const KernelCharacteristics &K = C.kernel();
  // What lanes leave out between them is uncoalesced-access's.
  const std::vector<bool> IsUncoalesced = findUncoalesced(C);
  auto IsNarrow = [&](const MemoryCharacteristics &M) {
    return M.WiderAccesses > 1 && M.Requests.Value > 0 &&
           !IsUncoalesced[size_t(&M - K.Memory.data())];
  };
  llvm::DenseMap<unsigned, std::vector<size_t>> ByRun;
  for (size_t I = 0; I != K.Memory.size(); ++I)
    if (IsNarrow(K.Memory[I]))
      ByRun[K.Memory[I].WiderRun].push_back(I);
  // They lie at the first of them.
  std::vector<PricedFinding> Found;
  for (const PlaceOfAccesses &Place :
       groupByPlace(K, [&](const MemoryCharacteristics &M) {
         return IsNarrow(M) && &K.Memory[ByRun[M.WiderRun].front()] == &M;
       })) {
    std::vector<size_t> Accesses;
    for (size_t First : Place.Accesses)
      llvm::append_range(Accesses, ByRun[K.Memory[First].WiderRun]);
    PricedFinding P;
    P.Found = describe(R, C, Accesses);
    for (size_t I : Accesses)
      P.Weight +=
          K.Memory[I].Requests.Value * (1 - 1.0 / K.Memory[I].WiderAccesses);
    P.TakeOut = [&K, Accesses = std::move(Accesses)](KernelVariant &V) {
      widen(V, K, Accesses);
    };
    Found.push_back(std::move(P));
  }
  C.priceAll(std::move(Found));
}
