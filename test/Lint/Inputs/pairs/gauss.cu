//===- gauss.cu - Functions of doubles and of floats ----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The constant makes a double of the argument, and exp one of the result.
extern "C" __global__ void defect(float *x, float rate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = exp(-0.5 * x[i] * x[i]) * rate; // planted: double-promotion
}

extern "C" __global__ void fixed(float *x, float rate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = expf(-0.5f * x[i] * x[i]) * rate;
}
