//===- matmul_naive.cu - Matrix multiply, naive ----------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// C (m x n) = A (m x k) * B (k x n), all row by row.
extern "C" __global__ void matmulNaive(const float *__restrict__ a,
                                       const float *__restrict__ b,
                                       float *__restrict__ c, int m, int n,
                                       int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum = fmaf(a[row * k + i], b[i * n + column], sum);
  c[row * n + column] = sum;
}
