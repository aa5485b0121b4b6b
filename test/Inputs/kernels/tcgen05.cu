//===- tcgen05.cu - Tensor memory ------------------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda/ptx>

#ifdef __CUDA_ARCH_FEAT_SM100_ALL
namespace ptx = cuda::ptx;

// A 128 x 256 tile that accumulates in tensor memory.
extern "C" __global__ void __launch_bounds__(128)
    tensorProduct(const uint64_t *descriptors, float *out, int tiles) {
  __shared__ uint32_t base;
  __shared__ uint64_t barrier;
  if (threadIdx.x < 32) {
    ptx::tcgen05_alloc(ptx::cta_group_1, &base, 256);
    ptx::tcgen05_relinquish_alloc_permit(ptx::cta_group_1);
  }
  if (threadIdx.x == 0)
    ptx::mbarrier_init(&barrier, 1);
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
  uint32_t accumulator = base;
  if (threadIdx.x == 0) {
    for (int k = 0; k < tiles; ++k)
      ptx::tcgen05_mma(ptx::kind_f16, ptx::cta_group_1, accumulator,
                       descriptors[2 * k], descriptors[2 * k + 1], 0x8400490u,
                       k > 0);
    ptx::tcgen05_commit(ptx::cta_group_1, &barrier);
  }
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0))
    ;
  ptx::tcgen05_fence_after_thread_sync();
  uint32_t row = accumulator + (threadIdx.x / 32 << 21);
  for (int column = 0; column < 256; column += 32) {
    uint32_t v[32];
    ptx::tcgen05_ld_32x32b(v, row + column);
    ptx::tcgen05_wait_ld();
#pragma unroll
    for (int i = 0; i < 32; ++i)
      out[threadIdx.x * 256 + column + i] = __uint_as_float(v[i]);
  }
  __syncthreads();
  if (threadIdx.x < 32)
    ptx::tcgen05_dealloc(ptx::cta_group_1, accumulator, 256);
}

// Kinds, block scales, sparsity, collectors and weight-stationary products.
extern "C" __global__ void tensorKinds(uint32_t d, uint64_t a, uint64_t b,
                                       uint32_t i, uint32_t scaleA,
                                       uint32_t scaleB, bool accumulate) {
  __shared__ uint64_t barrier;
  const uint32_t lanes[4] = {0, 0, ~0u, 0};
  ptx::tcgen05_mma(ptx::kind_tf32, ptx::cta_group_1, d, a, b, i, lanes,
                   accumulate, ptx::n32_t<4>());
  ptx::tcgen05_mma(ptx::kind_f8f6f4, ptx::cta_group_1, d, a, b, i, accumulate);
  ptx::tcgen05_mma(ptx::kind_i8, ptx::cta_group_1, d, a, b, i, accumulate);
  ptx::tcgen05_mma_tmem_a(ptx::kind_f16, ptx::cta_group_1, d, d + 256, b, i,
                          accumulate);
  ptx::tcgen05_mma_block_scale_vec_1x(ptx::kind_mxf8f6f4, ptx::cta_group_1, d,
                                      a, b, i, scaleA, scaleB, accumulate);
  ptx::tcgen05_mma_block_scale_vec_2x_collector_a_fill(
      ptx::kind_mxf4, ptx::cta_group_1, d, a, b, i, scaleA, scaleB, accumulate);
  ptx::tcgen05_mma_block_scale_vec_4x(ptx::kind_mxf4nvf4, ptx::cta_group_1, d,
                                      a, b, i, scaleA, scaleB, accumulate);
  ptx::tcgen05_mma_ws_collector_b0_fill(ptx::cta_group_1, ptx::kind_f16, d, a,
                                        b, i, accumulate);
  ptx::tcgen05_mma_ws_collector_b3_lastuse(ptx::cta_group_1, ptx::kind_i8, d, a,
                                           b, i, accumulate);
  asm volatile(
      "{ .reg .pred p;\n\tsetp.ne.u32 p, %5, 0;\n\t"
      "tcgen05.mma.sp.cta_group::1.kind::f16 "
      "[%0], %1, %2, [%3], %4, p;\n\t"
      "tcgen05.mma.ws.sp.cta_group::1.kind::tf32 "
      "[%0], [%6], %2, [%3], %4, !p;\n\t"
      "tcgen05.mma.cta_group::1.kind::f16.ashift.collector::a::lastuse "
      "[%0], [%6], %2, %4, p;\n\t}" ::"r"(d),
      "l"(a), "l"(b), "r"(scaleA), "r"(i),
      "r"(static_cast<uint32_t>(accumulate)), "r"(scaleB)
      : "memory");
  ptx::tcgen05_commit_multicast(ptx::cta_group_1, &barrier, 3);
}

// Copies from shared memory, shifts, loads and stores of every shape.
extern "C" __global__ void tensorMemory(uint32_t t, uint64_t descriptor,
                                        uint32_t *out) {
  ptx::tcgen05_cp_128x256b(ptx::cta_group_1, t, descriptor);
  ptx::tcgen05_cp_128x128b(ptx::cta_group_1, t, descriptor);
  ptx::tcgen05_cp_4x256b(ptx::cta_group_1, t, descriptor);
  ptx::tcgen05_cp_64x128b_warpx2_02_13(ptx::cta_group_1, t, descriptor);
  ptx::tcgen05_cp_32x128b_warpx4(ptx::cta_group_1, t, descriptor);
  asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4.b8x16.b4x16_p64 "
               "[%0], %1;" ::"r"(t),
               "l"(descriptor)
               : "memory");
  ptx::tcgen05_shift_down(ptx::cta_group_1, t);
  uint32_t one[1], four[4], eight[8], sixteen[16];
  ptx::tcgen05_ld_16x64b(one, t);
  ptx::tcgen05_ld_16x128b(four, t);
  ptx::tcgen05_ld_16x256b(eight, t);
  ptx::tcgen05_ld_16x32bx2_pack_16b(sixteen, t, ptx::n32_t<16>());
  ptx::tcgen05_wait_ld();
  out[threadIdx.x] = one[0] + four[3] + eight[5] + sixteen[11];
  ptx::tcgen05_st_32x32b(t, four);
  ptx::tcgen05_st_16x64b_unpack_16b(t, one);
  ptx::tcgen05_st_16x256b(t, eight);
  ptx::tcgen05_st_16x32bx2(t, ptx::n32_t<8>(), sixteen);
  ptx::tcgen05_wait_st();
}

// Two blocks of a cluster work on one product as a pair.
extern "C" __global__ void __cluster_dims__(2, 1, 1)
    pairedProduct(uint64_t a, uint64_t b, uint32_t i, bool accumulate) {
  __shared__ uint32_t base;
  __shared__ uint64_t barrier;
  ptx::tcgen05_alloc(ptx::cta_group_2, &base, 512);
  ptx::tcgen05_relinquish_alloc_permit(ptx::cta_group_2);
  ptx::mbarrier_init(&barrier, 1);
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
  const uint32_t lanes[8] = {0, 1, 2, 4, 8, 16, 32, 64};
  ptx::tcgen05_mma(ptx::kind_f16, ptx::cta_group_2, base, a, b, i, lanes,
                   accumulate);
  ptx::tcgen05_cp_128x128b(ptx::cta_group_2, base + 256, a);
  ptx::tcgen05_commit_multicast(ptx::cta_group_2, &barrier, 3);
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0))
    ;
  ptx::tcgen05_dealloc(ptx::cta_group_2, base, 512);
}
#endif
