//===- division.cu - A division in a loop, and a counter ------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Count = 64;

extern "C" __global__ void defect(const float *x, float *out, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0, value = x[i];
#pragma unroll 1
  for (int k = i; k < i + Count; ++k)
    sum += value * (k / width) + k % width; // planted: slow-arithmetic
  out[i] = sum;
}

// Quotient and remainder are counted along.
extern "C" __global__ void fixed(const float *x, float *out, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0, value = x[i];
  int quotient = i / width, remainder = i % width;
#pragma unroll 1
  for (int k = 0; k < Count; ++k) {
    sum += value * quotient + remainder;
    if (++remainder == width) {
      remainder = 0;
      ++quotient;
    }
  }
  out[i] = sum;
}
