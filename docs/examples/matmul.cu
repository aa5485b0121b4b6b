//===- matmul.cu - Tiled single-precision matrix product ------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// C = A * B for square row-major matrices of n x n floats. A block of 16 x 16
// threads computes one 16 x 16 tile of C; the tiles of A and B pass through
// shared memory, so that each element is read from global memory n / 16 times.
// The grid is ceil(n / 16) x ceil(n / 16) blocks.
//
//===----------------------------------------------------------------------===//

constexpr int Tile = 16;

extern "C" __global__ void __block_size__((Tile, Tile, 1))
    matmul(const float *__restrict__ a, const float *__restrict__ b,
           float *__restrict__ c, int n) {
  __shared__ float aTile[Tile][Tile];
  __shared__ float bTile[Tile][Tile];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * Tile + ty;
  int col = blockIdx.x * Tile + tx;

  float sum = 0.0f;
  for (int k = 0; k < n; k += Tile) {
    aTile[ty][tx] = row < n && k + tx < n ? a[row * n + k + tx] : 0.0f;
    bTile[ty][tx] = k + ty < n && col < n ? b[(k + ty) * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Tile; ++i)
      sum += aTile[ty][i] * bTile[i][tx];
    __syncthreads();
  }

  if (row < n && col < n)
    c[row * n + col] = sum;
}
