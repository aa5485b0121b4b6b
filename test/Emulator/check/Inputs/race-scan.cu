//===- race-scan.cu - A scan that adds before all have read ----*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
extern "C" __global__ void broken(const int *in, int *out) {
  __shared__ int sums[128];
  unsigned t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
#pragma unroll 1
  for (unsigned offset = 1; offset < 128; offset *= 2) {
    int left = 0;
    if (t >= offset)
      left = sums[t - offset];
    // no barrier before others are overwritten
    sums[t] += left;
    __syncthreads();
  }
  out[t] = sums[t];
}

extern "C" __global__ void fixed(const int *in, int *out) {
  __shared__ int sums[128];
  unsigned t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
#pragma unroll 1
  for (unsigned offset = 1; offset < 128; offset *= 2) {
    int left = 0;
    if (t >= offset)
      left = sums[t - offset];
    __syncthreads();
    sums[t] += left;
    __syncthreads();
  }
  out[t] = sums[t];
}
