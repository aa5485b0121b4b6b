//===- layernorm.cu - Layer normalisation of each row ----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr unsigned All = 0xffffffff;

__device__ __forceinline__ float sumOfWarp(float value) {
#pragma unroll
  for (unsigned mask = 16; mask > 0; mask /= 2)
    value += __shfl_xor_sync(All, value, mask);
  return value;
}

// One warp for each row: mean, then variance, then scale and shift.
extern "C" __global__ void layerNorm(const float *__restrict__ in,
                                     const float *__restrict__ scale,
                                     const float *__restrict__ shift,
                                     float *__restrict__ out, int rows,
                                     int columns, float epsilon) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows)
    return;
  const float *x = in + row * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += 32)
    sum += x[i];
  float mean = sumOfWarp(sum) / columns;
  float squares = 0;
  for (int i = threadIdx.x; i < columns; i += 32) {
    float difference = x[i] - mean;
    squares = fmaf(difference, difference, squares);
  }
  float inverse = rsqrtf(sumOfWarp(squares) / columns + epsilon);
  for (int i = threadIdx.x; i < columns; i += 32)
    out[row * columns + i] = fmaf((x[i] - mean) * inverse, scale[i], shift[i]);
}
