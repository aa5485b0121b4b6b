//===- atomics.cu - Atomic operations and reductions -----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// A histogram privatised in shared memory.
extern "C" __global__ void __launch_bounds__(256)
    histogram(const uchar4 *in, unsigned *bins, int n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    uchar4 v = in[i];
    atomicAdd(&local[v.x], 1u);
    atomicAdd(&local[v.y], 1u);
    atomicAdd(&local[v.z], 1u);
    atomicAdd(&local[v.w], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

// Every operation, with its result and without.
extern "C" __global__ void atomicOperations(int *i, unsigned *u,
                                            unsigned long long *l, float *f,
                                            double *d, int *out) {
  int t = threadIdx.x;
  int r = atomicAdd(i, t) + atomicSub(i + 1, t) + atomicExch(i + 2, t) +
          atomicMin(i + 3, t) + atomicMax(i + 4, t) + atomicAnd(i + 5, t) +
          atomicOr(i + 6, t) + atomicXor(i + 7, t) +
          atomicCAS(i + 8, t, t + 1) + atomicInc(u, 100u) +
          atomicDec(u + 1, 7u);
  r += atomicAdd(l, 3ull) + atomicMax(l + 1, 5ull) +
       atomicCAS(l + 2, 1ull, 2ull);
  r += atomicAdd(f, 1.0f) + atomicAdd(d, 2.0);
  atomicMin(u + 2, t);
  atomicAdd(f + 1, 0.5f);
  atomicAdd(d + 1, 0.5);
  atomicAdd_block(i + 9, 1);
  atomicAdd_system(i + 10, 1);
  atomicOr(l + 3, 1ull << (t & 63));
  out[t] = r;
}

// Halves and bfloat16, scalar and packed.
extern "C" __global__ void atomicHalves(__half *h, __half2 *h2,
                                        __nv_bfloat16 *b, __nv_bfloat162 *b2,
                                        float *out) {
  atomicAdd(h, __float2half(1.0f));
  __half2 old = atomicAdd(h2, __floats2half2_rn(1.0f, 2.0f));
#if __CUDA_ARCH__ >= 800
  atomicAdd(b, __float2bfloat16(1.0f));
  atomicAdd(b2, __floats2bfloat162_rn(1.0f, 2.0f));
#endif
  out[threadIdx.x] = __low2float(old);
}

// A lock and a ticket: orders, scopes and the fences between.
extern "C" __global__ void scopesAndOrders(int *lock, int *data,
                                           unsigned long long *wide) {
  int old;
  do
    asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], 0, 1;"
                 : "=r"(old)
                 : "l"(lock)
                 : "memory");
  while (old != 0);
  data[0] += 1;
  asm volatile("atom.release.gpu.global.exch.b32 %0, [%1], 0;"
               : "=r"(old)
               : "l"(lock)
               : "memory");
  asm volatile("atom.acq_rel.sys.global.add.u32 %0, [%1+4], 1;"
               : "=r"(old)
               : "l"(lock)
               : "memory");
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(data + 1)
               : "memory");
  asm volatile("red.relaxed.cta.global.max.s64 [%0], -5;" ::"l"(wide)
               : "memory");
  asm volatile("red.global.and.b64 [%0], 0xFFFF0000FFFF0000;" ::"l"(wide + 1)
               : "memory");
  asm volatile("atom.global.inc.u32 _, [%0], 31;" ::"l"(data + 2) : "memory");
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  asm volatile("fence.sc.sys;" ::: "memory");
  asm volatile("membar.cta;" ::: "memory");
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.acq_rel.cluster;" ::: "memory");
#endif
}

#if __CUDA_ARCH__ >= 900
// Vector reductions, 128-bit atomics and cache hints.
extern "C" __global__ void vectorReductions(float4 *sums, __half2 *halves,
                                            float4 *out) {
  float4 v = out[threadIdx.x], r;
  unsigned long long policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0;" : "=l"(policy));
  asm volatile("atom.global.v4.f32.add {%0, %1, %2, %3}, [%4], "
               "{%5, %6, %7, %8};"
               : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
               : "l"(sums), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
               : "memory");
  asm volatile(
      "red.relaxed.gpu.global.v2.f32.add [%0], {%1, %2};" ::"l"(sums + 1),
      "f"(v.x), "f"(v.y)
      : "memory");
  asm volatile(
      "red.global.v4.f16x2.add.noftz [%0], {%1, %1, %2, %2};" ::"l"(halves),
      "r"(__float_as_int(v.x)), "r"(__float_as_int(v.y))
      : "memory");
  asm volatile(
      "red.global.v2.bf16x2.max.noftz [%0], {%1, %2};" ::"l"(halves + 8),
      "r"(__float_as_int(v.x)), "r"(__float_as_int(v.y))
      : "memory");
  asm volatile("red.global.add.noftz.L2::cache_hint.f16x2 [%0], %1, %2;" ::"l"(
                   halves + 16),
               "r"(__float_as_int(v.z)), "l"(policy)
               : "memory");
  asm volatile("{ .reg .b128 a, b, c;\n\t"
               "mov.b128 a, {%1, %1};\n\tmov.b128 b, {%1, %2};\n\t"
               "atom.global.cas.b128 c, [%0], a, b;\n\t"
               "atom.global.exch.b128 a, [%0+16], c;\n\t}" ::"l"(sums + 4),
               "l"(policy), "l"(1ull)
               : "memory");
  out[threadIdx.x] = r;
}
#endif
