//===- matmul.cl - Tiled single-precision matrix product -----*- OpenCL -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernel of matmul.cu: C = A * B for square row-major matrices of n x n
// floats. A work group of 16 x 16 items computes one 16 x 16 tile of C.
//
//===----------------------------------------------------------------------===//

enum { Tile = 16 };

kernel __attribute__((reqd_work_group_size(Tile, Tile, 1))) void
matmul(global const float *restrict a, global const float *restrict b,
       global float *restrict c, int n) {
  local float aTile[Tile][Tile];
  local float bTile[Tile][Tile];

  int tx = get_local_id(0);
  int ty = get_local_id(1);
  int row = get_global_id(1);
  int col = get_global_id(0);

  float sum = 0.0f;
  for (int k = 0; k < n; k += Tile) {
    aTile[ty][tx] = row < n && k + tx < n ? a[row * n + k + tx] : 0.0f;
    bTile[ty][tx] = k + ty < n && col < n ? b[(k + ty) * n + col] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int i = 0; i < Tile; ++i)
      sum += aTile[ty][i] * bTile[i][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (row < n && col < n)
    c[row * n + col] = sum;
}
