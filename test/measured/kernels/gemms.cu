//===- gemms.cu - matrix products without tensor cores ---------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// C (m x n) = A (m x k) * B (k x n), all row by row, of sizes that the tiles
// divide: single precision in tiles of warps, and half precision by pairs.

#include <cuda_fp16.h>

constexpr int Tile = 128, Depth = 16, Threads = 256; // of a block

// A warp makes 64 x 32 of C, a thread four parts of 4 x 4: neighbouring lanes
// read neighbouring vectors. The next tiles are on their way in registers
// while the present ones are multiplied.
constexpr int WarpM = 64, WarpN = 32;

struct Next {
  float4 a[2], b[2];
};

__device__ __forceinline__ void fetch(Next &next, const float *a,
                                      const float *b, int n, int k) {
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    int v = threadIdx.x + i * Threads;
    next.a[i] = *reinterpret_cast<const float4 *>(
        &a[v / (Depth / 4) * k + v % (Depth / 4) * 4]);
    next.b[i] = *reinterpret_cast<const float4 *>(
        &b[v / (Tile / 4) * n + v % (Tile / 4) * 4]);
  }
}

__device__ __forceinline__ void stage(float (*tileA)[Tile + 4],
                                      float (*tileB)[Tile], const Next &next) {
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    int v = threadIdx.x + i * Threads;
    int row = v / (Depth / 4), column = v % (Depth / 4) * 4;
    tileA[column + 0][row] = next.a[i].x;
    tileA[column + 1][row] = next.a[i].y;
    tileA[column + 2][row] = next.a[i].z;
    tileA[column + 3][row] = next.a[i].w;
    *reinterpret_cast<float4 *>(&tileB[v / (Tile / 4)][v % (Tile / 4) * 4]) =
        next.b[i];
  }
}

extern "C" __global__ void __launch_bounds__(Threads)
    sgemmWarpTiles(int n, int k, const float *__restrict__ a,
                   const float *__restrict__ b, float *__restrict__ c) {
  __shared__ __align__(16) float tileA[Depth][Tile + 4];
  __shared__ __align__(16) float tileB[Depth][Tile];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row = warp / (Tile / WarpN) * WarpM + lane / 4 * 4;
  int column = warp % (Tile / WarpN) * WarpN + lane % 4 * 4;
  a += blockIdx.y * Tile * k;
  b += blockIdx.x * Tile;
  float sums[8][8] = {};
  Next next;
  fetch(next, a, b, n, k);
  for (int begin = 0; begin < k; begin += Depth) {
    __syncthreads();
    stage(tileA, tileB, next);
    __syncthreads();
    a += Depth;
    b += Depth * n;
    if (begin + Depth < k)
      fetch(next, a, b, n, k);
#pragma unroll
    for (int i = 0; i < Depth; ++i) {
      float left[8], right[8];
#pragma unroll
      for (int part = 0; part < 2; ++part) {
        *reinterpret_cast<float4 *>(&left[part * 4]) =
            *reinterpret_cast<const float4 *>(
                &tileA[i][row + part * WarpM / 2]);
        *reinterpret_cast<float4 *>(&right[part * 4]) =
            *reinterpret_cast<const float4 *>(
                &tileB[i][column + part * WarpN / 2]);
      }
#pragma unroll
      for (int y = 0; y < 8; ++y)
#pragma unroll
        for (int x = 0; x < 8; ++x)
          sums[y][x] = fmaf(left[y], right[x], sums[y][x]);
    }
  }
  c += (blockIdx.y * Tile + row) * n + blockIdx.x * Tile + column;
#pragma unroll
  for (int y = 0; y < 8; ++y)
#pragma unroll
    for (int part = 0; part < 2; ++part)
      *reinterpret_cast<float4 *>(
          &c[(y / 4 * WarpM / 2 + y % 4) * n + part * WarpN / 2]) =
          *reinterpret_cast<const float4 *>(&sums[y][part * 4]);
}

// In half precision by pairs of columns: eight rows and four pairs a thread.
extern "C" __global__ void __launch_bounds__(Threads)
    hgemmPairs(int n, int k, const __half *__restrict__ a,
               const __half2 *__restrict__ b, __half2 *__restrict__ c) {
  __shared__ __align__(16) __half tileA[Depth][Tile + 8];
  __shared__ __align__(16) __half2 tileB[Depth][Tile / 2];
  int row = threadIdx.x / 16 * 8, pair = threadIdx.x % 16 * 4;
  a += blockIdx.y * Tile * k;
  b += blockIdx.x * Tile / 2;
  __half2 sums[8][4];
#pragma unroll
  for (int y = 0; y < 8; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x)
      sums[y][x] = __float2half2_rn(0);
  // Eight elements of each tile a thread.
  int rowA = threadIdx.x / 2, columnA = threadIdx.x % 2 * 8;
  int rowB = threadIdx.x / 16, pairB = threadIdx.x % 16 * 4;
  for (int begin = 0; begin < k; begin += Depth) {
    uint4 fromA =
        *reinterpret_cast<const uint4 *>(&a[rowA * k + begin + columnA]);
    uint4 fromB =
        *reinterpret_cast<const uint4 *>(&b[(begin + rowB) * (n / 2) + pairB]);
    __syncthreads();
    const __half *values = reinterpret_cast<const __half *>(&fromA);
#pragma unroll
    for (int i = 0; i < 8; ++i)
      tileA[columnA + i][rowA] = values[i];
    *reinterpret_cast<uint4 *>(&tileB[rowB][pairB]) = fromB;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Depth; ++i) {
      uint4 leftBits = *reinterpret_cast<const uint4 *>(&tileA[i][row]);
      uint4 rightBits = *reinterpret_cast<const uint4 *>(&tileB[i][pair]);
      const __half2 *left = reinterpret_cast<const __half2 *>(&leftBits);
      const __half2 *right = reinterpret_cast<const __half2 *>(&rightBits);
#pragma unroll
      for (int y = 0; y < 8; ++y) {
        __half2 both =
            y % 2 ? __high2half2(left[y / 2]) : __low2half2(left[y / 2]);
#pragma unroll
        for (int x = 0; x < 4; ++x)
          sums[y][x] = __hfma2(both, right[x], sums[y][x]);
      }
    }
  }
  c += (blockIdx.y * Tile + row) * (n / 2) + blockIdx.x * Tile / 2 + pair;
#pragma unroll
  for (int y = 0; y < 8; ++y)
    *reinterpret_cast<uint4 *>(&c[y * (n / 2)]) =
        *reinterpret_cast<const uint4 *>(&sums[y][0]);
}
