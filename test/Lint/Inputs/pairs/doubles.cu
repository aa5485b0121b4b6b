//===- doubles.cu - Constants of double and of float ----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Steps = 64;

// The constants are doubles, and so is all that they meet.
extern "C" __global__ void defect(float *x, float rate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = x[i];
#pragma unroll 1
  for (int step = 0; step < Steps; ++step)
    value = 0.5 * value + 0.25 * rate; // planted: double-promotion
  x[i] = value;
}

extern "C" __global__ void fixed(float *x, float rate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = x[i];
#pragma unroll 1
  for (int step = 0; step < Steps; ++step)
    value = 0.5f * value + 0.25f * rate;
  x[i] = value;
}
