//===- DeviceMemory.cu - Streams through device memory ----------*- CUDA
//-*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Bench.h"
#include <algorithm>

using namespace microbench;

namespace {

constexpr int Threads = 256;

__global__ void readStream(const float4 *A, float4 *Out, size_t N) {
  float4 Sum{};
  const size_t Step = size_t(gridDim.x) * blockDim.x;
  for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < N;
       I += Step) {
    float4 V = A[I];
    Sum.x += V.x + V.y + V.z + V.w;
  }
  if (Sum.x == 1) // of zeros it is not, but the compiler does not know
    *Out = Sum;
}

__global__ void copyStream(const float4 *A, float4 *Out, size_t N) {
  const size_t Step = size_t(gridDim.x) * blockDim.x;
  for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < N;
       I += Step)
    Out[I] = A[I];
}

__global__ void triadStream(const float4 *A, const float4 *B, float4 *Out,
                            size_t N) {
  const size_t Step = size_t(gridDim.x) * blockDim.x;
  for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < N;
       I += Step) {
    float4 X = A[I], Y = B[I];
    Out[I] = {X.x + 3 * Y.x, X.y + 3 * Y.y, X.z + 3 * Y.z, X.w + 3 * Y.w};
  }
}

} // namespace

void microbench::runDeviceMemory(Bench &B) {
  size_t Free = 0, Total = 0;
  require(cudaMemGetInfo(&Free, &Total), "cudaMemGetInfo");
  // Far more than L2 holds.
  const size_t Bytes =
      std::min<size_t>(Free / 4, std::max<size_t>(256 << 20, 16 * B.l2Bytes()));
  const size_t N = Bytes / sizeof(float4);
  Buffer<float4> X(N), Y(N), Z(N);
  const int MostBlocks = B.Properties.maxThreadsPerMultiProcessor / Threads;
  auto Rate = [](double Moved, double Ms) { return Moved / Ms / 1e6; };
  for (int Blocks = 1; Blocks <= MostBlocks; ++Blocks) {
    if ((Blocks & (Blocks - 1)) != 0 && Blocks != MostBlocks)
      continue;
    const unsigned Grid = B.sms() * unsigned(Blocks);
    const std::string Warps =
        Blocks == MostBlocks
            ? std::string()
            : "." + std::to_string(Blocks * Threads / 32) + "warps";
    double Ms = milliseconds(
        [&] { readStream<<<Grid, Threads>>>(X.get(), Y.get(), N); });
    B.add("dram.read" + Warps, "GB/s", Rate(double(Bytes), Ms));
    Ms = milliseconds(
        [&] { copyStream<<<Grid, Threads>>>(X.get(), Y.get(), N); });
    B.add("dram.copy" + Warps, "GB/s", Rate(2.0 * Bytes, Ms));
    Ms = milliseconds(
        [&] { triadStream<<<Grid, Threads>>>(X.get(), Y.get(), Z.get(), N); });
    B.add("dram.triad" + Warps, "GB/s", Rate(3.0 * Bytes, Ms));
  }
}
