//===- transpose.cu - A matrix transposed in two ways ---------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// out = transposed in, both 2048 x 2048 floats. Blocks of 32 x 8 threads move a
// 32 x 32 tile each; the grid is 64 x 64 blocks.
//
//===----------------------------------------------------------------------===//

constexpr int Side = 2048, Tile = 32, Step = 8;

// Reads rows and writes columns.
extern "C" __global__ void naive(const float *in, float *out) {
  int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
  for (int k = 0; k < Tile; k += Step)
    out[x * Side + y + k] = in[(y + k) * Side + x];
}

// Reads and writes rows; the tile lies in shared memory between.
extern "C" __global__ void tiled(const float *in, float *out) {
  __shared__ float tile[Tile][Tile];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * Tile, row = blockIdx.y * Tile;
  for (int k = 0; k < Tile; k += Step)
    tile[y + k][x] = in[(row + y + k) * Side + column + x];
  __syncthreads();
  for (int k = 0; k < Tile; k += Step)
    out[(column + y + k) * Side + row + x] = tile[x][y + k];
}
