//===- transpose.cu - Columns written at once, or by tiles ----*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Side = 2048, Tile = 32, Step = 8;

extern "C" __global__ void defect(const float *in, float *out) {
  int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
  for (int k = 0; k < Tile; k += Step)
    out[x * Side + y + k] = in[(y + k) * Side + x]; // planted: uncoalesced-access
}

extern "C" __global__ void fixed(const float *in, float *out) {
  __shared__ float tile[Tile][Tile + 1];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * Tile, row = blockIdx.y * Tile;
  for (int k = 0; k < Tile; k += Step)
    tile[y + k][x] = in[(row + y + k) * Side + column + x];
  __syncthreads();
  for (int k = 0; k < Tile; k += Step)
    out[(column + y + k) * Side + row + x] = tile[x][y + k];
}
