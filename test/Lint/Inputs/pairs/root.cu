//===- root.cu - Roots and choices of doubles and of floats ---*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What is chosen between is a double, since one of both is.
extern "C" __global__ void defect(float *x, float limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = x[i];
  x[i] = value > limit ? sqrt(0.1 + value) : 0.1 * value; // planted: double-promotion
}

extern "C" __global__ void fixed(float *x, float limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = x[i];
  x[i] = value > limit ? sqrtf(0.1f + value) : 0.1f * value;
}
