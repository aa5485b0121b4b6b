//===- wgmma.cu - Warp-group matrix instructions ---------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cstdint>

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
// The descriptor of a tile in shared memory with a swizzle of 128 bytes.
__device__ __forceinline__ uint64_t describe(const void *tile) {
  uint64_t address = __cvta_generic_to_shared(tile);
  return (address & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

#define TILE "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define TILE_OPERANDS(C, X)                                                    \
  C(X[0]), C(X[1]), C(X[2]), C(X[3]), C(X[4]), C(X[5]), C(X[6]), C(X[7])

// A 64 x 16 tile of a half-precision product, with producer and consumers.
extern "C" __global__ void __launch_bounds__(256)
    warpGroupProduct(const uint4 *a, const uint4 *b, float *c, int tiles) {
  extern __shared__ __align__(1024) uint4 stage[];
  __shared__ uint64_t full;
  uint32_t barrier = static_cast<uint32_t>(__cvta_generic_to_shared(&full));
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(barrier)
                 : "memory");
  __syncthreads();
  if (threadIdx.x >= 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    int t = threadIdx.x - 128;
    for (int k = 0; k < tiles; ++k) {
      for (int i = t; i < 512; i += 128)
        stage[i] = a[k * 512 + i];
      stage[512 + t] = b[k * 128 + t];
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier)
                   : "memory");
    }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  float s[8] = {};
  uint64_t da = describe(stage), db = describe(stage + 512);
  for (int k = 0; k < tiles; ++k) {
    unsigned done = 0;
    while (!done)
      asm volatile("{ .reg .pred p;\n\t"
                   "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                   "selp.u32 %0, 1, 0, p;\n\t}"
                   : "=r"(done)
                   : "r"(barrier), "r"(k & 1)
                   : "memory");
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int j = 0; j < 4; ++j)
      asm volatile("{ .reg .pred p;\n\tsetp.ne.b32 p, %10, 0;\n\t"
                   "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " TILE
                   ", %8, %9, p, 1, 1, 0, 1;\n\t}"
                   : TILE_OPERANDS("+f", s)
                   : "l"(da + 2 * j), "l"(db + 2 * j), "r"(k + j));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  for (int i = 0; i < 8; ++i)
    c[i * 128 + threadIdx.x] = s[i];
}

// The types, operands in registers, and sparsity.
extern "C" __global__ void __launch_bounds__(128)
    warpGroupTypes(const uint32_t *in, float *out) {
  __shared__ __align__(1024) uint4 tile[1024];
  uint64_t d = describe(tile), e = describe(tile + 512);
  uint32_t r[4] = {in[0], in[1], in[2], in[3]}, h[4] = {};
  float s[8] = {};
  int n[8] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 " TILE
               ", {%8, %9, %10, %11}, %12, 1, -1, 1, 0;"
               : TILE_OPERANDS("+f", s)
               : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(e));
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32 " TILE
               ", %8, %9, 1, 1, -1;"
               : TILE_OPERANDS("+f", s)
               : "l"(d), "l"(e));
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e5m2 " TILE
               ", %8, %9, 1, 1, 1;"
               : TILE_OPERANDS("+f", s)
               : "l"(d), "l"(e));
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.u8.satfinite " TILE
      ", %8, %9, 1;"
      : TILE_OPERANDS("+r", n)
      : "l"(d), "l"(e));
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n16k256.s32.b1.b1.and.popc " TILE
      ", %8, %9, 1;"
      : TILE_OPERANDS("+r", n)
      : "l"(d), "l"(e));
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 "
               "{%0, %1, %2, %3}, %4, %5, 0, 1, 1, 0, 0;"
               : "+r"(h[0]), "+r"(h[1]), "+r"(h[2]), "+r"(h[3])
               : "l"(d), "l"(e));
  asm volatile("wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.f16.f16 " TILE
               ", %8, %9, %10, 0, 1, 1, 1, 0, 0;"
               : TILE_OPERANDS("+f", s)
               : "l"(d), "l"(e), "r"(r[0]));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 8; ++i)
    out[i * 128 + threadIdx.x] = s[i] + n[i] + h[i & 3];
}
#endif
