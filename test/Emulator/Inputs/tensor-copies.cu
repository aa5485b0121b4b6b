// Bulk copies of rows and of tensors, whole and clipped, in several forms.
//   nvcc -arch=sm_90a -ptx -o tensor-copies.nvcc.ptx tensor-copies.cu
#include <cstdint>
#include <cuda.h>

namespace {

__device__ uint32_t shared(const void *P) {
  return uint32_t(__cvta_generic_to_shared(P));
}

__device__ void init(uint64_t *Barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n"
               "fence.mbarrier_init.release.cluster;" ::"r"(shared(Barrier)));
}

__device__ void expect(uint64_t *Barrier, uint32_t Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   shared(Barrier)),
               "r"(Bytes)
               : "memory");
}

__device__ void wait(uint64_t *Barrier, int Parity) {
  asm volatile("{\n.reg .pred p;\n"
               "Poll: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@!p bra Poll;\n}" ::"r"(shared(Barrier)),
               "r"(Parity)
               : "memory");
}

__device__ void load2(void *To, const CUtensorMap &Map, int X, int Y,
                      uint64_t *Barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile."
               "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                   shared(To)),
               "l"(&Map), "r"(X), "r"(Y), "r"(shared(Barrier))
               : "memory");
}

__device__ void load3(void *To, const CUtensorMap &Map, int X, int Y, int Z,
                      uint64_t *Barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile."
      "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(
          shared(To)),
      "l"(&Map), "r"(X), "r"(Y), "r"(Z), "r"(shared(Barrier))
      : "memory");
}

__device__ void store2(const CUtensorMap &Map, int X, int Y, void *From) {
  asm volatile("fence.proxy.async.shared::cta;\n"
               "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group "
               "[%0, {%1, %2}], [%3];\n"
               "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::"l"(
                   &Map),
               "r"(X), "r"(Y), "r"(shared(From))
               : "memory");
}

__device__ void loadRow(void *To, const void *From, uint32_t Bytes,
                        uint64_t *Barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global."
               "mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared(To)),
               "l"(From), "r"(Bytes), "r"(shared(Barrier))
               : "memory");
}

__device__ void storeRow(void *To, const void *From, uint32_t Bytes) {
  asm volatile("fence.proxy.async.shared::cta;\n"
               "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
               "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::"l"(
                   To),
               "r"(shared(From)), "r"(Bytes)
               : "memory");
}

} // namespace

/// Tiles of 32 x 16 of a matrix whose extents are no multiples of that.
extern "C" __global__ void clippedTiles(const __grid_constant__ CUtensorMap In,
                                        const __grid_constant__ CUtensorMap Out) {
  __shared__ alignas(128) float Tile[16 * 32];
  __shared__ uint64_t Barrier;
  if (threadIdx.x == 0) {
    init(&Barrier);
    expect(&Barrier, sizeof Tile);
    load2(Tile, In, blockIdx.x * 32, blockIdx.y * 16, &Barrier);
  }
  __syncthreads();
  wait(&Barrier, 0);
  for (int I = threadIdx.x; I < 16 * 32; I += blockDim.x)
    Tile[I] *= 2;
  __syncthreads();
  if (threadIdx.x == 0)
    store2(Out, blockIdx.x * 32, blockIdx.y * 16, Tile);
}

/// Tiles with a border around them, plane by plane.
extern "C" __global__ void borders(const __grid_constant__ CUtensorMap In,
                                   float *Out, int Planes) {
  __shared__ alignas(128) float Tile[10 * 12];
  __shared__ uint64_t Barrier;
  if (threadIdx.x == 0)
    init(&Barrier);
  __syncthreads();
  float Sum = 0;
  for (int Z = 0; Z < Planes; ++Z) {
    if (threadIdx.x == 0) {
      expect(&Barrier, sizeof Tile);
      load3(Tile, In, int(blockIdx.x) * 8 - 1, int(blockIdx.y) * 8 - 1, Z,
            &Barrier);
    }
    wait(&Barrier, Z & 1);
    for (int I = threadIdx.x; I < 10 * 12; I += blockDim.x)
      Sum += Tile[I];
    __syncthreads();
  }
  Out[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = Sum;
}

/// Tiles that a grid shares out, from one plane of every other row.
extern "C" __global__ void everyOther(const __grid_constant__ CUtensorMap In,
                                      float *Out, int Tiles) {
  __shared__ alignas(128) float Tile[8 * 64];
  __shared__ uint64_t Barrier;
  if (threadIdx.x == 0)
    init(&Barrier);
  __syncthreads();
  int Parity = 0;
  for (int T = blockIdx.x; T < Tiles; T += gridDim.x) {
    if (threadIdx.x == 0) {
      expect(&Barrier, sizeof Tile);
      load2(Tile, In, T % 4 * 64, T / 4 * 16, &Barrier);
    }
    wait(&Barrier, Parity);
    Parity ^= 1;
    float Sum = 0;
    for (int I = threadIdx.x; I < 8 * 64; I += blockDim.x)
      Sum += Tile[I];
    __syncthreads();
    Out[T * blockDim.x + threadIdx.x] = Sum;
  }
}

/// Rows of 256 numbers, of which the last one has fewer.
extern "C" __global__ void rows(const float *In, float *Out, int Count) {
  __shared__ alignas(128) float Row[256];
  __shared__ uint64_t Barrier;
  const int First = blockIdx.x * 256;
  const uint32_t Bytes = min(256, Count - First) * 4;
  if (threadIdx.x == 0) {
    init(&Barrier);
    expect(&Barrier, Bytes);
    loadRow(Row, In + First, Bytes, &Barrier);
  }
  __syncthreads();
  wait(&Barrier, 0);
  if (First + threadIdx.x < Count)
    Row[threadIdx.x] += 1;
  __syncthreads();
  if (threadIdx.x == 0)
    storeRow(Out + First, Row, Bytes);
}

/// Each lane copies a row of its own.
extern "C" __global__ void rowOfEachLane(const float *In, float *Out,
                                         int Pitch) {
  __shared__ alignas(128) float Rows[32][20];
  __shared__ uint64_t Barrier;
  if (threadIdx.x == 0) {
    init(&Barrier);
    expect(&Barrier, sizeof Rows);
  }
  __syncthreads();
  if (threadIdx.x < 32)
    loadRow(Rows[threadIdx.x],
            In + (blockIdx.x * 32 + threadIdx.x) * Pitch, 80, &Barrier);
  wait(&Barrier, 0);
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Rows[threadIdx.x % 32][3];
}

/// Sums of tiles in L2, of tensors and of rows.
extern "C" __global__ void reduced(const __grid_constant__ CUtensorMap Out,
                                   float *Total) {
  __shared__ alignas(128) float Tile[8 * 32];
  for (int I = threadIdx.x; I < 8 * 32; I += blockDim.x)
    Tile[I] = blockIdx.x + I;
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("fence.proxy.async.shared::cta;\n"
                 "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile."
                 "bulk_group [%0, {%1, %2}], [%3];\n"
                 "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 "
                 "[%4], [%3], 128;\n"
                 "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::
                     "l"(&Out),
                 "r"(int(blockIdx.x % 4) * 32), "r"(int(blockIdx.x / 4) % 2 * 8),
                 "r"(shared(Tile)), "l"(Total)
                 : "memory");
  }
}

/// What is prefetched is copied afterwards; a part of it.
extern "C" __global__ void prefetched(const __grid_constant__ CUtensorMap In,
                                      const float *Row, float *Out) {
  __shared__ alignas(128) float Tile[16 * 32];
  __shared__ uint64_t Barrier;
  if (threadIdx.x == 0) {
    init(&Barrier);
    for (int T = 0; T != 4; ++T)
      asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile "
                   "[%0, {%1, %2}];" ::"l"(&In),
                   "r"(T * 32), "r"(int(blockIdx.x) * 16));
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], 1024;" ::"l"(Row));
    expect(&Barrier, sizeof Tile);
    load2(Tile, In, 32, blockIdx.x * 16, &Barrier);
  }
  __syncthreads();
  wait(&Barrier, 0);
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Tile[threadIdx.x] + Row[5];
}

/// Columns of a tile of 64 rows of 128 bytes: as they lie, and where a swizzle
/// of 128 bytes puts them.
extern "C" __global__ void columns(const __grid_constant__ CUtensorMap Plain,
                                   const __grid_constant__ CUtensorMap Swizzled,
                                   float *Out) {
  __shared__ alignas(1024) float Tile[2][64 * 32];
  __shared__ uint64_t Barrier;
  if (threadIdx.x == 0) {
    init(&Barrier);
    expect(&Barrier, sizeof Tile);
    load2(Tile[0], Plain, 0, blockIdx.x * 64, &Barrier);
    load2(Tile[1], Swizzled, 0, blockIdx.x * 64, &Barrier);
  }
  __syncthreads();
  wait(&Barrier, 0);
  const int Row = threadIdx.x;
  float Sum = 0;
  for (int C = 0; C != 8; ++C) {
    const float4 A = *reinterpret_cast<float4 *>(&Tile[0][Row * 32 + C * 4]);
    const float4 B =
        *reinterpret_cast<float4 *>(&Tile[1][Row * 32 + (C ^ Row % 8) * 4]);
    Sum += A.x - B.x + A.w - B.w;
  }
  Out[blockIdx.x * blockDim.x + Row] = Sum;
}

/// Each lane reads a word of the other block of its cluster: side by side, and
/// a row apart.
extern "C" __global__ void __cluster_dims__(2, 1, 1)
    neighbours(const float *In, float *Out) {
  __shared__ float Words[32 * 33];
  for (int I = threadIdx.x; I < 32 * 33; I += blockDim.x)
    Words[I] = In[I + blockIdx.x];
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::: "memory");
  float Row, Column;
  asm volatile("{\n.reg .b32 a, r;\nmov.u32 r, %%cluster_ctarank;\n"
               "xor.b32 r, r, 1;\nmapa.shared::cluster.u32 a, %2, r;\n"
               "ld.shared::cluster.f32 %0, [a];\n"
               "mapa.shared::cluster.u32 a, %3, r;\n"
               "ld.shared::cluster.f32 %1, [a];\n}"
               : "=f"(Row), "=f"(Column)
               : "r"(shared(&Words[threadIdx.x])),
                 "r"(shared(&Words[threadIdx.x * 32])));
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::: "memory");
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Row + Column;
}
