//===- counter.cu - Each thread's atomic, and each block's -------- -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Every thread that has a hit adds it to the one counter.
extern "C" __global__ void defect(const int *x, int *counter) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(counter, x[i]); // planted: contended-atomic
}

// Warps add up by shuffles, the block's first one adds up the warps.
extern "C" __global__ void fixed(const int *x, int *counter) {
  __shared__ int sums[32];
  int t = threadIdx.x, sum = x[blockIdx.x * blockDim.x + t];
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2)
    sum += __shfl_down_sync(~0u, sum, apart);
  if (t % 32 == 0)
    sums[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = sums[t];
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2)
      sum += __shfl_down_sync(~0u, sum, apart);
    if (t == 0)
      atomicAdd(counter, sum);
  }
}
