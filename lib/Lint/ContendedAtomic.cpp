//===- ContendedAtomic.cpp - Atomics that meet on one address -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "ptxpredict/MemoryAccess/Collisions.h"

using namespace ptxpredict;

/// Lanes on one address, and requests of the launch on the hottest one, from
/// which on an atomic is contended.
static constexpr double LeastLanes = 2, LeastRequests = 1024;

/// Lanes that share an address, in the mean; 1 where nothing is known.
static double lanesPerAddress(const MemoryCharacteristics &M) {
  return M.Addresses && M.Addresses->Status != Status::Unknown &&
                 M.Addresses->Value > 0
             ? M.ActiveLanes.Value / M.Addresses->Value
             : 1;
}

static double hottest(const MemoryCharacteristics &M) {
  return M.HottestRequests && M.HottestRequests->Status != Status::Unknown
             ? M.HottestRequests->Value
             : 0;
}

static bool isContended(const MemoryCharacteristics &M,
                        const KernelCharacteristics &K) {
  if (M.Access != AccessKind::Atomic || M.Requests.Value <= 0)
    return false;
  // One request of each block is what the fix has; how many blocks there are
  // nobody knows.
  const bool IsOfBlocks =
      isGridAssumed(K) && hottest(M) <= double(K.Launch.blocks());
  return lanesPerAddress(M) >= LeastLanes ||
         (hottest(M) >= LeastRequests && !IsOfBlocks);
}

static Finding describeContended(const Rule &R, LintContext &C,
                                 const PlaceOfAccesses &Place) {
  const KernelCharacteristics &K = C.kernel();
  size_t Worst = Place.Accesses.front();
  for (size_t I : Place.Accesses)
    if (lanesPerAddress(K.Memory[I]) > lanesPerAddress(K.Memory[Worst]))
      Worst = I;
  const MemoryCharacteristics &M = K.Memory[Worst];
  Finding F = C.start(R, K.Memory[Place.Accesses.front()].Place);
  F.Message = M.shownOpcode();
  if (M.Addresses) {
    F.Message += " sends " + perhapsText(M.ActiveLanes, LeastLanes) + " " +
                 nounAfter(M.ActiveLanes.Value, "lane") + " of a request to " +
                 countText(*M.Addresses) +
                 (M.Addresses->Value == 1 ? " address" : " addresses");
    F.add("lanes_per_address", lanesPerAddress(M));
  }
  if (hottest(M) > 0) {
    F.Message += (M.Addresses ? std::string(";") : std::string()) + " " +
                 countText(*M.HottestRequests) +
                 " requests of the launch meet on the same one";
    F.add("hottest_requests", hottest(M));
  }
  F.add("requests", M.Requests.Value);
  // At best few lanes come, and seldom.
  if (isOpen(M.ActiveLanes, LeastLanes) &&
      (hottest(M) < LeastRequests || isOpen(*M.HottestRequests, LeastRequests)))
    F.Level = Severity::Note;
  F.Help = "combine the values of a warp or block first (a shuffle reduction, "
           "a copy in shared memory) and let one thread do the atomic";
  return F;
}

/// Shared memory that a block has on every device without opting in, and how
/// often each place is added to by a block from which on a copy of its own
/// pays.
static constexpr double MostPrivateBytes = 48 << 10, LeastAdds = 4;

/// A sum into places that data decide, such as a histogram, that are few enough
/// for each block to have its own.
static bool isScatteredSum(const MemoryCharacteristics &M,
                           const KernelCharacteristics &K) {
  if (M.Access != AccessKind::Atomic || M.Space == AddressSpace::Shared ||
      M.BytesPerLane == 0 || !M.Addresses ||
      M.Addresses->Status != Status::Unknown || !M.SpreadBytes ||
      !(M.SpreadBytes->Value > 0) || M.SpreadBytes->Value > MostPrivateBytes)
    return false;
  const double Adds =
      M.Requests.Value * M.ActiveLanes.Value * double(K.Launch.warpsPerBlock());
  return Adds >= LeastAdds * M.SpreadBytes->Value / M.BytesPerLane;
}

/// Makes it one into shared memory. What adds the copies up is left out.
static void makePrivate(MemoryCharacteristics &M) {
  M.Space = AddressSpace::Shared;
  M.Sectors = M.Lines = M.L1Wavefronts = M.Addresses = M.HottestRequests =
      M.HottestLanes = M.SpreadBytes = std::nullopt;
  M.Transactions = {};
  const auto Lanes = unsigned(std::clamp(M.ActiveLanes.Value, 1.0, 32.0));
  constexpr unsigned Banks = 32;
  M.Wavefronts = M.Passes =
      Estimate(meanFullest(Lanes, Banks), Status::Unknown, 1, Lanes);
}

static void findScatteredSums(const Rule &R, LintContext &C,
                              std::vector<PricedFinding> &Found) {
  const KernelCharacteristics &K = C.kernel();
  for (PlaceOfAccesses &Place :
       groupByPlace(K, [&](const auto &M) { return isScatteredSum(M, K); })) {
    const MemoryCharacteristics &M = K.Memory[Place.Accesses.front()];
    PricedFinding P;
    P.Found = C.start(R, M.Place);
    P.Found.Level = Severity::Note;
    P.Found.Message = M.shownOpcode() +
                      " adds to places that data decide, among " +
                      countText(*M.SpreadBytes) +
                      " B of device memory, where all blocks meet";
    P.Found.add("spread_bytes", M.SpreadBytes->Value);
    P.Found.add("requests", M.Requests.Value);
    P.Found.Help = "give each block a copy in shared memory (privatisation), "
                   "and add the copies up at its end";
    for (size_t I : Place.Accesses)
      P.Weight += K.Memory[I].Requests.Value * K.Memory[I].ActiveLanes.Value;
    P.TakeOut = [Place = std::move(Place)](KernelVariant &V) {
      for (size_t I : Place.Accesses)
        makePrivate(V.memory(I));
    };
    Found.push_back(std::move(P));
  }
}

void ptxpredict::checkContendedAtomic(const Rule &R, LintContext &C) {
  const KernelCharacteristics &K = C.kernel();
  // One atomic of a block in place of one of each warp.
  const double Warps = double(K.Launch.warpsPerBlock());
  std::vector<PricedFinding> Found;
  for (PlaceOfAccesses &Place :
       groupByPlace(K, [&](const auto &M) { return isContended(M, K); })) {
    PricedFinding P;
    P.Found = describeContended(R, C, Place);
    if (Warps == 1) {
      C.report(std::move(P.Found));
      continue;
    }
    for (size_t I : Place.Accesses)
      P.Weight += std::max(K.Memory[I].Requests.Value, hottest(K.Memory[I]));
    P.TakeOut = [Place = std::move(Place), Warps](KernelVariant &V) {
      for (size_t I : Place.Accesses) {
        MemoryCharacteristics &Fixed = V.memory(I);
        Fixed.Requests = Fixed.Requests.scaled(1 / Warps);
        if (Fixed.HottestRequests)
          Fixed.HottestRequests = Fixed.HottestRequests->scaled(1 / Warps);
        // One lane of it does it for the others.
        if (Fixed.HottestLanes)
          Fixed.HottestLanes = Fixed.HottestRequests;
        if (Fixed.Passes)
          Fixed.Passes = Estimate::known(1);
      }
    };
    Found.push_back(std::move(P));
  }
  findScatteredSums(R, C, Found);
  C.priceAll(std::move(Found));
}
