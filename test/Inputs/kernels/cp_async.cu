//===- cp_async.cu - Asynchronous copies of 4 to 16 bytes ------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_pipeline.h>

#if __CUDA_ARCH__ >= 800
// A software pipeline of four stages that feeds a reduction.
extern "C" __global__ void __launch_bounds__(128)
    pipelinedSum(const float4 *in, float *out, int tiles) {
  constexpr int Stages = 4;
  __shared__ float4 buffer[Stages][128];
  int t = threadIdx.x;
  const float4 *p = in + static_cast<long long>(blockIdx.x) * tiles * 128 + t;
  for (int s = 0; s < Stages - 1; ++s) {
    if (s < tiles)
      __pipeline_memcpy_async(&buffer[s][t], p + s * 128, 16);
    __pipeline_commit();
  }
  float sum = 0.0f;
  for (int i = 0; i < tiles; ++i) {
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
    float4 v = buffer[i % Stages][t ^ 1];
    sum += v.x + v.y + v.z + v.w;
    int next = i + Stages - 1;
    if (next < tiles)
      __pipeline_memcpy_async(&buffer[next % Stages][t], p + next * 128, 16);
    __pipeline_commit();
  }
  out[blockIdx.x * 128 + t] = sum;
}

// Every form of cp.async.
extern "C" __global__ void copyForms(const char *in, char *out, int bytes) {
  __shared__ __align__(16) char stage[4096];
  __shared__ uint64_t arrived;
  uint32_t to =
      static_cast<uint32_t>(__cvta_generic_to_shared(stage + 16 * threadIdx.x));
  uint32_t barrier = static_cast<uint32_t>(__cvta_generic_to_shared(&arrived));
  const char *from = in + 16 * threadIdx.x;
  uint64_t policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 0.25;" : "=l"(policy));
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier),
                 "r"(blockDim.x)
                 : "memory");
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from)
               : "memory");
  asm volatile(
      "cp.async.ca.shared.global.L2::128B [%0+4], [%1+4], 4, %2;" ::"r"(to),
      "l"(from), "r"(bytes & 4)
      : "memory");
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from)
               : "memory");
  asm volatile("cp.async.cg.shared.global.L2::cache_hint.L2::256B "
               "[%0], [%1], 16, %2;" ::"r"(to),
               "l"(from), "l"(policy)
               : "memory");
  asm volatile(
      "{ .reg .pred p;\n\tsetp.eq.s32 p, %2, 0;\n\t"
      "cp.async.ca.shared.global [%0], [%1], 8, p;\n\t"
      "@!p cp.async.cg.shared.global [%0], [%1], 16, 0;\n\t}" ::"r"(to),
      "l"(from), "r"(bytes)
      : "memory");
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(barrier)
               : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier)
               : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[threadIdx.x] = stage[(threadIdx.x * 7) & 4095];
}
#endif
