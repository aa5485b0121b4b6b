//===- Cuda.cpp - A stub of the CUDA driver -------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The functions of CudaFunctions.def, and those of the management library, so
// that `measure` runs from end to end without a GPU.
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include <cstdio>
#include <cstring>

using namespace stub;

static constexpr int Success = 0, InvalidValue = 1, OutOfMemory = 2,
                     NoDevice = 100, InvalidPTX = 218, NotFound = 500,
                     OutOfResources = 701;

static int result() { return Machine::get().fault(); }

/// Events are moments.
struct Event {
  double Ns = 0;
};

static void copyText(char *To, int Size, const char *From) {
  (void)std::snprintf(To, size_t(Size), "%s", From);
}

static int launch(const Kernel *K, uint64_t Blocks, unsigned Threads,
                  void **Arguments) {
  if (setting("fail") == K->Name)
    return OutOfResources;
  if (Threads > K->MostThreads)
    return InvalidValue;
  if (result() != Success)
    return result();
  Machine::get().launch({K, Blocks, Threads, Arguments});
  return Success;
}

// The interface's names.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

int cuInit(unsigned) { return setting("device") == "none" ? NoDevice : 0; }

int cuDriverGetVersion(int *Version) {
  *Version = 13000;
  return Success;
}

int cuGetErrorName(int Error, const char **Name) {
  switch (Error) {
  case OutOfMemory:
    *Name = "CUDA_ERROR_OUT_OF_MEMORY";
    return Success;
  case NoDevice:
    *Name = "CUDA_ERROR_NO_DEVICE";
    return Success;
  case InvalidPTX:
    *Name = "CUDA_ERROR_INVALID_PTX";
    return Success;
  case NotFound:
    *Name = "CUDA_ERROR_NOT_FOUND";
    return Success;
  case 700:
    *Name = "CUDA_ERROR_ILLEGAL_ADDRESS";
    return Success;
  case InvalidValue:
    *Name = "CUDA_ERROR_INVALID_VALUE";
    return Success;
  case OutOfResources:
    *Name = "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES";
    return Success;
  default:
    *Name = nullptr;
    return InvalidValue;
  }
}

int cuGetErrorString(int, const char **Text) {
  *Text = "said by the stub";
  return Success;
}

int cuDeviceGetCount(int *Count) {
  *Count = Machine::get().gpus();
  return Success;
}

int cuDeviceGet(int *Device, int Index) {
  *Device = Index;
  return Success;
}

int cuDeviceGetName(char *Name, int Size, int) {
  copyText(Name, Size, "Made-up GPU");
  return Success;
}

int cuDeviceGetAttribute(int *Value, int Attribute, int) {
  const unsigned Capability = Machine::get().capability();
  switch (Attribute) {
  case 8: // shared memory of a block
    *Value = 48 << 10;
    return Success;
  case 13: // clocks
  case 36:
    *Value = Attribute == 13 ? 1000000 : 1500000;
    return Success;
  case 16:
    *Value = int(SMs);
    return Success;
  case 37: // the bus
    *Value = 1024;
    return Success;
  case 38:
    *Value = int(L2Bytes);
    return Success;
  case 39: // threads of an SM
    *Value = 2048;
    return Success;
  case 75:
    *Value = int(Capability / 10);
    return Success;
  case 76:
    *Value = int(Capability % 10);
    return Success;
  case 81: // shared memory of an SM
    *Value = 228 << 10;
    return Success;
  case 82: // registers
    *Value = 65536;
    return Success;
  case 97:
    *Value = 227 << 10;
    return Success;
  case 106: // blocks
    *Value = 32;
    return Success;
  default:
    return InvalidValue;
  }
}

int cuDeviceTotalMem_v2(size_t *Bytes, int) {
  *Bytes = Machine::get().memoryBytes();
  return Success;
}

int cuDeviceGetPCIBusId(char *Text, int Size, int) {
  copyText(Text, Size, "0000:00:00.0");
  return Success;
}

int cuDevicePrimaryCtxRetain(void **Context, int) {
  static int Only;
  *Context = &Only;
  return Success;
}
int cuDevicePrimaryCtxRelease_v2(int) { return Success; }
int cuCtxSetCurrent(void *) { return Success; }
int cuCtxGetCurrent(void **Context) {
  return cuDevicePrimaryCtxRetain(Context, 0);
}
int cuDeviceCanAccessPeer(int *CanAccess, int, int) {
  *CanAccess = 1;
  return Success;
}
int cuCtxEnablePeerAccess(void *, unsigned) { return Success; }
int cuCtxSetLimit(int, size_t) { return Success; }

int cuCtxSynchronize() {
  Machine::get().wait();
  return result();
}

int cuModuleLoadDataEx(Module **Loaded, const void *Text, unsigned Count,
                       int *Options, void **Values) {
  constexpr int ErrorLog = 5;
  *Loaded = Machine::get().load(static_cast<const char *>(Text));
  if (*Loaded)
    return result();
  for (unsigned I = 0; I != Count; ++I)
    if (Options[I] == ErrorLog)
      copyText(static_cast<char *>(Values[I]), 64,
               "ptxas: the stub was told to refuse this\n");
  return InvalidPTX;
}
int cuModuleUnload(Module *) { return Success; }

int cuModuleGetFunction(const Kernel **Function, Module *M, const char *Name) {
  const auto It = M->Kernels.find(Name);
  if (It == M->Kernels.end())
    return NotFound;
  *Function = &It->second;
  return Success;
}

int cuFuncGetAttribute(int *Value, int Attribute, const Kernel *) {
  constexpr int Registers = 4;
  *Value = Attribute == Registers ? 32 : 0;
  return Success;
}
int cuFuncSetAttribute(const Kernel *, int, int) { return Success; }

int cuMemGetInfo_v2(size_t *Free, size_t *All) {
  *Free = Machine::get().freeBytes();
  *All = Machine::get().memoryBytes();
  return Success;
}

int cuMemAlloc_v2(Address *At, size_t Bytes) {
  if (result() != Success)
    return result();
  *At = Machine::get().allocate(Bytes);
  return *At ? Success : OutOfMemory;
}

int cuMemFree_v2(Address At) {
  Machine::get().free(At);
  return Success;
}

int cuMemsetD8_v2(Address To, unsigned char Value, size_t Bytes) {
  std::memset(To, Value, Bytes);
  return result();
}

int cuMemcpyHtoD_v2(Address To, const void *From, size_t Bytes) {
  Machine::get().copy(To, From, Bytes, Machine::Copy::Pageable);
  return result();
}

int cuMemcpyDtoH_v2(void *To, Address From, size_t Bytes) {
  Machine::get().copy(To, From, Bytes, Machine::Copy::Pageable);
  return result();
}

int cuMemAllocHost_v2(void **At, size_t Bytes) {
  *At = std::calloc(Bytes, 1);
  return *At ? result() : OutOfMemory;
}

int cuMemFreeHost(void *At) {
  std::free(At);
  return Success;
}

int cuMemcpyHtoDAsync_v2(Address To, const void *From, size_t Bytes, void *) {
  Machine::get().copy(To, From, Bytes, Machine::Copy::Pinned);
  return result();
}

int cuMemcpyDtoHAsync_v2(void *To, Address From, size_t Bytes, void *) {
  Machine::get().copy(To, From, Bytes, Machine::Copy::Pinned);
  return result();
}

int cuMemcpyPeerAsync(Address To, void *, Address From, void *, size_t Bytes,
                      void *) {
  Machine::get().copy(To, From, Bytes, Machine::Copy::Peer);
  return result();
}

int cuMemcpyDtoDAsync_v2(Address To, Address From, size_t Bytes, void *) {
  std::memcpy(To, From, Bytes);
  return result();
}

int cuLaunchKernel(const Kernel *K, unsigned GridX, unsigned GridY,
                   unsigned GridZ, unsigned BlockX, unsigned BlockY,
                   unsigned BlockZ, unsigned, void *, void **Arguments,
                   void **) {
  return launch(K, uint64_t(GridX) * GridY * GridZ, BlockX * BlockY * BlockZ,
                Arguments);
}

int cuEventCreate(Event **E, unsigned) {
  *E = new Event;
  return Success;
}

int cuEventDestroy_v2(Event *E) {
  delete E;
  return Success;
}

int cuEventRecord(Event *E, void *) {
  E->Ns = Machine::get().nowNs();
  return result();
}

int cuEventQuery(Event *) { return result(); }

int cuEventSynchronize(Event *) {
  Machine::get().wait();
  return result();
}

int cuEventElapsedTime(float *Milliseconds, Event *Begin, Event *End) {
  *Milliseconds = float((End->Ns - Begin->Ns) / 1e6);
  return result();
}

int cuTexObjectCreate(uint64_t *Object, const void *, const void *,
                      const void *) {
  *Object = 1;
  return Success;
}
int cuTexObjectDestroy(uint64_t) { return Success; }

#ifndef PTXPREDICT_STUB_IS_OLD // what drivers before CUDA 11.8 lack

int cuLaunchKernelEx(const unsigned *Config, const Kernel *K, void **Arguments,
                     void **) {
  // Grid and block stand first.
  return launch(K, uint64_t(Config[0]) * Config[1] * Config[2],
                Config[3] * Config[4] * Config[5], Arguments);
}

int cuTensorMapEncodeTiled(void *Map, int, unsigned Rank, Address At,
                           const uint64_t *, const uint64_t *,
                           const unsigned *Box, const unsigned *, int, int, int,
                           int) {
  constexpr unsigned MostRows = 256;
  for (unsigned I = 0; I != Rank; ++I)
    if (Box[I] == 0 || Box[I] > MostRows)
      return InvalidValue;
  std::memset(Map, 0, 128);
  std::memcpy(Map, static_cast<const void *>(&At), sizeof(At));
  return Success;
}

#endif

int ptxpredictStubPlay(Address To, const void *From, size_t Bytes) {
  Machine::get().play(To, From, Bytes);
  return Success;
}

// The management library.

int nvmlInit_v2() { return Success; }
int nvmlShutdown() { return Success; }

int nvmlDeviceGetHandleByPciBusId_v2(const char *, void **Device) {
  static int Only;
  *Device = &Only;
  return Success;
}

int nvmlSystemGetDriverVersion(char *Text, unsigned Size) {
  copyText(Text, int(Size), "made up");
  return Success;
}

int nvmlDeviceGetClockInfo(void *, unsigned Domain, unsigned *MHz) {
  *MHz = Domain == 2 ? 1500 : 1000;
  return Success;
}

int nvmlDeviceGetMaxClockInfo(void *, unsigned, unsigned *MHz) {
  *MHz = 1000;
  return Success;
}

int nvmlDeviceGetPowerUsage(void *, unsigned *Milliwatts) {
  if (setting("power") == "none")
    return InvalidValue;
  *Milliwatts = Machine::get().watts() * 1000;
  return Success;
}

int nvmlDeviceGetEnforcedPowerLimit(void *, unsigned *Milliwatts) {
  *Milliwatts = 300000;
  return Success;
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
