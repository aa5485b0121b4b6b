//===- divergence.cu - Sides chosen by lane, and by warp ------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Steps = 64;

__device__ float grow(float value) {
#pragma unroll 1
  for (int step = 0; step < Steps; ++step)
    value = value * value + 0.5f;
  return value;
}

__device__ float decay(float value) {
#pragma unroll 1
  for (int step = 0; step < Steps; ++step)
    value = value * 0.75f - 0.25f;
  return value;
}

extern "C" __global__ void defect(float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = threadIdx.x % 2 ? grow(x[i]) : decay(x[i]); // planted: divergent-branch
}

extern "C" __global__ void fixed(float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = threadIdx.x / 32 % 2 ? grow(x[i]) : decay(x[i]);
}
