//===- misaligned-shared.cu - Eight bytes at a multiple of four *- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
extern "C" __global__ void broken(const int *in, long long *out) {
  __shared__ __align__(8) int words[66];
  unsigned t = threadIdx.x;
  words[t] = in[t];
  words[t + 32] = in[t + 32];
  if (t < 2)
    words[t + 64] = 0;
  __syncthreads();
  out[t] = *(const long long *)&words[2 * t + 1];
}

extern "C" __global__ void fixed(const int *in, long long *out) {
  __shared__ __align__(8) int words[66];
  unsigned t = threadIdx.x;
  words[t] = in[t];
  words[t + 32] = in[t + 32];
  if (t < 2)
    words[t + 64] = 0;
  __syncthreads();
  out[t] = *(const long long *)&words[2 * t + 2];
}
