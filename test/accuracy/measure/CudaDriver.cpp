//===- CudaDriver.cpp - The CUDA driver, loaded at run time ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaDriver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <dlfcn.h>

using namespace ptxpredict;
using namespace ptxpredict::measure;

/// The function of that name in a library; null if it has none.
template <typename FnT>
static FnT findFunction(void *Library, const char *Name) {
  return reinterpret_cast<FnT>(::dlsym(Library, Name));
}

Expected<std::unique_ptr<CudaDriver>> CudaDriver::load(StringRef Path) {
  const std::string File = Path.empty() ? "libcuda.so.1" : Path.str();
  void *Library = ::dlopen(File.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    const char *Why = ::dlerror();
    return failure("no CUDA driver: " + Twine(Why ? Why : File.c_str()) +
                   "; this needs an NVIDIA GPU with its driver. Without one "
                   "--rehearse runs everything against a stub");
  }
  auto Driver = std::make_unique<CudaDriver>();
  constexpr StringRef Always = "";
#define CUDA_FUNCTION(MEMBER, SYMBOL, NEED, ...)                               \
  Driver->MEMBER = findFunction<decltype(Driver->MEMBER)>(Library, SYMBOL);    \
  if (!Driver->MEMBER && StringRef(NEED) == Always)                            \
    return failure(Twine(File) + " has no function " + SYMBOL +                \
                   ": it is no CUDA driver, or one before release 11.0");
#include "CudaFunctions.def"
  return Driver;
}

std::string CudaDriver::describe(cuda::Result R) const {
  const char *Name = nullptr, *Text = nullptr;
  (void)GetErrorName(R, &Name);
  (void)GetErrorString(R, &Text);
  return (Name ? std::string(Name) : "error " + std::to_string(R)) +
         (Text ? " (" + std::string(Text) + ")" : "");
}

bool measure::isSticky(cuda::Result R) {
  static constexpr cuda::Result Sticky[] = {
      cuda::EccUncorrectable,      cuda::IllegalAddress,
      cuda::LaunchTimeout,         cuda::AssertFailed,
      cuda::HardwareStackError,    cuda::IllegalInstruction,
      cuda::MisalignedAddress,     cuda::InvalidAddressSpace,
      cuda::InvalidProgramCounter, cuda::LaunchFailed};
  return llvm::is_contained(Sticky, R);
}

// NVML, as "NVML API Reference Guide" describes it. All functions return 0 if
// they succeed.

template <typename FnT>
FnT Management::function(const char *Name) const {
  return Library ? findFunction<FnT>(Library, Name) : nullptr;
}

Management::Management(StringRef Path, StringRef PciAddress) {
  const std::string File = Path.empty() ? "libnvidia-ml.so.1" : Path.str();
  Library = ::dlopen(File.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto Init = function<int (*)()>("nvmlInit_v2");
  const auto Find = function<int (*)(const char *, void **)>(
      "nvmlDeviceGetHandleByPciBusId_v2");
  if (!Init || !Find || Init() != 0 ||
      Find(PciAddress.str().c_str(), &Device) != 0)
    Device = nullptr;
}

Management::~Management() {
  unlockCore();
  unlockMemory();
  if (const auto Shutdown = function<int (*)()>("nvmlShutdown"))
    (void)Shutdown();
  if (Library)
    (void)::dlclose(Library);
}

std::string Management::driverVersion() const {
  char Text[96] = {};
  const auto Get =
      function<int (*)(char *, unsigned)>("nvmlSystemGetDriverVersion");
  return Device && Get && Get(Text, sizeof(Text)) == 0 ? Text : "";
}

unsigned Management::clock(unsigned Domain) const {
  unsigned MHz = 0;
  const auto Get =
      function<int (*)(void *, unsigned, unsigned *)>("nvmlDeviceGetClockInfo");
  return Device && Get && Get(Device, Domain, &MHz) == 0 ? MHz : 0;
}

unsigned Management::maxCoreMHz() const {
  unsigned MHz = 0;
  const auto Get = function<int (*)(void *, unsigned, unsigned *)>(
      "nvmlDeviceGetMaxClockInfo");
  return Device && Get && Get(Device, 1, &MHz) == 0 ? MHz : 0;
}

double Management::watts() const {
  unsigned Milliwatts = 0;
  const auto Get =
      function<int (*)(void *, unsigned *)>("nvmlDeviceGetPowerUsage");
  return Device && Get && Get(Device, &Milliwatts) == 0 ? Milliwatts / 1000.0
                                                        : 0;
}

double Management::powerLimitWatts() const {
  unsigned Milliwatts = 0;
  const auto Get =
      function<int (*)(void *, unsigned *)>("nvmlDeviceGetEnforcedPowerLimit");
  return Device && Get && Get(Device, &Milliwatts) == 0 ? Milliwatts / 1000.0
                                                        : 0;
}

bool Management::lockCore(unsigned MHz) {
  const auto Lock = function<int (*)(void *, unsigned, unsigned)>(
      "nvmlDeviceSetGpuLockedClocks");
  const bool IsNow = Device && Lock && Lock(Device, MHz, MHz) == 0;
  IsLocked |= IsNow; // a former lock holds
  return IsNow;
}

void Management::unlockCore() {
  const auto Reset =
      function<int (*)(void *)>("nvmlDeviceResetGpuLockedClocks");
  if (IsLocked && Reset)
    (void)Reset(Device);
  IsLocked = false;
}

bool Management::lockMemory(unsigned MHz) {
  const auto Lock = function<int (*)(void *, unsigned, unsigned)>(
      "nvmlDeviceSetMemoryLockedClocks");
  const bool IsNow = Device && Lock && Lock(Device, MHz, MHz) == 0;
  IsMemoryLocked |= IsNow;
  return IsNow;
}

void Management::unlockMemory() {
  const auto Reset =
      function<int (*)(void *)>("nvmlDeviceResetMemoryLockedClocks");
  if (IsMemoryLocked && Reset)
    (void)Reset(Device);
  IsMemoryLocked = false;
}
