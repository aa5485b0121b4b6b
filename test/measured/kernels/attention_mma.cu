//===- attention_mma.cu - attention in one pass ----------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// target: sm_80

// O = softmax(Q * K^T * scale) * V for each head by mma.sync, with a softmax
// that goes along and cp.async for the next keys and values while the current
// ones are in use: heads of 64 and 128 elements, 64 and 128 queries a block,
// and the causal form, in which queries see no later keys. Each of Q, K, V and
// O is f16 of [head][place][element]; lengths are multiples of 128.

#include <cstdint>
#include <cuda_fp16.h>

constexpr int Keys = 64; // of a stage

__device__ __forceinline__ uint32_t addressOf(const void *shared) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}

/// Where 16 bytes of a row lie: a swizzle spreads eight rows over all banks.
template <int Width>
__device__ __forceinline__ int placeOf(int row, int chunk) {
  return row * Width * 2 + (chunk ^ row % 8) * 16;
}

/// Copies `Rows` rows that lie one after the other to a swizzled tile.
template <int Rows, int Width, int Threads>
__device__ __forceinline__ void copyAsync(uint32_t to, const __half *from) {
  constexpr int Chunks = Width / 8;
#pragma unroll
  for (int i = 0; i != Rows * Chunks / Threads; ++i) {
    int at = i * Threads + threadIdx.x;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     to + placeOf<Width>(at / Chunks, at % Chunks)),
                 "l"(from + at * 8)
                 : "memory");
  }
}

__device__ __forceinline__ void commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int Pending>
__device__ __forceinline__ void waitCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}

__device__ __forceinline__ void loadMatrices(uint32_t (&to)[4], uint32_t from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, "
               "[%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(from)
               : "memory");
}

__device__ __forceinline__ void loadTransposed(uint32_t (&to)[4],
                                               uint32_t from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
               "{%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(from)
               : "memory");
}

__device__ __forceinline__ void multiply(float (&d)[4], const uint32_t (&a)[4],
                                         uint32_t b0, uint32_t b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ float exp2Of(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

__device__ __forceinline__ uint32_t pack(float x, float y) {
  __half2 both = __floats2half2_rn(x, y);
  return *reinterpret_cast<uint32_t *>(&both);
}

/// A warp's 16 queries: each thread has parts of two rows of them.
template <int Width>
struct Rows {
  uint32_t query[Width / 16][4];
  float score[Keys / 8][4];
  float out[Width / 8][4] = {};
  float most[2] = {-INFINITY, -INFINITY}, sum[2] = {};

  __device__ __forceinline__ void loadQueries(uint32_t from, int row) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k != Width / 16; ++k)
      loadMatrices(query[k],
                   from + placeOf<Width>(row + lane % 16, 2 * k + lane / 16));
  }

  __device__ __forceinline__ void multiplyKeys(uint32_t keys) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int j = 0; j != Keys / 8; ++j)
#pragma unroll
      for (int e = 0; e != 4; ++e)
        score[j][e] = 0;
#pragma unroll
    for (int k = 0; k != Width / 16; ++k)
#pragma unroll
      for (int j = 0; j != Keys / 16; ++j) {
        uint32_t key[4];
        loadMatrices(key,
                     keys + placeOf<Width>(j * 16 + lane / 16 * 8 + lane % 8,
                                           2 * k + lane / 8 % 2));
        multiply(score[2 * j], query[k], key[0], key[1]);
        multiply(score[2 * j + 1], query[k], key[2], key[3]);
      }
  }

  /// Hides keys that come after the query at `row` of the first key.
  __device__ __forceinline__ void hideLater(int row) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int j = 0; j != Keys / 8; ++j)
#pragma unroll
      for (int e = 0; e != 4; ++e)
        if (j * 8 + lane % 4 * 2 + e % 2 > row + lane / 4 + e / 2 * 8)
          score[j][e] = -INFINITY;
  }

  /// Makes scores weights, and scales what was summed up before.
  __device__ __forceinline__ void weigh(float scale) {
#pragma unroll
    for (int r = 0; r != 2; ++r) {
      float now = most[r];
#pragma unroll
      for (int j = 0; j != Keys / 8; ++j)
        now = fmaxf(now, fmaxf(score[j][2 * r], score[j][2 * r + 1]));
      now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, 1));
      now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, 2));
      float factor = exp2Of((most[r] - now) * scale), offset = now * scale;
      most[r] = now;
      sum[r] *= factor;
#pragma unroll
      for (int j = 0; j != Keys / 8; ++j)
#pragma unroll
        for (int e = 2 * r; e != 2 * r + 2; ++e) {
          score[j][e] = exp2Of(fmaf(score[j][e], scale, -offset));
          sum[r] += score[j][e];
        }
#pragma unroll
      for (int j = 0; j != Width / 8; ++j) {
        out[j][2 * r] *= factor;
        out[j][2 * r + 1] *= factor;
      }
    }
  }

  __device__ __forceinline__ void multiplyValues(uint32_t values) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k != Keys / 16; ++k) {
      uint32_t weight[4] = {pack(score[2 * k][0], score[2 * k][1]),
                            pack(score[2 * k][2], score[2 * k][3]),
                            pack(score[2 * k + 1][0], score[2 * k + 1][1]),
                            pack(score[2 * k + 1][2], score[2 * k + 1][3])};
#pragma unroll
      for (int j = 0; j != Width / 16; ++j) {
        uint32_t value[4];
        loadTransposed(value, values + placeOf<Width>(k * 16 + lane % 16,
                                                      2 * j + lane / 16));
        multiply(out[2 * j], weight, value[0], value[1]);
        multiply(out[2 * j + 1], weight, value[2], value[3]);
      }
    }
  }

  /// Writes the rows from `to` on.
  __device__ __forceinline__ void store(__half *to) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int r = 0; r != 2; ++r) {
      float all = sum[r];
      all += __shfl_xor_sync(0xffffffff, all, 1);
      all += __shfl_xor_sync(0xffffffff, all, 2);
      float factor = 1 / all;
      __half *row = to + (lane / 4 + r * 8) * Width + lane % 4 * 2;
#pragma unroll
      for (int j = 0; j != Width / 8; ++j)
        *reinterpret_cast<__half2 *>(row + j * 8) = __floats2half2_rn(
            out[j][2 * r] * factor, out[j][2 * r + 1] * factor);
    }
  }
};

extern __shared__ __align__(128) uint8_t shared[];

template <int Width, int Queries, bool Causal>
__device__ __forceinline__ void attend(const __half *q, const __half *k,
                                       const __half *v, __half *o, int length,
                                       float scale) {
  constexpr int Threads = Queries * 2, Tile = Keys * Width * 2;
  // The longest blocks of the causal form come first.
  int tile = Causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
  int first = tile * Queries, row = threadIdx.x / 32 * 16;
  size_t head = size_t(blockIdx.y) * length * Width;
  k += head;
  v += head;
  uint32_t queries = addressOf(shared), stages = queries + Queries * Width * 2;
  auto start = [&](int i) {
    uint32_t to = stages + i % 2 * (2 * Tile);
    copyAsync<Keys, Width, Threads>(to, k + i * (Keys * Width));
    copyAsync<Keys, Width, Threads>(to + Tile, v + i * (Keys * Width));
    commit();
  };
  int steps = (Causal ? first + Queries : length) / Keys;
  copyAsync<Queries, Width, Threads>(queries, q + head + first * Width);
  start(0);
  waitCopies<0>();
  __syncthreads();
  Rows<Width> rows;
  rows.loadQueries(queries, row);
#pragma unroll 1
  for (int i = 0; i != steps; ++i) {
    if (i + 1 != steps)
      start(i + 1);
    uint32_t stage = stages + i % 2 * (2 * Tile);
    rows.multiplyKeys(stage);
    if (Causal && (i + 1) * Keys > first)
      rows.hideLater(first + row - i * Keys);
    rows.weigh(scale);
    rows.multiplyValues(stage + Tile);
    waitCopies<0>();
    __syncthreads();
  }
  rows.store(o + head + (first + row) * Width);
}

// Each is named after the elements of a head and the queries of a block.
#define ATTENTION(NAME, WIDTH, QUERIES, CAUSAL)                                \
  extern "C" __global__ void __launch_bounds__(QUERIES * 2)                    \
      NAME(const __half *q, const __half *k, const __half *v, __half *o,       \
           int length, float scale) {                                          \
    attend<WIDTH, QUERIES, CAUSAL>(q, k, v, o, length, scale);                 \
  }

ATTENTION(attention64x64, 64, 64, false)
ATTENTION(attention64x128, 64, 128, false)
ATTENTION(attention128x64, 128, 64, false)
ATTENTION(attention128x128, 128, 128, false)
ATTENTION(attentionCausal64x64, 64, 64, true)
ATTENTION(attentionCausal64x128, 64, 128, true)
ATTENTION(attentionCausal128x64, 128, 64, true)
ATTENTION(attentionCausal128x128, 128, 128, true)
