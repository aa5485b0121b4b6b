//===- pipeline_copies.cu - streams through a ring of stages ---*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// target: sm_90

// What memory gives to pipelines of copies into shared memory, by the bytes of
// a stage and the number of stages: bulk copies, boxes of a tensor map, and
// cp.async. A warp copies and eight warps add up; with cp.async all warps copy.
// Blocks take chunks in turn, and each thread writes one sum.

#include <cstdint>

struct alignas(64) TensorMap { // CUtensorMap
  uint64_t opaque[16];
};

constexpr int Readers = 256; // threads that add up

__device__ __forceinline__ uint32_t addressOf(const void *shared) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}

__device__ __forceinline__ void init(uint64_t *barrier, uint32_t arrivals) {
  asm volatile(
      "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(addressOf(barrier)),
      "r"(arrivals)
      : "memory");
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

/// Chunks that lie one after the other.
template <int Bytes>
struct Linear {
  const uint8_t *from;
  __device__ __forceinline__ void copy(void *to, int chunk,
                                       uint64_t *barrier) const {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                 "bytes [%0], [%1], %2, [%3];" ::"r"(addressOf(to)),
                 "l"(from + size_t(chunk) * Bytes), "r"(Bytes),
                 "r"(addressOf(barrier))
                 : "memory");
  }
};

/// Boxes of 32 floats' width of a matrix, row by row of boxes.
template <int Bytes>
struct Boxes {
  static constexpr int Rows = Bytes / 128;
  const TensorMap &map;
  int across; // boxes beside one another
  __device__ __forceinline__ void copy(void *to, int chunk,
                                       uint64_t *barrier) const {
    int x = chunk % across * 32, y = chunk / across * Rows;
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile."
        "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
            addressOf(to)),
        "l"(&map), "r"(x), "r"(y), "r"(addressOf(barrier))
        : "memory");
  }
};

/// What this thread adds of a stage.
template <int Bytes>
__device__ __forceinline__ void add(float4 &sum, const uint8_t *stage,
                                    int thread) {
#pragma unroll
  for (int i = 0; i != Bytes / 16 / Readers; ++i) {
    float4 value =
        reinterpret_cast<const float4 *>(stage)[i * Readers + thread];
    sum.x += value.x;
    sum.y += value.y;
    sum.z += value.z;
    sum.w += value.w;
  }
}

extern __shared__ __align__(1024) uint8_t stages[];

template <int Bytes, int Stages, typename Source>
__device__ __forceinline__ void stream(const Source &source, float *out,
                                       int chunks) {
  __shared__ uint64_t full[Stages], empty[Stages];
  if (threadIdx.x == 0) {
    for (int s = 0; s != Stages; ++s) {
      init(&full[s], 1);
      init(&empty[s], Readers / 32);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  int stage = 0;
  uint32_t phase = 0;
  auto next = [&] {
    if (++stage == Stages) {
      stage = 0;
      phase ^= 1;
    }
  };
  if (threadIdx.x >= Readers) {
    if (threadIdx.x == Readers)
#pragma unroll 1
      for (int c = blockIdx.x; c < chunks; c += gridDim.x, next()) {
        waitFor(&empty[stage], phase ^ 1);
        expect(&full[stage], Bytes);
        source.copy(stages + stage * Bytes, c, &full[stage]);
      }
    return;
  }
  float4 sum = {};
#pragma unroll 1
  for (int c = blockIdx.x; c < chunks; c += gridDim.x, next()) {
    waitFor(&full[stage], phase);
    add<Bytes>(sum, stages + stage * Bytes, threadIdx.x);
    __syncwarp();
    if (threadIdx.x % 32 == 0)
      arrive(&empty[stage]);
  }
  out[blockIdx.x * Readers + threadIdx.x] = sum.x + sum.y + sum.z + sum.w;
}

/// The same by cp.async of 16 bytes a thread.
template <int Bytes, int Stages>
__device__ __forceinline__ void streamAsync(const uint8_t *in, float *out,
                                            int chunks) {
  int ahead = blockIdx.x, stageAhead = 0;
  auto start = [&] {
    if (ahead < chunks) {
      const uint8_t *from = in + size_t(ahead) * Bytes + threadIdx.x * 16;
      uint32_t to = addressOf(stages + stageAhead * Bytes + threadIdx.x * 16);
#pragma unroll
      for (int i = 0; i != Bytes / 16 / Readers; ++i)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                         to + i * Readers * 16),
                     "l"(from + i * Readers * 16)
                     : "memory");
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
    ahead += gridDim.x;
    stageAhead = stageAhead + 1 == Stages ? 0 : stageAhead + 1;
  };
  for (int s = 0; s != Stages - 1; ++s)
    start();
  float4 sum = {};
  int stage = 0;
#pragma unroll 1
  for (int c = blockIdx.x; c < chunks; c += gridDim.x) {
    if constexpr (Stages == 1) {
      __syncthreads();
      start();
      asm volatile("cp.async.wait_group 0;" ::: "memory");
      __syncthreads();
    } else {
      asm volatile("cp.async.wait_group %0;" ::"n"(Stages - 2) : "memory");
      __syncthreads();
      start();
    }
    add<Bytes>(sum, stages + stage * Bytes, threadIdx.x);
    stage = stage + 1 == Stages ? 0 : stage + 1;
  }
  out[blockIdx.x * Readers + threadIdx.x] = sum.x + sum.y + sum.z + sum.w;
}

#define BULK(NAME, BYTES, STAGES)                                              \
  extern "C" __global__ void __launch_bounds__(Readers + 32)                   \
      NAME(const uint8_t *in, float *out, int chunks) {                        \
    stream<BYTES, STAGES>(Linear<BYTES>{in}, out, chunks);                     \
  }

#define TENSOR(NAME, BYTES, STAGES)                                            \
  extern "C" __global__ void __launch_bounds__(Readers + 32)                   \
      NAME(const __grid_constant__ TensorMap in, float *out, int chunks,       \
           int across) {                                                       \
    stream<BYTES, STAGES>(Boxes<BYTES>{in, across}, out, chunks);              \
  }

#define ASYNC(NAME, BYTES, STAGES)                                             \
  extern "C" __global__ void __launch_bounds__(Readers)                        \
      NAME(const uint8_t *in, float *out, int chunks) {                        \
    streamAsync<BYTES, STAGES>(in, out, chunks);                               \
  }

BULK(bulk4KiBx1, 4096, 1)
BULK(bulk4KiBx2, 4096, 2)
BULK(bulk4KiBx4, 4096, 4)
BULK(bulk4KiBx8, 4096, 8)
BULK(bulk16KiBx1, 16384, 1)
BULK(bulk16KiBx2, 16384, 2)
BULK(bulk16KiBx4, 16384, 4)
BULK(bulk16KiBx8, 16384, 8)

TENSOR(tensor4KiBx1, 4096, 1)
TENSOR(tensor4KiBx2, 4096, 2)
TENSOR(tensor4KiBx4, 4096, 4)
TENSOR(tensor4KiBx8, 4096, 8)
TENSOR(tensor16KiBx1, 16384, 1)
TENSOR(tensor16KiBx2, 16384, 2)
TENSOR(tensor16KiBx4, 16384, 4)
TENSOR(tensor16KiBx8, 16384, 8)

ASYNC(async4KiBx1, 4096, 1)
ASYNC(async4KiBx2, 4096, 2)
ASYNC(async4KiBx4, 4096, 4)
ASYNC(async4KiBx8, 4096, 8)
ASYNC(async16KiBx1, 16384, 1)
ASYNC(async16KiBx2, 16384, 2)
ASYNC(async16KiBx4, 16384, 4)
ASYNC(async16KiBx8, 16384, 8)
