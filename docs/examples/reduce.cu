//===- reduce.cu - Sum of an array ----------------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each block of 256 threads walks over the array in a grid-stride loop, adds
// within warps by shuffles and within the block through shared memory, and adds
// its result to *sum by one atomic operation.
//
//===----------------------------------------------------------------------===//

extern "C" __global__ void __launch_bounds__(256)
    reduce(const float *__restrict__ x, float *__restrict__ sum, int n) {
  __shared__ float warpSums[8];

  float value = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    value += x[i];

  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);

  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  if (lane == 0)
    warpSums[warp] = value;
  __syncthreads();

  if (warp == 0) {
    value = lane < 8 ? warpSums[lane] : 0.0f;
    for (int offset = 4; offset > 0; offset /= 2)
      value += __shfl_down_sync(0xffffffffu, value, offset);
    if (lane == 0)
      atomicAdd(sum, value);
  }
}
