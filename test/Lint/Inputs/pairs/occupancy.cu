//===- occupancy.cu - A large tile, and a small one -----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Count = 64;

/// Sums neighbours: only a block's own elements are used of the tile.
template <int Size>
__device__ void sum(const float *x, float *sums) {
  __shared__ float tile[Size];
  int t = threadIdx.x, threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + t;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < Count; ++k) {
    tile[t] = x[k * threads + i];
    __syncthreads();
    sum += tile[t] + tile[t ^ 1];
    __syncthreads();
  }
  sums[i] = sum;
}

extern "C" __global__ void defect(const float *x, float *sums) {
  sum<12288>(x, sums);
}
extern "C" __global__ void fixed(const float *x, float *sums) {
  sum<128>(x, sums);
}
