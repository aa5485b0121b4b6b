//===- matmul_tiled.cu - Matrix multiply through shared memory -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr int Tile = 16;

// C (m x n) = A (m x k) * B (k x n), all row by row. A block makes a tile of
// C from tiles of A and B that it stages; what lies outside counts as 0.
extern "C" __global__ void __launch_bounds__(Tile *Tile)
    matmulTiled(const float *__restrict__ a, const float *__restrict__ b,
                float *__restrict__ c, int m, int n, int k) {
  __shared__ float tileA[Tile][Tile], tileB[Tile][Tile];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * Tile + x;
  int row = blockIdx.y * Tile + y;
  float sum = 0;
  for (int begin = 0; begin < k; begin += Tile) {
    bool insideA = row < m && begin + x < k;
    bool insideB = begin + y < k && column < n;
    tileA[y][x] = insideA ? a[row * k + begin + x] : 0;
    tileB[y][x] = insideB ? b[(begin + y) * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Tile; ++i)
      sum = fmaf(tileA[y][i], tileB[i][x], sum);
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}
