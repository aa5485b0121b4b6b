//===- CudaOccupancy.cpp - Occupancy against the CUDA toolkit's header ----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PtxPredictCudaOccupancy compare N SEED: exits with 1 if computeOccupancy and
// cuda_occupancy.h differ on one of N random blocks.
// PtxPredictCudaOccupancy print N SEED: the header's answers, as the rows of
// test/Inputs/golden/occupancy.csv.
//===----------------------------------------------------------------------===//
#include "CapabilityDevices.h"
#include "ptxpredict/Device/Occupancy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <climits>
#include <cstring>
#include <random>
// Where the toolkit is not installed this is checked for style, not compiled.
#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h> // needs climits and cstring

using namespace ptxpredict;

namespace {

/// What cudaGetDeviceProperties says of a compute capability (CUDA C++
/// Programming Guide, technical specifications per compute capability); in KiB
/// and Ki registers.
struct Properties {
  unsigned ComputeCapability;
  int ThreadsPerSM, SharedPerSM, SharedOptIn, SharedReserved, RegistersPerBlock;
};
constexpr Properties AllProperties[] = {
    {30, 2048, 48, 48, 0, 64},    {35, 2048, 48, 48, 0, 64},
    {50, 2048, 64, 48, 0, 64},    {52, 2048, 96, 48, 0, 64},
    {53, 2048, 64, 48, 0, 32},    {60, 2048, 64, 48, 0, 64},
    {61, 2048, 96, 48, 0, 64},    {62, 2048, 64, 48, 0, 32},
    {70, 2048, 96, 96, 0, 64},    {72, 2048, 96, 96, 0, 64},
    {75, 1024, 64, 64, 0, 64},    {80, 2048, 164, 163, 1, 64},
    {86, 1536, 100, 99, 1, 64},   {87, 1536, 164, 163, 1, 64},
    {89, 1536, 100, 99, 1, 64},   {90, 2048, 228, 227, 1, 64},
    {100, 2048, 228, 227, 1, 64}, {103, 2048, 228, 227, 1, 64},
    {110, 1536, 228, 227, 1, 64}, {120, 1536, 100, 99, 1, 64},
    {121, 1536, 100, 99, 1, 64},
};

/// Blocks of all kinds, those that do not fit among them.
class RandomBlocks {
public:
  explicit RandomBlocks(unsigned Seed) : Generator(Seed) {}
  BlockResources next(const Properties &P) {
    BlockResources R;
    R.Threads = unsigned(upTo(2) ? 32 * from(1, 32) : from(1, 1100));
    R.RegistersPerThread = unsigned(upTo(3) ? from(1, 128) : from(1, 255));
    // The header lets 3.0 have 255 registers a thread; it has 63.
    if (P.ComputeCapability == 30)
      R.RegistersPerThread %= 64;
    if (upTo(40) == 0)
      R.RegistersPerThread = 0;
    switch (upTo(3)) {
    case 0:
      break;
    case 1:
      R.SharedBytes = uint64_t(upTo(16 * 1024));
      break;
    case 2:
      R.SharedBytes = uint64_t(upTo((P.SharedOptIn + 1) * 1024));
      break;
    default:
      R.SharedBytes = uint64_t(upTo(P.SharedOptIn * 8)) * 128;
    }
    R.Barriers = unsigned(upTo(1) ? upTo(1) : upTo(16));
    return R;
  }

private:
  std::mt19937 Generator; ///< whose numbers the standard fixes
  int from(int Low, int High) {
    return Low + int(Generator() % unsigned(High - Low + 1));
  }
  int upTo(int High) { return from(0, High); }
};

} // namespace

/// The header's answer. True on error.
static bool askHeader(const Properties &P, const BlockResources &R,
                      cudaOccResult &Result) {
  cudaOccDeviceProp D;
  D.computeMajor = int(P.ComputeCapability / 10);
  D.computeMinor = int(P.ComputeCapability % 10);
  D.maxThreadsPerBlock = 1024;
  D.maxThreadsPerMultiprocessor = P.ThreadsPerSM;
  D.regsPerBlock = P.RegistersPerBlock * 1024;
  D.regsPerMultiprocessor = 64 * 1024;
  D.warpSize = 32;
  D.sharedMemPerBlock = 48 * 1024;
  D.sharedMemPerMultiprocessor = size_t(P.SharedPerSM) * 1024;
  D.numSms = 1;
  D.sharedMemPerBlockOptin = size_t(P.SharedOptIn) * 1024;
  D.reservedSharedMemPerBlock = size_t(P.SharedReserved) * 1024;
  cudaOccFuncAttributes F;
  F.maxThreadsPerBlock = INT_MAX;
  F.numRegs = int(R.RegistersPerThread);
  F.sharedSizeBytes = 0;
  F.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  F.maxDynamicSharedSizeBytes = R.SharedBytes;
  F.numBlockBarriers = int(R.Barriers);
  F.partitionedGCConfig = PARTITIONED_GC_OFF;
  cudaOccDeviceState State;
  return cudaOccMaxActiveBlocksPerMultiprocessor(
             &Result, &D, &F, &State, int(R.Threads), R.SharedBytes) !=
         CUDA_OCC_SUCCESS;
}

/// The header's bit for what we name as the limiter.
static unsigned headerBit(OccupancyLimiter L) {
  switch (L) {
  case OccupancyLimiter::Threads:
    return OCC_LIMIT_WARPS;
  case OccupancyLimiter::Blocks:
    return OCC_LIMIT_BLOCKS;
  case OccupancyLimiter::Registers:
    return OCC_LIMIT_REGISTERS;
  case OccupancyLimiter::SharedMemory:
    return OCC_LIMIT_SHARED_MEMORY;
  case OccupancyLimiter::Barriers:
    return OCC_LIMIT_BARRIERS;
  }
  return 0;
}

int main(int Argc, char **Argv) {
  unsigned Number = 0, Seed = 0;
  StringRef Mode = Argc > 1 ? Argv[1] : "";
  if (Argc != 4 || (Mode != "compare" && Mode != "print") ||
      StringRef(Argv[2]).getAsInteger(10, Number) ||
      StringRef(Argv[3]).getAsInteger(10, Seed)) {
    llvm::errs() << "usage: PtxPredictCudaOccupancy compare|print N SEED\n";
    return 2;
  }
  constexpr size_t NumCapabilities = std::size(AllProperties);
  static_assert(NumCapabilities == std::size(test::CapabilityDevices));
  DeviceRegistry Registry;
  std::vector<const Device *> Devices;
  for (const test::CapabilityDevice &C : test::CapabilityDevices) {
    Devices.push_back(deviceOf(Registry, C));
    if (!Devices.back()) {
      llvm::errs() << "no device of " << C.ComputeCapability << '\n';
      return 2;
    }
  }

  RandomBlocks Blocks(Seed);
  unsigned Differing = 0, Resident = 0;
  if (Mode == "print")
    llvm::outs()
        << "cc,threads,registers,shared_bytes,barriers,blocks,limits\n";
  for (unsigned I = 0; I != Number; ++I) {
    const Properties &P = AllProperties[I % NumCapabilities];
    BlockResources R = Blocks.next(P);
    cudaOccResult Header;
    if (askHeader(P, R, Header)) {
      llvm::errs() << "the header refuses " << P.ComputeCapability << '\n';
      return 2;
    }
    unsigned Expected = unsigned(Header.activeBlocksPerMultiprocessor);
    Resident += Expected != 0;
    if (Mode == "print") {
      llvm::outs() << P.ComputeCapability << ',' << R.Threads << ','
                   << R.RegistersPerThread << ',' << R.SharedBytes << ','
                   << R.Barriers << ',' << Expected << ','
                   << (Expected ? Header.limitingFactors : 0) << '\n';
      continue;
    }
    Occupancy O = computeOccupancy(*Devices[I % NumCapabilities], R);
    bool Same =
        O.BlocksPerSM == Expected &&
        (Expected == 0 || (Header.limitingFactors & headerBit(O.Limiter)) != 0);
    if (Same || ++Differing > 20)
      continue;
    llvm::outs() << P.ComputeCapability << ": " << R.Threads << " threads, "
                 << R.RegistersPerThread << " registers, " << R.SharedBytes
                 << " B, " << R.Barriers << " barriers: " << Expected
                 << " blocks expected, limits " << Header.limitingFactors
                 << "; " << O.BlocksPerSM << ", " << toString(O.Limiter) << ' '
                 << O.Reason << '\n';
  }
  if (Mode == "compare")
    llvm::outs() << Number << " blocks, " << Resident << " of them fit, "
                 << Differing << " differ\n";
  return Differing != 0;
}

#endif
