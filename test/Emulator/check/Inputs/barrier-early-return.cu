//===- barrier-early-return.cu - Some threads return early -----*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
extern "C" __global__ void broken(const int *in, int *out, unsigned n) {
  __shared__ int values[128];
  unsigned t = threadIdx.x;
  if (t >= n)
    return;
  values[t] = in[t];
  __syncthreads();
  out[t] = values[n - 1 - t];
}

extern "C" __global__ void fixed(const int *in, int *out, unsigned n) {
  __shared__ int values[128];
  unsigned t = threadIdx.x;
  if (t < n)
    values[t] = in[t];
  __syncthreads();
  if (t < n)
    out[t] = values[n - 1 - t];
}
