//===- Link.h - What moves bytes between places -----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_SCENARIO_SYSTEM_LINK_H
#define PTXPREDICT_SCENARIO_SYSTEM_LINK_H

#include "ptxpredict/Device/Device.h"

namespace ptxpredict {

/// Which way bytes go.
enum class TransferWay : uint8_t { HostToDevice, DeviceToHost, PeerToPeer };
constexpr unsigned NumTransferWays = 3;
/// "h2d", "d2h", "p2p"
StringRef toString(TransferWay Way);

/// What memory of a host is copied from or to.
enum class HostMemory : uint8_t { Pageable, Pinned };
constexpr unsigned NumHostMemories = 2;
/// "pageable", "pinned"
StringRef toString(HostMemory Memory);

/// What a file says of transfers of one kind.
struct TransferNumbers {
  Quantity StartupUs;
  Quantity Efficiency; ///< achieved over nominal bandwidth, above 0, at most 1
};

/// A choice of how to send, of messages from a size on.
struct LinkPolicy {
  std::string Name; ///< "put"
  uint64_t FromBytes = 0;
  Quantity LatencyFactor; ///< on the time of a message
  Quantity EnergyFactor;  ///< on the energy of it
};

/// What the bandwidth of PCI Express is computed from.
struct LinkLanes {
  Quantity GTPerSecond; ///< 1e9 transfers a second, of a lane
  unsigned DataBits = 1, WireBits = 1, Lanes = 1;
};

/// "schema" and "version" of a link's file. The version rises when a key is
/// renamed, taken away or required anew.
constexpr StringRef LinkSchemaName = "ptx-predict/link";
constexpr unsigned LinkSchemaVersion = 1;

/// A kind of link as its YAML file describes it.
class Link {
public:
  std::string Name;        ///< "pcie3-x16"
  std::string Description; ///< "PCI Express 3.0, 16 lanes"
  std::string Source;      ///< of the numbers that name no other
  /// Nominal, of one direction, in GB/s (1e9 bytes). Never empty.
  Quantity BandwidthGBs;
  std::optional<LinkLanes> Lanes; ///< of PCI Express
  /// By TransferWay and HostMemory; of PeerToPeer the first alone.
  TransferNumbers Transfers[NumTransferWays][NumHostMemories];
  Quantity IdleW, ActiveW; ///< of one such link with both of its ends
  Quantity MTBFHours;
  std::vector<LinkPolicy> Policies;

  /// What a transfer of one kind takes, every choice made.
  struct Timing {
    double StartupSeconds = 0;
    double BytesPerSecond = 0; ///< bandwidth times efficiency
    /// No file has this kind's startup, or its efficiency: that of the nearest
    /// kind stands for it, or 0 and 1 where there is none.
    bool StartupIsAssumed = false, EfficiencyIsAssumed = false;
  };
  Timing timing(TransferWay Way, HostMemory Memory) const;
};

/// Startup and n over bandwidth and efficiency, in seconds (Gajger, (5.5)).
double transferSeconds(const Link::Timing &T, double Bytes);

/// What a lane of so many GT/s moves in one direction, in GB/s:
/// transfers times bits of data over bits on the wire, over 8 (Gajger, Table
/// 4.3).
double laneGBs(double GTPerSecond, unsigned DataBits, unsigned WireBits);

/// Reads the link in the engine's buffer. Null on error (reported).
std::unique_ptr<Link> parseLink(DiagnosticEngine &Diags);
/// The link as YAML, with its sources.
void printLink(const Link &L, raw_ostream &OS);

/// Links that the program carries and those of files; parses what is asked for,
/// once. They live as long as the registry. Not thread-safe.
class LinkRegistry {
public:
  /// Adds a file's link; it goes before an embedded one of its name. True on
  /// error (reported).
  bool addFile(DiagnosticEngine &Diags);
  /// The link of that name, or an error that names the nearest one.
  Expected<const Link *> find(StringRef Name);
  /// Names of all links, sorted.
  std::vector<std::string> names() const;

private:
  std::map<std::string, std::unique_ptr<Link>, std::less<>> Loaded;
  /// What a file's link of the same name stands in for; somebody may have it.
  std::vector<std::unique_ptr<Link>> Replaced;
};

} // namespace ptxpredict

#endif // PTXPREDICT_SCENARIO_SYSTEM_LINK_H
