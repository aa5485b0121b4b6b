//===- pitch.cu - Rows as far apart as the launch says ----------- -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Columns = 64;

// Each thread sums a row; rows lie `pitch` elements apart.
extern "C" __global__ void defect(const float *m, float *sums, int pitch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < Columns; ++k)
    sum += m[row * pitch + k]; // planted: uncoalesced-access
  sums[row] = sum;
}

// The matrix is stored by columns.
extern "C" __global__ void fixed(const float *m, float *sums, int pitch) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < Columns; ++k)
    sum += m[k * pitch + row];
  sums[row] = sum;
}
