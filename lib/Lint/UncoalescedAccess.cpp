//===- UncoalescedAccess.cpp - Global accesses that move too much ---------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RequestExcess.h"
#include "llvm/ADT/DenseMap.h"
#include <cmath>

using namespace ptxpredict;

/// Moved over needed from which on an access is worth a word.
static constexpr double LeastRatio = 1.5;
/// Bytes of a lane beyond which there is no wider access.
static constexpr unsigned WidestAccess = 16;

/// What one transaction of a rule serves.
static double bytesOfUnit(AccessRule Rule) {
  return Rule == AccessRule::Sector ? 32 : 128;
}

static const std::optional<Estimate> &movedBy(const MemoryCharacteristics &M,
                                              AccessRule Rule) {
  return Rule == AccessRule::Sector ? M.Sectors
                                    : M.Transactions[unsigned(Rule)];
}

static bool isGlobal(const MemoryCharacteristics &M) {
  return (M.Space == AddressSpace::Global ||
          M.Space == AddressSpace::Generic) &&
         M.Access != AccessKind::Prefetch && M.BytesPerLane != 0 &&
         M.Requests.Value > 0;
}

static double neededBy(const MemoryCharacteristics &M, AccessRule Rule,
                       double Lanes) {
  return fewestTransactions(Rule, Lanes, M.BytesPerLane);
}

static bool isSideBySide(const MemoryCharacteristics &M) {
  return M.LaneStrideBytes &&
         std::abs(*M.LaneStrideBytes) == int64_t(M.BytesPerLane);
}

/// Nobody knows whether it goes to memory outside of the SM at all: the kernel
/// has other memory, whose address may have been taken.
static bool mayBeNear(const MemoryCharacteristics &M,
                      const ResourceCharacteristics &R) {
  return M.Space == AddressSpace::Generic && M.Sectors &&
         M.Sectors->Status == Status::Unknown &&
         R.LocalBytes + R.StaticSharedBytes > 0;
}

/// \p Bytes are those of a lane that lie side by side.
static bool isTooMuch(const MemoryCharacteristics &M, AccessRule Rule,
                      unsigned Bytes) {
  const std::optional<Estimate> &Moved = movedBy(M, Rule);
  if (!isGlobal(M) || !Moved)
    return false;
  // Lanes that leave nothing out: narrow-access says what is wrong.
  if (Bytes > M.BytesPerLane && M.LaneStrideBytes &&
      std::abs(*M.LaneStrideBytes) <= int64_t(Bytes))
    return false;
  // Lanes that take no part leave gaps, of which the address is innocent.
  double Lanes = isSideBySide(M) ? WarpSize : M.ActiveLanes.Value;
  double Needed = fewestTransactions(Rule, Lanes, Bytes);
  if (Rule == AccessRule::Sector)
    Needed = std::max(
        Needed, mostNeeded(M.ActiveLanes.Value, bytesOfUnit(Rule) / Bytes));
  return Moved->Value >= LeastRatio * Needed;
}

Estimate ptxpredict::fewestOf(const MemoryCharacteristics &M, AccessRule Rule) {
  return {double(neededBy(M, Rule, M.ActiveLanes.Value)), Status::Estimated,
          double(neededBy(M, Rule, M.ActiveLanes.Low)),
          double(neededBy(M, Rule, M.ActiveLanes.High))};
}

AccessRule ptxpredict::accessRule(const LintContext &C) {
  return C.devices().empty()
             ? AccessRule::Sector
             : parseAccessRule(C.devices().front().dev().AccessRule)
                   .value_or(AccessRule::Sector);
}

std::vector<bool> ptxpredict::findUncoalesced(const LintContext &C) {
  const std::vector<MemoryCharacteristics> &Memory = C.kernel().Memory;
  llvm::DenseMap<unsigned, unsigned> BytesOfRun; ///< that could be wider
  for (const MemoryCharacteristics &M : Memory)
    if (M.WiderAccesses > 1)
      BytesOfRun[M.WiderRun] += M.BytesPerLane;
  const AccessRule Rule = accessRule(C);
  std::vector<bool> Found;
  Found.reserve(Memory.size());
  for (const MemoryCharacteristics &M : Memory)
    Found.push_back(!mayBeNear(M, C.kernel().Resources) &&
                    isTooMuch(M, Rule,
                              M.WiderAccesses > 1
                                  ? BytesOfRun.lookup(M.WiderRun)
                                  : M.BytesPerLane));
  return Found;
}

/// Sectors, or transactions of \p Rule.
static RequestUnits movedUnits(AccessRule Rule) {
  return {[Rule](const MemoryCharacteristics &M) {
            return movedBy(M, Rule)->Value;
          },
          [Rule](const MemoryCharacteristics &M) {
            return neededBy(M, Rule, M.ActiveLanes.Value);
          }};
}

/// As few as the lanes' bytes need, by every rule.
static void coalesce(MemoryCharacteristics &M) {
  if (M.Sectors)
    M.Sectors = fewestOf(M, AccessRule::Sector);
  for (AccessRule Rule : {AccessRule::CC10, AccessRule::CC12, AccessRule::CC20})
    if (M.Transactions[unsigned(Rule)])
      M.Transactions[unsigned(Rule)] = fewestOf(M, Rule);
  if (M.Lines)
    M.Lines = fewestOf(M, AccessRule::CC20); // units of 128 B, too
  M.L1Wavefronts.reset();
}

/// Why a request is as it is, as far as that is known.
static std::string whyOf(const MemoryCharacteristics &M) {
  if (isSideBySide(M))
    return ": the lanes lie side by side, but not on a sector's bounds";
  std::string Stride = strideText(M);
  return Stride.empty() ? ": the lanes' addresses have no common stride"
                        : Stride;
}

/// Whether the lanes' accesses of the place, each as wide as an access can be,
/// together may leave nothing out: what one leaves of a sector the next one
/// finds in the cache.
static bool mayFillInPieces(const KernelCharacteristics &K,
                            const PlaceOfAccesses &Place,
                            const MemoryCharacteristics &Worst,
                            AccessRule Rule) {
  if (Worst.BytesPerLane < WidestAccess)
    return false;
  double Bytes = 0;
  for (size_t I : Place.Accesses)
    if (K.Memory[I].LaneStrideBytes == Worst.LaneStrideBytes)
      Bytes += K.Memory[I].BytesPerLane;
  const double Moved = movedBy(Worst, Rule)->Value * bytesOfUnit(Rule);
  return Bytes >= (Worst.LaneStrideBytes
                       ? double(std::abs(*Worst.LaneStrideBytes))
                       : Moved / Worst.ActiveLanes.Value);
}

/// Nobody knows the addresses, or where a row begins: at best all is well.
static bool isUnknown(const MemoryCharacteristics &M, AccessRule Rule) {
  const Estimate &PerRequest = *movedBy(M, Rule);
  return (PerRequest.Status == Status::Unknown ||
          (PerRequest.Status == Status::Assumed && isSideBySide(M))) &&
         PerRequest.Low < LeastRatio * neededBy(M, Rule, M.ActiveLanes.Value);
}

static Finding describe(const Rule &R, LintContext &C, AccessRule Rule,
                        const RequestUnits &Units,
                        const PlaceOfAccesses &Place) {
  const KernelCharacteristics &K = C.kernel();
  const RequestTotals Totals = totalsOf(K, Place, Units);
  const MemoryCharacteristics &M = *Totals.Worst;
  const Estimate &PerRequest = *movedBy(M, Rule);
  double NeededHere = neededBy(M, Rule, M.ActiveLanes.Value);
  StringRef Unit = Rule == AccessRule::Sector ? "sectors" : "transactions";
  const bool IsUnknown = isUnknown(M, Rule);

  Finding F = C.start(R, K.Memory[Place.Accesses.front()].Place);
  F.Message = M.shownOpcode() + " moves " +
              (IsUnknown ? "perhaps " + shortNumber(PerRequest.Value)
                         : countText(PerRequest)) +
              " " + Unit.str() + " a request where its " +
              shortNumber(M.ActiveLanes.Value * M.BytesPerLane) + " B need " +
              shortNumber(NeededHere) +
              (!IsUnknown        ? whyOf(M)
               : isSideBySide(M) ? ": it is unknown where the lanes' row begins"
                                 : ": the lanes' addresses are unknown") +
              othersText(Place);
  addValues(F, Totals, Unit, PerRequest.Status);
  F.Help = M.LaneStrideBytes || !M.LaneStrideSymbolic.empty()
               ? "let neighbouring threads use neighbouring elements: give the "
                 "index that threadIdx.x counts the stride 1, keep one array "
                 "for each member of a structure, or go through shared memory"
               : "sort or group the indices so that neighbouring threads use "
                 "neighbouring elements, or gather through shared memory";
  return F;
}

void ptxpredict::checkUncoalescedAccess(const Rule &R, LintContext &C) {
  const KernelCharacteristics &K = C.kernel();
  const AccessRule Rule = accessRule(C);
  const std::vector<bool> IsTooMuch = findUncoalesced(C);
  const RequestUnits Units = movedUnits(Rule);
  reportPlaces(
      C, Units,
      [&](const MemoryCharacteristics &M) {
        return IsTooMuch[size_t(&M - K.Memory.data())];
      },
      [&](const PlaceOfAccesses &Place) {
        // Or nobody knows what is left in the cache.
        const MemoryCharacteristics &M = *totalsOf(K, Place, Units).Worst;
        return isUnknown(M, Rule) || mayFillInPieces(K, Place, M, Rule);
      },
      [&](const PlaceOfAccesses &Place) {
        return describe(R, C, Rule, Units, Place);
      },
      coalesce);
}
