//===- mbarrier.cu - Memory barrier objects --------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda/ptx>

#if __CUDA_ARCH__ >= 800
// Split arrive and wait.
extern "C" __global__ void splitBarrier(const float *in, float *out,
                                        int steps) {
  __shared__ float buffer[256];
  __shared__ uint64_t storage;
  uint32_t barrier = static_cast<uint32_t>(__cvta_generic_to_shared(&storage));
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier),
                 "r"(blockDim.x)
                 : "memory");
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    buffer[threadIdx.x] = in[s * blockDim.x + threadIdx.x];
    uint64_t token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                 : "=l"(token)
                 : "r"(barrier)
                 : "memory");
    unsigned done = 0;
    while (!done)
      asm volatile("{ .reg .pred p;\n\t"
                   "mbarrier.test_wait.shared.b64 p, [%1], %2;\n\t"
                   "selp.u32 %0, 1, 0, p;\n\t}"
                   : "=r"(done)
                   : "r"(barrier), "l"(token)
                   : "memory");
    out[s * blockDim.x + threadIdx.x] = buffer[255 - threadIdx.x];
    __syncthreads();
  }
  uint64_t token;
  unsigned pending;
  asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 1;"
               : "=l"(token)
               : "r"(barrier)
               : "memory");
  asm volatile("mbarrier.pending_count.b64 %0, %1;"
               : "=r"(pending)
               : "l"(token));
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(barrier)
               : "memory");
  asm volatile("mbarrier.arrive_drop.noComplete.shared.b64 %0, [%1], 1;"
               : "=l"(token)
               : "r"(barrier)
               : "memory");
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(barrier) : "memory");
  if (pending == 0)
    out[0] = 0.0f;
}
#endif

#if __CUDA_ARCH__ >= 900
// Transaction counts, phases by parity, suspended waits and cluster scope.
extern "C" __global__ void transactionBarrier(uint64_t *out) {
  namespace ptx = cuda::ptx;
  __shared__ uint64_t barrier, storage[4];
  uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(&barrier));
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 2);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared,
                            &barrier, 8);
  }
  __syncthreads();
  uint64_t token = 0;
  if (threadIdx.x == 0) {
    token = ptx::mbarrier_arrive(&barrier);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, &barrier, 16);
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster,
                         ptx::space_shared, &barrier, 1);
    asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cta.b64 "
                 "[%0], 24;" ::"r"(address)
                 : "memory");
    asm volatile("mbarrier.arrive_drop.expect_tx.release.cta.shared::cta.b64 "
                 "_, [%0], 8;" ::"r"(address)
                 : "memory");
  }
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0))
    ;
  while (!ptx::mbarrier_try_wait(ptx::sem_acquire, ptx::scope_cluster, &barrier,
                                 token, 1000))
    ;
  while (!ptx::mbarrier_test_wait_parity(ptx::sem_acquire, ptx::scope_cta,
                                         &barrier, 1))
    ;
  while (!ptx::mbarrier_test_wait(&barrier, token))
    ;
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p;\n\t"
                 "mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 "
                 "p, [%1], 1, 0x989680;\n\t"
                 "selp.b32 %0, 1, 0, p;\n\t}"
                 : "=r"(done)
                 : "r"(address)
                 : "memory");
  out[threadIdx.x] = storage[threadIdx.x & 3];
}
#endif
