//===- Gpu.h - A GPU that runs our kernels ----------------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MEASURE_GPU_H
#define PTXPREDICT_MEASURE_GPU_H

#include "CudaDriver.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <utility>
#include <vector>

namespace ptxpredict::measure {

/// What is known of the device before anything runs.
struct DeviceFacts {
  std::string Name, Driver;
  unsigned Capability = 0; ///< 90 for 9.0
  unsigned SMs = 0, CoreMHz = 0, MemoryMHz = 0;
  uint64_t L2Bytes = 0, MemoryBytes = 0;
  unsigned ThreadsPerSM = 0, SharedPerBlock = 0; ///< the most, in bytes
  /// All of them, for the table of facts.
  std::vector<std::pair<std::string, std::string>> All;
};

/// How a kernel is started.
struct LaunchExtents {
  unsigned Grid[3] = {1, 1, 1};
  unsigned Block[3] = {1, 1, 1};
  unsigned Cluster[3] = {1, 1, 1};
  unsigned DynamicShared = 0; ///< bytes
};

/// Microseconds of one launch, of several.
struct Times {
  double Median = 0, Least = 0, Most = 0;
};

class Gpu;

/// Memory of the device, freed at the end.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(const CudaDriver &Driver, cuda::Pointer Begin, size_t Bytes)
      : Driver(&Driver), Begin(Begin), Bytes(Bytes) {}
  DeviceMemory(DeviceMemory &&Other) noexcept { *this = std::move(Other); }
  DeviceMemory &operator=(DeviceMemory &&Other) noexcept {
    std::swap(Driver, Other.Driver);
    std::swap(Begin, Other.Begin);
    std::swap(Bytes, Other.Bytes);
    return *this;
  }
  ~DeviceMemory() {
    if (Driver && Begin)
      (void)Driver->MemFree(Begin);
  }
  cuda::Pointer address() const { return Begin; }
  size_t size() const { return Bytes; }

private:
  const CudaDriver *Driver = nullptr;
  cuda::Pointer Begin = 0;
  size_t Bytes = 0;
};

/// One device, its context and the modules that were loaded.
class Gpu {
public:
  static Expected<std::unique_ptr<Gpu>>
  open(std::unique_ptr<CudaDriver> Driver, StringRef ManagementPath, int Index);
  ~Gpu();

  const DeviceFacts &facts() const { return Facts; }
  const CudaDriver &driver() const { return *Driver; }
  Management &management() { return *Manager; }
  /// Nothing more can be done in this process.
  bool isBroken() const { return Broken; }

  Error check(cuda::Result R, const llvm::Twine &What);

  /// A kernel of the PTX in a file, which is loaded once; the kernel alone if
  /// the driver refuses the file.
  Expected<cuda::Function> kernel(const std::string &File, StringRef Name);
  Expected<int> attribute(cuda::Function F, cuda::FunctionAttribute Which);
  void unloadAll();

  /// Zeros.
  Expected<DeviceMemory> allocate(size_t Bytes, const llvm::Twine &What);
  Expected<size_t> freeBytes();
  Error write(cuda::Pointer To, const void *From, size_t Bytes);
  Error read(void *To, cuda::Pointer From, size_t Bytes);

  /// Lets \p F have the dynamic shared memory and the clusters of \p Shape.
  Error prepare(cuda::Function F, const LaunchExtents &Shape);
  Error launch(cuda::Function F, const LaunchExtents &Shape, void **Arguments);
  Error synchronize(const llvm::Twine &What);

  /// Runs \p Prepare and, between two events, \p Run, so often after some to
  /// warm up; fewer if that takes seconds. Each run launches \p Count times.
  Expected<Times> time(unsigned Samples, unsigned WarmUps, unsigned Count,
                       llvm::function_ref<Error()> Prepare,
                       llvm::function_ref<Error()> Run);

  /// Clocks and watts of the board, and microseconds of a run, in the mean of
  /// the last three fifths of about \p Seconds of \p Run over and over; 0 if
  /// unknown.
  struct Readings {
    double CoreMHz = 0, MemoryMHz = 0, Watts = 0, Microseconds = 0;
  };
  Expected<Readings> watch(double Seconds, llvm::function_ref<Error()> Run);

private:
  /// Microseconds of one of so many runs.
  Expected<double> timeOnce(unsigned Count, llvm::function_ref<Error()> Run);
  Gpu(std::unique_ptr<CudaDriver> Driver) : Driver(std::move(Driver)) {}
  Error findFacts(int Index, StringRef ManagementPath);
  void findAttributes();
  Error load(StringRef Code, const std::string &File, cuda::LoadedModule &Into);
  Expected<cuda::LoadedModule> module(const std::string &File, StringRef Name);
  void fact(StringRef Name, cuda::Attribute Which, unsigned *Into = nullptr,
            unsigned Per = 1);

  std::unique_ptr<CudaDriver> Driver;
  std::unique_ptr<Management> Manager;
  DeviceFacts Facts;
  cuda::Device Device = 0;
  int CudaVersion = 0; ///< 13000 for 13.0
  bool Broken = false;
  /// By file, and by FILE#KERNEL where the file as a whole is refused.
  std::map<std::string, cuda::LoadedModule> Modules;
  std::map<std::string, std::string> Refused; ///< why, by file
};

} // namespace ptxpredict::measure

#endif // PTXPREDICT_MEASURE_GPU_H
