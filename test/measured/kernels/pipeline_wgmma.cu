//===- pipeline_wgmma.cu - matrix products by warpgroups -------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// target: sm_90a

// C (m x n) = A (m x k) * B (n x k)^T by TMA, wgmma and a ring of stages
// between a producer warp and two warpgroups that multiply: from one that does
// everything in a row to the persistent one, a cluster that shares B, A from
// registers, and e4m3. Sizes are multiples of the tiles. A row of a tile is 128
// bytes, swizzled.

#include <cstdint>
#include <cuda_fp16.h>

struct alignas(64) TensorMap { // CUtensorMap
  uint64_t opaque[16];
};

constexpr int RowBytes = 128;
constexpr int BlockM = 128;

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

/// Arrives at the barrier at the same place of a block of the cluster.
__device__ __forceinline__ void arriveAt(uint64_t *barrier, uint32_t rank) {
  asm volatile("{\n\t.reg .b32 remote;\n\t"
               "mapa.shared::cluster.u32 remote, %0, %1;\n\t"
               "mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
               "[remote];\n\t}" ::"r"(addressOf(barrier)),
               "r"(rank)
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

/// Copies to the same place of both blocks of a cluster.
__device__ __forceinline__ void loadBoth(void *to, const TensorMap &map, int x,
                                         int y, uint64_t *barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile."
               "mbarrier::complete_tx::bytes.multicast::cluster "
               "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(addressOf(to)),
               "l"(&map), "r"(x), "r"(y), "r"(addressOf(barrier)),
               "h"(static_cast<uint16_t>(3))
               : "memory");
}

__device__ __forceinline__ void clusterSync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n\t"
               "barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

__device__ __forceinline__ uint32_t clusterRank() {
  uint32_t rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// The descriptor of a tile in shared memory with a swizzle of 128 bytes.
__device__ __forceinline__ uint64_t describe(const void *tile) {
  uint64_t address = addressOf(tile);
  return (address & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

__device__ __forceinline__ void wgmmaFence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void wgmmaCommit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int Groups>
__device__ __forceinline__ void wgmmaWait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Groups) : "memory");
}

/// Keeps the compiler from moving what makes `d` behind the next fence.
template <int Registers>
__device__ __forceinline__ void pin(float (&d)[Registers]) {
#pragma unroll
  for (int i = 0; i != Registers; ++i)
    asm volatile("" : "+f"(d[i])::"memory");
}

// Operands of inline assembly: an accumulator of 64 or 128 registers.
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
#define NAMES128 \
  NAMES64 ", " \
  NAMES8(64, 65, 66, 67, 68, 69, 70, 71) ", " \
  NAMES8(72, 73, 74, 75, 76, 77, 78, 79) ", " \
  NAMES8(80, 81, 82, 83, 84, 85, 86, 87) ", " \
  NAMES8(88, 89, 90, 91, 92, 93, 94, 95) ", " \
  NAMES8(96, 97, 98, 99, 100, 101, 102, 103) ", " \
  NAMES8(104, 105, 106, 107, 108, 109, 110, 111) ", " \
  NAMES8(112, 113, 114, 115, 116, 117, 118, 119) ", " \
  NAMES8(120, 121, 122, 123, 124, 125, 126, 127)
// clang-format on
#define VALUES8(D, I)                                                          \
  "+f"(D[I]), "+f"(D[I + 1]), "+f"(D[I + 2]), "+f"(D[I + 3]), "+f"(D[I + 4]),  \
      "+f"(D[I + 5]), "+f"(D[I + 6]), "+f"(D[I + 7])
#define VALUES64(D, I)                                                         \
  VALUES8(D, I), VALUES8(D, I + 8), VALUES8(D, I + 16), VALUES8(D, I + 24),    \
      VALUES8(D, I + 32), VALUES8(D, I + 40), VALUES8(D, I + 48),              \
      VALUES8(D, I + 56)
#define VALUES128(D) VALUES64(D, 0), VALUES64(D, 64)

/// How elements are multiplied: 32 bytes of a row an instruction.
struct Half {
  static constexpr int Size = 2;
  static __device__ __forceinline__ void multiply(float (&d)[64], uint64_t a,
                                                  uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
                 "{" NAMES64 "}, %64, %65, 1, 1, 1, 0, 0;"
                 : VALUES64(d, 0)
                 : "l"(a), "l"(b));
  }
  static __device__ __forceinline__ void multiply(float (&d)[128], uint64_t a,
                                                  uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 "
                 "{" NAMES128 "}, %128, %129, 1, 1, 1, 0, 0;"
                 : VALUES128(d)
                 : "l"(a), "l"(b));
  }
  static __device__ __forceinline__ void
  multiply(float (&d)[64], const uint32_t (&a)[4], uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
                 "{" NAMES64 "}, {%64, %65, %66, %67}, %68, 1, 1, 1, 0;"
                 : VALUES64(d, 0)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
  }
};

struct E4m3 {
  static constexpr int Size = 1;
  static __device__ __forceinline__ void multiply(float (&d)[64], uint64_t a,
                                                  uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 "
                 "{" NAMES64 "}, %64, %65, 1, 1, 1;"
                 : VALUES64(d, 0)
                 : "l"(a), "l"(b));
  }
};

/// All products of a stage of the 64 rows at `a`.
template <typename Element, int Registers>
__device__ __forceinline__ void
multiplyStage(float (&d)[Registers], const uint8_t *a, const uint8_t *b) {
  uint64_t from = describe(a), with = describe(b);
#pragma unroll
  for (int k = 0; k != RowBytes / 32; ++k)
    Element::multiply(d, from + 2 * k, with + 2 * k);
}

/// A warpgroup writes its 64 rows of C, which begin at `c`.
template <int Registers>
__device__ __forceinline__ void store(const float (&d)[Registers], __half *c,
                                      int n) {
  int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  __half *row = c + size_t(warp * 16 + lane / 4) * n + lane % 4 * 2;
#pragma unroll
  for (int i = 0; i != Registers / 4; ++i) {
    *reinterpret_cast<__half2 *>(row + i * 8) =
        __floats2half2_rn(d[4 * i], d[4 * i + 1]);
    *reinterpret_cast<__half2 *>(row + size_t(8) * n + i * 8) =
        __floats2half2_rn(d[4 * i + 2], d[4 * i + 3]);
  }
}

extern __shared__ __align__(1024) uint8_t tiles[];

//===----------------------------------------------------------------------===//
// One stage, one warpgroup, one thing after the other
//===----------------------------------------------------------------------===//

extern "C" __global__ void __launch_bounds__(128)
    wgmmaSerial(const __grid_constant__ TensorMap a,
                const __grid_constant__ TensorMap b, __half *c, int n, int k) {
  constexpr int BlockN = 128;
  constexpr int BytesA = BlockM * RowBytes, BytesB = BlockN * RowBytes;
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init(&full, 1);
    fenceInit();
  }
  __syncthreads();
  int row = blockIdx.y * BlockM, column = blockIdx.x * BlockN;
  float upper[64] = {}, lower[64] = {};
#pragma unroll 1
  for (int i = 0; i != k / 64; ++i) {
    if (threadIdx.x == 0) {
      expect(&full, BytesA + BytesB);
      load(tiles, a, i * 64, row, &full);
      load(tiles + BytesA, b, i * 64, column, &full);
    }
    waitFor(&full, i & 1);
    wgmmaFence();
    multiplyStage<Half>(upper, tiles, tiles + BytesA);
    multiplyStage<Half>(lower, tiles + BytesA / 2, tiles + BytesA);
    wgmmaCommit();
    wgmmaWait<0>();
    __syncthreads();
  }
  store(upper, c + size_t(row) * n + column, n);
  store(lower, c + size_t(row + 64) * n + column, n);
}

//===----------------------------------------------------------------------===//
// A ring of stages between a producer and two warpgroups
//===----------------------------------------------------------------------===//

/// The place in a ring.
template <int Stages>
struct Place {
  int stage = 0;
  uint32_t phase = 0;
  __device__ __forceinline__ void next() {
    if (++stage == Stages) {
      stage = 0;
      phase ^= 1;
    }
  }
};

/// The barriers of a ring.
template <int Stages>
struct Ring {
  uint64_t full[Stages], empty[Stages];
  __device__ __forceinline__ void initAll(int readers) {
    for (int s = 0; s != Stages; ++s) {
      init(&full[s], 1);
      init(&empty[s], readers);
    }
    fenceInit();
  }
};

template <int BlockN>
struct Stage {
  static constexpr int BytesA = BlockM * RowBytes, BytesB = BlockN * RowBytes;
  static constexpr int Bytes = BytesA + BytesB;
};

/// The producer's part of a tile of C.
template <typename Element, int BlockN, int Stages>
__device__ __forceinline__ void
produce(Ring<Stages> &ring, Place<Stages> &place, const TensorMap &a,
        const TensorMap &b, int row, int column, int steps) {
  using S = Stage<BlockN>;
#pragma unroll 1
  for (int i = 0; i != steps; ++i, place.next()) {
    waitFor(&ring.empty[place.stage], place.phase ^ 1);
    uint8_t *to = tiles + place.stage * S::Bytes;
    uint64_t *full = &ring.full[place.stage];
    expect(full, S::Bytes);
    load(to, a, i * (RowBytes / Element::Size), row, full);
    load(to + S::BytesA, b, i * (RowBytes / Element::Size), column, full);
  }
}

/// A warpgroup's part of a tile: the products of a stage are over before it is
/// given back.
template <typename Element, int BlockN, int Stages>
__device__ __forceinline__ void
consume(Ring<Stages> &ring, Place<Stages> &place, float (&d)[BlockN / 2],
        int group, int steps) {
  using S = Stage<BlockN>;
#pragma unroll 1
  for (int i = 0; i != steps; ++i, place.next()) {
    waitFor(&ring.full[place.stage], place.phase);
    const uint8_t *from = tiles + place.stage * S::Bytes;
    wgmmaFence();
    multiplyStage<Element>(d, from + group * 64 * RowBytes, from + S::BytesA);
    wgmmaCommit();
    wgmmaWait<0>();
    if (threadIdx.x % 32 == 0)
      arrive(&ring.empty[place.stage]);
  }
}

/// The same, but the products of a stage run on while the next ones start.
template <typename Element, int BlockN, int Stages>
__device__ __forceinline__ void
consumeOverlapped(Ring<Stages> &ring, Place<Stages> &place,
                  float (&d)[BlockN / 2], int group, int steps) {
  using S = Stage<BlockN>;
  auto start = [&] {
    waitFor(&ring.full[place.stage], place.phase);
    const uint8_t *from = tiles + place.stage * S::Bytes;
    wgmmaFence();
    multiplyStage<Element>(d, from + group * 64 * RowBytes, from + S::BytesA);
    wgmmaCommit();
  };
  bool tells = threadIdx.x % 32 == 0;
  pin(d);
  start();
  int before = place.stage;
  place.next();
#pragma unroll 1
  for (int i = 1; i != steps; ++i, place.next()) {
    start();
    wgmmaWait<1>();
    if (tells)
      arrive(&ring.empty[before]);
    before = place.stage;
  }
  wgmmaWait<0>();
  if (tells)
    arrive(&ring.empty[before]);
}

/// A block for each tile.
template <typename Element, int BlockN, int Stages, bool Overlapped>
__device__ __forceinline__ void
ringProduct(const TensorMap &a, const TensorMap &b, __half *c, int n, int k) {
  __shared__ Ring<Stages> ring;
  if (threadIdx.x == 0)
    ring.initAll(8);
  __syncthreads();
  int row = blockIdx.y * BlockM, column = blockIdx.x * BlockN;
  int steps = k / (RowBytes / Element::Size);
  Place<Stages> place;
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0)
      produce<Element, BlockN>(ring, place, a, b, row, column, steps);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    int group = threadIdx.x / 128 - 1;
    float d[BlockN / 2] = {};
    if constexpr (Overlapped)
      consumeOverlapped<Element, BlockN>(ring, place, d, group, steps);
    else
      consume<Element, BlockN>(ring, place, d, group, steps);
    store(d, c + size_t(row + group * 64) * n + column, n);
  }
}

#define RING(NAME, ELEMENT, BLOCK_N, STAGES, OVERLAPPED)                       \
  extern "C" __global__ void __launch_bounds__(384)                            \
      NAME(const __grid_constant__ TensorMap a,                                \
           const __grid_constant__ TensorMap b, __half *c, int n, int k) {     \
    ringProduct<ELEMENT, BLOCK_N, STAGES, OVERLAPPED>(a, b, c, n, k);          \
  }

RING(wgmmaRing128x2, Half, 128, 2, false)
RING(wgmmaRing128x3, Half, 128, 3, false)
RING(wgmmaRing128x4, Half, 128, 4, false)
RING(wgmmaOverlapped128x4, Half, 128, 4, true)
RING(wgmmaRing256x3, Half, 256, 3, false)
RING(wgmmaRing256x4, Half, 256, 4, false)
RING(wgmmaOverlapped256x4, Half, 256, 4, true)
RING(wgmmaE4m3x4, E4m3, 128, 4, false)

//===----------------------------------------------------------------------===//
// Persistent blocks: the next tile is loaded while one is written
//===----------------------------------------------------------------------===//

/// Calls `action` with the place of each tile of this block, eight rows of
/// tiles at a time so that what they share stays in the L2 cache.
template <int BlockN, typename Action>
__device__ __forceinline__ void eachTile(int m, int n, Action action) {
  constexpr int Rows = 8;
  int columns = n / BlockN, count = m / BlockM * columns;
  for (int t = blockIdx.x; t < count; t += gridDim.x) {
    int band = t / (Rows * columns), in = t % (Rows * columns);
    action((band * Rows + in % Rows) * BlockM, in / Rows * BlockN);
  }
}

template <int BlockN, int Stages>
__device__ __forceinline__ void persistentProduct(const TensorMap &a,
                                                  const TensorMap &b, __half *c,
                                                  int m, int n, int k) {
  __shared__ Ring<Stages> ring;
  if (threadIdx.x == 0)
    ring.initAll(8);
  __syncthreads();
  Place<Stages> place;
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0)
      eachTile<BlockN>(m, n, [&](int row, int column) {
        produce<Half, BlockN>(ring, place, a, b, row, column, k / 64);
      });
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    int group = threadIdx.x / 128 - 1;
    eachTile<BlockN>(m, n, [&](int row, int column) {
      float d[BlockN / 2] = {};
      consumeOverlapped<Half, BlockN>(ring, place, d, group, k / 64);
      store(d, c + size_t(row + group * 64) * n + column, n);
    });
  }
}

extern "C" __global__ void __launch_bounds__(384)
    wgmmaPersistent128(const __grid_constant__ TensorMap a,
                       const __grid_constant__ TensorMap b, __half *c, int m,
                       int n, int k) {
  persistentProduct<128, 4>(a, b, c, m, n, k);
}

extern "C" __global__ void __launch_bounds__(384)
    wgmmaPersistent256(const __grid_constant__ TensorMap a,
                       const __grid_constant__ TensorMap b, __half *c, int m,
                       int n, int k) {
  persistentProduct<256, 4>(a, b, c, m, n, k);
}

//===----------------------------------------------------------------------===//
// Two blocks, one above the other, share their columns of B
//===----------------------------------------------------------------------===//

template <int BlockN, int Stages>
__device__ __forceinline__ void
produceShared(Ring<Stages> &ring, const TensorMap &a, const TensorMap &b,
              int row, int column, int steps) {
  using S = Stage<BlockN>;
  Place<Stages> place;
  int half = clusterRank();
#pragma unroll 1
  for (int i = 0; i != steps; ++i, place.next()) {
    waitFor(&ring.empty[place.stage], place.phase ^ 1);
    uint8_t *to = tiles + place.stage * S::Bytes;
    uint64_t *full = &ring.full[place.stage];
    expect(full, S::Bytes);
    load(to, a, i * 64, row, full);
    loadBoth(to + S::BytesA + half * (S::BytesB / 2), b, i * 64,
             column + half * (BlockN / 2), full);
  }
}

template <int BlockN, int Stages>
__device__ __forceinline__ void consumeShared(Ring<Stages> &ring,
                                              float (&d)[BlockN / 2], int group,
                                              int steps) {
  using S = Stage<BlockN>;
  Place<Stages> place;
#pragma unroll 1
  for (int i = 0; i != steps; ++i, place.next()) {
    waitFor(&ring.full[place.stage], place.phase);
    const uint8_t *from = tiles + place.stage * S::Bytes;
    wgmmaFence();
    multiplyStage<Half>(d, from + group * 64 * RowBytes, from + S::BytesA);
    wgmmaCommit();
    wgmmaWait<0>();
    if (threadIdx.x % 32 < 2)
      arriveAt(&ring.empty[place.stage], threadIdx.x % 32);
  }
}

template <int BlockN, int Stages>
__device__ __forceinline__ void clusterProduct(const TensorMap &a,
                                               const TensorMap &b, __half *c,
                                               int n, int k) {
  __shared__ Ring<Stages> ring;
  if (threadIdx.x == 0)
    ring.initAll(16);
  clusterSync();
  int row = blockIdx.x * BlockM, column = blockIdx.y * BlockN;
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0)
      produceShared<BlockN>(ring, a, b, row, column, k / 64);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    int group = threadIdx.x / 128 - 1;
    float d[BlockN / 2] = {};
    consumeShared<BlockN>(ring, d, group, k / 64);
    store(d, c + size_t(row + group * 64) * n + column, n);
  }
  __syncwarp();
  clusterSync(); // no block leaves while the other arrives at its barriers
}

extern "C" __global__ void __launch_bounds__(384) __cluster_dims__(2, 1, 1)
    wgmmaCluster128(const __grid_constant__ TensorMap a,
                    const __grid_constant__ TensorMap b, __half *c, int n,
                    int k) {
  clusterProduct<128, 4>(a, b, c, n, k);
}

extern "C" __global__ void __launch_bounds__(384) __cluster_dims__(2, 1, 1)
    wgmmaCluster256(const __grid_constant__ TensorMap a,
                    const __grid_constant__ TensorMap b, __half *c, int n,
                    int k) {
  clusterProduct<256, 4>(a, b, c, n, k);
}

//===----------------------------------------------------------------------===//
// A from registers
//===----------------------------------------------------------------------===//

/// This warp's 16 x 16 elements of A, 32 bytes of each row, for a product.
__device__ __forceinline__ void loadFragment(uint32_t (&to)[4],
                                             const uint8_t *a, int k) {
  int lane = threadIdx.x % 32, row = threadIdx.x / 32 % 4 * 16 + lane % 16;
  int chunk = (2 * k + lane / 16) ^ (row % 8);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, "
               "[%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(addressOf(a + row * RowBytes + chunk * 16))
               : "memory");
}

extern "C" __global__ void __launch_bounds__(384)
    wgmmaRegisters(const __grid_constant__ TensorMap a,
                   const __grid_constant__ TensorMap b, __half *c, int n,
                   int k) {
  constexpr int BlockN = 128, Stages = 4;
  using S = Stage<BlockN>;
  __shared__ Ring<Stages> ring;
  if (threadIdx.x == 0)
    ring.initAll(8);
  __syncthreads();
  int row = blockIdx.y * BlockM, column = blockIdx.x * BlockN;
  Place<Stages> place;
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0)
      produce<Half, BlockN>(ring, place, a, b, row, column, k / 64);
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  int group = threadIdx.x / 128 - 1;
  float d[64] = {};
#pragma unroll 1
  for (int i = 0; i != k / 64; ++i, place.next()) {
    waitFor(&ring.full[place.stage], place.phase);
    const uint8_t *from = tiles + place.stage * S::Bytes;
    uint32_t fragments[4][4];
#pragma unroll
    for (int j = 0; j != 4; ++j)
      loadFragment(fragments[j], from + group * 64 * RowBytes, j);
    uint64_t with = describe(from + S::BytesA);
    wgmmaFence();
#pragma unroll
    for (int j = 0; j != 4; ++j)
      Half::multiply(d, fragments[j], with + 2 * j);
    wgmmaCommit();
    wgmmaWait<0>();
    if (threadIdx.x % 32 == 0)
      arrive(&ring.empty[place.stage]);
  }
  store(d, c + size_t(row + group * 64) * n + column, n);
}
