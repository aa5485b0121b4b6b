//===- accumulator.cu - Sums of double and of float -----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Terms = 64;

// The sum is meant to be exact; that is what it costs.
extern "C" __global__ void defect(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
#pragma unroll 1
  for (int term = 0; term < Terms; ++term)
    sum += in[i + term * n]; // planted: slow-arithmetic
  out[i] = sum;
}

extern "C" __global__ void fixed(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int term = 0; term < Terms; ++term)
    sum += in[i + term * n];
  out[i] = sum;
}
