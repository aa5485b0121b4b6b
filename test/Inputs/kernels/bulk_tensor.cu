//===- bulk_tensor.cu - Bulk and tensor copies -----------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda.h>
#include <cuda/ptx>

#if __CUDA_ARCH__ >= 900
namespace ptx = cuda::ptx;

// A one-dimensional bulk copy in, a scaling, and a bulk copy out.
extern "C" __global__ void __launch_bounds__(256)
    bulkScale(const float *in, float *out, float factor) {
  __shared__ __align__(128) float tile[1024];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile,
                       in + blockIdx.x * 1024, sizeof(tile), &barrier);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, &barrier, sizeof(tile));
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0))
    ;
  for (int i = threadIdx.x; i < 1024; i += 256)
    tile[i] *= factor;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared,
                       out + blockIdx.x * 1024, tile, sizeof(tile));
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

// Tiles of one to five dimensions, in and out.
extern "C" __global__ void
tensorCopies(const __grid_constant__ CUtensorMap map,
             const __grid_constant__ CUtensorMap image, int x, int y) {
  __shared__ __align__(128) char tile[16384];
  __shared__ uint64_t storage;
  if (threadIdx.x != 0)
    return;
  const int one[1] = {x}, two[2] = {x, y}, three[3] = {x, y, 1};
  const int four[4] = {x, y, 1, 2}, five[5] = {x, y, 1, 2, 3};
  uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
  uint32_t barrier = static_cast<uint32_t>(__cvta_generic_to_shared(&storage));
  uint64_t policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  ptx::mbarrier_init(&storage, 1);
  asm volatile("prefetch.param.tensormap [%0];" ::"l"(&map) : "memory");
  asm volatile("prefetch.tensormap [%0];" ::"l"(&image) : "memory");
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map,
                            one, &storage);
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map,
                            two, &storage);
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map,
                            three, &storage);
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map,
                            four, &storage);
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map,
                            five, &storage);
  asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col."
               "mbarrier::complete_tx::bytes.L2::cache_hint "
               "[%0], [%1, {%2, %3, %4, %5}], [%6], {%7, %8}, %9;" ::"r"(to),
               "l"(&image), "r"(x), "r"(y), "r"(0), "r"(1), "r"(barrier),
               "h"(static_cast<short>(x)), "h"(static_cast<short>(y)),
               "l"(policy)
               : "memory");
  asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile "
               "[%0, {%1, %2}];" ::"l"(&map),
               "r"(x), "r"(y)
               : "memory");
  asm volatile("cp.async.bulk.prefetch.tensor.3d.L2.global.im2col "
               "[%0, {%1, %2, %3}], {%4};" ::"l"(&image),
               "r"(x), "r"(y), "r"(0), "h"(static_cast<short>(x))
               : "memory");
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                 ptx::space_shared, &storage, 16384);
  while (!ptx::mbarrier_try_wait_parity(&storage, 0))
    ;
  ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, two,
                            tile);
  ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, five,
                            tile);
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs."
               "bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(&image),
               "r"(x), "r"(y), "r"(0), "r"(to)
               : "memory");
  ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared,
                                   ptx::op_add, &map, two, tile);
  ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared,
                                   ptx::op_max, &map, three, tile);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<1>());
}

// Bulk reductions, between shared memories and to global memory.
extern "C" __global__ void bulkReductions(unsigned *u, float *f, __half *h,
                                          unsigned target) {
  __shared__ __align__(128) unsigned tile[512];
  __shared__ uint64_t storage;
  uint32_t local = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
  uint32_t barrier = static_cast<uint32_t>(__cvta_generic_to_shared(&storage));
  uint32_t remote, remoteBarrier;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(remote)
      : "r"(local), "r"(target));
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(remoteBarrier)
      : "r"(barrier), "r"(target));
  asm volatile(
      "cp.async.bulk.shared::cluster.shared::cta."
      "mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(remote),
      "r"(local), "r"(remoteBarrier)
      : "memory");
  asm volatile(
      "cp.reduce.async.bulk.shared::cluster.shared::cta."
      "mbarrier::complete_tx::bytes.add.u32 [%0], [%1], 256, [%2];" ::"r"(
          remote),
      "r"(local), "r"(remoteBarrier)
      : "memory");
  ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add,
                            u, tile, 1024);
  ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_or_op,
                            u, tile, 1024);
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 "
               "[%0], [%1], %2;" ::"l"(f),
               "r"(local), "r"(512)
               : "memory");
  asm volatile(
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 "
      "[%0], [%1], %2;" ::"l"(h),
      "r"(local), "r"(512)
      : "memory");
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], 256;" ::"l"(f)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

// Multicast through one multimem address: load-reduce, reduction and store.
extern "C" __global__ void allReduce(float4 *multicast, unsigned *counter,
                                     int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    float4 v;
    asm volatile("multimem.ld_reduce.relaxed.sys.global.add.v4.f32 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(multicast + i)
                 : "memory");
    asm volatile("multimem.st.relaxed.sys.global.v4.f32 "
                 "[%0], {%1, %2, %3, %4};" ::"l"(multicast + i),
                 "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
                 : "memory");
  }
  unsigned low, packed;
  asm volatile("multimem.ld_reduce.weak.global.min.u32 %0, [%1];"
               : "=r"(low)
               : "l"(counter));
  asm volatile("multimem.ld_reduce.global.add.acc::f32.bf16x2 %0, [%1];"
               : "=r"(packed)
               : "l"(counter + 4));
  asm volatile(
      "multimem.red.release.sys.global.add.u32 [%0], %1;" ::"l"(counter),
      "r"(low)
      : "memory");
  asm volatile(
      "multimem.red.relaxed.gpu.global.add.f16x2 [%0], %1;" ::"l"(counter + 8),
      "r"(packed)
      : "memory");
}
#endif

#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(__CUDA_ARCH_FEAT_SM100_ALL)
// Multicast to the blocks of a cluster, and a tensor map made on the device.
extern "C" __global__ void __cluster_dims__(4, 1, 1)
    multicastTiles(const __grid_constant__ CUtensorMap map, CUtensorMap *maps,
                   const void *base, uint16_t mask) {
  __shared__ __align__(128) char tile[8192];
  __shared__ __align__(128) CUtensorMap fresh;
  __shared__ uint64_t barrier;
  const int at[2] = {static_cast<int>(blockIdx.x) * 64, 0};
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map,
                              at, &barrier, mask);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile + 4096, base,
                       4096, &barrier, mask);
    fresh = map;
    ptx::tensormap_replace_global_address(ptx::space_shared, &fresh, base);
    ptx::tensormap_replace_rank(ptx::space_shared, &fresh, 1);
    ptx::tensormap_replace_box_dim(ptx::space_shared, &fresh, ptx::n32_t<0>(),
                                   64);
    ptx::tensormap_replace_global_dim(ptx::space_shared, &fresh,
                                      ptx::n32_t<1>(), 1024);
    ptx::tensormap_replace_global_stride(ptx::space_shared, &fresh,
                                         ptx::n32_t<0>(), 4096ull);
    ptx::tensormap_replace_element_size(ptx::space_shared, &fresh,
                                        ptx::n32_t<0>(), 1);
    ptx::tensormap_replace_elemtype(ptx::space_shared, &fresh, ptx::n32_t<7>());
    ptx::tensormap_replace_swizzle_mode(ptx::space_shared, &fresh,
                                        ptx::n32_t<3>());
  }
  __syncthreads();
  if (threadIdx.x < 32)
    ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_gpu,
                                 maps + blockIdx.x, &fresh, ptx::n32_t<128>());
  ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu,
                                     maps + blockIdx.x, ptx::n32_t<128>());
  ptx::fence_proxy_tensormap_generic(ptx::sem_release, ptx::scope_gpu);
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0))
    ;
}
#endif

#ifdef __CUDA_ARCH_FEAT_SM100_ALL
// Gathers and scatters of four rows, byte masks, and a bulk store of zeros.
extern "C" __global__ void
gatherScatter(const __grid_constant__ CUtensorMap map, float *out,
              uint16_t mask) {
  __shared__ __align__(128) char tile[8192];
  __shared__ uint64_t barrier;
  unsigned packed;
  const int rows[5] = {0, 3, 14, 15, 92};
  if (threadIdx.x != 0)
    return;
  ptx::mbarrier_init(&barrier, 1);
  ptx::st_bulk(tile, 8192, ptx::n32_t<0>());
  ptx::cp_async_bulk_tensor_tile_gather4(ptx::space_shared, ptx::space_global,
                                         tile, &map, rows, &barrier);
  ptx::cp_async_bulk_tensor_tile_gather4(ptx::space_cluster, ptx::space_global,
                                         ptx::cta_group_2, tile, &map, rows,
                                         &barrier, mask);
  asm volatile("multimem.ld_reduce.relaxed.gpu.global.add.acc::f16.v4.e4m3x4 "
               "{_, _, _, %0}, [%1];"
               : "=r"(packed)
               : "l"(out));
  ptx::cp_async_bulk_tensor_tile_scatter4(ptx::space_global, ptx::space_shared,
                                          &map, rows, tile);
  asm volatile("st.shared.b32 [%0], %1;" ::"r"(
                   static_cast<uint32_t>(__cvta_generic_to_shared(tile))),
               "r"(packed)
               : "memory");
  ptx::cp_async_bulk_cp_mask(ptx::space_global, ptx::space_shared, out, tile,
                             1024, mask);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
#endif
