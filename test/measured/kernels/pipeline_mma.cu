//===- pipeline_mma.cu - matrix products in stages -------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// target: sm_80

// C (m x n) = A (m x k) * B (n x k)^T by ldmatrix, mma.sync and cp.async, with
// one to four stages and tiles of three sizes; in f16, bf16 and int8. Sizes are
// multiples of the tiles. A row of a tile is 64 bytes, swizzled so that
// ldmatrix has no bank conflicts; one variant shows what that is worth.

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int RowBytes = 64;

__device__ __forceinline__ uint32_t addressOf(const void *shared) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}

/// What is multiplied: `Sum` is the type of the accumulators.
struct Half {
  using Element = __half;
  using Sum = float;
  using Result = __half;
  static __device__ __forceinline__ void
  multiply(float (&d)[4], const uint32_t (&a)[4], const uint32_t *b) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                   "r"(b[1]));
  }
  static __device__ __forceinline__ void store(__half *to, float x, float y) {
    *reinterpret_cast<__half2 *>(to) = __floats2half2_rn(x, y);
  }
};

struct Bfloat {
  using Element = __nv_bfloat16;
  using Sum = float;
  using Result = __nv_bfloat16;
  static __device__ __forceinline__ void
  multiply(float (&d)[4], const uint32_t (&a)[4], const uint32_t *b) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                   "r"(b[1]));
  }
  static __device__ __forceinline__ void store(__nv_bfloat16 *to, float x,
                                               float y) {
    *reinterpret_cast<__nv_bfloat162 *>(to) = __floats2bfloat162_rn(x, y);
  }
};

struct Byte {
  using Element = int8_t;
  using Sum = int;
  using Result = int;
  static __device__ __forceinline__ void
  multiply(int (&d)[4], const uint32_t (&a)[4], const uint32_t *b) {
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                   "r"(b[1]));
  }
  static __device__ __forceinline__ void store(int *to, int x, int y) {
    *reinterpret_cast<int2 *>(to) = make_int2(x, y);
  }
};

/// A block's tile of C, and the part of each of its warps.
template <int BlockM, int BlockN, int WarpM, int WarpN>
struct Tile {
  static constexpr int M = BlockM, N = BlockN;
  static constexpr int WarpRows = WarpM, WarpColumns = WarpN;
  static constexpr int Across = BlockN / WarpN; // warps beside one another
  static constexpr int Threads = BlockM / WarpM * Across * 32;
  static constexpr int BytesA = BlockM * RowBytes;
  static constexpr int Bytes = BytesA + BlockN * RowBytes;
};

using Square128 = Tile<128, 128, 64, 32>;
using Square64 = Tile<64, 64, 32, 32>;
using Wide256 = Tile<128, 256, 64, 64>;

/// The byte of 16 of them in a tile: a swizzle spreads the chunks of eight rows
/// over all banks.
template <bool Swizzled>
__device__ __forceinline__ int placeOf(int row, int chunk) {
  return row * RowBytes + (Swizzled ? chunk ^ row / 2 % 4 : chunk) * 16;
}

__device__ __forceinline__ void loadMatrices(uint32_t (&to)[4], uint32_t from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, "
               "[%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(from)
               : "memory");
}

/// Copies `Rows` rows of 64 bytes, `pitch` bytes apart, to a tile: `to` and
/// `from` are this thread's first 16 bytes.
template <int Rows, int Threads>
__device__ __forceinline__ void copyAsync(uint32_t to, const uint8_t *from,
                                          int pitch) {
#pragma unroll
  for (int i = 0; i != Rows * 4 / Threads; ++i)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     to + i * (Threads / 4) * RowBytes),
                 "l"(from + size_t(i * (Threads / 4)) * pitch)
                 : "memory");
}

/// The same through registers.
template <int Rows, int Threads>
__device__ __forceinline__ void copy(uint8_t *to, const uint8_t *from,
                                     int pitch) {
#pragma unroll
  for (int i = 0; i != Rows * 4 / Threads; ++i)
    *reinterpret_cast<uint4 *>(to + i * (Threads / 4) * RowBytes) =
        *reinterpret_cast<const uint4 *>(from +
                                         size_t(i * (Threads / 4)) * pitch);
}

/// A warp's products of a stage.
template <typename Kind, typename T, bool Swizzled>
__device__ __forceinline__ void
multiplyStage(typename Kind::Sum (&d)[T::WarpRows / 16][T::WarpColumns / 8][4],
              uint32_t stage, int row, int column) {
  int lane = threadIdx.x % 32;
  row += lane % 16;
  column += lane / 16 * 8 + lane % 8;
#pragma unroll
  for (int k = 0; k != 2; ++k) {
    uint32_t a[T::WarpRows / 16][4], b[T::WarpColumns / 16][4];
    uint32_t fromA = stage + placeOf<Swizzled>(row, 2 * k + lane / 16);
    uint32_t fromB =
        stage + T::BytesA + placeOf<Swizzled>(column, 2 * k + lane / 8 % 2);
#pragma unroll
    for (int i = 0; i != T::WarpRows / 16; ++i)
      loadMatrices(a[i], fromA + i * 16 * RowBytes);
#pragma unroll
    for (int j = 0; j != T::WarpColumns / 16; ++j)
      loadMatrices(b[j], fromB + j * 16 * RowBytes);
#pragma unroll
    for (int i = 0; i != T::WarpRows / 16; ++i)
#pragma unroll
      for (int j = 0; j != T::WarpColumns / 8; ++j)
        Kind::multiply(d[i][j], a[i], &b[j / 2][j % 2 * 2]);
  }
}

/// Writes what a warp has summed up; `finish` makes it a result.
template <typename Kind, typename T, typename Finish>
__device__ __forceinline__ void
store(const typename Kind::Sum (&d)[T::WarpRows / 16][T::WarpColumns / 8][4],
      typename Kind::Result *c, int row, int column, int n, Finish finish) {
  int lane = threadIdx.x % 32;
  row += lane / 4;
  column += lane % 4 * 2;
#pragma unroll
  for (int i = 0; i != T::WarpRows / 16; ++i)
#pragma unroll
    for (int j = 0; j != T::WarpColumns / 8; ++j)
#pragma unroll
      for (int half = 0; half != 2; ++half) {
        int x = column + j * 8;
        Kind::store(c + size_t(row + i * 16 + half * 8) * n + x,
                    finish(d[i][j][2 * half], x),
                    finish(d[i][j][2 * half + 1], x + 1));
      }
}

extern __shared__ __align__(128) uint8_t stages[];

template <typename Kind, typename T, int Stages, bool Swizzled, typename Finish>
__device__ __forceinline__ void
product(const typename Kind::Element *a, const typename Kind::Element *b,
        typename Kind::Result *c, int n, int k, Finish finish) {
  int pitch = k * sizeof(*a), steps = pitch / RowBytes;
  int itsRow = threadIdx.x / 4, itsChunk = threadIdx.x % 4;
  int place = placeOf<Swizzled>(itsRow, itsChunk);
  auto fromA = reinterpret_cast<const uint8_t *>(a) +
               size_t(blockIdx.y * T::M + itsRow) * pitch + itsChunk * 16;
  auto fromB = reinterpret_cast<const uint8_t *>(b) +
               size_t(blockIdx.x * T::N + itsRow) * pitch + itsChunk * 16;
  int warp = threadIdx.x / 32;
  int row = warp / T::Across * T::WarpRows;
  int column = warp % T::Across * T::WarpColumns;
  typename Kind::Sum d[T::WarpRows / 16][T::WarpColumns / 8][4] = {};

  if constexpr (Stages == 1) {
#pragma unroll 1
    for (int i = 0; i != steps; ++i) {
      copy<T::M, T::Threads>(stages + place, fromA, pitch);
      copy<T::N, T::Threads>(stages + T::BytesA + place, fromB, pitch);
      fromA += RowBytes;
      fromB += RowBytes;
      __syncthreads();
      multiplyStage<Kind, T, Swizzled>(d, addressOf(stages), row, column);
      __syncthreads();
    }
  } else {
    uint32_t begin = addressOf(stages), end = begin + Stages * T::Bytes;
    uint32_t to = begin, from = begin;
    auto start = [&](bool isOne) {
      if (isOne) {
        copyAsync<T::M, T::Threads>(to + place, fromA, pitch);
        copyAsync<T::N, T::Threads>(to + T::BytesA + place, fromB, pitch);
      }
      asm volatile("cp.async.commit_group;" ::: "memory");
      fromA += RowBytes;
      fromB += RowBytes;
      to = to + T::Bytes == end ? begin : to + T::Bytes;
    };
#pragma unroll
    for (int i = 0; i != Stages - 1; ++i)
      start(i < steps);
#pragma unroll 1
    for (int i = 0; i != steps; ++i) {
      asm volatile("cp.async.wait_group %0;" ::"n"(Stages - 2) : "memory");
      __syncthreads();
      start(i + Stages - 1 < steps);
      multiplyStage<Kind, T, Swizzled>(d, from, row, column);
      from = from + T::Bytes == end ? begin : from + T::Bytes;
    }
  }
  store<Kind, T>(d, c, blockIdx.y * T::M + row, blockIdx.x * T::N + column, n,
                 finish);
}

#define PRODUCT(NAME, KIND, TILE, STAGES, SWIZZLED)                            \
  extern "C" __global__ void __launch_bounds__(TILE::Threads) NAME(            \
      const KIND::Element *__restrict__ a,                                     \
      const KIND::Element *__restrict__ b, KIND::Result *c, int n, int k) {    \
    product<KIND, TILE, STAGES, SWIZZLED>(                                     \
        a, b, c, n, k, [](KIND::Sum sum, int) { return sum; });                \
  }

PRODUCT(mma128x1, Half, Square128, 1, true)
PRODUCT(mma128x2, Half, Square128, 2, true)
PRODUCT(mma128x3, Half, Square128, 3, true)
PRODUCT(mma128x4, Half, Square128, 4, true)
PRODUCT(mma128x3Conflicts, Half, Square128, 3, false)
PRODUCT(mma64x1, Half, Square64, 1, true)
PRODUCT(mma64x2, Half, Square64, 2, true)
PRODUCT(mma64x3, Half, Square64, 3, true)
PRODUCT(mma64x4, Half, Square64, 4, true)
PRODUCT(mma256x2, Half, Wide256, 2, true)
PRODUCT(mma256x3, Half, Wide256, 3, true)
PRODUCT(mma256x4, Half, Wide256, 4, true)
PRODUCT(mmaInt8x3, Byte, Square128, 3, true)

// Adds a bias to each column and cuts what is negative.
extern "C" __global__ void __launch_bounds__(Square128::Threads)
    mmaBiasRelux3(const __nv_bfloat16 *__restrict__ a,
                  const __nv_bfloat16 *__restrict__ b, __nv_bfloat16 *c, int n,
                  int k, const float *__restrict__ bias) {
  product<Bfloat, Square128, 3, true>(
      a, b, c, n, k,
      [=](float sum, int column) { return fmaxf(sum + bias[column], 0); });
}
