//===- Device.h - What a GPU is ---------------------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_DEVICE_DEVICE_H
#define PTXPREDICT_DEVICE_DEVICE_H

#include "ptxpredict/Support/Diagnostics.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ptxpredict {

/// A number of a device file, with where it comes from. Units are those of the
/// field (DeviceFields.def); a file may state them, and must then agree.
struct Quantity {
  std::optional<double> Value;
  /// Never empty when there is a value, but of a registry that drops sources.
  std::string Source;
  std::string Unit; ///< of a model's parameter, as the file states it
  /// The device or base that has it and gave it to this one; empty for this
  /// one's own, and where sources are dropped.
  std::string From = {};
  explicit operator bool() const { return Value.has_value(); }
  double operator*() const { return *Value; }
};

/// `clocks: {memory_states: …}`.
struct MemoryStates {
  std::vector<double> MHz;  ///< as nvidia-smi prints them; empty if unknown
  std::string Source, From; ///< as of a Quantity
};

/// A device as its YAML file describes it, `inherits:` resolved. Every field of
/// DeviceFields.def is a Quantity member; those marked required there always
/// have a value.
class Device {
public:
  std::string Name;        ///< "h100-sxm"
  std::string Description; ///< "NVIDIA H100 SXM5 80 GB"
  std::string Inherits;    ///< as written; empty without
  /// Other names that --device takes: "h100". None of another device.
  std::vector<std::string> Aliases;
  bool Abstract = false; ///< a base of embedded devices, not one itself
  /// `kind: cpu`: its SMs are cores, its warps vectors. Limits that a CPU does
  /// not have are then as large as a file may say.
  bool IsCPU = false;
  unsigned ComputeCapability = 0; ///< 90 for 9.0, 13 for 1.3; 0 of a CPU

#define DEVICE_FIELD(SECTION, MEMBER, KEY, UNIT, REQUIRED, MEANING)            \
  Quantity MEMBER;
#include "ptxpredict/Device/DeviceFields.def"

  /// The memory clocks that the board can be locked at with all core clocks.
  ptxpredict::MemoryStates MemoryStates;

  /// Which coalescing rule the device has: "cc10", "cc12", "cc20" or "sector".
  std::string AccessRule;
  /// `models: {mwp-cwp: {key: …}}`.
  std::map<std::string, std::map<std::string, Quantity, std::less<>>,
           std::less<>>
      ModelParameters;

  /// L1 and shared memory are one; false where the file has no L1.
  bool hasUnifiedL1() const { return L1Bytes && *L1Bytes >= *SharedBytesPerSM; }

  /// A model's parameter, null if the file has none.
  const Quantity *modelParameter(StringRef Model, StringRef Key) const;
};

/// One number of DeviceFields.def.
struct DeviceField {
  StringRef Section, Key, Unit;
  bool Required;
  StringRef Meaning;
  Quantity Device::*Member;
};
/// The numbers of a device file, in the order of DeviceFields.def.
ArrayRef<DeviceField> deviceFields();

/// Reads the device in the engine's buffer; `inherits:` may name an embedded
/// device or base, or one of \p Known, which goes first. Null on error
/// (reported).
std::unique_ptr<Device> parseDevice(DiagnosticEngine &Diags,
                                    ArrayRef<const Device *> Known = {});

/// The device as YAML, with its sources. What it inherits is written out, so
/// that it reads back as the same device anywhere.
void printDevice(const Device &D, raw_ostream &OS);

/// The devices that the program carries, sorted by name. Cheap: nothing is
/// parsed.
ArrayRef<StringRef> embeddedDeviceNames();

/// Another name of an embedded device.
struct DeviceAlias {
  StringRef Alias; ///< "h100"
  StringRef Name;  ///< "h100-sxm"
};
/// The `aliases:` of embedded devices, sorted. Cheap: nothing is parsed.
ArrayRef<DeviceAlias> embeddedDeviceAliases();

/// Embedded devices and those of --device-file; parses what is asked for, once:
/// embedded ones for all registries that have no others. The devices live as
/// long as the registry. Not thread-safe.
class DeviceRegistry {
public:
  /// Whether embedded devices say where their numbers come from. Without that
  /// they are read three times as fast.
  enum class Sources : uint8_t { Kept, Dropped };

  explicit DeviceRegistry(Sources OfEmbedded = Sources::Kept)
      : OfEmbedded(OfEmbedded) {}

  /// Adds a device file's device; it goes before an embedded one of its name,
  /// which it may inherit. True on error (reported).
  bool addFile(DiagnosticEngine &Diags);

  /// The device that \p Name means, or an error that names the nearest one, or
  /// those that it may mean. In this order: its name; an alias; without regard
  /// to case, '-', '_', blanks and a maker's name in front, a name or alias;
  /// the only one that begins so; the only one that ends so behind a dash, as
  /// "4090" of "rtx-4090"; the only one with a part that begins so.
  Expected<const Device *> find(StringRef Name);
  /// The same for what a program calls a device: the beginning or a part of a
  /// name may be another one's.
  Expected<const Device *> findWhole(StringRef Name);

  /// Names of all devices, added ones included, sorted.
  std::vector<std::string> names() const;

private:
  Expected<std::string> resolve(StringRef Asked, bool IsWhole) const;
  Expected<const Device *> find(StringRef Name, bool IsWhole);

  Sources OfEmbedded;
  std::vector<std::unique_ptr<Device>> Storage;
  /// Of files, and what these inherit.
  std::map<std::string, const Device *, std::less<>> Loaded;
};

/// What a message says of a device that \p Asked found by other than its name:
/// "h100-sxm is taken"; empty if it is the name.
std::string takenInPlace(StringRef Asked, const Device &Found);

/// The device that stands for a compute capability (docs/commands/Predict.md,
/// "Defaults"): 70 v100, 75 t4, 80 a100-80gb, … the nearest lower one;
/// "h100-sxm" for 0 or anything older.
StringRef representativeDevice(unsigned ComputeCapability);

} // namespace ptxpredict

#endif // PTXPREDICT_DEVICE_DEVICE_H
