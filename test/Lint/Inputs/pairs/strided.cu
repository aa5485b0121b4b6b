//===- strided.cu - A row a thread, and a column a thread -----*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Rows = 65536, Columns = 64;

// Neighbouring threads read elements of neighbouring rows.
extern "C" __global__ void defect(const float *m, float *sums) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < Columns; ++k)
    sum += m[row * Columns + k]; // planted: uncoalesced-access
  sums[row] = sum;
}

// The matrix is stored by columns.
extern "C" __global__ void fixed(const float *m, float *sums) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < Columns; ++k)
    sum += m[k * Rows + row];
  sums[row] = sum;
}
