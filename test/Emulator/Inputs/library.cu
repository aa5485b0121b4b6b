//===- library.cu - Waiting as libraries do --------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>

using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;
using Flag = cuda::atomic<int, cuda::thread_scope_device>;

extern "C" __global__ void barrierOfBlock(float *out, int rounds) {
  __shared__ BlockBarrier barrier;
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    barrier.arrive_and_wait();
    out[round * blockDim.x + threadIdx.x] = round;
  }
}

extern "C" __global__ void waitForFlag(Flag *flag, float *out) {
  flag->wait(0);
  out[threadIdx.x] = 1;
}

extern "C" __global__ void barrierOfGrid(float *out) {
  out[threadIdx.x] = 1;
  cooperative_groups::this_grid().sync();
  out[threadIdx.x + 1] = 2;
}
