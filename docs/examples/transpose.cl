//===- transpose.cl - A matrix transposed in two ways --------*- OpenCL -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernels of transpose.cu: out = transposed in, both 2048 x 2048 floats.
// Work groups of 32 x 8 items move a 32 x 32 tile each; there are 64 x 64.
//
//===----------------------------------------------------------------------===//

enum { Side = 2048, Tile = 32, Step = 8 };

// Reads rows and writes columns.
kernel void naive(global const float *in, global float *out) {
  int x = get_group_id(0) * Tile + get_local_id(0);
  int y = get_group_id(1) * Tile + get_local_id(1);
  for (int k = 0; k < Tile; k += Step)
    out[x * Side + y + k] = in[(y + k) * Side + x];
}

// Reads and writes rows; the tile lies in local memory between.
kernel void tiled(global const float *in, global float *out) {
  local float tile[Tile][Tile];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * Tile, row = get_group_id(1) * Tile;
  for (int k = 0; k < Tile; k += Step)
    tile[y + k][x] = in[(row + y + k) * Side + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < Tile; k += Step)
    out[(column + y + k) * Side + row + x] = tile[x][y + k];
}
