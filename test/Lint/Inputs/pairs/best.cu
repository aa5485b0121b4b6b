//===- best.cu - The best few in an array, and in registers ------ -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Count = 64, Kept = 4;

// The place to insert at is a variable, so that the array is in memory.
extern "C" __global__ void defect(const float *x, float *out) {
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float best[Kept + 1] = {};
#pragma unroll 1
  for (int k = 0; k < Count; ++k) {
    float value = x[k * threads + i];
    int j = Kept;
#pragma unroll 1
    for (; j > 0 && best[j - 1] < value; --j)
      best[j] = best[j - 1]; // planted: register-spill
    best[j] = value;
  }
#pragma unroll
  for (int j = 0; j < Kept; ++j)
    out[j * threads + i] = best[j];
}

// Each value sinks to its place; all indices are constants.
extern "C" __global__ void fixed(const float *x, float *out) {
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float best[Kept] = {};
#pragma unroll 1
  for (int k = 0; k < Count; ++k) {
    float value = x[k * threads + i];
#pragma unroll
    for (int j = 0; j < Kept; ++j) {
      float greater = fmaxf(best[j], value);
      value = fminf(best[j], value);
      best[j] = greater;
    }
  }
#pragma unroll
  for (int j = 0; j < Kept; ++j)
    out[j * threads + i] = best[j];
}
