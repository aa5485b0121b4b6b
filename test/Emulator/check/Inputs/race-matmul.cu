//===- race-matmul.cu - Tiles overwritten while in use ---------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Tile = 16;

extern "C" __global__ void broken(const float *a, const float *b, float *c,
                                  int n) {
  __shared__ float tileA[Tile][Tile], tileB[Tile][Tile];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * Tile + y, column = blockIdx.x * Tile + x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; k += Tile) {
    tileA[y][x] = a[row * n + k + x];
    tileB[y][x] = b[(k + y) * n + column];
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < Tile; ++i)
      sum += tileA[y][i] * tileB[i][x];
    // no barrier before the next tiles
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void fixed(const float *a, const float *b, float *c,
                                 int n) {
  __shared__ float tileA[Tile][Tile], tileB[Tile][Tile];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * Tile + y, column = blockIdx.x * Tile + x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; k += Tile) {
    tileA[y][x] = a[row * n + k + x];
    tileB[y][x] = b[(k + y) * n + column];
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < Tile; ++i)
      sum += tileA[y][i] * tileB[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
