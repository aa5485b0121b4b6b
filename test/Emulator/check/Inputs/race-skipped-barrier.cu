//===- race-skipped-barrier.cu - Half of the warps skip one ----*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Those that skip the first barrier meet the others at the second, one too
// early: what the others do between the two comes too late for them.
extern "C" __global__ void broken(const int *in, int *out) {
  __shared__ int first[64], second[64];
  unsigned t = threadIdx.x;
  if (t < 64) {
    first[t] = in[t];
    __syncthreads(); // not for all
    second[t] = first[63 - t];
  }
  __syncthreads();
  if (t >= 64)
    out[t - 64] = second[t - 64];
}

extern "C" __global__ void fixed(const int *in, int *out) {
  __shared__ int first[64], second[64];
  unsigned t = threadIdx.x;
  if (t < 64)
    first[t] = in[t];
  __syncthreads();
  if (t < 64)
    second[t] = first[63 - t];
  __syncthreads();
  if (t >= 64)
    out[t - 64] = second[t - 64];
}
