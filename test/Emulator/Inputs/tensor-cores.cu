// Matrix multiplications with tensor copies, pipelines of mbarriers and the
// tensor cores of sm_90a (-DHOPPER) and sm_100a, and a reduction over the
// shared memory of a cluster.
//   nvcc -arch=sm_90a -DHOPPER -ptx -o warpgroup.nvcc.ptx tensor-cores.cu
//   nvcc -arch=sm_100a -ptx -o tensor-memory.nvcc.ptx tensor-cores.cu
#include <cstdint>
#include <cuda.h>
#include <cuda_bf16.h>

namespace {

constexpr int TileM = 128, TileN = 64, TileK = 64, Stages = 3;

struct Tiles {
  alignas(1024) __nv_bfloat16 A[Stages][TileM * TileK];
  alignas(1024) __nv_bfloat16 B[Stages][TileN * TileK];
  alignas(8) uint64_t Full[Stages], Empty[Stages], Done;
  uint32_t Columns;
};

__device__ uint32_t shared(const void *P) {
  return uint32_t(__cvta_generic_to_shared(P));
}

__device__ uint32_t rank() {
  uint32_t R;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(R));
  return R;
}

__device__ void syncCluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ void init(uint64_t *Barrier, int Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared(Barrier)),
               "r"(Count));
}

__device__ void expect(uint64_t *Barrier, int Bytes) {
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

/// One arrival at the barrier of each block of the cluster.
__device__ void arriveEverywhere(uint64_t *Barrier, int Blocks) {
  for (int R = 0; R != Blocks; ++R)
    asm volatile("{\n.reg .b32 a;\nmapa.shared::cluster.u32 a, %0, %1;\n"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [a];\n"
                 "}" ::"r"(shared(Barrier)),
                 "r"(R)
                 : "memory");
}

__device__ void load(void *To, const CUtensorMap &Map, int X, int Y,
                     uint64_t *Barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile."
               "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                   shared(To)),
               "l"(&Map), "r"(X), "r"(Y), "r"(shared(Barrier))
               : "memory");
}

__device__ void loadEverywhere(void *To, const CUtensorMap &Map, int X, int Y,
                               uint64_t *Barrier, uint16_t Blocks) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile."
      "mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], "
      "[%4], %5;" ::"r"(shared(To)),
      "l"(&Map), "r"(X), "r"(Y), "r"(shared(Barrier)), "h"(Blocks)
      : "memory");
}

__device__ uint64_t field(uint64_t Bytes) { return (Bytes & 0x3ffff) >> 4; }

} // namespace

#ifdef HOPPER

namespace {

/// Rows of 128 bytes with their swizzle, eight of them 1024 bytes apart.
__device__ uint64_t descriptor(const void *P) {
  return field(shared(P)) | field(16) << 16 | field(1024) << 32 |
         uint64_t(1) << 62;
}

__device__ void multiply(float (&D)[32], uint64_t A, uint64_t B) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
      "%30, %31}, %32, %33, 1, 1, 1, 0, 0;"
      : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3]), "+f"(D[4]), "+f"(D[5]),
        "+f"(D[6]), "+f"(D[7]), "+f"(D[8]), "+f"(D[9]), "+f"(D[10]),
        "+f"(D[11]), "+f"(D[12]), "+f"(D[13]), "+f"(D[14]), "+f"(D[15]),
        "+f"(D[16]), "+f"(D[17]), "+f"(D[18]), "+f"(D[19]), "+f"(D[20]),
        "+f"(D[21]), "+f"(D[22]), "+f"(D[23]), "+f"(D[24]), "+f"(D[25]),
        "+f"(D[26]), "+f"(D[27]), "+f"(D[28]), "+f"(D[29]), "+f"(D[30]),
        "+f"(D[31])
      : "l"(A), "l"(B));
}

} // namespace

/// C (M x N) = A (M x K) * B (N x K), both with k innermost. Two warpgroups
/// multiply, a warp copies; the blocks of a cluster of two share B.
extern "C" __global__ void __cluster_dims__(1, 2, 1)
    warpgroupGemm(const __grid_constant__ CUtensorMap A,
                  const __grid_constant__ CUtensorMap B, float *C, int N,
                  int K) {
  extern __shared__ __align__(1024) uint8_t Memory[];
  auto &S = *reinterpret_cast<Tiles *>(Memory);
  const int Warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    for (int I = 0; I != Stages; ++I)
      init(&S.Full[I], 1), init(&S.Empty[I], 4);
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  syncCluster();
  const int Row = blockIdx.y * TileM, Column = blockIdx.x * TileN;
  if (Warp == 8) {
    if (threadIdx.x % 32 == 0)
      for (int I = 0; I != K / TileK; ++I) {
        const int Stage = I % Stages, Round = I / Stages;
        if (Round > 0)
          wait(&S.Empty[Stage], (Round - 1) & 1);
        expect(&S.Full[Stage], (TileM + TileN) * TileK * 2);
        load(S.A[Stage], A, I * TileK, Row, &S.Full[Stage]);
        // Each block copies half of B to both.
        loadEverywhere(S.B[Stage] + rank() * (TileN / 2 * TileK), B, I * TileK,
                       Column + int(rank()) * (TileN / 2), &S.Full[Stage], 3);
      }
  } else {
    const int Group = Warp / 4;
    float D[32] = {};
    for (int I = 0; I != K / TileK; ++I) {
      const int Stage = I % Stages;
      wait(&S.Full[Stage], I / Stages & 1);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      for (int Step = 0; Step != TileK; Step += 16)
        multiply(D, descriptor(S.A[Stage] + Group * 64 * TileK + Step),
                 descriptor(S.B[Stage] + Step));
      asm volatile("wgmma.commit_group.sync.aligned;\n"
                   "wgmma.wait_group.sync.aligned 0;" ::: "memory");
      if (threadIdx.x % 128 == 0)
        arriveEverywhere(&S.Empty[Stage], 2);
    }
    const int Lane = threadIdx.x % 32;
    float *Out = C + (Row + Warp * 16 + Lane / 4) * N + Column + Lane % 4 * 2;
    for (int J = 0; J != 8; ++J)
      for (int H = 0; H != 2; ++H) {
        Out[H * 8 * N + J * 8] = D[J * 4 + H * 2];
        Out[H * 8 * N + J * 8 + 1] = D[J * 4 + H * 2 + 1];
      }
  }
  syncCluster();
}

/// Sums of 1024 numbers by each cluster of four blocks.
extern "C" __global__ void __cluster_dims__(4, 1, 1)
    clusterSum(const int *In, int *Out) {
  __shared__ int Sum;
  if (threadIdx.x == 0)
    Sum = 0;
  syncCluster();
  const int V = In[blockIdx.x * blockDim.x + threadIdx.x];
  asm volatile("{\n.reg .b32 a;\nmapa.shared::cluster.u32 a, %0, 0;\n"
               "red.relaxed.cluster.shared::cluster.add.s32 [a], %1;\n}" ::"r"(
                   shared(&Sum)),
               "r"(V)
               : "memory");
  syncCluster();
  if (rank() == 0 && threadIdx.x == 0)
    Out[blockIdx.x / 4] = Sum;
}

#else

namespace {

__device__ uint64_t descriptor(const void *P) {
  return field(shared(P)) | field(1024) << 32 | uint64_t(1) << 46 |
         uint64_t(2) << 61;
}

} // namespace

/// The same product, of one block with 128 rows in tensor memory.
extern "C" __global__ void tensorMemoryGemm(
    const __grid_constant__ CUtensorMap A,
    const __grid_constant__ CUtensorMap B, float *C, int N, int K) {
  extern __shared__ __align__(1024) uint8_t Memory[];
  auto &S = *reinterpret_cast<Tiles *>(Memory);
  const int Warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    for (int I = 0; I != Stages; ++I)
      init(&S.Full[I], 1), init(&S.Empty[I], 1);
    init(&S.Done, 1);
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  if (Warp == 0)
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 "
                 "[%0], 64;\ntcgen05.relinquish_alloc_permit.cta_group::1."
                 "sync.aligned;" ::"r"(shared(&S.Columns))
                 : "memory");
  __syncthreads();
  const uint32_t D = S.Columns;
  const int Row = blockIdx.y * TileM, Column = blockIdx.x * TileN;
  if (threadIdx.x == 32) {
    for (int I = 0; I != K / TileK; ++I) {
      const int Stage = I % Stages, Round = I / Stages;
      if (Round > 0)
        wait(&S.Empty[Stage], (Round - 1) & 1);
      expect(&S.Full[Stage], (TileM + TileN) * TileK * 2);
      load(S.A[Stage], A, I * TileK, Row, &S.Full[Stage]);
      load(S.B[Stage], B, I * TileK, Column, &S.Full[Stage]);
    }
  } else if (threadIdx.x == 64) {
    // D in f32, A and B in bf16.
    constexpr uint32_t Shape = 1 << 4 | 1 << 7 | 1 << 10 | (TileN / 8) << 17 |
                               (TileM / 16) << 24;
    auto Commit = [](uint64_t *Barrier) {
      asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one."
                   "shared::cluster.b64 [%0];" ::"r"(shared(Barrier))
                   : "memory");
    };
    for (int I = 0; I != K / TileK; ++I) {
      const int Stage = I % Stages;
      wait(&S.Full[Stage], I / Stages & 1);
      asm volatile("tcgen05.fence::after_thread_sync;");
      for (int Step = 0; Step != TileK; Step += 16)
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\n"
                     "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;\n"
                     "}" ::"r"(D),
                     "l"(descriptor(S.A[Stage] + Step)),
                     "l"(descriptor(S.B[Stage] + Step)), "r"(Shape),
                     "r"(I + Step)
                     : "memory");
      Commit(&S.Empty[Stage]);
    }
    Commit(&S.Done);
  }
  __syncwarp();
  wait(&S.Done, 0);
  asm volatile("tcgen05.fence::after_thread_sync;");
  float *Out = C + (Row + int(threadIdx.x)) * N + Column;
  for (int J = 0; J != TileN; J += 4) {
    float V[4];
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%0, %1, %2, %3}, "
                 "[%4];\ntcgen05.wait::ld.sync.aligned;"
                 : "=f"(V[0]), "=f"(V[1]), "=f"(V[2]), "=f"(V[3])
                 : "r"(D + (Warp * 32 << 16) + J));
    for (int I = 0; I != 4; ++I)
      Out[J + I] = V[I];
  }
  __syncthreads();
  if (Warp == 0)
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" ::"r"(
        D));
}

#endif
