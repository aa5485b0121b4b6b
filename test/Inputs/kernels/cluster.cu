//===- cluster.cu - Clusters and dependent launches ------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda/ptx>

#if __CUDA_ARCH__ >= 900
namespace ptx = cuda::ptx;

// The address that `local` has in the block `rank` of this cluster.
template <typename T>
__device__ __forceinline__ T *mapShared(T *local, unsigned rank) {
  T *remote;
  asm("mapa.u64 %0, %1, %2;" : "=l"(remote) : "l"(local), "r"(rank));
  return remote;
}

__device__ __forceinline__ unsigned clusterRank() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

__device__ __forceinline__ void synchronizeCluster() {
  ptx::barrier_cluster_arrive(ptx::sem_release);
  ptx::barrier_cluster_wait(ptx::sem_acquire);
}

// A histogram whose bins are distributed over the blocks of a cluster.
extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(256)
    clusterHistogram(const int *in, int *bins, int n) {
  __shared__ int local[512];
  for (int i = threadIdx.x; i < 512; i += blockDim.x)
    local[i] = 0;
  synchronizeCluster();
  for (int i = clusterRank() * blockDim.x + threadIdx.x + blockIdx.x / 2 * 4096;
       i < n; i += 512) {
    int bin = in[i] & 1023;
    int *remote = mapShared(local, bin / 512);
    atomicAdd(remote + bin % 512, 1);
  }
  synchronizeCluster();
  for (int i = threadIdx.x; i < 512; i += blockDim.x)
    atomicAdd(bins + clusterRank() * 512 + i, local[i]);
}

// Remote stores and reductions that complete on a barrier object.
extern "C" __global__ void __cluster_dims__(2, 2, 1)
    remoteStores(unsigned *out, unsigned long long *where) {
  __shared__ uint64_t barrier;
  __shared__ __align__(16) uint32_t slots[16];
  unsigned rank = clusterRank(), other = rank ^ 1;
  if (threadIdx.x == 0)
    ptx::mbarrier_init(&barrier, 1);
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  uint32_t *far = mapShared(slots, other);
  uint64_t *farBarrier = mapShared(&barrier, other);
  const uint32_t four[4] = {1, 2, 3, 4};
  const uint64_t two[2] = {5, 6};
  ptx::st_async(far, rank, farBarrier);
  ptx::st_async(far + 4, four, farBarrier);
  ptx::st_async(reinterpret_cast<uint64_t *>(far + 8), two, farBarrier);
  ptx::red_async(ptx::op_inc, far + 12, 7u, farBarrier);
  ptx::red_async(ptx::op_add, far + 13, 7u, farBarrier);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster,
                                 ptx::space_cluster, farBarrier, 44);
  asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
  asm volatile("barrier.cluster.wait;" ::: "memory");
  out[threadIdx.x] =
      slots[threadIdx.x & 15] + ptx::getctarank(ptx::space_cluster, far);
  unsigned long long generic = reinterpret_cast<unsigned long long>(far),
                     mapped;
  unsigned home, inCluster;
  asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(generic), "r"(0));
  asm("getctarank.u64 %0, %1;" : "=r"(home) : "l"(generic));
  asm("{ .reg .pred p;\n\tisspacep.shared::cluster p, %1;\n\t"
      "selp.u32 %0, 1, 0, p;\n\t}"
      : "=r"(inCluster)
      : "l"(generic));
  where[threadIdx.x] = mapped + home + inCluster;
}

// Special registers of clusters.
extern "C" __global__ void clusterRegisters(unsigned *out) {
  unsigned sum = 0;
#define ADD(REGISTER)                                                          \
  asm volatile("{ .reg .b32 t;\n\tmov.u32 t, %%" REGISTER                      \
               ";\n\tadd.u32 %0, %0, t;\n\t}"                                  \
               : "+r"(sum))
  ADD("clusterid.x");
  ADD("clusterid.y");
  ADD("nclusterid.x");
  ADD("cluster_ctaid.x");
  ADD("cluster_ctaid.z");
  ADD("cluster_nctaid.x");
  ADD("cluster_nctarank");
  ADD("cluster_ctarank");
  ADD("aggr_smem_size");
#undef ADD
  unsigned explicitCluster;
  asm volatile("{ .reg .pred p;\n\tmov.pred p, %%is_explicit_cluster;\n\t"
               "selp.u32 %0, 1, 0, p;\n\t}"
               : "=r"(explicitCluster));
  out[threadIdx.x] = sum + explicitCluster;
}

// A grid that starts before the one it depends on has ended.
extern "C" __global__ void dependentLaunch(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float bias = i * 0.5f;
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (i < n)
    out[i] = in[i] + bias;
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

// Fences of every proxy.
extern "C" __global__ void proxyFences(int *p) {
  *p = 1;
  asm volatile("fence.proxy.alias;" ::: "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
  asm volatile("fence.proxy.async.global;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.acquire.sync_restrict::shared::cluster.cluster;" ::
                   : "memory");
  asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::
                   : "memory");
  asm volatile("fence.proxy.async::generic.acquire.sync_restrict::"
               "shared::cluster.cluster;" ::
                   : "memory");
  *p = 2;
}
#endif

#if __CUDA_ARCH__ >= 1000
// Work stealing: a running block cancels the launch of another and does its
// work.
extern "C" __global__ void stealWork(float *data) {
  __shared__ __align__(16) int4 response;
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0)
    ptx::mbarrier_init(&barrier, 1);
  __syncthreads();
  int block = blockIdx.x, phase = 0;
  while (true) {
    if (threadIdx.x == 0) {
      ptx::clusterlaunchcontrol_try_cancel(&response, &barrier);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_relaxed, ptx::scope_cta,
                                     ptx::space_shared, &barrier, 16);
    }
    data[block * blockDim.x + threadIdx.x] *= 2.0f;
    while (!ptx::mbarrier_try_wait_parity(&barrier, phase))
      ;
    phase ^= 1;
    int4 answer = response;
    if (!ptx::clusterlaunchcontrol_query_cancel_is_canceled(answer))
      break;
    block =
        ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid_x<int>(answer);
    ptx::fence_proxy_async_generic_sync_restrict(
        ptx::sem_release, ptx::space_shared, ptx::scope_cluster);
    __syncthreads();
  }
}
#endif
