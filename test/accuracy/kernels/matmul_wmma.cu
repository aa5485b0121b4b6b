//===- matmul_wmma.cu - Matrix multiply by warp functions ------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <mma.h>

using namespace nvcuda;

// C (m x n) = A (m x k) * B (k x n), all row by row and multiples of 16: one
// warp, which is a block, makes 16 x 16 of C straight from global memory.
extern "C" __global__ void __launch_bounds__(32)
    matmulWmma(const half *__restrict__ a, const half *__restrict__ b,
               float *__restrict__ c, int n, int k) {
#if __CUDA_ARCH__ >= 700
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::fill_fragment(sums, 0.0f);
  int row = blockIdx.y * 16, column = blockIdx.x * 16;
  for (int begin = 0; begin < k; begin += 16) {
    wmma::load_matrix_sync(left, a + row * k + begin, k);
    wmma::load_matrix_sync(right, b + begin * n + column, n);
    wmma::mma_sync(sums, left, right, sums);
  }
  wmma::store_matrix_sync(c + row * n + column, sums, n, wmma::mem_row_major);
#endif
}
