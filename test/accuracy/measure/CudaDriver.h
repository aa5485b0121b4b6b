//===- CudaDriver.h - The CUDA driver, loaded at run time -------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What the program uses of the driver's interface, as "CUDA Driver API"
// describes it: no header of the toolkit is needed to build it, and no GPU.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MEASURE_CUDADRIVER_H
#define PTXPREDICT_MEASURE_CUDADRIVER_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace ptxpredict::measure {

/// An error with that message.
inline Error failure(const llvm::Twine &Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
}

/// Types and numbers of the driver's interface, under its own names without
/// their prefix.
namespace cuda {

using Result = int; ///< 0 is success
using Device = int;
using Pointer = uint64_t; ///< in the device's memory
using TextureObject = uint64_t;
using Context = struct ContextState *;
using LoadedModule = struct ModuleState *;
using Function = struct FunctionState *;
using Stream = struct StreamState *;
using Event = struct EventState *;

// Results after which a process can do nothing more with its context.
constexpr Result Success = 0, OutOfMemory = 2, NoDevice = 100;
constexpr Result EccUncorrectable = 214, IllegalAddress = 700,
                 LaunchTimeout = 702, AssertFailed = 710,
                 HardwareStackError = 714, IllegalInstruction = 715,
                 MisalignedAddress = 716, InvalidAddressSpace = 717,
                 InvalidProgramCounter = 718, LaunchFailed = 719,
                 NotReady = 600;

enum Attribute {
  MaxSharedPerBlock = 8,
  WarpSize = 10,
  ClockRate = 13, ///< kHz
  SMCount = 16,
  MemoryClockRate = 36, ///< kHz
  MemoryBusWidth = 37,
  L2Bytes = 38,
  MaxThreadsPerSM = 39,
  CapabilityMajor = 75,
  CapabilityMinor = 76,
  SharedPerSM = 81,
  RegistersPerSM = 82,
  MaxSharedOptIn = 97,
  MaxBlocksPerSM = 106,
};
enum FunctionAttribute { LocalBytes = 3, NumRegisters = 4 };
enum FunctionSetting { MaxDynamicShared = 8, NonPortableCluster = 14 };
enum JitOption { ErrorLog = 5, ErrorLogBytes = 6 };
enum Limit { StackBytes = 0 };

/// A launch with attributes (cuLaunchKernelEx).
struct LaunchAttribute {
  int Id; ///< 4: dimensions of clusters
  char Padding[4];
  union {
    struct {
      unsigned X, Y, Z;
    } Cluster;
    char Bytes[64];
  } Value;
};
struct LaunchConfiguration {
  unsigned GridX, GridY, GridZ, BlockX, BlockY, BlockZ, SharedBytes;
  Stream OnStream;
  LaunchAttribute *Attributes;
  unsigned NumAttributes;
};
constexpr int ClusterDimension = 4;

/// What a texture is made of: here memory of one channel.
struct ResourceDescription {
  int Kind; ///< 2: linear memory
  union {
    struct {
      Pointer Begin;
      int Format; ///< 0x20: float
      unsigned Channels;
      size_t Bytes;
    } Linear;
    int Reserved[32];
  } Of;
  unsigned Flags;
};
struct TextureDescription {
  int AddressModes[3];
  int FilterMode;
  unsigned Flags, MaxAnisotropy;
  int MipmapFilterMode;
  float MipmapBias, MinLevel, MaxLevel;
  float BorderColor[4];
  int Reserved[12];
};

struct alignas(64) TensorMap {
  uint64_t Opaque[16];
};

} // namespace cuda

/// The functions; null are those that an older driver may lack.
struct CudaDriver {
#define CUDA_FUNCTION(MEMBER, SYMBOL, NEED, ...)                               \
  cuda::Result (*MEMBER)(__VA_ARGS__) = nullptr;
#include "CudaFunctions.def"

  /// Loads the library, the file \p Path or the system's where it is empty. The
  /// error says what is missing and what to do.
  static Expected<std::unique_ptr<CudaDriver>> load(StringRef Path);

  /// "CUDA_ERROR_OUT_OF_MEMORY (out of memory)"
  std::string describe(cuda::Result R) const;
};

/// Whether a result leaves the context of the process of no use.
bool isSticky(cuda::Result R);

/// What the management library says of a device; it may be missing.
class Management {
public:
  /// The device with that PCI address. Nothing is read without the library.
  Management(StringRef Path, StringRef PciAddress);
  ~Management();
  Management(const Management &) = delete;
  Management &operator=(const Management &) = delete;

  bool isThere() const { return Device != nullptr; }
  std::string driverVersion() const; ///< empty if unknown
  // 0 if unknown.
  unsigned coreMHz() const { return clock(/*Domain=*/1); }
  unsigned memoryMHz() const { return clock(/*Domain=*/2); }
  unsigned maxCoreMHz() const;
  double watts() const;
  double powerLimitWatts() const;
  /// Keeps the core clock until unlock(). False if that is not allowed.
  bool lockCore(unsigned MHz);
  void unlockCore();
  // The same of the memory clock.
  bool lockMemory(unsigned MHz);
  void unlockMemory();

private:
  unsigned clock(unsigned Domain) const;
  template <typename FnT>
  FnT function(const char *Name) const;

  void *Library = nullptr;
  void *Device = nullptr;
  bool IsLocked = false, IsMemoryLocked = false;
};

} // namespace ptxpredict::measure

#endif // PTXPREDICT_MEASURE_CUDADRIVER_H
