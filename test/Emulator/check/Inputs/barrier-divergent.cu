//===- barrier-divergent.cu - A barrier for 20 threads ---------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
extern "C" __global__ void broken(const int *in, int *out) {
  __shared__ int values[32];
  unsigned t = threadIdx.x;
  values[t] = in[t];
  if (t < 20)
    __syncthreads();
  out[t] = values[31 - t];
}

extern "C" __global__ void fixed(const int *in, int *out) {
  __shared__ int values[32];
  unsigned t = threadIdx.x;
  values[t] = in[t];
  __syncthreads();
  out[t] = values[31 - t];
}
