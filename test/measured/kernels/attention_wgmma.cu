//===- attention_wgmma.cu - attention by warpgroups ------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// target: sm_90a

// O = softmax(Q * K^T * scale) * V for heads of 128 elements: a warp loads
// queries, keys and values by TMA, two warpgroups have 64 queries each, and a
// ring of one or two stages of 128 keys and values lies between them. The
// causal form leaves out later keys. Each of Q, K, V and O is f16 of
// [head][place][element]; lengths are multiples of 128.

#include <cstdint>
#include <cuda_fp16.h>

struct alignas(64) TensorMap { // CUtensorMap
  uint64_t opaque[16];
};

constexpr int Width = 128;              // elements of a head
constexpr int Places = 128;             // queries of a block, keys of a stage
constexpr int HalfBytes = Places * 128; // 64 elements of each place
constexpr int TileBytes = 2 * HalfBytes;

__device__ __forceinline__ uint32_t addressOf(const void *shared) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}

__device__ __forceinline__ void init(uint64_t *barrier, uint32_t arrivals) {
  asm volatile(
      "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(addressOf(barrier)),
      "r"(arrivals)
      : "memory");
}

__device__ __forceinline__ void fenceInit() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void expect(uint64_t *barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   addressOf(barrier)),
               "r"(bytes)
               : "memory");
}

__device__ __forceinline__ void arrive(uint64_t *barrier) {
  asm volatile(
      "mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(addressOf(barrier))
      : "memory");
}

__device__ __forceinline__ void waitFor(uint64_t *barrier, uint32_t parity) {
  asm volatile("{\n\t.reg .pred done;\n\t"
               "WAIT:\n\t"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
               "@done bra DONE;\n\t"
               "bra WAIT;\n\t"
               "DONE:\n\t}" ::"r"(addressOf(barrier)),
               "r"(parity)
               : "memory");
}

__device__ __forceinline__ void load(void *to, const TensorMap &map, int x,
                                     int y, uint64_t *barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile."
               "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                   addressOf(to)),
               "l"(&map), "r"(x), "r"(y), "r"(addressOf(barrier))
               : "memory");
}

/// Loads all elements of `Places` places from `row` on.
__device__ __forceinline__ void loadTile(uint8_t *to, const TensorMap &map,
                                         int row, uint64_t *barrier) {
  load(to, map, 0, row, barrier);
  load(to + HalfBytes, map, 64, row, barrier);
}

/// The descriptor of rows of 128 swizzled bytes that are summed over.
__device__ __forceinline__ uint64_t describe(const void *tile) {
  uint64_t address = addressOf(tile);
  return (address & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

/// The descriptor of a tile whose places are summed over.
__device__ __forceinline__ uint64_t describeValues(const void *tile) {
  uint64_t address = addressOf(tile);
  return (address & 0x3ffff) >> 4 | uint64_t(HalfBytes >> 4) << 16 |
         64ull << 32 | 1ull << 62;
}

__device__ __forceinline__ void wgmmaFence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void wgmmaCommit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void wgmmaWait() {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

/// Keeps the compiler from moving what makes `d` behind the next fence.
template <int Registers>
__device__ __forceinline__ void pin(float (&d)[Registers]) {
#pragma unroll
  for (int i = 0; i != Registers; ++i)
    asm volatile("" : "+f"(d[i])::"memory");
}

// Operands of inline assembly: an accumulator of 64 registers.
#define NAMES8(A, B, C, D, E, F, G, H)                                         \
  "%" #A ", %" #B ", %" #C ", %" #D ", %" #E ", %" #F ", %" #G ", %" #H
// clang-format off
#define NAMES64 \
  NAMES8(0, 1, 2, 3, 4, 5, 6, 7) ", " \
  NAMES8(8, 9, 10, 11, 12, 13, 14, 15) ", " \
  NAMES8(16, 17, 18, 19, 20, 21, 22, 23) ", " \
  NAMES8(24, 25, 26, 27, 28, 29, 30, 31) ", " \
  NAMES8(32, 33, 34, 35, 36, 37, 38, 39) ", " \
  NAMES8(40, 41, 42, 43, 44, 45, 46, 47) ", " \
  NAMES8(48, 49, 50, 51, 52, 53, 54, 55) ", " \
  NAMES8(56, 57, 58, 59, 60, 61, 62, 63)
// clang-format on
#define VALUES8(D, I)                                                          \
  "+f"(D[I]), "+f"(D[I + 1]), "+f"(D[I + 2]), "+f"(D[I + 3]), "+f"(D[I + 4]),  \
      "+f"(D[I + 5]), "+f"(D[I + 6]), "+f"(D[I + 7])
#define VALUES64(D, I)                                                         \
  VALUES8(D, I), VALUES8(D, I + 8), VALUES8(D, I + 16), VALUES8(D, I + 24),    \
      VALUES8(D, I + 32), VALUES8(D, I + 40), VALUES8(D, I + 48),              \
      VALUES8(D, I + 56)
/// d = A * B^T, or that added to d.
template <int Adds>
__device__ __forceinline__ void multiply(float (&d)[64], uint64_t a,
                                         uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
               "{" NAMES64 "}, %64, %65, %66, 1, 1, 0, 0;"
               : VALUES64(d, 0)
               : "l"(a), "l"(b), "n"(Adds));
}

/// d += A * B.
__device__ __forceinline__ void
multiplyAdd(float (&d)[64], const uint32_t (&a)[4], uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
               "{" NAMES64 "}, {%64, %65, %66, %67}, %68, 1, 1, 1, 1;"
               : VALUES64(d, 0)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
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

/// A warpgroup's 64 queries: each thread has parts of two rows of them.
struct Rows {
  float score[64], out[64] = {};
  float most[2] = {-INFINITY, -INFINITY}, sum[2] = {};

  __device__ __forceinline__ void multiplyKeys(const uint8_t *queries,
                                               const uint8_t *keys) {
    wgmmaFence();
#pragma unroll
    for (int k = 0; k != Width / 16; ++k) {
      uint64_t a = describe(queries + k / 4 * HalfBytes) + k % 4 * 2;
      uint64_t b = describe(keys + k / 4 * HalfBytes) + k % 4 * 2;
      if (k == 0)
        multiply<0>(score, a, b);
      else
        multiply<1>(score, a, b);
    }
    wgmmaCommit();
    wgmmaWait();
  }

  /// Hides keys that come after the query at `row` of the first key.
  __device__ __forceinline__ void hideLater(int row) {
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int e = 0; e != 64; ++e)
      if (e / 4 * 8 + lane % 4 * 2 + e % 2 > row + lane / 4 + e / 2 % 2 * 8)
        score[e] = -INFINITY;
  }

  /// Makes scores weights, and scales what was summed up before.
  __device__ __forceinline__ void weigh(float scale) {
#pragma unroll
    for (int r = 0; r != 2; ++r) {
      float now = most[r];
#pragma unroll
      for (int e = 2 * r; e < 64; e += 4)
        now = fmaxf(now, fmaxf(score[e], score[e + 1]));
      now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, 1));
      now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, 2));
      float factor = exp2Of((most[r] - now) * scale), offset = now * scale;
      most[r] = now;
      sum[r] *= factor;
#pragma unroll
      for (int e = 2 * r; e < 64; e += 4) {
        score[e] = exp2Of(fmaf(score[e], scale, -offset));
        score[e + 1] = exp2Of(fmaf(score[e + 1], scale, -offset));
        sum[r] += score[e] + score[e + 1];
        out[e] *= factor;
        out[e + 1] *= factor;
      }
    }
  }

  __device__ __forceinline__ void multiplyValues(const uint8_t *values) {
    uint32_t weight[Places / 16][4];
#pragma unroll
    for (int k = 0; k != Places / 16; ++k)
#pragma unroll
      for (int i = 0; i != 4; ++i)
        weight[k][i] = pack(score[8 * k + 2 * i], score[8 * k + 2 * i + 1]);
    pin(out);
    wgmmaFence();
#pragma unroll
    for (int k = 0; k != Places / 16; ++k)
      multiplyAdd(out, weight[k], describeValues(values) + k * (16 * 128 >> 4));
    wgmmaCommit();
    wgmmaWait();
  }

  /// Writes the rows from `to` on.
  __device__ __forceinline__ void store(__half *to) {
    int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
#pragma unroll
    for (int r = 0; r != 2; ++r) {
      float all = sum[r];
      all += __shfl_xor_sync(0xffffffff, all, 1);
      all += __shfl_xor_sync(0xffffffff, all, 2);
      float factor = 1 / all;
      __half *row = to + (warp * 16 + lane / 4 + r * 8) * Width + lane % 4 * 2;
#pragma unroll
      for (int j = 0; j != 16; ++j)
        *reinterpret_cast<__half2 *>(row + j * 8) = __floats2half2_rn(
            out[4 * j + 2 * r] * factor, out[4 * j + 2 * r + 1] * factor);
    }
  }
};

extern __shared__ __align__(1024) uint8_t tiles[];

template <int Stages>
struct Barriers {
  uint64_t queries, fullKeys[Stages], emptyKeys[Stages], fullValues[Stages],
      emptyValues[Stages];
  __device__ __forceinline__ void initAll() {
    init(&queries, 1);
    for (int s = 0; s != Stages; ++s) {
      init(&fullKeys[s], 1);
      init(&fullValues[s], 1);
      init(&emptyKeys[s], 8);
      init(&emptyValues[s], 8);
    }
    fenceInit();
  }
};

/// The producer's part: `first` is the row of the block's queries, `head` that
/// of the head's keys.
template <int Stages>
__device__ __forceinline__ void
produce(Barriers<Stages> &barriers, const TensorMap &q, const TensorMap &k,
        const TensorMap &v, int first, int head, int steps) {
  expect(&barriers.queries, TileBytes);
  loadTile(tiles, q, first, &barriers.queries);
  int stage = 0;
  uint32_t phase = 0;
#pragma unroll 1
  for (int i = 0; i != steps; ++i) {
    uint8_t *keys = tiles + (1 + 2 * stage) * TileBytes;
    waitFor(&barriers.emptyKeys[stage], phase ^ 1);
    expect(&barriers.fullKeys[stage], TileBytes);
    loadTile(keys, k, head + i * Places, &barriers.fullKeys[stage]);
    waitFor(&barriers.emptyValues[stage], phase ^ 1);
    expect(&barriers.fullValues[stage], TileBytes);
    loadTile(keys + TileBytes, v, head + i * Places,
             &barriers.fullValues[stage]);
    if (++stage == Stages) {
      stage = 0;
      phase ^= 1;
    }
  }
}

template <int Stages, bool Causal>
__device__ __forceinline__ void attend(const TensorMap &q, const TensorMap &k,
                                       const TensorMap &v, __half *o,
                                       int length, float scale) {
  __shared__ Barriers<Stages> barriers;
  if (threadIdx.x == 0)
    barriers.initAll();
  __syncthreads();
  // The longest blocks of the causal form come first.
  int tile = Causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
  int head = blockIdx.y * length, first = tile * Places;
  int steps = Causal ? tile + 1 : length / Places;
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0)
      produce(barriers, q, k, v, head + first, head, steps);
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  int group = threadIdx.x / 128 - 1, stage = 0;
  bool tells = threadIdx.x % 32 == 0;
  uint32_t phase = 0;
  Rows rows;
  waitFor(&barriers.queries, 0);
#pragma unroll 1
  for (int i = 0; i != steps; ++i) {
    const uint8_t *keys = tiles + (1 + 2 * stage) * TileBytes;
    waitFor(&barriers.fullKeys[stage], phase);
    rows.multiplyKeys(tiles + group * 64 * 128, keys);
    if (tells)
      arrive(&barriers.emptyKeys[stage]);
    if (Causal && i + 1 == steps)
      rows.hideLater(group * 64 + threadIdx.x / 32 % 4 * 16);
    rows.weigh(scale);
    waitFor(&barriers.fullValues[stage], phase);
    rows.multiplyValues(keys + TileBytes);
    if (tells)
      arrive(&barriers.emptyValues[stage]);
    if (++stage == Stages) {
      stage = 0;
      phase ^= 1;
    }
  }
  rows.store(o + size_t(head + first + group * 64) * Width);
}

#define ATTENTION(NAME, STAGES, CAUSAL)                                        \
  extern "C" __global__ void __launch_bounds__(384)                            \
      NAME(const __grid_constant__ TensorMap q,                                \
           const __grid_constant__ TensorMap k,                                \
           const __grid_constant__ TensorMap v, __half *o, int length,         \
           float scale) {                                                      \
    attend<STAGES, CAUSAL>(q, k, v, o, length, scale);                         \
  }

ATTENTION(attentionRing1, 1, false)
ATTENTION(attentionRing2, 2, false)
ATTENTION(attentionRingCausal2, 2, true)
