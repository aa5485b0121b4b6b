//===- Link.cpp - What moves bytes between places -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Scenario/System/Link.h"
#include "llvm/Support/ErrorHandling.h"
#include <array>

using namespace ptxpredict;

StringRef ptxpredict::toString(TransferWay Way) {
  switch (Way) {
  case TransferWay::HostToDevice:
    return "h2d";
  case TransferWay::DeviceToHost:
    return "d2h";
  case TransferWay::PeerToPeer:
    return "p2p";
  }
  llvm_unreachable("all ways are handled");
}

StringRef ptxpredict::toString(HostMemory Memory) {
  switch (Memory) {
  case HostMemory::Pageable:
    return "pageable";
  case HostMemory::Pinned:
    return "pinned";
  }
  llvm_unreachable("all memories are handled");
}

namespace {
struct TransferKind {
  TransferWay Way;
  HostMemory Memory;
};
} // namespace

/// All kinds of transfers, the nearest to \p K first: of the same way, then of
/// the opposite one, then those between others. Pinned memory is nearer to a
/// peer's, since no processor copies either.
static std::array<TransferKind, 5> nearestKinds(TransferKind K) {
  using Way = TransferWay;
  constexpr HostMemory Pinned = HostMemory::Pinned,
                       Pageable = HostMemory::Pageable;
  constexpr TransferKind Peer = {Way::PeerToPeer, Pageable};
  if (K.Way == Way::PeerToPeer)
    return {Peer,
            {Way::HostToDevice, Pinned},
            {Way::DeviceToHost, Pinned},
            {Way::HostToDevice, Pageable},
            {Way::DeviceToHost, Pageable}};
  const HostMemory OtherMemory = K.Memory == Pinned ? Pageable : Pinned;
  const Way OtherWay =
      K.Way == Way::HostToDevice ? Way::DeviceToHost : Way::HostToDevice;
  return {K,
          {K.Way, OtherMemory},
          {OtherWay, K.Memory},
          {OtherWay, OtherMemory},
          Peer};
}

Link::Timing Link::timing(TransferWay Way, HostMemory Memory) const {
  Timing T;
  double Efficiency = 1;
  // What the nearest kind says that says anything, and whether it is another.
  auto Choose = [&](Quantity TransferNumbers::*Number, double &Into) {
    bool IsFirst = true;
    for (const TransferKind &K : nearestKinds({Way, Memory})) {
      const Quantity &Q = Transfers[size_t(K.Way)][size_t(K.Memory)].*Number;
      if (Q) {
        Into = *Q;
        return !IsFirst;
      }
      IsFirst = false;
    }
    return true;
  };
  T.StartupIsAssumed = Choose(&TransferNumbers::StartupUs, T.StartupSeconds);
  T.EfficiencyIsAssumed = Choose(&TransferNumbers::Efficiency, Efficiency);
  T.StartupSeconds /= 1e6;
  T.BytesPerSecond = *BandwidthGBs * 1e9 * Efficiency;
  return T;
}

double ptxpredict::transferSeconds(const Link::Timing &T, double Bytes) {
  return T.StartupSeconds + Bytes / T.BytesPerSecond;
}

double ptxpredict::laneGBs(double GTPerSecond, unsigned DataBits,
                           unsigned WireBits) {
  return GTPerSecond * DataBits / WireBits / 8;
}
