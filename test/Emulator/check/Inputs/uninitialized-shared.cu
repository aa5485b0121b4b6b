//===- uninitialized-shared.cu - Edges that nobody fills -------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
extern "C" __global__ void broken(const int *in, int *out) {
  __shared__ int line[130];
  unsigned t = threadIdx.x;
  line[t + 1] = in[t];
  __syncthreads();
  out[t] = line[t + 2] - line[t];
}

extern "C" __global__ void fixed(const int *in, int *out) {
  __shared__ int line[130];
  unsigned t = threadIdx.x;
  line[t + 1] = in[t];
  if (t < 2)
    line[t * 129] = 0;
  __syncthreads();
  out[t] = line[t + 2] - line[t];
}
