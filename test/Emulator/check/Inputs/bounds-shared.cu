//===- bounds-shared.cu - An array one element too short -------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
extern "C" __global__ void broken(const int *in, int *out) {
  __shared__ int values[128];
  unsigned t = threadIdx.x;
  values[t + 1] = in[t];
  if (t == 0)
    values[0] = 0;
  __syncthreads();
  out[t] = values[t];
}

extern "C" __global__ void fixed(const int *in, int *out) {
  __shared__ int values[129];
  unsigned t = threadIdx.x;
  values[t + 1] = in[t];
  if (t == 0)
    values[0] = 0;
  __syncthreads();
  out[t] = values[t];
}
