//===- Gpu.cpp - A GPU that runs our kernels ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Gpu.h"
#include "PTXHeader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <array>

using namespace ptxpredict;
using namespace ptxpredict::measure;
using llvm::Twine;

Error Gpu::check(cuda::Result R, const Twine &What) {
  if (R == cuda::Success)
    return Error::success();
  Broken |= isSticky(R);
  return failure(What + ": " + Driver->describe(R));
}

void Gpu::fact(StringRef Name, cuda::Attribute Which, unsigned *Into,
               unsigned Per) {
  int Value = 0;
  if (Driver->DeviceGetAttribute(&Value, Which, Device) != cuda::Success)
    return; // newer than the driver
  if (Into)
    *Into = unsigned(Value) / Per;
  Facts.All.emplace_back(Name, std::to_string(unsigned(Value) / Per));
}

Error Gpu::findFacts(int Index, StringRef ManagementPath) {
  int Count = 0;
  if (Error E = check(Driver->Init(0), "the driver does not start"))
    return E;
  if (Error E = check(Driver->DeviceGetCount(&Count), "counting GPUs"))
    return E;
  if (Index >= Count)
    return failure("there is no GPU " + Twine(Index) + "; the driver has " +
                   Twine(Count) + ", counted from 0");
  std::array<char, 256> Name = {};
  std::array<char, 32> Address = {};
  size_t Bytes = 0;
  int Version = 0;
  for (const auto &[Result, What] :
       {std::pair(Driver->DeviceGet(&Device, Index), "the GPU"),
        std::pair(Driver->DeviceGetName(Name.data(), int(Name.size()), Device),
                  "its name"),
        std::pair(Driver->DeviceGetPCIBusId(Address.data(), int(Address.size()),
                                            Device),
                  "its address"),
        std::pair(Driver->DeviceTotalMem(&Bytes, Device), "its memory"),
        std::pair(Driver->DriverGetVersion(&Version), "the driver's version")})
    if (Error E = check(Result, What))
      return E;
  Manager = std::make_unique<Management>(ManagementPath, Address.data());
  Facts.Name = Name.data();
  Facts.MemoryBytes = Bytes;
  CudaVersion = Version;
  const std::string Cuda = std::to_string(Version / 1000) + "." +
                           std::to_string(Version % 1000 / 10);
  Facts.Driver = Manager->driverVersion();
  if (Facts.Driver.empty())
    Facts.Driver = "CUDA " + Cuda;

  Facts.All = {{"name", Facts.Name},
               {"driver", Facts.Driver},
               {"cuda", Cuda},
               {"pci_address", Address.data()},
               {"memory_bytes", std::to_string(Bytes)},
               {"gpus", std::to_string(Count)}};
  findAttributes();
  return Error::success();
}

void Gpu::findAttributes() {
  unsigned Major = 0, Minor = 0, L2 = 0;
  fact("capability_major", cuda::CapabilityMajor, &Major);
  fact("capability_minor", cuda::CapabilityMinor, &Minor);
  fact("sms", cuda::SMCount, &Facts.SMs);
  fact("core_mhz", cuda::ClockRate, &Facts.CoreMHz, 1000);
  fact("memory_mhz", cuda::MemoryClockRate, &Facts.MemoryMHz, 1000);
  fact("memory_bus_bits", cuda::MemoryBusWidth);
  fact("l2_bytes", cuda::L2Bytes, &L2);
  fact("threads_per_sm", cuda::MaxThreadsPerSM, &Facts.ThreadsPerSM);
  fact("blocks_per_sm", cuda::MaxBlocksPerSM);
  fact("registers_per_sm", cuda::RegistersPerSM);
  fact("shared_bytes_per_sm", cuda::SharedPerSM);
  fact("shared_bytes_per_block", cuda::MaxSharedPerBlock,
       &Facts.SharedPerBlock);
  fact("shared_bytes_per_block_opt_in", cuda::MaxSharedOptIn,
       &Facts.SharedPerBlock);
  Facts.L2Bytes = L2;
  Facts.Capability = Major * 10 + Minor;
  if (Manager->isThere()) {
    Facts.All.emplace_back("max_core_mhz",
                           std::to_string(Manager->maxCoreMHz()));
    Facts.All.emplace_back(
        "power_limit_w", std::to_string(unsigned(Manager->powerLimitWatts())));
  }
}

Expected<std::unique_ptr<Gpu>> Gpu::open(std::unique_ptr<CudaDriver> Driver,
                                         StringRef ManagementPath, int Index) {
  std::unique_ptr<Gpu> G(new Gpu(std::move(Driver)));
  if (Error E = G->findFacts(Index, ManagementPath))
    return E;
  cuda::Context Context = nullptr;
  if (Error E = G->check(G->Driver->PrimaryCtxRetain(&Context, G->Device),
                         "a context of the GPU"))
    return E;
  if (Error E = G->check(G->Driver->CtxSetCurrent(Context), "its context"))
    return E;
  return G;
}

Gpu::~Gpu() {
  unloadAll();
  if (!Broken)
    (void)Driver->PrimaryCtxRelease(Device);
}

void Gpu::unloadAll() {
  for (const auto &[File, M] : Modules)
    (void)Driver->ModuleUnload(M);
  Modules.clear();
}

Error Gpu::load(StringRef Code, const std::string &File,
                cuda::LoadedModule &Into) {
  std::array<char, 4096> Log = {};
  std::array<int, 2> Options = {cuda::ErrorLog, cuda::ErrorLogBytes};
  std::array<uintptr_t, 2> Values = {reinterpret_cast<uintptr_t>(Log.data()),
                                     Log.size()};
  const cuda::Result R = Driver->ModuleLoadDataEx(
      &Into, fitHeader(Code, CudaVersion, Facts.Capability).c_str(),
      unsigned(Options.size()), Options.data(), Values.data());
  StringRef Why = StringRef(Log.data()).trim();
  return check(R, "loading " + File +
                      (Why.empty() ? "" : ": " + Why.split('\n').first));
}

Expected<cuda::LoadedModule> Gpu::module(const std::string &File,
                                         StringRef Name) {
  const std::string Alone = File + "#" + Name.str();
  for (const std::string &Key : {File, Alone})
    if (const auto It = Modules.find(Key); It != Modules.end())
      return It->second;
  auto Text = llvm::MemoryBuffer::getFile(File);
  if (!Text)
    return failure(File + ": " + Text.getError().message());
  cuda::LoadedModule M = nullptr;
  if (!Refused.count(File)) {
    Error E = load((*Text)->getBuffer(), File, M);
    if (!E) {
      Modules[File] = M;
      return M;
    }
    if (Broken)
      return E;
    Refused[File] = toString(std::move(E));
  }
  // One instruction that the driver does not know is no reason to do without
  // all other kernels of the file.
  const std::string Code = onlyKernel((*Text)->getBuffer(), Name);
  if (Code.empty())
    return failure(Refused[File]);
  if (Error E = load(Code, File, M)) {
    llvm::consumeError(std::move(E));
    return failure(Refused[File]);
  }
  Modules[Alone] = M;
  return M;
}

Expected<cuda::Function> Gpu::kernel(const std::string &File, StringRef Name) {
  Expected<cuda::LoadedModule> M = module(File, Name);
  if (!M)
    return M.takeError();
  cuda::Function F = nullptr;
  if (Error E = check(Driver->ModuleGetFunction(&F, *M, Name.str().c_str()),
                      "kernel " + Name + " of " + File))
    return E;
  return F;
}

Expected<int> Gpu::attribute(cuda::Function F, cuda::FunctionAttribute Which) {
  int Value = 0;
  if (Error E = check(Driver->FuncGetAttribute(&Value, Which, F),
                      "an attribute of a kernel"))
    return E;
  return Value;
}

Expected<DeviceMemory> Gpu::allocate(size_t Bytes, const Twine &What) {
  cuda::Pointer Begin = 0;
  if (Error E = check(Driver->MemAlloc(&Begin, Bytes),
                      Twine(Bytes) + " bytes for " + What))
    return E;
  DeviceMemory Memory(*Driver, Begin, Bytes);
  if (Error E = check(Driver->MemsetD8(Begin, 0, Bytes), "zeros"))
    return E;
  return Memory;
}

Expected<size_t> Gpu::freeBytes() {
  size_t Free = 0, All = 0;
  if (Error E = check(Driver->MemGetInfo(&Free, &All), "the free memory"))
    return E;
  return Free;
}

Error Gpu::write(cuda::Pointer To, const void *From, size_t Bytes) {
  return check(Driver->MemcpyHtoD(To, From, Bytes), "writing memory");
}

Error Gpu::read(void *To, cuda::Pointer From, size_t Bytes) {
  return check(Driver->MemcpyDtoH(To, From, Bytes), "reading memory");
}

Error Gpu::prepare(cuda::Function F, const LaunchExtents &Shape) {
  constexpr unsigned WithoutAsking = 48 << 10, Portable = 8;
  if (Shape.DynamicShared != 0 &&
      (Shape.DynamicShared > WithoutAsking || Facts.Capability >= 70))
    if (Error E = check(Driver->FuncSetAttribute(F, cuda::MaxDynamicShared,
                                                 int(Shape.DynamicShared)),
                        Twine(Shape.DynamicShared) +
                            " bytes of dynamic shared memory"))
      return E;
  if (Shape.Cluster[0] * Shape.Cluster[1] * Shape.Cluster[2] > Portable)
    return check(Driver->FuncSetAttribute(F, cuda::NonPortableCluster, 1),
                 "clusters of more than eight blocks");
  return Error::success();
}

Error Gpu::launch(cuda::Function F, const LaunchExtents &S, void **Arguments) {
  if (S.Cluster[0] * S.Cluster[1] * S.Cluster[2] == 1)
    return check(Driver->LaunchKernel(
                     F, S.Grid[0], S.Grid[1], S.Grid[2], S.Block[0], S.Block[1],
                     S.Block[2], S.DynamicShared, nullptr, Arguments, nullptr),
                 "a launch");
  if (!Driver->LaunchKernelEx)
    return failure(
        "the driver has no cuLaunchKernelEx, which clusters need; it comes "
        "with release 11.8 of CUDA");
  cuda::LaunchAttribute Cluster = {};
  Cluster.Id = cuda::ClusterDimension;
  Cluster.Value.Cluster = {S.Cluster[0], S.Cluster[1], S.Cluster[2]};
  const cuda::LaunchConfiguration Config = {
      S.Grid[0],  S.Grid[1],       S.Grid[2], S.Block[0], S.Block[1],
      S.Block[2], S.DynamicShared, nullptr,   &Cluster,   1};
  return check(Driver->LaunchKernelEx(&Config, F, Arguments, nullptr),
               "a launch of clusters");
}

Error Gpu::synchronize(const Twine &What) {
  return check(Driver->CtxSynchronize(), "running " + What);
}

namespace {

/// Two events of one driver.
class EventPair {
public:
  explicit EventPair(const CudaDriver &D) : D(D) {}
  EventPair(const EventPair &) = delete;
  EventPair &operator=(const EventPair &) = delete;
  ~EventPair() {
    for (cuda::Event E : {Begin, End})
      if (E)
        (void)D.EventDestroy(E);
  }
  cuda::Result create() {
    const cuda::Result R = D.EventCreate(&Begin, 0);
    return R != cuda::Success ? R : D.EventCreate(&End, 0);
  }
  /// Waits for End; \p Seconds: from Begin to it.
  cuda::Result await(double &Seconds) {
    float Milliseconds = 0;
    cuda::Result R = D.EventSynchronize(End);
    if (R == cuda::Success)
      R = D.EventElapsedTime(&Milliseconds, Begin, End);
    Seconds = double(Milliseconds) / 1000;
    return R;
  }
  cuda::Event Begin = nullptr, End = nullptr;

private:
  const CudaDriver &D;
};

} // namespace

Expected<double> Gpu::timeOnce(unsigned Count,
                               llvm::function_ref<Error()> Run) {
  EventPair Events(*Driver);
  cuda::Result R = Events.create();
  if (R == cuda::Success)
    R = Driver->EventRecord(Events.Begin, nullptr);
  for (unsigned I = 0; I != Count && R == cuda::Success; ++I)
    if (Error E = Run())
      return E;
  if (R == cuda::Success)
    R = Driver->EventRecord(Events.End, nullptr);
  double Seconds = 0;
  if (R == cuda::Success)
    R = Events.await(Seconds);
  if (Error E = check(R, "running a kernel"))
    return E;
  return Seconds * 1e6 / Count;
}

Expected<Times> Gpu::time(unsigned Samples, unsigned WarmUps, unsigned Count,
                          llvm::function_ref<Error()> Prepare,
                          llvm::function_ref<Error()> Run) {
  constexpr double Enough = 5e6; // microseconds of all samples
  std::vector<double> All;
  double Sum = 0;
  for (unsigned I = 0; I != WarmUps + Samples; ++I) {
    if (Error E = Prepare())
      return E;
    Expected<double> Us = timeOnce(Count, Run);
    if (!Us)
      return Us.takeError();
    Sum += *Us * Count;
    if (I >= WarmUps || Sum > Enough)
      All.push_back(*Us);
    if (Sum > Enough)
      break;
  }
  llvm::sort(All);
  const size_t Last = All.size() - 1;
  return Times{(All[Last / 2] + All[(Last + 1) / 2]) / 2, All.front(),
               All.back()};
}

Expected<Gpu::Readings> Gpu::watch(double Seconds,
                                   llvm::function_ref<Error()> Run) {
  // So many launches at once as take this long, so that the GPU is never idle
  // for more than a moment.
  constexpr double BatchSeconds = 0.05;
  constexpr unsigned MostLaunches = 20000;
  EventPair Events(*Driver);
  if (Error E = check(Events.create(), "an event"))
    return E;
  std::vector<Readings> All;
  auto Read = [&] {
    All.push_back({double(Manager->coreMHz()), double(Manager->memoryMHz()),
                   Manager->watts()});
  };
  struct Batch {
    size_t Readings; ///< that there were at its end
    unsigned Count;
    double Seconds;
  };
  std::vector<Batch> Batches;
  unsigned Count = 1;
  for (double Passed = 0; Passed < Seconds;) {
    cuda::Result R = Driver->EventRecord(Events.Begin, nullptr);
    for (unsigned I = 0; I != Count && R == cuda::Success; ++I)
      if (Error E = Run())
        return E;
    if (R == cuda::Success)
      R = Driver->EventRecord(Events.End, nullptr);
    // Readings are of a GPU at work.
    do
      Read();
    while (R == cuda::Success &&
           Driver->EventQuery(Events.End) == cuda::NotReady);
    double OfBatch = 0;
    if (R == cuda::Success)
      R = Events.await(OfBatch);
    if (Error E = check(R, "running a kernel"))
      return E;
    const double Took = std::max(OfBatch, 1e-6);
    Passed += Took;
    Batches.push_back({All.size(), Count, Took});
    Count = unsigned(
        std::clamp(BatchSeconds / (Took / Count), 1.0, double(MostLaunches)));
  }
  Readings Mean;
  const size_t First = All.size() * 2 / 5;
  const auto Number = double(All.size() - First);
  for (size_t I = First; I != All.size(); ++I) {
    Mean.CoreMHz += All[I].CoreMHz / Number;
    Mean.MemoryMHz += All[I].MemoryMHz / Number;
    Mean.Watts += All[I].Watts / Number;
  }
  double Launches = 0, Took = 0;
  for (const Batch &B : Batches)
    if (B.Readings > First) {
      Launches += B.Count;
      Took += B.Seconds;
    }
  Mean.Microseconds = Launches > 0 ? Took / Launches * 1e6 : 0;
  return Mean;
}
