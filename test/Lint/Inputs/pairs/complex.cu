//===- complex.cu - Real and imaginary parts one by one ---------- -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Count = 64;

// The parts lie side by side in an array of floats.
extern "C" __global__ void defect(const float *x, float *power) {
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < Count; ++k) {
    const float *z = x + 2 * (k % 2 * threads + i);
    sum += z[0] * z[0] + z[1] * z[1]; // planted: narrow-access
  }
  power[i] = sum;
}

extern "C" __global__ void fixed(const float2 *x, float *power) {
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < Count; ++k) {
    float2 z = x[k % 2 * threads + i];
    sum += z.x * z.x + z.y * z.y;
  }
  power[i] = sum;
}
