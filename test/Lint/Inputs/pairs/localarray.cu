//===- localarray.cu - An array, and a chain of selections ----*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Count = 32, Bins = 8;

// The index is a variable, so that the bins cannot lie in registers.
extern "C" __global__ void defect(const int *x, int *out) {
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int bins[Bins] = {};
#pragma unroll 1
  for (int k = 0; k < Count; ++k)
    bins[(x[k * threads + i]) & (Bins - 1)] += k; // planted: register-spill (little)
  for (int b = 0; b < Bins; ++b)
    out[b * threads + i] = bins[b];
}

extern "C" __global__ void fixed(const int *x, int *out) {
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int bins[Bins] = {};
#pragma unroll 1
  for (int k = 0; k < Count; ++k) {
    int bin = x[k * threads + i] & (Bins - 1);
    for (int b = 0; b < Bins; ++b)
      bins[b] += b == bin ? k : 0;
  }
  for (int b = 0; b < Bins; ++b)
    out[b * threads + i] = bins[b];
}
