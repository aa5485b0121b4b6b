//===- Runner.cu - Runs the kernels on a GPU: results and times *- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Launches every kernel as its launch file says, compares all buffers with the
// references and takes times. In this folder:
//
//   nvcc -std=c++17 -arch=native -o runner Runner.cu *.cpp kernels/*.cu
//
// See docs/measurements/AccuracyKernels.md.
//
//===----------------------------------------------------------------------===//
#include "References.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <fstream>
#include <iostream>
#include <unistd.h>

using namespace ptxpredict::accuracy;

// A launch takes the kernel's address alone, so that its parameters need not be
// repeated here.
#define LAUNCH(Kernel, ...) extern "C" __global__ void Kernel();
#include "Launches.inc"
#undef LAUNCH

/// What a launch costs that does nothing.
static __global__ void emptyKernel() {}

/// Keeps every SM busy for \p Cycles, so that clocks can be read under load.
static __global__ void busyKernel(long long Cycles) {
  long long Begin = clock64();
  while (clock64() - Begin < Cycles)
    ;
}

namespace {

constexpr int Samples = 20, WarmUps = 3;
constexpr float BatchMicroseconds = 1000; ///< at least, for a batch of launches
constexpr int MaxBatch = 500;
constexpr size_t GuardBytes = 256; ///< behind each buffer
constexpr unsigned char GuardByte = 0xA5;

struct Options {
  std::string Kernels = "*", Out, Dump, Folder;
  bool Help = false;
};

/// Microseconds of one launch.
struct Times {
  double Median = 0, Least = 0, Most = 0;
};

struct Device {
  std::string Name, Driver, ClockSource;
  int Capability = 0, Runtime = 0;
  int CoreMHz = 0, MemoryMHz = 0;
};

void require(cudaError_t Error, const std::string &What) {
  if (Error == cudaSuccess)
    return;
  std::cerr << "runner: error: " << What << ": " << cudaGetErrorString(Error)
            << "\n";
  std::exit(2);
}

bool matches(const char *Glob, const char *Text) {
  if (*Glob == '*')
    return matches(Glob + 1, Text) || (*Text && matches(Glob, Text + 1));
  if (!*Glob || !*Text)
    return *Glob == *Text;
  return (*Glob == '?' || *Glob == *Text) && matches(Glob + 1, Text + 1);
}

const void *kernelAddress(const std::string &Name) {
  static const std::map<std::string, const void *> Addresses = {
#define LAUNCH(Kernel, ...) {#Kernel, reinterpret_cast<const void *>(&Kernel)},
#include "Launches.inc"
#undef LAUNCH
  };
  return Addresses.at(Name);
}

/// The least target for which a kernel's instructions are there.
int requiredTarget(const std::string &Kernel) {
  if (Kernel == "matmulTensor" || Kernel == "matmulTensorHalf" ||
      Kernel == "copyMbarrier")
    return 80;
  return Kernel == "matmulWmma" ? 70 : 61;
}

/// The output of a command; empty if there is none.
std::string outputOf(const std::string &Command) {
  std::string Text;
  FILE *Pipe = popen((Command + " 2>/dev/null").c_str(), "r");
  if (!Pipe)
    return Text;
  char Part[256];
  while (std::fgets(Part, sizeof(Part), Pipe))
    Text += Part;
  return pclose(Pipe) == 0 ? Text : "";
}

Device findDevice() {
  int Count = 0;
  cudaError_t Error = cudaGetDeviceCount(&Count);
  if (Error != cudaSuccess || Count == 0) {
    std::cerr << "runner: error: no NVIDIA GPU can be used here ("
              << (Error != cudaSuccess ? cudaGetErrorString(Error)
                                       : "none found")
              << ")\n";
    std::exit(2);
  }
  Device D;
  cudaDeviceProp Properties;
  require(cudaSetDevice(0), "device 0");
  require(cudaGetDeviceProperties(&Properties, 0), "properties of device 0");
  D.Name = Properties.name;
  D.Capability = Properties.major * 10 + Properties.minor;
  require(cudaRuntimeGetVersion(&D.Runtime), "the runtime's version");
  int DriverVersion = 0;
  require(cudaDriverGetVersion(&DriverVersion), "the driver's version");
  D.Driver = "CUDA " + std::to_string(DriverVersion / 1000) + "." +
             std::to_string(DriverVersion % 1000 / 10);

  char BusId[32] = {};
  int Rate = 0; // kHz
  require(cudaDeviceGetAttribute(&Rate, cudaDevAttrClockRate, 0), "the clock");
  require(cudaDeviceGetPCIBusId(BusId, sizeof(BusId), 0), "the PCI address");
  busyKernel<<<Properties.multiProcessorCount, 256>>>(Rate * 1000LL);
  std::string Text = outputOf(
      std::string("nvidia-smi --query-gpu=clocks.sm,clocks.mem,driver_version "
                  "--format=csv,noheader,nounits -i ") +
      BusId);
  require(cudaDeviceSynchronize(), "a busy loop");
  char Version[64] = {};
  if (std::sscanf(Text.c_str(), "%d, %d, %63s", &D.CoreMHz, &D.MemoryMHz,
                  Version) == 3) {
    D.Driver = Version;
    D.ClockSource = "nvidia-smi under load";
    return D;
  }
  D.CoreMHz = Rate / 1000;
  require(cudaDeviceGetAttribute(&Rate, cudaDevAttrMemoryClockRate, 0),
          "the memory's clock");
  D.MemoryMHz = Rate / 1000;
  D.ClockSource = "device attributes";
  return D;
}

/// A launch with its buffers on the device.
class DeviceLaunch {
public:
  DeviceLaunch(const Launch &L, const Contents &Start);
  ~DeviceLaunch();

  /// Gives the buffers their first contents again.
  void reset() const;
  void launch() const;
  /// What the buffers hold. False if something was written behind one.
  bool read(Contents &Memory) const;

private:
  const Launch &L;
  std::map<std::string, size_t> Sizes;
  std::map<std::string, unsigned char *> Buffers, Originals;
  std::vector<std::vector<unsigned char>> Values;
  std::vector<void *> Arguments;
};

} // namespace

DeviceLaunch::DeviceLaunch(const Launch &L, const Contents &Start) : L(L) {
  for (const auto &[Name, Data] : Start) {
    std::vector<unsigned char> Guarded = Data;
    Guarded.resize(Data.size() + GuardBytes, GuardByte);
    Sizes[Name] = Guarded.size();
    for (auto *Copies : {&Buffers, &Originals}) {
      void *Memory = nullptr;
      require(cudaMalloc(&Memory, Guarded.size()), "memory for " + Name);
      (*Copies)[Name] = static_cast<unsigned char *>(Memory);
    }
    require(cudaMemcpy(Originals[Name], Guarded.data(), Guarded.size(),
                       cudaMemcpyHostToDevice),
            "filling " + Name);
  }
  for (const Argument &A : L.Arguments) {
    std::vector<unsigned char> Value(8);
    if (A.Buffer)
      std::memcpy(Value.data(), &Buffers[A.Buffer], sizeof(void *));
    else
      writeElement(A.Type, A.Value, Value.data());
    Values.push_back(Value);
  }
  for (std::vector<unsigned char> &Value : Values)
    Arguments.push_back(Value.data());
}

DeviceLaunch::~DeviceLaunch() {
  for (const auto *Copies : {&Buffers, &Originals})
    for (const auto &[Name, Memory] : *Copies)
      cudaFree(Memory);
}

void DeviceLaunch::reset() const {
  for (const auto &[Name, Memory] : Buffers)
    require(cudaMemcpyAsync(Memory, Originals.at(Name), Sizes.at(Name),
                            cudaMemcpyDeviceToDevice),
            "filling " + Name);
}

void DeviceLaunch::launch() const {
  require(cudaLaunchKernel(
              kernelAddress(L.Kernel), dim3(L.Grid.X, L.Grid.Y, L.Grid.Z),
              dim3(L.Block.X, L.Block.Y, L.Block.Z),
              const_cast<void **>(Arguments.data()), L.DynamicShared, nullptr),
          std::string("launching ") + L.Kernel);
}

bool DeviceLaunch::read(Contents &Memory) const {
  require(cudaDeviceSynchronize(), std::string("running ") + L.Kernel);
  bool Intact = true;
  for (const auto &[Name, From] : Buffers) {
    Bytes &Data = Memory[Name];
    Data.resize(Sizes.at(Name));
    require(cudaMemcpy(Data.data(), From, Data.size(), cudaMemcpyDeviceToHost),
            "reading " + Name);
    for (size_t I = Data.size() - GuardBytes; I < Data.size(); ++I)
      Intact &= Data[I] == GuardByte;
    Data.resize(Data.size() - GuardBytes);
  }
  return Intact;
}

/// Times \p Run, which launches \p Count times, after \p Prepare.
template <typename PrepareT, typename RunT>
static Times measure(int Count, PrepareT Prepare, RunT Run) {
  cudaEvent_t Begin, End;
  require(cudaEventCreate(&Begin), "an event");
  require(cudaEventCreate(&End), "an event");
  std::vector<double> All;
  for (int I = -WarmUps; I < Samples; ++I) {
    Prepare();
    require(cudaEventRecord(Begin), "an event");
    for (int J = 0; J < Count; ++J)
      Run();
    require(cudaEventRecord(End), "an event");
    require(cudaEventSynchronize(End), "running a kernel");
    float Milliseconds = 0;
    require(cudaEventElapsedTime(&Milliseconds, Begin, End), "an event");
    if (I >= 0)
      All.push_back(Milliseconds * 1000.0 / Count);
  }
  cudaEventDestroy(Begin);
  cudaEventDestroy(End);
  std::sort(All.begin(), All.end());
  return {(All[Samples / 2 - 1] + All[Samples / 2]) / 2, All.front(),
          All.back()};
}

/// Whether launches may follow each other without filling the buffers again:
/// the kernel writes only buffers that start as a constant, and writes the same
/// again. Otherwise a second launch would find other work.
static bool mayRepeat(const Launch &L, const DeviceLaunch &OnDevice,
                      const Contents &Start, const Contents &Once) {
  for (const Buffer &B : L.Buffers)
    if (B.Start.Which != Fill::Zeros && B.Start.Which != Fill::Constant &&
        Start.at(B.Name) != Once.at(B.Name))
      return false;
  Contents Twice;
  OnDevice.launch();
  return OnDevice.read(Twice) && Twice == Once;
}

/// Runs and times one launch, and writes its row. False on a wrong result.
static bool runLaunch(const Launch &L, const Options &O, const Device &D,
                      double EmptyMicroseconds, std::ostream &CSV) {
  std::string Row = std::string(L.Kernel) + "," + L.File + ",";
  for (const Extents &E : {L.Grid, L.Block})
    Row += std::to_string(E.X) + "x" + std::to_string(E.Y) + "x" +
           std::to_string(E.Z) + ",";
  Row += std::to_string(L.DynamicShared) + ",";
  cudaFuncAttributes Attributes;
  require(cudaFuncGetAttributes(&Attributes, kernelAddress(L.Kernel)),
          std::string("attributes of ") + L.Kernel);
  Row += std::to_string(Attributes.numRegs) + ",";
  std::string About = "," + D.Name + "," + std::to_string(D.Capability) + "," +
                      D.Driver + "," + std::to_string(D.Runtime) + "," +
                      std::to_string(D.CoreMHz) + "," +
                      std::to_string(D.MemoryMHz) + "," + D.ClockSource + "\n";
  if (Attributes.ptxVersion < requiredTarget(L.Kernel)) {
    std::cout << L.Kernel << ": skipped: compiled for sm_"
              << Attributes.ptxVersion << ", needs -arch=sm_"
              << requiredTarget(L.Kernel) << " or newer\n";
    CSV << Row << "skipped,,,,,," << About;
    return true;
  }

  Contents Start, Want, Got;
  for (const Buffer &B : L.Buffers) {
    std::string Error = fill(B, O.Folder + "/launch", Start[B.Name]);
    if (!Error.empty()) {
      std::cerr << "runner: error: " << Error << "; --folder=DIR names the "
                << "folder that holds launch/\n";
      std::exit(2);
    }
  }
  Want = Start;
  Tolerances Allowed;
  if (!computeReference(L, Want, Allowed)) {
    std::cerr << "runner: error: " << L.Kernel << " has no reference\n";
    std::exit(2);
  }
  DeviceLaunch OnDevice(L, Start);
  OnDevice.reset();
  OnDevice.launch();
  std::vector<std::string> Faults;
  if (!OnDevice.read(Got))
    Faults.push_back("something is written behind a buffer's end");
  for (const Buffer &B : L.Buffers) {
    std::string Fault = compare(B, Got[B.Name], Want[B.Name], Allowed[B.Name]);
    if (!Fault.empty())
      Faults.push_back(Fault);
    if (O.Dump.empty())
      continue;
    std::string Path = O.Dump + "/" + L.Kernel + "." + B.Name + ".bin";
    std::ofstream File(Path, std::ios::binary);
    File.write(reinterpret_cast<const char *>(Got[B.Name].data()),
               std::streamsize(Got[B.Name].size()));
    if (!File.flush()) {
      std::cerr << "runner: error: cannot write " << Path << "\n";
      std::exit(2);
    }
  }

  // What the kernel prints was seen once.
  std::cout.flush();
  std::fflush(stdout);
  int Standard = dup(1);
  if (!std::freopen("/dev/null", "w", stdout))
    std::exit(2);
  bool Repeats = mayRepeat(L, OnDevice, Start, Got);
  auto Launch = [&] { OnDevice.launch(); };
  auto Reset = [&] { OnDevice.reset(); };
  Times Single = measure(1, Reset, Launch), Batch;
  int Count =
      int(std::min(BatchMicroseconds / Single.Median + 1, double(MaxBatch)));
  if (Repeats)
    Batch = measure(Count, Reset, Launch);
  std::fflush(stdout);
  dup2(Standard, 1);
  close(Standard);

  char Text[128];
  std::snprintf(Text, sizeof(Text), "%.3f,%.3f,%.3f,", Single.Median,
                Single.Least, Single.Most);
  Row += (Faults.empty() ? "ok," : "wrong,") + std::string(Text);
  std::string InBatch = ",";
  if (Repeats) {
    std::snprintf(Text, sizeof(Text), "%d,%.3f", Count, Batch.Median);
    InBatch = Text;
  }
  std::snprintf(Text, sizeof(Text), ",%.3f", EmptyMicroseconds);
  CSV << Row << InBatch << Text << About;
  std::snprintf(Text, sizeof(Text), "%-20s %-5s %10.3f us", L.Kernel,
                Faults.empty() ? "ok" : "WRONG", Single.Median);
  std::cout << Text << (Repeats ? ", in a batch " + InBatch : "") << "\n";
  for (const std::string &Fault : Faults)
    std::cout << "  " << Fault << "\n";
  return Faults.empty();
}

static bool parseOptions(int Count, char **Arguments, Options &O) {
  std::string Self = __FILE__;
  size_t Slash = Self.rfind('/');
  O.Folder = Slash == std::string::npos ? "." : Self.substr(0, Slash);
  const std::pair<std::string, std::string *> Known[] = {
      {"--kernel", &O.Kernels},
      {"--out", &O.Out},
      {"--dump", &O.Dump},
      {"--folder", &O.Folder}};
  for (int I = 1; I < Count; ++I) {
    std::string Text = Arguments[I];
    if (Text == "--help") {
      O.Help = true;
      continue;
    }
    bool Found = false;
    for (const auto &[Name, Value] : Known) {
      if (Text == Name && I + 1 < Count) {
        *Value = Arguments[++I];
        Found = true;
      } else if (Text.compare(0, Name.size() + 1, Name + "=") == 0) {
        *Value = Text.substr(Name.size() + 1);
        Found = true;
      }
    }
    if (!Found) {
      std::cerr << "runner: error: " << Text
                << ": no such option, or its value is missing; see --help\n";
      return false;
    }
  }
  return true;
}

int main(int Count, char **Arguments) {
  Options O;
  if (!parseOptions(Count, Arguments, O))
    return 2;
  if (O.Help) {
    std::cout << "usage: runner [--kernel=GLOB] [--out=FILE.csv] [--dump=DIR] "
                 "[--folder=DIR]\n\n"
                 "Runs the kernels on device 0 and compares what they write "
                 "with references.\n\n"
                 "  --kernel=GLOB   only kernels of this name (*, ?)\n"
                 "  --out=FILE      times and the device's data as CSV\n"
                 "  --dump=DIR      writes each buffer to "
                 "DIR/KERNEL.BUFFER.bin\n"
                 "  --folder=DIR    where launch/ and data-in/ lie (default: "
                 "beside the source)\n\n"
                 "Exit code: 0 all right, 1 a wrong result, 2 not done.\n";
    return 0;
  }
  std::vector<Launch> Selected;
  for (const Launch &L : allLaunches())
    if (matches(O.Kernels.c_str(), L.Kernel))
      Selected.push_back(L);
  if (Selected.empty()) {
    std::cerr << "runner: error: no kernel matches " << O.Kernels << "\n";
    return 2;
  }
  Device D = findDevice();
  std::cout << D.Name << ", sm_" << D.Capability << ", driver " << D.Driver
            << ", runtime " << D.Runtime << ", SM " << D.CoreMHz
            << " MHz, memory " << D.MemoryMHz << " MHz (" << D.ClockSource
            << ")\n";
  std::ofstream CSV;
  if (!O.Out.empty()) {
    CSV.open(O.Out);
    if (!CSV) {
      std::cerr << "runner: error: cannot write " << O.Out << "\n";
      return 2;
    }
  }
  CSV << "kernel,file,grid,block,dynamic_shared,registers,result,median_us,"
         "min_us,max_us,batch_launches,batch_us,empty_us,gpu,"
         "compute_capability,driver,runtime,sm_mhz,memory_mhz,clock_source\n";
  Times Empty = measure(1, [] {}, [] { emptyKernel<<<1, 32>>>(); });
  size_t Wrong = 0;
  for (const Launch &L : Selected)
    Wrong += !runLaunch(L, O, D, Empty.Median, CSV);
  std::cout << Selected.size() - Wrong << " of " << Selected.size()
            << " launches are right\n";
  if (!O.Out.empty() && !CSV.flush()) {
    std::cerr << "runner: error: cannot write " << O.Out << "\n";
    return 2;
  }
  return Wrong ? 1 : 0;
}
