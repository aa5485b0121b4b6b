//===- matmul_tensor.cu - Matrix multiply on tensor cores ------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cuda_fp16.h>

#if __CUDA_ARCH__ >= 800

constexpr int TileM = 32, TileN = 32, TileK = 32; // of a block
constexpr int Warps = 4;  // of a block, each with 16 x 16 of C
constexpr int Pad = 8;    // halves after each row, against bank conflicts
constexpr int Vector = 8; // halves of 16 bytes

// Four 8 x 8 matrices; lane l gives the address of row l % 8 of number l / 8.
template <bool Transposed>
__device__ __forceinline__ void loadMatrices(unsigned (&to)[4],
                                             const __half *row) {
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  if (Transposed)
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, "
        "[%4];"
        : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
        : "r"(address)
        : "memory");
  else
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
        : "r"(address)
        : "memory");
}

// c += a * b for 16 x 16 times 16 x 8.
__device__ __forceinline__ void multiply(float (&c)[4], const unsigned (&a)[4],
                                         unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// A warp's 16 x 16 of C, as two accumulators of 16 x 8.
__device__ __forceinline__ void tileOfWarp(const __half *a, const __half *b,
                                           int n, int k, float (&sums)[2][4]) {
  __shared__ __align__(16) __half tileA[TileM][TileK + Pad];
  __shared__ __align__(16) __half tileB[TileK][TileN + Pad];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row = warp / 2 * 16, column = warp % 2 * 16;
  for (int begin = 0; begin < k; begin += TileK) {
    // One vector of each matrix a thread: 32 rows of four vectors.
    int y = threadIdx.x / 4, x = threadIdx.x % 4 * Vector;
    *reinterpret_cast<uint4 *>(&tileA[y][x]) = *reinterpret_cast<const uint4 *>(
        &a[(blockIdx.y * TileM + y) * k + begin + x]);
    *reinterpret_cast<uint4 *>(&tileB[y][x]) = *reinterpret_cast<const uint4 *>(
        &b[(begin + y) * n + blockIdx.x * TileN + x]);
    __syncthreads();
#pragma unroll
    for (int depth = 0; depth < TileK; depth += 16) {
      unsigned left[4], right[4];
      int half = lane / 16 * 8;
      loadMatrices<false>(left, &tileA[row + lane % 16][depth + half]);
      loadMatrices<true>(right, &tileB[depth + lane % 16][column + half]);
      multiply(sums[0], left, right[0], right[1]);
      multiply(sums[1], left, right[2], right[3]);
    }
    __syncthreads();
  }
}

// C (m x n) = A (m x k) * B (k x n), all row by row, m, n and k multiples of
// the tiles. The result in single precision.
extern "C" __global__ void __launch_bounds__(32 * Warps)
    matmulTensor(const __half *__restrict__ a, const __half *__restrict__ b,
                 float *__restrict__ c, int n, int k) {
  float sums[2][4] = {};
  tileOfWarp(a, b, n, k, sums);
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row = blockIdx.y * TileM + warp / 2 * 16 + lane / 4;
  int column = blockIdx.x * TileN + warp % 2 * 16 + lane % 4 * 2;
#pragma unroll
  for (int part = 0; part < 2; ++part)
#pragma unroll
    for (int lower = 0; lower < 2; ++lower)
      *reinterpret_cast<float2 *>(
          &c[(row + 8 * lower) * n + column + 8 * part]) =
          make_float2(sums[part][2 * lower], sums[part][2 * lower + 1]);
}

// The result in half precision, through shared memory for whole vectors.
extern "C" __global__ void __launch_bounds__(32 * Warps)
    matmulTensorHalf(const __half *__restrict__ a, const __half *__restrict__ b,
                     __half *__restrict__ c, int n, int k) {
  __shared__ __align__(16) __half tileC[TileM][TileN + Pad];
  float sums[2][4] = {};
  tileOfWarp(a, b, n, k, sums);
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row = warp / 2 * 16, column = warp % 2 * 16;
  unsigned packed[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    __half2 pair =
        __floats2half2_rn(sums[i / 2][i % 2 * 2], sums[i / 2][i % 2 * 2 + 1]);
    packed[i] = *reinterpret_cast<unsigned *>(&pair);
  }
#if __CUDA_ARCH__ >= 900
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(
      &tileC[row + lane % 16][column + lane / 16 * 8]));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, "
               "%4};" ::"r"(address),
               "r"(packed[0]), "r"(packed[1]), "r"(packed[2]), "r"(packed[3])
               : "memory");
#else
#pragma unroll
  for (int i = 0; i < 4; ++i)
    *reinterpret_cast<unsigned *>(
        &tileC[row + lane / 4 + i % 2 * 8][column + lane % 4 * 2 + i / 2 * 8]) =
        packed[i];
#endif
  __syncthreads();
  int y = threadIdx.x / 4, x = threadIdx.x % 4 * Vector;
  *reinterpret_cast<uint4 *>(
      &c[(blockIdx.y * TileM + y) * n + blockIdx.x * TileN + x]) =
      *reinterpret_cast<const uint4 *>(&tileC[y][x]);
}

#else

extern "C" __global__ void matmulTensor(const __half *, const __half *, float *,
                                        int, int) {}
extern "C" __global__ void matmulTensorHalf(const __half *, const __half *,
                                            __half *, int, int) {}

#endif
