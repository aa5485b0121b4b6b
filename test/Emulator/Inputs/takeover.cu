//===- takeover.cu - Blocks that take over others' places -----*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Asks for the place of a block that has not started, works on its tile, and
// goes on with that place if it got one.
extern "C" __global__ void takeOver(float *out) {
  __shared__ unsigned long long done;
  __shared__ __align__(16) uint4 answer;
  unsigned bar = (unsigned)__cvta_generic_to_shared(&done),
           at = (unsigned)__cvta_generic_to_shared(&answer);
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bar) : "memory");
  __syncthreads();
  unsigned block = blockIdx.x, phase = 0;
  for (;;) {
    if (threadIdx.x == 0) {
      asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier:"
                   ":complete_tx::bytes.b128 [%0], [%1];" ::"r"(at),
                   "r"(bar)
                   : "memory");
      asm volatile(
          "mbarrier.arrive.expect_tx.shared.b64 _, [%0], 16;" ::"r"(bar)
          : "memory");
    }
    out[block * blockDim.x + threadIdx.x] = block;
    asm volatile("{\n\t.reg .pred p;\n\tW: mbarrier.try_wait.parity.shared.b64 "
                 "p, [%0], %1;\n\t@!p bra W;\n\t}" ::"r"(bar),
                 "r"(phase)
                 : "memory");
    phase ^= 1;
    unsigned ok, x;
    asm volatile(
        "{\n\t.reg .b128 r;\n\t.reg .pred p;\n\tld.shared.b128 r, [%2];\n\t"
        "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, "
        "r;\n\tselp.u32 %0, 1, 0, p;\n\t"
        "@p clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %1, "
        "r;\n\t}"
        : "=r"(ok), "=r"(x)
        : "r"(at)
        : "memory");
    __syncthreads();
    if (!ok)
      break;
    block = x;
  }
}
