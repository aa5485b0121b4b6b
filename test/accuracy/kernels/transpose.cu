//===- transpose.cu - Matrix transposition, from slow to fast --*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr int Tile = 32; // elements along each side of a block's tile
constexpr int Rows = 8;  // rows of threads: each thread moves Tile / Rows

// Reads coalesced, writes with a stride of a whole column.
extern "C" __global__ void transposeNaive(const float *__restrict__ in,
                                          float *__restrict__ out, int width,
                                          int height) {
  int x = blockIdx.x * Tile + threadIdx.x;
  int y = blockIdx.y * Tile + threadIdx.y;
  for (int i = 0; i < Tile; i += Rows)
    if (x < width && y + i < height)
      out[x * height + y + i] = in[(y + i) * width + x];
}

// Through a tile in shared memory, so that both sides are coalesced. Pitch is
// the length of a row of the tile: with Tile itself all lanes of a warp read
// one bank, with one element of padding each reads another.
template <int Pitch>
__device__ __forceinline__ void
transposeThroughTile(const float *in, float *out, int width, int height) {
  __shared__ float tile[Tile][Pitch];
  int x = blockIdx.x * Tile + threadIdx.x;
  int y = blockIdx.y * Tile + threadIdx.y;
  for (int i = 0; i < Tile; i += Rows)
    if (x < width && y + i < height)
      tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x; // in the transposed matrix
  y = blockIdx.x * Tile + threadIdx.y;
  for (int i = 0; i < Tile; i += Rows)
    if (x < height && y + i < width)
      out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

extern "C" __global__ void transposeShared(const float *__restrict__ in,
                                           float *__restrict__ out, int width,
                                           int height) {
  transposeThroughTile<Tile>(in, out, width, height);
}

extern "C" __global__ void transposePadded(const float *__restrict__ in,
                                           float *__restrict__ out, int width,
                                           int height) {
  transposeThroughTile<Tile + 1>(in, out, width, height);
}
