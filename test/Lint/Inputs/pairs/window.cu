//===- window.cu - Loads that nothing says are of constants ---*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Width = 32;

// Neighbouring threads load the same, which a cache could keep.
extern "C" __global__ void defect(float *out, float *in, float *weights) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < Width; ++k)
    sum += weights[k] * in[i + k]; // planted: read-only-path
  out[i] = sum;
}

extern "C" __global__ void fixed(float *__restrict__ out,
                                 const float *__restrict__ in,
                                 const float *__restrict__ weights) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < Width; ++k)
    sum += weights[k] * in[i + k];
  out[i] = sum;
}
