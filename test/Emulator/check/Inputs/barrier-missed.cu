//===- barrier-missed.cu - Warps that leave before a barrier ---*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The barrier counts on all 128 threads, and 64 of them return before it.
__device__ __forceinline__ void waitForAll() {
  asm volatile("bar.sync 1, 128;" ::: "memory");
}

extern "C" __global__ void broken(const int *in, int *out, unsigned n) {
  __shared__ int values[128];
  unsigned t = threadIdx.x;
  if (t >= n)
    return;
  values[t] = in[t];
  waitForAll();
  out[t] = values[n - 1 - t];
}

extern "C" __global__ void fixed(const int *in, int *out, unsigned n) {
  __shared__ int values[128];
  unsigned t = threadIdx.x;
  if (t < n)
    values[t] = in[t];
  waitForAll();
  if (t < n)
    out[t] = values[n - 1 - t];
}
